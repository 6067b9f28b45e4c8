/* fold: see fold.h. Works in elements until the last step, so that types of less than a byte fold like all others. */
#include "fold.h"

#include <string.h>

#include "formula/formula.h"
#include "start.h"

enum side { INDEXED, PLAIN, INDEX };

/* Every dimension of every group with its stride on each side. All groups stand in the plain tensor, so they fit. */
struct table {
    int first[GASKET_MAX_GROUPS];
    struct gk_axis axes[GASKET_MAX_RANK];
};

static void set_stride(struct gk_axis *axis, enum side side, int64_t stride) {
    if (side == INDEXED)
        axis->indexed_stride = stride;
    else if (side == PLAIN)
        axis->plain_stride = stride;
    else
        axis->index_stride = stride;
}

static void read_access(struct table *table, const struct gk_problem *problem, uint8_t access, enum side side) {
    const struct gasket_formula *formula = &problem->operation->formula;
    const struct gk_tensor *tensor = &problem->tensors[formula->accesses[access].tensor];
    struct gk_dimension dimensions[GASKET_MAX_RANK];
    int rank = gk_access_dimensions(problem, access, dimensions);
    for (int d = 0; d < rank; d++) {
        if (dimensions[d].subscript == GASKET_NONE) continue;
        const struct gasket_subscript *subscript = &formula->subscripts[dimensions[d].subscript];
        const struct gasket_term *term = &formula->terms[subscript->first_term];
        if (term->kind == GASKET_TERM_GROUP)
            set_stride(&table->axes[table->first[term->id] + dimensions[d].part], side, tensor->stride[d]);
    }
}

static void fill_table(struct table *table, const struct gk_problem *problem, const struct gk_structure *structure) {
    int n = 0;
    for (int g = 0; g < problem->operation->formula.n_groups; g++) {
        table->first[g] = n;
        for (int part = 0; part < problem->group_rank[g]; part++)
            table->axes[n++] = (struct gk_axis){problem->group_extent[g][part], 0, 0, 0};
    }
    read_access(table, problem, structure->indexed, INDEXED);
    read_access(table, problem, structure->plain, PLAIN);
    read_access(table, problem, structure->lookup, INDEX);
}

/* Batch and index groups, in the order of the index tensor's dimensions. The last axis becomes the run when nothing of
 * the indexed tensor moves along it. */
static void fold_runs(struct gk_form *form, const struct gk_problem *problem, const struct table *table) {
    const struct gasket_formula *formula = &problem->operation->formula;
    struct gk_dimension dimensions[GASKET_MAX_RANK];
    const struct gasket_access *lookup = &formula->accesses[form->lookup];
    int rank = gk_access_dimensions(problem, form->lookup, dimensions) - lookup->is_tuple, n = 0;
    for (int d = 0; d < rank; d++) {
        const struct gasket_subscript *subscript = &formula->subscripts[dimensions[d].subscript];
        uint8_t group = formula->terms[subscript->first_term].id;
        form->runs[n++] = table->axes[table->first[group] + dimensions[d].part];
    }
    n = gk_axes_squeeze(form->runs, n);
    form->count = 1;
    if (n > 0 && form->runs[n - 1].indexed_stride == 0) {
        const struct gk_axis *run = &form->runs[--n];
        form->count = run->extent;
        form->plain_row_stride = run->plain_stride;
        form->lookups.tuple_stride = run->index_stride;
    }
    form->n_runs = n;
    form->run_count = gk_axes_product(form->runs, n);
}

/* Along an axis that both tensors walk backwards, rows are walked forwards from the other end. */
static void turn_forward(struct gk_form *form, struct gk_axis *axis) {
    if (axis->indexed_stride >= 0 || axis->plain_stride >= 0 || axis->extent == 0) return;
    form->indexed_start += (axis->extent - 1) * axis->indexed_stride;
    form->plain_start += (axis->extent - 1) * axis->plain_stride;
    axis->indexed_stride = -axis->indexed_stride;
    axis->plain_stride = -axis->plain_stride;
}

static int64_t output_stride(const struct gk_form *form, const struct gk_axis *axis) {
    return gk_magnitude(form->scatters ? axis->indexed_stride : axis->plain_stride);
}

static void insert_by_stride(struct gk_form *form, struct gk_axis axis) {
    int at = form->n_outer++;
    while (at > 0 && output_stride(form, &form->outer[at - 1]) < output_stride(form, &axis)) {
        form->outer[at] = form->outer[at - 1];
        at--;
    }
    form->outer[at] = axis;
}

/* The innermost axis becomes the row when it is contiguous on both sides. Otherwise a row is one element, and the axes
 * that lie closer together than neighbouring tuples do are walked as a box for each tuple. */
static void split_rows(struct gk_form *form) {
    int n = form->n_outer;
    form->row = 1;
    if (n > 0 && form->outer[n - 1].indexed_stride == 1 && form->outer[n - 1].plain_stride == 1) {
        form->row = form->outer[--n].extent;
        form->n_outer = n;
    } else {
        int64_t across = form->count > 1 ? gk_magnitude(form->plain_row_stride) : INT64_MAX;
        while (n > 0 && gk_magnitude(form->outer[n - 1].plain_stride) < across)
            n--;
        form->n_inner = form->n_outer - n;
        form->n_outer = n;
    }
    form->outer_count = gk_axes_product(form->outer, n);
}

/* Outer and slice groups. An indexed tensor without elements, whose strides say nothing, is given those of the plain
 * one.
 */
static void fold_rows(struct gk_form *form, const struct gk_problem *problem, const struct gk_structure *structure,
                      const struct table *table) {
    int is_empty = gk_tensor_elements(&problem->tensors[form->indexed]) == 0;
    for (int g = 0; g < problem->operation->formula.n_groups; g++) {
        if (structure->roles[g] != GK_ROLE_OUTER && structure->roles[g] != GK_ROLE_SLICE) continue;
        for (int part = 0; part < problem->group_rank[g]; part++) {
            struct gk_axis axis = table->axes[table->first[g] + part];
            if (is_empty) axis.indexed_stride = axis.plain_stride;
            turn_forward(form, &axis);
            insert_by_stride(form, axis);
        }
    }
    form->n_outer = gk_axes_squeeze(form->outer, form->n_outer);
    split_rows(form);
}

static void fold_lookup(struct gk_form *form, const struct gk_problem *problem, const struct gk_structure *structure) {
    const struct gasket_formula *formula = &problem->operation->formula;
    const struct gk_tensor *indexed = &problem->tensors[form->indexed], *index = &problem->tensors[form->index];
    struct gk_dimension dimensions[GASKET_MAX_RANK];
    int rank = gk_access_dimensions(problem, structure->indexed, dimensions);
    for (int d = 0; d < rank; d++) {
        if (dimensions[d].subscript != structure->lookup_subscript) continue;
        form->extents[dimensions[d].part] = indexed->shape[d];
        form->strides[dimensions[d].part] = indexed->stride[d];
    }
    form->lookups.depth = problem->depth[form->lookup];
    if (formula->accesses[form->lookup].is_tuple) form->lookups.component_stride = index->stride[index->ndim - 1];
}

static int scale_axes(struct gk_axis *axes, int n, int64_t bits) {
    for (int i = 0; i < n; i++) {
        if ((axes[i].indexed_stride * bits) % 8 || (axes[i].plain_stride * bits) % 8) return -1;
        axes[i].indexed_stride = axes[i].indexed_stride * bits / 8;
        axes[i].plain_stride = axes[i].plain_stride * bits / 8;
    }
    return 0;
}

/* From elements to bytes. Fails where half a byte would have to be moved. */
static int scale(struct gk_form *form, int64_t bits, int64_t index_bytes) {
    int odd =
        scale_axes(form->runs, form->n_runs, bits) || scale_axes(form->outer, form->n_outer + form->n_inner, bits);
    int64_t *const scaled[] = {&form->plain_row_stride, &form->row, &form->indexed_start, &form->plain_start};
    for (size_t i = 0; i < sizeof scaled / sizeof *scaled; i++) {
        odd |= (*scaled[i] * bits) % 8 != 0;
        *scaled[i] = *scaled[i] * bits / 8;
    }
    for (int64_t i = 0; i < form->lookups.depth; i++) {
        odd |= (form->strides[i] * bits) % 8 != 0;
        form->strides[i] = form->strides[i] * bits / 8;
    }
    for (int i = 0; i < form->n_runs; i++)
        form->runs[i].index_stride *= index_bytes;
    form->lookups.tuple_stride *= index_bytes;
    form->lookups.component_stride *= index_bytes;
    return odd;
}

/* Whether the value that the output starts from can be copied in whole bytes. */
static int starts_whole(const struct gk_problem *problem) {
    const struct gasket_formula *formula = &problem->operation->formula;
    if (formula->origin != GASKET_FROM_TENSOR) return 1;
    const struct gk_tensor *out = &problem->tensors[gk_formula_output(formula)];
    return gk_start_is_whole(out, &problem->tensors[formula->origin_tensor]);
}

static int has_role(const struct gk_problem *problem, const struct gk_structure *structure, enum gk_group_role role) {
    for (int g = 0; g < problem->operation->formula.n_groups; g++)
        if (structure->roles[g] == role) return 1;
    return 0;
}

static int64_t role_extent(const struct gk_problem *problem, const struct gk_structure *structure,
                           enum gk_group_role role) {
    int64_t total = 1;
    for (int g = 0; g < problem->operation->formula.n_groups; g++)
        for (int part = 0; structure->roles[g] == role && part < problem->group_rank[g]; part++)
            total *= problem->group_extent[g][part];
    return total;
}

/* Which line of the manifest the call belongs to. */
static struct gk_combination combination_of(const struct gk_form *form, const struct gk_problem *problem,
                                            const struct gk_structure *structure) {
    struct gk_combination c = {problem->value_dtype, problem->tensors[form->index].dtype, problem->combine, -1, -1, -1,
                               problem->bounds};
    if (problem->operation->formula.accesses[form->lookup].is_tuple)
        c.depth = form->lookups.depth > 4 ? 5 : (int)form->lookups.depth;
    if (has_role(problem, structure, GK_ROLE_OUTER)) {
        int inner = role_extent(problem, structure, GK_ROLE_SLICE) == 1;
        c.axis = role_extent(problem, structure, GK_ROLE_OUTER) == 1 ? 0 : inner ? 2 : 1;
    }
    if (has_role(problem, structure, GK_ROLE_BATCH)) c.batch = role_extent(problem, structure, GK_ROLE_BATCH) != 1;
    return c;
}

enum gasket_status gk_fold(struct gk_form *form, const struct gk_problem *problem, const struct gk_structure *structure,
                           struct gk_error *error) {
    const struct gasket_formula *formula = &problem->operation->formula;
    struct table table;
    fill_table(&table, problem, structure);
    memset(form, 0, offsetof(struct gk_form, runs));
    form->n_outer = form->n_inner = 0;
    form->plain_row_stride = form->indexed_start = form->plain_start = 0;
    form->lookups = (struct gasket_lookup){0, 0, 0, NULL, NULL};
    form->scatters = structure->scatters;
    form->lookup = structure->lookup;
    form->indexed = formula->accesses[structure->indexed].tensor;
    form->plain = formula->accesses[structure->plain].tensor;
    form->index = formula->accesses[structure->lookup].tensor;
    fold_lookup(form, problem, structure);
    form->combination = combination_of(form, problem, structure);
    fold_runs(form, problem, &table);
    fold_rows(form, problem, structure, &table);
    int64_t bits = gk_dtype(problem->value_dtype)->bits;
    form->element = bits < 8 ? 1 : bits / 8;
    int moves = gk_form_bytes(form) > 0; /* elements, still */
    int is_odd = scale(form, bits, gk_dtype_bytes(problem->tensors[form->index].dtype));
    if ((is_odd && moves) || (bits < 8 && !starts_whole(problem)))
        return gk_fail(error, GASKET_UNSUPPORTED,
                       "%s: rows of %s must be a whole number of bytes: an even number of contiguous elements, at even "
                       "places",
                       problem->operation->name, gk_dtype(problem->value_dtype)->name);
    return GASKET_OK;
}

struct gasket_lookup gk_form_lookup(const struct gk_form *form) {
    struct gasket_lookup lookup = form->lookups;
    lookup.extents = form->extents;
    lookup.strides = form->strides;
    return lookup;
}

int64_t gk_form_tuples(const struct gk_form *form) {
    return form->run_count * form->count;
}

int64_t gk_form_box(const struct gk_form *form) {
    return gk_axes_product(form->outer + form->n_outer, form->n_inner);
}

int64_t gk_form_bytes(const struct gk_form *form) {
    return gk_form_tuples(form) * form->outer_count * gk_form_box(form) * form->row;
}
