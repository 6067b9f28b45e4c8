/* Words of combiners where several threads combine into one element: gk_atomic_<op>_<type>(at, update) where the
 * machine has an operation, else gk_swap_* in a loop, which templates write around the word of abi/number.h. In
 * whatever order updates come; f32 may flush subnormals on the way. */
#ifndef GASKET_ABI_ATOMIC_H
#define GASKET_ABI_ATOMIC_H

#include "abi/device.h"
#include "abi/number.h"

#if defined(GASKET_DEVICE)
#define GK_ATOMIC_ADD(at, type, update) atomicAdd((type *)(at), (type)(update))
#define GK_ATOMIC_MIN(at, type, update) atomicMin((type *)(at), (type)(update))
#define GK_ATOMIC_MAX(at, type, update) atomicMax((type *)(at), (type)(update))
/* What was there; it is replaced when it was as expected. */
#define GK_ATOMIC_SWAP(at, type, expected, next) atomicCAS((type *)(at), (type)(expected), (type)(next))
#endif

/* Signed sums are those of unsigned numbers. */
#define GK_ATOMIC_SUMS(name, type, as)                                \
    GK_INLINE void gk_atomic_add_##name(gk_##name *at, type update) { \
        GK_ATOMIC_ADD(at, as, update);                                \
    }                                                                 \
    GK_INLINE void gk_atomic_sub_##name(gk_##name *at, type update) { \
        GK_ATOMIC_ADD(at, as, -(as)update);                           \
    }
#define GK_ATOMIC_ORDERS(name, type)                                  \
    GK_INLINE void gk_atomic_min_##name(gk_##name *at, type update) { \
        GK_ATOMIC_MIN(at, type, update);                              \
    }                                                                 \
    GK_INLINE void gk_atomic_max_##name(gk_##name *at, type update) { \
        GK_ATOMIC_MAX(at, type, update);                              \
    }
GK_ATOMIC_SUMS(i32, int32_t, uint32_t)
GK_ATOMIC_SUMS(i64, int64_t, uint64_t)
GK_ATOMIC_SUMS(u32, uint32_t, uint32_t)
GK_ATOMIC_SUMS(u64, uint64_t, uint64_t)
GK_ATOMIC_SUMS(f32, float, float)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
GK_ATOMIC_SUMS(f64, double, double)
#endif
GK_ATOMIC_ORDERS(i32, int32_t)
GK_ATOMIC_ORDERS(i64, int64_t)
GK_ATOMIC_ORDERS(u32, uint32_t)
GK_ATOMIC_ORDERS(u64, uint64_t)

#define GK_ATOMIC_PARTS(op, name, part)                                       \
    GK_INLINE void gk_atomic_##op##_##name(gk_##name *at, gk_##name update) { \
        gk_atomic_##op##_##part(&at->re, update.re);                          \
        gk_atomic_##op##_##part(&at->im, update.im);                          \
    }
GK_ATOMIC_PARTS(add, c64, f32)
GK_ATOMIC_PARTS(sub, c64, f32)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
GK_ATOMIC_PARTS(add, c128, f64)
GK_ATOMIC_PARTS(sub, c128, f64)
#endif

#endif
