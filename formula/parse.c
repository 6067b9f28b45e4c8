/* parse: recursive descent over the grammar in formula.h. The terms of a subscript and the subscripts of an access must
 * lie side by side although lookups nest, so each level collects its own and stores them when it is complete. */
#include <string.h>

#include "formula/check.h"
#include "formula/lexer.h"

enum { MAX_NESTING = 3 }; /* lookups within lookups */

struct parser {
    struct gk_lexer lexer;
    struct gasket_formula *formula;
    struct gk_formula_columns *columns;
    int nesting;
};

struct term_list {
    int n;
    struct gasket_term terms[GASKET_MAX_TERMS];
    int columns[GASKET_MAX_TERMS];
};

struct subscript_list {
    int n;
    struct gasket_subscript subscripts[GASKET_MAX_SUBSCRIPTS];
};

static int parse_access(struct parser *parser, uint8_t *id);

static int fail_limit(struct parser *parser, int column, int limit, const char *what) {
    return gk_formula_fail(parser->lexer.error, column, "more than %d %s in one formula", limit, what);
}

static int parse_tensor(struct parser *parser, uint8_t *id) {
    struct gasket_formula *formula = parser->formula;
    int column = parser->lexer.token.column;
    char name[GASKET_NAME_SIZE];
    if (gk_lexer_at(&parser->lexer, "from") || gk_lexer_at(&parser->lexer, "zeros")) {
        return gk_formula_fail(parser->lexer.error, column,
                               "expected a tensor's name; 'from' and 'zeros' are words of the language");
    }
    if (gk_lexer_name(&parser->lexer, name, "a tensor's name")) {
        return -1;
    }
    *id = gk_formula_tensor(formula, name);
    if (*id != GASKET_NONE) {
        return 0;
    }
    if (formula->n_tensors == GASKET_MAX_TENSORS) {
        return fail_limit(parser, column, GASKET_MAX_TENSORS, "tensors");
    }
    *id = formula->n_tensors++;
    memcpy(formula->tensors[*id], name, strlen(name) + 1);
    return 0;
}

static int parse_group(struct parser *parser, uint8_t *id) {
    struct gasket_formula *formula = parser->formula;
    int column = parser->lexer.token.column;
    char letter = parser->lexer.text[column];
    *id = gk_formula_group(formula, letter);
    if (*id == GASKET_NONE) {
        if (formula->n_groups == GASKET_MAX_GROUPS) {
            return fail_limit(parser, column, GASKET_MAX_GROUPS, "groups");
        }
        *id = formula->n_groups++;
        formula->groups[*id] = letter;
    }
    gk_lexer_next(&parser->lexer);
    return 0;
}

static int parse_lookup(struct parser *parser, uint8_t *id) {
    if (parser->nesting == MAX_NESTING) {
        return gk_formula_fail(parser->lexer.error, parser->lexer.token.column,
                               "lookups stand more than %d deep in each other", MAX_NESTING);
    }
    parser->nesting++;
    int failed = parse_access(parser, id);
    parser->nesting--;
    return failed;
}

static int parse_term(struct parser *parser, struct gasket_term *term) {
    if (parser->lexer.token.kind == GK_TOKEN_GROUP) {
        term->kind = GASKET_TERM_GROUP;
        return parse_group(parser, &term->id);
    }
    if (parser->lexer.token.kind == GK_TOKEN_NAME) {
        term->kind = GASKET_TERM_LOOKUP;
        return parse_lookup(parser, &term->id);
    }
    return gk_lexer_expected(&parser->lexer, "a group or a lookup");
}

static int store_terms(struct parser *parser, const struct term_list *list, struct gasket_subscript *subscript) {
    struct gasket_formula *formula = parser->formula;
    int first = formula->n_terms;
    if (list->n > GASKET_MAX_TERMS - first) {
        return fail_limit(parser, list->columns[0], GASKET_MAX_TERMS, "groups and lookups as subscripts");
    }
    for (int i = 0; i < list->n; i++) {
        formula->terms[first + i] = list->terms[i];
        parser->columns->terms[first + i] = list->columns[i];
    }
    formula->n_terms = (uint8_t)(first + list->n);
    *subscript = (struct gasket_subscript){(uint8_t)first, (uint8_t)list->n};
    return 0;
}

static int parse_subscript(struct parser *parser, struct gasket_subscript *subscript) {
    struct term_list list = {0};
    do {
        int column = parser->lexer.token.column;
        if (list.n == GASKET_MAX_TERMS) {
            return fail_limit(parser, column, GASKET_MAX_TERMS, "groups and lookups as subscripts");
        }
        if (parse_term(parser, &list.terms[list.n])) {
            return -1;
        }
        list.columns[list.n++] = column;
    } while (gk_lexer_take(&parser->lexer, "+"));
    return store_terms(parser, &list, subscript);
}

static int parse_tuple_mark(struct parser *parser, struct gasket_access *access) {
    int column = parser->lexer.token.column;
    if (parser->nesting == 0) {
        return gk_formula_fail(parser->lexer.error, column, "the tuple mark '*' stands in '%s', which is not a lookup",
                               parser->formula->tensors[access->tensor]);
    }
    access->is_tuple = 1;
    gk_lexer_next(&parser->lexer);
    if (!gk_lexer_at(&parser->lexer, "]")) {
        return gk_lexer_expected(&parser->lexer, "']' after the tuple mark '*'");
    }
    return 0;
}

static int parse_subscripts(struct parser *parser, struct gasket_access *access, struct subscript_list *list) {
    if (gk_lexer_at(&parser->lexer, "]")) {
        return 0;
    }
    do {
        if (gk_lexer_at(&parser->lexer, "*")) {
            return parse_tuple_mark(parser, access);
        }
        if (list->n == GASKET_MAX_SUBSCRIPTS) {
            return fail_limit(parser, parser->lexer.token.column, GASKET_MAX_SUBSCRIPTS, "subscripts");
        }
        if (parse_subscript(parser, &list->subscripts[list->n])) {
            return -1;
        }
        list->n++;
    } while (gk_lexer_take(&parser->lexer, ","));
    return 0;
}

static int store_subscripts(struct parser *parser, const struct subscript_list *list, struct gasket_access *access) {
    struct gasket_formula *formula = parser->formula;
    int first = formula->n_subscripts;
    if (list->n > GASKET_MAX_SUBSCRIPTS - first) {
        return fail_limit(parser, parser->lexer.token.column, GASKET_MAX_SUBSCRIPTS, "subscripts");
    }
    memcpy(formula->subscripts + first, list->subscripts, (size_t)list->n * sizeof list->subscripts[0]);
    formula->n_subscripts = (uint8_t)(first + list->n);
    access->first_subscript = (uint8_t)first;
    access->n_subscripts = (uint8_t)list->n;
    return 0;
}

static int parse_brackets(struct parser *parser, struct gasket_access *access) {
    struct subscript_list list = {0};
    if (!gk_lexer_take(&parser->lexer, "[")) {
        return gk_lexer_expected(&parser->lexer, "'[' after a tensor's name");
    }
    if (parse_subscripts(parser, access, &list)) {
        return -1;
    }
    if (!gk_lexer_at(&parser->lexer, "]")) {
        return gk_lexer_expected(&parser->lexer, list.n ? "',', '+' or ']'" : "']'");
    }
    if (store_subscripts(parser, &list, access)) {
        return -1;
    }
    gk_lexer_next(&parser->lexer);
    return 0;
}

static int parse_access(struct parser *parser, uint8_t *id) {
    struct gasket_formula *formula = parser->formula;
    struct gasket_access access = {0};
    int column = parser->lexer.token.column;
    if (parse_tensor(parser, &access.tensor)) {
        return -1;
    }
    if (formula->n_accesses == GASKET_MAX_ACCESSES) {
        return fail_limit(parser, column, GASKET_MAX_ACCESSES, "uses of tensors");
    }
    *id = formula->n_accesses++;
    parser->columns->accesses[*id] = column;
    if (parse_brackets(parser, &access)) {
        return -1;
    }
    formula->accesses[*id] = access;
    return 0;
}

static int parse_sign(struct parser *parser) {
    const struct gk_token *token = &parser->lexer.token;
    if (token->kind != GK_TOKEN_SIGN) {
        return gk_lexer_expected(&parser->lexer, "a sign (= += -= *= min= max= ?=)");
    }
    parser->formula->combine = (uint8_t)token->value;
    parser->columns->sign = token->column;
    gk_lexer_next(&parser->lexer);
    return 0;
}

static int parse_product(struct parser *parser) {
    struct gasket_formula *formula = parser->formula;
    do {
        if (formula->n_factors == GASKET_MAX_FACTORS) {
            return fail_limit(parser, parser->lexer.token.column, GASKET_MAX_FACTORS, "factors");
        }
        if (parse_access(parser, &formula->factors[formula->n_factors])) {
            return -1;
        }
        formula->n_factors++;
    } while (gk_lexer_take(&parser->lexer, "*"));
    return 0;
}

static int parse_origin(struct parser *parser) {
    struct gasket_formula *formula = parser->formula;
    formula->origin_tensor = GASKET_NONE;
    if (!gk_lexer_take(&parser->lexer, "from")) {
        return 0;
    }
    parser->columns->origin = parser->lexer.token.column;
    if (gk_lexer_take(&parser->lexer, "zeros")) {
        formula->origin = GASKET_FROM_ZEROS;
        return 0;
    }
    if (parser->lexer.token.kind != GK_TOKEN_NAME) {
        return gk_lexer_expected(&parser->lexer, "'zeros' or a tensor's name after 'from'");
    }
    formula->origin = GASKET_FROM_TENSOR;
    return parse_tensor(parser, &formula->origin_tensor);
}

static int parse_end(struct parser *parser) {
    if (parser->lexer.token.kind == GK_TOKEN_END) {
        return 0;
    }
    return gk_lexer_expected(&parser->lexer,
                             parser->formula->origin == GASKET_FROM_NOTHING ? "'*', 'from' or the end" : "the end");
}

int gk_formula_parse(const char *text, struct gasket_formula *formula, struct gk_formula_error *error) {
    struct gk_formula_columns columns = {0};
    struct parser parser = {.formula = formula, .columns = &columns};
    memset(formula, 0, sizeof *formula);
    gk_lexer_start(&parser.lexer, text, error);
    int failed = parse_access(&parser, &formula->left) || parse_sign(&parser) || parse_product(&parser) ||
                 parse_origin(&parser) || parse_end(&parser);
    return failed ? -1 : gk_formula_check(formula, &columns, error);
}
