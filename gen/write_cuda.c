/* write_cuda: texts for CUDA's compilers, which read no files: a header of abi stands where it is first included, a
 * list (*.def) wherever it is. */
#include <stdlib.h>
#include <string.h>

#include "gen/files.h"
#include "gen/outputs.h"

enum { MAX_BYTES = 1 << 18, MAX_DEPTH = 16 };

struct builder {
    const char *headers;      /* the folder that has abi */
    struct gk_texts *sources; /* paths of all files that were read */
    struct gk_texts included; /* names of what this text has */
    struct gk_text text;
};

struct place {
    const char *path;
    int line, depth;
    const char *opening; /* the comment that stands before the next line of code, if not NULL */
};

static int ends_with(const char *name, const char *ending) {
    size_t n = strlen(name), m = strlen(ending);
    return n >= m && strcmp(name + n - m, ending) == 0;
}

static int is_blank(const char *line) {
    return line[strspn(line, " \t\r")] == '\0';
}

/* No blank lines at the start, and never two in a row. */
static void add_line(struct gk_text *text, const char *line) {
    if (!is_blank(line)) {
        gk_text_format(text, "%s\n", line);
    } else if (text->length > 1 && text->data[text->length - 2] != '\n') {
        gk_text_format(text, "\n");
    }
}

/* The text after `beginning`, or NULL. */
static char *after(char *text, const char *beginning) {
    size_t n = strlen(beginning);
    return strncmp(text, beginning, n) == 0 ? text + n : NULL;
}

static void blank_line(char *line) {
    memset(line, ' ', strcspn(line, "\n"));
}

/* Blanks #ifndef NAME_H, #define NAME_H and #endif if they are the header's first and last directives. */
static void drop_guard(char *header) {
    char *before = strstr(header, "\n#"), *close = strrchr(header, '#');
    char *open = *header == '#' || before == NULL ? header : before + 1;
    char *name = close != NULL && strcmp(close, "#endif\n") == 0 ? after(open, "#ifndef ") : NULL;
    if (name == NULL) {
        return;
    }
    size_t n = strcspn(name, "\n") + 1;
    char *define = name + n, *again = after(define, "#define ");
    if (again != NULL && n > 3 && strncmp(name + n - 3, "_H\n", 3) == 0 && strncmp(again, name, n) == 0) {
        blank_line(open);
        blank_line(define);
        blank_line(close);
    }
}

/* Blanks the comment that the header begins with, and returns it: it belongs before the header's own code, but after
 * what the header includes. */
static char *take_opening(char *header) {
    char *end = after(header, "/*") != NULL ? strstr(header + strlen("/*"), "*/") : NULL;
    size_t n = end != NULL ? (size_t)(end - header) + strlen("*/") : 0;
    char *opening = gk_printed("%.*s", (int)n, header);
    for (size_t i = 0; i < n; i++) {
        header[i] = header[i] == '\n' ? '\n' : ' ';
    }
    return opening;
}

/* What follows #include in the line, or NULL. */
static char *included(char *line) {
    char *directive = after(line + strspn(line, " \t"), "#");
    char *what = directive != NULL ? after(directive + strspn(directive, " \t"), "include") : NULL;
    return what != NULL ? what + strspn(what, " \t") : NULL;
}

static int read_source(struct builder *builder, const char *path, struct gk_text *source) {
    if (gk_texts_find(builder->sources, path) == NULL) {
        gk_texts_add(builder->sources, path);
    }
    int result = gk_file_read(path, MAX_BYTES, source);
    return result != 0 || strlen(source->data) == source->length ? result : gk_complain("'%s' is no text", path);
}

static int add_lines(struct builder *builder, struct place *place, char *source);

static int add_file(struct builder *builder, const struct place *place, const char *name) {
    struct gk_text source = {0};
    char *path = gk_printed("%s/%s", builder->headers, name);
    int result = read_source(builder, path, &source);
    if (result == 0) {
        char *opening = take_opening(source.data);
        struct place inside = {path, 0, place->depth + 1, opening};
        drop_guard(source.data);
        gk_texts_add(&builder->included, name);
        add_line(&builder->text, "");
        result = add_lines(builder, &inside, source.data);
        add_line(&builder->text, "");
        free(opening);
    } else {
        gk_complain("%s:%d: it is included here", place->path, place->line);
    }
    gk_text_free(&source);
    free(path);
    return result;
}

/* A file has but one name: it lies in abi itself. */
static int include(struct builder *builder, const struct place *place, char *what) {
    if (*what == '<') {
        return 0;
    }
    char *name = what + 1, *end = *what == '"' ? strchr(name, '"') : NULL;
    if (end == NULL) {
        return gk_complain("%s:%d: after #include must stand \"abi/...\" or <...>", place->path, place->line);
    }
    *end = '\0';
    const char *file = after(name, "abi/");
    if (file == NULL || strcspn(file, "./") == 0 || strchr(file, '/') != NULL) {
        return gk_complain("%s:%d: '%s' is no file in abi/", place->path, place->line, name);
    }
    if (!ends_with(name, ".def") && gk_texts_find(&builder->included, name) != NULL) {
        return 0;
    }
    if (place->depth == MAX_DEPTH) {
        return gk_complain("%s:%d: '%s' is nested deeper than %d", place->path, place->line, name, MAX_DEPTH);
    }
    return add_file(builder, place, name);
}

static void add_own_line(struct builder *builder, struct place *place, const char *line) {
    if (place->opening != NULL && !is_blank(line)) {
        add_line(&builder->text, place->opening);
        place->opening = NULL;
    }
    add_line(&builder->text, line);
}

static int add_lines(struct builder *builder, struct place *place, char *source) {
    int result = 0;
    while (result == 0 && source != NULL && *source != '\0') {
        char *line = strsep(&source, "\n"), *what = included(line);
        place->line++;
        if (what != NULL) {
            result = include(builder, place, what);
        } else {
            add_own_line(builder, place, line);
        }
        if (result == 0 && builder->text.length > MAX_BYTES) {
            result = gk_complain("%s:%d: up to here the text has over %d bytes", place->path, place->line, MAX_BYTES);
        }
    }
    return result;
}

static int write_text(struct builder *builder, const char *path, struct gk_text *text) {
    struct gk_text source = {0};
    struct place place = {path, 0, 0, NULL};
    int result = read_source(builder, path, &source);
    gk_text_add(&builder->text, "", 0);
    if (result == 0) {
        result = add_lines(builder, &place, source.data);
    }
    if (result == 0) {
        char *from = gk_printed("%s%s", gk_base_name(path), builder->included.count > 0 ? " and abi/..." : "");
        gk_write_banner(text, "/* ", " */", from);
        gk_text_add(text, builder->text.data, builder->text.length);
        free(from);
    }
    gk_text_free(&source);
    gk_text_free(&builder->text);
    gk_texts_free(&builder->included);
    return result;
}

int gk_write_cuda(const char *templates, const char *headers, struct gk_texts *files, struct gk_texts *sources) {
    struct builder builder = {.headers = headers, .sources = sources};
    struct gk_texts paths = {0};
    char *folder = gk_printed("%s/cuda", templates);
    int result = gk_folder_list(folder, ".cu", &paths);
    if (result == 0 && paths.count == 0) {
        result = gk_complain("no *.cu in '%s'", folder);
    }
    for (size_t i = 0; result == 0 && i < paths.count; i++) {
        char *name = gk_printed("cuda/%s", gk_base_name(paths.items[i].name));
        result = write_text(&builder, paths.items[i].name, gk_texts_add(files, name));
        free(name);
    }
    gk_texts_free(&paths);
    free(folder);
    return result;
}
