/* draw: a case from its number, and the parts of that. */
#ifndef FUZZ_DRAW_H
#define FUZZ_DRAW_H

#include "case.h"
#include "goal.h"
#include "random.h"

struct fuzz_seed {
    uint64_t seed, number;
};

/* Draws case `number` of `seed` and lays it out. The pools of both must be set. Returns 0, or -1 for the rare number
 * that has no case. */
int fuzz_draw(struct fuzz_case *c, struct fuzz_call *call, const struct fuzz_goals *goals, struct fuzz_seed seed);

/* Group ranks and extents, depths, the extents that indices address, the shapes of all tensors. */
int fuzz_draw_shapes(struct fuzz_case *c, const struct fuzz_goal *goal, struct fuzz_random *random);
void fuzz_draw_layouts(struct fuzz_case *c, const struct fuzz_goal *goal, struct fuzz_random *random);
void fuzz_draw_values(struct fuzz_case *c, struct fuzz_random *random);
void fuzz_draw_indices(struct fuzz_case *c, struct fuzz_random *random);

/* An element of a value type, in 16 bytes. */
void fuzz_draw_element(enum gasket_dtype dtype, struct fuzz_random *random, char element[16]);

/* Makes one thing of a call wrong. */
void fuzz_spoil(struct fuzz_call *call, struct fuzz_random *random);

/* Writes the arguments that are no tensors. */
void fuzz_name_attributes(const struct fuzz_case *c, struct fuzz_call *call);

#endif
