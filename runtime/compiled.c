/* compiled: the public entries of call-time compilation and of its cache. */
#include <stdio.h>
#include <string.h>

#include "jit/cache.h"
#include "plan.h"

static enum gasket_status fail_without(const struct gasket_plan *plan, struct gk_error *error) {
    const char *why = plan->no_kernel                 ? plan->no_kernel
                      : plan->tier == GK_TIER_EXACT   ? "an exact ahead-of-time kernel does (tier = \"jit\" forces one)"
                      : plan->policy == GK_POLICY_OFF ? "jit is off"
                                                      : "another tier is asked for";
    return gk_fail(error, GASKET_UNAVAILABLE, "%s: no call-time kernel serves this: %s", plan->problem.operation->name,
                   why);
}

enum gasket_status gasket_plan_prepare(const gasket_plan *plan) {
    if (!plan) return GASKET_INVALID_ARGUMENT;
    struct gk_error error;
    if (!plan->jit && (plan->tier == GK_TIER_EXACT || plan->nest.is_empty)) return GASKET_OK;
    enum gasket_status status =
        plan->jit ? gk_jit_prepare(plan->context->jit, plan->jit, 1, &error) : fail_without(plan, &error);
    return status ? gk_context_report(plan->context, &error) : GASKET_OK;
}

enum gasket_status gasket_plan_stage(const gasket_plan *plan, enum gasket_stage stage,
                                     void (*take)(void *user, const void *bytes, size_t n), void *user) {
    static const enum gk_stage stages[] = {
        [GASKET_STAGE_SOURCE] = GK_STAGE_SOURCE,       [GASKET_STAGE_IR] = GK_STAGE_IR,
        [GASKET_STAGE_OPTIMISED] = GK_STAGE_OPTIMISED, [GASKET_STAGE_ASSEMBLY] = GK_STAGE_ASSEMBLY,
        [GASKET_STAGE_OBJECT] = GK_STAGE_OBJECT,
    };
    if (!plan || !take) return GASKET_INVALID_ARGUMENT;
    struct gk_error error;
    enum gasket_status status;
    if ((unsigned)stage >= sizeof stages / sizeof *stages)
        status = gk_fail(&error, GASKET_INVALID_ARGUMENT, "stage = %d is none of the stages", (int)stage);
    else if (!plan->jit)
        status = fail_without(plan, &error);
    else
        status = gk_jit_stage(plan->context->jit, plan->jit, stages[stage], take, user, &error);
    return status ? gk_context_report(plan->context, &error) : GASKET_OK;
}

/* ---- The cache ---- */

void gasket_cache_describe(gasket_context *context, struct gasket_cache_info *info) {
    struct gk_cache *cache = gk_jit_cache(context->jit);
    struct gk_cache_stat stat;
    memset(&stat, 0, sizeof stat);
    gk_cache_stat(cache, &stat);
    *info = (struct gasket_cache_info){
        .directory = gk_cache_directory(cache),
        .trouble = gk_cache_trouble(cache),
        .entries = stat.entries,
        .bytes = stat.bytes,
        .limit = stat.limit,
        .hits = stat.hits,
        .misses = stat.misses,
        .stored = stat.stored,
        .failed_stores = stat.failed_stores,
        .damaged = stat.damaged,
        .evicted = stat.evicted,
    };
}

struct listing {
    int (*each)(void *user, const struct gasket_cache_entry *entry);
    void *user;
};

/* A field of the key as text; "" where there is none. */
static const char *field(const struct gk_cache_entry *entry, char tag, char text[64]) {
    size_t n = 0;
    const char *bytes = entry->key ? gk_key_field(entry->key, entry->key_length, tag, &n) : NULL;
    snprintf(text, 64, "%.*s", bytes ? (int)(n < 63 ? n : 63) : 0, bytes ? bytes : "");
    return text;
}

static int list_entry(void *state, const struct gk_cache_entry *entry) {
    const struct listing *listing = state;
    char template_name[64], compiler[64], isa[64];
    const struct gasket_cache_entry line = {
        .file = entry->file,
        .template_name = field(entry, 't', template_name),
        .compiler = field(entry, 'v', compiler),
        .isa = field(entry, 'l', isa),
        .bytes = entry->size,
        .used = entry->used,
        .fault = entry->fault,
    };
    return listing->each(listing->user, &line);
}

int gasket_cache_list(gasket_context *context, int (*each)(void *user, const struct gasket_cache_entry *entry),
                      void *user) {
    struct listing listing = {each, user};
    return gk_cache_walk(gk_jit_cache(context->jit), list_entry, &listing);
}

size_t gasket_cache_prune(gasket_context *context, uint64_t limit) {
    return gk_cache_prune(gk_jit_cache(context->jit), limit);
}

size_t gasket_cache_clear(gasket_context *context) {
    return gk_cache_clear(gk_jit_cache(context->jit));
}

static enum gasket_status carry(enum gasket_status (*way)(struct gk_cache *, const char *, size_t *, struct gk_error *),
                                gasket_context *context, const char *file, size_t *entries) {
    if (!context) return GASKET_INVALID_ARGUMENT;
    struct gk_error error;
    size_t n = 0;
    enum gasket_status status = file ? way(gk_jit_cache(context->jit), file, &n, &error)
                                     : gk_fail(&error, GASKET_INVALID_ARGUMENT, "file is NULL");
    if (entries) *entries = n;
    return status ? gk_context_report(context, &error) : GASKET_OK;
}

enum gasket_status gasket_cache_export(gasket_context *context, const char *file, size_t *entries) {
    return carry(gk_cache_export, context, file, entries);
}

enum gasket_status gasket_cache_import(gasket_context *context, const char *file, size_t *entries) {
    enum gasket_status status = carry(gk_cache_import, context, file, entries);
    if (context) gk_build_note_imported(gk_jit_cache(context->jit));
    return status;
}
