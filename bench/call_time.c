/* call_time: call-time kernels against what serves without them. Usage: call_time [ROUNDS [PART OF A SHAPE]]
 * Unusual shapes against the ahead-of-time kernels that would serve, then formulas without such kernels against the
 * interpreter. Both run in turn on the same memory, one thread; printed is the median over the rounds of other /
 * call-time, above 1 the call-time kernel is faster, and at last the geometric mean and the least. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"

static const char *const shapes[] = {
    /* rows of odd lengths */
    "gather params=u8[4096,7] indices=i32[50000]<4096",
    "gather params=f16[4096,5] indices=i32[50000]<4096",
    "gather params=f32[4096,7] indices=i64[50000]<4096",
    "gather params=f32[4096,9] indices=i32[50000]<4096",
    "gather params=f16[4096,25] indices=i32[50000]<4096",
    "gather params=f32[4096,25] indices=i64[50000]<4096",
    "gather params=bf16[2048,80] indices=i32[20000]<2048",
    "gather params=f64[1024,25] indices=i32[20000]<1024",
    "gather params=f32[1024,75] indices=i32[10000]<1024",
    "gather params=u8[256,1000] indices=i32[5000]<256",
    "gather params=f8_e4m3fn[4096,13] indices=i32[50000]<4096",
    "gather params=i4[4096,26] indices=i32[50000]<4096",
    "gather params=f32[2000000,25] indices=i32[50000]<2000000",
    /* rows that do not fold */
    "gather params=f32[4096,8]{16,2} indices=i32[20000]<4096",
    "gather params=f32[2048,4,8]{64,16,1} indices=i32[20000]<2048",
    "gather params=f32[2000,3,5]{64,20,4} indices=i32[20000]<2000",
    "gather params=f32[4096,6]{1,4096} indices=i32[20000]<4096",
    "gather params=u8[1024,4,6,3]{512,128,20,6} indices=i32[10000]<1024",
    /* deep tuples */
    "gather_nd params=f32[6,7,5,4,9] indices=i32[20000,5]<6,7,5,4,9",
    "gather_nd params=f32[4,5,6,7,3,8] indices=i64[20000,6]<4,5,6,7,3,8",
    "gather_nd params=f32[6,7,5,4,9,3] indices=i32[20000,5]<6,7,5,4,9",
    /* modes, batches, axes */
    "gather params=f32[4096,9] indices=i16[50000]<5000 bounds=clip",
    "gather params=f32[4096,7] indices=i32[50000]<4096 bounds=from_end",
    "gather params=f32[64,200,9] indices=i32[64,300]<200 batch_dims=1",
    "gather params=f32[64,100,7] indices=i32[50]<100 axis=1",
    /* scatters */
    "tensor_scatter tensor=f32[4096,7] indices=i32[20000,1]<4096 updates=f32[20000,7]",
    "tensor_scatter tensor=f32[4096,3] indices=i32[20000,1]<4096 updates=f32[20000,3] combine=add",
    "tensor_scatter tensor=f16[4096,7] indices=i32[20000,1]<4096 updates=f16[20000,7] combine=add",
    "tensor_scatter tensor=f64[4096,3] indices=i64[20000,1]<4096 updates=f64[20000,3] combine=max",
    "tensor_scatter tensor=f32[6,7,5,4,9] indices=i32[20000,5]<6,7,5,4,9 updates=f32[20000] combine=add",
    "tensor_scatter tensor=f32[2048,4,6] indices=i32[10000,1]<2048 updates=f32[10000,4,6]{48,12,2} combine=add",
};
static const char *const interpreted[] = {
    "take_along_axis params=f32[500,60] indices=i32[500,40]<60",
    "take_along_axis params=f64[200,30,8] indices=i64[200,30,8]<30 axis=1",
    "embedding_bag table=f32[1000,32] indices=i32[64,100]<1000 weights=f32[64,100]",
    "embedding_bag table=f16[1000,24] indices=i32[64,50]<1000 weights=f16[64,50]",
    "window_gather params=f32[64,500,4] start=i32[64]<400 window=[50]",
    "blend a=f32[200,64] b=f32[300,64] i=i32[400]<200 j=i32[400]<300 w=f32[400]",
};
enum {
    SHAPES = sizeof shapes / sizeof *shapes,
    INTERPRETED = sizeof interpreted / sizeof *interpreted,
    MOST_ROUNDS = 101
};

/* A formula of a user's. */
static const struct gasket_definition blend = {
    .size = sizeof blend,
    .name = "blend",
    .formula = "out[N, S] = a[i[N], S] * b[j[N], S] * w[N]",
    .ranks = "N = 1",
};

/* Seconds of one run, of as many as take about 2 ms. */
static double time_plan(const gasket_plan *plan, int runs) {
    const double began = bench_now();
    for (int i = 0; i < runs; i++)
        if (gasket_plan_run(plan, NULL, 0)) return NAN;
    return (bench_now() - began) / runs;
}

static int runs_for(const gasket_plan *plan) {
    const double once = time_plan(plan, 3);
    return once > 2e-3 ? 1 : (int)(2e-3 / once) + 1;
}

static double compare(const gasket_plan *const *plans, int rounds, double *nanoseconds) {
    double ratios[MOST_ROUNDS], times[MOST_ROUNDS];
    const int runs = runs_for(plans[0]);
    for (int r = 0; r < rounds; r++) {
        const double first = time_plan(plans[r & 1], runs), second = time_plan(plans[!(r & 1)], runs);
        ratios[r] = r & 1 ? second / first : first / second;
        times[r] = r & 1 ? first : second;
    }
    *nanoseconds = bench_median(times, rounds) * 1e9;
    return bench_median(ratios, rounds);
}

static double measure(gasket_context *const *contexts, const char *line, int rounds) {
    struct bench_problem problem;
    gasket_plan *plans[2] = {NULL, NULL};
    double ratio = NAN, nanoseconds = 0;
    struct gasket_report report = {0};
    if (bench_problem_make(&problem, contexts[0], line)) return NAN;
    int failed = 0;
    for (int i = 0; i < 2 && !failed; i++) {
        failed =
            (int)gasket_plan_create(contexts[i], problem.operation, problem.arguments, problem.n_arguments, &plans[i]);
        if (failed) fprintf(stderr, "%s: %s\n", line, gasket_message(contexts[i]));
    }
    if (!failed) {
        ratio = compare((const gasket_plan *const *)plans, rounds, &nanoseconds);
        gasket_plan_report(plans[0], &report);
        printf("%6.2f  %9.0f ns  %s  (against %s)\n", ratio, nanoseconds, line, report.kernel);
    }
    for (int i = 0; i < 2; i++)
        gasket_plan_destroy(plans[i]);
    bench_problem_free(&problem);
    return ratio;
}

/* All shapes that have the part, and the sum of it. */
static int measure_all(const char *const *lines, int n_lines, const char *other, const char *part, int rounds) {
    const char *const tiers[] = {other, "jit"};
    gasket_context *contexts[2] = {NULL, NULL};
    double logarithms = 0, least = INFINITY;
    int n = 0, failed = 0;
    for (int i = 0; i < 2; i++) {
        struct gasket_options options = {
            .size = sizeof options, .threads = 1, .tier = tiers[i], .jit = "off", .cache = ""};
        failed |= (int)gasket_context_create(&options, &contexts[i]) || (int)gasket_define(contexts[i], &blend);
    }
    for (int s = 0; s < n_lines && !failed; s++) {
        const double ratio = strstr(lines[s], part) ? measure(contexts, lines[s], rounds) : NAN;
        if (isnan(ratio)) continue;
        logarithms += log(ratio);
        least = fmin(least, ratio);
        n++;
    }
    if (n) printf("%d of %d shapes: geometric mean %.2f, least %.2f\n", n, n_lines, exp(logarithms / n), least);
    for (int i = 0; i < 2; i++)
        gasket_context_destroy(contexts[i]);
    return n;
}

int main(int argc, char **argv) {
    const char *part = argc > 2 ? argv[2] : "";
    int rounds = argc > 1 ? atoi(argv[1]) : 31;
    rounds = rounds < 1 ? 1 : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
    const int n = measure_all(shapes, SHAPES, NULL, part, rounds);
    return n + measure_all(interpreted, INTERPRETED, "interpreter", part, rounds) == 0;
}
