/* jit_allocations: each allocation of a call that compiles fails in turn, on whatever thread: the call ends cleanly or
 * another tier serves it, nothing is lost, and the next call has its kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "support/allocator.h"
#include "support/cached.h"
#include "support/faked.h"

#ifdef HAS_OWN_ALLOCATOR
int main(void) {
    puts("SKIP: the sanitizer has its own allocator");
    return 77;
}
#else

enum disk { NO_DISK, EMPTY_DISK, FULL_DISK };
enum { OTHER_JOB = JOBS - 1, MOST_TRIES = 500, ENDED = 0, WRONG_TRY = 1, WENT_ON = 3 };

/* Of whom allocations fail in turn, each in a process of its own. */
struct use {
    const char *name;
    enum gasket_status (*act)(gasket_context *context, struct job *job);
    const char *tier;
    enum disk disk;
    int is_first; /* of its process: the compiler is not loaded yet */
};

static enum gasket_status call_kernel(gasket_context *context, struct job *job) {
    return job_call(job, context, NULL);
}

static enum gasket_status plan_kernel(gasket_context *context, struct job *job) {
    gasket_plan *plan = NULL;
    enum gasket_status status = job_plan(job, context, NULL, &plan);
    if (!status) status = gasket_plan_run(plan, NULL, 0);
    gasket_plan_destroy(plan);
    return status;
}

static enum gasket_status prepare_kernel(gasket_context *context, struct job *job) {
    gasket_plan *plan = NULL;
    enum gasket_status status = job_plan(job, context, "async", &plan);
    if (!status) status = gasket_plan_prepare(plan);
    if (!status) status = gasket_plan_run(plan, NULL, 0);
    gasket_plan_destroy(plan);
    return status;
}

static const struct use uses[] = {
    {"a call", call_kernel, NULL, NO_DISK, 0},
    {"a call that stores", call_kernel, NULL, EMPTY_DISK, 0},
    {"a call that finds it on disk", call_kernel, NULL, FULL_DISK, 0},
    {"a plan", plan_kernel, NULL, EMPTY_DISK, 0},
    {"a plan that is prepared", prepare_kernel, NULL, EMPTY_DISK, 0},
    {"a call of tier jit", call_kernel, "jit", EMPTY_DISK, 0},
    {"the first call", call_kernel, NULL, EMPTY_DISK, 1},
    {"the first call, of what is on disk", call_kernel, NULL, FULL_DISK, 1},
    {"the first plan that is prepared", prepare_kernel, NULL, EMPTY_DISK, 1},
    {"the first call, of tier jit", call_kernel, "jit", EMPTY_DISK, 1},
};
static const struct use *use;
static long nth;
static int number; /* of a job that no other try has */

static gasket_context *open_user(enum disk disk) {
    return context_open(
        &(struct gasket_options){.jit = "sync", .tier = use->tier, .cache = disk == NO_DISK ? "" : NULL});
}

static void use_elsewhere(enum disk disk, int other) {
    gasket_context *context = open_user(disk);
    if (!job_try(context, other, "sync")) give_up("no kernel without failures");
    gasket_context_destroy(context);
}

static void fill_disk(void) {
    use_elsewhere(FULL_DISK, number);
}

static int is_untouched(const struct job *job) {
    const unsigned char *bytes = (const unsigned char *)job->out_data;
    size_t n = 0;
    while (n < sizeof job->out_data && bytes[n] == POISON)
        n++;
    return n == sizeof job->out_data;
}

/* A kernel that could not be had for want of memory is had the next time. */
static int check_use(gasket_context *context, struct job *job) {
    has_failed = 0;
    countdown = nth;
    const enum gasket_status status = use->act(context, job);
    countdown = -1;
    const int lacks_plan = status == GASKET_UNAVAILABLE && strstr(gasket_message(context), "no memory");
    const int refused = status == GASKET_OUT_OF_MEMORY || lacks_plan;
    int ok = check(status ? refused && has_failed && is_untouched(job) : job_is_right(job),
                   "%s, allocation %ld: %s: %s", use->name, nth, gasket_status_name(status), gasket_message(context));
    const uint64_t served = counters_of(context).jit;
    const enum gasket_status again = call_kernel(context, job);
    ok &= check(!again && job_is_right(job) && counters_of(context).jit == served + 1,
                "%s, after allocation %ld failed: %s: %s; %d by kernels", use->name, nth, gasket_status_name(again),
                gasket_message(context), (int)(counters_of(context).jit - served));
    return ok;
}

static void try_use(void) {
    static struct job job;
    if (!use->is_first) use_elsewhere(NO_DISK, OTHER_JOB);
    const long before = live;
    gasket_context *context = open_user(use->disk);
    job_start(&job, number);
    int ok = check_use(context, &job);
    gasket_context_destroy(context);
    if (!use->is_first)
        ok &= check(live == before, "%s, allocation %ld: %ld pieces are lost", use->name, nth, live - before);
    exit(!ok ? WRONG_TRY : has_failed ? WENT_ON : ENDED);
}

/* Until one has no allocation to fail. */
static void try_each(const struct use *next, int first_number) {
    int status = WENT_ON;
    use = next;
    for (nth = 0; nth < MOST_TRIES && status != ENDED; nth++) {
        number = first_number + (int)nth;
        if (use->disk == FULL_DISK && child_status(fill_disk)) give_up("nothing could be stored");
        const int ended = child_status(try_use);
        status = WIFEXITED(ended) ? WEXITSTATUS(ended) : WRONG_TRY;
        check(status == ENDED || status == WENT_ON, "%s, allocation %ld: status %d of the process", use->name, nth,
              ended);
    }
    check(status == ENDED && nth > 1, "%s: %ld tries", use->name, nth);
}

int main(void) {
    const char *folder = folder_make(), *fake = getenv("GASKET_FAKE");
    if (!fake) give_up("GASKET_FAKE is not set");
    setenv("GASKET_CACHE_DIR", folder, 1);
    setenv("GASKET_PLUGIN", fake, 1);
    for (size_t u = 0; u < sizeof uses / sizeof *uses; u++)
        try_each(&uses[u], (int)u * MOST_TRIES);
    folder_remove(folder);
    return finish();
}

#endif
