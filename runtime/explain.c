/* explain: what a plan will do and why, as text. */
#include "call_text.h"
#include "cpu.h"
#include "formula/formula.h"
#include "formula/writer.h"
#include "plan.h"

static void write_tensors(struct gk_writer *writer, const struct gk_problem *problem) {
    const struct gasket_formula *formula = &problem->operation->formula;
    for (int t = 0; t < formula->n_tensors; t++) {
        const struct gk_tensor *tensor = &problem->tensors[t];
        char shape[GK_SHAPE_TEXT], strides[GK_SHAPE_TEXT];
        gk_write(writer, "  %-10s %s %s strides %s\n", formula->tensors[t], gk_dtype(tensor->dtype)->name,
                 gk_shape_text(shape, tensor->shape, tensor->ndim),
                 gk_shape_text(strides, tensor->stride, tensor->ndim));
    }
}

static void write_call(struct gk_writer *writer, const struct gk_problem *problem) {
    const struct gasket_operation *operation = problem->operation;
    gk_write(writer, "call: ");
    gk_call_write(writer, problem);
    gk_write(writer, "\n%s: %s\n", operation->name, operation->formula_text);
    write_tensors(writer, problem);
    for (int a = 0; a < operation->n_attributes; a++)
        if (operation->attributes[a].type == GASKET_ATTRIBUTE_INT)
            gk_write(writer, "  %-10s %lld\n", operation->attributes[a].name, (long long)problem->attributes[a]);
    gk_write(writer, "  groups    ");
    for (int g = 0; g < operation->formula.n_groups; g++) {
        char shape[GK_SHAPE_TEXT];
        gk_write(writer, " %c=%s", operation->formula.groups[g],
                 gk_shape_text(shape, problem->group_extent[g], problem->group_rank[g]));
    }
    gk_write(writer, "\n");
}

static void write_axes(struct gk_writer *writer, const char *what, const struct gk_axis *axes, int n) {
    gk_write(writer, "  %-10s", what);
    for (int i = 0; i < n; i++)
        gk_write(writer, " %lld (strides %lld, %lld, %lld)", (long long)axes[i].extent,
                 (long long)axes[i].indexed_stride, (long long)axes[i].plain_stride, (long long)axes[i].index_stride);
    gk_write(writer, n ? "\n" : " none\n");
}

static void write_form(struct gk_writer *writer, const struct gasket_plan *plan) {
    const struct gk_form *form = &plan->form;
    const struct gk_combination *c = &form->combination;
    const char(*names)[GASKET_NAME_SIZE] = plan->problem.operation->formula.tensors;
    char text[GK_TEXT];
    gk_write(writer, "combination: %s %s %s combine=%s %s bounds=%s\n", plan->problem.operation->name,
             gk_dtype_text(c->value), gk_dtype_text(c->index), gk_combine_text(c->combine), gk_form_text(text, c),
             gk_bounds_text(c->bounds));
    gk_write(writer, "normal form (strides in bytes: %s, %s, %s)\n", names[form->indexed], names[form->plain],
             names[form->index]);
    write_axes(writer, "runs", form->runs, form->n_runs);
    gk_write(writer, "  %-10s %lld per run, depth %lld\n", "tuples", (long long)form->count,
             (long long)form->lookups.depth);
    write_axes(writer, "outer", form->outer, form->n_outer);
    if (form->n_inner > 0) write_axes(writer, "box", form->outer + form->n_outer, form->n_inner);
    gk_write(writer, "  %-10s %lld bytes%s\n", "row", (long long)form->row,
             form->n_inner > 0 ? ", one for each element of the box" : "");
}

/* Candidates of one need, all with the same identity. */
struct candidates {
    const struct gasket_kernel *const *kernels;
    size_t n;
    const struct gk_need *need;
    const struct gasket_kernel *chosen;
    const char *because;
};

static void write_applicable(struct gk_writer *writer, const struct candidates *c) {
    for (size_t i = 0; i < c->n; i++) {
        const struct gasket_kernel *kernel = c->kernels[i];
        if (kernel == c->chosen)
            gk_write(writer, "  * %-40s cost %.2f  chosen: %s\n", kernel->name, (double)kernel->rule.cost, c->because);
        else if (!gk_refusal(kernel, c->need))
            gk_write(writer, "    %-40s cost %.2f\n", kernel->name, (double)kernel->rule.cost);
    }
}

/* Each reason once, with the kernels that it refused. Reasons are static texts, one address each. */
static void write_refused(struct gk_writer *writer, const struct candidates *c) {
    for (size_t i = 0; i < c->n; i++) {
        const char *reason = gk_refusal(c->kernels[i], c->need);
        int is_first = reason != NULL && c->kernels[i] != c->chosen;
        for (size_t j = 0; j < i && is_first; j++)
            is_first = gk_refusal(c->kernels[j], c->need) != reason;
        if (!is_first) continue;
        gk_write(writer, "    refused, %s:", reason);
        for (size_t j = i; j < c->n; j++)
            if (gk_refusal(c->kernels[j], c->need) == reason && c->kernels[j] != c->chosen)
                gk_write(writer, " %s", c->kernels[j]->name);
        gk_write(writer, "\n");
    }
}

static const char *why_chosen(const struct gk_catalog *catalog, const struct gk_need *need,
                              const struct gasket_kernel *chosen) {
    if (chosen && chosen == gk_cheapest(catalog, need)) return "the cheapest that applies";
    return chosen && gk_refusal(chosen, need) ? "the tier that is asked for has none" : "takes any part of a row";
}

static void write_candidates(struct gk_writer *writer, const char *what, const struct gk_catalog *catalog,
                             const struct gk_need *need, const struct gasket_kernel *chosen) {
    size_t first, end = gk_catalog_range(catalog, gk_kernel_identity(&need->what), &first);
    struct candidates candidates = {catalog->kernels + first, end - first, need, chosen,
                                    why_chosen(catalog, need, chosen)};
    gk_write(writer, "%s%s\n", what, first == end ? ": no candidates" : "");
    write_applicable(writer, &candidates);
    write_refused(writer, &candidates);
}

static void write_choice(struct gk_writer *writer, const struct gasket_plan *plan) {
    struct gasket_context *context = plan->context;
    const struct gk_limits *limits = &context->limits;
    struct gk_need resolve = gk_need_resolve(&plan->form, limits), fused = gk_need_fused(&plan->form, limits);
    struct gk_need rows = gk_need_rows(&plan->form, &plan->problem, limits);
    pthread_rwlock_rdlock(&context->catalog_lock);
    write_candidates(writer, "resolvers", &context->catalog, &resolve, plan->choice.resolve);
    write_candidates(writer, "movers", &context->catalog, &rows, plan->choice.rows);
    if (!plan->form.scatters) write_candidates(writer, "fused", &context->catalog, &fused, plan->choice.fused);
    pthread_rwlock_unlock(&context->catalog_lock);
}

static void write_schedule(struct gk_writer *writer, const struct gasket_plan *plan) {
    static const char *const splits[] = {"one thread", "threads share the tuples", "threads share the outer rows",
                                         "threads share the bytes of each row",
                                         "each thread owns a range of destinations"};
    gk_write(writer, "schedule: %s; prefetch %lld rows ahead; %s\n", splits[plan->split], (long long)plan->prefetch,
             plan->checks_first ? "all indices are checked before the first store" : "indices are not checked first");
}

/* Why a plan has no call-time kernel. */
static const char *why_no_kernel(const struct gasket_plan *plan) {
    if (plan->no_kernel) return plan->no_kernel;
    if (plan->context->limits.tier != GK_TIER_ANY) return "another tier was asked for";
    return plan->policy == GK_POLICY_OFF ? "jit = off" : "an exact ahead-of-time kernel serves the call";
}

static void write_code(struct gk_writer *writer, const struct gk_kernel_description *kernel) {
    static const char *const sources[] = {"", "hit, read in", "miss, compiled in"};
    if (kernel->key[0]) gk_write(writer, "  %-10s %s\n", "key", kernel->key);
    if (kernel->compiler[0]) gk_write(writer, "  %-10s %s\n", "compiler", kernel->compiler);
    if (kernel->trouble[0]) gk_write(writer, "  %-10s %s\n", "because", kernel->trouble);
    if (kernel->state != GK_READY) return;
    gk_write(writer, "  %-10s %s %.2f ms\n", "cache", sources[kernel->source], kernel->milliseconds);
    gk_write(writer, "  %-10s %zu bytes\n", "code", kernel->code_bytes);
}

static void write_kernel(struct gk_writer *writer, const struct gasket_plan *plan) {
    static const char *const policies[] = {GK_POLICY_NAMES};
    static const char *const states[] = {"not compiled yet", "waits for the compiler", "is being compiled", "ready",
                                         "can not be compiled"};
    if (!plan->jit) {
        gk_write(writer, "call-time kernel: none, %s\n", why_no_kernel(plan));
        return;
    }
    struct gk_kernel_description kernel;
    gk_jit_describe(plan->context->jit, plan->jit, &kernel);
    gk_write(writer, "call-time kernel: %s, %s (jit = %s)\n", plan->jit->name, states[kernel.state],
             policies[plan->policy]);
    gk_nest_write(writer, &plan->nest, plan->problem.operation->formula.tensors);
    write_code(writer, &kernel);
}

static const char *why_tier(const struct gasket_plan *plan) {
    if (gk_plan_tier(plan) == GK_TIER_JIT) return "compiled for this very call";
    if (plan->tier != GK_TIER_INTERPRETER) return "the best that has kernels for the call";
    return plan->interpreted_because ? plan->interpreted_because : "asked for";
}

size_t gk_plan_text(const struct gasket_plan *plan, char *text, size_t capacity) {
    struct gk_writer writer = gk_writer_start(text, capacity);
    write_call(&writer, &plan->problem);
    if (plan->folds) write_form(&writer, plan);
    if (plan->tier != GK_TIER_INTERPRETER) {
        write_choice(&writer, plan);
        write_schedule(&writer, plan);
    }
    write_kernel(&writer, plan);
    const enum gk_tier tier = gk_plan_tier(plan);
    gk_write(&writer, "tier: %s (%s)\nkernel: %s\nisa: %s\n", gk_tier_names[tier], why_tier(plan),
             tier == GK_TIER_JIT ? plan->jit->name : plan->kernel, gk_isa_name(plan->context->limits.level));
    return writer.length;
}
