/* jit_policies: when a kernel is compiled and who decides that, through contexts, calls and plans: the four policies,
 * what they cost, thresholds, words that are none, and kernels that are prepared or only looked at. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jit/policy.h"
#include "support/faked.h"

static const char *const words[GK_POLICIES] = {GK_POLICY_NAMES};
static struct fake *fake;

static gasket_plan *plan_of(gasket_context *context, struct job *job, int number, const char *jit) {
    gasket_plan *plan;
    job_start(job, number);
    if (job_plan(job, context, jit, &plan)) give_up(gasket_message(context));
    return plan;
}

static int run_is_right(gasket_plan *plan, struct job *job) {
    return gasket_plan_run(plan, NULL, 0) == GASKET_OK && job_is_right(job);
}

static int is_untouched(const struct job *job) {
    const unsigned char *bytes = (const unsigned char *)job->out_data;
    size_t i = 0;
    while (i < sizeof job->out_data && bytes[i] == POISON)
        i++;
    return i == sizeof job->out_data;
}

/* Refused because no kernel is ready, with these words, and nothing was done. */
static int is_refused(gasket_context *context, int number, const char *jit, const char *reason) {
    struct job job;
    gasket_plan *plan;
    job_start(&job, number);
    for (int as_plan = 0; as_plan < 2; as_plan++) {
        const enum gasket_status status = as_plan ? job_plan(&job, context, jit, &plan) : job_call(&job, context, jit);
        const char *message = gasket_message(context);
        if (status == GASKET_UNAVAILABLE && strstr(message, "gather: jit = \"require\", and no kernel is ready: ") &&
            strstr(message, reason) && is_untouched(&job) && !(as_plan && plan))
            continue;
        fprintf(stderr, "job %d, required: %s: %s, not %s\n", number, gasket_status_name(status), message, reason);
        return 0;
    }
    return 1;
}

/* ---- Which policy holds ---- */

/* What the first call of a shape leads to under each. */
static const struct effect {
    const char *story;
    int is_served, by_kernel;
} effects[GK_POLICIES] = {[GK_POLICY_OFF] = {"call-time kernel: none, jit = off", 1, 0},
                          [GK_POLICY_SYNC] = {", ready (jit = sync)", 1, 1},
                          [GK_POLICY_ASYNC] = {", not compiled yet (jit = async)", 1, 0},
                          [GK_POLICY_REQUIRE] = {"", 0, 0}};

static void check_policy(gasket_context *context, const char *jit, enum gk_policy policy, const char *name) {
    static int number;
    const struct effect *effect = &effects[policy];
    for (int as_plan = 0; as_plan < 2; as_plan++) {
        struct job job;
        gasket_plan *plan = NULL;
        const struct gasket_counters before = counters_of(context);
        const int compiles = fake->compiles;
        job_start(&job, number++);
        enum gasket_status status = as_plan ? job_plan(&job, context, jit, &plan) : job_call(&job, context, jit);
        if (plan) check(explained(plan, effect->story), "%s", name);
        if (plan) status = gasket_plan_run(plan, NULL, 0);
        gasket_plan_destroy(plan);
        const struct gasket_counters after = counters_of(context);
        check(effect->is_served ? status == GASKET_OK && job_is_right(&job)
                                : status == GASKET_UNAVAILABLE && is_untouched(&job),
              "%s: %s: %s", name, gasket_status_name(status), gasket_message(context));
        check((int)(after.jit - before.jit) == effect->by_kernel &&
                  (int)(after.general - before.general) == (effect->is_served && !effect->by_kernel) &&
                  fake->compiles - compiles == effect->by_kernel,
              "%s: %d compilations, %d calls by kernels, %d by others", name, fake->compiles - compiles,
              (int)(after.jit - before.jit), (int)(after.general - before.general));
    }
}

/* jit of the call, of the options, of the environment; -1: not given, -2 (environment): a word that is none. */
static void check_given(int call, int option, int environment) {
    char name[128];
    const char *jit = call < 0 ? NULL : words[call];
    const int policy = call >= 0 ? call : option >= 0 ? option : environment >= 0 ? environment : GK_POLICY_ASYNC;
    if (environment == -1)
        unsetenv("GASKET_JIT");
    else
        setenv("GASKET_JIT", environment < 0 ? "Sync" : words[environment], 1);
    gasket_context *context = context_open(&(struct gasket_options){.jit = option < 0 ? NULL : words[option]});
    snprintf(name, sizeof name, "call %d, option %d, environment %d", call, option, environment);
    check_policy(context, jit, (enum gk_policy)policy, name);
    gasket_context_destroy(context);
}

static void decide(void) {
    fake = fake_load();
    for (int call = -1; call < GK_POLICIES; call++)
        for (int option = -1; option < GK_POLICIES; option++)
            for (int environment = -2; environment < GK_POLICIES; environment++)
                check_given(call, option, environment);
}

/* ---- What is none ---- */

static void check_word(gasket_context *context, const char *word) {
    struct job job;
    gasket_plan *plan;
    char what[80];
    snprintf(what, sizeof what, "jit = \"%s\"", word);
    job_start(&job, 1);
    for (int as_plan = 0; as_plan < 2; as_plan++) {
        const enum gasket_status status =
            as_plan ? job_plan(&job, context, word, &plan) : job_call(&job, context, word);
        check(status == GASKET_INVALID_ARGUMENT && strstr(gasket_message(context), what) &&
                  strstr(gasket_message(context), "off, sync, async, require") && is_untouched(&job),
              "%s: %s: %s", what, gasket_status_name(status), gasket_message(context));
        check(!as_plan || !plan, "%s: there is a plan", what);
    }
}

static void check_options(const struct gasket_options *options, const char *name) {
    struct gasket_options all = *options;
    gasket_context *context = NULL;
    all.size = sizeof all;
    const enum gasket_status status = gasket_context_create(&all, &context);
    check(status == GASKET_INVALID_ARGUMENT && !context, "%s: %s", name, gasket_status_name(status));
}

static void misspell(void) {
    static const char *const wrong[] = {"", "now", "Sync", "sync ", "syn", "on", "1"};
    fake = fake_load();
    gasket_context *context = context_of("sync");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        check_word(context, wrong[i]);
        check_options(&(struct gasket_options){.jit = wrong[i]}, wrong[i]);
    }
    check_options(&(struct gasket_options){.jit_calls = -1}, "jit_calls = -1");
    check_options(&(struct gasket_options){.jit_bytes = -1}, "jit_bytes = -1");
    check_options(&(struct gasket_options){.jit_kernels = -1}, "jit_kernels = -1");
    check(fake->compiles == 0, "%d compilations for calls that are wrong", fake->compiles);
    gasket_context_destroy(context);
}

/* ---- What is not used is not loaded ---- */

static int is_loaded(const char *plugin) {
    void *handle = dlopen(plugin, RTLD_NOW | RTLD_NOLOAD);
    if (handle) dlclose(handle);
    return handle != NULL;
}

static void use_all(gasket_context *context) {
    struct job job;
    struct gasket_report report;
    struct gasket_cache_info info;
    gasket_plan *plan = plan_of(context, &job, 1, NULL);
    check(job_try(context, 1, NULL) && run_is_right(plan, &job), "a call");
    check(explained(plan, "tier: general"), "the plan's story");
    gasket_plan_report(plan, &report);
    check(strcmp(report.tier, "general") == 0 && !report.jit_key[0] && !report.jit_code_bytes, "the plan's report");
    gasket_cache_describe(context, &info);
    gasket_plan_destroy(plan);
}

static void load_nothing(void) {
    const char *plugin = getenv("GASKET_FAKE");
    gasket_context *off = context_of("off"), *async = context_open(&(struct gasket_options){.jit = "async"});
    use_all(off);
    use_all(async);
    check(!is_loaded(plugin), "the plug-in is loaded though nothing was compiled");
    check(job_try(async, 1, "sync") && is_loaded(plugin), "this test does not see that a plug-in is loaded");
    gasket_context_destroy(async);
    gasket_context_destroy(off);
}

static void complain_of_nothing(void) {
    static const char plugin[] = "/nonexistent/plugin.so";
    setenv("GASKET_PLUGIN", plugin, 1);
    gasket_context *context = context_of("off");
    use_all(context);
    check(counters_of(context).jit_failed == 0 && !*gasket_message(context), "it is missed: %s",
          gasket_message(context));
    check(job_try(context, 1, "sync") && counters_of(context).jit_failed + counters_of(context).jit == 1,
          "this test does not see that a plug-in is missing");
    gasket_context_destroy(context);
}

/* ---- Thresholds ---- */

static int is_cold(const gasket_plan *plan) {
    static char text[16384];
    return gasket_plan_explain(plan, text, sizeof text, NULL) == GASKET_OK && strstr(text, "not compiled yet") != NULL;
}

/* Uses the plan until its kernel is asked for, and no more; the compiler is held meanwhile. How many uses that took. */
static int uses_until_asked(gasket_context *context, gasket_plan *plan, const char *name) {
    enum { MOST = 1000 };
    int uses = 0;
    fake->held = 1;
    for (; uses < MOST && is_cold(plan); uses++)
        check(gasket_plan_run(plan, NULL, 0) == GASKET_OK, "%s: use %d: %s", name, uses, gasket_message(context));
    fake->held = 0;
    check(gasket_plan_prepare(plan) == GASKET_OK, "%s: %s", name, gasket_message(context));
    return uses;
}

static void check_threshold(const struct gasket_options *options, int number, int expected) {
    struct job job;
    struct gasket_report report;
    char name[80];
    snprintf(name, sizeof name, "jit_calls = %lld, jit_bytes = %lld", (long long)options->jit_calls,
             (long long)options->jit_bytes);
    const int compiles = fake->compiles;
    gasket_context *context = context_open(options);
    gasket_plan *plan = plan_of(context, &job, number, "async");
    const int uses = uses_until_asked(context, plan, name);
    check(uses == expected, "%s: it is compiled after %d uses, not %d", name, uses, expected);
    check(run_is_right(plan, &job), "%s: the kernel", name);
    gasket_plan_report(plan, &report);
    const struct gasket_counters counters = counters_of(context);
    check(fake->compiles == compiles + 1 && counters.jit_compiled == 1 && counters.jit == 1 &&
              counters.general == (uint64_t)uses,
          "%s: %d compilations, %d calls by the kernel, %d before", name, fake->compiles - compiles, (int)counters.jit,
          (int)counters.general);
    gasket_plan_destroy(plan);
    gasket_context_destroy(context);
}

/* What a run of the job moves. */
static int64_t bytes_of(int number) {
    struct job job;
    struct gasket_report report;
    gasket_context *context = context_of("off");
    gasket_plan *plan = plan_of(context, &job, number, NULL);
    gasket_plan_report(plan, &report);
    gasket_plan_destroy(plan);
    gasket_context_destroy(context);
    return report.output_bytes;
}

static void count_uses(void) {
    const int64_t bytes = bytes_of(7), never = INT64_MAX;
    const struct {
        int64_t calls, bytes;
        int expected;
    } cases[] = {
        {1, never, 1},     {2, never, 2},    {17, never, 17},       {0, 0, 100},           {0, never, 100},
        {never, bytes, 1}, {never, 1, 1},    {never, bytes + 1, 2}, {never, 5 * bytes, 5}, {never, 5 * bytes + 1, 6},
        {3, 5 * bytes, 3}, {9, 5 * bytes, 5}};
    fake = fake_load();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct gasket_options options = {.jit_calls = cases[i].calls, .jit_bytes = cases[i].bytes, .cache = ""};
        check_threshold(&options, 7, cases[i].expected);
    }
}

/* Calls and runs of all plans of a shape count together; making a plan does not. */
static void count_together(void) {
    fake = fake_load();
    struct job job, other;
    gasket_context *context = context_open(&(struct gasket_options){.jit_calls = 9, .cache = ""});
    gasket_plan *plan = plan_of(context, &job, 1, "async"), *twin = plan_of(context, &other, 1, "async");
    for (int i = 0; i < 4; i++)
        check(job_try(context, 1, NULL) && run_is_right(i % 2 ? plan : twin, i % 2 ? &job : &other) &&
                  job_try(context, 1, "off") && job_try(context, 2, NULL),
              "calls");
    gasket_plan_destroy(plan_of(context, &other, 1, "async"));
    check(is_cold(plan), "it is compiled before it was used often enough");
    check(job_try(context, 1, NULL) && !is_cold(plan), "it is not compiled though it was used often enough");
    check(job_prepare(context, 1) && fake->compiles == 1, "%d compilations", fake->compiles);
    gasket_plan_destroy(twin);
    gasket_plan_destroy(plan);
    gasket_context_destroy(context);
}

/* A byte that the interpreter moves counts 64 times. */
static void count_interpreted(void) {
    enum { WEIGHT = 64, USES = 3 };
    struct tensor params, indices, out;
    fake = fake_load();
    tensor_parse(&params, "f32[5,300]=0..1499", AT_END);
    tensor_parse(&indices, "i32[5,200]=7*1000", AT_END);
    tensor_parse(&out, "f32[5,200]", AT_END);
    const int64_t bytes = (int64_t)out.bytes * WEIGHT * USES;
    for (int more = 0; more < 2; more++) {
        gasket_plan *plan;
        gasket_context *context =
            context_open(&(struct gasket_options){.jit_calls = INT64_MAX, .jit_bytes = bytes + more, .cache = ""});
        if (PLAN(context, "take_along_axis", &plan, gasket_tensor("params", &params.view),
                 gasket_tensor("indices", &indices.view), gasket_tensor("out", &out.view), gasket_integer("axis", 1)))
            give_up(gasket_message(context));
        const int uses = uses_until_asked(context, plan, "the interpreter");
        check(uses == USES + more && (int)counters_of(context).interpreter == uses,
              "the interpreter: it is compiled after %d uses, not %d", uses, USES + more);
        gasket_plan_destroy(plan);
        gasket_context_destroy(context);
    }
    tensor_free(&out);
    tensor_free(&indices);
    tensor_free(&params);
}

/* 32 MiB, when nothing else is said. */
static void count_default_bytes(void) {
    enum { WIDTH = 2 << 20, ROWS = 2, USES = 4 };
    struct job job;
    gasket_plan *plan;
    fake = fake_load();
    job_start(&job, 1);
    job.table_shape[1] = job.out_shape[1] = WIDTH;
    job.table_shape[0] = ROWS;
    job.out_shape[0] = job.indices_shape[0] = 1;
    job.table_strides[0] = WIDTH + 1;
    job.indices_data[0] = 1;
    job.table.data = calloc(ROWS * (WIDTH + 1), sizeof(float));
    job.out.data = calloc(WIDTH, sizeof(float));
    gasket_context *context = context_open(&(struct gasket_options){.jit_calls = INT64_MAX, .cache = ""});
    if (!job.table.data || !job.out.data || job_plan(&job, context, NULL, &plan)) give_up("no plan");
    const int uses = uses_until_asked(context, plan, "32 MiB");
    check(uses == USES, "calls of 8 MiB: it is compiled after %d uses, not %d", uses, USES);
    gasket_plan_destroy(plan);
    gasket_context_destroy(context);
    free(job.out.data);
    free(job.table.data);
}

static void call_once(void) {
    enum { SHAPES = 2000 };
    fake = fake_load();
    gasket_context *context = context_open(&(struct gasket_options){.jit = NULL});
    for (int i = 0; i < SHAPES; i++)
        check(job_try(context, i, NULL), "job %d", i);
    const struct gasket_counters counters = counters_of(context);
    gasket_context_destroy(context);
    check(counters.general == SHAPES && counters.jit_failed == 0 && fake->opens == 0 && fake->compiles == 0,
          "%d calls by others, %d compilations", (int)counters.general, fake->compiles);
}

/* ---- require ---- */

static void require(void) {
    static const char none[] = "is neither in memory nor in the cache", unknown[] = "which compiler it is of";
    fake = fake_load();
    gasket_context *context = context_of("require");
    for (int i = 0; i < 3; i++)
        check(is_refused(context, 1, NULL, unknown), "without anything");
    check(fake->opens == 0 && fake->compiles == 0, "%d compilations", fake->compiles);
    struct job job;
    gasket_plan *plan = plan_of(context, &job, 1, "async");
    check(gasket_plan_prepare(plan) == GASKET_OK && fake->compiles == 1, "prepare: %s", gasket_message(context));
    gasket_plan_destroy(plan);
    plan = plan_of(context, &job, 1, NULL);
    check(job_try(context, 1, NULL) && run_is_right(plan, &job) && counters_of(context).jit == 2, "prepared: %s",
          gasket_message(context));
    check(is_refused(context, 2, NULL, none) && fake->compiles == 1, "another kernel");
    gasket_plan_destroy(plan);
    gasket_context_destroy(context);
}

static void require_from_disk(void) {
    static const char none[] = "is neither in memory nor in the cache";
    fake = fake_load();
    gasket_context *context = context_of("sync");
    check(job_try(context, 1, NULL), "a call");
    gasket_context_destroy(context);
    context = context_of("require");
    check(job_try(context, 1, NULL) && counters_of(context).jit_from_disk == 1, "from disk: %s",
          gasket_message(context));
    check(is_refused(context, 2, NULL, none), "another kernel");
    gasket_context_destroy(context);
    context = context_open(&(struct gasket_options){.jit = "require", .cache = ""});
    check(is_refused(context, 1, NULL, none) && fake->compiles == 1, "without a cache; %d compilations",
          fake->compiles);
    gasket_context_destroy(context);
}

/* ---- Preparing and looking ---- */

static void prepare(void) {
    struct job job;
    fake = fake_load();
    gasket_context *context = context_of("off");
    gasket_plan *plan = plan_of(context, &job, 1, NULL);
    check(gasket_plan_prepare(plan) == GASKET_UNAVAILABLE && strstr(gasket_message(context), "jit is off") &&
              fake->opens == 0,
          "off: %s", gasket_message(context));
    check(run_is_right(plan, &job), "off: the plan");
    gasket_plan_destroy(plan);
    for (int i = 1; i <= 2; i++) {
        plan = plan_of(context, &job, i, words[i]);
        for (int n = 0; n < 3; n++)
            check(gasket_plan_prepare(plan) == GASKET_OK && fake->compiles == i, "%s: %s", words[i],
                  gasket_message(context));
        check(run_is_right(plan, &job) && (int)counters_of(context).jit == i, "%s: the plan", words[i]);
        gasket_plan_destroy(plan);
    }
    check(job_try(context, 1, NULL) && counters_of(context).jit == 2, "a kernel is used though jit is off");
    gasket_context_destroy(context);
}

static void take_object(void *user, const void *bytes, size_t n) {
    *(int *)user += n > 4 && memcmp(bytes, "\177ELF", 4) == 0;
}

static enum gasket_status look_at(gasket_plan *plan, enum gasket_stage stage, int *objects) {
    *objects = 0;
    return gasket_plan_stage(plan, stage, take_object, objects);
}

/* A stage is compiled each time, and nothing of it is kept. */
static void look(void) {
    struct job job;
    struct gasket_cache_info info;
    int objects;
    fake = fake_load();
    gasket_context *context = context_of("async");
    gasket_plan *plan = plan_of(context, &job, 1, NULL);
    for (int i = 1; i <= 2; i++)
        check(look_at(plan, GASKET_STAGE_OBJECT, &objects) == GASKET_OK && objects == 1 && fake->compiles == i,
              "the object: %s", gasket_message(context));
    gasket_cache_describe(context, &info);
    check(is_cold(plan) && counters_of(context).jit_compiled == 0 && info.stored == 0, "what was looked at is kept");
    fake->status = GASKET_INTERNAL;
    check(look_at(plan, GASKET_STAGE_OBJECT, &objects) == GASKET_INTERNAL && objects == 0 && is_cold(plan) &&
              strstr(gasket_message(context), FAKE_TROUBLE),
          "a failure: %s", gasket_message(context));
    fake->status = GASKET_OK;
    check(is_refused(context, 1, "require", ""), "what was looked at is used");
    check(gasket_plan_prepare(plan) == GASKET_OK && run_is_right(plan, &job) && counters_of(context).jit == 1,
          "prepare: %s", gasket_message(context));
    check(look_at(plan, GASKET_STAGE_OBJECT, &objects) == GASKET_OK && objects == 1 && run_is_right(plan, &job) &&
              counters_of(context).jit == 2 && counters_of(context).jit_compiled == 1,
          "the object of a kernel that is ready: %s", gasket_message(context));
    gasket_plan_destroy(plan);
    gasket_context_destroy(context);
}

static void look_in_vain(void) {
    struct job job;
    int objects;
    fake = fake_load();
    gasket_context *context = context_of("off");
    gasket_plan *plan = plan_of(context, &job, 1, NULL);
    check(look_at(plan, GASKET_STAGE_OBJECT, &objects) == GASKET_UNAVAILABLE && objects == 0 &&
              strstr(gasket_message(context), "jit is off") && fake->opens == 0,
          "off: %s", gasket_message(context));
    check(look_at(plan, (enum gasket_stage)99, &objects) == GASKET_INVALID_ARGUMENT &&
              strstr(gasket_message(context), "stage = 99"),
          "stage 99: %s", gasket_message(context));
    check(gasket_plan_stage(plan, GASKET_STAGE_OBJECT, NULL, NULL) == GASKET_INVALID_ARGUMENT, "nobody takes it");
    gasket_plan_destroy(plan);
    gasket_context_destroy(context);
}

int main(void) {
    scenario("call, options and environment", decide);
    scenario("words and numbers that are none", misspell);
    scenario("a plug-in that is not needed", load_nothing);
    scenario("a plug-in that is missing and not needed", complain_of_nothing);
    scenario("thresholds", count_uses);
    scenario("calls and plans count together", count_together);
    scenario("the interpreter's bytes", count_interpreted);
    scenario("the usual bytes", count_default_bytes);
    scenario("shapes that come once", call_once);
    scenario("kernels that are required", require);
    scenario("kernels that are required from disk", require_from_disk);
    scenario("kernels that are prepared", prepare);
    scenario("kernels that are only looked at", look);
    scenario("nothing to look at", look_in_vain);
    return scenarios_finish();
}
