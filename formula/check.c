/* check: names, lookups, groups, sums and the start value of a parsed formula. Accesses are numbered in text order, so
 * the first fault of a kind is the leftmost one. */
#include "formula/check.h"

#include "formula/formula.h"
#include "formula/lexer.h"

struct checked {
    const struct gasket_formula *formula;
    const struct gk_formula_columns *columns;
    struct gk_formula_error *error;
};

static const char *tensor_name(const struct checked *checked, uint8_t access) {
    return checked->formula->tensors[checked->formula->accesses[access].tensor];
}

static int is_lookup(const struct gasket_formula *formula, uint8_t access) {
    for (int i = 0; i < formula->n_terms; i++) {
        if (formula->terms[i].kind == GASKET_TERM_LOOKUP && formula->terms[i].id == access) {
            return 1;
        }
    }
    return 0;
}

static int check_output(const struct checked *checked) {
    const struct gasket_formula *formula = checked->formula;
    uint8_t output = gk_formula_output(formula);
    for (uint8_t i = 0; i < formula->n_accesses; i++) {
        if (i != formula->left && formula->accesses[i].tensor == output) {
            return gk_formula_fail(checked->error, checked->columns->accesses[i],
                                   "'%s' is the output and can not be read; 'from' names what it starts with",
                                   tensor_name(checked, i));
        }
    }
    if (formula->origin_tensor == output) {
        return gk_formula_fail(checked->error, checked->columns->origin,
                               "'%s' is the output and can not be its own start; name another tensor, or zeros",
                               formula->tensors[output]);
    }
    return 0;
}

static int check_same_use(const struct checked *checked, uint8_t earlier, uint8_t access) {
    const struct gasket_formula *formula = checked->formula;
    int indexes = is_lookup(formula, access);
    if (formula->accesses[earlier].tensor != formula->accesses[access].tensor ||
        is_lookup(formula, earlier) == indexes) {
        return 0;
    }
    return gk_formula_fail(checked->error, checked->columns->accesses[access], "'%s' is %s here and %s before",
                           tensor_name(checked, access), indexes ? "an index" : "a value",
                           indexes ? "a value" : "an index");
}

static int check_uses(const struct checked *checked) {
    const struct gasket_formula *formula = checked->formula;
    for (uint8_t i = 0; i < formula->n_accesses; i++) {
        for (uint8_t earlier = 0; earlier < i; earlier++) {
            if (check_same_use(checked, earlier, i)) {
                return -1;
            }
        }
    }
    if (formula->origin == GASKET_FROM_TENSOR && gk_formula_is_index(formula, formula->origin_tensor)) {
        return gk_formula_fail(checked->error, checked->columns->origin,
                               "'%s' is an index and can not be what the output starts with",
                               formula->tensors[formula->origin_tensor]);
    }
    return 0;
}

static int check_tuple_alone(const struct checked *checked, int term) {
    const struct gasket_term *t = &checked->formula->terms[term];
    if (t->kind == GASKET_TERM_GROUP || !checked->formula->accesses[t->id].is_tuple) {
        return 0;
    }
    return gk_formula_fail(checked->error, checked->columns->terms[term],
                           "'%s' looks up a tuple, which stands alone in its subscript and in no sum",
                           tensor_name(checked, t->id));
}

static int check_tuples(const struct checked *checked) {
    const struct gasket_formula *formula = checked->formula;
    for (int s = 0; s < formula->n_subscripts; s++) {
        const struct gasket_subscript *subscript = &formula->subscripts[s];
        for (int i = 0; subscript->n_terms > 1 && i < subscript->n_terms; i++) {
            if (check_tuple_alone(checked, subscript->first_term + i)) {
                return -1;
            }
        }
    }
    return 0;
}

/* Adds the subscript's groups to the bits of those seen. */
static int check_new_groups(const struct checked *checked, const struct gasket_subscript *subscript, uint8_t access,
                            uint32_t *seen) {
    const struct gasket_formula *formula = checked->formula;
    for (int i = subscript->first_term; i < subscript->first_term + subscript->n_terms; i++) {
        const struct gasket_term *term = &formula->terms[i];
        uint32_t bit = term->kind == GASKET_TERM_GROUP ? GASKET_BIT(term->id) : 0;
        if (*seen & bit) {
            return gk_formula_fail(checked->error, checked->columns->terms[i],
                                   "group '%c' stands twice in the subscripts of '%s'", formula->groups[term->id],
                                   tensor_name(checked, access));
        }
        *seen |= bit;
    }
    return 0;
}

static int check_repeats(const struct checked *checked) {
    const struct gasket_formula *formula = checked->formula;
    for (uint8_t a = 0; a < formula->n_accesses; a++) {
        const struct gasket_access *access = &formula->accesses[a];
        uint32_t seen = 0;
        for (int i = 0; i < access->n_subscripts; i++) {
            if (check_new_groups(checked, &formula->subscripts[access->first_subscript + i], a, &seen)) {
                return -1;
            }
        }
    }
    return 0;
}

static int first_column(const struct checked *checked, uint8_t group) {
    const struct gasket_formula *formula = checked->formula;
    int first = -1;
    for (int i = 0; i < formula->n_terms; i++) {
        int column = checked->columns->terms[i];
        int is_group = formula->terms[i].kind == GASKET_TERM_GROUP && formula->terms[i].id == group;
        if (is_group && (first < 0 || column < first)) {
            first = column;
        }
    }
    return first;
}

static int stands_only_as_output(const struct gasket_formula *formula, uint8_t group) {
    for (uint8_t a = 0; a < formula->n_accesses; a++) {
        if (a != formula->left && gk_access_has_group(formula, a, group, 0)) {
            return 0;
        }
    }
    return 1;
}

static int check_left_groups(const struct checked *checked) {
    const struct gasket_formula *formula = checked->formula;
    for (uint8_t g = 0; g < formula->n_groups; g++) {
        if (stands_only_as_output(formula, g)) {
            return gk_formula_fail(checked->error, first_column(checked, g),
                                   "group '%c' stands nowhere but in '%s': nothing gives it a size", formula->groups[g],
                                   tensor_name(checked, formula->left));
        }
    }
    return 0;
}

static int check_sums(const struct checked *checked) {
    const struct gasket_formula *formula = checked->formula;
    for (uint8_t g = 0; formula->combine == GASKET_STORE && g < formula->n_groups; g++) {
        if (!gk_access_has_group(formula, formula->left, g, 1)) {
            return gk_formula_fail(checked->error, first_column(checked, g),
                                   "group '%c' is not on the left, and '=' can not sum over it; use a sign such as +=",
                                   formula->groups[g]);
        }
    }
    return 0;
}

static int left_has_sum(const struct gasket_formula *formula) {
    const struct gasket_access *left = &formula->accesses[formula->left];
    for (int i = 0; i < left->n_subscripts; i++) {
        if (formula->subscripts[left->first_subscript + i].n_terms > 1) {
            return 1;
        }
    }
    return 0;
}

static int check_start(const struct checked *checked) {
    const struct gasket_formula *formula = checked->formula;
    if (formula->origin != GASKET_FROM_NOTHING) {
        return 0;
    }
    if (formula->combine != GASKET_STORE) {
        return gk_formula_fail(checked->error, checked->columns->sign,
                               "'%s' needs a start to combine with: 'from zeros' or 'from' and a tensor",
                               gk_signs[formula->combine]);
    }
    if (gk_formula_scatters(formula) || left_has_sum(formula)) {
        return gk_formula_fail(checked->error, checked->columns->sign,
                               "'%s' is not stored whole and needs a start: 'from zeros' or 'from' and a tensor",
                               tensor_name(checked, formula->left));
    }
    return 0;
}

int gk_formula_check(const struct gasket_formula *formula, const struct gk_formula_columns *columns,
                     struct gk_formula_error *error) {
    static int (*const checks[])(const struct checked *) = {
        check_output, check_uses, check_tuples, check_repeats, check_left_groups, check_sums, check_start,
    };
    struct checked checked = {formula, columns, error};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (checks[i](&checked)) {
            return -1;
        }
    }
    return 0;
}
