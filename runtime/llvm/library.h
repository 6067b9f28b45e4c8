/* library: libLLVM, found and loaded when it is first needed, and never unloaded. */
#ifndef GK_LLVM_LIBRARY_H
#define GK_LLVM_LIBRARY_H

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "jit/provider.h"

enum { GK_LLVM_OLDEST = 15, GK_LLVM_NEWEST = 21, GK_LLVM_PATH = 4096 };

/* All of LLVM's C functions that are used. Each is in every version from the oldest to the newest. */
/* clang-format off */
#define GK_LLVM_FUNCTIONS(each) \
    each(AddAttributeAtIndex) \
    each(AddCallSiteAttribute) \
    each(AddGlobal) \
    each(ConstStringInContext) \
    each(ContextCreate) \
    each(ContextDispose) \
    each(ContextSetDiagnosticHandler) \
    each(CreateEnumAttribute) \
    each(CreateMemoryBufferWithMemoryRange) \
    each(CreatePassBuilderOptions) \
    each(CreateStringAttribute) \
    each(CreateTargetMachine) \
    each(DeleteGlobal) \
    each(DisposeErrorMessage) \
    each(DisposeMemoryBuffer) \
    each(DisposeMessage) \
    each(DisposeModule) \
    each(DisposePassBuilderOptions) \
    each(GetBufferSize) \
    each(GetBufferStart) \
    each(GetCalledValue) \
    each(GetDiagInfoDescription) \
    each(GetDiagInfoSeverity) \
    each(GetEnumAttributeKindForName) \
    each(GetErrorMessage) \
    each(GetFirstBasicBlock) \
    each(GetFirstFunction) \
    each(GetFirstInstruction) \
    each(GetHostCPUFeatures) \
    each(GetHostCPUName) \
    each(GetLinkage) \
    each(GetNamedFunction) \
    each(GetNamedGlobal) \
    each(GetNextBasicBlock) \
    each(GetNextFunction) \
    each(GetNextInstruction) \
    each(GetNumArgOperands) \
    each(GetOperand) \
    each(GetTarget) \
    each(GetTargetFromTriple) \
    each(IsACallInst) \
    each(IsAFunction) \
    each(IsConstant) \
    each(IsDeclaration) \
    each(ParseBitcodeInContext2) \
    each(PassBuilderOptionsSetLoopInterleaving) \
    each(PassBuilderOptionsSetLoopUnrolling) \
    each(PassBuilderOptionsSetLoopVectorization) \
    each(PassBuilderOptionsSetSLPVectorization) \
    each(PrintModuleToString) \
    each(RemoveStringAttributeAtIndex) \
    each(ReplaceAllUsesWith) \
    each(RunPasses) \
    each(SetAlignment) \
    each(SetGlobalConstant) \
    each(SetInitializer) \
    each(SetLinkage) \
    each(TargetMachineEmitToMemoryBuffer) \
    each(TypeOf)
/* clang-format on */

struct gk_llvm {
#define GK_LLVM_FIELD(name) __typeof__(LLVM##name) *name;
    GK_LLVM_FUNCTIONS(GK_LLVM_FIELD)
#undef GK_LLVM_FIELD
    unsigned major, minor, patch; /* minor and patch may be unknown: 0 */
    char path[GK_LLVM_PATH], identity[64];
    LLVMTargetMachineRef machines[2][GASKET_ISAS]; /* [is_host][level], made when first needed (machine.h) */
};

/* GASKET_LLVM names the only file that is tried; otherwise the newest is taken that is found and can be used.
 * UNAVAILABLE says what was tried and why it was refused. */
enum gasket_status gk_llvm_load(struct gk_llvm *llvm, char *text);

#endif
