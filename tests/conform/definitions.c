/* definitions: operations that are defined at run time give the results of the generated ones, on every setting. */
#include "support/definitions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static void define_all(const struct setting *setting) {
    for (int i = 0; i < DEFINITIONS; i++) {
        enum gasket_status status = gasket_define(setting->context, &definitions[i]);
        check(status == GASKET_OK, "%s: %s", definitions[i].name, gasket_message(setting->context));
    }
}

/* Only where kernels are asked for and the operation has none, a setting does not serve. */
static int serves(const struct setting *setting, const char *operation) {
    int has_kernels = strcmp(operation, "my_embedding_bag") != 0 && strcmp(operation, "my_window_gather") != 0;
    return has_kernels || !setting->tier || strcmp(setting->tier, "general") != 0;
}

static void check_text(const struct setting *settings, size_t n, const char *operation, const char *text) {
    struct line line;
    line_parse(&line, operation, text, AT_END);
    for (size_t i = 0; i < n; i++)
        if (serves(&settings[i], operation)) line_check(&line, &settings[i], text);
    line_free(&line);
}

/* Some of what TensorFlow answered. */
static size_t check_vectors(const struct setting *settings, size_t n, const char *name) {
    enum { EVERY = 11 };
    char path[64], operation[64], *text = NULL;
    size_t room = 0, vectors = 0;
    snprintf(path, sizeof path, "tests/conform/vectors/%s.txt", name);
    snprintf(operation, sizeof operation, "my_%s", name);
    FILE *file = fopen(path, "r");
    if (file == NULL) give_up(path);
    for (int number = 0; getline(&text, &room, file) > 0; number++) {
        if (text[0] == '#' || number % EVERY != 0) continue;
        check_text(settings, n, operation, text);
        vectors++;
    }
    free(text);
    fclose(file);
    return vectors;
}

/* ---- take_along_axis, which has kernels only where it is defined ---- */

static int64_t below(uint64_t *state, int64_t n) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(*state >> 33) % n;
}

static enum gasket_status take(gasket_context *context, const char *operation, struct tensor tensors[3], int axis) {
    return CALL(context, operation, gasket_tensor("params", &tensors[0].view),
                gasket_tensor("indices", &tensors[1].view), gasket_tensor("out", &tensors[2].view),
                gasket_integer("axis", axis));
}

/* Tensors of params, indices and out of one drawn shape; their axis. */
static int draw_tensors(struct tensor tensors[3], uint64_t *state) {
    int64_t shape[4], picked[4];
    int rank = (int)below(state, 4) + 1, axis = (int)below(state, rank);
    for (int i = 0; i < rank; i++)
        shape[i] = picked[i] = below(state, 5) + 1;
    picked[axis] = below(state, 6);
    tensor_make(&tensors[0], dtype_named("u8"), rank, shape, AT_END);
    tensor_make(&tensors[1], dtype_named("u8"), rank, picked, AT_END);
    tensor_make(&tensors[2], dtype_named("u8"), rank, picked, AT_END);
    for (size_t i = 0; i < tensors[0].bytes; i++)
        tensors[0].data[i] = (char)i;
    for (size_t i = 0; i < tensors[1].bytes; i++)
        tensors[1].data[i] = (char)below(state, shape[axis]);
    return axis;
}

static void check_take(const struct setting *settings, size_t n, uint64_t *state) {
    struct tensor tensors[3], expected;
    int axis = draw_tensors(tensors, state);
    const struct tensor *out = &tensors[2];
    if (take(settings[n - 1].context, "take_along_axis", tensors, axis))
        give_up(gasket_message(settings[n - 1].context));
    tensor_make(&expected, out->view.dtype, out->view.ndim, out->shape, AT_END);
    if (out->bytes) memcpy(expected.data, out->data, out->bytes);
    for (size_t i = 0; i < n; i++) {
        tensor_poison(&tensors[2]);
        enum gasket_status status = take(settings[i].context, "my_take_along_axis", tensors, axis);
        check(status == GASKET_OK && tensors_equal(out, &expected) && tensor_slack_is_intact(out),
              "my_take_along_axis, rank %d, axis %d (%s): %s %s, not %s", out->view.ndim, axis, settings[i].name,
              status ? gasket_message(settings[i].context) : "", tensor_hex(out), tensor_hex(&expected));
    }
    for (int i = 0; i < 3; i++)
        tensor_free(&tensors[i]);
    tensor_free(&expected);
}

static const char *const lines[][2] = {
    {"my_embedding_bag",
     "table=f32[3,2]=1,2,3,4,5,6 indices=i32[2,2]=0,2,1,1 weights=f32[2,2]=1,2,3,4 "
     "out=f32[2,2]=11,14,21,28"},
    {"my_embedding_bag",
     "table=f32[3,2]=1..6 indices=i32[1,2]=0,3 weights=f32[1,2]=1,2 "
     "error=OUT_OF_BOUNDS:indices[0,1]=3"},
    {"my_window_gather", "params=i8[2,5]=0..9 start=i32[2]=1,2 window=2 out=i8[2,2]=1,2,7,8"},
    {"my_window_gather", "params=i8[2,5]=0..9 start=i32[2]=1,4 window=2 bounds=fill fill=-1 out=i8[2,2]=1,2,9,-1"},
    {"my_window_gather", "params=i8[2,5]=0..9 start=i32[2]=1,2 error=INVALID_ARGUMENT:window"},
    {"my_gather", "params=i8[2,5]=0..9 indices=i32[1]=0 axis=2 error=INVALID_ARGUMENT:axis"},
    {"my_scatter_nd", "indices=i8[2,1]=1,1 updates=i8[2]=1,2 shape=3 bounds=fill error=INVALID_ARGUMENT:bounds"},
};

int main(void) {
    enum { DRAWS = 200 };
    static const char *const vectors[] = {"gather", "gather_nd", "scatter_nd", "tensor_scatter"};
    static struct setting settings[MAX_SETTINGS];
    size_t n = settings_open(settings), n_vectors = 0;
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++)
        define_all(&settings[i]);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_text(settings, n, lines[i][0], lines[i][1]);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        n_vectors += check_vectors(settings, n, vectors[i]);
    check(n_vectors >= 100, "only %zu vectors", n_vectors);
    for (int i = 0; i < DRAWS; i++)
        check_take(settings, n, &state);
    settings_close(settings, n);
    return finish();
}
