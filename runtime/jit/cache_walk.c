/* cache_walk: what is in a cache. */
#include "jit/cache_walk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jit/cache_state.h"
#include "jit/hash.h"

static int is_named_after(const struct gk_listed *file, const struct gk_cached *entry) {
    struct gk_key key;
    char name[GK_FILE_NAME];
    gk_hash(key.number, entry->key, entry->key_length);
    gk_cache_file_name(&key, file->is_note ? GK_NOTE_SUFFIX : GK_ENTRY_SUFFIX, name);
    return strcmp(name, file->name) == 0;
}

int gk_inspect(struct gk_inspected *found, const struct gk_folder *folder, const struct gk_listed *file) {
    memset(found, 0, sizeof *found);
    if (!gk_image_read(&found->image, folder, file->name)) {
        found->fault = found->image.fault;
        return found->fault != NULL;
    }
    found->fault = gk_cached_decode(found->image.bytes, found->image.size, &found->entry);
    if (!found->fault && !is_named_after(file, &found->entry)) found->fault = "has the name of another key";
    return 1;
}

static int show(const struct gk_folder *folder, const struct gk_listed *file,
                int (*each)(void *user, const struct gk_cache_entry *entry), void *user) {
    struct gk_inspected found;
    if (file->is_note || !gk_inspect(&found, folder, file)) return 0;
    struct gk_cache_entry entry = {.file = file->name, .used = file->used / 1000000000, .fault = found.fault};
    if (!found.fault) {
        entry.key = found.entry.key;
        entry.key_length = found.entry.key_length;
        entry.payload = found.entry.payload;
        entry.size = found.entry.size;
    }
    int result = each(user, &entry);
    free(found.image.bytes);
    return result;
}

int gk_cache_walk(struct gk_cache *cache, int (*each)(void *user, const struct gk_cache_entry *entry), void *user) {
    struct gk_folder folder;
    struct gk_list list;
    if (!gk_cache_enter(cache, &folder, 0)) return 0;
    gk_list_read(&list, folder.fd);
    gk_list_by_name(&list);
    int result = 0;
    for (size_t i = 0; i < list.n && result == 0; i++)
        result = show(&folder, &list.files[i], each, user);
    free(list.files);
    close(folder.fd);
    return result;
}

void gk_cache_counts(struct gk_cache *cache, struct gk_cache_stat *stat) {
    memset(stat, 0, sizeof *stat);
    if (!cache) return;
    uint64_t *const fields[GK_COUNTS] = {[GK_HITS] = &stat->hits,       [GK_MISSES] = &stat->misses,
                                         [GK_STORED] = &stat->stored,   [GK_FAILED_STORES] = &stat->failed_stores,
                                         [GK_DAMAGED] = &stat->damaged, [GK_EVICTED] = &stat->evicted};
    for (int i = 0; i < GK_COUNTS; i++)
        *fields[i] = atomic_load_explicit(&cache->counts[i], memory_order_relaxed);
    stat->limit = cache->limit;
}

void gk_cache_stat(struct gk_cache *cache, struct gk_cache_stat *stat) {
    struct gk_folder folder;
    struct gk_list list;
    gk_cache_counts(cache, stat);
    if (!gk_cache_enter(cache, &folder, 0)) return;
    gk_list_read(&list, folder.fd);
    for (size_t i = 0; i < list.n; i++)
        stat->entries += !list.files[i].is_note;
    stat->bytes = list.bytes;
    free(list.files);
    close(folder.fd);
}
