/* text: a growing piece of text, a list of named texts, and how C spells strings and numbers. */
#ifndef GK_GEN_TEXT_H
#define GK_GEN_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is the empty text; then `data` is NULL. Else it ends with a zero that `length` does not count. */
struct gk_text {
    char *data;
    size_t length, capacity;
};

void gk_text_add(struct gk_text *text, const char *bytes, size_t n);
void gk_text_format(struct gk_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gk_text_format_list(struct gk_text *text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0), nonnull));
/* A C string literal with its quotes, or NULL. */
void gk_text_literal(struct gk_text *text, const char *value);
/* A C constant of type int64_t; the two ends of the range by their names. */
void gk_text_int64(struct gk_text *text, int64_t value);
/* A C constant of type float, in the fewest digits that mean this very value. */
void gk_text_float(struct gk_text *text, float value);
/* Adds `item` to a list within lines of at most 120 columns: breaks the line before it where it would not fit. */
void gk_text_wrap(struct gk_text *text, const char *item, int indent);
void gk_text_free(struct gk_text *text);

/* Named texts in the order in which they were added. */
struct gk_named_text {
    char *name;
    struct gk_text text;
};
struct gk_texts {
    struct gk_named_text *items;
    size_t count;
};

/* The new text, valid until the next is added. */
struct gk_text *gk_texts_add(struct gk_texts *texts, const char *name);
const struct gk_named_text *gk_texts_find(const struct gk_texts *texts, const char *name);
void gk_texts_sort(struct gk_texts *texts);
void gk_texts_free(struct gk_texts *texts);

/* Memory that is there, or the end of the program with a message. */
void *gk_grow(void *memory, size_t count, size_t size);
char *gk_copy(const char *text);
char *gk_printed(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
