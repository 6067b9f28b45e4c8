/* Texts that nobody would write: the parsers never crash, their errors lie within the text, and what they take can be
 * printed and taken again. */
#include <criterion/criterion.h>
#include <string.h>

#include "formula/formula.h"

enum { ROUNDS = 20000, LONGEST = 200 };

static const char *const seeds[] = {
    "out[B, O, N, S] = params[B, O, indices[B, N], S]",
    "out[B, N, S] = params[B, indices[B, N, *], S]",
    "out[indices[N, *], S] ?= updates[N, S] from tensor",
    "out[B, W, S] = params[B, start[B] + W, S]",
    "out[G, S] += table[indices[G, L], S] * weights[G, L] from zeros",
    "out[N] = x[a[b[c[N, *], N]]]",
    "rank(params) - batch_dims - 1 + 42",
};

static const char alphabet[] = "ABNSLabx_09[]()*+-=?, \nminmax=fromzeros\x01\x7f\x80\xff";

static uint32_t draw(uint64_t *state, size_t limit) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % limit);
}

static void change(char *text, uint64_t *state) {
    size_t length = strlen(text), at = draw(state, length + 1);
    char letter = alphabet[draw(state, sizeof alphabet - 1)];
    switch (draw(state, 4)) {
        case 0:
            text[at] = at < length ? letter : 0;
            break;
        case 1:
            memmove(text + at, text + at + (at < length), length + 1 - at - (at < length));
            break;
        case 2:
            memmove(text + at + 1, text + at, length + 1 - at);
            text[at] = letter;
            break;
        default: {
            size_t from = draw(state, length + 1), n = draw(state, 12);
            n = from + n > length ? length - from : n;
            memmove(text + length, text + from, n);
            text[length + n] = 0;
        }
    }
}

static void mutate(char *text, uint64_t *state) {
    strcpy(text, seeds[draw(state, sizeof seeds / sizeof seeds[0])]);
    for (uint32_t i = draw(state, 7); i > 0; i--) {
        change(text, state);
    }
}

static void expect_error_within(const char *text, const struct gk_formula_error *error) {
    cr_assert(error->column >= 0 && (size_t)error->column <= strlen(text), "column %d of: %s", error->column, text);
    cr_assert(error->text[0] != 0 && memchr(error->text, 0, sizeof error->text) != NULL);
}

static int try_formula(const char *text) {
    struct gasket_formula formula, again;
    struct gk_formula_error error = {-1, ""};
    char printed[1000];
    if (gk_formula_parse(text, &formula, &error)) {
        expect_error_within(text, &error);
        return 0;
    }
    cr_assert_lt(gk_formula_print(&formula, printed, sizeof printed), sizeof printed);
    cr_assert_eq(gk_formula_parse(printed, &again, &error), 0, "%s: %s", printed, error.text);
    cr_assert_eq(memcmp(&formula, &again, sizeof formula), 0, "%s", printed);
    return 1;
}

static int try_linear(const char *text) {
    static const struct gasket_attribute attributes[] = {{.name = "batch_dims"}, {.name = "rank"}};
    struct gasket_formula formula;
    struct gasket_linear linear, again;
    struct gk_formula_error error = {-1, ""};
    char printed[1000];
    cr_assert_eq(gk_formula_parse(seeds[0], &formula, &error), 0);
    if (gk_linear_parse(text, &formula, attributes, 2, &linear, &error)) {
        expect_error_within(text, &error);
        return 0;
    }
    cr_assert_lt(gk_linear_print(&linear, &formula, attributes, printed, sizeof printed), sizeof printed);
    cr_assert_eq(gk_linear_parse(printed, &formula, attributes, 2, &again, &error), 0, "%s: %s", printed, error.text);
    cr_assert_eq(memcmp(&linear, &again, sizeof linear), 0, "%s", printed);
    return 1;
}

Test(formula_random, mutations) {
    uint64_t state = 20;
    int formulas = 0, linears = 0;
    for (int i = 0; i < ROUNDS; i++) {
        char text[LONGEST];
        mutate(text, &state);
        formulas += try_formula(text);
        linears += try_linear(text);
    }
    cr_expect(formulas > 1000 && formulas < ROUNDS - 1000, "%d of %d are formulas", formulas, ROUNDS);
    cr_expect(linears > 100, "%d of %d are linear expressions", linears, ROUNDS);
}
