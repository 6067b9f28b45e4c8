/* cache_bundle: entries go out and come back; bundles that are cut, changed or none at all are refused with a reason,
 * and what was sound before the fault is there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jit/bytes.h"
#include "support/cached.h"
#include "support/support.h"

enum { ENTRIES = 2, SIZE = 20, HEAD = 16, TAIL = 16 };

struct scene {
    const char *folder;
    char file[PATH_MAX];
    unsigned char *bytes;
    size_t n, entry; /* bytes of all; of one entry */
};

static void open_scene(struct scene *scene) {
    scene->folder = folder_make();
    snprintf(scene->file, sizeof scene->file, "%s/bundle", scene->folder);
    struct gk_cache *cache = cache_at(path_of("%s/from", scene->folder), 0);
    struct gk_error error;
    size_t n = 0;
    for (int i = 0; i < ENTRIES; i++)
        numbered_put(cache, i, SIZE);
    gk_cache_note_put(cache, "note", "is not for other machines");
    file_write(numbered_file(path_of("%s/from", scene->folder), ENTRIES), "damaged", 7, 0600);
    check(gk_cache_export(cache, scene->file, &n, &error) == GASKET_OK && n == ENTRIES, "export of %zu: %s", n,
          error.text);
    gk_cache_close(cache);
    scene->bytes = file_read(scene->file, &scene->n);
    free(numbered_bytes(0, SIZE, &scene->entry));
    check(scene->n == HEAD + ENTRIES * scene->entry + TAIL, "a bundle of %zu bytes", scene->n);
}

static void close_scene(struct scene *scene) {
    free(scene->bytes);
    folder_remove(scene->folder);
}

/* Imports the bytes into an empty cache. `sound` entries must come, and a reason that names the file. */
static void check_import(struct scene *scene, const unsigned char *bytes, size_t n, size_t sound, const char *part,
                         const char *name, size_t at) {
    struct gk_cache *cache = cache_at(path_of("%s/to", scene->folder), 0);
    struct gk_error error = {GASKET_OK, ""};
    struct gk_cache_stat stat;
    size_t entries = 99;
    int wrong = 0;
    file_write(scene->file, bytes, n, 0644);
    enum gasket_status status = gk_cache_import(cache, scene->file, &entries, &error);
    gk_cache_stat(cache, &stat);
    for (int i = 0; i < ENTRIES; i++)
        wrong += numbered_get(cache, i) == WRONG;
    check(status == (part ? GASKET_INVALID_ARGUMENT : GASKET_OK) && entries == sound && stat.entries == sound && !wrong,
          "%s %zu: %s, %zu entries said, %zu there, %d wrong", name, at, gasket_status_name(status), entries,
          (size_t)stat.entries, wrong);
    check(!part || (strstr(error.text, part) && strstr(error.text, scene->file)), "%s %zu: '%s'", name, at, error.text);
    gk_cache_clear(cache);
    gk_cache_close(cache);
}

static void check_cuts(struct scene *scene) {
    for (size_t n = 0; n < scene->n; n++) {
        size_t whole = n < HEAD ? 0 : (n - HEAD) / scene->entry;
        const char *part = n < HEAD ? "is not a bundle" : "is cut off";
        check_import(scene, scene->bytes, n, whole < ENTRIES ? whole : ENTRIES, part, "cut at", n);
    }
}

static void check_flips(struct scene *scene) {
    for (size_t bit = 0; bit < scene->n * 8; bit++) {
        size_t byte = bit / 8, whole = byte < HEAD ? 0 : (byte - HEAD) / scene->entry;
        scene->bytes[byte] ^= (unsigned char)(1 << bit % 8);
        check_import(scene, scene->bytes, scene->n, whole < ENTRIES ? whole : ENTRIES, "", "flipped bit", bit);
        scene->bytes[byte] ^= (unsigned char)(1 << bit % 8);
    }
}

static void check_reasons(struct scene *scene) {
    unsigned char *copy = calloc(1, scene->n + 1);
    memcpy(copy, scene->bytes, scene->n);
    check_import(scene, copy, scene->n, ENTRIES, NULL, "intact", 0);
    check_import(scene, copy, scene->n + 1, ENTRIES, "goes on behind its end", "bytes behind the end:", 1);
    copy[8] = 2;
    check_import(scene, copy, scene->n, 0, "is a bundle of version 2, not 1", "version", 2);
    copy[8] = 1;
    copy[HEAD + scene->entry + 30] ^= 1;
    check_import(scene, copy, scene->n, 1, "entry 2, at byte", "a changed entry", 2);
    check_import(scene, copy, scene->n, 1, "has a wrong checksum", "a changed entry", 2);
    copy[HEAD + scene->entry + 30] ^= 1;
    copy[scene->n - 8] = 1;
    check_import(scene, copy, scene->n, ENTRIES, "has 2 entries and says 1", "a wrong count", 2);
    copy[scene->n - 8] = ENTRIES;
    gk_bytes_put(copy + HEAD + 16, 8, 60 << 20);
    check_import(scene, copy, scene->n, 0, "is cut off", "an entry that says it is large", 60);
    gk_bytes_put(copy + HEAD + 16, 8, UINT64_MAX - 10);
    check_import(scene, copy, scene->n, 0, "does not begin as one", "an entry that says it is huge", 0);
    free(copy);
}

/* ---- Places ---- */

static void check_refusals(struct scene *scene) {
    struct gk_error error;
    struct gk_cache *cache = cache_at(path_of("%s/from", scene->folder), 0), *off = cache_at("", 0), *reader;
    const struct gk_cache_options options = {.directory = gk_cache_directory(cache), .reads_only = 1};
    const char *link = path_of("%s/link", scene->folder), *pipe = path_of("%s/pipe", scene->folder);
    size_t n = 9;
    gk_cache_open(&reader, &options);
    file_write(scene->file, scene->bytes, scene->n, 0644);
    check(gk_cache_import(off, scene->file, &n, &error) == GASKET_UNAVAILABLE && strstr(error.text, "turned off"),
          "import into nothing: %s", error.text);
    check(gk_cache_import(reader, scene->file, &n, &error) == GASKET_UNAVAILABLE && strstr(error.text, "only read"),
          "import into one that only reads: %s", error.text);
    check(gk_cache_export(off, scene->file, &n, &error) == GASKET_UNAVAILABLE, "export of nothing: %s", error.text);
    check(gk_cache_export(reader, scene->file, &n, &error) == GASKET_OK && n == ENTRIES, "export by a reader: %s",
          error.text);
    check(gk_cache_import(cache, link, &n, &error) == GASKET_INVALID_ARGUMENT && n == 0 &&
              strstr(error.text, "No such file"),
          "import of no file: %s", error.text);
    check(gk_cache_import(cache, scene->folder, &n, &error) == GASKET_INVALID_ARGUMENT, "import of a directory: %s",
          error.text);
    if (symlink(scene->file, link) != 0 || mkfifo(pipe, 0600) != 0) give_up(link);
    const char *const places[] = {link, pipe, path_of("%s/no/such", scene->folder), path_of("%s/", scene->folder)};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        check(gk_cache_export(cache, places[i], &n, &error) == GASKET_INVALID_ARGUMENT && n == 0 &&
                  strstr(error.text, places[i]),
              "export to %s: %s", places[i], error.text);
    gk_cache_close(cache);
    gk_cache_close(off);
    gk_cache_close(reader);
}

/* An entry that the limit has no room for is said to be so. */
static void check_small_cache(struct scene *scene) {
    struct gk_error error;
    size_t n;
    struct gk_cache *cache = cache_at(path_of("%s/small", scene->folder), 100);
    check(gk_cache_import(cache, scene->file, &n, &error) == GASKET_UNAVAILABLE && n == 0 &&
              strstr(error.text, "entry 1 can not be stored: it is larger than the cache may be"),
          "import into a small cache: %s", error.text);
    gk_cache_close(cache);
}

/* The same entries give the same bytes, and a bundle of none is one. */
static void check_again(struct scene *scene) {
    struct gk_error error;
    size_t n, size;
    struct gk_cache *cache = cache_at(path_of("%s/again", scene->folder), 0);
    check(gk_cache_export(cache, path_of("%s/empty", scene->folder), &n, &error) == GASKET_OK && n == 0, "empty: %s",
          error.text);
    check(gk_cache_import(cache, path_of("%s/empty", scene->folder), &n, &error) == GASKET_OK && n == 0, "empty: %s",
          error.text);
    check(gk_cache_import(cache, scene->file, &n, &error) == GASKET_OK && n == ENTRIES, "%s", error.text);
    const char *second = path_of("%s/second", scene->folder);
    check(gk_cache_export(cache, second, &n, &error) == GASKET_OK && n == ENTRIES, "%s", error.text);
    unsigned char *bytes = file_read(second, &size);
    check(size == scene->n && memcmp(bytes, scene->bytes, size) == 0, "another export of the same entries differs");
    free(bytes);
    gk_cache_close(cache);
}

int main(void) {
    struct scene scene;
    open_scene(&scene);
    check_again(&scene);
    check_cuts(&scene);
    check_flips(&scene);
    check_reasons(&scene);
    check_refusals(&scene);
    check_small_cache(&scene);
    close_scene(&scene);
    return finish();
}
