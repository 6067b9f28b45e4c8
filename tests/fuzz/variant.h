/* variant: one way to run a call: through the public API in a context, or by kernels, a split and a prefetch distance
 * of our choice. */
#ifndef FUZZ_VARIANT_H
#define FUZZ_VARIANT_H

#include "plan.h"
#include "random.h"

enum fuzz_via { FUZZ_BY_CALL, FUZZ_BY_PLAN, FUZZ_BY_FORCE, FUZZ_VIAS };

enum {
    FUZZ_LEVELS = GASKET_ISAS,
    FUZZ_THREAD_COUNTS = 5,
    FUZZ_OPENMP = 4 /* the library's own way, the last of them */,
    FUZZ_VARIANTS = 160,
    FUZZ_VARIANT_TEXT = 320
};
extern const int fuzz_thread_counts[FUZZ_THREAD_COUNTS];

struct fuzz_variant {
    enum fuzz_via via;
    enum gasket_isa level; /* of the context, like the next two */
    enum gk_tier tier;
    int threads; /* a place in fuzz_thread_counts */
    /* By force only; fused stands instead of the other two. */
    const struct gasket_kernel *resolve, *rows, *fused;
    enum gk_split split;
    int prefetch, grain;
    /* Of call-time kernels. Forced ones have a prefetch distance too; a policy, unless it is off, stands instead of a
     * tier. */
    enum gk_policy policy;
    int streams;
};

struct fuzz_variants {
    size_t n;
    struct fuzz_variant list[FUZZ_VARIANTS];
};

/* Every kernel that applies to the planned problem once, every way to split it, each with partners drawn at random.
 * `plain` is where the plain rows begin: some kernels need it aligned. `pattern` NULL: all, else the kernels whose name
 * matches. */
void fuzz_variants_list(struct fuzz_variants *variants, const struct gasket_plan *plan, const char *plain,
                        const char *pattern, struct fuzz_random *random);
/* Whether a forced variant may run the planned problem. */
int fuzz_variant_applies(const struct fuzz_variant *variant, const struct gasket_plan *plan, const char *plain);
/* Makes the plan run that way. */
void fuzz_variant_force(const struct fuzz_variant *variant, struct gasket_plan *plan);

/* "via=force isa=avx512 threads=3 resolve=... rows=... split=owners prefetch=2 grain=1" */
const char *fuzz_variant_text(char text[FUZZ_VARIANT_TEXT], const struct fuzz_variant *variant);
/* Reads one word of it; -1 where it is none, or names a kernel that is not in the catalog. */
int fuzz_variant_word(struct fuzz_variant *variant, const struct gk_catalog *catalog, const char *name,
                      const char *value);
extern const char *const fuzz_split_names[GK_SPLIT_OWNERS + 1];

#endif
