/* cache_memory: each allocation fails in turn; a cache without memory finds and stores nothing, loses nothing, and
 * works again. The C library's allocator is replaced, in this program only, by one that fails. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cached.h"
#include "support/sanitizers.h"
#include "support/support.h"

#ifdef HAS_OWN_ALLOCATOR
int main(void) {
    puts("SKIP: the sanitizer has its own allocator");
    return 77;
}
#else

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void __libc_free(void *memory);

static long live, countdown = -1;
static int has_failed;

static int may_allocate(void) {
    if (countdown < 0 || countdown-- > 0) return 1;
    has_failed = 1;
    errno = ENOMEM;
    return 0;
}

static void *counted(void *memory) {
    live += memory != NULL;
    return memory;
}

void *malloc(size_t bytes) {
    return may_allocate() ? counted(__libc_malloc(bytes)) : NULL;
}
void *calloc(size_t n, size_t bytes) {
    return may_allocate() ? counted(__libc_calloc(n, bytes)) : NULL;
}
void *realloc(void *memory, size_t bytes) {
    if (!may_allocate()) return NULL;
    return memory ? __libc_realloc(memory, bytes) : counted(__libc_malloc(bytes));
}
void free(void *memory) {
    live -= memory != NULL;
    __libc_free(memory);
}

/* ---- Steps: each returns whether it did what it does with memory ---- */

enum { ENTRIES = 70, SIZE = 200 };
static const char *folder;
static char bundle[PATH_MAX];

static int look_up(struct gk_cache *cache) {
    struct gk_key key = numbered_key(1);
    void *payload;
    size_t size;
    if (!gk_cache_get(cache, &key, &payload, &size)) return 0;
    free(payload);
    return 1;
}

static int store(struct gk_cache *cache) {
    struct gk_key key = numbered_key(ENTRIES);
    return gk_cache_put(cache, &key, "some bytes", 10);
}

static int read_note(struct gk_cache *cache) {
    char text[20];
    return gk_cache_note_get(cache, "note", text, sizeof text);
}

static int write_note(struct gk_cache *cache) {
    return gk_cache_note_put(cache, "note", "text");
}

static int count_entry(void *user, const struct gk_cache_entry *entry) {
    *(int *)user += entry->fault == NULL;
    return 0;
}

static int walk(struct gk_cache *cache) {
    int n = 0;
    gk_cache_walk(cache, count_entry, &n);
    return n >= ENTRIES;
}

static int measure(struct gk_cache *cache) {
    struct gk_cache_stat stat;
    gk_cache_stat(cache, &stat);
    return stat.entries >= ENTRIES;
}

static int prune(struct gk_cache *cache) {
    return gk_cache_prune(cache, UINT64_MAX) == 0;
}

static int export_all(struct gk_cache *cache) {
    struct gk_error error;
    size_t n;
    return gk_cache_export(cache, bundle, &n, &error) == GASKET_OK;
}

static int import_all(struct gk_cache *cache) {
    struct gk_error error;
    size_t n;
    return gk_cache_import(cache, bundle, &n, &error) == GASKET_OK && n >= ENTRIES;
}

static int open_another(struct gk_cache *cache) {
    (void)cache;
    struct gk_cache *other = cache_at(folder, 0);
    int is_there = other != NULL;
    gk_cache_close(other);
    return is_there;
}

static const struct step {
    const char *name;
    int (*run)(struct gk_cache *cache);
} steps[] = {{"open", open_another},   {"get", look_up},      {"put", store},    {"note_get", read_note},
             {"note_put", write_note}, {"walk", walk},        {"stat", measure}, {"prune", prune},
             {"export", export_all},   {"import", import_all}};

/* Whether there was an n-th allocation. */
static int fail_step(const struct step *step, struct gk_cache *cache, long n) {
    long before = live;
    has_failed = 0;
    countdown = n;
    int worked = step->run(cache);
    countdown = -1;
    int failed = has_failed;
    check(worked || failed, "%s does not work", step->name);
    check(live == before, "%s, allocation %ld: %ld pieces are lost", step->name, n, live - before);
    check(step->run(cache), "%s does not work after allocation %ld failed", step->name, n);
    return failed;
}

int main(void) {
    folder = folder_make();
    snprintf(bundle, sizeof bundle, "%s/bundle", folder);
    struct gk_cache *cache = cache_at(folder, 0);
    for (int i = 0; i < ENTRIES; i++)
        numbered_put(cache, i, SIZE);
    write_note(cache);
    export_all(cache);
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        long n = 0;
        while (n < 2000 && fail_step(&steps[s], cache, n))
            n++;
        check(n > 0 && n < 2000, "%s: %ld allocations", steps[s].name, n);
    }
    for (int i = 0; i < ENTRIES; i++)
        check(numbered_get(cache, i) == RIGHT, "entry %d is lost", i);
    check(drafts_count(folder) == 0, "%zu drafts are left", drafts_count(folder));
    gk_cache_close(cache);
    return finish();
}
#endif
