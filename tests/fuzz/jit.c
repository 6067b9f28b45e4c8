/* jit: see jit.h. */
#include "jit.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cpu.h"
#include "edge.h"

/* ---- Served, or why not ---- */

static void count_served(struct fuzz_session *s) {
    struct gk_nest nest;
    if (!s->is_bound || !s->runner->coverage) return;
    const char *refusal = gk_nest_make(&nest, &s->runner->oracle_plan->problem);
    if (refusal)
        fuzz_count_text(s->runner->coverage, "refused", refusal);
    else
        fuzz_count_nest(s->runner->coverage, &nest);
}

/* A kernel that can not be compiled is no reason. */
static enum fuzz_result end_unserved(struct fuzz_session *s, const char *message) {
    static const char before[] = "tier 'jit' does not serve this call: ";
    struct gk_nest nest;
    const char *refusal = s->is_bound ? gk_nest_make(&nest, &s->runner->oracle_plan->problem) : NULL;
    const char *reason = strstr(message, before), *expected = refusal ? refusal : "threads would not share its loops";
    if (!s->is_bound) return FUZZ_EQUAL;
    if (!reason || strcmp(reason + strlen(before), expected) != 0)
        return fuzz_differs(s, "why the tier does not serve", expected, message);
    if (s->runner->coverage) fuzz_count_text(s->runner->coverage, "refused", expected);
    return FUZZ_EQUAL;
}

enum fuzz_result fuzz_jit_end(struct fuzz_session *s, enum gasket_status status, const char *message, int is_unserved) {
    if (is_unserved) return end_unserved(s, message);
    count_served(s);
    return fuzz_end_check(s, status, message);
}

/* ---- By force ---- */

/* What big tensors would have, for small ones. */
static void alter(struct gk_nest *nest, const struct fuzz_variant *variant) {
    enum { LINE = 64 };
    struct gasket_nest *knobs = &nest->knobs;
    const int is_moved = nest->template_name[0] == 'e';
    knobs->streams = variant->streams && is_moved && knobs->row * knobs->element % LINE == 0;
    for (int c = 0; c < nest->n_coordinates && variant->prefetch > 0; c++) {
        const struct gasket_nest_coordinate *coordinate = &knobs->coordinates[c];
        const int64_t level = coordinate->level;
        if (coordinate->access > knobs->n_factors || (level > 0 && variant->prefetch >= knobs->extents[level]))
            continue;
        knobs->prefetch = variant->prefetch;
        knobs->prefetch_level = level;
        knobs->prefetch_access = coordinate->access;
        return;
    }
}

/* By resolvers or by the kernel: the seed of the call says which. */
static void take_check(const struct fuzz_session *s, struct gasket_plan *plan) {
    struct fuzz_random random = fuzz_random_make(s->call->seed, 18);
    plan->check.n = 0;
    if (fuzz_chance(&random, 500))
        gk_nest_check_make(&plan->check, &plan->nest, &plan->context->catalog, plan->context->limits.level);
}

/* The index tensor whose first tuple every run looks up and no sum changes, or GASKET_NONE. */
static uint8_t tensor_to_change(const struct fuzz_session *s, const struct gk_nest *nest, struct fuzz_change *change) {
    for (int c = 0; c < nest->n_coordinates; c++) {
        const struct gasket_nest_coordinate *coordinate = &nest->knobs.coordinates[c];
        const int64_t access = coordinate->values[0].access;
        int is_nested = 0;
        for (int i = 0; i < nest->n_coordinates; i++)
            is_nested |= nest->knobs.coordinates[i].access == access;
        if (is_nested || coordinate->is_sum || coordinate->access > nest->knobs.n_factors) continue;
        if (s->call->tensors[nest->tensors[access]].far > 0) continue;
        change->extent = nest->extents[c];
        change->index = s->runner->plan->problem.tensors[nest->tensors[access]].data + coordinate->values[0].offset;
        return nest->tensors[access];
    }
    return GASKET_NONE;
}

/* Whether an index will change; the seed of the call says whether it should. */
static uint8_t await_change(const struct fuzz_session *s, struct gasket_plan *plan, struct gk_kernel *kernel) {
    struct fuzz_random random = fuzz_random_make(s->call->seed, 17);
    const int is_wanted = fuzz_chance(&random, 200) && s->status == GASKET_OK && plan->checks_first;
    struct fuzz_change change = {.just_outside = fuzz_chance(&random, 500)};
    const uint8_t tensor = is_wanted ? tensor_to_change(s, &plan->nest, &change) : GASKET_NONE;
    if (tensor == GASKET_NONE) return GASKET_NONE;
    change.place = &s->runner->places.near[tensor];
    change.type = plan->problem.tensors[tensor].dtype;
    change.wraps = plan->problem.bounds == GASKET_BOUNDS_FROM_END;
    return fuzz_edge_change_nest(kernel, &change) == 0 ? tensor : GASKET_NONE;
}

static enum fuzz_result run_altered(struct fuzz_session *s, const struct fuzz_variant *variant,
                                    struct gasket_plan *plan) {
    struct gk_kernel *taken = plan->jit, kernel = {.run = taken->run, .check = taken->check};
    struct gk_error error;
    const int is_serial = variant->threads != FUZZ_OPENMP && !s->runner->parts.cutters[variant->threads].is_real;
    uint8_t changing = is_serial ? await_change(s, plan, &kernel) : GASKET_NONE;
    atomic_store(&kernel.state, GK_READY);
    plan->jit = &kernel;
    enum gasket_status status = fuzz_execute(plan, &error);
    plan->jit = taken;
    if (s->runner->coverage && !s->status) fuzz_count_nest(s->runner->coverage, &plan->nest);
    const int has_changed = changing != GASKET_NONE && fuzz_edge_changed();
    return has_changed ? fuzz_end_changed(s, status, changing) : fuzz_end_check(s, status, error.text);
}

enum fuzz_result fuzz_jit_forced(struct fuzz_session *s, const struct fuzz_variant *variant) {
    const struct fuzz_variant aside = {.level = variant->level, .threads = variant->threads};
    struct gasket_plan *plan = s->runner->plan;
    struct gk_error error;
    const char *name = s->call->operation->name;
    if (gk_plan_make(plan, fuzz_session_context(s, &aside), name, s->arguments, s->n_arguments, &error))
        return FUZZ_EQUAL;
    if (gk_nest_make(&plan->nest, &plan->problem)) return FUZZ_EQUAL;
    alter(&plan->nest, variant);
    plan->context = fuzz_session_context(s, variant);
    take_check(s, plan);
    plan->jit = gk_jit_take(plan->context->jit, plan->nest.template_name, &plan->nest.knobs);
    if (!plan->jit) return FUZZ_EQUAL;
    enum gasket_status status = gk_jit_prepare(plan->context->jit, plan->jit, 1, &error);
    enum fuzz_result result =
        status ? fuzz_differs(s, "the kernel", "compiled", error.text) : run_altered(s, variant, plan);
    gk_plan_drop(plan);
    return result;
}

/* ---- Policies ---- */

static int has_failed(const struct gasket_plan *plan) {
    return plan->jit && atomic_load(&plan->jit->state) == GK_FAILED;
}

static enum fuzz_result tell_failed(struct fuzz_session *s, struct gasket_plan *plan) {
    struct gk_kernel_description description;
    gk_jit_describe(plan->context->jit, plan->jit, &description);
    return fuzz_differs(s, "the kernel", "compiled", description.trouble);
}

/* Runs the plan until its kernel has served, which comes while it runs; or until that has taken too long. */
static enum fuzz_result run_while_compiled(struct fuzz_session *s, const struct fuzz_variant *variant,
                                           struct gasket_plan *plan) {
    enum { ROUNDS = 300, AFTER = 2, PAUSE = 1000 * 1000 };
    enum fuzz_result result = FUZZ_EQUAL;
    for (int i = 0, served = 0; i < ROUNDS && served < AFTER && result == FUZZ_EQUAL; i++) {
        struct gk_error error;
        const int is_ready = !plan->jit || gk_kernel_is_ready(plan->jit);
        fuzz_begin_check(s, variant);
        enum gasket_status status = fuzz_execute(plan, &error);
        result = fuzz_end_check(s, status, error.text);
        served += is_ready;
        if (result == FUZZ_EQUAL && has_failed(plan)) result = tell_failed(s, plan);
        if (!is_ready && i > AFTER) nanosleep(&(struct timespec){0, PAUSE}, NULL);
    }
    return result;
}

/* With the policy of the context, or with another one. */
static enum gasket_status make_plan(struct fuzz_session *s, gasket_context *context, const char *policy,
                                    struct gk_error *error) {
    struct gasket_argument arguments[FUZZ_ARGUMENTS + 1];
    memcpy(arguments, s->arguments, s->n_arguments * sizeof *arguments);
    arguments[s->n_arguments] = gasket_text("jit", policy);
    return gk_plan_make(s->runner->plan, context, s->call->operation->name, arguments,
                        s->n_arguments + (policy != NULL), error);
}

/* What was not prepared may be missed, and nothing else. */
static enum fuzz_result run_required(struct fuzz_session *s, gasket_context *context) {
    struct gasket_plan *plan = s->runner->plan;
    struct gk_error error;
    int is_missed = 0;
    if (make_plan(s, context, "async", &error) == GASKET_OK) {
        is_missed = !plan->jit && plan->tier != GK_TIER_EXACT;
        enum gasket_status status = plan->jit ? gk_jit_prepare(context->jit, plan->jit, 1, &error) : GASKET_OK;
        gk_plan_drop(plan);
        if (status) return fuzz_differs(s, "the kernel", "compiled", error.text);
    }
    enum gasket_status status = gasket_call(context, s->call->operation->name, s->arguments, s->n_arguments);
    if (is_missed && status == GASKET_UNAVAILABLE && fuzz_is_untouched(s, status)) return FUZZ_EQUAL;
    return fuzz_end_check(s, status, gasket_message(context));
}

enum fuzz_result fuzz_jit_policy(struct fuzz_session *s, const struct fuzz_variant *variant) {
    gasket_context *context = fuzz_session_context(s, variant);
    struct gasket_plan *plan = s->runner->plan;
    struct gk_error error;
    if (variant->policy == GK_POLICY_REQUIRE) return run_required(s, context);
    enum gasket_status status = make_plan(s, context, NULL, &error);
    if (status) return fuzz_end_check(s, status, error.text);
    enum fuzz_result result = run_while_compiled(s, variant, plan);
    gk_plan_drop(plan);
    return result;
}

/* ---- All of it ---- */

static struct fuzz_variant drawn(struct fuzz_random *random, enum gasket_isa level, enum fuzz_via via) {
    struct fuzz_variant v = {.via = via, .tier = GK_TIER_JIT, .level = level};
    v.threads = fuzz_chance(random, 20) ? FUZZ_OPENMP : (int)fuzz_below(random, FUZZ_OPENMP);
    return v;
}

static enum fuzz_result run_altered_one(struct fuzz_session *s, enum gasket_isa level, struct fuzz_random *random) {
    struct fuzz_variant v = drawn(random, level, FUZZ_BY_FORCE);
    v.prefetch = fuzz_chance(random, 600) ? (int)fuzz_between(random, 1, 7) : 0;
    v.streams = fuzz_chance(random, 600);
    return fuzz_run_variant(s, &v);
}

static enum fuzz_result run_policy(struct fuzz_session *s, struct fuzz_random *random) {
    struct fuzz_variant v = drawn(random, gk_isa_best(), FUZZ_BY_CALL);
    v.tier = GK_TIER_ANY;
    v.policy = (enum gk_policy)fuzz_between(random, GK_POLICY_SYNC, GK_POLICY_REQUIRE);
    return fuzz_run_variant(s, &v);
}

enum fuzz_result fuzz_jit_run(struct fuzz_session *s, int is_refused) {
    struct fuzz_random random = fuzz_random_make(s->call->seed, 19);
    enum gasket_isa level;
    do
        level = (enum gasket_isa)fuzz_below(&random, FUZZ_LEVELS);
    while (gk_isa_missing(level));
    if (!is_refused && fuzz_chance(&random, 80)) return run_policy(s, &random);
    if (!is_refused && fuzz_chance(&random, 250)) return run_altered_one(s, level, &random);
    enum fuzz_result result = FUZZ_EQUAL;
    for (int via = FUZZ_BY_CALL; via <= FUZZ_BY_FORCE && result == FUZZ_EQUAL; via++) {
        struct fuzz_variant v = drawn(&random, level, (enum fuzz_via)via);
        result = fuzz_run_variant(s, &v);
    }
    return result;
}
