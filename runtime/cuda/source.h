/* source: the whole CUDA text of a nest on a grid: its constants, then templates/cuda/nest.cu with all that it
 * includes. */
#ifndef GK_CUDA_SOURCE_H
#define GK_CUDA_SOURCE_H

#include "cuda/grid.h"
#include "error.h"

/* *text ends with a 0 and is to be freed. */
enum gasket_status gk_cuda_source_make(char **text, const struct gk_nest *nest, const struct gk_grid *grid,
                                       struct gk_error *error);

#endif
