/* Words for resolvers: which path a lookup may take, and what a tuple out of bounds leaves behind. */
#ifndef GASKET_ABI_LOOKUP_H
#define GASKET_ABI_LOOKUP_H

#include "abi/vector.h"

/* Whether tuples lie one after the other, their values too. */
GK_INLINE int gk_is_packed(const struct gasket_lookup *lookup, int64_t depth, int64_t index_size) {
    return lookup->tuple_stride == depth * index_size && (depth == 1 || lookup->component_stride == index_size);
}

/* A lookup whose offsets, counted in units of 2^shift bytes, fit 31 bits. */
struct gk_narrow {
    int shift;
    int32_t last[4], stride[4]; /* the last coordinate in bounds; the stride in units */
};

/* Whether the lookup is narrow. Empty dimensions and negative strides are not. */
GK_INLINE int gk_make_narrow(struct gk_narrow *narrow, const struct gasket_lookup *lookup, int64_t depth) {
    uint64_t strides = 0, high = 0, reach = 0;
    for (int64_t k = 0; k < depth; k++)
        strides |= (uint64_t)lookup->strides[k];
    narrow->shift = strides ? __builtin_ctzll(strides) : 0;
    for (int64_t k = 0; k < depth; k++) {
        const uint64_t last = (uint64_t)lookup->extents[k] - 1, stride = (uint64_t)lookup->strides[k] >> narrow->shift;
        high |= (uint64_t)lookup->extents[k] | last | stride | (strides >> 63 << 31);
        reach += last * stride;
        narrow->last[k] = (int32_t)last;
        narrow->stride[k] = (int32_t)stride;
    }
    return (high | reach) >> 31 == 0;
}

/* Copies indices that another thread may change to memory of our own, where they may be read again: a compiler is free
 * to load a value a second time instead of keeping it, and did so with the value that had been checked. */
GK_INLINE void gk_take(void *own, const char *shared, int64_t bytes) {
    gk_copy(own, shared, bytes);
    __asm__ volatile("" : : "r"(own) : "memory");
}
enum { GK_TAKEN = 128 }; /* tuples at a time */

/* Whether no coordinate is in bounds, so that there is nothing to clip to. */
GK_INLINE int gk_is_empty(const struct gasket_lookup *lookup, int64_t depth) {
    int empty = 0;
    for (int64_t k = 0; k < depth; k++)
        empty |= lookup->extents[k] == 0;
    return empty;
}

GK_INLINE int64_t gk_mark_all(int64_t *offsets, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        offsets[i] = GASKET_NO_OFFSET;
    return 0;
}

/* The position of the first tuple out of bounds, or count. */
GK_INLINE int64_t gk_first_marked(const int64_t *offsets, int64_t count) {
    int64_t i = 0;
    while (i < count && offsets[i] != GASKET_NO_OFFSET)
        i++;
    return i;
}

#endif
