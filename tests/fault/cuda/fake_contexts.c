/* fake_contexts: contexts, streams and other handles of the fake driver, and what it exports of itself. */
#include <stdlib.h>
#include <string.h>

#include "fake_inside.h"

/* ---- Contexts ---- */

enum { PLACES = 8, DEPTH = 16 };
static struct CUctx_st contexts[FAKE_DEVICES + PLACES]; /* the primary ones first */
static unsigned long long last_id;
static _Thread_local CUcontext stack[DEPTH];
static _Thread_local int depth;

CUcontext current_context(void) {
    return depth > 0 ? stack[depth - 1] : NULL;
}

static int is_context(CUcontext context) {
    for (int i = 0; i < FAKE_DEVICES + PLACES; i++)
        if (context == &contexts[i] && context->is_alive) return 1;
    return 0;
}

static CUcontext begin_context(CUcontext context, int device) {
    *context = (struct CUctx_st){.device = device, .is_alive = 1, .id = ++last_id};
    return context;
}

/* What was made in it ends with it. */
static void end_context(CUcontext context) {
    for (struct object *object = all_objects(); object; object = object->next)
        if (object->context == context && object->is_alive) {
            end_object(object);
            object->is_lost = 1;
        }
    context->is_alive = 0;
}

static CUcontext context_create(int device) {
    CUcontext context = NULL;
    fake_lock();
    for (int i = FAKE_DEVICES; i < FAKE_DEVICES + PLACES && !context; i++)
        if (!contexts[i].is_alive) context = begin_context(&contexts[i], device);
    fake_unlock();
    return context;
}

static void context_destroy(CUcontext context) {
    fake_lock();
    end_context(context);
    fake_unlock();
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    CUresult result = enter(__func__);
    if (!result && (device < 0 || device >= fake_driver.n_devices)) result = CUDA_ERROR_INVALID_DEVICE;
    if (!result) {
        *context = &contexts[device];
        if (!contexts[device].is_alive) begin_context(&contexts[device], device);
        contexts[device].retained++;
        fake_driver.alive.retained++;
    }
    return leave(result);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    CUresult result = enter(__func__);
    const int is_retained = device >= 0 && device < FAKE_DEVICES && contexts[device].retained > 0;
    if (!is_retained) FAULT("cuDevicePrimaryCtxRelease of device %d, which is not retained", device);
    if (!result && !is_retained) result = CUDA_ERROR_INVALID_CONTEXT;
    if (is_retained && acts(result)) {
        fake_driver.alive.retained--;
        if (--contexts[device].retained == 0) end_context(&contexts[device]);
    }
    return leave(result);
}

CUresult cuCtxGetCurrent(CUcontext *context) {
    const CUresult result = enter(__func__);
    if (!result) *context = current_context();
    return leave(result);
}

CUresult cuCtxGetDevice(CUdevice *device) {
    const CUresult result = enter(__func__);
    if (!result) *device = current_context()->device;
    return leave(result);
}

CUresult cuCtxPushCurrent(CUcontext context) {
    CUresult result = enter(__func__);
    if (!is_context(context)) FAULT("cuCtxPushCurrent of what is no context");
    if (!result && !is_context(context)) result = CUDA_ERROR_INVALID_CONTEXT;
    if (!result && depth == DEPTH) result = CUDA_ERROR_OUT_OF_MEMORY;
    if (!result) {
        stack[depth++] = context;
        fake_driver.alive.pushed++;
    }
    return leave(result);
}

CUresult cuCtxPopCurrent(CUcontext *context) {
    CUresult result = enter(__func__);
    if (!result && depth == 0) result = CUDA_ERROR_INVALID_CONTEXT;
    if (depth > 0 && acts(result)) {
        depth--;
        fake_driver.alive.pushed--;
        if (context) *context = stack[depth];
    }
    return leave(result);
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
    CUresult result = enter(__func__);
    const CUcontext asked = context ? context : current_context();
    if (!result && !is_context(asked)) result = CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (!result) *id = asked->id;
    return leave(result);
}

/* ---- Handles ---- */

static struct object *objects;

static int *count_of(enum kind kind) {
    return kind == MODULE    ? &fake_driver.alive.modules
           : kind == LIBRARY ? &fake_driver.alive.libraries
           : kind == STREAM  ? &fake_driver.alive.streams
                             : NULL;
}

struct object *all_objects(void) {
    return objects;
}

struct object *add_object(enum kind kind, CUcontext context) {
    struct object *object = calloc(1, sizeof *object);
    if (!object) abort();
    *object = (struct object){.next = objects, .kind = kind, .is_alive = 1, .context = context};
    objects = object;
    if (count_of(kind)) ++*count_of(kind);
    return object;
}

void end_object(struct object *object) {
    if (object->is_alive && count_of(object->kind)) --*count_of(object->kind);
    object->is_alive = 0;
    free(object->image);
    object->image = NULL;
    for (struct object *child = objects; child; child = child->next)
        if (child->parent == object && child->is_alive) end_object(child);
}

struct object *live_object(const void *handle, enum kind kind) {
    static const char *const names[] = {"module", "library", "kernel", "function", "stream"};
    struct object *object = objects;
    while (object && object != handle)
        object = object->next;
    if (object && object->kind == kind && object->is_alive) return object;
    FAULT("a %s that %s", names[kind], object ? "is destroyed or none" : "never was");
    return NULL;
}

/* ---- Streams ---- */

/* The default ones: NULL, and 1 and 2 for the older way and for one per thread. */
static int is_default(CUstream stream) {
    return (uintptr_t)stream <= 2;
}

CUresult check_stream(CUstream stream) {
    if (is_default(stream)) return CUDA_SUCCESS;
    const struct object *object = live_object(stream, STREAM);
    if (!object) return CUDA_ERROR_INVALID_HANDLE;
    if (object->context == current_context()) return CUDA_SUCCESS;
    FAULT("a stream of another context than the current one");
    return CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
    const CUresult result = enter(__func__);
    if (flags > 1) FAULT("cuStreamCreate with flags %u", flags);
    if (!result) *stream = (CUstream)(void *)add_object(STREAM, current_context());
    return leave(result);
}

CUresult cuStreamDestroy(CUstream stream) {
    CUresult result = enter(__func__);
    struct object *object = live_object(stream, STREAM);
    if (!result && !object) result = CUDA_ERROR_INVALID_HANDLE;
    if (object && acts(result)) end_object(object);
    return leave(result);
}

CUresult cuStreamSynchronize(CUstream stream) {
    CUresult result = enter(__func__);
    if (!result && !is_default(stream) && !live_object(stream, STREAM)) result = CUDA_ERROR_INVALID_HANDLE;
    return leave(result);
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
    CUresult result = enter(__func__);
    struct object *object = is_default(stream) ? NULL : live_object(stream, STREAM);
    if (!result && !object && !is_default(stream)) result = CUDA_ERROR_INVALID_HANDLE;
    if (!result && is_default(stream) && !current_context()) result = CUDA_ERROR_INVALID_CONTEXT;
    if (!result) *context = object ? object->context : current_context();
    return leave(result);
}

/* The older default stream may not even be asked while another one is captured. */
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
    CUresult result = enter(__func__);
    const int is_captured = fake_driver.capture != CU_STREAM_CAPTURE_STATUS_NONE;
    if (!result && !is_default(stream) && !live_object(stream, STREAM)) result = CUDA_ERROR_INVALID_HANDLE;
    if (!result && is_captured && (uintptr_t)stream < 2 && stream != fake_driver.captured)
        result = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    if (!result) *status = stream == fake_driver.captured ? fake_driver.capture : CU_STREAM_CAPTURE_STATUS_NONE;
    return leave(result);
}

/* ---- What is exported beside the functions of CUDA ---- */

struct fake_driver fake_driver = {
    .version = 12040,
    .n_devices = 2,
    .devices = {{80, 4, 1}, {90, 6, 1}, {75, 2, 0}, {120, 8, 1}},
    .context_create = context_create,
    .context_destroy = context_destroy,
};

__attribute__((visibility("default"))) fake_driver_fn gasket_fake_driver;

struct fake_driver *gasket_fake_driver(void) {
    fake_driver.results = all_results();
    return &fake_driver;
}
