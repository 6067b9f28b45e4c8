/* The manifest: how many combinations there are, in which order, and their texts. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "formula/formula.h"
#include "formula/structure.h"

enum { EVERY_DTYPE = (1 << GASKET_DTYPES) - 1 };

static const unsigned gather_bounds = GASKET_BIT(GASKET_BOUNDS_ERROR) | GASKET_BIT(GASKET_BOUNDS_FILL) |
                                      GASKET_BIT(GASKET_BOUNDS_CLIP) | GASKET_BIT(GASKET_BOUNDS_FROM_END) |
                                      GASKET_BIT(GASKET_BOUNDS_UNCHECKED);
static const unsigned scatter_bounds = GASKET_BIT(GASKET_BOUNDS_ERROR) | GASKET_BIT(GASKET_BOUNDS_DROP) |
                                       GASKET_BIT(GASKET_BOUNDS_CLIP) | GASKET_BIT(GASKET_BOUNDS_FROM_END) |
                                       GASKET_BIT(GASKET_BOUNDS_UNCHECKED);

static struct gasket_operation operation_of(const char *formula, unsigned bounds) {
    struct gasket_operation operation = {.name = "test",
                                         .values = EVERY_DTYPE,
                                         .indices = EVERY_DTYPE,
                                         .combines = (1 << GASKET_COMBINES) - 1,
                                         .bounds = (uint8_t)bounds,
                                         .ahead_of_time = 1};
    struct gk_formula_error error;
    cr_assert_eq(gk_formula_parse(formula, &operation.formula, &error), 0, "%s", error.text);
    return operation;
}

static struct gasket_operation gather(void) {
    return operation_of("out[B, O, N, S] = params[B, O, indices[B, N], S]", gather_bounds);
}

static struct gasket_operation gather_nd(void) {
    return operation_of("out[B, N, S] = params[B, indices[B, N, *], S]", gather_bounds);
}

static struct gasket_operation scatter_nd(void) {
    return operation_of("out[indices[N, *], S] += updates[N, S] from zeros", scatter_bounds);
}

static struct gasket_operation tensor_scatter(void) {
    return operation_of("out[indices[N, *], S] ?= updates[N, S] from tensor", scatter_bounds);
}

/* Lines of the manifest that are looked for, and what was seen. */
struct seen {
    const struct gasket_operation *operation;
    int n, stop_at, found;
    const char *line; /* looked for; NULL: none */
    char last[400];
};

static int see(void *user, const struct gk_combination *c) {
    struct seen *seen = user;
    char form[GK_TEXT], bodies[GK_TEXT];
    snprintf(seen->last, sizeof seen->last, "%s %s %s %s bounds=%s: %s", gk_dtype_text(c->value),
             gk_dtype_text(c->index), gk_combine_text(c->combine), gk_form_text(form, c), gk_bounds_text(c->bounds),
             gk_bodies_text(bodies, seen->operation, c));
    seen->n++;
    seen->found += seen->line != NULL && strcmp(seen->last, seen->line) == 0;
    return seen->n == seen->stop_at ? 7 : 0;
}

static int count(const struct gasket_operation *operation) {
    struct seen seen = {.operation = operation};
    cr_expect_eq(gk_manifest(operation, see, &seen), 0);
    return seen.n;
}

static void expect_lines(const struct gasket_operation *operation, const char *const *lines, size_t n) {
    for (size_t i = 0; i < n; i++) {
        struct seen seen = {.operation = operation, .line = lines[i]};
        gk_manifest(operation, see, &seen);
        cr_expect_eq(seen.found, 1, "%d times: %s", seen.found, lines[i]);
    }
}

static void expect_at(const struct gasket_operation *operation, int position, const char *line) {
    struct seen seen = {.operation = operation, .stop_at = position};
    cr_expect_eq(gk_manifest(operation, see, &seen), 7);
    cr_expect_eq(seen.n, position);
    cr_expect_str_eq(seen.last, line);
}

Test(structure_manifest, counts) {
    struct gasket_operation g = gather(), n = gather_nd(), s = scatter_nd(), t = tensor_scatter();
    /* 27 value types in 3 axis forms, but the 3 types of half a byte have no inner axis. */
    cr_expect_eq(count(&g), (27 * 3 - 3) * 8 * 2 * 5);
    cr_expect_eq(count(&n), 27 * 8 * 6 * 2 * 5);
    /* add: bool, 8 integers, 4 floats, 2 complex, string. */
    cr_expect_eq(count(&s), 16 * 8 * 6 * 5);
    /* store, add, sub, mul, min, max. */
    cr_expect_eq(count(&t), (27 + 16 + 14 + 15 + 12 + 12) * 8 * 6 * 5);
}

Test(structure_manifest, less_is_asked_for) {
    struct gasket_operation o = tensor_scatter();
    o.values = GASKET_BIT(GASKET_F32) | GASKET_BIT(GASKET_BOOL);
    o.indices = GASKET_BIT(GASKET_I32) | GASKET_BIT(GASKET_F64);
    o.combines = GASKET_BIT(GASKET_STORE) | GASKET_BIT(GASKET_MIN);
    o.bounds = GASKET_BIT(GASKET_BOUNDS_ERROR);
    cr_expect_eq(count(&o), 3 * 6);
    o.ahead_of_time = 0;
    cr_expect_eq(count(&o), 0);
    o.ahead_of_time = 1;
    o.bounds = 0;
    cr_expect_eq(count(&o), 0);
    struct gasket_operation bag =
        operation_of("out[G, S] += table[indices[G, L], S] * weights[G, L] from zeros", gather_bounds);
    cr_expect_eq(count(&bag), 0);
}

Test(structure_manifest, order_and_stop) {
    struct gasket_operation g = gather(), t = tensor_scatter();
    expect_at(&g, 1, "bool i8 store axis=outer batch=0 bounds=error: resolve_i8_d1/mark + move_r*");
    expect_at(&g, 2, "bool i8 store axis=outer batch=0 bounds=fill: resolve_i8_d1/mark + move_r*");
    expect_at(&g, 6, "bool i8 store axis=outer batch=1 bounds=error: resolve_i8_d1/mark + move_r*");
    expect_at(&g, 11, "bool i8 store axis=middle batch=0 bounds=error: resolve_i8_d1/mark + move_r*");
    expect_at(&g, 31, "bool i16 store axis=outer batch=0 bounds=error: resolve_i16_d1/mark + move_r*");
    expect_at(&t, 31, "bool i8 add depth=0 bounds=error: resolve_i8_dn/mark + combine_bool_add");
    expect_at(&g, 78 * 80, "string u64 store axis=inner batch=1 bounds=unchecked: resolve_u64_d1/raw + move_r16");
}

Test(structure_manifest, lines_of_gather) {
    static const char *const lines[] = {
        "f32 i64 store axis=inner batch=0 bounds=error: resolve_i64_d1/mark + move_r4",
        "f32 i64 store axis=middle batch=0 bounds=error: resolve_i64_d1/mark + move_r*",
        "f16 u8 store axis=inner batch=1 bounds=clip: resolve_u8_d1/clip + move_r2",
        "c128 i32 store axis=inner batch=0 bounds=from_end: resolve_i32_d1/wrap + move_r16",
        "f8_e5m2 u16 store axis=inner batch=0 bounds=fill: resolve_u16_d1/mark + move_r1",
        "i4 i32 store axis=middle batch=0 bounds=error: resolve_i32_d1/mark + move_r*",
        "string i32 store axis=outer batch=0 bounds=error: resolve_i32_d1/mark + move_r*",
    };
    static const char *const nd[] = {
        "bf16 i32 store depth=3 batch=1 bounds=unchecked: resolve_i32_d3/raw + move_r*",
        "bf16 i32 store depth=0 batch=0 bounds=error: resolve_i32_dn/mark + move_r*",
        "u4 u32 store depth=n batch=0 bounds=error: resolve_u32_dn/mark + move_r*",
    };
    struct gasket_operation g = gather(), n = gather_nd();
    expect_lines(&g, lines, sizeof lines / sizeof lines[0]);
    expect_lines(&n, nd, sizeof nd / sizeof nd[0]);
}

Test(structure_manifest, lines_of_scatters) {
    static const char *const lines[] = {
        "f32 i32 store depth=1 bounds=error: resolve_i32_d1/mark + place_r*",
        "f32 i32 min depth=4 bounds=drop: resolve_i32_d4/mark + combine_f32_min",
        "c64 i64 mul depth=2 bounds=from_end: resolve_i64_d2/wrap + combine_c64_mul",
        "string i64 store depth=2 bounds=error: resolve_i64_d2/mark + place_r*",
        "string i64 add depth=n bounds=error: resolve_i64_dn/mark + append_string",
    };
    struct gasket_operation t = tensor_scatter();
    expect_lines(&t, lines, sizeof lines / sizeof lines[0]);
}

Test(structure_manifest, forms) {
    struct gasket_operation plain = operation_of("out[N, S] = x[i[N], S]", gather_bounds);
    struct gasket_operation all = operation_of("out[B, O, N, S] = x[B, O, i[B, N, *], S]", gather_bounds);
    cr_expect_eq(count(&plain), 27 * 8 * 5);
    cr_expect_eq(count(&all), (27 * 3 - 3) * 8 * 6 * 2 * 5);
    expect_at(&plain, 1, "bool i8 store - bounds=error: resolve_i8_d1/mark + move_r*");
    static const char *const lines[] = {
        "f64 i32 store depth=2 axis=inner batch=1 bounds=error: resolve_i32_d2/mark + move_r8"};
    expect_lines(&all, lines, 1);
    struct gasket_operation scatter = operation_of("out[O, i[N], S] = x[O, N, S] from zeros", scatter_bounds);
    static const char *const placed[] = {"f64 i32 store axis=inner bounds=error: resolve_i32_d1/mark + place_r*"};
    expect_lines(&scatter, placed, 1);
}
