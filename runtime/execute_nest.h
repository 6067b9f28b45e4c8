/* execute_nest: runs a plan's call-time kernel: check, start, loops. */
#ifndef GK_EXECUTE_NEST_H
#define GK_EXECUTE_NEST_H

#include "plan.h"

/* BAD: an index is out of bounds and nothing has been written; the tier below finds it again and words the error.
 * FAILED: the error is set. */
enum gk_nest_end { GK_NEST_DONE, GK_NEST_BAD, GK_NEST_FAILED };

/* The plan's kernel is ready. */
enum gk_nest_end gk_execute_nest(const struct gasket_plan *plan, char *const data[GASKET_MAX_TENSORS],
                                 struct gk_error *error);

#endif
