/* call: the public entries that run operations. */
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "formula/formula.h"
#include "plan.h"

static void planned_data(const struct gasket_plan *plan, char *data[GASKET_MAX_TENSORS]) {
    for (int t = 0; t < GASKET_MAX_TENSORS; t++)
        data[t] = t < plan->problem.operation->formula.n_tensors ? plan->problem.tensors[t].data : NULL;
}

static enum gasket_status check_list(const struct gasket_argument *arguments, size_t n_arguments,
                                     struct gk_error *error) {
    return !arguments && n_arguments > 0
               ? gk_fail(error, GASKET_INVALID_ARGUMENT, "the list of %zu arguments is NULL", n_arguments)
               : GASKET_OK;
}

static enum gasket_status run_once(struct gasket_plan *plan, struct gk_error *error) {
    char *data[GASKET_MAX_TENSORS];
    enum gasket_status status = gk_problem_check_data(&plan->problem, error);
    if (!status) {
        planned_data(plan, data);
        status = gk_plan_execute(plan, data, error);
    }
    gk_plan_drop(plan);
    return status;
}

enum gasket_status gasket_call(gasket_context *context, const char *operation, const struct gasket_argument *arguments,
                               size_t n_arguments) {
    if (!context) return GASKET_INVALID_ARGUMENT;
    struct gk_error error;
    struct gasket_plan plan;
    enum gasket_status status = check_list(arguments, n_arguments, &error);
    if (!status) status = gk_plan_make(&plan, context, operation, arguments, n_arguments, &error);
    if (!status) status = run_once(&plan, &error);
    return status ? gk_context_report(context, &error) : GASKET_OK;
}

enum gasket_status gasket_infer(gasket_context *context, const char *operation, const struct gasket_argument *arguments,
                                size_t n_arguments, struct gasket_shape *shape) {
    if (!context) return GASKET_INVALID_ARGUMENT;
    struct gk_error error;
    struct gk_problem problem;
    enum gasket_status status =
        shape ? check_list(arguments, n_arguments, &error) : gk_fail(&error, GASKET_INVALID_ARGUMENT, "shape is NULL");
    if (status) return gk_context_report(context, &error);
    pthread_rwlock_rdlock(&context->catalog_lock);
    const struct gk_entry *entry = gk_catalog_operation(&context->catalog, operation, &error);
    status = entry ? gk_problem_bind(&problem, entry->operation, arguments, n_arguments, shape, &error) : error.status;
    pthread_rwlock_unlock(&context->catalog_lock);
    return status ? gk_context_report(context, &error) : GASKET_OK;
}

/* ---- Plans ---- */

enum gasket_status gasket_plan_create(gasket_context *context, const char *operation,
                                      const struct gasket_argument *arguments, size_t n_arguments, gasket_plan **plan) {
    if (!context || !plan) return GASKET_INVALID_ARGUMENT;
    *plan = NULL;
    struct gk_error error;
    struct gasket_plan *made = malloc(sizeof *made);
    enum gasket_status status = made ? check_list(arguments, n_arguments, &error)
                                     : gk_fail(&error, GASKET_OUT_OF_MEMORY, "no memory for a plan of %s", operation);
    if (!status) status = gk_plan_make(made, context, operation, arguments, n_arguments, &error);
    if (status) {
        free(made);
        return gk_context_report(context, &error);
    }
    gk_plan_name(made);
    *plan = made;
    return GASKET_OK;
}

void gasket_plan_destroy(gasket_plan *plan) {
    if (plan) gk_plan_drop(plan);
    free(plan);
}

/* Whether the memory of the output lies apart from that of every input, each as one range; all there. */
static int clearly_apart(const struct gasket_plan *plan, char *const *data) {
    const struct gasket_formula *formula = &plan->problem.operation->formula;
    uint8_t out = gk_formula_output(formula);
    uintptr_t begin = (uintptr_t)data[out] + (uintptr_t)plan->spans[out].begin;
    uintptr_t end = (uintptr_t)data[out] + (uintptr_t)plan->spans[out].end;
    for (int t = 0; t < formula->n_tensors; t++) {
        const struct gk_span *span = &plan->spans[t];
        if (span->begin == span->end) continue;
        if (!data[t]) return 0;
        if (t != out && (uintptr_t)data[t] + (uintptr_t)span->begin < end &&
            begin < (uintptr_t)data[t] + (uintptr_t)span->end)
            return 0;
    }
    return 1;
}

static enum gasket_status check_closely(const struct gasket_plan *plan, char *const *data, struct gk_error *error) {
    struct gk_problem problem;
    gk_problem_move(&problem, &plan->problem, data);
    return gk_problem_check_data(&problem, error);
}

enum gasket_status gasket_plan_run(const gasket_plan *plan, void *const *data, size_t n_data) {
    if (!plan) return GASKET_INVALID_ARGUMENT;
    struct gk_error error;
    const struct gk_problem *problem = &plan->problem;
    char *bases[GASKET_MAX_TENSORS];
    planned_data(plan, bases);
    enum gasket_status status = GASKET_OK;
    if (data && n_data != (size_t)problem->n_arguments)
        status = gk_fail(&error, GASKET_INVALID_ARGUMENT, "%s: %zu data pointers for %d tensors",
                         problem->operation->name, n_data, problem->n_arguments);
    for (size_t i = 0; !status && data && i < n_data; i++) {
        uint8_t tensor = problem->argument_order[i];
        bases[tensor] = data[i] ? (char *)data[i] + problem->tensors[tensor].byte_offset : NULL;
    }
    if (!status && !clearly_apart(plan, bases)) status = check_closely(plan, bases, &error);
    if (!status) status = gk_plan_execute(plan, bases, &error);
    return status ? gk_context_report(plan->context, &error) : GASKET_OK;
}

void gasket_plan_report(const gasket_plan *plan, struct gasket_report *report) {
    const struct gk_problem *problem = &plan->problem;
    const struct gk_tensor *out = &problem->tensors[gk_formula_output(&problem->operation->formula)];
    const enum gk_tier tier = gk_plan_tier(plan);
    memset(report, 0, sizeof *report);
    report->operation = problem->operation->name;
    report->tier = gk_tier_names[tier];
    report->kernel = tier == GK_TIER_JIT ? plan->jit->name : plan->kernel;
    report->isa = gk_isa_name(plan->context->limits.level);
    report->threads = plan->split == GK_SPLIT_NOTHING ? 1 : plan->context->parallel.threads;
    report->output_bytes = (gk_tensor_elements(out) * gk_dtype(out->dtype)->bits + 7) / 8;
    if (!plan->jit) return;
    struct gk_kernel_description kernel;
    gk_jit_describe(plan->context->jit, plan->jit, &kernel);
    report->jit_milliseconds = kernel.milliseconds;
    report->jit_was_cached = kernel.source == GK_FROM_DISK;
    report->jit_code_bytes = kernel.code_bytes;
    memcpy(report->jit_key, kernel.key, sizeof report->jit_key);
}

enum gasket_status gasket_plan_explain(const gasket_plan *plan, char *text, size_t capacity, size_t *length) {
    if (!plan || (!text && capacity > 0)) return GASKET_INVALID_ARGUMENT;
    size_t needed = gk_plan_text(plan, text, capacity);
    if (length) *length = needed;
    return GASKET_OK;
}
