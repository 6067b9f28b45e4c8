/* cache: many writers at once, and writers that are killed: whatever is found is right, and nothing is left behind. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/cached.h"
#include "support/support.h"

static uint64_t random_bits(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* ---- Many processes, one empty directory ---- */

enum { PROCESSES = 16, KEYS = 50 };

/* Stores what it does not find, each process in an order of its own; then all must be there. */
static int use(const char *folder, int process) {
    struct gk_cache *cache = cache_at(folder, 0);
    struct gk_cache_stat counts;
    static const int steps[] = {1, 3, 7, 9, 11, 13, 17, 19}; /* none has a factor of KEYS, so each reaches all */
    int wrong = 0;
    for (int i = 0; i < KEYS; i++) {
        int number = (i * steps[process % 8] + process) % KEYS;
        enum found found = numbered_get(cache, number);
        if (found == NONE) wrong += !numbered_put(cache, number, (size_t)(number * 97));
        wrong += found == WRONG;
    }
    for (int number = 0; number < KEYS; number++)
        wrong += numbered_get(cache, number) != RIGHT;
    gk_cache_counts(cache, &counts);
    wrong += counts.damaged != 0 || *gk_cache_trouble(cache) != '\0';
    gk_cache_close(cache);
    return wrong;
}

static void check_processes(void) {
    const char *folder = path_of("%s/not/there", folder_make());
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] < 0) give_up("fork");
        if (children[i] == 0) _exit(use(folder, i) != 0);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        waitpid(children[i], &status, 0);
        check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "process %d of %d: status %x", i, PROCESSES, status);
    }
    struct gk_cache *cache = cache_at(folder, 0);
    struct gk_cache_stat stat;
    gk_cache_stat(cache, &stat);
    check(stat.entries == KEYS, "%d keys gave %d entries", KEYS, (int)stat.entries);
    check(drafts_count(folder) == 0, "%zu drafts are left", drafts_count(folder));
    gk_cache_close(cache);
}

/* ---- Many threads, one cache, within a limit that they pass all the time ---- */

enum { THREADS = 8, ROUNDS = 60, LIMIT = 100000 };

struct user {
    struct gk_cache *cache;
    uint64_t seed;
    int wrong;
};

static void *use_cache(void *argument) {
    struct user *user = argument;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t random = random_bits(&user->seed);
        int number = (int)(random % 40);
        if (random & 1024) numbered_put(user->cache, number, (size_t)(random >> 11) % 5000);
        user->wrong += numbered_get(user->cache, number) == WRONG;
        if (random % 29 == 0) gk_cache_prune(user->cache, LIMIT / 2);
        if (random % 37 == 0) gk_cache_note_put(user->cache, "note", "text");
    }
    return NULL;
}

static void check_threads(void) {
    const char *folder = folder_make();
    struct gk_cache *cache = cache_at(folder, LIMIT);
    struct user users[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        users[i] = (struct user){cache, (uint64_t)i, 0};
        if (pthread_create(&threads[i], NULL, use_cache, &users[i]) != 0) give_up("pthread_create");
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        check(users[i].wrong == 0, "thread %d found %d wrong payloads", i, users[i].wrong);
    }
    struct gk_cache_stat counts;
    gk_cache_counts(cache, &counts);
    check(counts.damaged == 0 && counts.failed_stores == 0, "threads: %d damaged, %d not stored", (int)counts.damaged,
          (int)counts.failed_stores);
    check(drafts_count(folder) == 0, "threads: %zu drafts are left", drafts_count(folder));
    gk_cache_close(cache);
}

/* ---- Killed at any moment ---- */

enum { KILLS = 200, FEW_KEYS = 10, SMALL_LIMIT = 3000000 };

_Noreturn static void publish_for_ever(const char *folder, uint64_t seed) {
    struct gk_cache *cache = cache_at(folder, seed % 2 ? SMALL_LIMIT : 0);
    for (;;) {
        int number = (int)(random_bits(&seed) % FEW_KEYS);
        numbered_put(cache, number, (size_t)random_bits(&seed) % 600000);
    }
}

static void publish_and_kill(const char *folder, uint64_t seed) {
    pid_t child = fork();
    if (child < 0) give_up("fork");
    if (child == 0) publish_for_ever(folder, seed);
    struct timespec pause = {0, (long)(random_bits(&seed) % 3000000)};
    nanosleep(&pause, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void make_old(void *user, const char *path) {
    (void)user;
    if (strstr(path, "/.draft-")) file_age(path, -7200);
}

static void check_kills(void) {
    const char *folder = folder_make();
    struct gk_cache *cache = cache_at(folder, 0);
    size_t most = 0;
    for (int i = 0; i < KILLS; i++) {
        publish_and_kill(folder, (uint64_t)i);
        int wrong = 0;
        for (int number = 0; number < FEW_KEYS; number++)
            wrong += numbered_get(cache, number) == WRONG;
        struct gk_cache_stat counts;
        gk_cache_counts(cache, &counts);
        check(wrong == 0 && counts.damaged == 0, "kill %d: %d wrong, %d damaged", i, wrong, (int)counts.damaged);
        most = drafts_count(folder) > most ? drafts_count(folder) : most;
    }
    struct gk_cache_stat counts;
    gk_cache_counts(cache, &counts);
    printf("%d kills left %zu drafts; %d lookups found something\n", KILLS, most, (int)counts.hits);
    check(counts.hits > 0, "no kill came after an entry was there");
    const char *fresh = path_of("%s/v1/.draft-of-somebody", folder);
    file_write(path_of("%s/v1/.draft-1-2-3", folder), "begun", 5, 0600);
    files_each(folder, make_old, NULL);
    file_write(fresh, "begun", 5, 0600);
    gk_cache_prune(cache, UINT64_MAX);
    check(drafts_count(folder) == 1 && access(fresh, F_OK) == 0, "%zu drafts after pruning; one is being written",
          drafts_count(folder));
    file_age(fresh, -7200);
    gk_cache_prune(cache, UINT64_MAX);
    check(drafts_count(folder) == 0, "%zu drafts are left after pruning", drafts_count(folder));
    gk_cache_close(cache);
}

int main(void) {
    check_processes();
    check_threads();
    check_kills();
    return finish();
}
