/* operation: what the fields of an operation mean, whether a spec has them (gen/spec_fields.c) or a definition at run
 * time (runtime/define.c). Fields are given in the order of these functions; later ones may name what earlier ones
 * said. Each returns 0, or -1 with *error set, the column being one of its last text. Summaries and docs are the
 * caller's to set; no text is copied but names. */
#ifndef GASKET_FORMULA_OPERATION_H
#define GASKET_FORMULA_OPERATION_H

#include "formula/formula.h"

/* An operation without any field. */
void gk_operation_start(struct gasket_operation *operation);

/* Whether the text is a line without control characters. */
int gk_operation_line(const char *text, struct gk_formula_error *error);
int gk_operation_name(struct gasket_operation *operation, const char *name, struct gk_formula_error *error);
int gk_operation_formula(struct gasket_operation *operation, const char *text, struct gk_formula_error *error);

/* The attribute that is being given: it counts from its end on. */
int gk_attribute_begin(struct gasket_operation *operation, struct gk_formula_error *error);
struct gasket_attribute *gk_attribute_open(struct gasket_operation *operation);
int gk_attribute_name(struct gasket_operation *operation, const char *name, struct gk_formula_error *error);
int gk_attribute_type(struct gasket_operation *operation, const char *name, struct gk_formula_error *error);
int gk_attribute_end(struct gasket_operation *operation, struct gk_formula_error *error);
/* An expression of it or of a group, with the flag that says it is there. */
int gk_operation_linear(struct gasket_operation *operation, const char *text, uint8_t *has_it,
                        struct gasket_linear *linear, struct gk_formula_error *error);

/* What a group has is given once. */
int gk_operation_rank(struct gasket_operation *operation, const char *group, const char *text,
                      struct gk_formula_error *error);
int gk_operation_extent(struct gasket_operation *operation, const char *group, const char *attribute,
                        struct gk_formula_error *error);
int gk_operation_output_extents(struct gasket_operation *operation, const char *attribute,
                                struct gk_formula_error *error);

/* Each adds to a set; the first operator is the default. Sets that stay empty get their defaults at the end. */
int gk_operation_value(struct gasket_operation *operation, const char *name, struct gk_formula_error *error);
int gk_operation_index(struct gasket_operation *operation, const char *name, struct gk_formula_error *error);
int gk_operation_combine(struct gasket_operation *operation, const char *name, struct gk_formula_error *error);
int gk_operation_bounds(struct gasket_operation *operation, const char *name, struct gk_formula_error *error);

int gk_operation_doc(struct gasket_operation *operation, const char *tensor, const char *text,
                     struct gk_formula_error *error);

/* The last step: defaults that follow from the formula, and whether every rank can be known. */
int gk_operation_complete(struct gasket_operation *operation, struct gk_formula_error *error);

#endif
