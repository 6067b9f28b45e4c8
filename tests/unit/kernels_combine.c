/* Every combiner of the generated table against one element at a time, computed apart from abi/number.h: whole numbers
 * in 128 bits, floats in double with one rounding to the storage (bf16: to float, then to bf16). */
#include <criterion/criterion.h>
#include <math.h>

#include "kernels.h"

enum { TABLE = 12000, MAX_OFFSETS = 130, MAX_BOX = 3 };
static uint64_t state = 3;

/* ---- What one element becomes ---- */

/* Places of a float format: bits of the fraction and of the exponent. */
struct format {
    int fraction, exponent;
};
static const struct format formats[GASKET_DTYPES] = {
    [GASKET_F16] = {10, 5},  [GASKET_BF16] = {7, 8}, [GASKET_F32] = {23, 8},
    [GASKET_F64] = {52, 11}, [GASKET_C64] = {23, 8}, [GASKET_C128] = {52, 11},
};

static uint64_t all_ones(int bits) {
    return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}
static int width(struct format format) {
    return 1 + format.exponent + format.fraction;
}
static uint64_t infinity_of(struct format format) {
    return all_ones(format.exponent) << format.fraction;
}
static int is_nan(struct format format, uint64_t bits) {
    return (bits & all_ones(width(format) - 1)) > infinity_of(format);
}

static double value_of(struct format format, uint64_t bits) {
    int sign = (int)(bits >> (width(format) - 1)) & 1, bias = (1 << (format.exponent - 1)) - 1;
    uint64_t exponent = bits >> format.fraction & all_ones(format.exponent),
             fraction = bits & all_ones(format.fraction);
    double value;
    if (exponent == all_ones(format.exponent)) {
        value = fraction != 0 ? NAN : INFINITY;
    } else if (exponent == 0) {
        value = ldexp((double)fraction, 1 - bias - format.fraction);
    } else {
        value = ldexp((double)(fraction | (uint64_t)1 << format.fraction), (int)exponent - bias - format.fraction);
    }
    return sign ? -value : value;
}

/* To nearest, ties to even; NaN does not come here. */
static uint64_t bits_of(struct format format, double value) {
    uint64_t sign = (uint64_t)(signbit(value) != 0) << (width(format) - 1);
    int bias = (1 << (format.exponent - 1)) - 1, power;
    if (isinf(value) || value == 0) {
        return sign | (value == 0 ? 0 : infinity_of(format));
    }
    frexp(value, &power);
    int scale = power - 1 < 1 - bias ? 1 - bias : power - 1;
    double steps = nearbyint(ldexp(fabs(value), format.fraction - scale));
    uint64_t exponent = (uint64_t)(scale + bias), whole = (uint64_t)steps;
    uint64_t bits = whole + ((exponent - 1) << format.fraction);
    return sign | (bits > infinity_of(format) ? infinity_of(format) : bits);
}

static double compute(enum gasket_combine op, double there, double update) {
    volatile double a = there, b = update;
    return op == GASKET_ADD ? a + b : op == GASKET_SUB ? a - b : a * b;
}
static double compute_in_float(enum gasket_combine op, double there, double update) {
    volatile float a = (float)there, b = (float)update;
    volatile float result = op == GASKET_ADD ? a + b : op == GASKET_SUB ? a - b : a * b;
    return result;
}

static uint64_t arithmetic(struct format format, enum gasket_combine op, uint64_t there, uint64_t update) {
    uint64_t quiet = (uint64_t)1 << (format.fraction - 1);
    if (is_nan(format, there)) {
        return there | quiet;
    }
    if (is_nan(format, update)) {
        return update | quiet;
    }
    int wide = format.fraction > 10 && format.fraction < 52;
    double a = value_of(format, there), b = value_of(format, update);
    double result = wide || format.fraction == 7 ? compute_in_float(op, a, b) : compute(op, a, b);
    if (isnan(result)) {
        return (uint64_t)1 << (width(format) - 1) | infinity_of(format) | quiet;
    }
    return bits_of(format, result);
}

static uint64_t choose(struct format format, int greater, int propagates, uint64_t there, uint64_t update) {
    if (is_nan(format, there) || is_nan(format, update)) {
        return propagates && !is_nan(format, there) ? update : there;
    }
    double a = value_of(format, there), b = value_of(format, update);
    return (greater ? b > a : b < a) ? update : there;
}

static uint64_t whole_number(const struct gasket_kernel *kernel, int bytes, uint64_t there, uint64_t update) {
    int unused = 128 - 8 * bytes, is_signed = kernel->value_dtype >= GASKET_I8 && kernel->value_dtype <= GASKET_I64;
    __int128 a = (__int128)((unsigned __int128)there << unused), b = (__int128)((unsigned __int128)update << unused);
    a = is_signed ? a >> unused : (__int128)((unsigned __int128)a >> unused);
    b = is_signed ? b >> unused : (__int128)((unsigned __int128)b >> unused);
    switch ((enum gasket_combine)kernel->combine) {
        case GASKET_ADD:
            return (uint64_t)(a + b);
        case GASKET_SUB:
            return (uint64_t)(a - b);
        case GASKET_MUL:
            return (uint64_t)((unsigned __int128)a * (unsigned __int128)b);
        case GASKET_MIN:
            return b < a ? update : there;
        default:
            return b > a ? update : there;
    }
}

static uint64_t logical(enum gasket_combine op, uint64_t there, uint64_t update) {
    return op == GASKET_ADD ? there != 0 || update != 0 : there != 0 && update != 0;
}

static uint64_t load(const unsigned char *from, int bytes) {
    uint64_t bits = 0;
    memcpy(&bits, from, (size_t)bytes);
    return bits;
}
static void store(unsigned char *to, uint64_t bits, int bytes) {
    memcpy(to, &bits, (size_t)bytes);
}

static int value_bytes(uint8_t dtype) {
    static const uint8_t bits[GASKET_DTYPES] = {
#define GASKET_DTYPE(ID, name, code, bits, type, class) bits,
#include "abi/dtypes.def"
#undef GASKET_DTYPE
    };
    return bits[dtype] / 8;
}

static void complex_product(struct format format, int part, unsigned char *there, const unsigned char *update) {
    uint64_t a = load(there, part), b = load(there + part, part), c = load(update, part), d = load(update + part, part);
    uint64_t ac = arithmetic(format, GASKET_MUL, a, c), bd = arithmetic(format, GASKET_MUL, b, d);
    uint64_t ad = arithmetic(format, GASKET_MUL, a, d), bc = arithmetic(format, GASKET_MUL, b, c);
    store(there, arithmetic(format, GASKET_SUB, ac, bd), part);
    store(there + part, arithmetic(format, GASKET_ADD, ad, bc), part);
}

static void combine_element(const struct gasket_kernel *kernel, unsigned char *there, const unsigned char *update) {
    enum gasket_combine op = (enum gasket_combine)kernel->combine;
    struct format format = formats[kernel->value_dtype];
    int bytes = value_bytes(kernel->value_dtype);
    int is_complex = kernel->value_dtype == GASKET_C64 || kernel->value_dtype == GASKET_C128;
    int part = is_complex ? bytes / 2 : bytes;
    if (is_complex && op == GASKET_MUL) {
        complex_product(format, part, there, update);
        return;
    }
    for (int at = 0; at < bytes; at += part) {
        uint64_t a = load(there + at, part), b = load(update + at, part), result;
        if (kernel->value_dtype == GASKET_BOOL) {
            result = logical(op, a, b);
        } else if (format.fraction == 0) {
            result = whole_number(kernel, bytes, a, b);
        } else if (op == GASKET_MIN || op == GASKET_MAX) {
            result = choose(format, op == GASKET_MAX, kernel->nan_propagates == 1, a, b);
        } else {
            result = arithmetic(format, op, a, b);
        }
        store(there + at, result, part);
    }
}

/* ---- Values that find faults: near each other, special, or any bits ---- */

static uint64_t draw_float(struct format format) {
    uint64_t sign = draw(&state) % 2 << (width(format) - 1), infinity = infinity_of(format);
    uint64_t one = ((uint64_t)(1 << (format.exponent - 1)) - 1) << format.fraction;
    uint64_t odd[] = {0,
                      1,
                      infinity,
                      infinity | 1,
                      infinity | (uint64_t)3 << (format.fraction - 2),
                      infinity - 1,
                      one,
                      one + 1,
                      all_ones(format.fraction),
                      (uint64_t)1 << format.fraction};
    int64_t kind = draw_below(&state, 30);
    if (kind < 10) {
        return sign | odd[kind];
    }
    if (kind < 20) {
        return sign | ((one + ((uint64_t)draw_below(&state, 6) << format.fraction)) |
                       (draw(&state) & all_ones(format.fraction)));
    }
    return draw(&state) & all_ones(width(format));
}

static void draw_values(const struct gasket_kernel *kernel, struct memory *memory) {
    struct format format = formats[kernel->value_dtype];
    size_t bytes = format.fraction == 0 ? 1 : (size_t)width(format) / 8;
    for (size_t at = 0; at + bytes <= memory->bytes; at += bytes) {
        uint64_t bits = format.fraction != 0                 ? draw_float(format)
                        : kernel->value_dtype == GASKET_BOOL ? (uint64_t)draw_below(&state, 3)
                                                             : draw(&state);
        store(memory->data + at, bits, (int)bytes);
    }
}

/* ---- Calls ---- */

struct call {
    struct gasket_rows rows;
    int64_t offsets[MAX_OFFSETS], count;
    int32_t picked[MAX_OFFSETS];
    int64_t extents[MAX_BOX], indexed_strides[MAX_BOX], plain_strides[MAX_BOX];
    struct memory indexed, plain, wanted;
};

static void naive_box(const struct gasket_kernel *kernel, const struct call *call, int64_t there, int64_t update,
                      int64_t dimension) {
    if (dimension == call->rows.inner_rank || dimension == MAX_BOX) {
        combine_element(kernel, call->wanted.data + there, call->plain.data + update);
        return;
    }
    for (int64_t k = 0; k < call->extents[dimension]; k++) {
        naive_box(kernel, call, there + k * call->indexed_strides[dimension],
                  update + k * call->plain_strides[dimension], dimension + 1);
    }
}

static void naive(const struct gasket_kernel *kernel, const struct call *call) {
    const struct gasket_rows *rows = &call->rows;
    for (int64_t o = 0; o < rows->outer; o++) {
        for (int64_t i = 0; i < call->count; i++) {
            int64_t number = rows->picked ? rows->picked[i] : i;
            naive_box(kernel, call, o * rows->outer_indexed_stride + call->offsets[i],
                      o * rows->outer_plain_stride + number * rows->plain_stride, 0);
        }
    }
}

/* A row is a box of rank 1 for the naive loop. */
static void set_box(struct call *call, int64_t element, int64_t n, int strided) {
    int64_t rank = strided ? 1 + draw_below(&state, MAX_BOX) : 1, indexed = element, plain = element;
    for (int64_t k = rank - 1; k >= 0; k--) {
        call->extents[k] = !strided || k == 0 ? n : 1 + draw_below(&state, 3);
        call->indexed_strides[k] = indexed;
        call->plain_strides[k] = strided ? plain + element * draw_below(&state, 2) : plain;
        indexed = call->indexed_strides[k] * call->extents[k];
        plain = call->plain_strides[k] * call->extents[k];
    }
    call->rows.inner_rank = rank;
    call->rows.plain_stride = plain + draw_below(&state, 2) * element;
    call->rows.outer_indexed_stride = 8 * element;
}

static void run(const struct gasket_kernel *kernel, int64_t n, int64_t count, int64_t outer) {
    struct call call;
    memset(&call, 0, sizeof call);
    int64_t element = value_bytes(kernel->value_dtype);
    set_box(&call, element, n, kernel->rule.strided);
    call.count = count;
    for (int64_t i = 0; i < count; i++) {
        call.offsets[i] = draw_below(&state, 9) * element * (draw_below(&state, 8) == 0 ? 40 : 1);
    }
    for (int64_t i = 0; i < count; i++) {
        call.picked[i] = (int32_t)draw_below(&state, count);
    }
    call.rows.picked = !kernel->rule.strided && draw_below(&state, 2) == 0 ? call.picked : NULL;
    call.rows.outer_plain_stride = call.rows.plain_stride * count;
    call.indexed = memory_make(TABLE, (size_t)draw_below(&state, 20), &state);
    call.plain = memory_make((size_t)(call.rows.outer_plain_stride * outer), (size_t)draw_below(&state, 20), &state);
    draw_values(kernel, &call.indexed);
    draw_values(kernel, &call.plain);
    call.wanted = memory_copy(&call.indexed);
    call.rows.outer = outer;
    call.rows.indexed = (char *)call.indexed.data;
    call.rows.plain = (char *)call.plain.data;
    call.rows.element = element;
    call.rows.row = n;
    call.rows.prefetch = (int64_t[]){0, 1, 8}[draw_below(&state, 3)];
    naive(kernel, &call);
    struct gasket_rows rows = call.rows;
    rows.inner_rank = kernel->rule.strided ? rows.inner_rank : 0;
    rows.inner_extents = call.extents;
    rows.inner_indexed_strides = call.indexed_strides;
    rows.inner_plain_strides = call.plain_strides;
    cr_assert(kernel->run.rows(&rows, call.offsets, count) == 0);
    for (size_t at = 0; at < call.indexed.bytes; at += (size_t)element) {
        cr_assert(memcmp(call.indexed.data + at, call.wanted.data + at, (size_t)element) == 0,
                  "%s: n %lld, count %lld, outer %lld: element %zu is %llx, not %llx", kernel->name, (long long)n,
                  (long long)count, (long long)outer, at / (size_t)element,
                  (unsigned long long)load(call.indexed.data + at, element > 8 ? 8 : (int)element),
                  (unsigned long long)load(call.wanted.data + at, element > 8 ? 8 : (int)element));
    }
    cr_assert(memory_equal(&call.indexed, &call.wanted), "%s: writes beside its rows", kernel->name);
    memory_free(&call.wanted);
    memory_free(&call.indexed);
    memory_free(&call.plain);
}

static void try_kernel(const struct gasket_kernel *kernel) {
    static const int64_t lengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 100};
    int64_t element = value_bytes(kernel->value_dtype);
    if (kernel->value_dtype == GASKET_STRING) {
        return;
    }
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        int64_t n = lengths[l], row = kernel->rule.strided ? element : n * element;
        if (row < kernel->rule.row_min || row > kernel->rule.row_max || (kernel->rule.strided && n > 33)) {
            continue;
        }
        for (int64_t outer = 0; outer <= 2; outer++) {
            run(kernel, n, 1 + draw_below(&state, 20), outer);
            run(kernel, n, 0, outer);
        }
    }
    if (element >= kernel->rule.row_min && element <= kernel->rule.row_max) {
        for (int i = 0; i < 8; i++) {
            run(kernel, 1, MAX_OFFSETS, 1);
        }
    }
}

Test(kernels_combine, numbers, .timeout = 100) {
    cr_assert(each_kernel(GASKET_REDUCE, try_kernel) > 0);
}

/* Every f16 and bf16 there, with every kind of update. */
static void try_all_halves(const struct gasket_kernel *kernel) {
    if ((kernel->value_dtype != GASKET_F16 && kernel->value_dtype != GASKET_BF16) || kernel->rule.row_max < 4096 ||
        kernel->rule.strided) {
        return;
    }
    enum { ALL = 1 << 16 };
    static uint16_t there[ALL], updates[ALL];
    struct format format = formats[kernel->value_dtype];
    for (int round = 0; round < 12; round++) {
        for (int i = 0; i < ALL; i++) {
            there[i] = (uint16_t)i;
            updates[i] = (uint16_t)draw_float(format);
        }
        const int64_t offset = 0;
        struct gasket_rows rows = {.indexed = (char *)there, .plain = (char *)updates, .row = ALL, .outer = 1};
        kernel->run.rows(&rows, &offset, 1);
        for (int i = 0; i < ALL; i++) {
            uint16_t wanted = (uint16_t)i;
            combine_element(kernel, (unsigned char *)&wanted, (const unsigned char *)&updates[i]);
            cr_assert(there[i] == wanted, "%s: %04x and %04x give %04x, not %04x", kernel->name, (unsigned)i,
                      (unsigned)updates[i], (unsigned)there[i], (unsigned)wanted);
        }
    }
}

Test(kernels_combine, halves, .timeout = 100) {
    cr_assert(each_kernel(GASKET_REDUCE, try_all_halves) > 0);
}

/* ---- Strings ---- */

struct arena {
    char bytes[4096];
    size_t used;
};

static int append(void *of, struct gasket_string_view *target, const struct gasket_string_view *update) {
    struct arena *arena = of;
    if (target->length + update->length > sizeof arena->bytes - arena->used) {
        return 7;
    }
    char *joined = arena->bytes + arena->used;
    if (target->length > 0) {
        memcpy(joined, target->data, target->length);
    }
    memcpy(joined + target->length, update->data, update->length);
    arena->used += target->length + update->length;
    *target = (struct gasket_string_view){joined, target->length + update->length};
    return 0;
}

static void try_strings(const struct gasket_kernel *kernel) {
    if (kernel->value_dtype != GASKET_STRING) {
        return;
    }
    static struct arena arena;
    arena.used = 0;
    struct gasket_string_view out[4] = {{"x", 1}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
    struct gasket_string_view updates[6] = {{"ab", 2}, {"c", 1}, {"", 0}, {"de", 2}, {"f", 1}, {"g", 1}};
    const int64_t offsets[3] = {0, 32, 0}, extent = 2, stride = 16;
    struct gasket_rows rows = {
        .indexed = (char *)out,
        .plain = (char *)updates,
        .plain_stride = 32,
        .row = 2,
        .outer = 1,
        .element = 16,
        .inner_rank = kernel->rule.strided,
        .inner_extents = &extent,
        .inner_indexed_strides = &stride,
        .inner_plain_strides = &stride,
        .append = append,
        .append_state = &arena,
    };
    cr_assert(kernel->run.rows(&rows, offsets, 3) == 0, "%s", kernel->name);
    const char *wanted[4] = {"xabf", "cg", "", "de"};
    for (int i = 0; i < 4; i++) {
        cr_assert(
            out[i].length == strlen(wanted[i]) && memcmp(out[i].data ? out[i].data : "", wanted[i], out[i].length) == 0,
            "%s: string %d", kernel->name, i);
    }
    arena.used = sizeof arena.bytes;
    cr_assert(kernel->run.rows(&rows, offsets, 3) != 0, "%s: a failure is not told", kernel->name);
}

Test(kernels_combine, strings) {
    cr_assert(each_kernel(GASKET_REDUCE, try_strings) > 0);
}
