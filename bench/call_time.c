/* call_time: call-time kernels against what serves without them. Usage: call_time [ROUNDS [PART OF A SHAPE]]
 * Unusual shapes against the ahead-of-time kernels that would serve, then formulas without such kernels against the
 * interpreter. Both run in turn on the same memory, one thread; printed is the median over the rounds of other /
 * call-time, above 1 the call-time kernel is faster, and at last the geometric mean and the least. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"
#include "shapes.h"

enum { MOST_ROUNDS = 101 };

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
