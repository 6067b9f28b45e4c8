/* blocks: tuples are resolved block by block, and the rows that they address are moved. */
#ifndef GK_BLOCKS_H
#define GK_BLOCKS_H

#include "axes.h"
#include "plan.h"
#include "string_memory.h"

/* Offsets that one pass over several outer rows keeps at once: they are reused for each row. 96 KiB of stack. */
enum { GK_WIDE_BLOCK = 8192 };

/* One run of a plan. Shared by its threads; they only write the atomics. */
struct gk_job {
    const struct gasket_plan *plan;
    struct gasket_lookup lookup;
    const struct gasket_kernel *rows;  /* moves whole rows */
    const struct gasket_kernel *fused; /* instead of resolving and moving; may be NULL */
    char *indexed, *plain;             /* first rows */
    const char *index;
    struct gk_string_memory *strings;
    unsigned char fill[16];    /* an element */
    int64_t low, span;         /* smallest offset that a tuple can have, and one past the largest, minus low */
    _Atomic int64_t first_bad; /* number of the first tuple found out of bounds, or INT64_MAX */
    _Atomic int append_failed;
};

void gk_job_prepare(struct gk_job *job, const struct gasket_plan *plan, char *const data[GASKET_MAX_TENSORS],
                    struct gk_string_memory *strings);

/* Resolves tuples [begin, end) and stores nothing. */
void gk_check_tuples(void *job, int64_t begin, int64_t end);

/* Moves units [begin, end) of the plan's split. */
void gk_move_parts(void *job, int64_t begin, int64_t end);

/* The resolved tuples [first, first + count) of a run. */
struct gk_block {
    int64_t first, count;
    int64_t *offsets; /* some may be GASKET_NO_OFFSET or another thread's, if `some` says so */
    int32_t *picked;  /* as much room as offsets have */
    int some;
};

/* Moves all rows of a block; may rearrange it. */
void gk_move_block(struct gk_job *job, const struct gk_place *run, struct gk_block *block);

#endif
