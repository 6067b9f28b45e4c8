/* Formulas that must be refused: where, and what is said. In the texts '^' marks the column of the error; it is taken
 * out before parsing. */
#include <criterion/criterion.h>
#include <string.h>

#include "formula/formula.h"

struct invalid {
    const char *marked, *said;
};

static int unmark(const char *marked, char *text) {
    const char *caret = strchr(marked, '^');
    size_t column = (size_t)(caret - marked);
    memcpy(text, marked, column);
    strcpy(text + column, caret + 1);
    return (int)column;
}

static void expect_invalid(const struct invalid *invalid) {
    struct gasket_formula formula;
    struct gk_formula_error error = {-1, ""};
    char text[2000];
    int column = unmark(invalid->marked, text);
    cr_expect_eq(gk_formula_parse(text, &formula, &error), -1, "accepted: %s", text);
    cr_expect_eq(error.column, column, "%s: column %d (%s)", invalid->marked, error.column, error.text);
    cr_expect(strstr(error.text, invalid->said) != NULL, "%s: said \"%s\", not \"%s\"", invalid->marked, error.text,
              invalid->said);
}

#define EXPECT_ALL(list)                                          \
    for (size_t i = 0; i < sizeof(list) / sizeof(list)[0]; i++) { \
        expect_invalid(&(list)[i]);                               \
    }

Test(formula_invalid, words) {
    static const struct invalid list[] = {
        {"^Out[A] = x[A]", "'Out' is neither a name"},
        {"^_out[A] = x[A]", "'_out' is neither a name"},
        {"^2out[A] = x[A]", "'2out' is neither a name"},
        {"out[A] = ^outX[A]", "'outX' is neither a name"},
        {"out[^AB] = x[A]", "'AB' is neither a name"},
        {"out[^A2] = x[A]", "'A2' is neither a name"},
        {"out[^2] = x[A]", "expected a group or a lookup, found '2'"},
        {"out[A] = ^7", "expected a tensor's name, found '7'"},
        {"out[A] = x[A] ^$", "found '$'"},
        {"out[A] = x[A] ^\x01", "found the byte 0x01"},
        {"out[A] = x[^\xc3\x84]", "found the byte 0xc3"},
        {"^abcdefghijklmnopqrstuvwxyz_12345[A] = x[A]", "longer than 31 characters"},
        {"out[A] = x[A] from ^abcdefghijklmnopqrstuvwxyz_12345", "longer than 31 characters"},
    };
    EXPECT_ALL(list)
}

Test(formula_invalid, brackets) {
    static const struct invalid list[] = {
        {"^", "expected a tensor's name, found the end"},
        {"   ^", "expected a tensor's name, found the end"},
        {"^[A] = x[A]", "expected a tensor's name, found '['"},
        {"^A = x[A]", "expected a tensor's name, found 'A'"},
        {"out^", "expected '[' after a tensor's name, found the end"},
        {"out ^= x[A]", "expected '[' after a tensor's name, found '='"},
        {"out^(A) = x[A]", "found '('"},
        {"out[^", "expected a group or a lookup, found the end"},
        {"out[A^", "expected ',', '+' or ']', found the end"},
        {"out[A ^B] = x[A, B]", "expected ',', '+' or ']', found 'B'"},
        {"out[A,^] = x[A]", "expected a group or a lookup, found ']'"},
        {"out[^, A] = x[A]", "expected a group or a lookup, found ','"},
        {"out[A,^, B] = x[A, B]", "expected a group or a lookup, found ','"},
        {"out[A +^] = x[A]", "expected a group or a lookup, found ']'"},
        {"out[A ^- B] = x[A, B]", "expected ',', '+' or ']', found '-'"},
        {"out[A] = x[A ^= y[A]", "expected ',', '+' or ']', found '='"},
        {"out[A] = x[i^]", "expected '[' after a tensor's name, found ']'"},
        {"out[A] = x[i[A]^", "expected ',', '+' or ']', found the end"},
        {"out[A] = x[i[A, ^= y[A]", "expected a group or a lookup, found '='"},
    };
    EXPECT_ALL(list)
}

Test(formula_invalid, shape_of_the_whole) {
    static const struct invalid list[] = {
        {"out[A]^", "expected a sign (= += -= *= min= max= ?=), found the end"},
        {"out[A] ^x[A]", "expected a sign (= += -= *= min= max= ?=), found 'x'"},
        {"out[A] ^/= x[A]", "found '/'"},
        {"out[A] ^min = x[A]", "found 'min'"},
        {"out[A] ^admin= x[A]", "found 'admin'"},
        {"out[A] =^", "expected a tensor's name, found the end"},
        {"out[A] =^= x[A]", "expected a tensor's name, found '='"},
        {"out[A] = ^3 * x[A]", "expected a tensor's name, found '3'"},
        {"out[A] = x[A] *^", "expected a tensor's name, found the end"},
        {"out[A] = x[A] ^+ y[A]", "expected '*', 'from' or the end, found '+'"},
        {"out[A] = x[A] ^y[A]", "expected '*', 'from' or the end, found 'y'"},
        {"out[A] = x[A] ^]", "expected '*', 'from' or the end, found ']'"},
        {"out[A] += x[A] from^", "expected 'zeros' or a tensor's name after 'from', found the end"},
        {"out[A] += x[A] from ^0", "expected 'zeros' or a tensor's name after 'from', found '0'"},
        {"out[A] += x[A] from ^A", "expected 'zeros' or a tensor's name after 'from', found 'A'"},
        {"out[A] += x[A] from zeros ^zeros", "expected the end, found 'zeros'"},
        {"out[A] += x[A] from y^[A]", "expected the end, found '['"},
        {"out[A] += x[A] from ^from", "words of the language"},
        {"^zeros[A] = x[A]", "words of the language"},
        {"out[A] = x[A] * ^from zeros", "words of the language"},
        {"out[A] = x[^zeros[A]]", "words of the language"},
    };
    EXPECT_ALL(list)
}

Test(formula_invalid, tuples) {
    static const struct invalid list[] = {
        {"out[A, ^*] = x[A]", "the tuple mark '*' stands in 'out', which is not a lookup"},
        {"out[A] = x[A, ^*]", "the tuple mark '*' stands in 'x', which is not a lookup"},
        {"out[A] = y[A] * x[^*]", "the tuple mark '*' stands in 'x', which is not a lookup"},
        {"out[N] = x[i[*^, N]]", "expected ']' after the tuple mark '*', found ','"},
        {"out[N] = x[i[N, * ^+ N]]", "expected ']' after the tuple mark '*', found '+'"},
        {"out[N] = x[i[N ^*]]", "expected ',', '+' or ']', found '*'"},
        {"out[N] = x[i[N] ^* N]", "expected ',', '+' or ']', found '*'"},
        {"out[N, W] = x[^i[N, *] + W]", "'i' looks up a tuple"},
        {"out[N, W] = x[W + ^i[N, *]]", "'i' looks up a tuple"},
        {"out[N] = x[j[N] + ^i[N, *]]", "'i' looks up a tuple"},
        {"out[N] = x[i[^j[*] + N]]", "'j' looks up a tuple"},
    };
    EXPECT_ALL(list)
}

Test(formula_invalid, tensors) {
    static const struct invalid list[] = {
        {"out[A] = ^out[A]", "'out' is the output and can not be read"},
        {"out[A] = x[A] * ^out[A]", "'out' is the output and can not be read"},
        {"out[A] = x[^out[A]]", "'out' is the output and can not be read"},
        {"out[^out[A]] = x[A] from zeros", "'out' is the output and can not be read"},
        {"out[A] += x[A] from ^out", "'out' is the output and can not be its own start"},
        {"out[A] = x[^x[A]]", "'x' is an index here and a value before"},
        {"out[i[A]] = ^i[A] from zeros", "'i' is a value here and an index before"},
        {"out[A] = x[i[A]] * ^i[A]", "'i' is a value here and an index before"},
        {"out[A] = x[i[A]] * y[^x[A]]", "'x' is an index here and a value before"},
        {"out[i[A]] += x[A] from ^i", "'i' is an index and can not be what the output starts with"},
    };
    EXPECT_ALL(list)
}

Test(formula_invalid, groups) {
    static const struct invalid list[] = {
        {"out[A, ^A] = x[A]", "group 'A' stands twice in the subscripts of 'out'"},
        {"out[A] = x[A, ^A]", "group 'A' stands twice in the subscripts of 'x'"},
        {"out[A] = x[A + ^A]", "group 'A' stands twice in the subscripts of 'x'"},
        {"out[A, B] = x[A, B + ^A]", "group 'A' stands twice in the subscripts of 'x'"},
        {"out[A] = x[i[A, ^A], A]", "group 'A' stands twice in the subscripts of 'i'"},
        {"out[A, ^B] = x[A]", "group 'B' stands nowhere but in 'out'"},
        {"out[^S, i[N]] += x[N] from t", "group 'S' stands nowhere but in 'out'"},
        {"out[A + ^B] = x[A] from zeros", "group 'B' stands nowhere but in 'out'"},
        {"out[A] = x[A, ^L]", "group 'L' is not on the left, and '=' can not sum over it"},
        {"out[A] = x[A] * y[^L]", "group 'L' is not on the left"},
        {"out[A] = x[A, i[^L]]", "group 'L' is not on the left"},
        {"out[i[N]] = x[N, ^L] from zeros", "group 'L' is not on the left"},
    };
    EXPECT_ALL(list)
}

Test(formula_invalid, starts) {
    static const struct invalid list[] = {
        {"out[A] ^+= x[A]", "'+=' needs a start to combine with"},
        {"out[A] ^-= x[A]", "'-=' needs a start"},
        {"out[A] ^*= x[A]", "'*=' needs a start"},
        {"out[A] ^min= x[A]", "'min=' needs a start"},
        {"out[A]^max=x[A]", "'max=' needs a start"},
        {"out[A] ^?= x[A]", "'?=' needs a start"},
        {"out[G, S] ^+= table[indices[G, L], S] * weights[G, L]", "'+=' needs a start"},
        {"out[i[N]] ^= x[N]", "'out' is not stored whole and needs a start"},
        {"out[A + B] ^= x[A, B]", "'out' is not stored whole and needs a start"},
        {"out[B, i[B] + W] ^= x[B, W]", "'out' is not stored whole and needs a start"},
    };
    EXPECT_ALL(list)
}

#define TWELVE "A, B, C, D, E, F, G, H, I, J, K, L"
#define SUM "A + B + C + D + E + F + G + H + I + J + K + L"

Test(formula_invalid, limits) {
    static const struct invalid list[] = {
        {"a[N] = b[c[N]] * d[e[N]] * f[^g[N]]", "more than 6 tensors"},
        {"a[N] += b[c[N]] * d[e[N]] * f[N] from ^g", "more than 6 tensors"},
        {"out[" TWELVE ", ^M] = x[" TWELVE ", M]", "more than 12 groups"},
        {"out[N] = x[i[N], i[N], i[N], i[N], i[N], i[N], i[N], i[N], i[N], i[N], ^i[N]]",
         "more than 12 uses of tensors"},
        {"out[A] = x[A] * x[A] * x[A] * x[A] * ^x[A]", "more than 4 factors"},
        {"out[a[b[c[^d[N]]]]] = x[N] from zeros", "more than 3 deep"},
        {"out[N] = x[a[b[c[^c[N]]]]]", "more than 3 deep"},
        {"out[" TWELVE "] = x[" TWELVE "] * y[" TWELVE "] * z[" TWELVE "] * w[A^]", "more than 48 subscripts"},
        {"out[" TWELVE "] = x[" TWELVE "] * y[" TWELVE "] * z[" TWELVE ", i[A]^]", "more than 48 subscripts"},
        {"out[" TWELVE ", " TWELVE ", " TWELVE ", " TWELVE ", ^A] = x[A]", "more than 48 subscripts"},
        {"out[" SUM "] = x[i[" SUM "], i[" SUM "], i[" SUM "], i[" SUM "], ^A] from zeros",
         "more than 64 groups and lookups"},
        {"out[" SUM "+" SUM "+" SUM "+" SUM "+" SUM "+A+B+C+D+^E] = x[A]", "more than 64 groups and lookups"},
    };
    EXPECT_ALL(list)
}

Test(formula_invalid, text_of_the_error_ends) {
    struct gasket_formula formula;
    struct gk_formula_error error;
    char text[600];
    memset(text, 'Q', sizeof text - 1);
    text[sizeof text - 1] = 0;
    cr_expect_eq(gk_formula_parse(text, &formula, &error), -1);
    cr_expect_eq(error.column, 0);
    cr_expect_lt(strlen(error.text), sizeof error.text);
}
