/* writer: see writer.h. */
#include "formula/writer.h"

#include <stdarg.h>
#include <stdio.h>

struct gk_writer gk_writer_start(char *text, size_t size) {
    if (size > 0) {
        text[0] = 0;
    }
    return (struct gk_writer){text, size, 0};
}

void gk_write(struct gk_writer *writer, const char *format, ...) {
    size_t used = writer->length < writer->size ? writer->length : writer->size;
    char *end = used < writer->size ? writer->text + used : NULL;
    va_list arguments;
    va_start(arguments, format);
    int added = vsnprintf(end, writer->size - used, format, arguments);
    va_end(arguments);
    writer->length += added > 0 ? (size_t)added : 0;
}
