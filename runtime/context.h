/* context: what all calls of a user share. Read-only after creation, but for messages, counters and registration. */
#ifndef GK_CONTEXT_H
#define GK_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>

#include "catalog.h"
#include "choose.h"
#include "parallel.h"

struct gasket_context {
    struct gk_catalog catalog;
    pthread_rwlock_t catalog_lock;
    struct gk_limits limits;
    struct gk_parallel parallel;
    gasket_allocate *allocate;
    void *allocate_user;
    pthread_key_t messages; /* a thread's gk_error on this context */
    _Atomic uint64_t served[GK_TIERS];
};

#endif
