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
        gk_forks_hold();
        gk_build(jit, kernel, &built);
        pthread_mutex_lock(&jit->lock);
        gk_kernel_finish(jit, kernel, &built);
        gk_forks_release();
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
    if (gk_kernel_state_of(kernel) == GK_COLD) {
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
    if (policy == GK_POLICY_OFF || gk_kernel_state_of(kernel) == GK_FAILED) return 0;
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
    gk_forks_hold();
    gk_build_from_disk(jit, kernel, &built);
    pthread_mutex_lock(&jit->lock);
    *error = built.error;
    if (built.code)
        gk_kernel_finish(jit, kernel, &built);
    else
        gk_kernel_set(jit, kernel, GK_COLD);
    gk_forks_release();
}

static enum gasket_status prepare_locked(struct gk_jit *jit, struct kernel *kernel, int compiles,
                                         struct gk_error *error) {
    enum gasket_status status = GASKET_OK;
    int has_looked = 0;
    if (gk_kernel_state_of(kernel) == GK_COLD) kernel->trouble.status = GASKET_OK; /* of a try before this one */
    while (!status && gk_kernel_state_of(kernel) != GK_READY) {
        const int state = gk_kernel_state_of(kernel);
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
    gk_forks_hold();
    stage->status = gk_plugin_compile(stage->request, stage->take, stage->user, stage->error);
    gk_forks_release();
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
