/* attributes: the values that make group ranks what was drawn, and how they are written. */
#include <stdio.h>
#include <string.h>

#include "draw.h"
#include "formula/formula.h"

/* The value of an expression, as far as it is known; *unknown counts the quantities of attributes that are not. */
static int64_t evaluate(const struct fuzz_case *c, const struct gasket_linear *linear, const uint8_t *is_known,
                        int *unknown, struct gasket_quantity *open) {
    int64_t value = linear->constant;
    *unknown = 0;
    for (int i = 0; i < linear->n; i++) {
        struct gasket_quantity q = linear->quantities[i];
        if (q.kind == GASKET_RANK_OF) {
            value += q.factor * c->tensors[q.id].ndim;
        } else if (is_known[q.id]) {
            value += q.factor * c->attributes[q.id];
        } else {
            *open = q;
            ++*unknown;
        }
    }
    return value;
}

/* One step over all ranks that are given: what has one open attribute sets it. -1 where a rank does not come out. */
static int solve_step(struct fuzz_case *c, uint8_t *is_known, int *progress) {
    const struct gasket_operation *operation = c->operation;
    *progress = 0;
    for (int g = 0; g < operation->formula.n_groups; g++) {
        if (!operation->has_rank[g]) continue;
        int unknown;
        struct gasket_quantity open = {1, 0, 0};
        int64_t rest = c->group_rank[g] - evaluate(c, &operation->ranks[g], is_known, &unknown, &open);
        if (unknown == 0 && rest != 0) return -1;
        if (unknown != 1) continue;
        if (rest % open.factor != 0) return -1;
        c->attributes[open.id] = rest / open.factor;
        is_known[open.id] = 1;
        *progress = 1;
    }
    return 0;
}

static int64_t known_value(const struct fuzz_case *c, const struct gasket_linear *linear) {
    static const uint8_t all_known[GASKET_MAX_ATTRIBUTES] = {1, 1, 1, 1, 1, 1, 1, 1};
    struct gasket_quantity open;
    int unknown;
    return evaluate(c, linear, all_known, &unknown, &open);
}

/* What can not be written as drawn is written as it is. */
static void settle(struct fuzz_case *c, int a) {
    const struct gasket_attribute *attribute = &c->operation->attributes[a];
    if (!attribute->has_default || known_value(c, &attribute->default_value) != c->attributes[a]) c->is_omitted[a] = 0;
    int64_t written = c->attributes[a] - (attribute->has_wrap ? known_value(c, &attribute->wrap) : 0);
    if (!attribute->has_wrap || written >= 0 ||
        (attribute->has_minimum && written < known_value(c, &attribute->minimum)))
        c->is_wrapped[a] = 0;
}

int fuzz_solve_attributes(struct fuzz_case *c) {
    uint8_t is_known[GASKET_MAX_ATTRIBUTES] = {0};
    int progress = 1;
    while (progress)
        if (solve_step(c, is_known, &progress) != 0) return -1;
    for (int a = 0; a < c->operation->n_attributes; a++)
        if (c->operation->attributes[a].type == GASKET_ATTRIBUTE_INT) settle(c, a);
    return 0;
}

static void name_list(const struct fuzz_case *c, struct fuzz_call *call, uint8_t a) {
    struct fuzz_named *named = fuzz_call_name(call, c->operation->attributes[a].name);
    const struct fuzz_tensor *out = &c->tensors[gk_formula_output(&c->operation->formula)];
    named->is_list = 1;
    if (c->operation->output_extents == a) {
        named->n = out->ndim;
        memcpy(named->values, out->shape, sizeof out->shape[0] * (size_t)out->ndim);
    }
    for (int g = 0; g < c->operation->formula.n_groups; g++) {
        if (c->operation->extents[g] != a) continue;
        named->n = c->group_rank[g];
        memcpy(named->values, c->group_extent[g], sizeof named->values[0] * (size_t)named->n);
    }
}

static void name_text(struct fuzz_call *call, const char *name, const char *text) {
    struct fuzz_named *named = fuzz_call_name(call, name);
    named->is_text = 1;
    snprintf(named->text, sizeof named->text, "%s", text);
}

void fuzz_name_attributes(const struct fuzz_case *c, struct fuzz_call *call) {
    static const char *const bounds[] = {GASKET_BOUNDS_NAMES}, *const combines[] = {GASKET_COMBINE_NAMES};
    for (uint8_t a = 0; a < c->operation->n_attributes; a++) {
        const struct gasket_attribute *attribute = &c->operation->attributes[a];
        if (attribute->type == GASKET_ATTRIBUTE_INTS) {
            name_list(c, call, a);
        } else if (!c->is_omitted[a]) {
            int64_t wrap = c->is_wrapped[a] ? known_value(c, &attribute->wrap) : 0;
            fuzz_call_name(call, attribute->name)->values[0] = c->attributes[a] - wrap;
        }
    }
    if (c->bounds != GASKET_BOUNDS_ERROR) name_text(call, "bounds", bounds[c->bounds]);
    if (c->operation->formula.combine == GASKET_CHOSEN) name_text(call, "combine", combines[c->combine]);
    if (c->nan_propagates) name_text(call, "nan", "propagate");
    if (c->accumulates_wide) name_text(call, "accumulate", "f32");
}
