/* print: the canonical text of a formula; parsing it gives the same formula again. */
#include "formula/formula.h"
#include "formula/lexer.h"
#include "formula/writer.h"

static void print_access(struct gk_writer *writer, const struct gasket_formula *formula, uint8_t id);

static void print_term(struct gk_writer *writer, const struct gasket_formula *formula, const struct gasket_term *term) {
    if (term->kind == GASKET_TERM_GROUP) {
        gk_write(writer, "%c", formula->groups[term->id]);
    } else {
        print_access(writer, formula, term->id);
    }
}

static void print_subscript(struct gk_writer *writer, const struct gasket_formula *formula,
                            const struct gasket_subscript *subscript) {
    for (int i = 0; i < subscript->n_terms; i++) {
        gk_write(writer, "%s", i > 0 ? " + " : "");
        print_term(writer, formula, &formula->terms[subscript->first_term + i]);
    }
}

static void print_access(struct gk_writer *writer, const struct gasket_formula *formula, uint8_t id) {
    const struct gasket_access *access = &formula->accesses[id];
    gk_write(writer, "%s[", formula->tensors[access->tensor]);
    for (int i = 0; i < access->n_subscripts; i++) {
        gk_write(writer, "%s", i > 0 ? ", " : "");
        print_subscript(writer, formula, &formula->subscripts[access->first_subscript + i]);
    }
    if (access->is_tuple) {
        gk_write(writer, "%s*", access->n_subscripts > 0 ? ", " : "");
    }
    gk_write(writer, "]");
}

size_t gk_formula_print(const struct gasket_formula *formula, char *text, size_t size) {
    struct gk_writer writer = gk_writer_start(text, size);
    print_access(&writer, formula, formula->left);
    gk_write(&writer, " %s ", gk_signs[formula->combine]);
    for (int i = 0; i < formula->n_factors; i++) {
        gk_write(&writer, "%s", i > 0 ? " * " : "");
        print_access(&writer, formula, formula->factors[i]);
    }
    if (formula->origin == GASKET_FROM_ZEROS) {
        gk_write(&writer, " from zeros");
    } else if (formula->origin == GASKET_FROM_TENSOR) {
        gk_write(&writer, " from %s", formula->tensors[formula->origin_tensor]);
    }
    return writer.length;
}
