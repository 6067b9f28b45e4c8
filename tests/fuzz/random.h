/* random: the same numbers from the same seed, on every machine. */
#ifndef FUZZ_RANDOM_H
#define FUZZ_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct fuzz_random {
    uint64_t state;
};

/* Streams of one seed have nothing to do with each other. */
struct fuzz_random fuzz_random_make(uint64_t seed, uint64_t stream);
uint64_t fuzz_bits(struct fuzz_random *random);
int64_t fuzz_below(struct fuzz_random *random, int64_t limit);               /* [0, limit); 0 where limit < 2 */
int64_t fuzz_between(struct fuzz_random *random, int64_t low, int64_t high); /* both included */
int fuzz_chance(struct fuzz_random *random, int of_a_thousand);
/* An index into `weights`, drawn by weight; their sum is not 0. */
int fuzz_weighted(struct fuzz_random *random, const uint8_t *weights, int n);

#endif
