/* hash: see hash.h. The only file that includes xxhash, all of which is inline in it: nothing is linked. */
#include "jit/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

void gk_hash(uint64_t number[2], const void *bytes, size_t n) {
    XXH128_hash_t hash = XXH3_128bits(bytes, n);
    number[0] = hash.low64;
    number[1] = hash.high64;
}
