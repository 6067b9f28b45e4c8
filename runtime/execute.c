/* execute: see execute.h.
 *
 * In the modes that fail on a bad index, a pass that only resolves comes first, so that nothing is stored on an error;
 * a call of one block resolves once for both. Every pass checks what it uses: an index that another thread changes
 * meanwhile is found by the second check and never used. */
#include "execute.h"

#include <stdatomic.h>

#include "blocks.h"
#include "bounds.h"
#include "formula/formula.h"
#include "schedule.h"
#include "start.h"

static enum gasket_status fail_at(const struct gk_job *job, char *const *data, int64_t position,
                                  struct gk_error *error) {
    struct gk_problem problem;
    gk_problem_move(&problem, &job->plan->problem, data);
    return gk_bounds_fail(&problem, job->plan->form.lookup, position, error);
}

static void run_ranges(const struct gasket_plan *plan, int64_t total, int64_t grain,
                       void (*body)(void *, int64_t, int64_t), struct gk_job *job) {
    if (plan->split != GK_SPLIT_NOTHING)
        gk_parallel_run(&plan->context->parallel, total, grain, body, job);
    else
        body(job, 0, total);
}

void gk_start(const struct gasket_plan *plan, char *const data[GASKET_MAX_TENSORS]) {
    const struct gasket_formula *formula = &plan->problem.operation->formula;
    uint8_t out = gk_formula_output(formula), from = formula->origin_tensor;
    if (formula->origin == GASKET_FROM_NOTHING || (from != GASKET_NONE && data[from] == data[out])) return;
    gk_start_output(&plan->problem.tensors[out], data[out], from != GASKET_NONE ? &plan->problem.tensors[from] : NULL,
                    from != GASKET_NONE ? data[from] : NULL, &plan->context->parallel);
}

/* One block: the offsets that were checked are the ones that are used. */
static enum gasket_status run_block(struct gk_job *job, char *const *data, struct gk_error *error) {
    const struct gasket_plan *plan = job->plan;
    int64_t offsets[GASKET_BLOCK], count = plan->form.count;
    int32_t picked[GASKET_BLOCK];
    struct gk_place run;
    gk_place_set(&run, plan->form.runs, plan->form.n_runs, 0);
    int64_t bad = plan->choice.resolve->run.resolve(&job->lookup, job->index, count, offsets);
    if (bad < count && plan->checks_first) return fail_at(job, data, bad, error);
    gk_start(plan, data);
    struct gk_block block = {0, count, offsets, picked, bad < count};
    if (gk_form_bytes(&plan->form) > 0) gk_move_block(job, &run, &block);
    return GASKET_OK;
}

static enum gasket_status run_blocks(struct gk_job *job, char *const *data, struct gk_error *error) {
    const struct gasket_plan *plan = job->plan;
    if (plan->checks_first) run_ranges(plan, gk_form_tuples(&plan->form), GK_CHECK_GRAIN, gk_check_tuples, job);
    int64_t bad = atomic_load_explicit(&job->first_bad, memory_order_relaxed);
    if (bad != INT64_MAX) return fail_at(job, data, bad, error);
    gk_start(plan, data);
    if (gk_form_bytes(&plan->form) > 0) run_ranges(plan, plan->parts, plan->grain, gk_move_parts, job);
    bad = atomic_load_explicit(&job->first_bad, memory_order_relaxed);
    return bad != INT64_MAX && plan->checks_first ? fail_at(job, data, bad, error) : GASKET_OK;
}

enum gasket_status gk_execute(const struct gasket_plan *plan, char *const data[GASKET_MAX_TENSORS],
                              struct gk_string_memory *strings, struct gk_error *error) {
    struct gk_job job;
    gk_job_prepare(&job, plan, data, strings);
    enum gasket_status status;
    if (plan->form.run_count == 1 && plan->form.count <= GASKET_BLOCK && plan->split == GK_SPLIT_NOTHING)
        status = run_block(&job, data, error);
    else
        status = run_blocks(&job, data, error);
    if (!status && atomic_load_explicit(&job.append_failed, memory_order_relaxed))
        return gk_string_memory_fail(plan->problem.operation->name, error);
    return status;
}
