/* lexer: the words of formulas and of linear expressions, one ahead of the parser. */
#ifndef GASKET_FORMULA_LEXER_H
#define GASKET_FORMULA_LEXER_H

#include "formula/formula.h"

enum gk_token_kind {
    GK_TOKEN_END,
    GK_TOKEN_NAME,    /* [a-z][a-z0-9_]* */
    GK_TOKEN_GROUP,   /* one capital letter */
    GK_TOKEN_INTEGER, /* digits */
    GK_TOKEN_SIGN,    /* "=", "+="...: value is the enum gasket_combine */
    GK_TOKEN_OTHER    /* one character, or a word that is none of the above */
};

struct gk_token {
    enum gk_token_kind kind;
    int column, length;
    int value;
};

struct gk_lexer {
    const char *text;
    struct gk_token token; /* not yet taken */
    struct gk_formula_error *error;
};

void gk_lexer_start(struct gk_lexer *lexer, const char *text, struct gk_formula_error *error);
void gk_lexer_next(struct gk_lexer *lexer);

int gk_lexer_at(const struct gk_lexer *lexer, const char *word);
/* Takes the word if it comes next, and says whether it did. */
int gk_lexer_take(struct gk_lexer *lexer, const char *word);
/* Takes a name into name[GASKET_NAME_SIZE]. Returns 0, or -1 with the error set; `what` says what the name is of. */
int gk_lexer_name(struct gk_lexer *lexer, char *name, const char *what);

/* Set the error and return -1: at a column, or that `what` was expected in place of the next word. */
int gk_formula_fail(struct gk_formula_error *error, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int gk_lexer_expected(struct gk_lexer *lexer, const char *what);

/* The sign of each enum gasket_combine, GASKET_CHOSEN included. */
extern const char *const gk_signs[GASKET_CHOSEN + 1];

#endif
