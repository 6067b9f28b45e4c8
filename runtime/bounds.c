/* bounds: see bounds.h. The indices of one subscript are checked together, over the groups that stand in it. */
#include "bounds.h"

#include <stdio.h>
#include <string.h>

#include "walk.h"

/* A subscript with a lookup, and the dimensions that it addresses. */
struct use {
    uint8_t access, subscript, lookup; /* lookup: the first of the subscript */
    int first, n;
};

static const struct gasket_formula *formula_of(const struct gk_problem *problem) {
    return &problem->operation->formula;
}

/* The first lookup among the terms, or GASKET_NONE. */
static uint8_t first_lookup(const struct gasket_formula *formula, uint8_t subscript) {
    const struct gasket_subscript *terms = &formula->subscripts[subscript];
    for (int i = 0; i < terms->n_terms; i++) {
        const struct gasket_term *term = &formula->terms[terms->first_term + i];
        if (term->kind == GASKET_TERM_LOOKUP) {
            return term->id;
        }
    }
    return GASKET_NONE;
}

static int has_lookup(const struct gasket_formula *formula, uint8_t subscript, uint8_t lookup) {
    const struct gasket_subscript *terms = &formula->subscripts[subscript];
    for (int i = 0; i < terms->n_terms; i++) {
        const struct gasket_term *term = &formula->terms[terms->first_term + i];
        if (term->kind == GASKET_TERM_LOOKUP && term->id == lookup) {
            return 1;
        }
    }
    return 0;
}

/* Where the lookup is used; n = 0 when it addresses no dimension (an empty tuple, or an access that is no lookup). */
static struct use use_of(const struct gk_walk *walk, uint8_t lookup) {
    const struct gasket_formula *formula = formula_of(walk->problem);
    struct use use = {.lookup = GASKET_NONE};
    for (uint8_t a = 0; a < formula->n_accesses; a++) {
        for (int d = 0; d < walk->rank[a]; d++) {
            uint8_t subscript = walk->dimensions[a][d].subscript;
            if (!has_lookup(formula, subscript, lookup)) {
                continue;
            }
            if (use.n++ == 0) {
                use.access = a;
                use.subscript = subscript;
                use.lookup = first_lookup(formula, subscript);
                use.first = d;
            }
        }
    }
    return use;
}

static void add_group(struct gk_group_list *groups, uint8_t group) {
    if (memchr(groups->ids, group, (size_t)groups->n) == NULL) {
        groups->ids[groups->n++] = group;
    }
}

static void add_subscript(struct gk_group_list *groups, const struct gasket_formula *formula, uint8_t subscript);

static void add_access(struct gk_group_list *groups, const struct gasket_formula *formula, uint8_t access) {
    const struct gasket_access *a = &formula->accesses[access];
    for (int s = 0; s < a->n_subscripts; s++) {
        add_subscript(groups, formula, (uint8_t)(a->first_subscript + s));
    }
}

/* Groups of the lookups first, so that positions of an index tensor come in row-major order. */
static void add_subscript(struct gk_group_list *groups, const struct gasket_formula *formula, uint8_t subscript) {
    const struct gasket_subscript *terms = &formula->subscripts[subscript];
    for (int i = 0; i < terms->n_terms; i++) {
        const struct gasket_term *term = &formula->terms[terms->first_term + i];
        if (term->kind == GASKET_TERM_LOOKUP) {
            add_access(groups, formula, term->id);
        }
    }
    for (int i = 0; i < terms->n_terms; i++) {
        const struct gasket_term *term = &formula->terms[terms->first_term + i];
        if (term->kind == GASKET_TERM_GROUP) {
            add_group(groups, term->id);
        }
    }
}

/* ---- Words ---- */

struct text {
    size_t length;
    char bytes[GK_SHAPE_TEXT];
};

static void add_text(struct text *text, const char *more) {
    int n = snprintf(text->bytes + text->length, sizeof text->bytes - text->length, "%s", more);
    size_t room = sizeof text->bytes - 1 - text->length;
    text->length += n >= 0 && (size_t)n < room ? (size_t)n : room;
}

enum { DIGITS = 44 };
static const char *decimal(char digits[DIGITS], gk_integer value) {
    char *at = digits + DIGITS - 1;
    gk_integer rest = value < 0 ? -value : value;
    *at = 0;
    do {
        *--at = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    if (value < 0) {
        *--at = '-';
    }
    return at;
}

/* "[1,-1]" of the values of a tuple, "1" of any other lookup. Long ones end in "...]". */
static void values_text(struct text *text, const struct gk_walk *walk, uint8_t lookup) {
    char digits[DIGITS];
    int is_tuple = formula_of(walk->problem)->accesses[lookup].is_tuple;
    int64_t n = is_tuple ? walk->problem->depth[lookup] : 1;
    text->length = 0;
    text->bytes[0] = 0;
    add_text(text, is_tuple ? "[" : "");
    for (int i = 0; i < n; i++) {
        gk_integer value = 0;
        gk_walk_index(walk, lookup, i, &value);
        if (text->length + DIGITS + sizeof ",...]" > sizeof text->bytes) {
            add_text(text, ",...");
            break;
        }
        add_text(text, i > 0 ? "," : "");
        add_text(text, decimal(digits, value));
    }
    add_text(text, is_tuple ? "]" : "");
}

/* "indices[0,1]"; of an index tensor of rank 0 (or with one tuple only) "indices". */
static void position_text(struct text *text, const struct gk_walk *walk, uint8_t lookup) {
    const struct gasket_formula *formula = formula_of(walk->problem);
    int64_t coordinates[GASKET_MAX_RANK] = {0};
    char shape[GK_SHAPE_TEXT];
    text->length = 0;
    add_text(text, formula->tensors[formula->accesses[lookup].tensor]);
    gk_walk_locate(walk, lookup, coordinates);
    if (walk->rank[lookup] > 0) {
        add_text(text, gk_shape_text(shape, coordinates, walk->rank[lookup]));
    }
}

/* ": 7 + 3 = 10" where more than the lookup makes the coordinate: what is added to it, all in one number, and the
 * extent when a negative value counts from the end. */
static void sum_text(struct text *text, const struct gk_walk *walk, const struct use *use) {
    const struct gasket_formula *formula = formula_of(walk->problem);
    const struct gasket_subscript *terms = &formula->subscripts[use->subscript];
    int64_t extent = walk->problem->tensors[formula->accesses[use->access].tensor].shape[use->first];
    gk_integer sum = 0, looked_up = 0;
    char digits[DIGITS];
    text->length = 0;
    text->bytes[0] = 0;
    for (int i = 0; i < terms->n_terms; i++) {
        const struct gasket_term *term = &formula->terms[terms->first_term + i];
        gk_integer value = 0;
        if (term->kind == GASKET_TERM_GROUP) {
            value = walk->at[term->id][0];
        } else {
            gk_walk_index(walk, term->id, 0, &value);
            looked_up += value;
        }
        sum += value;
        add_text(text, i > 0 ? " + " : ": ");
        add_text(text, decimal(digits, value));
    }
    if (walk->problem->bounds == GASKET_BOUNDS_FROM_END && looked_up < 0) {
        sum += extent;
        add_text(text, " + ");
        add_text(text, decimal(digits, extent));
    }
    add_text(text, " = ");
    add_text(text, decimal(digits, sum));
}

static enum gasket_status fail_tuple(const struct gk_walk *walk, const struct use *use, uint8_t lookup,
                                     struct gk_error *error) {
    const struct gasket_formula *formula = formula_of(walk->problem);
    uint8_t indexed = formula->accesses[use->access].tensor;
    struct text position, values;
    char shape[GK_SHAPE_TEXT];
    position_text(&position, walk, lookup);
    values_text(&values, walk, lookup);
    return gk_fail(error, GASKET_OUT_OF_BOUNDS, "%s = %s does not index into %s of shape %s", position.bytes,
                   values.bytes, formula->tensors[indexed],
                   gk_shape_text(shape, walk->problem->tensors[indexed].shape, walk->problem->tensors[indexed].ndim));
}

/* Words what is wrong at the walk's point. */
static enum gasket_status fail_here(const struct gk_walk *walk, const struct use *use, uint8_t lookup,
                                    struct gk_error *error) {
    const struct gk_problem *problem = walk->problem;
    const struct gasket_formula *formula = formula_of(problem);
    if (formula->accesses[lookup].is_tuple) {
        return fail_tuple(walk, use, lookup, error);
    }
    int64_t extent = problem->tensors[formula->accesses[use->access].tensor].shape[use->first];
    int64_t lowest = problem->bounds == GASKET_BOUNDS_FROM_END ? -extent : 0;
    struct text position, value, sum = {0};
    position_text(&position, walk, lookup);
    values_text(&value, walk, lookup);
    if (formula->subscripts[use->subscript].n_terms > 1) {
        sum_text(&sum, walk, use);
        lowest = 0;
    }
    return gk_fail(error, GASKET_OUT_OF_BOUNDS, "%s = %s%s is not in [%lld, %lld)", position.bytes, value.bytes,
                   sum.bytes, (long long)lowest, (long long)extent);
}

/* ---- Checks ---- */

static int is_bad_here(const struct gk_walk *walk, const struct use *use) {
    int64_t coordinate;
    for (int i = 0; i < use->n; i++) {
        if (!gk_walk_coordinate(walk, use->access, use->first + i, &coordinate)) {
            return 1;
        }
    }
    return 0;
}

static enum gasket_status check_use(struct gk_walk *walk, const struct use *use, struct gk_error *error) {
    struct gk_group_list groups = {0};
    if (use->n == 0) {
        return GASKET_OK;
    }
    add_subscript(&groups, formula_of(walk->problem), use->subscript);
    for (int more = gk_walk_first(walk, &groups); more; more = gk_walk_next(walk, &groups)) {
        if (is_bad_here(walk, use)) {
            return fail_here(walk, use, use->lookup, error);
        }
    }
    return GASKET_OK;
}

/* Whether lookup `inner` stands in a subscript of lookup `outer`, at any depth. */
static int is_nested(const struct gasket_formula *formula, uint8_t outer, uint8_t inner) {
    const struct gasket_access *access = &formula->accesses[outer];
    for (uint8_t a = 0; a < formula->n_accesses; a++) {
        for (int s = 0; s < access->n_subscripts; s++) {
            int is_direct = has_lookup(formula, (uint8_t)(access->first_subscript + s), a);
            if (is_direct && (a == inner || is_nested(formula, a, inner))) {
                return 1;
            }
        }
    }
    return 0;
}

/* A bit for each lookup of the subscript, or for each lookup nested in one of those. */
static uint32_t lookups_of(const struct gasket_formula *formula, uint8_t subscript, int nested) {
    uint32_t lookups = 0;
    for (uint8_t outer = 0; outer < formula->n_accesses; outer++) {
        for (uint8_t inner = 0; has_lookup(formula, subscript, outer) && inner < formula->n_accesses; inner++) {
            int counts = nested ? is_nested(formula, outer, inner) : inner == outer;
            lookups |= counts ? GASKET_BIT(inner) : 0;
        }
    }
    return lookups;
}

/* Checks the subscript that the lookup stands in, those nested in it first. *checked has a bit for each access done. */
static enum gasket_status check_lookup(struct gk_walk *walk, uint8_t lookup, uint32_t *checked,
                                       struct gk_error *error) {
    const struct gasket_formula *formula = formula_of(walk->problem);
    struct use use = use_of(walk, lookup);
    if (use.n == 0 || *checked & GASKET_BIT(lookup)) {
        return GASKET_OK;
    }
    uint32_t nested = lookups_of(formula, use.subscript, 1);
    for (uint8_t a = 0; a < formula->n_accesses; a++) {
        enum gasket_status status = nested & GASKET_BIT(a) ? check_lookup(walk, a, checked, error) : GASKET_OK;
        if (status != GASKET_OK) {
            return status;
        }
    }
    *checked |= lookups_of(formula, use.subscript, 0);
    return check_use(walk, &use, error);
}

enum gasket_status gk_bounds_check(const struct gk_problem *problem, struct gk_error *error) {
    struct gk_walk walk;
    uint32_t checked = 0;
    enum gasket_status status = GASKET_OK;
    if (!gk_bounds_reports(problem)) {
        return GASKET_OK;
    }
    gk_walk_start(&walk, problem);
    for (uint8_t a = 0; a < formula_of(problem)->n_accesses && status == GASKET_OK; a++) {
        status = check_lookup(&walk, a, &checked, error);
    }
    return status;
}

int gk_bounds_reports(const struct gk_problem *problem) {
    return problem->bounds == GASKET_BOUNDS_ERROR || (problem->bounds == GASKET_BOUNDS_FROM_END && !problem->has_fill);
}

/* ---- By position ---- */

/* Row-major number -> coordinates. */
static void split_position(const struct gk_tensor *tensor, int rank, int64_t position, int64_t *coordinates) {
    for (int d = rank - 1; d >= 0; d--) {
        int64_t extent = tensor->shape[d] > 0 ? tensor->shape[d] : 1;
        coordinates[d] = position % extent;
        position /= extent;
    }
}

int64_t gk_index_value(const struct gk_problem *problem, uint8_t lookup, int64_t position, int64_t component) {
    const struct gasket_access *access = &formula_of(problem)->accesses[lookup];
    const struct gk_tensor *tensor = &problem->tensors[access->tensor];
    int64_t coordinates[GASKET_MAX_RANK];
    int rank = tensor->ndim - access->is_tuple;
    split_position(tensor, rank, position, coordinates);
    if (access->is_tuple) {
        coordinates[rank++] = component;
    }
    gk_integer value = gk_index_read(tensor, gk_element_offset(tensor, coordinates, rank));
    return value > INT64_MAX ? INT64_MIN : (int64_t)value;
}

/* Puts the groups that alone are a subscript of the lookup where the position says, and the others of the subscript
 * that the lookup stands in, which stay to be walked, into *rest. */
static void place_at(struct gk_walk *walk, const struct use *use, uint8_t lookup, const int64_t *coordinates,
                     struct gk_group_list *rest) {
    const struct gasket_formula *formula = formula_of(walk->problem);
    struct gk_group_list groups = {0}, placed = {0};
    for (int d = 0; d < walk->rank[lookup]; d++) {
        struct gk_dimension place = walk->dimensions[lookup][d];
        const struct gasket_subscript *terms = &formula->subscripts[place.subscript];
        const struct gasket_term *term = &formula->terms[terms->first_term];
        if (terms->n_terms == 1 && term->kind == GASKET_TERM_GROUP) {
            walk->at[term->id][place.part] = coordinates[d];
            add_group(&placed, term->id);
        }
    }
    add_subscript(&groups, formula, use->subscript);
    for (int i = 0; i < groups.n; i++) {
        if (memchr(placed.ids, groups.ids[i], (size_t)placed.n) == NULL) {
            add_group(rest, groups.ids[i]);
        }
    }
}

static int is_at(const struct gk_walk *walk, uint8_t lookup, const int64_t *coordinates) {
    int64_t here[GASKET_MAX_RANK];
    return gk_walk_locate(walk, lookup, here) &&
           memcmp(here, coordinates, (size_t)walk->rank[lookup] * sizeof *here) == 0;
}

enum gasket_status gk_bounds_fail(const struct gk_problem *problem, uint8_t lookup, int64_t position,
                                  struct gk_error *error) {
    const struct gk_tensor *tensor = &problem->tensors[formula_of(problem)->accesses[lookup].tensor];
    int64_t coordinates[GASKET_MAX_RANK] = {0};
    struct gk_group_list rest = {0};
    struct gk_walk walk;
    gk_walk_start(&walk, problem);
    struct use use = use_of(&walk, lookup);
    split_position(tensor, walk.rank[lookup], position, coordinates);
    place_at(&walk, &use, lookup, coordinates, &rest);
    int more = gk_walk_first(&walk, &rest);
    while (more && !(is_at(&walk, lookup, coordinates) && is_bad_here(&walk, &use))) {
        more = gk_walk_next(&walk, &rest);
    }
    return fail_here(&walk, &use, lookup, error);
}
