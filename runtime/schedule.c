/* schedule: see schedule.h. */
#include "schedule.h"

enum {
    WORTH_THREADS = 256 << 10, /* bytes that a call moves before threads pay */
    GRAIN_BYTES = 16 << 10,    /* bytes of output that are best written by one thread */
    CACHED = 1 << 20,          /* bytes of an indexed tensor that need no prefetch */
    LINE = 64,
    LINES = 32
};

static int64_t at_least_one(int64_t value) {
    return value > 1 ? value : 1;
}

int gk_threads_pay(const struct gk_parallel *parallel, int64_t bytes) {
    return parallel->threads > 1 && (bytes >= WORTH_THREADS || parallel->is_eager);
}

int64_t gk_grain(const struct gk_parallel *parallel, int64_t unit_bytes) {
    return parallel->is_eager ? 1 : at_least_one(GRAIN_BYTES / at_least_one(unit_bytes));
}

int64_t gk_prefetch_distance(const struct gk_tensor *indexed, int64_t row_bytes) {
    const struct gk_span span = gk_tensor_span(indexed);
    const int64_t rows = LINES / at_least_one((row_bytes + LINE - 1) / LINE);
    return span.end - span.begin <= CACHED ? 0 : rows < 2 ? 2 : rows;
}
