/* machine: see machine.h. */
#define _GNU_SOURCE /* asprintf */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>

#include "say.h"

/* What every processor of a level has (the same as the flags in cmake/gasket_kernels.cmake), and what is taken from
 * this one's features so that a level below its own stays below. Disabling a feature disables all that need it. */
static const struct level {
    const char *cpu, *features, *without, *width;
} levels[GASKET_ISAS] = {
#if defined(__aarch64__)
    [GASKET_BASE] = {"generic", "+neon", "-sve", NULL},
    [GASKET_NEON] = {"generic", "+neon", "-sve", NULL},
#else
    [GASKET_BASE] = {"x86-64", "", "-avx", NULL},
    [GASKET_AVX2] = {"x86-64", "+avx2,+f16c,+bmi2", "-avx512f", NULL},
    [GASKET_AVX512] = {"x86-64", "+avx512f,+avx512bw,+avx512dq,+avx512vl,+f16c,+bmi2", "", "512"},
#endif
};

const char *gk_llvm_width(enum gasket_isa level) {
    return levels[level].width;
}

static LLVMTargetMachineRef make(const struct gk_llvm *llvm, LLVMTargetRef target, const char *triple, const char *cpu,
                                 const char *features) {
    return llvm->CreateTargetMachine(target, triple, cpu, features, LLVMCodeGenLevelAggressive, LLVMRelocPIC,
                                     LLVMCodeModelSmall);
}

static LLVMTargetMachineRef make_for_host(const struct gk_llvm *llvm, LLVMTargetRef target, const char *triple,
                                          const struct level *level) {
    char *cpu = llvm->GetHostCPUName(), *has = llvm->GetHostCPUFeatures(), *features = NULL;
    LLVMTargetMachineRef machine = NULL;
    if (asprintf(&features, "%s%s%s", has, *has && *level->without ? "," : "", level->without) >= 0)
        machine = make(llvm, target, triple, cpu, features);
    free(features);
    llvm->DisposeMessage(cpu);
    llvm->DisposeMessage(has);
    return machine;
}

LLVMTargetMachineRef gk_llvm_machine(struct gk_llvm *llvm, const struct gk_compilation *compilation, const char *triple,
                                     char *text) {
    const struct level *level = &levels[compilation->level];
    LLVMTargetMachineRef *machine = &llvm->machines[compilation->is_host != 0][compilation->level];
    LLVMTargetRef target = NULL;
    char *why = NULL;
    if (*machine) return *machine;
    if (llvm->GetTargetFromTriple(triple, &target, &why)) {
        gk_say(text, GASKET_UNAVAILABLE, "libLLVM makes no code for %s: %.800s", triple, why);
        llvm->DisposeMessage(why);
        return NULL;
    }
    *machine = compilation->is_host ? make_for_host(llvm, target, triple, level)
                                    : make(llvm, target, triple, level->cpu, level->features);
    if (!*machine) gk_say(text, GASKET_UNAVAILABLE, "libLLVM makes no code for %s", triple);
    return *machine;
}
