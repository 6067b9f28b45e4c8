/* parallel: the OpenMP way to run ranges. The only file that is compiled with OpenMP. */
#include "parallel.h"

void gk_parallel_run(const struct gk_parallel *parallel, int64_t total, int64_t grain,
                     void (*body)(void *, int64_t, int64_t), void *state) {
    if (parallel->threads > 1 && (total > grain || parallel->is_eager))
        parallel->run(parallel->user, total, grain, body, state);
    else
        body(state, 0, total);
}

#ifdef _OPENMP
#include <omp.h>

int gk_openmp_threads(void) {
    return omp_get_max_threads();
}

/* `user` is the context's gk_parallel. Each thread takes one contiguous range, cut at a multiple of the grain. */
void gk_openmp_for(void *user, int64_t total, int64_t grain, void (*body)(void *, int64_t, int64_t), void *state) {
    const struct gk_parallel *parallel = user;
    int64_t grains = (total + grain - 1) / grain;
    int threads = grains < parallel->threads ? (int)grains : parallel->threads;
    if (threads <= 1) {
        body(state, 0, total);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        int64_t n = omp_get_num_threads(), t = omp_get_thread_num();
        int64_t begin = grains * t / n * grain, end = grains * (t + 1) / n * grain;
        if (end > total) end = total;
        if (begin < end) body(state, begin, end);
    }
}

#else

int gk_openmp_threads(void) {
    return 1;
}

void gk_openmp_for(void *user, int64_t total, int64_t grain, void (*body)(void *, int64_t, int64_t), void *state) {
    (void)user;
    (void)grain;
    body(state, 0, total);
}

#endif
