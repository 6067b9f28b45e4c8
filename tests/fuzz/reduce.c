/* reduce: see reduce.h. */
#include "reduce.h"

#include <string.h>

#include "formula/formula.h"

void fuzz_case_copy(struct fuzz_case *to, const struct fuzz_case *from) {
    struct fuzz_pool pool = to->pool;
    *to = *from;
    to->pool = pool;
    to->pool.used = 0;
    for (int t = 0; t < FUZZ_TENSORS; t++) {
        struct fuzz_tensor *tensor = &to->tensors[t];
        if (!tensor->is_given || !tensor->elements) continue;
        size_t bytes = (size_t)fuzz_elements(tensor) * fuzz_element_bytes(tensor->dtype);
        tensor->elements = fuzz_pool_room(&to->pool, bytes + 16);
        memcpy(tensor->elements, from->tensors[t].elements, bytes);
    }
}

/* ---- Positions ---- */

static void keep_in_tensor(struct fuzz_tensor *tensor, int d, int64_t first, int64_t count) {
    int64_t outer = 1, inner = (int64_t)fuzz_element_bytes(tensor->dtype);
    for (int i = 0; i < d; i++)
        outer *= tensor->shape[i];
    for (int i = d + 1; i < tensor->ndim; i++)
        inner *= tensor->shape[i];
    for (int64_t o = 0; tensor->elements && o < outer; o++)
        memmove(tensor->elements + o * count * inner, tensor->elements + (o * tensor->shape[d] + first) * inner,
                (size_t)(count * inner));
    tensor->shape[d] = count;
}

static int is_same(struct fuzz_dimension a, struct fuzz_dimension b) {
    return a.owner == b.owner && a.id == b.id && a.part == b.part;
}

int fuzz_keep(struct fuzz_case *c, struct fuzz_dimension dimension, int64_t first, int64_t count) {
    int64_t *extent = fuzz_extent(c, dimension);
    if (count < 0 || first < 0 || first + count > *extent || count == *extent) return -1;
    for (uint8_t t = 0; t < c->operation->formula.n_tensors; t++) {
        struct fuzz_dimension dimensions[GASKET_MAX_RANK];
        int n = fuzz_dimensions(c, t, dimensions);
        for (int d = 0; d < n; d++)
            if (is_same(dimensions[d], dimension)) keep_in_tensor(&c->tensors[t], d, first, count);
    }
    *extent = count;
    return 0;
}

/* ---- Dimensions ---- */

static void remove_from_layout(struct fuzz_layout *layout, int ndim, int d) {
    int at = 0;
    for (int i = 0; i < ndim; i++)
        if (layout->order[i] != d) {
            layout->order[at] = (uint8_t)(layout->order[i] - (layout->order[i] > d));
            at++;
        }
    memmove(&layout->step[d], &layout->step[d + 1], (size_t)(ndim - d - 1) * sizeof layout->step[0]);
    memmove(&layout->pad[d], &layout->pad[d + 1], (size_t)(ndim - d - 1) * sizeof layout->pad[0]);
    memmove(&layout->slack[d], &layout->slack[d + 1], (size_t)(ndim - d - 1) * sizeof layout->slack[0]);
}

/* Takes a dimension of extent 1 away from the tensors; the case itself is changed by the caller. */
static void remove_from_tensors(struct fuzz_case *c, struct fuzz_dimension dimension) {
    for (uint8_t t = 0; t < c->operation->formula.n_tensors; t++) {
        struct fuzz_dimension dimensions[GASKET_MAX_RANK];
        int n = fuzz_dimensions(c, t, dimensions);
        for (int d = 0; d < n; d++)
            if (is_same(dimensions[d], dimension)) remove_from_layout(&c->tensors[t].layout, n, d);
    }
}

/* A group in a sum keeps its rank. */
static int stands_in_sum(const struct gasket_formula *formula, uint8_t group) {
    for (int s = 0; s < formula->n_subscripts; s++) {
        const struct gasket_subscript *subscript = &formula->subscripts[s];
        for (int t = 0; subscript->n_terms > 1 && t < subscript->n_terms; t++) {
            const struct gasket_term *term = &formula->terms[subscript->first_term + t];
            if (term->kind == GASKET_TERM_GROUP && term->id == group) return 1;
        }
    }
    return 0;
}

int fuzz_flatten(struct fuzz_case *c, uint8_t group, uint8_t part) {
    int64_t *extents = c->group_extent[group];
    if (stands_in_sum(&c->operation->formula, group)) return -1;
    if (part >= c->group_rank[group] || extents[part] != 1) return -1;
    remove_from_tensors(c, (struct fuzz_dimension){FUZZ_OWNED_BY_GROUP, group, part});
    c->group_rank[group]--;
    memmove(&extents[part], &extents[part + 1], (size_t)(c->group_rank[group] - part) * sizeof extents[0]);
    return 0;
}

/* The subscript that is this tuple. */
static uint8_t subscript_of(const struct gasket_formula *formula, uint8_t access) {
    for (uint8_t i = 0; i < formula->n_subscripts; i++) {
        const struct gasket_term *term = &formula->terms[formula->subscripts[i].first_term];
        if (term->kind == GASKET_TERM_LOOKUP && term->id == access) return i;
    }
    return GASKET_NONE;
}

/* Moves one value of each tuple to its end, and cuts it off. */
static void cut_tuples(struct fuzz_tensor *index, int64_t depth, int component) {
    int64_t bytes = (int64_t)fuzz_element_bytes(index->dtype), tuples = fuzz_elements(index) / depth;
    for (int64_t i = 0; i < tuples; i++) {
        char *tuple = index->elements + i * depth * bytes;
        memmove(tuple + component * bytes, tuple + (component + 1) * bytes, (size_t)((depth - component - 1) * bytes));
    }
    keep_in_tensor(index, index->ndim - 1, 0, depth - 1);
}

int fuzz_shorten(struct fuzz_case *c, uint8_t access, uint8_t component) {
    const struct gasket_formula *formula = &c->operation->formula;
    uint8_t subscript = subscript_of(formula, access);
    if (!formula->accesses[access].is_tuple || component >= c->depth[access] || subscript == GASKET_NONE) return -1;
    struct fuzz_dimension addressed = {FUZZ_OWNED_BY_SUBSCRIPT, subscript, component};
    if (c->addressed[subscript][component] == 0) return -1;
    fuzz_keep(c, addressed, 0, 1);
    remove_from_tensors(c, addressed);
    cut_tuples(&c->tensors[formula->accesses[access].tensor], c->depth[access], component);
    c->depth[access]--;
    int64_t *extents = c->addressed[subscript];
    memmove(&extents[component], &extents[component + 1], (size_t)(c->depth[access] - component) * sizeof extents[0]);
    return 0;
}

/* ---- Layouts and values ---- */

/* Sets a part as a plain tensor has it; whether that was a change. */
static int straighten(struct fuzz_layout *layout, int ndim, enum fuzz_layout_part part) {
    struct fuzz_layout before = *layout;
    for (int d = 0; d < ndim; d++) {
        if (part == FUZZ_ORDER) layout->order[d] = (uint8_t)d;
        if (part == FUZZ_STEP) layout->step[d] = 1;
        if (part == FUZZ_PAD) layout->pad[d] = layout->slack[d] = 0;
    }
    if (part == FUZZ_SPREAD) layout->spread = 1;
    if (part == FUZZ_FAR) layout->far = 0;
    if (part == FUZZ_WILD) layout->wild = 0;
    if (part == FUZZ_LEAD) layout->lead = 0;
    if (part == FUZZ_SKEW) layout->skew = 0;
    return memcmp(&before, layout, sizeof before) != 0;
}

int fuzz_straighten(struct fuzz_case *c, int tensor, enum fuzz_layout_part part) {
    struct fuzz_tensor *t = &c->tensors[tensor];
    int is_changed = part == FUZZ_WHOLE_LAYOUT && !t->layout.is_plain;
    if (!t->is_given) return -1;
    if (part == FUZZ_WHOLE_LAYOUT)
        t->layout.is_plain = 1;
    else
        is_changed = straighten(&t->layout, t->ndim, part);
    return is_changed ? 0 : -1;
}

int fuzz_clear(struct fuzz_case *c, int tensor, int64_t first, int64_t count) {
    struct fuzz_tensor *t = &c->tensors[tensor];
    if (!t->is_given || !t->elements || first + count > fuzz_elements(t)) return -1;
    size_t bytes = fuzz_element_bytes(t->dtype), n = (size_t)count * bytes, is_zero = 1;
    char *elements = t->elements + (size_t)first * bytes;
    for (size_t i = 0; i < n; i++)
        is_zero &= elements[i] == 0;
    memset(elements, 0, n);
    return is_zero ? -1 : 0;
}

/* A sum of groups alone has to fit in its dimension. */
static int sums_fit(const struct fuzz_case *c) {
    const struct gasket_formula *formula = &c->operation->formula;
    for (int s = 0; s < formula->n_subscripts; s++) {
        const struct gasket_subscript *subscript = &formula->subscripts[s];
        int groups = 0;
        for (int t = 0; t < subscript->n_terms; t++)
            groups += formula->terms[subscript->first_term + t].kind == GASKET_TERM_GROUP;
        const int is_sum = groups > 1 && groups == subscript->n_terms;
        if (is_sum && c->addressed[s][0] <= fuzz_sum_reach(c, subscript)) return 0;
    }
    return 1;
}

int fuzz_settle(struct fuzz_case *c) {
    if (!sums_fit(c) || fuzz_set_shapes(c) != 0 || fuzz_solve_attributes(c) != 0) return -1;
    fuzz_set_in_place(c);
    return 0;
}
