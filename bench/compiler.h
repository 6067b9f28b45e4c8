/* compiler: C compilers as programs. */
#ifndef BENCH_COMPILER_H
#define BENCH_COMPILER_H

/* Milliseconds that `compiler -O3` takes, with the option -I... `include`, for an object (".o") or else a shared
 * library; NAN when it failed. */
double bench_compile(const char *compiler, const char *include, const char *source, const char *to);

/* By the environment: CLANG, CC. */
const char *bench_clang(void);
const char *bench_cc(void);

#endif
