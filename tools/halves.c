/* halves: f16 and bf16 to and from double, rounded once, to nearest even. */
#include <math.h>
#include <string.h>

#include "element.h"

/* How a small float is laid out: 1 sign bit, then exponent, then fraction. */
struct layout {
    int exponent_bits, fraction_bits;
};
static const struct layout f16 = {5, 10}, bf16 = {8, 7};

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double power_of_two(int exponent) {
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double decode(uint16_t bits, struct layout l) {
    int bias = (1 << (l.exponent_bits - 1)) - 1;
    int exponent = bits >> l.fraction_bits & ((1 << l.exponent_bits) - 1);
    int fraction = bits & ((1 << l.fraction_bits) - 1);
    double sign = bits >> 15 ? -1.0 : 1.0;
    if (exponent == (1 << l.exponent_bits) - 1) {
        return fraction ? (double)NAN : sign * (double)INFINITY;
    }
    double significand = exponent ? fraction + power_of_two(l.fraction_bits) : fraction;
    return sign * significand * power_of_two((exponent ? exponent : 1) - bias - l.fraction_bits);
}

/* `value` shifted right by `n` (1 to 63), rounded to nearest even. */
static uint64_t shift_rounded(uint64_t value, int n) {
    uint64_t half = (uint64_t)1 << (n - 1), rest = value & (2 * half - 1), result = value >> n;
    return result + (rest > half || (rest == half && (result & 1)));
}

static uint16_t encode(double value, struct layout l) {
    int bias = (1 << (l.exponent_bits - 1)) - 1, most = (1 << l.exponent_bits) - 1;
    uint64_t bits = bits_of(value), fraction = bits & (((uint64_t)1 << 52) - 1);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023 + bias;
    uint16_t sign = (uint16_t)(bits >> 63 << 15), infinity = (uint16_t)(most << l.fraction_bits);
    if (isnan(value)) {
        return (uint16_t)(sign | infinity | 1 << (l.fraction_bits - 1));
    }
    if (exponent >= most) {
        return (uint16_t)(sign | infinity);
    }
    if (exponent > 0) { /* a carry out of the fraction ends up in the exponent, as it should */
        uint64_t whole = (uint64_t)exponent << 52 | fraction;
        return (uint16_t)(sign | shift_rounded(whole, 52 - l.fraction_bits));
    }
    int shift = 52 - l.fraction_bits + 1 - exponent;
    return (uint16_t)(shift > 60 ? sign : sign | shift_rounded(fraction | (uint64_t)1 << 52, shift));
}

double tool_double_of_f16(uint16_t bits) {
    return decode(bits, f16);
}
double tool_double_of_bf16(uint16_t bits) {
    return decode(bits, bf16);
}
uint16_t tool_f16_of_double(double value) {
    return encode(value, f16);
}
uint16_t tool_bf16_of_double(double value) {
    return encode(value, bf16);
}
