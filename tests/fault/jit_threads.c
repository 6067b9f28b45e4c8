/* jit_threads: call-time kernels asked for by many threads at once: one compilation for each key and context, right
 * results throughout, and kernels that are held while others go. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/faked.h"

enum { MANY = 64, MOST_CONTEXTS = 4, TIMES = 20 };

/* ---- Threads that do the same ---- */

struct crowd {
    gasket_context *contexts[MOST_CONTEXTS];
    int n_contexts;
    const char *jit;
    pthread_barrier_t start;
    void (*act)(struct crowd *crowd, int thread);
    _Atomic int next, wrong, ended, stops;
    gasket_plan *plan;
    struct fake *fake;
};

static void *join_crowd(void *state) {
    struct crowd *crowd = state;
    const int thread = atomic_fetch_add(&crowd->next, 1);
    pthread_barrier_wait(&crowd->start);
    crowd->act(crowd, thread);
    atomic_fetch_add(&crowd->ended, 1);
    return NULL;
}

static void gather_crowd(struct crowd *crowd, int n, void (*act)(struct crowd *crowd, int thread)) {
    pthread_t threads[MANY];
    crowd->act = act;
    pthread_barrier_init(&crowd->start, NULL, (unsigned)n);
    for (int i = 0; i < n; i++)
        if (pthread_create(&threads[i], NULL, join_crowd, crowd)) give_up("no thread");
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&crowd->start);
}

static struct crowd open_crowd(int n_contexts, const struct gasket_options *options) {
    struct crowd crowd = {.n_contexts = n_contexts, .fake = fake_load()};
    for (int i = 0; i < n_contexts; i++)
        crowd.contexts[i] = context_open(options);
    return crowd;
}

static void close_crowd(struct crowd *crowd) {
    for (int i = 0; i < crowd->n_contexts; i++)
        gasket_context_destroy(crowd->contexts[i]);
}

static const struct gasket_options plain = {.jit_calls = 1, .cache = ""};

/* ---- One key ---- */

static void call_one(struct crowd *crowd, int thread) {
    gasket_context *context = crowd->contexts[thread % crowd->n_contexts];
    for (int i = 0; i < TIMES; i++)
        atomic_fetch_add(&crowd->wrong, !job_try(context, 1, crowd->jit));
}

static void check_one(const char *jit, int n_contexts) {
    struct crowd crowd = open_crowd(n_contexts, &plain);
    crowd.jit = jit;
    gather_crowd(&crowd, MANY, call_one);
    for (int i = 0; i < n_contexts; i++)
        check(job_prepare(crowd.contexts[i], 1), "%s: the kernel is not ready in the end", jit);
    check(crowd.wrong == 0, "%s: %d of %d calls went wrong", jit, crowd.wrong, MANY * TIMES);
    check(crowd.fake->compiles == n_contexts, "%s: %d compilations for %d contexts", jit, crowd.fake->compiles,
          n_contexts);
    for (int i = 0; i < n_contexts; i++) {
        const struct gasket_counters counters = counters_of(crowd.contexts[i]);
        check(counters.jit_compiled == 1 && counters.jit_failed == 0 && counters.jit_kernels == 1,
              "%s: context %d compiled %d, failed %d", jit, i, (int)counters.jit_compiled, (int)counters.jit_failed);
        check(counters.jit + counters.general == MANY / (unsigned)n_contexts * TIMES + 1, "%s: %d and %d calls", jit,
              (int)counters.jit, (int)counters.general);
    }
    close_crowd(&crowd);
}

static void ask_sync(void) {
    check_one("sync", 1);
}
static void ask_async(void) {
    check_one("async", 1);
}
static void ask_several(void) {
    check_one("sync", MOST_CONTEXTS);
}
static void ask_several_later(void) {
    check_one("async", MOST_CONTEXTS);
}

/* Some wait while it is compiled, some go on with another tier. */
static void call_mixed(struct crowd *crowd, int thread) {
    static const char *const words[] = {"sync", "async", "off"};
    atomic_fetch_add(&crowd->wrong, !job_try(crowd->contexts[0], 1, words[thread % 3]));
}

static void ask_while_held(void) {
    struct crowd crowd = open_crowd(1, &plain);
    atomic_store(&crowd.fake->held, 1);
    release_later(&crowd.fake->held, 20);
    gather_crowd(&crowd, MANY, call_mixed);
    check(crowd.wrong == 0 && crowd.fake->compiles == 1, "%d went wrong, %d compilations", crowd.wrong,
          crowd.fake->compiles);
    close_crowd(&crowd);
}

static void ask_required(void) {
    struct crowd crowd = open_crowd(1, &plain);
    struct job job;
    crowd.jit = "require";
    job_start(&job, 1);
    check(job_call(&job, crowd.contexts[0], "require") == GASKET_UNAVAILABLE, "a kernel out of nowhere");
    check(job_prepare(crowd.contexts[0], 1), "not prepared");
    gather_crowd(&crowd, MANY, call_one);
    const struct gasket_counters counters = counters_of(crowd.contexts[0]);
    check(crowd.wrong == 0 && crowd.fake->compiles == 1, "%d went wrong, %d compilations", crowd.wrong,
          crowd.fake->compiles);
    check(counters.jit == MANY * TIMES + 1 && counters.general == 0, "%d calls by the kernel", (int)counters.jit);
    close_crowd(&crowd);
}

/* ---- Many keys ---- */

enum { KEYS = 20, CALLERS = 16 };

static void call_many(struct crowd *crowd, int thread) {
    for (int i = 0; i < KEYS; i++)
        atomic_fetch_add(&crowd->wrong, !job_try(crowd->contexts[0], (thread * 7 + i * 3) % KEYS, crowd->jit));
}

static void ask_many(void) {
    struct crowd crowd = open_crowd(1, &plain);
    crowd.jit = "sync";
    gather_crowd(&crowd, CALLERS, call_many);
    check(crowd.wrong == 0 && crowd.fake->compiles == KEYS, "%d went wrong, %d compilations of %d", crowd.wrong,
          crowd.fake->compiles, KEYS);
    close_crowd(&crowd);
}

/* Fewer are kept than are used, so that each comes and goes all the time. */
static void ask_too_many(void) {
    const struct gasket_options options = {.jit_calls = 1, .jit_kernels = 3};
    struct crowd crowd = open_crowd(1, &options);
    for (int i = 0; i < 2; i++) {
        crowd.jit = i ? "async" : "sync";
        crowd.next = 0;
        gather_crowd(&crowd, CALLERS, call_many);
    }
    const struct gasket_counters counters = counters_of(crowd.contexts[0]);
    check(crowd.wrong == 0 && counters.jit_evicted > 0, "%d went wrong, %d were evicted", crowd.wrong,
          (int)counters.jit_evicted);
    close_crowd(&crowd);
}

/* ---- Plans hold their kernels ---- */

static void run_or_disturb(struct crowd *crowd, int thread) {
    enum { RUNS = 300, RUNNERS = 4, OTHERS = 40 };
    struct job job;
    job_start(&job, 1);
    void *const data[] = {job.table_data, job.indices_data, job.out_data};
    if (thread >= RUNNERS) {
        for (int i = 0; i < OTHERS; i++)
            atomic_fetch_add(&crowd->wrong, !job_try(crowd->contexts[0], 2 + thread * OTHERS + i, "sync"));
        atomic_store(&crowd->stops, 1);
        return;
    }
    for (int i = 0; i < RUNS || !atomic_load(&crowd->stops); i++)
        atomic_fetch_add(&crowd->wrong, gasket_plan_run(crowd->plan, data, 3) != GASKET_OK || !job_is_right(&job));
}

static void hold_kernel(void) {
    enum { THREADS = 6 };
    const struct gasket_options options = {.jit = "sync", .jit_kernels = 1, .cache = ""};
    struct crowd crowd = open_crowd(1, &options);
    struct gasket_report report;
    struct job job;
    job_start(&job, 1);
    if (job_plan(&job, crowd.contexts[0], NULL, &crowd.plan)) give_up("no plan");
    gather_crowd(&crowd, THREADS, run_or_disturb);
    gasket_plan_report(crowd.plan, &report);
    struct gasket_counters counters = counters_of(crowd.contexts[0]);
    check(crowd.wrong == 0, "%d runs went wrong", crowd.wrong);
    check(report.tier[0] == 'j' && counters.general == 0, "the plan's tier is %s; %d calls by others", report.tier,
          (int)counters.general);
    check(counters.jit_evicted >= 70 && counters.jit_kernels <= 3, "%d evicted, %d are kept", (int)counters.jit_evicted,
          (int)counters.jit_kernels);
    check(job_try(crowd.contexts[0], 1, "require"), "the plan's kernel is not found");
    gasket_plan_destroy(crowd.plan);
    job_try(crowd.contexts[0], 500, "sync");
    counters = counters_of(crowd.contexts[0]);
    check(counters.jit_kernels == 1, "%d kernels are kept after all", (int)counters.jit_kernels);
    close_crowd(&crowd);
}

/* Kernels beyond the limit go as soon as nobody holds them. */
static void let_go(void) {
    enum { PLANS = 30 };
    gasket_context *context = context_open(&(struct gasket_options){.jit = "sync", .jit_kernels = 2, .cache = ""});
    gasket_plan *plans[PLANS];
    struct job job;
    for (int i = 0; i < PLANS; i++) {
        job_start(&job, i);
        if (job_plan(&job, context, NULL, &plans[i])) give_up("no plan");
    }
    check(counters_of(context).jit_kernels == PLANS, "%d kernels", (int)counters_of(context).jit_kernels);
    for (int i = 0; i < PLANS; i++)
        gasket_plan_destroy(plans[i]);
    check(counters_of(context).jit_kernels <= 2, "%d kernels are kept", (int)counters_of(context).jit_kernels);
    gasket_context_destroy(context);
}

/* ---- Looking on ---- */

static void look_on(struct crowd *crowd, int thread) {
    static _Thread_local char text[16384];
    struct gasket_report report;
    struct gasket_cache_info info;
    for (int i = 0; i < KEYS; i++) {
        struct job job;
        gasket_plan *plan;
        job_start(&job, i);
        if (job_plan(&job, crowd->contexts[0], thread % 2 ? "async" : "sync", &plan)) {
            atomic_fetch_add(&crowd->wrong, 1);
            continue;
        }
        gasket_plan_report(plan, &report);
        gasket_plan_explain(plan, text, sizeof text, NULL);
        counters_of(crowd->contexts[0]);
        gasket_cache_describe(crowd->contexts[0], &info);
        atomic_fetch_add(&crowd->wrong, gasket_plan_run(plan, NULL, 0) != GASKET_OK || !job_is_right(&job));
        gasket_plan_destroy(plan);
    }
}

static void look_at_all(void) {
    const struct gasket_options options = {.jit_calls = 1, .jit_kernels = 8};
    struct crowd crowd = open_crowd(1, &options);
    gather_crowd(&crowd, 8, look_on);
    check(crowd.wrong == 0, "%d went wrong", crowd.wrong);
    close_crowd(&crowd);
}

/* ---- Contexts that come and go ---- */

static void come_and_go(struct crowd *crowd, int thread) {
    for (int i = 0; i < 10; i++) {
        gasket_context *context = context_of(i % 2 ? "sync" : "async");
        atomic_fetch_add(&crowd->wrong, !job_try(context, thread % 4, NULL));
        gasket_context_destroy(context);
    }
}

static void many_contexts(void) {
    struct crowd crowd = open_crowd(0, &plain);
    gather_crowd(&crowd, CALLERS, come_and_go);
    check(crowd.wrong == 0, "%d went wrong", crowd.wrong);
}

int main(void) {
    scenario("64 threads ask for one kernel at once", ask_sync);
    scenario("64 threads ask for one kernel in the background", ask_async);
    scenario("64 threads of four contexts ask at once", ask_several);
    scenario("64 threads of four contexts ask in the background", ask_several_later);
    scenario("64 threads by several policies while it is compiled", ask_while_held);
    scenario("64 threads require a kernel that is prepared", ask_required);
    scenario("16 threads ask for 20 kernels", ask_many);
    scenario("16 threads ask for 20 kernels, of which 3 are kept", ask_too_many);
    scenario("threads run a plan whose kernel would be evicted", hold_kernel);
    scenario("plans that end", let_go);
    scenario("threads that explain, report and count", look_at_all);
    scenario("contexts that come and go", many_contexts);
    return scenarios_finish();
}
