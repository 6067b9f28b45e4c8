/* cases_values: public bug reports on types, kernels chosen by width, duplicates, NaN and precision (tests/cases.md,
 * sections E and G), on every setting. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static const struct sample samples[] = {
    /* E. Code generation and dispatch */
    {"B61 i32", "tensor_scatter", "tensor=i32[1]=-5 indices=i32[1,1]=0 updates=i32[1]=-3 combine=max out=i32[1]=-3"},
    {"B61 u8 max", "tensor_scatter", "tensor=u8[1]=200 indices=i32[1,1]=0 updates=u8[1]=100 combine=max out=u8[1]=200"},
    {"B61 u8 min", "tensor_scatter", "tensor=u8[1]=200 indices=i32[1,1]=0 updates=u8[1]=100 combine=min out=u8[1]=100"},
    {"B61 u64", "tensor_scatter",
     "tensor=u64[1]=18446744073709551615 indices=i32[1,1]=0 updates=u64[1]=1 combine=min out=u64[1]=1"},
    {"B62", "scatter_nd", "indices=i32[4,1]=0,1,2,3 updates=i32[4]=1,2,0,0 shape=4 out=i32[4]=1,2,0,0"},
    {"B62 pairs", "scatter_nd", "indices=i32[4,1]=0,0,1,1 updates=i32[4]=1,2,3,4 shape=2 out=i32[2]=3,7"},
    {"B64", "gather", "params=f32[65536]=0..65535 indices=i16[3]=0,32767,5 axis=0 out=f32[3]=0,32767,5"},
    {"B64 i8", "gather", "params=i16[256]=0..255 indices=i8[2]=127,0 axis=0 out=i16[2]=127,0"},
    {"B64 i8 below", "gather", "params=i16[256]=0..255 indices=i8[1]=-1 axis=0 error=OUT_OF_BOUNDS:indices[0]=-1"},
    {"B65", "gather", "params=i32[4]=10,20,30,40 indices=i16[3]=3,0,1 axis=0 out=i32[3]=40,10,20"},
    {"B65 i8", "gather", "params=i32[4]=10,20,30,40 indices=i8[3]=3,0,1 axis=0 out=i32[3]=40,10,20"},
    {"B65 u16", "gather", "params=i32[4]=10,20,30,40 indices=u16[3]=3,0,1 axis=0 out=i32[3]=40,10,20"},
    {"B65 f32 indices", "gather",
     "params=i32[4]=10,20,30,40 indices=f32[3]=3,0,1 axis=0 error=INVALID_ARGUMENT:indices"},
    {"B67 i32", "gather", "params=f32[8]=0..7 indices=i32[4]=2,0,2,4 axis=0 out=f32[4]=2,0,2,4"},
    {"B67 i64", "gather", "params=f32[8]=0..7 indices=i64[4]=2,0,2,4 axis=0 out=f32[4]=2,0,2,4"},
    {"B68", "gather",
     "params=f32[40000,1]=0..39999 indices=i16[40000,1]=0*40000 batch_dims=1 "
     "out=f32[40000,1]=0..39999"},
    {"B71", "tensor_scatter",
     "tensor=f32[1,4]=0*4 indices=i32[8,1]=0*8 updates=f32[8,4]=1..32 combine=add out=f32[1,4]=120,128,136,144"},
    {"B73", "gather", "params=i32[3]=10,20,30 indices=i64[2]=1,2 axis=0 out=i32[2]=20,30"},

    /* G. Duplicates, precision, dtypes */
    {"B91", "tensor_scatter",
     "tensor=i32[9]=1..9 indices=i32[5,1]=0,1,1,1,2 updates=i32[5]=11..15 out=i32[9]=11,14,15,4..9"},
    {"B91 rows", "tensor_scatter",
     "tensor=f32[2,3]=0*6 indices=i32[3,1]=1,1,1 updates=f32[3,3]=1..9 out=f32[2,3]=0*3,7..9"},
    {"B95", "tensor_scatter",
     "tensor=f32[6]=0*6 indices=i32[4,1]=1,0,1,2 updates=f32[4]=1,2,3,-1 combine=max out=f32[6]=2,3,0*4"},
    {"B100", "scatter_nd", "indices=i32[4,1]=4,3,1,7 updates=bool[4]=1,1,0,0 shape=8 out=bool[8]=0,0,0,1,1,0,0,0"},
    {"B100 duplicates", "scatter_nd", "indices=i32[4,1]=0,0,1,1 updates=bool[4]=1,0,0,0 shape=2 out=bool[2]=1,0"},
    {"bool mul", "tensor_scatter",
     "tensor=bool[3]=1,1,0 indices=i32[3,1]=0,1,2 updates=bool[3]=1,0,1 combine=mul out=bool[3]=1,0,0"},
    {"bool sub", "tensor_scatter",
     "tensor=bool[1]=1 indices=i32[1,1]=0 updates=bool[1]=1 combine=sub error=UNSUPPORTED"},
    {"bool min", "tensor_scatter",
     "tensor=bool[1]=1 indices=i32[1,1]=0 updates=bool[1]=1 combine=min error=UNSUPPORTED"},
    {"complex min", "tensor_scatter",
     "tensor=c64[1]=1 indices=i32[1,1]=0 updates=c64[1]=1 combine=min error=UNSUPPORTED"},
    {"complex mul", "tensor_scatter",
     "tensor=c64[1]=1;2 indices=i32[2,1]=0,0 updates=c64[2]=3;4,0;1 combine=mul out=c64[1]=-10;-5"},
    {"integer mul", "tensor_scatter",
     "tensor=i8[2]=3,5 indices=i32[3,1]=0,0,1 updates=i8[3]=4,-2,100 combine=mul out=i8[2]=-24,-12"},
    {"float mul", "tensor_scatter",
     "tensor=f32[2]=3,0.5 indices=i32[3,1]=0,0,1 updates=f32[3]=4,-2,3 combine=mul out=f32[2]=-24,1.5"},
    {"B101", "scatter_nd", "indices=i32[2,1]=2,0 updates=string[2]='b','a' shape=4 out=string[4]='a','','b',''"},
    {"B101 duplicates", "scatter_nd",
     "indices=i32[3,1]=1,0,1 updates=string[3]='a','x','b' shape=2 out=string[2]='x','ab'"},
    {"string add to what is there", "tensor_scatter",
     "tensor=string[2]='pre','' indices=i32[2,1]=0,0 updates=string[2]='fix','es' combine=add "
     "out=string[2]='prefixes',''"},
    {"string store", "tensor_scatter",
     "tensor=string[2]='p','q' indices=i32[2,1]=0,0 updates=string[2]='fix','es' out=string[2]='es','q'"},
    {"string sub", "tensor_scatter",
     "tensor=string[1]='p' indices=i32[1,1]=0 updates=string[1]='f' combine=sub error=UNSUPPORTED"},
    {"B103", "scatter_nd", "indices=i32[4,1]=1,3,4,7 updates=i64[4]=9..12 shape=8 out=i64[8]=0,9,0,10,11,0,0,12"},
    {"B104", "gather_nd",
     "params=string[2,2]='ab','cde','f','ghi' indices=i32[2,1,1]=1,0 out=string[2,1,2]='f','ghi','ab','cde'"},
    {"B107", "tensor_scatter",
     "tensor=u8[8]=0*8 indices=i32[2,1]=0,0 updates=u8[2]=200,100 combine=add out=u8[8]=44,0*7"},
    {"B107 i8", "scatter_nd", "indices=i32[2,1]=0,0 updates=i8[2]=100,100 shape=2 out=i8[2]=-56,0"},
    {"B107 i32", "scatter_nd", "indices=i32[2,1]=0,0 updates=i32[2]=2147483647,1 shape=1 out=i32[1]=-2147483648"},
    {"i64 wraps", "tensor_scatter",
     "tensor=i64[1]=-9223372036854775808 indices=i32[1,1]=0 updates=i64[1]=1 combine=sub "
     "out=i64[1]=9223372036854775807"},
    {"fp8 is moved", "gather", "params=f8_e4m3fn[3]:017fff indices=i32[2]=2,1 axis=0 out=f8_e4m3fn[2]:ff7f"},
    {"fp8 is not added", "scatter_nd", "indices=i32[1,1]=0 updates=f8_e4m3fn[1]:01 shape=2 error=UNSUPPORTED"},
    {"fp8 is stored", "tensor_scatter",
     "tensor=f8_e5m2[2]:0102 indices=i32[1,1]=1 updates=f8_e5m2[1]:ff out=f8_e5m2[2]:01ff"},
    {"i4 rows of whole bytes", "gather", "params=i4[3,4]:0123456789ab indices=i32[2]=2,0 axis=0 out=i4[2,4]:89ab0123"},
    {"u4, a tensor without elements is filled", "gather",
     "params=u4[0,4] indices=i32[1]=0 axis=0 bounds=fill out=u4[1,4]:0000"},
    {"u4, a tensor without elements has no place", "gather",
     "params=u4[0,4] indices=i32[1]=0 axis=0 error=OUT_OF_BOUNDS:indices[0]=0isnotin[0,0)"},
    {"u4, nothing to scatter", "tensor_scatter",
     "tensor=u4[2,4]:01234567 indices=i32[0,1] updates=u4[0,4] out=u4[2,4]:01234567"},
    {"subnormals are kept", "tensor_scatter",
     "tensor=f32[2]:0100000002000000 indices=i32[2,1]=0,1 updates=f32[2]:0100000003000080 combine=add "
     "out=f32[2]:0200000001000080"},

    /* A NaN in a result is the one there, else the update's, made quiet; a new one is negative and has no payload. */
    {"NaN there", "tensor_scatter",
     "tensor=f32[2]:3412c07f010080ff indices=i32[2,1]=0,1 updates=f32[2]=1,1 combine=add out=f32[2]:3412c07f0100c0ff"},
    {"NaN in the update", "tensor_scatter",
     "tensor=f32[3]=1,inf,-2 indices=i32[3,1]=0,1,2 updates=f32[3]:5500c0ff0700807f3412c0ff combine=sub "
     "out=f32[3]:5500c0ff0700c07f3412c0ff"},
    {"NaN on both sides", "tensor_scatter",
     "tensor=f32[1]:0100c07f indices=i32[1,1]=0 updates=f32[1]:0200c0ff combine=mul out=f32[1]:0100c07f"},
    {"a new NaN", "tensor_scatter",
     "tensor=f32[2]=inf,inf indices=i32[2,1]=0,1 updates=f32[2]=-inf,1 combine=add out=f32[2]:0000c0ff0000807f"},
    {"a new NaN, f64", "tensor_scatter",
     "tensor=f64[1]=inf indices=i32[1,1]=0 updates=f64[1]=0 combine=mul out=f64[1]:000000000000f8ff"},
    {"NaN, f64", "tensor_scatter",
     "tensor=f64[2]:010000000000f07f000000000000f03f indices=i32[2,1]=0,1 "
     "updates=f64[2]:000000000000f03f020000000000f8ff "
     "combine=add out=f64[2]:010000000000f87f020000000000f8ff"},
    {"NaN, f16", "tensor_scatter",
     "tensor=f16[3]:017c003c007c indices=i32[3,1]=0,1,2 updates=f16[3]:003c03fe007c combine=sub "
     "out=f16[3]:017e03fe00fe"},
    {"NaN, bf16", "tensor_scatter",
     "tensor=bf16[3]:817f803f807f indices=i32[3,1]=0,1,2 updates=bf16[3]:803fc3ff807f combine=sub "
     "out=bf16[3]:c17fc3ffc0ff"},
    {"min keeps the bits of a NaN there", "tensor_scatter",
     "tensor=f32[2]:010080ff0000803f indices=i32[2,1]=0,1 updates=f32[2]:0000803f0100807f combine=min "
     "out=f32[2]:010080ff0000803f"},
    {"zeros: from +0", "scatter_nd", "indices=i32[1,1]=0 updates=f32[1]=-0.0 shape=2 out=f32[2]=0,0"},
    {"ties keep what is there", "tensor_scatter",
     "tensor=f32[4]=-0.0,0,-0.0,0 indices=i32[4,1]=0,1,2,3 updates=f32[4]=0,-0.0,-0.0,0 combine=max "
     "out=f32[4]=-0.0,0,-0.0,0"},
};

/* ---- B94: NaN in min and max, for every order of the updates and every float ---- */

static void check_nan_order(const struct setting *settings, size_t n, const char *dtype, const char *const order[3]) {
    static const char *const answers[2][2] = {{"1", "nan"}, {"3", "nan"}};
    for (int form = 0; form < 4; form++) {
        int max = form & 1, propagate = form >> 1;
        char text[256];
        snprintf(text, sizeof text,
                 "tensor=%s[1]=%sinf indices=i32[3,1]=0,0,0 updates=%s[3]=%s,%s,%s combine=%s nan=%s out=%s[1]=%s",
                 dtype, max ? "-" : "", dtype, order[0], order[1], order[2], max ? "max" : "min",
                 propagate ? "propagate" : "ignore", dtype, answers[max][propagate]);
        struct line line;
        line_parse(&line, "tensor_scatter", text, AT_END);
        for (size_t i = 0; i < n; i++)
            line_check(&line, &settings[i], "B94");
        line_free(&line);
    }
}

static void check_nan(const struct setting *settings, size_t n) {
    static const char *const dtypes[] = {"f16", "bf16", "f32", "f64"};
    static const char *const orders[6][3] = {{"1", "nan", "3"}, {"1", "3", "nan"}, {"nan", "1", "3"},
                                             {"3", "nan", "1"}, {"3", "1", "nan"}, {"nan", "3", "1"}};
    for (size_t d = 0; d < 4; d++)
        for (size_t o = 0; o < 6; o++)
            check_nan_order(settings, n, dtypes[d], orders[o]);
}

/* ---- Long chains of duplicates ---- */

struct chain {
    const char *name, *dtype, *start, *update, *accumulate, *result;
    int64_t times;
};

static const struct chain chains[] = {
    {"B97 f32", "f32[1]", "16777215", "1", "native", "16777216", 5},
    {"B97 f64", "f64[1]", "16777215", "1", "native", "16777220", 5},
    {"B98 native", "f16[1]", "0", "0.1", "native", "105.1875", 1000},
    {"B98 f32", "f16[1]", "0", "0.1", "f32", "100", 1000},
    {"f16 stops", "f16[1]", "0", "1", "native", "2048", 4000},
    {"bf16 stops", "bf16[1]", "0", "1", "native", "256", 4000},
    {"f16 in f32", "f16[1]", "0", "1", "f32", "4000", 4000},
    {"bf16 in f32", "bf16[1]", "0", "1", "f32", "4000", 4000},
};

static void check_chain(const struct chain *chain, const struct setting *settings, size_t n) {
    char text[256];
    int width = (int)strcspn(chain->dtype, "[");
    snprintf(text, sizeof text,
             "tensor=%s=%s indices=i32[%d,1]=0*%d updates=%.*s[%d]=%s*%d combine=add accumulate=%s "
             "out=%s=%s",
             chain->dtype, chain->start, (int)chain->times, (int)chain->times, width, chain->dtype, (int)chain->times,
             chain->update, (int)chain->times, chain->accumulate, chain->dtype, chain->result);
    struct line line;
    line_parse(&line, "tensor_scatter", text, AT_END);
    int wide = strcmp(chain->accumulate, "f32") == 0; /* no general kernel does that yet */
    for (size_t i = 0; i < n; i++)
        if (!wide || settings[i].tier == NULL || strcmp(settings[i].tier, "general") != 0)
            line_check(&line, &settings[i], chain->name);
    line_free(&line);
}

/* ---- B92: the last of many duplicates wins, with any number of threads; B107: a diagonal ---- */

static void check_last_wins(gasket_context *context, const char *name) {
    enum { N = 100000 };
    struct tensor tensor, indices, updates, out;
    const int64_t shape[] = {N, 1};
    tensor_parse(&tensor, "i32[4]=0*4", AT_END);
    tensor_parse(&out, "i32[4]", AT_END);
    tensor_make(&indices, dtype_named("i32"), 2, shape, AT_END);
    tensor_make(&updates, dtype_named("i32"), 1, shape, AT_END);
    for (int32_t i = 0; i < N; i++) {
        ((int32_t *)(void *)indices.data)[i] = i % 4;
        ((int32_t *)(void *)updates.data)[i] = i;
    }
    CALL(context, "tensor_scatter", gasket_tensor("tensor", &tensor.view), gasket_tensor("indices", &indices.view),
         gasket_tensor("updates", &updates.view), gasket_tensor("out", &out.view));
    const int32_t *last = (const void *)out.data;
    check(last[0] == N - 4 && last[1] == N - 3 && last[2] == N - 2 && last[3] == N - 1, "B92 (%s): %d %d %d %d", name,
          last[0], last[1], last[2], last[3]);
    tensor_free(&tensor);
    tensor_free(&indices);
    tensor_free(&updates);
    tensor_free(&out);
}

static void check_diagonal(gasket_context *context, const char *name) {
    enum { N = 257 };
    struct tensor indices, updates, out;
    const int64_t shape[] = {N, 2}, square[] = {N, N};
    tensor_make(&indices, dtype_named("i32"), 2, shape, AT_END);
    tensor_make(&updates, dtype_named("u8"), 1, shape, AT_END);
    tensor_make(&out, dtype_named("u8"), 2, square, AT_END);
    for (int32_t i = 0; i < 2 * N; i++)
        ((int32_t *)(void *)indices.data)[i] = i / 2;
    memset(updates.data, 1, N);
    CALL(context, "scatter_nd", gasket_tensor("indices", &indices.view), gasket_tensor("updates", &updates.view),
         gasket_integers("shape", square, 2), gasket_tensor("out", &out.view));
    int wrong = 0;
    for (int i = 0; i < N * N; i++)
        wrong += out.data[i] != (i % (N + 1) == 0);
    check(wrong == 0, "B107 diagonal (%s): %d wrong", name, wrong);
    tensor_free(&indices);
    tensor_free(&updates);
    tensor_free(&out);
}

int main(void) {
    static struct setting settings[MAX_SETTINGS];
    SAMPLES_CHECK(samples);
    size_t n = settings_open(settings);
    check_nan(settings, n);
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
        check_chain(&chains[i], settings, n);
    for (size_t i = 0; i < n; i++) {
        check_last_wins(settings[i].context, settings[i].name);
        check_diagonal(settings[i].context, settings[i].name);
    }
    settings_close(settings, n);
    return finish();
}
