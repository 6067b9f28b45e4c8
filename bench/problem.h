/* problem: one call as a line of text, with memory and values for its tensors.
 *     gather params=f32[4096,9] indices=i32[20000]<4096 axis=0
 * A tensor is dtype[shape], {strides in elements} where it is not compact, and for indices <bounds: values are drawn
 * below them, one bound for each value of a tuple. Other arguments are integers, lists [1,2] or words. The output may
 * be given; where it is not, it is compact. */
#ifndef BENCH_PROBLEM_H
#define BENCH_PROBLEM_H

#include "gasket/gasket.h"

enum { BENCH_TENSORS = 6, BENCH_ARGUMENTS = 12, BENCH_RANK = 8 };

struct bench_tensor {
    DLTensor tensor;
    int64_t shape[BENCH_RANK], strides[BENCH_RANK], bounds[BENCH_RANK];
    int n_bounds;
    void *memory;
    size_t bytes;
};

struct bench_problem {
    char operation[32], names[BENCH_ARGUMENTS][32], words[BENCH_ARGUMENTS][32];
    int64_t lists[BENCH_ARGUMENTS][BENCH_RANK];
    struct bench_tensor tensors[BENCH_TENSORS];
    struct gasket_argument arguments[BENCH_ARGUMENTS];
    size_t n_tensors, n_arguments;
    size_t out; /* the tensor that is written */
};

/* 0, or -1 with a line on stderr. Values are small and the same for the same line. */
int bench_problem_make(struct bench_problem *problem, gasket_context *context, const char *line);
void bench_problem_free(struct bench_problem *problem);

double bench_now(void); /* seconds */
double bench_median(double *values, int n);

#endif
