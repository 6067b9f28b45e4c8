/* plan: a call that is checked, folded and chosen, ready to run on any data of its shapes. */
#ifndef GK_PLAN_H
#define GK_PLAN_H

#include "choose.h"
#include "context.h"
#include "nest_check.h"
#include "problem.h"

/* What is shared out among threads. */
enum { GK_COLUMN = 64 }; /* bytes of a row that threads do not share: a cache line, and whole elements of every type */

enum gk_split {
    GK_SPLIT_NOTHING, /* the calling thread does it all */
    GK_SPLIT_TUPLES,  /* gathers: each thread takes tuples */
    GK_SPLIT_OUTER,   /* each takes outer rows, for all tuples in order */
    GK_SPLIT_COLUMNS, /* scatters: each takes some columns of every row, for all tuples in order */
    GK_SPLIT_OWNERS   /* scatters: each owns a range of destinations and applies what falls into it, in order */
};

struct gasket_plan {
    struct gasket_context *context;
    enum gk_tier tier;
    const char *interpreted_because; /* why no kernel serves the call; NULL when one could */
    struct gk_problem problem;
    int folds; /* whether the form is there */
    struct gk_form form;
    struct gk_choice choice; /* of the tiers with kernels, like all that follows but spans */
    enum gk_split split;
    int64_t parts;         /* units that the split shares out; a unit of owners is a range of destinations */
    int64_t grain;         /* units that are best kept together */
    int64_t prefetch;      /* rows */
    int checks_first;      /* a pass over all indices comes before the first store */
    struct gk_kernel *jit; /* of a call-time compiler, in whatever state; or NULL, and: */
    const char *no_kernel; /* why there is none; NULL when none was asked for */
    struct gk_nest nest;   /* when `jit` is there, like: */
    struct gk_nest_check check;
    enum gk_policy policy;
    struct gk_span spans[GASKET_MAX_TENSORS];
    char kernel[GK_TEXT * 2]; /* set by gk_plan_name */
};

/* Binds, folds and chooses. Takes the context's catalog lock for reading while it looks up. */
enum gasket_status gk_plan_make(struct gasket_plan *plan, struct gasket_context *context, const char *operation,
                                const struct gasket_argument *arguments, size_t n_arguments, struct gk_error *error);

/* Lets threads share the work in this way: any way that the header names for the operation gives the same result. For
 * GK_SPLIT_COLUMNS the choice has a kernel for pieces. */
void gk_plan_split(struct gasket_plan *plan, enum gk_split split);

/* Spells the names of the kernels, for plans that are shown. */
void gk_plan_name(struct gasket_plan *plan);

/* Lets go of the call-time kernel. */
void gk_plan_drop(struct gasket_plan *plan);

/* The tier that would serve now: a call-time kernel may have become ready since the plan was made. */
enum gk_tier gk_plan_tier(const struct gasket_plan *plan);

/* Runs on data[tensor id] (first elements). Data has been checked. Counts the tier that served. */
enum gasket_status gk_plan_execute(const struct gasket_plan *plan, char *const data[GASKET_MAX_TENSORS],
                                   struct gk_error *error);

/* Writes the explanation as snprintf would. */
size_t gk_plan_text(const struct gasket_plan *plan, char *text, size_t capacity);

#endif
