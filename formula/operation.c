/* operation: see operation.h. Names, the formula, attributes, groups, sets and texts, each by itself. */
#include "formula/operation.h"

#include <string.h>

#include "formula/lexer.h"
#include "formula/nearest.h"
#include "formula/words.h"

void gk_operation_start(struct gasket_operation *operation) {
    memset(operation, 0, sizeof *operation);
    operation->output_extents = GASKET_NONE;
    memset(operation->extents, GASKET_NONE, sizeof operation->extents);
}

int gk_operation_line(const char *text, struct gk_formula_error *error) {
    for (int i = 0; text[i] != 0; i++) {
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f) {
            return gk_formula_fail(error, GK_NO_COLUMN, "must be one line without control characters");
        }
    }
    return 0;
}

static int check_name(const char *name, struct gk_formula_error *error) {
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (name[0] >= 'a' && name[0] <= 'z' && name[length] == 0 && length < GASKET_NAME_SIZE) {
        return 0;
    }
    return gk_formula_fail(error, GK_NO_COLUMN,
                           "'%.64s' is no name: it must match [a-z][a-z0-9_]* and be shorter than %d", name,
                           GASKET_NAME_SIZE);
}

/* The arguments that every operation shares. */
static int check_free(const char *name, struct gk_formula_error *error) {
    static const char *const taken[] = {"accumulate", "bounds", "combine", "fill", "jit", "nan"};
    enum { N = sizeof taken / sizeof taken[0] };
    return gk_name_index(name, taken, N) == N
               ? 0
               : gk_formula_fail(error, GK_NO_COLUMN, "the name '%s' is taken by an argument of all operations", name);
}

int gk_operation_name(struct gasket_operation *operation, const char *name, struct gk_formula_error *error) {
    operation->name = name;
    return check_name(name, error);
}

int gk_operation_formula(struct gasket_operation *operation, const char *text, struct gk_formula_error *error) {
    operation->formula_text = text;
    int failed = gk_operation_line(text, error) || gk_formula_parse(text, &operation->formula, error);
    for (int i = 0; !failed && i < operation->formula.n_tensors; i++) {
        failed = check_free(operation->formula.tensors[i], error);
    }
    return failed ? -1 : 0;
}

/* ---- Attributes ---- */

struct gasket_attribute *gk_attribute_open(struct gasket_operation *operation) {
    return &operation->attributes[operation->n_attributes];
}

static uint8_t attribute_number(const struct gasket_operation *operation, const char *name) {
    uint8_t i = 0;
    while (i < operation->n_attributes && strcmp(operation->attributes[i].name, name) != 0) {
        i++;
    }
    return i;
}

int gk_attribute_begin(struct gasket_operation *operation, struct gk_formula_error *error) {
    if (operation->n_attributes == GASKET_MAX_ATTRIBUTES) {
        return gk_formula_fail(error, GK_NO_COLUMN, "more than %d attributes", GASKET_MAX_ATTRIBUTES);
    }
    return 0;
}

int gk_attribute_name(struct gasket_operation *operation, const char *name, struct gk_formula_error *error) {
    if (check_name(name, error) || check_free(name, error)) {
        return -1;
    }
    if (gk_formula_tensor(&operation->formula, name) != GASKET_NONE) {
        return gk_formula_fail(error, GK_NO_COLUMN, "'%s' is a tensor of the formula", name);
    }
    if (attribute_number(operation, name) < operation->n_attributes) {
        return gk_formula_fail(error, GK_NO_COLUMN, "there is an attribute '%s' already", name);
    }
    memcpy(gk_attribute_open(operation)->name, name, strlen(name) + 1);
    return 0;
}

int gk_attribute_type(struct gasket_operation *operation, const char *name, struct gk_formula_error *error) {
    static const char *const names[] = {"int", "ints"};
    size_t type = gk_name_index(name, names, 2);
    if (type == 2) {
        return gk_unknown(error, "type", name, gk_nearest(name, names, 2));
    }
    gk_attribute_open(operation)->type = type == 0 ? GASKET_ATTRIBUTE_INT : GASKET_ATTRIBUTE_INTS;
    return 0;
}

int gk_operation_linear(struct gasket_operation *operation, const char *text, uint8_t *has_it,
                        struct gasket_linear *linear, struct gk_formula_error *error) {
    *has_it = 1;
    return gk_operation_line(text, error) || gk_linear_parse(text, &operation->formula, operation->attributes,
                                                             operation->n_attributes, linear, error)
               ? -1
               : 0;
}

int gk_attribute_end(struct gasket_operation *operation, struct gk_formula_error *error) {
    const struct gasket_attribute *attribute = gk_attribute_open(operation);
    int has_linear = attribute->has_default || attribute->has_minimum || attribute->has_maximum || attribute->has_wrap;
    if (attribute->type == GASKET_ATTRIBUTE_INTS && has_linear) {
        return gk_formula_fail(error, GK_NO_COLUMN,
                               "a list (type = \"ints\") has no default, minimum, maximum or wrap");
    }
    operation->n_attributes++;
    return 0;
}

/* ---- Groups ---- */

static uint8_t group_number(const struct gasket_operation *operation, const char *name,
                            struct gk_formula_error *error) {
    uint8_t group =
        name[0] != 0 && name[1] == 0 ? gk_formula_group(&operation->formula, name[0]) : (uint8_t)GASKET_NONE;
    if (group == GASKET_NONE) {
        gk_formula_fail(error, GK_NO_COLUMN, "the formula has no group '%.64s'", name);
    }
    return group;
}

static int given_twice(char group, struct gk_formula_error *error) {
    return gk_formula_fail(error, GK_NO_COLUMN, "group '%c' is given twice", group);
}

int gk_operation_rank(struct gasket_operation *operation, const char *group, const char *text,
                      struct gk_formula_error *error) {
    uint8_t number = group_number(operation, group, error);
    if (number == GASKET_NONE) {
        return -1;
    }
    if (operation->has_rank[number]) {
        return given_twice(group[0], error);
    }
    return gk_operation_linear(operation, text, &operation->has_rank[number], &operation->ranks[number], error);
}

static uint8_t list_attribute(const struct gasket_operation *operation, const char *name,
                              struct gk_formula_error *error) {
    uint8_t number = attribute_number(operation, name);
    if (number < operation->n_attributes && operation->attributes[number].type == GASKET_ATTRIBUTE_INTS) {
        return number;
    }
    gk_formula_fail(error, GK_NO_COLUMN, "no attribute '%.64s' with type = \"ints\"", name);
    return GASKET_NONE;
}

int gk_operation_extent(struct gasket_operation *operation, const char *group, const char *attribute,
                        struct gk_formula_error *error) {
    uint8_t number = group_number(operation, group, error);
    if (number == GASKET_NONE) {
        return -1;
    }
    if (operation->extents[number] != GASKET_NONE) {
        return given_twice(group[0], error);
    }
    operation->extents[number] = list_attribute(operation, attribute, error);
    return operation->extents[number] == GASKET_NONE ? -1 : 0;
}

int gk_operation_output_extents(struct gasket_operation *operation, const char *attribute,
                                struct gk_formula_error *error) {
    operation->output_extents = list_attribute(operation, attribute, error);
    return operation->output_extents == GASKET_NONE ? -1 : 0;
}

/* ---- Types, operators, modes, texts ---- */

static int add_types(uint32_t *set, const char *name, struct gk_formula_error *error) {
    uint32_t found = gk_dtype_set(name);
    *set |= found;
    return found != 0 ? 0 : gk_unknown(error, "type", name, gk_dtype_nearest(name));
}

int gk_operation_value(struct gasket_operation *operation, const char *name, struct gk_formula_error *error) {
    return add_types(&operation->values, name, error);
}

int gk_operation_index(struct gasket_operation *operation, const char *name, struct gk_formula_error *error) {
    if (add_types(&operation->indices, strcmp(name, "all") == 0 ? "integer" : name, error)) {
        return -1;
    }
    return (operation->indices & ~gk_integer_set()) == 0
               ? 0
               : gk_formula_fail(error, GK_NO_COLUMN, "only integers can be indices");
}

int gk_operation_combine(struct gasket_operation *operation, const char *name, struct gk_formula_error *error) {
    size_t combine = gk_name_index(name, gk_combine_names, GASKET_COMBINES);
    if (operation->formula.combine != GASKET_CHOSEN) {
        return gk_formula_fail(error, GK_NO_COLUMN, "goes only with the sign '?=' in the formula");
    }
    if (combine == GASKET_COMBINES) {
        return gk_unknown(error, "operator", name, gk_nearest(name, gk_combine_names, GASKET_COMBINES));
    }
    if (operation->combines == 0) {
        operation->default_combine = (uint8_t)combine;
    }
    operation->combines |= (uint8_t)GASKET_BIT(combine);
    return 0;
}

static int has_index(const struct gasket_formula *formula) {
    for (uint8_t i = 0; i < formula->n_tensors; i++) {
        if (gk_formula_is_index(formula, i)) {
            return 1;
        }
    }
    return 0;
}

static unsigned possible_bounds(const struct gasket_formula *formula) {
    if (!has_index(formula)) {
        return GASKET_BIT(GASKET_BOUNDS_ERROR);
    }
    return GASKET_BIT(GASKET_BOUNDS_ERROR) | GASKET_BIT(GASKET_BOUNDS_CLIP) | GASKET_BIT(GASKET_BOUNDS_FROM_END) |
           GASKET_BIT(GASKET_BOUNDS_UNCHECKED) |
           GASKET_BIT(gk_formula_scatters(formula) ? GASKET_BOUNDS_DROP : GASKET_BOUNDS_FILL);
}

int gk_operation_bounds(struct gasket_operation *operation, const char *name, struct gk_formula_error *error) {
    size_t mode = gk_name_index(name, gk_bounds_names, GASKET_BOUNDS_MODES);
    if (mode == GASKET_BOUNDS_MODES) {
        return gk_unknown(error, "bounds mode", name, gk_nearest(name, gk_bounds_names, GASKET_BOUNDS_MODES));
    }
    operation->bounds |= (uint8_t)GASKET_BIT(mode);
    return (possible_bounds(&operation->formula) & GASKET_BIT(mode)) != 0
               ? 0
               : gk_formula_fail(error, GK_NO_COLUMN, "'%s' means nothing for this formula", name);
}

int gk_operation_doc(struct gasket_operation *operation, const char *tensor, const char *text,
                     struct gk_formula_error *error) {
    uint8_t number = gk_formula_tensor(&operation->formula, tensor);
    if (number == GASKET_NONE) {
        return gk_formula_fail(error, GK_NO_COLUMN, "the formula has no tensor '%.64s'", tensor);
    }
    operation->tensor_docs[number] = text;
    return gk_operation_line(text, error);
}

/* ---- All together ---- */

static int complete_sets(struct gasket_operation *operation, struct gk_formula_error *error) {
    const uint32_t all = gk_dtype_set("all"), integers = gk_integer_set();
    operation->values = operation->values != 0 ? operation->values : all;
    operation->indices = operation->indices != 0 ? operation->indices : integers;
    operation->indices = has_index(&operation->formula) ? operation->indices : 0;
    operation->bounds = operation->bounds != 0 ? operation->bounds : (uint8_t)possible_bounds(&operation->formula);
    if (operation->formula.combine != GASKET_CHOSEN) {
        operation->default_combine = operation->formula.combine;
        operation->combines = (uint8_t)GASKET_BIT(operation->formula.combine);
    }
    return operation->combines != 0
               ? 0
               : gk_formula_fail(error, GK_NO_COLUMN, "the field 'combine' is missing: which operators may '?=' be?");
}

static void mark_group(const struct gasket_formula *formula, uint8_t subscript, uint8_t known[GASKET_MAX_GROUPS]) {
    const struct gasket_subscript *sum = &formula->subscripts[subscript];
    for (int i = 0; sum->n_terms > 1 && i < sum->n_terms; i++) {
        const struct gasket_term *term = &formula->terms[sum->first_term + i];
        if (term->kind == GASKET_TERM_GROUP) {
            known[term->id] = 1; /* a group in a sum has rank 1 */
        }
    }
}

/* One rank equation: where an access of known rank has one unknown group, that group becomes known. */
static int solve_access(const struct gasket_formula *formula, const struct gasket_access *access,
                        uint8_t known[GASKET_MAX_GROUPS]) {
    int n_unknown = 0, unknown = 0;
    for (int i = 0; i < access->n_subscripts; i++) {
        const struct gasket_subscript *subscript = &formula->subscripts[access->first_subscript + i];
        const struct gasket_term *term = &formula->terms[subscript->first_term];
        if (subscript->n_terms == 1 && term->kind == GASKET_TERM_GROUP && !known[term->id]) {
            n_unknown++;
            unknown = term->id;
        }
    }
    if (n_unknown != 1) {
        return 0;
    }
    known[unknown] = 1;
    return 1;
}

/* The output's rank is known only where an attribute gives its shape, or it starts as a copy of an input. */
static int rank_is_given(const struct gasket_operation *operation, int access) {
    const struct gasket_formula *formula = &operation->formula;
    return access != formula->left || operation->output_extents != GASKET_NONE || formula->origin == GASKET_FROM_TENSOR;
}

static int check_ranks(const struct gasket_operation *operation, struct gk_formula_error *error) {
    const struct gasket_formula *formula = &operation->formula;
    uint8_t known[GASKET_MAX_GROUPS];
    for (int i = 0; i < formula->n_groups; i++) {
        known[i] = operation->has_rank[i] || operation->extents[i] != GASKET_NONE;
    }
    for (uint8_t i = 0; i < formula->n_subscripts; i++) {
        mark_group(formula, i, known);
    }
    for (int solved = 1; solved != 0;) {
        solved = 0;
        for (int i = 0; i < formula->n_accesses; i++) {
            solved += rank_is_given(operation, i) && solve_access(formula, &formula->accesses[i], known);
        }
    }
    for (int i = 0; i < formula->n_groups; i++) {
        if (!known[i]) {
            return gk_formula_fail(error, GK_NO_COLUMN,
                                   "ranks: how many dimensions '%c' has does not follow from the ranks of the inputs; "
                                   "give it as '%c = ...'",
                                   formula->groups[i], formula->groups[i]);
        }
    }
    return 0;
}

int gk_operation_complete(struct gasket_operation *operation, struct gk_formula_error *error) {
    return complete_sets(operation, error) || check_ranks(operation, error) ? -1 : 0;
}
