/* axes: places along a list of axes, taken in row-major order. */
#ifndef GK_AXES_H
#define GK_AXES_H

#include "gasket/gasket.h"

/* A dimension that the indexed, the plain and (in runs) the index tensor walk together. */
struct gk_axis {
    int64_t extent, indexed_stride, plain_stride, index_stride;
};

int64_t gk_magnitude(int64_t stride);
int64_t gk_axes_product(const struct gk_axis *axes, int n);
/* Drops extents of 1 and merges each axis into its outer neighbour where all strides allow it. Returns how many stay.
 */
int gk_axes_squeeze(struct gk_axis *axes, int n);

/* Where one point of the axes lies on each side, in bytes from the point of zeros. */
struct gk_place {
    const struct gk_axis *axes;
    int n;
    int64_t indexed, plain, index;
    int64_t point[GASKET_MAX_RANK];
};

/* The point with the row-major number `number`. */
void gk_place_set(struct gk_place *place, const struct gk_axis *axes, int n, int64_t number);
/* On to the next point; from the last one to the first. */
void gk_place_next(struct gk_place *place);

#endif
