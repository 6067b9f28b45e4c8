/* Words of movers: unaligned storage, copies by vectors, streaming stores and prefetch. Each takes the widest vectors
 * that the flags of the translation unit allow, and works without any. */
#ifndef GASKET_ABI_VECTOR_H
#define GASKET_ABI_VECTOR_H

#include "abi/kernel.h"

#define GK_INLINE static inline __attribute__((always_inline, unused))
/* May change an integer, for all that the compiler knows. */
#define GK_KEEP(value) __asm__("" : "+r"(value))
#define GK_EXTENSION __extension__
#define GK_LIKELY(condition) __builtin_expect(!!(condition), 1)

/* Storage of any alignment, which may hold anything. */
#define GK_PACKED __attribute__((packed, may_alias))
#define GK_COPY_BITS __builtin_memcpy /* (to, from, bytes) */
#define GK_STORAGE(type, name) typedef type name __attribute__((aligned(1), may_alias))
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

/* Copies of exactly that many bytes; `to` and `from` do not overlap, or are the same. */
GK_INLINE void gk_copy_1(char *to, const char *from) {
    *to = *from;
}
GK_INLINE void gk_copy_2(char *to, const char *from) {
    *(gk_u16 *)to = *(const gk_u16 *)from;
}
GK_INLINE void gk_copy_4(char *to, const char *from) {
    *(gk_u32 *)to = *(const gk_u32 *)from;
}
GK_INLINE void gk_copy_8(char *to, const char *from) {
    *(gk_u64 *)to = *(const gk_u64 *)from;
}

/* Vectors of any alignment, which may hold anything; gk_v<bytes> where the lanes do not matter. */
#define GK_VECTOR(bits, lanes) \
    typedef uint##bits##_t gk_u##bits##x##lanes __attribute__((vector_size(bits / 8 * lanes), aligned(1), may_alias))
#define GK_VECTORS(in_8, in_16, in_32, in_64) \
    GK_VECTOR(8, in_8);                       \
    GK_VECTOR(16, in_16);                     \
    GK_VECTOR(32, in_32);                     \
    GK_VECTOR(64, in_64)

GK_VECTORS(16, 8, 4, 2);
typedef gk_u64x2 gk_v16;
GK_INLINE void gk_copy_16(char *to, const char *from) {
    *(gk_v16 *)to = *(const gk_v16 *)from;
}

#if defined(__AVX__)
GK_VECTORS(32, 16, 8, 4);
typedef gk_u64x4 gk_v32;
GK_INLINE void gk_copy_32(char *to, const char *from) {
    *(gk_v32 *)to = *(const gk_v32 *)from;
}
#else
GK_INLINE void gk_copy_32(char *to, const char *from) {
    const gk_v16 low = *(const gk_v16 *)from, high = *(const gk_v16 *)(from + 16);
    *(gk_v16 *)to = low;
    *(gk_v16 *)(to + 16) = high;
}
#endif

#if defined(__AVX512F__)
GK_VECTORS(64, 32, 16, 8);
typedef gk_u64x8 gk_v64;
GK_INLINE void gk_copy_64(char *to, const char *from) {
    *(gk_v64 *)to = *(const gk_v64 *)from;
}
#else
GK_INLINE void gk_copy_64(char *to, const char *from) {
    gk_copy_32(to, from);
    gk_copy_32(to + 32, from + 32);
}
#endif

/* `bytes` < 64: two copies of the same size that may overlap. */
GK_INLINE void gk_copy_short(char *to, const char *from, int64_t bytes) {
    if (bytes >= 32) {
        gk_copy_32(to, from);
        gk_copy_32(to + bytes - 32, from + bytes - 32);
    } else if (bytes >= 16) {
        gk_copy_16(to, from);
        gk_copy_16(to + bytes - 16, from + bytes - 16);
    } else if (bytes >= 8) {
        gk_copy_8(to, from);
        gk_copy_8(to + bytes - 8, from + bytes - 8);
    } else if (bytes >= 4) {
        gk_copy_4(to, from);
        gk_copy_4(to + bytes - 4, from + bytes - 4);
    } else if (bytes >= 2) {
        gk_copy_2(to, from);
        gk_copy_2(to + bytes - 2, from + bytes - 2);
    } else if (bytes == 1) {
        gk_copy_1(to, from);
    }
}

/* Any number of bytes; the last vector may overlap the one before it. */
GK_INLINE void gk_copy(char *to, const char *from, int64_t bytes) {
    int64_t at = 0;
    if (bytes < 64) {
        gk_copy_short(to, from, bytes);
        return;
    }
    for (; at + 256 <= bytes; at += 256) {
        gk_copy_64(to + at, from + at);
        gk_copy_64(to + at + 64, from + at + 64);
        gk_copy_64(to + at + 128, from + at + 128);
        gk_copy_64(to + at + 192, from + at + 192);
    }
    for (; at + 64 <= bytes; at += 64)
        gk_copy_64(to + at, from + at);
    if (at < bytes) gk_copy_64(to + bytes - 64, from + bytes - 64);
}

/* Streaming stores: to + their size must be aligned to it; they go past the caches where the target can do that.
 * gk_stream_fence orders them before what follows. */
typedef long long gk_stream16 __attribute__((vector_size(16), may_alias));
#if defined(__clang__)
#define GK_STREAM(type, builtin, to, value) __builtin_nontemporal_store(value, (type *)(void *)(to))
#elif defined(__SSE2__)
#define GK_STREAM(type, builtin, to, value) builtin((type *)(void *)(to), value)
#else
#define GK_STREAM(type, builtin, to, value) (*(type *)(void *)(to) = (value))
#endif

GK_INLINE void gk_stream_16(char *to, const char *from) {
    const gk_stream16 value = (gk_stream16) * (const gk_v16 *)from;
    GK_STREAM(gk_stream16, __builtin_ia32_movntdq, to, value);
}

#if defined(__AVX__)
typedef long long gk_stream32 __attribute__((vector_size(32), may_alias));
GK_INLINE void gk_stream_32(char *to, const char *from) {
    const gk_stream32 value = (gk_stream32) * (const gk_v32 *)from;
    GK_STREAM(gk_stream32, __builtin_ia32_movntdq256, to, value);
}
#endif

#if defined(__AVX512F__)
typedef long long gk_stream64 __attribute__((vector_size(64), may_alias));
GK_INLINE void gk_stream_64(char *to, const char *from) {
    const gk_stream64 value = (gk_stream64) * (const gk_v64 *)from;
    GK_STREAM(gk_stream64, __builtin_ia32_movntdq512, to, value);
}
#endif

/* A row of whole vectors. */
#define GK_STREAM_ROW(bytes)                                                        \
    GK_INLINE void gk_stream_row_##bytes(char *to, const char *from, int64_t row) { \
        for (int64_t at = 0; at < row; at += (bytes))                               \
            gk_stream_##bytes(to + at, from + at);                                  \
    }
GK_STREAM_ROW(16)
#if defined(__AVX__)
GK_STREAM_ROW(32)
#endif
#if defined(__AVX512F__)
GK_STREAM_ROW(64)
#endif

GK_INLINE void gk_stream_fence(void) {
#if defined(__SSE2__)
    __builtin_ia32_sfence();
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* Prefetches the lines of a row. Any address will do: a prefetch does not fault. Long rows are left to the hardware
 * after their first lines. */
enum { GK_LINE = 64, GK_PREFETCHED = 512 };
GK_INLINE void gk_prefetch_read(const char *row, int64_t bytes) {
    __builtin_prefetch(row, 0, 3);
    for (int64_t at = GK_LINE; at < bytes && at < GK_PREFETCHED; at += GK_LINE)
        __builtin_prefetch(row + at, 0, 3);
}
GK_INLINE void gk_prefetch_write(const char *row, int64_t bytes) {
    __builtin_prefetch(row, 1, 3);
    for (int64_t at = GK_LINE; at < bytes && at < GK_PREFETCHED; at += GK_LINE)
        __builtin_prefetch(row + at, 1, 3);
}

/* The number of rows, out of `count`, that are followed by a row to prefetch. */
GK_INLINE int64_t gk_prefetched_rows(const struct gasket_rows *rows, int64_t count) {
    return rows->prefetch > 0 && rows->prefetch < count ? count - rows->prefetch : 0;
}

/* The number of the plain row that goes with offset i. */
GK_INLINE int64_t gk_picked(const struct gasket_rows *rows, int64_t i) {
    return rows->picked ? rows->picked[i] : i;
}

/* The elements, of `count`, before the first that is aligned to `vector` bytes. */
GK_INLINE int64_t gk_unaligned_elements(const char *plain, int64_t vector, int64_t element, int64_t count) {
    const int64_t bytes = -(int64_t)(uintptr_t)plain & (vector - 1);
    return bytes / element < count ? bytes / element : count;
}

/* Bytes of the next outer row to fetch for every `lanes` elements of this one, so that it has arrived when its turn
 * comes; 0 when there is none, or when too little of it would be used. */
GK_INLINE int64_t gk_sweep(const struct gasket_rows *rows, int64_t count, int64_t lanes) {
    enum { LONGEST = 1 << 20, LINES_PER_ELEMENT = 4 };
    const int64_t row = rows->outer_indexed_stride;
    if (rows->prefetch == 0 || rows->outer < 2 || count < lanes) return 0;
    if (row <= 0 || row > LONGEST || row > count * LINES_PER_ELEMENT * GK_LINE) return 0;
    const int64_t steps = count / lanes;
    return (row + steps * GK_LINE - 1) / (steps * GK_LINE) * GK_LINE;
}

/* Adds one string to another by the caller's function; neither needs to be aligned. */
GK_INLINE int gk_append(const struct gasket_rows *rows, char *indexed, const char *plain) {
    struct gasket_string_view there, update;
    __builtin_memcpy(&there, indexed, sizeof there);
    __builtin_memcpy(&update, plain, sizeof update);
    const int failed = rows->append(rows->append_state, &there, &update);
    if (!failed) __builtin_memcpy(indexed, &there, sizeof there);
    return failed;
}

#endif
