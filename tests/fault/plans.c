/* plans: plans run on other memory; names, kinds and options that are refused; handles that are NULL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "support/support.h"

/* ---- Other pointers ---- */

enum { ROWS = 5, WIDTH = 6, PICKED = 4 };

static void check_pointers(gasket_context *context, const char *where) {
    const int64_t table[] = {ROWS, WIDTH}, tuples[] = {PICKED}, rows[] = {PICKED, WIDTH};
    static _Alignas(64) char memory[3][512];
    DLTensor params = {memory[0], {kDLCPU, 0}, 2, {kDLFloat, 16, 1}, (int64_t *)(uintptr_t)table, NULL, 0};
    DLTensor indices = {memory[1], {kDLCPU, 0}, 1, {kDLInt, 32, 1}, (int64_t *)(uintptr_t)tuples, NULL, 8};
    DLTensor out = {memory[2], {kDLCPU, 0}, 2, {kDLFloat, 16, 1}, (int64_t *)(uintptr_t)rows, NULL, 0};
    const int32_t picked[PICKED] = {4, 0, 3, 3};
    gasket_plan *plan = NULL;
    enum gasket_status status = PLAN(context, "gather", &plan, gasket_tensor("indices", &indices),
                                     gasket_tensor("out", &out), gasket_tensor("params", &params));
    check(status == GASKET_OK, "plan (%s): %s", where, gasket_message(context));
    for (int shift = 0; shift < 20 && plan; shift++) {
        char *at[] = {memory[0] + shift, memory[1] + shift, memory[2] + 19 - shift};
        memset(memory, 0, sizeof memory);
        for (int i = 0; i < 2 * ROWS * WIDTH; i++)
            at[0][i] = (char)(i + shift);
        memcpy(at[1] + 8, picked, sizeof picked);
        void *data[] = {at[1], at[2], at[0]};
        status = gasket_plan_run(plan, data, 3);
        int wrong = at[2][-1 + (shift == 19)] != (shift == 19 ? at[2][0] : 0);
        for (int i = 0; i < PICKED; i++)
            wrong += memcmp(at[2] + i * 2 * WIDTH, at[0] + picked[i] * 2 * WIDTH, 2 * WIDTH) != 0;
        check(status == GASKET_OK && wrong == 0, "a plan shifted by %d (%s): %s", shift, where,
              gasket_status_name(status));
    }
    gasket_plan_destroy(plan);
}

/* Each run is checked anew: data, bounds, overlap. */
static void check_runs(gasket_context *context, const char *where) {
    struct tensor params, indices, bad, out;
    tensor_parse(&params, "i32[3]=7,8,9", AT_END);
    tensor_parse(&indices, "i32[2]=2,0", AT_END);
    tensor_parse(&bad, "i32[2]=0,3", AT_END);
    tensor_parse(&out, "i32[2]", AT_END);
    gasket_plan *plan = NULL;
    PLAN(context, "gather", &plan, gasket_tensor("params", &params.view), gasket_tensor("indices", &indices.view),
         gasket_tensor("out", &out.view));
    void *good[] = {params.data, indices.data, out.data}, *beyond[] = {params.data, bad.data, out.data};
    void *missing[] = {params.data, NULL, out.data}, *onto[] = {params.data, indices.data, params.data + 4};
    const struct {
        const char *name;
        void *const *data;
        size_t n;
        enum gasket_status status;
    } runs[] = {{"out of bounds", beyond, 3, GASKET_OUT_OF_BOUNDS},
                {"NULL data", missing, 3, GASKET_INVALID_ARGUMENT},
                {"onto an input", onto, 3, GASKET_INVALID_ARGUMENT},
                {"too few", good, 2, GASKET_INVALID_ARGUMENT},
                {"too many", good, 4, GASKET_INVALID_ARGUMENT}};
    for (size_t i = 0; plan && i < sizeof runs / sizeof *runs; i++) {
        enum gasket_status status = gasket_plan_run(plan, runs[i].data, runs[i].n);
        const int32_t *values = (const void *)params.data;
        check(status == runs[i].status && tensor_is_poisoned(&out) && values[0] == 7 && values[1] == 8 &&
                  values[2] == 9 && gasket_message(context)[0],
              "a plan run with %s (%s): %s: %s", runs[i].name, where, gasket_status_name(status),
              gasket_message(context));
    }
    enum gasket_status status = plan ? gasket_plan_run(plan, good, 3) : GASKET_INTERNAL;
    const int32_t *values = (const void *)out.data;
    check(status == GASKET_OK && values[0] == 9 && values[1] == 7, "a good run after bad ones (%s): %s", where,
          gasket_status_name(status));
    gasket_plan_destroy(plan);
    tensor_free(&params);
    tensor_free(&indices);
    tensor_free(&bad);
    tensor_free(&out);
}

/* A plan whose tensors never had data needs pointers; in place stays in place only with equal ones. */
static void check_in_place(gasket_context *context, const char *where) {
    struct tensor tensor, indices, updates, other;
    tensor_parse(&tensor, "i32[3]=7,8,9", AT_END);
    tensor_parse(&other, "i32[3]", AT_END);
    tensor_parse(&indices, "i32[1,1]=1", AT_END);
    tensor_parse(&updates, "i32[1]=5", AT_END);
    void *in_place[] = {tensor.data, indices.data, updates.data, tensor.data};
    void *copied[] = {tensor.data, indices.data, updates.data, other.data};
    DLTensor start = tensor.view, out = tensor.view;
    start.data = out.data = NULL;
    gasket_plan *plan = NULL;
    PLAN(context, "tensor_scatter", &plan, gasket_tensor("tensor", &start), gasket_tensor("indices", &indices.view),
         gasket_tensor("updates", &updates.view), gasket_tensor("out", &out), gasket_text("combine", "add"));
    enum gasket_status without = plan ? gasket_plan_run(plan, NULL, 0) : GASKET_OK;
    check(without == GASKET_INVALID_ARGUMENT, "no data at all (%s): %s", where, gasket_status_name(without));
    enum gasket_status status = plan ? gasket_plan_run(plan, copied, 4) : GASKET_INTERNAL;
    const int32_t *copy = (const void *)other.data, *own = (const void *)tensor.data;
    check(status == GASKET_OK && copy[0] == 7 && copy[1] == 13 && copy[2] == 9 && own[1] == 8, "copied (%s): %s", where,
          gasket_status_name(status));
    status = plan ? gasket_plan_run(plan, in_place, 4) : GASKET_INTERNAL;
    check(status == GASKET_OK && own[0] == 7 && own[1] == 13 && own[2] == 9, "in place (%s): %s", where,
          gasket_status_name(status));
    gasket_plan_destroy(plan);
    tensor_free(&tensor);
    tensor_free(&other);
    tensor_free(&indices);
    tensor_free(&updates);
}

/* ---- What is refused by name ---- */

static struct tensor params, picks, result;

static void refuse(gasket_context *context, const char *what, const char *operation,
                   const struct gasket_argument *arguments, size_t n, const char *word) {
    tensor_poison(&result);
    enum gasket_status status = gasket_call(context, operation, arguments, n);
    const char *message = gasket_message(context);
    check(status == GASKET_INVALID_ARGUMENT && tensor_is_poisoned(&result) && strstr(message, word),
          "%s: %s: %s (expected the word '%s')", what, gasket_status_name(status), message, word);
    gasket_plan *plan = (gasket_plan *)(void *)&status;
    status = gasket_plan_create(context, operation, arguments, n, &plan);
    check(status == GASKET_INVALID_ARGUMENT && plan == NULL, "%s: a plan was made: %s", what,
          gasket_status_name(status));
}

#define REFUSE(what, operation, word, ...)                                          \
    refuse(context, what, operation, (const struct gasket_argument[]){__VA_ARGS__}, \
           sizeof((const struct gasket_argument[]){__VA_ARGS__}) / sizeof(struct gasket_argument), word)
#define GOOD \
    gasket_tensor("params", &params.view), gasket_tensor("indices", &picks.view), gasket_tensor("out", &result.view)

static void check_names(gasket_context *context) {
    tensor_parse(&params, "i32[3]=7,8,9", AT_END);
    tensor_parse(&picks, "i32[1]=2", AT_END);
    tensor_parse(&result, "i32[1]", AT_END);
    REFUSE("unknown operation", "gathr", "gathr", GOOD);
    REFUSE("unknown argument", "gather", "axes", GOOD, gasket_integer("axes", 0));
    REFUSE("an argument of another operation", "gather", "updates", GOOD, gasket_tensor("updates", &picks.view));
    REFUSE("twice the same", "gather", "indices", GOOD, gasket_tensor("indices", &picks.view));
    REFUSE("axis twice", "gather", "axis", GOOD, gasket_integer("axis", 0), gasket_integer("axis", 0));
    REFUSE("a text for axis", "gather", "axis", GOOD, gasket_text("axis", "0"));
    REFUSE("a real for axis", "gather", "axis", GOOD, gasket_real("axis", 0.0));
    REFUSE("an integer for bounds", "gather", "bounds", GOOD, gasket_integer("bounds", 0));
    REFUSE("unknown bounds", "gather", "bounds", GOOD, gasket_text("bounds", "ERROR"));
    REFUSE("combine where nothing is chosen", "gather", "combine", GOOD, gasket_text("combine", "add"));
    REFUSE("an integer for params", "gather", "params", gasket_integer("params", 1),
           gasket_tensor("indices", &picks.view), gasket_tensor("out", &result.view));
    REFUSE("no indices", "gather", "indices", gasket_tensor("params", &params.view),
           gasket_tensor("out", &result.view));
    REFUSE("no out", "gather", "out", gasket_tensor("params", &params.view), gasket_tensor("indices", &picks.view));
    REFUSE("no shape", "scatter_nd", "shape", gasket_tensor("indices", &picks.view),
           gasket_tensor("updates", &picks.view), gasket_tensor("out", &result.view));
    REFUSE("a NULL tensor", "gather", "params", gasket_tensor("params", NULL), gasket_tensor("indices", &picks.view),
           gasket_tensor("out", &result.view));
    REFUSE("a NULL text", "gather", "bounds", GOOD, gasket_text("bounds", NULL));
    REFUSE("a NULL name", "gather", "", GOOD, gasket_integer(NULL, 1));
    REFUSE("no list for shape", "scatter_nd", "shape", gasket_tensor("indices", &picks.view),
           gasket_tensor("updates", &picks.view), gasket_tensor("out", &result.view),
           gasket_integers("shape", NULL, 1));
    check(gasket_call(context, "gather", NULL, 0) == GASKET_INVALID_ARGUMENT, "no arguments");
    check(gasket_call(context, NULL, NULL, 0) == GASKET_INVALID_ARGUMENT, "no operation");
    tensor_free(&params);
    tensor_free(&picks);
    tensor_free(&result);
}

/* ---- Options and kernel sets ---- */

static void refuse_options(const char *what, const struct gasket_options *options, enum gasket_status expected) {
    gasket_context *context = (gasket_context *)(uintptr_t)8;
    enum gasket_status status = gasket_context_create(options, &context);
    check(status == expected && context == NULL, "%s: %s", what, gasket_status_name(status));
    if (status == GASKET_OK) gasket_context_destroy(context);
}

static void check_options(void) {
    const char *foreign = gasket_isa_usable("neon", NULL) ? "avx2" : "neon", *why = NULL;
    refuse_options("unknown isa", &(struct gasket_options){.size = sizeof(struct gasket_options), .isa = "sse9"},
                   GASKET_INVALID_ARGUMENT);
    refuse_options("another machine's isa",
                   &(struct gasket_options){.size = sizeof(struct gasket_options), .isa = foreign}, GASKET_UNAVAILABLE);
    refuse_options("unknown tier", &(struct gasket_options){.size = sizeof(struct gasket_options), .tier = "best"},
                   GASKET_INVALID_ARGUMENT);
    refuse_options("negative threads", &(struct gasket_options){.size = sizeof(struct gasket_options), .threads = -1},
                   GASKET_INVALID_ARGUMENT);
    check(!gasket_isa_usable(foreign, &why) && why && why[0], "%s is usable, or nothing says why not", foreign);
    check(!gasket_isa_usable("sse9", NULL), "sse9 is usable");
    check(gasket_isa_usable("base", NULL), "base is not usable");
    gasket_context *context = NULL;
    check(gasket_context_create(NULL, &context) == GASKET_OK && gasket_context_threads(context) >= 1 &&
              gasket_isa_usable(gasket_context_isa(context), NULL) && gasket_message(context)[0] == 0,
          "a context by default");
    gasket_context_destroy(context);
    gasket_context_destroy(NULL);
    gasket_plan_destroy(NULL);
}

/* B158: a set of another ABI is refused with both numbers. */
static void check_set(gasket_context *context) {
    struct gasket_kernel_set set = {.abi_version = GASKET_ABI_VERSION + 1, .name = "other"};
    enum gasket_status status = gasket_register(context, &set);
    char ours[16], theirs[16];
    snprintf(ours, sizeof ours, "%d", GASKET_ABI_VERSION);
    snprintf(theirs, sizeof theirs, "%d", GASKET_ABI_VERSION + 1);
    const char *message = gasket_message(context);
    check(status == GASKET_INVALID_ARGUMENT || status == GASKET_UNSUPPORTED || status == GASKET_UNAVAILABLE, "B158: %s",
          gasket_status_name(status));
    check(strstr(message, ours) && strstr(message, theirs) && strstr(message, "other"), "B158: %s", message);
}

/* ---- Explanations ---- */

static void check_texts(gasket_context *context) {
    DLTensor table = {NULL, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, (int64_t[]){8, 2}, NULL, 0};
    DLTensor tuples = {NULL, {kDLCPU, 0}, 1, {kDLInt, 32, 1}, (int64_t[]){3}, NULL, 0};
    DLTensor out = {NULL, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, (int64_t[]){3, 2}, NULL, 0};
    gasket_plan *plan = NULL;
    PLAN(context, "gather", &plan, gasket_tensor("params", &table), gasket_tensor("indices", &tuples),
         gasket_tensor("out", &out));
    if (!check(plan != NULL, "plan: %s", gasket_message(context))) return;
    struct gasket_report report;
    gasket_plan_report(plan, &report);
    check(
        strcmp(report.operation, "gather") == 0 && report.output_bytes == 24 && report.threads >= 1 && report.kernel[0],
        "report: %s, %lld bytes", report.operation, (long long)report.output_bytes);
    size_t length = 0;
    char small[12], *large;
    memset(small, POISON, sizeof small);
    check(gasket_plan_explain(plan, small, 8, &length) == GASKET_OK && strlen(small) == 7 &&
              (unsigned char)small[8] == POISON && length > 20,
          "a short explanation: %zu", length);
    large = malloc(length + 1);
    size_t again = 0;
    check(gasket_plan_explain(plan, large, length + 1, &again) == GASKET_OK && strlen(large) == length &&
              again == length && strncmp(large, small, 7) == 0 && strstr(large, report.kernel),
          "the whole explanation: %zu of %zu", again, length);
    check(gasket_plan_explain(plan, NULL, 0, &again) == GASKET_OK && again == length, "only its length: %zu", again);
    free(large);
    gasket_plan_destroy(plan);
}

int main(void) {
    static struct setting settings[MAX_SETTINGS];
    size_t n = settings_open(settings);
    for (size_t i = 0; i < n; i++) {
        check_pointers(settings[i].context, settings[i].name);
        check_runs(settings[i].context, settings[i].name);
        check_in_place(settings[i].context, settings[i].name);
    }
    check_names(settings[0].context);
    check_texts(settings[0].context);
    check_set(settings[0].context);
    settings_close(settings, n);
    check_options();
    return finish();
}
