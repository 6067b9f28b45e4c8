/* bind_ranks: how many dimensions each group has. The formula gives an equation for each tensor of known rank: its rank
 * is the sum of what its subscripts stand for. What is given by expression is put in, then every equation with one
 * unknown left is solved until none is. */
#include <inttypes.h>
#include <stdio.h>

#include "bind.h"
#include "formula/formula.h"

enum { UNKNOWN = -1 };

static char group_letter(const struct gk_binding *binding, uint8_t group) {
    return binding->operation->formula.groups[group];
}

/* ---- What is given ---- */

/* "a - b" with both attributes: then "b is greater than a" says it best. */
static int is_difference(const struct gasket_linear *linear) {
    const struct gasket_quantity *q = linear->quantities;
    return linear->n == 2 && linear->constant == 0 && q[0].factor == 1 && q[1].factor == -1;
}

static enum gasket_status fail_negative(const struct gk_binding *binding, uint8_t group, int64_t value) {
    const struct gasket_operation *operation = binding->operation;
    const struct gasket_linear *linear = &operation->ranks[group];
    char parts[GK_PARTS_TEXT];
    if (is_difference(linear)) {
        struct gasket_linear less = {0, 1, {linear->quantities[0]}}, more = {0, 1, {linear->quantities[1]}};
        char text[GK_PARTS_TEXT];
        more.quantities[0].factor = 1;
        gk_linear_parts(binding, &more, parts);
        gk_linear_parts(binding, &less, text);
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s is greater than %s", parts, text);
    }
    char expression[128];
    gk_linear_print(linear, &operation->formula, operation->attributes, expression, sizeof expression);
    gk_linear_parts(binding, linear, parts);
    return gk_fail(binding->error, GASKET_INVALID_ARGUMENT,
                   "the rank of group %c, %s, would be %" PRId64 ", which is negative (%s)",
                   group_letter(binding, group), expression, value, parts);
}

static enum gasket_status set_rank(struct gk_binding *binding, uint8_t group, int64_t rank) {
    int *known = &binding->problem->group_rank[group];
    if (rank > GASKET_MAX_RANK) {
        return gk_fail(binding->error, GASKET_UNSUPPORTED,
                       "group %c would have %" PRId64 " dimensions, but at most %d are supported",
                       group_letter(binding, group), rank, GASKET_MAX_RANK);
    }
    if (*known != UNKNOWN && *known != rank) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT,
                       "group %c would have both %d and %" PRId64 " dimensions", group_letter(binding, group), *known,
                       rank);
    }
    *known = (int)rank;
    return GASKET_OK;
}

static enum gasket_status set_given_rank(struct gk_binding *binding, uint8_t group) {
    const struct gasket_operation *operation = binding->operation;
    if (!operation->has_rank[group]) return GASKET_OK;
    int64_t rank = gk_linear_value(binding, &operation->ranks[group]);
    return rank < 0 ? fail_negative(binding, group, rank) : set_rank(binding, group, rank);
}

static enum gasket_status set_listed_rank(struct gk_binding *binding, uint8_t group) {
    uint8_t id = binding->operation->extents[group];
    if (id == GASKET_NONE || binding->attributes[id] == NULL) return GASKET_OK;
    size_t listed = binding->attributes[id]->n_integers;
    int known = binding->problem->group_rank[group];
    if (known != UNKNOWN && (size_t)known != listed) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s has %zu entries, but needs %d for group %c",
                       binding->operation->attributes[id].name, listed, known, group_letter(binding, group));
    }
    return set_rank(binding, group, (int64_t)listed);
}

/* A group in a sum is one number. */
static enum gasket_status set_summed_ranks(struct gk_binding *binding) {
    const struct gasket_formula *formula = &binding->operation->formula;
    enum gasket_status status = GASKET_OK;
    for (int s = 0; s < formula->n_subscripts; s++) {
        const struct gasket_subscript *subscript = &formula->subscripts[s];
        const struct gasket_term *terms = &formula->terms[subscript->first_term];
        for (int i = 0; status == GASKET_OK && subscript->n_terms > 1 && i < subscript->n_terms; i++) {
            if (terms[i].kind == GASKET_TERM_GROUP) status = set_rank(binding, terms[i].id, 1);
        }
    }
    return status;
}

static enum gasket_status set_all_given(struct gk_binding *binding) {
    uint8_t n = binding->operation->formula.n_groups;
    for (uint8_t g = 0; g < n; g++)
        binding->problem->group_rank[g] = UNKNOWN;
    enum gasket_status status = set_summed_ranks(binding);
    for (uint8_t g = 0; status == GASKET_OK && g < n; g++)
        status = set_given_rank(binding, g);
    for (uint8_t g = 0; status == GASKET_OK && g < n; g++)
        status = set_listed_rank(binding, g);
    return status;
}

/* ---- Tuples ---- */

static enum gasket_status find_depths(struct gk_binding *binding) {
    const struct gasket_formula *formula = &binding->operation->formula;
    for (uint8_t a = 0; a < formula->n_accesses; a++) {
        const struct gasket_access *access = &formula->accesses[a];
        const struct gk_tensor *tensor = &binding->problem->tensors[access->tensor];
        binding->problem->depth[a] = 1;
        if (!access->is_tuple) continue;
        if (tensor->ndim == 0) {
            return gk_fail(binding->error, GASKET_INVALID_ARGUMENT,
                           "%s has no dimensions, but its last one must hold the tuples",
                           gk_tensor_name(binding, access->tensor));
        }
        binding->problem->depth[a] = tensor->shape[tensor->ndim - 1];
    }
    return GASKET_OK;
}

/* ---- Equations ---- */

/* The rank that the subscripts of an access stand for. */
struct equation {
    int64_t known;
    int n_unknown;
    uint8_t unknown; /* the last unknown group */
};

static const struct gasket_term *only_term(const struct gasket_formula *formula, int subscript) {
    const struct gasket_subscript *s = &formula->subscripts[subscript];
    return s->n_terms == 1 ? &formula->terms[s->first_term] : NULL;
}

static void add_subscript(const struct gk_binding *binding, int subscript, struct equation *equation) {
    const struct gasket_term *term = only_term(&binding->operation->formula, subscript);
    if (term == NULL) {
        equation->known += 1;
    } else if (term->kind == GASKET_TERM_LOOKUP) {
        /* More than this is too much for any tensor. */
        int64_t depth = binding->problem->depth[term->id];
        equation->known += depth > GASKET_MAX_RANK ? GASKET_MAX_RANK + 1 : depth;
    } else if (binding->problem->group_rank[term->id] != UNKNOWN) {
        equation->known += binding->problem->group_rank[term->id];
    } else {
        equation->n_unknown++;
        equation->unknown = term->id;
    }
}

static struct equation equation_of(const struct gk_binding *binding, uint8_t access) {
    const struct gasket_access *a = &binding->operation->formula.accesses[access];
    struct equation equation = {a->is_tuple, 0, GASKET_NONE};
    for (int i = 0; i < a->n_subscripts; i++)
        add_subscript(binding, a->first_subscript + i, &equation);
    return equation;
}

/* Appends what one subscript needs: "B 1", "indices.shape[-1] = 3". */
static void append_need(const struct gk_binding *binding, int subscript, char *text, size_t size) {
    const struct gasket_formula *formula = &binding->operation->formula;
    const struct gasket_term *term = only_term(formula, subscript);
    const char *comma = text[0] == 0 ? "" : ", ";
    if (term == NULL) {
        gk_append(text, size, "%sa sum 1", comma);
    } else if (term->kind == GASKET_TERM_GROUP) {
        int rank = binding->problem->group_rank[term->id];
        if (rank != UNKNOWN) gk_append(text, size, "%s%c %d", comma, formula->groups[term->id], rank);
    } else {
        const struct gasket_access *lookup = &formula->accesses[term->id];
        gk_append(text, size, "%s%s%s %" PRId64, comma, gk_tensor_name(binding, lookup->tensor),
                  lookup->is_tuple ? ".shape[-1]" : "", binding->problem->depth[term->id]);
    }
}

/* The tuple lookup that is all that the equation knows of, or GASKET_NONE. */
static uint8_t lone_tuple(const struct gk_binding *binding, uint8_t access, const struct equation *equation) {
    const struct gasket_formula *formula = &binding->operation->formula;
    const struct gasket_access *a = &formula->accesses[access];
    for (int i = 0; i < a->n_subscripts; i++) {
        const struct gasket_term *term = only_term(formula, a->first_subscript + i);
        if (term == NULL || term->kind == GASKET_TERM_GROUP || !formula->accesses[term->id].is_tuple) continue;
        int64_t depth = binding->problem->depth[term->id];
        if (depth == equation->known || depth > GASKET_MAX_RANK) return term->id;
    }
    return GASKET_NONE;
}

static enum gasket_status fail_too_few(const struct gk_binding *binding, uint8_t access,
                                       const struct equation *equation) {
    const struct gasket_access *a = &binding->operation->formula.accesses[access];
    char source[GK_SOURCE_TEXT];
    int rank = gk_known_rank(binding, a->tensor);
    gk_rank_text(source, binding, a->tensor);
    uint8_t lookup = lone_tuple(binding, access, equation);
    if (lookup != GASKET_NONE) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s.shape[-1] = %" PRId64 " is greater than %s = %d",
                       gk_tensor_name(binding, binding->operation->formula.accesses[lookup].tensor),
                       binding->problem->depth[lookup], source, rank);
    }
    char needs[256] = "";
    for (int i = 0; i < a->n_subscripts; i++)
        append_need(binding, a->first_subscript + i, needs, sizeof needs);
    if (a->is_tuple) gk_append(needs, sizeof needs, "%sthe tuple 1", needs[0] == 0 ? "" : ", ");
    return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s = %d, but it must be at least %" PRId64 " (%s)", source,
                   rank, equation->known, needs);
}

static enum gasket_status solve(struct gk_binding *binding, uint8_t access, int *progress) {
    const struct gasket_access *a = &binding->operation->formula.accesses[access];
    int rank = gk_known_rank(binding, a->tensor);
    struct equation equation = equation_of(binding, access);
    if (rank == UNKNOWN || equation.n_unknown == 0) return GASKET_OK;
    if (equation.known > rank) return fail_too_few(binding, access, &equation);
    if (equation.n_unknown > 1) return GASKET_OK;
    *progress = 1;
    return set_rank(binding, equation.unknown, rank - equation.known);
}

static enum gasket_status solve_all(struct gk_binding *binding) {
    enum gasket_status status = GASKET_OK;
    int progress = 1;
    while (status == GASKET_OK && progress) {
        progress = 0;
        for (uint8_t a = 0; status == GASKET_OK && a < binding->operation->formula.n_accesses; a++)
            status = solve(binding, a, &progress);
    }
    return status;
}

static enum gasket_status check_all_known(const struct gk_binding *binding) {
    for (uint8_t g = 0; g < binding->operation->formula.n_groups; g++) {
        if (binding->problem->group_rank[g] != UNKNOWN) continue;
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT,
                       "%s (%s) does not say how many dimensions group %c has: its rank must be given",
                       binding->operation->name, binding->operation->formula_text, group_letter(binding, g));
    }
    return GASKET_OK;
}

/* ---- Equations that do not hold ---- */

static int holds(const struct gk_binding *binding, uint8_t access) {
    int rank = gk_known_rank(binding, binding->operation->formula.accesses[access].tensor);
    return rank != UNKNOWN && equation_of(binding, access).known == rank;
}

/* The extent of a group's dimension where some other tensor shows it, or -1. */
static int64_t shown_extent(const struct gk_binding *binding, uint8_t group, uint8_t part) {
    const struct gasket_formula *formula = &binding->operation->formula;
    struct gk_dimension dimensions[GASKET_MAX_RANK];
    for (uint8_t a = 0; a < formula->n_accesses; a++) {
        if (!holds(binding, a)) continue;
        int rank = gk_access_dimensions(binding->problem, a, dimensions);
        for (int d = 0; d < rank; d++) {
            if (dimensions[d].subscript == GASKET_NONE || dimensions[d].part != part) continue;
            const struct gasket_term *term = only_term(formula, dimensions[d].subscript);
            if (term != NULL && term->kind == GASKET_TERM_GROUP && term->id == group) {
                return gk_known_shape(binding, formula->accesses[a].tensor)[d];
            }
        }
    }
    return -1;
}

/* The shape that an access needs where other tensors show all of it; its rank, or -1. */
static int needed_shape(const struct gk_binding *binding, uint8_t access, int64_t shape[GASKET_MAX_RANK]) {
    const struct gasket_formula *formula = &binding->operation->formula;
    struct gk_dimension dimensions[GASKET_MAX_RANK];
    if (equation_of(binding, access).known > GASKET_MAX_RANK) return -1;
    int rank = gk_access_dimensions(binding->problem, access, dimensions);
    for (int d = 0; d < rank; d++) {
        if (dimensions[d].subscript == GASKET_NONE) return -1;
        const struct gasket_term *term = only_term(formula, dimensions[d].subscript);
        if (term == NULL || term->kind != GASKET_TERM_GROUP) return -1;
        shape[d] = shown_extent(binding, term->id, dimensions[d].part);
        if (shape[d] < 0) return -1;
    }
    return rank;
}

static enum gasket_status fail_rank(const struct gk_binding *binding, uint8_t access) {
    int64_t shape[GASKET_MAX_RANK];
    char found[GK_SOURCE_TEXT], needed[GK_SHAPE_TEXT];
    int rank = needed_shape(binding, access, shape);
    gk_found_text(found, binding, binding->operation->formula.accesses[access].tensor);
    if (rank >= 0) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s but needs to be %s", found,
                       gk_shape_text(needed, shape, rank));
    }
    return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s but needs rank %" PRId64, found,
                   equation_of(binding, access).known);
}

static enum gasket_status check_equations(const struct gk_binding *binding) {
    const struct gasket_formula *formula = &binding->operation->formula;
    for (uint8_t a = 0; a < formula->n_accesses; a++) {
        int is_known = gk_known_rank(binding, formula->accesses[a].tensor) != UNKNOWN;
        if (is_known && !holds(binding, a)) return fail_rank(binding, a);
    }
    return GASKET_OK;
}

enum gasket_status gk_bind_ranks(struct gk_binding *binding) {
    enum gasket_status status = find_depths(binding);
    if (status == GASKET_OK) status = set_all_given(binding);
    if (status == GASKET_OK) status = solve_all(binding);
    if (status == GASKET_OK) status = check_all_known(binding);
    return status == GASKET_OK ? check_equations(binding) : status;
}
