/* nvrtc: see nvrtc.h. */
#include "cuda/nvrtc.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bind.h"
#include "cuda/search.h"
#include "environment.h"

/* Compilations hold the lock: they go one at a time. */
static struct gk_nvrtc nvrtc;
static pthread_mutex_t compiling = PTHREAD_MUTEX_INITIALIZER;
static int has_ended;

/* The compiler's library is taken down when the process ends, after this. */
static void end(void) {
    pthread_mutex_lock(&compiling);
    has_ended = 1;
    pthread_mutex_unlock(&compiling);
}

/* ---- Loading ---- */

enum { OPTIONAL, NEEDED, PATH = 4096 };
static const struct gk_entry entries[] = {
#define GK_NVRTC_ENTRY(function, need, result, parameters) \
    {.symbol = #function, .is_needed = need, .at = offsetof(struct gk_nvrtc, function)},
    GK_NVRTC_FUNCTIONS(GK_NVRTC_ENTRY)
#undef GK_NVRTC_ENTRY
};

static enum gasket_status resolve(void *handle, struct gk_error *error) {
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        void *function = dlsym(handle, entries[i].symbol);
        if (!function && entries[i].is_needed)
            return gk_fail(error, GASKET_UNAVAILABLE, "NVRTC %.700s lacks %s", nvrtc.path, entries[i].symbol);
        memcpy((char *)&nvrtc + entries[i].at, &function, sizeof function);
    }
    return GASKET_OK;
}

/* Those that every NVRTC knows which can not be asked. */
static const int old_archs[] = {52, 53, 60, 61, 62, 70, 72, 75, 80};

static void read_archs(void) {
    int n = 0;
    const int is_known = nvrtc.nvrtcGetNumSupportedArchs && nvrtc.nvrtcGetSupportedArchs &&
                         nvrtc.nvrtcGetNumSupportedArchs(&n) == NVRTC_SUCCESS && n > 0 && n <= GK_NVRTC_ARCHS &&
                         nvrtc.nvrtcGetSupportedArchs(nvrtc.archs) == NVRTC_SUCCESS;
    if (!is_known) memcpy(nvrtc.archs, old_archs, sizeof old_archs);
    nvrtc.n_archs = is_known ? n : (int)(sizeof old_archs / sizeof *old_archs);
}

static enum gasket_status identify(struct gk_error *error) {
    struct stat file = {.st_size = 0};
    const nvrtcResult result = nvrtc.nvrtcVersion(&nvrtc.major, &nvrtc.minor);
    if (result)
        return gk_fail(error, result == NVRTC_ERROR_OUT_OF_MEMORY ? GASKET_OUT_OF_MEMORY : GASKET_UNAVAILABLE,
                       "NVRTC %.700s: nvrtcVersion: %.200s", nvrtc.path, nvrtc.nvrtcGetErrorString(result));
    stat(nvrtc.path, &file);
    snprintf(nvrtc.identity, sizeof nvrtc.identity, "%d.%d %lld", nvrtc.major, nvrtc.minor, (long long)file.st_size);
    return GASKET_OK;
}

/* It looks for them beside itself only when nothing stands between it and dlopen, as sanitizers do, and not where a
 * link leads. Those that are loaded already it finds by their name. */
static void load_builtins(void) {
    char *file = realpath(nvrtc.path, NULL), *slash = file ? strrchr(file, '/') : NULL;
    char path[PATH];
    if (slash && snprintf(path, sizeof path, "%.*s/libnvrtc-builtins.so.%d.%d", (int)(slash - file), file, nvrtc.major,
                          nvrtc.minor) < PATH)
        dlopen(path, RTLD_NOW | RTLD_LOCAL);
    free(file);
}

static void search_for(struct gk_search *search) {
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};
    static const char pattern[] = "libnvrtc.so.[0-9]*";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        gk_search_file(search, names[i]);
    gk_search_toolkits(search, pattern);
    gk_search_wheels(search, pattern);
}

static enum gasket_status load(struct gk_error *error) {
    const char *given = gk_environment("GASKET_NVRTC");
    struct gk_search search = {.handle = NULL};
    if (given)
        gk_search_file(&search, given);
    else
        search_for(&search);
    if (!search.handle) return gk_search_fail(&search, "NVRTC, the compiler of CUDA,", error);
    nvrtc.path = gk_library_path(search.handle);
    enum gasket_status status = resolve(search.handle, error);
    if (!status) status = identify(error);
    if (status) return status;
    read_archs();
    load_builtins();
    atexit(end);
    return GASKET_OK;
}

enum gasket_status gk_nvrtc_load(const struct gk_nvrtc **loaded, struct gk_error *error) {
    static struct gk_library library = {.lock = PTHREAD_MUTEX_INITIALIZER, .load = load};
    const enum gasket_status status = gk_library_load(&library, error);
    *loaded = status ? NULL : &nvrtc;
    return status;
}

/* ---- Devices ---- */

enum gasket_status gk_nvrtc_pick(int device_arch, int *arch, int *wants_cubin, struct gk_error *error) {
    const struct gk_nvrtc *loaded;
    const enum gasket_status status = gk_nvrtc_load(&loaded, error);
    char list[512] = "";
    if (status) return status;
    *arch = 0;
    for (int i = 0; i < loaded->n_archs; i++) {
        if (loaded->archs[i] <= device_arch && loaded->archs[i] > *arch) *arch = loaded->archs[i];
        gk_append(list, sizeof list, "%s%d", list[0] ? ", " : "", loaded->archs[i]);
    }
    *wants_cubin = *arch == device_arch;
    if (*arch) return GASKET_OK;
    return gk_fail(error, GASKET_UNSUPPORTED,
                   "NVRTC %d.%d compiles for no device as old as one of arch %d: it knows %s", loaded->major,
                   loaded->minor, device_arch, list);
}

/* ---- Compiling ---- */

/* Contraction and the rest are fixed so that results are those of the other tiers. Results are kept in our own cache.
 */
static const struct {
    const char *text;
    int since; /* version of NVRTC, 1105 */
} options[] = {
    {"-std=c++17", 0},       {"--fmad=false", 0},    {"--ftz=false", 0},        {"--prec-div=true", 0},
    {"--prec-sqrt=true", 0}, {"-default-device", 0}, {"--device-int128", 1105}, {"--no-cache", 1209},
};
enum { MOST_OPTIONS = sizeof options / sizeof *options + 1 };

static nvrtcResult compile_program(nvrtcProgram program, const struct gk_cuda_source *source) {
    const char *given[MOST_OPTIONS];
    char arch[48];
    int n = 0;
    snprintf(arch, sizeof arch, "--gpu-architecture=%s_%d", source->is_cubin ? "sm" : "compute", source->arch);
    given[n++] = arch;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (nvrtc.major * 100 + nvrtc.minor >= options[i].since) given[n++] = options[i].text;
    return nvrtc.nvrtcCompileProgram(program, n, given);
}

/* What a program gives: a size is asked for, then the bytes. */
struct piece {
    char *bytes; /* from malloc */
    size_t n;
};
typedef nvrtcResult size_fn(nvrtcProgram, size_t *);
typedef nvrtcResult bytes_fn(nvrtcProgram, char *);

static nvrtcResult get_piece(nvrtcProgram program, size_fn *get_size, bytes_fn *get_bytes, struct piece *piece) {
    nvrtcResult result = get_size(program, &piece->n);
    if (result) return result;
    piece->bytes = malloc(piece->n + 1);
    if (!piece->bytes) return NVRTC_ERROR_OUT_OF_MEMORY;
    result = get_bytes(program, piece->bytes);
    piece->bytes[piece->n] = 0;
    return result;
}

struct compilation {
    nvrtcResult result;
    struct piece code, log;
    const char *step; /* that failed */
};

static void compile_source(const struct gk_cuda_source *source, struct compilation *compilation) {
    nvrtcProgram program;
    compilation->step = "nvrtcCreateProgram";
    compilation->result = nvrtc.nvrtcCreateProgram(&program, source->text, source->name, 0, NULL, NULL);
    if (compilation->result) return;
    compilation->step = "nvrtcCompileProgram";
    compilation->result = compile_program(program, source);
    /* Without its log a result is still one. */
    if (get_piece(program, nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, &compilation->log)) {
        free(compilation->log.bytes);
        compilation->log.bytes = NULL;
    }
    if (!compilation->result) {
        compilation->step = source->is_cubin ? "nvrtcGetCUBIN" : "nvrtcGetPTX";
        compilation->result = get_piece(program, source->is_cubin ? nvrtc.nvrtcGetCUBINSize : nvrtc.nvrtcGetPTXSize,
                                        source->is_cubin ? nvrtc.nvrtcGetCUBIN : nvrtc.nvrtcGetPTX, &compilation->code);
    }
    nvrtc.nvrtcDestroyProgram(&program);
}

/* ---- Saying how it went ---- */

enum { LOG_LINES = 8, LOG_SHOWN = 700 };

/* The first lines, as many bytes of them as fit. */
static int shown_length(const char *log) {
    int n = 0;
    for (int lines = 0; log[n] && n < LOG_SHOWN && lines < LOG_LINES; n++)
        lines += log[n] == '\n';
    while (n > 0 && (log[n - 1] == '\n' || log[n - 1] == ' '))
        n--;
    return n;
}

static enum gasket_status status_of(nvrtcResult result) {
    return result == NVRTC_ERROR_OUT_OF_MEMORY               ? GASKET_OUT_OF_MEMORY
           : result == NVRTC_ERROR_INVALID_OPTION            ? GASKET_UNSUPPORTED
           : result == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE ? GASKET_UNAVAILABLE
                                                             : GASKET_INTERNAL;
}

static enum gasket_status tell(const struct gk_cuda_source *source, const struct compilation *compilation,
                               struct gk_error *error) {
    const nvrtcResult result = compilation->result;
    const char *log = compilation->log.bytes ? compilation->log.bytes : "", *gap = log[0] ? "\n" : "";
    const int shown = shown_length(log);
    if (!result && compilation->code.n > 0) return gk_fail(error, GASKET_OK, "%.*s", shown, log);
    if (!result)
        return gk_fail(error, GASKET_INTERNAL, "%s of %.100s for arch %d gave nothing", compilation->step, source->name,
                       source->arch);
    if (result == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE || strstr(log, "libnvrtc-builtins"))
        return gk_fail(error, GASKET_UNAVAILABLE,
                       "NVRTC %d.%d lacks libnvrtc-builtins.so.%d.%d, which must be in the folder of %.200s%s%.*s",
                       nvrtc.major, nvrtc.minor, nvrtc.major, nvrtc.minor, nvrtc.path, gap, shown, log);
    return gk_fail(error, status_of(result), "%s of %.100s for arch %d: %.80s%s%.*s", compilation->step, source->name,
                   source->arch, nvrtc.nvrtcGetErrorString(result), gap, shown, log);
}

enum gasket_status gk_nvrtc_compile(const struct gk_cuda_source *source, gk_take_fn *take, void *user,
                                    struct gk_error *error) {
    const struct gk_nvrtc *loaded;
    struct compilation compilation = {.step = NULL};
    enum gasket_status status = gk_nvrtc_load(&loaded, error);
    if (status) return status;
    pthread_mutex_lock(&compiling);
    const int is_late = has_ended;
    if (!is_late) compile_source(source, &compilation);
    pthread_mutex_unlock(&compiling);
    status = is_late ? gk_fail(error, GASKET_UNAVAILABLE, "the process is ending") : tell(source, &compilation, error);
    if (!status) take(user, compilation.code.bytes, compilation.code.n);
    free(compilation.code.bytes);
    free(compilation.log.bytes);
    return status;
}
