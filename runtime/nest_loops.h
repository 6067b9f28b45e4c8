/* nest_loops: the loops of a nest while it is made: one for each dimension of each group, then fewer. */
#ifndef GK_NEST_LOOPS_H
#define GK_NEST_LOOPS_H

#include "nest.h"

struct gk_loop {
    int64_t extent;
    int64_t strides[GASKET_NEST_ACCESSES];  /* in elements of each access's tensor, then in bytes */
    int64_t steps[GASKET_NEST_COORDINATES]; /* what a step adds to a looked-up sum */
    int is_free; /* different positions write different elements: may be taken in any order */
};

struct gk_loops {
    int n;
    struct gk_loop items[GASKET_MAX_RANK];
    int first[GASKET_MAX_GROUPS]; /* loop of each group's first dimension, before anything is dropped */
};

/* Drops, turns, orders and merges the loops. In bytes. */
void gk_loops_arrange(struct gk_loops *loops, struct gk_nest *nest);

/* Whether a looked-up place depends on the loop. */
int gk_loop_locates(const struct gk_loop *loop, const struct gk_nest *nest);

#endif
