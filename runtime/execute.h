/* execute: runs a plan's kernels over its form: check, start, move. */
#ifndef GK_EXECUTE_H
#define GK_EXECUTE_H

#include "plan.h"
#include "string_memory.h"

/* The value that the plan's output has before anything is combined into it. */
void gk_start(const struct gasket_plan *plan, char *const data[GASKET_MAX_TENSORS]);

enum gasket_status gk_execute(const struct gasket_plan *plan, char *const data[GASKET_MAX_TENSORS],
                              struct gk_string_memory *strings, struct gk_error *error);

#endif
