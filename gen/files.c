/* files: see files.h. */
#include "gen/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int gk_complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("gasket-gen: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return -1;
}

const char *gk_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

int gk_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void read_stream(FILE *stream, size_t limit, struct gk_text *text) {
    char part[4096];
    size_t n;
    gk_text_add(text, "", 0);
    while (text->length <= limit && (n = fread(part, 1, sizeof part, stream)) > 0) {
        gk_text_add(text, part, n);
    }
}

int gk_file_read(const char *path, size_t limit, struct gk_text *text) {
    int result = 0;
    FILE *stream = gk_is_folder(path) ? NULL : fopen(path, "rb");
    if (stream == NULL) {
        return gk_complain("can not read '%s': %s", path, gk_is_folder(path) ? "it is a folder" : strerror(errno));
    }
    read_stream(stream, limit, text);
    if (ferror(stream)) {
        result = gk_complain("can not read '%s': %s", path, strerror(errno));
    } else if (text->length > limit) {
        result = gk_complain("'%s' is longer than %zu bytes", path, limit);
    }
    fclose(stream);
    return result;
}

int gk_file_equals(const char *path, const struct gk_text *text) {
    struct gk_text there = {0};
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return 0;
    }
    read_stream(stream, text->length, &there);
    int equal = !ferror(stream) && there.length == text->length && memcmp(there.data, text->data, text->length) == 0;
    fclose(stream);
    gk_text_free(&there);
    return equal;
}

static int make_folders(const char *path) {
    int result = 0;
    char *copy = gk_copy(path);
    for (char *slash = strchr(copy + 1, '/'); slash != NULL && result == 0; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST) {
            result = gk_complain("can not make the folder '%s': %s", copy, strerror(errno));
        }
        *slash = '/';
    }
    free(copy);
    return result;
}

static int write_stream(const char *path, const struct gk_text *text) {
    FILE *stream = fopen(path, "wb");
    if (stream == NULL) {
        return -1;
    }
    size_t written = fwrite(text->data, 1, text->length, stream);
    int closed = fclose(stream);
    return written == text->length && closed == 0 ? 0 : -1;
}

int gk_file_write(const char *path, const struct gk_text *text) {
    if (make_folders(path) != 0) {
        return -1;
    }
    int result = 0;
    char *beside = gk_printed("%s.new", path);
    if (write_stream(beside, text) != 0 || rename(beside, path) != 0) {
        result = gk_complain("can not write '%s': %s", path, strerror(errno));
        unlink(beside);
    }
    free(beside);
    return result;
}

static int ends_with(const char *text, const char *ending) {
    size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

int gk_folder_list(const char *folder, const char *ending, struct gk_texts *paths) {
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        return gk_complain("can not read the folder '%s': %s", folder, strerror(errno));
    }
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (entry->d_name[0] != '.' && ends_with(entry->d_name, ending)) {
            char *path = gk_printed("%s/%s", folder, entry->d_name);
            gk_texts_add(paths, path);
            free(path);
        }
    }
    closedir(directory);
    gk_texts_sort(paths);
    return 0;
}

static int walk(const char *folder, const char *relative, struct gk_texts *paths);

static int walk_entry(const char *folder, const char *relative, const char *name, struct gk_texts *paths) {
    struct stat status;
    int result = 0;
    char *inside = gk_printed("%s%s%s", relative, *relative != '\0' ? "/" : "", name);
    char *path = gk_printed("%s/%s", folder, inside);
    if (lstat(path, &status) != 0) {
        result = gk_complain("can not look at '%s': %s", path, strerror(errno));
    } else if (S_ISDIR(status.st_mode)) {
        result = walk(folder, inside, paths);
    } else if (S_ISREG(status.st_mode)) {
        gk_texts_add(paths, inside);
    }
    free(path);
    free(inside);
    return result;
}

static int walk(const char *folder, const char *relative, struct gk_texts *paths) {
    int result = 0;
    char *path = gk_printed("%s%s%s", folder, *relative != '\0' ? "/" : "", relative);
    DIR *directory = opendir(path);
    if (directory == NULL) {
        result = errno == ENOENT ? 0 : gk_complain("can not read the folder '%s': %s", path, strerror(errno));
        free(path);
        return result;
    }
    for (struct dirent *entry; result == 0 && (entry = readdir(directory)) != NULL;) {
        if (entry->d_name[0] != '.') {
            result = walk_entry(folder, relative, entry->d_name, paths);
        }
    }
    closedir(directory);
    free(path);
    return result;
}

int gk_folder_walk(const char *folder, struct gk_texts *paths) {
    int result = walk(folder, "", paths);
    gk_texts_sort(paths);
    return result;
}

void gk_folder_prune(const char *top, const char *path) {
    size_t length = strlen(top);
    char *copy = gk_copy(path);
    for (char *slash = strrchr(copy, '/'); slash != NULL && (size_t)(slash - copy) > length;
         slash = strrchr(copy, '/')) {
        *slash = '\0';
        if (rmdir(copy) != 0) {
            break;
        }
    }
    free(copy);
}
