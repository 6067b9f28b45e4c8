/* driver: see driver.h. */
#include "cuda/driver.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "cuda/search.h"
#include "environment.h"

/* ---- Results ---- */

/* All others are faults of Gasket's own, or of a kernel. */
static const struct {
    CUresult result;
    enum gasket_status status;
} statuses[] = {
    {CUDA_SUCCESS, GASKET_OK},
    {CUDA_ERROR_OUT_OF_MEMORY, GASKET_OUT_OF_MEMORY},
    {CUDA_ERROR_INVALID_VALUE, GASKET_INVALID_ARGUMENT},
    {CUDA_ERROR_INVALID_DEVICE, GASKET_INVALID_ARGUMENT},
    {CUDA_ERROR_INVALID_CONTEXT, GASKET_INVALID_ARGUMENT},
    {CUDA_ERROR_INVALID_HANDLE, GASKET_INVALID_ARGUMENT},
    {CUDA_ERROR_CONTEXT_IS_DESTROYED, GASKET_INVALID_ARGUMENT},
    {CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, GASKET_INVALID_ARGUMENT},
    {CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, GASKET_INVALID_ARGUMENT},
    {CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, GASKET_INVALID_ARGUMENT},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, GASKET_UNSUPPORTED},
    {CUDA_ERROR_UNSUPPORTED_PTX_VERSION, GASKET_UNSUPPORTED},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, GASKET_UNSUPPORTED},
    {CUDA_ERROR_NOT_SUPPORTED, GASKET_UNSUPPORTED},
    {CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, GASKET_UNSUPPORTED},
    {CUDA_ERROR_NOT_INITIALIZED, GASKET_UNAVAILABLE},
    {CUDA_ERROR_DEINITIALIZED, GASKET_UNAVAILABLE},
    {CUDA_ERROR_STUB_LIBRARY, GASKET_UNAVAILABLE},
    {CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, GASKET_UNAVAILABLE},
    {CUDA_ERROR_DEVICE_UNAVAILABLE, GASKET_UNAVAILABLE},
    {CUDA_ERROR_NO_DEVICE, GASKET_UNAVAILABLE},
    {CUDA_ERROR_DEVICE_NOT_LICENSED, GASKET_UNAVAILABLE},
    {CUDA_ERROR_JIT_COMPILER_NOT_FOUND, GASKET_UNAVAILABLE},
    {CUDA_ERROR_JIT_COMPILATION_DISABLED, GASKET_UNAVAILABLE},
    {CUDA_ERROR_NOT_PERMITTED, GASKET_UNAVAILABLE},
    {CUDA_ERROR_SYSTEM_NOT_READY, GASKET_UNAVAILABLE},
    {CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, GASKET_UNAVAILABLE},
    {CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, GASKET_UNAVAILABLE},
    {CUDA_ERROR_MPS_CONNECTION_FAILED, GASKET_UNAVAILABLE},
    {CUDA_ERROR_MPS_SERVER_NOT_READY, GASKET_UNAVAILABLE},
    {CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, GASKET_UNAVAILABLE},
    {CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, GASKET_UNAVAILABLE},
};

enum gasket_status gk_cuda_status(CUresult result) {
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].result == result) return statuses[i].status;
    return GASKET_INTERNAL;
}

enum gasket_status gk_cuda_fail(const struct gk_cuda_driver *driver, CUresult result, const char *function,
                                struct gk_error *error) {
    const char *name = NULL, *text = NULL;
    if (driver->cuGetErrorName(result, &name) || !name) name = "an error that the driver has no name for";
    if (driver->cuGetErrorString(result, &text) || !text) text = "";
    return gk_fail(error, gk_cuda_status(result), "%s: %s (%d)%s%s", function, name, (int)result, text[0] ? ": " : "",
                   text);
}

/* ---- Its functions ---- */

enum { OPTIONAL, NEEDED };
static const struct gk_entry entries[] = {
#define GK_CUDA_ENTRY(name, suffix, since, need, parameters) \
    {#name, #name suffix, since, need, offsetof(struct gk_cuda_driver, name)},
    GK_CUDA_FUNCTIONS(GK_CUDA_ENTRY)
#undef GK_CUDA_ENTRY
};

typedef CUresult get_fn(const char *name, void **function, int version, uint64_t flags);
typedef CUresult get_v2_fn(const char *name, void **function, int version, uint64_t flags, int *why);

/* Drivers since 11.3 hand out the form of a function that a version of CUDA had; before them, it is in its name. */
struct source {
    void *handle;
    get_fn *get;
    get_v2_fn *get_v2;
};

static struct source source_of(void *handle) {
    struct source source = {.handle = handle};
    void *get = dlsym(handle, "cuGetProcAddress"), *get_v2 = dlsym(handle, "cuGetProcAddress_v2");
    memcpy(&source.get, &get, sizeof get);
    memcpy(&source.get_v2, &get_v2, sizeof get_v2);
    return source;
}

static void *find(const struct source *source, const struct gk_entry *entry) {
    void *function = NULL;
    int why;
    CUresult result = CUDA_ERROR_NOT_FOUND;
    if (source->get_v2)
        result = source->get_v2(entry->name, &function, entry->version, 0, &why);
    else if (source->get)
        result = source->get(entry->name, &function, entry->version, 0);
    return result == CUDA_SUCCESS && function ? function : dlsym(source->handle, entry->symbol);
}

static enum gasket_status resolve(struct gk_cuda_driver *driver, void *handle, struct gk_error *error) {
    const struct source source = source_of(handle);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        void *function = find(&source, &entries[i]);
        if (!function && entries[i].is_needed)
            return gk_fail(error, GASKET_UNAVAILABLE, "CUDA's driver %.700s lacks %s", driver->path, entries[i].symbol);
        memcpy((char *)driver + entries[i].at, &function, sizeof function);
    }
    driver->has_libraries = driver->cuLibraryLoadData && driver->cuLibraryGetKernel && driver->cuLibraryUnload &&
                            driver->cuKernelGetFunction;
    driver->has_stream_order = driver->cuMemAllocAsync && driver->cuMemFreeAsync;
    return GASKET_OK;
}

/* ---- Starting it ---- */

/* Whatever keeps a driver from starting, the machine has none that can be used. */
static enum gasket_status start(struct gk_cuda_driver *driver, struct gk_error *error) {
    struct gk_error why;
    const char *function = "cuInit";
    CUresult result = driver->cuInit(0);
    if (!result) {
        function = "cuDriverGetVersion";
        result = driver->cuDriverGetVersion(&driver->version);
    }
    if (!result) return GASKET_OK;
    enum gasket_status status = gk_cuda_fail(driver, result, function, &why);
    if (status != GASKET_OUT_OF_MEMORY) status = GASKET_UNAVAILABLE;
    return gk_fail(error, status, "CUDA's driver %.500s does not start: %.400s", driver->path, why.text);
}

static struct gk_cuda_driver the_driver;

static enum gasket_status load(struct gk_error *error) {
    const char *given = gk_environment("GASKET_CUDA");
    struct gk_search search = {.handle = NULL};
    gk_search_file(&search, given ? given : "libcuda.so.1");
    if (!given) gk_search_file(&search, "libcuda.so");
    if (!search.handle) return gk_search_fail(&search, "CUDA's driver", error);
    the_driver.path = gk_library_path(search.handle);
    const enum gasket_status status = resolve(&the_driver, search.handle, error);
    return status ? status : start(&the_driver, error);
}

enum gasket_status gk_cuda_driver_load(const struct gk_cuda_driver **driver, struct gk_error *error) {
    static struct gk_library library = {.lock = PTHREAD_MUTEX_INITIALIZER, .load = load};
    const enum gasket_status status = gk_library_load(&library, error);
    *driver = status ? NULL : &the_driver;
    return status;
}
