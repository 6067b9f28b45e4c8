/* spec_complete: what follows from the fields of a spec together: default modes, and whether every rank can be known.
 */
#include "formula/structure.h"
#include "gen/dtypes.h"
#include "gen/spec_fields.h"

static int has_index(const struct gasket_formula *formula) {
    for (uint8_t i = 0; i < formula->n_tensors; i++) {
        if (gk_formula_is_index(formula, i)) {
            return 1;
        }
    }
    return 0;
}

static unsigned possible_bounds(const struct gasket_formula *formula) {
    if (!has_index(formula)) {
        return GASKET_BIT(GASKET_BOUNDS_ERROR);
    }
    return GASKET_BIT(GASKET_BOUNDS_ERROR) | GASKET_BIT(GASKET_BOUNDS_CLIP) | GASKET_BIT(GASKET_BOUNDS_FROM_END) |
           GASKET_BIT(GASKET_BOUNDS_UNCHECKED) |
           GASKET_BIT(gk_formula_scatters(formula) ? GASKET_BOUNDS_DROP : GASKET_BOUNDS_FILL);
}

static int complete_bounds(struct gk_reader *reader, struct gasket_operation *operation) {
    unsigned possible = possible_bounds(&operation->formula);
    for (unsigned i = 0; i < GASKET_BOUNDS_MODES; i++) {
        if ((operation->bounds & ~possible & GASKET_BIT(i)) != 0) {
            gk_reader_enter(reader, "bounds", 0);
            return gk_reader_fail(reader, "'%s' means nothing for this formula", gk_bounds_names[i]);
        }
    }
    operation->bounds = operation->bounds != 0 ? operation->bounds : (uint8_t)possible;
    return 0;
}

static int complete_combine(const struct gk_reader *reader, struct gasket_operation *operation) {
    if (operation->formula.combine != GASKET_CHOSEN) {
        operation->default_combine = operation->formula.combine;
        operation->combines = (uint8_t)GASKET_BIT(operation->formula.combine);
    } else if (operation->combines == 0) {
        return gk_reader_fail(reader, "the field 'combine' is missing: which operators may '?=' be?");
    }
    return 0;
}

/* ---- Ranks ---- */

static void mark_group(const struct gasket_formula *formula, uint8_t subscript, uint8_t known[GASKET_MAX_GROUPS]) {
    const struct gasket_subscript *sum = &formula->subscripts[subscript];
    for (int i = 0; sum->n_terms > 1 && i < sum->n_terms; i++) {
        const struct gasket_term *term = &formula->terms[sum->first_term + i];
        if (term->kind == GASKET_TERM_GROUP) {
            known[term->id] = 1; /* a group in a sum has rank 1 */
        }
    }
}

/* One rank equation: where an access of known rank has one unknown group, that group becomes known. */
static int solve_access(const struct gasket_formula *formula, const struct gasket_access *access,
                        uint8_t known[GASKET_MAX_GROUPS]) {
    int n_unknown = 0, unknown = 0;
    for (int i = 0; i < access->n_subscripts; i++) {
        const struct gasket_subscript *subscript = &formula->subscripts[access->first_subscript + i];
        const struct gasket_term *term = &formula->terms[subscript->first_term];
        if (subscript->n_terms == 1 && term->kind == GASKET_TERM_GROUP && !known[term->id]) {
            n_unknown++;
            unknown = term->id;
        }
    }
    if (n_unknown != 1) {
        return 0;
    }
    known[unknown] = 1;
    return 1;
}

/* The output's rank is known only where an attribute gives its shape, or it starts as a copy of an input. */
static int rank_is_given(const struct gasket_operation *operation, int access) {
    const struct gasket_formula *formula = &operation->formula;
    return access != formula->left || operation->output_extents != GASKET_NONE || formula->origin == GASKET_FROM_TENSOR;
}

static int check_ranks(const struct gk_reader *reader, const struct gasket_operation *operation) {
    const struct gasket_formula *formula = &operation->formula;
    uint8_t known[GASKET_MAX_GROUPS];
    for (int i = 0; i < formula->n_groups; i++) {
        known[i] = operation->has_rank[i] || operation->extents[i] != GASKET_NONE;
    }
    for (uint8_t i = 0; i < formula->n_subscripts; i++) {
        mark_group(formula, i, known);
    }
    for (int solved = 1; solved != 0;) {
        solved = 0;
        for (int i = 0; i < formula->n_accesses; i++) {
            solved += rank_is_given(operation, i) && solve_access(formula, &formula->accesses[i], known);
        }
    }
    for (int i = 0; i < formula->n_groups; i++) {
        if (!known[i]) {
            return gk_reader_fail(reader,
                                  "ranks: how many dimensions '%c' has does not follow from the ranks of the "
                                  "inputs; give it as ranks = { %c = ... }",
                                  formula->groups[i], formula->groups[i]);
        }
    }
    return 0;
}

static int check_kernels(const struct gk_reader *reader, const struct gasket_operation *operation) {
    struct gk_structure structure;
    if (operation->ahead_of_time && gk_formula_structure(&operation->formula, &structure) != 0) {
        return gk_reader_fail(reader, "no kernels exist for a formula of this form; say ahead_of_time = false");
    }
    return 0;
}

int gk_spec_complete(struct gk_reader *reader) {
    struct gasket_operation *operation = &reader->spec->operation;
    if (!has_index(&operation->formula)) {
        operation->indices = 0;
    }
    if (complete_bounds(reader, operation) != 0 || complete_combine(reader, operation) != 0 ||
        check_ranks(reader, operation) != 0) {
        return -1;
    }
    return check_kernels(reader, operation);
}
