/* Words of strided movers: the walk over a box of elements, one run along its last dimension after the other. */
#ifndef GASKET_ABI_BOX_H
#define GASKET_ABI_BOX_H

#include "abi/vector.h"

enum { GK_BOX_RANK = 64 };

/* Where the walk stands: the first element of a run. */
struct gk_box {
    char *indexed, *plain;
    int64_t at[GK_BOX_RANK];
};

/* Before the first walk; each complete walk leaves `at` as it was. 0 when the box has no elements. */
GK_INLINE int gk_box_prepare(struct gk_box *box, const struct gasket_rows *rows) {
    int64_t elements = 1;
    for (int64_t k = 0; k < rows->inner_rank; k++) {
        box->at[k] = 0;
        elements = rows->inner_extents[k] == 0 ? 0 : elements;
    }
    return elements > 0;
}

/* To the next run; 0 after the last one. */
GK_INLINE int gk_box_next(struct gk_box *box, const struct gasket_rows *rows) {
    for (int64_t k = rows->inner_rank - 2; k >= 0; k--) {
        const int64_t extent = rows->inner_extents[k];
        box->indexed += rows->inner_indexed_strides[k];
        box->plain += rows->inner_plain_strides[k];
        if (++box->at[k] < extent) return 1;
        box->at[k] = 0;
        box->indexed -= extent * rows->inner_indexed_strides[k];
        box->plain -= extent * rows->inner_plain_strides[k];
    }
    return 0;
}

#endif
