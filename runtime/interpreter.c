/* interpreter: see interpreter.h. For each point of all groups, in order: the product of the factors is combined into
 * the element on the left. With accumulate = f32 the whole output lies in an f32 scratch meanwhile. */
#include "interpreter.h"

#include <stdlib.h>
#include <string.h>

#include "bounds.h"
#include "formula/formula.h"
#include "number.h"
#include "walk.h"

/* An element of any type; a 4-bit one in the low half of the first byte. */
union element {
    unsigned char bytes[16];
    float wide;
    struct gasket_string_view string;
};

struct run {
    const struct gk_problem *problem;
    const struct gasket_formula *formula;
    const struct gk_tensor *out;
    struct gk_string_memory *memory;
    struct gk_error *error;
    float *wide; /* the output in row-major order, or NULL */
    struct gk_walk walk;
};

static void load(const struct gk_tensor *tensor, const int64_t *coordinates, union element *element) {
    int64_t offset = gk_element_offset(tensor, coordinates, tensor->ndim), bytes = gk_dtype_bytes(tensor->dtype);
    if (bytes > 0) {
        memcpy(element->bytes, tensor->data + offset * bytes, (size_t)bytes);
    } else {
        element->bytes[0] = (unsigned char)(tensor->data[offset >> 1] >> (4 * (offset & 1)) & 0xf);
    }
}

static void store(const struct gk_tensor *tensor, const int64_t *coordinates, const union element *element) {
    int64_t offset = gk_element_offset(tensor, coordinates, tensor->ndim), bytes = gk_dtype_bytes(tensor->dtype);
    if (bytes > 0) {
        memcpy(tensor->data + offset * bytes, element->bytes, (size_t)bytes);
        return;
    }
    int shift = (int)(4 * (offset & 1));
    char *byte = tensor->data + (offset >> 1);
    *byte = (char)((*byte & ~(0xf << shift)) | (element->bytes[0] & 0xf) << shift);
}

/* Coordinates in row-major order; 0 after the last. */
static int next_element(const struct gk_tensor *tensor, int64_t *coordinates) {
    for (int d = tensor->ndim - 1; d >= 0; d--) {
        if (++coordinates[d] < tensor->shape[d]) {
            return 1;
        }
        coordinates[d] = 0;
    }
    return 0;
}

static int64_t element_number(const struct gk_tensor *tensor, const int64_t *coordinates) {
    int64_t number = 0;
    for (int d = 0; d < tensor->ndim; d++) {
        number = number * tensor->shape[d] + coordinates[d];
    }
    return number;
}

/* What an element of the output is before the first point. */
static void start_element(struct run *run, const struct gk_tensor *origin, const int64_t *coordinates) {
    union element element;
    memset(&element, 0, sizeof element);
    if (origin != NULL) {
        load(origin, coordinates, &element);
    }
    if (run->wide != NULL) {
        run->wide[element_number(run->out, coordinates)] = gk_number_widen(run->out->dtype, &element);
    } else {
        store(run->out, coordinates, &element);
    }
}

static void start_output(struct run *run) {
    const struct gasket_formula *formula = run->formula;
    int64_t coordinates[GASKET_MAX_RANK] = {0};
    const struct gk_tensor *origin =
        formula->origin == GASKET_FROM_TENSOR ? &run->problem->tensors[formula->origin_tensor] : NULL;
    int stays = formula->origin == GASKET_FROM_NOTHING ||
                (origin != NULL && run->wide == NULL && gk_tensors_same(origin, run->out));
    if (stays || gk_tensor_elements(run->out) == 0) {
        return;
    }
    do {
        start_element(run, origin, coordinates);
    } while (next_element(run->out, coordinates));
}

static void round_output(struct run *run) {
    int64_t coordinates[GASKET_MAX_RANK] = {0};
    if (run->wide == NULL || gk_tensor_elements(run->out) == 0) {
        return;
    }
    do {
        union element element;
        gk_number_narrow(run->out->dtype, run->wide[element_number(run->out, coordinates)], &element);
        store(run->out, coordinates, &element);
    } while (next_element(run->out, coordinates));
}

/* All indices were checked before the first store, so this one was changed since. */
static enum gasket_status fail_changed(const struct run *run, uint8_t access) {
    return gk_fail(run->error, GASKET_OUT_OF_BOUNDS,
                   "an index into %s was changed while the operation ran and is out of bounds",
                   run->formula->tensors[run->formula->accesses[access].tensor]);
}

/* One factor at the point. *used becomes 0 when the update is to be dropped. */
static enum gasket_status load_factor(struct run *run, uint8_t access, union element *element, int *used) {
    const struct gk_problem *problem = run->problem;
    int64_t coordinates[GASKET_MAX_RANK];
    if (gk_walk_locate(&run->walk, access, coordinates)) {
        load(&problem->tensors[run->formula->accesses[access].tensor], coordinates, element);
    } else if (gk_bounds_reports(problem)) {
        return fail_changed(run, access);
    } else if (problem->bounds == GASKET_BOUNDS_DROP) {
        *used = 0;
    } else {
        memcpy(element->bytes, problem->fill, sizeof problem->fill);
    }
    if (run->wide != NULL) {
        element->wide = gk_number_widen(problem->value_dtype, element->bytes);
    }
    return GASKET_OK;
}

static enum gasket_dtype computing_dtype(const struct run *run) {
    return run->wide != NULL ? GASKET_F32 : run->problem->value_dtype;
}

static enum gasket_status load_product(struct run *run, union element *product, int *used) {
    enum gasket_status status = load_factor(run, run->formula->factors[0], product, used);
    for (int i = 1; i < run->formula->n_factors && status == GASKET_OK; i++) {
        union element factor = {{0}};
        status = load_factor(run, run->formula->factors[i], &factor, used);
        gk_number_combine(computing_dtype(run), GASKET_MUL, 0, product->bytes, factor.bytes);
    }
    return status;
}

static enum gasket_status combine_stored(struct run *run, const int64_t *coordinates, const union element *update) {
    const struct gk_problem *problem = run->problem;
    union element current;
    load(run->out, coordinates, &current);
    if (gk_adds_strings(problem)) {
        if (gk_string_append(run->memory, &current.string, &update->string) != 0) {
            return gk_string_memory_fail(problem->operation->name, run->error);
        }
    } else {
        gk_number_combine(problem->value_dtype, problem->combine, problem->nan_propagates, &current, update);
    }
    store(run->out, coordinates, &current);
    return GASKET_OK;
}

static enum gasket_status combine_left(struct run *run, const union element *update) {
    const struct gk_problem *problem = run->problem;
    int64_t coordinates[GASKET_MAX_RANK];
    if (!gk_walk_locate(&run->walk, run->formula->left, coordinates)) {
        return gk_bounds_reports(problem) ? fail_changed(run, run->formula->left) : GASKET_OK;
    }
    if (run->wide != NULL) {
        float *current = &run->wide[element_number(run->out, coordinates)];
        gk_number_combine(GASKET_F32, problem->combine, problem->nan_propagates, current, &update->wide);
        return GASKET_OK;
    }
    if (problem->combine == GASKET_STORE) {
        store(run->out, coordinates, update);
        return GASKET_OK;
    }
    return combine_stored(run, coordinates, update);
}

static enum gasket_status run_points(struct run *run) {
    enum gasket_status status = GASKET_OK;
    struct gk_group_list groups = {.n = run->formula->n_groups};
    for (int g = 0; g < groups.n; g++) {
        groups.ids[g] = (uint8_t)g;
    }
    for (int more = gk_walk_first(&run->walk, &groups); more && status == GASKET_OK;
         more = gk_walk_next(&run->walk, &groups)) {
        union element product = {{0}};
        int used = 1;
        status = load_product(run, &product, &used);
        if (status == GASKET_OK && used) {
            status = combine_left(run, &product);
        }
    }
    return status;
}

/* Storing rounds nothing, min and max choose: only the others can tell a wide accumulator from a narrow one. */
static int needs_wide(const struct gk_problem *problem) {
    int computes = problem->combine == GASKET_ADD || problem->combine == GASKET_SUB || problem->combine == GASKET_MUL;
    return problem->accumulates_wide && computes &&
           (problem->value_dtype == GASKET_F16 || problem->value_dtype == GASKET_BF16);
}

static enum gasket_status make_wide(struct run *run) {
    size_t elements = (size_t)gk_tensor_elements(run->out);
    run->wide = NULL;
    if (!needs_wide(run->problem)) {
        return GASKET_OK;
    }
    if (elements <= SIZE_MAX / sizeof *run->wide) {
        run->wide = malloc(elements > 0 ? elements * sizeof *run->wide : 1);
    }
    return run->wide != NULL ? GASKET_OK
                             : gk_fail(run->error, GASKET_OUT_OF_MEMORY,
                                       "no memory for %zu f32 elements, which accumulate = f32 needs", elements);
}

enum gasket_status gk_interpret(const struct gk_problem *problem, struct gk_string_memory *memory,
                                struct gk_error *error) {
    struct run run = {.problem = problem, .formula = &problem->operation->formula, .memory = memory, .error = error};
    run.out = &problem->tensors[gk_formula_output(run.formula)];
    enum gasket_status status =
        gk_adds_strings(problem) ? gk_string_memory_check(memory, problem->operation->name, error) : GASKET_OK;
    if (status == GASKET_OK) {
        status = gk_bounds_check(problem, error);
    }
    if (status == GASKET_OK) {
        status = make_wide(&run);
    }
    if (status == GASKET_OK) {
        gk_walk_start(&run.walk, problem);
        start_output(&run);
        status = run_points(&run);
        round_output(&run);
    }
    free(run.wide);
    return status;
}
