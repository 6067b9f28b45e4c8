/* goal: what a case is to reach. Cases take turns: every combination of the manifest and every kernel of the table gets
 * its own, in an order that only depends on the case's number; operations without kernels get some. */
#ifndef FUZZ_GOAL_H
#define FUZZ_GOAL_H

#include "context.h"
#include "random.h"

struct fuzz_goal {
    const struct gk_entry *entry;
    struct gk_combination combination;  /* of an operation without kernels only the types, combine and bounds */
    int has_form;                       /* the operation has kernels: the rest of the combination is set */
    const struct gasket_kernel *kernel; /* that is to apply, or NULL */
};

struct fuzz_combination {
    const struct gk_entry *entry;
    struct gk_combination combination;
};

struct fuzz_goals {
    const struct gk_catalog *catalog;
    struct fuzz_combination *combinations;
    size_t n_combinations;
    const struct gasket_kernel **kernels; /* that this machine can run */
    size_t n_kernels;
    const struct gasket_kernel **aims; /* that cases aim at: the same on every machine */
    size_t n_aims;
    const struct gk_entry *others[16]; /* operations without kernels */
    size_t n_others;
    uint64_t other_every; /* one case of so many is theirs */
};

/* `operation` NULL: all; `pattern` NULL: all kernels, else those whose name matches the shell pattern. */
void fuzz_goals_make(struct fuzz_goals *goals, const struct gk_catalog *catalog, const char *operation,
                     const char *pattern);
/* Of one operation, whatever its form. */
struct fuzz_goals fuzz_goals_of_one(const struct gk_catalog *catalog, const struct gk_entry *entry);
void fuzz_goals_free(struct fuzz_goals *goals);
struct fuzz_goal fuzz_goal_of(const struct fuzz_goals *goals, struct fuzz_random *random, uint64_t number);

/* Whether a kernel can serve some problem of the combination. */
int fuzz_serves(const struct gasket_kernel *kernel, const struct fuzz_combination *combination);

/* "gather f32 i32 combine=store axis=inner batch=0 bounds=error" */
const char *fuzz_combination_text(char text[GK_TEXT], const struct fuzz_combination *combination);

#endif
