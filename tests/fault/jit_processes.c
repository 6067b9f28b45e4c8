/* jit_processes: contexts of many processes that share one cache directory, and processes that are killed while they
 * publish kernels there: results are right throughout, and whoever comes later finds only sound entries. */
#define _GNU_SOURCE /* syscall */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/cached.h"
#include "support/faked.h"

enum { PROCESSES = 16, KEYS = 50 };

/* ---- Processes ---- */

struct shared {
    _Atomic int arrived, works, compiled;
    int kill_at; /* which moment of publishing, counted from 1 */
};
static struct shared *shared;

static void share(void) {
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) give_up("no shared memory");
}

/* Its status is 0 when its checks passed; only the parent tells how many there were. */
static pid_t start(void (*run)(int number), int number) {
    enum { PATIENCE = 100 };
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) give_up("no process");
    if (child > 0) return child;
    alarm(PATIENCE);
    if (!freopen("/dev/null", "w", stdout)) _exit(2);
    run(number);
    exit(finish());
}

static int status_of(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) != child)
        continue;
    return status;
}

static void check_process(const char *name, void (*run)(int number)) {
    const int status = status_of(start(run, 0));
    check(status == 0, "%s: status %x", name, (unsigned)status);
}

/* ---- What is in the directory ---- */

static int see_entry(void *user, const struct gasket_cache_entry *entry) {
    check(!entry->fault, "%s: %s", entry->file, entry->fault);
    ++*(int *)user;
    return 0;
}

/* How many entries there are; all of them must be sound. */
static int verify(void) {
    gasket_context *context = context_of("off");
    int entries = 0;
    gasket_cache_list(context, see_entry, &entries);
    gasket_context_destroy(context);
    return entries;
}

/* All kernels are there, and the compiler is not even opened. */
static void read_all(int number) {
    struct fake *fake = fake_load();
    gasket_context *context = context_of("sync");
    struct gasket_cache_info info;
    for (int i = number; i < KEYS; i++)
        check(job_try(context, i, NULL), "job %d", i);
    const struct gasket_counters counters = counters_of(context);
    gasket_cache_describe(context, &info);
    check(counters.jit_from_disk == KEYS && counters.jit_compiled == 0 && counters.jit == KEYS,
          "%d kernels from disk, %d compiled, %d calls by them", (int)counters.jit_from_disk,
          (int)counters.jit_compiled, (int)counters.jit);
    check(info.hits == KEYS && info.misses == 0 && info.stored == 0, "%d hits, %d misses, %d stored", (int)info.hits,
          (int)info.misses, (int)info.stored);
    check(fake->opens == 0 && fake->compiles == 0, "the compiler was opened");
    gasket_context_destroy(context);
}

/* ---- Many at once ---- */

static void check_counts(int number, gasket_context *context) {
    const struct gasket_counters counters = counters_of(context);
    struct gasket_cache_info info;
    gasket_cache_describe(context, &info);
    check(counters.jit_compiled + counters.jit_from_disk == KEYS && counters.jit_failed == 0 && counters.jit == KEYS,
          "process %d: %d compiled, %d from disk, %d failed", number, (int)counters.jit_compiled,
          (int)counters.jit_from_disk, (int)counters.jit_failed);
    check(info.stored == counters.jit_compiled && info.failed_stores == 0 && info.damaged == 0 && !*info.trouble,
          "process %d: %d stored, %d not, %d damaged: %s", number, (int)info.stored, (int)info.failed_stores,
          (int)info.damaged, info.trouble);
}

/* All begin at the same moment; four of them at a time go through the keys in the same order. */
static void call_all(int number) {
    static const int steps[] = {1, 3, 7, 9}; /* none has a factor of KEYS, so each reaches all */
    struct fake *fake = fake_load();
    atomic_fetch_add(&shared->arrived, 1);
    wait_for(&shared->arrived, PROCESSES);
    gasket_context *context = context_of("sync");
    for (int i = 0; i < KEYS; i++)
        check(job_try(context, i * steps[number % 4] % KEYS, NULL), "process %d", number);
    check_counts(number, context);
    atomic_fetch_add(&shared->compiled, fake->compiles);
    gasket_context_destroy(context);
}

static void call_at_once(void) {
    pid_t children[PROCESSES];
    const char *folder = path_of("%s/not/there", getenv("GASKET_CACHE_DIR"));
    setenv("GASKET_CACHE_DIR", folder, 1);
    share();
    for (int i = 0; i < PROCESSES; i++)
        children[i] = start(call_all, i);
    for (int i = 0; i < PROCESSES; i++) {
        const int status = status_of(children[i]);
        check(status == 0, "process %d: status %x", i, (unsigned)status);
    }
    const int entries = verify();
    check(entries == KEYS, "%d keys gave %d entries", KEYS, entries);
    check(drafts_count(folder) == 0, "%zu drafts are left", drafts_count(folder));
    printf("%d compilations; ", shared->compiled);
    check_process("a process that comes later", read_all);
}

/* ---- Killed ---- */

/* How many moments of publishing are left before this process is killed; 0: it is not. */
static _Atomic int moments;

static void pass_moment(void) {
    if (atomic_load(&moments) > 0 && atomic_fetch_sub(&moments, 1) == 1) kill(getpid(), SIGKILL);
}

/* In place of the C library's, for the whole program: a process is killed before a write, when half of it is done, and
 * after it, before a file gets its name, and after that. */
ssize_t write(int fd, const void *bytes, size_t n) {
    ssize_t begun = 0;
    pass_moment();
    if (atomic_load(&moments) == 1) begun = syscall(SYS_write, fd, bytes, n / 2);
    if (begun < 0) return begun;
    pass_moment();
    const ssize_t rest = syscall(SYS_write, fd, (const char *)bytes + begun, n - (size_t)begun);
    pass_moment();
    return rest < 0 ? rest : begun + rest;
}

int renameat(int from, const char *name, int to, const char *other) {
    pass_moment();
    const long result = syscall(SYS_renameat2, from, name, to, other, 0);
    pass_moment();
    return (int)result;
}

/* Begins anew when all is there, so that something is always being published. */
static void publish_for_ever(int number) {
    fake_load();
    moments = shared->kill_at;
    for (;; number++) {
        gasket_context *context = context_of("sync");
        for (int i = 0; i < KEYS; i++) {
            if (!job_try(context, (i * 7 + number) % KEYS, NULL)) _exit(1);
            atomic_store(&shared->works, 1);
        }
        gasket_cache_prune(context, 0);
        gasket_context_destroy(context);
    }
}

/* At a moment of publishing, or by the clock: within its first milliseconds, or those after its first kernel. */
static void start_and_kill(int number, uint64_t random) {
    const int by_clock = number % 2;
    const struct timespec pause = {0, (long)(random % 4000000)};
    shared->works = 0;
    shared->kill_at = by_clock ? 0 : (int)(random % 100) + 1;
    const pid_t child = start(publish_for_ever, number);
    if (number % 4 == 3) wait_for(&shared->works, 1);
    if (by_clock) {
        nanosleep(&pause, NULL);
        kill(child, SIGKILL);
    }
    const int status = status_of(child);
    check(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "process %d ended by itself: status %x", number,
          (unsigned)status);
}

static void make_old(void *user, const char *path) {
    (void)user;
    if (strstr(path, "/.draft-") || strstr(path, "/.lock")) file_age(path, -7200);
}

static void call_each(int number) {
    fake_load();
    gasket_context *context = context_of("sync");
    for (int i = number; i < KEYS; i++)
        check(job_try(context, i, NULL), "job %d", i);
    check(job_try(context, KEYS, NULL), "a new job"); /* whoever stores something looks at what is there */
    gasket_context_destroy(context);
}

/* Drafts are left alone for an hour, as somebody might be writing them. */
static void kill_often(void) {
    enum { KILLS = 400 };
    const char *folder = getenv("GASKET_CACHE_DIR");
    uint64_t random = 1;
    share();
    for (int i = 0; i < KILLS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        start_and_kill(i, random >> 33);
        verify();
    }
    printf("%d kills, half of them at moments of publishing, left %zu drafts; ", KILLS, drafts_count(folder));
    check(drafts_count(folder) > 0, "no kill left a draft");
    files_each(folder, make_old, NULL);
    check_process("the process after the kills", call_each);
    check(drafts_count(folder) == 0, "%zu drafts are left", drafts_count(folder));
    const int entries = verify();
    check(entries == KEYS + 1, "%d keys gave %d entries", KEYS + 1, entries);
    check_process("a process that comes later", read_all);
}

int main(void) {
    scenario("16 processes ask for 50 kernels, one empty directory", call_at_once);
    scenario("processes are killed while they publish kernels", kill_often);
    return scenarios_finish();
}
