/* hash: XXH3-128, the same on every machine. It finds what differs by accident, not what somebody forged. */
#ifndef GK_HASH_H
#define GK_HASH_H

#include <stddef.h>
#include <stdint.h>

/* number[0] is the lower half. */
void gk_hash(uint64_t number[2], const void *bytes, size_t n);

#endif
