/* cache_list: see cache_list.h. */
#include "jit/cache_list.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "jit/cache_state.h"

static const int64_t second = 1000000000;

static int64_t time_of(const struct stat *stat) {
    return (int64_t)stat->st_mtim.tv_sec * second + stat->st_mtim.tv_nsec;
}

/* `see` gets every name in the directory. */
static void each_name(int directory, void (*see)(void *user, int directory, const char *name), void *user) {
    int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = fd < 0 ? NULL : fdopendir(fd);
    if (!stream && fd >= 0) close(fd);
    for (struct dirent *entry; stream && (entry = readdir(stream)) != NULL;)
        see(user, directory, entry->d_name);
    if (stream) closedir(stream);
}

/* "0123...cdef.kernel": what others put there is left alone. */
static int is_ours(const char *name, const char *suffix) {
    enum { DIGITS = GK_KEY_NAME - 1 };
    return strspn(name, "0123456789abcdef") == DIGITS && strcmp(name + DIGITS, suffix) == 0;
}

static struct gk_listed *add(struct gk_list *list) {
    if (list->n == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 64;
        struct gk_listed *files = realloc(list->files, capacity * sizeof *files);
        if (!files) return NULL;
        list->files = files;
        list->capacity = capacity;
    }
    return &list->files[list->n++];
}

static void list_file(void *user, int directory, const char *name) {
    struct gk_list *list = user;
    struct stat stat;
    int is_entry = is_ours(name, GK_ENTRY_SUFFIX), is_note = is_ours(name, GK_NOTE_SUFFIX);
    if (!is_entry && !is_note && name[0] != '.') return;
    if (fstatat(directory, name, &stat, AT_SYMLINK_NOFOLLOW) != 0 || S_ISDIR(stat.st_mode)) return;
    uint64_t bytes = (uint64_t)stat.st_blocks * 512;
    list->bytes += bytes;
    struct gk_listed *file = is_entry || is_note ? add(list) : NULL;
    if (!file) return;
    strcpy(file->name, name);
    file->bytes = bytes;
    file->used = time_of(&stat);
    file->is_note = is_note;
}

void gk_list_read(struct gk_list *list, int directory) {
    memset(list, 0, sizeof *list);
    each_name(directory, list_file, list);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const struct gk_listed *)a)->name, ((const struct gk_listed *)b)->name);
}

static int compare_use(const void *a, const void *b) {
    int64_t x = ((const struct gk_listed *)a)->used, y = ((const struct gk_listed *)b)->used;
    return x != y ? (x > y) - (x < y) : compare_names(a, b);
}

void gk_list_by_name(struct gk_list *list) {
    if (list->n > 0) qsort(list->files, list->n, sizeof *list->files, compare_names);
}

/* An hour of difference is allowed: clocks of other machines. */
void gk_list_by_use(struct gk_list *list) {
    int64_t latest = ((int64_t)time(NULL) + GK_FRESH) * second;
    for (size_t i = 0; i < list->n; i++)
        if (list->files[i].used > latest) list->files[i].used = INT64_MIN;
    if (list->n > 0) qsort(list->files, list->n, sizeof *list->files, compare_use);
}

static void reap(void *user, int directory, const char *name) {
    struct stat stat;
    if (strncmp(name, GK_DRAFT_PREFIX, strlen(GK_DRAFT_PREFIX)) == 0 &&
        fstatat(directory, name, &stat, AT_SYMLINK_NOFOLLOW) == 0 && (*(int *)user || !gk_is_fresh(&stat)))
        unlinkat(directory, name, 0);
}

void gk_list_reap(int directory, int all) {
    each_name(directory, reap, &all);
}
