/* tensor: from a caller's DLTensor to a view that the rest of the runtime can rely on. */
#include "tensor.h"

#include <inttypes.h>
#include <string.h>

/* A tensor on its way through the checks. */
struct import {
    const char *name;
    const DLTensor *from;
    struct gk_tensor *view;
    struct gk_error *error;
};

static enum gasket_status check_device(const struct import *import) {
    int device = (int)import->from->device.device_type;
    if (device == kDLCPU) return GASKET_OK;
    return gk_fail(import->error, GASKET_UNSUPPORTED, "%s is on device type %d, but must be on kDLCPU (%d)",
                   import->name, device, kDLCPU);
}

static enum gasket_status import_type(const struct import *import) {
    DLDataType type = import->from->dtype;
    if (type.lanes != 1) {
        return gk_fail(import->error, GASKET_INVALID_ARGUMENT, "%s has a type of %d lanes, but needs 1 lane",
                       import->name, type.lanes);
    }
    int dtype = gk_dtype_of(type);
    if (dtype < 0) {
        return gk_fail(import->error, GASKET_UNSUPPORTED, "%s has an unknown type (DLPack code %d, %d bits)",
                       import->name, type.code, type.bits);
    }
    import->view->dtype = (enum gasket_dtype)dtype;
    return GASKET_OK;
}

static enum gasket_status import_shape(const struct import *import) {
    const DLTensor *from = import->from;
    if (from->ndim < 0) {
        return gk_fail(import->error, GASKET_INVALID_ARGUMENT, "%s has ndim = %d, which is negative", import->name,
                       from->ndim);
    }
    if (from->ndim > GASKET_MAX_RANK) {
        return gk_fail(import->error, GASKET_UNSUPPORTED, "%s has %d dimensions, but at most %d are supported",
                       import->name, from->ndim, GASKET_MAX_RANK);
    }
    if (from->ndim > 0 && from->shape == NULL) {
        return gk_fail(import->error, GASKET_INVALID_ARGUMENT, "%s has ndim = %d, but its shape is NULL", import->name,
                       from->ndim);
    }
    import->view->ndim = from->ndim;
    for (int i = 0; i < from->ndim; i++) {
        if (from->shape[i] < 0) {
            return gk_fail(import->error, GASKET_INVALID_ARGUMENT, "%s.shape[%d] = %" PRId64 " is negative",
                           import->name, i, from->shape[i]);
        }
        import->view->shape[i] = from->shape[i];
    }
    return GASKET_OK;
}

int gk_shape_fits(const int64_t *shape, int ndim, enum gasket_dtype dtype) {
    int64_t size = gk_dtype_bytes(dtype) > 0 ? gk_dtype_bytes(dtype) : 1;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] != 0 && __builtin_mul_overflow(size, shape[i], &size)) return 0;
    }
    return 1;
}

static enum gasket_status check_size(const struct import *import) {
    const struct gk_tensor *view = import->view;
    if (gk_shape_fits(view->shape, view->ndim, view->dtype)) return GASKET_OK;
    char shape[GK_SHAPE_TEXT];
    return gk_fail(import->error, GASKET_INVALID_ARGUMENT,
                   "%s of shape %s and type %s has a size that overflows 64 bits", import->name,
                   gk_shape_text(shape, view->shape, view->ndim), gk_dtype(view->dtype)->name);
}

/* The product of the extents has been found to fit. */
static void import_strides(const struct import *import) {
    struct gk_tensor *view = import->view;
    if (gk_tensor_elements(view) == 0) return;
    int64_t compact = 1;
    for (int i = view->ndim - 1; i >= 0; i--) {
        int64_t stride = import->from->strides == NULL ? compact : import->from->strides[i];
        view->stride[i] = view->shape[i] == 1 ? 0 : stride;
        compact *= view->shape[i];
    }
}

/* Adds the reach of one dimension to [*low, *high], in elements; nonzero when that overflows. */
static int add_reach(int64_t extent, int64_t stride, int64_t *low, int64_t *high) {
    int64_t reach;
    int64_t *end = stride < 0 ? low : high;
    return __builtin_mul_overflow(extent - 1, stride, &reach) || __builtin_add_overflow(*end, reach, end);
}

/* The bytes from data on that the elements lie in; nonzero when they, or their distances, overflow. */
static int find_range(const struct gk_tensor *view, int64_t byte_offset, int64_t *begin, int64_t *end) {
    int64_t low = 0, high = 0, length;
    int64_t bytes = gk_dtype_bytes(view->dtype) > 0 ? gk_dtype_bytes(view->dtype) : 1;
    if (gk_tensor_elements(view) > 0) high = 1;
    for (int i = 0; i < view->ndim; i++) {
        if (view->stride[i] != 0 && add_reach(view->shape[i], view->stride[i], &low, &high)) return 1;
    }
    return __builtin_mul_overflow(low, bytes, begin) || __builtin_add_overflow(*begin, byte_offset, begin) ||
           __builtin_mul_overflow(high, bytes, end) || __builtin_add_overflow(*end, byte_offset, end) ||
           __builtin_sub_overflow(*end, *begin, &length);
}

/* Whether offset, strides and element size stay in 63 bits, and the addresses in the address space. */
static int range_fits(const struct gk_tensor *view, uintptr_t base, uint64_t byte_offset) {
    int64_t begin, end;
    uintptr_t address;
    if (byte_offset > INT64_MAX || find_range(view, (int64_t)byte_offset, &begin, &end)) return 0;
    if (base == 0) return 1;
    return !__builtin_add_overflow(base, begin, &address) && !__builtin_add_overflow(base, end, &address);
}

static enum gasket_status check_range(const struct import *import) {
    const struct gk_tensor *view = import->view;
    if (range_fits(view, (uintptr_t)import->from->data, import->from->byte_offset)) return GASKET_OK;
    char shape[GK_SHAPE_TEXT], strides[GK_SHAPE_TEXT];
    return gk_fail(import->error, GASKET_INVALID_ARGUMENT,
                   "%s of shape %s, strides %s and byte_offset %" PRIu64 " reaches beyond the address space",
                   import->name, gk_shape_text(shape, view->shape, view->ndim),
                   gk_shape_text(strides, view->stride, view->ndim), import->from->byte_offset);
}

static enum gasket_status check_alignment(const struct import *import) {
    uint64_t bytes = (uint64_t)gk_dtype_bytes(import->view->dtype);
    if (bytes == 0 || import->from->byte_offset % bytes == 0) return GASKET_OK;
    return gk_fail(import->error, GASKET_INVALID_ARGUMENT,
                   "%s has byte_offset = %" PRIu64 ", which is not a multiple of the %" PRIu64 " bytes of %s",
                   import->name, import->from->byte_offset, bytes, gk_dtype(import->view->dtype)->name);
}

static enum gasket_status import_data(const struct import *import, int need_data) {
    const DLTensor *from = import->from;
    struct gk_tensor *view = import->view;
    view->byte_offset = from->byte_offset;
    view->data = from->data == NULL ? NULL : (char *)from->data + from->byte_offset;
    return need_data ? gk_tensor_check_data(view, import->name, import->error) : GASKET_OK;
}

enum gasket_status gk_tensor_check_data(const struct gk_tensor *tensor, const char *name, struct gk_error *error) {
    if (tensor->data != NULL || gk_tensor_elements(tensor) == 0) return GASKET_OK;
    char shape[GK_SHAPE_TEXT];
    return gk_fail(error, GASKET_INVALID_ARGUMENT, "%s of shape %s has elements, but its data is NULL", name,
                   gk_shape_text(shape, tensor->shape, tensor->ndim));
}

enum gasket_status gk_tensor_view(struct gk_tensor *view, const char *name, const DLTensor *tensor, int need_data,
                                  struct gk_error *error) {
    const struct import import = {name, tensor, view, error};
    memset(view, 0, sizeof *view);
    if (tensor == NULL) return gk_fail(error, GASKET_INVALID_ARGUMENT, "%s is NULL", name);
    enum gasket_status status = check_device(&import);
    if (status == GASKET_OK) status = import_type(&import);
    if (status == GASKET_OK) status = import_shape(&import);
    if (status == GASKET_OK) status = check_size(&import);
    if (status != GASKET_OK) return status;
    import_strides(&import);
    status = check_range(&import);
    if (status == GASKET_OK) status = check_alignment(&import);
    return status == GASKET_OK ? import_data(&import, need_data) : status;
}
