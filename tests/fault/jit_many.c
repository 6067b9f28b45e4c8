/* jit_many: a context through which thousands of shapes go stays within its limits, in memory and on disk; kernels that
 * plans hold outlast thousands that come and go. */
#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cached.h"
#include "support/faked.h"

/* ---- What a process holds ---- */

/* Bytes of code that belongs to no file. */
static uint64_t code_mapped(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4096];
    uint64_t bytes = 0;
    if (!maps) give_up("no /proc/self/maps");
    while (fgets(line, sizeof line, maps)) {
        uint64_t begin, end;
        char may_run;
        int rest = 0;
        const int n = sscanf(line, "%" SCNx64 "-%" SCNx64 " %*c%*c%c%*c %*s %*s 0 %n", &begin, &end, &may_run, &rest);
        if (n == 3 && rest && may_run == 'x' && line[rest] == 0) bytes += end - begin;
    }
    fclose(maps);
    return bytes;
}

/* Each kernel in memory is ready: policy sync, and nothing fails. */
static void check_counts(const struct gasket_counters *counters, uint64_t code_before) {
    check(counters->jit_compiled + counters->jit_from_disk == counters->jit_kernels + counters->jit_evicted,
          "%d compiled, %d from disk, but %d evicted and %d in memory", (int)counters->jit_compiled,
          (int)counters->jit_from_disk, (int)counters->jit_evicted, (int)counters->jit_kernels);
    const uint64_t mapped = code_mapped() - code_before;
    check(mapped == counters->jit_code_bytes, "%llu bytes of code are mapped for %d kernels, of which %llu are known",
          (unsigned long long)mapped, (int)counters->jit_kernels, (unsigned long long)counters->jit_code_bytes);
    check(counters->jit_failed == 0 && counters->general + counters->interpreter == 0, "%d kernels failed, %d calls",
          (int)counters->jit_failed, (int)(counters->general + counters->interpreter));
}

/* ---- One context, every shape ---- */

enum { KERNELS = 64, DISK = 1 << 20, STEP = 500, EARLY = 1000 };

struct crossing {
    gasket_context *context;
    const char *folder;
    uint64_t code_before, most_code, most_disk, heap;
    int wrong;
};

static void check_crossing(struct crossing *crossing, int calls) {
    const struct gasket_counters counters = counters_of(crossing->context);
    struct gasket_cache_info info;
    gasket_cache_describe(crossing->context, &info);
    check(crossing->wrong == 0 && counters.jit == (unsigned)calls, "%d calls: %d went wrong, %d by kernels", calls,
          crossing->wrong, (int)counters.jit);
    check(counters.jit_kernels == KERNELS, "%d calls: %d kernels in memory", calls, (int)counters.jit_kernels);
    check_counts(&counters, crossing->code_before);
    if (!crossing->most_code) crossing->most_code = counters.jit_code_bytes;
    check(counters.jit_code_bytes <= crossing->most_code, "%d calls: %llu bytes of code, once %llu", calls,
          (unsigned long long)counters.jit_code_bytes, (unsigned long long)crossing->most_code);
    check(crossing->most_disk <= DISK && drafts_count(crossing->folder) == 0, "%d calls: %llu bytes on disk, %d drafts",
          calls, (unsigned long long)crossing->most_disk, (int)drafts_count(crossing->folder));
    check(info.limit == DISK && info.failed_stores == 0 && info.damaged == 0 && info.trouble[0] == 0 &&
              info.stored == counters.jit_compiled && info.entries == info.stored - info.evicted,
          "%d calls: %d stored, %d not, %d damaged, %d evicted, %d there: %s", calls, (int)info.stored,
          (int)info.failed_stores, (int)info.damaged, (int)info.evicted, (int)info.entries, info.trouble);
}

static void look_at_disk(struct crossing *crossing) {
    const uint64_t used = disk_used(crossing->folder);
    if (used > crossing->most_disk) crossing->most_disk = used;
}

/* A sanitizer's allocator says 0. */
static void check_heap(struct crossing *crossing, int calls) {
    enum { LEEWAY = 64 << 10 };
    const uint64_t heap = mallinfo2().uordblks;
    if (calls == EARLY) crossing->heap = heap;
    check(heap <= crossing->heap + LEEWAY, "%d calls: %llu bytes of heap, once %llu", calls, (unsigned long long)heap,
          (unsigned long long)crossing->heap);
}

static void cross_all(void) {
    const struct gasket_options options = {.jit = "sync", .jit_kernels = KERNELS, .cache_bytes = DISK};
    struct fake *fake = fake_load();
    struct crossing crossing = {.context = context_open(&options), .folder = getenv("GASKET_CACHE_DIR")};
    crossing.code_before = code_mapped();
    for (int number = 0; number < JOBS; number++) {
        crossing.wrong += !job_try(crossing.context, number, NULL);
        crossing.wrong += counters_of(crossing.context).jit_kernels > KERNELS;
        if (number % 10 == 0) look_at_disk(&crossing);
        if (number % STEP == STEP - 1) check_crossing(&crossing, number + 1);
        if (number >= EARLY - 1 && number % STEP == STEP - 1) check_heap(&crossing, number + 1);
    }
    check(fake->compiles == JOBS && counters_of(crossing.context).jit_evicted == JOBS - KERNELS, "%d compilations",
          fake->compiles);
    gasket_context_destroy(crossing.context);
    check(code_mapped() == crossing.code_before, "code stays mapped");
}

/* What went from memory and is on disk comes back without the compiler. */
static void cross_again(void) {
    enum { SHAPES = 200, ROUNDS = 3 };
    struct fake *fake = fake_load();
    gasket_context *context = context_open(&(struct gasket_options){.jit = "sync", .jit_kernels = KERNELS});
    const uint64_t code_before = code_mapped();
    int wrong = 0;
    for (int i = 0; i < SHAPES * ROUNDS; i++)
        wrong += !job_try(context, i % SHAPES, NULL);
    const struct gasket_counters counters = counters_of(context);
    check(wrong == 0 && fake->compiles == SHAPES, "%d went wrong, %d compilations", wrong, fake->compiles);
    check(counters.jit_from_disk == SHAPES * (ROUNDS - 1), "%d from disk", (int)counters.jit_from_disk);
    check_counts(&counters, code_before);
    gasket_context_destroy(context);
}

/* Kernels that wait for the compiler stay, whatever the limit; those that were compiled do not. */
static void cross_later(void) {
    enum { SHAPES = 400, LIMIT = 8, LAST = SHAPES };
    const struct gasket_options options = {.jit = "async", .jit_calls = 1, .jit_kernels = LIMIT};
    fake_load();
    gasket_context *context = context_open(&options);
    int wrong = 0;
    for (int i = 0; i < SHAPES; i++)
        wrong += !job_try(context, i, NULL);
    check(job_prepare(context, LAST), "the last of the queue");
    const struct gasket_counters counters = counters_of(context);
    check(wrong == 0 && counters.jit_failed == 0, "%d went wrong, %d kernels failed", wrong, (int)counters.jit_failed);
    check(counters.jit_kernels <= LIMIT && counters.jit_compiled > LIMIT, "%d kernels in memory, %d compiled",
          (int)counters.jit_kernels, (int)counters.jit_compiled);
    gasket_context_destroy(context);
}

/* ---- Plans hold kernels while others come and go ---- */

enum { HOLDERS = 6, HELD = 6, FEW = 8, TURNS = 120, SHARED = 20 };

struct holders {
    gasket_context *context;
    pthread_barrier_t barrier;
    _Atomic int next, wrong, above;
    uint64_t code_before;
};

struct holder {
    struct holders *all;
    int thread, turn;
    struct job jobs[HELD];
    gasket_plan *plans[HELD];
};

/* The first are the same for all threads, the others are each thread's own. */
static int number_of(const struct holder *holder, int i) {
    return i < 2 ? (holder->turn + i) % SHARED : 1000 * (holder->thread + 1) + i * TURNS + holder->turn;
}

static void hold(struct holder *holder, int i) {
    gasket_plan_destroy(holder->plans[i]);
    job_start(&holder->jobs[i], number_of(holder, i));
    if (job_plan(&holder->jobs[i], holder->all->context, NULL, &holder->plans[i])) give_up("no plan");
}

static void run_all(struct holder *holder) {
    for (int i = 0; i < HELD; i++)
        atomic_fetch_add(&holder->all->wrong,
                         gasket_plan_run(holder->plans[i], NULL, 0) != GASKET_OK || !job_is_right(&holder->jobs[i]));
}

/* No more are in memory than are held, where those are too many. */
static void look_at_table(struct holders *all) {
    const uint64_t kernels = counters_of(all->context).jit_kernels;
    atomic_fetch_add(&all->above, kernels > HOLDERS * (HELD + 1));
}

/* When nobody asks for others, exactly those that are held are there. */
static void check_held(struct holder *holder) {
    enum { DISTINCT = 2 + HOLDERS * (HELD - 2) };
    if (pthread_barrier_wait(&holder->all->barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        const struct gasket_counters counters = counters_of(holder->all->context);
        check(counters.jit_kernels == DISTINCT, "%d kernels in memory, %d are held", (int)counters.jit_kernels,
              (int)DISTINCT);
        check_counts(&counters, holder->all->code_before);
    }
    pthread_barrier_wait(&holder->all->barrier);
}

static void *hold_and_disturb(void *state) {
    struct holders *all = state;
    struct holder *holder = calloc(1, sizeof *holder);
    if (!holder) give_up("no memory");
    holder->all = all;
    holder->thread = atomic_fetch_add(&all->next, 1);
    for (int i = 0; i < HELD; i++)
        hold(holder, i);
    for (holder->turn = 1; holder->turn < TURNS; holder->turn++) {
        const int other = 8000 + (holder->turn * 7 + holder->thread * 31) % 100;
        atomic_fetch_add(&all->wrong, !job_try(all->context, other, NULL));
        run_all(holder);
        hold(holder, holder->turn % HELD);
        look_at_table(all);
    }
    check_held(holder);
    run_all(holder);
    for (int i = 0; i < HELD; i++)
        gasket_plan_destroy(holder->plans[i]);
    free(holder);
    return NULL;
}

static void hold_many(const char *cache) {
    const struct gasket_options options = {.jit = "sync", .jit_kernels = FEW, .cache = cache, .cache_bytes = DISK};
    struct holders all = {.code_before = code_mapped()};
    pthread_t threads[HOLDERS];
    fake_load();
    all.context = context_open(&options);
    pthread_barrier_init(&all.barrier, NULL, HOLDERS);
    for (int i = 0; i < HOLDERS; i++)
        if (pthread_create(&threads[i], NULL, hold_and_disturb, &all)) give_up("no thread");
    for (int i = 0; i < HOLDERS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&all.barrier);
    const struct gasket_counters counters = counters_of(all.context);
    check(all.wrong == 0 && all.above == 0, "%d went wrong, %d times too many kernels", all.wrong, all.above);
    check(counters.jit_kernels == FEW, "%d kernels in memory after the plans", (int)counters.jit_kernels);
    check_counts(&counters, all.code_before);
    gasket_context_destroy(all.context);
    check(code_mapped() == all.code_before, "code stays mapped");
}

static void hold_without_disk(void) {
    hold_many("");
}
static void hold_with_disk(void) {
    hold_many(NULL);
}

int main(void) {
    scenario("10,000 shapes through one context", cross_all);
    scenario("shapes that come again", cross_again);
    scenario("shapes compiled in the background", cross_later);
    scenario("plans of six threads hold kernels, without a cache", hold_without_disk);
    scenario("plans of six threads hold kernels, with a small cache", hold_with_disk);
    return scenarios_finish();
}
