/* search: see search.h. */
#define _GNU_SOURCE /* dlinfo, strverscmp */
#include "cuda/search.h"

#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bind.h"
#include "environment.h"

/* ---- One file ---- */

static void note(struct gk_search *search, const char *what) {
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
    note(search, why);
}

enum gasket_status gk_search_fail(const struct gk_search *search, const char *what, struct gk_error *error) {
    return gk_fail(error, search->lacks_memory ? GASKET_OUT_OF_MEMORY : GASKET_UNAVAILABLE, "%s was not found: %s",
                   what, search->tried);
}

const char *gk_library_path(void *handle) {
    struct link_map *map = NULL;
    return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : "";
}

/* ---- Folders ---- */

/* The version is in the name of the file that links lead to, "libnvrtc.so.12.9.86", or in that of its folder. */
static int is_older(const char *a, const char *b) {
    const char *name_a = strrchr(a, '/'), *name_b = strrchr(b, '/');
    const int order = strverscmp(name_a ? name_a : a, name_b ? name_b : b);
    return order ? order < 0 : strverscmp(a, b) < 0;
}

/* Takes the newest path out of the list. */
static char *take_newest(char **paths, size_t n) {
    size_t newest = n;
    for (size_t i = 0; i < n; i++)
        if (paths[i] && (newest == n || is_older(paths[newest], paths[i]))) newest = i;
    char *path = newest < n ? paths[newest] : NULL;
    if (path) paths[newest] = NULL;
    return path;
}

/* Links to one file are one path. */
static void try_paths(struct gk_search *search, char **paths, size_t n) {
    char *path, *last = NULL;
    for (size_t i = 0; i < n; i++) {
        char *real = realpath(paths[i], NULL);
        if (!real && errno == ENOMEM) search->lacks_memory = 1;
        if (!real) note(search, paths[i]);
        paths[i] = real;
    }
    while ((path = take_newest(paths, n)) != NULL) {
        if (!last || strcmp(path, last) != 0) gk_search_file(search, path);
        free(last);
        last = path;
    }
    free(last);
}

void gk_search_folders(struct gk_search *search, const char *const *patterns) {
    glob_t found = {.gl_pathc = 0};
    for (int i = 0; patterns[i] && !search->handle; i++) {
        const size_t before = found.gl_pathc;
        const int trouble = glob(patterns[i], i > 0 ? GLOB_APPEND : 0, NULL, &found);
        if (trouble == GLOB_NOSPACE) search->lacks_memory = 1;
        if (found.gl_pathc == before) note(search, patterns[i]);
    }
    char **paths = found.gl_pathc ? calloc(found.gl_pathc, sizeof *paths) : NULL;
    if (found.gl_pathc && !paths) search->lacks_memory = 1;
    if (paths) memcpy(paths, found.gl_pathv, found.gl_pathc * sizeof *paths);
    if (paths) try_paths(search, paths, found.gl_pathc);
    free(paths);
    globfree(&found);
}

enum { ROOTS = 8, PATH = 1024 };

static void search_roots(struct gk_search *search, const char *const roots[ROOTS], const char *pattern) {
    static const char form[] = "%s/%s";
    char texts[ROOTS][PATH];
    const char *patterns[ROOTS + 1];
    size_t n = 0;
    for (int i = 0; i < ROOTS && roots[i]; i++)
        if ((size_t)snprintf(texts[n], sizeof texts[n], form, roots[i], pattern) < sizeof texts[n]) {
            patterns[n] = texts[n];
            n++;
        }
    patterns[n] = NULL;
    gk_search_folders(search, patterns);
}

void gk_search_toolkits(struct gk_search *search, const char *pattern) {
    static const char *const roots[ROOTS] = {"/usr/local/cuda*/lib64", "/usr/local/cuda*/lib", "/opt/cuda/lib64",
                                             "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"};
    search_roots(search, roots, pattern);
}

/* A wheel's libraries are in nvidia/cuda_nvrtc/lib, nvidia/cu13/lib and the like. */
void gk_search_wheels(struct gk_search *search, const char *pattern) {
    static const char packages[] = "%s%s/lib/python3*/*-packages/nvidia/*/lib";
    const struct {
        const char *home, *folder;
    } places[] = {
        {gk_environment("VIRTUAL_ENV"), ""}, {gk_environment("HOME"), "/.local"}, {"/usr/local", ""}, {"/usr", ""}};
    char texts[ROOTS][PATH];
    const char *roots[ROOTS] = {NULL};
    int n = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (places[i].home && snprintf(texts[n], PATH, packages, places[i].home, places[i].folder) < PATH) {
            roots[n] = texts[n];
            n++;
        }
    search_roots(search, roots, pattern);
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
