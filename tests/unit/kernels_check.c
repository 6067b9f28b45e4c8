/* Every check of the generated table against the resolver of run-time depth, which has tests of its own. */
#include <criterion/criterion.h>

#include "kernels.h"

enum { DEPTHS = 10, MOST = 200, SPAN = 4 };
static const int64_t counts[] = {0, 1, 2, 15, 16, 31, 32, 33, 47, 48, 100, 199};
static const int64_t extents[] = {1,
                                  2,
                                  7,
                                  100,
                                  127,
                                  128,
                                  200,
                                  255,
                                  256,
                                  257,
                                  40000,
                                  65536,
                                  (int64_t)1 << 30,
                                  ((int64_t)1 << 31) - 1,
                                  (int64_t)1 << 31,
                                  ((int64_t)1 << 31) + 1,
                                  ((int64_t)1 << 32) - 1,
                                  (int64_t)1 << 32,
                                  (int64_t)1 << 40,
                                  (int64_t)1 << 62,
                                  INT64_MAX,
                                  0};
enum { EXTENTS = sizeof extents / sizeof *extents, COUNTS = sizeof counts / sizeof *counts };
static uint64_t state = 3;

static const struct gasket_kernel *resolver_for(const struct gasket_kernel *kernel) {
    for (size_t i = 0; i < gasket_kernel_set.n_kernels; i++) {
        const struct gasket_kernel *other = &gasket_kernel_set.kernels[i];
        if (other->kind == GASKET_RESOLVE && other->depth == GASKET_ANY && other->isa == GASKET_BASE &&
            other->index_dtype == kernel->index_dtype && other->form == kernel->form)
            return other;
    }
    return NULL;
}

/* Mostly in bounds, so that one bad value is found among good ones: at or beside a bound, or anything. */
static int64_t draw_value(int64_t extent, int may_be_bad) {
    const int64_t odd[] = {extent,    extent - 1, -1,        -extent,    -extent - (extent < INT64_MAX), INT64_MIN,
                           INT64_MAX, INT32_MIN,  INT32_MAX, UINT32_MAX, (int64_t)draw(&state)};
    if (!may_be_bad) return draw_below(&state, extent);
    return odd[draw_below(&state, sizeof odd / sizeof *odd)];
}

static int try(const struct gasket_kernel *kernel, const struct gasket_kernel *resolver, int64_t depth, int64_t count,
               const int64_t strides[2]) {
    static unsigned char memory[MOST * DEPTHS * 8 * SPAN + 1];
    static int64_t offsets[MOST];
    const int64_t zeros[DEPTHS] = {0}, size = index_bytes(kernel->index_dtype);
    int64_t of[DEPTHS] = {0};
    for (int64_t k = 0; k < depth; k++)
        of[k] = extents[draw_below(&state, EXTENTS - (draw_below(&state, 50) != 0))];
    const struct gasket_lookup lookup = {strides[0] * size, strides[1] * size, depth, of, zeros};
    unsigned char *indices = memory + 1;
    const int64_t odd_one = draw_below(&state, 2 * count * depth + 1); /* half of the time there is none */
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < depth; k++) {
            const int64_t value = draw_value(of[k], i * depth + k == odd_one);
            memcpy(indices + i * lookup.tuple_stride + k * lookup.component_stride, &value, (size_t)size);
        }
    const int is_bad = resolver->run.resolve(&lookup, indices, count, offsets) < count;
    cr_assert_eq(kernel->run.check(&lookup, indices, count), is_bad, "%s: depth %lld, count %lld: %d", kernel->name,
                 (long long)depth, (long long)count, is_bad);
    return is_bad;
}

static void try_kernel(const struct gasket_kernel *kernel) {
    const struct gasket_kernel *resolver = resolver_for(kernel);
    int found[2] = {0, 0};
    cr_assert_not_null(resolver);
    for (int64_t depth = 0; depth <= DEPTHS; depth++)
        for (int c = 0; c < COUNTS; c++)
            for (int round = 0; round < 8; round++) {
                const int64_t layouts[3][2] = {{depth, 1}, {depth + 3, 1}, {1, MOST}};
                found[try(kernel, resolver, depth, counts[c], layouts[round % 3])]++;
            }
    cr_assert(found[0] > 50 && found[1] > 9, "%s: %d good, %d bad", kernel->name, found[0], found[1]);
}

Test(kernels_check, all, .timeout = 100) {
    cr_assert(each_kernel(GASKET_CHECK, try_kernel) > 0);
}
