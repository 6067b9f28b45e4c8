/* line: a problem as a line of text: parsed once, run as call, as plan and in place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

/* ---- Parsing ---- */

static enum gasket_status status_named(const char *name, size_t length) {
    for (int status = GASKET_OK; status <= GASKET_INTERNAL; status++) {
        const char *known = gasket_status_name((enum gasket_status)status);
        if (strlen(known) == length && strncmp(known, name, length) == 0) return (enum gasket_status)status;
    }
    give_up(name);
}

static struct gasket_argument integers_argument(struct line *line, const char *name, const char *value) {
    size_t n = 0;
    for (char *end; *value; value = *end == ',' ? end + 1 : end)
        line->integers[n++] = strtoll(value, &end, 10);
    return gasket_integers(name, line->integers, n);
}

/* axis=-1 is an integer, shape=2,3 and window=2 are lists, fill=1.5 a real, fill='x' and bounds=clip are texts. */
static struct gasket_argument plain_argument(struct line *line, const char *name, char *value) {
    char *end;
    if (strcmp(name, "shape") == 0 || strcmp(name, "window") == 0) return integers_argument(line, name, value);
    if (*value == '\'') {
        value[strlen(value) - 1] = 0;
        return gasket_text(name, value + 1);
    }
    int64_t whole = strtoll(value, &end, 10);
    if (*end == 0) return gasket_integer(name, whole);
    double real = strtod(value, &end);
    return *end == 0 ? gasket_real(name, real) : gasket_text(name, value);
}

static void parse_word(struct line *line, char *name, char *value, enum side side) {
    if (strcmp(name, "out") == 0) {
        tensor_parse(&line->expected, value, side);
    } else if (strcmp(name, "error") == 0) {
        char *colon = strchr(value, ':');
        line->status = status_named(value, colon ? (size_t)(colon - value) : strlen(value));
        line->message = colon ? colon + 1 : NULL;
    } else if (strchr(value, '[')) {
        if (line->n_tensors == LINE_TENSORS) give_up(name);
        struct tensor *tensor = &line->tensors[line->n_tensors++];
        tensor_parse(tensor, value, side);
        tensor_make_read_only(tensor);
        line->arguments[line->n_arguments++] = gasket_tensor(name, &tensor->view);
    } else {
        line->arguments[line->n_arguments++] = plain_argument(line, name, value);
    }
}

void line_parse(struct line *line, const char *operation, const char *text, enum side side) {
    memset(line, 0, sizeof *line);
    line->operation = operation;
    line->copy = strdup(text);
    char *rest = NULL;
    for (char *word = strtok_r(line->copy, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
        char *sign = strchr(word, '=');
        if (sign == NULL) give_up(word);
        *sign = 0;
        parse_word(line, word, sign + 1, side);
    }
    if (line->status == GASKET_OK && line->expected.map == NULL) give_up(text);
}

void line_free(struct line *line) {
    for (size_t i = 0; i < line->n_tensors; i++)
        tensor_free(&line->tensors[i]);
    tensor_free(&line->expected);
    free(line->copy);
}

/* ---- Running ---- */

struct run {
    struct line *line;
    const struct setting *setting;
    const char *name, *how; /* of the sample; call, plan... */
    struct tensor out;
    int failed;
};

static void complain(struct run *run, const char *what, const char *detail) {
    if (!run->failed)
        check(0, "%s (%s; %s, %s): %s %s", run->name, run->line->operation, run->setting->name, run->how, what, detail);
    run->failed = 1;
}

/* Whether a status and what lies in `out` are as they must be. */
static void judge(struct run *run, enum gasket_status status, int untouched) {
    const struct line *line = run->line;
    const char *message = gasket_message(run->setting->context);
    if (status != line->status)
        complain(run, gasket_status_name(status), status != GASKET_OK ? message : "is not what was expected");
    else if (status != GASKET_OK && !untouched)
        complain(run, "something was written although it failed:", message);
    else if (status == GASKET_OUT_OF_BOUNDS && line->message && !message_holds(message, line->message))
        complain(run, "the message does not tell the place:", message);
    else if (status != GASKET_OK && message[0] == 0)
        complain(run, "there is no message", "");
    else if (status == GASKET_OK && !tensors_equal(&run->out, &line->expected))
        complain(run, "the result is", tensor_hex(&run->out));
    else if (!tensor_slack_is_intact(&run->out))
        complain(run, "bytes beside the output were written", "");
}

static DLDataType value_type(const struct line *line) {
    for (size_t i = 0; i < line->n_arguments; i++) {
        const struct gasket_argument *argument = &line->arguments[i];
        if (argument->kind == GASKET_ARGUMENT_TENSOR && strcmp(argument->name, "indices") != 0)
            return argument->tensor->dtype;
    }
    return (DLDataType){kDLInt, 32, 1};
}

/* Makes the output that the operation asks for, or any where it must refuse; 0 when it is not as expected. */
static int make_output(struct run *run) {
    const struct line *line = run->line;
    struct gasket_shape shape = {.ndim = -1};
    run->how = "infer";
    enum gasket_status status =
        gasket_infer(run->setting->context, line->operation, line->arguments, line->n_arguments, &shape);
    int bounds_only = line->status == GASKET_OUT_OF_BOUNDS;
    if (status != (bounds_only ? GASKET_OK : line->status)) {
        complain(run, gasket_status_name(status), gasket_message(run->setting->context));
        return 0;
    }
    if (status != GASKET_OK) {
        if (line->message && !message_holds(gasket_message(run->setting->context), line->message))
            complain(run, "the message does not tell why:", gasket_message(run->setting->context));
        tensor_make(&run->out, value_type(line), 0, NULL, AT_END);
        return 1;
    }
    tensor_make(&run->out, shape.dtype, shape.ndim, shape.shape, (enum side)(run->setting->threads & 1));
    return 1;
}

static void run_call(struct run *run) {
    struct line *line = run->line;
    struct gasket_argument arguments[LINE_ARGUMENTS + 1];
    memcpy(arguments, line->arguments, sizeof line->arguments);
    arguments[line->n_arguments] = gasket_tensor("out", &run->out.view);
    run->how = "call";
    tensor_poison(&run->out);
    judge(run, gasket_call(run->setting->context, line->operation, arguments, line->n_arguments + 1),
          tensor_is_poisoned(&run->out));
}

/* A plan made without data; the output comes first. */
static void run_plan(struct run *run) {
    struct line *line = run->line;
    struct gasket_argument arguments[LINE_ARGUMENTS + 1];
    DLTensor views[LINE_TENSORS + 1];
    void *data[LINE_TENSORS + 1];
    size_t n = 0;
    arguments[0] = gasket_tensor("out", &run->out.view);
    memcpy(arguments + 1, line->arguments, sizeof line->arguments);
    for (size_t i = 0; i < line->n_arguments + 1; i++) {
        if (arguments[i].kind != GASKET_ARGUMENT_TENSOR || strcmp(arguments[i].name, "fill") == 0) continue;
        views[n] = *arguments[i].tensor;
        data[n] = views[n].data;
        views[n].data = NULL;
        arguments[i].tensor = &views[n++];
    }
    run->how = "plan";
    tensor_poison(&run->out);
    gasket_plan *plan = NULL;
    enum gasket_status status =
        gasket_plan_create(run->setting->context, line->operation, arguments, line->n_arguments + 1, &plan);
    if (status == GASKET_OK) status = gasket_plan_run(plan, data, n);
    judge(run, status, tensor_is_poisoned(&run->out));
    gasket_plan_destroy(plan);
}

/* The output is the very tensor that the formula starts from. */
static void run_in_place(struct run *run) {
    struct line *line = run->line;
    struct gasket_argument arguments[LINE_ARGUMENTS + 1];
    const struct tensor *start = NULL;
    memcpy(arguments, line->arguments, sizeof line->arguments);
    for (size_t i = 0; i < line->n_arguments; i++) {
        if (strcmp(arguments[i].name, "tensor") != 0) continue;
        start = (const struct tensor *)(const void *)arguments[i].tensor; /* view is its first member */
        arguments[i].tensor = &run->out.view;
    }
    if (start == NULL || line->status == GASKET_INVALID_ARGUMENT || start->view.strides != NULL) return;
    arguments[line->n_arguments] = gasket_tensor("out", &run->out.view);
    run->how = "in place";
    if (start->bytes) memcpy(run->out.data, start->data, start->bytes);
    enum gasket_status status = gasket_call(run->setting->context, line->operation, arguments, line->n_arguments + 1);
    judge(run, status, start->bytes == 0 || memcmp(run->out.data, start->data, start->bytes) == 0);
}

void line_check(struct line *line, const struct setting *setting, const char *name) {
    struct run run = {.line = line, .setting = setting, .name = name};
    if (make_output(&run)) {
        run_call(&run);
        run_plan(&run);
        run_in_place(&run);
    }
    if (!run.failed) check(1, "%s", name);
    if (run.out.map != NULL) tensor_free(&run.out);
    strings_release();
}

void samples_check(const struct sample *samples, size_t n) {
    static struct setting settings[MAX_SETTINGS];
    size_t n_settings = settings_open(settings);
    for (size_t i = 0; i < n; i++) {
        struct line line;
        line_parse(&line, samples[i].operation, samples[i].text, i % 2 ? AT_BEGIN : AT_END);
        for (size_t s = 0; s < n_settings; s++)
            line_check(&line, &settings[s], samples[i].name);
        line_free(&line);
    }
    settings_close(settings, n_settings);
}
