/* needs: see needs.h. */
#include "gen/needs.h"

#include "formula/structure.h"
#include "gen/dtypes.h"

static unsigned forms_of(unsigned bounds) {
    unsigned forms = 0;
    for (int i = 0; i < GASKET_BOUNDS_MODES; i++) {
        forms |= (bounds & GASKET_BIT(i)) != 0 ? GASKET_BIT(gk_resolve_form((enum gasket_bounds)i)) : 0;
    }
    return forms;
}

static uint32_t combinable(uint32_t values, int combine) {
    uint32_t left = 0;
    for (int i = 0; i < GASKET_DTYPES; i++) {
        int has_it = (gk_dtype_combines((enum gasket_dtype)i) & GASKET_BIT(combine)) != 0;
        left |= has_it ? values & GASKET_BIT(i) : 0;
    }
    return left;
}

static void add_operation(struct gk_needs *needs, const struct gasket_operation *operation) {
    struct gk_structure structure;
    if (!operation->ahead_of_time || gk_formula_structure(&operation->formula, &structure) != 0) {
        return;
    }
    needs->has_gathers |= !structure.scatters;
    needs->has_tuples |= operation->formula.accesses[structure.lookup].is_tuple;
    needs->indices |= operation->indices;
    needs->forms |= forms_of(operation->bounds);
    for (int i = 0; structure.scatters && i < GASKET_COMBINES; i++) {
        needs->values[i] |= (operation->combines & GASKET_BIT(i)) != 0 ? combinable(operation->values, i) : 0;
    }
}

struct gk_needs gk_needs_of(const struct gk_specs *specs, uint32_t isas) {
    struct gk_needs needs = {.isas = isas};
    for (size_t i = 0; i < specs->count; i++) {
        add_operation(&needs, &specs->items[i].operation);
    }
    return needs;
}

static int needs_value(const struct gk_needs *needs, const struct gasket_kernel *kernel, int combine) {
    uint32_t values = needs->values[combine];
    return kernel->value_dtype == GASKET_ANY ? values != 0 : (values & GASKET_BIT(kernel->value_dtype)) != 0;
}

static int needs_lookup(const struct gk_needs *needs, const struct gasket_kernel *kernel) {
    int index = kernel->index_dtype == GASKET_ANY || (needs->indices & GASKET_BIT(kernel->index_dtype)) != 0;
    int form = kernel->form == GASKET_ANY || (needs->forms & GASKET_BIT(kernel->form)) != 0;
    int depth = kernel->depth == GASKET_ANY || kernel->depth == 1 || needs->has_tuples;
    return index && form && depth;
}

int gk_needs_kernel(const struct gk_needs *needs, const struct gasket_kernel *kernel) {
    switch ((enum gasket_kernel_kind)kernel->kind) {
        case GASKET_RESOLVE:
        case GASKET_CHECK:
            return needs_lookup(needs, kernel);
        case GASKET_FUSED:
            return needs->has_gathers && needs_lookup(needs, kernel);
        case GASKET_MOVE:
            return needs->has_gathers;
        case GASKET_PLACE:
            return needs_value(needs, kernel, GASKET_STORE);
        case GASKET_REDUCE:
            return needs_value(needs, kernel, kernel->combine);
    }
    return 0;
}
