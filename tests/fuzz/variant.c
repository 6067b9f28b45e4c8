/* variant: see variant.h. */
#include "variant.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"

const int fuzz_thread_counts[FUZZ_THREAD_COUNTS] = {1, 2, 3, 8, 3};
const char *const fuzz_split_names[GK_SPLIT_OWNERS + 1] = {"nothing", "tuples", "outer", "columns", "owners"};

/* ---- Which kernels apply ---- */

/* The chooser's rules without its preferences: a kernel may run whatever would pay more. */
static struct gk_need without_preference(struct gk_need need) {
    need.bytes = INT64_MAX;
    need.count = INT64_MAX; /* a share of a run may have any number of tuples */
    need.tier = GK_TIER_ANY;
    need.level = gk_isa_best();
    return need;
}

struct needs {
    struct gk_need resolve, rows, piece, fused;
};

static struct needs needs_of(const struct gasket_plan *plan) {
    const struct gk_limits *limits = &plan->context->limits;
    struct needs needs = {
        .resolve = without_preference(gk_need_resolve(&plan->form, limits)),
        .rows = without_preference(gk_need_rows(&plan->form, &plan->problem, limits)),
        .fused = without_preference(gk_need_fused(&plan->form, limits)),
    };
    needs.piece = needs.rows;
    needs.piece.alignment = 1;
    needs.piece.packed_rows = 0;
    needs.piece.tier = GK_TIER_GENERAL;
    return needs;
}

static int is_aligned(const struct gasket_kernel *kernel, const char *plain) {
    return ((uintptr_t)plain & (uintptr_t)(kernel->rule.alignment - 1)) == 0;
}

static int serves(const struct gasket_kernel *kernel, const struct gk_need *need) {
    return gk_kernel_identity(kernel) == gk_kernel_identity(&need->what) && gk_refusal(kernel, need) == NULL;
}

static int may_split(const struct gasket_plan *plan, enum gk_split split) {
    int adds_strings = plan->problem.value_dtype == GASKET_STRING && plan->problem.combine != GASKET_STORE;
    if (split == GK_SPLIT_NOTHING) return 1;
    if (adds_strings) return 0;
    if (split == GK_SPLIT_COLUMNS) return plan->form.scatters && plan->form.n_inner == 0;
    return split == GK_SPLIT_OUTER || (split == GK_SPLIT_OWNERS) == plan->form.scatters;
}

int fuzz_variant_applies(const struct fuzz_variant *variant, const struct gasket_plan *plan, const char *plain) {
    struct needs needs = needs_of(plan);
    const struct gk_need *rows = variant->split == GK_SPLIT_COLUMNS ? &needs.piece : &needs.rows;
    if (!may_split(plan, variant->split)) return 0;
    if (variant->fused)
        return gk_may_fuse(&plan->form, &plan->problem) && serves(variant->fused, &needs.fused) &&
               is_aligned(variant->fused, plain);
    return serves(variant->resolve, &needs.resolve) && serves(variant->rows, rows) && is_aligned(variant->rows, plain);
}

void fuzz_variant_force(const struct fuzz_variant *variant, struct gasket_plan *plan) {
    struct gk_choice *choice = &plan->choice;
    choice->fused = variant->fused;
    if (!variant->fused) {
        choice->resolve = variant->resolve;
        choice->rows = choice->unaligned = choice->piece = variant->rows;
    }
    gk_plan_split(plan, variant->split);
    plan->prefetch = variant->prefetch;
    if (variant->grain > 0) plan->grain = variant->grain;
}

/* ---- The list ---- */

enum { MOST = 64 };

struct kernels {
    size_t n;
    const struct gasket_kernel *list[MOST];
};

struct lister {
    struct fuzz_variants *variants;
    const struct gasket_plan *plan;
    const char *plain, *pattern;
    struct fuzz_random *random;
    struct kernels resolvers, rows, pieces, fused;
};

static void collect(struct kernels *kernels, const struct lister *l, const struct gk_need *need) {
    const struct gk_catalog *catalog = &l->plan->context->catalog;
    size_t i, end = gk_catalog_range(catalog, gk_kernel_identity(&need->what), &i);
    for (kernels->n = 0; i < end && kernels->n < MOST; i++)
        if (!gk_refusal(catalog->kernels[i], need) && is_aligned(catalog->kernels[i], l->plain))
            kernels->list[kernels->n++] = catalog->kernels[i];
}

static const struct gasket_kernel *any(const struct lister *l, const struct kernels *kernels) {
    return kernels->n > 0 ? kernels->list[fuzz_below(l->random, (int64_t)kernels->n)] : NULL;
}

static int is_wanted(const struct lister *l, const struct fuzz_variant *v) {
    const struct gasket_kernel *const kernels[] = {v->resolve, v->rows, v->fused};
    for (int i = 0; i < 3; i++)
        if (kernels[i] && fnmatch(l->pattern, kernels[i]->name, 0) == 0) return 1;
    return 0;
}

static void add(struct lister *l, struct fuzz_variant v) {
    static const uint8_t distances[] = {0, 1, 2, 7, 16, 32};
    if (!v.fused && (!v.resolve || !v.rows)) return;
    if (l->pattern && !is_wanted(l, &v)) return;
    v.via = FUZZ_BY_FORCE;
    v.level = gk_isa_best();
    v.tier = GK_TIER_ANY;
    v.prefetch = distances[fuzz_below(l->random, sizeof distances)];
    v.grain = (int)fuzz_between(l->random, 1, fuzz_chance(l->random, 300) ? 9 : 1);
    if (v.split != GK_SPLIT_NOTHING && fuzz_chance(l->random, 80)) v.threads = FUZZ_OPENMP;
    if (l->variants->n < FUZZ_VARIANTS) l->variants->list[l->variants->n++] = v;
}

/* A way to share the work, drawn: mostly none. */
static void draw_split(const struct lister *l, struct fuzz_variant *v) {
    v->split = GK_SPLIT_NOTHING;
    v->threads = 0;
    if (!fuzz_chance(l->random, 250)) return;
    enum gk_split split = l->plan->form.scatters ? GK_SPLIT_OWNERS : GK_SPLIT_TUPLES;
    if (fuzz_chance(l->random, 400)) split = GK_SPLIT_OUTER;
    if (!may_split(l->plan, split)) return;
    v->split = split;
    v->threads = (int)fuzz_between(l->random, 1, FUZZ_OPENMP - 1);
}

static void add_kernels(struct lister *l) {
    for (size_t i = 0; i < l->resolvers.n; i++) {
        struct fuzz_variant v = {.resolve = l->resolvers.list[i], .rows = any(l, &l->rows)};
        draw_split(l, &v);
        add(l, v);
    }
    for (size_t i = 0; i < l->rows.n; i++) {
        struct fuzz_variant v = {.resolve = any(l, &l->resolvers), .rows = l->rows.list[i]};
        draw_split(l, &v);
        add(l, v);
    }
    for (size_t i = 0; i < l->fused.n; i++) {
        struct fuzz_variant v = {.fused = l->fused.list[i]};
        draw_split(l, &v);
        add(l, v);
    }
}

static void add_splits(struct lister *l) {
    for (int split = GK_SPLIT_TUPLES; split <= GK_SPLIT_OWNERS; split++) {
        if (!may_split(l->plan, (enum gk_split)split)) continue;
        struct fuzz_variant v = {.resolve = any(l, &l->resolvers),
                                 .rows = any(l, split == GK_SPLIT_COLUMNS ? &l->pieces : &l->rows),
                                 .split = (enum gk_split)split,
                                 .threads = (int)fuzz_between(l->random, 1, FUZZ_OPENMP - 1)};
        add(l, v);
    }
}

void fuzz_variants_list(struct fuzz_variants *variants, const struct gasket_plan *plan, const char *plain,
                        const char *pattern, struct fuzz_random *random) {
    struct lister l = {.variants = variants, .plan = plan, .plain = plain, .pattern = pattern, .random = random};
    struct needs needs = needs_of(plan);
    collect(&l.resolvers, &l, &needs.resolve);
    collect(&l.rows, &l, &needs.rows);
    collect(&l.pieces, &l, &needs.piece);
    if (gk_may_fuse(&plan->form, &plan->problem)) collect(&l.fused, &l, &needs.fused);
    add_kernels(&l);
    add_splits(&l);
}

/* ---- Text ---- */

static const char *const vias[FUZZ_VIAS] = {"call", "plan", "force"};
static const char *const policies[GK_POLICIES] = {GK_POLICY_NAMES};

const char *fuzz_variant_text(char text[FUZZ_VARIANT_TEXT], const struct fuzz_variant *v) {
    int n = snprintf(text, FUZZ_VARIANT_TEXT, "via=%s isa=%s tier=%s threads=", vias[v->via], gk_isa_name(v->level),
                     gk_tier_names[v->tier]);
    n += v->threads == FUZZ_OPENMP
             ? snprintf(text + n, (size_t)(FUZZ_VARIANT_TEXT - n), "openmp")
             : snprintf(text + n, (size_t)(FUZZ_VARIANT_TEXT - n), "%d", fuzz_thread_counts[v->threads]);
    if (v->policy != GK_POLICY_OFF) snprintf(text + n, (size_t)(FUZZ_VARIANT_TEXT - n), " jit=%s", policies[v->policy]);
    if (v->via == FUZZ_BY_FORCE && v->tier == GK_TIER_JIT)
        snprintf(text + n, (size_t)(FUZZ_VARIANT_TEXT - n), " prefetch=%d streams=%d", v->prefetch, v->streams);
    if (v->via != FUZZ_BY_FORCE || v->tier == GK_TIER_JIT) return text;
    if (v->fused)
        n += snprintf(text + n, (size_t)(FUZZ_VARIANT_TEXT - n), " fused=%s", v->fused->name);
    else
        n +=
            snprintf(text + n, (size_t)(FUZZ_VARIANT_TEXT - n), " resolve=%s rows=%s", v->resolve->name, v->rows->name);
    snprintf(text + n, (size_t)(FUZZ_VARIANT_TEXT - n), " split=%s prefetch=%d grain=%d", fuzz_split_names[v->split],
             v->prefetch, v->grain);
    return text;
}

/* The place of a text in a list, or -1. */
static int position(const char *text, const char *const *names, int n) {
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], text) == 0) return i;
    return -1;
}

static int read_kernel(const struct gasket_kernel **kernel, const struct gk_catalog *catalog, const char *name) {
    for (size_t i = 0; i < catalog->n_kernels; i++)
        if (strcmp(catalog->kernels[i]->name, name) == 0) *kernel = catalog->kernels[i];
    return *kernel ? 0 : -1;
}

static int read_threads(struct fuzz_variant *v, const char *value) {
    if (strcmp(value, "openmp") == 0) {
        v->threads = FUZZ_OPENMP;
        return 0;
    }
    for (v->threads = 0; v->threads < FUZZ_OPENMP; v->threads++)
        if (fuzz_thread_counts[v->threads] == atoi(value)) return 0;
    return -1;
}

static int read_count(int *count, const char *value) {
    *count = atoi(value);
    return *count >= 0 ? 0 : -1;
}

int fuzz_variant_word(struct fuzz_variant *v, const struct gk_catalog *catalog, const char *name, const char *value) {
    int found = -1;
    if (strcmp(name, "resolve") == 0) return read_kernel(&v->resolve, catalog, value);
    if (strcmp(name, "rows") == 0) return read_kernel(&v->rows, catalog, value);
    if (strcmp(name, "fused") == 0) return read_kernel(&v->fused, catalog, value);
    if (strcmp(name, "threads") == 0) return read_threads(v, value);
    if (strcmp(name, "prefetch") == 0) return read_count(&v->prefetch, value);
    if (strcmp(name, "grain") == 0) return read_count(&v->grain, value);
    if (strcmp(name, "streams") == 0) return read_count(&v->streams, value);
    if (strcmp(name, "via") == 0)
        v->via = (enum fuzz_via)(found = position(value, vias, FUZZ_VIAS));
    else if (strcmp(name, "isa") == 0)
        v->level = (enum gasket_isa)(found = gk_isa_named(value));
    else if (strcmp(name, "tier") == 0)
        v->tier = (enum gk_tier)(found = position(value, gk_tier_names, GK_TIERS));
    else if (strcmp(name, "jit") == 0)
        v->policy = (enum gk_policy)(found = position(value, policies, GK_POLICIES));
    else if (strcmp(name, "split") == 0)
        v->split = (enum gk_split)(found = position(value, fuzz_split_names, GK_SPLIT_OWNERS + 1));
    return found < 0 ? -1 : 0;
}
