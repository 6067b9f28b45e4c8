/* nest: see nest.h. */
#include "nest.h"

#include <stdio.h>
#include <string.h>

#include "bounds.h"
#include "formula/formula.h"
#include "formula/structure.h"
#include "nest_loops.h"
#include "schedule.h"
#include "start.h"

enum {
    STREAMED = 16 << 20, /* bytes of output that are better not kept in caches */
    LINE = 64
};

/* What is known while a nest is made. The first reason to give up stays. */
struct maker {
    struct gk_nest *nest;
    const struct gk_problem *problem;
    const struct gasket_formula *formula;
    struct gk_loops loops;
    int slots[GASKET_MAX_ACCESSES]; /* the nest's access of each access of the formula, or -1 */
    const char *refusal;
};

static void refuse(struct maker *maker, const char *why) {
    if (!maker->refusal) maker->refusal = why;
}

/* ---- Accesses and coordinates, in elements ---- */

static void make_loops(struct maker *maker) {
    const struct gk_problem *problem = maker->problem;
    struct gk_loops *loops = &maker->loops;
    for (int g = 0; g < maker->formula->n_groups; g++) {
        loops->first[g] = loops->n;
        for (int part = 0; part < problem->group_rank[g]; part++) {
            if (problem->group_extent[g][part] == 0) {
                maker->nest->is_empty = 1;
                refuse(maker, "nothing is moved");
            }
            if (loops->n == GASKET_MAX_RANK) {
                refuse(maker, "more than 64 loops");
                return;
            }
            loops->items[loops->n++] = (struct gk_loop){.extent = problem->group_extent[g][part]};
        }
    }
}

/* A new access of the nest, or -1 when there is no room. */
static int add_access(struct maker *maker, uint8_t access) {
    struct gk_nest *nest = maker->nest;
    if (nest->n_accesses == GASKET_NEST_ACCESSES) {
        refuse(maker, "more tensors than a call-time kernel has room for");
        return -1;
    }
    nest->tensors[nest->n_accesses] = maker->formula->accesses[access].tensor;
    return nest->n_accesses++;
}

static void describe_access(struct maker *maker, uint8_t access, int slot);

/* The nest's access of an index tensor: made, with the coordinates of its own, when it is first met. */
static int index_slot(struct maker *maker, uint8_t access) {
    if (maker->slots[access] < 0) {
        const int slot = maker->slots[access] = add_access(maker, access);
        if (slot < 0) return -1;
        maker->nest->knobs.accesses[slot].index_dtype = maker->problem->tensors[maker->nest->tensors[slot]].dtype;
        describe_access(maker, access, slot);
    }
    return maker->slots[access];
}

static void add_value(struct maker *maker, struct gasket_nest_coordinate *coordinate, uint8_t access, int part) {
    const int slot = index_slot(maker, access);
    if (slot < 0) return;
    if (coordinate->n_values == GASKET_NEST_VALUES) {
        refuse(maker, "a subscript is the sum of more than two looked-up values");
        return;
    }
    const struct gk_tensor *tensor = &maker->problem->tensors[maker->nest->tensors[slot]];
    const int is_tuple = maker->formula->accesses[access].is_tuple;
    coordinate->values[coordinate->n_values++] =
        (struct gasket_nest_value){slot, is_tuple ? part * tensor->stride[tensor->ndim - 1] : 0};
}

/* A dimension of an access that is looked up. */
static void add_coordinate(struct maker *maker, const struct gasket_subscript *subscript, int part, int slot,
                           int dimension) {
    struct gk_nest *nest = maker->nest;
    const struct gk_tensor *tensor = &maker->problem->tensors[nest->tensors[slot]];
    struct gasket_nest_coordinate made = {.access = slot, .stride = tensor->stride[dimension]};
    for (int t = 0; t < subscript->n_terms; t++) {
        const struct gasket_term *term = &maker->formula->terms[subscript->first_term + t];
        if (term->kind == GASKET_TERM_LOOKUP) add_value(maker, &made, term->id, part);
    }
    if (nest->n_coordinates == GASKET_NEST_COORDINATES) refuse(maker, "more than 8 looked-up coordinates");
    if (maker->refusal) return;
    const int c = nest->n_coordinates++;
    made.is_sum = subscript->n_terms > 1;
    for (int t = 0; t < subscript->n_terms; t++) {
        const struct gasket_term *term = &maker->formula->terms[subscript->first_term + t];
        if (term->kind == GASKET_TERM_GROUP && maker->problem->group_rank[term->id] > 0)
            maker->loops.items[maker->loops.first[term->id] + part].steps[c] += 1;
    }
    nest->knobs.coordinates[c] = made;
    nest->extents[c] = tensor->shape[dimension];
}

static int is_looked_up(const struct gasket_formula *formula, const struct gasket_subscript *subscript) {
    for (int t = 0; t < subscript->n_terms; t++)
        if (formula->terms[subscript->first_term + t].kind == GASKET_TERM_LOOKUP) return 1;
    return 0;
}

/* Strides of the loops that the access moves along, and its looked-up dimensions. */
static void describe_access(struct maker *maker, uint8_t access, int slot) {
    struct gk_dimension dimensions[GASKET_MAX_RANK];
    const struct gk_tensor *tensor = &maker->problem->tensors[maker->nest->tensors[slot]];
    const int rank = gk_access_dimensions(maker->problem, access, dimensions);
    for (int d = 0; d < rank && !maker->refusal; d++) {
        if (dimensions[d].subscript == GASKET_NONE) continue;
        const struct gasket_subscript *subscript = &maker->formula->subscripts[dimensions[d].subscript];
        if (is_looked_up(maker->formula, subscript)) {
            add_coordinate(maker, subscript, dimensions[d].part, slot, d);
            continue;
        }
        for (int t = 0; t < subscript->n_terms; t++) {
            const uint8_t group = maker->formula->terms[subscript->first_term + t].id;
            if (maker->problem->group_rank[group] > 0)
                maker->loops.items[maker->loops.first[group] + dimensions[d].part].strides[slot] += tensor->stride[d];
        }
    }
}

/* Groups that alone are a subscript of the output lead to other elements at each position. */
static void find_free_loops(struct maker *maker) {
    const struct gasket_access *left = &maker->formula->accesses[maker->formula->left];
    for (int s = 0; s < left->n_subscripts; s++) {
        const struct gasket_subscript *subscript = &maker->formula->subscripts[left->first_subscript + s];
        const struct gasket_term *term = &maker->formula->terms[subscript->first_term];
        if (subscript->n_terms > 1 || term->kind != GASKET_TERM_GROUP) continue;
        for (int part = 0; part < maker->problem->group_rank[term->id]; part++)
            maker->loops.items[maker->loops.first[term->id] + part].is_free = 1;
    }
}

static void describe(struct maker *maker) {
    const struct gasket_formula *formula = maker->formula;
    memset(maker->slots, -1, sizeof maker->slots);
    maker->nest->knobs.n_factors = formula->n_factors;
    add_access(maker, formula->left);
    for (int f = 0; f < formula->n_factors; f++)
        add_access(maker, formula->factors[f]);
    describe_access(maker, formula->left, 0);
    for (int f = 0; f < formula->n_factors && !maker->refusal; f++)
        describe_access(maker, formula->factors[f], f + 1);
    find_free_loops(maker);
}

/* ---- From elements to bytes ---- */

/* Half bytes are counted until the last step, since a row of them may be whole bytes. */
static void scale(struct maker *maker, int64_t bits) {
    struct gk_nest *nest = maker->nest;
    const int64_t unit = bits < 8 ? 1 : bits / 8;
    for (int a = 0; a < nest->n_accesses; a++) {
        const int64_t bytes =
            a <= nest->knobs.n_factors ? unit : gk_dtype_bytes((enum gasket_dtype)nest->knobs.accesses[a].index_dtype);
        for (int i = 0; i < maker->loops.n; i++)
            maker->loops.items[i].strides[a] *= bytes;
    }
    for (int c = 0; c < nest->n_coordinates; c++) {
        struct gasket_nest_coordinate *coordinate = &nest->knobs.coordinates[c];
        const struct gasket_nest_access *access = &nest->knobs.accesses[coordinate->access];
        coordinate->stride *=
            coordinate->access <= nest->knobs.n_factors ? unit : gk_dtype_bytes((enum gasket_dtype)access->index_dtype);
        for (int v = 0; v < coordinate->n_values; v++) {
            struct gasket_nest_value *value = &coordinate->values[v];
            value->offset *= gk_dtype_bytes((enum gasket_dtype)nest->knobs.accesses[value->access].index_dtype);
        }
    }
    nest->knobs.element = unit;
}

/* Half bytes become bytes where every row is whole bytes. */
static void halve(struct maker *maker) {
    struct gk_nest *nest = maker->nest;
    struct gasket_nest *knobs = &nest->knobs;
    int64_t odd = knobs->row | (knobs->accesses[0].row_stride != 1) | (knobs->accesses[1].row_stride != 1);
    for (int a = 0; a <= 1; a++) {
        odd |= nest->starts[a];
        nest->starts[a] /= 2;
        for (int k = 0; k < GASKET_NEST_LOOPS; k++) {
            odd |= knobs->accesses[a].strides[k];
            knobs->accesses[a].strides[k] /= 2;
        }
    }
    for (int c = 0; c < nest->n_coordinates; c++) {
        if (knobs->coordinates[c].access > 1) continue;
        odd |= knobs->coordinates[c].stride;
        knobs->coordinates[c].stride /= 2;
    }
    knobs->row /= 2;
    nest->fill[0] = (unsigned char)(nest->fill[0] | nest->fill[0] << 4);
    if (odd & 1) refuse(maker, "elements of half a byte do not form rows of whole bytes");
}

/* ---- The loops take their places ---- */

static int is_moved(const struct gk_problem *problem) {
    return problem->combine == GASKET_STORE && problem->operation->formula.n_factors == 1;
}

/* The last loop becomes the row when nothing is looked up along it. */
static void take_row(struct maker *maker) {
    struct gk_nest *nest = maker->nest;
    struct gk_loops *loops = &maker->loops;
    const struct gk_loop *last = &loops->items[loops->n > 0 ? loops->n - 1 : 0];
    const int is_row = loops->n > 0 && !gk_loop_locates(last, nest);
    nest->knobs.row = is_row ? last->extent : 1;
    nest->has_free_row = !is_row || last->is_free;
    for (int a = 0; a <= nest->knobs.n_factors; a++)
        nest->knobs.accesses[a].row_stride = is_row ? last->strides[a] : nest->knobs.element;
    loops->n -= is_row;
}

static void place_loops(struct maker *maker) {
    struct gk_nest *nest = maker->nest;
    const struct gk_loops *loops = &maker->loops;
    struct gasket_nest *knobs = &nest->knobs;
    if (loops->n > GASKET_NEST_LOOPS) {
        refuse(maker, "more than 8 loops that do not merge");
        return;
    }
    for (int k = 0; k < GASKET_NEST_LOOPS; k++) {
        const struct gk_loop *loop = &loops->items[k];
        const int is_used = k < loops->n;
        knobs->extents[k] = is_used ? loop->extent : 1;
        knobs->checked[k] = is_used && gk_loop_locates(loop, nest) ? loop->extent : 1;
        for (int a = 0; is_used && a < nest->n_accesses; a++)
            knobs->accesses[a].strides[k] = loop->strides[a];
        for (int c = 0; is_used && c < nest->n_coordinates; c++)
            knobs->coordinates[c].steps[k] = loop->steps[c];
    }
    nest->count = knobs->extents[0];
    nest->checked = knobs->checked[0];
    knobs->extents[0] = 0;
    knobs->checked[0] = 0;
    nest->is_shared = loops->n > 0 && loops->items[0].is_free;
    for (int k = 0; k < loops->n; k++)
        nest->free_loops |= loops->items[k].is_free ? GASKET_BIT(k) : 0;
}

/* The level at which a coordinate is known: that of the last loop that it depends on. */
static void find_level(struct gk_nest *nest, int c) {
    struct gasket_nest_coordinate *coordinate = &nest->knobs.coordinates[c];
    int64_t level = 0;
    for (int v = 0; v < coordinate->n_values; v++) {
        const int64_t index = coordinate->values[v].access;
        for (int k = 1; k < GASKET_NEST_LOOPS; k++)
            if (nest->knobs.accesses[index].strides[k]) level = k > level ? k : level;
        for (int nested = 0; nested < c; nested++)
            if (nest->knobs.coordinates[nested].access == index && nest->knobs.coordinates[nested].level > level)
                level = nest->knobs.coordinates[nested].level;
    }
    for (int k = 1; k < GASKET_NEST_LOOPS; k++)
        if (coordinate->steps[k]) level = k > level ? k : level;
    coordinate->level = level;
}

/* ---- What becomes of indices outside ---- */

/* Whether the coordinates of an access lead, in the end, to the output. */
static int leads_to_output(const struct gk_nest *nest, int64_t access) {
    if (access <= nest->knobs.n_factors) return access == 0;
    for (int c = 0; c < nest->n_coordinates; c++)
        for (int v = 0; v < nest->knobs.coordinates[c].n_values; v++)
            if (nest->knobs.coordinates[c].values[v].access == access &&
                leads_to_output(nest, nest->knobs.coordinates[c].access))
                return 1;
    return 0;
}

void gk_nest_go_on(struct gk_nest *nest) {
    for (int c = 0; c < nest->n_coordinates; c++)
        nest->knobs.coordinates[c].skips = leads_to_output(nest, nest->knobs.coordinates[c].access);
    nest->knobs.checks = 0;
}

static void set_modes(struct maker *maker) {
    struct gk_nest *nest = maker->nest;
    const struct gk_problem *problem = maker->problem;
    struct gasket_nest *knobs = &nest->knobs;
    const int fills = !gk_bounds_reports(problem) && problem->bounds != GASKET_BOUNDS_DROP;
    knobs->combine = problem->combine;
    knobs->nan_propagates = problem->nan_propagates;
    knobs->form = gk_resolve_form(problem->bounds);
    knobs->checks = gk_bounds_reports(problem);
    for (int c = 0; c < nest->n_coordinates; c++)
        knobs->coordinates[c].skips = !fills || leads_to_output(nest, knobs->coordinates[c].access);
    for (int c = nest->n_coordinates; c < GASKET_NEST_COORDINATES; c++)
        knobs->coordinates[c].level = knobs->coordinates[c].access = -1;
}

/* ---- Memory ---- */

static int64_t inner_bytes(const struct gasket_nest *knobs, int64_t level) {
    int64_t bytes = knobs->row * knobs->element;
    for (int64_t k = level + 1; k < GASKET_NEST_LOOPS; k++)
        bytes *= knobs->extents[k];
    return bytes;
}

/* About 32 cache lines on their way, for the first tensor whose looked-up rows do not come from a cache near by. */
static void set_prefetch(struct maker *maker) {
    struct gasket_nest *knobs = &maker->nest->knobs;
    for (int c = 0; c < maker->nest->n_coordinates && !knobs->prefetch; c++) {
        const struct gasket_nest_coordinate *coordinate = &knobs->coordinates[c];
        if (coordinate->access > knobs->n_factors) continue;
        const struct gk_tensor *indexed = &maker->problem->tensors[maker->nest->tensors[coordinate->access]];
        knobs->prefetch = gk_prefetch_distance(indexed, inner_bytes(knobs, coordinate->level));
        if (!knobs->prefetch) continue;
        knobs->prefetch_access = coordinate->access;
        knobs->prefetch_level = coordinate->level;
    }
    if (knobs->prefetch_level > 0 && knobs->prefetch >= knobs->extents[knobs->prefetch_level])
        knobs->prefetch = knobs->prefetch_access = knobs->prefetch_level = 0;
}

static void set_memory(struct maker *maker) {
    struct gk_nest *nest = maker->nest;
    struct gasket_nest *knobs = &nest->knobs;
    nest->bytes = nest->count * inner_bytes(knobs, 0);
    const int64_t row = knobs->row * knobs->element;
    knobs->streams = nest->bytes >= STREAMED && row % LINE == 0 && is_moved(maker->problem);
    set_prefetch(maker);
}

/* ---- All of it ---- */

/* A tuple without values leads nowhere, so nothing would look at what is looked up to find it. */
static int finds_empty_tuple(const struct gk_problem *problem) {
    const struct gasket_formula *formula = &problem->operation->formula;
    for (int a = 0; a < formula->n_accesses; a++) {
        const struct gasket_access *access = &formula->accesses[a];
        const struct gk_tensor *tensor = &problem->tensors[access->tensor];
        if (!access->is_tuple || tensor->shape[tensor->ndim - 1] > 0) continue;
        for (int s = 0; s < access->n_subscripts; s++)
            if (is_looked_up(formula, &formula->subscripts[access->first_subscript + s])) return 1;
    }
    return 0;
}

static const char *cannot(const struct gk_problem *problem) {
    const struct gasket_formula *formula = &problem->operation->formula;
    const int from = formula->origin == GASKET_FROM_TENSOR;
    const struct gk_tensor *out = &problem->tensors[gk_formula_output(formula)];
    if (problem->accumulates_wide) return "accumulate = f32 is left to the interpreter";
    if (gk_adds_strings(problem)) return "strings are added by other tiers";
    if (finds_empty_tuple(problem)) return "a tuple without values is found by a lookup";
    if (formula->origin != GASKET_FROM_NOTHING && gk_dtype(problem->value_dtype)->bits < 8 &&
        !gk_start_is_whole(out, from ? &problem->tensors[formula->origin_tensor] : NULL))
        return "elements of half a byte do not form rows of whole bytes";
    return NULL;
}

static void name_template(struct gk_nest *nest, const struct gk_problem *problem) {
    if (is_moved(problem))
        snprintf(nest->template_name, sizeof nest->template_name, "e%d", (int)nest->knobs.element);
    else
        snprintf(nest->template_name, sizeof nest->template_name, "%s", gk_dtype(problem->value_dtype)->name);
}

const char *gk_nest_make(struct gk_nest *nest, const struct gk_problem *problem) {
    struct maker maker = {.nest = nest, .problem = problem, .formula = &problem->operation->formula};
    const int64_t bits = gk_dtype(problem->value_dtype)->bits;
    memset(nest, 0, sizeof *nest);
    memcpy(nest->fill, problem->fill, sizeof nest->fill);
    maker.refusal = cannot(problem);
    if (!maker.refusal) make_loops(&maker);
    if (!maker.refusal) describe(&maker);
    if (maker.refusal) return maker.refusal;
    scale(&maker, bits);
    gk_loops_arrange(&maker.loops, nest);
    take_row(&maker);
    place_loops(&maker);
    for (int c = 0; c < nest->n_coordinates; c++)
        find_level(nest, c);
    set_modes(&maker);
    if (bits < 8) halve(&maker);
    if (!maker.refusal) set_memory(&maker);
    name_template(nest, problem);
    return maker.refusal;
}

void gk_nest_call(struct gasket_nest_call *call, const struct gk_nest *nest, char *const data[GASKET_MAX_TENSORS]) {
    memset(call, 0, sizeof *call);
    for (int a = 0; a < nest->n_accesses; a++)
        call->bases[a] = data[nest->tensors[a]] + nest->starts[a];
    memcpy(call->extents, nest->extents, sizeof call->extents);
    memcpy(call->fill, nest->fill, sizeof call->fill);
}
