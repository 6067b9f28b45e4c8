/* Words of combiners for whole vectors: gk_<op>_<dtype>_v<bytes>(there, update) combines that many bytes of elements in
 * place. The same meaning, bit for bit, as the words for one element in abi/number.h. */
#ifndef GASKET_ABI_LANES_H
#define GASKET_ABI_LANES_H

#include "abi/vector.h" /* before the others */

#include "abi/number.h"

#define GK_LANE(name, type, bytes) \
    typedef type gk_##name##_v##bytes __attribute__((vector_size(bytes), aligned(1), may_alias))

/* mask (lanes of ones or zeros, in the integer type `mask_name`) ? yes : no */
#define GK_PICK(name, mask_name, bytes, mask, yes, no) \
    ((gk_##name##_v##bytes)(((gk_##mask_name##_v##bytes)(yes) & (mask)) | ((gk_##mask_name##_v##bytes)(no) & ~(mask))))

/* A word that loads both vectors, computes, and stores. */
#define GK_LANES_WORD(op, name, bytes, result)                                   \
    GK_INLINE void gk_##op##_##name##_v##bytes(void *at, const void *from) {     \
        const gk_##name##_v##bytes there = *(const gk_##name##_v##bytes *)at;    \
        const gk_##name##_v##bytes update = *(const gk_##name##_v##bytes *)from; \
        *(gk_##name##_v##bytes *)at = (result);                                  \
    }

/* ---- Integers: `whole` is the unsigned type, `mask` the signed one, of the same width ---- */

#define GK_WRAP(name, whole, bytes, sign) \
    ((gk_##name##_v##bytes)((gk_##whole##_v##bytes)there sign(gk_##whole##_v##bytes) update))
#define GK_INTEGER_LANES(name, whole, mask, bytes)                                             \
    GK_LANES_WORD(add, name, bytes, GK_WRAP(name, whole, bytes, +))                            \
    GK_LANES_WORD(sub, name, bytes, GK_WRAP(name, whole, bytes, -))                            \
    GK_LANES_WORD(mul, name, bytes, GK_WRAP(name, whole, bytes, *))                            \
    GK_LANES_WORD(min, name, bytes, GK_PICK(name, mask, bytes, update < there, update, there)) \
    GK_LANES_WORD(max, name, bytes, GK_PICK(name, mask, bytes, update > there, update, there))

#define GK_LOGICAL_LANES(bytes)                                                    \
    GK_LANES_WORD(add, bool, bytes, (gk_bool_v##bytes)((there | update) != 0) & 1) \
    GK_LANES_WORD(mul, bool, bytes, (gk_bool_v##bytes)((there != 0) & (update != 0)) & 1)

/* ---- Floats ---- */

#if defined(__SSE2__)
#define GK_LANES_BESIDE(name, mask, bytes) ((gk_##name##_v##bytes)((gk_##mask##_v##bytes)update & (there == there)))
#define GK_LANES_RESULT(name, mask, bytes, quiet, none, result) (result)
#else
#define GK_LANES_BESIDE(name, mask, bytes) update
#define GK_LANES_RESULT(name, mask, bytes, quiet, none, result) gk_result_##name##_v##bytes(result, there, update)
#define GK_LANES_NAN(name, mask, bytes, quiet, none)                                                     \
    GK_INLINE gk_##name##_v##bytes gk_result_##name##_v##bytes(                                          \
        gk_##name##_v##bytes result, gk_##name##_v##bytes there, gk_##name##_v##bytes update) {          \
        const gk_##mask##_v##bytes neither = (there == there) & (update == update), zero = {0};          \
        const gk_##name##_v##bytes brought = GK_PICK(name, mask, bytes, there != there, there, update);  \
        const gk_##mask##_v##bytes nan =                                                                 \
            (gk_##mask##_v##bytes)GK_PICK(name, mask, bytes, neither, zero + (none), brought) | (quiet); \
        return GK_PICK(name, mask, bytes, result == result, result, nan);                                \
    }
#endif
#if !defined(GK_LANES_NAN)
#define GK_LANES_NAN(name, mask, bytes, quiet, none)
#endif

#define GK_FLOAT_LANES(name, mask, bytes, quiet, none)                                                         \
    GK_LANES_NAN(name, mask, bytes, quiet, none)                                                               \
    GK_LANES_WORD(add, name, bytes,                                                                            \
                  GK_LANES_RESULT(name, mask, bytes, quiet, none, there + GK_LANES_BESIDE(name, mask, bytes))) \
    GK_LANES_WORD(sub, name, bytes, GK_LANES_RESULT(name, mask, bytes, quiet, none, there - update))           \
    GK_LANES_WORD(mul, name, bytes,                                                                            \
                  GK_LANES_RESULT(name, mask, bytes, quiet, none, there *GK_LANES_BESIDE(name, mask, bytes)))  \
    GK_LANES_WORD(min, name, bytes, GK_PICK(name, mask, bytes, update < there, update, there))                 \
    GK_LANES_WORD(max, name, bytes, GK_PICK(name, mask, bytes, update > there, update, there))                 \
    GK_LANES_WORD(min_nan, name, bytes,                                                                        \
                  GK_PICK(name, mask, bytes, (there == there) & ~(update >= there), update, there))            \
    GK_LANES_WORD(max_nan, name, bytes,                                                                        \
                  GK_PICK(name, mask, bytes, (there == there) & ~(update <= there), update, there))

/* ---- f16 and bf16 that are chosen, in 16 bits; their sums are left to the compiler ---- */

#define GK_HALF_CHOICE_LANES(name, bytes, infinity)                                                       \
    GK_INLINE gk_i16_v##bytes gk_nan_##name##_v##bytes(gk_##name##_v##bytes value) {                      \
        return (gk_i16_v##bytes)(value & 0x7fff) > (infinity);                                            \
    }                                                                                                     \
    GK_INLINE gk_i16_v##bytes gk_less_##name##_v##bytes(gk_##name##_v##bytes a, gk_##name##_v##bytes b) { \
        const gk_i16_v##bytes sign_a = (gk_i16_v##bytes)a >> 15, sign_b = (gk_i16_v##bytes)b >> 15;       \
        const gk_i16_v##bytes order_a = ((gk_i16_v##bytes)(a & 0x7fff) ^ sign_a) - sign_a;                \
        const gk_i16_v##bytes order_b = ((gk_i16_v##bytes)(b & 0x7fff) ^ sign_b) - sign_b;                \
        return (order_a < order_b) & ~(gk_nan_##name##_v##bytes(a) | gk_nan_##name##_v##bytes(b));        \
    }                                                                                                     \
    GK_LANES_WORD(min, name, bytes,                                                                       \
                  GK_PICK(name, i16, bytes, gk_less_##name##_v##bytes(update, there), update, there))     \
    GK_LANES_WORD(max, name, bytes,                                                                       \
                  GK_PICK(name, i16, bytes, gk_less_##name##_v##bytes(there, update), update, there))     \
    GK_LANES_WORD(min_nan, name, bytes,                                                                   \
                  GK_PICK(name, i16, bytes,                                                               \
                          gk_less_##name##_v##bytes(update, there) |                                      \
                              (gk_nan_##name##_v##bytes(update) & ~gk_nan_##name##_v##bytes(there)),      \
                          update, there))                                                                 \
    GK_LANES_WORD(max_nan, name, bytes,                                                                   \
                  GK_PICK(name, i16, bytes,                                                               \
                          gk_less_##name##_v##bytes(there, update) |                                      \
                              (gk_nan_##name##_v##bytes(update) & ~gk_nan_##name##_v##bytes(there)),      \
                          update, there))

/* ---- All of them, for the widths that the target has ---- */

#define GK_LANES_OF(bytes)                                                            \
    GK_LANE(i8, int8_t, bytes);                                                       \
    GK_LANE(i16, int16_t, bytes);                                                     \
    GK_LANE(i32, int32_t, bytes);                                                     \
    GK_LANE(i64, int64_t, bytes);                                                     \
    GK_LANE(u8, uint8_t, bytes);                                                      \
    GK_LANE(u16, uint16_t, bytes);                                                    \
    GK_LANE(u32, uint32_t, bytes);                                                    \
    GK_LANE(u64, uint64_t, bytes);                                                    \
    GK_LANE(bool, uint8_t, bytes);                                                    \
    GK_LANE(f16, uint16_t, bytes);                                                    \
    GK_LANE(bf16, uint16_t, bytes);                                                   \
    GK_LANE(f32, float, bytes);                                                       \
    GK_LANE(f64, double, bytes);                                                      \
    GK_INTEGER_LANES(i8, u8, i8, bytes)                                               \
    GK_INTEGER_LANES(i16, u16, i16, bytes)                                            \
    GK_INTEGER_LANES(i32, u32, i32, bytes)                                            \
    GK_INTEGER_LANES(i64, u64, i64, bytes)                                            \
    GK_INTEGER_LANES(u8, u8, i8, bytes)                                               \
    GK_INTEGER_LANES(u16, u16, i16, bytes)                                            \
    GK_INTEGER_LANES(u32, u32, i32, bytes)                                            \
    GK_INTEGER_LANES(u64, u64, i64, bytes)                                            \
    GK_LOGICAL_LANES(bytes)                                                           \
    GK_FLOAT_LANES(f32, i32, bytes, 0x00400000, (int32_t)0xffc00000u)                 \
    GK_FLOAT_LANES(f64, i64, bytes, 0x0008000000000000, (int64_t)0xfff8000000000000u) \
    GK_HALF_CHOICE_LANES(f16, bytes, 0x7c00)                                          \
    GK_HALF_CHOICE_LANES(bf16, bytes, 0x7f80)

GK_LANES_OF(8)
GK_LANES_OF(16)
#if defined(__AVX2__)
GK_LANES_OF(32)
#endif
#if defined(__AVX512F__)
GK_LANES_OF(64)
#endif

/* ---- f16 that is computed: by the conversions of the processor, which give the bits of gk_widen_f16 and narrow ----
 */

#if defined(__F16C__) && defined(__AVX2__)
typedef int16_t gk_halves __attribute__((vector_size(16)));
typedef float gk_floats __attribute__((vector_size(32)));

GK_INLINE gk_floats gk_widen_f16_v16(const void *from) {
    gk_floats value = __builtin_ia32_vcvtph2ps256((gk_halves) * (const gk_f16_v16 *)from);
    __asm__("" : "+x"(value)); /* clang would look for NaN in halves, one by one */
    return value;
}
#define GK_F16_WORD(op)                                                        \
    GK_INLINE void gk_##op##_f16_v16(void *at, const void *from) {             \
        gk_floats there = gk_widen_f16_v16(at);                                \
        const gk_floats update = gk_widen_f16_v16(from);                       \
        gk_##op##_f32_v32(&there, &update);                                    \
        *(gk_f16_v16 *)at = (gk_f16_v16)__builtin_ia32_vcvtps2ph256(there, 0); \
    }
GK_F16_WORD(add)
GK_F16_WORD(sub)
GK_F16_WORD(mul)
#endif

#endif
