/* fold: a problem in normal form, as the kernels see it. Extents of 1 are gone and neighbours are merged where the strides of
 * every tensor allow it. All strides are in bytes.
 *
 * A problem has this form when its formula has one factor and one lookup, which stands alone as a subscript. The tensor
 * that the lookup indexes is "indexed", the other one "plain": gather reads indexed rows, scatter writes them. */
#ifndef GK_FOLD_H
#define GK_FOLD_H

#include "problem.h"

/* A dimension that indexed, plain and (in batch) the index tensor walk together. */
struct gk_axis {
    int64_t extent, indexed_stride, plain_stride, index_stride;
};

struct gk_form {
    int scatters;
    uint8_t indexed, plain, index; /* tensor ids */
    uint8_t lookup;                /* the access that looks up */
    int64_t element;               /* bytes in an element; 4-bit types are folded to bytes */

    /* Runs of the index, in row-major order of the index tensor: batch dimensions, and index dimensions that do not
     * merge (their indexed_stride is 0). */
    int n_batch;
    struct gk_axis batch[GASKET_MAX_RANK];
    int64_t batches; /* product of their extents */

    int64_t count; /* tuples in one run */
    int64_t tuple_stride, plain_row_stride;

    int64_t depth, component_stride;
    int64_t extents[GASKET_MAX_RANK], strides[GASKET_MAX_RANK]; /* of the dimensions that a tuple addresses */

    /* What one tuple moves: outer dimensions, largest stride first, each a loop over rows; then the row. */
    int n_outer;
    struct gk_axis outer[GASKET_MAX_RANK];
    int64_t row;     /* bytes of the contiguous row; 0 if nothing is moved */
    int64_t outers;  /* product of the outer extents */
};

/* Whether the formula has the form at all, whatever the call. */
int gk_formula_folds(const struct gasket_formula *formula);

/* Folds. UNSUPPORTED when a 4-bit row is not a whole number of bytes. */
enum gasket_status gk_fold(struct gk_form *form, const struct gk_problem *problem, struct gk_error *error);

/* "gather axis=inner batch=0"-like name of the form that the manifest uses. */
const char *gk_form_name(const struct gk_form *form);

#endif
