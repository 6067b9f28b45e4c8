/* coverage: what ran how often. The counters lie in memory that all workers share. */
#ifndef FUZZ_COVERAGE_H
#define FUZZ_COVERAGE_H

#include <stdatomic.h>
#include <stdio.h>

#include "call.h"
#include "goal.h"
#include "variant.h"

enum fuzz_stride_class {
    FUZZ_COMPACT,
    FUZZ_OFFSET, /* byte_offset */
    FUZZ_ODD,    /* misaligned */
    FUZZ_PADDED,
    FUZZ_PERMUTED,
    FUZZ_NEGATIVE,
    FUZZ_ZERO,
    FUZZ_STRIDE_CLASSES
};

/* What is counted in pairs. */
enum fuzz_trait { FUZZ_VALUE_TYPE, FUZZ_INDEX_TYPE, FUZZ_STRATEGY, FUZZ_BOUNDS, FUZZ_STRIDES, FUZZ_ISA, FUZZ_TRAITS };
enum { FUZZ_TRAIT_VALUES = 32, FUZZ_SPLITS = GK_SPLIT_OWNERS + 1 };
typedef _Atomic uint32_t fuzz_count;

struct fuzz_keyed {
    uint64_t key;
    size_t number; /* of the combination */
};

/* What the call-time tier did, by name: "refused" and why, "served" and what the kernel had. */
enum { FUZZ_NOTED = 96, FUZZ_NOTED_TEXT = 112 };
struct fuzz_noted {
    _Atomic uint64_t hash; /* 0: free */
    char kind[12], text[FUZZ_NOTED_TEXT];
    fuzz_count n;
};

struct fuzz_coverage {
    struct fuzz_noted *noted; /* [FUZZ_NOTED] */
    const struct fuzz_goals *goals;
    const struct gasket_kernel *first; /* of the table: a kernel's number is its distance from it */
    size_t n_kernels;
    const char *strategies[FUZZ_TRAIT_VALUES];
    int n_strategies;
    uint8_t *strategy_of;      /* by kernel number */
    struct fuzz_keyed *sorted; /* the combinations, by key */
    fuzz_count *combinations, *kernels, *splits;
    fuzz_count (*pairs)[FUZZ_TRAITS][FUZZ_TRAIT_VALUES][FUZZ_TRAIT_VALUES]; /* [FUZZ_TRAITS] */
};

void fuzz_coverage_make(struct fuzz_coverage *coverage, const struct fuzz_goals *goals);
void fuzz_coverage_free(struct fuzz_coverage *coverage);

/* A case whose loops have a point, planned as `plan`. */
void fuzz_count_case(struct fuzz_coverage *coverage, const struct gasket_plan *plan);
/* A forced variant that ran to its end, right or wrong. */
void fuzz_count_variant(struct fuzz_coverage *coverage, const struct gasket_plan *plan,
                        const struct fuzz_variant *variant, enum fuzz_stride_class strides);

/* One more of that kind and text. */
void fuzz_count_text(struct fuzz_coverage *coverage, const char *kind, const char *text);
/* A call-time kernel that ran. */
struct gk_nest;
void fuzz_count_nest(struct fuzz_coverage *coverage, const struct gk_nest *nest);
/* How many of a kind there were; text NULL: in all. */
uint64_t fuzz_noted(const struct fuzz_coverage *coverage, const char *kind, const char *text);
/* One line each. */
void fuzz_noted_write(const struct fuzz_coverage *coverage, const char *kind, FILE *file);

/* The traits of a kernel that runs a problem of the combination. */
void fuzz_traits(const struct fuzz_coverage *coverage, const struct gasket_kernel *kernel,
                 const struct gk_combination *c, enum fuzz_stride_class strides, int traits[FUZZ_TRAITS]);
uint32_t fuzz_count_read(const fuzz_count *counter);

enum fuzz_stride_class fuzz_stride_class(const struct fuzz_call *call);

struct fuzz_covered {
    size_t combinations, combinations_all, kernels, kernels_all, splits, splits_all, pairs, pairs_all;
    uint32_t least; /* times that the rarest of combinations, kernels and splits ran */
};
/* How many ran at least `times`; of pairs, once, among those that some kernel can have. */
struct fuzz_covered fuzz_coverage_sum(const struct fuzz_coverage *coverage, uint32_t times, int with_pairs);

/* Writes the table: one line for each combination, kernel, split and pair of traits, with its count. */
void fuzz_coverage_write(const struct fuzz_coverage *coverage, FILE *file);
/* Names the pairs that never ran, and what else ran fewer than `times`, at most `most` lines of it. */
void fuzz_coverage_gaps(const struct fuzz_coverage *coverage, uint32_t times, int most, FILE *file);

#endif
