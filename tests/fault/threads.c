/* threads: the same bits with any number of threads and any way of splitting the work; contexts, plans and messages
 * used from several threads at once. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "support/support.h"

/* ---- Ways to split work that a caller may think of ---- */

typedef void body_fn(void *state, int64_t begin, int64_t end);

static void in_reverse(void *user, int64_t total, int64_t grain, body_fn *body, void *state) {
    (void)user;
    for (int64_t end = total; end > 0;) {
        int64_t begin = (end - 1) / grain * grain;
        body(state, begin, end);
        end = begin;
    }
}

/* Cuts that heed no grain, and empty ranges. */
static void oddly(void *user, int64_t total, int64_t grain, body_fn *body, void *state) {
    (void)user;
    (void)grain;
    int64_t step = 1;
    for (int64_t begin = 0; begin < total; step = step * 3 % 1009 + total / 500) {
        int64_t end = begin + step < total ? begin + step : total;
        body(state, begin, begin);
        body(state, begin, end);
        begin = end;
    }
}

/* The middle first, then the ends. */
static void middle_first(void *user, int64_t total, int64_t grain, body_fn *body, void *state) {
    (void)user;
    (void)grain;
    body(state, total / 3, total - total / 3);
    body(state, total - total / 3, total);
    body(state, 0, total / 3);
}

struct share {
    body_fn *body;
    void *state;
    int64_t first, total, grain;
};
enum { WORKERS = 4 };

static void *work(void *argument) {
    const struct share *share = argument;
    for (int64_t begin = share->first * share->grain; begin < share->total; begin += WORKERS * share->grain)
        share->body(share->state, begin, begin + share->grain < share->total ? begin + share->grain : share->total);
    return NULL;
}

/* Real threads that take turns. */
static void by_pthreads(void *user, int64_t total, int64_t grain, body_fn *body, void *state) {
    (void)user;
    pthread_t threads[WORKERS];
    struct share shares[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        shares[i] = (struct share){body, state, i, total, grain};
        if (pthread_create(&threads[i], NULL, work, &shares[i]) != 0) give_up("pthread_create");
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
}

static const struct way {
    const char *name;
    gasket_parallel_for *run;
    int threads;
} ways[] = {{"1 thread", NULL, 1},
            {"2 threads", NULL, 2},
            {"3 threads", NULL, 3},
            {"8 threads", NULL, 8},
            {"reversed", in_reverse, 4},
            {"odd ranges", oddly, 7},
            {"from the middle", middle_first, 3},
            {"pthreads", by_pthreads, 4},
            {"pthreads, 64 wanted", by_pthreads, 64}};
enum { WAYS = sizeof ways / sizeof *ways };

static gasket_context *open_way(const struct way *way, const char *isa) {
    gasket_context *context;
    struct gasket_options options = {
        .size = sizeof options, .threads = way->threads, .isa = isa, .parallel_for = way->run};
    if (gasket_context_create(&options, &context) != GASKET_OK) give_up(way->name);
    return context;
}

/* ---- The same bits however it is split ---- */

struct work_case {
    const char *dtype, *combine; /* combine NULL: gather_nd */
    int64_t outer;               /* gather only: rows before the axis; 0: gather_nd */
    int64_t extent, tuples, width;
};

static const struct work_case work_cases[] = {
    {"f32", "add", 0, 50, 70000, 1},    {"f32", "add", 0, 1, 5000, 16},   {"f32", "add", 0, 700, 3000, 33},
    {"f32", "add", 0, 3, 40, 3000},     {"f16", "add", 0, 97, 9000, 17},  {"bf16", "add", 0, 97, 9000, 64},
    {"f64", "sub", 0, 64, 9000, 5},     {"c64", "mul", 0, 64, 9000, 7},   {"i8", "add", 0, 300, 90000, 4},
    {"u64", "mul", 0, 300, 9000, 9},    {"f32", "max", 0, 20, 90000, 2},  {"f32", "store", 0, 50, 90000, 1},
    {"i16", "store", 0, 50, 9000, 100}, {"u8", "store", 0, 7, 200, 5000}, {"c128", "store", 0, 999, 9000, 3},
    {"i32", "store", 0, 2, 9000, 8},    {"f32", NULL, 0, 50, 90000, 1},   {"u8", NULL, 0, 50, 9000, 100},
    {"f64", NULL, 0, 7, 100, 7000},     {"i16", NULL, 200, 300, 700, 1},  {"f32", NULL, 3, 300, 30000, 2},
    {"bool", NULL, 0, 50, 300000, 1},
};

struct work {
    const struct work_case *at;
    struct tensor table, indices, rows;
};

static uint64_t random_bits(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Bytes that make small floats of both signs, and any integer. */
static void fill(struct tensor *tensor, uint64_t seed) {
    size_t size = dtype_bytes(tensor->view.dtype);
    for (size_t i = 0; i < tensor->bytes; i++) {
        tensor->data[i] = (char)random_bits(&seed);
        int is_float = tensor->view.dtype.code != kDLInt && tensor->view.dtype.code != kDLUInt;
        size_t part = tensor->view.dtype.code == kDLComplex ? size / 2 : size;
        if (is_float && i % part == part - 1) tensor->data[i] = (char)(0x3d | (tensor->data[i] & 0x80));
        if (tensor->view.dtype.code == 6) tensor->data[i] = tensor->data[i] & 1; /* bool */
    }
}

static void open_work(struct work *work, const struct work_case *at) {
    const int64_t table[] = {at->outer ? at->outer : 1, at->extent, at->width}, tuples[] = {at->tuples, 1};
    const int64_t rows[] = {at->outer ? at->outer : 1, at->tuples, at->width};
    int skip = at->outer == 0;
    work->at = at;
    tensor_make(&work->table, dtype_named(at->dtype), 3 - skip, table + skip, AT_END);
    tensor_make(&work->rows, dtype_named(at->dtype), 3 - skip, rows + skip, AT_END);
    tensor_make(&work->indices, dtype_named("i32"), at->outer ? 1 : 2, tuples, AT_END);
    uint64_t seed = 7;
    for (int64_t i = 0; i < at->tuples; i++)
        ((int32_t *)(void *)work->indices.data)[i] = (int32_t)(random_bits(&seed) % (uint64_t)at->extent);
    fill(&work->table, 1);
    fill(&work->rows, 2);
}

static void close_work(struct work *work) {
    tensor_free(&work->table);
    tensor_free(&work->indices);
    tensor_free(&work->rows);
}

static enum gasket_status run_work(gasket_context *context, struct work *work, struct tensor *out) {
    const struct work_case *at = work->at;
    if (at->combine)
        return CALL(context, "tensor_scatter", gasket_tensor("tensor", &work->table.view),
                    gasket_tensor("indices", &work->indices.view), gasket_tensor("updates", &work->rows.view),
                    gasket_tensor("out", &out->view), gasket_text("combine", at->combine));
    return CALL(context, at->outer ? "gather" : "gather_nd", gasket_tensor("params", &work->table.view),
                gasket_tensor("indices", &work->indices.view), gasket_tensor("out", &out->view),
                gasket_integer(at->outer ? "axis" : "batch_dims", at->outer ? 1 : 0));
}

static void check_work(const struct work_case *at, const char *isa, gasket_context *oracle) {
    struct work work;
    struct tensor expected, out;
    open_work(&work, at);
    const struct tensor *like = at->combine ? &work.table : &work.rows;
    tensor_make(&expected, like->view.dtype, like->view.ndim, like->shape, AT_END);
    tensor_make(&out, like->view.dtype, like->view.ndim, like->shape, AT_BEGIN);
    if (run_work(oracle, &work, &expected)) give_up(gasket_message(oracle));
    for (int i = 0; i < WAYS; i++) {
        gasket_context *context = open_way(&ways[i], isa);
        tensor_poison(&out);
        enum gasket_status status = run_work(context, &work, &out);
        check(status == GASKET_OK && tensors_equal(&out, &expected) && tensor_slack_is_intact(&out),
              "%s %s, outer %" PRId64 ", %" PRId64 " of %" PRId64 " rows of %" PRId64 " (%s, %s): %s %s", at->dtype,
              at->combine ? at->combine : "gather", at->outer, at->tuples, at->extent, at->width, ways[i].name, isa,
              gasket_status_name(status), status ? gasket_message(context) : "");
        gasket_context_destroy(context);
    }
    tensor_free(&expected);
    tensor_free(&out);
    close_work(&work);
}

/* ---- Contexts, messages and plans from several threads ---- */

enum { THREADS = 4, ROUNDS = 400 };

struct user {
    gasket_context *context;
    const gasket_plan *plan;
    int number;
};

/* Good and bad calls in turn: results and messages must be this thread's own. */
static void *use_context(void *argument) {
    const struct user *user = argument;
    struct tensor params, indices, out, bad;
    char text[64], expected[64];
    tensor_parse(&params, "i32[8,2]=0..15", AT_END);
    tensor_parse(&out, "i32[3,2]", AT_END);
    snprintf(text, sizeof text, "i32[3]=%d,%d,%d", user->number, 0, user->number + 1);
    tensor_parse(&indices, text, AT_END);
    snprintf(text, sizeof text, "i16[3]=0,%d,0", 100 + user->number);
    tensor_parse(&bad, text, AT_END);
    snprintf(expected, sizeof expected, "indices[1] = %d is not in", 100 + user->number);
    int wrong = 0, misworded = 0;
    for (int i = 0; i < ROUNDS; i++) {
        const struct gasket_argument arguments[] = {gasket_tensor("params", &params.view),
                                                    gasket_tensor("indices", i % 2 ? &bad.view : &indices.view),
                                                    gasket_tensor("out", &out.view)};
        enum gasket_status status = gasket_call(user->context, "gather", arguments, 3);
        const int32_t *row = (const void *)out.data;
        wrong += status != (i % 2 ? GASKET_OUT_OF_BOUNDS : GASKET_OK) || row[0] != 2 * user->number || row[2] != 0 ||
                 row[5] != 2 * user->number + 3;
        misworded += i % 2 && !message_holds(gasket_message(user->context), expected);
    }
    check(wrong == 0 && misworded == 0, "thread %d: %d wrong results, %d wrong messages: %s", user->number, wrong,
          misworded, gasket_message(user->context));
    tensor_free(&params);
    tensor_free(&indices);
    tensor_free(&out);
    tensor_free(&bad);
    return NULL;
}

static void *use_plan(void *argument) {
    const struct user *user = argument;
    struct tensor params, indices, out;
    tensor_parse(&params, "i32[8,2]=0..15", AT_END);
    tensor_parse(&indices, "i32[3]=1,0,2", AT_END);
    tensor_parse(&out, "i32[3,2]", AT_END);
    ((int32_t *)(void *)indices.data)[0] = user->number;
    void *data[] = {params.data, indices.data, out.data};
    int wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
        tensor_poison(&out);
        enum gasket_status status = gasket_plan_run(user->plan, data, 3);
        const int32_t *row = (const void *)out.data;
        wrong += status != GASKET_OK || row[0] != 2 * user->number || row[3] != 1 || row[5] != 5;
    }
    check(wrong == 0, "thread %d: %d wrong runs of a shared plan", user->number, wrong);
    tensor_free(&params);
    tensor_free(&indices);
    tensor_free(&out);
    return NULL;
}

static void run_users(struct user users[THREADS], void *(*use)(void *)) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, use, &users[i]) != 0) give_up("pthread_create");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void check_users(void) {
    struct user own[THREADS], shared[THREADS];
    gasket_context *context = open_way(&ways[0], NULL);
    DLTensor params = {NULL, {kDLCPU, 0}, 2, {kDLInt, 32, 1}, (int64_t[]){8, 2}, NULL, 0};
    DLTensor indices = {NULL, {kDLCPU, 0}, 1, {kDLInt, 32, 1}, (int64_t[]){3}, NULL, 0};
    DLTensor out = {NULL, {kDLCPU, 0}, 2, {kDLInt, 32, 1}, (int64_t[]){3, 2}, NULL, 0};
    gasket_plan *plan = NULL;
    PLAN(context, "gather", &plan, gasket_tensor("params", &params), gasket_tensor("indices", &indices),
         gasket_tensor("out", &out));
    if (plan == NULL) give_up(gasket_message(context));
    for (int i = 0; i < THREADS; i++) {
        own[i] = (struct user){open_way(&ways[i % 2], NULL), plan, i};
        shared[i] = (struct user){context, plan, i};
    }
    run_users(own, use_context);
    run_users(shared, use_context);
    run_users(shared, use_plan);
    for (int i = 0; i < THREADS; i++)
        gasket_context_destroy(own[i].context);
    gasket_plan_destroy(plan);
    gasket_context_destroy(context);
}

/* ---- Operations that many threads define while others call theirs ---- */

enum { DEFINERS = 64, EACH = 6 };

struct definer {
    gasket_context *context;
    int number, won; /* names that this thread was the first to define */
};

static enum gasket_status define(struct definer *definer, const char *start, int i) {
    char name[32];
    snprintf(name, sizeof name, "%s%d", start, i);
    const struct gasket_definition definition = {
        .size = sizeof definition, .name = name, .formula = "out[N, S] = params[indices[N], S]", .docs = "out: Rows"};
    return gasket_define(definer->context, &definition);
}

/* Defines operations of its own and ones that all want, calls them, and reads what others defined. */
static void *use_definitions(void *argument) {
    struct definer *definer = argument;
    struct tensor params, indices, out;
    char own[16], name[32], text[32];
    snprintf(own, sizeof own, "own%d_", definer->number);
    snprintf(text, sizeof text, "u8[2]=%d,0", definer->number % 8);
    tensor_parse(&params, "i32[8,2]=0..15", AT_END);
    tensor_parse(&indices, text, AT_END);
    tensor_parse(&out, "i32[2,2]", AT_END);
    int wrong = 0;
    for (int i = 0; i < EACH; i++) {
        struct gasket_operation_info info;
        enum gasket_status shared = define(definer, "shared", i);
        definer->won += shared == GASKET_OK;
        wrong += shared != GASKET_OK && !message_holds(gasket_message(definer->context), "is there already");
        wrong += define(definer, own, i) != GASKET_OK;
        snprintf(name, sizeof name, "%s%d", i % 2 ? own : "shared", i);
        tensor_poison(&out);
        wrong += CALL(definer->context, name, gasket_tensor("params", &params.view),
                      gasket_tensor("indices", &indices.view), gasket_tensor("out", &out.view)) != GASKET_OK;
        const int32_t *row = (const void *)out.data;
        wrong += row[0] != 2 * (definer->number % 8) || row[3] != 1;
        size_t last = gasket_operation_count(definer->context) - 1;
        wrong += gasket_operation_describe(definer->context, last, &info) != GASKET_OK || info.n_parameters < 3;
    }
    check(wrong == 0, "thread %d: %d wrong definitions or calls: %s", definer->number, wrong,
          gasket_message(definer->context));
    tensor_free(&params);
    tensor_free(&indices);
    tensor_free(&out);
    return NULL;
}

static void check_definers(void) {
    pthread_t threads[DEFINERS];
    struct definer definers[DEFINERS];
    gasket_context *context = open_way(&ways[0], NULL);
    size_t before = gasket_operation_count(context);
    int won = 0;
    for (int i = 0; i < DEFINERS; i++) {
        definers[i] = (struct definer){context, i, 0};
        if (pthread_create(&threads[i], NULL, use_definitions, &definers[i]) != 0) give_up("pthread_create");
    }
    for (int i = 0; i < DEFINERS; i++) {
        pthread_join(threads[i], NULL);
        won += definers[i].won;
    }
    check(won == EACH && gasket_operation_count(context) == before + (DEFINERS + 1) * EACH,
          "%d of %d shared names were defined, %zu operations", won, EACH, gasket_operation_count(context));
    gasket_context_destroy(context);
}

int main(void) {
    static const char *const isas[] = {"base", "avx2", "avx512", "neon"};
    struct gasket_options options = {.size = sizeof options, .tier = "interpreter"};
    gasket_context *oracle;
    if (gasket_context_create(&options, &oracle) != GASKET_OK) give_up("no interpreter");
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++)
        for (size_t c = 0; gasket_isa_usable(isas[i], NULL) && c < sizeof work_cases / sizeof *work_cases; c++)
            check_work(&work_cases[c], isas[i], oracle);
    gasket_context_destroy(oracle);
    check_users();
    check_definers();
    return finish();
}
