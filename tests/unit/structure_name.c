/* Names of kernels and of numbers. */
#include <criterion/criterion.h>
#include <string.h>

#include "formula/structure.h"

struct named {
    struct gasket_kernel kernel;
    int64_t row;
    const char *how, *name;
};

#define ANY_FIELDS .depth = GASKET_ANY, .nan_propagates = GASKET_ANY

Test(structure_name, kernels) {
    static const struct named list[] = {
        {{.kind = GASKET_RESOLVE, .isa = GASKET_AVX2, .index_dtype = GASKET_I32, .depth = 2},
         -1,
         "clip",
         "resolve_i32_d2__avx2_clip"},
        {{.kind = GASKET_RESOLVE, .isa = GASKET_BASE, .index_dtype = GASKET_U64, .depth = GASKET_ANY},
         -1,
         "mark",
         "resolve_u64_dn__base_mark"},
        {{.kind = GASKET_MOVE, .isa = GASKET_AVX512, ANY_FIELDS}, 64, "nt", "move_r64__avx512_nt"},
        {{.kind = GASKET_MOVE, .isa = GASKET_NEON, ANY_FIELDS}, -1, "rows", "move_rn__neon_rows"},
        {{.kind = GASKET_PLACE, .isa = GASKET_BASE, ANY_FIELDS}, 8, "rows", "place_r8__base_rows"},
        {{.kind = GASKET_PLACE, .isa = GASKET_BASE, ANY_FIELDS}, -1, "box", "place_rn__base_box"},
        {{.kind = GASKET_REDUCE, .value_dtype = GASKET_BF16, .combine = GASKET_ADD, ANY_FIELDS},
         -1,
         "rows",
         "combine_bf16_add__base_rows"},
        {{.kind = GASKET_REDUCE, .value_dtype = GASKET_F32, .combine = GASKET_MIN, .nan_propagates = 1},
         -1,
         "rows",
         "combine_f32_min_nan__base_rows"},
        {{.kind = GASKET_REDUCE, .value_dtype = GASKET_F32, .combine = GASKET_MAX, .nan_propagates = 0},
         -1,
         "one",
         "combine_f32_max__base_one"},
        {{.kind = GASKET_REDUCE, .value_dtype = GASKET_STRING, .combine = GASKET_ADD, ANY_FIELDS},
         -1,
         "rows",
         "append_string__base_rows"},
        {{.kind = GASKET_FUSED, .isa = GASKET_AVX2, .index_dtype = GASKET_I32, .depth = 1},
         4,
         "lut",
         "gather_b4_i32__avx2_lut"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        char text[GK_TEXT];
        const char *name = gk_kernel_name(text, &list[i].kernel, list[i].row, list[i].how);
        cr_expect_eq(name, text);
        cr_expect_str_eq(text, list[i].name);
    }
}

Test(structure_name, long_names_are_cut) {
    struct gasket_kernel kernel = {.kind = GASKET_MOVE};
    char how[300], text[GK_TEXT + 1];
    memset(how, 'x', sizeof how - 1);
    how[sizeof how - 1] = 0;
    text[GK_TEXT] = '#';
    gk_kernel_name(text, &kernel, INT64_MAX, how);
    cr_expect_eq(strlen(text), GK_TEXT - 1);
    cr_expect_eq(text[GK_TEXT], '#');
    cr_expect_eq(strncmp(text, "move_r9223372036854775807__base_xxx", 35), 0);
}

Test(structure_name, numbers) {
    cr_expect_str_eq(gk_dtype_text(GASKET_BOOL), "bool");
    cr_expect_str_eq(gk_dtype_text(GASKET_F8_E4M3FN), "f8_e4m3fn");
    cr_expect_str_eq(gk_dtype_text(GASKET_STRING), "string");
    cr_expect_str_eq(gk_dtype_text((enum gasket_dtype)GASKET_ANY), "any");
    cr_expect_str_eq(gk_combine_text(GASKET_STORE), "store");
    cr_expect_str_eq(gk_combine_text(GASKET_MAX), "max");
    cr_expect_str_eq(gk_combine_text((enum gasket_combine)GASKET_ANY), "any");
    cr_expect_str_eq(gk_bounds_text(GASKET_BOUNDS_ERROR), "error");
    cr_expect_str_eq(gk_bounds_text(GASKET_BOUNDS_UNCHECKED), "unchecked");
    cr_expect_str_eq(gk_resolve_form_text(GASKET_MARK), "mark");
    cr_expect_str_eq(gk_resolve_form_text(GASKET_RAW), "raw");
}

Test(structure_name, resolvers_of_bounds) {
    cr_expect_eq(gk_resolve_form(GASKET_BOUNDS_ERROR), GASKET_MARK);
    cr_expect_eq(gk_resolve_form(GASKET_BOUNDS_FILL), GASKET_MARK);
    cr_expect_eq(gk_resolve_form(GASKET_BOUNDS_DROP), GASKET_MARK);
    cr_expect_eq(gk_resolve_form(GASKET_BOUNDS_CLIP), GASKET_CLIP);
    cr_expect_eq(gk_resolve_form(GASKET_BOUNDS_FROM_END), GASKET_WRAP);
    cr_expect_eq(gk_resolve_form(GASKET_BOUNDS_UNCHECKED), GASKET_RAW);
}
