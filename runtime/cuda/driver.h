/* driver: CUDA's driver library, looked for when it is first needed and never linked. What is used of its interface is
 * declared here, so no header of CUDA is needed. */
#ifndef GK_CUDA_DRIVER_H
#define GK_CUDA_DRIVER_H

#include "error.h"

/* ---- Types, by the names that the driver's manual has for them ---- */

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream; /* NULL: the default one of the current context */

/* Those that are told apart; the driver has more. */
typedef enum CUresult {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_STUB_LIBRARY = 34,
    CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER = 36,
    CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_DEVICE_NOT_LICENSED = 102,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_INVALID_PTX = 218,
    CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221,
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_ERROR_JIT_COMPILATION_DISABLED = 223,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
    CUDA_ERROR_NOT_PERMITTED = 800,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_SYSTEM_NOT_READY = 802,
    CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
    CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804,
    CUDA_ERROR_MPS_CONNECTION_FAILED = 805,
    CUDA_ERROR_MPS_SERVER_NOT_READY = 807,
    CUDA_ERROR_MPS_MAX_CLIENTS_REACHED = 808,
    CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED = 809,
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
    CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
    CUDA_ERROR_STREAM_CAPTURE_IMPLICIT = 906,
    CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908
} CUresult;

typedef enum CUdevice_attribute {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115
} CUdevice_attribute;

typedef enum CUfunction_attribute {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
} CUfunction_attribute;

typedef enum CUpointer_attribute {
    CU_POINTER_ATTRIBUTE_CONTEXT = 1,
    CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
    CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9
} CUpointer_attribute;

enum { CU_MEMORYTYPE_HOST = 1, CU_MEMORYTYPE_DEVICE = 2 };

typedef enum CUstreamCaptureStatus {
    CU_STREAM_CAPTURE_STATUS_NONE = 0,
    CU_STREAM_CAPTURE_STATUS_ACTIVE = 1,
    CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2
} CUstreamCaptureStatus;

/* ---- Functions ---- */

/* each(name, what follows it in the library, version of CUDA in which it got this form, NEEDED or OPTIONAL, parameters)
 * Options of loading are never given, so their types do not matter. */
/* clang-format off */
#define GK_CUDA_FUNCTIONS(each) \
    each(cuInit, "", 2000, NEEDED, (unsigned flags)) \
    each(cuDriverGetVersion, "", 2020, NEEDED, (int *version)) \
    each(cuGetErrorName, "", 6000, NEEDED, (CUresult, const char **name)) \
    each(cuGetErrorString, "", 6000, NEEDED, (CUresult, const char **text)) \
    each(cuDeviceGet, "", 2000, NEEDED, (CUdevice *, int ordinal)) \
    each(cuDeviceGetCount, "", 2000, NEEDED, (int *count)) \
    each(cuDeviceGetAttribute, "", 2000, NEEDED, (int *value, CUdevice_attribute, CUdevice)) \
    each(cuDevicePrimaryCtxRetain, "", 7000, NEEDED, (CUcontext *, CUdevice)) \
    each(cuDevicePrimaryCtxRelease, "_v2", 11000, NEEDED, (CUdevice)) \
    each(cuCtxGetCurrent, "", 4000, NEEDED, (CUcontext *)) \
    each(cuCtxGetDevice, "", 2000, NEEDED, (CUdevice *)) \
    each(cuCtxPushCurrent, "_v2", 4000, NEEDED, (CUcontext)) \
    each(cuCtxPopCurrent, "_v2", 4000, NEEDED, (CUcontext *)) \
    each(cuCtxGetId, "", 12000, OPTIONAL, (CUcontext, unsigned long long *id)) \
    each(cuModuleLoadData, "", 2000, NEEDED, (CUmodule *, const void *image)) \
    each(cuModuleGetFunction, "", 2000, NEEDED, (CUfunction *, CUmodule, const char *name)) \
    each(cuModuleUnload, "", 2000, NEEDED, (CUmodule)) \
    each(cuLibraryLoadData, "", 12000, OPTIONAL, (CUlibrary *, const void *image, void *, void **, unsigned, void *, \
                                                  void **, unsigned)) \
    each(cuLibraryGetKernel, "", 12000, OPTIONAL, (CUkernel *, CUlibrary, const char *name)) \
    each(cuLibraryUnload, "", 12000, OPTIONAL, (CUlibrary)) \
    each(cuKernelGetFunction, "", 12000, OPTIONAL, (CUfunction *, CUkernel)) \
    each(cuFuncGetAttribute, "", 2020, NEEDED, (int *value, CUfunction_attribute, CUfunction)) \
    each(cuFuncSetAttribute, "", 9000, NEEDED, (CUfunction, CUfunction_attribute, int value)) \
    each(cuLaunchKernel, "", 4000, NEEDED, (CUfunction, unsigned grid_x, unsigned grid_y, unsigned grid_z, \
                                            unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, \
                                            CUstream, void **parameters, void **extra)) \
    each(cuStreamCreate, "", 2000, NEEDED, (CUstream *, unsigned flags)) \
    each(cuStreamDestroy, "_v2", 4000, NEEDED, (CUstream)) \
    each(cuStreamSynchronize, "", 2000, NEEDED, (CUstream)) \
    each(cuStreamGetCtx, "", 9020, NEEDED, (CUstream, CUcontext *)) \
    each(cuStreamIsCapturing, "", 10000, NEEDED, (CUstream, CUstreamCaptureStatus *)) \
    each(cuMemAlloc, "_v2", 3020, NEEDED, (CUdeviceptr *, size_t bytes)) \
    each(cuMemFree, "_v2", 3020, NEEDED, (CUdeviceptr)) \
    each(cuMemAllocAsync, "", 11020, OPTIONAL, (CUdeviceptr *, size_t bytes, CUstream)) \
    each(cuMemFreeAsync, "", 11020, OPTIONAL, (CUdeviceptr, CUstream)) \
    each(cuMemcpyHtoD, "_v2", 3020, NEEDED, (CUdeviceptr to, const void *from, size_t bytes)) \
    each(cuMemcpyDtoH, "_v2", 3020, NEEDED, (void *to, CUdeviceptr from, size_t bytes)) \
    each(cuMemcpyHtoDAsync, "_v2", 3020, NEEDED, (CUdeviceptr to, const void *from, size_t bytes, CUstream)) \
    each(cuMemcpyDtoHAsync, "_v2", 3020, NEEDED, (void *to, CUdeviceptr from, size_t bytes, CUstream)) \
    each(cuMemcpyDtoDAsync, "_v2", 3020, NEEDED, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream)) \
    each(cuMemsetD8Async, "", 3020, NEEDED, (CUdeviceptr, unsigned char value, size_t bytes, CUstream)) \
    each(cuPointerGetAttribute, "", 4000, NEEDED, (void *value, CUpointer_attribute, CUdeviceptr))
/* clang-format on */

/* An optional function that the driver lacks is NULL. */
struct gk_cuda_driver {
#define GK_CUDA_FIELD(name, suffix, since, need, parameters) CUresult(*name) parameters;
    GK_CUDA_FUNCTIONS(GK_CUDA_FIELD)
#undef GK_CUDA_FIELD
    int version;          /* of the CUDA that the driver is made for: 12040 */
    int has_libraries;    /* all of cuLibrary* and cuKernel*: code is loaded once for all contexts */
    int has_stream_order; /* both of cuMem*Async that allocate and free in the order of a stream */
    const char *path;     /* of the library */
};

/* Looks for the driver and starts it, once in the process. GASKET_CUDA names the only file that is tried. UNAVAILABLE
 * says what was tried, or why the driver does not start, and stays; OUT_OF_MEMORY does not stay. */
enum gasket_status gk_cuda_driver_load(const struct gk_cuda_driver **driver, struct gk_error *error);

/* The status that goes with a result of the driver. */
enum gasket_status gk_cuda_status(CUresult result);
/* "cuLaunchKernel: CUDA_ERROR_INVALID_VALUE (1): invalid argument". Returns error->status. */
enum gasket_status gk_cuda_fail(const struct gk_cuda_driver *driver, CUresult result, const char *function,
                                struct gk_error *error);

#endif
