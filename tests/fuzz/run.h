/* run: one call, by the interpreter and by every variant, compared byte for byte. */
#ifndef FUZZ_RUN_H
#define FUZZ_RUN_H

#include "call.h"
#include "contexts.h"
#include "coverage.h"
#include "judge.h"

/* What is running, where the parent of a worker that dies can see it. */
struct fuzz_note {
    uint64_t number; /* of the case */
    struct fuzz_variant variant;
    _Atomic uint64_t checks; /* variants run by this worker: also the sign that it lives */
    char difference[FUZZ_DIFFERENCE];
};

enum fuzz_result {
    FUZZ_EQUAL,
    FUZZ_REFUSED, /* by the library, for all variants alike */
    FUZZ_DIFFERS  /* note->difference says how */
};

struct fuzz_runner {
    struct fuzz_shared_parts parts;
    struct fuzz_contexts table, drawn; /* of the operations of the table, and of a formula */
    struct fuzz_contexts *contexts;    /* one of the two */
    struct fuzz_places places;
    struct fuzz_place others[FUZZ_TENSORS]; /* for plans that are moved */
    char *expected, *before;                /* images of the output's place */
    struct fuzz_coverage *coverage;         /* may be NULL */
    struct fuzz_note *note;
    const char *pattern; /* of kernels, or NULL */
    enum gk_tier tier;   /* that alone, or GK_TIER_ANY */
    int emulates;        /* kernels for a GPU alone */
    int nvrtc_share;     /* cases of 1000 whose kernels for a GPU are compiled as well */
    int real_threads;    /* cases of a thousand whose ranges run on threads */
    int has_compiler;    /* call-time kernels may be asked for */
    int jit_share;       /* cases of a thousand that the call-time tier runs as well; of its own, it runs all */
    char *strings;       /* memory for strings that are added */
    size_t strings_used;
    int has_no_strings;                     /* the allocator gives nothing */
    struct gasket_plan *plan, *oracle_plan; /* too large for a stack */
};

/* Contexts; then, in the process that runs, memory. */
void fuzz_runner_make(struct fuzz_runner *runner);
void fuzz_runner_open(struct fuzz_runner *runner);
void fuzz_runner_close(struct fuzz_runner *runner);
void fuzz_runner_free(struct fuzz_runner *runner);

/* From now on operations are those of the definition, a word of text that stays; NULL: those of the table. Returns -1
 * where the library takes no such definition: then the oracle's message says why, and there are none. */
int fuzz_runner_define(struct fuzz_runner *runner, const char *definition);
const struct gk_catalog *fuzz_runner_catalog(struct fuzz_runner *runner);

/* `only`: that variant alone, where it applies; NULL: all. */
enum fuzz_result fuzz_run(struct fuzz_runner *runner, struct fuzz_call *call, const struct fuzz_variant *only);

/* What the interpreter makes of the call: its status, with the text of an error, and the output's bytes at
 * runner->expected + the output's `at`. */
enum gasket_status fuzz_interpret(struct fuzz_runner *runner, struct fuzz_call *call, struct gk_error *error);

#endif
