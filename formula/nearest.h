/* nearest: the hint "did you mean" of the messages. */
#ifndef GASKET_FORMULA_NEAREST_H
#define GASKET_FORMULA_NEAREST_H

#include <stddef.h>

/* The first of `names` that needs the fewest single-letter edits to become `name`; NULL when n is 0. */
const char *gk_nearest(const char *name, const char *const *names, size_t n);

#endif
