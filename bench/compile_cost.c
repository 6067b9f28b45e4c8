/* compile_cost: what a call-time kernel costs until it can run. Usage: compile_cost FOLDER HEADERS [ROUNDS]
 * FOLDER is written to: a cache and source files. HEADERS is the folder that holds abi/. For each shape, in turn:
 * compiling it in this process (the compiler is loaded already), reading it from the cache, and `clang -O3 -c` and
 * `cc -O3 -shared` of the same text. Prints medians of the ratios, and what a run costs through each tier. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compiler.h"
#include "problem.h"

static const char *const shapes[] = {
    "gather params=f32[4096,9] indices=i32[5000]<4096",
    "gather params=f32[2048,4,8]{64,16,1} indices=i32[2000]<2048",
    "gather_nd params=f32[4,5,6,7,3,8] indices=i64[2000,6]<4,5,6,7,3,8",
    "gather params=f32[4096,7] indices=i32[5000]<4096 bounds=clip",
    "tensor_scatter tensor=f32[4096,7] indices=i32[2000,1]<4096 updates=f32[2000,7] combine=add",
    "take_along_axis params=f32[500,60] indices=i32[500,20]<60",
    "embedding_bag table=f32[1000,32] indices=i32[64,100]<1000 weights=f32[64,100]",
};
enum { SHAPES = sizeof shapes / sizeof *shapes, MOST_ROUNDS = 51, PATH = 512 };

struct paths {
    char cache[PATH], source[PATH], object[PATH], library[PATH], include[PATH];
};

static int make_plan(struct bench_problem *problem, const char *line, const char *cache, gasket_context **context,
                     gasket_plan **plan) {
    const struct gasket_options options = {.size = sizeof options, .threads = 1, .tier = "jit", .cache = cache};
    *plan = NULL;
    if (gasket_context_create(&options, context)) return -1;
    if (bench_problem_make(problem, *context, line)) return -1;
    if (!gasket_plan_create(*context, problem->operation, problem->arguments, problem->n_arguments, plan)) return 0;
    fprintf(stderr, "%s: %s\n", line, gasket_message(*context));
    return -1;
}

/* Milliseconds that a new context takes for the kernel; NAN when it does not get one as asked. */
static double prepare(const char *line, const char *cache, int is_cached) {
    struct bench_problem problem;
    gasket_context *context;
    gasket_plan *plan;
    struct gasket_report report = {0};
    double milliseconds = NAN;
    if (make_plan(&problem, line, cache, &context, &plan) == 0) {
        gasket_plan_report(plan, &report);
        if (report.jit_was_cached == is_cached) milliseconds = report.jit_milliseconds;
    }
    gasket_plan_destroy(plan);
    bench_problem_free(&problem);
    gasket_context_destroy(context);
    return milliseconds;
}

static int write_source(const char *line, struct paths *paths) {
    struct bench_problem problem;
    gasket_context *context;
    gasket_plan *plan;
    int failed = make_plan(&problem, line, "", &context, &plan);
    if (!failed) failed = (int)gasket_plan_stage(plan, GASKET_STAGE_SOURCE, bench_write_file, paths->source);
    gasket_plan_destroy(plan);
    bench_problem_free(&problem);
    gasket_context_destroy(context);
    return failed;
}

struct figures {
    double compile[MOST_ROUNDS], clang[MOST_ROUNDS], cc[MOST_ROUNDS], disk[MOST_ROUNDS];
};

static void measure(const char *line, struct paths *paths, int rounds) {
    const char *clang = bench_clang(), *cc = bench_cc();
    struct figures figures;
    if (write_source(line, paths)) {
        printf("%s: no source\n", line);
        return;
    }
    prepare(line, paths->cache, 0);
    double compile[MOST_ROUNDS];
    for (int r = 0; r < rounds; r++) {
        compile[r] = prepare(line, "", 0);
        figures.clang[r] = bench_compile(clang, paths->include, paths->source, paths->object) / compile[r];
        figures.cc[r] = bench_compile(cc, paths->include, paths->source, paths->library) / compile[r];
        figures.disk[r] = compile[r] / prepare(line, paths->cache, 1);
        figures.compile[r] = compile[r];
    }
    printf("%6.1f ms; %s -O3 -c %5.1f x, %s -O3 -shared %5.1f x, from disk 1 / %5.1f  %s\n",
           bench_median(figures.compile, rounds), clang, bench_median(figures.clang, rounds), cc,
           bench_median(figures.cc, rounds), bench_median(figures.disk, rounds), line);
}

/* ---- What a run costs ---- */

enum { RUNS = 20000 };

static double time_runs(const gasket_plan *plan) {
    const double began = bench_now();
    for (int i = 0; i < RUNS; i++)
        if (gasket_plan_run(plan, NULL, 0)) return NAN;
    return (bench_now() - began) / RUNS * 1e9;
}

/* The difference that the tier makes to the smallest of calls. */
static void measure_hits(int rounds) {
    const char *const line = "gather params=f32[1000,16] indices=i64[1]<1000", *const tiers[] = {"exact", "jit"};
    struct bench_problem problems[2];
    gasket_context *contexts[2];
    gasket_plan *plans[2] = {NULL, NULL};
    double differences[MOST_ROUNDS], times[MOST_ROUNDS];
    int failed = 0;
    for (int i = 0; i < 2; i++) {
        const struct gasket_options options = {.size = sizeof options, .threads = 1, .tier = tiers[i], .cache = ""};
        failed |= (int)gasket_context_create(&options, &contexts[i]) ||
                  bench_problem_make(&problems[i], contexts[i], line) ||
                  (int)gasket_plan_create(contexts[i], problems[i].operation, problems[i].arguments,
                                          problems[i].n_arguments, &plans[i]);
    }
    for (int r = 0; r < rounds && !failed; r++) {
        times[r] = time_runs(plans[0]);
        differences[r] = time_runs(plans[1]) - times[r];
    }
    if (!failed)
        printf("plan run of one row: exact ahead of time %.0f ns, call-time kernel in memory %+.0f ns\n",
               bench_median(times, rounds), bench_median(differences, rounds));
    for (int i = 0; i < 2; i++) {
        gasket_plan_destroy(plans[i]);
        bench_problem_free(&problems[i]);
        gasket_context_destroy(contexts[i]);
    }
}

int main(int argc, char **argv) {
    struct paths paths;
    int rounds = argc > 3 ? atoi(argv[3]) : 11;
    if (argc < 3) {
        fprintf(stderr, "usage: compile_cost FOLDER HEADERS [ROUNDS]\n");
        return 2;
    }
    rounds = rounds < 1 ? 1 : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
    mkdir(argv[1], 0700);
    snprintf(paths.cache, PATH, "%s/cache", argv[1]);
    snprintf(paths.source, PATH, "%s/kernel.c", argv[1]);
    snprintf(paths.object, PATH, "%s/kernel.o", argv[1]);
    snprintf(paths.library, PATH, "%s/kernel.so", argv[1]);
    snprintf(paths.include, PATH, "-I%s", argv[2]);
    measure_hits(rounds);
    for (int s = 0; s < SHAPES; s++)
        measure(shapes[s], &paths, rounds);
    return 0;
}
