/* same_text: call-time kernels against Clang's of the same text. Usage: same_text FOLDER HEADERS [ROUNDS [PART]]
 * FOLDER is written to; HEADERS is the folder that holds abi/; CLANG names the compiler. Both functions run in turn in
 * this process on the same memory, one thread, without the check of indices. Printed is the median over the rounds of
 * Clang's time / the call-time kernel's, and at last the geometric mean and the least. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/compiler.h"
#include "bench/problem.h"
#include "bench/shapes.h"
#include "plan.h"

enum { MOST_ROUNDS = 101, PATH = 512 };

struct files {
    char source[PATH], library[PATH], include[PATH];
};

/* Clang's kernel, or NULL; *library is to be closed. */
static gasket_nest_fn *build(const gasket_plan *plan, struct files *files, void **library) {
    gasket_nest_fn *run = NULL;
    if (gasket_plan_stage(plan, GASKET_STAGE_SOURCE, bench_write_file, files->source)) return NULL;
    if (isnan(bench_compile(bench_clang(), files->include, files->source, files->library))) return NULL;
    *library = dlopen(files->library, RTLD_NOW | RTLD_LOCAL);
    void *found = *library ? dlsym(*library, GASKET_NEST_RUN) : NULL;
    memcpy(&run, &found, sizeof run);
    return run;
}

static double time_runs(gasket_nest_fn *run, const struct gasket_nest_call *call, int64_t count, int runs) {
    const double began = bench_now();
    for (int i = 0; i < runs; i++)
        run(call, 0, count);
    return (bench_now() - began) / runs;
}

static double compare(gasket_nest_fn *const functions[2], const struct gasket_plan *plan, int rounds) {
    char *data[GASKET_MAX_TENSORS];
    struct gasket_nest_call call;
    double ratios[MOST_ROUNDS];
    for (int t = 0; t < plan->problem.operation->formula.n_tensors; t++)
        data[t] = plan->problem.tensors[t].data;
    gk_nest_call(&call, &plan->nest, data);
    time_runs(functions[1], &call, plan->nest.count, 3);
    const double once = time_runs(functions[0], &call, plan->nest.count, 3);
    const int runs = once > 2e-3 ? 1 : (int)(2e-3 / once) + 1;
    for (int r = 0; r < rounds; r++) {
        const double first = time_runs(functions[r & 1], &call, plan->nest.count, runs);
        const double second = time_runs(functions[!(r & 1)], &call, plan->nest.count, runs);
        ratios[r] = r & 1 ? first / second : second / first;
    }
    return bench_median(ratios, rounds);
}

static double measure(gasket_context *context, const char *line, struct files *files, int rounds) {
    struct bench_problem problem;
    gasket_plan *plan = NULL;
    void *library = NULL;
    double ratio = NAN;
    if (bench_problem_make(&problem, context, line)) return NAN;
    if (gasket_plan_create(context, problem.operation, problem.arguments, problem.n_arguments, &plan))
        fprintf(stderr, "%s: %s\n", line, gasket_message(context));
    gasket_nest_fn *const theirs = plan ? build(plan, files, &library) : NULL;
    if (theirs) {
        gasket_nest_fn *const functions[2] = {plan->jit->run, theirs};
        ratio = compare(functions, plan, rounds);
        printf("%6.3f  %s\n", ratio, line);
    }
    if (library) dlclose(library);
    gasket_plan_destroy(plan);
    bench_problem_free(&problem);
    return ratio;
}

static int measure_all(gasket_context *context, const char *const *lines, int n_lines, const char *part,
                       struct files *files, int rounds) {
    double logarithms = 0, least = INFINITY;
    int n = 0;
    for (int s = 0; s < n_lines; s++) {
        const double ratio = strstr(lines[s], part) ? measure(context, lines[s], files, rounds) : NAN;
        if (isnan(ratio)) continue;
        logarithms += log(ratio);
        least = fmin(least, ratio);
        n++;
    }
    if (n) printf("%d of %d shapes: geometric mean %.3f, least %.3f\n", n, n_lines, exp(logarithms / n), least);
    return n;
}

int main(int argc, char **argv) {
    const struct gasket_options options = {.size = sizeof options, .threads = 1, .tier = "jit", .cache = ""};
    struct files files;
    gasket_context *context;
    if (argc < 3) {
        fprintf(stderr, "usage: same_text FOLDER HEADERS [ROUNDS [PART OF A SHAPE]]\n");
        return 2;
    }
    int rounds = argc > 3 ? atoi(argv[3]) : 31;
    rounds = rounds < 1 ? 1 : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
    const char *part = argc > 4 ? argv[4] : "";
    mkdir(argv[1], 0700);
    snprintf(files.source, PATH, "%s/kernel.c", argv[1]);
    snprintf(files.library, PATH, "%s/kernel.so", argv[1]);
    snprintf(files.include, PATH, "-I%s", argv[2]);
    if (gasket_context_create(&options, &context) || gasket_define(context, &blend)) return 1;
    const int n = measure_all(context, shapes, SHAPES, part, &files, rounds) +
                  measure_all(context, interpreted, INTERPRETED, part, &files, rounds);
    gasket_context_destroy(context);
    return n == 0;
}
