/* cache_disk: a disk that is full or read-only, files that may not grow, no file descriptors: calls fail quietly,
 * nothing is left, and all is well when the cause is gone. Each case is a child, which it may not kill. */
#define _GNU_SOURCE /* unshare */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cached.h"
#include "support/support.h"

enum { SMALL = 1000, LARGE = 30000, DISK_ENTRIES = 40 };

/* ---- A disk of 128 KiB, which only this process and its children see ---- */

static int write_text(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    int is_written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0) close(fd);
    return is_written;
}

static int own_mounts(void) {
    char users[64], groups[64];
    snprintf(users, sizeof users, "0 %u 1", geteuid());
    snprintf(groups, sizeof groups, "0 %u 1", getegid());
    if (geteuid() == 0 && unshare(CLONE_NEWNS) == 0) return 1;
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && write_text("/proc/self/setgroups", "deny") &&
           write_text("/proc/self/gid_map", groups) && write_text("/proc/self/uid_map", users);
}

static int mount_disk(const char *folder) {
    return own_mounts() && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", folder, "tmpfs", 0, "size=128k,mode=0700") == 0;
}

static const char no_disk[] = "SKIP: no file system of our own can be mounted here; RLIMIT_FSIZE is tried below";

static uint64_t failed_stores(struct gk_cache *cache) {
    struct gk_cache_stat counts;
    gk_cache_counts(cache, &counts);
    return counts.failed_stores;
}

static const char *fill_disk(const char *folder) {
    if (!mount_disk(folder)) return no_disk;
    struct gk_cache *cache = cache_at(folder, 0);
    int stored[DISK_ENTRIES], n = 0;
    for (int i = 0; i < DISK_ENTRIES; i++)
        n += stored[i] = numbered_put(cache, i, LARGE / 2);
    if (n == 0 || n == DISK_ENTRIES) return "the disk is too small or too large for this test";
    if (failed_stores(cache) != (uint64_t)(DISK_ENTRIES - n)) return "failures are not counted";
    if (drafts_count(folder) != 0) return "drafts are left on the full disk";
    if (!strstr(gk_cache_trouble(cache), "No space left on device")) return "no reason is given";
    for (int i = 0; i < DISK_ENTRIES; i++)
        if (numbered_get(cache, i) != (stored[i] ? RIGHT : NONE)) return "what was stored is not found";
    if (gk_cache_note_put(cache, "note", "text") && gk_cache_prune(cache, 0) == 0) return "pruning on a full disk";
    if (gk_cache_clear(cache) + gk_cache_prune(cache, 0) != 0 && numbered_get(cache, 0) != NONE) return "clearing";
    if (!numbered_put(cache, 1, LARGE) || numbered_get(cache, 1) != RIGHT) return "it does not recover";
    gk_cache_close(cache);
    return NULL;
}

/* The limit is below what the disk has: the cache makes room by itself. */
static const char *stay_below(const char *folder) {
    if (!mount_disk(folder)) return no_disk;
    struct gk_cache *cache = cache_at(folder, 100000);
    for (int i = 0; i < DISK_ENTRIES; i++)
        if (!numbered_put(cache, i, LARGE / 2) || numbered_get(cache, i) != RIGHT) return gk_cache_trouble(cache);
    gk_cache_close(cache);
    return NULL;
}

static const char *read_read_only(const char *folder) {
    if (!mount_disk(folder)) return no_disk;
    struct gk_cache *early = cache_at(folder, 0);
    if (!numbered_put(early, 1, SMALL)) return "put";
    file_age(numbered_file(folder, 1), -100000);
    file_write(numbered_file(folder, 3), "damaged", 7, 0600);
    if (mount(NULL, folder, NULL, MS_REMOUNT | MS_RDONLY, NULL) != 0) return "SKIP: no read-only mount here";
    struct gk_cache *caches[] = {early, cache_at(folder, 0)};
    for (int i = 0; i < 2; i++) {
        if (numbered_get(caches[i], 1) != RIGHT) return "a read-only disk is not read";
        if (numbered_put(caches[i], 2, SMALL) || gk_cache_prune(caches[i], 0) != 0) return "it was written to";
        if (numbered_get(caches[i], 3) != NONE) return "a damaged file was taken";
        if (!strstr(gk_cache_trouble(caches[i]), "Read-only file system")) return "no reason is given";
        gk_cache_close(caches[i]);
    }
    return NULL;
}

/* ---- Files that may not grow ---- */

static void limit_size(rlim_t most) {
    struct rlimit limits;
    getrlimit(RLIMIT_FSIZE, &limits);
    limits.rlim_cur = most;
    if (setrlimit(RLIMIT_FSIZE, &limits) != 0) _exit(3);
}

static void limit_descriptors(rlim_t most) {
    struct rlimit limits;
    getrlimit(RLIMIT_NOFILE, &limits);
    limits.rlim_cur = most;
    if (setrlimit(RLIMIT_NOFILE, &limits) != 0) _exit(3);
}

static const char *check_small_files(const char *folder) {
    struct gk_error error;
    size_t n;
    struct gk_cache *cache = cache_at(folder, 0);
    if (!numbered_put(cache, 1, SMALL)) return "put";
    limit_size(2 * SMALL);
    if (numbered_put(cache, 2, LARGE)) return "a large entry was stored";
    if (!strstr(gk_cache_trouble(cache), "File too large")) return "no reason is given";
    if (gk_cache_export(cache, path_of("%s/bundle", folder), &n, &error) != GASKET_OK) return "no bundle";
    if (!numbered_put(cache, 3, SMALL) || !numbered_put(cache, 4, SMALL)) return "a small entry was not stored";
    if (gk_cache_export(cache, path_of("%s/bundle", folder), &n, &error) != GASKET_INVALID_ARGUMENT)
        return "a large bundle was written";
    limit_size(0);
    if (numbered_put(cache, 5, 1)) return "an entry was stored without a byte";
    for (int i = 1; i < 6; i++)
        if (numbered_get(cache, i) != (i == 2 || i == 5 ? NONE : RIGHT)) return "what was stored is not found";
    limit_size(RLIM_INFINITY);
    if (gk_cache_import(cache, path_of("%s/bundle", folder), &n, &error) != GASKET_OK || n != 1)
        return "the bundle of before is gone";
    gk_cache_close(cache);
    return drafts_count(folder) == 0 ? NULL : "drafts are left";
}

/* The program's own handling of the signal stays as it was, and so does one that is waiting for it. */
static const char *check_signal(const char *folder) {
    sigset_t signals, waiting;
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    struct gk_cache *cache = cache_at(folder, 0);
    limit_size(SMALL);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    if (numbered_put(cache, 1, LARGE)) return "a large entry was stored";
    sigpending(&waiting);
    if (sigismember(&waiting, SIGXFSZ)) return "a signal is left";
    raise(SIGXFSZ);
    if (numbered_put(cache, 1, LARGE)) return "a large entry was stored";
    sigpending(&waiting);
    if (!sigismember(&waiting, SIGXFSZ)) return "the program's own signal was taken";
    sigprocmask(SIG_SETMASK, NULL, &waiting);
    if (!sigismember(&waiting, SIGXFSZ)) return "the program's mask was changed";
    signal(SIGXFSZ, SIG_IGN);
    sigprocmask(SIG_UNBLOCK, &signals, NULL);
    if (numbered_put(cache, 1, LARGE)) return "a large entry was stored";
    if (signal(SIGXFSZ, SIG_DFL) != SIG_IGN) return "the program's handler was changed";
    sigprocmask(SIG_SETMASK, NULL, &waiting);
    if (sigismember(&waiting, SIGXFSZ)) return "the signal stays blocked";
    gk_cache_close(cache);
    return NULL;
}

/* ---- No file descriptors ---- */

static const char *check_descriptors(const char *folder) {
    struct gk_cache *cache = cache_at(folder, 0);
    struct gk_cache_stat stat;
    struct rlimit before;
    if (!numbered_put(cache, 1, SMALL)) return "put";
    int next = dup(0);
    if (next < 0) next = open(folder, O_RDONLY | O_CLOEXEC);
    close(next);
    getrlimit(RLIMIT_NOFILE, &before);
    for (int spare = 0; spare < 4; spare++) {
        limit_descriptors((rlim_t)(next + spare));
        enum found found = numbered_get(cache, 1);
        if (found == WRONG || (spare == 0 && found != NONE)) return "found without a descriptor";
        if (numbered_put(cache, 2, SMALL) && spare == 0) return "stored without a descriptor";
        gk_cache_stat(cache, &stat);
        gk_cache_prune(cache, UINT64_MAX);
        struct gk_cache *other = cache_at(folder, 0);
        numbered_get(other, 1);
        gk_cache_close(other);
    }
    limit_descriptors(before.rlim_cur);
    if (numbered_get(cache, 1) != RIGHT) return "an entry was lost for want of descriptors";
    if (!numbered_put(cache, 3, SMALL) || numbered_get(cache, 3) != RIGHT) return "it does not recover";
    int after = dup(0);
    if (after < 0) after = open(folder, O_RDONLY | O_CLOEXEC);
    if (after != next) return "descriptors were lost";
    close(after);
    gk_cache_close(cache);
    return drafts_count(folder) == 0 ? NULL : "drafts are left";
}

/* ---- Forked while in use ---- */

static const char *check_fork(const char *folder) {
    struct gk_cache *cache = cache_at(folder, 0);
    int status;
    if (!numbered_put(cache, 1, SMALL)) return "put";
    pid_t child = fork();
    if (child == 0) {
        int works = numbered_get(cache, 1) == RIGHT && numbered_put(cache, 2, SMALL);
        gk_cache_close(cache);
        _exit(!works);
    }
    if (waitpid(child, &status, 0) != child || status != 0) return "the child could not use it";
    if (numbered_get(cache, 2) != RIGHT) return "what the child stored is not found";
    gk_cache_close(cache);
    return NULL;
}

int main(void) {
    static const struct {
        const char *name;
        const char *(*run)(const char *folder);
    } cases[] = {{"a full disk", fill_disk},
                 {"a limit below the size of the disk", stay_below},
                 {"a read-only disk", read_read_only},
                 {"RLIMIT_FSIZE", check_small_files},
                 {"SIGXFSZ", check_signal},
                 {"RLIMIT_NOFILE", check_descriptors},
                 {"fork", check_fork}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *folder = folder_make();
        child_check(cases[i].name, cases[i].run, folder);
        folder_remove(folder);
    }
    return finish();
}
