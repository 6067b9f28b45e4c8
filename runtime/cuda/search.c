/* search: see search.h. */
#define _GNU_SOURCE /* strverscmp */
#include "cuda/search.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "environment.h"

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
        if (!real) gk_search_note(search, paths[i]);
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
        if (found.gl_pathc == before) gk_search_note(search, patterns[i]);
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
