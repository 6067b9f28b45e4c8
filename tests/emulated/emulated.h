/* emulated: kernels of templates/cuda, run on the host: block after block and thread after thread, in an order that is
 * drawn. */
#ifndef EMULATED_H
#define EMULATED_H

#include "cuda/grid.h"

enum { EMULATED_BATCH = 4 }; /* what the grid has to have */

/* Runs the nest on data[tensor id] (first elements). With is_swapping, elements that items share are combined by words
 * that are swapped even where the machine has an operation. 0, or -1 when there is no such kernel. */
int emulated_run(const struct gk_nest *nest, const struct gk_grid *grid, char *const data[GASKET_MAX_TENSORS],
                 uint64_t seed, int is_swapping);

#endif
