/* linear: sums and differences of whole numbers, attributes and ranks, as specs use them for ranks and limits.
 *     linear = [ "-" ] part { ( "+" | "-" ) part }
 *     part   = INTEGER | ATTRIBUTE | "rank" "(" TENSOR ")" */
#include <inttypes.h>
#include <string.h>

#include "formula/formula.h"
#include "formula/lexer.h"
#include "formula/writer.h"

struct parser {
    struct gk_lexer lexer;
    const struct gasket_formula *formula;
    const struct gasket_attribute *attributes;
    int n_attributes;
    struct gasket_linear *linear;
};

static int fail_size(struct parser *parser, int column) {
    return gk_formula_fail(parser->lexer.error, column, "the number does not fit into 64 bits");
}

static int add_integer(struct parser *parser, int sign) {
    const struct gk_token token = parser->lexer.token;
    int64_t value = 0;
    for (int i = 0; i < token.length; i++) {
        int64_t digit = sign * (parser->lexer.text[token.column + i] - '0');
        if (__builtin_mul_overflow(value, (int64_t)10, &value) || __builtin_add_overflow(value, digit, &value)) {
            return fail_size(parser, token.column);
        }
    }
    if (__builtin_add_overflow(parser->linear->constant, value, &parser->linear->constant)) {
        return fail_size(parser, token.column);
    }
    gk_lexer_next(&parser->lexer);
    return 0;
}

static void remove_quantity(struct gasket_linear *linear, int position) {
    linear->n--;
    memmove(linear->quantities + position, linear->quantities + position + 1,
            (size_t)(linear->n - position) * sizeof linear->quantities[0]);
    linear->quantities[linear->n] = (struct gasket_quantity){0};
}

static int find_quantity(const struct gasket_linear *linear, struct gasket_quantity quantity) {
    int i = 0;
    while (i < linear->n && (linear->quantities[i].kind != quantity.kind || linear->quantities[i].id != quantity.id)) {
        i++;
    }
    return i;
}

static int add_quantity(struct parser *parser, int column, struct gasket_quantity quantity) {
    struct gasket_linear *linear = parser->linear;
    int position = find_quantity(linear, quantity);
    if (position == GASKET_MAX_QUANTITIES) {
        return gk_formula_fail(parser->lexer.error, column, "more than %d ranks and attributes in one expression",
                               GASKET_MAX_QUANTITIES);
    }
    if (position == linear->n) {
        linear->quantities[linear->n++] = quantity;
        return 0;
    }
    int factor = linear->quantities[position].factor + quantity.factor;
    if (factor > INT8_MAX || factor < -INT8_MAX) {
        return gk_formula_fail(parser->lexer.error, column, "a rank or attribute stands more than %d times", INT8_MAX);
    }
    linear->quantities[position].factor = (int8_t)factor;
    if (factor == 0) {
        remove_quantity(linear, position);
    }
    return 0;
}

static int add_rank(struct parser *parser, int sign, int column) {
    char name[GASKET_NAME_SIZE];
    int name_column = parser->lexer.token.column;
    if (gk_lexer_name(&parser->lexer, name, "a tensor's name")) {
        return -1;
    }
    uint8_t id = gk_formula_tensor(parser->formula, name);
    if (id == GASKET_NONE) {
        return gk_formula_fail(parser->lexer.error, name_column, "the formula has no tensor '%s'", name);
    }
    if (id == gk_formula_output(parser->formula)) {
        return gk_formula_fail(parser->lexer.error, name_column,
                               "'%s' is the output, whose rank follows from the inputs", name);
    }
    if (!gk_lexer_take(&parser->lexer, ")")) {
        return gk_lexer_expected(&parser->lexer, "')'");
    }
    return add_quantity(parser, column, (struct gasket_quantity){(int8_t)sign, GASKET_RANK_OF, id});
}

static int add_attribute(struct parser *parser, int sign, int column, const char *name) {
    for (int i = 0; i < parser->n_attributes; i++) {
        if (strcmp(parser->attributes[i].name, name) != 0) {
            continue;
        }
        if (parser->attributes[i].type != GASKET_ATTRIBUTE_INT) {
            return gk_formula_fail(parser->lexer.error, column, "attribute '%s' is a list, not a number", name);
        }
        return add_quantity(parser, column, (struct gasket_quantity){(int8_t)sign, GASKET_ATTRIBUTE_VALUE, (uint8_t)i});
    }
    return gk_formula_fail(parser->lexer.error, column, "there is no attribute '%s' before this place", name);
}

static int parse_part(struct parser *parser, int sign) {
    char name[GASKET_NAME_SIZE];
    int column = parser->lexer.token.column;
    if (parser->lexer.token.kind == GK_TOKEN_INTEGER) {
        return add_integer(parser, sign);
    }
    if (gk_lexer_name(&parser->lexer, name, "a whole number, an attribute or rank(TENSOR)")) {
        return -1;
    }
    if (strcmp(name, "rank") == 0 && gk_lexer_take(&parser->lexer, "(")) {
        return add_rank(parser, sign, column);
    }
    return add_attribute(parser, sign, column, name);
}

/* Takes "+" or "-" if it comes next: 1 or -1, else 0. */
static int take_sign(struct parser *parser) {
    if (gk_lexer_take(&parser->lexer, "-")) {
        return -1;
    }
    return gk_lexer_take(&parser->lexer, "+");
}

int gk_linear_parse(const char *text, const struct gasket_formula *formula, const struct gasket_attribute *attributes,
                    int n_attributes, struct gasket_linear *linear, struct gk_formula_error *error) {
    struct parser parser = {
        .formula = formula, .attributes = attributes, .n_attributes = n_attributes, .linear = linear};
    memset(linear, 0, sizeof *linear);
    gk_lexer_start(&parser.lexer, text, error);
    int sign = gk_lexer_take(&parser.lexer, "-") ? -1 : 1;
    while (sign != 0) {
        if (parse_part(&parser, sign)) {
            return -1;
        }
        sign = take_sign(&parser);
    }
    if (parser.lexer.token.kind != GK_TOKEN_END) {
        return gk_lexer_expected(&parser.lexer, "'+', '-' or the end");
    }
    return 0;
}

struct printer {
    struct gk_writer writer;
    const struct gasket_formula *formula;
    const struct gasket_attribute *attributes;
};

static const char *joint(const struct printer *printer, int negative) {
    if (printer->writer.length == 0) {
        return negative ? "-" : "";
    }
    return negative ? " - " : " + ";
}

static void print_quantity(struct printer *printer, const struct gasket_quantity *quantity) {
    int negative = quantity->factor < 0;
    int times = negative ? -quantity->factor : quantity->factor;
    for (int i = 0; i < times; i++) {
        gk_write(&printer->writer, "%s", joint(printer, negative));
        if (quantity->kind == GASKET_RANK_OF) {
            gk_write(&printer->writer, "rank(%s)", printer->formula->tensors[quantity->id]);
        } else {
            gk_write(&printer->writer, "%s", printer->attributes[quantity->id].name);
        }
    }
}

size_t gk_linear_print(const struct gasket_linear *linear, const struct gasket_formula *formula,
                       const struct gasket_attribute *attributes, char *text, size_t size) {
    struct printer printer = {gk_writer_start(text, size), formula, attributes};
    for (int i = 0; i < linear->n; i++) {
        print_quantity(&printer, &linear->quantities[i]);
    }
    if (linear->constant != 0 || printer.writer.length == 0) {
        uint64_t magnitude = linear->constant < 0 ? 0 - (uint64_t)linear->constant : (uint64_t)linear->constant;
        gk_write(&printer.writer, "%s%" PRIu64, joint(&printer, linear->constant < 0), magnitude);
    }
    return printer.writer.length;
}
