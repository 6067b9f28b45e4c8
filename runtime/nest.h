/* nest: a problem in the normal form of call-time kernels: loops over whole operands (abi/nest.h). Dimensions of extent
 * 1 are gone, neighbours are merged where all strides allow it, and the loops stand in the order in which the output is
 * best written; the order of updates to each element stays that of the formula. */
#ifndef GK_NEST_H
#define GK_NEST_H

#include "abi/nest.h"
#include "problem.h"

struct gk_nest {
    struct gasket_nest knobs;
    char template_name[8];
    int n_accesses, n_coordinates;
    uint8_t tensors[GASKET_NEST_ACCESSES]; /* of each access */
    int64_t starts[GASKET_NEST_ACCESSES];  /* bytes from the tensor's first element to where the loops begin */
    int64_t extents[GASKET_NEST_COORDINATES];
    int64_t count, checked; /* iterations of loop 0: of a run, of a check */
    int64_t bytes;          /* that a run moves */
    int is_empty;           /* nothing is moved: no kernel is needed */
    int is_shared;          /* whether threads may share loop 0 */
    int has_free_row;       /* whether the elements of a row lead to other elements of the output */
    uint32_t free_loops;    /* a bit for each loop that leads to other elements of the output at each position */
    unsigned char fill[16];
};

/* NULL, or why no nest serves the problem: static text. */
const char *gk_nest_make(struct gk_nest *nest, const struct gk_problem *problem);

/* Makes the nest go on where an index is out of bounds that would otherwise be reported: what comes from there is the
 * fill value, what leads there is dropped. */
void gk_nest_go_on(struct gk_nest *nest);

/* The arguments of a kernel for data[tensor id] (first elements). */
void gk_nest_call(struct gasket_nest_call *call, const struct gk_nest *nest, char *const data[GASKET_MAX_TENSORS]);

/* The knobs as lines of text; names[tensor id]. */
struct gk_writer;
void gk_nest_write(struct gk_writer *writer, const struct gk_nest *nest, const char (*names)[GASKET_NAME_SIZE]);

#endif
