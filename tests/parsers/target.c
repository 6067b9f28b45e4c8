/* target: see target.h. */
#include "parsers/target.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t failures;

int expect(int ok, const char *format, ...) {
    if (!ok) {
        va_list arguments;
        va_start(arguments, format);
        fputs("not as expected: ", stderr);
        vfprintf(stderr, format, arguments);
        fputc('\n', stderr);
        va_end(arguments);
        failures++;
    }
    return ok;
}

size_t expect_failures(void) {
    return failures;
}

static char *allocate(size_t size) {
    char *memory = malloc(size);
    if (memory == NULL && size > 0) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

char *copy_bytes(const char *bytes, size_t size) {
    char *copy = allocate(size);
    if (size > 0) {
        memcpy(copy, bytes, size);
    }
    return copy;
}

char *copy_text(const char *bytes, size_t size) {
    char *copy = allocate(size + 1);
    if (size > 0) {
        memcpy(copy, bytes, size);
    }
    copy[size] = 0;
    return copy;
}
