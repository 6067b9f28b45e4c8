/* fake_inside: what the files of the fake driver share. */
#ifndef FAKE_INSIDE_H
#define FAKE_INSIDE_H

#include "fake_driver.h"

extern struct fake_driver fake_driver;
#define FAULT(...) fake_fault(&fake_driver.record, __VA_ARGS__)

/* The functions of CUDA, as the library sees them, but as its own and under the names of the library. */
#pragma GCC visibility push(default)
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuStreamDestroy cuStreamDestroy_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemFree cuMemFree_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2
#define DECLARE(name, suffix, since, need, parameters) CUresult name parameters;
GK_CUDA_FUNCTIONS(DECLARE)
#undef DECLARE
CUresult cuGetProcAddress(const char *name, void **function, int version, uint64_t flags);
CUresult cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *why);
#pragma GCC visibility pop

/* ---- Calls ---- */

/* Begins the call of an exported function; it may act when the result is OK. leave ends it in any case. */
CUresult enter(const char *symbol);
CUresult leave(CUresult result);
/* Whether a call that frees acts: it also does when it fails on purpose. */
int acts(CUresult result);
const int *all_results(void);

/* ---- Contexts ---- */

struct CUctx_st {
    int device, is_alive, retained;
    unsigned long long id;
};
CUcontext current_context(void);

/* ---- What is made in contexts; a handle is never used again, so dead ones are found ---- */

enum kind { MODULE, LIBRARY, KERNEL, FUNCTION, STREAM };
struct object {
    struct object *next;
    enum kind kind;
    int is_alive, is_lost; /* lost: ended with its context */
    CUcontext context;     /* NULL for libraries and kernels */
    struct object *parent; /* of kernels and functions */
    char *image;           /* of modules and libraries: their copy */
    size_t bytes;          /* of it */
    char *name;            /* of kernels and functions */
    unsigned most_shared;  /* of functions: bytes of memory that a block may ask for */
};
struct object *add_object(enum kind kind, CUcontext context);
/* NULL when there is none that is alive, which is a fault. */
struct object *live_object(const void *handle, enum kind kind);
void end_object(struct object *object);
struct object *all_objects(void);
/* OK for streams of the current context. */
CUresult check_stream(CUstream stream);

#endif
