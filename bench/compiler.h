/* compiler: C compilers as programs. */
#ifndef BENCH_COMPILER_H
#define BENCH_COMPILER_H

#include <stddef.h>

/* Takes what gasket_plan_stage gives: `path` is the user's pointer. */
void bench_write_file(void *path, const void *bytes, size_t n);

/* Milliseconds that `compiler -O3` takes, with the option -I... `include`, for an object (".o") or else a shared
 * library; NAN when it failed. */
double bench_compile(const char *compiler, const char *include, const char *source, const char *to);

/* By the environment: CLANG, CC. */
const char *bench_clang(void);
const char *bench_cc(void);

#endif
