/* fake_memory: memory of the fake driver's devices, which is memory of the host. */
#include <stdlib.h>
#include <string.h>

#include "fake_inside.h"

static struct piece {
    struct piece *next;
    char *bytes;
    size_t n;
    CUcontext context;
} * pieces;

enum { ALIGNMENT = 256 };

static void *address(CUdeviceptr pointer) {
    return (void *)(uintptr_t)pointer;
}

static struct piece **find_piece(const char *bytes) {
    struct piece **link = &pieces;
    while (*link && (bytes < (*link)->bytes || bytes >= (*link)->bytes + (*link)->n))
        link = &(*link)->next;
    return link;
}

/* ---- Allocation ---- */

static CUresult allocate(CUdeviceptr *pointer, size_t bytes) {
    void *memory = NULL;
    if (!bytes) return CUDA_ERROR_INVALID_VALUE;
    struct piece *piece = malloc(sizeof *piece);
    if (!piece || posix_memalign(&memory, ALIGNMENT, bytes)) {
        free(piece);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *piece = (struct piece){pieces, memory, bytes, current_context()};
    pieces = piece;
    fake_driver.alive.memory++;
    fake_driver.alive.bytes += bytes;
    *pointer = (CUdeviceptr)(uintptr_t)memory;
    return CUDA_SUCCESS;
}

static CUresult release(CUresult result, CUdeviceptr pointer) {
    struct piece **link = find_piece(address(pointer)), *piece = *link;
    if (!pointer) return result;
    if (!piece || piece->bytes != address(pointer)) {
        FAULT("what is freed was not allocated, or is freed again");
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (!acts(result)) return result;
    *link = piece->next;
    fake_driver.alive.memory--;
    fake_driver.alive.bytes -= piece->n;
    free(piece->bytes);
    free(piece);
    return result;
}

CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
    CUresult result = enter(__func__);
    if (!result) result = allocate(pointer, bytes);
    return leave(result);
}

CUresult cuMemFree(CUdeviceptr pointer) {
    const CUresult result = enter(__func__);
    return leave(release(result, pointer));
}

static CUresult check_pools(void) {
    return fake_driver.devices[current_context()->device].has_pools ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream) {
    CUresult result = enter(__func__);
    if (!result) result = check_stream(stream);
    if (!result) result = check_pools();
    if (!result) result = allocate(pointer, bytes);
    return leave(result);
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
    CUresult result = enter(__func__);
    if (!result) result = check_stream(stream);
    return leave(release(result, pointer));
}

/* ---- Use ---- */

static CUresult check_range(CUdeviceptr pointer, size_t bytes) {
    const char *first = address(pointer);
    const struct piece *piece = *find_piece(first);
    if (!bytes || (piece && bytes <= piece->n - (size_t)(first - piece->bytes))) return CUDA_SUCCESS;
    FAULT("%zu bytes that are not memory of a device", bytes);
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
    CUresult result = enter(__func__);
    if (!result) result = check_range(to, bytes);
    if (!result && bytes) memcpy(address(to), from, bytes);
    return leave(result);
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
    CUresult result = enter(__func__);
    if (!result) result = check_range(from, bytes);
    if (!result && bytes) memcpy(to, address(from), bytes);
    return leave(result);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
    CUresult result = enter(__func__);
    if (!result) result = check_stream(stream);
    if (!result) result = check_range(to, bytes);
    if (!result && bytes) memcpy(address(to), from, bytes);
    return leave(result);
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
    CUresult result = enter(__func__);
    if (!result) result = check_stream(stream);
    if (!result) result = check_range(from, bytes);
    if (!result && bytes) memcpy(to, address(from), bytes);
    return leave(result);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    CUresult result = enter(__func__);
    if (!result) result = check_stream(stream);
    if (!result) result = check_range(from, bytes);
    if (!result) result = check_range(to, bytes);
    if (!result && bytes) memmove(address(to), address(from), bytes);
    return leave(result);
}

CUresult cuMemsetD8Async(CUdeviceptr pointer, unsigned char value, size_t bytes, CUstream stream) {
    CUresult result = enter(__func__);
    if (!result) result = check_stream(stream);
    if (!result) result = check_range(pointer, bytes);
    if (!result && bytes) memset(address(pointer), value, bytes);
    return leave(result);
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr pointer) {
    CUresult result = enter(__func__);
    const struct piece *piece = *find_piece(address(pointer));
    if (!result && !piece) result = CUDA_ERROR_INVALID_VALUE;
    if (!result && attribute == CU_POINTER_ATTRIBUTE_CONTEXT)
        memcpy(value, &piece->context, sizeof piece->context);
    else if (!result && attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
        memcpy(value, &(unsigned){CU_MEMORYTYPE_DEVICE}, sizeof(unsigned));
    else if (!result && attribute == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
        memcpy(value, &piece->context->device, sizeof(int));
    else if (!result)
        result = CUDA_ERROR_INVALID_VALUE;
    return leave(result);
}
