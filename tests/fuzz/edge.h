/* edge: stands between the runtime and the kernels that a plan was forced to. What a kernel reads and writes of
 * offsets, extents and strides ends at a page that may not be touched, and an index may change between the pass that
 * checks and the one that uses.
 */
#ifndef FUZZ_EDGE_H
#define FUZZ_EDGE_H

#include "call.h"
#include "plan.h"

/* In the process that runs. */
void fuzz_edge_open(void);
void fuzz_edge_close(void);

/* Puts the edge in front of the plan's kernels, until its choice is set again. Not for ranges on several threads. */
void fuzz_edge_wrap(struct gasket_plan *plan);

/* From now on, the first index that is used after all were checked is made one that is certainly out of bounds, in the
 * memory of the index tensor: just outside, or far. -1 where no index can be. */
int fuzz_edge_change(const struct gasket_plan *plan, const struct fuzz_place *index, int just_outside);
/* The same for a call-time kernel: its first run comes after the check. */
struct fuzz_change {
    const char *index; /* that changes, as the library sees it */
    const struct fuzz_place *place;
    enum gasket_dtype type;
    int64_t extent; /* that it is compared with */
    int wraps, just_outside;
};
int fuzz_edge_change_nest(struct gk_kernel *kernel, const struct fuzz_change *change);
/* Whether that has happened. Ends the wait for it. */
int fuzz_edge_changed(void);

#endif
