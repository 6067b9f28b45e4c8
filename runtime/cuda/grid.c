/* grid: see grid.h. */
#include "cuda/grid.h"

#include <string.h>

enum {
    WIDEST = 16,     /* bytes that a thread loads or stores at once */
    SHORT_ROW = 128, /* bytes; shorter rows want more loads under way */
    MANY = 8,
    SOME = 4,
    GREATEST_BLOCK = INT32_MAX
};

/* ---- Elements that items share ---- */

#define SUMS (GASKET_BIT(GASKET_ADD) | GASKET_BIT(GASKET_SUB))
#define ORDERS (GASKET_BIT(GASKET_MIN) | GASKET_BIT(GASKET_MAX))
static const struct atomic {
    const char *type;
    uint32_t native; /* a bit for each operator */
    int bits, arch;
} atomics[] = {
    {"bool", 0, 32, 0},
    {"i8", 0, 32, 0},
    {"i16", 0, 32, 0},
    {"i32", SUMS | ORDERS, 32, 0},
    {"i64", SUMS | ORDERS, 64, 0},
    {"u8", 0, 32, 0},
    {"u16", 0, 32, 0},
    {"u32", SUMS | ORDERS, 32, 0},
    {"u64", SUMS | ORDERS, 64, 0},
    {"f16", 0, 32, 0},
    {"bf16", 0, 32, 0},
    {"f32", SUMS, 32, 0},
    {"f64", SUMS, 64, 60},
    {"c64", SUMS, 64, 0},
    {"c128", SUMS, 0, 60},
};

static int leads_output(const struct gasket_nest *knobs) {
    for (int c = 0; c < GASKET_NEST_COORDINATES; c++)
        if (knobs->coordinates[c].access == 0) return 1;
    return 0;
}

/* Where neither the machine nor a word helps, one thread has to do it. */
static void set_sharing(struct gk_grid *grid, const struct gk_nest *nest, int is_deterministic) {
    grid->sharing = GK_ALONE;
    if (is_deterministic || !leads_output(&nest->knobs)) return;
    if (nest->knobs.combine == GASKET_STORE) grid->sharing = GK_STORED;
    for (size_t i = 0; i < sizeof atomics / sizeof *atomics; i++) {
        if (strcmp(atomics[i].type, nest->template_name) != 0 || grid->sharing == GK_STORED) continue;
        const int is_native = (atomics[i].native & GASKET_BIT(nest->knobs.combine)) != 0;
        grid->swapped_bits = atomics[i].bits;
        grid->least_arch = is_native ? atomics[i].arch : 0;
        grid->sharing = is_native ? GK_NATIVE : grid->swapped_bits ? GK_SWAPPED : GK_ALONE;
    }
}

/* ---- Which loops one thread takes by itself ---- */

/* Those that lead to an element more than once, unless items may share it. */
static void set_serial(struct gk_grid *grid, const struct gk_nest *nest) {
    for (int k = 0; k < GASKET_NEST_LOOPS; k++) {
        const int64_t extent = k ? nest->knobs.extents[k] : nest->count;
        const int is_free = (nest->free_loops & GASKET_BIT(k)) != 0;
        grid->knobs.serial[k] = extent > 1 && !is_free && grid->sharing == GK_ALONE;
    }
}

static int has_serial(const struct gk_grid *grid) {
    for (int k = 0; k < GASKET_NEST_LOOPS; k++)
        if (grid->knobs.serial[k]) return 1;
    return 0;
}

/* A row that leads to one element is a loop as any other. Returns whether there is room for one more. */
static int unroll_row(struct gk_nest *nest) {
    struct gasket_nest *knobs = &nest->knobs;
    int k = GASKET_NEST_LOOPS;
    if (nest->has_free_row || knobs->row == 1) return 1;
    while (k > 1 && knobs->extents[k - 1] == 1)
        k--;
    if (k == 1 && nest->count == 1) k = 0;
    if (k == GASKET_NEST_LOOPS) return 0;
    if (k == 0)
        nest->count = knobs->row;
    else
        knobs->extents[k] = knobs->row;
    knobs->row = 1;
    for (int a = 0; a < nest->n_accesses; a++) {
        knobs->accesses[a].strides[k] = knobs->accesses[a].row_stride;
        knobs->accesses[a].row_stride = knobs->element;
    }
    return 1;
}

/* ---- How much an item moves ---- */

/* Every address that an access takes is a multiple of the lowest bit of this. */
static uint64_t steps_of(const struct gk_nest *nest, const struct gk_grid_wish *wish, int access) {
    const struct gasket_nest *knobs = &nest->knobs;
    uint64_t steps = wish->addresses[nest->tensors[access]] | (uint64_t)nest->starts[access];
    for (int k = 0; k < GASKET_NEST_LOOPS; k++)
        steps |= (uint64_t)knobs->accesses[access].strides[k];
    for (int c = 0; c < nest->n_coordinates; c++) {
        const struct gasket_nest_coordinate *coordinate = &knobs->coordinates[c];
        if (coordinate->access == access) steps |= (uint64_t)coordinate->stride;
        for (int v = 0; v < coordinate->n_values; v++)
            if (coordinate->values[v].access == access) steps |= (uint64_t)coordinate->values[v].offset;
    }
    return steps;
}

static int is_packed(const struct gasket_nest *knobs) {
    return knobs->accesses[0].row_stride == knobs->element && knobs->accesses[1].row_stride == knobs->element;
}

/* The widest piece that divides the row and every address. */
static int64_t piece_of(const struct gk_nest *nest, const struct gk_grid_wish *wish) {
    const struct gasket_nest *knobs = &nest->knobs;
    if (!is_packed(knobs) || knobs->row == 1) return knobs->element;
    const uint64_t row = (uint64_t)(knobs->row * knobs->element);
    const uint64_t steps = steps_of(nest, wish, 0) | steps_of(nest, wish, 1) | row | WIDEST;
    const int64_t piece = (int64_t)(steps & -steps);
    return piece > knobs->element ? piece : knobs->element;
}

/* ---- All of it ---- */

/* For index tensors as for values; a row has a step of its own. */
static int is_aligned(const struct gk_nest *nest, const struct gk_grid_wish *wish) {
    for (int a = 0; a < nest->n_accesses; a++) {
        const struct gasket_nest_access *access = &nest->knobs.accesses[a];
        const int is_value = a <= nest->knobs.n_factors;
        const int64_t bytes = is_value ? nest->knobs.element : gk_dtype_bytes((enum gasket_dtype)access->index_dtype);
        const uint64_t row = is_value && nest->knobs.row > 1 ? (uint64_t)access->row_stride : 0;
        if ((steps_of(nest, wish, a) | row) & (uint64_t)(bytes - 1)) return 0;
    }
    return 1;
}

static void fill_pieces(struct gk_nest *nest) {
    for (size_t i = (size_t)nest->knobs.element; i < sizeof nest->fill; i++)
        nest->fill[i] = nest->fill[i - (size_t)nest->knobs.element];
}

static void count_items(struct gk_grid *grid, const struct gk_nest *nest) {
    int64_t items = nest->knobs.row / grid->knobs.vector;
    for (int k = 0; k < GASKET_NEST_LOOPS; k++)
        if (!grid->knobs.serial[k]) items *= k ? nest->knobs.extents[k] : nest->count;
    const int64_t block = grid->batch * GASKET_GRID_THREADS;
    grid->items = items;
    grid->blocks = items / block + (items % block > 0);
}

const char *gk_grid_make(struct gk_grid *grid, struct gk_nest *nest, const struct gk_grid_wish *wish) {
    memset(grid, 0, sizeof *grid);
    if (!is_aligned(nest, wish)) return "elements are not aligned to their size";
    if (!unroll_row(nest)) return "more than 8 loops that do not merge";
    gk_nest_go_on(nest);
    fill_pieces(nest);
    set_sharing(grid, nest, wish->is_deterministic);
    set_serial(grid, nest);
    const int is_element = nest->template_name[0] == 'e';
    grid->moves = is_element && !has_serial(grid);
    grid->piece = grid->moves ? piece_of(nest, wish) : nest->knobs.element;
    grid->knobs.vector = grid->piece / nest->knobs.element;
    const int64_t paying = nest->knobs.row * nest->knobs.element <= SHORT_ROW ? MANY : SOME;
    grid->batch = !grid->moves ? 1 : wish->batch ? wish->batch : paying;
    count_items(grid, nest);
    return grid->blocks > GREATEST_BLOCK ? "more blocks than a launch has" : NULL;
}
