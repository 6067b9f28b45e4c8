/* Random small shapes against the shape rules of the four operations, written out by hand and by operation. */
#include <criterion/criterion.h>
#include <string.h>

#include "problem.h"
#include "support/operations.h"

enum { ROUNDS = 30000 };

struct shape {
    int ndim;
    int64_t extents[24];
};

static uint32_t state;

static int draw(int n) {
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 16) % (uint32_t)n);
}

static struct shape draw_shape(int most) {
    struct shape shape = {draw(most + 1), {0}};
    for (int i = 0; i < shape.ndim; i++)
        shape.extents[i] = draw(3);
    return shape;
}

static void append(struct shape *to, const struct shape *from, int begin, int end) {
    for (int i = begin; i < end; i++)
        to->extents[to->ndim++] = from->extents[i];
}

static int equal(const struct shape *a, const struct shape *b) {
    return a->ndim == b->ndim && memcmp(a->extents, b->extents, (size_t)a->ndim * sizeof *a->extents) == 0;
}

/* Now and then one extent or the rank is wrong. */
static void spoil(struct shape *shape) {
    if (shape->ndim > 0 && draw(6) == 0) shape->extents[draw(shape->ndim)] = draw(3);
    if (draw(12) == 0) shape->ndim += draw(2) || shape->ndim == 0 ? 1 : -1;
}

static struct gasket_argument argument(const char *name, const char *type, struct shape *shape, DLTensor *tensor) {
    *tensor = tensor_view(NULL, type, shape->extents, shape->ndim);
    return gasket_tensor(name, tensor);
}

/* The rule's verdict against the library's. */
static void compare(const char *operation, int is_legal, const struct shape *expected, const struct bound *b) {
    char text[GK_SHAPE_TEXT];
    const char *whole = is_legal ? gk_shape_text(text, expected->extents, expected->ndim) : "";
    cr_assert_eq(b->status, is_legal ? GASKET_OK : GASKET_INVALID_ARGUMENT, "%s: %s%s, expected %s", operation,
                 b->error.text, b->shape, whole);
    if (is_legal) cr_assert_str_eq(b->shape + strlen("f32"), whole, "%s", operation);
}

static int gather_rule(const struct shape *params, const struct shape *indices, int axis, int batch,
                       struct shape *out) {
    if (batch < -indices->ndim || batch > indices->ndim || axis < -params->ndim || axis >= params->ndim) return 0;
    if (batch < 0) batch += indices->ndim;
    if (axis < 0) axis += params->ndim;
    if (batch > axis) return 0;
    for (int i = 0; i < batch; i++) {
        if (params->extents[i] != indices->extents[i]) return 0;
    }
    out->ndim = 0;
    append(out, params, 0, axis);
    append(out, indices, batch, indices->ndim);
    append(out, params, axis + 1, params->ndim);
    return 1;
}

Test(random, gather) {
    state = 1;
    int legal = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct shape params = draw_shape(4), indices = draw_shape(3), out;
        int axis = draw(10) - 5, batch = draw(9) - 4;
        if (draw(2)) memcpy(indices.extents, params.extents, sizeof indices.extents);
        int is_legal = gather_rule(&params, &indices, axis, batch, &out);
        DLTensor tensors[2];
        compare("gather", is_legal, &out,
                bound(operation_known("gather"), 1,
                      ARGUMENTS(argument("params", "f32", &params, &tensors[0]),
                                argument("indices", "i32", &indices, &tensors[1]), gasket_integer("axis", axis),
                                gasket_integer("batch_dims", batch))));
        legal += is_legal;
    }
    cr_expect(legal > ROUNDS / 10 && legal < ROUNDS * 9 / 10, "%d", legal);
}

static int gather_nd_rule(const struct shape *params, const struct shape *indices, int batch, struct shape *out) {
    int q = indices->ndim;
    if (q == 0 || batch < 0 || batch > q - 1) return 0;
    int64_t depth = indices->extents[q - 1];
    if (batch + depth > params->ndim) return 0;
    for (int i = 0; i < batch; i++) {
        if (params->extents[i] != indices->extents[i]) return 0;
    }
    out->ndim = 0;
    append(out, indices, 0, q - 1);
    append(out, params, batch + (int)depth, params->ndim);
    return 1;
}

Test(random, gather_nd) {
    state = 2;
    int legal = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct shape params = draw_shape(4), indices = draw_shape(3), out;
        int batch = draw(4);
        if (draw(2)) memcpy(indices.extents, params.extents, sizeof indices.extents);
        int is_legal = gather_nd_rule(&params, &indices, batch, &out);
        DLTensor tensors[2];
        compare(
            "gather_nd", is_legal, &out,
            bound(operation_known("gather_nd"), 1,
                  ARGUMENTS(argument("params", "f32", &params, &tensors[0]),
                            argument("indices", "i32", &indices, &tensors[1]), gasket_integer("batch_dims", batch))));
        legal += is_legal;
    }
    cr_expect(legal > ROUNDS / 10 && legal < ROUNDS * 9 / 10, "%d", legal);
}

/* The shape that updates must have; 0 where no shape will do. */
static int updates_rule(const struct shape *out, const struct shape *indices, struct shape *updates) {
    int q = indices->ndim;
    updates->ndim = 0;
    if (q == 0 || indices->extents[q - 1] > out->ndim) return 0;
    append(updates, indices, 0, q - 1);
    append(updates, out, (int)indices->extents[q - 1], out->ndim);
    return 1;
}

static void scatter_rounds(const char *operation, int from_shape) {
    int legal = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct shape out = draw_shape(4), indices = draw_shape(3), needed, updates;
        int is_legal = updates_rule(&out, &indices, &needed);
        updates = needed;
        spoil(&updates);
        is_legal = is_legal && equal(&updates, &needed);
        DLTensor tensors[3];
        compare(operation, is_legal, &out,
                bound(operation_known(operation), 1,
                      ARGUMENTS(argument("indices", "i32", &indices, &tensors[0]),
                                argument("updates", "f32", &updates, &tensors[1]),
                                from_shape ? gasket_integers("shape", out.extents, (size_t)out.ndim)
                                           : argument("tensor", "f32", &out, &tensors[2]))));
        legal += is_legal;
    }
    cr_expect(legal > ROUNDS / 10 && legal < ROUNDS * 9 / 10, "%d", legal);
}

Test(random, scatter_nd) {
    state = 3;
    scatter_rounds("scatter_nd", 1);
}

Test(random, tensor_scatter) {
    state = 4;
    scatter_rounds("tensor_scatter", 0);
}

/* A given output fits exactly when it has the shape that inference says. */
Test(random, given_outputs) {
    state = 5;
    for (int i = 0; i < ROUNDS; i++) {
        struct shape params = draw_shape(4), indices = draw_shape(2), needed, out;
        if (!gather_rule(&params, &indices, 0, 0, &needed)) continue;
        out = needed;
        spoil(&out);
        DLTensor tensors[3];
        const struct bound *b = bound(
            operation_known("gather"), 0,
            ARGUMENTS(argument("params", "f32", &params, &tensors[0]),
                      argument("indices", "i32", &indices, &tensors[1]), argument("out", "f32", &out, &tensors[2])));
        cr_assert_eq(b->status, equal(&out, &needed) ? GASKET_OK : GASKET_INVALID_ARGUMENT, "%s", b->error.text);
    }
}
