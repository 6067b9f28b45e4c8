/* fake_driver: see fake_driver.h. Here: what all calls go through, how functions are found, devices. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <string.h>

#include "fake_inside.h"

/* ---- The functions and what holds for their calls ---- */

enum { EARLY = 1, CONTEXT = 2, UNCAPTURED = 4, WAITS = 8 | UNCAPTURED };

static const struct entry {
    const char *name, *symbol;
    int since; /* version of CUDA that has this form of it */
    unsigned rules;
} entries[] = {
#define TEXT(symbol) #symbol
#define ENTRY(function, since, rules) \
    { #function, TEXT(function), since, rules }
    ENTRY(cuGetProcAddress, 11030, EARLY),
    ENTRY(cuInit, 2000, EARLY),
    ENTRY(cuDriverGetVersion, 2020, EARLY),
    ENTRY(cuGetErrorName, 6000, EARLY),
    ENTRY(cuGetErrorString, 6000, EARLY),
    ENTRY(cuDeviceGet, 2000, 0),
    ENTRY(cuDeviceGetCount, 2000, 0),
    ENTRY(cuDeviceGetAttribute, 2000, 0),
    ENTRY(cuDevicePrimaryCtxRetain, 7000, UNCAPTURED),
    ENTRY(cuDevicePrimaryCtxRelease, 11000, UNCAPTURED),
    ENTRY(cuCtxGetCurrent, 4000, 0),
    ENTRY(cuCtxGetDevice, 2000, CONTEXT),
    ENTRY(cuCtxPushCurrent, 4000, 0),
    ENTRY(cuCtxPopCurrent, 4000, 0),
    ENTRY(cuCtxGetId, 12000, 0),
    ENTRY(cuModuleLoadData, 2000, CONTEXT | UNCAPTURED),
    ENTRY(cuModuleGetFunction, 2000, CONTEXT | UNCAPTURED),
    ENTRY(cuModuleUnload, 2000, CONTEXT | UNCAPTURED),
    ENTRY(cuLibraryLoadData, 12000, UNCAPTURED),
    ENTRY(cuLibraryGetKernel, 12000, UNCAPTURED),
    ENTRY(cuLibraryUnload, 12000, UNCAPTURED),
    ENTRY(cuKernelGetFunction, 12000, CONTEXT | UNCAPTURED),
    ENTRY(cuFuncGetAttribute, 2020, 0),
    ENTRY(cuFuncSetAttribute, 9000, 0),
    ENTRY(cuLaunchKernel, 4000, CONTEXT),
    ENTRY(cuStreamCreate, 2000, CONTEXT),
    ENTRY(cuStreamDestroy, 4000, 0),
    ENTRY(cuStreamSynchronize, 2000, WAITS),
    ENTRY(cuStreamGetCtx, 9020, 0),
    ENTRY(cuStreamIsCapturing, 10000, 0),
    ENTRY(cuMemAlloc, 3020, CONTEXT | UNCAPTURED),
    ENTRY(cuMemFree, 3020, CONTEXT | UNCAPTURED),
    ENTRY(cuMemAllocAsync, 11020, CONTEXT),
    ENTRY(cuMemFreeAsync, 11020, CONTEXT),
    ENTRY(cuMemcpyHtoD, 3020, CONTEXT | WAITS),
    ENTRY(cuMemcpyDtoH, 3020, CONTEXT | WAITS),
    ENTRY(cuMemcpyHtoDAsync, 3020, CONTEXT),
    ENTRY(cuMemcpyDtoHAsync, 3020, CONTEXT),
    ENTRY(cuMemcpyDtoDAsync, 3020, CONTEXT),
    ENTRY(cuMemsetD8Async, 3020, CONTEXT),
    ENTRY(cuPointerGetAttribute, 4000, CONTEXT),
};

static const struct entry *find_entry(const char *symbol) {
    for (size_t i = 1; i < sizeof entries / sizeof *entries; i++)
        if (strcmp(entries[i].symbol, symbol) == 0) return &entries[i];
    return &entries[0];
}

/* ---- Calls ---- */

static int is_initialised, fails_on_purpose;

static CUresult check_rules(const struct entry *entry) {
    if (!is_initialised && !(entry->rules & EARLY)) return CUDA_ERROR_NOT_INITIALIZED;
    if ((entry->rules & CONTEXT) && !current_context()) return CUDA_ERROR_INVALID_CONTEXT;
    if ((entry->rules & CONTEXT) && !current_context()->is_alive) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if ((entry->rules & UNCAPTURED) && fake_driver.capture == CU_STREAM_CAPTURE_STATUS_ACTIVE) {
        FAULT("%s while a stream is captured", entry->name);
        fake_driver.capture = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    if ((entry->rules & WAITS) == WAITS && !fake_driver.may_synchronise) FAULT("%s waits", entry->name);
    return CUDA_SUCCESS;
}

CUresult enter(const char *symbol) {
    const struct entry *entry = find_entry(symbol);
    const CUresult chosen = (CUresult)fake_enter(&fake_driver.record, entry->name);
    const CUresult refused = check_rules(entry);
    fails_on_purpose = chosen != CUDA_SUCCESS && refused == CUDA_SUCCESS;
    return refused ? refused : chosen;
}

CUresult leave(CUresult result) {
    return (CUresult)fake_leave(&fake_driver.record, (int)result);
}

int acts(CUresult result) {
    return result == CUDA_SUCCESS || fails_on_purpose;
}

/* ---- Finding functions ---- */

/* By its name in this very file: a copy of it in which a name was altered lacks that function. */
static void *own_symbol(const char *symbol) {
    Dl_info info;
    void *self = dladdr(&fake_driver, &info) ? dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD) : NULL;
    void *found = self ? dlsym(self, symbol) : NULL;
    if (self) dlclose(self);
    return found;
}

static CUresult get_function(const char *name, void **function, int version, uint64_t flags) {
    *function = NULL;
    if (flags != 0) FAULT("cuGetProcAddress of %s with flags", name);
    for (size_t i = 1; i < sizeof entries / sizeof *entries; i++)
        if (strcmp(entries[i].name, name) == 0 && entries[i].since == version && version <= fake_driver.version)
            *function = own_symbol(entries[i].symbol);
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char *name, void **function, int version, uint64_t flags) {
    CUresult result = enter(__func__);
    if (!result) result = get_function(name, function, version, flags);
    return leave(result);
}

CUresult cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *why) {
    CUresult result = enter(__func__);
    if (!result) result = get_function(name, function, version, flags);
    *why = result == CUDA_SUCCESS ? 0 : 1;
    return leave(result);
}

/* ---- The driver and its devices ---- */

CUresult cuInit(unsigned flags) {
    const CUresult result = enter(__func__);
    if (flags != 0) FAULT("cuInit with flags");
    if (is_initialised) FAULT("cuInit again");
    if (!result) is_initialised = 1;
    return leave(result);
}

CUresult cuDriverGetVersion(int *version) {
    const CUresult result = enter(__func__);
    if (!result) *version = fake_driver.version;
    return leave(result);
}

CUresult cuDeviceGetCount(int *count) {
    const CUresult result = enter(__func__);
    if (!result) *count = fake_driver.n_devices;
    return leave(result);
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    CUresult result = enter(__func__);
    if (!result && (ordinal < 0 || ordinal >= fake_driver.n_devices)) result = CUDA_ERROR_INVALID_DEVICE;
    if (!result) *device = ordinal;
    return leave(result);
}

static CUresult read_attribute(int *value, CUdevice_attribute attribute, CUdevice number) {
    if (number < 0 || number >= fake_driver.n_devices) return CUDA_ERROR_INVALID_DEVICE;
    const struct fake_device *device = &fake_driver.devices[number];
    const struct {
        CUdevice_attribute attribute;
        int value;
    } values[] = {
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 2147483647},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, FAKE_SHARED},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device->processors},
        {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 4 << 20},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 1536},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device->arch / 10},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device->arch % 10},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, FAKE_MOST_SHARED},
        {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, device->has_pools},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].attribute == attribute) {
            *value = values[i].value;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    CUresult result = enter(__func__);
    if (!result) result = read_attribute(value, attribute, device);
    return leave(result);
}
