/* inside: what the files of jit share. */
#ifndef GK_JIT_INSIDE_H
#define GK_JIT_INSIDE_H

#include <pthread.h>

#include "jit/code.h"
#include "jit/jit.h"

struct kernel {
    struct gk_kernel shared;      /* first: callers hold a pointer to it */
    struct kernel *chain;         /* the next of its bucket */
    struct kernel *newer, *older; /* by last use */
    struct kernel *queued;        /* the next that waits for the worker */
    int pins;                     /* holders; one that is held is not evicted */
    uint64_t hash;
    char template_name[8];
    struct gasket_nest knobs;
    int64_t uses, bytes; /* since it was last cold */
    enum gk_kernel_source source;
    double milliseconds;
    struct gk_code *code;
    struct gk_error trouble; /* of GK_FAILED */
    char key[GK_KEY_NAME], compiler[64];
};

enum { GK_BUCKETS = 4096 };

struct gk_jit {
    struct gk_jit_options options;
    struct gk_cache *cache;
    struct gk_jit *previous, *next; /* of the process: fork handlers go through them */
    pthread_mutex_t lock;           /* of all that follows; never held while something is built */
    pthread_cond_t changed;         /* a kernel's state, the queue, or `stops` */
    struct kernel *buckets[GK_BUCKETS];
    struct kernel *newest, *oldest;
    struct kernel *queue, **queue_end;
    int n_queued;
    pthread_t worker;
    int has_worker, stops;
    struct gk_jit_counts counts;
};

/* What building a kernel gave; becomes the kernel's under the lock. */
struct built {
    enum gasket_status status;
    struct gk_error error;
    struct gk_code *code;
    enum gk_kernel_source source;
    double milliseconds;
    char key[GK_KEY_NAME], compiler[64];
};

/* Without the lock; the kernel is GK_WORKING for the caller. Looks on disk; GASKET_UNAVAILABLE and no code when it is
 * not there. */
void gk_build_from_disk(struct gk_jit *jit, const struct kernel *kernel, struct built *built);
/* Compiles, after a look on disk; on a thread with a large stack. */
void gk_build(struct gk_jit *jit, const struct kernel *kernel, struct built *built);
struct gk_compilation gk_build_request(const struct gk_jit *jit, const struct kernel *kernel, enum gk_stage stage);

static inline int gk_kernel_state_of(const struct kernel *kernel) {
    return atomic_load_explicit(&kernel->shared.state, memory_order_relaxed);
}

/* Under the lock. */
static inline void gk_kernel_set(struct gk_jit *jit, struct kernel *kernel, enum gk_kernel_state state) {
    atomic_store_explicit(&kernel->shared.state, state, memory_order_release);
    pthread_cond_broadcast(&jit->changed);
}
void gk_kernel_finish(struct gk_jit *jit, struct kernel *kernel, struct built *built);
void gk_jit_trim(struct gk_jit *jit);
/* Puts a cold kernel into the queue and sees to the worker; a status other than OK leaves it cold. */
enum gasket_status gk_queue_add(struct gk_jit *jit, struct kernel *kernel, struct gk_error *error);
void gk_worker_stop(struct gk_jit *jit); /* without the lock */

/* Between these a kernel is built and taken into its table; a fork waits for them, so that the child finds nothing half
 * done. Taken before a table's lock. */
void gk_forks_hold(void);
void gk_forks_release(void);

/* The list of the process. */
void gk_forks_add(struct gk_jit *jit);
void gk_forks_remove(struct gk_jit *jit);

#endif
