/* ptx: kernels for a GPU as NVRTC compiles them. */
#ifndef FUZZ_PTX_H
#define FUZZ_PTX_H

#include "cuda/grid.h"

enum { FUZZ_PTX_TEXT = 512 };

/* Compiles the nest for the oldest and the newest machine that NVRTC knows and reads what came. 0, or -1 with what is
 * wrong. */
int fuzz_ptx_check(const struct gk_nest *nest, const struct gk_grid *grid, char wrong[FUZZ_PTX_TEXT]);

#endif
