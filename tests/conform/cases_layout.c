/* cases_layout: public bug reports on strides, offsets, alignment and what DLPack allows (tests/cases.md, section F),
 * on every setting. Overlap is in tests/fault/overlap.c. */
#include <stdio.h>
#include <string.h>

#include "support/support.h"

static const struct sample samples[] = {
    {"B74", "scatter_nd", "indices=i32[3,1]=0,1,2 updates=i32[3,2]{1,3}=1..6 shape=3,2 out=i32[3,2]=1,4,2,5,3,6"},
    {"B74 indices", "gather", "params=i32[4]=10,20,30,40 indices=i32[2]{2}=3,9,1 axis=0 out=i32[2]=40,20"},
    {"B74 tuples turned", "gather_nd", "params=i32[3,3]=0..8 indices=i64[3,2]{1,3}=0,1,2,2,1,0 out=i32[3]=2,4,6"},
    {"B74 params turned", "gather", "params=i32[3,2]{1,3}=1..6 indices=i32[2]=2,0 axis=0 out=i32[2,2]=3,6,1,4"},
    {"B74 tensor turned", "tensor_scatter",
     "tensor=i32[3,2]{1,3}=1..6 indices=i32[1,1]=1 updates=i32[1,2]=8,9 out=i32[3,2]=1,4,8,9,3,6"},
    {"B76", "gather", "params=i32[5]{5}@4=0..24 indices=i32[5]=0..4 axis=0 out=i32[5]=1,6,11,16,21"},
    {"B76 backwards", "gather", "params=i32[5]{-5}@84=0..24 indices=i32[5]=0..4 axis=0 out=i32[5]=21,16,11,6,1"},
    {"backwards indices", "gather", "params=i32[3]=7,8,9 indices=i16[3]{-1}@4=0..2 axis=0 out=i32[3]=9,8,7"},
    {"backwards updates", "tensor_scatter",
     "tensor=i32[2]=0,0 indices=i32[2,1]=0,0 updates=i32[2]{-1}@4=5,6 out=i32[2]=5,0"},
    {"backwards tensor", "tensor_scatter",
     "tensor=i32[3]{-1}@8=1,2,3 indices=i32[1,1]=0 updates=i32[1]=5 combine=add out=i32[3]=8,2,1"},
    {"stride 0 params", "gather", "params=i32[2,3]{0,1}=7,8,9 indices=i32[2]=1,0 axis=0 out=i32[2,3]=7..9,7..9"},
    {"stride 0 within a row", "gather", "params=i32[2,3]{1,0}=7,8 indices=i32[2]=1,0 axis=0 out=i32[2,3]=8*3,7*3"},
    {"stride 0 indices", "gather", "params=i32[3]=7,8,9 indices=i32[4]{0}=2 axis=0 out=i32[4]=9*4"},
    {"stride 0 components", "gather_nd", "params=i32[2,2]=1..4 indices=i32[2,2]{1,0}=0,1 out=i32[2]=1,4"},
    {"stride 0 updates", "scatter_nd", "indices=i32[3,1]=0,2,0 updates=i32[3]{0}=5 shape=3 out=i32[3]=10,0,5"},
    {"stride 0 batch", "gather",
     "params=i32[2,3]{0,1}=7..9 indices=i32[2,2]=0,1,2,2 axis=1 batch_dims=1 out=i32[2,2]=7,8,9,9"},
    {"strides of extent 1 are ignored", "gather",
     "params=i32[1,3]{99999999,1}=7..9 indices=i32[1]=0 axis=0 out=i32[1,3]=7..9"},
    {"B77", "gather", "params=f16[3,4]@2=0..15 indices=i32[2]=2,0 axis=0 out=f16[2,4]=9,10,11,12,1,2,3,4"},
    {"B77 indices", "gather", "params=i32[3]=7,8,9 indices=i32[2]@8=0,0,2,1 axis=0 out=i32[2]=9,8"},
    {"B77 updates", "scatter_nd", "indices=i32[1,1]=0 updates=i32[1]@4=5,6 shape=2 out=i32[2]=6,0"},
    {"B79 rank 0", "gather", "params=i32[3]=7,8,9 indices=i64[]=2 axis=0 out=i32[]=9"},
};

/* ---- B80: outputs with strides and an offset; what lies between is left alone ---- */

static void check_window(gasket_context *context, const char *where) {
    struct tensor params, indices, out, expected;
    tensor_parse(&params, "i32[2,2]=3,4,1,2", AT_END);
    tensor_parse(&indices, "i32[2]=1,0", AT_END);
    tensor_parse(&out, "i32[2,2]{5,1}@8=0*15", AT_END);
    tensor_parse(&expected, "i32[15]=0,0,1,2,0,0,0,3,4,0,0*5", AT_END);
    enum gasket_status status = CALL(context, "gather", gasket_tensor("params", &params.view),
                                     gasket_tensor("indices", &indices.view), gasket_tensor("out", &out.view));
    check(status == GASKET_OK && memcmp(out.data, expected.data, expected.bytes) == 0, "B80 (%s): %s %s", where,
          gasket_status_name(status), tensor_hex(&out));
    tensor_free(&params);
    tensor_free(&indices);
    tensor_free(&out);
    tensor_free(&expected);
}

static void check_strided_scatter(gasket_context *context, const char *where) {
    struct tensor indices, updates, out, expected;
    const int64_t shape[] = {3, 2};
    tensor_parse(&indices, "i32[3,1]=2,0,2", AT_END);
    tensor_parse(&updates, "i32[3,2]=1..6", AT_END);
    tensor_parse(&out, "i32[3,2]{-3,2}@24=9*9", AT_END);
    tensor_parse(&expected, "i32[9]=6,9,8,0,9,0,3,9,4", AT_END);
    enum gasket_status status =
        CALL(context, "scatter_nd", gasket_tensor("indices", &indices.view), gasket_tensor("updates", &updates.view),
             gasket_integers("shape", shape, 2), gasket_tensor("out", &out.view));
    check(status == GASKET_OK && memcmp(out.data, expected.data, expected.bytes) == 0,
          "B80 scatter, turned (%s): %s %s", where, gasket_status_name(status), tensor_hex(&out));
    tensor_free(&indices);
    tensor_free(&updates);
    tensor_free(&out);
    tensor_free(&expected);
}

/* ---- B83: any alignment, for rows that would suit wide loads ---- */

struct shifted {
    const char *dtype, *combine; /* combine: of tensor_scatter, or NULL: gather */
    int row;
};

/* Rows of bytes 0, 1, 2... picked backwards, with every tensor `shift` bytes off its alignment. */
static void check_shifted(gasket_context *context, const char *where, const struct shifted *shape, size_t shift) {
    enum { ROOM = 4096 };
    static _Alignas(64) char inputs[ROOM], outputs[ROOM], index_memory[64];
    size_t row = (size_t)shape->row * dtype_bytes(dtype_named(shape->dtype));
    const int64_t table[] = {3, shape->row}, count[] = {3, 1};
    const int32_t picked[] = {2, 1, 0};
    for (size_t i = 0; i < 3 * row; i++)
        inputs[shift + i] = (char)(i % 61);
    memset(outputs, 0, sizeof outputs);
    memcpy(index_memory + shift % 4, picked, sizeof picked);
    DLTensor params = {.data = inputs + shift,
                       .device = {kDLCPU, 0},
                       .ndim = 2,
                       .dtype = dtype_named(shape->dtype),
                       .shape = (int64_t *)(uintptr_t)table};
    DLTensor out = params, indices = {.data = index_memory + shift % 4,
                                      .device = {kDLCPU, 0},
                                      .ndim = 1,
                                      .dtype = {kDLInt, 32, 1},
                                      .shape = (int64_t *)(uintptr_t)count};
    out.data = outputs + shift;
    enum gasket_status status;
    if (shape->combine == NULL) {
        status = CALL(context, "gather", gasket_tensor("params", &params), gasket_tensor("indices", &indices),
                      gasket_integer("axis", 0), gasket_tensor("out", &out));
    } else {
        indices.ndim = 2;
        status =
            CALL(context, "tensor_scatter", gasket_tensor("tensor", &out), gasket_tensor("indices", &indices),
                 gasket_tensor("updates", &params), gasket_text("combine", shape->combine), gasket_tensor("out", &out));
    }
    int wrong = outputs[shift - 1] != 0 || outputs[shift + 3 * row] != 0;
    for (size_t r = 0; r < 3; r++)
        wrong += memcmp(outputs + shift + r * row, inputs + shift + (2 - r) * row, row) != 0;
    check(status == GASKET_OK && !wrong, "B83 %s %s row %d, shifted by %zu (%s): %s", shape->dtype,
          shape->combine ? shape->combine : "gather", shape->row, shift, where, gasket_status_name(status));
}

static void check_alignment(gasket_context *context, const char *where) {
    static const struct shifted shapes[] = {
        {"f16", NULL, 1},     {"f16", NULL, 2},   {"f16", NULL, 4},   {"f16", NULL, 8},   {"f16", NULL, 16},
        {"f16", NULL, 64},    {"f32", NULL, 1},   {"f32", NULL, 3},   {"c128", NULL, 2},  {"u64", NULL, 40},
        {"i32", "add", 1},    {"i32", "add", 16}, {"i64", "add", 7},  {"i16", "add", 33}, {"i32", "store", 9},
        {"c128", "store", 2}, {"u8", "max", 70},  {"u32", "max", 17},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t shift = 1; shift < 20; shift += shift < 9 ? 1 : 7)
            check_shifted(context, where, &shapes[i], shift);
}

/* ---- B85, B86: types and tensors that are refused ---- */

struct refusal {
    const char *name;
    enum gasket_status status;
    DLTensor params;
};

static int64_t three[] = {3}, minus[] = {-3}, huge[] = {INT64_MAX / 2, 8}, many[GASKET_MAX_RANK + 1];
static int64_t far_stride[] = {INT64_MAX / 2};
static char bytes[64];

static const struct refusal refusals[] = {
    {"B85 bool of 1 bit", GASKET_UNSUPPORTED, {bytes, {kDLCPU, 0}, 1, {6, 1, 1}, three, NULL, 0}},
    {"B85 two lanes", GASKET_INVALID_ARGUMENT, {bytes, {kDLCPU, 0}, 1, {kDLFloat, 32, 2}, three, NULL, 0}},
    {"B85 no lanes", GASKET_INVALID_ARGUMENT, {bytes, {kDLCPU, 0}, 1, {kDLFloat, 32, 0}, three, NULL, 0}},
    {"B85 unknown code", GASKET_UNSUPPORTED, {bytes, {kDLCPU, 0}, 1, {200, 32, 1}, three, NULL, 0}},
    {"B85 i24", GASKET_UNSUPPORTED, {bytes, {kDLCPU, 0}, 1, {kDLInt, 24, 1}, three, NULL, 0}},
    {"B85 f128", GASKET_UNSUPPORTED, {bytes, {kDLCPU, 0}, 1, {kDLFloat, 128, 1}, three, NULL, 0}},
    {"B85 c32", GASKET_UNSUPPORTED, {bytes, {kDLCPU, 0}, 1, {kDLComplex, 32, 1}, three, NULL, 0}},
    {"B86 byte_offset 1", GASKET_INVALID_ARGUMENT, {bytes, {kDLCPU, 0}, 1, {kDLInt, 32, 1}, three, NULL, 1}},
    {"B86 byte_offset 2^63",
     GASKET_INVALID_ARGUMENT,
     {bytes, {kDLCPU, 0}, 1, {kDLInt, 32, 1}, three, NULL, UINT64_C(1) << 63}},
    {"B86 byte_offset 2^64 - 1",
     GASKET_INVALID_ARGUMENT,
     {bytes, {kDLCPU, 0}, 1, {kDLInt, 32, 1}, three, NULL, UINT64_MAX}},
    {"B86 NULL data", GASKET_INVALID_ARGUMENT, {NULL, {kDLCPU, 0}, 1, {kDLInt, 32, 1}, three, NULL, 0}},
    {"B86 negative rank", GASKET_INVALID_ARGUMENT, {bytes, {kDLCPU, 0}, -1, {kDLInt, 32, 1}, three, NULL, 0}},
    {"B86 negative extent", GASKET_INVALID_ARGUMENT, {bytes, {kDLCPU, 0}, 1, {kDLInt, 32, 1}, minus, NULL, 0}},
    {"B79 NULL shape", GASKET_INVALID_ARGUMENT, {bytes, {kDLCPU, 0}, 1, {kDLInt, 32, 1}, NULL, NULL, 0}},
    {"elements pass 2^63", GASKET_INVALID_ARGUMENT, {bytes, {kDLCPU, 0}, 2, {kDLInt, 8, 1}, huge, NULL, 0}},
    {"bytes pass 2^63", GASKET_INVALID_ARGUMENT, {bytes, {kDLCPU, 0}, 1, {kDLInt, 64, 1}, huge, NULL, 0}},
    {"strides pass 2^63", GASKET_INVALID_ARGUMENT, {bytes, {kDLCPU, 0}, 1, {kDLInt, 64, 1}, three, far_stride, 0}},
    {"rank 65", GASKET_UNSUPPORTED, {bytes, {kDLCPU, 0}, GASKET_MAX_RANK + 1, {kDLInt, 8, 1}, many, NULL, 0}},
    {"on a GPU", GASKET_UNSUPPORTED, {bytes, {kDLCUDA, 0}, 1, {kDLInt, 32, 1}, three, NULL, 0}},
};

static void check_refusal(gasket_context *context, const char *where, const struct refusal *refusal) {
    struct tensor indices, out;
    tensor_parse(&indices, "i32[1]=0", AT_END);
    tensor_parse(&out, "i32[1]", AT_END);
    enum gasket_status status = CALL(context, "gather", gasket_tensor("params", &refusal->params),
                                     gasket_tensor("indices", &indices.view), gasket_tensor("out", &out.view));
    check(status == refusal->status && tensor_is_poisoned(&out) && strstr(gasket_message(context), "params"),
          "%s (%s): %s: %s", refusal->name, where, gasket_status_name(status), gasket_message(context));
    tensor_free(&indices);
    tensor_free(&out);
}

/* A size that overflows only in the result, and a shape attribute that does. */
static void check_output_overflow(gasket_context *context, const char *where) {
    const int64_t wide[] = {1, INT64_C(1) << 40}, many_rows[] = {INT64_C(1) << 30},
                  shape[] = {INT64_C(1) << 40, 1 << 30};
    const int64_t one_tuple[] = {1, 2};
    DLTensor params = {NULL, {kDLCPU, 0}, 2, {kDLInt, 8, 1}, (int64_t *)(uintptr_t)wide, NULL, 0};
    DLTensor indices = {NULL, {kDLCPU, 0}, 1, {kDLInt, 32, 1}, (int64_t *)(uintptr_t)many_rows, NULL, 0};
    DLTensor tuple = {NULL, {kDLCPU, 0}, 2, {kDLInt, 32, 1}, (int64_t *)(uintptr_t)one_tuple, NULL, 0};
    DLTensor update = {NULL, {kDLCPU, 0}, 1, {kDLInt, 8, 1}, (int64_t *)(uintptr_t)one_tuple, NULL, 0};
    struct gasket_shape result;
    const struct gasket_argument gather[] = {gasket_tensor("params", &params), gasket_tensor("indices", &indices),
                                             gasket_integer("axis", 0)};
    enum gasket_status status = gasket_infer(context, "gather", gather, 3, &result);
    check(status == GASKET_INVALID_ARGUMENT, "2^70 elements (%s): %s", where, gasket_status_name(status));
    const struct gasket_argument scatter[] = {gasket_tensor("indices", &tuple), gasket_tensor("updates", &update),
                                              gasket_integers("shape", shape, 2)};
    status = gasket_infer(context, "scatter_nd", scatter, 3, &result);
    check(status == GASKET_INVALID_ARGUMENT, "shape of 2^70 elements (%s): %s", where, gasket_status_name(status));
}

/* ---- Rows of half a byte ---- */

/* Shapes are right, so only a call refuses: where a row or the start of the output is no whole number of bytes. */
static void check_half_bytes(gasket_context *context, const char *where) {
    char table[8] = {0}, out[2] = {(char)POISON, (char)POISON};
    int64_t two[] = {2, 2}, wide[] = {2, 3}, one[] = {1, 3}, row[] = {1, 2}, apart[] = {3, 1}, single[] = {1, 1};
    int32_t zero = 0;
    DLDataType u4 = {kDLUInt, 4, 1}, i32 = {kDLInt, 32, 1};
    DLTensor odd = {table, {kDLCPU, 0}, 2, u4, wide, NULL, 0}, result = {out, {kDLCPU, 0}, 2, u4, one, NULL, 0};
    DLTensor index = {&zero, {kDLCPU, 0}, 1, i32, single, NULL, 0},
             tuple = {&zero, {kDLCPU, 0}, 2, i32, single, NULL, 0};
    DLTensor start = {table, {kDLCPU, 0}, 2, u4, two, apart, 0}, update = {table, {kDLCPU, 0}, 2, u4, row, NULL, 0};
    DLTensor whole = {out, {kDLCPU, 0}, 2, u4, two, NULL, 0};
    enum gasket_status status = CALL(context, "gather", gasket_tensor("params", &odd), gasket_tensor("indices", &index),
                                     gasket_tensor("out", &result));
    check(status == GASKET_UNSUPPORTED, "rows of three u4 (%s): %s", where, gasket_status_name(status));
    status = CALL(context, "tensor_scatter", gasket_tensor("tensor", &start), gasket_tensor("indices", &tuple),
                  gasket_tensor("updates", &update), gasket_tensor("out", &whole));
    check(status == GASKET_UNSUPPORTED, "a start with rows three u4 apart (%s): %s", where, gasket_status_name(status));
    check(out[0] == (char)POISON && out[1] == (char)POISON, "half bytes were written (%s)", where);
}

/* ---- Rank 64 ---- */

static void check_highest_rank(gasket_context *context, const char *where) {
    char ones[GASKET_MAX_RANK * 2 + 1] = "", text[512];
    for (int i = 0; i < GASKET_MAX_RANK - 2; i++)
        strcat(ones, "1,");
    snprintf(text, sizeof text, "params=i16[%s2,3]=0..5 indices=u8[2]=1,0 axis=-2 out=i16[%s2,3]=3..5,0..2", ones,
             ones);
    struct setting setting = {.context = context};
    snprintf(setting.name, sizeof setting.name, "%.40s", where);
    struct line line;
    line_parse(&line, "gather", text, AT_END);
    line_check(&line, &setting, "rank 64");
    line_free(&line);
    snprintf(text, sizeof text, "params=i16[%s2,3]=0..5 indices=u8[1,1]=0 axis=-1 error=UNSUPPORTED", ones);
    line_parse(&line, "gather", text, AT_END);
    line_check(&line, &setting, "a result of rank 65");
    line_free(&line);
}

int main(void) {
    static struct setting settings[MAX_SETTINGS];
    SAMPLES_CHECK(samples);
    for (int i = 0; i <= GASKET_MAX_RANK; i++)
        many[i] = 1;
    size_t n = settings_open(settings);
    for (size_t i = 0; i < n; i++) {
        gasket_context *context = settings[i].context;
        check_window(context, settings[i].name);
        check_strided_scatter(context, settings[i].name);
        check_alignment(context, settings[i].name);
        check_output_overflow(context, settings[i].name);
        check_half_bytes(context, settings[i].name);
        check_highest_rank(context, settings[i].name);
        for (size_t r = 0; r < sizeof refusals / sizeof *refusals; r++)
            check_refusal(context, settings[i].name, &refusals[r]);
    }
    settings_close(settings, n);
    return finish();
}
