/* fold: a problem in normal form, as the kernels see it. Dimensions of extent 1 are gone and neighbours are merged
 * where the strides of every tensor allow it. All strides are in bytes.
 *
 * The tensor that the lookup indexes is "indexed", the other one "plain": gather reads indexed rows, scatter writes
 * them. A tuple addresses a place in the indexed tensor; what is moved there is one row for each point of the outer
 * axes. */
#ifndef GK_FOLD_H
#define GK_FOLD_H

#include "axes.h"
#include "formula/structure.h"
#include "problem.h"

struct gk_form {
    int scatters;
    uint8_t indexed, plain, index; /* tensor ids */
    uint8_t lookup;                /* the access that looks up */
    int64_t element;               /* bytes in an element; 4-bit types are folded to bytes */
    struct gk_combination combination;

    /* Runs of the index in row-major order of the index tensor: batch dimensions, and index dimensions that do not
     * merge (their indexed_stride is 0). */
    int n_runs;
    struct gk_axis runs[GASKET_MAX_RANK];
    int64_t run_count;

    int64_t count; /* tuples in a run */
    int64_t plain_row_stride;
    struct gasket_lookup lookups; /* its pointers are set by gk_form_lookup: a form may be copied */
    int64_t extents[GASKET_MAX_RANK], strides[GASKET_MAX_RANK];

    int n_outer; /* largest stride of the output first */
    int n_inner; /* axes after those: a box of elements that a strided mover walks instead of a contiguous row */
    struct gk_axis outer[GASKET_MAX_RANK];
    int64_t outer_count;
    int64_t row;                        /* bytes of the contiguous row; one element beside a box */
    int64_t indexed_start, plain_start; /* bytes from a tensor's data to its first row (axes walked backwards) */
};

/* UNSUPPORTED when a 4-bit row is not a whole number of bytes. */
enum gasket_status gk_fold(struct gk_form *form, const struct gk_problem *problem, const struct gk_structure *structure,
                           struct gk_error *error);

/* The lookup with pointers into this very form. */
struct gasket_lookup gk_form_lookup(const struct gk_form *form);

/* Tuples; elements of a box, or 1; bytes that the rows of all tuples hold. */
int64_t gk_form_tuples(const struct gk_form *form);
int64_t gk_form_box(const struct gk_form *form);
int64_t gk_form_bytes(const struct gk_form *form);

#endif
