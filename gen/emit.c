/* emit: see emit.h. */
#include "gen/emit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/files.h"
#include "gen/outputs.h"

enum { MAX_FILE = 64 << 20, SHOWN = 100 };

static int has_banner(const char *path) {
    char line[256] = "";
    FILE *stream = fopen(path, "rb");
    if (stream != NULL) {
        if (fgets(line, sizeof line, stream) == NULL) {
            line[0] = '\0';
        }
        fclose(stream);
    }
    return strstr(line, gk_banner_mark) != NULL;
}

static int write_changed(const struct gk_texts *files, const char *folder) {
    int result = 0;
    for (size_t i = 0; result == 0 && i < files->count; i++) {
        char *path = gk_printed("%s/%s", folder, files->items[i].name);
        if (!gk_file_equals(path, &files->items[i].text)) {
            result = gk_file_write(path, &files->items[i].text);
        }
        free(path);
    }
    return result;
}

static int remove_orphan(const char *folder, const char *name) {
    int result = 0;
    char *path = gk_printed("%s/%s", folder, name);
    if (has_banner(path)) {
        result = unlink(path) == 0 ? 0 : gk_complain("can not remove '%s': %s", path, strerror(errno));
        gk_folder_prune(folder, path);
    }
    free(path);
    return result;
}

int gk_emit(const struct gk_texts *files, const char *folder) {
    struct gk_texts there = {0};
    int result = gk_folder_walk(folder, &there);
    if (result == 0) {
        result = write_changed(files, folder);
    }
    for (size_t i = 0; result == 0 && i < there.count; i++) {
        if (gk_texts_find(files, there.items[i].name) == NULL) {
            result = remove_orphan(folder, there.items[i].name);
        }
    }
    gk_texts_free(&there);
    return result;
}

/* ---- Comparison ---- */

static void print_line(const char *mark, const char *line) {
    size_t length = strcspn(line, "\n");
    fprintf(stderr, "    %s %.*s%s\n", mark, (int)(length < SHOWN ? length : SHOWN), line, length < SHOWN ? "" : "...");
}

/* The first line that differs, from both sides. */
static void print_difference(const char *path, const char *there, const char *made) {
    int line = 1;
    size_t start = 0;
    for (size_t i = 0; there[i] == made[i] && there[i] != '\0'; i++) {
        if (there[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    fprintf(stderr, "%s:%d: differs from what would be written\n", path, line);
    print_line("-", there + start);
    print_line("+", made + start);
}

static int compare(const char *folder, const struct gk_named_text *file) {
    struct gk_text there = {0};
    char *path = gk_printed("%s/%s", folder, file->name);
    int differs = !gk_file_equals(path, &file->text);
    if (differs && access(path, F_OK) != 0) {
        fprintf(stderr, "%s: is missing\n", path);
    } else if (differs && gk_file_read(path, MAX_FILE, &there) == 0) {
        print_difference(path, there.data, file->text.data);
    }
    gk_text_free(&there);
    free(path);
    return differs;
}

int gk_emit_check(const struct gk_texts *files, const char *folder, const char *fix) {
    struct gk_texts there = {0};
    int n_differences = 0;
    if (gk_folder_walk(folder, &there) != 0) {
        n_differences++;
    }
    for (size_t i = 0; i < files->count; i++) {
        n_differences += compare(folder, &files->items[i]);
    }
    for (size_t i = 0; i < there.count; i++) {
        if (gk_texts_find(files, there.items[i].name) == NULL) {
            fprintf(stderr, "%s/%s: would not be written\n", folder, there.items[i].name);
            n_differences++;
        }
    }
    if (n_differences > 0) {
        fprintf(stderr, "gasket-gen: %d file%s of '%s' differ%s; to fix it: %s\n", n_differences,
                n_differences > 1 ? "s" : "", folder, n_differences > 1 ? "" : "s", fix);
    }
    gk_texts_free(&there);
    return n_differences == 0 ? 0 : -1;
}
