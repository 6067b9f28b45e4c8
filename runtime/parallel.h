/* parallel: ranges of work on the caller's parallel-for, or on OpenMP. */
#ifndef GK_PARALLEL_H
#define GK_PARALLEL_H

#include "gasket/gasket.h"

struct gk_parallel {
    int threads; /* at least 1 */
    gasket_parallel_for *run;
    void *user;
    int is_eager; /* for tests: shares out however little there is */
};

/* Runs body on [0, total): in ranges when there are several threads and more than one grain, or eager ones. */
void gk_parallel_run(const struct gk_parallel *parallel, int64_t total, int64_t grain,
                     void (*body)(void *, int64_t, int64_t), void *state);

/* The OpenMP default; without OpenMP it runs one range. */
gasket_parallel_for gk_openmp_for;
int gk_openmp_threads(void);

#endif
