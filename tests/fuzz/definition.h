/* definition: an operation in one word of text, as a line of replay holds it: the formula, with ~ for its blanks, then
 * what else has to be given:
 *     out[B,W,S]=params[B,start[B]+W,S];ranks=B=1,S=2;extents=W=window
 * Attributes are named here; "output" is that of the output's shape. */
#ifndef FUZZ_DEFINITION_H
#define FUZZ_DEFINITION_H

#include "gasket/gasket.h"

enum { FUZZ_DEFINITION = 1024 };
#define FUZZ_DEFINED "drawn" /* the operation's name; its summary is the word */

/* INVALID_ARGUMENT where the library takes no such operation: the context's message says why. */
enum gasket_status fuzz_define(gasket_context *context, const char *definition);

#endif
