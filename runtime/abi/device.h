/* The words of abi/vector.h and those that only a GPU has, for CUDA's compilers. A host that runs such a text by way of
 * trial defines GK_INLINE and all that follows itself, before. */
#ifndef GASKET_ABI_DEVICE_H
#define GASKET_ABI_DEVICE_H

#if !defined(GK_INLINE)
#define GASKET_DEVICE 1
#define GK_INLINE static __device__ __forceinline__ __attribute__((unused))
#define GASKET_NEST_WORD GK_INLINE
#define GK_KERNEL(name) extern "C" __global__ void __launch_bounds__(GASKET_GRID_THREADS) name
#define GK_CONSTANT static __device__ const
#define GK_BLOCK() ((int64_t)blockIdx.x)
#define GK_THREAD() ((int64_t)threadIdx.x)
#define GK_KEEP(value) asm volatile("" : "+l"(value))
#define GK_COPY_BITS memcpy
#define GK_UNROLL _Pragma("unroll")

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#define INT64_MAX 0x7fffffffffffffffLL
#define INT64_MIN (-INT64_MAX - 1)
#endif

#include "abi/kernel.h"

#define GK_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define GK_EXTENSION
#define GK_PACKED
#define GK_STORAGE(type, name) typedef type name

GK_STORAGE(int8_t, gk_i8);
GK_STORAGE(int16_t, gk_i16);
GK_STORAGE(int32_t, gk_i32);
GK_STORAGE(int64_t, gk_i64);
GK_STORAGE(uint8_t, gk_u8);
GK_STORAGE(uint16_t, gk_u16);
GK_STORAGE(uint32_t, gk_u32);
GK_STORAGE(uint64_t, gk_u64);
GK_STORAGE(float, gk_f32);
GK_STORAGE(double, gk_f64);
typedef struct __attribute__((aligned(16))) {
    uint64_t low, high;
} gk_v16;

#endif
