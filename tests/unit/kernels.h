/* kernels: what the tests of generated kernels share: which of them this machine can run, numbers to draw, and memory
 * at odd addresses with a margin that must stay as it was. */
#ifndef UNIT_KERNELS_H
#define UNIT_KERNELS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "table.h"

static inline int kernel_runs_here(const struct gasket_kernel *kernel) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    int avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                 __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return kernel->isa == GASKET_BASE || (kernel->isa == GASKET_AVX2 && avx2) ||
           (kernel->isa == GASKET_AVX512 && avx512);
#else
    return kernel->isa == GASKET_BASE || kernel->isa == GASKET_NEON;
#endif
}

/* Calls body(kernel) for all kernels of a kind that this machine runs; the number of them. */
static inline int each_kernel(enum gasket_kernel_kind kind, void (*body)(const struct gasket_kernel *kernel)) {
    int ran = 0;
    for (size_t i = 0; i < gasket_kernel_set.n_kernels; i++) {
        const struct gasket_kernel *kernel = &gasket_kernel_set.kernels[i];
        if (kernel->kind == kind && kernel_runs_here(kernel)) {
            body(kernel);
            ran++;
        }
    }
    return ran;
}

static inline int index_bytes(uint8_t dtype) {
    static const int bytes[GASKET_DTYPES] = {
        [GASKET_I8] = 1, [GASKET_I16] = 2, [GASKET_I32] = 4, [GASKET_I64] = 8,
        [GASKET_U8] = 1, [GASKET_U16] = 2, [GASKET_U32] = 4, [GASKET_U64] = 8,
    };
    return bytes[dtype];
}
static inline int index_is_signed(uint8_t dtype) {
    return dtype >= GASKET_I8 && dtype <= GASKET_I64;
}

/* splitmix64 */
static inline uint64_t draw(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
static inline int64_t draw_below(uint64_t *state, int64_t limit) {
    return limit > 0 ? (int64_t)(draw(state) % (uint64_t)limit) : 0;
}

/* `bytes` drawn bytes at an address that is `shift` past a multiple of 128, with a margin on both sides. */
enum { MARGIN = 256 };
struct memory {
    unsigned char *all, *data;
    size_t bytes, size;
};
static inline struct memory memory_make(size_t bytes, size_t shift, uint64_t *state) {
    struct memory memory = {NULL, NULL, bytes, (bytes + shift + 2 * MARGIN + 127) & ~(size_t)127};
    memory.all = aligned_alloc(128, memory.size);
    memory.data = memory.all + MARGIN + shift;
    for (size_t i = 0; i < memory.size; i++) {
        memory.all[i] = (unsigned char)draw(state);
    }
    return memory;
}
static inline struct memory memory_copy(const struct memory *from) {
    struct memory memory = *from;
    memory.all = aligned_alloc(128, memory.size);
    memory.data = memory.all + (from->data - from->all);
    memcpy(memory.all, from->all, memory.size);
    return memory;
}
static inline int memory_equal(const struct memory *a, const struct memory *b) {
    return a->size == b->size && memcmp(a->all, b->all, a->size) == 0;
}
static inline void memory_free(struct memory *memory) {
    free(memory->all);
}

#endif
