/* nvrtc: CUDA's compiler, a library that is looked for when it is first needed and never linked. */
#ifndef GK_CUDA_NVRTC_H
#define GK_CUDA_NVRTC_H

#include "error.h"
#include "jit/provider.h"

typedef struct _nvrtcProgram *nvrtcProgram;

typedef enum nvrtcResult {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7
} nvrtcResult;

/* each(name, NEEDED or OPTIONAL, parameters) */
/* clang-format off */
#define GK_NVRTC_FUNCTIONS(each) \
    each(nvrtcVersion, NEEDED, nvrtcResult, (int *major, int *minor)) \
    each(nvrtcGetErrorString, NEEDED, const char *, (nvrtcResult)) \
    each(nvrtcGetNumSupportedArchs, OPTIONAL, nvrtcResult, (int *n)) \
    each(nvrtcGetSupportedArchs, OPTIONAL, nvrtcResult, (int *archs)) \
    each(nvrtcCreateProgram, NEEDED, nvrtcResult, (nvrtcProgram *, const char *text, const char *name, int n_headers, \
                                                   const char *const *headers, const char *const *header_names)) \
    each(nvrtcDestroyProgram, NEEDED, nvrtcResult, (nvrtcProgram *)) \
    each(nvrtcCompileProgram, NEEDED, nvrtcResult, (nvrtcProgram, int n_options, const char *const *options)) \
    each(nvrtcGetCUBINSize, NEEDED, nvrtcResult, (nvrtcProgram, size_t *)) \
    each(nvrtcGetCUBIN, NEEDED, nvrtcResult, (nvrtcProgram, char *)) \
    each(nvrtcGetPTXSize, NEEDED, nvrtcResult, (nvrtcProgram, size_t *)) \
    each(nvrtcGetPTX, NEEDED, nvrtcResult, (nvrtcProgram, char *)) \
    each(nvrtcGetProgramLogSize, NEEDED, nvrtcResult, (nvrtcProgram, size_t *)) \
    each(nvrtcGetProgramLog, NEEDED, nvrtcResult, (nvrtcProgram, char *))
/* clang-format on */

enum { GK_NVRTC_ARCHS = 64 };

/* An arch is a compute capability without its dot: 80, 120. */
struct gk_nvrtc {
#define GK_NVRTC_FIELD(name, need, result, parameters) result(*name) parameters;
    GK_NVRTC_FUNCTIONS(GK_NVRTC_FIELD)
#undef GK_NVRTC_FIELD
    int major, minor;
    int archs[GK_NVRTC_ARCHS], n_archs; /* those that it compiles for */
    const char *path;
    char identity[64]; /* "12.9 106244480": version and size of the file, which tell builds apart */
};

/* Looks for it once in the process: in GASKET_NVRTC alone if that is set, else where the system looks, in the folders
 * of toolkits, in the wheels of Python. UNAVAILABLE says what was tried, and stays; OUT_OF_MEMORY does not stay. */
enum gasket_status gk_nvrtc_load(const struct gk_nvrtc **nvrtc, struct gk_error *error);

/* What to compile for a device: a cubin where its arch is known, else PTX of the highest arch below it. UNSUPPORTED
 * when all are above it. */
enum gasket_status gk_nvrtc_pick(int device_arch, int *arch, int *wants_cubin, struct gk_error *error);

struct gk_cuda_source {
    const char *text; /* includes nothing */
    const char *name; /* for messages: an absolute path that is not there, for NVRTC looks for what it is given */
    int arch;
    int is_cubin; /* else PTX, which ends with a 0 */
};

/* Compiles; the bytes are only there while `take` runs. One at a time, from any thread, and none once the process ends.
 * The error's text has the first lines of what the compiler said; with OK too: its warnings. */
enum gasket_status gk_nvrtc_compile(const struct gk_cuda_source *source, gk_take_fn *take, void *user,
                                    struct gk_error *error);

#endif
