/* cache_limit: the directory stays within its limit and keeps what is used; clocks that are wrong; other versions. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "support/cached.h"
#include "support/support.h"

enum { ENTRIES = 2000, SIZE = 4096, LIMIT = 1 << 20, FAVOURITES = 10, HOURS = 3600 };

/* ---- Recency and the limit ---- */

/* As if two hours had gone by; the lock file keeps its time. */
static void make_older(void *user, const char *path) {
    (void)user;
    struct stat found;
    if (strstr(path, ".kernel") && lstat(path, &found) == 0)
        file_age(path, (long)(found.st_mtim.tv_sec - time(NULL)) - 2 * HOURS);
}

static void check_limit(void) {
    const char *folder = folder_make();
    struct gk_cache *cache = cache_at(folder, LIMIT);
    uint64_t most = 0;
    int lost = 0, refused = 0;
    for (int i = 0; i < ENTRIES; i++) {
        refused += !numbered_put(cache, i, SIZE);
        uint64_t used = disk_used(folder);
        most = used > most ? used : most;
        if (i % 50 != 49) continue;
        files_each(folder, make_older, NULL);
        for (int favourite = 0; favourite < FAVOURITES; favourite++)
            lost += numbered_get(cache, favourite) != RIGHT;
    }
    struct gk_cache_stat stat;
    gk_cache_stat(cache, &stat);
    check(refused == 0, "%d entries were not stored", refused);
    check(most <= LIMIT, "%llu bytes of disk were used, of %d", (unsigned long long)most, LIMIT);
    check(stat.bytes == disk_used(folder), "%llu bytes are said to be used, not %llu", (unsigned long long)stat.bytes,
          (unsigned long long)disk_used(folder));
    check(lost == 0, "entries in use were evicted %d times", lost);
    check(numbered_get(cache, ENTRIES - 1) == RIGHT, "the entry stored last was evicted");
    check(stat.entries + stat.evicted == ENTRIES && stat.evicted > 0, "%d entries, %d evicted", (int)stat.entries,
          (int)stat.evicted);
    gk_cache_close(cache);
    folder_remove(folder);
}

/* What is stored again and again passes no limit. */
static void check_replacement(void) {
    const char *folder = folder_make();
    struct gk_cache *cache = cache_at(folder, LIMIT);
    numbered_put(cache, 0, SIZE);
    for (int i = 0; i < ENTRIES; i++)
        numbered_put(cache, 1, SIZE);
    check(numbered_get(cache, 0) == RIGHT && numbered_get(cache, 1) == RIGHT, "entries were evicted without need");
    gk_cache_close(cache);
    folder_remove(folder);
}

/* Another process fills the directory: the writer here notices. */
static void check_other_writer(void) {
    const char *folder = folder_make();
    struct gk_cache *here = cache_at(folder, LIMIT), *there = cache_at(folder, LIMIT * 16);
    numbered_put(here, 0, SIZE);
    for (int i = 1; i < 400; i++)
        numbered_put(there, i, SIZE);
    check(disk_used(folder) > LIMIT, "the other one wrote only %llu bytes", (unsigned long long)disk_used(folder));
    for (int i = 400; i < 440; i++)
        numbered_put(here, i, SIZE);
    check(disk_used(folder) <= LIMIT, "%llu bytes after another process wrote", (unsigned long long)disk_used(folder));
    gk_cache_close(here);
    gk_cache_close(there);
    folder_remove(folder);
}

static time_t used_at(const char *path) {
    struct stat found;
    if (lstat(path, &found) != 0) give_up(path);
    return found.st_mtim.tv_sec;
}

static void check_touch(void) {
    static const struct {
        long age;
        int is_touched;
    } cases[] = {{-10, 0},        {-HOURS + 60, 0}, {-HOURS - 60, 1}, {-90000, 1},
                 {HOURS - 60, 0}, {HOURS + 60, 1},  {90000, 1}};
    const char *folder = folder_make();
    struct gk_cache *cache = cache_at(folder, 0);
    const char *file = numbered_file(folder, 1);
    numbered_put(cache, 1, SIZE);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        file_age(file, cases[i].age);
        time_t before = used_at(file), now = time(NULL);
        check(numbered_get(cache, 1) == RIGHT, "an entry from %ld seconds off is not found", cases[i].age);
        time_t after = used_at(file);
        check(cases[i].is_touched ? after >= now && after <= now + HOURS / 2 : after == before,
              "an entry from %ld seconds off is %stouched", cases[i].age, after == before ? "not " : "");
    }
    gk_cache_close(cache);
    folder_remove(folder);
}

/* The clock was a year ahead and is right again: what was used then is not kept for a year. */
static void check_clock(void) {
    const char *folder = folder_make();
    struct gk_cache *cache = cache_at(folder, 0);
    for (int i = 0; i < 10; i++) {
        numbered_put(cache, i, SIZE);
        file_age(numbered_file(folder, i), i < 5 ? 365l * 24 * HOURS : -2 * HOURS);
    }
    check(numbered_get(cache, 0) == RIGHT, "an entry from the future is not found");
    struct gk_cache_stat stat;
    gk_cache_stat(cache, &stat);
    size_t removed = gk_cache_prune(cache, stat.bytes / 2 + SIZE);
    check(removed > 0 && removed < 6, "%zu entries were removed", removed);
    check(numbered_get(cache, 0) == RIGHT, "what was used after the clock was set was evicted");
    for (int i = 1; i < 5; i++)
        check(numbered_get(cache, i) == NONE, "entry %d from the future outlived others", i);
    gk_cache_close(cache);
    folder_remove(folder);
}

/* ---- One process at a time ---- */

/* While somebody else prunes nobody waits, and no entry is refused; afterwards it is within the limit again. */
static void check_lock(void) {
    const char *folder = folder_make();
    struct gk_cache *cache = cache_at(folder, LIMIT);
    numbered_put(cache, 0, SIZE);
    int lock = open(path_of("%s/" GK_ENTRY_FOLDER "/.lock", folder), O_RDWR | O_CLOEXEC);
    if (lock < 0 || flock(lock, LOCK_EX) != 0) give_up("no lock file");
    int refused = 0;
    for (int i = 1; i < 300; i++)
        refused += !numbered_put(cache, i, SIZE);
    check(refused == 0 && disk_used(folder) > LIMIT, "%d refused while another process prunes", refused);
    close(lock);
    numbered_put(cache, 300, SIZE);
    check(disk_used(folder) <= LIMIT, "%llu bytes after the other has gone", (unsigned long long)disk_used(folder));
    gk_cache_close(cache);
    folder_remove(folder);
}

/* What was measured a moment ago is believed; what was measured long ago, in the future, or not wholly is not. */
static void check_stamp(void) {
    static const struct {
        long age;
        size_t size;
        unsigned char part; /* of what the stamp says: 64 KiB */
        int is_believed;
    } cases[] = {{-5, 8, 1, 1}, {-300, 8, 1, 0}, {300, 8, 1, 0}, {-5, 3, 1, 0}, {-5, 8, LIMIT >> 16, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *folder = folder_make();
        const char *lock = path_of("%s/" GK_ENTRY_FOLDER "/.lock", folder);
        struct gk_cache *filler = cache_at(folder, LIMIT), *cache = cache_at(folder, LIMIT / 4);
        for (int n = 0; n < 100; n++)
            numbered_put(filler, n, SIZE);
        file_write(lock, (const unsigned char[8]){0, 0, cases[i].part}, cases[i].size, 0600);
        file_age(lock, cases[i].age);
        numbered_put(cache, 100, SIZE);
        int is_pruned = disk_used(folder) <= LIMIT / 4;
        check(is_pruned != cases[i].is_believed, "a stamp of %zu bytes from %ld seconds off: %s", cases[i].size,
              cases[i].age, is_pruned ? "measured anew" : "believed");
        gk_cache_close(filler);
        gk_cache_close(cache);
        folder_remove(folder);
    }
}

/* ---- Other versions ---- */

static void check_versions(void) {
    const char *folder = folder_make(), *other = path_of("%s/v2", folder);
    const char *theirs = path_of("%s/0123456789abcdef0123456789abcdef.kernel", other);
    if (mkdir(other, 0700) != 0) give_up(other);
    file_write(theirs, "of another version", 18, 0600);
    struct gk_cache *cache = cache_at(folder, LIMIT);
    struct gk_cache_stat stat;
    numbered_put(cache, 1, SIZE);
    gk_cache_stat(cache, &stat);
    check(stat.entries == 1 && numbered_get(cache, 1) == RIGHT, "%d entries beside another version", (int)stat.entries);
    check(gk_cache_prune(cache, 0) == 1 && gk_cache_clear(cache) == 0, "pruning beside another version");
    check(access(theirs, F_OK) == 0, "files of another version are gone");
    gk_cache_close(cache);
    folder_remove(folder);
}

int main(void) {
    check_limit();
    check_replacement();
    check_other_writer();
    check_touch();
    check_clock();
    check_lock();
    check_stamp();
    check_versions();
    return finish();
}
