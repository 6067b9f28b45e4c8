/* interpreter: the meaning of a formula, element by element from coordinates. The oracle and the last tier. */
#ifndef GK_INTERPRETER_H
#define GK_INTERPRETER_H

#include "problem.h"
#include "string_memory.h"

/* Runs the problem; on a status other than OK the output is untouched (except when index data changes meanwhile or the
 * memory for strings runs out). `memory` serves strings that are added. */
enum gasket_status gk_interpret(const struct gk_problem *problem, struct gk_string_memory *memory,
                                struct gk_error *error);

#endif
