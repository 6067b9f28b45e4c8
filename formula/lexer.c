/* lexer: cuts the text into words; knows no locale. */
#include "formula/lexer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const gk_signs[GASKET_CHOSEN + 1] = {"=", "+=", "-=", "*=", "min=", "max=", "?="};

static int is_small(char c) {
    return c >= 'a' && c <= 'z';
}

static int is_capital(char c) {
    return c >= 'A' && c <= 'Z';
}

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

static int is_word(char c) {
    return is_small(c) || is_capital(c) || is_digit(c) || c == '_';
}

static int is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int all_digits(const char *word, int length) {
    for (int i = 0; i < length; i++) {
        if (!is_digit(word[i])) {
            return 0;
        }
    }
    return 1;
}

static int has_capital(const char *word, int length) {
    for (int i = 0; i < length; i++) {
        if (is_capital(word[i])) {
            return 1;
        }
    }
    return 0;
}

static enum gk_token_kind word_kind(const char *word, int length) {
    if (length == 1 && is_capital(word[0])) {
        return GK_TOKEN_GROUP;
    }
    if (is_small(word[0]) && !has_capital(word, length)) {
        return GK_TOKEN_NAME;
    }
    return all_digits(word, length) ? GK_TOKEN_INTEGER : GK_TOKEN_OTHER;
}

static int read_sign(const char *at, struct gk_token *token) {
    for (int combine = 0; combine <= GASKET_CHOSEN; combine++) {
        size_t length = strlen(gk_signs[combine]);
        if (strncmp(at, gk_signs[combine], length) == 0) {
            token->kind = GK_TOKEN_SIGN;
            token->length = (int)length;
            token->value = combine;
            return 1;
        }
    }
    return 0;
}

static void read_token(const char *at, struct gk_token *token) {
    token->kind = *at ? GK_TOKEN_OTHER : GK_TOKEN_END;
    token->length = *at ? 1 : 0;
    token->value = 0;
    if (read_sign(at, token) || !is_word(*at)) {
        return;
    }
    while (is_word(at[token->length])) {
        token->length++;
    }
    token->kind = word_kind(at, token->length);
}

void gk_lexer_next(struct gk_lexer *lexer) {
    int column = lexer->token.column + lexer->token.length;
    while (is_space(lexer->text[column])) {
        column++;
    }
    lexer->token.column = column;
    read_token(lexer->text + column, &lexer->token);
}

void gk_lexer_start(struct gk_lexer *lexer, const char *text, struct gk_formula_error *error) {
    memset(lexer, 0, sizeof *lexer);
    lexer->text = text;
    lexer->error = error;
    gk_lexer_next(lexer);
}

int gk_lexer_at(const struct gk_lexer *lexer, const char *word) {
    const struct gk_token *token = &lexer->token;
    size_t length = strlen(word);
    return (size_t)token->length == length && memcmp(lexer->text + token->column, word, length) == 0;
}

int gk_lexer_take(struct gk_lexer *lexer, const char *word) {
    if (!gk_lexer_at(lexer, word)) {
        return 0;
    }
    gk_lexer_next(lexer);
    return 1;
}

int gk_lexer_name(struct gk_lexer *lexer, char *name, const char *what) {
    const struct gk_token *token = &lexer->token;
    if (token->kind != GK_TOKEN_NAME) {
        return gk_lexer_expected(lexer, what);
    }
    if (token->length >= GASKET_NAME_SIZE) {
        return gk_formula_fail(lexer->error, token->column, "the name is longer than %d characters",
                               GASKET_NAME_SIZE - 1);
    }
    memcpy(name, lexer->text + token->column, (size_t)token->length);
    name[token->length] = 0;
    gk_lexer_next(lexer);
    return 0;
}

int gk_formula_fail(struct gk_formula_error *error, int column, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    error->column = column;
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return -1;
}

static int fail_at_byte(struct gk_lexer *lexer, const char *what) {
    unsigned byte = (unsigned char)lexer->text[lexer->token.column];
    return gk_formula_fail(lexer->error, lexer->token.column, "expected %s, found the byte 0x%02x", what, byte);
}

int gk_lexer_expected(struct gk_lexer *lexer, const char *what) {
    const struct gk_token *token = &lexer->token;
    const char *word = lexer->text + token->column;
    int shown = token->length < GASKET_NAME_SIZE ? token->length : GASKET_NAME_SIZE;
    if (token->kind == GK_TOKEN_END) {
        return gk_formula_fail(lexer->error, token->column, "expected %s, found the end", what);
    }
    if (token->kind != GK_TOKEN_OTHER) {
        return gk_formula_fail(lexer->error, token->column, "expected %s, found '%.*s'", what, shown, word);
    }
    if (is_word(*word)) {
        return gk_formula_fail(lexer->error, token->column,
                               "'%.*s' is neither a name (small letters, digits, '_') nor a group (one capital letter)",
                               shown, word);
    }
    if (*word < ' ' || *word > '~') {
        return fail_at_byte(lexer, what);
    }
    return gk_formula_fail(lexer->error, token->column, "expected %s, found '%c'", what, *word);
}
