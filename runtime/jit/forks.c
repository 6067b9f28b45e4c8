/* forks: what a copy of the process finds. */
#define _GNU_SOURCE /* a lock that does not let a fork wait for ever */
#include "jit/inside.h"

#if defined(PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP)
#define FORKS_FIRST PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
#else
#define FORKS_FIRST PTHREAD_RWLOCK_INITIALIZER
#endif

static struct {
    pthread_rwlock_t building; /* read by those who build a kernel, written by a fork */
    pthread_mutex_t lock;      /* of the list */
    pthread_once_t once;
    struct gk_jit *first;
} forks = {.building = FORKS_FIRST, .lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT};

void gk_forks_hold(void) {
    pthread_rwlock_rdlock(&forks.building);
}

void gk_forks_release(void) {
    pthread_rwlock_unlock(&forks.building);
}

/* No kernel is being built and no table is being changed while the process is copied. */
static void before_fork(void) {
    pthread_rwlock_wrlock(&forks.building);
    pthread_mutex_lock(&forks.lock);
    for (struct gk_jit *jit = forks.first; jit; jit = jit->next)
        pthread_mutex_lock(&jit->lock);
}

static void unlock_tables(void) {
    for (struct gk_jit *jit = forks.first; jit; jit = jit->next)
        pthread_mutex_unlock(&jit->lock);
    pthread_mutex_unlock(&forks.lock);
}

static void after_fork(void) {
    unlock_tables();
    pthread_rwlock_unlock(&forks.building);
}

/* The child has no worker: what it was to do starts afresh. Kernels that are ready stay. */
static void start_afresh(struct gk_jit *jit) {
    jit->has_worker = 0;
    jit->queue = NULL;
    jit->queue_end = &jit->queue;
    jit->n_queued = 0;
    pthread_cond_init(&jit->changed, NULL);
    for (struct kernel *kernel = jit->newest; kernel; kernel = kernel->older)
        if (gk_kernel_state_of(kernel) == GK_QUEUED || gk_kernel_state_of(kernel) == GK_WORKING)
            atomic_store_explicit(&kernel->shared.state, GK_COLD, memory_order_relaxed);
}

/* The lock knows its writer by a number that the child has not. */
static void after_fork_in_child(void) {
    for (struct gk_jit *jit = forks.first; jit; jit = jit->next)
        start_afresh(jit);
    unlock_tables();
    forks.building = (pthread_rwlock_t)FORKS_FIRST;
}

static void watch_forks(void) {
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

void gk_forks_add(struct gk_jit *jit) {
    pthread_once(&forks.once, watch_forks);
    pthread_mutex_lock(&forks.lock);
    jit->next = forks.first;
    if (jit->next) jit->next->previous = jit;
    forks.first = jit;
    pthread_mutex_unlock(&forks.lock);
}

void gk_forks_remove(struct gk_jit *jit) {
    pthread_mutex_lock(&forks.lock);
    if (jit->next) jit->next->previous = jit->previous;
    *(jit->previous ? &jit->previous->next : &forks.first) = jit->next;
    pthread_mutex_unlock(&forks.lock);
}
