/* worker: policies, and the thread that compiles. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "jit/inside.h"
#include "jit/plugin.h"

enum {
    STACK = 16 << 20, /* compilers recurse */
    MOST_QUEUED = 256
};

static int state_of(const struct kernel *kernel) {
    return atomic_load_explicit(&kernel->shared.state, memory_order_relaxed);
}

/* ---- The thread ---- */

static struct kernel *pop(struct gk_jit *jit) {
    struct kernel *kernel = jit->queue;
    jit->queue = kernel->queued;
    if (!jit->queue) jit->queue_end = &jit->queue;
    jit->n_queued--;
    return kernel;
}

static void *work(void *state) {
    struct gk_jit *jit = state;
    struct built built;
    pthread_mutex_lock(&jit->lock);
    while (!jit->stops) {
        if (!jit->queue) {
            pthread_cond_wait(&jit->changed, &jit->lock);
            continue;
        }
        struct kernel *kernel = pop(jit);
        gk_kernel_set(jit, kernel, GK_WORKING);
        pthread_mutex_unlock(&jit->lock);
        gk_build(jit, kernel, &built);
        pthread_mutex_lock(&jit->lock);
        gk_kernel_finish(jit, kernel, &built);
        gk_jit_trim(jit);
    }
    pthread_mutex_unlock(&jit->lock);
    return NULL;
}

/* A thread with a large stack; signals of the process are not for it. */
static int start_thread(pthread_t *thread, void *(*run)(void *), void *state) {
    sigset_t all, before;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes)) return -1;
    pthread_attr_setstacksize(&attributes, STACK);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(thread, &attributes, run, state);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return failed ? -1 : 0;
}

static int start_worker(struct gk_jit *jit) {
    if (!jit->has_worker) jit->has_worker = start_thread(&jit->worker, work, jit) == 0;
    return jit->has_worker ? 0 : -1;
}

void gk_worker_stop(struct gk_jit *jit) {
    pthread_mutex_lock(&jit->lock);
    jit->stops = 1;
    pthread_cond_broadcast(&jit->changed);
    const int has_worker = jit->has_worker;
    pthread_mutex_unlock(&jit->lock);
    if (has_worker) pthread_join(jit->worker, NULL);
}

/* A full queue forgets the kernel that has waited longest. */
enum gasket_status gk_queue_add(struct gk_jit *jit, struct kernel *kernel, struct gk_error *error) {
    if (start_worker(jit) != 0)
        return gk_fail(error, GASKET_OUT_OF_MEMORY, "no thread for call-time compilation could be started");
    if (jit->n_queued == MOST_QUEUED) gk_kernel_set(jit, pop(jit), GK_COLD);
    kernel->queued = NULL;
    *jit->queue_end = kernel;
    jit->queue_end = &kernel->queued;
    jit->n_queued++;
    gk_kernel_set(jit, kernel, GK_QUEUED);
    return GASKET_OK;
}

/* ---- Policies ---- */

static void use_later(struct gk_jit *jit, struct kernel *kernel, int64_t bytes) {
    struct gk_error error;
    pthread_mutex_lock(&jit->lock);
    if (state_of(kernel) == GK_COLD) {
        kernel->uses++;
        kernel->bytes += bytes;
        if (kernel->uses >= jit->options.after_calls || kernel->bytes >= jit->options.after_bytes)
            gk_queue_add(jit, kernel, &error); /* where that fails, it is tried at the next use */
    }
    pthread_mutex_unlock(&jit->lock);
}

int gk_jit_use(struct gk_jit *jit, struct gk_kernel *shared, enum gk_policy policy, int64_t bytes) {
    struct kernel *kernel = (struct kernel *)shared;
    struct gk_error error;
    if (gk_kernel_is_ready(shared)) return 1;
    if (policy == GK_POLICY_OFF || state_of(kernel) == GK_FAILED) return 0;
    if (policy == GK_POLICY_ASYNC) {
        use_later(jit, kernel, bytes);
        return 0;
    }
    return gk_jit_prepare(jit, shared, policy == GK_POLICY_SYNC, &error) == GASKET_OK;
}

/* Looks on disk in the caller's thread; only a kernel that is there changes the state for good. Under the lock. */
static void look_on_disk(struct gk_jit *jit, struct kernel *kernel, struct gk_error *error) {
    struct built built;
    gk_kernel_set(jit, kernel, GK_WORKING);
    pthread_mutex_unlock(&jit->lock);
    gk_build_from_disk(jit, kernel, &built);
    pthread_mutex_lock(&jit->lock);
    *error = built.error;
    if (built.code)
        gk_kernel_finish(jit, kernel, &built);
    else
        gk_kernel_set(jit, kernel, GK_COLD);
}

static enum gasket_status prepare_locked(struct gk_jit *jit, struct kernel *kernel, int compiles,
                                         struct gk_error *error) {
    enum gasket_status status = GASKET_OK;
    int has_looked = 0;
    if (state_of(kernel) == GK_COLD) kernel->trouble.status = GASKET_OK; /* of a try before this one */
    while (!status && state_of(kernel) != GK_READY) {
        const int state = state_of(kernel);
        if (jit->stops) {
            status = gk_fail(error, GASKET_UNAVAILABLE, "the context is being destroyed");
        } else if (state == GK_FAILED) {
            *error = kernel->trouble;
            status = error->status;
        } else if (state != GK_COLD) {
            pthread_cond_wait(&jit->changed, &jit->lock);
        } else if (!has_looked) {
            look_on_disk(jit, kernel, error);
            has_looked = 1;
        } else if (!compiles || kernel->trouble.status == GASKET_OUT_OF_MEMORY) {
            if (kernel->trouble.status) *error = kernel->trouble;
            kernel->trouble.status = GASKET_OK;
            status = error->status;
        } else {
            status = gk_queue_add(jit, kernel, error);
        }
    }
    return status;
}

enum gasket_status gk_jit_prepare(struct gk_jit *jit, struct gk_kernel *shared, int compiles, struct gk_error *error) {
    pthread_mutex_lock(&jit->lock);
    enum gasket_status status = prepare_locked(jit, (struct kernel *)shared, compiles, error);
    pthread_mutex_unlock(&jit->lock);
    return status;
}

/* ---- Stages ---- */

struct stage {
    const struct gk_compilation *request;
    gk_take_fn *take;
    void *user;
    struct gk_error *error;
    enum gasket_status status;
};

static void *run_stage(void *state) {
    struct stage *stage = state;
    stage->status = gk_plugin_compile(stage->request, stage->take, stage->user, stage->error);
    return NULL;
}

/* On a thread of its own, for its stack. */
enum gasket_status gk_jit_stage(struct gk_jit *jit, struct gk_kernel *shared, enum gk_stage which, gk_take_fn *take,
                                void *user, struct gk_error *error) {
    const struct gk_compilation request = gk_build_request(jit, (const struct kernel *)shared, which);
    struct stage stage = {&request, take, user, error, GASKET_OK};
    pthread_t thread;
    if (start_thread(&thread, run_stage, &stage))
        return gk_fail(error, GASKET_OUT_OF_MEMORY, "no thread for call-time compilation could be started");
    pthread_join(thread, NULL);
    return stage.status;
}

/* ---- Forks ---- */

static struct {
    pthread_mutex_t lock;
    pthread_once_t once;
    struct gk_jit *first;
} forks = {.lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT};

/* No table is being changed and no compilation runs while the process is copied. A compilation never waits for a
 * table's lock while it holds the compiler's. */
static void before_fork(void) {
    gk_plugin_lock();
    pthread_mutex_lock(&forks.lock);
    for (struct gk_jit *jit = forks.first; jit; jit = jit->next)
        pthread_mutex_lock(&jit->lock);
}

static void after_fork(void) {
    for (struct gk_jit *jit = forks.first; jit; jit = jit->next)
        pthread_mutex_unlock(&jit->lock);
    pthread_mutex_unlock(&forks.lock);
    gk_plugin_unlock();
}

/* The child has no worker: what it was to do starts afresh. Kernels that are ready stay. */
static void start_afresh(struct gk_jit *jit) {
    jit->has_worker = 0;
    jit->queue = NULL;
    jit->queue_end = &jit->queue;
    jit->n_queued = 0;
    pthread_cond_init(&jit->changed, NULL);
    for (struct kernel *kernel = jit->newest; kernel; kernel = kernel->older)
        if (state_of(kernel) == GK_QUEUED || state_of(kernel) == GK_WORKING)
            atomic_store_explicit(&kernel->shared.state, GK_COLD, memory_order_relaxed);
}

static void after_fork_in_child(void) {
    for (struct gk_jit *jit = forks.first; jit; jit = jit->next)
        start_afresh(jit);
    after_fork();
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
