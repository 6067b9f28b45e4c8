/* Formulas and linear expressions. The first line is a formula; each line after it is an expression, read with that
 * formula where it is one, else with that of gather. */
#include "formula/formula.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula/structure.h"
#include "parsers/target.h"

enum { PRINTED = 1 << 16 };

static const struct gasket_attribute attributes[] = {
    {.name = "axis"}, {.name = "batch_dims"}, {.name = "rank"}, {.name = "shape", .type = GASKET_ATTRIBUTE_INTS}};
enum { N_ATTRIBUTES = sizeof attributes / sizeof attributes[0] };

/* An error lies in the text and says in plain characters, not cut short, what is wrong. */
static void expect_error(const struct gk_formula_error *error, const char *text) {
    size_t length = strnlen(error->text, sizeof error->text);
    expect(error->column >= 0 && (size_t)error->column <= strlen(text), "column %d of '%s'", error->column, text);
    expect(length > 0 && length < sizeof error->text - 1, "an error of %zu bytes for '%s'", length, text);
    for (size_t i = 0; i < length; i++) {
        expect(error->text[i] >= ' ' && error->text[i] <= '~', "the error holds the byte %d", error->text[i]);
    }
}

/* ---- Formulas ---- */

struct uses {
    int terms[GASKET_MAX_TERMS], subscripts[GASKET_MAX_SUBSCRIPTS], accesses[GASKET_MAX_ACCESSES];
};

static int use(int *counts, int id, int n) {
    if (expect(id >= 0 && id < n, "the number %d, where there are %d", id, n)) {
        counts[id]++;
        return 1;
    }
    return 0;
}

static void walk_access(const struct gasket_formula *formula, int id, int depth, struct uses *uses);

static void walk_subscript(const struct gasket_formula *formula, int id, int depth, struct uses *uses) {
    if (!use(uses->subscripts, id, formula->n_subscripts)) {
        return;
    }
    const struct gasket_subscript *subscript = &formula->subscripts[id];
    expect(subscript->n_terms > 0, "a subscript without a term");
    for (int i = subscript->first_term; i < subscript->first_term + subscript->n_terms; i++) {
        if (!use(uses->terms, i, formula->n_terms)) {
            return;
        }
        if (formula->terms[i].kind == GASKET_TERM_LOOKUP) {
            walk_access(formula, formula->terms[i].id, depth + 1, uses);
        } else {
            expect(formula->terms[i].id < formula->n_groups, "no group %d", formula->terms[i].id);
        }
    }
}

static void walk_access(const struct gasket_formula *formula, int id, int depth, struct uses *uses) {
    if (!expect(depth <= 3, "lookups %d deep", depth) || !use(uses->accesses, id, formula->n_accesses)) {
        return;
    }
    const struct gasket_access *access = &formula->accesses[id];
    expect(access->tensor < formula->n_tensors, "no tensor %d", access->tensor);
    expect(!access->is_tuple || depth > 0, "a tuple that is no lookup");
    for (int i = 0; i < access->n_subscripts; i++) {
        walk_subscript(formula, access->first_subscript + i, depth, uses);
    }
}

/* The groups among an access's own subscripts, as bits; none stands twice. */
static uint32_t groups_of(const struct gasket_formula *formula, const struct gasket_access *access) {
    uint32_t groups = 0;
    for (int s = access->first_subscript; s < access->first_subscript + access->n_subscripts; s++) {
        const struct gasket_subscript *subscript = &formula->subscripts[s];
        for (int t = subscript->first_term; t < subscript->first_term + subscript->n_terms; t++) {
            const struct gasket_term *term = &formula->terms[t];
            uint32_t bit = term->kind == GASKET_TERM_GROUP ? GASKET_BIT(term->id) : 0;
            expect((groups & bit) == 0, "group %d twice", term->id);
            groups |= bit;
        }
    }
    return groups;
}

/* The output is written and not read; every group has its size from something that is read; what is combined has a
 * start. */
static void expect_meaning(const struct gasket_formula *formula) {
    const struct gasket_access *left = &formula->accesses[formula->left];
    uint32_t on_left = groups_of(formula, left), read = 0;
    for (int i = 0; i < formula->n_accesses; i++) {
        if (i != formula->left) {
            read |= groups_of(formula, &formula->accesses[i]);
            expect(formula->accesses[i].tensor != left->tensor, "the output is read");
        }
    }
    expect((on_left & ~read) == 0 && read == GASKET_BIT(formula->n_groups) - 1, "a group without a size");
    expect(formula->combine == GASKET_STORE || formula->origin != GASKET_FROM_NOTHING, "no start");
    expect(formula->origin_tensor != left->tensor, "the output is its own start");
}

static void expect_once(const int *counts, int n, const char *what) {
    for (int i = 0; i < n; i++) {
        expect(counts[i] == 1, "%s %d is used %d times", what, i, counts[i]);
    }
}

/* Each part is used just once, and all that refers refers to something that is there. */
static void expect_whole(const struct gasket_formula *formula) {
    struct uses uses = {0};
    walk_access(formula, formula->left, 0, &uses);
    expect(formula->n_factors >= 1 && formula->n_factors <= GASKET_MAX_FACTORS, "%d factors", formula->n_factors);
    for (int i = 0; i < formula->n_factors; i++) {
        walk_access(formula, formula->factors[i], 0, &uses);
    }
    expect_once(uses.accesses, formula->n_accesses, "access");
    expect_once(uses.subscripts, formula->n_subscripts, "subscript");
    expect_once(uses.terms, formula->n_terms, "term");
    expect((formula->origin == GASKET_FROM_TENSOR) == (formula->origin_tensor < formula->n_tensors), "origin %d, %d",
           formula->origin, formula->origin_tensor);
    expect(formula->combine <= GASKET_CHOSEN, "no sign %d", formula->combine);
}

/* What a formula with kernels looks up, reads and is made of. */
static void expect_structure(const struct gasket_formula *formula) {
    struct gk_structure structure;
    if (gk_formula_structure(formula, &structure) != 0) {
        return;
    }
    expect(structure.lookup < formula->n_accesses && structure.indexed < formula->n_accesses &&
               structure.plain < formula->n_accesses && structure.lookup_subscript < formula->n_subscripts,
           "the structure names what is not there");
    expect(structure.scatters == gk_formula_scatters(formula), "it scatters, or it does not");
    for (int i = 0; i < formula->n_groups; i++) {
        expect(structure.roles[i] <= GK_ROLE_SLICE, "no role %d", structure.roles[i]);
    }
}

/* A buffer that is too small holds the beginning, and the length is told all the same. */
static void expect_cut(const struct gasket_formula *formula, const char *printed, size_t length) {
    size_t size = length / 2 + 1;
    char *cut = copy_text(printed, size - 1);
    memset(cut, 'x', size);
    expect(gk_formula_print(formula, cut, size) == length, "the length of a text that is cut");
    expect(strlen(cut) == size - 1 && memcmp(cut, printed, size - 1) == 0, "'%s', cut, is '%s'", printed, cut);
    free(cut);
}

static void expect_round_trip(const struct gasket_formula *formula) {
    static char printed[PRINTED], second[PRINTED];
    struct gasket_formula again;
    struct gk_formula_error error;
    size_t length = gk_formula_print(formula, printed, sizeof printed);
    expect(length < sizeof printed && strlen(printed) == length, "a printed text of %zu characters", length);
    if (expect(gk_formula_parse(printed, &again, &error) == 0, "'%s' is refused: %s", printed, error.text)) {
        expect(memcmp(formula, &again, sizeof again) == 0, "'%s' is not the same when it is read again", printed);
        gk_formula_print(&again, second, sizeof second);
        expect(strcmp(printed, second) == 0, "'%s' is printed as '%s'", printed, second);
    }
    expect_cut(formula, printed, length);
}

static int run_formula(const char *text, struct gasket_formula *formula) {
    struct gk_formula_error error = {-1, ""};
    if (gk_formula_parse(text, formula, &error) != 0) {
        expect_error(&error, text);
        return -1;
    }
    expect_whole(formula);
    expect_meaning(formula);
    expect_structure(formula);
    expect_round_trip(formula);
    return 0;
}

/* ---- Expressions ---- */

/* Any number that differs from name to name. */
static uint64_t value_of(const char *name, size_t length) {
    uint64_t value = 5381;
    for (size_t i = 0; i < length; i++) {
        value = value * 33 + (unsigned char)name[i];
    }
    return value;
}

/* The value of an expression's text, modulo 2^64, taken from its words one after the other. */
static uint64_t value_of_text(const char *text) {
    uint64_t sum = 0, sign = 1;
    while (*text != 0) {
        size_t length = strcspn(text, " \t\r+-()");
        if (length == 0) {
            sign = *text == '-' ? UINT64_MAX : *text == '+' ? 1 : sign;
            length = 1;
        } else if (text[0] >= '0' && text[0] <= '9') {
            sum += sign * strtoull(text, NULL, 10);
        } else if (text[length + strspn(text + length, " \t\r")] != '(') {
            sum += sign * value_of(text, length);
        }
        text += length;
    }
    return sum;
}

static uint64_t value_of_linear(const struct gasket_linear *linear, const struct gasket_formula *formula) {
    uint64_t sum = (uint64_t)linear->constant;
    for (int i = 0; i < linear->n; i++) {
        const struct gasket_quantity *quantity = &linear->quantities[i];
        int is_rank = quantity->kind == GASKET_RANK_OF;
        expect(quantity->factor != 0, "a factor of 0");
        if (expect(quantity->id < (is_rank ? formula->n_tensors : N_ATTRIBUTES), "no quantity %d", quantity->id)) {
            const char *name = is_rank ? formula->tensors[quantity->id] : attributes[quantity->id].name;
            sum += (uint64_t)(int64_t)quantity->factor * value_of(name, strlen(name));
        }
    }
    return sum;
}

static void run_linear(const char *text, const struct gasket_formula *formula) {
    static char printed[PRINTED];
    struct gasket_linear linear, again;
    struct gk_formula_error error = {-1, ""};
    if (gk_linear_parse(text, formula, attributes, N_ATTRIBUTES, &linear, &error) != 0) {
        expect_error(&error, text);
        return;
    }
    expect(linear.n <= GASKET_MAX_QUANTITIES, "%d quantities", linear.n);
    expect(value_of_linear(&linear, formula) == value_of_text(text), "'%s' has another value", text);
    size_t length = gk_linear_print(&linear, formula, attributes, printed, sizeof printed);
    expect(length < sizeof printed && strlen(printed) == length, "a printed text of %zu characters", length);
    if (expect(gk_linear_parse(printed, formula, attributes, N_ATTRIBUTES, &again, &error) == 0, "'%s' is refused: %s",
               printed, error.text)) {
        expect(memcmp(&linear, &again, sizeof again) == 0, "'%s' is not the same when it is read again", printed);
    }
}

void target_run(const char *bytes, size_t size) {
    struct gasket_formula formula;
    struct gk_formula_error error;
    char *text = copy_text(bytes, size), *line = strchr(text, '\n');
    if (line != NULL) {
        *line++ = 0;
    }
    if (run_formula(text, &formula) != 0) {
        expect(gk_formula_parse("out[B, O, N, S] = params[B, O, indices[B, N], S]", &formula, &error) == 0, "gather");
    }
    while (line != NULL) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end++ = 0;
        }
        run_linear(line, &formula);
        line = end;
    }
    free(text);
}
