/* bind_extents: the extents of each group, which must be the same wherever it stands, and the output's shape. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bind.h"
#include "formula/formula.h"

/* Where the extent of a group's dimension was seen first. */
struct place {
    uint8_t is_known, is_listed, id; /* of the attribute that lists it, or of the tensor */
    uint8_t dimension;
};

struct seen {
    struct place places[GASKET_MAX_GROUPS][GASKET_MAX_RANK];
};

static const char *place_text(char text[GK_SOURCE_TEXT], const struct gk_binding *binding, const struct place *place) {
    if (!place->is_listed) return gk_extent_text(text, binding, place->id, place->dimension);
    snprintf(text, GK_SOURCE_TEXT, "%s[%d]", binding->operation->attributes[place->id].name, place->dimension);
    return text;
}

static enum gasket_status see(struct gk_binding *binding, struct seen *seen, uint8_t group, uint8_t part,
                              struct place place, int64_t extent) {
    struct place *first = &seen->places[group][part];
    int64_t *known = &binding->problem->group_extent[group][part];
    if (!first->is_known) {
        *first = place;
        *known = extent;
    }
    if (*known == extent) return GASKET_OK;
    char here[GK_SOURCE_TEXT], there[GK_SOURCE_TEXT];
    return gk_fail(binding->error, GASKET_INVALID_ARGUMENT,
                   "%s = %" PRId64 " but %s = %" PRId64 "; group %c must have the same extents everywhere",
                   place_text(here, binding, &place), extent, place_text(there, binding, first), *known,
                   binding->operation->formula.groups[group]);
}

static enum gasket_status see_listed(struct gk_binding *binding, struct seen *seen, uint8_t group) {
    uint8_t id = binding->operation->extents[group];
    if (id == GASKET_NONE || binding->attributes[id] == NULL) return GASKET_OK;
    const int64_t *extents = binding->attributes[id]->integers;
    enum gasket_status status = GASKET_OK;
    for (uint8_t i = 0; status == GASKET_OK && i < binding->problem->group_rank[group]; i++) {
        struct place place = {1, 1, id, i};
        status = see(binding, seen, group, i, place, extents[i]);
    }
    return status;
}

/* The group that stands alone in a subscript, or GASKET_NONE. */
static uint8_t lone_group(const struct gasket_formula *formula, uint8_t subscript) {
    if (subscript == GASKET_NONE) return GASKET_NONE;
    const struct gasket_subscript *s = &formula->subscripts[subscript];
    const struct gasket_term *term = &formula->terms[s->first_term];
    return s->n_terms == 1 && term->kind == GASKET_TERM_GROUP ? term->id : GASKET_NONE;
}

static enum gasket_status see_access(struct gk_binding *binding, struct seen *seen, uint8_t access) {
    const struct gasket_formula *formula = &binding->operation->formula;
    uint8_t tensor = formula->accesses[access].tensor;
    if (gk_known_rank(binding, tensor) < 0) return GASKET_OK;
    const int64_t *shape = gk_known_shape(binding, tensor);
    struct gk_dimension dimensions[GASKET_MAX_RANK];
    int rank = gk_access_dimensions(binding->problem, access, dimensions);
    enum gasket_status status = GASKET_OK;
    for (uint8_t d = 0; status == GASKET_OK && d < rank; d++) {
        uint8_t group = lone_group(formula, dimensions[d].subscript);
        struct place place = {1, 0, tensor, d};
        if (group != GASKET_NONE) status = see(binding, seen, group, dimensions[d].part, place, shape[d]);
    }
    return status;
}

static enum gasket_status check_all_seen(const struct gk_binding *binding, const struct seen *seen) {
    const struct gasket_formula *formula = &binding->operation->formula;
    for (uint8_t g = 0; g < formula->n_groups; g++) {
        for (int i = 0; i < binding->problem->group_rank[g]; i++) {
            if (seen->places[g][i].is_known) continue;
            return gk_fail(binding->error, GASKET_INVALID_ARGUMENT,
                           "%s (%s) does not say the extents of group %c: an attribute must give them",
                           binding->operation->name, binding->operation->formula_text, formula->groups[g]);
        }
    }
    return GASKET_OK;
}

/* ---- Sums of groups, whose greatest value is known without data ---- */

/* The greatest value of the sum plus one; 0 where the sum has no value, or one that only data can tell. */
static int64_t sum_extent(const struct gk_binding *binding, const struct gasket_subscript *subscript) {
    int64_t extent = 1;
    for (int i = 0; i < subscript->n_terms; i++) {
        const struct gasket_term *term = &binding->operation->formula.terms[subscript->first_term + i];
        if (term->kind == GASKET_TERM_LOOKUP) return 0;
        int64_t more = binding->problem->group_extent[term->id][0];
        if (more == 0) return 0;
        if (__builtin_add_overflow(extent, more - 1, &extent)) return INT64_MAX;
    }
    return extent;
}

static enum gasket_status check_sums(const struct gk_binding *binding, uint8_t access) {
    const struct gasket_formula *formula = &binding->operation->formula;
    uint8_t tensor = formula->accesses[access].tensor;
    if (gk_known_rank(binding, tensor) < 0) return GASKET_OK;
    struct gk_dimension dimensions[GASKET_MAX_RANK];
    int rank = gk_access_dimensions(binding->problem, access, dimensions);
    for (int d = 0; d < rank; d++) {
        if (dimensions[d].subscript == GASKET_NONE) continue;
        const struct gasket_subscript *subscript = &formula->subscripts[dimensions[d].subscript];
        int64_t needed = subscript->n_terms > 1 ? sum_extent(binding, subscript) : 0;
        int64_t extent = gk_known_shape(binding, tensor)[d];
        if (needed <= extent) continue;
        char place[GK_SOURCE_TEXT];
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT,
                       "%s = %" PRId64 ", but the sum in its subscript goes up to %" PRId64,
                       gk_extent_text(place, binding, tensor, d), extent, needed - 1);
    }
    return GASKET_OK;
}

enum gasket_status gk_bind_extents(struct gk_binding *binding) {
    const struct gasket_formula *formula = &binding->operation->formula;
    struct seen seen;
    enum gasket_status status = GASKET_OK;
    memset(&seen, 0, sizeof seen);
    for (uint8_t g = 0; status == GASKET_OK && g < formula->n_groups; g++)
        status = see_listed(binding, &seen, g);
    for (uint8_t a = 0; status == GASKET_OK && a < formula->n_accesses; a++)
        status = see_access(binding, &seen, a);
    if (status == GASKET_OK) status = check_all_seen(binding, &seen);
    for (uint8_t a = 0; status == GASKET_OK && a < formula->n_accesses; a++)
        status = check_sums(binding, a);
    return status;
}

/* ---- The output ---- */

static enum gasket_status check_output_rank(const struct gk_binding *binding) {
    const struct gasket_formula *formula = &binding->operation->formula;
    const struct gasket_access *left = &formula->accesses[formula->left];
    int rank = 0;
    for (int i = 0; i < left->n_subscripts; i++) {
        uint8_t group = lone_group(formula, (uint8_t)(left->first_subscript + i));
        if (group == GASKET_NONE) {
            return gk_fail(binding->error, GASKET_INVALID_ARGUMENT,
                           "%s (%s) does not say the shape of %s: an attribute must give it", binding->operation->name,
                           binding->operation->formula_text, formula->tensors[left->tensor]);
        }
        rank += binding->problem->group_rank[group];
    }
    if (rank <= GASKET_MAX_RANK) return GASKET_OK;
    return gk_fail(binding->error, GASKET_UNSUPPORTED, "%s would have %d dimensions, but at most %d are supported",
                   formula->tensors[left->tensor], rank, GASKET_MAX_RANK);
}

static enum gasket_status shape_from_groups(struct gk_binding *binding) {
    const struct gasket_formula *formula = &binding->operation->formula;
    enum gasket_status status = check_output_rank(binding);
    if (status != GASKET_OK) return status;
    struct gk_dimension dimensions[GASKET_MAX_RANK];
    binding->output_rank = gk_access_dimensions(binding->problem, formula->left, dimensions);
    for (int d = 0; d < binding->output_rank; d++) {
        uint8_t group = lone_group(formula, dimensions[d].subscript);
        binding->output_shape[d] = binding->problem->group_extent[group][dimensions[d].part];
    }
    return GASKET_OK;
}

static enum gasket_status check_given(const struct gk_binding *binding, const char *name) {
    const struct gk_tensor *out = &binding->problem->tensors[gk_formula_output(&binding->operation->formula)];
    size_t bytes = (size_t)binding->output_rank * sizeof *out->shape;
    char found[GK_SHAPE_TEXT], needed[GK_SHAPE_TEXT];
    if (out->ndim != binding->output_rank || memcmp(out->shape, binding->output_shape, bytes) != 0) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s has shape %s but needs %s", name,
                       gk_shape_text(found, out->shape, out->ndim),
                       gk_shape_text(needed, binding->output_shape, binding->output_rank));
    }
    if (gk_tensor_is_injective(out)) return GASKET_OK;
    return gk_fail(binding->error, GASKET_INVALID_ARGUMENT,
                   "%s of shape %s has strides %s, with which elements can share memory", name,
                   gk_shape_text(found, out->shape, out->ndim), gk_shape_text(needed, out->stride, out->ndim));
}

enum gasket_status gk_bind_output(struct gk_binding *binding) {
    enum gasket_dtype dtype = binding->problem->value_dtype;
    const char *name = gk_tensor_name(binding, gk_formula_output(&binding->operation->formula));
    if (binding->output_rank < 0) {
        enum gasket_status status = shape_from_groups(binding);
        if (status != GASKET_OK) return status;
    }
    if (!gk_shape_fits(binding->output_shape, binding->output_rank, dtype)) {
        char shape[GK_SHAPE_TEXT];
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT,
                       "%s of shape %s and type %s would have a size that overflows 64 bits", name,
                       gk_shape_text(shape, binding->output_shape, binding->output_rank), gk_dtype(dtype)->name);
    }
    return binding->infers ? GASKET_OK : check_given(binding, name);
}
