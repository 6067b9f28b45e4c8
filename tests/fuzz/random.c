/* random: see random.h. The generator is SplitMix64. */
#include "random.h"

uint64_t fuzz_bits(struct fuzz_random *random) {
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

struct fuzz_random fuzz_random_make(uint64_t seed, uint64_t stream) {
    struct fuzz_random random = {seed};
    random.state = fuzz_bits(&random) ^ stream * UINT64_C(0xd6e8feb86659fd93);
    random.state = fuzz_bits(&random);
    return random;
}

int64_t fuzz_below(struct fuzz_random *random, int64_t limit) {
    return limit < 2 ? 0 : (int64_t)((fuzz_bits(random) >> 1) % (uint64_t)limit);
}

int64_t fuzz_between(struct fuzz_random *random, int64_t low, int64_t high) {
    return low + fuzz_below(random, high - low + 1);
}

int fuzz_chance(struct fuzz_random *random, int of_a_thousand) {
    return fuzz_below(random, 1000) < of_a_thousand;
}

int fuzz_weighted(struct fuzz_random *random, const uint8_t *weights, int n) {
    int64_t total = 0;
    for (int i = 0; i < n; i++)
        total += weights[i];
    int64_t at = fuzz_below(random, total);
    int i = 0;
    while (at >= weights[i])
        at -= weights[i++];
    return i;
}
