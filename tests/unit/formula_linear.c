/* Linear expressions: the fields, the printed text, and what is refused. */
#include <criterion/criterion.h>
#include <string.h>

#include "formula/formula.h"

enum { AXIS, BATCH_DIMS, SHAPE, RANK, LATER, ATTRIBUTES };
enum { OUT, PARAMS, INDICES };

static const struct gasket_attribute attributes[ATTRIBUTES] = {
    [AXIS] = {.name = "axis"},
    [BATCH_DIMS] = {.name = "batch_dims"},
    [SHAPE] = {.name = "shape", .type = GASKET_ATTRIBUTE_INTS},
    [RANK] = {.name = "rank"},
    [LATER] = {.name = "later"},
};

static struct gasket_formula formula_of(const char *text) {
    struct gasket_formula formula;
    struct gk_formula_error error;
    cr_assert_eq(gk_formula_parse(text, &formula, &error), 0, "%s", error.text);
    return formula;
}

static struct gasket_formula gather(void) {
    return formula_of("out[B, O, N, S] = params[B, O, indices[B, N], S]");
}

static struct gasket_linear parse(const char *text) {
    struct gasket_formula formula = gather();
    struct gasket_linear linear;
    struct gk_formula_error error = {-1, ""};
    int failed = gk_linear_parse(text, &formula, attributes, LATER, &linear, &error);
    cr_assert_eq(failed, 0, "%s: column %d: %s", text, error.column, error.text);
    return linear;
}

static void expect_quantity(const struct gasket_linear *linear, int position, int factor, int kind, int id) {
    const struct gasket_quantity *q = &linear->quantities[position];
    cr_assert_lt(position, linear->n);
    cr_expect(q->factor == factor && q->kind == kind && q->id == id, "quantity %d: factor %d kind %d id %d", position,
              q->factor, q->kind, q->id);
}

Test(formula_linear, fields) {
    struct gasket_linear l = parse("rank(params) - batch_dims - 1");
    cr_expect_eq(l.constant, -1);
    cr_expect_eq(l.n, 2);
    expect_quantity(&l, 0, 1, GASKET_RANK_OF, PARAMS);
    expect_quantity(&l, 1, -1, GASKET_ATTRIBUTE_VALUE, BATCH_DIMS);
    l = parse("-rank(indices)");
    cr_expect_eq(l.constant, 0);
    cr_expect_eq(l.n, 1);
    expect_quantity(&l, 0, -1, GASKET_RANK_OF, INDICES);
    l = parse("0");
    cr_expect_eq(l.constant, 0);
    cr_expect_eq(l.n, 0);
}

Test(formula_linear, likes_are_added_up) {
    struct gasket_linear l = parse("axis + 3 + axis - 5 + rank(params) + axis");
    cr_expect_eq(l.constant, -2);
    cr_expect_eq(l.n, 2);
    expect_quantity(&l, 0, 3, GASKET_ATTRIBUTE_VALUE, AXIS);
    expect_quantity(&l, 1, 1, GASKET_RANK_OF, PARAMS);
    l = parse("axis - batch_dims - axis");
    cr_expect_eq(l.n, 1);
    expect_quantity(&l, 0, -1, GASKET_ATTRIBUTE_VALUE, BATCH_DIMS);
}

Test(formula_linear, an_attribute_named_rank) {
    struct gasket_linear l = parse("rank + rank(params)");
    cr_expect_eq(l.n, 2);
    expect_quantity(&l, 0, 1, GASKET_ATTRIBUTE_VALUE, RANK);
    expect_quantity(&l, 1, 1, GASKET_RANK_OF, PARAMS);
}

Test(formula_linear, printed) {
    static const struct {
        const char *text, *printed;
    } list[] = {
        {"7", "7"},
        {"-7", "-7"},
        {"3-3", "0"},
        {"axis-axis", "0"},
        {"axis", "axis"},
        {"-axis", "-axis"},
        {"1+axis", "axis + 1"},
        {"-1-axis", "-axis - 1"},
        {" rank ( params )\n-1 ", "rank(params) - 1"},
        {"axis - batch_dims", "axis - batch_dims"},
        {"rank(params) + rank(params) - axis - axis", "rank(params) + rank(params) - axis - axis"},
        {"9223372036854775807", "9223372036854775807"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"axis - 9223372036854775808", "axis - 9223372036854775808"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        struct gasket_formula formula = gather();
        struct gasket_linear linear = parse(list[i].text), again;
        char text[200];
        size_t length = gk_linear_print(&linear, &formula, attributes, text, sizeof text);
        cr_expect_str_eq(text, list[i].printed);
        cr_expect_eq(length, strlen(list[i].printed));
        again = parse(text);
        cr_expect_eq(memcmp(&again, &linear, sizeof linear), 0, "%s", text);
    }
}

/* '^' marks the column of the error. */
static const struct {
    const char *marked, *said;
} invalid[] = {
    {"^", "expected a whole number, an attribute or rank(TENSOR), found the end"},
    {"-^", "expected a whole number, an attribute or rank(TENSOR), found the end"},
    {"^+ 1", "expected a whole number, an attribute or rank(TENSOR), found '+'"},
    {"-^-1", "expected a whole number, an attribute or rank(TENSOR), found '-'"},
    {"1 +^", "found the end"},
    {"1 ^2", "expected '+', '-' or the end, found '2'"},
    {"2 ^* axis", "expected '+', '-' or the end, found '*'"},
    {"axis ^batch_dims", "expected '+', '-' or the end, found 'batch_dims'"},
    {"axis ^-= 1", "expected '+', '-' or the end, found '-='"},
    {"axis^)", "expected '+', '-' or the end, found ')'"},
    {"^2x", "'2x' is neither a name"},
    {"^axes", "there is no attribute 'axes' before this place"},
    {"^later", "there is no attribute 'later' before this place"},
    {"^params", "there is no attribute 'params'"},
    {"^shape", "attribute 'shape' is a list, not a number"},
    {"^B", "found 'B'"},
    {"1^.5", "expected '+', '-' or the end, found '.'"},
    {"rank(^", "expected a tensor's name, found the end"},
    {"rank(^)", "expected a tensor's name, found ')'"},
    {"rank(^axis)", "the formula has no tensor 'axis'"},
    {"rank(^out)", "'out' is the output"},
    {"rank(params^", "expected ')', found the end"},
    {"rank(params^, 1)", "expected ')', found ','"},
    {"^9223372036854775808", "does not fit into 64 bits"},
    {"-^9223372036854775809", "does not fit into 64 bits"},
    {"^99999999999999999999999999", "does not fit into 64 bits"},
    {"9223372036854775807 + ^1", "does not fit into 64 bits"},
    {"^abcdefghijklmnopqrstuvwxyz_12345", "longer than 31 characters"},
};

Test(formula_linear, refused) {
    for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++) {
        struct gasket_formula formula = gather();
        struct gasket_linear linear;
        struct gk_formula_error error = {-1, ""};
        char text[100];
        size_t column = strcspn(invalid[i].marked, "^");
        memcpy(text, invalid[i].marked, column);
        strcpy(text + column, invalid[i].marked + column + 1);
        cr_expect_eq(gk_linear_parse(text, &formula, attributes, LATER, &linear, &error), -1, "accepted: %s", text);
        cr_expect_eq(error.column, (int)column, "%s: column %d (%s)", invalid[i].marked, error.column, error.text);
        cr_expect(strstr(error.text, invalid[i].said) != NULL, "%s: said \"%s\"", invalid[i].marked, error.text);
    }
}

static int parse_repeated(const char *part, int times, struct gasket_linear *linear, struct gk_formula_error *error) {
    struct gasket_formula formula = gather();
    char text[4000] = "0";
    for (int i = 0; i < times; i++) {
        strcat(text, part);
    }
    return gk_linear_parse(text, &formula, attributes, LATER, linear, error);
}

Test(formula_linear, limits) {
    struct gasket_linear linear;
    struct gk_formula_error error;
    cr_expect_eq(parse_repeated("+axis", 127, &linear, &error), 0);
    expect_quantity(&linear, 0, 127, GASKET_ATTRIBUTE_VALUE, AXIS);
    cr_expect_eq(parse_repeated("-axis", 127, &linear, &error), 0);
    expect_quantity(&linear, 0, -127, GASKET_ATTRIBUTE_VALUE, AXIS);
    cr_expect_eq(parse_repeated("-axis", 128, &linear, &error), -1);
    cr_expect(strstr(error.text, "more than 127 times") != NULL, "%s", error.text);
    cr_expect_eq(error.column, 1 + 5 * 127 + 1);
}

Test(formula_linear, six_quantities_and_no_more) {
    struct gasket_formula formula = formula_of("out[N] = a[b[N]] * c[d[N]] * e[N]");
    struct gasket_linear linear;
    struct gk_formula_error error;
    const char *six = "rank(a) + rank(b) + rank(c) + rank(d) + rank(e) + axis";
    const char *seven = "rank(a) + rank(b) + rank(c) + rank(d) + rank(e) + axis - batch_dims";
    cr_expect_eq(gk_linear_parse(six, &formula, attributes, LATER, &linear, &error), 0);
    cr_expect_eq(linear.n, 6);
    cr_expect_eq(gk_linear_parse(seven, &formula, attributes, LATER, &linear, &error), -1);
    cr_expect_eq(error.column, (int)strlen(six) + 3);
    cr_expect(strstr(error.text, "more than 6 ranks and attributes") != NULL, "%s", error.text);
}
