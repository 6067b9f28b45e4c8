/* blocks: see blocks.h. */
#include "blocks.h"

#include <string.h>

/* The part of the rows that one call of gk_move_parts handles. */
struct share {
    int64_t outer_begin, outer_end;
    int64_t column, columns; /* bytes of each row */
    int64_t low, high;       /* offsets that it owns */
    const struct gasket_kernel *kernel;
};

static void note_bad(struct gk_job *job, int64_t tuple) {
    int64_t seen = atomic_load_explicit(&job->first_bad, memory_order_relaxed);
    while (tuple < seen && !atomic_compare_exchange_weak_explicit(&job->first_bad, &seen, tuple, memory_order_relaxed,
                                                                  memory_order_relaxed))
        ;
}

static void find_span(struct gk_job *job, const struct gk_form *form) {
    int64_t low = 0, high = 0;
    for (int64_t i = 0; i < form->lookups.depth; i++) {
        int64_t reach = form->extents[i] > 0 ? (form->extents[i] - 1) * form->strides[i] : 0;
        *(reach < 0 ? &low : &high) += reach;
    }
    job->low = low;
    job->span = high - low + 1;
}

/* Whether data is aligned as a kernel's rule asks; strides were checked when it was chosen. */
static int fits(const struct gasket_kernel *kernel, const char *plain) {
    return ((uintptr_t)plain & (uintptr_t)(kernel->rule.alignment - 1)) == 0;
}

void gk_job_prepare(struct gk_job *job, const struct gasket_plan *plan, char *const data[GASKET_MAX_TENSORS],
                    struct gk_string_memory *strings) {
    const struct gk_form *form = &plan->form;
    job->plan = plan;
    job->lookup = gk_form_lookup(form);
    job->indexed = data[form->indexed] ? data[form->indexed] + form->indexed_start : NULL;
    job->plain = data[form->plain] ? data[form->plain] + form->plain_start : NULL;
    job->index = data[form->index];
    job->strings = strings;
    job->rows = fits(plan->choice.rows, job->plain) ? plan->choice.rows : plan->choice.unaligned;
    job->fused = plan->choice.fused && fits(plan->choice.fused, job->plain) ? plan->choice.fused : NULL;
    memcpy(job->fill, plan->problem.fill, sizeof job->fill);
    if (gk_dtype(plan->problem.value_dtype)->bits == 4)
        job->fill[0] = (unsigned char)(job->fill[0] | job->fill[0] << 4);
    find_span(job, form);
    atomic_init(&job->first_bad, INT64_MAX);
    atomic_init(&job->append_failed, 0);
}

/* What is done with tuples [first, first + count) of a run; tuple number `number` is the first of them. */
typedef void visit_fn(struct gk_job *job, const struct share *share, const struct gk_place *run, int64_t first,
                      int64_t count, int64_t number);

static void each_block(struct gk_job *job, const struct share *share, int64_t begin, int64_t end, int64_t block,
                       visit_fn *visit) {
    const struct gk_form *form = &job->plan->form;
    if (begin >= end) return;
    struct gk_place run;
    gk_place_set(&run, form->runs, form->n_runs, begin / form->count);
    int64_t first = begin % form->count;
    while (begin < end) {
        int64_t left = form->count - first, count = left < end - begin ? left : end - begin;
        count = count < block ? count : block;
        visit(job, share, &run, first, count, begin);
        begin += count;
        first += count;
        if (first == form->count) {
            first = 0;
            gk_place_next(&run);
        }
    }
}

static int64_t resolve(struct gk_job *job, const struct gk_place *run, int64_t first, int64_t count, int64_t *offsets) {
    const char *index = job->index + run->index + first * job->lookup.tuple_stride;
    return job->plan->choice.resolve->run.resolve(&job->lookup, index, count, offsets);
}

static void find_bad(struct gk_job *job, const struct share *share, const struct gk_place *run, int64_t first,
                     int64_t count, int64_t number) {
    (void)share;
    int64_t offsets[GASKET_BLOCK], bad = resolve(job, run, first, count, offsets);
    if (bad < count) note_bad(job, number + bad);
}

/* Where tuples are only to be checked, a resolver finds the first bad one among those that have one. */
static void check_some(struct gk_job *job, const struct share *share, const struct gk_place *run, int64_t first,
                       int64_t count, int64_t number) {
    const char *index = job->index + run->index + first * job->lookup.tuple_stride;
    if (job->plan->choice.check->run.check(&job->lookup, index, count))
        each_block(job, share, number, number + count, GASKET_BLOCK, find_bad);
}

void gk_check_tuples(void *state, int64_t begin, int64_t end) {
    struct gk_job *job = state;
    if (job->plan->choice.check)
        each_block(job, NULL, begin, end, INT64_MAX, check_some);
    else
        each_block(job, NULL, begin, end, GASKET_BLOCK, find_bad);
}

/* ---- One kernel call, or the fill beside it ---- */

/* Fills the rows of a tuple that addresses nothing. */
static void fill_row(const struct gk_job *job, const struct gasket_rows *rows) {
    const struct gk_form *form = &job->plan->form;
    int64_t box = gk_form_box(form), elements = form->row / form->element;
    for (int64_t o = 0; o < rows->outer; o++) {
        struct gk_place inner;
        gk_place_set(&inner, form->outer + form->n_outer, form->n_inner, 0);
        for (int64_t b = 0; b < box; b++) {
            char *to = rows->plain + o * rows->outer_plain_stride + inner.plain;
            for (int64_t e = 0; e < elements; e++)
                memcpy(to + e * form->element, job->fill, (size_t)form->element);
            gk_place_next(&inner);
        }
    }
}

static void call_rows(struct gk_job *job, const struct share *share, const struct gasket_rows *rows,
                      const int64_t *offsets, int64_t count) {
    if (share->kernel->run.rows(rows, offsets, count))
        atomic_store_explicit(&job->append_failed, 1, memory_order_relaxed);
}

static int owned(const struct share *share, int64_t offset) {
    return (offset >= share->low) & (offset < share->high); /* no branch: offsets of threads are mixed at random */
}

/* Whether the kernel takes rows that do not follow one another. */
static int picks_rows(const struct gk_job *job) {
    return job->plan->form.scatters && job->plan->form.n_inner == 0 && job->plan->problem.value_dtype != GASKET_STRING;
}

/* Moves the owned offsets of a block to its front, with the numbers of their rows beside them. */
static void keep_owned(const struct share *share, struct gk_block *block) {
    int64_t kept = 0;
    for (int64_t i = 0; i < block->count; i++) {
        int64_t offset = block->offsets[i];
        block->offsets[kept] = offset;
        block->picked[kept] = (int32_t)i;
        kept += owned(share, offset);
    }
    block->count = kept;
}

/* Offsets that are owned go to the kernel in runs; the others are dropped, or filled when they address nothing. */
static void move_some(struct gk_job *job, const struct share *share, struct gasket_rows rows, const int64_t *offsets,
                      int64_t count) {
    char *plain = rows.plain;
    for (int64_t i = 0; i < count;) {
        int64_t n = 0;
        while (i + n < count && owned(share, offsets[i + n]))
            n++;
        rows.plain = plain + i * rows.plain_stride;
        if (n > 0)
            call_rows(job, share, &rows, offsets + i, n);
        else if (!job->plan->form.scatters && offsets[i] == GASKET_NO_OFFSET)
            fill_row(job, &rows);
        i += n > 0 ? n : 1;
    }
}

/* ---- The rows of a block ---- */

static struct gasket_rows make_rows(const struct gk_job *job, const struct share *share) {
    const struct gk_form *form = &job->plan->form;
    struct gasket_rows rows;
    memset(&rows, 0, sizeof rows);
    rows.indexed = job->indexed + share->column;
    rows.plain = job->plain + share->column;
    rows.plain_stride = form->plain_row_stride;
    rows.row = share->kernel->kind == GASKET_REDUCE ? share->columns / form->element : share->columns;
    rows.outer = 1;
    rows.prefetch = job->plan->prefetch;
    rows.element = form->element;
    rows.append = gk_string_append;
    rows.append_state = job->strings;
    return rows;
}

/* The axes of a box as the arrays that a strided mover takes. */
struct box {
    int64_t extents[GASKET_MAX_RANK], indexed[GASKET_MAX_RANK], plain[GASKET_MAX_RANK];
};

static void set_box(struct box *box, struct gasket_rows *rows, const struct gk_form *form) {
    for (int i = 0; i < form->n_inner; i++) {
        const struct gk_axis *axis = &form->outer[form->n_outer + i];
        box->extents[i] = axis->extent;
        box->indexed[i] = axis->indexed_stride;
        box->plain[i] = axis->plain_stride;
    }
    rows->inner_rank = form->n_inner;
    rows->inner_extents = box->extents;
    rows->inner_indexed_strides = box->indexed;
    rows->inner_plain_strides = box->plain;
}

static void move_share(struct gk_job *job, const struct share *share, const struct gk_place *run,
                       struct gk_block *block) {
    const struct gk_form *form = &job->plan->form;
    struct gasket_rows rows = make_rows(job, share);
    int picks = block->some && picks_rows(job);
    if (picks) {
        keep_owned(share, block);
        rows.picked = block->picked;
    }
    struct box box;
    set_box(&box, &rows, form);
    rows.indexed += run->indexed;
    rows.plain += run->plain + block->first * form->plain_row_stride;
    const struct gk_axis *last = form->n_outer > 0 ? &form->outer[form->n_outer - 1] : NULL;
    int64_t length = last ? last->extent : 1;
    rows.outer_indexed_stride = last ? last->indexed_stride : 0;
    rows.outer_plain_stride = last ? last->plain_stride : 0;
    struct gk_place outer;
    gk_place_set(&outer, form->outer, form->n_outer, share->outer_begin);
    for (int64_t o = share->outer_begin; o < share->outer_end; o += rows.outer) {
        int64_t left = length - o % length;
        struct gasket_rows part = rows;
        rows.outer = part.outer = left < share->outer_end - o ? left : share->outer_end - o;
        part.indexed += outer.indexed;
        part.plain += outer.plain;
        if (block->some && !picks)
            move_some(job, share, part, block->offsets, block->count);
        else
            call_rows(job, share, &part, block->offsets, block->count);
        gk_place_set(&outer, form->outer, form->n_outer, o + rows.outer);
    }
}

static struct share whole(const struct gk_job *job) {
    const struct gk_form *form = &job->plan->form;
    struct share share = {0, form->outer_count, 0, form->row, GASKET_NO_OFFSET + 1, INT64_MAX, job->rows};
    return share;
}

void gk_move_block(struct gk_job *job, const struct gk_place *run, struct gk_block *block) {
    struct share share = whole(job);
    move_share(job, &share, run, block);
}

/* ---- Shares of the work ---- */

static void move_resolved(struct gk_job *job, const struct share *share, const struct gk_place *run,
                          struct gk_block *block, int64_t number) {
    int64_t bad = resolve(job, run, block->first, block->count, block->offsets);
    if (bad < block->count) note_bad(job, number + bad);
    block->some = bad < block->count || job->plan->split == GK_SPLIT_OWNERS;
    move_share(job, share, run, block);
}

static void move_narrow(struct gk_job *job, const struct share *share, const struct gk_place *run, int64_t first,
                        int64_t count, int64_t number) {
    int64_t offsets[GASKET_BLOCK];
    int32_t picked[GASKET_BLOCK];
    struct gk_block block = {first, count, offsets, picked, 0};
    move_resolved(job, share, run, &block, number);
}

static void move_wide(struct gk_job *job, const struct share *share, const struct gk_place *run, int64_t first,
                      int64_t count, int64_t number) {
    int64_t offsets[GK_WIDE_BLOCK];
    int32_t picked[GK_WIDE_BLOCK];
    struct gk_block block = {first, count, offsets, picked, 0};
    move_resolved(job, share, run, &block, number);
}

static void move_fused(struct gk_job *job, const struct share *share, const struct gk_place *run, int64_t first,
                       int64_t count, int64_t number) {
    struct gasket_rows rows = make_rows(job, share);
    rows.indexed += run->indexed;
    rows.plain += run->plain + first * rows.plain_stride;
    const char *index = job->index + run->index + first * job->lookup.tuple_stride;
    int64_t bad = share->kernel->run.fused(&job->lookup, &rows, index, count);
    if (bad < count) note_bad(job, number + bad);
}

static void move_tuples(struct gk_job *job, struct share *share, int64_t begin, int64_t end) {
    if (job->fused) {
        share->kernel = job->fused;
        each_block(job, share, begin, end, INT64_MAX, move_fused);
    } else if (share->outer_end - share->outer_begin > 1) {
        each_block(job, share, begin, end, GK_WIDE_BLOCK, move_wide);
    } else {
        each_block(job, share, begin, end, GASKET_BLOCK, move_narrow);
    }
}

/* First offset that is owned by unit `part`. */
static int64_t owner_begin(const struct gk_job *job, int64_t part) {
    int64_t parts = job->plan->parts;
    return job->low + job->span / parts * part + job->span % parts * part / parts;
}

void gk_move_parts(void *state, int64_t begin, int64_t end) {
    struct gk_job *job = state;
    struct share share = whole(job);
    int64_t tuples = gk_form_tuples(&job->plan->form), first = 0;
    switch (job->plan->split) {
        case GK_SPLIT_NOTHING:
            break;
        case GK_SPLIT_TUPLES:
            first = begin;
            tuples = end;
            break;
        case GK_SPLIT_OUTER:
            share.outer_begin = begin;
            share.outer_end = end;
            break;
        case GK_SPLIT_COLUMNS:
            share.column = begin * GK_COLUMN;
            share.columns = (end * GK_COLUMN < share.columns ? end * GK_COLUMN : share.columns) - share.column;
            break;
        case GK_SPLIT_OWNERS:
            share.low = owner_begin(job, begin);
            share.high = owner_begin(job, end);
            break;
    }
    move_tuples(job, &share, first, tuples);
}
