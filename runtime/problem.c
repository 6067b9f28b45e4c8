/* problem: the steps of binding in their order, and what later steps ask of a problem. */
#include "problem.h"

#include <string.h>

#include "bind.h"
#include "formula/formula.h"

static int64_t subscript_rank(const struct gk_problem *problem, const struct gasket_subscript *subscript) {
    const struct gasket_term *term = &problem->operation->formula.terms[subscript->first_term];
    if (subscript->n_terms > 1) return 1;
    return term->kind == GASKET_TERM_GROUP ? problem->group_rank[term->id] : problem->depth[term->id];
}

int gk_access_dimensions(const struct gk_problem *problem, uint8_t access,
                         struct gk_dimension dimensions[GASKET_MAX_RANK]) {
    const struct gasket_formula *formula = &problem->operation->formula;
    const struct gasket_access *a = &formula->accesses[access];
    int n = 0;
    for (int i = 0; i < a->n_subscripts; i++) {
        uint8_t subscript = (uint8_t)(a->first_subscript + i);
        int64_t rank = subscript_rank(problem, &formula->subscripts[subscript]);
        for (uint8_t part = 0; part < rank && n < GASKET_MAX_RANK; part++) {
            dimensions[n].subscript = subscript;
            dimensions[n++].part = part;
        }
    }
    if (a->is_tuple && n < GASKET_MAX_RANK) {
        dimensions[n].subscript = GASKET_NONE;
        dimensions[n++].part = 0;
    }
    return n;
}

int gk_adds_strings(const struct gk_problem *problem) {
    return problem->value_dtype == GASKET_STRING && problem->combine != GASKET_STORE;
}

void gk_problem_move(struct gk_problem *moved, const struct gk_problem *problem, char *const *data) {
    *moved = *problem;
    for (int t = 0; t < problem->operation->formula.n_tensors; t++)
        moved->tensors[t].data = data[t];
}

enum gasket_status gk_problem_bind(struct gk_problem *problem, const struct gasket_operation *operation,
                                   const struct gasket_argument *arguments, size_t n_arguments,
                                   struct gasket_shape *shape, struct gk_error *error) {
    static enum gasket_status (*const steps[])(struct gk_binding *) = {
        gk_bind_tensors, gk_bind_attributes, gk_bind_modes,  gk_bind_fill,
        gk_bind_ranks,   gk_bind_extents,    gk_bind_output,
    };
    struct gk_binding binding = {.problem = problem, .operation = operation, .infers = shape != NULL};
    binding.output_rank = -1;
    binding.error = error;
    memset(problem, 0, sizeof *problem);
    problem->operation = operation;
    enum gasket_status status = gk_bind_names(&binding, arguments, n_arguments);
    for (size_t i = 0; status == GASKET_OK && i < sizeof steps / sizeof *steps; i++)
        status = steps[i](&binding);
    if (status != GASKET_OK || shape == NULL) return status;
    shape->ndim = binding.output_rank;
    memcpy(shape->shape, binding.output_shape, sizeof shape->shape);
    shape->dtype = gk_dtype_type(problem->value_dtype);
    return GASKET_OK;
}

/* ---- Data ---- */

/* Whether the output may be the very memory of an input: only what it starts from, when nothing else reads that. */
static int may_be_output(const struct gasket_formula *formula, uint8_t tensor) {
    if (formula->origin != GASKET_FROM_TENSOR || formula->origin_tensor != tensor) return 0;
    for (int a = 0; a < formula->n_accesses; a++) {
        if (formula->accesses[a].tensor == tensor) return 0;
    }
    return 1;
}

static enum gasket_status check_apart(const struct gk_problem *problem, uint8_t tensor, struct gk_error *error) {
    const struct gasket_formula *formula = &problem->operation->formula;
    uint8_t output = gk_formula_output(formula);
    const struct gk_tensor *out = &problem->tensors[output], *in = &problem->tensors[tensor];
    if (tensor == output || !gk_tensors_overlap(out, in)) return GASKET_OK;
    if (!may_be_output(formula, tensor)) {
        return gk_fail(error, GASKET_INVALID_ARGUMENT, "%s overlaps %s in memory", formula->tensors[output],
                       formula->tensors[tensor]);
    }
    if (gk_tensors_same(out, in)) return GASKET_OK;
    return gk_fail(error, GASKET_INVALID_ARGUMENT,
                   "%s overlaps %s in memory; it must lie apart from it or be the same, with the same strides",
                   formula->tensors[output], formula->tensors[tensor]);
}

enum gasket_status gk_problem_check_data(const struct gk_problem *problem, struct gk_error *error) {
    const struct gasket_formula *formula = &problem->operation->formula;
    enum gasket_status status = GASKET_OK;
    for (uint8_t i = 0; status == GASKET_OK && i < formula->n_tensors; i++)
        status = gk_tensor_check_data(&problem->tensors[i], formula->tensors[i], error);
    for (uint8_t i = 0; status == GASKET_OK && i < formula->n_tensors; i++)
        status = check_apart(problem, i, error);
    return status;
}
