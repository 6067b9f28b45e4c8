/* bytes: numbers as bytes, the least significant first, on every machine. */
#ifndef GK_BYTES_H
#define GK_BYTES_H

#include <stddef.h>
#include <stdint.h>

static inline void gk_bytes_put(unsigned char *bytes, size_t n, uint64_t number) {
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
}

static inline uint64_t gk_bytes_get(const unsigned char *bytes, size_t n) {
    uint64_t number = 0;
    for (size_t i = 0; i < n; i++)
        number |= (uint64_t)bytes[i] << (8 * i);
    return number;
}

#endif
