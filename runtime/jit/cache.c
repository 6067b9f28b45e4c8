/* cache: see cache.h. */
#include "jit/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "environment.h"
#include "jit/cache_entry.h"
#include "jit/cache_state.h"

/* ---- Opening ---- */

static const uint64_t usual_limit = (uint64_t)256 << 20;

void gk_cache_blame(struct gk_cache *cache, const struct gk_error *trouble) {
    int nobody = 0;
    if (!atomic_compare_exchange_strong(&cache->blamed, &nobody, 1)) return;
    cache->trouble = *trouble;
    atomic_store(&cache->blamed, 2);
}

/* Turns the cache off for good. */
static void turn_off(struct gk_cache *cache, const struct gk_error *trouble) {
    gk_cache_blame(cache, trouble);
    atomic_store(&cache->is_off, 1);
}

static void read_limit(struct gk_cache *cache, uint64_t limit) {
    const char *text = limit ? NULL : gk_environment("GASKET_CACHE_BYTES");
    cache->limit = limit ? limit : usual_limit;
    if (!text || !*text) return;
    errno = 0;
    cache->limit = strtoull(text, NULL, 10);
    if (errno == 0 && text[strspn(text, "0123456789")] == '\0') return;
    struct gk_error error;
    gk_fail(&error, GASKET_INVALID_ARGUMENT, "turned off: GASKET_CACHE_BYTES = '%.100s' is not a number of bytes",
            text);
    turn_off(cache, &error);
}

static enum gk_folder_state open_folder(struct gk_cache *cache, struct gk_folder *folder, int makes,
                                        struct gk_error *error) {
    enum gk_folder_state state = gk_folder_open(folder, cache->directory, makes, error);
    if (state == GK_FOLDER_UNSAFE) turn_off(cache, error);
    return state;
}

/* A directory that is missing is no trouble yet: the first entry makes it. */
static void look(struct gk_cache *cache) {
    struct gk_folder folder;
    struct gk_error error;
    enum gk_folder_state state = open_folder(cache, &folder, 0, &error);
    if (state == GK_FOLDER_CLOSED) gk_cache_blame(cache, &error);
    if (state != GK_FOLDER_OPEN) return;
    if (faccessat(folder.fd, ".", W_OK, AT_EACCESS) != 0) {
        gk_fail(&error, GASKET_UNAVAILABLE, "%s: nothing can be written: %s", cache->directory, strerror(errno));
        gk_cache_blame(cache, &error);
    }
    close(folder.fd);
}

void gk_cache_open(struct gk_cache **cache, const struct gk_cache_options *options) {
    struct gk_cache *made = *cache = calloc(1, sizeof *made);
    struct gk_error error;
    if (!made) return;
    made->reads_only = options->reads_only;
    atomic_store(&made->unmeasured, UINT64_MAX);
    gk_find_directory(options->directory, made->directory, &error);
    if (made->directory[0] == '\0')
        turn_off(made, &error);
    else
        read_limit(made, options->limit);
    if (!made->is_off) look(made);
}

void gk_cache_close(struct gk_cache *cache) {
    free(cache);
}

const char *gk_cache_directory(const struct gk_cache *cache) {
    return cache ? cache->directory : "";
}

const char *gk_cache_trouble(const struct gk_cache *cache) {
    if (!cache) return "there is no memory for a cache";
    return atomic_load(&cache->blamed) == 2 ? cache->trouble.text : "";
}

int gk_cache_enter(struct gk_cache *cache, struct gk_folder *folder, int makes) {
    struct gk_error error;
    if (!cache || atomic_load(&cache->is_off)) return 0;
    enum gk_folder_state state = open_folder(cache, folder, makes, &error);
    if (makes && state != GK_FOLDER_OPEN) gk_cache_blame(cache, &error);
    return state == GK_FOLDER_OPEN;
}

/* ---- Looking up ---- */

const char *gk_cache_file_name(const struct gk_key *key, const char *suffix, char name[GK_FILE_NAME]) {
    char digits[GK_KEY_NAME];
    snprintf(name, GK_FILE_NAME, "%s%s", gk_key_name(key, digits), suffix);
    return name;
}

/* Times of access can not be relied on: many systems do not keep them. */
static void mark_used(const struct gk_folder *folder, const struct gk_image *image, const char *name) {
    const struct timespec times[2] = {{0, UTIME_OMIT}, {0, UTIME_NOW}};
    if (!gk_is_fresh(&image->was)) utimensat(folder->fd, name, times, AT_SYMLINK_NOFOLLOW);
}

/* Whether the file is sound. A damaged one is removed. */
static int is_sound(struct gk_cache *cache, const struct gk_folder *folder, const struct gk_image *image,
                    const char *name, struct gk_cached *entry) {
    if (!gk_cached_decode(image->bytes, image->size, entry)) return 1;
    gk_cache_count(cache, GK_DAMAGED, 1);
    if (!cache->reads_only) gk_image_remove(image, folder, name);
    return 0;
}

/* The record is compared whole: the name is only a number of it. */
static int is_of(const struct gk_cached *entry, const struct gk_key *key) {
    return entry->key_length == key->length && memcmp(entry->key, key->record, key->length) == 0;
}

static int fetch(struct gk_cache *cache, const struct gk_key *key, const char *suffix, void **payload, size_t *size) {
    struct gk_folder folder;
    struct gk_image image = {.bytes = NULL};
    struct gk_cached entry;
    char name[GK_FILE_NAME];
    if (key->length == 0 || !gk_cache_enter(cache, &folder, 0)) return 0;
    gk_cache_file_name(key, suffix, name);
    int found =
        gk_image_read(&image, &folder, name) && is_sound(cache, &folder, &image, name, &entry) && is_of(&entry, key);
    if (found && !cache->reads_only) mark_used(&folder, &image, name);
    close(folder.fd);
    if (found) {
        *size = entry.size;
        *payload = memmove(image.bytes, entry.payload, entry.size);
    } else {
        free(image.bytes);
    }
    return found;
}

int gk_cache_get(struct gk_cache *cache, const struct gk_key *key, void **payload, size_t *size) {
    int found = fetch(cache, key, GK_ENTRY_SUFFIX, payload, size);
    if (cache) gk_cache_count(cache, found ? GK_HITS : GK_MISSES, 1);
    return found;
}

/* ---- Storing ---- */

static int publish(const struct gk_folder *folder, const char *name, const unsigned char *bytes, size_t n) {
    struct gk_draft draft;
    gk_draft_open(&draft, folder->fd, 0600);
    gk_draft_write(&draft, bytes, n);
    return gk_draft_close(&draft, name);
}

static void note_written(struct gk_cache *cache, uint64_t bytes) {
    atomic_fetch_add(&cache->held, bytes);
    if (atomic_load(&cache->unmeasured) != UINT64_MAX) atomic_fetch_add(&cache->unmeasured, bytes);
}

int gk_cache_store(struct gk_cache *cache, const char *name, const unsigned char *bytes, size_t n) {
    struct gk_folder folder;
    struct gk_error trouble;
    uint64_t room = gk_disk_bytes(n);
    if (room > cache->limit / 5 * 4 || !gk_cache_enter(cache, &folder, 1)) return 0;
    gk_cache_make_room(cache, &folder, room);
    int error = publish(&folder, name, bytes, n);
    close(folder.fd);
    if (error) {
        gk_fail(&trouble, GASKET_UNAVAILABLE, "%s: an entry could not be written: %s", cache->directory,
                strerror(error));
        gk_cache_blame(cache, &trouble);
    } else {
        note_written(cache, room);
    }
    return error == 0;
}

static int put(struct gk_cache *cache, const struct gk_key *key, const char *suffix, const void *payload, size_t size) {
    const struct gk_cached entry = {key->record, payload, key->length, size};
    char name[GK_FILE_NAME];
    size_t n = 0;
    if (!cache || cache->reads_only || atomic_load(&cache->is_off)) return 0;
    unsigned char *bytes = gk_cached_encode(&entry, &n);
    int stored = bytes && gk_cache_store(cache, gk_cache_file_name(key, suffix, name), bytes, n);
    free(bytes);
    return stored;
}

int gk_cache_put(struct gk_cache *cache, const struct gk_key *key, const void *payload, size_t size) {
    int stored = put(cache, key, GK_ENTRY_SUFFIX, payload, size);
    if (cache) gk_cache_count(cache, stored ? GK_STORED : GK_FAILED_STORES, 1);
    return stored;
}

/* ---- Notes ---- */

static void make_note_key(struct gk_key *key, const char *name) {
    gk_key_start(key);
    gk_key_text(key, 'n', name);
    gk_key_finish(key);
}

int gk_cache_note_get(struct gk_cache *cache, const char *name, char *text, size_t capacity) {
    struct gk_key key;
    void *payload;
    size_t size;
    make_note_key(&key, name);
    if (!fetch(cache, &key, GK_NOTE_SUFFIX, &payload, &size)) return 0;
    int fits = size < capacity;
    if (fits) {
        memcpy(text, payload, size);
        text[size] = '\0';
    }
    free(payload);
    return fits;
}

int gk_cache_note_put(struct gk_cache *cache, const char *name, const char *text) {
    struct gk_key key;
    make_note_key(&key, name);
    return put(cache, &key, GK_NOTE_SUFFIX, text, strlen(text));
}
