/* schedule: when threads pay, how much each takes at a time, and how far ahead rows are fetched. */
#ifndef GK_SCHEDULE_H
#define GK_SCHEDULE_H

#include "parallel.h"
#include "tensor.h"

enum { GK_CHECK_GRAIN = 1 << 14 }; /* tuples whose bounds are best checked together */

/* Whether a call that moves so many bytes is shared among threads. */
int gk_threads_pay(const struct gk_parallel *parallel, int64_t bytes);

/* Units of so many bytes that are best kept together. */
int64_t gk_grain(const struct gk_parallel *parallel, int64_t unit_bytes);

/* Rows ahead: about 32 cache lines on their way, or 0 where the rows come from a cache near by. */
int64_t gk_prefetch_distance(const struct gk_tensor *indexed, int64_t row_bytes);

#endif
