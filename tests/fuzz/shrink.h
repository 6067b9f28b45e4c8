/* shrink: from a case that fails to a small one that fails in the same variant. Every try runs in a process of its own,
 * so that one may crash or hang. */
#ifndef FUZZ_SHRINK_H
#define FUZZ_SHRINK_H

#include "reduce.h"
#include "run.h"

struct fuzz_failure {
    struct fuzz_case *c;
    struct fuzz_variant variant;
    char text[sizeof((struct fuzz_note *)0)->difference]; /* what is wrong */
};

/* The runner's memory is open and its note lies in shared memory. Leaves in *failure the smallest case found and what
 * is wrong with it; `call` is laid out for it. Returns 0 when the failure does not come again: then nothing is changed.
 */
int fuzz_shrink(struct fuzz_runner *runner, struct fuzz_failure *failure, struct fuzz_call *call);

/* Waits for a process that runs a check; kills it when it has not ended after so many seconds. Writes how it ended when
 * it did not end well. Whether it failed. */
enum { FUZZ_EXIT_DIFFERS = 3, FUZZ_PATIENCE = 60 };
int fuzz_wait(int process, int seconds, const struct fuzz_note *note, char *text, size_t size);
/* The same for a status of waitpid. */
int fuzz_ending(int status, const struct fuzz_note *note, char *text, size_t size);

#endif
