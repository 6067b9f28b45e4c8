/* plan: see plan.h. */
#include "plan.h"

#include "bounds.h"
#include "execute.h"
#include "formula/writer.h"
#include "interpreter.h"

enum {
    WORTH_THREADS = 256 << 10, /* bytes that a call moves before threads pay */
    GRAIN_BYTES = 16 << 10,    /* bytes of output that are best written by one thread */
    CACHED = 1 << 20           /* bytes of an indexed tensor that need no prefetch */
};

static int64_t at_least_one(int64_t value) {
    return value > 1 ? value : 1;
}

static int adds_strings(const struct gk_problem *problem) {
    return problem->value_dtype == GASKET_STRING && problem->combine != GASKET_STORE;
}

static enum gk_split split_scatter(const struct gasket_plan *plan, int threads) {
    const struct gk_form *form = &plan->form;
    if (form->outer_count >= 4 * threads) return GK_SPLIT_OUTER;
    return plan->choice.piece && form->row >= 2 * GK_COLUMN * threads ? GK_SPLIT_COLUMNS : GK_SPLIT_OWNERS;
}

/* Any split gives the result of one thread: gathers write each row once; scatters keep the order of updates for each
 * destination. */
static enum gk_split pick_split(const struct gasket_plan *plan) {
    const struct gk_form *form = &plan->form;
    const struct gk_parallel *parallel = &plan->context->parallel;
    int pays = parallel->threads > 1 && (gk_form_bytes(form) >= WORTH_THREADS || parallel->is_eager);
    if (!pays || adds_strings(&plan->problem)) return GK_SPLIT_NOTHING;
    if (form->scatters) return split_scatter(plan, parallel->threads);
    return form->outer_count >= 8 * parallel->threads ? GK_SPLIT_OUTER : GK_SPLIT_TUPLES;
}

void gk_plan_split(struct gasket_plan *plan, enum gk_split split) {
    const struct gk_form *form = &plan->form;
    const struct gk_parallel *parallel = &plan->context->parallel;
    plan->split = split;
    if (split == GK_SPLIT_COLUMNS) { /* the length of a piece is not known when kernels are chosen */
        plan->choice.rows = plan->choice.unaligned = plan->choice.piece;
        plan->tier = GK_TIER_GENERAL;
    }
    const int64_t columns = (form->row + GK_COLUMN - 1) / GK_COLUMN;
    const int64_t parts[] = {1, gk_form_tuples(form), form->outer_count, columns, parallel->threads};
    plan->parts = parts[split];
    const int64_t unit_bytes = gk_form_bytes(form) / at_least_one(plan->parts);
    int is_single = split == GK_SPLIT_OWNERS || parallel->is_eager;
    plan->grain = is_single ? 1 : at_least_one(GRAIN_BYTES / at_least_one(unit_bytes));
}

/* About 32 cache lines on their way, when the rows do not come from a cache near by. */
static int64_t prefetch_distance(const struct gasket_plan *plan) {
    const struct gk_span span = gk_tensor_span(&plan->problem.tensors[plan->form.indexed]);
    int64_t lines = (plan->form.row + 63) / 64, rows = 32 / at_least_one(lines);
    return span.end - span.begin <= CACHED ? 0 : rows < 2 ? 2 : rows;
}

void gk_plan_name(struct gasket_plan *plan) {
    const struct gk_choice *choice = &plan->choice;
    struct gk_writer writer = gk_writer_start(plan->kernel, sizeof plan->kernel);
    if (plan->tier == GK_TIER_INTERPRETER)
        gk_write(&writer, "interpreter");
    else if (choice->fused)
        gk_write(&writer, "%s", choice->fused->name);
    else
        gk_write(&writer, "%s + %s", choice->resolve->name, choice->rows->name);
}

static enum gasket_status choose_kernels(struct gasket_plan *plan, struct gk_error *error) {
    const struct gasket_context *context = plan->context;
    enum gasket_status status =
        gk_choose(&plan->choice, &context->catalog, &plan->form, &plan->problem, &context->limits, error);
    if (status) return status;
    plan->tier = plan->choice.tier;
    plan->prefetch = prefetch_distance(plan);
    gk_plan_split(plan, pick_split(plan));
    return GASKET_OK;
}

/* The interpreter serves what has no kernels, and whatever is asked of it. */
static enum gasket_status pick_tier(struct gasket_plan *plan, const struct gk_entry *entry, struct gk_error *error) {
    enum gk_tier asked = plan->context->limits.tier;
    plan->tier = GK_TIER_INTERPRETER;
    plan->split = GK_SPLIT_NOTHING;
    plan->folds = entry->has_kernels;
    plan->interpreted_because = !entry->has_kernels              ? "the operation has no ahead-of-time kernels"
                                : plan->problem.accumulates_wide ? "no kernel has accumulate = f32"
                                                                 : NULL;
    enum gasket_status status = GASKET_OK;
    if (entry->has_kernels) status = gk_fold(&plan->form, &plan->problem, &entry->structure, error);
    if (status || asked == GK_TIER_INTERPRETER) return status;
    if (!plan->interpreted_because) return choose_kernels(plan, error);
    if (asked != GK_TIER_ANY)
        return gk_fail(error, GASKET_UNAVAILABLE, "%s: tier '%s' does not serve this call: %s",
                       plan->problem.operation->name, gk_tier_names[asked], plan->interpreted_because);
    return GASKET_OK;
}

enum gasket_status gk_plan_make(struct gasket_plan *plan, struct gasket_context *context, const char *operation,
                                const struct gasket_argument *arguments, size_t n_arguments, struct gk_error *error) {
    plan->context = context;
    pthread_rwlock_rdlock(&context->catalog_lock);
    enum gasket_status status = GASKET_INVALID_ARGUMENT;
    const struct gk_entry *entry = gk_catalog_operation(&context->catalog, operation, error);
    if (entry) status = gk_problem_bind(&plan->problem, entry->operation, arguments, n_arguments, NULL, error);
    if (!status) status = pick_tier(plan, entry, error);
    pthread_rwlock_unlock(&context->catalog_lock);
    if (status) return status;
    const struct gk_problem *problem = &plan->problem;
    plan->checks_first = gk_bounds_reports(problem);
    for (int t = 0; t < problem->operation->formula.n_tensors; t++)
        plan->spans[t] = gk_tensor_span(&problem->tensors[t]);
    return GASKET_OK;
}

enum gasket_status gk_plan_execute(const struct gasket_plan *plan, char *const data[GASKET_MAX_TENSORS],
                                   struct gk_error *error) {
    const struct gasket_context *context = plan->context;
    struct gk_string_memory strings;
    if (adds_strings(&plan->problem)) {
        gk_string_memory_init(&strings, context->allocate, context->allocate_user);
        enum gasket_status status = gk_string_memory_check(&strings, plan->problem.operation->name, error);
        if (status) return status;
    }
    if (plan->tier != GK_TIER_INTERPRETER) return gk_execute(plan, data, &strings, error);
    struct gk_problem problem;
    gk_problem_move(&problem, &plan->problem, data);
    return gk_interpret(&problem, &strings, error);
}
