/* start: the value that an output has before anything is combined into it. */
#ifndef GK_START_H
#define GK_START_H

#include "parallel.h"
#include "problem.h"

/* Whether a copy of the tensor moves whole bytes; types of less than a byte may lie so that it would not. */
int gk_start_is_whole(const struct gk_tensor *out, const struct gk_tensor *from);

/* One of the two tensors of a copy, or the one of a fill: zeros when `from` is NULL. Same shape and dtype; a copy moves
 * whole bytes. */
void gk_start_output(const struct gk_tensor *out, char *out_data, const struct gk_tensor *from, const char *from_data,
                     const struct gk_parallel *parallel);

#endif
