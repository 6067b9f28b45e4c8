/* plan_cost: nanoseconds of the smallest calls. Usage: plan_cost [ROUNDS]
 * Gathers one row of 64 bytes from a table of 1000 rows: by a plan, by a plan with other data, and by name. Prints the
 * median over the rounds of the mean of 20,000 calls each, as one JSON object. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "problem.h"

enum { ROWS = 1000, WIDTH = 16, CALLS = 20000, MOST_ROUNDS = 101 };

struct work {
    gasket_context *context;
    gasket_plan *plan;
    struct gasket_argument arguments[3];
    void *data[3];
};

static int run_plan(struct work *work) {
    return (int)gasket_plan_run(work->plan, NULL, 0);
}

static int run_moved(struct work *work) {
    return (int)gasket_plan_run(work->plan, work->data, 3);
}

static int run_call(struct work *work) {
    return (int)gasket_call(work->context, "gather", work->arguments, 3);
}

static double measure(int (*run)(struct work *), struct work *work, int rounds, int *failed) {
    double times[MOST_ROUNDS];
    for (int r = 0; r < rounds; r++) {
        double start = bench_now();
        for (int i = 0; i < CALLS; i++)
            *failed |= run(work);
        times[r] = (bench_now() - start) / CALLS * 1e9;
    }
    return bench_median(times, rounds);
}

int main(int argc, char **argv) {
    static float table[ROWS][WIDTH], row[1][WIDTH];
    int64_t table_shape[] = {ROWS, WIDTH}, row_shape[] = {1, WIDTH}, index_shape[] = {1}, index[] = {617};
    DLTensor params = {table, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, table_shape, NULL, 0};
    DLTensor indices = {index, {kDLCPU, 0}, 1, {kDLInt, 64, 1}, index_shape, NULL, 0};
    DLTensor out = {row, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, row_shape, NULL, 0};
    struct work work = {.data = {table, index, row}};
    int rounds = argc > 1 ? atoi(argv[1]) : 21;
    rounds = rounds < 1 ? 1 : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
    work.arguments[0] = gasket_tensor("params", &params);
    work.arguments[1] = gasket_tensor("indices", &indices);
    work.arguments[2] = gasket_tensor("out", &out);
    int failed = (int)gasket_context_create(NULL, &work.context) ||
                 (int)gasket_plan_create(work.context, "gather", work.arguments, 3, &work.plan);
    if (!failed) {
        double plan = measure(run_plan, &work, rounds, &failed), moved = measure(run_moved, &work, rounds, &failed);
        double call = measure(run_call, &work, rounds, &failed);
        printf("{\"plan_ns\": %.1f, \"plan_moved_ns\": %.1f, \"call_ns\": %.1f}\n", plan, moved, call);
    }
    gasket_plan_destroy(work.plan);
    gasket_context_destroy(work.context);
    return failed ? 1 : 0;
}
