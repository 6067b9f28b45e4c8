/* structure: finds the one lookup of a formula and what each group does beside it. */
#include "formula/structure.h"

#include <string.h>

#include "formula/formula.h"

static int has_sum(const struct gasket_formula *formula) {
    for (int i = 0; i < formula->n_subscripts; i++) {
        if (formula->subscripts[i].n_terms != 1) {
            return 1;
        }
    }
    return 0;
}

static int count_lookups(const struct gasket_formula *formula) {
    int n = 0;
    for (int i = 0; i < formula->n_terms; i++) {
        n += formula->terms[i].kind == GASKET_TERM_LOOKUP;
    }
    return n;
}

static const struct gasket_term *only_term(const struct gasket_formula *formula, int subscript) {
    return &formula->terms[formula->subscripts[subscript].first_term];
}

static void find_lookup(const struct gasket_formula *formula, struct gk_structure *structure) {
    const struct gasket_access *indexed = &formula->accesses[structure->indexed];
    for (int i = 0; i < indexed->n_subscripts; i++) {
        int subscript = indexed->first_subscript + i;
        const struct gasket_term *term = only_term(formula, subscript);
        if (term->kind == GASKET_TERM_LOOKUP) {
            structure->lookup = term->id;
            structure->lookup_subscript = (uint8_t)subscript;
        }
    }
}

static int stands_before_lookup(const struct gasket_formula *formula, const struct gk_structure *structure,
                                uint8_t group) {
    for (int i = formula->accesses[structure->indexed].first_subscript; i < structure->lookup_subscript; i++) {
        const struct gasket_term *term = only_term(formula, i);
        if (term->kind == GASKET_TERM_GROUP && term->id == group) {
            return 1;
        }
    }
    return 0;
}

static int find_role(const struct gasket_formula *formula, struct gk_structure *structure, uint8_t group) {
    int in_index = gk_access_has_group(formula, structure->lookup, group, 0);
    int in_indexed = gk_access_has_group(formula, structure->indexed, group, 0);
    if (!gk_access_has_group(formula, structure->plain, group, 0) || (!in_index && !in_indexed)) {
        return -1;
    }
    if (in_index) {
        structure->roles[group] = in_indexed ? GK_ROLE_BATCH : GK_ROLE_INDEX;
    } else {
        structure->roles[group] = stands_before_lookup(formula, structure, group) ? GK_ROLE_OUTER : GK_ROLE_SLICE;
    }
    return 0;
}

int gk_formula_structure(const struct gasket_formula *formula, struct gk_structure *structure) {
    memset(structure, 0, sizeof *structure);
    if (formula->n_factors != 1 || count_lookups(formula) != 1 || has_sum(formula)) {
        return -1;
    }
    structure->scatters = gk_formula_scatters(formula);
    if (!structure->scatters && (formula->combine != GASKET_STORE || formula->origin != GASKET_FROM_NOTHING)) {
        return -1;
    }
    structure->indexed = structure->scatters ? formula->left : formula->factors[0];
    structure->plain = structure->scatters ? formula->factors[0] : formula->left;
    find_lookup(formula, structure);
    for (uint8_t group = 0; group < formula->n_groups; group++) {
        if (find_role(formula, structure, group)) {
            return -1;
        }
    }
    return 0;
}
