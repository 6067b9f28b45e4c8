/* options: the command line. */
#ifndef FUZZ_OPTIONS_H
#define FUZZ_OPTIONS_H

#include <stdint.h>

enum { FUZZ_PROBLEMS = 4 }; /* for each formula that is drawn */

struct fuzz_options {
    uint64_t cases, seed, gate, failures, formulas;
    double seconds;
    int jobs, json, shrinks, dumps, real_threads, jit_share, nvrtc_share, has_seed;
    const char *operation, *variant, *tier, *replay, *coverage, *corpus;
};

/* 0, or the exit status that ends the program: 2 with a message for what is wrong, 0 + 1 for --help. */
enum { FUZZ_GO_ON, FUZZ_HELPED, FUZZ_MISUSED };
int fuzz_options_read(struct fuzz_options *options, int argc, char **argv);

#endif
