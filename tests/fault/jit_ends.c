/* jit_ends: contexts that are destroyed and processes that end while a kernel is compiled, waits for the compiler, or
 * the compiler is opened: nothing crashes, hangs or is lost, and the status of the process is its own. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/faked.h"

enum { STATUS = 7, MOMENT = 20 };

static struct fake *fake;
static gasket_context *volatile kept; /* what a process ends with is no leak */

/* ---- Contexts ---- */

/* The first is being compiled, the others wait. */
static gasket_context *begin(int jobs) {
    fake = fake_load();
    fake->held = 1;
    gasket_context *context = context_open(&(struct gasket_options){.jit = "async", .jit_calls = 1, .cache = ""});
    kept = context;
    for (int i = 0; i < jobs; i++)
        check(job_try(context, i, NULL), "job %d", i);
    wait_for(&fake->inside, 1);
    return context;
}

static void destroy_while_compiling(void) {
    gasket_context *context = begin(1);
    release_later(&fake->held, MOMENT);
    gasket_context_destroy(context);
    check(fake->compiles == 1 && fake->inside == 0, "%d compilations, %d go on", fake->compiles, fake->inside);
}

static void destroy_while_waiting(void) {
    gasket_context *context = begin(300);
    release_later(&fake->held, MOMENT);
    gasket_context_destroy(context);
    check(fake->compiles == 1 && fake->inside == 0, "%d compilations, %d go on", fake->compiles, fake->inside);
}

static void destroy_at_once(void) {
    enum { TIMES = 100 };
    fake = fake_load();
    for (int i = 0; i < TIMES; i++) {
        gasket_context_destroy(context_of(i % 2 ? "sync" : "async"));
        gasket_context *context = context_of("async");
        check(job_try(context, i, NULL) && job_try(context, i + 1, NULL), "job %d", i);
        gasket_context_destroy(context);
    }
}

static void destroy_one_of_two(void) {
    gasket_context *other = begin(2), *context = context_of("async");
    check(job_try(context, 0, NULL) && job_try(context, 5, NULL), "a call");
    release_later(&fake->held, MOMENT);
    gasket_context_destroy(other);
    check(job_prepare(context, 0) && job_prepare(context, 5) && job_try(context, 5, "require"), "the other context");
    gasket_context_destroy(context);
}

/* A longer queue than is kept: what was dropped is asked for again. */
static void overfill(void) {
    enum { MANY = 600 };
    gasket_context *context = begin(MANY);
    fake->held = 0;
    for (int i = 0; i < MANY; i += 7)
        check(job_prepare(context, i), "job %d", i);
    check(fake->compiles < 2 * MANY, "%d compilations", fake->compiles);
    gasket_context_destroy(context);
}

/* ---- Processes ---- */

static void *call_sync(void *context) {
    struct job job;
    job_start(&job, 77);
    job_call(&job, context, "sync");
    return NULL;
}

static void go_on_compiling(int milliseconds) {
    begin(3);
    if (milliseconds > 0) release_later(&fake->held, milliseconds);
}

static void call_exit(void) {
    go_on_compiling(MOMENT);
    exit(STATUS);
}

static void call_exit_later(void) {
    go_on_compiling(1);
    usleep(3000);
    exit(STATUS);
}

static void call_quick_exit(void) {
    go_on_compiling(0);
    quick_exit(STATUS);
}

static void call_fast_exit(void) {
    go_on_compiling(0);
    _exit(STATUS);
}

static void exit_from_thread(void) {
    pthread_t thread;
    gasket_context *context = begin(1);
    if (pthread_create(&thread, NULL, call_sync, context)) give_up("no thread");
    pthread_detach(thread);
    release_later(&fake->held, MOMENT);
    usleep(2000);
    exit(STATUS);
}

static void exit_while_opening(void) {
    fake = fake_load();
    fake->open_held = 1;
    gasket_context *context = context_of("async");
    kept = context;
    check(job_try(context, 1, NULL), "a call");
    wait_for(&fake->opening, 1);
    release_later(&fake->open_held, MOMENT);
    exit(STATUS);
}

/* After the compiler's own handlers ran, nothing is compiled any more. */
static gasket_context *left;
static void ask_at_the_end(void) {
    struct job job;
    job_start(&job, 5);
    const int compiles = fake->compiles;
    if (job_call(&job, left, "sync") != GASKET_OK || !job_is_right(&job) || fake->compiles != compiles) _exit(1);
    if (!job_try(left, 1, "require")) _exit(2);
    gasket_context_destroy(left);
}

static void call_when_ended(void) {
    fake = fake_load();
    atexit(ask_at_the_end); /* before the library's, so it comes after them */
    left = context_of(NULL);
    if (!job_prepare(left, 1)) _exit(3);
    exit(STATUS);
}

static void open_and_end(void) {
    fake = fake_load();
    gasket_context *context = context_of("sync");
    kept = context;
    check(job_try(context, 1, NULL), "a call");
    exit(STATUS);
}

static void each_end(void) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ends[] = {{"exit while it is compiled", call_exit},
                {"exit when it may be compiled", call_exit_later},
                {"quick_exit", call_quick_exit},
                {"_exit", call_fast_exit},
                {"exit while a thread waits", exit_from_thread},
                {"exit while the compiler is opened", exit_while_opening},
                {"calls when the process has ended", call_when_ended},
                {"exit without destroying the context", open_and_end}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (int n = 0; n < 3; n++) {
            const int status = child_status(ends[i].run);
            check(WIFEXITED(status) && WEXITSTATUS(status) == STATUS, "%s: status %x", ends[i].name, (unsigned)status);
        }
}

/* A program of its own: main returns. */
static int return_from_main(void) {
    go_on_compiling(MOMENT);
    return STATUS;
}

static void run_again(void) {
    execl("/proc/self/exe", "jit_ends", "return", (char *)NULL);
}

static void main_returns(void) {
    const int status = child_status(run_again);
    check(WIFEXITED(status) && WEXITSTATUS(status) == STATUS, "status %x", (unsigned)status);
}

int main(int n, char **arguments) {
    if (n == 2 && strcmp(arguments[1], "return") == 0) return return_from_main();
    scenario("destroyed while a kernel is compiled", destroy_while_compiling);
    scenario("destroyed while kernels wait", destroy_while_waiting);
    scenario("destroyed right after creation", destroy_at_once);
    scenario("one of two contexts destroyed", destroy_one_of_two);
    scenario("more kernels than the queue holds", overfill);
    scenario("processes that end", each_end);
    scenario("main returns", main_returns);
    return scenarios_finish();
}
