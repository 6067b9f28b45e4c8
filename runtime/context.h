/* context: what all calls of a user share. Read-only after creation, but for messages, counters and registration. */
#ifndef GK_CONTEXT_H
#define GK_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>

#include "catalog.h"
#include "choose.h"
#include "jit/jit.h"
#include "parallel.h"

/* The text of one thread's last error on a context. */
struct gk_message {
    struct gasket_context *context;
    struct gk_message *previous, *next;
    char text[GK_ERROR_TEXT];
};

struct gasket_context {
    struct gk_catalog catalog;
    pthread_rwlock_t catalog_lock;
    struct gk_limits limits;
    struct gk_jit *jit;
    enum gk_policy policy;
    struct gk_parallel parallel;
    gasket_allocate *allocate;
    void *allocate_user;
    pthread_key_t message; /* the calling thread's gk_message */
    pthread_mutex_t messages_lock;
    struct gk_message *messages; /* of all threads that have one; freed when the thread or the context ends */
    _Atomic uint64_t served[GK_TIERS];
};

/* Keeps the text of an error for gasket_message, and returns its status. */
enum gasket_status gk_context_report(struct gasket_context *context, const struct gk_error *error);

#endif
