/* fake_nvrtc: see fake_nvrtc.h. */
#include "fake_nvrtc.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC visibility push(default)
#define DECLARE(name, need, result, parameters) result name parameters;
GK_NVRTC_FUNCTIONS(DECLARE)
#undef DECLARE
fake_nvrtc_fn gasket_fake_nvrtc;
#pragma GCC visibility pop

enum { LOG = 4096, MACHINE = 190 };

/* Never used again and so never freed before the process ends: dead ones are found. */
struct _nvrtcProgram {
    struct _nvrtcProgram *next;
    int is_alive, is_compiled, arch, is_cubin;
    char *text, name[128], log[LOG];
};
static struct _nvrtcProgram *programs;

static struct fake_nvrtc fake = {.major = 12, .minor = 9, .archs = {52, 75, 80, 86, 90, 100}, .n_archs = 6, .log = ""};

struct fake_nvrtc *gasket_fake_nvrtc(void) {
    return &fake;
}

#define FAULT(...) fake_fault(&fake.record, __VA_ARGS__)

enum { INVALID_INPUT = 3, INVALID_PROGRAM = 4 };

static nvrtcResult enter(const char *name) {
    return (nvrtcResult)fake_enter(&fake.record, name);
}

static nvrtcResult leave(nvrtcResult result) {
    return (nvrtcResult)fake_leave(&fake.record, (int)result);
}

/* Whether it is alive; otherwise that is a fault. */
static int is_program(const char *name, nvrtcProgram handle) {
    const struct _nvrtcProgram *program = programs;
    while (program && program != handle)
        program = program->next;
    if (program && program->is_alive) return 1;
    FAULT("%s of a program that %s", name, program ? "is destroyed" : "never was");
    return 0;
}

static nvrtcResult enter_program(const char *name, nvrtcProgram program) {
    const nvrtcResult result = enter(name);
    return is_program(name, program) ? result : (nvrtcResult)INVALID_PROGRAM;
}

/* ---- What it is ---- */

const char *nvrtcGetErrorString(nvrtcResult result) {
    static const char *const names[] = {"NVRTC_SUCCESS",
                                        "NVRTC_ERROR_OUT_OF_MEMORY",
                                        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                        "NVRTC_ERROR_INVALID_INPUT",
                                        "NVRTC_ERROR_INVALID_PROGRAM",
                                        "NVRTC_ERROR_INVALID_OPTION",
                                        "NVRTC_ERROR_COMPILATION",
                                        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                        "NVRTC_ERROR_INTERNAL_ERROR"};
    return (size_t)result < sizeof names / sizeof *names ? names[result] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
    const nvrtcResult result = enter(__func__);
    if (!result) {
        *major = fake.major;
        *minor = fake.minor;
    }
    return leave(result);
}

nvrtcResult nvrtcGetNumSupportedArchs(int *n) {
    const nvrtcResult result = enter(__func__);
    if (!result) *n = fake.n_archs;
    return leave(result);
}

nvrtcResult nvrtcGetSupportedArchs(int *archs) {
    const nvrtcResult result = enter(__func__);
    if (!result) memcpy(archs, fake.archs, (size_t)fake.n_archs * sizeof *archs);
    return leave(result);
}

/* ---- Programs ---- */

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *text, const char *name, int n_headers,
                               const char *const *headers, const char *const *header_names) {
    nvrtcResult result = enter(__func__);
    if (n_headers || headers || header_names) FAULT("nvrtcCreateProgram with headers");
    if (!name || name[0] != '/') FAULT("nvrtcCreateProgram looks in the current folder");
    if (!result && !text) result = (nvrtcResult)INVALID_INPUT;
    if (!result) {
        struct _nvrtcProgram *created = calloc(1, sizeof *created);
        if (!created || !(created->text = strdup(text))) abort();
        snprintf(created->name, sizeof created->name, "%s", name ? name : "");
        created->is_alive = 1;
        created->next = programs;
        *program = programs = created;
        fake.alive++;
    }
    return leave(result);
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
    nvrtcResult result = enter(__func__);
    if (is_program(__func__, *program)) {
        (*program)->is_alive = 0;
        free((*program)->text);
        (*program)->text = NULL;
        fake.alive--;
        *program = NULL;
    } else
        result = (nvrtcResult)INVALID_PROGRAM;
    return leave(result);
}

/* ---- Compiling ---- */

static void keep_options(nvrtcProgram program, int n, const char *const *options) {
    fake.n_options = n;
    for (int i = 0; i < n && i < FAKE_OPTIONS; i++)
        snprintf(fake.options[i], FAKE_OPTION, "%s", options[i]);
    snprintf(fake.name, sizeof fake.name, "%s", program->name);
}

/* "--gpu-architecture=sm_80" or compute_80. */
static int read_arch(nvrtcProgram program, int n, const char *const *options) {
    int is_known = 0;
    program->arch = 0;
    for (int i = 0; i < n; i++) {
        program->is_cubin = sscanf(options[i], "--gpu-architecture=sm_%d", &program->arch) == 1;
        if (program->is_cubin || sscanf(options[i], "--gpu-architecture=compute_%d", &program->arch) == 1) break;
    }
    for (int i = 0; i < fake.n_archs; i++)
        is_known |= fake.archs[i] == program->arch;
    return is_known;
}

static nvrtcResult compile(nvrtcProgram program, int n, const char *const *options) {
    const char *wrong = strstr(program->text, FAKE_WRONG_TEXT);
    keep_options(program, n, options);
    snprintf(program->log, sizeof program->log, "%s", fake.log);
    if (!read_arch(program, n, options)) {
        snprintf(program->log, sizeof program->log, "nvrtc: error: invalid value for --gpu-architecture (-arch)\n");
        return NVRTC_ERROR_INVALID_OPTION;
    }
    if (wrong) {
        snprintf(program->log, sizeof program->log, "%s(1): error: %.40s\n\n1 error detected.\n", program->name, wrong);
        return NVRTC_ERROR_COMPILATION;
    }
    program->is_compiled = 1;
    fake.compiled++;
    return NVRTC_SUCCESS;
}

static void wait_while_held(void) {
    const struct timespec moment = {0, 200000};
    while (fake.held)
        nanosleep(&moment, NULL);
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int n_options, const char *const *options) {
    if (++fake.inside > 1) FAULT("two compilations at a time");
    wait_while_held();
    nvrtcResult result = enter_program(__func__, program);
    if (result == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE || result == NVRTC_ERROR_COMPILATION)
        snprintf(program->log, sizeof program->log, "%s", fake.log);
    if (!result) result = compile(program, n_options, options);
    fake.inside--;
    return leave(result);
}

/* ---- What a program gives ---- */

static size_t cubin_bytes(const struct _nvrtcProgram *program) {
    return fake.gives_nothing || !program->is_cubin ? 0 : sizeof(Elf64_Ehdr) + strlen(program->text);
}

static void write_cubin(const struct _nvrtcProgram *program, char *bytes) {
    const size_t n = cubin_bytes(program);
    Elf64_Ehdr head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                       .e_machine = MACHINE,
                       .e_shoff = n,
                       .e_flags = (Elf64_Word)program->arch};
    if (n) memcpy(bytes, &head, sizeof head);
    if (n) memcpy(bytes + sizeof head, program->text, n - sizeof head);
}

static size_t write_ptx(const struct _nvrtcProgram *program, char *bytes, size_t most) {
    if (fake.gives_nothing) return 0;
    return (size_t)snprintf(bytes, most, ".version 8.8\n.target sm_%d\n.address_size 64\n/*\n%s\n*/\n", program->arch,
                            program->text) +
           1;
}

static nvrtcResult enter_compiled(const char *name, nvrtcProgram program) {
    const nvrtcResult result = enter_program(name, program);
    if (!result && !program->is_compiled) FAULT("%s of a program that is not compiled", name);
    return !result && !program->is_compiled ? (nvrtcResult)INVALID_PROGRAM : result;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size) {
    const nvrtcResult result = enter_compiled(__func__, program);
    if (!result) *size = cubin_bytes(program);
    return leave(result);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *bytes) {
    const nvrtcResult result = enter_compiled(__func__, program);
    if (!result) write_cubin(program, bytes);
    return leave(result);
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size) {
    const nvrtcResult result = enter_compiled(__func__, program);
    if (!result) *size = write_ptx(program, NULL, 0);
    return leave(result);
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *bytes) {
    const nvrtcResult result = enter_compiled(__func__, program);
    if (!result) write_ptx(program, bytes, write_ptx(program, NULL, 0));
    return leave(result);
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size) {
    const nvrtcResult result = enter_program(__func__, program);
    if (!result) *size = strlen(program->log) + 1;
    return leave(result);
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log) {
    const nvrtcResult result = enter_program(__func__, program);
    if (!result) memcpy(log, program->log, strlen(program->log) + 1);
    return leave(result);
}
