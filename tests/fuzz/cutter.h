/* cutter: a parallel-for that cuts where no thread pool would: ranges of any length, in any order, one after the other,
 * or on threads of its own. What a kernel leaves to luck shows. */
#ifndef FUZZ_CUTTER_H
#define FUZZ_CUTTER_H

#include "gasket/gasket.h"
#include "random.h"

struct fuzz_cutter {
    struct fuzz_random random;
    int threads;
    int is_real; /* threads run the ranges */
};

/* `user` is the cutter. */
gasket_parallel_for fuzz_cut;

#endif
