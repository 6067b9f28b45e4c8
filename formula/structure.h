/* structure: what the kernels need to know of a formula, and the manifest that follows from it. */
#ifndef GASKET_FORMULA_STRUCTURE_H
#define GASKET_FORMULA_STRUCTURE_H

#include "abi/kernel.h"

/* How a group takes part in a formula with kernels. */
enum gk_group_role {
    GK_ROLE_BATCH, /* in the index, the indexed and the plain tensor */
    GK_ROLE_OUTER, /* in the indexed tensor before the lookup, and in the plain one */
    GK_ROLE_INDEX, /* in the index and the plain tensor */
    GK_ROLE_SLICE  /* in the indexed tensor after the lookup, and in the plain one */
};

struct gk_structure {
    int scatters;
    uint8_t lookup, indexed, plain; /* accesses: of the index tensor, of the tensor it indexes, of the other one */
    uint8_t lookup_subscript;       /* subscript of `indexed` that is the lookup */
    enum gk_group_role roles[GASKET_MAX_GROUPS];
};

/* Returns 0, or -1 when the formula has no kernel form: one factor on the right, one lookup, alone in its subscript,
 * its own subscripts plain groups, no other sums, each group in one of the four roles. */
int gk_formula_structure(const struct gasket_formula *formula, struct gk_structure *structure);

/* One combination as numbers; -1 where the formula has no such property. */
struct gk_combination {
    enum gasket_dtype value, index;
    enum gasket_combine combine;
    int depth; /* 0..4; 5 = n */
    int axis;  /* 0 outer, 1 middle, 2 inner */
    int batch; /* 0 or 1 */
    enum gasket_bounds bounds;
};

/* Calls `each` for every combination of an ahead-of-time operation, in a fixed order; stops when it returns nonzero and
 * returns that. */
int gk_manifest(const struct gasket_operation *operation,
                int (*each)(void *user, const struct gk_combination *combination), void *user);

enum { GK_TEXT = 160 };
/* "axis=inner batch=0", "depth=2"; "-" when there is nothing to say. */
const char *gk_form_text(char text[GK_TEXT], const struct gk_combination *combination);
/* "resolve_i64_d1/mark + move_r4". */
const char *gk_bodies_text(char text[GK_TEXT], const struct gasket_operation *operation,
                           const struct gk_combination *combination);

/* The one speller of names. `row` < 0: run-time row. */
const char *gk_kernel_name(char text[GK_TEXT], const struct gasket_kernel *kernel, int64_t row, const char *how);
const char *gk_dtype_text(enum gasket_dtype dtype);
const char *gk_combine_text(enum gasket_combine combine);
const char *gk_bounds_text(enum gasket_bounds bounds);
const char *gk_resolve_form_text(enum gasket_resolve_form form);
/* Which resolver serves a bounds mode. */
enum gasket_resolve_form gk_resolve_form(enum gasket_bounds bounds);

#endif
