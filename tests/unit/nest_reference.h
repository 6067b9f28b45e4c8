/* nest_reference: what a description means, point by point, and random descriptions with operands for them. */
#ifndef UNIT_NEST_REFERENCE_H
#define UNIT_NEST_REFERENCE_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nest_text.h"
#include "runtime/number.h"
#include "runtime/tensor.h"

__extension__ typedef __int128 nest_integer;

/* The description that the texts of a test program read. */
static struct gasket_nest nest_described;
static const struct gasket_nest *nest_knobs = &nest_described;

struct nest_place {
    const struct gasket_nest_call *call;
    int64_t i[GASKET_NEST_LOOPS], at[GASKET_NEST_COORDINATES];
    int lost[GASKET_NEST_COORDINATES];
};

static char *nest_address(const struct nest_place *place, int64_t access) {
    char *address = place->call->bases[access];
    for (int k = 0; k < GASKET_NEST_LOOPS; k++)
        address += place->i[k] * nest_knobs->accesses[access].strides[k];
    for (int c = 0; c < GASKET_NEST_COORDINATES; c++)
        if (nest_knobs->coordinates[c].access == access) address += place->at[c];
    return address;
}

static int nest_lost(const struct nest_place *place, int64_t access) {
    for (int c = 0; c < GASKET_NEST_COORDINATES; c++)
        if (nest_knobs->coordinates[c].access == access && place->lost[c]) return 1;
    return 0;
}

static nest_integer nest_value(const struct nest_place *place, const struct gasket_nest_value *value) {
    const char *from = nest_address(place, value->access) + value->offset;
    const int64_t dtype = nest_knobs->accesses[value->access].index_dtype;
    const int bytes = (int)gk_dtype_bytes((enum gasket_dtype)dtype);
    uint64_t bits = 0;
    memcpy(&bits, from, (size_t)bytes);
    const int is_signed = dtype >= GASKET_I8 && dtype <= GASKET_I64, above = 64 - 8 * bytes;
    return is_signed ? (nest_integer)((int64_t)(bits << above) >> above) : (nest_integer)bits;
}

static void nest_find(struct nest_place *place, int c) {
    const struct gasket_nest_coordinate *to = &nest_knobs->coordinates[c];
    const nest_integer extent = place->call->extents[c];
    nest_integer looked_up = 0, sum = 0;
    place->at[c] = place->lost[c] = 0;
    for (int64_t v = 0; v < to->n_values; v++)
        place->lost[c] |= nest_lost(place, to->values[v].access);
    if (place->lost[c]) return;
    for (int64_t v = 0; v < to->n_values; v++)
        looked_up += nest_value(place, &to->values[v]);
    for (int k = 0; k < GASKET_NEST_LOOPS; k++)
        sum += place->i[k] * to->steps[k];
    sum += looked_up;
    if (nest_knobs->form == GASKET_WRAP && looked_up < 0) sum += extent;
    if (nest_knobs->form == GASKET_CLIP && extent > 0) sum = sum < 0 ? 0 : sum >= extent ? extent - 1 : sum;
    place->lost[c] = nest_knobs->form != GASKET_RAW && (sum < 0 || sum >= extent);
    place->at[c] = place->lost[c] ? 0 : (int64_t)sum * to->stride;
}

/* All coordinates at the point. Whether one is lost; *skips: whether the point is left out. */
static int nest_find_all(struct nest_place *place, int *skips) {
    int bad = 0;
    *skips = 0;
    for (int c = 0; c < GASKET_NEST_COORDINATES; c++) {
        if (nest_knobs->coordinates[c].level < 0) continue;
        nest_find(place, c);
        bad |= place->lost[c];
        *skips |= place->lost[c] && nest_knobs->coordinates[c].skips;
    }
    return bad;
}

static const char *nest_factor(const struct nest_place *place, int64_t access, int64_t k) {
    return nest_lost(place, access) ? place->call->fill
                                    : nest_address(place, access) + k * nest_knobs->accesses[access].row_stride;
}

static void nest_row(const struct nest_place *place, enum gasket_dtype dtype) {
    const size_t bytes = (size_t)nest_knobs->element;
    for (int64_t k = 0; k < nest_knobs->row; k++) {
        char product[16], *out = nest_address(place, 0) + k * nest_knobs->accesses[0].row_stride;
        memcpy(product, nest_factor(place, 1, k), bytes);
        for (int64_t f = 2; f <= nest_knobs->n_factors; f++)
            gk_number_combine(dtype, GASKET_MUL, 0, product, nest_factor(place, f, k));
        if (nest_knobs->combine == GASKET_STORE)
            memcpy(out, product, bytes);
        else
            gk_number_combine(dtype, (enum gasket_combine)nest_knobs->combine, (int)nest_knobs->nan_propagates, out,
                              product);
    }
}

static int nest_next(struct nest_place *place, const int64_t *extents, int64_t begin, int64_t end) {
    for (int k = GASKET_NEST_LOOPS - 1; k >= 0; k--) {
        if (++place->i[k] < (k ? extents[k] : end)) return 1;
        place->i[k] = k ? 0 : begin;
    }
    return 0;
}

static int64_t nest_expected_run(const struct gasket_nest_call *call, int64_t begin, int64_t end,
                                 enum gasket_dtype dtype) {
    struct nest_place place = {.call = call, .i = {begin}};
    int64_t bad = 0;
    if (begin >= end) return 0;
    do {
        int skips;
        bad |= nest_find_all(&place, &skips);
        if (!skips) nest_row(&place, dtype);
    } while (nest_next(&place, nest_knobs->extents, begin, end));
    return bad;
}

static int64_t nest_expected_check(const struct gasket_nest_call *call, int64_t begin, int64_t end) {
    struct nest_place place = {.call = call, .i = {begin}};
    int64_t bad = 0;
    if (begin >= end) return 0;
    do {
        int skips;
        bad |= nest_find_all(&place, &skips);
    } while (nest_next(&place, nest_knobs->checked, begin, end));
    return bad;
}

/* ---- Random descriptions ---- */

static uint64_t nest_state = 1;
static int64_t nest_draw(int64_t n) {
    nest_state = nest_state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((nest_state >> 33) % (uint64_t)n);
}

enum { NEST_MAX_BYTES = 1 << 16 };
struct nest_case {
    struct gasket_nest_call call;
    int64_t count, checked, size[GASKET_NEST_ACCESSES], before[GASKET_NEST_ACCESSES];
    int n_accesses, n_coordinates;
    char *memory[GASKET_NEST_ACCESSES];
};

static int64_t nest_extent(const struct nest_case *is, int k) {
    return k ? nest_described.extents[k] : is->count;
}

static void nest_draw_loops(struct nest_case *is) {
    const int64_t loops = nest_draw(5);
    is->count = 1 + nest_draw(6);
    for (int k = 1; k < GASKET_NEST_LOOPS; k++)
        nest_described.extents[k] = k <= loops ? 1 + nest_draw(4) : 1;
    nest_described.row = nest_draw(3) ? 1 + nest_draw(40) : 60 + nest_draw(80);
}

/* Strides along which operands are dense, have gaps, overlap, repeat or run backwards. */
static void nest_draw_strides(struct nest_case *is, int access, int64_t element) {
    struct gasket_nest_access *drawn = &nest_described.accesses[access];
    const int is_index = access > nest_described.n_factors;
    const int64_t steps[] = {1, 1, 1, 1, 0, 2, 3, -1}, sign = nest_draw(4) ? 1 : -1;
    drawn->row_stride = is_index ? 0 : element * steps[nest_draw(8)];
    int64_t dense = is_index ? element : element * nest_described.row;
    for (int k = GASKET_NEST_LOOPS - 1; k >= 0; k--) {
        const int64_t extent = nest_extent(is, k), kind = nest_draw(6);
        if (extent == 1) continue;
        drawn->strides[k] = kind == 0 ? 0 : kind == 1 ? sign * element : sign * (dense + element * (kind == 2));
        if (kind > 1) dense = (dense + element * (kind == 2)) * extent;
    }
}

static void nest_draw_values(struct gasket_nest_coordinate *to, int first_index, int n_indices) {
    to->n_values = 1 + (nest_draw(3) == 0);
    for (int64_t v = 0; v < to->n_values; v++) {
        const int64_t access = first_index + (nest_draw(2) ? n_indices - 1 : nest_draw(n_indices));
        const int64_t bytes = gk_dtype_bytes((enum gasket_dtype)nest_described.accesses[access].index_dtype);
        to->values[v] = (struct gasket_nest_value){access, bytes * nest_draw(3)};
    }
}

/* The loop with which a coordinate is known. */
static int64_t nest_level(const struct nest_case *is, const struct gasket_nest_coordinate *to, int c) {
    int64_t level = 0;
    for (int k = 1; k < GASKET_NEST_LOOPS; k++) {
        int64_t moves = to->steps[k];
        for (int64_t v = 0; v < to->n_values; v++)
            moves |= nest_described.accesses[to->values[v].access].strides[k];
        if (moves && nest_extent(is, k) > 1) level = k;
    }
    for (int64_t v = 0; v < to->n_values; v++)
        for (int other = 0; other < c; other++)
            if (nest_described.coordinates[other].access == to->values[v].access &&
                nest_described.coordinates[other].level > level)
                level = nest_described.coordinates[other].level;
    return level;
}

static void nest_draw_coordinate(struct nest_case *is, int c, int64_t access, int n_indices) {
    struct gasket_nest_coordinate *to = &nest_described.coordinates[c];
    const int64_t first = nest_described.n_factors + 1, bytes = access < first ? nest_described.element : 1;
    const int64_t unit =
        access < first ? bytes : gk_dtype_bytes((enum gasket_dtype)nest_described.accesses[access].index_dtype);
    *to = (struct gasket_nest_coordinate){.access = access, .stride = unit * (1 + nest_draw(9))};
    nest_draw_values(to, (int)first, n_indices);
    to->is_sum = to->n_values > 1 || nest_draw(4) == 0;
    int64_t reach = 4 * to->n_values;
    for (int k = 0; to->is_sum && k < GASKET_NEST_LOOPS; k++) {
        if (nest_extent(is, k) == 1) continue;
        to->steps[k] = nest_draw(3) == 0 ? 1 + nest_draw(2) : 0;
        reach += to->steps[k] * (nest_extent(is, k) - 1);
    }
    is->call.extents[c] = nest_described.form != GASKET_RAW && nest_draw(6) == 0 ? nest_draw(2) : reach;
    to->level = nest_level(is, to, c);
}

/* Indices of index tensors that are looked up come first: they lead to tensors whose own values are not looked up. */
static void nest_draw_coordinates(struct nest_case *is, int n_indices) {
    const int last = (int)nest_described.n_factors + n_indices;
    int c = 0;
    if (n_indices > 1 && nest_draw(2)) nest_draw_coordinate(is, c++, last, n_indices - 1);
    for (int64_t n = 1 + nest_draw(4); n > 0; n--)
        nest_draw_coordinate(is, c++, nest_draw(nest_described.n_factors + 1), n_indices);
    const int fills = nest_draw(2) == 0;
    for (int k = 0; k < c; k++) {
        struct gasket_nest_coordinate *to = &nest_described.coordinates[k];
        int leads = to->access == 0;
        for (int other = k + 1; other < c; other++)
            for (int64_t v = 0; v < nest_described.coordinates[other].n_values; v++)
                leads |= nest_described.coordinates[other].values[v].access == to->access &&
                         nest_described.coordinates[other].access == 0;
        to->skips = leads || !fills;
    }
    is->n_coordinates = c;
    for (; c < GASKET_NEST_COORDINATES; c++)
        nest_described.coordinates[c].level = nest_described.coordinates[c].access = -1;
}

static void nest_find_checked(struct nest_case *is) {
    for (int k = 0; k < GASKET_NEST_LOOPS; k++) {
        int64_t moves = 0;
        for (int a = (int)nest_described.n_factors + 1; a < is->n_accesses; a++)
            moves |= nest_described.accesses[a].strides[k];
        for (int c = 0; c < is->n_coordinates; c++)
            moves |= nest_described.coordinates[c].steps[k];
        nest_described.checked[k] = moves ? nest_extent(is, k) : 1;
    }
    nest_described.checks = 1;
    is->checked = nest_described.checked[0];
    nest_described.checked[0] = nest_described.extents[0] = 0;
}

/* ---- Operands ---- */

/* Bytes of an operand, and how many of them lie before its first element. */
static int64_t nest_span(struct nest_case *is, int a) {
    const struct gasket_nest_access *access = &nest_described.accesses[a];
    int64_t after = 16, before = 0;
    const int64_t along = access->row_stride * (nest_described.row - 1);
    *(along < 0 ? &before : &after) += along < 0 ? -along : along;
    for (int k = 0; k < GASKET_NEST_LOOPS; k++) {
        const int64_t way = access->strides[k] * (nest_extent(is, k) - 1);
        *(way < 0 ? &before : &after) += way < 0 ? -way : way;
    }
    for (int c = 0; c < is->n_coordinates; c++) {
        const struct gasket_nest_coordinate *to = &nest_described.coordinates[c];
        if (to->access == a && is->call.extents[c] > 0) after += to->stride * (is->call.extents[c] - 1);
        for (int64_t v = 0; v < to->n_values; v++)
            if (to->values[v].access == a) after += to->values[v].offset;
    }
    is->before[a] = before;
    return after + before;
}

static void nest_fill_indices(struct nest_case *is, int a) {
    const int64_t dtype = nest_described.accesses[a].index_dtype;
    const int64_t bytes = gk_dtype_bytes((enum gasket_dtype)dtype), rare = nest_described.form == GASKET_RAW ? 0 : 12;
    static const int64_t far[] = {INT64_MIN, INT64_MAX, -1, -2, 5, 100, -100, INT64_MIN + 1, 0x7ffffffffffffff0};
    const int wild = nest_draw(2) == 0;
    for (int64_t at = is->before[a] % bytes; at + bytes <= is->size[a]; at += bytes) {
        const int64_t value = rare && wild && nest_draw(rare) == 0 ? far[nest_draw(9)] : nest_draw(4);
        memcpy(is->memory[a] + at, &value, (size_t)bytes);
    }
}

/* Numbers of all kinds: whole ones, NaN with payloads, infinities, subnormals, whatever the bits say. */
static void nest_fill_elements(char *memory, int64_t size) {
    static const uint32_t kinds[] = {0x3f800000, 0x7fc12345, 0xff812345, 0x7f800000, 0x80000000, 0x00000001, 0x3c003c00,
                                     0x7c017e01, 0xfc003f80, 0x41200000, 0x7ff00001, 0xc0490fdb, 0x7ff80000};
    for (int64_t at = 0; at < size; at++)
        memory[at] = (char)nest_draw(256);
    for (int64_t at = 0; at + 4 <= size; at += 4)
        if (nest_draw(3)) memcpy(memory + at, &kinds[nest_draw(13)], 4);
}

static void nest_make_operands(struct nest_case *is) {
    for (int a = 0; a < is->n_accesses; a++) {
        is->size[a] = nest_span(is, a);
        is->memory[a] = malloc((size_t)is->size[a]);
        is->call.bases[a] = is->memory[a] + is->before[a];
        nest_fill_elements(is->memory[a], is->size[a]);
        if (a > nest_described.n_factors) nest_fill_indices(is, a);
    }
    nest_fill_elements(is->call.fill, sizeof is->call.fill);
}

static void nest_draw_memory(void) {
    const int64_t row = nest_described.row * nest_described.element;
    nest_described.streams = row % 64 == 0 && nest_draw(2);
    nest_described.prefetch_level = nest_draw(4);
    nest_described.prefetch = nest_draw(3) ? 1 + nest_draw(4) : 0;
    nest_described.prefetch_access = nest_draw(nest_described.n_factors + 1);
}

static void nest_draw_case(struct nest_case *is, int64_t element, int moves) {
    memset(is, 0, sizeof *is);
    memset(&nest_described, 0, sizeof nest_described);
    nest_described.element = element;
    nest_described.n_factors = moves ? 1 : 1 + nest_draw(4);
    nest_described.form = nest_draw(4);
    const int n_indices = (int)(1 + nest_draw(3));
    is->n_accesses = (int)nest_described.n_factors + 1 + n_indices;
    nest_draw_loops(is);
    for (int a = 0; a < is->n_accesses; a++) {
        nest_described.accesses[a].index_dtype = a > nest_described.n_factors ? GASKET_I8 + nest_draw(8) : 0;
        const int64_t dtype = nest_described.accesses[a].index_dtype;
        nest_draw_strides(is, a, a <= nest_described.n_factors ? element : gk_dtype_bytes((enum gasket_dtype)dtype));
    }
    nest_draw_coordinates(is, n_indices);
    nest_draw_memory();
    nest_make_operands(is);
    nest_find_checked(is);
}

/* ---- Comparison ---- */

static void nest_compare(struct nest_case *is, enum gasket_dtype dtype, gasket_nest_fn *run, gasket_nest_fn *check,
                         const char *what) {
    const size_t size = (size_t)is->size[0];
    char *start = malloc(size), *made = malloc(size);
    memcpy(start, is->memory[0], size);
    const int64_t begin = nest_draw(3) ? 0 : nest_draw(is->count + 1);
    const int64_t said = run(&is->call, begin, is->count), checked = check(&is->call, 0, is->checked);
    memcpy(made, is->memory[0], size);
    memcpy(is->memory[0], start, size);
    const int64_t bad = nest_expected_run(&is->call, begin, is->count, dtype);
    cr_assert_eq(said, bad, "%s: a run says %d, not %d", what, (int)said, (int)bad);
    cr_assert_eq(checked, nest_expected_check(&is->call, 0, is->checked), "%s: a check says %d", what, (int)checked);
    for (size_t at = 0; at < size; at++)
        cr_assert_eq(made[at], is->memory[0][at], "%s: byte %zu of %zu is %02x, not %02x", what, at, size,
                     (unsigned char)made[at], (unsigned char)is->memory[0][at]);
    free(start);
    free(made);
}

static void nest_free_case(struct nest_case *is) {
    for (int a = 0; a < is->n_accesses; a++)
        free(is->memory[a]);
}

/* Random cases of one text. `combines`: bits of enum gasket_combine. */
struct nest_kind {
    const char *name;
    enum gasket_dtype dtype;
    unsigned combines;
    int moves;
    gasket_nest_fn *run, *check;
};

static void nest_try(const struct nest_kind *kind, int cases) {
    static const char *const combine_names[] = {GASKET_COMBINE_NAMES};
    for (int n = 0; n < cases; n++) {
        struct nest_case is;
        char what[160];
        nest_state = (uint64_t)n * 977 + 3;
        nest_draw_case(&is, gk_dtype_bytes(kind->dtype), kind->moves);
        do
            nest_described.combine = nest_draw(GASKET_COMBINES);
        while (!(kind->combines & GASKET_BIT(nest_described.combine)));
        const int has_nan = gk_dtype(kind->dtype)->class == GASKET_FLOAT && nest_described.combine >= GASKET_MIN;
        nest_described.nan_propagates = has_nan && nest_draw(2);
        snprintf(what, sizeof what, "%s, case %d (%s, form %d, row %d)", kind->name, n,
                 combine_names[nest_described.combine], (int)nest_described.form, (int)nest_described.row);
        nest_compare(&is, kind->dtype, kind->run, kind->check, what);
        nest_free_case(&is);
    }
}

#endif
