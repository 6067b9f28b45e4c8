/* case: see case.h. */
#include "case.h"

#include <string.h>

#include "formula/formula.h"

size_t fuzz_element_bytes(enum gasket_dtype dtype) {
    int64_t bytes = gk_dtype_bytes(dtype);
    return bytes > 0 ? (size_t)bytes : 1;
}

int64_t fuzz_elements(const struct fuzz_tensor *tensor) {
    return fuzz_product(tensor->shape, tensor->ndim);
}

int64_t fuzz_sum_reach(const struct fuzz_case *c, const struct gasket_subscript *subscript) {
    int64_t reach = 0;
    for (int i = 0; i < subscript->n_terms; i++) {
        const struct gasket_term *term = &c->operation->formula.terms[subscript->first_term + i];
        if (term->kind == GASKET_TERM_GROUP) reach += c->group_extent[term->id][0] - 1;
    }
    return reach;
}

static uint8_t first_access(const struct gasket_formula *formula, uint8_t tensor) {
    for (uint8_t a = 0; a < formula->n_accesses; a++)
        if (formula->accesses[a].tensor == tensor) return a;
    return formula->left;
}

/* How many dimensions a subscript stands for, and what they belong to. */
static int subscript_rank(const struct fuzz_case *c, uint8_t subscript, struct fuzz_dimension *dimension) {
    const struct gasket_formula *formula = &c->operation->formula;
    const struct gasket_subscript *s = &formula->subscripts[subscript];
    const struct gasket_term *term = &formula->terms[s->first_term];
    *dimension = (struct fuzz_dimension){FUZZ_OWNED_BY_SUBSCRIPT, subscript, 0};
    if (s->n_terms > 1) return 1;
    if (term->kind == GASKET_TERM_LOOKUP) return (int)c->depth[term->id];
    *dimension = (struct fuzz_dimension){FUZZ_OWNED_BY_GROUP, term->id, 0};
    return c->group_rank[term->id];
}

int fuzz_dimensions(const struct fuzz_case *c, uint8_t tensor, struct fuzz_dimension dimensions[GASKET_MAX_RANK]) {
    const struct gasket_formula *formula = &c->operation->formula;
    uint8_t a = first_access(formula, tensor);
    const struct gasket_access *access = &formula->accesses[a];
    int n = 0;
    for (int i = 0; i < access->n_subscripts; i++) {
        struct fuzz_dimension dimension;
        int rank = subscript_rank(c, (uint8_t)(access->first_subscript + i), &dimension);
        if (n + rank > GASKET_MAX_RANK) return -1;
        for (; dimension.part < rank; dimension.part++)
            dimensions[n++] = dimension;
    }
    if (!access->is_tuple) return n;
    if (n == GASKET_MAX_RANK) return -1;
    dimensions[n++] = (struct fuzz_dimension){FUZZ_OWNED_BY_TUPLE, a, 0};
    return n;
}

int64_t *fuzz_extent(struct fuzz_case *c, struct fuzz_dimension dimension) {
    if (dimension.owner == FUZZ_OWNED_BY_GROUP) return &c->group_extent[dimension.id][dimension.part];
    if (dimension.owner == FUZZ_OWNED_BY_TUPLE) return &c->depth[dimension.id];
    return &c->addressed[dimension.id][dimension.part];
}

int fuzz_set_shapes(struct fuzz_case *c) {
    const struct gasket_formula *formula = &c->operation->formula;
    for (uint8_t t = 0; t < formula->n_tensors; t++) {
        struct fuzz_tensor *tensor = &c->tensors[t];
        struct fuzz_dimension dimensions[GASKET_MAX_RANK];
        tensor->is_given = 1;
        tensor->dtype = gk_formula_is_index(formula, t) ? c->index : c->value;
        tensor->ndim = fuzz_dimensions(c, t, dimensions);
        if (tensor->ndim < 0) return -1;
        for (int d = 0; d < tensor->ndim; d++)
            tensor->shape[d] = *fuzz_extent(c, dimensions[d]);
    }
    return 0;
}

void fuzz_set_in_place(struct fuzz_case *c) {
    const struct gasket_formula *formula = &c->operation->formula;
    if (!c->in_place) return;
    struct fuzz_layout *layout = &c->tensors[formula->origin_tensor].layout;
    uint8_t wild = layout->wild;
    *layout = c->tensors[gk_formula_output(formula)].layout;
    layout->wild = wild;
}
