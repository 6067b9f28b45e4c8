/* bounds: the check of index values from coordinates, and the one place that words its message. */
#ifndef GK_BOUNDS_H
#define GK_BOUNDS_H

#include "problem.h"

/* Value `component` of the tuple at `position` (row-major number over the index tensor's dimensions without the tuple
 * dimension) of the index tensor of lookup access `lookup`. 64-bit unsigned indices above INT64_MAX come as INT64_MIN,
 * which is no coordinate in any mode that reports. */
int64_t gk_index_value(const struct gk_problem *problem, uint8_t lookup, int64_t position, int64_t component);

/* Whether the bounds mode makes an index out of bounds an error: error, and from_end without a fill value. */
int gk_bounds_reports(const struct gk_problem *problem);

/* Fails with OUT_OF_BOUNDS at the first bad position, row-major, of the first lookup that has one; each coordinate is
 * compared with its own dimension. In modes that do not report, OK at once. */
enum gasket_status gk_bounds_check(const struct gk_problem *problem, struct gk_error *error);

/* OUT_OF_BOUNDS with the message for that position. A tuple: "indices[1] = [1,-1] does not index into params of shape
 * [3,4]"; a single coordinate: "indices[0,1] = 5 is not in [0, 4)", with from_end "[-4, 4)"; in a sum of subscripts
 * "start[0] = 2: 2 + 2 = 4 is not in [0, 4)". */
enum gasket_status gk_bounds_fail(const struct gk_problem *problem, uint8_t lookup, int64_t position,
                                  struct gk_error *error);

#endif
