/* cache_prune: keeps the directory within its limit. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "jit/bytes.h"
#include "jit/cache_list.h"
#include "jit/cache_state.h"
#include "jit/cache_walk.h"

uint64_t gk_disk_bytes(uint64_t n) {
    return (n + 4095) / 4096 * 4096;
}

/* ---- One process at a time ---- */

/* The lock file also says how much there was when it was last measured, and its time says when. */
static const char lock_name[] = ".lock";
enum { BUSY = -1, STAMP = 8, RECENT = 60 };

/* Only an optimisation: where there are no locks, as on some network file systems, all goes on without. */
static int take_lock(const struct gk_folder *folder) {
    int fd = openat(folder->fd, lock_name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(fd);
        return BUSY;
    }
    return fd;
}

/* Unlocks: a child forked meanwhile has the descriptor too, and closing ours would leave it locked. */
static void drop_lock(int lock) {
    flock(lock, LOCK_UN);
    close(lock);
}

/* What somebody measured a moment ago. */
static int read_stamp(int lock, uint64_t *bytes) {
    unsigned char stamp[STAMP];
    struct stat stat;
    time_t now = time(NULL);
    if (fstat(lock, &stat) != 0 || stat.st_mtim.tv_sec > now || stat.st_mtim.tv_sec < now - RECENT) return 0;
    if (pread(lock, stamp, STAMP, 0) != STAMP) return 0;
    *bytes = gk_bytes_get(stamp, STAMP);
    return 1;
}

static void write_stamp(int lock, uint64_t bytes) {
    unsigned char stamp[STAMP];
    gk_bytes_put(stamp, STAMP, bytes);
    if (lseek(lock, 0, SEEK_SET) == 0) (void)gk_write_bytes(lock, stamp, STAMP);
}

/* ---- Removing ---- */

/* How many entries it removed of the least recently used, until all take no more than `target`. */
static size_t evict(struct gk_cache *cache, const struct gk_folder *folder, struct gk_list *list, uint64_t target) {
    size_t removed = 0;
    if (list->bytes > target) gk_list_by_use(list);
    for (size_t i = 0; i < list->n && list->bytes > target; i++) {
        if (unlinkat(folder->fd, list->files[i].name, 0) != 0 && errno != ENOENT) continue;
        list->bytes -= list->files[i].bytes;
        removed += !list->files[i].is_note;
    }
    gk_cache_count(cache, GK_EVICTED, removed);
    return removed;
}

static void remember(struct gk_cache *cache, uint64_t held) {
    atomic_store(&cache->held, held);
    atomic_store(&cache->unmeasured, 0);
}

/* Measures unless the stamp will do, and removes when it is too much. */
static void measure(struct gk_cache *cache, const struct gk_folder *folder, int lock, uint64_t bytes) {
    uint64_t known;
    int is_first = atomic_load(&cache->unmeasured) == UINT64_MAX;
    if (is_first && read_stamp(lock, &known) && known + bytes <= cache->limit) {
        remember(cache, known);
        return;
    }
    struct gk_list list;
    gk_list_reap(folder->fd, 0);
    gk_list_read(&list, folder->fd);
    if (list.bytes + bytes > cache->limit) evict(cache, folder, &list, cache->limit / 5 * 4 - bytes);
    remember(cache, list.bytes);
    write_stamp(lock, list.bytes);
    free(list.files);
}

/* Others write too: what they added shows when it is measured again, each time that a part of the limit was written. */
void gk_cache_make_room(struct gk_cache *cache, const struct gk_folder *folder, uint64_t bytes) {
    enum { PARTS = 16 };
    if (atomic_load(&cache->held) + bytes > cache->limit || atomic_load(&cache->unmeasured) >= cache->limit / PARTS) {
        int lock = take_lock(folder);
        if (lock == BUSY) return;
        measure(cache, folder, lock, bytes);
        drop_lock(lock);
    }
}

/* ---- On request ---- */

static size_t remove_file(const struct gk_folder *folder, const struct gk_listed *file) {
    return unlinkat(folder->fd, file->name, 0) == 0 && !file->is_note;
}

/* Whatever has the name of an entry and is none: damaged files, links, files of others. */
static size_t remove_faulty(struct gk_cache *cache, const struct gk_folder *folder, const struct gk_list *list) {
    size_t removed = 0;
    for (size_t i = 0; i < list->n; i++) {
        struct gk_inspected found;
        if (!gk_inspect(&found, folder, &list->files[i])) continue;
        free(found.image.bytes);
        if (!found.fault) continue;
        removed += remove_file(folder, &list->files[i]);
        gk_cache_count(cache, GK_DAMAGED, 1);
    }
    return removed;
}

static size_t remove_all(const struct gk_folder *folder, const struct gk_list *list) {
    size_t removed = 0;
    for (size_t i = 0; i < list->n; i++)
        removed += remove_file(folder, &list->files[i]);
    return removed;
}

/* `all`: whatever there is; else what is faulty, and what is above the limit. */
static size_t tidy(struct gk_cache *cache, uint64_t limit, int all) {
    struct gk_folder folder;
    struct gk_list list;
    if (!cache || cache->reads_only || !gk_cache_enter(cache, &folder, 0)) return 0;
    int lock = take_lock(&folder);
    gk_list_reap(folder.fd, all);
    gk_list_read(&list, folder.fd);
    size_t removed = all ? remove_all(&folder, &list) : remove_faulty(cache, &folder, &list);
    free(list.files);
    gk_list_read(&list, folder.fd);
    if (!all) removed += evict(cache, &folder, &list, limit);
    remember(cache, list.bytes);
    free(list.files);
    if (lock != BUSY) drop_lock(lock);
    close(folder.fd);
    return removed;
}

size_t gk_cache_prune(struct gk_cache *cache, uint64_t limit) {
    return tidy(cache, limit, 0);
}

size_t gk_cache_clear(struct gk_cache *cache) {
    return tidy(cache, 0, 1);
}
