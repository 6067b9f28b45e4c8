/* reduce: smaller cases from a case. Each returns 0, or -1 where the case does not have what would be taken away. */
#ifndef FUZZ_REDUCE_H
#define FUZZ_REDUCE_H

#include "case.h"

/* Both with pools of their own. */
void fuzz_case_copy(struct fuzz_case *to, const struct fuzz_case *from);

/* Keeps positions [first, first + count) of a dimension, in all tensors that have it. */
int fuzz_keep(struct fuzz_case *c, struct fuzz_dimension dimension, int64_t first, int64_t count);
/* Takes away a dimension of a group whose extent is 1. */
int fuzz_flatten(struct fuzz_case *c, uint8_t group, uint8_t part);
/* Takes away a value of the tuples of a lookup, and the dimension that it addresses. */
int fuzz_shorten(struct fuzz_case *c, uint8_t access, uint8_t component);
/* All of the layout, or one part of it, as a plain tensor has it. */
enum fuzz_layout_part {
    FUZZ_WHOLE_LAYOUT,
    FUZZ_ORDER,
    FUZZ_STEP,
    FUZZ_PAD,
    FUZZ_SPREAD,
    FUZZ_FAR,
    FUZZ_WILD,
    FUZZ_LEAD,
    FUZZ_SKEW,
    FUZZ_LAYOUT_PARTS
};
int fuzz_straighten(struct fuzz_case *c, int tensor, enum fuzz_layout_part part);
/* Makes `count` elements from `first` on zero. */
int fuzz_clear(struct fuzz_case *c, int tensor, int64_t first, int64_t count);
/* Shapes and attributes again after a change; -1 where the case is none any more. */
int fuzz_settle(struct fuzz_case *c);

#endif
