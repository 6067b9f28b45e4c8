/* Fused kernels of the generated table against a loop, and resolvers and fused kernels while indices change under them.
 */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "kernels.h"

enum { TABLE = 4096, MAX_COUNT = 1200 };
static uint64_t state = 4;

static void set_index(unsigned char *indices, int64_t i, int64_t value, int bytes) {
    memcpy(indices + i * bytes, &value, (size_t)bytes);
}

/* Most values are in bounds; with `good` all are. */
static int64_t draw_index(int64_t extent, int good) {
    int64_t odd[] = {-1, extent, INT32_MIN, INT32_MAX};
    int64_t kind = good ? 4 : draw_below(&state, 60);
    return kind < 4 ? odd[kind] : draw_below(&state, extent);
}

static void try_run(const struct gasket_kernel *kernel, int64_t extent, int64_t stride, int64_t count, int good) {
    int64_t row = kernel->rule.row_min, alignment = kernel->rule.alignment, first_bad = count;
    int bytes = index_bytes(kernel->index_dtype);
    struct memory table = memory_make(TABLE, (size_t)draw_below(&state, 9), &state);
    struct memory plain = memory_make((size_t)(count * row), (size_t)(draw_below(&state, 9) * alignment), &state);
    struct memory indices = memory_make((size_t)(count * bytes), (size_t)draw_below(&state, 9), &state);
    struct memory wanted = memory_copy(&plain);
    unsigned char *first = table.data + (stride < 0 ? (extent - 1) * -stride : 0);
    for (int64_t i = 0; i < count; i++) {
        int64_t at = draw_index(extent, good);
        set_index(indices.data, i, at, bytes);
        if (at >= 0 && at < extent) {
            memcpy(wanted.data + i * row, first + at * stride, (size_t)row);
        } else if (first_bad == count) {
            first_bad = i;
        }
    }
    struct gasket_lookup lookup = {bytes, bytes, 1, &extent, &stride};
    struct gasket_rows rows = {.indexed = (char *)first,
                               .plain = (char *)plain.data,
                               .plain_stride = row,
                               .row = row,
                               .outer = 1,
                               .element = row,
                               .prefetch = (int64_t[]){0, 3, 32}[draw_below(&state, 3)]};
    int64_t found = kernel->run.fused(&lookup, &rows, indices.data, count);
    cr_assert(found == first_bad, "%s: count %lld: first bad %lld, not %lld", kernel->name, (long long)count,
              (long long)found, (long long)first_bad);
    cr_assert(memory_equal(&plain, &wanted), "%s: count %lld, stride %lld", kernel->name, (long long)count,
              (long long)stride);
    memory_free(&table);
    memory_free(&plain);
    memory_free(&indices);
    memory_free(&wanted);
}

static void try_kernel(const struct gasket_kernel *kernel) {
    static const int64_t counts[] = {0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 97, 513, 1200};
    int64_t row = kernel->rule.row_min;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (int good = kernel->form == GASKET_RAW; good <= 1; good++) {
            try_run(kernel, TABLE / row, row, counts[c], good);
            try_run(kernel, 50, row + 3, counts[c], good);
            try_run(kernel, 50, -row, counts[c], good);
            try_run(kernel, 1, 0, counts[c], good);
        }
        if (kernel->form != GASKET_RAW && counts[c] > 0) {
            int64_t extent = 0, stride = row, index = 0;
            struct gasket_lookup lookup = {8, 8, 1, &extent, &stride};
            struct gasket_rows rows = {.plain_stride = row, .row = row, .outer = 1, .element = row};
            cr_assert(kernel->run.fused(&lookup, &rows, &index, 1) == 0, "%s: an empty table", kernel->name);
        }
    }
}

Test(kernels_fused, all, .timeout = 100) {
    cr_assert(each_kernel(GASKET_FUSED, try_kernel) > 0);
}

/* ---- Indices that another thread changes: every one is read once, so none is used that was not checked ---- */

enum { RACED = 512, CALLS = 400 };
static _Atomic int racing, started;
static unsigned char raced[RACED * 4 * 8 + 8];

/* Turns indices between 0 and a place far out of bounds, as fast as it can. */
static void *change(void *bytes_of_index) {
    int bytes = *(int *)bytes_of_index;
    volatile unsigned char *high = raced + (bytes > 2 ? 2 : bytes - 1);
    atomic_store(&started, 1);
    while (atomic_load_explicit(&racing, memory_order_relaxed)) {
        for (int i = 0; i < RACED * 4; i++) {
            high[i * bytes] ^= 0x11;
        }
    }
    return NULL;
}

static void race(const struct gasket_kernel *kernel, void (*body)(const struct gasket_kernel *kernel)) {
    int bytes = index_bytes(kernel->index_dtype);
    pthread_t thread;
    memset(raced, 0, sizeof raced);
    atomic_store(&started, 0);
    atomic_store(&racing, 1);
    cr_assert(pthread_create(&thread, NULL, change, &bytes) == 0);
    while (!atomic_load(&started)) {
    }
    body(kernel);
    atomic_store(&racing, 0);
    pthread_join(thread, NULL);
}

static void resolve_often(const struct gasket_kernel *kernel) {
    int bytes = index_bytes(kernel->index_dtype);
    int64_t depth = kernel->depth == GASKET_ANY ? 3 : kernel->depth, offsets[RACED];
    const int64_t extents[4] = {4, 4, 4, 4}, strides[4] = {64, 16, 4, 1};
    struct gasket_lookup lookup = {depth * bytes, bytes, depth, extents, strides};
    for (int call = 0; call < CALLS; call++) {
        int64_t bad = kernel->run.resolve(&lookup, raced, RACED, offsets), first = 0;
        while (first < RACED && offsets[first] != GASKET_NO_OFFSET) {
            first++;
        }
        cr_assert(bad == first, "%s: told %lld, left %lld", kernel->name, (long long)bad, (long long)first);
        for (int i = 0; i < RACED; i++) {
            cr_assert(offsets[i] == GASKET_NO_OFFSET || (offsets[i] >= 0 && offsets[i] < 256), "%s: offset %lld",
                      kernel->name, (long long)offsets[i]);
        }
    }
}

static void race_resolver(const struct gasket_kernel *kernel) {
    if (kernel->form != GASKET_RAW && index_bytes(kernel->index_dtype) >= 4) {
        race(kernel, resolve_often);
    }
}

Test(kernels_fused, races_of_resolvers, .timeout = 100) {
    each_kernel(GASKET_RESOLVE, race_resolver);
}

/* The table is one page between pages that may not be touched: an unchecked index ends the process. */
static void gather_often(const struct gasket_kernel *kernel) {
    enum { PAGE = 4096, AROUND = 64 << 20 };
    int64_t row = kernel->rule.row_min, extent = PAGE / row;
    int bytes = index_bytes(kernel->index_dtype);
    char *map = mmap(NULL, 2 * AROUND, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    cr_assert(map != MAP_FAILED && mprotect(map + AROUND, PAGE, PROT_READ | PROT_WRITE) == 0);
    static char plain[RACED * 16] __attribute__((aligned(64)));
    struct gasket_lookup lookup = {bytes, bytes, 1, &extent, &row};
    struct gasket_rows rows = {
        .indexed = map + AROUND, .plain = plain, .plain_stride = row, .row = row, .outer = 1, .element = row};
    for (int call = 0; call < CALLS; call++) {
        int64_t bad = kernel->run.fused(&lookup, &rows, raced, RACED);
        cr_assert(bad >= 0 && bad <= RACED);
    }
    munmap(map, 2 * AROUND);
}

static void race_fused(const struct gasket_kernel *kernel) {
    if (kernel->form != GASKET_RAW) {
        race(kernel, gather_often);
    }
}

Test(kernels_fused, races_of_fused, .timeout = 100) {
    each_kernel(GASKET_FUSED, race_fused);
}
