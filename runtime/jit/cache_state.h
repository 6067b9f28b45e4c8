/* cache_state: the inside of a cache, for the files that make it up. It holds no file open and no lock: each function
 * goes to the directory anew, so a directory that is removed, a fork, or a change of user are nothing special. */
#ifndef GK_CACHE_STATE_H
#define GK_CACHE_STATE_H

#include <stdatomic.h>

#include "jit/cache.h"
#include "jit/cache_directory.h"
#include "jit/cache_file.h"

enum gk_count { GK_HITS, GK_MISSES, GK_STORED, GK_FAILED_STORES, GK_DAMAGED, GK_EVICTED, GK_COUNTS };

struct gk_cache {
    char directory[PATH_MAX];
    uint64_t limit;
    int reads_only;
    atomic_int is_off; /* the directory is not safe */
    atomic_int blamed; /* 2: trouble is written and stays; 1: somebody writes it */
    struct gk_error trouble;
    atomic_uint_fast64_t counts[GK_COUNTS];
    /* What files are believed to take, and how much was written since they were measured. */
    atomic_uint_fast64_t held, unmeasured;
};

#define GK_ENTRY_SUFFIX ".kernel"
#define GK_NOTE_SUFFIX ".note"

/* The name of a key's file. */
const char *gk_cache_file_name(const struct gk_key *key, const char *suffix, char name[GK_FILE_NAME]);

static inline void gk_cache_count(struct gk_cache *cache, enum gk_count which, uint64_t n) {
    atomic_fetch_add_explicit(&cache->counts[which], n, memory_order_relaxed);
}

/* Whether the folder was opened; the caller closes it. NULL is allowed. */
int gk_cache_enter(struct gk_cache *cache, struct gk_folder *folder, int makes);

/* Keeps the first trouble that there was. */
void gk_cache_blame(struct gk_cache *cache, const struct gk_error *trouble);

/* Publishes a whole entry. */
int gk_cache_store(struct gk_cache *cache, const char *name, const unsigned char *bytes, size_t n);

/* ---- cache_prune.c ---- */

/* Bytes of disk that a file of n bytes takes, about. */
uint64_t gk_disk_bytes(uint64_t n);

/* Before a file of that many bytes of disk is added: removes others when the limit would be passed. */
void gk_cache_make_room(struct gk_cache *cache, const struct gk_folder *folder, uint64_t bytes);

#endif
