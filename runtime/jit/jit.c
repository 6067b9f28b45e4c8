/* jit: see jit.h. The table of kernels. */
#include "jit/jit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jit/hash.h"
#include "jit/inside.h"

enum gasket_status gk_jit_create(struct gk_jit **jit, const struct gk_jit_options *options, struct gk_error *error) {
    struct gk_jit *made = calloc(1, sizeof *made);
    *jit = made;
    if (!made) return gk_fail(error, GASKET_OUT_OF_MEMORY, "no memory for call-time compilation");
    made->options = *options;
    made->queue_end = &made->queue;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    gk_cache_open(&made->cache, &options->cache);
    gk_forks_add(made);
    return GASKET_OK;
}

static void drop(struct kernel *kernel) {
    gk_code_free(kernel->code);
    free(kernel);
}

void gk_jit_destroy(struct gk_jit *jit) {
    if (!jit) return;
    gk_worker_stop(jit);
    gk_forks_remove(jit);
    for (struct kernel *kernel = jit->newest, *older; kernel; kernel = older) {
        older = kernel->older;
        drop(kernel);
    }
    gk_cache_close(jit->cache);
    pthread_cond_destroy(&jit->changed);
    pthread_mutex_destroy(&jit->lock);
    free(jit);
}

struct gk_cache *gk_jit_cache(struct gk_jit *jit) {
    return jit->cache;
}

/* ---- By last use ---- */

static void unlink_used(struct gk_jit *jit, struct kernel *kernel) {
    *(kernel->newer ? &kernel->newer->older : &jit->newest) = kernel->older;
    *(kernel->older ? &kernel->older->newer : &jit->oldest) = kernel->newer;
}

static void link_newest(struct gk_jit *jit, struct kernel *kernel) {
    kernel->newer = NULL;
    kernel->older = jit->newest;
    *(jit->newest ? &jit->newest->newer : &jit->oldest) = kernel;
    jit->newest = kernel;
}

static void evict(struct gk_jit *jit, struct kernel *kernel) {
    struct kernel **at = &jit->buckets[kernel->hash % GK_BUCKETS];
    while (*at != kernel)
        at = &(*at)->chain;
    *at = kernel->chain;
    unlink_used(jit, kernel);
    jit->counts.kernels--;
    jit->counts.evicted++;
    if (kernel->code) jit->counts.code_bytes -= gk_code_memory(kernel->code);
    drop(kernel);
}

static int is_crowded(const struct gk_jit *jit) {
    return jit->counts.kernels > (uint64_t)jit->options.most_kernels;
}

static int is_idle(const struct kernel *kernel) {
    const int state = gk_kernel_state_of(kernel);
    return kernel->pins == 0 && state != GK_QUEUED && state != GK_WORKING;
}

void gk_jit_trim(struct gk_jit *jit) {
    struct kernel *kernel = jit->oldest;
    while (kernel && is_crowded(jit)) {
        struct kernel *newer = kernel->newer;
        if (is_idle(kernel)) evict(jit, kernel);
        kernel = newer;
    }
}

/* ---- Finding ---- */

static int is_of(const struct kernel *kernel, uint64_t hash, const char *template_name,
                 const struct gasket_nest *knobs) {
    return kernel->hash == hash && strcmp(kernel->template_name, template_name) == 0 &&
           memcmp(&kernel->knobs, knobs, sizeof *knobs) == 0;
}

static struct kernel *add(struct gk_jit *jit, uint64_t hash, const char *template_name,
                          const struct gasket_nest *knobs) {
    struct kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel) return NULL;
    kernel->hash = hash;
    kernel->knobs = *knobs;
    snprintf(kernel->template_name, sizeof kernel->template_name, "%s", template_name);
    snprintf(kernel->shared.name, sizeof kernel->shared.name, "nest_%s__llvm_%08x", template_name, (unsigned)hash);
    kernel->chain = jit->buckets[hash % GK_BUCKETS];
    jit->buckets[hash % GK_BUCKETS] = kernel;
    link_newest(jit, kernel);
    jit->counts.kernels++;
    return kernel;
}

struct gk_kernel *gk_jit_take(struct gk_jit *jit, const char *template_name, const struct gasket_nest *knobs) {
    uint64_t number[2];
    gk_hash(number, knobs, sizeof *knobs);
    const uint64_t hash = number[0];
    pthread_mutex_lock(&jit->lock);
    struct kernel *kernel = jit->buckets[hash % GK_BUCKETS];
    while (kernel && !is_of(kernel, hash, template_name, knobs))
        kernel = kernel->chain;
    if (!kernel) {
        kernel = add(jit, hash, template_name, knobs);
    } else if (kernel != jit->newest) {
        unlink_used(jit, kernel);
        link_newest(jit, kernel);
    }
    if (kernel) {
        kernel->pins++;
        gk_jit_trim(jit);
    }
    pthread_mutex_unlock(&jit->lock);
    return kernel ? &kernel->shared : NULL;
}

/* Where there are too many, all that are idle went before: this one is the next. */
void gk_jit_release(struct gk_jit *jit, struct gk_kernel *shared) {
    struct kernel *kernel = (struct kernel *)shared;
    if (!kernel) return;
    pthread_mutex_lock(&jit->lock);
    kernel->pins--;
    if (is_crowded(jit) && is_idle(kernel)) evict(jit, kernel);
    pthread_mutex_unlock(&jit->lock);
}

/* ---- What became of a kernel ---- */

static void take_code(struct gk_jit *jit, struct kernel *kernel, const struct built *built) {
    void *run = gk_code_function(built->code, GASKET_NEST_RUN),
         *check = gk_code_function(built->code, GASKET_NEST_CHECK);
    memcpy(&kernel->shared.run, &run, sizeof run);
    memcpy(&kernel->shared.check, &check, sizeof check);
    kernel->code = built->code;
    kernel->source = built->source;
    kernel->milliseconds = built->milliseconds;
    jit->counts.code_bytes += gk_code_memory(built->code);
    if (built->source == GK_FROM_DISK) {
        jit->counts.from_disk++;
    } else {
        jit->counts.compiled++;
        jit->counts.compile_nanoseconds += (uint64_t)(built->milliseconds * 1e6);
    }
}

/* Memory may be there again later; any other failure would only be repeated. */
void gk_kernel_finish(struct gk_jit *jit, struct kernel *kernel, struct built *built) {
    memcpy(kernel->key, built->key, sizeof kernel->key);
    memcpy(kernel->compiler, built->compiler, sizeof kernel->compiler);
    kernel->uses = kernel->bytes = 0;
    if (built->code) {
        take_code(jit, kernel, built);
        kernel->trouble = (struct gk_error){GASKET_OK, ""};
        gk_kernel_set(jit, kernel, GK_READY);
        return;
    }
    kernel->trouble = built->error;
    jit->counts.failed++;
    gk_kernel_set(jit, kernel, built->status == GASKET_OUT_OF_MEMORY ? GK_COLD : GK_FAILED);
}

void gk_jit_describe(struct gk_jit *jit, struct gk_kernel *shared, struct gk_kernel_description *description) {
    const struct kernel *kernel = (const struct kernel *)shared;
    memset(description, 0, sizeof *description);
    pthread_mutex_lock(&jit->lock);
    description->state = (enum gk_kernel_state)atomic_load(&kernel->shared.state);
    description->source = kernel->source;
    description->milliseconds = kernel->milliseconds;
    if (kernel->code) description->code_bytes = gk_code_size(kernel->code);
    memcpy(description->key, kernel->key, sizeof description->key);
    memcpy(description->compiler, kernel->compiler, sizeof description->compiler);
    memcpy(description->trouble, kernel->trouble.text, sizeof description->trouble);
    pthread_mutex_unlock(&jit->lock);
}

void gk_jit_count(struct gk_jit *jit, struct gk_jit_counts *counts) {
    pthread_mutex_lock(&jit->lock);
    *counts = jit->counts;
    pthread_mutex_unlock(&jit->lock);
}
