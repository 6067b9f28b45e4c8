/* cache_list: the files of a folder. */
#ifndef GK_CACHE_LIST_H
#define GK_CACHE_LIST_H

#include <stdint.h>

#include "jit/cache_file.h"

struct gk_listed {
    char name[GK_FILE_NAME];
    uint64_t bytes; /* of disk */
    int64_t used;   /* nanoseconds since the epoch */
    int is_note;
};

struct gk_list {
    struct gk_listed *files; /* entries and notes; the caller frees them */
    size_t n, capacity;
    uint64_t bytes; /* of disk, drafts and the lock file too */
};

/* Takes what it gets: without memory, or when the folder can not be read, the list is shorter. */
void gk_list_read(struct gk_list *list, int directory);

void gk_list_by_name(struct gk_list *list);
/* The least recently used first. What was used in the future comes before all: the clock was wrong then. */
void gk_list_by_use(struct gk_list *list);

/* Removes drafts that nobody has written to for an hour, or all. */
void gk_list_reap(int directory, int all);

#endif
