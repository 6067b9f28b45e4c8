/* library: libraries that are not linked but looked for when the process first needs them, and never unloaded. */
#ifndef GK_LIBRARY_H
#define GK_LIBRARY_H

#include <pthread.h>

#include "error.h"

/* A search begins as {NULL}. Once a library is found, the other tries do nothing. */
struct gk_search {
    void *handle;
    int lacks_memory;                /* for want of it a try failed, so the next search may end in another way */
    char tried[GK_ERROR_TEXT - 128]; /* where nothing was found, and why */
};

/* By a path, or by a name where the system looks. */
void gk_search_file(struct gk_search *search, const char *name);
/* One more place where nothing was found. */
void gk_search_note(struct gk_search *search, const char *what);
/* UNAVAILABLE, or OUT_OF_MEMORY, with what was tried. */
enum gasket_status gk_search_fail(const struct gk_search *search, const char *what, struct gk_error *error);
/* The file that a library is in. */
const char *gk_library_path(void *handle);

/* One for the process. */
struct gk_library {
    pthread_mutex_t lock;
    enum gasket_status (*load)(struct gk_error *error);
    int is_loaded;
    struct gk_error trouble;
};

/* Loads it unless an earlier call has. Its failure stays, except for OUT_OF_MEMORY. */
enum gasket_status gk_library_load(struct gk_library *library, struct gk_error *error);

#endif
