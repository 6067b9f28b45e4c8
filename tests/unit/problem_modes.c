/* Combining, bounds, fill values, NaN and accumulation: what goes with what. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "problem.h"
#include "support/operations.h"

static const struct bound *gather(const char *type, struct gasket_argument a, struct gasket_argument b) {
    return bound(operation_known("gather"), 1, ARGUMENTS(GIVE("params", type, 3, 4), GIVE("indices", "i32", 2), a, b));
}

static const struct bound *scatter(const char *type, struct gasket_argument a, struct gasket_argument b) {
    return bound(operation_known("tensor_scatter"), 1,
                 ARGUMENTS(GIVE("tensor", type, 3), GIVE("indices", "i32", 2, 1), GIVE("updates", type, 2), a, b));
}

static const struct gasket_argument as_error = {.name = "bounds", .kind = GASKET_ARGUMENT_TEXT, .text = "error"};

#define COMBINE(word) gasket_text("combine", word)
#define BOUNDS(word) gasket_text("bounds", word)

static void refused(const struct bound *b, int line, enum gasket_status status, const char *text) {
    cr_expect_eq(b->status, status, "line %d: %s", line, b->error.text);
    cr_expect_str_eq(b->error.text, text, "line %d: %s", line, b->error.text);
}
#define INVALID(text, bound) refused(bound, __LINE__, GASKET_INVALID_ARGUMENT, text)

/* ---- combine ---- */

/* Which classes have which operators, written out once more. */
Test(modes, combine_by_class) {
    static const char *const combines[] = {"store", "add", "sub", "mul", "min", "max"};
    static const struct {
        const char *type, *has;
    } rows[] = {
        {"bool", "store add mul"},
        {"i8", "store add sub mul min max"},
        {"u64", "store add sub mul min max"},
        {"f16", "store add sub mul min max"},
        {"bf16", "store add sub mul min max"},
        {"c64", "store add sub mul"},
        {"f8_e5m2", "store"},
        {"u4", "store"},
        {"string", "store add"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (int c = 0; c < 6; c++) {
            const struct bound *b = scatter(rows[i].type, COMBINE(combines[c]), as_error);
            int has = strstr(rows[i].has, combines[c]) != NULL;
            cr_expect_eq(b->status, has ? GASKET_OK : GASKET_UNSUPPORTED, "%s %s", rows[i].type, combines[c]);
            if (has) cr_expect_eq((int)b->problem.combine, c);
        }
    }
    refused(scatter("bool", COMBINE("min"), as_error), __LINE__, GASKET_UNSUPPORTED,
            "combine = \"min\" does not exist for bool");
}

Test(modes, combine_words) {
    INVALID("combine = \"plus\" is not one of those that tensor_scatter takes: store, add, sub, mul, min, max",
            scatter("f32", COMBINE("plus"), as_error));
    struct gasket_operation operation = *operation_known("tensor_scatter");
    operation.combines = GASKET_BIT(GASKET_ADD) | GASKET_BIT(GASKET_MAX);
    operation.default_combine = GASKET_ADD;
    const struct gasket_argument arguments[] = {GIVE("tensor", "f32", 3), GIVE("indices", "i32", 2, 1),
                                                GIVE("updates", "f32", 2), COMBINE("store")};
    const struct bound *b = bound(&operation, 1, arguments, 3);
    cr_expect_eq(b->problem.combine, GASKET_ADD);
    INVALID("combine = \"store\" is not one of those that tensor_scatter takes: add, max",
            bound(&operation, 1, arguments, 4));
}

Test(modes, combine_of_the_formula) {
    const struct bound *b =
        bound(operation_known("scatter_nd"), 1,
              ARGUMENTS(GIVE("indices", "i32", 2, 1), GIVE("updates", "i32", 2), GIVE_LIST("shape", 4)));
    cr_expect_eq(b->status, GASKET_OK);
    cr_expect_eq(b->problem.combine, GASKET_ADD);
    refused(bound(operation_known("scatter_nd"), 1,
                  ARGUMENTS(GIVE("indices", "i32", 2, 1), GIVE("updates", "f8_e4m3", 2), GIVE_LIST("shape", 4))),
            __LINE__, GASKET_UNSUPPORTED, "combine = \"add\" does not exist for f8_e4m3");
    refused(
        bound(operation_known("embedding_bag"), 1,
              ARGUMENTS(GIVE("table", "string", 2, 1), GIVE("indices", "i32", 1, 1), GIVE("weights", "string", 1, 1))),
        __LINE__, GASKET_UNSUPPORTED, "embedding_bag multiplies, which does not exist for string");
}

/* ---- bounds ---- */

Test(modes, bounds_words) {
    static const char *const words[] = {"error", "fill", "drop", "clip", "from_end", "unchecked"};
    for (int i = 0; i < 6; i++) {
        const struct bound *b = gather("f32", BOUNDS(words[i]), gasket_integer("axis", 0));
        cr_expect_eq(b->status == GASKET_OK, i != GASKET_BOUNDS_DROP, "%s", words[i]);
        if (b->status == GASKET_OK) cr_expect_eq((int)b->problem.bounds, i);
        b = scatter("f32", BOUNDS(words[i]), COMBINE("store"));
        cr_expect_eq(b->status == GASKET_OK, i != GASKET_BOUNDS_FILL, "%s", words[i]);
    }
    INVALID("bounds = \"drop\" is not one of those that gather takes: error, fill, clip, from_end, unchecked",
            gather("f32", BOUNDS("drop"), gasket_integer("axis", 0)));
    INVALID("bounds = \"fill\" is not one of those that tensor_scatter takes: error, drop, clip, from_end, unchecked",
            scatter("f32", BOUNDS("fill"), COMBINE("store")));
}

Test(modes, fill_goes_with_fill_and_from_end) {
    const struct bound *b = gather("f32", BOUNDS("fill"), gasket_integer("axis", 0));
    cr_expect_eq(b->problem.has_fill, 1, "0 by default");
    b = gather("f32", BOUNDS("from_end"), gasket_integer("axis", 0));
    cr_expect_eq(b->problem.has_fill, 0);
    b = gather("f32", BOUNDS("from_end"), gasket_integer("fill", 0));
    cr_expect_eq(b->status, GASKET_OK);
    cr_expect_eq(b->problem.has_fill, 1);
    INVALID("fill means nothing with bounds = \"clip\"; it goes with \"fill\" and \"from_end\"",
            gather("f32", BOUNDS("clip"), gasket_integer("fill", 0)));
    INVALID("fill means nothing with bounds = \"error\"; it goes with \"fill\" and \"from_end\"",
            gather("f32", gasket_integer("axis", 0), gasket_integer("fill", 0)));
}

/* ---- nan and accumulate ---- */

Test(modes, nan) {
    const struct bound *b = scatter("f32", COMBINE("max"), gasket_text("nan", "propagate"));
    cr_expect_eq(b->status, GASKET_OK, "%s", b->error.text);
    cr_expect_eq(b->problem.nan_propagates, 1);
    b = scatter("f32", COMBINE("min"), gasket_text("nan", "ignore"));
    cr_expect_eq(b->problem.nan_propagates, 0);
    b = scatter("i32", COMBINE("min"), gasket_text("nan", "propagate"));
    cr_expect_eq(b->status, GASKET_OK);
    cr_expect_eq(b->problem.nan_propagates, 0, "integers have none");
    INVALID("nan means nothing with combine = \"add\"; it goes with \"min\" and \"max\"",
            scatter("f32", COMBINE("add"), gasket_text("nan", "propagate")));
    INVALID("nan = \"keep\" is not one of those that tensor_scatter takes: ignore, propagate",
            scatter("f32", COMBINE("max"), gasket_text("nan", "keep")));
}

Test(modes, accumulate) {
    static const char *const types[] = {"f16", "bf16"}, *const combines[] = {"add", "sub", "mul"};
    for (int i = 0; i < 6; i++) {
        const struct bound *b = scatter(types[i / 3], COMBINE(combines[i % 3]), gasket_text("accumulate", "f32"));
        cr_expect_eq(b->status, GASKET_OK, "%s", b->error.text);
        cr_expect_eq(b->problem.accumulates_wide, 1);
    }
    const struct bound *b = scatter("f16", COMBINE("add"), gasket_text("accumulate", "native"));
    cr_expect_eq(b->problem.accumulates_wide, 0);
    cr_expect_eq(scatter("f64", COMBINE("add"), gasket_text("accumulate", "native"))->status, GASKET_OK);
    INVALID("accumulate = \"f32\" means nothing to f32; it goes with f16 and bf16",
            scatter("f32", COMBINE("add"), gasket_text("accumulate", "f32")));
    INVALID("accumulate = \"f32\" means nothing with combine = \"max\"; it goes with \"add\", \"sub\" and \"mul\"",
            scatter("f16", COMBINE("max"), gasket_text("accumulate", "f32")));
    INVALID("accumulate = \"f64\" is not one of those that tensor_scatter takes: native, f32",
            scatter("f16", COMBINE("add"), gasket_text("accumulate", "f64")));
}

/* ---- fill values ---- */

/* The element as a number, first byte lowest; only the type's own bytes may be set. */
static uint64_t filled(const char *type, struct gasket_argument fill) {
    uint64_t value = 0;
    const struct bound *b = gather(type, BOUNDS("fill"), fill);
    cr_expect_eq(b->status, GASKET_OK, "%s: %s", type, b->error.text);
    int64_t bytes = gk_dtype_bytes(b->problem.value_dtype);
    for (int64_t i = bytes; i < 16; i++)
        cr_expect_eq(b->problem.fill[i], 0, "%s: byte %d", type, (int)i);
    memcpy(&value, b->problem.fill, bytes < 8 ? (size_t)bytes : 8);
    return value;
}

static int is_held(const char *type, struct gasket_argument fill) {
    const struct bound *b = gather(type, BOUNDS("fill"), fill);
    cr_expect(b->status == GASKET_OK || b->status == GASKET_INVALID_ARGUMENT);
    return b->status == GASKET_OK;
}

#define INTEGER(value) gasket_integer("fill", value)
#define REAL(value) gasket_real("fill", value)

Test(fill, integers) {
    cr_expect_eq(filled("u8", INTEGER(255)), 255);
    cr_expect_eq(filled("i8", INTEGER(-128)), 0x80);
    cr_expect_eq(filled("i32", INTEGER(-1)), 0xffffffff);
    cr_expect_eq(filled("i64", INTEGER(INT64_MIN)), UINT64_C(1) << 63);
    cr_expect_eq(filled("u64", INTEGER(INT64_MAX)), INT64_MAX);
    cr_expect_eq(filled("bool", INTEGER(1)), 1);
    cr_expect_eq(filled("i32", REAL(-7.0)), 0xfffffff9);
    cr_expect_eq(filled("u64", REAL(0x1p63)), UINT64_C(1) << 63);
    cr_expect_eq(filled("i64", REAL(-0x1p63)), UINT64_C(1) << 63);
    cr_expect_eq(filled("i32", REAL(-0.0)), 0);
}

Test(fill, limits_of_integers) {
    static const struct {
        const char *type;
        int64_t minimum, maximum;
    } rows[] = {{"bool", 0, 1},         {"i8", -128, 127}, {"u8", 0, 255},
                {"i16", -32768, 32767}, {"u16", 0, 65535}, {"i32", INT32_MIN, INT32_MAX},
                {"u32", 0, UINT32_MAX}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *type = rows[i].type;
        cr_expect(is_held(type, INTEGER(rows[i].minimum)) && is_held(type, INTEGER(rows[i].maximum)), "%s", type);
        cr_expect(!is_held(type, INTEGER(rows[i].minimum - 1)) && !is_held(type, INTEGER(rows[i].maximum + 1)), "%s",
                  type);
        cr_expect(!is_held(type, REAL((double)rows[i].maximum + 1)) && !is_held(type, REAL(0.5)), "%s", type);
        cr_expect(!is_held(type, REAL(NAN)) && !is_held(type, REAL(INFINITY)), "%s", type);
    }
    cr_expect(!is_held("u64", INTEGER(-1)) && !is_held("u64", REAL(0x1p64)) && !is_held("i64", REAL(0x1p63)));
}

Test(fill, messages) {
    INVALID("fill = 300 can not be held by u8, the type of the values", gather("u8", BOUNDS("fill"), INTEGER(300)));
    INVALID("fill = 1.5 can not be held by i32, the type of the values", gather("i32", BOUNDS("fill"), REAL(1.5)));
    INVALID("fill = 70000 can not be held by f16, the type of the values", gather("f16", BOUNDS("fill"), REAL(70000)));
    INVALID("fill = 3 can not be held by string, the type of the values", gather("string", BOUNDS("fill"), INTEGER(3)));
    INVALID("fill = 1 can not be held by f8_e5m2, the type of the values",
            gather("f8_e5m2", BOUNDS("fill"), INTEGER(1)));
    INVALID("fill = \"nan\" is a text and can not be held by f32, the type of the values",
            gather("f32", BOUNDS("fill"), gasket_text("fill", "nan")));
}

Test(fill, floats) {
    cr_expect_eq(filled("f64", REAL(0.1)), 0x3fb999999999999a);
    cr_expect_eq(filled("f32", REAL(0.1)), 0x3dcccccd);
    cr_expect_eq(filled("f32", INTEGER(16777217)), 0x4b800000, "ties to even");
    cr_expect_eq(filled("f32", INTEGER(16777219)), 0x4b800002);
    cr_expect_eq(filled("f32", REAL(-0.0)), 0x80000000);
    cr_expect_eq(filled("f32", REAL(INFINITY)), 0x7f800000);
    cr_expect_eq(filled("f32", REAL(NAN)) & 0x7fc00000, 0x7fc00000);
    cr_expect(!is_held("f32", REAL(1e39)) && is_held("f64", REAL(1e308)));
    cr_expect_eq(filled("c64", REAL(1.0)), 0x3f800000, "no imaginary part");
    cr_expect_eq(filled("c128", REAL(1.0)), 0x3ff0000000000000);
}

Test(fill, halves) {
    cr_expect_eq(filled("f16", REAL(1.0)), 0x3c00);
    cr_expect_eq(filled("f16", REAL(-2.0)), 0xc000);
    cr_expect_eq(filled("f16", REAL(65504.0)), 0x7bff);
    cr_expect_eq(filled("f16", REAL(65519.0)), 0x7bff);
    cr_expect(!is_held("f16", REAL(65520.0)));
    cr_expect_eq(filled("f16", REAL(2049.0)), 0x6800, "ties to even");
    cr_expect_eq(filled("f16", REAL(2051.0)), 0x6802);
    cr_expect_eq(filled("f16", REAL(0x1p-24)), 1);
    cr_expect_eq(filled("f16", REAL(0x1p-25)), 0);
    cr_expect_eq(filled("f16", REAL(0x1.000001p-25)), 1);
    cr_expect_eq(filled("f16", REAL(0x1.ff8p-15)), 0x3ff, "the greatest subnormal");
    cr_expect_eq(filled("f16", REAL(0x1.ffcp-15)), 0x400, "a tie, to the smallest normal");
    cr_expect_eq(filled("f16", REAL(-1e-300)), 0x8000);
    cr_expect_eq(filled("f16", REAL(5e-324)), 0);
    cr_expect_eq(filled("f16", REAL(-INFINITY)), 0xfc00);
    cr_expect_eq(filled("f16", REAL(NAN)) & 0x7fff, 0x7e00);
    cr_expect_eq(filled("bf16", REAL(1.0)), 0x3f80);
    cr_expect_eq(filled("bf16", REAL(257.0)), 0x4380, "ties to even");
    cr_expect_eq(filled("bf16", REAL(0x1.fep127)), 0x7f7f);
    cr_expect(!is_held("bf16", REAL(0x1.ffp127)));
    cr_expect_eq(filled("bf16", REAL(0x1p-133)), 1);
    cr_expect_eq(filled("bf16", REAL(NAN)) & 0x7fff, 0x7fc0);
}

/* One rounding, not two: a double can not hold this integer, and what it would round to is a tie. */
Test(fill, halves_from_great_integers) {
    int64_t tie = (INT64_C(1) << 60) + (INT64_C(1) << 52);
    cr_expect_eq(filled("bf16", INTEGER(tie)), 0x5d80);
    cr_expect_eq(filled("bf16", INTEGER(tie + 1)), 0x5d81);
    cr_expect_eq(filled("bf16", INTEGER(tie - 1)), 0x5d80);
    cr_expect_eq(filled("bf16", INTEGER(-tie - 1)), 0xdd81);
    cr_expect_eq(filled("bf16", INTEGER(-tie)), 0xdd80);
    cr_expect_eq(filled("bf16", INTEGER(INT64_MIN)), 0xdf00);
    cr_expect_eq(filled("bf16", INTEGER(INT64_MAX)), 0x5f00);
}

/* Every half is its own rounding. */
Test(fill, every_half) {
    for (uint32_t bits = 0; bits < 0x7c00; bits++) {
        int exponent = (int)(bits >> 10);
        double fraction = ldexp(bits & 0x3ff, -10);
        double value = exponent == 0 ? ldexp(fraction, -14) : ldexp(1 + fraction, exponent - 15);
        const struct bound *b = gather("f16", BOUNDS("fill"), REAL(-value));
        uint16_t stored;
        memcpy(&stored, b->problem.fill, sizeof stored);
        cr_assert_eq(stored, 0x8000 | bits, "%a", value);
    }
}

Test(fill, moved_types) {
    cr_expect_eq(filled("f8_e4m3", INTEGER(0)), 0);
    cr_expect_eq(filled("f8_e4m3", REAL(0.0)), 0);
    cr_expect(is_held("i4", INTEGER(0)) && !is_held("i4", INTEGER(1)));
}

Test(fill, texts) {
    const char *text = "none";
    struct gasket_string_view view;
    const struct bound *b = gather("string", BOUNDS("fill"), gasket_text("fill", text));
    cr_assert_eq(b->status, GASKET_OK, "%s", b->error.text);
    memcpy(&view, b->problem.fill, sizeof view);
    cr_expect_eq(view.data, text, "borrowed");
    cr_expect_eq(view.length, 4);
}

static const struct bound *with_tensor(const char *type, int infers, DLTensor *fill) {
    const struct gasket_argument arguments[] = {GIVE("params", type, 3, 4), GIVE("indices", "i32", 2), BOUNDS("fill"),
                                                gasket_tensor("fill", fill), GIVE("out", type, 2, 4)};
    return bound(operation_known("gather"), infers, arguments, infers ? 4 : 5);
}

Test(fill, tensors) {
    unsigned char bytes[] = {0x11, 0xab, 0x22, 0x33, 0x44, 0x55};
    DLTensor fill = SCALAR(bytes + 1, "i32");
    const struct bound *b = with_tensor("i32", 0, &fill);
    cr_assert_eq(b->status, GASKET_OK, "%s", b->error.text);
    cr_expect_eq(memcmp(b->problem.fill, bytes + 1, 4), 0, "any alignment");
    cr_expect_eq(b->problem.n_arguments, 3, "not one of the operation's tensors");
    fill = SCALAR(bytes, "u4");
    fill.byte_offset = 1;
    b = with_tensor("u4", 0, &fill);
    cr_expect_eq(b->problem.fill[0], 0x0b);
    fill = SCALAR(bytes, "f8_e5m2");
    b = with_tensor("f8_e5m2", 0, &fill);
    cr_expect_eq(b->problem.fill[0], 0x11);
}

Test(fill, tensors_refused) {
    DLTensor scalar = SCALAR(NULL, "i32"), list = TENSOR(NULL, "i32", 1);
    INVALID("fill of shape [] has elements, but its data is NULL", with_tensor("i32", 0, &scalar));
    cr_expect_eq(with_tensor("i32", 1, &scalar)->status, GASKET_OK, "shapes need no data");
    INVALID("fill has shape [1] but needs rank 0", with_tensor("i32", 1, &list));
    INVALID("fill is i32 but the values are f32", with_tensor("f32", 1, &scalar));
}
