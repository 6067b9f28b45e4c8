/* observe: loaded code is made known to debuggers and profilers, as gk_code_observe says. Never fails: what can not be
 * told is not told. */
#ifndef GK_OBSERVE_H
#define GK_OBSERVE_H

#include "jit/object.h"

struct gk_observed;

/* `memory` is where the object was copied to. The result, NULL when there is nothing to take back, goes to
 * gk_observe_end before that memory does. */
struct gk_observed *gk_observe_begin(const struct gk_object *object, const unsigned char *memory);
void gk_observe_end(struct gk_observed *observed);

#endif
