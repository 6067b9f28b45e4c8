/* llvm: the plug-in for call-time compilation. Every stage, for every instruction set, with every libLLVM that is here,
 * and what it says when libLLVM is missing, no library, of another version or not complete. Each library gets a process
 * of its own. */
#define _GNU_SOURCE /* memmem */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/nest.h"
#include "jit/provider.h"
#include "support/support.h"

enum { SKIPPED = 77, PATH = 1024, BAGS = 5, BAG = 7, ROW = 9, ROWS = 11 };

static char plugin_path[PATH];
static const char *folder, *compiler;

static const struct gk_provider *load_plugin(void) {
    void *handle = dlopen(plugin_path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = handle ? dlsym(handle, GK_PROVIDER_SYMBOL) : NULL;
    gk_provider_fn *function;
    if (!symbol) give_up(dlerror());
    memcpy(&function, &symbol, sizeof function);
    return function();
}

/* ---- A kernel: out[b, r] += table[bags[b, i], r] * weights[b, i], where the index is inside ---- */

static struct gasket_nest bag_of_rows(void) {
    struct gasket_nest nest = {.row = ROW, .element = 4, .n_factors = 2, .combine = GASKET_ADD, .form = GASKET_MARK};
    for (int k = 0; k < GASKET_NEST_LOOPS; k++)
        nest.extents[k] = nest.checked[k] = 1;
    nest.checks = 1;
    nest.extents[0] = nest.checked[0] = 0;
    nest.extents[1] = nest.checked[1] = BAG;
    for (int c = 0; c < GASKET_NEST_COORDINATES; c++)
        nest.coordinates[c].level = nest.coordinates[c].access = -1;
    nest.accesses[0] = (struct gasket_nest_access){.strides = {ROW * 4}, .row_stride = 4};
    nest.accesses[1] = (struct gasket_nest_access){.row_stride = 4};
    nest.accesses[2] = (struct gasket_nest_access){.strides = {BAG * 4, 4}};
    nest.accesses[3] = (struct gasket_nest_access){.strides = {BAG * 8, 8}, .index_dtype = GASKET_I64};
    nest.coordinates[0] = (struct gasket_nest_coordinate){
        .level = 1, .access = 1, .stride = ROW * 4, .skips = 1, .n_values = 1, .values = {{.access = 3}}};
    return nest;
}

struct data {
    float out[BAGS][ROW], table[ROWS][ROW], weights[BAGS][BAG];
    int64_t bags[BAGS][BAG];
};

static void fill(struct data *data) {
    memset(data, 0, sizeof *data);
    for (int i = 0; i < ROWS * ROW; i++)
        data->table[i / ROW][i % ROW] = (float)(i - 40) / 8;
    for (int i = 0; i < BAGS * BAG; i++)
        data->weights[i / BAG][i % BAG] = (float)(i % 5 - 2);
    for (int i = 0; i < BAGS * BAG; i++)
        data->bags[i / BAG][i % BAG] = i * 7 % ROWS;
    data->bags[2][3] = ROWS;
    data->bags[4][0] = -1;
}

static void run_plainly(struct data *data) {
    for (int b = 0; b < BAGS; b++)
        for (int i = 0; i < BAG; i++)
            for (int r = 0; r < ROW; r++)
                if (data->bags[b][i] >= 0 && data->bags[b][i] < ROWS)
                    data->out[b][r] += data->table[data->bags[b][i]][r] * data->weights[b][i];
}

/* A shared library with a kernel, which is run and compared with the plain loops. */
static void run_library(const char *file, const char *what) {
    struct data data, expected;
    struct gasket_nest_call call = {
        .bases = {(char *)data.out, (char *)data.table, (char *)data.weights, (char *)data.bags}, .extents = {ROWS}};
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!check(handle != NULL, "%s does not load: %s", what, handle ? "" : dlerror())) return;
    void *symbols[] = {dlsym(handle, GASKET_NEST_RUN), dlsym(handle, GASKET_NEST_CHECK)};
    gasket_nest_fn *run, *look;
    memcpy(&run, &symbols[0], sizeof run);
    memcpy(&look, &symbols[1], sizeof look);
    if (!check(run && look, "%s lacks a function", what)) return;
    fill(&data);
    fill(&expected);
    run_plainly(&expected);
    check(look(&call, 0, BAGS) == 1 && look(&call, 0, 2) == 0, "%s: the check of indices", what);
    check(run(&call, 0, BAGS) == 1 && memcmp(&data, &expected, sizeof data) == 0, "%s: the results", what);
    dlclose(handle);
}

/* ---- Compiling it ---- */

struct result {
    char *bytes;
    size_t n;
};

static void take(void *user, const void *bytes, size_t n) {
    struct result *result = user;
    result->bytes = malloc(n + 1);
    if (!result->bytes) give_up("no memory");
    memcpy(result->bytes, bytes, n);
    result->bytes[n] = 0;
    result->n = n;
}

static enum gasket_status compile(const struct gk_provider *provider, enum gasket_isa level, int is_host,
                                  enum gk_stage stage, struct result *result, char *text) {
    const struct gasket_nest nest = bag_of_rows();
    const struct gk_compilation compilation = {.template_name = "f32",
                                               .knobs = &nest,
                                               .knobs_size = sizeof nest,
                                               .level = level,
                                               .is_host = is_host,
                                               .stage = stage};
    *result = (struct result){NULL, 0};
    text[0] = 0;
    return provider->compile(&compilation, take, result, text);
}

static int holds(const struct result *result, const char *word) {
    return result->bytes && memmem(result->bytes, result->n, word, strlen(word)) != NULL;
}

static void write_file(const char *file, const struct result *result) {
    FILE *out = fopen(file, "wb");
    if (!out || fwrite(result->bytes, 1, result->n, out) != result->n || fclose(out) != 0) give_up(file);
}

static int call_compiler(const char *arguments, const char *from, const char *to) {
    char command[3 * PATH];
    snprintf(command, sizeof command, "%s %s -o '%s' '%s'", compiler, arguments, to, from);
    return system(command) == 0;
}

/* By the C compiler to a library that is run. */
static void run_result(const struct result *result, const char *ending, const char *arguments, const char *what) {
    char from[PATH], to[PATH];
    snprintf(from, sizeof from, "%s/kernel_%d.%s", folder, (int)getpid(), ending);
    snprintf(to, sizeof to, "%s/kernel_%d_%s.so", folder, (int)getpid(), ending);
    write_file(from, result);
    if (check(call_compiler(arguments, from, to), "%s: the C compiler refuses it", what)) run_library(to, what);
    remove(to);
}

/* ---- One libLLVM ---- */

static int machine_has(enum gasket_isa level) {
#if defined(__x86_64__)
    if (level == GASKET_AVX2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    if (level == GASKET_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
    return level != GASKET_NEON || sizeof(void *) == 8;
}

static void check_registers(const struct result *assembly, enum gasket_isa level, const char *what) {
    check(holds(assembly, GASKET_NEST_RUN) && holds(assembly, GASKET_NEST_CHECK), "%s: functions", what);
#if defined(__x86_64__)
    check(holds(assembly, "%ymm") + holds(assembly, "%zmm") == 0 || level != GASKET_BASE, "%s: wider than base", what);
    check(!holds(assembly, "%zmm") || level == GASKET_AVX512, "%s: wider than its level", what);
#endif
}

static void check_level(const struct gk_provider *provider, enum gasket_isa level, int is_host) {
    static const char *const levels[] = {GASKET_ISA_NAMES};
    struct result results[GK_STAGES] = {{NULL, 0}};
    char what[96], text[GK_PROVIDER_TEXT];
    snprintf(what, sizeof what, "libLLVM %s, %s, for %s", provider->version(), levels[level],
             is_host ? "this machine" : "any");
    for (int stage = 0; stage < GK_STAGES; stage++) {
        enum gasket_status status = compile(provider, level, is_host, (enum gk_stage)stage, &results[stage], text);
        check(status == GASKET_OK && results[stage].n > 0, "%s: stage %d: %s", what, stage, text);
    }
    check(holds(&results[GK_STAGE_SOURCE], ".row = 9,") && holds(&results[GK_STAGE_SOURCE], "gk_nest("), "%s: source",
          what);
    check(holds(&results[GK_STAGE_IR], "@knobs = internal constant"), "%s: IR", what);
    check(
        holds(&results[GK_STAGE_OPTIMISED], "@" GASKET_NEST_RUN "(") && !holds(&results[GK_STAGE_OPTIMISED], "@knobs"),
        "%s: knobs are left after the passes", what);
    check_registers(&results[GK_STAGE_ASSEMBLY], level, what);
    check(results[GK_STAGE_OBJECT].n > 4 && memcmp(results[GK_STAGE_OBJECT].bytes, "\177ELF", 4) == 0, "%s: ELF", what);
    check(!holds(&results[GK_STAGE_OBJECT], ".eh_frame"), "%s: unwind tables", what);
    if (machine_has(level) && results[GK_STAGE_OBJECT].bytes)
        run_result(&results[GK_STAGE_OBJECT], "o", "-shared", what);
    if (!is_host && level == GASKET_BASE && results[GK_STAGE_SOURCE].bytes)
        run_result(&results[GK_STAGE_SOURCE], "c", "-O1 -shared -fPIC -Wall -Werror -ffp-contract=off -Iruntime", what);
    for (int stage = 0; stage < GK_STAGES; stage++)
        free(results[stage].bytes);
}

static void check_levels(const struct gk_provider *provider) {
    struct result source;
    char text[GK_PROVIDER_TEXT];
    int levels = 0;
    for (int level = 0; level < GASKET_ISAS; level++) {
        if (compile(provider, (enum gasket_isa)level, 0, GK_STAGE_SOURCE, &source, text) == GASKET_UNSUPPORTED)
            continue;
        free(source.bytes);
        check_level(provider, (enum gasket_isa)level, 0);
        if (machine_has((enum gasket_isa)level)) check_level(provider, (enum gasket_isa)level, 1);
        levels++;
    }
    check(levels > 0, "no level has a template");
}

/* The same request gives the same bytes, whatever was compiled in between. */
static void check_repeats(const struct gk_provider *provider) {
    struct result first, other, again;
    char text[GK_PROVIDER_TEXT];
    compile(provider, GASKET_BASE, 0, GK_STAGE_OBJECT, &first, text);
    compile(provider, GASKET_BASE, 1, GK_STAGE_OBJECT, &other, text);
    compile(provider, GASKET_BASE, 0, GK_STAGE_OBJECT, &again, text);
    check(first.n > 0 && first.n == again.n && memcmp(first.bytes, again.bytes, first.n) == 0, "objects differ");
    free(first.bytes);
    free(other.bytes);
    free(again.bytes);
}

static void with_library(const char *name) {
    const struct gk_provider *provider = load_plugin();
    char text[GK_PROVIDER_TEXT] = "";
    void *there = name ? dlopen(name, RTLD_LAZY | RTLD_LOCAL) : NULL;
    if (name && !there) exit(SKIPPED);
    enum gasket_status status = provider->open(text);
    if (name && status == GASKET_UNAVAILABLE && strstr(text, " is older than the Clang ")) exit(SKIPPED);
    if (!name && status == GASKET_UNAVAILABLE) {
        check(strstr(text, "libLLVM.so.21.1") && strstr(text, "libLLVM-15.so"), "what was tried: %s", text);
        return;
    }
    if (!check(status == GASKET_OK && provider->open(text) == GASKET_OK, "%s: %s", name ? name : "newest", text))
        return;
    check(atoi(provider->version()) >= 15 && strchr(provider->version(), ' '), "version: %s", provider->version());
    check(strstr(provider->library(), "libLLVM") != NULL, "library: %s", provider->library());
    check_levels(provider);
    check_repeats(provider);
}

/* ---- None that can be used ---- */

static void refused(const char *file, const char *reason) {
    const struct gk_provider *provider = load_plugin();
    struct result result;
    char text[GK_PROVIDER_TEXT] = "";
    for (int i = 0; i < 2; i++) {
        enum gasket_status status = provider->open(text);
        check(status == GASKET_UNAVAILABLE && strstr(text, reason), "%s: %s", file, text);
    }
    check(provider->version()[0] == 0 && provider->library()[0] == 0, "%s: a version of what is not there", file);
    enum gasket_status status = compile(provider, GASKET_BASE, 0, GK_STAGE_OBJECT, &result, text);
    check(status == GASKET_UNAVAILABLE && !result.bytes && strstr(text, reason), "%s: object: %s", file, text);
    status = compile(provider, GASKET_BASE, 0, GK_STAGE_SOURCE, &result, text);
    check(status == GASKET_OK && result.n > 0, "%s: the source needs no libLLVM: %s", file, text);
    free(result.bytes);
}

static void make_stub(const char *file, const char *code) {
    char source[PATH];
    snprintf(source, sizeof source, "%s.c", file);
    write_file(source, &(struct result){(char *)(size_t)code, strlen(code)});
    if (!call_compiler("-shared -fPIC", source, file)) give_up("the C compiler makes no library");
}

static void not_there(const char *file) {
    refused(file, file);
}

static void no_library(const char *file) {
    write_file(file, &(struct result){(char *)(size_t) "not an ELF file", 15});
    refused(file, file);
}

static void of_version(const char *file, int major, const char *reason) {
    char code[256];
    snprintf(code, sizeof code,
             "void LLVMGetVersion(unsigned *a, unsigned *b, unsigned *c) { *a = %d, *b = 1, *c = 0; }\n", major);
    make_stub(file, code);
    refused(file, reason);
}

static void too_new(const char *file) {
    of_version(file, 99, "libLLVM 99.1 at ");
}
static void too_old(const char *file) {
    of_version(file, 13, "of a version that is not known");
}
static void incomplete(const char *file) {
    of_version(file, 21, "lacks LLVM");
}
static void without_version(const char *file) {
    make_stub(file, "int LLVMNothing;\n");
    refused(file, "libLLVM 0.0 at ");
}

/* ---- Requests that can not be served ---- */

static void check_requests(const char *name) {
    const struct gk_provider *provider = load_plugin();
    const struct gasket_nest nest = bag_of_rows();
    const struct gk_compilation right = {"f32", &nest, sizeof nest, GASKET_BASE, 0, GK_STAGE_SOURCE};
    struct gk_compilation wrong[] = {right, right, right, right, right};
    static const enum gasket_status statuses[] = {GASKET_UNSUPPORTED, GASKET_INVALID_ARGUMENT, GASKET_INVALID_ARGUMENT,
                                                  GASKET_INVALID_ARGUMENT, GASKET_INVALID_ARGUMENT};
    static const char *const reasons[] = {"f33", "knobs of 8 bytes", "knobs of", "level 99", "stage 77"};
    wrong[0].template_name = "f33";
    wrong[1].knobs_size = 8;
    wrong[2].knobs = NULL;
    wrong[3].level = (enum gasket_isa)99;
    wrong[4].stage = (enum gk_stage)77;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct result result = {NULL, 0};
        char text[GK_PROVIDER_TEXT] = "";
        enum gasket_status status = provider->compile(&wrong[i], take, &result, text);
        check(status == statuses[i] && !result.bytes && strstr(text, reasons[i]), "%s request %zu: %s: %s", name, i,
              gasket_status_name(status), text);
    }
    check(provider->abi_version == GK_PROVIDER_ABI && provider->kernel_abi == GASKET_ABI_VERSION, "ABI versions");
    check(strlen(provider->digest) == 64 && strspn(provider->digest, "0123456789abcdef") == 64, "digest");
}

/* ---- Processes ---- */

/* Runs `work` with GASKET_LLVM = llvm (NULL: not set); returns whether it was skipped. */
static int in_process(void (*work)(const char *), const char *llvm, const char *what) {
    fflush(stdout);
    const pid_t child = fork();
    if (child < 0) give_up("no process");
    if (child == 0) {
        llvm ? setenv("GASKET_LLVM", llvm, 1) : unsetenv("GASKET_LLVM");
        work(llvm);
        printf("%s: ", what);
        const int failed = finish();
        fflush(stdout);
        _exit(failed);
    }
    int status = 0;
    while (waitpid(child, &status, 0) != child)
        continue;
    const int skipped = WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED;
    if (skipped) printf("%s: not here, or older than the templates\n", what);
    if (!skipped) check(status == 0, "%s: status %d", what, status);
    return skipped;
}

static void with_stub(void (*work)(const char *), const char *name) {
    char file[PATH];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    in_process(work, file, name);
}

int main(void) {
    static const char *const libraries[] = {"libLLVM-15.so.1", "libLLVM-16.so.1", "libLLVM-17.so.1", "libLLVM.so.18.1",
                                            "libLLVM.so.19.1", "libLLVM.so.20.1", "libLLVM.so.21.1"};
    const char *build = getenv("GASKET_BUILD");
    int here = 0;
    compiler = getenv("CC") ? getenv("CC") : "cc";
    folder = getenv("TEST_DIR") ? getenv("TEST_DIR") : ".";
    snprintf(plugin_path, sizeof plugin_path, "%s/gasket_llvm.so", build ? build : ".");
    if (access(plugin_path, R_OK) != 0) {
        printf("SKIP: this build has no gasket_llvm.so\n");
        return SKIPPED;
    }
    in_process(check_requests, NULL, "requests");
    with_stub(not_there, "libLLVM-nowhere.so");
    with_stub(no_library, "libLLVM-text.so");
    with_stub(too_new, "libLLVM-new.so");
    with_stub(too_old, "libLLVM-old.so");
    with_stub(incomplete, "libLLVM-part.so");
    with_stub(without_version, "libLLVM-none.so");
    in_process(with_library, NULL, "the newest libLLVM");
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        here += !in_process(with_library, libraries[i], libraries[i]);
    const int failed = finish();
    if (here == 0) printf("SKIP: no libLLVM is here that can be used\n");
    return failed == 0 && here == 0 ? SKIPPED : failed;
}
