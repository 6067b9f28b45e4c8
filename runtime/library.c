/* library: see library.h. */
#define _GNU_SOURCE /* dlinfo */
#include "library.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

#include "bind.h"

/* ---- Looking for it ---- */

void gk_search_note(struct gk_search *search, const char *what) {
    gk_append(search->tried, sizeof search->tried, "%s%s", search->tried[0] ? "; " : "", what);
}

void gk_search_file(struct gk_search *search, const char *name) {
    if (search->handle) return;
    errno = 0;
    search->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (search->handle) return;
    const int error = errno;
    const char *why = dlerror();
    if (!why) why = name;
    /* The text of an allocation that fails may be about something else. */
    if (error == ENOMEM || strstr(why, strerror(ENOMEM))) search->lacks_memory = 1;
    gk_search_note(search, why);
}

enum gasket_status gk_search_fail(const struct gk_search *search, const char *what, struct gk_error *error) {
    return gk_fail(error, search->lacks_memory ? GASKET_OUT_OF_MEMORY : GASKET_UNAVAILABLE, "%s was not found: %s",
                   what, search->tried);
}

const char *gk_library_path(void *handle) {
    struct link_map *map = NULL;
    return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : "";
}

/* ---- Once ---- */

enum gasket_status gk_library_load(struct gk_library *library, struct gk_error *error) {
    struct gk_error *trouble = &library->trouble;
    pthread_mutex_lock(&library->lock);
    if (!library->is_loaded && (!trouble->status || trouble->status == GASKET_OUT_OF_MEMORY))
        library->is_loaded = library->load(trouble) == GASKET_OK;
    const enum gasket_status status = library->is_loaded ? GASKET_OK : trouble->status;
    if (status) *error = *trouble;
    pthread_mutex_unlock(&library->lock);
    return status;
}
