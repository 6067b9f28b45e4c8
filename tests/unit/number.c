/* Arithmetic on single elements: conversions over every half, rounding, NaN, wrap-around, choice, complex products. */
#include "number.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A half format: exponent bits above `mantissa` bits, written out as the definition of the format says. */
struct format {
    int mantissa, bias;
    uint16_t infinity;
    float (*widen)(uint16_t);
    uint16_t (*narrow)(float);
};
static const struct format f16 = {10, 15, 0x7c00, gk_f16_to_f32, gk_f32_to_f16};
static const struct format bf16 = {7, 127, 0x7f80, gk_bf16_to_f32, gk_f32_to_bf16};

static double defined_value(const struct format *format, uint16_t bits) {
    int exponent = (bits & 0x7fff) >> format->mantissa;
    double fraction = ldexp(bits & ((1 << format->mantissa) - 1), -format->mantissa);
    double size = exponent == 0 ? ldexp(fraction, 1 - format->bias) : ldexp(1 + fraction, exponent - format->bias);
    return bits & 0x8000 ? -size : size;
}

static void check_every_value(const struct format *format) {
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        float value = format->widen((uint16_t)bits);
        uint16_t size = bits & 0x7fff, back = format->narrow(value);
        if (size > format->infinity) {
            uint16_t quiet = (uint16_t)(1 << (format->mantissa - 1));
            cr_assert(isnan(value), "%04x", bits);
            cr_assert_eq(bits_of(value) & 0x00400000, 0x00400000, "%04x is not quiet", bits);
            cr_assert_eq(signbit(value) != 0, bits >> 15, "%04x", bits);
            cr_assert_eq(back, bits | quiet, "%04x became %04x", bits, back);
        } else {
            double expected =
                size == format->infinity ? (bits >> 15 ? -INFINITY : INFINITY) : defined_value(format, (uint16_t)bits);
            cr_assert(value == expected && (signbit(value) != 0) == bits >> 15, "%04x: %a, not %a", bits, (double)value,
                      expected);
            cr_assert_eq(back, bits, "%04x became %04x", bits, back);
        }
    }
}

/* Between each two neighbours: just below the middle, the middle, just above it. The last pair ends where infinity is.
 */
static void check_every_middle(const struct format *format) {
    for (uint16_t low = 0; low < format->infinity; low++) {
        uint16_t high = (uint16_t)(low + 1), even = low & 1 ? high : low;
        float middle = (float)((defined_value(format, low) + defined_value(format, high)) / 2);
        float below = nextafterf(middle, 0), above = nextafterf(middle, INFINITY);
        cr_assert_eq(format->narrow(below), low, "below %a", (double)middle);
        cr_assert_eq(format->narrow(middle), even, "middle %a", (double)middle);
        cr_assert_eq(format->narrow(above), high, "above %a", (double)middle);
        cr_assert_eq(format->narrow(-middle), even | 0x8000, "middle %a", (double)-middle);
        cr_assert_eq(format->narrow(-above), high | 0x8000, "above %a", (double)-middle);
    }
}

Test(number, every_f16) {
    check_every_value(&f16);
    check_every_middle(&f16);
}

Test(number, every_bf16) {
    check_every_value(&bf16);
    check_every_middle(&bf16);
}

Test(number, narrowing_at_the_ends) {
    cr_assert_eq(gk_f32_to_f16(65504.0f), 0x7bff);
    cr_assert_eq(gk_f32_to_f16(65519.996f), 0x7bff);
    cr_assert_eq(gk_f32_to_f16(65520.0f), 0x7c00);
    cr_assert_eq(gk_f32_to_f16(1e30f), 0x7c00);
    cr_assert_eq(gk_f32_to_f16(-1e30f), 0xfc00);
    cr_assert_eq(gk_f32_to_f16(0x1p-25f), 0);
    cr_assert_eq(gk_f32_to_f16(0x1.000002p-25f), 1);
    cr_assert_eq(gk_f32_to_f16(-0x1p-149f), 0x8000);
    cr_assert_eq(gk_f32_to_f16(0x1.ffcp-15f), 0x0400, "the largest subnormal and a half becomes normal");
    cr_assert_eq(gk_f32_to_bf16(0x1.fffffep127f), 0x7f80);
    cr_assert_eq(gk_f32_to_bf16(0x1p-149f), 0);
    cr_assert_eq(gk_f32_to_f16(float_of(0x7f800001)), 0x7e00, "a signalling NaN whose payload is cut off stays a NaN");
    cr_assert_eq(gk_f32_to_bf16(float_of(0xff800001)), 0xffc0);
}

static uint16_t half_result(enum gasket_dtype dtype, enum gasket_combine combine, int propagates, uint16_t current,
                            uint16_t update) {
    gk_number_combine(dtype, combine, propagates, &current, &update);
    return current;
}

static uint32_t f32_result(enum gasket_combine combine, int propagates, uint32_t current, uint32_t update) {
    gk_number_combine(GASKET_F32, combine, propagates, &current, &update);
    return current;
}

static uint64_t f64_result(enum gasket_combine combine, int propagates, uint64_t current, uint64_t update) {
    gk_number_combine(GASKET_F64, combine, propagates, &current, &update);
    return current;
}

Test(number, nan_results) {
    static const enum gasket_combine arithmetic[] = {GASKET_ADD, GASKET_SUB, GASKET_MUL};
    for (int i = 0; i < 3; i++) {
        enum gasket_combine c = arithmetic[i];
        cr_assert_eq(f32_result(c, 0, 0x7f800001, 0xffc00022), 0x7fc00001, "the current NaN, made quiet");
        cr_assert_eq(f32_result(c, 0, 0x3f800000, 0xff800022), 0xffc00022, "the NaN of the update, made quiet");
        cr_assert_eq(f64_result(c, 0, 0xfff0000000000001, 0x7ff8000000000002), 0xfff8000000000001);
        cr_assert_eq(f64_result(c, 0, 0x3ff0000000000000, 0x7ff0000000000002), 0x7ff8000000000002);
        cr_assert_eq(half_result(GASKET_F16, c, 0, 0xfc01, 0x7e02), 0xfe01);
        cr_assert_eq(half_result(GASKET_F16, c, 0, 0x3c00, 0x7c02), 0x7e02);
        cr_assert_eq(half_result(GASKET_BF16, c, 0, 0x7f81, 0xffc2), 0x7fc1);
        cr_assert_eq(half_result(GASKET_BF16, c, 0, 0x3f80, 0xff82), 0xffc2);
    }
    cr_assert_eq(f32_result(GASKET_SUB, 0, 0x7f800000, 0x7f800000), 0xffc00000, "inf - inf");
    cr_assert_eq(f32_result(GASKET_ADD, 0, 0x7f800000, 0xff800000), 0xffc00000, "inf + -inf");
    cr_assert_eq(f32_result(GASKET_MUL, 0, 0x7f800000, 0), 0xffc00000, "inf * 0");
    cr_assert_eq(f64_result(GASKET_MUL, 0, 0x7ff0000000000000, 0), 0xfff8000000000000);
    cr_assert_eq(half_result(GASKET_F16, GASKET_SUB, 0, 0x7c00, 0x7c00), 0xfe00);
    cr_assert_eq(half_result(GASKET_BF16, GASKET_SUB, 0, 0x7f80, 0x7f80), 0xffc0);
}

/* For each float type: 1, 2, a quiet and a signalling NaN, +0 and -0. */
struct samples {
    enum gasket_dtype dtype;
    uint64_t one, two, quiet, signalling, zero, minus_zero;
};
static const struct samples samples[] = {
    {GASKET_F16, 0x3c00, 0x4000, 0x7e05, 0x7c05, 0, 0x8000},
    {GASKET_BF16, 0x3f80, 0x4000, 0x7fc5, 0x7f85, 0, 0x8000},
    {GASKET_F32, 0x3f800000, 0x40000000, 0x7fc00005, 0x7f800005, 0, 0x80000000},
    {GASKET_F64, 0x3ff0000000000000, 0x4000000000000000, 0x7ff8000000000005, 0x7ff0000000000005, 0, 0x8000000000000000},
};

/* Little-endian: the element is in the low bytes. */
static uint64_t chosen(const struct samples *s, enum gasket_combine combine, int propagates, uint64_t current,
                       uint64_t update) {
    gk_number_combine(s->dtype, combine, propagates, &current, &update);
    return current;
}

Test(number, min_and_max) {
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const struct samples *s = &samples[i];
        cr_assert_eq(chosen(s, GASKET_MIN, 0, s->one, s->two), s->one);
        cr_assert_eq(chosen(s, GASKET_MIN, 0, s->two, s->one), s->one);
        cr_assert_eq(chosen(s, GASKET_MAX, 0, s->one, s->two), s->two);
        cr_assert_eq(chosen(s, GASKET_MAX, 0, s->two, s->one), s->two);
        for (enum gasket_combine c = GASKET_MIN; c <= GASKET_MAX; c++) {
            cr_assert_eq(chosen(s, c, 0, s->one, s->quiet), s->one, "a NaN update is ignored");
            cr_assert_eq(chosen(s, c, 0, s->signalling, s->one), s->signalling, "a NaN there stays as it is");
            cr_assert_eq(chosen(s, c, 1, s->one, s->signalling), s->signalling, "or a NaN update is stored as it is");
            cr_assert_eq(chosen(s, c, 1, s->quiet, s->signalling), s->quiet);
            cr_assert_eq(chosen(s, c, 1, s->quiet, s->one), s->quiet);
            cr_assert_eq(chosen(s, c, 0, s->zero, s->minus_zero), s->zero, "ties keep what is there");
            cr_assert_eq(chosen(s, c, 1, s->minus_zero, s->zero), s->minus_zero);
        }
    }
}

Test(number, integers_wrap) {
    int8_t i8 = 127, i8_one = 1;
    gk_number_combine(GASKET_I8, GASKET_ADD, 0, &i8, &i8_one);
    cr_assert_eq(i8, -128);
    gk_number_combine(GASKET_I8, GASKET_SUB, 0, &i8, &i8_one);
    cr_assert_eq(i8, 127);
    gk_number_combine(GASKET_I8, GASKET_MUL, 0, &i8, &i8);
    cr_assert_eq(i8, 1);
    uint16_t u16 = 65535, u16_max = 65535;
    gk_number_combine(GASKET_U16, GASKET_MUL, 0, &u16, &u16_max);
    cr_assert_eq(u16, 1);
    int64_t i64 = INT64_MAX, two = 2;
    gk_number_combine(GASKET_I64, GASKET_MUL, 0, &i64, &two);
    cr_assert_eq(i64, -2);
    uint64_t u64 = 0, one = 1;
    gk_number_combine(GASKET_U64, GASKET_SUB, 0, &u64, &one);
    cr_assert_eq(u64, UINT64_MAX);
}

Test(number, integers_compare_by_sign) {
    int32_t i32 = -1, i32_one = 1;
    gk_number_combine(GASKET_I32, GASKET_MAX, 0, &i32, &i32_one);
    cr_assert_eq(i32, 1);
    uint32_t u32 = UINT32_MAX, u32_one = 1;
    gk_number_combine(GASKET_U32, GASKET_MAX, 0, &u32, &u32_one);
    cr_assert_eq(u32, UINT32_MAX);
    uint64_t u64 = UINT64_MAX, u64_one = 1;
    gk_number_combine(GASKET_U64, GASKET_MIN, 0, &u64, &u64_one);
    cr_assert_eq(u64, 1);
    int64_t i64 = INT64_MIN, i64_one = 1;
    gk_number_combine(GASKET_I64, GASKET_MIN, 0, &i64, &i64_one);
    cr_assert_eq(i64, INT64_MIN);
    int16_t i16 = 5, i16_low = -300;
    gk_number_combine(GASKET_I16, GASKET_MIN, 0, &i16, &i16_low);
    cr_assert_eq(i16, -300);
    uint8_t u8 = 5, u8_high = 200;
    gk_number_combine(GASKET_U8, GASKET_MAX, 0, &u8, &u8_high);
    cr_assert_eq(u8, 200);
}

Test(number, logical) {
    static const uint8_t values[] = {0, 1, 2, 0x80};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            uint8_t either = values[i], both = values[i], moved = values[i];
            gk_number_combine(GASKET_BOOL, GASKET_ADD, 0, &either, &values[j]);
            gk_number_combine(GASKET_BOOL, GASKET_MUL, 0, &both, &values[j]);
            gk_number_combine(GASKET_BOOL, GASKET_STORE, 0, &moved, &values[j]);
            cr_assert_eq(either, i > 0 || j > 0);
            cr_assert_eq(both, i > 0 && j > 0);
            cr_assert_eq(moved, values[j]);
        }
    }
}

Test(number, complex) {
    float a[2] = {1, 2}, b[2] = {3, -4};
    gk_number_combine(GASKET_C64, GASKET_MUL, 0, a, b);
    cr_assert(a[0] == 11 && a[1] == 2);
    gk_number_combine(GASKET_C64, GASKET_SUB, 0, a, b);
    cr_assert(a[0] == 8 && a[1] == 6);
    double x[2] = {0.5, -1}, y[2] = {2, 4};
    gk_number_combine(GASKET_C128, GASKET_MUL, 0, x, y);
    cr_assert(x[0] == 5 && x[1] == 0);
    gk_number_combine(GASKET_C128, GASKET_ADD, 0, x, y);
    cr_assert(x[0] == 7 && x[1] == 4);
    /* (inf + 0i)(0 + 1i): inf * 0 is the NaN without payload in the real part, and the imaginary one is inf + 0. */
    float infinite[2] = {INFINITY, 0}, i[2] = {0, 1};
    gk_number_combine(GASKET_C64, GASKET_MUL, 0, infinite, i);
    cr_assert_eq(bits_of(infinite[0]), 0xffc00000);
    cr_assert_eq(infinite[1], INFINITY);
}

/* ac - bd in two roundings: a fused product would leave the part that the first rounding drops. */
Test(number, products_are_not_fused) {
    float a[2] = {0x1.000002p0f, 0x1.000002p0f};
    gk_number_combine(GASKET_C64, GASKET_MUL, 0, a, a);
    cr_assert_eq(bits_of(a[0]), 0);
}

/* A tie that a single rounding from the exact sum would break the same way: f32 holds the sum of any two halves well
 * enough. */
Test(number, halves_round_at_each_step) {
    uint16_t f16_sum = 0, bf16_sum = 0, tenths = 0, f16_one = 0x3c00, bf16_one = 0x3f80, tenth = 0x2e66;
    for (int i = 0; i < 4000; i++) {
        gk_number_combine(GASKET_F16, GASKET_ADD, 0, &f16_sum, &f16_one);
        gk_number_combine(GASKET_BF16, GASKET_ADD, 0, &bf16_sum, &bf16_one);
    }
    for (int i = 0; i < 1000; i++) {
        gk_number_combine(GASKET_F16, GASKET_ADD, 0, &tenths, &tenth);
    }
    cr_assert_eq(gk_f16_to_f32(f16_sum), 2048);
    cr_assert_eq(gk_bf16_to_f32(bf16_sum), 256);
    cr_assert_eq(gk_f16_to_f32(tenths), 105.1875f);
}

Test(number, stores_whole_elements_of_moved_types) {
    uint8_t fp8 = 1, fp8_update = 0xff;
    gk_number_combine(GASKET_F8_E4M3FN, GASKET_STORE, 0, &fp8, &fp8_update);
    cr_assert_eq(fp8, 0xff);
    struct gasket_string_view view = {NULL, 0}, update = {"ab", 2};
    gk_number_combine(GASKET_STRING, GASKET_STORE, 0, &view, &update);
    cr_assert(view.data == update.data && view.length == 2);
}
