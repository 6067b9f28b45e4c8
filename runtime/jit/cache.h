/* cache: compiled kernels on disk, one file each. Any number of processes may use one directory at once, and any of
 * them may be killed at any moment: a file is there whole or not at all, and is verified each time it is read. A cache
 * that can not be used, for whatever reason, never fails a call: it is only empty, and says why.
 *
 * All functions are safe from any thread. */
#ifndef GK_CACHE_H
#define GK_CACHE_H

#include "error.h"
#include "jit/key.h"

struct gk_cache;

struct gk_cache_options {
    const char
        *directory; /* NULL: GASKET_CACHE_DIR, XDG_CACHE_HOME/gasket, HOME/.cache/gasket, the password entry's
                       home; "" or GASKET_CACHE_DIR="": none. NULL counts as none when real and effective ids differ */
    uint64_t limit; /* bytes of disk that all files together may take; 0: GASKET_CACHE_BYTES, or 256 MiB */
    int reads_only; /* looks up and never writes */
};

/* Never fails: without usable directory (or memory: then *cache is NULL, which all functions accept) it is off. The
 * directory is made (0700), and the one above it when need be, when the first entry is written. One that others may
 * write to, that somebody else owns (root may), or that is a symbolic link is refused, then and whenever it is used:
 * the cache is off from then on. One on which nothing can be written is read. */
void gk_cache_open(struct gk_cache **cache, const struct gk_cache_options *options);
void gk_cache_close(struct gk_cache *cache);

/* The directory ("" when there is none), and the first thing that was in the way of using it or writing to it ("" when
 * nothing was). Texts belong to the cache and stay. */
const char *gk_cache_directory(const struct gk_cache *cache);
const char *gk_cache_trouble(const struct gk_cache *cache);

/* The payload of a key: 1 and malloc'd *payload, which the caller frees; 0 when there is none. A file that is damaged,
 * of another format, owner or mode, or of another key counts as none; a damaged one is removed. */
int gk_cache_get(struct gk_cache *cache, const struct gk_key *key, void **payload, size_t *size);

/* Stores it, so that whoever opens the file sees all of it or nothing. 0 when it was not stored: that is no error. From
 * time to time, and when the limit is passed, least recently used entries are removed down to 4/5 of it. */
int gk_cache_put(struct gk_cache *cache, const struct gk_key *key, const void *payload, size_t size);

/* A small text beside the entries, published and verified as they are: what is known of the compiler. */
int gk_cache_note_get(struct gk_cache *cache, const char *name, char *text, size_t capacity);
int gk_cache_note_put(struct gk_cache *cache, const char *name, const char *text);

/* ---- What is there ---- */

struct gk_cache_stat {
    uint64_t entries, bytes, limit;                                 /* on disk */
    uint64_t hits, misses, stored, failed_stores, damaged, evicted; /* by this process */
};
void gk_cache_stat(struct gk_cache *cache, struct gk_cache_stat *stat);   /* walks the directory */
void gk_cache_counts(struct gk_cache *cache, struct gk_cache_stat *stat); /* only what this process did */

struct gk_cache_entry {
    const char *file; /* its name in the directory */
    const void *key;  /* the record, see key.h; NULL when the entry is damaged */
    size_t key_length;
    const void *payload;
    size_t size;
    int64_t used;      /* seconds since the epoch */
    const char *fault; /* why it is damaged, or NULL */
};
/* Calls `each` for every entry, verified, in the order of their names; stops with its result when that is not 0. */
int gk_cache_walk(struct gk_cache *cache, int (*each)(void *user, const struct gk_cache_entry *entry), void *user);

/* Each returns how many entries it removed. Prune: damaged ones, what writers that died left behind, and the least
 * recently used down to `limit` bytes. */
size_t gk_cache_prune(struct gk_cache *cache, uint64_t limit);
size_t gk_cache_clear(struct gk_cache *cache);

/* All sound entries to one file, and back. Import verifies each entry as a lookup does and stores it; *entries gets how
 * many there were. INVALID_ARGUMENT names the file and what is wrong with it; what was sound before stays imported. */
enum gasket_status gk_cache_export(struct gk_cache *cache, const char *file, size_t *entries, struct gk_error *error);
enum gasket_status gk_cache_import(struct gk_cache *cache, const char *file, size_t *entries, struct gk_error *error);

#endif
