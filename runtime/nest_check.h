/* nest_check: the check of a nest's indices before it stores. Where each coordinate is one looked-up value, the
 * ahead-of-time kernels do it, and the kernel has no check of its own to be compiled. */
#ifndef GK_NEST_CHECK_H
#define GK_NEST_CHECK_H

#include "choose.h"
#include "nest.h"
#include "parallel.h"

/* Of the tuples in an index tensor: loops over it, of which the last is a run of tuples. Strides are in bytes. */
struct gk_tuple_check {
    const struct gasket_kernel *check;
    int access, first, depth; /* coordinates [first, first + depth) */
    int64_t start, component_stride;
    int n_loops; /* at least 1 */
    int64_t extents[GASKET_NEST_LOOPS], strides[GASKET_NEST_LOOPS];
};

struct gk_nest_check {
    int n; /* 0: the kernel's own */
    struct gk_tuple_check items[GASKET_NEST_COORDINATES];
};

/* Makes the check of a nest whose knobs ask for one and takes it off the knobs; leaves both as they are where a
 * coordinate is more than one value, or where no kernel serves. */
void gk_nest_check_make(struct gk_nest_check *check, struct gk_nest *nest, const struct gk_catalog *catalog,
                        enum gasket_isa level);

/* Whether an index is out of bounds. */
int gk_nest_check_run(const struct gk_nest_check *check, const struct gk_nest *nest,
                      const struct gasket_nest_call *call, const struct gk_parallel *parallel);

#endif
