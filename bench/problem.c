/* problem: see problem.h. */
#include "problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int fail(const char *line, const char *what) {
    fprintf(stderr, "%s: %s\n", line, what);
    return -1;
}

/* Numbers between two characters; how many, or -1. */
static int read_numbers(const char **text, char open, char close, int64_t *numbers) {
    int n = 0;
    if (**text != open) return -1;
    (*text)++;
    while (**text && **text != close && n < BENCH_RANK) {
        char *end;
        numbers[n++] = strtoll(*text, &end, 10);
        *text = *end == ',' ? end + 1 : end;
    }
    if (close && **text == close) (*text)++;
    return n;
}

static int64_t bits_of(const DLTensor *tensor) {
    return tensor->dtype.bits;
}

/* Bytes that the strides reach over. */
static size_t reach(const DLTensor *tensor) {
    int64_t elements = 1;
    for (int d = 0; d < tensor->ndim; d++) {
        if (tensor->shape[d] == 0) return 0;
        elements += (tensor->shape[d] - 1) * tensor->strides[d];
    }
    return (size_t)(elements * bits_of(tensor) + 7) / 8;
}

static void set_compact(struct bench_tensor *t, int rank) {
    int64_t stride = 1;
    for (int d = rank - 1; d >= 0; d--) {
        t->strides[d] = stride;
        stride *= t->shape[d];
    }
}

static uint64_t next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Whole numbers below 8 as elements of each kind of type. */
static void draw_values(struct bench_tensor *t, uint64_t *state) {
    const int64_t bytes = bits_of(&t->tensor) / 8;
    const int is_float = t->tensor.dtype.code == kDLFloat || t->tensor.dtype.code == kDLComplex;
    unsigned char *at = t->memory;
    for (size_t i = 0; i < t->bytes; i++)
        at[i] = (unsigned char)(next(state) & 7);
    if (!is_float || bytes < 4) return;
    for (size_t i = 0; i + 8 <= t->bytes; i += 8) {
        const double wide = (double)(next(state) & 7);
        const float pair[2] = {(float)wide, 1.0f};
        memcpy(at + i, bytes % 8 ? (const void *)pair : (const void *)&wide, 8);
    }
}

static void draw_indices(struct bench_tensor *t, uint64_t *state) {
    const size_t bytes = (size_t)bits_of(&t->tensor) / 8, n = t->bytes / bytes;
    for (size_t i = 0; i < n; i++) {
        const int64_t value = (int64_t)(next(state) % (uint64_t)t->bounds[i % (size_t)t->n_bounds]);
        memcpy((char *)t->memory + i * bytes, &value, bytes);
    }
}

static int add_memory(struct bench_tensor *t, uint64_t *state) {
    t->bytes = reach(&t->tensor);
    t->memory = aligned_alloc(64, (t->bytes + 127) / 64 * 64);
    if (!t->memory) return -1;
    t->tensor.data = t->memory;
    if (t->n_bounds > 0)
        draw_indices(t, state);
    else
        draw_values(t, state);
    return 0;
}

static int read_tensor(struct bench_tensor *t, const char *text) {
    char type[24] = "";
    const char *at = strchr(text, '[');
    snprintf(type, sizeof type, "%.*s", (int)(at - text), text);
    if (gasket_type_parse(type, &t->tensor.dtype)) return -1;
    t->tensor.device.device_type = kDLCPU;
    t->tensor.ndim = read_numbers(&at, '[', ']', t->shape);
    t->tensor.shape = t->shape;
    t->tensor.strides = t->strides;
    if (read_numbers(&at, '{', '}', t->strides) != t->tensor.ndim) set_compact(t, t->tensor.ndim);
    t->n_bounds = read_numbers(&at, '<', 0, t->bounds);
    return 0;
}

static int add_argument(struct bench_problem *problem, const char *word) {
    const size_t a = problem->n_arguments++;
    const char *equals = strchr(word, '=');
    if (!equals || a + 1 >= BENCH_ARGUMENTS) return -1;
    snprintf(problem->names[a], sizeof problem->names[a], "%.*s", (int)(equals - word), word);
    if (equals[1] == '[') {
        const char *list = equals + 1;
        const int n = read_numbers(&list, '[', ']', problem->lists[a]);
        problem->arguments[a] = gasket_integers(problem->names[a], problem->lists[a], (size_t)n);
        return 0;
    }
    if (strchr(equals, '[') && problem->n_tensors < BENCH_TENSORS) {
        struct bench_tensor *t = &problem->tensors[problem->n_tensors++];
        if (strcmp(problem->names[a], "out") == 0) problem->out = problem->n_tensors - 1;
        problem->arguments[a] = gasket_tensor(problem->names[a], &t->tensor);
        return read_tensor(t, equals + 1);
    }
    char *end;
    const int64_t number = strtoll(equals + 1, &end, 10);
    snprintf(problem->words[a], sizeof problem->words[a], "%s", equals + 1);
    problem->arguments[a] =
        *end ? gasket_text(problem->names[a], problem->words[a]) : gasket_integer(problem->names[a], number);
    return 0;
}

/* An output that the line does not give. */
static int add_output(struct bench_problem *problem, gasket_context *context) {
    struct gasket_shape shape;
    struct bench_tensor *t = &problem->tensors[problem->n_tensors];
    if (gasket_infer(context, problem->operation, problem->arguments, problem->n_arguments, &shape)) return -1;
    memcpy(t->shape, shape.shape, sizeof t->shape);
    t->tensor = (DLTensor){NULL, {kDLCPU, 0}, shape.ndim, shape.dtype, t->shape, t->strides, 0};
    set_compact(t, shape.ndim);
    problem->arguments[problem->n_arguments++] = gasket_tensor("out", &t->tensor);
    problem->out = problem->n_tensors++;
    return 0;
}

int bench_problem_make(struct bench_problem *problem, gasket_context *context, const char *line) {
    char copy[512], *rest = copy;
    uint64_t state = 1;
    memset(problem, 0, sizeof *problem);
    problem->out = BENCH_TENSORS;
    snprintf(copy, sizeof copy, "%s", line);
    snprintf(problem->operation, sizeof problem->operation, "%s", strtok_r(copy, " ", &rest));
    for (char *word = strtok_r(NULL, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        if (add_argument(problem, word)) return fail(line, word);
    if (problem->out == BENCH_TENSORS && add_output(problem, context)) return fail(line, gasket_message(context));
    for (size_t t = 0; t < problem->n_tensors; t++)
        if (add_memory(&problem->tensors[t], &state)) return fail(line, "no memory");
    return 0;
}

void bench_problem_free(struct bench_problem *problem) {
    for (size_t t = 0; t < problem->n_tensors; t++)
        free(problem->tensors[t].memory);
}

double bench_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int n) {
    qsort(values, (size_t)n, sizeof *values, by_value);
    return values[n / 2];
}
