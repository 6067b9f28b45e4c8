/* cpu: see cpu.h. The processor must have the instructions and the operating system must save the registers; the
 * compiler's builtin asks both (cpuid and XGETBV). */
#include "cpu.h"

#include <string.h>

static const char *const names[GASKET_ISAS] = {GASKET_ISA_NAMES};

const char *gk_isa_name(enum gasket_isa isa) {
    return names[isa];
}

int gk_isa_named(const char *name) {
    for (int i = 0; i < GASKET_ISAS; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

#if defined(__x86_64__)
static const char *missing_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma")
               ? NULL
               : "this processor or operating system has no AVX2";
}

static const char *missing_avx512(void) {
    return !missing_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
               ? NULL
               : "this processor or operating system has no AVX-512 (F, BW, DQ, VL)";
}

const char *gk_isa_missing(enum gasket_isa isa) {
    const char *const of[GASKET_ISAS] = {NULL, missing_avx2(), missing_avx512(), "this is not an Arm processor"};
    return of[isa];
}
#elif defined(__aarch64__)
const char *gk_isa_missing(enum gasket_isa isa) {
    return isa == GASKET_BASE || isa == GASKET_NEON ? NULL : "this is not an x86-64 processor";
}
#else
const char *gk_isa_missing(enum gasket_isa isa) {
    return isa == GASKET_BASE ? NULL : "this architecture has base kernels only";
}
#endif

enum gasket_isa gk_isa_best(void) {
    enum gasket_isa best = GASKET_BASE;
    for (enum gasket_isa isa = GASKET_BASE; isa < GASKET_ISAS; isa++)
        if (!gk_isa_missing(isa)) best = isa;
    return best;
}
