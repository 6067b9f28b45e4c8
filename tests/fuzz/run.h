/* run: one call, by the interpreter and by every variant, compared byte for byte. */
#ifndef FUZZ_RUN_H
#define FUZZ_RUN_H

#include "call.h"
#include "coverage.h"
#include "cutter.h"
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
    gasket_context *oracle;
    gasket_context *contexts[FUZZ_LEVELS][GK_TIERS][FUZZ_THREAD_COUNTS]; /* NULL where this machine has none */
    struct fuzz_cutter cutters[FUZZ_THREAD_COUNTS];
    struct fuzz_places places;
    struct fuzz_place others[FUZZ_TENSORS]; /* for plans that are moved */
    char *expected, *before;                /* images of the output's place */
    struct fuzz_coverage *coverage;         /* may be NULL */
    struct fuzz_note *note;
    const char *pattern; /* of kernels, or NULL */
    enum gk_tier tier;   /* that alone, or GK_TIER_ANY */
    int real_threads;    /* cases of a thousand whose ranges run on threads */
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

/* `only`: that variant alone, where it applies; NULL: all. */
enum fuzz_result fuzz_run(struct fuzz_runner *runner, struct fuzz_call *call, const struct fuzz_variant *only);

/* What the interpreter makes of the call: its status, with the text of an error, and the output's bytes at
 * runner->expected + the output's `at`. */
enum gasket_status fuzz_interpret(struct fuzz_runner *runner, struct fuzz_call *call, struct gk_error *error);

#endif
