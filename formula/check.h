/* check: what the grammar can not say of a formula. */
#ifndef GASKET_FORMULA_CHECK_H
#define GASKET_FORMULA_CHECK_H

#include "formula/formula.h"

/* Where the parts of a parsed formula stand in its text. */
struct gk_formula_columns {
    int accesses[GASKET_MAX_ACCESSES];
    int terms[GASKET_MAX_TERMS];
    int sign;
    int origin; /* of what stands after "from" */
};

/* Returns 0, or -1 with *error set. */
int gk_formula_check(const struct gasket_formula *formula, const struct gk_formula_columns *columns,
                     struct gk_formula_error *error);

#endif
