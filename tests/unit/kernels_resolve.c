/* Every resolver of the generated table against a loop in 128 bits. */
#include <criterion/criterion.h>

#include "kernels.h"

enum { COUNTS = 16, MAX_DEPTH = 6, MAX_COUNT = 600 };
static const int64_t counts[COUNTS] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 512, 600};
static uint64_t state = 1;

/* Where tuples lie, in multiples of the index size. */
struct layout {
    int64_t tuple, component; /* 0: packed */
};
static const struct layout layouts[] = {{0, 0}, {7, 1}, {1, 601}, {-6, 1}, {6, -1}, {0, 3}};

/* What is addressed: extents and strides of up to 6 dimensions. */
struct space {
    int64_t extents[MAX_DEPTH], strides[MAX_DEPTH];
};
static const struct space spaces[] = {
    {{5, 3, 7, 4, 2, 6}, {4096, 1024, 64, 16, 8, 4}},
    {{100, 3, 50, 4, 2, 6}, {7, 701, 2104, 105201, 3, 1}},
    {{9, 9, 9, 9, 9, 9}, {-4096, 512, -64, 8, 16, 32}},
    {{6, 1, 5, 2, 3, 4}, {0, 0, 0, 0, 0, 0}},
    {{1, 1, 1, 1, 1, 1}, {8, 8, 8, 8, 8, 8}},
    {{120, 100, 90, 80, 7, 6}, {(int64_t)1 << 40, (int64_t)1 << 33, 1 << 20, 4, 8, 16}},
    {{(int64_t)1 << 31, 2, 3, 4, 2, 2}, {64, (int64_t)1 << 40, 8, 1, 1, 1}},
    {{((int64_t)1 << 31) - 1, 2, 1, 1, 2, 2}, {1, 1, 1, 1, 1, 1}},
    {{(int64_t)1 << 40, 1 << 20, 3, 4, 2, 2}, {16, 3, 8, 1, 1, 1}},
    {{INT64_MAX - 100, 4, 3, 2, 2, 2}, {1, 5, 8, 1, 1, 1}},
    {{(int64_t)3 << 31, 4, 3, 2, 2, 2}, {1, 5, 8, 1, 1, 1}},
    {{0, 4, 3, 2, 2, 2}, {8, 8, 8, 8, 8, 8}},
    {{4, 0, 3, 0, 2, 2}, {8, 8, 8, 8, 8, 8}},
};

static __int128 least(uint8_t dtype) {
    return index_is_signed(dtype) ? -((__int128)1 << (8 * index_bytes(dtype) - 1)) : 0;
}
static __int128 greatest(uint8_t dtype) {
    return ((__int128)1 << (8 * index_bytes(dtype) - (index_is_signed(dtype) ? 1 : 0))) - 1;
}

/* A value in bounds, or near a bound, or an extreme one; as far as the dtype goes. */
static __int128 draw_value(uint8_t dtype, int64_t extent, int only_good) {
    int64_t kind = only_good ? 9 : draw_below(&state, 40);
    __int128 value = draw_below(&state, extent);
    __int128 odd[] = {
        extent, -1, -(__int128)extent, -(__int128)extent - 1, least(dtype), greatest(dtype), (__int128)extent - 1, 0};
    value = kind < 8 ? odd[kind] : value;
    value = value < least(dtype) ? least(dtype) : value;
    return value > greatest(dtype) ? greatest(dtype) : value;
}

/* The coordinate that the form makes of a value; -1 when it is out of bounds. */
static __int128 coordinate(enum gasket_resolve_form form, __int128 value, int64_t extent) {
    if (form == GASKET_RAW) {
        return value;
    }
    if (form == GASKET_CLIP && extent > 0) {
        return value < 0 ? 0 : value >= extent ? (__int128)extent - 1 : value;
    }
    if (form == GASKET_WRAP && value < 0) {
        value += extent;
    }
    return value >= 0 && value < extent ? value : -1;
}

static void try(const struct gasket_kernel *kernel, const struct space *space, const struct layout *layout,
                int64_t depth, int64_t count, int only_good) {
    static unsigned char memory[MAX_COUNT * MAX_DEPTH * 8 * 8];
    static int64_t offsets[MAX_COUNT + 2], wanted[MAX_COUNT];
    int64_t size = index_bytes(kernel->index_dtype);
    struct gasket_lookup lookup = {(layout->tuple ? layout->tuple : depth) * size,
                                   (layout->component ? layout->component : 1) * size, depth, space->extents,
                                   space->strides};
    unsigned char *indices = memory + sizeof memory / 2 + 1;
    int64_t first_bad = count;
    for (int64_t i = 0; i < count; i++) {
        __int128 offset = 0;
        int bad = 0;
        for (int64_t k = 0; k < depth; k++) {
            __int128 value = draw_value(kernel->index_dtype, space->extents[k], only_good);
            unsigned char *place = indices + i * lookup.tuple_stride + k * lookup.component_stride;
            memcpy(place, &value, (size_t)size);
            __int128 at = coordinate((enum gasket_resolve_form)kernel->form, value, space->extents[k]);
            bad |= at < 0;
            offset += at * space->strides[k];
        }
        wanted[i] = bad ? GASKET_NO_OFFSET : (int64_t)offset;
        first_bad = bad && first_bad == count ? i : first_bad;
    }
    memset(offsets, 0x5a, sizeof offsets);
    int64_t guard = offsets[0], found = kernel->run.resolve(&lookup, indices, count, offsets + 1);
    cr_assert(found == first_bad, "%s: depth %lld, count %lld: first bad %lld, not %lld", kernel->name,
              (long long)depth, (long long)count, (long long)found, (long long)first_bad);
    cr_assert(offsets[0] == guard && offsets[count + 1] == guard, "%s: writes beside its offsets", kernel->name);
    for (int64_t i = 0; i < count; i++) {
        cr_assert(offsets[i + 1] == wanted[i], "%s: depth %lld, offset %lld of %lld is %lld, not %lld", kernel->name,
                  (long long)depth, (long long)i, (long long)count, (long long)offsets[i + 1], (long long)wanted[i]);
    }
}

/* Tuples that lie over each other can not be drawn one by one. */
static int overlaps(const struct layout *layout, int64_t depth) {
    return layout->component == 3 && depth > 1;
}

static int is_empty(const struct space *space, int64_t depth) {
    int empty = 0;
    for (int64_t k = 0; k < depth; k++) {
        empty |= space->extents[k] == 0;
    }
    return empty;
}

static void try_depth(const struct gasket_kernel *kernel, int64_t depth) {
    for (size_t s = 0; s < sizeof spaces / sizeof *spaces; s++) {
        for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
            int raw = kernel->form == GASKET_RAW;
            if (overlaps(&layouts[l], depth) || (raw && is_empty(&spaces[s], depth))) {
                continue;
            }
            for (int c = 0; c < COUNTS; c++) {
                try(kernel, &spaces[s], &layouts[l], depth, counts[c], 1);
                if (!raw) {
                    try(kernel, &spaces[s], &layouts[l], depth, counts[c], 0);
                }
            }
        }
    }
}

static void try_kernel(const struct gasket_kernel *kernel) {
    if (kernel->depth != GASKET_ANY) {
        try_depth(kernel, kernel->depth);
        return;
    }
    for (int64_t depth = 0; depth <= MAX_DEPTH; depth++) {
        try_depth(kernel, depth);
    }
}

Test(kernels_resolve, all, .timeout = 100) {
    cr_assert(each_kernel(GASKET_RESOLVE, try_kernel) > 0);
}
