/* cuda: see cuda.h. */
#include "cuda.h"

#include <string.h>

#include "cuda/grid.h"
#include "emulated/emulated.h"
#include "execute.h"
#include "interpreter.h"
#include "ptx.h"

/* What the interpreter makes of a call whose bad indices are not reported. */
static enum gasket_status go_on(struct fuzz_session *s) {
    struct gk_problem problem = s->runner->oracle_plan->problem;
    struct gk_string_memory strings;
    if (problem.bounds == GASKET_BOUNDS_ERROR) problem.bounds = GASKET_BOUNDS_FILL;
    problem.has_fill = 1;
    memset(problem.fill, 0, sizeof problem.fill);
    gk_string_memory_init(&strings, NULL, NULL);
    fuzz_restore_output(s);
    s->status = gk_interpret(&problem, &strings, &s->error);
    fuzz_keep_expected(s);
    return s->status;
}

/* Whether updates may come in any order and the result is the same. */
static int commutes(const struct gk_problem *problem) {
    const enum gasket_class class = gk_dtype(problem->value_dtype)->class;
    return problem->combine != GASKET_STORE && (class == GASKET_INTEGER || class == GASKET_LOGICAL);
}

static enum fuzz_result run(struct fuzz_session *s, struct gk_nest *nest, struct fuzz_random *random) {
    const struct gk_problem *problem = &s->runner->oracle_plan->problem;
    struct gk_grid_wish wish = {
        .is_deterministic = !commutes(problem) || fuzz_chance(random, 300),
        .batch = EMULATED_BATCH,
    };
    char *data[GASKET_MAX_TENSORS] = {NULL};
    struct gk_grid grid;
    for (int t = 0; t < problem->operation->formula.n_tensors; t++) {
        data[t] = problem->tensors[t].data;
        wish.addresses[t] = (uint8_t)(uintptr_t)data[t];
    }
    const char *refusal = gk_grid_make(&grid, nest, &wish);
    if (refusal) {
        fuzz_count_text(s->runner->coverage, "refused", refusal);
        return FUZZ_EQUAL;
    }
    fuzz_restore_output(s);
    gk_start(s->runner->oracle_plan, data);
    if (emulated_run(nest, &grid, data, s->call->seed, fuzz_chance(random, 500)))
        return fuzz_differs(s, "the kernel", nest->template_name, "none");
    fuzz_count_nest(s->runner->coverage, nest);
    char wrong[FUZZ_PTX_TEXT];
    if (fuzz_chance(random, s->runner->nvrtc_share) && fuzz_ptx_check(nest, &grid, wrong))
        return fuzz_differs(s, "compiled by NVRTC", "nothing to remark", wrong);
    return fuzz_end_check(s, GASKET_OK, "");
}

enum fuzz_result fuzz_cuda_run(struct fuzz_session *s) {
    const struct fuzz_variant any = {.tier = GK_TIER_ANY};
    const struct gk_problem *problem = &s->runner->oracle_plan->problem;
    struct fuzz_random random = fuzz_random_make(s->call->seed, 23);
    struct gk_nest nest;
    fuzz_begin_check(s, &any);
    if (!s->is_bound || problem->value_dtype == GASKET_STRING) return FUZZ_EQUAL;
    const char *refusal = gk_nest_make(&nest, problem);
    if (refusal) {
        fuzz_count_text(s->runner->coverage, "refused", refusal);
        return FUZZ_EQUAL;
    }
    if (s->status == GASKET_OUT_OF_BOUNDS && go_on(s)) return fuzz_differs(s, "the interpreter", "OK", s->error.text);
    return s->status ? FUZZ_EQUAL : run(s, &nest, &random);
}
