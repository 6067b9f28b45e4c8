/* Formulas that must be taken: the fields that come out, and the canonical text. */
#include <criterion/criterion.h>
#include <string.h>

#include "formula/formula.h"

static struct gasket_formula parse(const char *text) {
    struct gasket_formula formula;
    struct gk_formula_error error = {-1, ""};
    int failed = gk_formula_parse(text, &formula, &error);
    cr_assert_eq(failed, 0, "%s: column %d: %s", text, error.column, error.text);
    return formula;
}

static void expect_term(const struct gasket_formula *formula, int subscript, int term, int kind, int id) {
    const struct gasket_subscript *s = &formula->subscripts[subscript];
    cr_assert_lt(term, s->n_terms, "subscript %d has %d terms", subscript, s->n_terms);
    const struct gasket_term *t = &formula->terms[s->first_term + term];
    cr_expect(t->kind == kind && t->id == id, "subscript %d, term %d: kind %d id %d, not kind %d id %d", subscript,
              term, t->kind, t->id, kind, id);
}

static void expect_access(const struct gasket_formula *formula, int access, const char *tensor, int n_subscripts,
                          int is_tuple) {
    const struct gasket_access *a = &formula->accesses[access];
    cr_expect_str_eq(formula->tensors[a->tensor], tensor, "access %d", access);
    cr_expect_eq(a->n_subscripts, n_subscripts, "access %d: %d subscripts", access, a->n_subscripts);
    cr_expect_eq(a->is_tuple, is_tuple, "access %d", access);
}

static void expect_counts(const struct gasket_formula *formula, int tensors, int accesses, int subscripts, int terms) {
    cr_expect_eq(formula->n_tensors, tensors, "%d tensors", formula->n_tensors);
    cr_expect_eq(formula->n_accesses, accesses, "%d accesses", formula->n_accesses);
    cr_expect_eq(formula->n_subscripts, subscripts, "%d subscripts", formula->n_subscripts);
    cr_expect_eq(formula->n_terms, terms, "%d terms", formula->n_terms);
}

static void expect_groups(const struct gasket_formula *formula, const char *letters) {
    cr_expect_eq(formula->n_groups, strlen(letters));
    cr_expect_arr_eq(formula->groups, letters, strlen(letters), "groups %.12s, not %s", formula->groups, letters);
}

Test(formula_valid, gather) {
    struct gasket_formula f = parse("out[B, O, N, S] = params[B, O, indices[B, N], S]");
    expect_counts(&f, 3, 3, 10, 10);
    expect_groups(&f, "BONS");
    cr_expect_str_eq(f.tensors[0], "out");
    cr_expect_str_eq(f.tensors[1], "params");
    cr_expect_str_eq(f.tensors[2], "indices");
    expect_access(&f, 0, "out", 4, 0);
    expect_access(&f, 1, "params", 4, 0);
    expect_access(&f, 2, "indices", 2, 0);
    cr_expect_eq(f.left, 0);
    cr_expect_eq(f.n_factors, 1);
    cr_expect_eq(f.factors[0], 1);
    cr_expect_eq(f.combine, GASKET_STORE);
    cr_expect_eq(f.origin, GASKET_FROM_NOTHING);
    cr_expect_eq(f.origin_tensor, GASKET_NONE);
}

Test(formula_valid, subscripts_lie_side_by_side) {
    struct gasket_formula f = parse("out[B, O, N, S] = params[B, O, indices[B, N], S]");
    int out = f.accesses[0].first_subscript, params = f.accesses[1].first_subscript;
    int indices = f.accesses[2].first_subscript;
    for (int i = 0; i < 4; i++) {
        expect_term(&f, out + i, 0, GASKET_TERM_GROUP, i);
    }
    expect_term(&f, params, 0, GASKET_TERM_GROUP, 0);
    expect_term(&f, params + 1, 0, GASKET_TERM_GROUP, 1);
    expect_term(&f, params + 2, 0, GASKET_TERM_LOOKUP, 2);
    expect_term(&f, params + 3, 0, GASKET_TERM_GROUP, 3);
    expect_term(&f, indices, 0, GASKET_TERM_GROUP, 0);
    expect_term(&f, indices + 1, 0, GASKET_TERM_GROUP, 2);
}

Test(formula_valid, tensor_scatter) {
    struct gasket_formula f = parse("out[indices[N, *], S] ?= updates[N, S] from tensor");
    expect_counts(&f, 4, 3, 5, 5);
    expect_groups(&f, "NS");
    expect_access(&f, 0, "out", 2, 0);
    expect_access(&f, 1, "indices", 1, 1);
    expect_access(&f, 2, "updates", 2, 0);
    expect_term(&f, f.accesses[0].first_subscript, 0, GASKET_TERM_LOOKUP, 1);
    expect_term(&f, f.accesses[0].first_subscript + 1, 0, GASKET_TERM_GROUP, 1);
    cr_expect_eq(f.factors[0], 2);
    cr_expect_eq(f.combine, GASKET_CHOSEN);
    cr_expect_eq(f.origin, GASKET_FROM_TENSOR);
    cr_expect_eq(f.origin_tensor, 3);
    cr_expect_str_eq(f.tensors[3], "tensor");
}

Test(formula_valid, window_gather) {
    struct gasket_formula f = parse("out[B, W, S] = params[B, start[B] + W, S]");
    int params = f.accesses[1].first_subscript;
    expect_counts(&f, 3, 3, 7, 8);
    cr_expect_eq(f.subscripts[params].n_terms, 1);
    cr_expect_eq(f.subscripts[params + 1].n_terms, 2);
    expect_term(&f, params + 1, 0, GASKET_TERM_LOOKUP, 2);
    expect_term(&f, params + 1, 1, GASKET_TERM_GROUP, 1);
    expect_term(&f, f.accesses[2].first_subscript, 0, GASKET_TERM_GROUP, 0);
}

Test(formula_valid, embedding_bag) {
    struct gasket_formula f = parse("out[G, S] += table[indices[G, L], S] * weights[G, L] from zeros");
    expect_counts(&f, 4, 4, 8, 8);
    expect_groups(&f, "GSL");
    cr_expect_eq(f.n_factors, 2);
    expect_access(&f, f.factors[0], "table", 2, 0);
    expect_access(&f, f.factors[1], "weights", 2, 0);
    cr_expect_eq(f.combine, GASKET_ADD);
    cr_expect_eq(f.origin, GASKET_FROM_ZEROS);
}

Test(formula_valid, lookups_in_lookups) {
    struct gasket_formula f = parse("out[N] = x[a[b[c[N, *], N]]]");
    expect_counts(&f, 5, 5, 6, 6);
    expect_access(&f, 2, "a", 1, 0);
    expect_access(&f, 3, "b", 2, 0);
    expect_access(&f, 4, "c", 1, 1);
    int b = f.accesses[3].first_subscript;
    expect_term(&f, b, 0, GASKET_TERM_LOOKUP, 4);
    expect_term(&f, b + 1, 0, GASKET_TERM_GROUP, 0);
    for (uint8_t tensor = 0; tensor < f.n_tensors; tensor++) {
        cr_expect_eq(gk_formula_is_index(&f, tensor), tensor >= 2, "%s", f.tensors[tensor]);
    }
}

Test(formula_valid, signs) {
    static const struct {
        const char *text;
        int combine;
    } list[] = {
        {"out[A]=x[A]", GASKET_STORE},
        {"out[A]+=x[A]from zeros", GASKET_ADD},
        {"out[A]-=x[A] from zeros", GASKET_SUB},
        {"out[A]*=x[A] from zeros", GASKET_MUL},
        {"out[A]min=x[A] from zeros", GASKET_MIN},
        {"out[A] max= x[A] from zeros", GASKET_MAX},
        {"out[A] ?= x[A] from zeros", GASKET_CHOSEN},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        struct gasket_formula f = parse(list[i].text);
        cr_expect_eq(f.combine, list[i].combine, "%s", list[i].text);
    }
}

Test(formula_valid, questions) {
    struct gasket_formula f = parse("out[i[N, *], S] += x[N, S, L] from start");
    cr_expect_eq(gk_formula_tensor(&f, "x"), 2);
    cr_expect_eq(gk_formula_tensor(&f, "start"), 3);
    cr_expect_eq(gk_formula_tensor(&f, "star"), GASKET_NONE);
    cr_expect_eq(gk_formula_tensor(&f, ""), GASKET_NONE);
    cr_expect_eq(gk_formula_group(&f, 'S'), 1);
    cr_expect_eq(gk_formula_group(&f, 'Q'), GASKET_NONE);
    cr_expect_eq(gk_formula_is_index(&f, 1), 1);
    cr_expect_eq(gk_formula_is_index(&f, 2), 0);
    cr_expect_eq(gk_formula_is_index(&f, 3), 0);
    cr_expect_eq(gk_formula_scatters(&f), 1);
    cr_expect_eq(gk_access_has_group(&f, f.left, 0, 0), 0);
    cr_expect_eq(gk_access_has_group(&f, f.left, 0, 1), 1);
    cr_expect_eq(gk_access_has_group(&f, f.left, 1, 0), 1);
    cr_expect_eq(gk_access_has_group(&f, f.left, 2, 1), 0);
    struct gasket_formula gather = parse("out[N] = x[i[N]]");
    cr_expect_eq(gk_formula_scatters(&gather), 0);
    struct gasket_formula deep = parse("out[N] = x[i[j[N]]]");
    cr_expect_eq(gk_access_has_group(&deep, 1, 0, 0), 0);
    cr_expect_eq(gk_access_has_group(&deep, 1, 0, 1), 1);
}

#define TWELVE "A, B, C, D, E, F, G, H, I, J, K, L"

/* Canonical texts; each must come out as it is, and give the same formula again. */
static const char *const canonical[] = {
    "out[B, O, N, S] = params[B, O, indices[B, N], S]",
    "out[B, N, S] = params[B, indices[B, N, *], S]",
    "out[indices[N, *], S] += updates[N, S] from zeros",
    "out[indices[N, *], S] ?= updates[N, S] from tensor",
    "out[indices[N, *], S] = updates[N, S] from zeros",
    "out[indices[N, *], S] max= updates[N, S] from tensor",
    "out[B, W, S] = params[B, start[B] + W, S]",
    "out[G, S] += table[indices[G, L], S] * weights[G, L] from zeros",
    "out[P, N, S] = params[P, indices[P, N, S], S]",
    "out[] = x[]",
    "out[] += x[N] from zeros",
    "out[A, B] = x[A] * y[B]",
    "out[A, B] = x[B, A]",
    "out[S] = x[i[*], S]",
    "out[W] = x[start[] + W]",
    "out[i[]] = x[] from t",
    "out[N] = x[a[b[c[N, *], N]]]",
    "out[N, M] = x[i[N], j[M]]",
    "out[A, B] = x[A + B]",
    "out[A + B] += x[A, B] from zeros",
    "out[B, start[B] + W, S] = x[B, W, S] from cache",
    "out[N, i[N]] = x[] from zeros",
    "out[i[N]] += x[] from zeros",
    "out[" TWELVE "] = x[" TWELVE "] * y[" TWELVE "] * z[" TWELVE "]",
    "a_2[N] = b[c[N]] * d[e[N]] * f[N]",
    "out[abcdefghijklmnopqrstuvwxyz_1234[N]] = x[N] from zeros",
    "minus[maxim[N]] = min[N] from max",
    "out[A] = x[A] * x[A] * x[A] * x[A]",
    "out[A] = x[A] from start",
};

Test(formula_valid, round_trip) {
    for (size_t i = 0; i < sizeof canonical / sizeof canonical[0]; i++) {
        struct gasket_formula first = parse(canonical[i]), second;
        char text[500];
        size_t length = gk_formula_print(&first, text, sizeof text);
        cr_expect_str_eq(text, canonical[i]);
        cr_expect_eq(length, strlen(canonical[i]), "%s", canonical[i]);
        second = parse(text);
        cr_expect_eq(memcmp(&first, &second, sizeof first), 0, "%s", text);
    }
}

Test(formula_valid, spaces_mean_nothing) {
    struct gasket_formula tight = parse("out[i[N,*],W]+=u[N,s[N]+W]*v[W]from t");
    struct gasket_formula wide = parse(" out\n[ i [ N , * ] , W ]\t+= u [ N , s [ N ] + W ] \r\n * v [ W ]  from  t ");
    cr_expect_eq(memcmp(&tight, &wide, sizeof tight), 0);
}

Test(formula_valid, prints_into_what_there_is) {
    const char *whole = "out[i[N, *], S] += x[N, S] from zeros";
    struct gasket_formula f = parse(whole);
    for (size_t size = 0; size < strlen(whole) + 3; size++) {
        char text[64];
        memset(text, '#', sizeof text);
        cr_expect_eq(gk_formula_print(&f, text, size), strlen(whole));
        size_t kept = size == 0 ? 0 : size - 1 < strlen(whole) ? size - 1 : strlen(whole);
        cr_expect_eq(memcmp(text, whole, kept), 0, "size %zu", size);
        cr_expect_eq(text[kept], size == 0 ? '#' : 0, "size %zu", size);
        cr_expect_eq(text[size > kept + 1 ? kept + 1 : size], '#', "size %zu", size);
    }
    cr_expect_eq(gk_formula_print(&f, NULL, 0), strlen(whole));
}

#define SUM "A + B + C + D + E + F + G + H + I + J + K + L"

Test(formula_valid, as_many_terms_as_fit) {
    struct gasket_formula f = parse("out[" SUM "] = x[i[" SUM "], i[" SUM "], i[" SUM "], i[" SUM "]] from zeros");
    cr_expect_eq(f.n_terms, GASKET_MAX_TERMS);
    cr_expect_eq(f.n_groups, GASKET_MAX_GROUPS);
    struct gasket_formula g = parse("out[N] = x[i[N], i[N], i[N], i[N], i[N], i[N], i[N], i[N], i[N], i[N]]");
    cr_expect_eq(g.n_accesses, GASKET_MAX_ACCESSES);
}
