/* values: elements of every type, with those that rounding, ordering and copying get wrong. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "draw.h"
#include "formula/formula.h"

/* ---- Floats, as bits ---- */

struct format {
    int bits, mantissa; /* of the fraction */
};

static uint64_t special_float(struct format f, struct fuzz_random *random) {
    uint64_t one = 1, sign = one << (f.bits - 1), quiet = one << (f.mantissa - 1);
    uint64_t infinity = (sign - 1) >> f.mantissa << f.mantissa, fraction = (one << f.mantissa) - 1;
    const uint64_t specials[] = {
        infinity | quiet,                                  /* NaN */
        infinity | quiet | (fuzz_bits(random) & fraction), /* NaN with a payload */
        infinity | 1,                                      /* signalling */
        infinity | (fuzz_bits(random) & (quiet - 1)) | 1,
        infinity,
        infinity - 1, /* the greatest */
        0,
        1, /* the least subnormal */
        fuzz_bits(random) & fraction,
        one << f.mantissa, /* the least normal */
        fraction,
    };
    uint64_t bits = specials[fuzz_below(random, sizeof specials / sizeof *specials)];
    return fuzz_chance(random, 500) ? bits | sign : bits;
}

/* Whole numbers and halves, where sums are exact and meet often. */
static uint64_t small_float(struct format f, struct fuzz_random *random) {
    int64_t value = fuzz_between(random, -16, 16), magnitude = value < 0 ? -value : value;
    if (magnitude == 0) return value < 0 ? UINT64_C(1) << (f.bits - 1) : 0;
    int exponent = 63 - __builtin_clzll((unsigned long long)magnitude);
    int bias = (1 << (f.bits - 2 - f.mantissa)) - 1;
    uint64_t fraction = ((uint64_t)magnitude << f.mantissa >> exponent) & ((UINT64_C(1) << f.mantissa) - 1);
    uint64_t halves = (uint64_t)fuzz_below(random, 2);
    return (value < 0 ? UINT64_C(1) << (f.bits - 1) : 0) | (uint64_t)(bias + exponent - (int)halves) << f.mantissa |
           fraction;
}

/* Near 1, with all bits of the fraction: sums of two have to be rounded. */
static uint64_t rounded_float(struct format f, struct fuzz_random *random) {
    int bias = (1 << (f.bits - 2 - f.mantissa)) - 1;
    uint64_t exponent = (uint64_t)(bias + (int)fuzz_between(random, -4, 4));
    uint64_t fraction = fuzz_bits(random) & ((UINT64_C(1) << f.mantissa) - 1);
    return (uint64_t)fuzz_below(random, 2) << (f.bits - 1) | exponent << f.mantissa | fraction;
}

static uint64_t float_bits(struct format f, struct fuzz_random *random) {
    static const uint8_t weights[] = {14, 36, 34, 10, 6};
    switch (fuzz_weighted(random, weights, 5)) {
        case 0:
            return special_float(f, random);
        case 1:
            return small_float(f, random);
        case 2:
            return rounded_float(f, random);
        case 4:
            return (uint64_t)fuzz_below(random, 2) << (f.bits - 1); /* zeros of both signs are a tie */
        default:
            return fuzz_bits(random);
    }
}

/* ---- Integers ---- */

static uint64_t integer_bits(int bits, struct fuzz_random *random) {
    static const uint8_t weights[] = {50, 15, 35};
    uint64_t one = 1;
    const uint64_t extremes[] = {0, ~UINT64_C(0), one << (bits - 1), (one << (bits - 1)) - 1, one << (bits / 2)};
    switch (fuzz_weighted(random, weights, 3)) {
        case 0:
            return (uint64_t)fuzz_between(random, -9, 9);
        case 1:
            return extremes[fuzz_below(random, 5)];
        default:
            return fuzz_bits(random);
    }
}

/* ---- Strings ---- */

enum { TEXTS = 1024 };

/* Bytes that nobody may write to, the same in all processes. */
static const char *texts_of_strings(void) {
    static char *texts;
    if (texts) return texts;
    texts = mmap(NULL, TEXTS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (texts == MAP_FAILED) exit(2);
    for (size_t i = 0; i < TEXTS; i++)
        texts[i] = (char)(i * 37 + i / 256);
    mprotect(texts, TEXTS, PROT_READ);
    return texts;
}

static struct gasket_string_view string_value(struct fuzz_random *random) {
    const char *texts = texts_of_strings();
    int64_t length = fuzz_chance(random, 200)  ? 0
                     : fuzz_chance(random, 50) ? fuzz_between(random, 100, 600)
                                               : fuzz_between(random, 1, 12);
    struct gasket_string_view view = {length ? texts + fuzz_below(random, 256) : NULL, (size_t)length};
    return view;
}

/* ---- Elements ---- */

static const struct format *format_of(enum gasket_dtype dtype) {
    static const struct format f16 = {16, 10}, bf16 = {16, 7}, f32 = {32, 23}, f64 = {64, 52};
    static const struct format *const formats[GASKET_DTYPES] = {
        [GASKET_F16] = &f16, [GASKET_BF16] = &bf16, [GASKET_F32] = &f32,
        [GASKET_F64] = &f64, [GASKET_C64] = &f32,   [GASKET_C128] = &f64};
    return formats[dtype];
}

void fuzz_draw_element(enum gasket_dtype dtype, struct fuzz_random *random, char element[16]) {
    const struct format *format = format_of(dtype);
    int bits = gk_dtype(dtype)->bits;
    if (dtype == GASKET_STRING) {
        struct gasket_string_view view = string_value(random);
        memcpy(element, &view, sizeof view);
        return;
    }
    uint64_t parts[2] = {0, 0};
    for (int i = 0; i < (format && bits > format->bits ? 2 : 1); i++)
        parts[i] = format                 ? float_bits(*format, random)
                   : dtype == GASKET_BOOL ? (uint64_t)fuzz_below(random, 2)
                   : bits < 8             ? (uint64_t)fuzz_below(random, 16)
                                          : integer_bits(bits, random);
    size_t part_bytes = format ? (size_t)format->bits / 8 : 8; /* little endian */
    memcpy(element, &parts[0], part_bytes);
    memcpy(element + part_bytes, &parts[1], 16 - part_bytes < 8 ? 16 - part_bytes : 8);
}

/* Few different values now and then: equal ones show ties and duplicates. */
static void draw_tensor(struct fuzz_case *c, struct fuzz_tensor *tensor, struct fuzz_random *random) {
    size_t n = (size_t)fuzz_elements(tensor), bytes = fuzz_element_bytes(tensor->dtype);
    char few[8][16], element[16];
    int is_few = fuzz_chance(random, 150) || n > 4096;
    tensor->elements = fuzz_pool_room(&c->pool, n * bytes + 16);
    for (int i = 0; i < 8; i++)
        fuzz_draw_element(tensor->dtype, random, few[i]);
    for (size_t i = 0; i < n; i++) {
        if (!is_few) fuzz_draw_element(tensor->dtype, random, element);
        memcpy(tensor->elements + i * bytes, is_few ? few[fuzz_below(random, 8)] : element, bytes);
    }
}

void fuzz_draw_values(struct fuzz_case *c, struct fuzz_random *random) {
    const struct gasket_formula *formula = &c->operation->formula;
    for (uint8_t t = 0; t < formula->n_tensors; t++)
        if (t != gk_formula_output(formula) && !gk_formula_is_index(formula, t)) draw_tensor(c, &c->tensors[t], random);
    if (c->tensors[FUZZ_FILL].is_given) draw_tensor(c, &c->tensors[FUZZ_FILL], random);
}
