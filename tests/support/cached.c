/* cached: see cached.h. */
#include "support/cached.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/support.h"

/* ---- Folders and files ---- */

enum { BUFFERS = 8 };

const char *path_of(const char *format, ...) {
    static char buffers[BUFFERS][PATH_MAX];
    static int used;
    char *path = buffers[used++ % BUFFERS];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, PATH_MAX, format, arguments);
    va_end(arguments);
    return path;
}

const char *folder_make(void) {
    const char *parent = getenv("TEST_DIR");
    if (!parent) give_up("TEST_DIR is not set");
    static char buffers[BUFFERS][PATH_MAX];
    static int used;
    char *path = buffers[used++ % BUFFERS];
    snprintf(path, PATH_MAX, "%s/cached-XXXXXX", parent);
    if (!mkdtemp(path)) give_up(path);
    return path;
}

void folder_remove(const char *folder) {
    char command[PATH_MAX + 32];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) give_up(command);
}

void file_write(const char *path, const void *bytes, size_t n, unsigned mode) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || (n > 0 && write(fd, bytes, n) != (ssize_t)n) || fchmod(fd, mode) != 0) give_up(path);
    close(fd);
}

unsigned char *file_read(const char *path, size_t *n) {
    struct stat found;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &found) != 0) give_up(path);
    unsigned char *bytes = malloc((size_t)found.st_size + 1);
    if (!bytes || read(fd, bytes, (size_t)found.st_size) != found.st_size) give_up(path);
    close(fd);
    *n = (size_t)found.st_size;
    return bytes;
}

void file_age(const char *path, long seconds) {
    const struct timespec then = {time(NULL) + seconds, 0}, times[2] = {then, then};
    if (utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) != 0) give_up(path);
}

void files_each(const char *folder, void (*each)(void *user, const char *path), void *user) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/" GK_ENTRY_FOLDER, folder);
    DIR *stream = opendir(path);
    for (struct dirent *entry; stream && (entry = readdir(stream)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char file[PATH_MAX + 300];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        each(user, file);
    }
    if (stream) closedir(stream);
}

static void count_draft(void *user, const char *path) {
    *(size_t *)user += strstr(path, "/.draft-") != NULL;
}

size_t drafts_count(const char *folder) {
    size_t n = 0;
    files_each(folder, count_draft, &n);
    return n;
}

static void add_blocks(void *user, const char *path) {
    struct stat found;
    if (lstat(path, &found) == 0) *(uint64_t *)user += (uint64_t)found.st_blocks * 512;
}

uint64_t disk_used(const char *folder) {
    uint64_t bytes = 0;
    files_each(folder, add_blocks, &bytes);
    return bytes;
}

/* ---- Entries ---- */

struct gk_cache *cache_at(const char *folder, uint64_t limit) {
    const struct gk_cache_options options = {.directory = folder, .limit = limit};
    struct gk_cache *cache;
    gk_cache_open(&cache, &options);
    return cache;
}

struct gk_key numbered_key(int number) {
    struct gk_key key;
    gk_key_start(&key);
    gk_key_bytes(&key, 'i', &number, sizeof number);
    gk_key_finish(&key);
    return key;
}

const char *numbered_file(const char *folder, int number) {
    struct gk_key key = numbered_key(number);
    char name[GK_KEY_NAME];
    return path_of("%s/" GK_ENTRY_FOLDER "/%s.kernel", folder, gk_key_name(&key, name));
}

static unsigned char byte_at(int number, size_t size, size_t i) {
    return (unsigned char)((unsigned)number * 31 + size * 7 + i * 13 + (i >> 8));
}

static unsigned char *make_payload(int number, size_t size) {
    unsigned char *payload = malloc(size + 1);
    if (!payload) give_up("no memory");
    for (size_t i = 0; i < size; i++)
        payload[i] = byte_at(number, size, i);
    return payload;
}

int numbered_put(struct gk_cache *cache, int number, size_t size) {
    struct gk_key key = numbered_key(number);
    unsigned char *payload = make_payload(number, size);
    int stored = gk_cache_put(cache, &key, payload, size);
    free(payload);
    return stored;
}

enum found numbered_get(struct gk_cache *cache, int number) {
    struct gk_key key = numbered_key(number);
    void *payload;
    size_t size, right = 0;
    if (!gk_cache_get(cache, &key, &payload, &size)) return NONE;
    while (right < size && ((unsigned char *)payload)[right] == byte_at(number, size, right))
        right++;
    free(payload);
    return right == size ? RIGHT : WRONG;
}

unsigned char *numbered_bytes(int number, size_t size, size_t *n) {
    struct gk_key key = numbered_key(number);
    unsigned char *payload = make_payload(number, size);
    const struct gk_cached entry = {key.record, payload, key.length, size};
    unsigned char *bytes = gk_cached_encode(&entry, n);
    if (!bytes) give_up("no memory");
    free(payload);
    return bytes;
}

/* ---- Children ---- */

static void report(int pipe_end, const char *(*run)(const char *folder), const char *folder) {
    enum { PATIENCE = 120 };
    alarm(PATIENCE); /* hanging is a fault too */
    const char *wrong = run(folder);
    if (wrong && write(pipe_end, wrong, strlen(wrong)) < 0) _exit(2);
    _exit(wrong != NULL);
}

void child_check(const char *name, const char *(*run)(const char *folder), const char *folder) {
    char text[1024] = "";
    int ends[2], status;
    if (pipe(ends) != 0) give_up("pipe");
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) give_up("fork");
    if (child == 0) report(ends[1], run, folder);
    close(ends[1]);
    for (size_t n = 0; n < sizeof text - 1;) {
        ssize_t got = read(ends[0], text + n, sizeof text - 1 - n);
        if (got <= 0) break;
        n += (size_t)got;
    }
    close(ends[0]);
    if (waitpid(child, &status, 0) != child) give_up("waitpid");
    if (strncmp(text, "SKIP", 4) == 0)
        printf("%s: %s\n", name, text);
    else if (WIFSIGNALED(status))
        check(0, "%s: signal %d", name, WTERMSIG(status));
    else
        check(WEXITSTATUS(status) == 0, "%s: %s", name, text);
}
