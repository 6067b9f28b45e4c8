/* interpreted: see interpreted.h. */
#include "support/interpreted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula/formula.h"

const struct operation_text known_operations[] = {
    {"gather", "out[B, O, N, S] = params[B, O, indices[B, N], S]", "batch_dims=0 axis=batch_dims",
     "B=batch_dims O=axis-batch_dims"},
    {"gather_nd", "out[B, N, S] = params[B, indices[B, N, *], S]", "batch_dims=0", "B=batch_dims"},
    {"scatter_nd", "out[indices[N, *], S] += updates[N, S] from zeros", "shape[]", "out=shape[]"},
    {"tensor_scatter", "out[indices[N, *], S] ?= updates[N, S] from tensor", "", ""},
    {"take_along_axis", "out[P, N, S] = params[P, indices[P, N, S], S]", "axis=0", "P=axis N=1"},
    {"embedding_bag", "out[G, S] += table[indices[G, L], S] * weights[G, L] from zeros", "", "L=1"},
    {"window_gather", "out[B, W, S] = params[B, start[B] + W, S]", "window[]", "W=window[]"},
    {NULL, NULL, NULL, NULL},
};

const struct operation_text *operation_named(const char *name) {
    const struct operation_text *text = known_operations;
    while (text->name != NULL && strcmp(text->name, name) != 0)
        text++;
    if (text->name == NULL) give_up(name);
    return text;
}

/* ---- Operations from text ---- */

static struct gasket_linear linear_of(const struct gasket_operation *operation, const char *text) {
    struct gasket_linear linear;
    struct gk_formula_error error;
    if (gk_linear_parse(text, &operation->formula, operation->attributes, operation->n_attributes, &linear, &error) !=
        0)
        give_up(error.text);
    return linear;
}

static void add_attribute(struct gasket_operation *operation, char *word) {
    struct gasket_attribute *attribute = &operation->attributes[operation->n_attributes];
    char *sign = strpbrk(word, "=[");
    attribute->type = *sign == '=' ? GASKET_ATTRIBUTE_INT : GASKET_ATTRIBUTE_INTS;
    attribute->has_default = *sign == '=';
    if (attribute->has_default) attribute->default_value = linear_of(operation, sign + 1);
    *sign = 0;
    snprintf(attribute->name, sizeof attribute->name, "%s", word);
    operation->n_attributes++;
}

static uint8_t attribute_named(const struct gasket_operation *operation, const char *name) {
    for (uint8_t a = 0; a < operation->n_attributes; a++)
        if (strncmp(operation->attributes[a].name, name, strcspn(name, "[")) == 0) return a;
    give_up(name);
}

static void add_rank(struct gasket_operation *operation, char *word) {
    char *value = strchr(word, '=') + 1;
    int is_list = strchr(value, '[') != NULL;
    uint8_t group = gk_formula_group(&operation->formula, word[0]);
    if (strncmp(word, "out=", 4) == 0) {
        operation->output_extents = attribute_named(operation, value);
    } else if (is_list) {
        operation->extents[group] = attribute_named(operation, value);
    } else {
        operation->has_rank[group] = 1;
        operation->ranks[group] = linear_of(operation, value);
    }
}

static void each_word(struct gasket_operation *operation, const char *words,
                      void (*add)(struct gasket_operation *, char *)) {
    char *copy = strdup(words), *rest = NULL;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        add(operation, word);
    free(copy);
}

static void make_operation(struct gasket_operation *operation, const struct operation_text *text) {
    struct gk_formula_error error;
    memset(operation, 0, sizeof *operation);
    operation->name = text->name;
    operation->formula_text = text->formula;
    operation->summary = "";
    if (gk_formula_parse(text->formula, &operation->formula, &error) != 0) give_up(error.text);
    memset(operation->extents, GASKET_NONE, sizeof operation->extents);
    operation->output_extents = GASKET_NONE;
    operation->values = (uint32_t)((UINT64_C(1) << GASKET_DTYPES) - 1);
    operation->indices = ((1u << 8) - 1) << GASKET_I8;
    operation->combines = (1u << GASKET_COMBINES) - 1;
    operation->bounds = (1u << GASKET_BOUNDS_MODES) - 1;
    each_word(operation, text->attributes, add_attribute);
    each_word(operation, text->ranks, add_rank);
}

/* ---- Problems from lines ---- */

/* A line can not know which of its whole numbers is a list of one. */
static void make_lists(struct interpreted *run) {
    for (size_t i = 0; i < run->line.n_arguments; i++) {
        struct gasket_argument *argument = &run->arguments[i];
        for (int a = 0; a < run->operation.n_attributes; a++) {
            const struct gasket_attribute *attribute = &run->operation.attributes[a];
            if (attribute->type != GASKET_ATTRIBUTE_INTS || strcmp(attribute->name, argument->name) != 0) continue;
            if (argument->kind != GASKET_ARGUMENT_INTEGER) continue;
            run->line.integers[0] = argument->integer;
            *argument = gasket_integers(argument->name, run->line.integers, 1);
        }
    }
}

void interpreted_open(struct interpreted *run, const struct operation_text *operation, const char *text,
                      enum side side) {
    struct gasket_shape shape;
    memset(run, 0, sizeof *run);
    make_operation(&run->operation, operation);
    line_parse(&run->line, run->operation.name, text, side);
    size_t n = run->line.n_arguments;
    memcpy(run->arguments, run->line.arguments, sizeof run->line.arguments);
    make_lists(run);
    if (gk_problem_bind(&run->problem, &run->operation, run->arguments, n, &shape, &run->error) != GASKET_OK)
        give_up(run->error.text);
    tensor_make(&run->out, shape.dtype, shape.ndim, shape.shape, side);
    run->arguments[n] = gasket_tensor("out", &run->out.view);
    if (gk_problem_bind(&run->problem, &run->operation, run->arguments, n + 1, NULL, &run->error) != GASKET_OK ||
        gk_problem_check_data(&run->problem, &run->error) != GASKET_OK)
        give_up(run->error.text);
    gk_string_memory_init(&run->memory, strings_allocate, NULL);
}

void interpreted_close(struct interpreted *run) {
    line_free(&run->line);
    tensor_free(&run->out);
    strings_release();
}

const char *interpreted_check(const struct operation_text *operation, const char *text, const char *message) {
    static char complaint[GK_ERROR_TEXT + 512];
    static struct interpreted run;
    interpreted_open(&run, operation, text, strlen(text) % 2 ? AT_BEGIN : AT_END);
    enum gasket_status status = gk_interpret(&run.problem, &run.memory, &run.error);
    complaint[0] = 0;
    if (status != run.line.status)
        snprintf(complaint, sizeof complaint, "%s: %s: %s", text, gasket_status_name(status),
                 status != GASKET_OK ? run.error.text : "not what was expected");
    else if (status != GASKET_OK && !tensor_is_poisoned(&run.out))
        snprintf(complaint, sizeof complaint, "%s: something was written although it failed", text);
    else if (status != GASKET_OK && (message == NULL || strcmp(run.error.text, message) != 0))
        snprintf(complaint, sizeof complaint, "%s: the message is: %s", text, run.error.text);
    else if (status == GASKET_OK && !tensors_equal(&run.out, &run.line.expected))
        snprintf(complaint, sizeof complaint, "%s: the result is %s, not %s", text, tensor_hex(&run.out),
                 tensor_hex(&run.line.expected));
    else if (!tensor_slack_is_intact(&run.out))
        snprintf(complaint, sizeof complaint, "%s: bytes beside the output were written", text);
    interpreted_close(&run);
    return complaint[0] != 0 ? complaint : NULL;
}
