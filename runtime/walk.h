/* walk: the points of the loops that a formula means, and the coordinates that its accesses have there. The interpreter
 * and the check of bounds are written on it. */
#ifndef GK_WALK_H
#define GK_WALK_H

#include "problem.h"

/* Holds every sum of indices of every index type. */
__extension__ typedef __int128 gk_integer;

struct gk_walk {
    const struct gk_problem *problem;
    int rank[GASKET_MAX_ACCESSES]; /* dimensions that subscripts address; the one of a tuple's values is not among them
                                    */
    struct gk_dimension dimensions[GASKET_MAX_ACCESSES][GASKET_MAX_RANK];
    int64_t at[GASKET_MAX_GROUPS][GASKET_MAX_RANK]; /* the point */
};

struct gk_group_list {
    int n;
    uint8_t ids[GASKET_MAX_GROUPS]; /* outermost loop first */
};

void gk_walk_start(struct gk_walk *walk, const struct gk_problem *problem);

/* Go to the first point of the groups' loops, and to the next in row-major order; 0 when there is none. */
int gk_walk_first(struct gk_walk *walk, const struct gk_group_list *groups);
int gk_walk_next(struct gk_walk *walk, const struct gk_group_list *groups);

/* The coordinate of a dimension of the access at the point, brought into the dimension as the bounds mode says. Reads
 * each index once, uses the very value that it has checked, and returns 0 when an index is out of bounds. */
int gk_walk_coordinate(const struct gk_walk *walk, uint8_t access, int dimension, int64_t *coordinate);
/* All of an access: coordinates[0 .. rank[access]). */
int gk_walk_locate(const struct gk_walk *walk, uint8_t access, int64_t coordinates[GASKET_MAX_RANK]);
/* The value that the lookup has at the point; `component` counts the values of a tuple. */
int gk_walk_index(const struct gk_walk *walk, uint8_t lookup, int component, gk_integer *value);

/* Strides applied to coordinates: where the element is, counted in elements from the first. */
int64_t gk_element_offset(const struct gk_tensor *tensor, const int64_t *coordinates, int rank);
/* The integer `offset` elements from the first of an index tensor. */
gk_integer gk_index_read(const struct gk_tensor *tensor, int64_t offset);

#endif
