/* session: one call while its variants run: what they share. */
#ifndef FUZZ_SESSION_H
#define FUZZ_SESSION_H

#include "run.h"

struct fuzz_session {
    struct fuzz_runner *runner;
    struct fuzz_call *call;
    struct gasket_argument arguments[FUZZ_ARGUMENTS];
    size_t n_arguments;
    enum gasket_status status; /* what the interpreter says */
    struct gk_error error;
    int is_bound;        /* runner->oracle_plan holds the problem */
    size_t strings_used; /* by the interpreter */
    enum fuzz_stride_class strides;
    struct fuzz_random random;
};

/* The output's place, and its window as it was before the call. */
char *fuzz_output_place(const struct fuzz_session *s);
void fuzz_restore_output(const struct fuzz_session *s);
/* What is there now is what every variant has to give. */
void fuzz_keep_expected(const struct fuzz_session *s);

/* Notes that the variant runs, and what it starts from is there again. */
void fuzz_begin_check(struct fuzz_session *s, const struct fuzz_variant *variant);
enum fuzz_result fuzz_end_check(struct fuzz_session *s, enum gasket_status status, const char *message);
enum fuzz_result fuzz_differs(struct fuzz_session *s, const char *what, const char *expected, const char *got);
/* After an index of a tensor has changed behind the check: the run has to find it; it may have written the output. */
enum fuzz_result fuzz_end_changed(struct fuzz_session *s, enum gasket_status status, uint8_t index);
/* Whether a call failed and nothing was written, as where a tier does not serve it. */
int fuzz_is_untouched(const struct fuzz_session *s, enum gasket_status status);

/* Runs a plan on its own data. */
enum gasket_status fuzz_execute(const struct gasket_plan *plan, struct gk_error *error);

gasket_context *fuzz_session_context(const struct fuzz_session *s, const struct fuzz_variant *variant);
enum fuzz_result fuzz_run_variant(struct fuzz_session *s, const struct fuzz_variant *variant);

#endif
