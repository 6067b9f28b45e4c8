/* Call-time texts with constant descriptions, as the compiler of a kernel sees them, against loops written by hand. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "nest_text.h"

#define ONES \
    { 0, 1, 1, 1, 1, 1, 1, 1 }
#define UNUSED \
    { .level = -1, .access = -1 }
#define TYPE(type) .index_dtype = GASKET_##type

/* out[n] = table[indices[n]], rows of 9 floats: 36 bytes */
static const struct gasket_nest rows = {
    .extents = ONES,
    .checks = 1,
    .checked = ONES,
    .row = 9,
    .element = 4,
    .n_factors = 1,
    .form = GASKET_MARK,
    .prefetch = 3,
    .prefetch_access = 1,
    .accesses = {{{36}, 4, 0}, {{0}, 4, 0}, {{4}, TYPE(I32)}},
    .coordinates = {{.level = 0, .access = 1, .stride = 36, .skips = 1, .n_values = 1, .values = {{2, 0}}},
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED},
};
#define gasket_nest_knobs rows
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX rows
#include "generated/call_time/e4.c"
#undef NEST_SUFFIX
#undef gasket_nest_knobs

/* out[n, a, b] = table[indices[n, 0], indices[n, 1], indices[n, 2], a, b], boxes of 2 x 3 with gaps; clipped, u64 */
static const struct gasket_nest boxes = {
    .extents = {0, 2, 1, 1, 1, 1, 1, 1},
    .checks = 1,
    .checked = ONES,
    .row = 3,
    .element = 2,
    .n_factors = 1,
    .form = GASKET_CLIP,
    .accesses = {{{12, 6}, 2, 0}, {{0, 20}, 4, 0}, {{24}, TYPE(U64)}},
    .coordinates = {{.level = 0, .access = 1, .stride = 400, .skips = 1, .n_values = 1, .values = {{2, 0}}},
                    {.level = 0, .access = 1, .stride = 100, .skips = 1, .n_values = 1, .values = {{2, 8}}},
                    {.level = 0, .access = 1, .stride = 40, .skips = 1, .n_values = 1, .values = {{2, 16}}},
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED},
};
#define gasket_nest_knobs boxes
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX boxes
#include "generated/call_time/e2.c"
#undef NEST_SUFFIX
#undef gasket_nest_knobs

/* out[r, c] = table[r, indices[r, c]], lost ones filled; negative indices count from the end */
static const struct gasket_nest along = {
    .extents = {0, 5, 1, 1, 1, 1, 1, 1},
    .checks = 1,
    .checked = {0, 5, 1, 1, 1, 1, 1, 1},
    .row = 1,
    .element = 8,
    .n_factors = 1,
    .form = GASKET_WRAP,
    .accesses = {{{40, 8}, 8, 0}, {{56, 0}, 8, 0}, {{5, 1}, TYPE(I8)}},
    .coordinates = {{.level = 1, .access = 1, .stride = 8, .n_values = 1, .values = {{2, 0}}},
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED},
};
#define gasket_nest_knobs along
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX along
#include "generated/call_time/e8.c"
#undef NEST_SUFFIX
#undef gasket_nest_knobs

/* out[g] += table[indices[g, l]] * weights[g, l], rows of 6 floats, 4 in a bag; lost ones are dropped */
static const struct gasket_nest bags = {
    .extents = {0, 4, 1, 1, 1, 1, 1, 1},
    .checks = 1,
    .checked = {0, 4, 1, 1, 1, 1, 1, 1},
    .row = 6,
    .element = 4,
    .n_factors = 2,
    .combine = GASKET_ADD,
    .form = GASKET_MARK,
    .accesses = {{{24, 0}, 4, 0}, {{0}, 4, 0}, {{16, 4}, 0, 0}, {{16, 4}, TYPE(I32)}},
    .coordinates = {{.level = 1, .access = 1, .stride = 24, .skips = 1, .n_values = 1, .values = {{3, 0}}},
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED},
};
#define gasket_nest_knobs bags
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX bags
#include "generated/call_time/f32.c"
#undef NEST_SUFFIX
#undef gasket_nest_knobs

/* out[n, w] = table[starts[groups[n]] + w], windows of 3; starts are looked up themselves; what is lost is filled */
static const struct gasket_nest windows = {
    .extents = {0, 3, 1, 1, 1, 1, 1, 1},
    .checks = 1,
    .checked = {0, 3, 1, 1, 1, 1, 1, 1},
    .row = 1,
    .element = 1,
    .n_factors = 1,
    .form = GASKET_MARK,
    .accesses = {{{3, 1}, 1, 0}, {{0}, 1, 0}, {{0}, TYPE(I64)}, {{2}, TYPE(U16)}},
    .coordinates =
        {{.level = 0, .access = 2, .stride = 8, .n_values = 1, .values = {{3, 0}}},
         {.level = 1, .access = 1, .stride = 1, .is_sum = 1, .steps = {0, 1}, .n_values = 1, .values = {{2, 0}}},
         UNUSED,
         UNUSED,
         UNUSED,
         UNUSED,
         UNUSED,
         UNUSED},
};
#define gasket_nest_knobs windows
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX windows
#include "generated/call_time/e1.c"
#undef NEST_SUFFIX
#undef gasket_nest_knobs

/* out[indices[n]] max= updates[n], NaN spreads */
static const struct gasket_nest greatest = {
    .extents = ONES,
    .checks = 1,
    .checked = ONES,
    .row = 1,
    .element = 8,
    .n_factors = 1,
    .combine = GASKET_MAX,
    .nan_propagates = 1,
    .form = GASKET_MARK,
    .accesses = {{{0}, 8, 0}, {{8}, 8, 0}, {{1}, TYPE(U8)}},
    .coordinates = {{.level = 0, .access = 0, .stride = 8, .skips = 1, .n_values = 1, .values = {{2, 0}}},
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED},
};
#define gasket_nest_knobs greatest
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX greatest
#include "generated/call_time/f64.c"
#undef NEST_SUFFIX
#undef gasket_nest_knobs

/* out[n] = table[indices[n]], lines that are streamed where they are aligned */
static const struct gasket_nest streamed = {
    .extents = ONES,
    .checks = 1,
    .checked = ONES,
    .row = 8,
    .element = 16,
    .n_factors = 1,
    .form = GASKET_RAW,
    .streams = 1,
    .accesses = {{{128}, 16, 0}, {{0}, 16, 0}, {{2}, TYPE(I16)}},
    .coordinates = {{.level = 0, .access = 1, .stride = 128, .n_values = 1, .values = {{2, 0}}},
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED,
                    UNUSED},
};
#define gasket_nest_knobs streamed
#undef GASKET_ABI_NEST_POINT_H
#define NEST_SUFFIX streamed
#include "generated/call_time/e16.c"
#undef NEST_SUFFIX
#undef gasket_nest_knobs

static void count_up(void *memory, size_t n) {
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)memory)[i] = (unsigned char)(i * 37 + i / 256 + 1);
}

Test(nest, rows) {
    static float table[7][9], out[10][9], want[10][9];
    int32_t indices[10] = {6, 0, 3, 3, 7, -1, INT32_MIN, 5, 1, 6};
    const struct gasket_nest_call call = {{(char *)out, (char *)table, (char *)indices}, {7}, {0}};
    count_up(table, sizeof table);
    for (int n = 2; n < 10; n++)
        if (indices[n] >= 0 && indices[n] < 7) memcpy(want[n], table[indices[n]], sizeof want[n]);
    cr_assert_eq(gasket_nest_run_rows(&call, 2, 10), 1);
    cr_assert_arr_eq(out, want, sizeof out);
    cr_assert_eq(gasket_nest_check_rows(&call, 0, 10), 1);
    cr_assert_eq(gasket_nest_check_rows(&call, 0, 4), 0);
    cr_assert_eq(gasket_nest_check_rows(&call, 4, 4), 0);
    cr_assert_eq(gasket_nest_check_rows(&call, 6, 7), 1);
    cr_assert_eq(gasket_nest_run_rows(&call, 7, 10), 0);
}

Test(nest, boxes_of_tuples) {
    static uint16_t table[3 * 200], out[4][2][3];
    uint64_t indices[4][3] = {{2, 3, 1}, {UINT64_MAX, 0, 0}, {0, (uint64_t)1 << 63, 5}, {1, 2, 0}};
    struct gasket_nest_call call = {{(char *)out, (char *)table, (char *)indices}, {3, 4, 2}, {0}};
    count_up(table, sizeof table);
    cr_assert_eq(gasket_nest_run_boxes(&call, 0, 4), 0);
    for (int n = 0; n < 4; n++)
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 3; b++) {
                const uint64_t i = indices[n][0] > 2 ? 2 : indices[n][0], j = indices[n][1] > 3 ? 3 : indices[n][1];
                const uint64_t k = indices[n][2] > 1 ? 1 : indices[n][2];
                cr_assert_eq(out[n][a][b], table[i * 200 + j * 50 + k * 20 + (uint64_t)(a * 10 + b * 2)]);
            }
    memset(out, 7, sizeof out);
    call.extents[1] = 0; /* there is nothing to clip to */
    cr_assert_eq(gasket_nest_run_boxes(&call, 0, 4), 1);
    for (size_t i = 0; i < sizeof out; i++)
        cr_assert_eq(((char *)out)[i], 7);
    cr_assert_eq(gasket_nest_check_boxes(&call, 0, 4), 1);
}

Test(nest, along_an_axis) {
    static uint64_t table[3][7], out[3][5];
    const int8_t indices[3][5] = {{0, 6, -1, -7, -8}, {7, 3, -128, 127, 2}, {1, 1, 1, 5, 5}};
    struct gasket_nest_call call = {{(char *)out, (char *)table, (char *)indices}, {7}, {0}};
    const uint64_t fill = 0x123456789abcdef0;
    memcpy(call.fill, &fill, sizeof fill);
    count_up(table, sizeof table);
    cr_assert_eq(gasket_nest_run_along(&call, 0, 3), 1);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 5; c++) {
            const int at = indices[r][c] < 0 ? indices[r][c] + 7 : indices[r][c];
            cr_assert_eq(out[r][c], at >= 0 && at < 7 ? table[r][at] : fill, "%d, %d", r, c);
        }
    cr_assert_eq(gasket_nest_check_along(&call, 2, 3), 0);
    cr_assert_eq(gasket_nest_check_along(&call, 0, 2), 1);
}

Test(nest, weighted_bags) {
    float table[5][6], out[3][6], want[3][6], weights[3][4];
    const int32_t indices[3][4] = {{0, 4, 5, 2}, {3, 3, 3, 3}, {-1, 9, 1, 0}};
    const struct gasket_nest_call call = {{(char *)out, (char *)table, (char *)weights, (char *)indices}, {5}, {0}};
    for (int i = 0; i < 30; i++)
        table[i / 6][i % 6] = (float)i * 0.37f - 3;
    for (int g = 0; g < 3; g++)
        for (int s = 0; s < 6; s++)
            out[g][s] = want[g][s] = (float)(g + s) * 0.1f;
    for (int l = 0; l < 12; l++)
        weights[l / 4][l % 4] = (float)l / 7;
    for (int g = 0; g < 3; g++)
        for (int l = 0; l < 4; l++)
            for (int s = 0; s < 6 && indices[g][l] >= 0 && indices[g][l] < 5; s++) {
                const volatile float product = table[indices[g][l]][s] * weights[g][l];
                want[g][s] += product;
            }
    cr_assert_eq(gasket_nest_run_bags(&call, 0, 3), 1);
    cr_assert_arr_eq(out, want, sizeof out);
    cr_assert_eq(gasket_nest_check_bags(&call, 1, 2), 0);
}

Test(nest, windows_at_starts_that_are_looked_up) {
    char table[10], out[5][3];
    const int64_t starts[4] = {2, 8, INT64_MAX, INT64_MIN};
    const uint16_t groups[5] = {0, 1, 2, 3, 4};
    const struct gasket_nest_call call = {{out[0], table, (char *)starts, (char *)groups}, {4, 10}, "x"};
    const char *want =
        "cde"
        "ijx"
        "xxx"
        "xxx"
        "xxx";
    memcpy(table, "abcdefghij", 10);
    cr_assert_eq(gasket_nest_run_windows(&call, 0, 5), 1);
    cr_assert_arr_eq(out, want, 15, "%.15s", out[0]);
    cr_assert_eq(gasket_nest_check_windows(&call, 0, 1), 0);
    cr_assert_eq(gasket_nest_check_windows(&call, 4, 5), 1);
}

Test(nest, greatest_with_nan) {
    const double nan = __builtin_nan("5");
    double out[4] = {1, nan, -1, 0}, updates[6] = {3, 5, nan, 2, -4, 7};
    const uint8_t indices[6] = {0, 1, 2, 0, 2, 255};
    const struct gasket_nest_call call = {{(char *)out, (char *)updates, (char *)indices}, {4}, {0}};
    cr_assert_eq(gasket_nest_run_greatest(&call, 0, 6), 1);
    cr_assert_eq(out[0], 3);
    cr_assert_arr_eq(&out[1], &nan, 8);
    cr_assert_arr_eq(&out[2], &nan, 8);
    cr_assert_eq(out[3], 0);
}

Test(nest, streams) {
    static char table[4][128], memory[8 * 128 + 64 + 64];
    const int16_t indices[8] = {3, 1, 0, 2, 2, 3, 0, 1};
    count_up(table, sizeof table);
    for (int shift = 0; shift < 64; shift += 4) {
        char *out = memory + (64 - (uintptr_t)memory % 64) % 64 + shift;
        const struct gasket_nest_call call = {{out, (char *)table, (char *)indices}, {0}, {0}};
        memset(memory, 0, sizeof memory);
        cr_assert_eq(gasket_nest_run_streamed(&call, 0, 8), 0);
        for (int n = 0; n < 8; n++)
            cr_assert_arr_eq(out + n * 128, table[indices[n]], 128, "shift %d, row %d", shift, n);
    }
}
