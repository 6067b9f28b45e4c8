/* The cache as one program sees it: what is stored comes back, where it lies, what is counted. What may go wrong is in
 * tests/fault/cache_*.c. */
#include "jit/cache.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jit/cache_entry.h"

static char scratch[300]; /* of this test: each runs in a process of its own */

static void make_scratch(void) {
    const char *folder = getenv("TEST_DIR");
    snprintf(scratch, sizeof scratch, "%s/cache-XXXXXX", folder ? folder : ".");
    cr_assert_not_null(mkdtemp(scratch));
    cr_assert_eq(chmod(scratch, 0700), 0);
}

static void remove_scratch(void) {
    char command[400];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    cr_expect_eq(system(command), 0);
}

TestSuite(cache, .init = make_scratch, .fini = remove_scratch);

static struct gk_cache *open_cache(const struct gk_cache_options *options) {
    struct gk_cache *cache;
    gk_cache_open(&cache, options);
    return cache;
}
#define OPEN(...) open_cache(&(const struct gk_cache_options){__VA_ARGS__})

static struct gk_key key_of(const char *text) {
    struct gk_key key;
    gk_key_start(&key);
    gk_key_text(&key, 't', text);
    gk_key_finish(&key);
    return key;
}

static int put(struct gk_cache *cache, const char *text, const char *payload) {
    struct gk_key key = key_of(text);
    return gk_cache_put(cache, &key, payload, strlen(payload));
}

static int holds(struct gk_cache *cache, const char *text, const char *payload) {
    struct gk_key key = key_of(text);
    void *found;
    size_t size;
    if (!gk_cache_get(cache, &key, &found, &size)) return 0;
    int same = size == strlen(payload) && memcmp(found, payload, size) == 0;
    free(found);
    return same;
}

Test(cache, stores_and_finds) {
    struct gk_cache *cache = OPEN(.directory = scratch), *other = OPEN(.directory = scratch);
    cr_expect_str_eq(gk_cache_directory(cache), scratch);
    cr_expect_str_eq(gk_cache_trouble(cache), "");
    cr_expect_not(holds(cache, "a", "first"));
    cr_expect(put(cache, "a", "first"));
    cr_expect(put(cache, "b", ""));
    cr_expect(holds(cache, "a", "first"));
    cr_expect(holds(other, "a", "first"));
    cr_expect(holds(other, "b", ""));
    cr_expect(put(other, "a", "second"), "stored again");
    cr_expect(holds(cache, "a", "second"));
    struct gk_cache_stat stat;
    gk_cache_stat(cache, &stat);
    cr_expect_eq(stat.entries, 2);
    cr_expect_geq(stat.bytes, 2);
    cr_expect_eq(stat.limit, (uint64_t)256 << 20);
    cr_expect_eq(stat.hits, 2);
    cr_expect_eq(stat.misses, 1);
    cr_expect_eq(stat.stored, 2);
    cr_expect_eq(stat.failed_stores + stat.damaged + stat.evicted, 0);
    gk_cache_counts(other, &stat);
    cr_expect_eq(stat.entries + stat.bytes, 0);
    cr_expect_eq(stat.hits, 2);
    cr_expect_eq(stat.stored, 1);
    gk_cache_close(cache);
    gk_cache_close(other);
}

Test(cache, files_are_private) {
    struct gk_cache *cache;
    char directory[400], name[GK_KEY_NAME], path[600];
    snprintf(directory, sizeof directory, "%s/sub/gasket//", scratch);
    cache = OPEN(.directory = directory);
    cr_expect_neq(access(directory, F_OK), 0, "nothing is made before there is something to store");
    cr_expect(put(cache, "a", "first"));
    struct gk_key key = key_of("a");
    static const char *const parts[] = {"/sub", "/sub/gasket", "/sub/gasket/v1"};
    struct stat stat_;
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", scratch, parts[i]);
        cr_assert_eq(stat(path, &stat_), 0, "%s", path);
        cr_expect_eq(stat_.st_mode & 07777, 0700, "%s", path);
    }
    snprintf(path, sizeof path, "%s/sub/gasket/v1/%s.kernel", scratch, gk_key_name(&key, name));
    cr_assert_eq(stat(path, &stat_), 0, "%s", path);
    cr_expect_eq(stat_.st_mode & 07777, 0600);
    gk_cache_close(cache);
}

Test(cache, a_key_that_did_not_fit_is_never_stored) {
    struct gk_cache *cache = OPEN(.directory = scratch);
    static char large[GK_KEY_BYTES + 1];
    memset(large, 'x', GK_KEY_BYTES);
    cr_expect_not(put(cache, large, "first"));
    cr_expect_not(holds(cache, large, "first"));
    gk_cache_close(cache);
}

Test(cache, payloads_of_many_sizes) {
    struct gk_cache *cache = OPEN(.directory = scratch);
    static const size_t sizes[] = {0, 1, 7, 4095, 4096, 65537, 1 << 20};
    struct gk_key key = key_of("sizes");
    unsigned char *payload = calloc(1, 1 << 20);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        void *found;
        size_t size;
        if (sizes[i]) payload[sizes[i] - 1] = (unsigned char)(i + 1);
        cr_assert(gk_cache_put(cache, &key, payload, sizes[i]));
        cr_assert(gk_cache_get(cache, &key, &found, &size));
        cr_assert_eq(size, sizes[i]);
        cr_expect_arr_eq(found, payload, size);
        free(found);
    }
    cr_expect_not(gk_cache_put(cache, &key, payload, SIZE_MAX), "no memory is as large");
    free(payload);
    gk_cache_close(cache);
}

Test(cache, one_that_only_reads_writes_nothing) {
    struct gk_cache *writer = OPEN(.directory = scratch), *reader = OPEN(.directory = scratch, .reads_only = 1);
    cr_expect_not(put(reader, "a", "first"));
    cr_expect_not(gk_cache_note_put(reader, "n", "text"));
    cr_expect(put(writer, "a", "first"));
    cr_expect(holds(reader, "a", "first"));
    cr_expect_eq(gk_cache_prune(reader, 0), 0);
    cr_expect_eq(gk_cache_clear(reader), 0);
    cr_expect(holds(writer, "a", "first"));
    gk_cache_close(writer);
    gk_cache_close(reader);
}

Test(cache, notes) {
    struct gk_cache *cache = OPEN(.directory = scratch);
    char text[8] = "before";
    cr_expect_not(gk_cache_note_get(cache, "compiler/1", text, sizeof text));
    cr_expect(gk_cache_note_put(cache, "compiler/1", "sevench"));
    cr_expect(gk_cache_note_put(cache, "compiler/2", "eightcha"));
    cr_expect(gk_cache_note_get(cache, "compiler/1", text, sizeof text));
    cr_expect_str_eq(text, "sevench");
    cr_expect_not(gk_cache_note_get(cache, "compiler/2", text, sizeof text), "does not fit");
    cr_expect_str_eq(text, "sevench");
    struct gk_cache_stat stat;
    gk_cache_stat(cache, &stat);
    cr_expect_eq(stat.entries + stat.hits + stat.misses + stat.stored, 0, "notes are no entries");
    cr_expect_gt(stat.bytes, 0, "but take room");
    cr_expect_eq(gk_cache_clear(cache), 0);
    cr_expect_not(gk_cache_note_get(cache, "compiler/1", text, sizeof text));
    gk_cache_close(cache);
}

static int see(void *user, const struct gk_cache_entry *entry) {
    char *text = user;
    size_t n;
    const char *field = gk_key_field(entry->key, entry->key_length, 't', &n);
    cr_expect_null(entry->fault);
    cr_expect_gt(entry->used, 0);
    cr_expect(text[0] == '\0' || strcmp(text, entry->file) < 0, "in the order of their names");
    strcpy(text, entry->file);
    return (size_t)field[0] == entry->size ? 0 : 7;
}

Test(cache, walks) {
    struct gk_cache *cache = OPEN(.directory = scratch);
    char last[GK_KEY_NAME + 20] = "";
    cr_expect_eq(gk_cache_walk(cache, see, last), 0, "nothing is there");
    cr_expect(put(cache, "\1", "x"));
    cr_expect(put(cache, "\2", "xx"));
    cr_expect(put(cache, "\3", "xxx"));
    cr_expect(gk_cache_note_put(cache, "note", "is not seen"));
    cr_expect_eq(gk_cache_walk(cache, see, last), 0);
    cr_expect_neq(last[0], '\0');
    last[0] = '\0';
    cr_expect(put(cache, "\4", "x"));
    cr_expect_eq(gk_cache_walk(cache, see, last), 7, "ends with what the function says");
    cr_expect_eq(gk_cache_clear(cache), 4);
    last[0] = '\0';
    cr_expect_eq(gk_cache_walk(cache, see, last), 0);
    cr_expect_str_eq(last, "");
    gk_cache_close(cache);
}

Test(cache, prunes_to_a_limit) {
    struct gk_cache *cache = OPEN(.directory = scratch);
    char text[2] = "a";
    for (; text[0] <= 'j'; text[0]++)
        cr_expect(put(cache, text, "some bytes"));
    struct gk_cache_stat stat;
    gk_cache_stat(cache, &stat);
    cr_expect_eq(stat.entries, 10);
    cr_expect_eq(gk_cache_prune(cache, stat.bytes), 0);
    uint64_t half = stat.bytes / 2;
    size_t removed = gk_cache_prune(cache, half);
    cr_expect_gt(removed, 0);
    gk_cache_stat(cache, &stat);
    cr_expect_eq(stat.entries, 10 - removed);
    cr_expect_eq(stat.evicted, removed);
    cr_expect_leq(stat.bytes, half);
    gk_cache_close(cache);
}

Test(cache, an_entry_larger_than_the_limit_is_not_stored) {
    struct gk_cache *cache = OPEN(.directory = scratch, .limit = 10000);
    cr_expect(put(cache, "small", "some bytes"));
    static char large[9000];
    memset(large, 'x', sizeof large - 1);
    cr_expect_not(put(cache, "large", large));
    cr_expect(holds(cache, "small", "some bytes"));
    gk_cache_close(cache);
}

Test(cache, without_one_nothing_is_found_and_nothing_fails) {
    struct gk_cache *caches[] = {NULL, OPEN(.directory = "")};
    struct gk_error error;
    struct gk_cache_stat stat;
    char text[8] = "";
    size_t n = 5;
    for (int i = 0; i < 2; i++) {
        cr_expect_str_eq(gk_cache_directory(caches[i]), "");
        cr_expect_str_neq(gk_cache_trouble(caches[i]), "");
        cr_expect_not(put(caches[i], "a", "first"));
        cr_expect_not(holds(caches[i], "a", "first"));
        cr_expect_not(gk_cache_note_put(caches[i], "a", "first"));
        cr_expect_not(gk_cache_note_get(caches[i], "a", text, sizeof text));
        gk_cache_stat(caches[i], &stat);
        cr_expect_eq(stat.entries, 0);
        cr_expect_eq(gk_cache_walk(caches[i], see, text), 0);
        cr_expect_eq(gk_cache_prune(caches[i], 0) + gk_cache_clear(caches[i]), 0);
        cr_expect_eq(gk_cache_export(caches[i], "nowhere", &n, &error), GASKET_UNAVAILABLE);
        cr_expect_eq(gk_cache_import(caches[i], "nowhere", &n, &error), GASKET_INVALID_ARGUMENT);
        cr_expect_eq(n, 0);
        gk_cache_close(caches[i]);
    }
}

/* ---- The bytes of an entry ---- */

Test(entry, encodes_and_decodes) {
    const struct gk_cached entry = {(const unsigned char *)"key", (const unsigned char *)"payload", 3, 7};
    struct gk_cached found;
    size_t n;
    unsigned char *bytes = gk_cached_encode(&entry, &n);
    cr_assert_not_null(bytes);
    static const unsigned char head[] = "gasketK\n\1\0\0\0\3\0\0\0\7\0\0\0\0\0\0\0keypayload";
    cr_assert_eq(n, GK_ENTRY_HEAD + 10 + GK_ENTRY_TAIL);
    cr_expect_arr_eq(bytes, head, sizeof head - 1, "the same on every machine");
    cr_expect_eq(gk_cached_length(bytes), n);
    cr_assert_null(gk_cached_decode(bytes, n, &found));
    cr_expect_eq(found.key_length, 3);
    cr_expect_eq(found.size, 7);
    cr_expect_arr_eq(found.key, "key", 3);
    cr_expect_arr_eq(found.payload, "payload", 7);
    free(bytes);
}

Test(entry, sizes_that_are_refused) {
    struct gk_cached entry = {(const unsigned char *)"key", NULL, 0, 0};
    size_t n;
    cr_expect_null(gk_cached_encode(&entry, &n), "no key");
    entry.key_length = GK_KEY_BYTES + 1;
    cr_expect_null(gk_cached_encode(&entry, &n), "a key that is too long");
    entry.key_length = 3;
    entry.size = GK_ENTRY_LARGEST;
    cr_expect_null(gk_cached_encode(&entry, &n), "a payload that is too large");
    entry.size = SIZE_MAX - 20;
    cr_expect_null(gk_cached_encode(&entry, &n), "a sum that wraps");
}
