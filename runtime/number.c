/* number: see number.h. Floats are handled as bits wherever a NaN may be among them. Must be compiled without
 * contraction of products and sums. */
#include "number.h"

#include <string.h>

#include "tensor.h"

enum { F32_SIGN = 31, F32_MANTISSA = 23, F32_BIAS = 127, F16_MANTISSA = 10, F16_BIAS = 15 };
static const uint32_t f32_infinity = 0x7f800000, f32_quiet = 0x00400000, f32_no_result = 0xffc00000;
static const uint64_t f64_infinity = 0x7ff0000000000000, f64_quiet = 0x0008000000000000,
                      f64_no_result = 0xfff8000000000000;

static uint32_t f32_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float f32_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* value / 2^shift, to nearest, ties to even. */
static uint32_t shift_rounded(uint32_t value, int shift) {
    if (shift > F32_SIGN) {
        return 0;
    }
    uint32_t quotient = value >> shift, rest = value - (quotient << shift), half = UINT32_C(1) << (shift - 1);
    int up = rest > half || (rest == half && (quotient & 1));
    return quotient + (uint32_t)up;
}

float gk_f16_to_f32(uint16_t bits) {
    uint32_t sign = (uint32_t)(bits >> 15) << F32_SIGN;
    int exponent = bits >> F16_MANTISSA & 0x1f;
    uint32_t mantissa = bits & 0x3ff;
    if (exponent == 0x1f) {
        uint32_t payload = mantissa ? mantissa << (F32_MANTISSA - F16_MANTISSA) | f32_quiet : 0;
        return f32_of(sign | f32_infinity | payload);
    }
    if (exponent == 0) { /* a whole number of 2^-24 */
        float value = (float)mantissa * 0x1p-24f;
        return sign ? -value : value;
    }
    uint32_t wide_exponent = (uint32_t)(exponent - F16_BIAS + F32_BIAS) << F32_MANTISSA;
    return f32_of(sign | wide_exponent | mantissa << (F32_MANTISSA - F16_MANTISSA));
}

uint16_t gk_f32_to_f16(float value) {
    uint32_t bits = f32_bits(value), size = bits & ~(UINT32_C(1) << F32_SIGN), sign = bits >> F32_SIGN << 15;
    int dropped = F32_MANTISSA - F16_MANTISSA;
    if (size > f32_infinity) {
        return (uint16_t)(sign | 0x7e00 | (size >> dropped & 0x1ff));
    }
    if (size >= f32_bits(65536.0f)) {
        return (uint16_t)(sign | 0x7c00);
    }
    int exponent = (int)(size >> F32_MANTISSA) - F32_BIAS, smallest = 1 - F16_BIAS;
    uint32_t significand = (size & 0x7fffff) | 0x800000; /* a subnormal f32 has none, but is far below half a step */
    if (exponent < smallest) {
        return (uint16_t)(sign | shift_rounded(significand, dropped + smallest - exponent));
    }
    /* The significand's leading one, and a carry out of it, add to the exponent. */
    uint32_t below = (uint32_t)(exponent - smallest) << F16_MANTISSA;
    return (uint16_t)(sign | (below + shift_rounded(significand, dropped)));
}

float gk_bf16_to_f32(uint16_t bits) {
    uint32_t wide = (uint32_t)bits << 16;
    int is_nan = (bits & 0x7fff) > 0x7f80;
    return f32_of(is_nan ? wide | f32_quiet : wide);
}

uint16_t gk_f32_to_bf16(float value) {
    uint32_t bits = f32_bits(value);
    int is_nan = (bits & 0x7fffffff) > f32_infinity;
    return (uint16_t)(is_nan ? (bits | f32_quiet) >> 16 : shift_rounded(bits, 16));
}

float gk_number_widen(enum gasket_dtype dtype, const void *element) {
    uint16_t bits;
    memcpy(&bits, element, sizeof bits);
    return dtype == GASKET_F16 ? gk_f16_to_f32(bits) : gk_bf16_to_f32(bits);
}

void gk_number_narrow(enum gasket_dtype dtype, float value, void *element) {
    uint16_t bits = dtype == GASKET_F16 ? gk_f32_to_f16(value) : gk_f32_to_bf16(value);
    memcpy(element, &bits, sizeof bits);
}

/* The reals: one operation on bits, with the rule for NaN results. */
#define REAL_ARITHMETIC(name, type, bits_type, infinity, quiet, no_result)                                 \
    static int name##_is_nan(bits_type bits) {                                                             \
        return (bits & ((bits_type)-1 >> 1)) > infinity;                                                   \
    }                                                                                                      \
    static bits_type name##_arithmetic(enum gasket_combine combine, bits_type current, bits_type update) { \
        type a, b, result;                                                                                 \
        bits_type bits;                                                                                    \
        memcpy(&a, &current, sizeof a);                                                                    \
        memcpy(&b, &update, sizeof b);                                                                     \
        result = combine == GASKET_ADD ? a + b : combine == GASKET_SUB ? a - b : a * b;                    \
        memcpy(&bits, &result, sizeof bits);                                                               \
        if (!name##_is_nan(bits)) {                                                                        \
            return bits;                                                                                   \
        }                                                                                                  \
        if (name##_is_nan(current)) {                                                                      \
            return current | quiet;                                                                        \
        }                                                                                                  \
        return name##_is_nan(update) ? update | quiet : no_result;                                         \
    }
REAL_ARITHMETIC(f32, float, uint32_t, f32_infinity, f32_quiet, f32_no_result)
REAL_ARITHMETIC(f64, double, uint64_t, f64_infinity, f64_quiet, f64_no_result)

struct rule {
    enum gasket_dtype dtype;
    enum gasket_combine combine;
    int nan_propagates;
};

static void combine_logical(const struct rule *rule, void *current, const void *update) {
    uint8_t a, b;
    memcpy(&a, current, 1);
    memcpy(&b, update, 1);
    a = rule->combine == GASKET_ADD ? (a || b) : (a && b);
    memcpy(current, &a, 1);
}

/* Wraps modulo 2^n: 64-bit unsigned arithmetic, cut down to the type. */
#define INTEGER_COMBINE(name, type)                                                              \
    static void combine_##name(enum gasket_combine combine, void *current, const void *update) { \
        type a, b;                                                                               \
        memcpy(&a, current, sizeof a);                                                           \
        memcpy(&b, update, sizeof b);                                                            \
        type results[GASKET_COMBINES] = {[GASKET_ADD] = (type)((uint64_t)a + (uint64_t)b),       \
                                         [GASKET_SUB] = (type)((uint64_t)a - (uint64_t)b),       \
                                         [GASKET_MUL] = (type)((uint64_t)a * (uint64_t)b),       \
                                         [GASKET_MIN] = b < a ? b : a,                           \
                                         [GASKET_MAX] = b > a ? b : a};                          \
        memcpy(current, &results[combine], sizeof a);                                            \
    }
INTEGER_COMBINE(i8, int8_t)
INTEGER_COMBINE(i16, int16_t)
INTEGER_COMBINE(i32, int32_t)
INTEGER_COMBINE(i64, int64_t)
INTEGER_COMBINE(u8, uint8_t)
INTEGER_COMBINE(u16, uint16_t)
INTEGER_COMBINE(u32, uint32_t)
INTEGER_COMBINE(u64, uint64_t)

static void combine_integer(const struct rule *rule, void *current, const void *update) {
    static void (*const of[GASKET_DTYPES])(enum gasket_combine, void *, const void *) = {
        [GASKET_I8] = combine_i8, [GASKET_I16] = combine_i16, [GASKET_I32] = combine_i32, [GASKET_I64] = combine_i64,
        [GASKET_U8] = combine_u8, [GASKET_U16] = combine_u16, [GASKET_U32] = combine_u32, [GASKET_U64] = combine_u64};
    of[rule->dtype](rule->combine, current, update);
}

/* Any real element as an f64, to compare: exact. */
static double real_value(enum gasket_dtype dtype, const void *element) {
    double value;
    float narrow;
    if (dtype == GASKET_F64) {
        memcpy(&value, element, sizeof value);
        return value;
    }
    if (dtype == GASKET_F32) {
        memcpy(&narrow, element, sizeof narrow);
        return narrow;
    }
    return gk_number_widen(dtype, element);
}

static void choose_real(const struct rule *rule, void *current, const void *update) {
    double a = real_value(rule->dtype, current), b = real_value(rule->dtype, update);
    int takes = rule->combine == GASKET_MIN ? b < a : b > a;
    if (rule->nan_propagates && a == a && b != b) {
        takes = 1;
    }
    if (takes) {
        memcpy(current, update, (size_t)gk_dtype_bytes(rule->dtype));
    }
}

static void compute_f32(enum gasket_combine combine, void *current, const void *update) {
    uint32_t a, b;
    memcpy(&a, current, sizeof a);
    memcpy(&b, update, sizeof b);
    a = f32_arithmetic(combine, a, b);
    memcpy(current, &a, sizeof a);
}

static void compute_f64(enum gasket_combine combine, void *current, const void *update) {
    uint64_t a, b;
    memcpy(&a, current, sizeof a);
    memcpy(&b, update, sizeof b);
    a = f64_arithmetic(combine, a, b);
    memcpy(current, &a, sizeof a);
}

/* f32 has more than twice the digits of f16 and bf16, so its rounding before theirs changes nothing. */
static void compute_half(const struct rule *rule, void *current, const void *update) {
    float a = gk_number_widen(rule->dtype, current), b = gk_number_widen(rule->dtype, update);
    compute_f32(rule->combine, &a, &b);
    gk_number_narrow(rule->dtype, a, current);
}

static void combine_real(const struct rule *rule, void *current, const void *update) {
    if (rule->combine == GASKET_MIN || rule->combine == GASKET_MAX) {
        choose_real(rule, current, update);
    } else if (rule->dtype == GASKET_F64) {
        compute_f64(rule->combine, current, update);
    } else if (rule->dtype == GASKET_F32) {
        compute_f32(rule->combine, current, update);
    } else {
        compute_half(rule, current, update);
    }
}

/* (a + bi) combine (c + di); a product is (ac - bd) + (ad + bc)i. */
#define COMPLEX_COMBINE(name, bits_type, arithmetic)                                                            \
    static void combine_##name(enum gasket_combine combine, void *current, const void *update) {                \
        bits_type x[2], y[2], result[2];                                                                        \
        memcpy(x, current, sizeof x);                                                                           \
        memcpy(y, update, sizeof y);                                                                            \
        if (combine == GASKET_MUL) {                                                                            \
            result[0] =                                                                                         \
                arithmetic(GASKET_SUB, arithmetic(GASKET_MUL, x[0], y[0]), arithmetic(GASKET_MUL, x[1], y[1])); \
            result[1] =                                                                                         \
                arithmetic(GASKET_ADD, arithmetic(GASKET_MUL, x[0], y[1]), arithmetic(GASKET_MUL, x[1], y[0])); \
        } else {                                                                                                \
            result[0] = arithmetic(combine, x[0], y[0]);                                                        \
            result[1] = arithmetic(combine, x[1], y[1]);                                                        \
        }                                                                                                       \
        memcpy(current, result, sizeof result);                                                                 \
    }
COMPLEX_COMBINE(c64, uint32_t, f32_arithmetic)
COMPLEX_COMBINE(c128, uint64_t, f64_arithmetic)

static void combine_complex(const struct rule *rule, void *current, const void *update) {
    if (rule->dtype == GASKET_C64) {
        combine_c64(rule->combine, current, update);
    } else {
        combine_c128(rule->combine, current, update);
    }
}

void gk_number_combine(enum gasket_dtype dtype, enum gasket_combine combine, int nan_propagates, void *current,
                       const void *update) {
    static void (*const of[GASKET_CLASSES])(const struct rule *, void *, const void *) = {
        [GASKET_LOGICAL] = combine_logical,
        [GASKET_INTEGER] = combine_integer,
        [GASKET_FLOAT] = combine_real,
        [GASKET_COMPLEX] = combine_complex};
    struct rule rule = {dtype, combine, nan_propagates};
    if (combine == GASKET_STORE) {
        int64_t bytes = gk_dtype_bytes(dtype);
        memcpy(current, update, bytes > 0 ? (size_t)bytes : 1);
    } else {
        of[gk_dtype(dtype)->class](&rule, current, update);
    }
}
