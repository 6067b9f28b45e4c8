/* text: see text.h. */
#include "gen/text.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 120 };

void *gk_grow(void *memory, size_t count, size_t size) {
    void *grown = NULL;
    if (count == 0 || size <= SIZE_MAX / count) {
        grown = realloc(memory, count * size + 1);
    }
    if (grown == NULL) {
        fputs("gasket-gen: out of memory\n", stderr);
        exit(1);
    }
    return grown;
}

char *gk_copy(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(gk_grow(NULL, size, 1), text, size);
}

static void reserve(struct gk_text *text, size_t more) {
    size_t needed = text->length + more + 1;
    if (needed > text->capacity) {
        text->capacity = needed * 2;
        text->data = gk_grow(text->data, text->capacity, 1);
    }
}

void gk_text_add(struct gk_text *text, const char *bytes, size_t n) {
    reserve(text, n);
    memcpy(text->data + text->length, bytes, n);
    text->length += n;
    text->data[text->length] = '\0';
}

void gk_text_format_list(struct gk_text *text, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int n = vsnprintf(NULL, 0, format, arguments);
    if (n >= 0) {
        reserve(text, (size_t)n);
        vsnprintf(text->data + text->length, (size_t)n + 1, format, again);
        text->length += (size_t)n;
    }
    va_end(again);
}

void gk_text_format(struct gk_text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    gk_text_format_list(text, format, arguments);
    va_end(arguments);
}

char *gk_printed(const char *format, ...) {
    struct gk_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    gk_text_format_list(&text, format, arguments);
    va_end(arguments);
    return text.data != NULL ? text.data : gk_copy("");
}

void gk_text_literal(struct gk_text *text, const char *value) {
    if (value == NULL) {
        gk_text_format(text, "NULL");
        return;
    }
    gk_text_format(text, "\"");
    for (const char *c = value; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            gk_text_format(text, "\\%c", *c);
        } else if ((unsigned char)*c < ' ' || (unsigned char)*c > '~' || *c == '?') {
            gk_text_format(text, *c == '?' ? "?" : "\\%03o", (unsigned)(unsigned char)*c);
        } else {
            gk_text_add(text, c, 1);
        }
    }
    gk_text_format(text, "\"");
}

void gk_text_int64(struct gk_text *text, int64_t value) {
    if (value == INT64_MAX) {
        gk_text_format(text, "INT64_MAX");
    } else if (value == INT64_MIN) {
        gk_text_format(text, "INT64_MIN");
    } else {
        gk_text_format(text, "%" PRId64, value);
    }
}

void gk_text_float(struct gk_text *text, float value) {
    char digits[64];
    int precision = 1;
    do {
        snprintf(digits, sizeof digits, "%.*g", precision, (double)value);
    } while (strtof(digits, NULL) != value && ++precision <= FLT_DECIMAL_DIG);
    gk_text_format(text, "%s%sf", digits, strpbrk(digits, ".e") == NULL ? ".0" : "");
}

static size_t column(const struct gk_text *text) {
    size_t start = text->length;
    while (start > 0 && text->data[start - 1] != '\n') {
        start--;
    }
    return text->length - start;
}

void gk_text_wrap(struct gk_text *text, const char *item, int indent) {
    size_t at = column(text);
    int at_start = at <= (size_t)indent;
    if (!at_start && at + 1 + strlen(item) > COLUMNS) {
        gk_text_format(text, "\n%*s%s", indent, "", item);
    } else {
        gk_text_format(text, "%s%s", at_start ? "" : " ", item);
    }
}

void gk_text_free(struct gk_text *text) {
    free(text->data);
    *text = (struct gk_text){0};
}

struct gk_text *gk_texts_add(struct gk_texts *texts, const char *name) {
    texts->items = gk_grow(texts->items, texts->count + 1, sizeof *texts->items);
    struct gk_named_text *item = &texts->items[texts->count++];
    *item = (struct gk_named_text){.name = gk_copy(name)};
    return &item->text;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct gk_named_text *)a)->name, ((const struct gk_named_text *)b)->name);
}

const struct gk_named_text *gk_texts_find(const struct gk_texts *texts, const char *name) {
    for (size_t i = 0; i < texts->count; i++) {
        if (strcmp(texts->items[i].name, name) == 0) {
            return &texts->items[i];
        }
    }
    return NULL;
}

void gk_texts_sort(struct gk_texts *texts) {
    if (texts->count > 1) {
        qsort(texts->items, texts->count, sizeof *texts->items, by_name);
    }
}

void gk_texts_free(struct gk_texts *texts) {
    for (size_t i = 0; i < texts->count; i++) {
        free(texts->items[i].name);
        gk_text_free(&texts->items[i].text);
    }
    free(texts->items);
    *texts = (struct gk_texts){0};
}
