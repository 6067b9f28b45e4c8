/* words: what a GPU gives to templates/cuda, on the host: one thread at a time, in whatever order the caller takes
 * them. Both constants are variables. Before abi/device.h. */
#ifndef EMULATED_WORDS_H
#define EMULATED_WORDS_H

#include <stdint.h>
#include <string.h>

#define GK_INLINE static inline __attribute__((unused))
#define GASKET_NEST_WORD GK_INLINE

#include "abi/nest_grid.h"

/* Of the thread that runs. */
struct emulated {
    const struct gasket_nest *nest;
    const struct gasket_nest_grid *grid;
    int64_t block, thread;
};
extern _Thread_local struct emulated emulated;

#define GK_BLOCK() emulated.block
#define GK_THREAD() emulated.thread
#define GK_KEEP(value) __asm__("" : "+r"(value))
#define GK_COPY_BITS memcpy
#define GK_UNROLL
#define GK_ATOMIC_ADD(at, type, update) (*(type *)(at) += (type)(update))
#define GK_ATOMIC_MIN(at, type, update) (*(type *)(at) = (update) < *(type *)(at) ? (update) : *(type *)(at))
#define GK_ATOMIC_MAX(at, type, update) (*(type *)(at) = (update) > *(type *)(at) ? (update) : *(type *)(at))
#define GK_ATOMIC_SWAP(at, type, expected, next) ((type)emulated_swap(at, sizeof(type), expected, next))
#define gasket_nest_knobs (*emulated.nest)
#define gasket_nest_grid_knobs (*emulated.grid)

/* What was there, which is as expected: nobody is in between. */
GK_INLINE uint64_t emulated_swap(void *at, size_t bytes, uint64_t expected, uint64_t next) {
    uint64_t there = 0;
    memcpy(&there, at, bytes);
    if (there == expected) memcpy(at, &next, bytes);
    return there;
}

typedef void emulated_kernel(const struct gasket_nest_call call, int64_t count, int64_t items);

#endif
