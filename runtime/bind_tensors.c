/* bind_tensors: views of the tensors, and whether their types go together. */
#include "bind.h"
#include "formula/formula.h"

static enum gasket_status view_all(struct gk_binding *binding) {
    enum gasket_status status = GASKET_OK;
    for (uint8_t i = 0; status == GASKET_OK && i < binding->operation->formula.n_tensors; i++) {
        if (binding->tensors[i] == NULL) continue;
        status = gk_tensor_view(&binding->problem->tensors[i], gk_tensor_name(binding, i), binding->tensors[i]->tensor,
                                0, binding->error);
    }
    return status;
}

static const char *type_name(const struct gk_binding *binding, uint8_t tensor) {
    return gk_dtype(binding->problem->tensors[tensor].dtype)->name;
}

static enum gasket_status check_index(const struct gk_binding *binding, uint8_t tensor) {
    enum gasket_dtype dtype = binding->problem->tensors[tensor].dtype;
    const char *name = gk_tensor_name(binding, tensor);
    if (gk_dtype(dtype)->class != GASKET_INTEGER) {
        return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s is %s, but indices are whole numbers (i8 to u64)",
                       name, type_name(binding, tensor));
    }
    if (binding->operation->indices & GASKET_BIT(dtype)) return GASKET_OK;
    return gk_fail(binding->error, GASKET_UNSUPPORTED, "%s is %s, which %s does not take as an index", name,
                   type_name(binding, tensor), binding->operation->name);
}

static enum gasket_status check_value(const struct gk_binding *binding, uint8_t tensor) {
    if (binding->operation->values & GASKET_BIT(binding->problem->tensors[tensor].dtype)) return GASKET_OK;
    return gk_fail(binding->error, GASKET_UNSUPPORTED, "%s is %s, which %s does not take",
                   gk_tensor_name(binding, tensor), type_name(binding, tensor), binding->operation->name);
}

static enum gasket_status check_equal(const struct gk_binding *binding, uint8_t first, uint8_t tensor) {
    if (binding->problem->tensors[first].dtype == binding->problem->tensors[tensor].dtype) return GASKET_OK;
    return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s is %s but %s is %s; they must have the same type",
                   gk_tensor_name(binding, tensor), type_name(binding, tensor), gk_tensor_name(binding, first),
                   type_name(binding, first));
}

/* The first input of values: a formula has one, its first factor. */
static uint8_t first_value(const struct gk_binding *binding) {
    const struct gasket_formula *formula = &binding->operation->formula;
    uint8_t i = 0;
    while (i == gk_formula_output(formula) || gk_formula_is_index(formula, i))
        i++;
    return i;
}

/* Inputs first, so that a wrong output is told what it needs. */
static enum gasket_status check_types(struct gk_binding *binding) {
    const struct gasket_formula *formula = &binding->operation->formula;
    uint8_t first = first_value(binding), output = gk_formula_output(formula);
    enum gasket_status status = check_value(binding, first);
    for (uint8_t i = 0; status == GASKET_OK && i < formula->n_tensors; i++) {
        if (i == output) continue;
        status = gk_formula_is_index(formula, i) ? check_index(binding, i) : check_equal(binding, first, i);
    }
    if (status == GASKET_OK && !binding->infers) status = check_equal(binding, first, output);
    binding->problem->value_dtype = binding->problem->tensors[first].dtype;
    return status;
}

enum gasket_status gk_bind_tensors(struct gk_binding *binding) {
    enum gasket_status status = view_all(binding);
    return status == GASKET_OK ? check_types(binding) : status;
}
