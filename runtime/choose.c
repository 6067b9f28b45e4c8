/* choose: see choose.h. */
#include "choose.h"

#include <string.h>

#include "bounds.h"

const char *const gk_tier_names[GK_TIERS] = {"any", "exact", "jit", "general", "interpreter"};

/* What all plain strides are multiples of. The data's own alignment is only known when it is there. */
static int64_t stride_alignment(const struct gk_form *form) {
    int64_t strides = form->plain_start | (form->count > 1 ? form->plain_row_stride : 0);
    for (int i = 0; i < form->n_runs; i++)
        strides |= form->runs[i].plain_stride;
    for (int i = 0; i < form->n_outer; i++)
        strides |= form->outer[i].plain_stride;
    return strides ? strides & -strides : INT64_MAX;
}

static struct gk_need make_need(enum gasket_kernel_kind kind, const struct gk_form *form,
                                const struct gk_limits *limits) {
    struct gk_need need;
    memset(&need, 0, sizeof need);
    need.what.kind = (uint8_t)kind;
    need.level = limits->level;
    need.tier = limits->tier == GK_TIER_JIT ? GK_TIER_ANY : limits->tier; /* beneath call-time kernels: the best */
    need.row = form->row > 0 ? form->row : form->element; /* where nothing is moved, any kernel will do */
    need.count = form->count;
    need.bytes = gk_form_bytes(form);
    need.alignment = stride_alignment(form);
    need.strided = form->n_inner > 0;
    need.packed_rows = form->plain_row_stride == form->row || form->count <= 1;
    return need;
}

static struct gk_need need_of_index(enum gasket_kernel_kind kind, const struct gk_form *form,
                                    const struct gk_limits *limits) {
    struct gk_need need = make_need(kind, form, limits);
    int64_t size = gk_dtype_bytes(form->combination.index), depth = form->lookups.depth;
    need.what.index_dtype = (uint8_t)form->combination.index;
    need.what.form = (uint8_t)gk_resolve_form(form->combination.bounds);
    need.depth = (uint8_t)depth;
    need.packed_tuples = (form->lookups.component_stride == size || depth <= 1) &&
                         (form->lookups.tuple_stride == depth * size || form->count <= 1);
    return need;
}

struct gk_need gk_need_resolve(const struct gk_form *form, const struct gk_limits *limits) {
    return need_of_index(GASKET_RESOLVE, form, limits);
}

/* Any tier: a check moves nothing. */
struct gk_need gk_need_check(const struct gk_form *form, const struct gk_limits *limits) {
    struct gk_need need = need_of_index(GASKET_CHECK, form, limits);
    need.tier = GK_TIER_ANY;
    return need;
}

struct gk_need gk_need_fused(const struct gk_form *form, const struct gk_limits *limits) {
    return need_of_index(GASKET_FUSED, form, limits);
}

struct gk_need gk_need_rows(const struct gk_form *form, const struct gk_problem *problem,
                            const struct gk_limits *limits) {
    int stores = problem->combine == GASKET_STORE;
    struct gk_need need = make_need(!form->scatters ? GASKET_MOVE
                                    : stores        ? GASKET_PLACE
                                                    : GASKET_REDUCE,
                                    form, limits);
    if (form->scatters && !stores) {
        int ordered = problem->combine == GASKET_MIN || problem->combine == GASKET_MAX;
        int floating = gk_dtype(problem->value_dtype)->class == GASKET_FLOAT;
        need.what.value_dtype = (uint8_t)problem->value_dtype;
        need.what.combine = (uint8_t)problem->combine;
        need.what.nan_propagates = ordered && floating ? (uint8_t)problem->nan_propagates : (uint8_t)GASKET_ANY;
    }
    return need;
}

/* One reason to refuse a kernel. */
struct test {
    const char *refusal;
    int (*passes)(const struct gasket_rule *rule, const struct gk_need *need);
};

static int row_fits(const struct gasket_rule *rule, const struct gk_need *need) {
    return need->row >= rule->row_min && need->row <= rule->row_max;
}
static int row_divides(const struct gasket_rule *rule, const struct gk_need *need) {
    return need->row % rule->row_multiple == 0;
}
static int shape_fits(const struct gasket_rule *rule, const struct gk_need *need) {
    return rule->strided == need->strided;
}
static int rows_touch(const struct gasket_rule *rule, const struct gk_need *need) {
    return !rule->packed_rows || need->packed_rows;
}
static int tuples_touch(const struct gasket_rule *rule, const struct gk_need *need) {
    return !rule->packed_tuples || need->packed_tuples;
}
static int count_fits(const struct gasket_rule *rule, const struct gk_need *need) {
    return need->count >= rule->count_min && need->count <= rule->count_max;
}
static int work_suffices(const struct gasket_rule *rule, const struct gk_need *need) {
    return need->bytes >= rule->bytes_min;
}
static int aligned(const struct gasket_rule *rule, const struct gk_need *need) {
    return need->alignment >= rule->alignment;
}
static int tier_allows(const struct gasket_rule *rule, const struct gk_need *need) {
    return need->tier == GK_TIER_ANY || rule->exact == (need->tier == GK_TIER_EXACT);
}

static const struct test index_tests[] =
    {
        {"tuples are not contiguous", tuples_touch},
        {"another number of tuples", count_fits},
        {"another tier is asked for", tier_allows},
},
                         row_tests[] = {
                             {"rows are boxes of strided elements, or are not", shape_fits},
                             {"another row length", row_fits},
                             {"the row length is no multiple of its unit", row_divides},
                             {"rows of the plain tensor do not touch", rows_touch},
                             {"too little is moved to pay", work_suffices},
                             {"rows are not aligned enough", aligned},
                             {"another number of tuples", count_fits},
                             {"another tier is asked for", tier_allows},
};

static const char *first_failure(const struct test *tests, size_t n, const struct gasket_rule *rule,
                                 const struct gk_need *need) {
    for (size_t i = 0; i < n; i++)
        if (!tests[i].passes(rule, need)) return tests[i].refusal;
    return NULL;
}

const char *gk_refusal(const struct gasket_kernel *kernel, const struct gk_need *need) {
    int is_of_index = kernel->kind == GASKET_RESOLVE || kernel->kind == GASKET_CHECK;
    int of_index = is_of_index || kernel->kind == GASKET_FUSED, of_rows = !is_of_index;
    const char *refusal = NULL;
    if (kernel->isa > need->level) /* a table has kernels of its own architecture only */
        return "a wider instruction set than the level in use";
    if (of_index && kernel->depth != GASKET_ANY && kernel->depth != need->depth) return "another tuple depth";
    if (of_index) refusal = first_failure(index_tests, sizeof index_tests / sizeof *index_tests, &kernel->rule, need);
    if (!refusal && of_rows)
        refusal = first_failure(row_tests, sizeof row_tests / sizeof *row_tests, &kernel->rule, need);
    return refusal;
}

/* The commonest refusals, before the tests are asked one by one. */
static int is_hopeless(const struct gasket_kernel *kernel, const struct gk_need *need,
                       const struct gasket_kernel *best) {
    const struct gasket_rule *rule = &kernel->rule;
    if (need->row < rule->row_min || need->row > rule->row_max) return 1;
    return best && (rule->cost > best->rule.cost || (!(rule->cost < best->rule.cost) && kernel->isa <= best->isa));
}

const struct gasket_kernel *gk_cheapest(const struct gk_catalog *catalog, const struct gk_need *need) {
    const struct gasket_kernel *best = NULL;
    size_t i, end = gk_catalog_range(catalog, gk_kernel_identity(&need->what), &i);
    for (; i < end; i++)
        if (!is_hopeless(catalog->kernels[i], need, best) && !gk_refusal(catalog->kernels[i], need))
            best = catalog->kernels[i];
    return best;
}

/* A forced tier binds the rows; the resolver may be of any tier when there is none of the one asked for. */
static const struct gasket_kernel *choose_resolver(const struct gk_catalog *catalog, struct gk_need need) {
    const struct gasket_kernel *kernel = gk_cheapest(catalog, &need);
    need.tier = GK_TIER_ANY;
    return kernel ? kernel : gk_cheapest(catalog, &need);
}

static const struct gasket_kernel *choose_piece(const struct gk_catalog *catalog, struct gk_need need) {
    need.alignment = 1;
    need.packed_rows = 0;
    need.tier = GK_TIER_GENERAL;
    return gk_cheapest(catalog, &need);
}

int gk_may_fuse(const struct gk_form *form, const struct gk_problem *problem) {
    int fills = problem->has_fill || problem->bounds == GASKET_BOUNDS_FILL;
    return !form->scatters && form->outer_count == 1 && !fills;
}

static const struct gasket_kernel *choose_fused(const struct gk_catalog *catalog, const struct gk_form *form,
                                                const struct gk_problem *problem, const struct gk_limits *limits) {
    if (!gk_may_fuse(form, problem)) return NULL;
    struct gk_need need = gk_need_fused(form, limits);
    return gk_cheapest(catalog, &need);
}

/* Few are resolved once for both. */
static const struct gasket_kernel *choose_check(const struct gk_catalog *catalog, const struct gk_form *form,
                                                const struct gk_problem *problem, const struct gk_limits *limits) {
    if (!gk_bounds_reports(problem) || gk_form_tuples(form) <= GASKET_BLOCK) return NULL;
    struct gk_need need = gk_need_check(form, limits);
    return gk_cheapest(catalog, &need);
}

enum gasket_status gk_choose(struct gk_choice *choice, const struct gk_catalog *catalog, const struct gk_form *form,
                             const struct gk_problem *problem, const struct gk_limits *limits, struct gk_error *error) {
    struct gk_need rows = gk_need_rows(form, problem, limits);
    choice->resolve = choose_resolver(catalog, gk_need_resolve(form, limits));
    choice->rows = gk_cheapest(catalog, &rows);
    choice->piece =
        limits->tier != GK_TIER_EXACT && form->scatters && !rows.strided ? choose_piece(catalog, rows) : NULL;
    rows.alignment = 1;
    choice->unaligned = choice->rows && choice->rows->rule.alignment > 1 ? gk_cheapest(catalog, &rows) : choice->rows;
    if (!choice->resolve || !choice->rows || !choice->unaligned)
        return gk_fail(error, GASKET_UNAVAILABLE, "%s: no %s kernel serves this call%s", problem->operation->name,
                       limits->tier == GK_TIER_ANY ? "ahead-of-time" : gk_tier_names[limits->tier],
                       choice->resolve ? "" : " (no resolver for its index)");
    choice->check = choose_check(catalog, form, problem, limits);
    choice->fused = choose_fused(catalog, form, problem, limits);
    if (choice->fused && choice->fused->rule.cost >= choice->rows->rule.cost) choice->fused = NULL;
    int exact =
        (choice->fused ? choice->fused : choice->rows)->rule.exact && (choice->fused || choice->resolve->rule.exact);
    choice->tier = exact ? GK_TIER_EXACT : GK_TIER_GENERAL;
    return GASKET_OK;
}
