/* formula: from the text of an operation to its data (abi/operation.h). Shared by the generator and the runtime.
 * Grammar:
 *     formula   = access sign product [ "from" ( "zeros" | NAME ) ]
 *     sign      = "=" | "+=" | "-=" | "*=" | "min=" | "max=" | "?="
 *     product   = access { "*" access }
 *     access    = NAME "[" [ subscript { "," subscript } ] "]"
 *     subscript = term { "+" term }
 *     term      = GROUP | NAME "[" [ subscript { "," subscript } ] [ "," "*" ] "]"      (or only "*" between brackets)
 * GROUP is one capital letter; NAME is [a-z][a-z0-9_]*. */
#ifndef GASKET_FORMULA_H
#define GASKET_FORMULA_H

#include <stddef.h>

#include "abi/operation.h"

enum { GK_NO_COLUMN = -1 };
struct gk_formula_error {
    int column; /* first character of what is wrong, from 0; GK_NO_COLUMN: it has no place in the text */
    char text[200];
};

/* Parses and checks. Returns 0, or -1 with *error set and *formula unspecified. */
int gk_formula_parse(const char *text, struct gasket_formula *formula, struct gk_formula_error *error);

/* Parses e.g. "rank(params) - batch_dims - 1". Names are the formula's tensors inside rank(), else the first
 * n_attributes of `attributes`. Returns 0, or -1 with *error set. */
int gk_linear_parse(const char *text, const struct gasket_formula *formula, const struct gasket_attribute *attributes,
                    int n_attributes, struct gasket_linear *linear, struct gk_formula_error *error);

/* Writes the canonical text, at most `size` bytes with its end; returns its length as snprintf does. */
size_t gk_formula_print(const struct gasket_formula *formula, char *text, size_t size);
size_t gk_linear_print(const struct gasket_linear *linear, const struct gasket_formula *formula,
                       const struct gasket_attribute *attributes, char *text, size_t size);

/* Ids by name, or GASKET_NONE. */
uint8_t gk_formula_tensor(const struct gasket_formula *formula, const char *name);
uint8_t gk_formula_group(const struct gasket_formula *formula, char letter);

/* The tensor on the left. */
uint8_t gk_formula_output(const struct gasket_formula *formula);
/* Whether a tensor's values are used as subscripts. */
int gk_formula_is_index(const struct gasket_formula *formula, uint8_t tensor);
/* Whether the left side has a looked-up coordinate (a scatter). */
int gk_formula_scatters(const struct gasket_formula *formula);
/* Whether the group stands in the subscripts of the access, those of its lookups included when `deep`. */
int gk_access_has_group(const struct gasket_formula *formula, uint8_t access, uint8_t group, int deep);

#endif
