/* memory: places for tensors between pages that may not be touched. A place is mapped twice: the tester writes through
 * one view, the library sees the other, which for inputs is read-only; so a case costs no system call. */
#ifndef FUZZ_MEMORY_H
#define FUZZ_MEMORY_H

#include <stddef.h>

enum { FUZZ_PLACE_BYTES = 4 << 20, FUZZ_POISON = 0xA5, FUZZ_MARGIN = 256 };
/* Of the place for a tensor whose offsets need up to 34 bits. Only pages that are written take memory. */
#define FUZZ_FAR_BYTES (((size_t)3 << 32) + ((size_t)8 << 20))

struct fuzz_place {
    char *written, *seen; /* the same bytes */
    size_t size;
};

/* Both views; ends the program where there is no memory. Children of a fork share what is written: each worker makes
 * places of its own. */
void fuzz_place_make(struct fuzz_place *place, size_t size);
void fuzz_place_free(struct fuzz_place *place);

/* Memory that is given out piece by piece and taken back all at once. */
struct fuzz_pool {
    char *memory;
    size_t used, size;
};
void fuzz_pool_make(struct fuzz_pool *pool); /* ends the program where there is no memory */
void fuzz_pool_free(struct fuzz_pool *pool);
/* NULL when the pool is full, which it never is of a drawn case. */
char *fuzz_pool_room(struct fuzz_pool *pool, size_t bytes);

/* Where `bytes` bytes lie so that they begin (or end) `skew` bytes from the guard page. */
size_t fuzz_place_at(const struct fuzz_place *place, size_t bytes, int at_begin, int skew);

#endif
