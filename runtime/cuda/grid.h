/* grid: how a nest is shared out among the threads of a GPU (abi/nest_grid.h). */
#ifndef GK_CUDA_GRID_H
#define GK_CUDA_GRID_H

#include "abi/nest_grid.h"
#include "nest.h"

/* How items combine into elements that they share. */
enum gk_sharing {
    GK_ALONE,  /* they share none */
    GK_STORED, /* one of the values stays */
    GK_NATIVE, /* by the machine's atomic operations (abi/atomic.h) */
    GK_SWAPPED /* by swapping words */
};

struct gk_grid {
    struct gasket_nest_grid knobs;
    int moves;     /* elements are only moved, by items that are independent of each other */
    int64_t piece; /* bytes that such an item moves at once: 1, 2, 4, 8 or 16 */
    int64_t batch; /* items that a thread has under way at once */
    int64_t items, blocks;
    enum gk_sharing sharing;
    int least_arch;   /* compute capability, as 60, that it needs; 0: any */
    int swapped_bits; /* of the word that holds an element, where such words can be swapped; else 0 */
};

/* What is known of a call beside its nest. */
struct gk_grid_wish {
    uint8_t addresses[GASKET_MAX_TENSORS]; /* the last bits of where each tensor's first element is */
    int is_deterministic;                  /* updates come to each element in the formula's order */
    int64_t batch;                         /* items that a thread has under way; 0: as many as pay */
};

/* NULL, or why a GPU does not serve the nest: static text. Indices that are out of bounds are not reported there, so
 * the nest is made to go on (gk_nest_go_on). */
const char *gk_grid_make(struct gk_grid *grid, struct gk_nest *nest, const struct gk_grid_wish *wish);

#endif
