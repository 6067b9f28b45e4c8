/* context: see context.h. */
#include "context.h"

#include <stdlib.h>
#include <string.h>

#include "bind.h"
#include "cpu.h"
#include "environment.h"
#include "jit/code.h"
#include "table.h"

static enum gasket_status read_tier(const char *name, enum gk_tier *tier, struct gk_error *error) {
    *tier = GK_TIER_ANY;
    for (int t = GK_TIER_ANY; name && t < GK_TIERS; t++)
        if (strcmp(name, gk_tier_names[t]) == 0) {
            *tier = (enum gk_tier)t;
            return GASKET_OK;
        }
    return name ? gk_fail(error, GASKET_INVALID_ARGUMENT, "tier '%s' is none of exact, jit, general, interpreter", name)
                : GASKET_OK;
}

static enum gasket_status read_isa(const char *name, enum gasket_isa *level, struct gk_error *error) {
    int isa = name ? gk_isa_named(name) : (int)gk_isa_best();
    if (isa < 0) return gk_fail(error, GASKET_INVALID_ARGUMENT, "isa '%s' is none of base, avx2, avx512, neon", name);
    *level = (enum gasket_isa)isa;
    const char *missing = gk_isa_missing(*level);
    return missing ? gk_fail(error, GASKET_UNAVAILABLE, "isa '%s': %s", name, missing) : GASKET_OK;
}

static const char *given(const char *option, const char *variable) {
    return option ? option : gk_environment(variable);
}

static enum gasket_status read_word(const char *what, const char *word, const char *const *words, int n, int *number,
                                    struct gk_error *error) {
    char list[128] = "";
    for (int i = 0; i < n; i++) {
        if (strcmp(word, words[i]) == 0) {
            *number = i;
            return GASKET_OK;
        }
        gk_append(list, sizeof list, "%s%s", i ? ", " : "", words[i]);
    }
    return gk_fail(error, GASKET_INVALID_ARGUMENT, "%s '%.40s' is none of %s", what, word, list);
}

/* What somebody set in the environment may be meant for another version: it is not worth a failure. */
static enum gasket_status read_policy(struct gasket_context *context, const char *option, struct gk_error *error) {
    static const char *const names[GK_POLICIES] = {GK_POLICY_NAMES};
    const char *word = given(option, "GASKET_JIT");
    int policy = GK_POLICY_ASYNC;
    enum gasket_status status = word ? read_word("jit", word, names, GK_POLICIES, &policy, error) : GASKET_OK;
    context->policy = (enum gk_policy)policy;
    return option ? status : GASKET_OK;
}

static enum gasket_status read_observer(const char *option, struct gk_error *error) {
    static const char *const names[] = {"none", "gdb", "perf"};
    const char *word = given(option, "GASKET_OBSERVER");
    int observer = GK_OBSERVE_NOTHING;
    if (!word) return GASKET_OK;
    enum gasket_status status = read_word("observer", word, names, 3, &observer, error);
    if (!status) gk_code_observe((enum gk_observer)observer);
    return option ? status : GASKET_OK;
}

static enum gasket_status open_jit(struct gasket_context *context, const struct gasket_options *from,
                                   struct gk_error *error) {
    enum { CALLS = 100, BYTES = 32 << 20, KERNELS = 1024 };
    if (from->jit_calls < 0 || from->jit_bytes < 0 || from->jit_kernels < 0)
        return gk_fail(error, GASKET_INVALID_ARGUMENT,
                       "options.jit_calls = %lld, jit_bytes = %lld, jit_kernels = %d: one is negative",
                       (long long)from->jit_calls, (long long)from->jit_bytes, from->jit_kernels);
    const struct gk_jit_options options = {
        .cache = {from->cache, from->cache_bytes, from->cache_only_reads},
        .level = context->limits.level,
        .is_host = context->limits.level == gk_isa_best(),
        .after_calls = from->jit_calls ? from->jit_calls : CALLS,
        .after_bytes = from->jit_bytes ? from->jit_bytes : BYTES,
        .most_kernels = from->jit_kernels ? from->jit_kernels : KERNELS,
    };
    enum gasket_status status = read_policy(context, from->jit, error);
    if (!status) status = read_observer(from->observer, error);
    return status ? status : gk_jit_create(&context->jit, &options, error);
}

static enum gasket_status read_options(struct gasket_context *context, const struct gasket_options *options,
                                       struct gk_error *error) {
    static const struct gasket_options defaults = {.size = sizeof defaults};
    const struct gasket_options *from = options ? options : &defaults;
    if (from->size != sizeof *from)
        return gk_fail(error, GASKET_INVALID_ARGUMENT, "options.size = %zu is not sizeof(struct gasket_options) = %zu",
                       from->size, sizeof *from);
    if (from->threads < 0)
        return gk_fail(error, GASKET_INVALID_ARGUMENT, "options.threads = %d is negative", from->threads);
    context->parallel.threads = from->threads ? from->threads : gk_openmp_threads();
    context->parallel.run = from->parallel_for ? from->parallel_for : gk_openmp_for;
    context->parallel.user = from->parallel_for ? from->parallel_user : &context->parallel;
    context->allocate = from->allocate;
    context->allocate_user = from->allocate_user;
    enum gasket_status status = read_isa(from->isa, &context->limits.level, error);
    if (!status) status = read_tier(from->tier, &context->limits.tier, error);
    return status ? status : open_jit(context, from, error);
}

/* When a thread ends. */
static void drop_message(void *value) {
    struct gk_message *message = value;
    struct gasket_context *context = message->context;
    pthread_mutex_lock(&context->messages_lock);
    if (message->next) message->next->previous = message->previous;
    *(message->previous ? &message->previous->next : &context->messages) = message->next;
    pthread_mutex_unlock(&context->messages_lock);
    free(message);
}

static struct gk_message *add_message(struct gasket_context *context) {
    struct gk_message *message = calloc(1, sizeof *message);
    if (!message || pthread_setspecific(context->message, message)) {
        free(message);
        return NULL;
    }
    message->context = context;
    pthread_mutex_lock(&context->messages_lock);
    message->next = context->messages;
    if (message->next) message->next->previous = message;
    context->messages = message;
    pthread_mutex_unlock(&context->messages_lock);
    return message;
}

/* The locks and the key; all or none. With default attributes the locks need no memory and can not fail. */
static enum gasket_status open_shared(struct gasket_context *context, struct gk_error *error) {
    if (pthread_key_create(&context->message, drop_message))
        return gk_fail(error, GASKET_OUT_OF_MEMORY, "the process has no thread-specific key left");
    pthread_mutex_init(&context->messages_lock, NULL);
    pthread_rwlock_init(&context->catalog_lock, NULL);
    return GASKET_OK;
}

enum gasket_status gasket_context_create(const struct gasket_options *options, gasket_context **context) {
    struct gk_error error;
    if (!context) return GASKET_INVALID_ARGUMENT;
    *context = NULL;
    struct gasket_context *made = calloc(1, sizeof *made);
    if (!made) return GASKET_OUT_OF_MEMORY;
    enum gasket_status status = read_options(made, options, &error);
    if (!status) status = gk_catalog_add(&made->catalog, &gasket_kernel_set, &error);
    if (!status) status = open_shared(made, &error);
    if (status) {
        gk_jit_destroy(made->jit);
        gk_catalog_free(&made->catalog);
        free(made);
        return status;
    }
    *context = made;
    return GASKET_OK;
}

void gasket_context_destroy(gasket_context *context) {
    if (!context) return;
    gk_jit_destroy(context->jit);
    pthread_key_delete(context->message);
    for (struct gk_message *message = context->messages, *next; message; message = next) {
        next = message->next;
        free(message);
    }
    pthread_mutex_destroy(&context->messages_lock);
    pthread_rwlock_destroy(&context->catalog_lock);
    gk_catalog_free(&context->catalog);
    free(context);
}

enum gasket_status gk_context_report(struct gasket_context *context, const struct gk_error *error) {
    struct gk_message *message = pthread_getspecific(context->message);
    if (!message) message = add_message(context);
    if (message) memcpy(message->text, error->text, GK_ERROR_TEXT);
    return error->status;
}

const char *gasket_message(gasket_context *context) {
    const struct gk_message *message = context ? pthread_getspecific(context->message) : NULL;
    return message ? message->text : "";
}

enum gasket_status gasket_register(gasket_context *context, const struct gasket_kernel_set *set) {
    if (!context) return GASKET_INVALID_ARGUMENT;
    struct gk_error error;
    pthread_rwlock_wrlock(&context->catalog_lock);
    enum gasket_status status = gk_catalog_add(&context->catalog, set, &error);
    pthread_rwlock_unlock(&context->catalog_lock);
    return status ? gk_context_report(context, &error) : GASKET_OK;
}

int gasket_isa_usable(const char *isa, const char **why) {
    int known = isa ? gk_isa_named(isa) : -1;
    const char *missing =
        known < 0 ? "there is no instruction set of this name" : gk_isa_missing((enum gasket_isa)known);
    if (why) *why = missing ? missing : "usable";
    return !missing;
}

const char *gasket_context_isa(const gasket_context *context) {
    return gk_isa_name(context->limits.level);
}

int gasket_context_threads(const gasket_context *context) {
    return context->parallel.threads;
}

void gasket_counters_read(const gasket_context *context, struct gasket_counters *counters) {
    counters->exact = atomic_load_explicit(&context->served[GK_TIER_EXACT], memory_order_relaxed);
    counters->jit = atomic_load_explicit(&context->served[GK_TIER_JIT], memory_order_relaxed);
    counters->general = atomic_load_explicit(&context->served[GK_TIER_GENERAL], memory_order_relaxed);
    counters->interpreter = atomic_load_explicit(&context->served[GK_TIER_INTERPRETER], memory_order_relaxed);
    struct gk_jit_counts jit;
    gk_jit_count(context->jit, &jit);
    counters->jit_compiled = jit.compiled;
    counters->jit_from_disk = jit.from_disk;
    counters->jit_failed = jit.failed;
    counters->jit_evicted = jit.evicted;
    counters->jit_nanoseconds = jit.compile_nanoseconds;
    counters->jit_kernels = jit.kernels;
    counters->jit_code_bytes = jit.code_bytes;
}
