/* bind_fill: a fill value as an element of the values' type. A value that the type can not hold is refused; reals are
 * rounded to the nearest, ties to even. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bind.h"

/* The fill as a number; text and tensors are not. */
struct number {
    int is_integer;
    int64_t integer;
    double real;
};

static enum gasket_status fail_value(const struct gk_binding *binding, const struct number *number) {
    char text[40];
    const char *type = gk_dtype(binding->problem->value_dtype)->name;
    if (number->is_integer) {
        snprintf(text, sizeof text, "%" PRId64, number->integer);
    } else {
        snprintf(text, sizeof text, "%.17g", number->real);
    }
    return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "fill = %s can not be held by %s, the type of the values",
                   text, type);
}

/* ---- Whole numbers ---- */

/* The bits of a whole number and its sign; nonzero when it is not whole or beyond 64 bits. */
static int whole(const struct number *number, int *is_negative, uint64_t *bits) {
    double real = number->real;
    *is_negative = number->is_integer ? number->integer < 0 : real < 0;
    *bits = (uint64_t)number->integer;
    if (number->is_integer) return 0;
    if (!(real >= -0x1p63 && real < 0x1p64)) return 1;
    *bits = real < 0 ? (uint64_t)(int64_t)real : (uint64_t)real;
    return real != (real < 0 ? (double)(int64_t)*bits : (double)*bits);
}

static int put_integer(uint8_t *element, enum gasket_dtype dtype, const struct number *number) {
    const struct gk_dtype_info *info = gk_dtype(dtype);
    int is_signed = info->code == kDLInt, is_negative;
    unsigned value_bits = dtype == GASKET_BOOL ? 1 : info->bits - (unsigned)is_signed;
    uint64_t bits;
    if (whole(number, &is_negative, &bits) || (is_negative && !is_signed)) return 1;
    uint64_t beyond = is_negative ? ~bits : bits;
    if (value_bits < 64 && beyond >> value_bits != 0) return 1;
    for (int i = 0; i < info->bits / 8; i++)
        element[i] = (uint8_t)(bits >> (8 * i));
    return 0;
}

/* ---- Floats ---- */

struct half_format {
    int fraction_bits, least; /* the smallest number is 2^least */
    uint16_t infinity;
};
static const struct half_format f16_format = {10, -24, 0x7c00};
static const struct half_format bf16_format = {7, -133, 0x7f80};

/* significand * 2^exponent rounded to the format's bits; the infinity, or more, when it is too great. */
static uint64_t rounded_bits(uint64_t significand, int exponent, const struct half_format *format) {
    int unit = exponent + 52 - format->fraction_bits;
    if (unit < format->least) unit = format->least;
    int shift = unit - exponent;
    if (shift > 63) return 0;
    uint64_t kept = significand >> shift, rest = significand - (kept << shift), half = UINT64_C(1) << (shift - 1);
    if (rest > half || (rest == half && kept % 2 == 1)) kept++;
    /* The leading bit of a normal number adds 1 to the exponent field, and so does a carry. */
    return ((uint64_t)(unit - format->least) << format->fraction_bits) + kept;
}

static int put_half(uint8_t *element, double value, const struct half_format *format) {
    uint64_t bits, half;
    memcpy(&bits, &value, sizeof bits);
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    int exponent = (int)(bits >> 52 & 0x7ff);
    if (exponent == 0x7ff) {
        half = format->infinity | (fraction != 0 ? UINT64_C(1) << (format->fraction_bits - 1) : 0);
    } else {
        half = rounded_bits(fraction | (uint64_t)(exponent != 0) << 52, exponent - 1075, format);
        if (half >= format->infinity) return 1;
    }
    uint16_t storage = (uint16_t)(half | (bits >> 63) << 15);
    memcpy(element, &storage, sizeof storage);
    return 0;
}

static double as_double(const struct number *number) {
    return number->is_integer ? (double)number->integer : number->real;
}

/* For a second rounding to fewer bits: bits that a double can not hold leave a trace in its last one. */
static double as_sticky_double(const struct number *number) {
    int64_t lost = number->integer & 0x7ff;
    if (!number->is_integer || number->integer / (INT64_C(1) << 53) == 0 || lost == 0) return as_double(number);
    return (double)((number->integer - lost) | 0x800);
}

static int put_f32(uint8_t *element, const struct number *number) {
    float value = number->is_integer ? (float)number->integer : (float)number->real;
    if (isinf(value) && !isinf(as_double(number))) return 1;
    memcpy(element, &value, sizeof value);
    return 0;
}

static int put_f64(uint8_t *element, const struct number *number) {
    double value = as_double(number);
    memcpy(element, &value, sizeof value);
    return 0;
}

static int put_float(uint8_t *element, enum gasket_dtype dtype, const struct number *number) {
    if (dtype == GASKET_F16) return put_half(element, as_sticky_double(number), &f16_format);
    if (dtype == GASKET_BF16) return put_half(element, as_sticky_double(number), &bf16_format);
    return dtype == GASKET_F32 ? put_f32(element, number) : put_f64(element, number);
}

/* The imaginary part is 0. */
static int put_complex(uint8_t *element, enum gasket_dtype dtype, const struct number *number) {
    return dtype == GASKET_C64 ? put_f32(element, number) : put_f64(element, number);
}

/* Only zero, which is all bits zero, is known of these types. */
static int put_moved(uint8_t *element, enum gasket_dtype dtype, const struct number *number) {
    (void)element;
    (void)dtype;
    return as_double(number) != 0;
}

static int put_string(uint8_t *element, enum gasket_dtype dtype, const struct number *number) {
    (void)element;
    (void)dtype;
    (void)number;
    return 1;
}

static enum gasket_status fill_number(struct gk_binding *binding, const struct gasket_argument *given) {
    static int (*const puts[GASKET_CLASSES])(uint8_t *, enum gasket_dtype, const struct number *) = {
        [GASKET_LOGICAL] = put_integer, [GASKET_INTEGER] = put_integer, [GASKET_FLOAT] = put_float,
        [GASKET_COMPLEX] = put_complex, [GASKET_MOVED] = put_moved,     [GASKET_TEXT] = put_string,
    };
    enum gasket_dtype dtype = binding->problem->value_dtype;
    const struct number number = {given->kind == GASKET_ARGUMENT_INTEGER, given->integer, given->real};
    if (puts[gk_dtype(dtype)->class](binding->problem->fill, dtype, &number) == 0) return GASKET_OK;
    return fail_value(binding, &number);
}

/* ---- Texts and tensors ---- */

static enum gasket_status fill_text(struct gk_binding *binding, const struct gasket_argument *given) {
    enum gasket_dtype dtype = binding->problem->value_dtype;
    if (dtype != GASKET_STRING) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT,
                       "fill = \"%.40s\" is a text and can not be held by %s, the type of the values", given->text,
                       gk_dtype(dtype)->name);
    }
    struct gasket_string_view view = {given->text, strlen(given->text)};
    memcpy(binding->problem->fill, &view, sizeof view);
    return GASKET_OK;
}

static enum gasket_status fill_tensor(struct gk_binding *binding, const struct gasket_argument *given) {
    struct gk_tensor tensor;
    enum gasket_dtype dtype = binding->problem->value_dtype;
    enum gasket_status status = gk_tensor_view(&tensor, "fill", given->tensor, !binding->infers, binding->error);
    if (status != GASKET_OK) return status;
    if (tensor.ndim != 0) {
        char shape[GK_SHAPE_TEXT];
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "fill has shape %s but needs rank 0",
                       gk_shape_text(shape, tensor.shape, tensor.ndim));
    }
    if (tensor.dtype != dtype) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "fill is %s but the values are %s",
                       gk_dtype(tensor.dtype)->name, gk_dtype(dtype)->name);
    }
    if (binding->infers) return GASKET_OK;
    int64_t bytes = gk_dtype_bytes(dtype);
    memcpy(binding->problem->fill, tensor.data, bytes > 0 ? (size_t)bytes : 1);
    if (bytes == 0) binding->problem->fill[0] &= 0x0f;
    return GASKET_OK;
}

enum gasket_status gk_bind_fill(struct gk_binding *binding) {
    const struct gasket_argument *given = binding->commons[GK_FILL];
    binding->problem->has_fill = given != NULL || binding->problem->bounds == GASKET_BOUNDS_FILL;
    if (given == NULL) return GASKET_OK;
    if (given->kind == GASKET_ARGUMENT_TENSOR) return fill_tensor(binding, given);
    return given->kind == GASKET_ARGUMENT_TEXT ? fill_text(binding, given) : fill_number(binding, given);
}
