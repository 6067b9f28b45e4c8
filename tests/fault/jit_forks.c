/* jit_forks: processes that fork while kernels are ready, are compiled, and wait: parent and child both go on. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/faked.h"

static struct fake *fake;
static gasket_context *context;

/* ---- One thread forks ---- */

static void go_on_in_child(void) {
    struct job job;
    check(job_try(context, 1, "require"), "a kernel that was ready");
    check(counters_of(context).jit_kernels == 4, "%d kernels", (int)counters_of(context).jit_kernels);
    check(job_try(context, 2, "sync") && job_try(context, 3, "sync"), "kernels that were asked for");
    check(job_try(context, 10, "sync") && job_try(context, 10, "require"), "a new kernel");
    check(job_try(context, 11, "async") && job_prepare(context, 11), "a new kernel in the background");
    job_start(&job, 2);
    check(job_call(&job, context, "require") == GASKET_OK && job_is_right(&job), "a kernel that was asked for");
    gasket_context_destroy(context);
    gasket_context *other = context_of("sync");
    check(job_try(other, 12, NULL) && counters_of(other).jit == 1, "another context");
    gasket_context_destroy(other);
    exit(finish());
}

static void fork_while_compiling(void) {
    fake = fake_load();
    /* Without a cache, in which parent and child would find each other's kernels. */
    context = context_open(&(struct gasket_options){.jit = "async", .jit_calls = 1, .cache = ""});
    check(job_prepare(context, 1), "prepare");
    fake->held = 1;
    for (int i = 2; i <= 4; i++)
        check(job_try(context, i, NULL), "job %d", i);
    wait_for(&fake->inside, 1);
    release_later(&fake->held, 20);
    const int status = child_status(go_on_in_child);
    check(status == 0, "the child ended with %x", (unsigned)status);
    for (int i = 2; i <= 4; i++)
        check(job_prepare(context, i) && job_try(context, i, "require"), "job %d in the parent", i);
    check(job_try(context, 20, "sync"), "a new kernel in the parent");
    check(counters_of(context).jit_compiled == 5, "%d were compiled", (int)counters_of(context).jit_compiled);
    gasket_context_destroy(context);
}

static void fork_again(void) {
    check(job_try(context, 1, "require") && job_try(context, 2, "sync"), "a grandchild's calls");
    exit(finish());
}

static void fork_in_child(void) {
    const int status = child_status(fork_again);
    check(status == 0 && job_try(context, 3, "sync"), "the grandchild ended with %x", (unsigned)status);
    gasket_context_destroy(context);
    exit(finish());
}

static void fork_twice(void) {
    fake = fake_load();
    context = context_of("async");
    check(job_prepare(context, 1), "prepare");
    const int status = child_status(fork_in_child);
    check(status == 0, "the child ended with %x", (unsigned)status);
    gasket_context_destroy(context);
}

/* ---- Many threads fork while others compile ---- */

enum { FORKERS = 3, FORKS = 15, BUSY = 2 };
static _Atomic int stops, wrong;

/* Those who fork end without the handlers of the parent's threads. */
static void call_in_child(void) {
    const int is_right = job_try(context, 1, "require") && job_try(context, 2, "sync") && job_try(context, 3, "async");
    gasket_context_destroy(context);
    _exit(!is_right);
}

static void *fork_often(void *unused) {
    for (int i = 0; i < FORKS; i++) {
        const pid_t child = fork();
        int status = 0;
        if (child == 0) {
            alarm(30);
            call_in_child();
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) atomic_fetch_add(&wrong, 1);
    }
    return unused;
}

static void *compile_often(void *first) {
    int number = *(int *)first;
    while (!atomic_load(&stops)) {
        atomic_fetch_add(&wrong, !job_try(context, number % JOBS, "sync"));
        number++;
    }
    return NULL;
}

static void fork_often_with(const char *observer) {
    pthread_t forkers[FORKERS], busy[BUSY];
    int firsts[BUSY] = {100, 5000};
    if (sanitizer()) scenario_skip("the sanitizer's own locks are not for forks of many threads");
    alarm(60);
    fake = fake_load();
    context =
        context_open(&(struct gasket_options){.jit_calls = 1, .jit_kernels = 8, .cache = "", .observer = observer});
    check(job_prepare(context, 1), "prepare");
    gasket_plan *plan;
    struct job job;
    job_start(&job, 1);
    if (job_plan(&job, context, NULL, &plan)) give_up("no plan");
    for (int i = 0; i < BUSY; i++)
        if (pthread_create(&busy[i], NULL, compile_often, &firsts[i])) give_up("no thread");
    for (int i = 0; i < FORKERS; i++)
        if (pthread_create(&forkers[i], NULL, fork_often, NULL)) give_up("no thread");
    for (int i = 0; i < FORKERS; i++)
        pthread_join(forkers[i], NULL);
    atomic_store(&stops, 1);
    for (int i = 0; i < BUSY; i++)
        pthread_join(busy[i], NULL);
    check(wrong == 0, "%d children or calls went wrong", wrong);
    check(job_try(context, 9000, "sync"), "the parent goes on");
    gasket_plan_destroy(plan);
    gasket_context_destroy(context);
}

static void fork_often_plainly(void) {
    fork_often_with("none");
}
static void fork_often_observed(void) {
    fork_often_with("gdb");
}

/* While the plug-in is looked for and opened. */
static void *call_first(void *unused) {
    atomic_fetch_add(&wrong, !job_try(context, 1, "sync"));
    return unused;
}

static void first_in_child(void) {
    alarm(30);
    _exit(!(job_try(context, 1, "sync") && job_try(context, 2, "sync") && counters_of(context).jit > 0));
}

static void fork_at_first(void) {
    pthread_t thread;
    int status = 0;
    if (sanitizer()) scenario_skip("the sanitizer's own locks are not for forks of many threads");
    context = context_of("sync");
    if (pthread_create(&thread, NULL, call_first, NULL)) give_up("no thread");
    const pid_t child = fork();
    if (child == 0) first_in_child();
    if (child < 0 || waitpid(child, &status, 0) != child) give_up("no child");
    pthread_join(thread, NULL);
    check(status == 0 && wrong == 0, "the child ended with %x; %d calls went wrong", (unsigned)status, wrong);
    gasket_context_destroy(context);
}

int main(void) {
    if (sanitizer() && strcmp(sanitizer(), "thread") == 0) {
        puts("SKIP: ThreadSanitizer starts no threads in the child of a process with threads");
        return 77;
    }
    scenario("fork while a kernel is compiled and others wait", fork_while_compiling);
    scenario("fork in the child of a fork", fork_twice);
    scenario("three threads fork while two compile", fork_often_plainly);
    scenario("three threads fork while two compile, observed by gdb", fork_often_observed);
    for (int i = 0; i < 5; i++)
        scenario("fork while the plug-in is loaded", fork_at_first);
    return scenarios_finish();
}
