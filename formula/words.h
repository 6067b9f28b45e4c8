/* words: types, operators and bounds modes by the names that specs, definitions and options call them. */
#ifndef GASKET_FORMULA_WORDS_H
#define GASKET_FORMULA_WORDS_H

#include "formula/formula.h"

/* By enum gasket_class, gasket_combine, gasket_bounds. */
extern const char *const gk_class_names[GASKET_CLASSES];
extern const char *const gk_combine_names[GASKET_COMBINES];
extern const char *const gk_bounds_names[GASKET_BOUNDS_MODES];

/* The place of the name among n, or n. */
size_t gk_name_index(const char *name, const char *const *names, size_t n);
/* A bit for each type of that name or class, 0 if it is neither; "all" is every type. */
uint32_t gk_dtype_set(const char *name);
uint32_t gk_integer_set(void);
/* The type of that name, or GASKET_DTYPES. */
enum gasket_dtype gk_dtype_number(const char *name);
/* A name near to one that gk_dtype_set does not know. */
const char *gk_dtype_nearest(const char *name);

/* Sets the error "unknown <what> '<name>' (did you mean '...'?)" and returns -1. */
int gk_unknown(struct gk_formula_error *error, const char *what, const char *name, const char *nearest);

#endif
