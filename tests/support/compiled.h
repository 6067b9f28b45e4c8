/* compiled: object files, made by the compiler of this build (environment CC) from C text. */
#ifndef COMPILED_H
#define COMPILED_H

#include <stddef.h>

struct compiled {
    unsigned char *bytes;
    size_t size;
};

/* Why there is no compiler, or NULL. */
const char *compiler_missing(void);
/* Includes are sought from the root of the tree. Gives up when the text does not compile. */
void compile(struct compiled *object, const char *text, const char *flags);
void compiled_free(struct compiled *object);

#endif
