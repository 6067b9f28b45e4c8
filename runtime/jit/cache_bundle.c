/* cache_bundle: entries in one file, to be carried to another machine.
 *
 *   magic (8), schema (4), 0 (4); the entries as they are in their files; magic of the end (8), how many entries (8) */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jit/bytes.h"
#include "jit/cache_entry.h"
#include "jit/cache_state.h"
#include "jit/hash.h"

enum { MAGIC = 8, BUNDLE_HEAD = 16, BUNDLE_TAIL = 16 };
static const char head_magic[] = "gasketB\n", tail_magic[] = "\nBteksag";

static const char *reason(const struct gk_cache *cache) {
    const char *trouble = gk_cache_trouble(cache);
    if (*trouble) return trouble;
    return cache->reads_only ? "the cache is only read" : "it is larger than the cache may be";
}

/* ---- Export ---- */

struct export {
    struct gk_draft draft;
    size_t n;
};

static int export_entry(void *user, const struct gk_cache_entry *entry) {
    struct export *export = user;
    const struct gk_cached cached = {entry->key, entry->payload, entry->key_length, entry->size};
    size_t n;
    if (entry->fault) return 0;
    unsigned char *bytes = gk_cached_encode(&cached, &n);
    if (bytes)
        gk_draft_write(&export->draft, bytes, n);
    else
        export->draft.error = ENOMEM;
    free(bytes);
    export->n++;
    return export->draft.error;
}

static void export_all(struct gk_cache *cache, struct export *export) {
    unsigned char head[BUNDLE_HEAD] = {0}, tail[BUNDLE_TAIL];
    memcpy(head, head_magic, MAGIC);
    gk_bytes_put(head + MAGIC, 4, GK_ENTRY_SCHEMA);
    gk_draft_write(&export->draft, head, sizeof head);
    gk_cache_walk(cache, export_entry, export);
    memcpy(tail, tail_magic, MAGIC);
    gk_bytes_put(tail + MAGIC, BUNDLE_TAIL - MAGIC, export->n);
    gk_draft_write(&export->draft, tail, sizeof tail);
}

/* The directory that the file is in, opened, and its name there. */
static int open_directory(const char *file, const char **name) {
    char path[PATH_MAX];
    const char *slash = strrchr(file, '/');
    size_t n = slash ? (size_t)(slash - file) + 1 : 0;
    *name = file + n;
    if (n >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    snprintf(path, sizeof path, "%.*s", (int)n, file);
    return open(slash ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* A terminal or a pipe is not replaced by a file. */
static int is_replaceable(int directory, const char *name) {
    struct stat stat;
    return fstatat(directory, name, &stat, AT_SYMLINK_NOFOLLOW) != 0 || S_ISREG(stat.st_mode);
}

enum gasket_status gk_cache_export(struct gk_cache *cache, const char *file, size_t *entries, struct gk_error *error) {
    struct export export = {.n = 0};
    const char *name;
    *entries = 0;
    if (!cache || atomic_load(&cache->is_off))
        return gk_fail(error, GASKET_UNAVAILABLE, "there is no cache to export: %s", reason(cache));
    int directory = open_directory(file, &name), failure = directory < 0 ? errno : 0;
    if (!failure && is_replaceable(directory, name)) {
        gk_draft_open(&export.draft, directory, 0666);
        export_all(cache, &export);
        failure = gk_draft_close(&export.draft, name);
    } else if (!failure) {
        failure = EEXIST;
    }
    if (directory >= 0) close(directory);
    if (failure == EEXIST)
        return gk_fail(error, GASKET_INVALID_ARGUMENT, "%s: is there and is not a regular file", file);
    if (failure) return gk_fail(error, GASKET_INVALID_ARGUMENT, "%s: can not be written: %s", file, strerror(failure));
    *entries = export.n;
    return GASKET_OK;
}

/* ---- Import ---- */

struct import {
    FILE *stream;
    const char *file;
    size_t n;
    int is_over;
};

static enum gasket_status refuse(const struct import *import, const char *fault, struct gk_error *error) {
    return gk_fail(error, GASKET_INVALID_ARGUMENT, "%s: entry %zu, at byte %ld, %s", import->file, import->n + 1,
                   ftell(import->stream), fault);
}

static int take(const struct import *import, unsigned char *bytes, size_t n) {
    return fread(bytes, 1, n, import->stream) == n;
}

static enum gasket_status import_head(const struct import *import, struct gk_error *error) {
    unsigned char head[BUNDLE_HEAD], expected[BUNDLE_HEAD] = {0};
    memcpy(expected, head_magic, MAGIC);
    gk_bytes_put(expected + MAGIC, 4, GK_ENTRY_SCHEMA);
    if (!take(import, head, sizeof head) || memcmp(head, expected, MAGIC) != 0)
        return gk_fail(error, GASKET_INVALID_ARGUMENT, "%s: is not a bundle of cached kernels", import->file);
    if (memcmp(head, expected, sizeof head) != 0)
        return gk_fail(error, GASKET_INVALID_ARGUMENT, "%s: is a bundle of version %u, not %d", import->file,
                       (unsigned)gk_bytes_get(head + MAGIC, 4), GK_ENTRY_SCHEMA);
    return GASKET_OK;
}

static enum gasket_status import_tail(struct import *import, const unsigned char tail[BUNDLE_TAIL],
                                      struct gk_error *error) {
    uint64_t n = gk_bytes_get(tail + MAGIC, BUNDLE_TAIL - MAGIC);
    import->is_over = 1;
    if (n == import->n && getc(import->stream) == EOF) return GASKET_OK;
    return gk_fail(error, GASKET_INVALID_ARGUMENT, "%s: has %zu entries and says %llu, or goes on behind its end",
                   import->file, import->n, (unsigned long long)n);
}

static enum gasket_status keep(struct gk_cache *cache, struct import *import, const unsigned char *bytes, size_t n,
                               struct gk_error *error) {
    struct gk_cached entry;
    struct gk_key key;
    char name[GK_FILE_NAME];
    const char *fault = gk_cached_decode(bytes, n, &entry);
    if (fault) return refuse(import, fault, error);
    gk_hash(key.number, entry.key, entry.key_length);
    if (!gk_cache_store(cache, gk_cache_file_name(&key, GK_ENTRY_SUFFIX, name), bytes, n))
        return gk_fail(error, GASKET_UNAVAILABLE, "%s: entry %zu can not be stored: %s", import->file, import->n + 1,
                       reason(cache));
    import->n++;
    gk_cache_count(cache, GK_STORED, 1);
    return GASKET_OK;
}

/* The next entry, or the end. */
static enum gasket_status import_next(struct gk_cache *cache, struct import *import, struct gk_error *error) {
    unsigned char head[GK_ENTRY_HEAD];
    if (!take(import, head, BUNDLE_TAIL)) return refuse(import, "is cut off", error);
    if (memcmp(head, tail_magic, MAGIC) == 0) return import_tail(import, head, error);
    if (!take(import, head + BUNDLE_TAIL, sizeof head - BUNDLE_TAIL)) return refuse(import, "is cut off", error);
    size_t n = gk_cached_length(head);
    if (n == 0) return refuse(import, "does not begin as one", error);
    unsigned char *bytes = malloc(n);
    if (!bytes) return gk_fail(error, GASKET_OUT_OF_MEMORY, "%s: no memory for %zu bytes", import->file, n);
    memcpy(bytes, head, sizeof head);
    enum gasket_status status = take(import, bytes + sizeof head, n - sizeof head)
                                    ? keep(cache, import, bytes, n, error)
                                    : refuse(import, "is cut off", error);
    free(bytes);
    return status;
}

enum gasket_status gk_cache_import(struct gk_cache *cache, const char *file, size_t *entries, struct gk_error *error) {
    struct import import = {fopen(file, "rbe"), file, 0, 0};
    *entries = 0;
    if (!import.stream)
        return gk_fail(error, GASKET_INVALID_ARGUMENT, "%s: can not be read: %s", file, strerror(errno));
    enum gasket_status status = import_head(&import, error);
    if (!status && (!cache || cache->reads_only || atomic_load(&cache->is_off)))
        status = gk_fail(error, GASKET_UNAVAILABLE, "%s: there is no cache to import to: %s", file, reason(cache));
    while (!status && !import.is_over)
        status = import_next(cache, &import, error);
    fclose(import.stream);
    *entries = import.n;
    return status;
}
