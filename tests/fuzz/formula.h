/* formula: a formula of the whole language from a number, with what has to be given beside it. */
#ifndef FUZZ_FORMULA_H
#define FUZZ_FORMULA_H

#include "definition.h"
#include "random.h"

/* Valid by construction, but for limits of the language. */
void fuzz_draw_definition(struct fuzz_random *random, char definition[FUZZ_DEFINITION]);

#endif
