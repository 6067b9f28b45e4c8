/* call_text: see call_text.h. */
#include "call_text.h"

#include "abi/kernel.h"
#include "formula/formula.h"
#include "table.h"

static void write_list(struct gk_writer *writer, const int64_t *numbers, int n) {
    for (int i = 0; i < n; i++)
        gk_write(writer, "%s%lld", i ? "," : "", (long long)numbers[i]);
}

/* Strides where the extent is 1 are 0, and mean nothing. */
static int is_compact(const struct gk_tensor *tensor) {
    int64_t compact = 1;
    for (int d = tensor->ndim - 1; d >= 0; d--) {
        if (tensor->shape[d] != 1 && tensor->stride[d] != compact) return gk_tensor_elements(tensor) == 0;
        compact *= tensor->shape[d];
    }
    return 1;
}

static void write_tensor(struct gk_writer *writer, const char *name, const struct gk_tensor *tensor) {
    gk_write(writer, " %s=%s[", name, gk_dtype(tensor->dtype)->name);
    write_list(writer, tensor->shape, tensor->ndim);
    gk_write(writer, "]");
    if (!is_compact(tensor)) {
        gk_write(writer, "{");
        write_list(writer, tensor->stride, tensor->ndim);
        gk_write(writer, "}");
    }
    if (tensor->byte_offset) gk_write(writer, "@%llu", (unsigned long long)tensor->byte_offset);
}

/* A compact output is what the command makes on its own. */
static void write_tensors(struct gk_writer *writer, const struct gk_problem *problem) {
    const struct gasket_formula *formula = &problem->operation->formula;
    const int out = gk_formula_output(formula);
    for (int t = 0; t < formula->n_tensors; t++) {
        const struct gk_tensor *tensor = &problem->tensors[t];
        if (t != out || !is_compact(tensor) || tensor->byte_offset) write_tensor(writer, formula->tensors[t], tensor);
    }
}

/* The list that a group's extents, or the output's, were given as. */
static void write_extents(struct gk_writer *writer, const struct gk_problem *problem, int attribute) {
    const struct gasket_operation *operation = problem->operation;
    const struct gk_tensor *out = &problem->tensors[gk_formula_output(&operation->formula)];
    if (operation->output_extents == attribute) {
        write_list(writer, out->shape, out->ndim);
        return;
    }
    for (int g = 0; g < operation->formula.n_groups; g++) {
        if (operation->extents[g] != attribute) continue;
        write_list(writer, problem->group_extent[g], problem->group_rank[g]);
        return;
    }
}

static void write_attributes(struct gk_writer *writer, const struct gk_problem *problem) {
    const struct gasket_operation *operation = problem->operation;
    for (int a = 0; a < operation->n_attributes; a++) {
        gk_write(writer, " %s=", operation->attributes[a].name);
        if (operation->attributes[a].type == GASKET_ATTRIBUTE_INT)
            gk_write(writer, "%lld", (long long)problem->attributes[a]);
        else
            write_extents(writer, problem, a);
    }
}

/* Fill values are no part of a kernel, but whether there is one is, where indices count from the end. */
static void write_modes(struct gk_writer *writer, const struct gk_problem *problem) {
    static const char *const bounds[] = {GASKET_BOUNDS_NAMES};
    static const char *const combines[] = {GASKET_COMBINE_NAMES};
    if (problem->operation->formula.combine == GASKET_CHOSEN)
        gk_write(writer, " combine=%s", combines[problem->combine]);
    if (problem->bounds != GASKET_BOUNDS_ERROR) gk_write(writer, " bounds=%s", bounds[problem->bounds]);
    if (problem->has_fill && problem->bounds == GASKET_BOUNDS_FROM_END) gk_write(writer, " fill=0");
    if (problem->nan_propagates) gk_write(writer, " nan=propagate");
    if (problem->accumulates_wide) gk_write(writer, " accumulate=f32");
}

static int is_built_in(const struct gasket_operation *operation) {
    const struct gasket_kernel_set *set = &gasket_kernel_set;
    for (size_t i = 0; i < set->n_operations; i++)
        if (&set->operations[i] == operation) return 1;
    return 0;
}

static void write_formula(struct gk_writer *writer, const struct gk_problem *problem) {
    const struct gasket_operation *operation = problem->operation;
    int n = 0;
    gk_write(writer, "--formula '%s'", operation->formula_text);
    for (int g = 0; g < operation->formula.n_groups; g++)
        if (operation->has_rank[g])
            gk_write(writer, "%s%c = %d", n++ ? ", " : " --ranks '", operation->formula.groups[g],
                     problem->group_rank[g]);
    gk_write(writer, "%s", n ? "'" : "");
}

void gk_call_write(struct gk_writer *writer, const struct gk_problem *problem) {
    const int is_named = is_built_in(problem->operation);
    if (is_named)
        gk_write(writer, "%s", problem->operation->name);
    else
        write_formula(writer, problem);
    write_tensors(writer, problem);
    if (is_named) write_attributes(writer, problem);
    write_modes(writer, problem);
}
