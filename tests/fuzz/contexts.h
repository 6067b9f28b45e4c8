/* contexts: those that variants run in, of the operations of the table or of one formula that was drawn. */
#ifndef FUZZ_CONTEXTS_H
#define FUZZ_CONTEXTS_H

#include "cutter.h"
#include "variant.h"

/* NULL where none was needed so far. */
struct fuzz_contexts {
    gasket_context *oracle;                                           /* of the interpreter */
    gasket_context *aside[FUZZ_LEVELS][GK_TIERS][FUZZ_THREAD_COUNTS]; /* without call-time kernels */
    gasket_context *jit[FUZZ_LEVELS];                                 /* of the tier, for any number of threads */
    gasket_context *policies[GK_POLICIES];                            /* of any tier, and the best level */
    const char *definition;                                           /* of the formula, or NULL */
};

/* What all contexts share. */
struct fuzz_shared_parts {
    struct fuzz_cutter cutters[FUZZ_THREAD_COUNTS];
    gasket_allocate *allocate;
    void *allocate_user;
};

/* The oracle's; it ends the program where there is no memory. */
gasket_context *fuzz_oracle(struct fuzz_contexts *contexts, struct fuzz_shared_parts *parts);
/* The variant's, made when it is first asked for; NULL where the machine has none, or no memory. */
gasket_context *fuzz_context(struct fuzz_contexts *contexts, struct fuzz_shared_parts *parts,
                             const struct fuzz_variant *variant);
void fuzz_contexts_free(struct fuzz_contexts *contexts);

#endif
