/* execute_nest: see execute_nest.h. In the modes that fail on a bad index, a check of all indices comes before the
 * first store. The loops check what they use as well: an index that another thread changes meanwhile is never used. */
#include "execute_nest.h"

#include <stdatomic.h>

#include "execute.h"
#include "schedule.h"

struct part {
    gasket_nest_fn *run;
    const struct gasket_nest_call *call;
    _Atomic int bad;
};

static void run_part(void *state, int64_t begin, int64_t end) {
    struct part *part = state;
    if (part->run(part->call, begin, end)) atomic_store_explicit(&part->bad, 1, memory_order_relaxed);
}

/* Iterations of loop 0 on several threads where that pays. Whether an index was out of bounds. */
static int run_loops(const struct gasket_plan *plan, struct part *part, int64_t count, int may_share) {
    const struct gk_parallel *parallel = &plan->context->parallel;
    if (may_share && count > 1 && gk_threads_pay(parallel, plan->nest.bytes))
        gk_parallel_run(parallel, count, gk_grain(parallel, plan->nest.bytes / plan->nest.count), run_part, part);
    else
        run_part(part, 0, count);
    return atomic_load_explicit(&part->bad, memory_order_relaxed);
}

static int finds_bad(const struct gasket_plan *plan, const struct gasket_nest_call *call) {
    struct part check = {.run = plan->jit->check, .call = call};
    return plan->check.n ? gk_nest_check_run(&plan->check, &plan->nest, call, &plan->context->parallel)
                         : run_loops(plan, &check, plan->nest.checked, 1);
}

enum gk_nest_end gk_execute_nest(const struct gasket_plan *plan, char *const data[GASKET_MAX_TENSORS],
                                 struct gk_error *error) {
    const struct gk_nest *nest = &plan->nest;
    struct gasket_nest_call call;
    struct part run = {.run = plan->jit->run, .call = &call};
    gk_nest_call(&call, nest, data);
    if (plan->checks_first && finds_bad(plan, &call)) return GK_NEST_BAD;
    gk_start(plan, data);
    if (!run_loops(plan, &run, nest->count, nest->is_shared) || !plan->checks_first) return GK_NEST_DONE;
    gk_fail(error, GASKET_OUT_OF_BOUNDS, "%s: an index was changed while the operation ran and is out of bounds",
            plan->problem.operation->name);
    return GK_NEST_FAILED;
}
