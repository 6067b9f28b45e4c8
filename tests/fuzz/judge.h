/* judge: whether an output is what the interpreter made, and where not. */
#ifndef FUZZ_JUDGE_H
#define FUZZ_JUDGE_H

#include "call.h"

enum { FUZZ_DIFFERENCE = 1024 };

/* Compares the output's place, margins included; images begin as the place does. Returns 0 when equal, else writes what
 * the first difference is. With `by_content`, strings are equal when their bytes are. */
int fuzz_judge(const struct fuzz_call *call, const char *expected, const char *found, int by_content,
               char text[FUZZ_DIFFERENCE]);

#endif
