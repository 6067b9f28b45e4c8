/* query: small questions about a parsed formula. */
#include <string.h>

#include "formula/formula.h"

uint8_t gk_formula_tensor(const struct gasket_formula *formula, const char *name) {
    for (uint8_t i = 0; i < formula->n_tensors; i++) {
        if (strcmp(formula->tensors[i], name) == 0) {
            return i;
        }
    }
    return GASKET_NONE;
}

uint8_t gk_formula_group(const struct gasket_formula *formula, char letter) {
    for (uint8_t i = 0; i < formula->n_groups; i++) {
        if (formula->groups[i] == letter) {
            return i;
        }
    }
    return GASKET_NONE;
}

uint8_t gk_formula_output(const struct gasket_formula *formula) {
    return formula->accesses[formula->left].tensor;
}

int gk_formula_is_index(const struct gasket_formula *formula, uint8_t tensor) {
    for (int i = 0; i < formula->n_terms; i++) {
        const struct gasket_term *term = &formula->terms[i];
        if (term->kind == GASKET_TERM_LOOKUP && formula->accesses[term->id].tensor == tensor) {
            return 1;
        }
    }
    return 0;
}

static int subscript_looks_up(const struct gasket_formula *formula, const struct gasket_subscript *subscript) {
    for (int i = 0; i < subscript->n_terms; i++) {
        if (formula->terms[subscript->first_term + i].kind == GASKET_TERM_LOOKUP) {
            return 1;
        }
    }
    return 0;
}

int gk_formula_scatters(const struct gasket_formula *formula) {
    const struct gasket_access *left = &formula->accesses[formula->left];
    for (int i = 0; i < left->n_subscripts; i++) {
        if (subscript_looks_up(formula, &formula->subscripts[left->first_subscript + i])) {
            return 1;
        }
    }
    return 0;
}

static int term_has_group(const struct gasket_formula *formula, const struct gasket_term *term, uint8_t group,
                          int deep) {
    if (term->kind == GASKET_TERM_GROUP) {
        return term->id == group;
    }
    return deep && gk_access_has_group(formula, term->id, group, deep);
}

static int subscript_has_group(const struct gasket_formula *formula, const struct gasket_subscript *subscript,
                               uint8_t group, int deep) {
    for (int i = 0; i < subscript->n_terms; i++) {
        if (term_has_group(formula, &formula->terms[subscript->first_term + i], group, deep)) {
            return 1;
        }
    }
    return 0;
}

int gk_access_has_group(const struct gasket_formula *formula, uint8_t access, uint8_t group, int deep) {
    const struct gasket_access *a = &formula->accesses[access];
    for (int i = 0; i < a->n_subscripts; i++) {
        if (subscript_has_group(formula, &formula->subscripts[a->first_subscript + i], group, deep)) {
            return 1;
        }
    }
    return 0;
}
