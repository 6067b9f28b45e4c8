/* context: see context.h. */
#include "context.h"

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "table.h"

static enum gasket_status read_tier(const char *name, enum gk_tier *tier, struct gk_error *error) {
    *tier = GK_TIER_ANY;
    for (int t = GK_TIER_ANY; name && t < GK_TIERS; t++)
        if (strcmp(name, gk_tier_names[t]) == 0) {
            *tier = (enum gk_tier)t;
            return GASKET_OK;
        }
    return name ? gk_fail(error, GASKET_INVALID_ARGUMENT, "tier '%s' is none of exact, general, interpreter", name)
                : GASKET_OK;
}

static enum gasket_status read_isa(const char *name, enum gasket_isa *level, struct gk_error *error) {
    int isa = name ? gk_isa_named(name) : (int)gk_isa_best();
    if (isa < 0) return gk_fail(error, GASKET_INVALID_ARGUMENT, "isa '%s' is none of base, avx2, avx512, neon", name);
    *level = (enum gasket_isa)isa;
    const char *missing = gk_isa_missing(*level);
    return missing ? gk_fail(error, GASKET_UNAVAILABLE, "isa '%s': %s", name, missing) : GASKET_OK;
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
    return status ? status : read_tier(from->tier, &context->limits.tier, error);
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
        gk_catalog_free(&made->catalog);
        free(made);
        return status;
    }
    *context = made;
    return GASKET_OK;
}

void gasket_context_destroy(gasket_context *context) {
    if (!context) return;
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
    counters->general = atomic_load_explicit(&context->served[GK_TIER_GENERAL], memory_order_relaxed);
    counters->interpreter = atomic_load_explicit(&context->served[GK_TIER_INTERPRETER], memory_order_relaxed);
}
