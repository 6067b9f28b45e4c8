/* cutter: see cutter.h. */
#include "cutter.h"

#include <pthread.h>
#include <stdatomic.h>

enum { RANGES = 20 };

struct work {
    void (*body)(void *, int64_t, int64_t);
    void *state;
    int64_t bounds[RANGES + 1];
    int order[RANGES], n;
    _Atomic int next;
};

/* Adds a bound at its place. */
static void insert(struct work *work, int64_t bound) {
    int at = work->n++;
    for (; at > 0 && work->bounds[at - 1] > bound; at--)
        work->bounds[at] = work->bounds[at - 1];
    work->bounds[at] = bound;
}

static void cut(struct work *work, struct fuzz_cutter *cutter, int64_t total) {
    int ranges = (int)fuzz_between(&cutter->random, 1, 2 * cutter->threads);
    work->n = 0;
    for (int i = 1; i < ranges; i++)
        insert(work, fuzz_between(&cutter->random, 0, total));
    work->bounds[work->n++] = total;
    for (int i = 0; i < work->n; i++) {
        int with = (int)fuzz_between(&cutter->random, 0, i);
        work->order[i] = work->order[with];
        work->order[with] = i;
    }
}

static void *take_ranges(void *argument) {
    struct work *work = argument;
    int at;
    while ((at = atomic_fetch_add(&work->next, 1)) < work->n) {
        int range = work->order[at];
        int64_t begin = range > 0 ? work->bounds[range - 1] : 0, end = work->bounds[range];
        if (begin < end) work->body(work->state, begin, end);
    }
    return NULL;
}

void fuzz_cut(void *user, int64_t total, int64_t grain, void (*body)(void *, int64_t, int64_t), void *state) {
    struct fuzz_cutter *cutter = user;
    struct work work = {.body = body, .state = state};
    pthread_t threads[RANGES];
    int started = 0;
    (void)grain;
    cut(&work, cutter, total);
    while (cutter->is_real && started < cutter->threads - 1 &&
           pthread_create(&threads[started], NULL, take_ranges, &work) == 0)
        started++;
    take_ranges(&work);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}
