/* allocations: each allocation fails in turn and leaves a clean status, nothing written, nothing lost and a library
 * that works; a plan that is run again allocates nothing; a call allocates nothing in proportion to its data. */
#include <stdio.h>
#include <string.h>

#include "support/allocator.h"
#include "support/support.h"

#ifdef HAS_OWN_ALLOCATOR
int main(void) {
    puts("SKIP: the sanitizer has its own allocator");
    return 77;
}
#else

/* ---- Steps, each of which may run out of memory ---- */

struct scene {
    const char *tier;
    gasket_context *context;
    gasket_plan *plan;
    int defined; /* operations */
    struct tensor params, indices, bad, out, tuples, strings, sums;
};

static enum gasket_status open_context(struct scene *scene) {
    struct gasket_options options = {
        .size = sizeof options, .threads = 1, .tier = scene->tier, .allocate = strings_allocate};
    return gasket_context_create(&options, &scene->context);
}

static enum gasket_status open_plan(struct scene *scene) {
    gasket_plan_destroy(scene->plan);
    scene->plan = NULL;
    return PLAN(scene->context, "gather", &scene->plan, gasket_tensor("params", &scene->params.view),
                gasket_tensor("indices", &scene->indices.view), gasket_tensor("out", &scene->out.view));
}

static enum gasket_status run_plan(struct scene *scene) {
    enum gasket_status status = scene->plan ? GASKET_OK : open_plan(scene);
    return status ? status : gasket_plan_run(scene->plan, NULL, 0);
}

static enum gasket_status call(struct scene *scene) {
    return CALL(scene->context, "gather", gasket_tensor("params", &scene->params.view),
                gasket_tensor("indices", &scene->indices.view), gasket_tensor("out", &scene->out.view));
}

static enum gasket_status call_badly(struct scene *scene) {
    enum gasket_status status =
        CALL(scene->context, "gather", gasket_tensor("params", &scene->params.view),
             gasket_tensor("indices", &scene->bad.view), gasket_tensor("out", &scene->out.view));
    (void)gasket_message(scene->context);
    return status == GASKET_OUT_OF_BOUNDS ? GASKET_OK : status;
}

static enum gasket_status infer(struct scene *scene) {
    struct gasket_shape shape;
    const struct gasket_argument arguments[] = {gasket_tensor("params", &scene->params.view),
                                                gasket_tensor("indices", &scene->indices.view)};
    return gasket_infer(scene->context, "gather", arguments, 2, &shape);
}

static enum gasket_status explain(struct scene *scene) {
    char text[200];
    enum gasket_status status = scene->plan ? GASKET_OK : open_plan(scene);
    return status ? status : gasket_plan_explain(scene->plan, text, sizeof text, NULL);
}

static int count_line(void *user, const struct gasket_combination *combination) {
    (void)combination;
    return ++*(int *)user > 50;
}

static enum gasket_status list(struct scene *scene) {
    int lines = 0;
    struct gasket_operation_info info;
    (void)gasket_manifest(scene->context, "gather", count_line, &lines);
    return gasket_operation_describe(scene->context, 0, &info);
}

static enum gasket_status add_strings(struct scene *scene) {
    const int64_t shape[] = {2};
    return CALL(scene->context, "scatter_nd", gasket_tensor("indices", &scene->tuples.view),
                gasket_tensor("updates", &scene->strings.view), gasket_integers("shape", shape, 1),
                gasket_tensor("out", &scene->sums.view), gasket_text("bounds", "drop"));
}

/* Each time another operation. */
static enum gasket_status define(struct scene *scene) {
    const struct gasket_definition_attribute attribute = {.name = "shift", .default_value = "0", .doc = "Nothing"};
    char name[32];
    snprintf(name, sizeof name, "pick%d", scene->defined);
    const struct gasket_definition definition = {.size = sizeof definition,
                                                 .name = name,
                                                 .formula = "out[N, S] = params[indices[N], S]",
                                                 .attributes = &attribute,
                                                 .n_attributes = 1,
                                                 .docs = "params: The table"};
    enum gasket_status status = gasket_define(scene->context, &definition);
    if (status == GASKET_OK) scene->defined++;
    return status;
}

static enum gasket_status define_and_call(struct scene *scene) {
    enum gasket_status status = scene->defined ? GASKET_OK : define(scene);
    return status ? status
                  : CALL(scene->context, "pick0", gasket_tensor("params", &scene->params.view),
                         gasket_tensor("indices", &scene->indices.view), gasket_tensor("out", &scene->out.view));
}

static enum gasket_status define_badly(struct scene *scene) {
    const struct gasket_definition definition = {.size = sizeof definition, .name = "pick", .formula = "out[N] = "};
    enum gasket_status status = gasket_define(scene->context, &definition);
    return status == GASKET_INVALID_ARGUMENT ? GASKET_OK : status;
}

struct step {
    const char *name;
    enum gasket_status (*run)(struct scene *scene);
    int writes; /* out, when it ends well */
};
static const struct step steps[] = {{"plan_create", open_plan, 0},
                                    {"plan_run", run_plan, 1},
                                    {"call", call, 1},
                                    {"a call that fails", call_badly, 0},
                                    {"infer", infer, 0},
                                    {"explain", explain, 0},
                                    {"manifest", list, 0},
                                    {"added strings", add_strings, 0},
                                    {"define", define, 0},
                                    {"a definition that is called", define_and_call, 1},
                                    {"a definition that is wrong", define_badly, 0}};

static void open_scene(struct scene *scene, const char *tier) {
    memset(scene, 0, sizeof *scene);
    scene->tier = tier;
    tensor_parse(&scene->params, "f32[3,2]=1..6", AT_END);
    tensor_parse(&scene->indices, "i32[2]=2,0", AT_END);
    tensor_parse(&scene->bad, "i32[2]=0,7", AT_END);
    tensor_parse(&scene->tuples, "i32[3,1]=0,7,0", AT_END);
    tensor_parse(&scene->out, "f32[2,2]", AT_END);
    tensor_parse(&scene->strings, "string[3]='a','b','c'", AT_END);
    tensor_parse(&scene->sums, "string[2]", AT_END);
}

static void close_scene(struct scene *scene) {
    gasket_plan_destroy(scene->plan);
    gasket_context_destroy(scene->context);
    struct tensor *tensors[] = {&scene->params, &scene->indices, &scene->bad, &scene->out,
                                &scene->tuples, &scene->strings, &scene->sums};
    for (int i = 0; i < 7; i++)
        tensor_free(tensors[i]);
    strings_release();
}

static int right(const struct scene *scene) {
    const float expected[] = {5, 6, 1, 2};
    return memcmp(scene->out.data, expected, sizeof expected) == 0;
}

/* Runs the step with its n-th allocation failing; whether there was an n-th. */
static int fail_step(const struct step *step, const char *tier, long n) {
    struct scene scene;
    long before = live;
    open_scene(&scene, tier);
    if (open_context(&scene)) give_up("no context");
    has_failed = 0;
    countdown = n;
    enum gasket_status status = step->run(&scene);
    countdown = -1;
    int clean = tensor_is_poisoned(&scene.out), failed = has_failed;
    check(status == GASKET_OK || (failed && status == GASKET_OUT_OF_MEMORY && clean), "%s, %s, allocation %ld: %s: %s",
          step->name, tier, n, gasket_status_name(status), gasket_message(scene.context));
    enum gasket_status again = step->run(&scene);
    check(again == GASKET_OK && (!step->writes || right(&scene)), "%s, %s, after allocation %ld failed: %s: %s",
          step->name, tier, n, gasket_status_name(again), gasket_message(scene.context));
    close_scene(&scene);
    check(live == before, "%s, %s, allocation %ld: %ld pieces are lost", step->name, tier, n, live - before);
    return failed;
}

static int fail_context(const char *tier, long n) {
    struct scene scene;
    long before = live;
    open_scene(&scene, tier);
    has_failed = 0;
    countdown = n;
    enum gasket_status status = open_context(&scene);
    countdown = -1;
    int failed = has_failed;
    check(status == GASKET_OK || (failed && status == GASKET_OUT_OF_MEMORY && scene.context == NULL),
          "context_create, allocation %ld: %s", n, gasket_status_name(status));
    close_scene(&scene);
    check(live == before, "context_create, allocation %ld: %ld pieces are lost", n, live - before);
    return failed;
}

/* ---- Counting ---- */

struct large {
    struct tensor params, indices, updates, out;
    const char *operation, *combine, *accumulate;
};

static void open_large(struct large *large, const char *operation, const char *combine, const char *accumulate,
                       int64_t rows) {
    const int64_t table[] = {1000, 64}, tuples[] = {rows, 1}, picked[] = {rows, 64};
    DLDataType f16 = {kDLFloat, 16, 1};
    *large = (struct large){.operation = operation, .combine = combine, .accumulate = accumulate};
    tensor_make(&large->params, f16, 2, table, AT_END);
    tensor_make(&large->indices, (DLDataType){kDLInt, 32, 1}, 2, tuples, AT_END);
    tensor_make(&large->updates, f16, 2, picked, AT_END);
    for (int64_t i = 0; i < rows; i++)
        ((int32_t *)(void *)large->indices.data)[i] = (int32_t)(i * 7919 % 1000);
    memset(large->params.data, 0, large->params.bytes);
    memset(large->updates.data, 0, large->updates.bytes);
    tensor_make(&large->out, f16, 2, combine ? table : picked, AT_END);
}

static void close_large(struct large *large) {
    tensor_free(&large->params);
    tensor_free(&large->indices);
    tensor_free(&large->updates);
    tensor_free(&large->out);
}

static gasket_plan *plan_large(gasket_context *context, const struct large *large) {
    gasket_plan *plan = NULL;
    if (large->combine)
        PLAN(context, large->operation, &plan, gasket_tensor("tensor", &large->params.view),
             gasket_tensor("indices", &large->indices.view), gasket_tensor("updates", &large->updates.view),
             gasket_tensor("out", &large->out.view), gasket_text("combine", large->combine),
             gasket_text("accumulate", large->accumulate));
    else
        PLAN(context, large->operation, &plan, gasket_tensor("params", &large->params.view),
             gasket_tensor("indices", &large->indices.view), gasket_tensor("out", &large->out.view));
    return plan;
}

/* Allocations and bytes of one more run of the plan. */
static void count_run(const struct setting *setting, const struct large *large, int may_use_scratch) {
    enum { SCRATCH = 1 << 20 };
    gasket_plan *plan = plan_large(setting->context, large);
    enum gasket_status status = plan ? gasket_plan_run(plan, NULL, 0) : GASKET_INTERNAL;
    long pieces = allocations;
    size_t bytes = allocated_bytes;
    if (status == GASKET_OK) status = gasket_plan_run(plan, NULL, 0);
    pieces = allocations - pieces;
    bytes = allocated_bytes - bytes;
    check(status == GASKET_OK && (may_use_scratch ? bytes < SCRATCH : pieces == 0),
          "a run of %s %s %s (%s): %s; %ld allocations of %zu bytes", large->operation,
          large->combine ? large->combine : "", large->accumulate ? large->accumulate : "", setting->name,
          gasket_status_name(status), pieces, bytes);
    gasket_plan_destroy(plan);
}

static void count_call(const struct setting *setting) {
    enum { MODEST = 256 << 10 };
    struct large large;
    open_large(&large, "gather_nd", NULL, NULL, 50000);
    size_t bytes = allocated_bytes;
    enum gasket_status status =
        CALL(setting->context, "gather_nd", gasket_tensor("params", &large.params.view),
             gasket_tensor("indices", &large.indices.view), gasket_tensor("out", &large.out.view));
    bytes = allocated_bytes - bytes;
    check(status == GASKET_OK && bytes < MODEST, "a call of 6 MB (%s): %s; %zu bytes allocated", setting->name,
          gasket_status_name(status), bytes);
    close_large(&large);
}

static void count_all(const struct setting *setting) {
    static const char *const forms[][3] = {{"gather_nd", NULL, NULL},
                                           {"tensor_scatter", "store", "native"},
                                           {"tensor_scatter", "add", "native"},
                                           {"tensor_scatter", "max", "native"},
                                           {"tensor_scatter", "add", "f32"}};
    int interpreted = setting->tier && strcmp(setting->tier, "interpreter") == 0;
    int general = setting->tier && strcmp(setting->tier, "general") == 0; /* has nothing for accumulate = f32 */
    for (int i = 0; i < (general ? 4 : 5); i++)
        for (int big = 0; big < 2; big++) {
            struct large large;
            open_large(&large, forms[i][0], forms[i][1], forms[i][2], big && !interpreted && i < 4 ? 20000 : 3);
            count_run(setting, &large, forms[i][2] && strcmp(forms[i][2], "f32") == 0);
            close_large(&large);
        }
    if (!interpreted) count_call(setting);
}

int main(void) {
    enum { LIMIT = 10000 };
    static const char *const tiers[] = {NULL, "general", "interpreter"};
    static struct setting settings[MAX_SETTINGS];
    for (size_t t = 0; t < 3; t++) {
        for (long n = 0; n < LIMIT && fail_context(tiers[t], n); n++)
            continue;
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
            for (long n = 0; n < LIMIT && fail_step(&steps[s], tiers[t], n); n++)
                continue;
    }
    size_t n = settings_open(settings);
    for (size_t i = 0; i < n; i++)
        count_all(&settings[i]);
    settings_close(settings, n);
    return finish();
}
#endif
