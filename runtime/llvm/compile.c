/* compile: see compile.h.
 *
 * The text of a template is general, so whatever is not folded away early costs time in every later pass. Calls are
 * therefore inlined from the outside in, one layer at a time, and folded in between: a call that the knobs make
 * unreachable is never expanded. Within a layer, calls that look at nothing but knobs come first, as others may depend
 * on their results. What is left is small, and only that goes through the passes for loops. */
#include "compile.h"

#include <stdio.h>
#include <string.h>

#include "abi/nest.h"
#include "machine.h"
#include "say.h"

static const char fold[] = "function(early-cse,simplifycfg),globaldce";
static const char expand[] = "always-inline,globaldce,function(early-cse,simplifycfg)";
/* What matters of O3 for loops over memory. Loops of one iteration go first. Longer loops than a few iterations stay
 * loops: in one piece they take twice as long to compile and run no faster. Combining may give up before nothing is
 * left to combine; from 18 on that has to be allowed. */
#define UNROLL "loop-unroll<O3;full-unroll-max=16"
#define OPTIMISE(combine, slp)                                                                                         \
    "function(simplifycfg,sroa,loop(loop-rotate,loop-deletion),early-cse," combine                                     \
    ",simplifycfg,"                                                                                                    \
    "loop-mssa(licm,simple-loop-unswitch<nontrivial>),simplifycfg,loop(loop-idiom,indvars)," UNROLL                    \
    ";no-partial;no-runtime>,sroa,gvn," combine ",dse,simplifycfg,loop-vectorize," combine ",simplifycfg," slp combine \
    "," UNROLL ">,loop-mssa(licm),simplifycfg)"
#define COMBINE_FROM_18 "instcombine<no-verify-fixpoint>"
static const char *const pipelines[2][2] = {
    /* of libLLVM before 18, and from 18 on; without slp-vectorizer, and with */
    {OPTIMISE("instcombine", ""), OPTIMISE("instcombine", "slp-vectorizer,")},
    {OPTIMISE(COMBINE_FROM_18, ""), OPTIMISE(COMBINE_FROM_18, "slp-vectorizer,")},
};

static const LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

enum { LAYERS = 32 }; /* of calls; more are a recursion */

struct job {
    struct gk_llvm *llvm;
    const struct gk_compilation *compilation;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine;
    LLVMPassBuilderOptionsRef options;
    char *text;
    int failed; /* LLVM reported an error, which is in the text */
};

/* ---- The module ---- */

static void listen(LLVMDiagnosticInfoRef info, void *user) {
    struct job *job = user;
    if (job->failed || job->llvm->GetDiagInfoSeverity(info) != LLVMDSError) return;
    char *description = job->llvm->GetDiagInfoDescription(info);
    job->failed = 1;
    gk_say(job->text, GASKET_INTERNAL, "LLVM: %.900s", description);
    job->llvm->DisposeMessage(description);
}

static enum gasket_status fail(struct job *job, const char *what) {
    if (!job->failed)
        gk_say(job->text, GASKET_INTERNAL, "the template %.64s %s", job->compilation->template_name, what);
    return GASKET_INTERNAL;
}

static enum gasket_status read_module(struct job *job, const struct gk_template *from) {
    const struct gk_llvm *llvm = job->llvm;
    const size_t size = (size_t)(from->bitcode_end - from->bitcode);
    LLVMMemoryBufferRef buffer = llvm->CreateMemoryBufferWithMemoryRange(from->bitcode, size, from->name, 0);
    const int failed = llvm->ParseBitcodeInContext2(job->context, buffer, &job->module);
    llvm->DisposeMemoryBuffer(buffer);
    if (failed) job->module = NULL;
    return failed ? fail(job, "can not be read by this libLLVM") : GASKET_OK;
}

static enum gasket_status set_knobs(struct job *job) {
    const struct gk_llvm *llvm = job->llvm;
    LLVMValueRef declared = llvm->GetNamedGlobal(job->module, GASKET_NEST_KNOBS);
    if (!declared) return fail(job, "has no " GASKET_NEST_KNOBS);
    LLVMValueRef bytes =
        llvm->ConstStringInContext(job->context, job->compilation->knobs, (unsigned)job->compilation->knobs_size, 1);
    LLVMValueRef knobs = llvm->AddGlobal(job->module, llvm->TypeOf(bytes), "knobs");
    llvm->SetInitializer(knobs, bytes);
    llvm->SetGlobalConstant(knobs, 1);
    llvm->SetLinkage(knobs, LLVMInternalLinkage);
    llvm->SetAlignment(knobs, sizeof(int64_t));
    llvm->ReplaceAllUsesWith(declared, knobs);
    llvm->DeleteGlobal(declared);
    return GASKET_OK;
}

/* ---- Its functions ---- */

static LLVMAttributeRef attribute(const struct job *job, const char *name) {
    const unsigned kind = job->llvm->GetEnumAttributeKindForName(name, strlen(name));
    return job->llvm->CreateEnumAttribute(job->context, kind, 0);
}

/* What the build's compiler noted of its target would override the machine. It knew no library either. */
static void forget_notes(const struct job *job, LLVMValueRef function) {
    static const char *const notes[] = {"target-cpu", "target-features", "tune-cpu", "min-legal-vector-width",
                                        "no-builtins"};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        job->llvm->RemoveStringAttributeAtIndex(function, whole, notes[i], (unsigned)strlen(notes[i]));
}

static void ask_for_width(const struct job *job, LLVMValueRef function, const char *width) {
    static const char key[] = "prefer-vector-width";
    LLVMAttributeRef wish =
        job->llvm->CreateStringAttribute(job->context, key, sizeof key - 1, width, (unsigned)strlen(width));
    job->llvm->AddAttributeAtIndex(function, whole, wish);
}

static enum gasket_status prepare_functions(struct job *job) {
    const struct gk_llvm *llvm = job->llvm;
    const char *width = gk_llvm_width(job->compilation->level);
    LLVMValueRef run = llvm->GetNamedFunction(job->module, GASKET_NEST_RUN);
    LLVMValueRef check = llvm->GetNamedFunction(job->module, GASKET_NEST_CHECK);
    if (!run || !check) return fail(job, "has no " GASKET_NEST_RUN " or no " GASKET_NEST_CHECK);
    for (LLVMValueRef f = llvm->GetFirstFunction(job->module); f; f = llvm->GetNextFunction(f)) {
        if (llvm->IsDeclaration(f)) continue;
        forget_notes(job, f);
        if (width) ask_for_width(job, f, width);
        if (f != run && f != check) llvm->SetLinkage(f, LLVMInternalLinkage);
    }
    llvm->AddAttributeAtIndex(check, whole, attribute(job, "optsize")); /* fast ones are not the kernel's */
    return GASKET_OK;
}

/* ---- Passes ---- */

static enum gasket_status run_passes(struct job *job, const char *passes) {
    const struct gk_llvm *llvm = job->llvm;
    LLVMErrorRef error = llvm->RunPasses(job->module, passes, job->machine, job->options);
    if (!error) return job->failed ? GASKET_INTERNAL : GASKET_OK;
    char *why = llvm->GetErrorMessage(error);
    gk_say(job->text, GASKET_INTERNAL, "LLVM: %.900s", why);
    llvm->DisposeErrorMessage(why);
    return GASKET_INTERNAL;
}

/* Whether it only looks at the knobs. */
static int is_constant(const struct gk_llvm *llvm, LLVMValueRef call) {
    const unsigned n = llvm->GetNumArgOperands(call);
    for (unsigned i = 0; i < n; i++)
        if (!llvm->IsConstant(llvm->GetOperand(call, i))) return 0;
    return 1;
}

/* Marks the calls in a block of functions that are in the module; returns how many. */
static int mark_calls(const struct job *job, LLVMBasicBlockRef block, int constant, LLVMAttributeRef mark) {
    const struct gk_llvm *llvm = job->llvm;
    int marked = 0;
    for (LLVMValueRef i = llvm->GetFirstInstruction(block); i; i = llvm->GetNextInstruction(i)) {
        LLVMValueRef callee = llvm->IsACallInst(i) ? llvm->IsAFunction(llvm->GetCalledValue(i)) : NULL;
        if (!callee || llvm->IsDeclaration(callee) || (constant && !is_constant(llvm, i))) continue;
        llvm->AddCallSiteAttribute(i, whole, mark);
        marked++;
    }
    return marked;
}

static int mark_layer(const struct job *job, int constant) {
    const struct gk_llvm *llvm = job->llvm;
    LLVMAttributeRef mark = attribute(job, "alwaysinline");
    int marked = 0;
    for (LLVMValueRef f = llvm->GetFirstFunction(job->module); f; f = llvm->GetNextFunction(f)) {
        if (llvm->GetLinkage(f) == LLVMInternalLinkage) continue;
        for (LLVMBasicBlockRef b = llvm->GetFirstBasicBlock(f); b; b = llvm->GetNextBasicBlock(b))
            marked += mark_calls(job, b, constant, mark);
    }
    return marked;
}

/* What is inlined anyway is not worth further passes. */
static void leave_alone(const struct job *job) {
    const struct gk_llvm *llvm = job->llvm;
    for (LLVMValueRef f = llvm->GetFirstFunction(job->module); f; f = llvm->GetNextFunction(f)) {
        if (llvm->IsDeclaration(f) || llvm->GetLinkage(f) != LLVMInternalLinkage) continue;
        llvm->AddAttributeAtIndex(f, whole, attribute(job, "noinline"));
        llvm->AddAttributeAtIndex(f, whole, attribute(job, "optnone"));
    }
}

static int is_far(int64_t stride) {
    enum { ITERATIONS = 1024 }; /* that a row or an unrolled loop may have side by side */
    return stride > INT32_MAX / ITERATIONS || stride < INT32_MIN / ITERATIONS;
}

/* slp-vectorizer takes the distance between two addresses for a number of 32 bits (seen of libLLVM 19): elements 2^32 +
 * 1 bytes apart become neighbours. */
static int may_join(const struct gk_compilation *compilation) {
    const struct gasket_nest *knobs = compilation->knobs;
    for (int a = 0; a < GASKET_NEST_ACCESSES; a++) {
        if (is_far(knobs->accesses[a].row_stride)) return 0;
        for (int k = 0; k < GASKET_NEST_LOOPS; k++)
            if (is_far(knobs->accesses[a].strides[k])) return 0;
    }
    for (int c = 0; c < GASKET_NEST_COORDINATES; c++)
        for (int v = 0; v < GASKET_NEST_VALUES; v++)
            if (is_far(knobs->coordinates[c].values[v].offset)) return 0;
    return 1;
}

/* A libLLVM that knows the passes under other names still has the usual pipeline. */
static enum gasket_status optimise_module(struct job *job) {
    const int joins = may_join(job->compilation);
    enum gasket_status status = run_passes(job, pipelines[job->llvm->major >= 18][joins]);
    if (!status || job->failed) return status;
    job->text[0] = 0;
    job->llvm->PassBuilderOptionsSetSLPVectorization(job->options, joins);
    return run_passes(job, "default<O3>");
}

static enum gasket_status specialise(struct job *job) {
    enum gasket_status status = run_passes(job, fold);
    leave_alone(job);
    for (int layer = 0; !status && (mark_layer(job, 1) || mark_layer(job, 0)); layer++)
        status = layer < LAYERS ? run_passes(job, expand) : fail(job, "calls itself");
    return status ? status : optimise_module(job);
}

/* ---- Results ---- */

static enum gasket_status give_text(const struct job *job, gk_take_fn *take, void *user) {
    char *printed = job->llvm->PrintModuleToString(job->module);
    take(user, printed, strlen(printed));
    job->llvm->DisposeMessage(printed);
    return GASKET_OK;
}

static enum gasket_status give_code(struct job *job, gk_take_fn *take, void *user) {
    const struct gk_llvm *llvm = job->llvm;
    const LLVMCodeGenFileType type = job->compilation->stage == GK_STAGE_ASSEMBLY ? LLVMAssemblyFile : LLVMObjectFile;
    LLVMMemoryBufferRef buffer = NULL;
    char *why = NULL;
    if (llvm->TargetMachineEmitToMemoryBuffer(job->machine, job->module, type, &why, &buffer)) {
        gk_say(job->text, GASKET_INTERNAL, "LLVM: %.900s", why);
        llvm->DisposeMessage(why);
        return GASKET_INTERNAL;
    }
    if (!job->failed) take(user, llvm->GetBufferStart(buffer), llvm->GetBufferSize(buffer));
    llvm->DisposeMemoryBuffer(buffer);
    return job->failed ? GASKET_INTERNAL : GASKET_OK;
}

static enum gasket_status work(struct job *job, const struct gk_template *from, gk_take_fn *take, void *user) {
    const enum gk_stage stage = job->compilation->stage;
    enum gasket_status status = read_module(job, from);
    if (!status) status = set_knobs(job);
    if (!status) status = prepare_functions(job);
    if (status || stage == GK_STAGE_IR) return status ? status : give_text(job, take, user);
    job->machine = gk_llvm_machine(job->llvm, job->compilation, job->llvm->GetTarget(job->module), job->text);
    if (!job->machine) return GASKET_UNAVAILABLE;
    status = specialise(job);
    if (status) return status;
    return stage == GK_STAGE_OPTIMISED ? give_text(job, take, user) : give_code(job, take, user);
}

enum gasket_status gk_llvm_compile(struct gk_llvm *llvm, const struct gk_template *from,
                                   const struct gk_compilation *compilation, gk_take_fn *take, void *user, char *text) {
    struct job job = {.llvm = llvm, .compilation = compilation, .text = text};
    job.context = llvm->ContextCreate();
    job.options = llvm->CreatePassBuilderOptions();
    llvm->ContextSetDiagnosticHandler(job.context, listen, &job);
    llvm->PassBuilderOptionsSetLoopVectorization(job.options, 1);
    llvm->PassBuilderOptionsSetSLPVectorization(job.options, 1);
    llvm->PassBuilderOptionsSetLoopUnrolling(job.options, 1);
    llvm->PassBuilderOptionsSetLoopInterleaving(job.options, 1);
    enum gasket_status status = work(&job, from, take, user);
    llvm->DisposePassBuilderOptions(job.options);
    if (job.module) llvm->DisposeModule(job.module);
    llvm->ContextDispose(job.context);
    return status;
}
