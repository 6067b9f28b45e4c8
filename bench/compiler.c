/* compiler: see compiler.h. */
#include "compiler.h"

#include <math.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "problem.h"

extern char **environ;

const char *bench_clang(void) {
    return getenv("CLANG") ? getenv("CLANG") : "clang";
}

const char *bench_cc(void) {
    return getenv("CC") ? getenv("CC") : "cc";
}

void bench_write_file(void *path, const void *bytes, size_t n) {
    FILE *file = fopen(path, "wb");
    if (!file) return;
    fwrite(bytes, 1, n, file);
    fclose(file);
}

/* Milliseconds that a program takes. */
static double time_program(char **arguments) {
    const double began = bench_now();
    pid_t child;
    int status = 1;
    if (posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ) || waitpid(child, &status, 0) < 0 || status)
        return NAN;
    return (bench_now() - began) * 1e3;
}

double bench_compile(const char *compiler, const char *include, const char *source, const char *to) {
    const char *kind = strcmp(to + strlen(to) - 2, ".o") ? "-shared" : "-c";
    const char *words[] = {compiler, "-O3", "-march=native", "-ffp-contract=off", "-fPIC", include, source, kind, "-o",
                           to,       NULL};
    char *arguments[sizeof words / sizeof *words];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        arguments[i] = (char *)(uintptr_t)words[i];
    return time_program(arguments);
}
