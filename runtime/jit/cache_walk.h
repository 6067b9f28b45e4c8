/* cache_walk: a file of the list, read and verified. */
#ifndef GK_CACHE_WALK_H
#define GK_CACHE_WALK_H

#include "jit/cache_entry.h"
#include "jit/cache_list.h"

struct gk_inspected {
    struct gk_image image; /* the caller frees image.bytes */
    struct gk_cached entry;
    const char *fault; /* NULL when the entry is sound */
};

/* 0 when it can not be read now: then nothing is known of it, and nothing to be freed. */
int gk_inspect(struct gk_inspected *found, const struct gk_folder *folder, const struct gk_listed *file);

#endif
