/* contexts: see contexts.h. None keeps compiled kernels on disk: what a run does depends on its seed alone. */
#include "contexts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "definition.h"

static const char *const policy_names[GK_POLICIES] = {GK_POLICY_NAMES};

static struct gasket_options options_of(struct fuzz_shared_parts *parts, enum gasket_isa level, int threads) {
    return (struct gasket_options){
        .size = sizeof(struct gasket_options),
        .threads = fuzz_thread_counts[threads],
        .isa = gk_isa_name(level),
        .parallel_for = threads == FUZZ_OPENMP ? NULL : fuzz_cut,
        .parallel_user = &parts->cutters[threads],
        .allocate = parts->allocate,
        .allocate_user = parts->allocate_user,
        .jit = policy_names[GK_POLICY_OFF],
        .cache = "",
    };
}

static gasket_context *create(const struct fuzz_contexts *contexts, const struct gasket_options *options) {
    gasket_context *context;
    if (gasket_context_create(options, &context) != GASKET_OK) return NULL;
    context->parallel.is_eager = 1;
    if (contexts->definition) fuzz_define(context, contexts->definition);
    return context;
}

static gasket_context *make_aside(const struct fuzz_contexts *contexts, struct fuzz_shared_parts *parts,
                                  const struct fuzz_variant *variant) {
    struct gasket_options options = options_of(parts, variant->level, variant->threads);
    options.tier = variant->tier == GK_TIER_ANY ? NULL : gk_tier_names[variant->tier];
    parts->cutters[variant->threads].threads = fuzz_thread_counts[variant->threads];
    return create(contexts, &options);
}

static gasket_context *make_jit(const struct fuzz_contexts *contexts, struct fuzz_shared_parts *parts,
                                const struct fuzz_variant *variant) {
    enum { KERNELS = 64 }; /* few, so that some have to go */
    struct gasket_options options = options_of(parts, variant->level, 0);
    options.jit_kernels = KERNELS;
    if (variant->policy == GK_POLICY_OFF) options.tier = gk_tier_names[GK_TIER_JIT];
    options.jit = policy_names[variant->policy];
    options.jit_calls = 1;
    return create(contexts, &options);
}

gasket_context *fuzz_oracle(struct fuzz_contexts *contexts, struct fuzz_shared_parts *parts) {
    const struct fuzz_variant variant = {.level = gk_isa_best(), .tier = GK_TIER_INTERPRETER};
    if (!contexts->oracle) contexts->oracle = make_aside(contexts, parts, &variant);
    if (!contexts->oracle) {
        fputs("gasket-fuzz: no memory\n", stderr);
        exit(2);
    }
    return contexts->oracle;
}

gasket_context *fuzz_context(struct fuzz_contexts *contexts, struct fuzz_shared_parts *parts,
                             const struct fuzz_variant *variant) {
    const int is_jit = variant->tier == GK_TIER_JIT || variant->policy != GK_POLICY_OFF;
    gasket_context **aside = &contexts->aside[variant->level][is_jit ? GK_TIER_ANY : variant->tier][variant->threads];
    gasket_context **jit = variant->policy ? &contexts->policies[variant->policy] : &contexts->jit[variant->level];
    struct fuzz_variant other = *variant;
    if (is_jit) other.tier = GK_TIER_ANY;
    if (!*aside) *aside = make_aside(contexts, parts, &other);
    if (!is_jit || !*aside) return *aside;
    if (!*jit) *jit = make_jit(contexts, parts, variant);
    if (*jit) (*jit)->parallel = (*aside)->parallel; /* kernels do not depend on threads: one context has them */
    return *jit;
}

void fuzz_contexts_free(struct fuzz_contexts *contexts) {
    gasket_context_destroy(contexts->oracle);
    for (int level = 0; level < FUZZ_LEVELS; level++) {
        gasket_context_destroy(contexts->jit[level]);
        for (int tier = 0; tier < GK_TIERS; tier++)
            for (int threads = 0; threads < FUZZ_THREAD_COUNTS; threads++)
                gasket_context_destroy(contexts->aside[level][tier][threads]);
    }
    for (int policy = 0; policy < GK_POLICIES; policy++)
        gasket_context_destroy(contexts->policies[policy]);
    memset(contexts, 0, sizeof *contexts);
}
