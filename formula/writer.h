/* writer: text appended to a buffer of fixed size; what does not fit is counted, as snprintf does. */
#ifndef GASKET_FORMULA_WRITER_H
#define GASKET_FORMULA_WRITER_H

#include <stddef.h>

struct gk_writer {
    char *text;
    size_t size, length;
};

/* An empty writer; with size > 0 the text always ends in a zero. */
struct gk_writer gk_writer_start(char *text, size_t size);
void gk_write(struct gk_writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
