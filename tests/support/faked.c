/* faked: see faked.h. */
#include "support/faked.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/cached.h"
#include "support/sanitizers.h"

/* ---- Processes ---- */

enum { SKIPPED = 77, PATIENCE = 100 };

int child_status(void (*run)(void)) {
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) give_up("no process");
    if (child == 0) {
        alarm(PATIENCE); /* hanging is a fault too */
        run();
        exit(0);
    }
    while (waitpid(child, &status, 0) != child)
        continue;
    return status;
}

static void (*scene)(void);
static int n_passed, n_failed;

static void run_scene(void) {
    scene();
    exit(finish());
}

void scenario(const char *name, void (*run)(void)) {
    const char *folder = folder_make();
    setenv("GASKET_CACHE_DIR", folder, 1);
    setenv("GASKET_PLUGIN", getenv("GASKET_FAKE") ? getenv("GASKET_FAKE") : "", 1);
    printf("%s: ", name);
    scene = run;
    const int status = child_status(run_scene);
    const int is_skipped = WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED;
    n_passed += status == 0;
    n_failed += status != 0 && !is_skipped;
    if (WIFSIGNALED(status)) printf("ended by signal %d\n", WTERMSIG(status));
    folder_remove(folder);
}

int scenarios_finish(void) {
    printf("%d passed, %d failed\n", n_passed, n_failed);
    return n_failed ? 1 : n_passed ? 0 : SKIPPED;
}

_Noreturn void scenario_skip(const char *why) {
    printf("SKIP: %s\n", why);
    exit(SKIPPED);
}

struct fake *fake_load(void) {
    const char *path = getenv("GASKET_FAKE");
    if (!path) give_up("GASKET_FAKE is not set");
    setenv("GASKET_PLUGIN", path, 1);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = handle ? dlsym(handle, FAKE_SYMBOL) : NULL;
    if (!symbol) give_up(dlerror());
    fake_fn *function;
    memcpy(&function, &symbol, sizeof function);
    return function();
}

static void pause_for(long nanoseconds) {
    const struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    nanosleep(&time, NULL);
}

void wait_for(const _Atomic int *number, int value) {
    while (atomic_load(number) != value)
        pause_for(200000);
}

struct release {
    _Atomic int *held;
    int milliseconds;
};

static void *release(void *state) {
    struct release *task = state;
    pause_for(task->milliseconds * 1000000L);
    atomic_store(task->held, 0);
    free(task);
    return NULL;
}

void release_later(_Atomic int *held, int milliseconds) {
    pthread_t thread;
    struct release *task = malloc(sizeof *task);
    if (!task) give_up("no memory");
    *task = (struct release){held, milliseconds};
    if (pthread_create(&thread, NULL, release, task) != 0) give_up("no thread");
    pthread_detach(thread);
}

const char *sanitizer(void) {
    return SANITIZER;
}

/* ---- Contexts ---- */

gasket_context *context_open(const struct gasket_options *options) {
    struct gasket_options all = *options;
    gasket_context *context;
    all.size = sizeof all;
    all.threads = 1;
    const enum gasket_status status = gasket_context_create(&all, &context);
    if (status) give_up(gasket_status_name(status));
    return context;
}

gasket_context *context_of(const char *jit) {
    return context_open(&(struct gasket_options){.jit = jit, .jit_calls = 1});
}

struct gasket_counters counters_of(gasket_context *context) {
    struct gasket_counters counters;
    gasket_counters_read(context, &counters);
    return counters;
}

int explained(const gasket_plan *plan, const char *words) {
    static _Thread_local char text[16384];
    if (gasket_plan_explain(plan, text, sizeof text, NULL)) return 0;
    if (strstr(text, words)) return 1;
    fprintf(stderr, "'%s' is not in: %s\n", words, text);
    return 0;
}

/* ---- Jobs ---- */

static DLTensor view(void *data, DLDataType type, int ndim, int64_t *shape, int64_t *strides) {
    return (DLTensor){
        .data = data, .device = {kDLCPU, 0}, .ndim = ndim, .dtype = type, .shape = shape, .strides = strides};
}

void job_start(struct job *job, int number) {
    enum { WIDTHS = 50, LEAST = 33 };
    const DLDataType f32 = {kDLFloat, 32, 1}, i32 = {kDLInt, 32, 1};
    const int64_t width = LEAST + 2 * (number % WIDTHS), stride = width + 1 + number / WIDTHS;
    *job = (struct job){.number = number,
                        .table_shape = {JOB_ROWS, width},
                        .table_strides = {stride, 1},
                        .indices_shape = {JOB_TUPLES},
                        .out_shape = {JOB_TUPLES, width},
                        .indices_data = {2, 0, 3}};
    job->table = view(job->table_data, f32, 2, job->table_shape, job->table_strides);
    job->indices = view(job->indices_data, i32, 1, job->indices_shape, NULL);
    job->out = view(job->out_data, f32, 2, job->out_shape, NULL);
    for (int i = 0; i < JOB_ROWS * JOB_STRIDE; i++)
        job->table_data[i] = (float)(number % 100 * 1000 + i);
    memset(job->out_data, POISON, sizeof job->out_data);
}

int job_is_right(struct job *job) {
    const int64_t width = job->table_shape[1], stride = job->table_strides[0];
    int wrong = 0;
    for (int n = 0; n < JOB_TUPLES; n++)
        wrong |= memcmp(job->out_data + n * width, job->table_data + job->indices_data[n] * stride,
                        (size_t)width * sizeof(float));
    memset(job->out_data, POISON, sizeof job->out_data);
    return !wrong;
}

static size_t job_arguments(struct job *job, const char *jit, struct gasket_argument arguments[4]) {
    arguments[0] = gasket_tensor("params", &job->table);
    arguments[1] = gasket_tensor("indices", &job->indices);
    arguments[2] = gasket_tensor("out", &job->out);
    if (jit) arguments[3] = gasket_text("jit", jit);
    return jit ? 4 : 3;
}

enum gasket_status job_call(struct job *job, gasket_context *context, const char *jit) {
    struct gasket_argument arguments[4];
    const size_t n = job_arguments(job, jit, arguments);
    return gasket_call(context, "gather", arguments, n);
}

enum gasket_status job_plan(struct job *job, gasket_context *context, const char *jit, gasket_plan **plan) {
    struct gasket_argument arguments[4];
    const size_t n = job_arguments(job, jit, arguments);
    return gasket_plan_create(context, "gather", arguments, n, plan);
}

static int went_well(struct job *job, gasket_context *context, enum gasket_status status) {
    if (status == GASKET_OK && job_is_right(job)) return 1;
    fprintf(stderr, "job %d: %s: %s\n", job->number, gasket_status_name(status), gasket_message(context));
    return 0;
}

int job_try(gasket_context *context, int number, const char *jit) {
    struct job job;
    job_start(&job, number);
    return went_well(&job, context, job_call(&job, context, jit));
}

int job_prepare(gasket_context *context, int number) {
    struct job job;
    gasket_plan *plan = NULL;
    job_start(&job, number);
    enum gasket_status status = job_plan(&job, context, NULL, &plan);
    if (!status) status = gasket_plan_prepare(plan);
    if (!status) status = gasket_plan_run(plan, NULL, 0);
    gasket_plan_destroy(plan);
    return went_well(&job, context, status);
}
