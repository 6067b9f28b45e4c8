/* plan: see plan.h. */
#include "plan.h"

#include <stdio.h>

#include "bounds.h"
#include "execute.h"
#include "execute_nest.h"
#include "formula/writer.h"
#include "interpreter.h"
#include "schedule.h"

enum { INTERPRETED = 64 }; /* times as long as a kernel the interpreter takes, at least */

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
    if (!gk_threads_pay(parallel, gk_form_bytes(form)) || gk_adds_strings(&plan->problem)) return GK_SPLIT_NOTHING;
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
    const int64_t unit_bytes = gk_form_bytes(form) / (plan->parts > 1 ? plan->parts : 1);
    plan->grain = split == GK_SPLIT_OWNERS ? 1 : gk_grain(parallel, unit_bytes);
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
    plan->prefetch = gk_prefetch_distance(&plan->problem.tensors[plan->form.indexed], plan->form.row);
    gk_plan_split(plan, pick_split(plan));
    return GASKET_OK;
}

/* The interpreter serves what has no ahead-of-time kernels, and whatever is asked of it. */
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
    if (asked != GK_TIER_ANY && asked != GK_TIER_JIT)
        return gk_fail(error, GASKET_UNAVAILABLE, "%s: tier '%s' does not serve this call: %s",
                       plan->problem.operation->name, gk_tier_names[asked], plan->interpreted_because);
    return GASKET_OK;
}

/* ---- Call-time kernels ---- */

/* Those who ask for the tier get it whatever the policy says. */
static int wants_kernel(const struct gasket_plan *plan) {
    const enum gk_tier asked = plan->context->limits.tier;
    if (asked == GK_TIER_JIT) return 1;
    return asked == GK_TIER_ANY && plan->policy != GK_POLICY_OFF && plan->tier != GK_TIER_EXACT;
}

/* Where threads share a scatter, ahead-of-time kernels do better than one that is not shared. */
static const char *why_not_nest(struct gasket_plan *plan) {
    const char *refusal = gk_nest_make(&plan->nest, &plan->problem);
    if (!refusal && plan->split != GK_SPLIT_NOTHING && !plan->nest.is_shared)
        refusal = "threads would not share its loops";
    return refusal;
}

static const char no_memory[] = "no memory for a kernel's description";

static enum gasket_status fail_without(const struct gasket_plan *plan, enum gasket_status status, const char *why,
                                       struct gk_error *error) {
    const char *asked = plan->context->limits.tier == GK_TIER_JIT ? "tier 'jit' does not serve this call"
                                                                  : "jit = \"require\", and no kernel is ready";
    char reason[GK_ERROR_TEXT];
    snprintf(reason, sizeof reason, "%s", why);
    return gk_fail(error, status == GASKET_OUT_OF_MEMORY ? status : GASKET_UNAVAILABLE, "%s: %s: %.900s",
                   plan->problem.operation->name, asked, reason);
}

/* A call that moves nothing needs no kernel. */
static enum gasket_status make_ready(struct gasket_plan *plan, struct gk_error *error) {
    struct gk_jit *jit = plan->context->jit;
    const int is_tier = plan->context->limits.tier == GK_TIER_JIT;
    enum gasket_status status = plan->no_kernel == no_memory ? GASKET_OUT_OF_MEMORY : GASKET_UNAVAILABLE;
    if (!plan->jit) return plan->nest.is_empty ? GASKET_OK : fail_without(plan, status, plan->no_kernel, error);
    status = gk_jit_prepare(jit, plan->jit, is_tier && plan->policy != GK_POLICY_REQUIRE, error);
    return status ? fail_without(plan, status, error->text, error) : GASKET_OK;
}

static enum gasket_status take_kernel(struct gasket_plan *plan, struct gk_error *error) {
    struct gasket_context *context = plan->context;
    const int policy = plan->problem.policy;
    plan->jit = NULL;
    plan->no_kernel = NULL;
    plan->nest.is_empty = 0;
    plan->policy = policy < 0 ? context->policy : (enum gk_policy)policy;
    if (!wants_kernel(plan)) return GASKET_OK;
    plan->no_kernel = why_not_nest(plan);
    if (!plan->no_kernel) {
        pthread_rwlock_rdlock(&context->catalog_lock);
        gk_nest_check_make(&plan->check, &plan->nest, &context->catalog, context->limits.level);
        pthread_rwlock_unlock(&context->catalog_lock);
        plan->jit = gk_jit_take(context->jit, plan->nest.template_name, &plan->nest.knobs);
        plan->no_kernel = plan->jit ? NULL : no_memory;
    }
    if (context->limits.tier == GK_TIER_JIT || plan->policy == GK_POLICY_REQUIRE) return make_ready(plan, error);
    if (plan->jit && plan->policy == GK_POLICY_SYNC) gk_jit_use(context->jit, plan->jit, GK_POLICY_SYNC, 0);
    return GASKET_OK;
}

void gk_plan_drop(struct gasket_plan *plan) {
    gk_jit_release(plan->context->jit, plan->jit);
}

enum gk_tier gk_plan_tier(const struct gasket_plan *plan) {
    return plan->jit && gk_kernel_is_ready(plan->jit) ? GK_TIER_JIT : plan->tier;
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
    status = take_kernel(plan, error);
    if (status) gk_plan_drop(plan);
    return status;
}

/* Whether the call-time kernel is ready; a use of one that is not may lead to its being compiled. */
static int has_kernel(const struct gasket_plan *plan) {
    const int64_t weight = plan->tier == GK_TIER_INTERPRETER ? INTERPRETED : 1;
    return plan->jit && (gk_kernel_is_ready(plan->jit) ||
                         (plan->policy == GK_POLICY_ASYNC &&
                          gk_jit_use(plan->context->jit, plan->jit, plan->policy, plan->nest.bytes * weight)));
}

static enum gasket_status execute_below(const struct gasket_plan *plan, char *const data[GASKET_MAX_TENSORS],
                                        struct gk_error *error) {
    const struct gasket_context *context = plan->context;
    struct gk_string_memory strings;
    if (gk_adds_strings(&plan->problem)) {
        gk_string_memory_init(&strings, context->allocate, context->allocate_user);
        enum gasket_status status = gk_string_memory_check(&strings, plan->problem.operation->name, error);
        if (status) return status;
    }
    if (plan->tier != GK_TIER_INTERPRETER) return gk_execute(plan, data, &strings, error);
    struct gk_problem problem;
    gk_problem_move(&problem, &plan->problem, data);
    return gk_interpret(&problem, &strings, error);
}

enum gasket_status gk_plan_execute(const struct gasket_plan *plan, char *const data[GASKET_MAX_TENSORS],
                                   struct gk_error *error) {
    enum gk_tier tier = plan->tier;
    enum gk_nest_end end = GK_NEST_BAD;
    if (has_kernel(plan)) {
        tier = GK_TIER_JIT;
        end = gk_execute_nest(plan, data, error);
    }
    enum gasket_status status = end == GK_NEST_DONE     ? GASKET_OK
                                : end == GK_NEST_FAILED ? error->status
                                                        : execute_below(plan, data, error);
    if (!status) atomic_fetch_add_explicit(&plan->context->served[tier], 1, memory_order_relaxed);
    return status;
}
