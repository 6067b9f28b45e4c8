/* axes: places along a list of axes, taken in row-major order. */
#ifndef GK_AXES_H
#define GK_AXES_H

#include "fold.h"

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
