/* A nest for the threads of a GPU (abi/nest_grid.h). Before this text stand the two constants and, as macros: GK_VALUE,
 * the type of an element (f32; u32 where elements of 4 bytes are only moved); GK_ITEM, a type that numbers items; then
 * either GK_PIECE, what an item moves at once (u64, v16), and GK_BATCH; or GK_COMBINE, GK_MULTIPLY where there are
 * several factors, and where items share elements GK_ATOMIC, or GK_ATOMIC_BITS of a word to be swapped. GK_EACH and
 * GK_INWARDS may be narrowed to the loops, accesses and coordinates that there are. */
#include "abi/atomic.h"
#include "abi/device.h"
#include "abi/nest_grid.h"

#if defined(GASKET_DEVICE)
GK_CONSTANT struct gasket_nest gasket_nest_knobs = GASKET_NEST_INIT;
GK_CONSTANT struct gasket_nest_grid gasket_nest_grid_knobs = GASKET_GRID_INIT;
#endif

#include "abi/nest_point.h"
#include "abi/number.h"

#define GK_PASTE_(a, b) a##b
#define GK_PASTE(a, b) GK_PASTE_(a, b)
typedef GK_PASTE(gk_, GK_VALUE) gk_element;

/* The loops that an item stands for; returns the first of its elements in the row. */
GK_INLINE int64_t gk_take_item(struct gk_point *point, GK_ITEM item) {
    const GK_ITEM pieces = (GK_ITEM)(gasket_nest_knobs.row / gasket_nest_grid_knobs.vector);
    const int64_t piece = (int64_t)(item % pieces);
    item /= pieces;
#define GK_SHARES(k) !gasket_nest_grid_knobs.serial[k]
#define GK_TAKE(k)                                                                                \
    if ((k) > 0) {                                                                                \
        const GK_ITEM extent = GK_SHARES(k) ? (GK_ITEM)gasket_nest_knobs.extents[k] : (GK_ITEM)1; \
        point->i[k] = (int64_t)(item % extent);                                                   \
        item /= extent;                                                                           \
    }
    GK_INWARDS(GK_TAKE)
    point->i[0] = GK_SHARES(0) ? (int64_t)item : 0;
    return piece * gasket_nest_grid_knobs.vector;
}

/* Finds all places; returns whether nothing is to be stored. */
GK_INLINE int64_t gk_find(struct gk_point *point) {
    int64_t dropped = 0;
#define GK_FIND_ONE(c)                                                                            \
    if (GK_COORDINATE(c).access >= 0) dropped |= gk_locate(point, c, 1) & GK_COORDINATE(c).skips; \
    else point->at[c] = point->lost[c] = 0;
    GK_EACH(GK_FIND_ONE)
    return dropped;
}

#if defined(GK_PIECE)
typedef GK_PASTE(gk_, GK_PIECE) gk_piece;

GK_KERNEL(gasket_nest_run)(const struct gasket_nest_call call, int64_t count, int64_t items) {
    const int64_t first = GK_BLOCK() * (GK_BATCH * GASKET_GRID_THREADS) + GK_THREAD();
    char *to[GK_BATCH];
    gk_piece pieces[GK_BATCH];
    (void)count;
    GK_UNROLL
    for (int u = 0; u < GK_BATCH; u++) {
        struct gk_point point;
        const int64_t item = first + u * GASKET_GRID_THREADS;
        to[u] = 0;
        if (item >= items) continue;
        point.call = &call;
        const int64_t element = gk_take_item(&point, (GK_ITEM)item);
        if (gk_find(&point)) continue;
        to[u] = gk_address(&point, 0) + element * gasket_nest_knobs.accesses[0].row_stride;
        const char *from = gk_address(&point, 1) + element * gasket_nest_knobs.accesses[1].row_stride;
        pieces[u] = *(const gk_piece *)call.fill;
        if (!gk_is_lost(&point, 1)) pieces[u] = *(const gk_piece *)from;
    }
    GK_UNROLL
    for (int u = 0; u < GK_BATCH; u++)
        if (to[u]) *(gk_piece *)to[u] = pieces[u];
}
#else
/* ---- Elements that are combined, or stored in order ---- */

/* The next iteration of the serial loops; 0 after the last. */
GK_INLINE int64_t gk_next(struct gk_point *point, int64_t count) {
#define GK_EXTENT(k) ((k) == 0 ? count : gasket_nest_knobs.extents[k])
#define GK_ADVANCE(k)                              \
    if (!GK_SHARES(k)) {                           \
        if (++point->i[k] < GK_EXTENT(k)) return 1; \
        point->i[k] = 0;                           \
    }
    GK_INWARDS(GK_ADVANCE)
    return 0;
}

GK_INLINE gk_element gk_factor(const struct gk_point *point, int64_t access, int64_t element, gk_element fill) {
    if (gk_is_lost(point, access)) return fill;
    const char *row = gk_address(point, access);
    return *(const gk_element *)(row + element * gasket_nest_knobs.accesses[access].row_stride);
}

GK_INLINE gk_element gk_update(const struct gk_point *point, int64_t element, gk_element fill) {
    gk_element update = gk_factor(point, 1, element, fill);
#if defined(GK_MULTIPLY)
#define GK_FACTOR(f) \
    if (gasket_nest_knobs.n_factors >= f) update = GK_MULTIPLY(update, gk_factor(point, f, element, fill));
    GK_FACTOR(2)
    GK_FACTOR(3)
    GK_FACTOR(4)
#endif
    return update;
}

GK_INLINE gk_element *gk_output(const struct gk_point *point, int64_t element) {
    return (gk_element *)(gk_address(point, 0) + element * gasket_nest_knobs.accesses[0].row_stride);
}

/* Whether all iterations of the serial loops lead to one element. */
GK_INLINE int64_t gk_stays(void) {
    int64_t moves = 0;
#define GK_MOVES_OUTPUT(k)                                                            \
    moves |= (!GK_SHARES(k) & (gasket_nest_knobs.accesses[0].strides[k] != 0)) | (GK_COORDINATE(k).access == 0);
    GK_EACH(GK_MOVES_OUTPUT)
    return !moves;
}

#if defined(GK_ATOMIC_BITS)
/* The word that holds the element is replaced, until nobody else has changed it meanwhile. */
GK_INLINE void gk_combine_shared(gk_element *at, gk_element update) {
    typedef GK_PASTE(gk_u, GK_ATOMIC_BITS) gk_word;
    union {
        gk_word word;
        gk_element element;
    } part;
    const uint64_t address = (uint64_t)at, offset = address % sizeof(gk_word);
    const int shift = (int)offset * 8;
    const gk_word mask = (gk_word)-1 >> (GK_ATOMIC_BITS - 8 * (int)sizeof(gk_element)) << shift;
    gk_word *const word = (gk_word *)(address - offset);
    gk_word there = *(volatile gk_word *)word;
    for (;;) {
        part.word = there >> shift; /* what lies beside the element stays what it is */
        part.element = GK_COMBINE(part.element, update);
        const gk_word found = GK_ATOMIC_SWAP(word, gk_word, there, (there & ~mask) | part.word << shift);
        if (found == there) return;
        there = found;
    }
}
#define GK_ATOMIC gk_combine_shared
#endif

GK_KERNEL(gasket_nest_run)(const struct gasket_nest_call call, int64_t count, int64_t items) {
    const int64_t item = GK_BLOCK() * GASKET_GRID_THREADS + GK_THREAD();
    const gk_element fill = *(const gk_element *)call.fill;
    struct gk_point point;
    if (item >= items) return;
    point.call = &call;
    const int64_t element = gk_take_item(&point, (GK_ITEM)item);
#if defined(GK_ATOMIC)
    (void)count;
    if (!gk_find(&point)) GK_ATOMIC(gk_output(&point, element), gk_update(&point, element, fill));
#else
    if (gk_stays()) {
        gk_element *const to = gk_output(&point, element);
        gk_element sum = *to;
        do {
            if (!gk_find(&point)) sum = GK_COMBINE(sum, gk_update(&point, element, fill));
        } while (gk_next(&point, count));
        *to = sum;
        return;
    }
    do {
        if (gk_find(&point)) continue;
        gk_element *to = gk_output(&point, element);
        *to = GK_COMBINE(*to, gk_update(&point, element, fill));
    } while (gk_next(&point, count));
#endif
}
#endif
