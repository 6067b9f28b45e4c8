/* The structure of formulas with kernels, and which formulas have none. */
#include "formula/structure.h"

#include <criterion/criterion.h>

#include "formula/formula.h"

static struct gasket_formula parse(const char *text) {
    struct gasket_formula formula;
    struct gk_formula_error error = {-1, ""};
    int failed = gk_formula_parse(text, &formula, &error);
    cr_assert_eq(failed, 0, "%s: column %d: %s", text, error.column, error.text);
    return formula;
}

/* `roles` holds a letter for each group, in the groups' order: b(atch), o(uter), i(ndex), s(lice). */
static void expect_structure(const char *text, int scatters, const char *names, const char *roles) {
    static const char letters[] = {
        [GK_ROLE_BATCH] = 'b', [GK_ROLE_OUTER] = 'o', [GK_ROLE_INDEX] = 'i', [GK_ROLE_SLICE] = 's'};
    struct gasket_formula formula = parse(text);
    struct gk_structure structure;
    cr_assert_eq(gk_formula_structure(&formula, &structure), 0, "%s", text);
    cr_expect_eq(structure.scatters, scatters, "%s", text);
    const uint8_t accesses[] = {structure.lookup, structure.indexed, structure.plain};
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(formula.tensors[formula.accesses[accesses[i]].tensor][0], names[i], "%s: access %d", text, i);
    }
    const struct gasket_term *term = &formula.terms[formula.subscripts[structure.lookup_subscript].first_term];
    cr_expect(term->kind == GASKET_TERM_LOOKUP && term->id == structure.lookup, "%s", text);
    for (int g = 0; g < formula.n_groups; g++) {
        cr_expect_eq(letters[structure.roles[g]], roles[g], "%s: group %c has the role %c", text, formula.groups[g],
                     letters[structure.roles[g]]);
    }
}

Test(structure, gathers) {
    expect_structure("out[B, O, N, S] = params[B, O, indices[B, N], S]", 0, "ipo", "bois");
    expect_structure("out[B, N, S] = params[B, indices[B, N, *], S]", 0, "ipo", "bis");
    expect_structure("out[P, N, S] = params[P, indices[P, N, S], S]", 0, "ipo", "bib");
    expect_structure("out[N] = params[indices[N]]", 0, "ipo", "i");
    expect_structure("out[S, N] = params[indices[N], S]", 0, "ipo", "si");
    expect_structure("out[] = params[indices[*]]", 0, "ipo", "");
    expect_structure("out[O, S] = params[O, indices[], S]", 0, "ipo", "os");
}

Test(structure, scatters) {
    expect_structure("out[indices[N, *], S] += updates[N, S] from zeros", 1, "iou", "is");
    expect_structure("out[indices[N, *], S] ?= updates[N, S] from tensor", 1, "iou", "is");
    expect_structure("out[B, O, indices[B, N], S] max= updates[B, O, N, S] from tensor", 1, "iou", "bois");
    expect_structure("out[indices[N], S] = updates[S, N] from zeros", 1, "iou", "is");
}

Test(structure, has_none) {
    static const char *const texts[] = {
        "out[G, S] += table[indices[G, L], S] * weights[G, L] from zeros", /* two factors */
        "out[B, W, S] = params[B, start[B] + W, S]",                       /* a sum */
        "out[A, B] = x[A + B]",                                            /* a sum without a lookup */
        "out[A, B] = x[B, A]",                                             /* no lookup */
        "out[N] = x[i[N], j[N]]",                                          /* two lookups */
        "out[N] = x[i[j[N]]]",                                             /* a lookup in a lookup */
        "out[i[N]] = x[j[N]] from zeros",                                  /* lookups on both sides */
        "out[N] += x[i[N]] from zeros",                                    /* a gather that combines */
        "out[S] += x[i[N], S] from zeros",                                 /* N is summed */
        "out[N] += x[i[N], L] from zeros",                                 /* L is summed */
        "out[i[N], S] += x[S] from zeros",                                 /* N is not in x */
        "out[N, i[N]] = x[] from zeros",                                   /* N is not in x */
        "out[i[N]] += x[N, L] from zeros",                                 /* L only in x */
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct gasket_formula formula = parse(texts[i]);
        struct gk_structure structure;
        cr_expect_eq(gk_formula_structure(&formula, &structure), -1, "%s", texts[i]);
    }
}
