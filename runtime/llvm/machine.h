/* machine: the processor that code is made for. */
#ifndef GK_LLVM_MACHINE_H
#define GK_LLVM_MACHINE_H

#include "library.h"

/* Kept until the process ends: making one takes longer than many a compilation. NULL, and the reason in `text`. */
LLVMTargetMachineRef gk_llvm_machine(struct gk_llvm *llvm, const struct gk_compilation *compilation, const char *triple,
                                     char *text);

/* The width of vectors in bits that functions have to ask for, or NULL. */
const char *gk_llvm_width(enum gasket_isa level);

#endif
