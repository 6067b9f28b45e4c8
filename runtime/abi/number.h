/* Words of combiners: gk_<op>_<dtype>(there, update) is what an element becomes when it is combined with an update.
 * Scalar code that compilers turn into vectors; every target gives the same bits.
 *
 * NaN: a result that is NaN is the value there, if that was NaN, else the update, if that was NaN, each made quiet with
 * its other bits kept; a NaN that neither brought is the negative quiet one without payload. Choosing moves bits
 * unchanged: min and max quiet nothing. f16 and bf16 are widened to f32, computed, and rounded to nearest even. */
#ifndef GASKET_ABI_NUMBER_H
#define GASKET_ABI_NUMBER_H

#if !defined(GK_INLINE)
#error "abi/vector.h or abi/device.h comes first"
#endif

GK_STORAGE(uint8_t, gk_bool);
GK_STORAGE(uint16_t, gk_f16);
GK_STORAGE(uint16_t, gk_bf16);
typedef struct {
    float re, im;
} GK_PACKED gk_c64;
typedef struct {
    double re, im;
} GK_PACKED gk_c128;

/* ---- Integers wrap: they are computed in an unsigned type that is at least as wide as int ---- */

#define GK_INTEGER(name, type, wide)                        \
    GK_INLINE type gk_add_##name(type there, type update) { \
        return (type)((wide)there + (wide)update);          \
    }                                                       \
    GK_INLINE type gk_sub_##name(type there, type update) { \
        return (type)((wide)there - (wide)update);          \
    }                                                       \
    GK_INLINE type gk_mul_##name(type there, type update) { \
        return (type)((wide)there * (wide)update);          \
    }                                                       \
    GK_INLINE type gk_min_##name(type there, type update) { \
        return update < there ? update : there;             \
    }                                                       \
    GK_INLINE type gk_max_##name(type there, type update) { \
        return update > there ? update : there;             \
    }

GK_INTEGER(i8, int8_t, uint32_t)
GK_INTEGER(i16, int16_t, uint32_t)
GK_INTEGER(i32, int32_t, uint32_t)
GK_INTEGER(i64, int64_t, uint64_t)
GK_INTEGER(u8, uint8_t, uint32_t)
GK_INTEGER(u16, uint16_t, uint32_t)
GK_INTEGER(u32, uint32_t, uint32_t)
GK_INTEGER(u64, uint64_t, uint64_t)

GK_INLINE uint8_t gk_add_bool(uint8_t there, uint8_t update) {
    return (uint8_t)((there | update) != 0);
}
GK_INLINE uint8_t gk_mul_bool(uint8_t there, uint8_t update) {
    return (uint8_t)((uint8_t)(there != 0) & (uint8_t)(update != 0));
}

/* ---- Floats ---- */

GK_INLINE uint32_t gk_bits_f32(float value) {
    uint32_t bits;
    GK_COPY_BITS(&bits, &value, sizeof bits);
    return bits;
}
GK_INLINE float gk_from_bits_f32(uint32_t bits) {
    float value;
    GK_COPY_BITS(&value, &bits, sizeof value);
    return value;
}
GK_INLINE uint64_t gk_bits_f64(double value) {
    uint64_t bits;
    GK_COPY_BITS(&bits, &value, sizeof bits);
    return bits;
}
GK_INLINE double gk_from_bits_f64(uint64_t bits) {
    double value;
    GK_COPY_BITS(&value, &bits, sizeof value);
    return value;
}

#if defined(__SSE2__)
/* The processor follows the rule by itself, but a compiler may swap the operands of + and *: they never get two NaNs.
 */
#define GK_NAN_RULE(name, type, word, quiet, none)                          \
    GK_INLINE type gk_beside_##name(type there, type update) {              \
        return there == there ? update : (type)0;                           \
    }                                                                       \
    GK_INLINE type gk_result_##name(type result, type there, type update) { \
        (void)there;                                                        \
        (void)update;                                                       \
        return result;                                                      \
    }
#else
#define GK_NAN_RULE(name, type, word, quiet, none)                                                                \
    GK_INLINE type gk_beside_##name(type there, type update) {                                                    \
        (void)there;                                                                                              \
        return update;                                                                                            \
    }                                                                                                             \
    GK_INLINE type gk_result_##name(type result, type there, type update) {                                       \
        const word brought = there != there ? gk_bits_##name(there) | (quiet) : gk_bits_##name(update) | (quiet); \
        const word nan = there != there || update != update ? brought : (none);                                   \
        return result == result ? result : gk_from_bits_##name(nan);                                              \
    }
#endif

#define GK_FLOAT(name, type)                                                             \
    GK_INLINE type gk_add_##name(type there, type update) {                              \
        return gk_result_##name(there + gk_beside_##name(there, update), there, update); \
    }                                                                                    \
    GK_INLINE type gk_sub_##name(type there, type update) {                              \
        return gk_result_##name(there - update, there, update);                          \
    }                                                                                    \
    GK_INLINE type gk_mul_##name(type there, type update) {                              \
        return gk_result_##name(there * gk_beside_##name(there, update), there, update); \
    }                                                                                    \
    GK_INLINE type gk_min_##name(type there, type update) {                              \
        return update < there ? update : there;                                          \
    }                                                                                    \
    GK_INLINE type gk_max_##name(type there, type update) {                              \
        return update > there ? update : there;                                          \
    }                                                                                    \
    GK_INLINE type gk_min_##name##_nan(type there, type update) {                        \
        return there == there && !(update >= there) ? update : there;                    \
    }                                                                                    \
    GK_INLINE type gk_max_##name##_nan(type there, type update) {                        \
        return there == there && !(update <= there) ? update : there;                    \
    }

GK_NAN_RULE(f32, float, uint32_t, 0x00400000u, 0xffc00000u)
GK_NAN_RULE(f64, double, uint64_t, 0x0008000000000000u, 0xfff8000000000000u)
GK_FLOAT(f32, float)
GK_FLOAT(f64, double)

/* ---- f16 and bf16, on their bits: the same on every target, whatever its flags for subnormals ---- */

GK_INLINE float gk_widen_bf16(uint16_t value) {
    return gk_from_bits_f32((uint32_t)value << 16);
}
GK_INLINE uint16_t gk_narrow_bf16(float value) {
    const uint32_t bits = gk_bits_f32(value), odd = bits >> 16 & 1;
    const uint32_t rounded = (bits + 0x7fff + odd) >> 16;
    return (uint16_t)(value == value ? rounded : bits >> 16);
}

GK_INLINE float gk_widen_f16(uint16_t value) {
    const uint32_t magnitude = value & 0x7fffu, sign = (uint32_t)(value & 0x8000u) << 16;
    const uint32_t subnormal = gk_bits_f32((float)(int32_t)magnitude * 0x1p-24f);
    const uint32_t shifted = magnitude << 13;
    const uint32_t finite = magnitude < 0x0400 ? subnormal : shifted + (112u << 23);
    return gk_from_bits_f32(sign | (magnitude < 0x7c00 ? finite : shifted | 0x7f800000u));
}
GK_INLINE uint16_t gk_narrow_f16(float value) {
    const uint32_t bits = gk_bits_f32(value), magnitude = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000u;
    const uint32_t subnormal = gk_bits_f32(gk_from_bits_f32(magnitude) + 0.5f) - 0x3f000000u;
    const uint32_t normal = (magnitude + 0xfff + (magnitude >> 13 & 1) - (112u << 23)) >> 13;
    const uint32_t finite = magnitude < 0x38800000u ? subnormal : normal;
    const uint32_t nan = 0x7c00u | (magnitude >> 13 & 0x3ffu), infinite = 0x7c00u;
    const uint32_t beyond = magnitude > 0x7f800000u ? nan : infinite;
    return (uint16_t)(sign | (magnitude < 0x477ff000u ? finite : beyond));
}

/* A number that is ordered as the value is, zeros equal; of NaN it means nothing. */
GK_INLINE int16_t gk_order(uint16_t value) {
    const int16_t magnitude = (int16_t)(value & 0x7fff);
    return (int16_t)(value & 0x8000 ? -magnitude : magnitude);
}

#define GK_HALF(name, infinity)                                                                      \
    GK_INLINE int gk_is_nan_##name(uint16_t value) {                                                 \
        return (value & 0x7fff) > (infinity);                                                        \
    }                                                                                                \
    GK_INLINE int gk_less_##name(uint16_t a, uint16_t b) {                                           \
        const int nan = gk_is_nan_##name(a) | gk_is_nan_##name(b), less = gk_order(a) < gk_order(b); \
        return nan ? 0 : less;                                                                       \
    }                                                                                                \
    GK_INLINE uint16_t gk_add_##name(uint16_t there, uint16_t update) {                              \
        return gk_narrow_##name(gk_add_f32(gk_widen_##name(there), gk_widen_##name(update)));        \
    }                                                                                                \
    GK_INLINE uint16_t gk_sub_##name(uint16_t there, uint16_t update) {                              \
        return gk_narrow_##name(gk_sub_f32(gk_widen_##name(there), gk_widen_##name(update)));        \
    }                                                                                                \
    GK_INLINE uint16_t gk_mul_##name(uint16_t there, uint16_t update) {                              \
        return gk_narrow_##name(gk_mul_f32(gk_widen_##name(there), gk_widen_##name(update)));        \
    }                                                                                                \
    GK_INLINE uint16_t gk_min_##name(uint16_t there, uint16_t update) {                              \
        return gk_less_##name(update, there) ? update : there;                                       \
    }                                                                                                \
    GK_INLINE uint16_t gk_max_##name(uint16_t there, uint16_t update) {                              \
        return gk_less_##name(there, update) ? update : there;                                       \
    }                                                                                                \
    GK_INLINE uint16_t gk_min_##name##_nan(uint16_t there, uint16_t update) {                        \
        const uint16_t least = gk_min_##name(there, update);                                         \
        return gk_is_nan_##name(update) & (gk_is_nan_##name(there) ^ 1) ? update : least;            \
    }                                                                                                \
    GK_INLINE uint16_t gk_max_##name##_nan(uint16_t there, uint16_t update) {                        \
        const uint16_t greatest = gk_max_##name(there, update);                                      \
        return gk_is_nan_##name(update) & (gk_is_nan_##name(there) ^ 1) ? update : greatest;         \
    }

GK_HALF(f16, 0x7c00)
GK_HALF(bf16, 0x7f80)

/* ---- Complex: each step follows the rule, the value there first ---- */

#define GK_COMPLEX(name, type, part, real)                                                                     \
    GK_INLINE type gk_make_##name(real re, real im) {                                                          \
        const type made = {re, im};                                                                            \
        return made;                                                                                           \
    }                                                                                                          \
    GK_INLINE type gk_add_##name(type there, type update) {                                                    \
        return gk_make_##name(gk_add_##part(there.re, update.re), gk_add_##part(there.im, update.im));         \
    }                                                                                                          \
    GK_INLINE type gk_sub_##name(type there, type update) {                                                    \
        return gk_make_##name(gk_sub_##part(there.re, update.re), gk_sub_##part(there.im, update.im));         \
    }                                                                                                          \
    GK_INLINE type gk_mul_##name(type there, type update) {                                                    \
        const real re = gk_sub_##part(gk_mul_##part(there.re, update.re), gk_mul_##part(there.im, update.im)); \
        const real im = gk_add_##part(gk_mul_##part(there.re, update.im), gk_mul_##part(there.im, update.re)); \
        return gk_make_##name(re, im);                                                                         \
    }

GK_COMPLEX(c64, gk_c64, f32, float)
GK_COMPLEX(c128, gk_c128, f64, double)

#endif
