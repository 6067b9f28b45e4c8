/* run: see run.h. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "cuda.h"
#include "definition.h"
#include "edge.h"
#include "interpreter.h"
#include "jit.h"
#include "session.h"

enum { STRINGS = 64 << 20, WORTH_FEWER = 32 << 10 };

/* ---- Contexts and memory ---- */

/* Strings of one run; the next run uses the memory again, behind those that the interpreter made. */
static void *allocate_string(void *user, size_t bytes) {
    struct fuzz_runner *runner = user;
    size_t begin = runner->strings_used;
    if (runner->has_no_strings || bytes > STRINGS - begin) return NULL;
    runner->strings_used += (bytes + 15) / 16 * 16;
    return runner->strings + begin;
}

void fuzz_runner_make(struct fuzz_runner *runner) {
    memset(runner, 0, sizeof *runner);
    runner->parts.allocate = allocate_string;
    runner->parts.allocate_user = runner;
    runner->contexts = &runner->table;
    fuzz_oracle(runner->contexts, &runner->parts);
    for (int level = 0; level < FUZZ_LEVELS; level++)
        for (int tier = GK_TIER_ANY; !gk_isa_missing((enum gasket_isa)level) && tier < GK_TIERS; tier++)
            for (int threads = 0; tier != GK_TIER_JIT && threads < FUZZ_THREAD_COUNTS; threads++) {
                struct fuzz_variant v = {
                    .level = (enum gasket_isa)level, .tier = (enum gk_tier)tier, .threads = threads};
                fuzz_context(runner->contexts, &runner->parts, &v);
            }
    runner->plan = malloc(sizeof *runner->plan);
    runner->oracle_plan = malloc(sizeof *runner->oracle_plan);
    runner->expected = malloc(FUZZ_PLACE_BYTES);
    runner->before = malloc(FUZZ_PLACE_BYTES);
    runner->strings = malloc(STRINGS);
    if (!runner->plan || !runner->oracle_plan || !runner->expected || !runner->before || !runner->strings) {
        fputs("gasket-fuzz: no memory\n", stderr);
        exit(2);
    }
}

int fuzz_runner_define(struct fuzz_runner *runner, const char *definition) {
    struct gk_error unknown;
    fuzz_contexts_free(&runner->drawn);
    runner->drawn.definition = definition;
    runner->contexts = definition ? &runner->drawn : &runner->table;
    return definition && !gk_catalog_operation(fuzz_runner_catalog(runner), FUZZ_DEFINED, &unknown) ? -1 : 0;
}

const struct gk_catalog *fuzz_runner_catalog(struct fuzz_runner *runner) {
    return &fuzz_oracle(runner->contexts, &runner->parts)->catalog;
}

void fuzz_runner_open(struct fuzz_runner *runner) {
    for (int t = 0; t < FUZZ_TENSORS; t++) {
        fuzz_place_make(&runner->places.near[t], FUZZ_PLACE_BYTES);
        fuzz_place_make(&runner->others[t], FUZZ_PLACE_BYTES);
    }
    fuzz_place_make(&runner->places.far, FUZZ_FAR_BYTES);
    fuzz_edge_open();
}

void fuzz_runner_close(struct fuzz_runner *runner) {
    for (int t = 0; t < FUZZ_TENSORS; t++) {
        fuzz_place_free(&runner->places.near[t]);
        fuzz_place_free(&runner->others[t]);
    }
    fuzz_place_free(&runner->places.far);
    fuzz_edge_close();
}

void fuzz_runner_free(struct fuzz_runner *runner) {
    fuzz_contexts_free(&runner->table);
    fuzz_contexts_free(&runner->drawn);
    free(runner->plan);
    free(runner->oracle_plan);
    free(runner->expected);
    free(runner->before);
    free(runner->strings);
}

/* ---- One case ---- */

char *fuzz_output_place(const struct fuzz_session *s) {
    return s->runner->places.near[s->call->out].written;
}

static void copy_window(const struct fuzz_session *s, char *to, const char *from) {
    size_t begin, bytes = fuzz_window(&s->call->tensors[s->call->out], &begin);
    memcpy(to + begin, from + begin, bytes);
}

void fuzz_keep_expected(const struct fuzz_session *s) {
    copy_window(s, s->runner->expected, fuzz_output_place(s));
}

void fuzz_restore_output(const struct fuzz_session *s) {
    copy_window(s, fuzz_output_place(s), s->runner->before);
}

void fuzz_begin_check(struct fuzz_session *s, const struct fuzz_variant *variant) {
    struct fuzz_runner *runner = s->runner;
    runner->strings_used = s->strings_used;
    runner->note->variant = *variant;
    atomic_fetch_add_explicit(&runner->note->checks, 1, memory_order_relaxed);
    fuzz_restore_output(s);
    struct fuzz_cutter *cutter = &runner->parts.cutters[variant->threads];
    cutter->random = fuzz_random_make(s->call->seed, 7);
    cutter->is_real = fuzz_chance(&cutter->random, runner->real_threads);
}

enum fuzz_result fuzz_differs(struct fuzz_session *s, const char *what, const char *expected, const char *got) {
    snprintf(s->runner->note->difference, sizeof s->runner->note->difference, "%s: expected \"%.480s\", got \"%.480s\"",
             what, expected, got);
    return FUZZ_DIFFERS;
}

enum fuzz_result fuzz_end_check(struct fuzz_session *s, enum gasket_status status, const char *message) {
    const struct gk_problem *problem = &s->runner->oracle_plan->problem;
    int by_content = s->status == GASKET_OK && problem->value_dtype == GASKET_STRING;
    if (status != s->status)
        return fuzz_differs(s, "status", s->status ? s->error.text : "OK", status ? message : "OK");
    if (status && strcmp(message, s->error.text) != 0) return fuzz_differs(s, "message", s->error.text, message);
    if (status == GASKET_OUT_OF_MEMORY) return FUZZ_EQUAL; /* what it had added by then may stay */
    const char *expected = s->status ? s->runner->before : s->runner->expected;
    char difference[FUZZ_DIFFERENCE];
    if (fuzz_judge(s->call, expected, fuzz_output_place(s), by_content, difference) == 0) return FUZZ_EQUAL;
    snprintf(s->runner->note->difference, sizeof s->runner->note->difference, "%s%.900s",
             s->status ? "written although it failed: " : "", difference);
    return FUZZ_DIFFERS;
}

/* An index goes bad behind the check: the second one has to find it. Rows may be written by then, nothing else. */
enum fuzz_result fuzz_end_changed(struct fuzz_session *s, enum gasket_status status, uint8_t tensor) {
    const struct fuzz_buffer *index = &s->call->tensors[tensor];
    const struct fuzz_buffer *out = &s->call->tensors[s->call->out];
    char difference[FUZZ_DIFFERENCE];
    memcpy(s->runner->places.near[tensor].written + index->at, index->image, index->bytes);
    if (status != GASKET_OUT_OF_BOUNDS)
        return fuzz_differs(s, "status after an index has changed", "OUT_OF_BOUNDS", gasket_status_name(status));
    memcpy(fuzz_output_place(s) + out->at, s->runner->before + out->at, out->bytes);
    if (fuzz_judge(s->call, s->runner->before, fuzz_output_place(s), 0, difference) == 0) return FUZZ_EQUAL;
    return fuzz_differs(s, "after an index has changed", "nothing beside the output", difference);
}

/* Runs a plan on its own data. */
enum gasket_status fuzz_execute(const struct gasket_plan *plan, struct gk_error *error) {
    char *data[GASKET_MAX_TENSORS] = {NULL};
    for (int t = 0; t < plan->problem.operation->formula.n_tensors; t++)
        data[t] = plan->problem.tensors[t].data;
    return gk_plan_execute(plan, data, error);
}

/* ---- The interpreter ---- */

static void interpret(struct fuzz_session *s) {
    struct fuzz_runner *runner = s->runner;
    struct gasket_plan *plan = runner->oracle_plan;
    runner->strings_used = 0;
    s->error.text[0] = 0;
    s->is_bound = 0;
    s->n_arguments = fuzz_call_arguments(s->call, s->arguments);
    copy_window(s, runner->before, fuzz_output_place(s));
    s->status = gk_plan_make(plan, fuzz_oracle(runner->contexts, &runner->parts), s->call->operation->name,
                             s->arguments, s->n_arguments, &s->error);
    if (!s->status) s->status = gk_problem_check_data(&plan->problem, &s->error);
    if (s->status) {
        plan->problem.value_dtype = GASKET_BOOL; /* what follows may look at it */
        return;
    }
    s->is_bound = 1;
    s->status = fuzz_execute(plan, &s->error);
    fuzz_keep_expected(s);
    s->strings_used = runner->strings_used;
}

enum gasket_status fuzz_interpret(struct fuzz_runner *runner, struct fuzz_call *call, struct gk_error *error) {
    struct fuzz_session s = {.runner = runner, .call = call};
    fuzz_call_place(call, &runner->places);
    interpret(&s);
    *error = s.error;
    return s.status;
}

/* ---- Through the public interface ---- */

gasket_context *fuzz_session_context(const struct fuzz_session *s, const struct fuzz_variant *variant) {
    return fuzz_context(s->runner->contexts, &s->runner->parts, variant);
}

int fuzz_is_untouched(const struct fuzz_session *s, enum gasket_status status) {
    char difference[FUZZ_DIFFERENCE];
    return status && fuzz_judge(s->call, s->runner->before, fuzz_output_place(s), 0, difference) == 0;
}

/* A tier that is asked for may not serve the call; then nothing is written. */
static enum fuzz_result end_public(struct fuzz_session *s, const struct fuzz_variant *variant,
                                   enum gasket_status status, const char *message) {
    const int is_unserved = variant->tier != GK_TIER_ANY && status == GASKET_UNAVAILABLE &&
                            s->status != GASKET_UNAVAILABLE && fuzz_is_untouched(s, status);
    if (variant->tier == GK_TIER_JIT) return fuzz_jit_end(s, status, message, is_unserved);
    return is_unserved ? FUZZ_EQUAL : fuzz_end_check(s, status, message);
}

static enum fuzz_result run_call(struct fuzz_session *s, const struct fuzz_variant *variant) {
    gasket_context *context = fuzz_session_context(s, variant);
    enum gasket_status status = gasket_call(context, s->call->operation->name, s->arguments, s->n_arguments);
    return end_public(s, variant, status, gasket_message(context));
}

/* The data pointers of the formula's tensors, in the order of the arguments. */
static size_t list_data(const struct fuzz_call *call, void *data[GASKET_MAX_TENSORS]) {
    size_t n = 0;
    for (int t = 0; t < GASKET_MAX_TENSORS; t++)
        if (call->tensors[t].is_given) data[n++] = call->tensors[t].view.data;
    return n;
}

/* The plan is made on memory that holds other values, or none, and run on that of the case. */
static enum fuzz_result run_plan(struct fuzz_session *s, const struct fuzz_variant *variant) {
    gasket_context *context = fuzz_session_context(s, variant);
    struct fuzz_call *call = s->call;
    void *data[GASKET_MAX_TENSORS];
    size_t n = list_data(call, data);
    for (int t = 0; t < GASKET_MAX_TENSORS; t++) {
        struct fuzz_buffer *buffer = &call->tensors[t];
        const struct fuzz_place *other = &s->runner->others[t == call->in_place ? call->out : t];
        if (buffer->is_given && buffer->bytes > 0)
            buffer->view.data = call->seed & 1 && buffer->far == 0 ? other->written + buffer->at : NULL;
    }
    gasket_plan *plan;
    enum gasket_status status = gasket_plan_create(context, call->operation->name, s->arguments, s->n_arguments, &plan);
    if (!status) status = gasket_plan_run(plan, data, n);
    n = 0;
    for (int t = 0; t < GASKET_MAX_TENSORS; t++)
        if (call->tensors[t].is_given) call->tensors[t].view.data = data[n++];
    if (plan) gasket_plan_destroy(plan);
    return end_public(s, variant, status, gasket_message(context));
}

/* ---- By force ---- */

/* The plan of the call in a context of the variant's threads, and where its plain rows begin; NULL where the library
 * leaves the call to the interpreter. */
static struct gasket_plan *plan_for_kernels(struct fuzz_session *s, const char **plain) {
    struct gasket_plan *plan = s->runner->plan;
    const struct fuzz_variant any = {.level = gk_isa_best(), .tier = GK_TIER_ANY};
    gasket_context *context = fuzz_session_context(s, &any);
    struct gk_error error;
    if (gk_plan_make(plan, context, s->call->operation->name, s->arguments, s->n_arguments, &error)) return NULL;
    if (plan->tier == GK_TIER_INTERPRETER) return NULL;
    const char *data = plan->problem.tensors[plan->form.plain].data;
    *plain = data ? data + plan->form.plain_start : NULL;
    return plan;
}

/* Whether an index will change; the seed of the call says whether it should. */
static int await_change(struct fuzz_session *s, const struct gasket_plan *plan) {
    struct fuzz_random random = fuzz_random_make(s->call->seed, 11);
    uint8_t index = plan->form.index;
    int may_change = s->status == GASKET_OK && s->call->tensors[index].far == 0;
    int just_outside = fuzz_chance(&random, 500);
    return may_change && fuzz_chance(&random, 60) &&
           fuzz_edge_change(plan, &s->runner->places.near[index], just_outside) == 0;
}

static enum fuzz_result run_forced(struct fuzz_session *s, const struct fuzz_variant *variant) {
    struct gasket_plan *plan = s->runner->plan;
    struct gk_choice choice = plan->choice;
    struct gk_error error;
    int is_serial = variant->threads != FUZZ_OPENMP && !s->runner->parts.cutters[variant->threads].is_real;
    plan->context = fuzz_session_context(s, variant);
    fuzz_variant_force(variant, plan);
    if (is_serial) fuzz_edge_wrap(plan);
    int awaits = is_serial && await_change(s, plan);
    enum gasket_status status = fuzz_execute(plan, &error);
    int is_counted = s->runner->coverage && (status || gk_form_bytes(&plan->form) > 0);
    if (is_counted) fuzz_count_variant(s->runner->coverage, plan, variant, s->strides);
    plan->choice = choice;
    return awaits && fuzz_edge_changed() ? fuzz_end_changed(s, status, plan->form.index)
                                         : fuzz_end_check(s, status, error.text);
}

enum fuzz_result fuzz_run_variant(struct fuzz_session *s, const struct fuzz_variant *variant) {
    static enum fuzz_result (*const ways[FUZZ_VIAS])(struct fuzz_session *, const struct fuzz_variant *) = {
        [FUZZ_BY_CALL] = run_call, [FUZZ_BY_PLAN] = run_plan, [FUZZ_BY_FORCE] = run_forced};
    fuzz_begin_check(s, variant);
    if (variant->policy != GK_POLICY_OFF) return fuzz_jit_policy(s, variant);
    if (variant->via == FUZZ_BY_FORCE && variant->tier == GK_TIER_JIT) return fuzz_jit_forced(s, variant);
    return ways[variant->via](s, variant);
}

/* ---- All of it ---- */

/* A context at random: an instruction set, a tier, a number of threads. */
static struct fuzz_variant drawn_context(struct fuzz_session *s, enum fuzz_via via) {
    static const uint8_t tiers[GK_TIERS] = {
        [GK_TIER_ANY] = 6, [GK_TIER_EXACT] = 2, [GK_TIER_GENERAL] = 2, [GK_TIER_INTERPRETER] = 1};
    struct fuzz_variant v = {.via = via};
    do
        v.level = (enum gasket_isa)fuzz_below(&s->random, FUZZ_LEVELS);
    while (gk_isa_missing(v.level));
    v.tier = (enum gk_tier)fuzz_weighted(&s->random, tiers, GK_TIERS);
    if (s->runner->tier != GK_TIER_ANY) v.tier = s->runner->tier;
    v.threads = fuzz_chance(&s->random, 40) ? FUZZ_OPENMP : (int)fuzz_below(&s->random, FUZZ_OPENMP);
    return v;
}

static enum fuzz_result run_public(struct fuzz_session *s) {
    enum fuzz_result result = FUZZ_EQUAL;
    for (int via = FUZZ_BY_CALL; via <= FUZZ_BY_PLAN && result == FUZZ_EQUAL; via++) {
        struct fuzz_variant variant = drawn_context(s, (enum fuzz_via)via);
        result = fuzz_run_variant(s, &variant);
    }
    return result;
}

static int is_of_tier(const struct fuzz_variant *variant, enum gk_tier tier) {
    const struct gasket_kernel *mover = variant->fused ? variant->fused : variant->rows;
    return tier == GK_TIER_ANY || (mover->rule.exact ? GK_TIER_EXACT : GK_TIER_GENERAL) == tier;
}

static enum fuzz_result run_kernels(struct fuzz_session *s) {
    struct fuzz_variants variants = {.n = 0};
    const char *plain;
    struct gasket_plan *plan = plan_for_kernels(s, &plain);
    enum fuzz_result result = FUZZ_EQUAL;
    if (!plan) return result;
    fuzz_variants_list(&variants, plan, plain, s->runner->pattern, &s->random);
    int is_large = s->call->tensors[s->call->out].bytes > WORTH_FEWER;
    for (size_t i = 0; i < variants.n && result == FUZZ_EQUAL; i++)
        if (is_of_tier(&variants.list[i], s->runner->tier) && (!is_large || fuzz_chance(&s->random, 300)))
            result = fuzz_run_variant(s, &variants.list[i]);
    int has_points = gk_form_bytes(&plan->form) > 0 || s->status;
    if (s->runner->coverage && variants.n > 0 && has_points) fuzz_count_case(s->runner->coverage, plan);
    return result;
}

static enum fuzz_result run_only(struct fuzz_session *s, const struct fuzz_variant *only) {
    const char *plain;
    if (gk_isa_missing(only->level)) return FUZZ_EQUAL;
    if (only->via == FUZZ_BY_FORCE && only->tier != GK_TIER_JIT) {
        struct gasket_plan *plan = plan_for_kernels(s, &plain);
        if (!plan || !fuzz_variant_applies(only, plan, plain)) return FUZZ_EQUAL;
    }
    return fuzz_run_variant(s, only);
}

/* Of a formula that was drawn no kernel is forced: what the tiers make of it is enough. */
static enum fuzz_result run_all(struct fuzz_session *s, int is_refused) {
    const struct fuzz_runner *runner = s->runner;
    const int is_drawn = runner->contexts == &runner->drawn, is_jit = runner->tier == GK_TIER_JIT;
    struct fuzz_random random = fuzz_random_make(s->call->seed, 13);
    enum fuzz_result result = FUZZ_EQUAL;
    if (!is_jit && (!runner->pattern || is_refused)) result = run_public(s);
    if (!is_jit && !is_drawn && !is_refused && result == FUZZ_EQUAL) result = run_kernels(s);
    const int runs_jit = is_jit || fuzz_chance(&random, is_drawn ? 1000 : runner->jit_share);
    return runs_jit && runner->has_compiler && result == FUZZ_EQUAL ? fuzz_jit_run(s, is_refused) : result;
}

enum fuzz_result fuzz_run(struct fuzz_runner *runner, struct fuzz_call *call, const struct fuzz_variant *only) {
    struct fuzz_session s = {.runner = runner, .call = call};
    s.random = fuzz_random_make(call->seed, 1);
    runner->has_no_strings = fuzz_chance(&s.random, 60);
    fuzz_call_place(call, &runner->places);
    s.strides = fuzz_stride_class(call);
    interpret(&s);
    if (s.status == GASKET_OUT_OF_MEMORY && !runner->has_no_strings) return FUZZ_REFUSED; /* too many strings */
    int is_refused = s.status && s.status != GASKET_OUT_OF_BOUNDS && s.status != GASKET_OUT_OF_MEMORY;
    /* Rows of half a byte are what a right call may still ask for in vain. */
    int is_half = call->tensors[call->out].view.dtype.bits < 8;
    if (call->is_legal && (s.status == GASKET_INVALID_ARGUMENT || (s.status == GASKET_UNSUPPORTED && !is_half)))
        return fuzz_differs(&s, "status", "OK", s.error.text);
    enum fuzz_result result = FUZZ_EQUAL;
    if (runner->emulates)
        result = fuzz_cuda_run(&s);
    else if (only)
        result = run_only(&s, only);
    else
        result = run_all(&s, is_refused);
    return result == FUZZ_EQUAL && is_refused ? FUZZ_REFUSED : result;
}
