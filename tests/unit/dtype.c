/* The table of value types. */
#include <criterion/criterion.h>
#include <string.h>

#include "tensor.h"

Test(dtype, every_row_is_found_by_name_and_by_type) {
    for (int i = 0; i < GASKET_DTYPES; i++) {
        const struct gk_dtype_info *info = gk_dtype((enum gasket_dtype)i);
        DLDataType type = gk_dtype_type((enum gasket_dtype)i), parsed;
        cr_expect_eq(gk_dtype_named(info->name), i);
        cr_expect_eq(gk_dtype_of(type), i);
        cr_expect_str_eq(gasket_type_name(type), info->name);
        cr_assert_eq(gasket_type_parse(info->name, &parsed), GASKET_OK);
        cr_expect_eq(memcmp(&parsed, &type, sizeof type), 0, "%s", info->name);
    }
}

struct row {
    const char *name;
    int code, bits;
    enum gasket_class class;
    int64_t bytes;
};

Test(dtype, rows_are_what_dlpack_says) {
    static const struct row rows[] = {
        {"bool", 6, 8, GASKET_LOGICAL, 1},    {"i8", 0, 8, GASKET_INTEGER, 1},       {"u64", 1, 64, GASKET_INTEGER, 8},
        {"f16", 2, 16, GASKET_FLOAT, 2},      {"bf16", 4, 16, GASKET_FLOAT, 2},      {"c64", 5, 64, GASKET_COMPLEX, 8},
        {"c128", 5, 128, GASKET_COMPLEX, 16}, {"f8_e4m3fn", 10, 8, GASKET_MOVED, 1}, {"i4", 0, 4, GASKET_MOVED, 0},
        {"string", 3, 128, GASKET_TEXT, 16},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int dtype = gk_dtype_named(rows[i].name);
        cr_assert_geq(dtype, 0, "%s", rows[i].name);
        const struct gk_dtype_info *info = gk_dtype((enum gasket_dtype)dtype);
        cr_expect_eq(info->code, rows[i].code);
        cr_expect_eq(info->bits, rows[i].bits);
        cr_expect_eq(info->class, rows[i].class, "%s", rows[i].name);
        cr_expect_eq(gk_dtype_bytes((enum gasket_dtype)dtype), rows[i].bytes);
    }
}

Test(dtype, strangers) {
    DLDataType type = {kDLFloat, 32, 1};
    cr_expect_eq(gasket_type_parse("float", &type), GASKET_INVALID_ARGUMENT);
    cr_expect_eq(gasket_type_parse("", &type), GASKET_INVALID_ARGUMENT);
    cr_expect_eq(gasket_type_parse(NULL, &type), GASKET_INVALID_ARGUMENT);
    cr_expect_eq(gasket_type_parse("f32", NULL), GASKET_INVALID_ARGUMENT);
    cr_expect_eq(type.bits, 32, "untouched");
    const DLDataType unknown[] = {{kDLFloat, 32, 2}, {kDLFloat, 32, 0}, {kDLFloat, 128, 1}, {6, 1, 1}, {99, 8, 1}};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        cr_expect_null(gasket_type_name(unknown[i]));
}
