/* walk: see walk.h. */
#include "walk.h"

#include <string.h>

void gk_walk_start(struct gk_walk *walk, const struct gk_problem *problem) {
    const struct gasket_formula *formula = &problem->operation->formula;
    memset(walk, 0, sizeof *walk);
    walk->problem = problem;
    for (uint8_t a = 0; a < formula->n_accesses; a++) {
        gk_access_dimensions(problem, a, walk->dimensions[a]);
        walk->rank[a] = problem->tensors[formula->accesses[a].tensor].ndim - formula->accesses[a].is_tuple;
    }
}

int gk_walk_first(struct gk_walk *walk, const struct gk_group_list *groups) {
    const struct gk_problem *problem = walk->problem;
    int has_points = 1;
    for (int i = 0; i < groups->n; i++) {
        uint8_t group = groups->ids[i];
        for (int part = 0; part < problem->group_rank[group]; part++) {
            walk->at[group][part] = 0;
            has_points &= problem->group_extent[group][part] > 0;
        }
    }
    return has_points;
}

int gk_walk_next(struct gk_walk *walk, const struct gk_group_list *groups) {
    const struct gk_problem *problem = walk->problem;
    for (int i = groups->n - 1; i >= 0; i--) {
        uint8_t group = groups->ids[i];
        for (int part = problem->group_rank[group] - 1; part >= 0; part--) {
            if (++walk->at[group][part] < problem->group_extent[group][part]) {
                return 1;
            }
            walk->at[group][part] = 0;
        }
    }
    return 0;
}

/* The empty statement may change the copy, for all that the compiler knows: it can not read memory a second time. */
#define INDEX_READ(name, type)                        \
    static gk_integer read_##name(const char *from) { \
        type value;                                   \
        memcpy(&value, from, sizeof value);           \
        __asm__("" : "+r"(value));                    \
        return value;                                 \
    }
INDEX_READ(i8, int8_t)
INDEX_READ(i16, int16_t)
INDEX_READ(i32, int32_t)
INDEX_READ(i64, int64_t)
INDEX_READ(u8, uint8_t)
INDEX_READ(u16, uint16_t)
INDEX_READ(u32, uint32_t)
INDEX_READ(u64, uint64_t)

gk_integer gk_index_read(const struct gk_tensor *tensor, int64_t offset) {
    static gk_integer (*const of[GASKET_DTYPES])(const char *) = {
        [GASKET_I8] = read_i8, [GASKET_I16] = read_i16, [GASKET_I32] = read_i32, [GASKET_I64] = read_i64,
        [GASKET_U8] = read_u8, [GASKET_U16] = read_u16, [GASKET_U32] = read_u32, [GASKET_U64] = read_u64};
    return of[tensor->dtype](tensor->data + offset * gk_dtype_bytes(tensor->dtype));
}

int64_t gk_element_offset(const struct gk_tensor *tensor, const int64_t *coordinates, int rank) {
    int64_t offset = 0;
    for (int d = 0; d < rank; d++) {
        offset += coordinates[d] * tensor->stride[d];
    }
    return offset;
}

int gk_walk_index(const struct gk_walk *walk, uint8_t lookup, int component, gk_integer *value) {
    const struct gasket_access *access = &walk->problem->operation->formula.accesses[lookup];
    const struct gk_tensor *tensor = &walk->problem->tensors[access->tensor];
    int64_t coordinates[GASKET_MAX_RANK] = {0};
    if (!gk_walk_locate(walk, lookup, coordinates)) {
        return 0;
    }
    int rank = walk->rank[lookup];
    if (access->is_tuple) {
        coordinates[rank++] = component;
    }
    *value = gk_index_read(tensor, gk_element_offset(tensor, coordinates, rank));
    return 1;
}

/* A negative looked-up value counts from the end before the groups of a sum are added. */
static int settle(enum gasket_bounds bounds, gk_integer looked_up, gk_integer counted, int64_t extent,
                  int64_t *coordinate) {
    gk_integer sum = looked_up + counted;
    if (bounds == GASKET_BOUNDS_UNCHECKED) {
        *coordinate = (int64_t)sum;
        return 1;
    }
    if (bounds == GASKET_BOUNDS_FROM_END && looked_up < 0) {
        sum += extent;
    }
    if (bounds == GASKET_BOUNDS_CLIP && extent > 0) {
        sum = sum < 0 ? 0 : sum >= extent ? extent - 1 : sum;
    }
    *coordinate = (int64_t)sum;
    return sum >= 0 && sum < extent;
}

int gk_walk_coordinate(const struct gk_walk *walk, uint8_t access, int dimension, int64_t *coordinate) {
    const struct gk_problem *problem = walk->problem;
    const struct gasket_formula *formula = &problem->operation->formula;
    struct gk_dimension place = walk->dimensions[access][dimension];
    const struct gasket_subscript *subscript = &formula->subscripts[place.subscript];
    gk_integer looked_up = 0, counted = 0;
    int has_lookup = 0;
    for (int i = 0; i < subscript->n_terms; i++) {
        const struct gasket_term *term = &formula->terms[subscript->first_term + i];
        gk_integer value = 0;
        if (term->kind == GASKET_TERM_GROUP) {
            counted += walk->at[term->id][place.part];
            continue;
        }
        if (!gk_walk_index(walk, term->id, place.part, &value)) {
            return 0;
        }
        looked_up += value;
        has_lookup = 1;
    }
    if (!has_lookup) {
        *coordinate = (int64_t)counted;
        return 1;
    }
    int64_t extent = problem->tensors[formula->accesses[access].tensor].shape[dimension];
    return settle(problem->bounds, looked_up, counted, extent, coordinate);
}

int gk_walk_locate(const struct gk_walk *walk, uint8_t access, int64_t coordinates[GASKET_MAX_RANK]) {
    for (int d = 0; d < walk->rank[access]; d++) {
        if (!gk_walk_coordinate(walk, access, d, &coordinates[d])) {
            return 0;
        }
    }
    return 1;
}
