/* The interpreter against values worked out by hand: every operation, combine, bounds mode and kind of element. */
#include "interpreter.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "formula/formula.h"
#include "number.h"
#include "support/interpreted.h"

struct case_text {
    const char *operation, *text;
};

static void check_all(const struct case_text *cases, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const char *complaint = interpreted_check(operation_named(cases[i].operation), cases[i].text, NULL);
        cr_expect_null(complaint, "%s: %s", cases[i].operation, complaint);
    }
}
#define CHECK_ALL(cases) check_all(cases, sizeof(cases) / sizeof *(cases))

static void check_formula(const char *formula, const char *ranks, const char *text) {
    const struct operation_text operation = {"test", formula, strstr(ranks, "shape[]") ? "shape[]" : "", ranks};
    const char *complaint = interpreted_check(&operation, text, NULL);
    cr_expect_null(complaint, "%s: %s", formula, complaint);
}

/* ---- The operations ---- */

#define CUBE "params=string[2,2,2]='a0','b0','c0','d0','a1','b1','c1','d1' "

Test(interpreter, gather_nd) {
    static const struct case_text cases[] = {
        {"gather_nd", "params=string[2,2]='a','b','c','d' indices=i64[2,2]=0,0,1,1 out=string[2]='a','d'"},
        {"gather_nd", "params=string[2,2]='a','b','c','d' indices=i64[2,1]=1,0 out=string[2,2]='c','d','a','b'"},
        {"gather_nd", CUBE "indices=i64[1,1]=1 out=string[1,2,2]='a1','b1','c1','d1'"},
        {"gather_nd", CUBE "indices=i64[2,2]=0,1,1,0 out=string[2,2]='c0','d0','a1','b1'"},
        {"gather_nd", CUBE "indices=i64[2,3]=0,0,1,1,0,1 out=string[2]='b0','b1'"},
        {"gather_nd", "params=string[2,2]='a','b','c','d' indices=i64[2,1,2]=0,0,0,1 out=string[2,1]='a','b'"},
        {"gather_nd", "params=string[2,2]='a','b','c','d' indices=i64[2,1,1]=1,0 out=string[2,1,2]='c','d','a','b'"},
        {"gather_nd", CUBE "indices=i64[2,1,1]=1,0 out=string[2,1,2,2]='a1','b1','c1','d1','a0','b0','c0','d0'"},
        {"gather_nd", CUBE "indices=i64[2,2,2]=0,1,1,0,0,0,1,1 "
                           "out=string[2,2,2]='c0','d0','a1','b1','a0','b0','c1','d1'"},
        {"gather_nd", CUBE "indices=i64[2,2,3]=0,0,1,1,0,1,0,1,1,1,1,0 out=string[2,2]='b0','b1','d0','c1'"},
        /* One batch dimension: the tuple addresses what comes after it. */
        {"gather_nd", "params=i32[2,2,2]=0..7 batch_dims=1 indices=i16[2,1]=1,0 out=i32[2,2]=2,3,4,5"},
        {"gather_nd",
         "params=i32[2,2,2]=0..7 batch_dims=1 indices=u8[2,3,2]=0,1,1,1,0,0,1,0,0,0,1,1 "
         "out=i32[2,3]=1,3,0,6,4,7"},
    };
    CHECK_ALL(cases);
}

Test(interpreter, gather) {
    static const struct case_text cases[] = {
        {"gather", "params=i32[2,3]=0..5 indices=i32[]=1 out=i32[3]=3..5"},
        {"gather", "params=i32[2,3]=0..5 indices=i32[]=1 axis=1 out=i32[2]=1,4"},
        {"gather", "params=i32[3]=7,8,9 indices=u16[]=2 out=i32[]=9"},
        {"gather", "params=i32[2,3,2]=0..11 indices=i32[2]=2,1 axis=1 out=i32[2,2,2]=4,5,2,3,10,11,8,9"},
        {"gather", "params=i32[2,3]=0..5 indices=u32[2,2]=2,0,1,1 axis=1 out=i32[2,2,2]=2,0,1,1,5,3,4,4"},
        {"gather", "params=i32[2,3]=0..5 indices=i8[2,2]=2,0,1,1 batch_dims=1 out=i32[2,2]=2,0,4,4"},
        {"gather", "params=i32[2,2,3]=0..11 indices=i32[2,1]=2,0 axis=2 batch_dims=1 out=i32[2,2,1]=2,5,6,9"},
        {"gather", "params=i32[2,3]=0..5 indices=u64[2]=2,0 batch_dims=1 out=i32[2]=2,3"},
        {"gather", "params=c128[2]=1;2,3;4 indices=i64[2]=1,1 out=c128[2]=3;4,3;4"},
        {"gather", "params=bool[3]:000205 indices=i64[3]=2,1,0 out=bool[3]:050200"},
    };
    CHECK_ALL(cases);
}

Test(interpreter, scatter_nd) {
    static const struct case_text cases[] = {
        {"scatter_nd", "indices=i32[4,1]=4,3,1,7 updates=i32[4]=9..12 shape=8 out=i32[8]=0,11,0,10,9,0,0,12"},
        {"scatter_nd",
         "indices=i32[2,1]=0,2 updates=i32[2,4,4]=5*4,6*4,7*4,8*4,5*4,6*4,7*4,8*4 shape=4,4,4 "
         "out=i32[4,4,4]=5*4,6*4,7*4,8*4,0*16,5*4,6*4,7*4,8*4,0*16"},
        {"scatter_nd", "indices=i32[2,1]=2,0 updates=string[2]='b','a' shape=4 out=string[4]='a','','b',''"},
        {"scatter_nd", "indices=i32[3,2]=1,0,0,1,1,0 updates=i64[3]=1,2,4 shape=2,2 out=i64[2,2]=0,2,5,0"},
        /* In index order: a large one swallows what comes after it, not what comes before. */
        {"scatter_nd", "indices=i32[3,1]=0*3 updates=f32[3]=1e8,1,-1e8 shape=1 out=f32[1]=0"},
        {"scatter_nd", "indices=i32[3,1]=0*3 updates=f32[3]=1e8,-1e8,1 shape=1 out=f32[1]=1"},
        {"scatter_nd", "indices=i32[2]=1,0 updates=i32[]=5 shape=2,2 out=i32[2,2]=0,0,5,0"},
    };
    CHECK_ALL(cases);
}

Test(interpreter, tensor_scatter) {
    static const struct case_text cases[] = {
        {"tensor_scatter", "tensor=i8[4]=1..4 indices=i32[2,1]=3,1 updates=i8[2]=7,8 out=i8[4]=1,8,3,7"},
        {"tensor_scatter", "tensor=i8[2]=1,2 indices=i32[3,1]=1*3 updates=i8[3]=7,8,9 out=i8[2]=1,9"},
        {"tensor_scatter",
         "tensor=i32[3]=1,2,3 indices=i32[3,1]=2,2,0 updates=i32[3]=10..12 combine=add "
         "out=i32[3]=13,2,24"},
        {"tensor_scatter",
         "tensor=i32[3]=1,2,3 indices=i32[2,1]=2,2 updates=i32[2]=1,5 combine=sub "
         "out=i32[3]=1,2,-3"},
        {"tensor_scatter", "tensor=u8[2]=1,200 indices=i32[2,1]=1,1 updates=u8[2]=2,3 combine=mul out=u8[2]=1,176"},
        {"tensor_scatter",
         "tensor=i16[2]=5,5 indices=i32[3,1]=1,0,1 updates=i16[3]=7,-3,4 combine=min "
         "out=i16[2]=-3,4"},
        {"tensor_scatter",
         "tensor=u64[2]=5,5 indices=i32[2,1]=1,0 updates=u64[2]=18446744073709551615,4 combine=max "
         "out=u64[2]=5,18446744073709551615"},
        {"tensor_scatter", "tensor=i32[2,2]=1..4 indices=i32[1,1]=1 updates=i32[1,2]=8,9 out=i32[2,2]=1,2,8,9"},
        {"tensor_scatter",
         "tensor=bool[3]:000102 indices=i32[3,1]=0..2 updates=bool[3]:020000 combine=add "
         "out=bool[3]:010101"},
        {"tensor_scatter",
         "tensor=bool[3]:000102 indices=i32[2,1]=1,2 updates=bool[2]:0280 combine=mul "
         "out=bool[3]:000101"},
        {"tensor_scatter", "tensor=c64[1]=1;2 indices=i32[1,1]=0 updates=c64[1]=3;-4 combine=mul out=c64[1]=11;2"},
        {"tensor_scatter",
         "tensor=c128[1]=1;2 indices=i32[1,1]=0 updates=c128[1]=3;-4 combine=sub "
         "out=c128[1]=-2;6"},
        {"tensor_scatter",
         "tensor=string[2]='a','b' indices=i32[2,1]=1,1 updates=string[2]='c','d' "
         "out=string[2]='a','d'"},
        {"tensor_scatter",
         "tensor=f8_e5m2[3]:010203 indices=i32[1,1]=1 updates=f8_e5m2[1]:ff "
         "out=f8_e5m2[3]:01ff03"},
    };
    CHECK_ALL(cases);
}

Test(interpreter, take_along_axis) {
    static const struct case_text cases[] = {
        {"take_along_axis", "params=i32[2,3]=0..5 axis=1 indices=i32[2,2]=2,0,1,1 out=i32[2,2]=2,0,4,4"},
        {"take_along_axis", "params=i32[2,3]=0..5 axis=0 indices=i32[1,3]=1,0,1 out=i32[1,3]=3,1,5"},
        {"take_along_axis", "params=i32[2,2,2]=0..7 axis=1 indices=i32[2,1,2]=1,0,0,1 out=i32[2,1,2]=2,1,4,7"},
        {"take_along_axis",
         "params=i32[2,3]=0..5 axis=1 indices=i32[2,2]=2,-1,3,1 bounds=fill fill=9 "
         "out=i32[2,2]=2,9,9,4"},
    };
    CHECK_ALL(cases);
}

Test(interpreter, embedding_bag) {
    static const struct case_text cases[] = {
        {"embedding_bag",
         "table=f32[3,2]=1,2,3,4,5,6 indices=i32[2,2]=0,2,1,1 weights=f32[2,2]=1,10,0.5,-1 "
         "out=f32[2,2]=51,62,-1.5,-2"},
        {"embedding_bag", "table=i32[2,1]=1,2 indices=i32[1,0] weights=i32[1,0] out=i32[1,1]=0"},
        {"embedding_bag",
         "table=bool[2,2]=1,0,0,1 indices=i32[2,2]=0,1,0,0 weights=bool[2,2]=1,1,0,0 "
         "out=bool[2,2]=1,1,0,0"},
        {"embedding_bag", "table=c64[1,1]=1;2 indices=i32[1,2]=0,0 weights=c64[1,2]=3;-4,0;1 out=c64[1,1]=9;3"},
        {"embedding_bag", "table=f32[3,1]=1e8,1,-1e8 indices=i32[1,3]=0..2 weights=f32[1,3]=1,1,1 out=f32[1,1]=0"},
        {"embedding_bag",
         "table=f32[2,2]=1..4 indices=i32[1,3]=0,9,1 weights=f32[1,3]=1,10,2 bounds=drop "
         "out=f32[1,2]=7,10"},
        {"embedding_bag",
         "table=f32[2,2]=1..4 indices=i32[1,3]=0,9,1 weights=f32[1,3]=1,10,2 bounds=fill fill=0.5 "
         "out=f32[1,2]=12,15"},
    };
    CHECK_ALL(cases);
}

Test(interpreter, window_gather) {
    static const struct case_text cases[] = {
        {"window_gather", "params=i32[2,5]=0..9 start=i32[2]=1,0 window=3 out=i32[2,3]=1,2,3,5,6,7"},
        {"window_gather", "params=i32[1,3,2]=0..5 start=u8[1]=1 window=2 out=i32[1,2,2]=2..5"},
        {"window_gather", "params=i32[1,5]=0..4 start=i32[1]=5 window=0 out=i32[1,0]"},
        {"window_gather", "params=i32[1,5]=0..4 start=i32[1]=3 window=3 bounds=fill fill=7 out=i32[1,3]=3,4,7"},
        {"window_gather", "params=i32[1,5]=0..4 start=i32[1]=-1 window=3 bounds=fill out=i32[1,3]=0,0,1"},
        {"window_gather", "params=i32[1,5]=0..4 start=i32[1]=3 window=3 bounds=clip out=i32[1,3]=3,4,4"},
        {"window_gather", "params=i32[1,5]=0..4 start=i32[1]=-2 window=4 bounds=clip out=i32[1,4]=0,0,0,1"},
        /* The start counts from the end, and the window goes on from there. */
        {"window_gather", "params=i32[1,5]=0..4 start=i32[1]=-3 window=3 bounds=from_end out=i32[1,3]=2,3,4"},
        {"window_gather", "params=i32[1,5]=0..4 start=i32[1]=-2 window=3 bounds=from_end fill=7 out=i32[1,3]=3,4,7"},
        {"window_gather",
         "params=i32[1,5]=0..4 start=i64[1]=9223372036854775807 window=3 bounds=clip "
         "out=i32[1,3]=4,4,4"},
        {"window_gather",
         "params=i32[1,5]=0..4 start=i64[1]=-9223372036854775808 window=2 bounds=from_end fill=7 "
         "out=i32[1,2]=7,7"},
        {"window_gather",
         "params=i32[1,5]=0..4 start=u64[1]=18446744073709551615 window=2 bounds=fill fill=7 "
         "out=i32[1,2]=7,7"},
    };
    CHECK_ALL(cases);
}

/* ---- Other formulas ---- */

Test(interpreter, formulas_of_ones_own) {
    check_formula("out[A, B] = params[rows[A], columns[B]]", "",
                  "params=i32[2,3]=0..5 rows=i32[2]=1,0 columns=i32[2]=2,0 out=i32[2,2]=5,3,2,0");
    check_formula("out[B, S] = params[table[first[B]], S]", "S=1",
                  "params=i32[3,2]=0..5 table=i32[2]=2,1 first=u8[3]=0,1,0 out=i32[3,2]=4,5,2,3,4,5");
    check_formula("out[B] = params[base[B] + step[B]]", "B=1",
                  "params=i32[5]=10..14 base=i32[2]=4,1 step=i32[2]=-4,2 out=i32[2]=10,13");
    check_formula("out[A] += matrix[A, K] * vector[K] from zeros", "K=1",
                  "matrix=i32[2,3]=1..6 vector=i32[3]=1,10,100 out=i32[2]=321,654");
    check_formula("out[A] max= matrix[A, K] from low", "A=1",
                  "matrix=i32[2,3]=1,5,3,-4,-9,-6 low=i32[2]=2,-5 out=i32[2]=5,-4");
    check_formula("out[A] -= a[A] * b[A] * c[A] from d", "",
                  "a=i32[2]=1,2 b=i32[2]=3,4 c=i32[2]=5,6 d=i32[2]=100,100 out=i32[2]=85,52");
    check_formula("out[X] += signal[X + W] * weights[W] from zeros", "out=shape[]",
                  "signal=i32[5]=1..5 weights=i32[3]=1,0,10 shape=3 out=i32[3]=31,42,53");
    check_formula("out[to[N], S] = params[from_row[N], S] from zeros", "out=shape[] S=1",
                  "to=i32[2]=2,0 from_row=i32[2]=1,1 params=i32[2,2]=1..4 shape=3,2 out=i32[3,2]=3,4,0,0,3,4");
}

/* ---- Bounds ---- */

Test(interpreter, bounds_of_gathers) {
    static const struct case_text cases[] = {
        {"gather", "params=i32[4]=10..13 indices=i32[5]=0,4,-1,3,9 bounds=fill fill=7 out=i32[5]=10,7,7,13,7"},
        {"gather", "params=i32[4]=10..13 indices=u64[2]=18446744073709551615,1 bounds=fill out=i32[2]=0,11"},
        {"gather", "params=f32[2,2]=1..4 indices=i8[2]=-128,1 bounds=fill fill=0.5 out=f32[2,2]=0.5,0.5,3,4"},
        {"gather", "params=string[2]='a','b' indices=i32[2]=2,1 bounds=fill fill='none' out=string[2]='none','b'"},
        {"gather", "params=string[2]='a','b' indices=i32[2]=2,1 bounds=fill out=string[2]='','b'"},
        {"gather", "params=i32[4]=10..13 indices=i32[3]=-1,-4,0 bounds=from_end out=i32[3]=13,10,10"},
        {"gather", "params=i32[4]=10..13 indices=i8[1]=-1 bounds=from_end out=i32[1]=13"},
        {"gather", "params=i32[4]=10..13 indices=i16[1]=-2 bounds=from_end out=i32[1]=12"},
        {"gather", "params=i32[4]=10..13 indices=i64[1]=-3 bounds=from_end out=i32[1]=11"},
        {"gather", "params=i32[4]=10..13 indices=i32[3]=-5,4,-2 bounds=from_end fill=7 out=i32[3]=7,7,12"},
        {"gather", "params=i32[4]=10..13 indices=i32[3]=-5,4,2 bounds=clip out=i32[3]=10,13,12"},
        {"gather", "params=i32[4]=10..13 indices=u64[2]=18446744073709551615,1 bounds=clip out=i32[2]=13,11"},
        {"gather", "params=i32[0,2] indices=i32[1]=0 bounds=clip out=i32[1,2]=0,0"},
        {"gather", "params=i32[0,2] indices=i32[1]=0 bounds=fill fill=3 out=i32[1,2]=3,3"},
        {"gather", "params=i32[4]=10..13 indices=i32[2]=3,0 bounds=unchecked out=i32[2]=13,10"},
        {"gather_nd", "params=i32[2,3]=0..5 indices=i32[3,2]=1,3,1,2,-1,0 bounds=fill fill=9 out=i32[3]=9,5,9"},
        {"gather_nd", "params=i32[2,3]=0..5 indices=i32[2,2]=-1,3,9,-2 bounds=clip out=i32[2]=2,3"},
        {"gather_nd", "params=i32[2,3]=0..5 indices=i32[2,2]=-1,-3,1,-1 bounds=from_end out=i32[2]=3,5"},
    };
    CHECK_ALL(cases);
    /* What is dropped has no part in a product. */
    check_formula("out[A] *= params[index[A, K]] from start", "A=1",
                  "params=i32[2]=3,5 index=i32[1,3]=0,9,1 start=i32[1]=2 bounds=drop out=i32[1]=30");
    /* The fill value takes the place of the element even where only the inner lookup is bad. */
    check_formula("out[B] = params[table[first[B]]]", "",
                  "params=i32[3]=5,6,7 table=i32[2]=2,9 first=i32[3]=0,1,2 bounds=fill fill=1 out=i32[3]=7,1,1");
}

Test(interpreter, bounds_of_scatters) {
    static const struct case_text cases[] = {
        {"scatter_nd", "indices=i32[4,1]=1,3,-1,1 updates=i32[4]=1,2,4,8 shape=3 bounds=drop out=i32[3]=0,9,0"},
        {"scatter_nd", "indices=i32[2,2]=1,2,0,1 updates=i32[2]=1,2 shape=2,2 bounds=drop out=i32[2,2]=0,2,0,0"},
        {"scatter_nd", "indices=i32[3,1]=9,-9,1 updates=i32[3]=1,2,4 shape=3 bounds=clip out=i32[3]=2,4,1"},
        {"scatter_nd", "indices=i32[2,1]=-1,-3 updates=i32[2]=1,2 shape=3 bounds=from_end out=i32[3]=2,0,1"},
        {"scatter_nd", "indices=i32[1,1]=0 updates=i32[1,2]=1,2 shape=0,2 bounds=drop out=i32[0,2]"},
        {"scatter_nd", "indices=i32[1,1]=0 updates=i32[1,2]=1,2 shape=0,2 bounds=clip out=i32[0,2]"},
        {"tensor_scatter", "tensor=i32[2]=1,2 indices=i32[2,1]=2,0 updates=i32[2]=8,9 bounds=drop out=i32[2]=9,2"},
        {"tensor_scatter", "tensor=i32[2]=1,2 indices=i32[1,1]=1 updates=i32[1]=9 bounds=unchecked out=i32[2]=1,9"},
    };
    CHECK_ALL(cases);
}

/* ---- Sizes and layouts ---- */

#define ONES_16 "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
#define ZEROS_21 "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"

Test(interpreter, ranks_and_extents) {
    static const struct case_text cases[] = {
        {"gather_nd", "params=i32[2]=5,6 indices=i32[3,0] out=i32[3,2]=5,6,5,6,5,6"},
        {"gather_nd", "params=i32[]=7 indices=i32[2,0] out=i32[2]=7,7"},
        {"gather_nd", "params=i32[]=7 indices=i32[0] out=i32[]=7"},
        {"scatter_nd", "indices=i32[2,0] updates=i32[2,3]=1..6 shape=3 out=i32[3]=5,7,9"},
        {"scatter_nd", "indices=i32[2,0] updates=i32[2]=3,4 shape= out=i32[]=7"},
        {"tensor_scatter", "tensor=f32[]=1 indices=i32[0] updates=f32[]=2.5 combine=add out=f32[]=3.5"},
        {"gather", "params=i32[3,2]=0..5 indices=i32[0] out=i32[0,2]"},
        {"gather", "params=i32[0,2] indices=i32[0] out=i32[0,2]"},
        {"gather", "params=i32[2,0] indices=i32[3]=0,1,1 out=i32[3,0]"},
        {"scatter_nd", "indices=i32[0,1] updates=i32[0] shape=2 out=i32[2]=0,0"},
        {"tensor_scatter", "tensor=i32[2]=1,2 indices=i32[0,1] updates=i32[0] combine=mul out=i32[2]=1,2"},
        {"gather", "params=i8[" ONES_16 ONES_16 ONES_16 "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,3]=7,8,9 indices=i32[1]=2 "
                   "axis=63 out=i8[" ONES_16 ONES_16 ONES_16 "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]=9"},
        {"gather_nd", "params=i8[3," ONES_16 ONES_16 ONES_16 "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]=7,8,9 "
                      "indices=i32[64]=1," ZEROS_21 ZEROS_21 "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 "
                      "out=i8[]=8"},
    };
    CHECK_ALL(cases);
}

Test(interpreter, strides_and_offsets) {
    static const struct case_text cases[] = {
        {"gather", "params=i32[3,2]{1,3}=0..5 indices=i32[2]=2,0 out=i32[2,2]=2,5,0,3"},
        {"gather", "params=i32[3]{-1}@8=1,2,3 indices=i32[3]=0..2 out=i32[3]=3,2,1"},
        {"gather", "params=i32[3,2]{0,1}=8,9 indices=i32[1]=2 out=i32[1,2]=8,9"},
        {"gather", "params=i32[3]=5,6,7 indices=i16[2]{2}@2=9,2,9,0 out=i32[2]=7,5"},
        {"gather", "params=i32[3]=5,6,7 indices=i16[3]{0}=1 out=i32[3]=6,6,6"},
        {"gather_nd", "params=i32[2,2]=0..3 indices=i32[2,2]{1,2}=0,1,1,0 out=i32[2]=1,2"},
        {"scatter_nd", "indices=i32[2,1]{-1,1}@4=0,2 updates=i32[2]{2}=5,9,6 shape=3 out=i32[3]=6,0,5"},
        {"tensor_scatter", "tensor=i32[2,2]{1,2}=1..4 indices=i32[1,2]=0,1 updates=i32[1]=9 out=i32[2,2]=1,9,2,4"},
    };
    CHECK_ALL(cases);
}

Test(interpreter, writes_through_the_strides_of_the_output) {
    struct interpreted run;
    const char *text = "params=i16[2,2]=1..4 indices=i32[2]=1,0 out=i16[2,2]=0*4";
    int64_t strides[] = {-1, 3};
    int16_t buffer[7];
    interpreted_open(&run, operation_named("gather"), text, AT_END);
    for (int i = 0; i < 7; i++)
        buffer[i] = -1;
    run.out.view.data = buffer;
    run.out.view.byte_offset = 2;
    run.out.view.strides = strides;
    size_t n = run.line.n_arguments + 1;
    cr_assert_eq(gk_problem_bind(&run.problem, &run.operation, run.arguments, n, NULL, &run.error), GASKET_OK);
    cr_assert_eq(gk_interpret(&run.problem, &run.memory, &run.error), GASKET_OK);
    static const int16_t expected[7] = {1, 3, -1, 2, 4, -1, -1};
    cr_assert_arr_eq(buffer, expected, sizeof expected);
    interpreted_close(&run);
}

static void check_in_place(const char *text, int16_t first, int16_t second) {
    struct interpreted run;
    interpreted_open(&run, operation_named("tensor_scatter"), text, AT_BEGIN);
    size_t n = run.line.n_arguments + 1;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(run.arguments[i].name, "tensor") == 0) run.arguments[i].tensor = &run.out.view;
    }
    int16_t data[2] = {1, 2};
    memcpy(run.out.data, data, sizeof data);
    cr_assert_eq(gk_problem_bind(&run.problem, &run.operation, run.arguments, n, NULL, &run.error), GASKET_OK);
    cr_assert_eq(gk_problem_check_data(&run.problem, &run.error), GASKET_OK);
    cr_assert_eq(gk_interpret(&run.problem, &run.memory, &run.error), GASKET_OK);
    memcpy(data, run.out.data, sizeof data);
    cr_expect(data[0] == first && data[1] == second, "%s: %d, %d", text, data[0], data[1]);
    interpreted_close(&run);
}

Test(interpreter, in_place) {
    check_in_place("tensor=i16[2]=0,0 indices=i32[2,1]=1,1 updates=i16[2]=8,9 out=i16[2]=0,0", 1, 9);
    check_in_place("tensor=i16[2]=0,0 indices=i32[2,1]=1,1 updates=i16[2]=8,9 combine=add out=i16[2]=0,0", 1, 19);
    /* The bits 1 and 2 are the smallest f16 numbers, 2^-24 and 2^-23. */
    check_in_place("tensor=f16[2]=0,0 indices=i32[1,1]=1 updates=f16[1]:0300 combine=add accumulate=f32 out=f16[2]=0,0",
                   1, 5);
}

/* ---- Elements ---- */

Test(interpreter, four_bits) {
    static const struct case_text cases[] = {
        /* 1,2,3,4 -> 4,1,2: the half that is no element keeps the poison's a. */
        {"gather", "params=u4[4]:2143 indices=i32[3]=3,0,1 out=u4[3]:14a2"},
        {"gather", "params=u4[4]:2143 indices=i32[3]=0,7,1 bounds=fill fill=u4[]:09 out=u4[3]:91a2"},
        {"gather", "params=i4[2,2]:2143 indices=i32[1]=1 axis=1 out=i4[2,1]:42"},
        {"gather_nd", "params=f4_e2m1fn[2,2]:2143 indices=i32[2,2]=1,0,0,1 out=f4_e2m1fn[2]:23"},
        {"tensor_scatter", "tensor=u4[4]:2143 indices=i32[1,1]=1 updates=u4[1]:0f out=u4[4]:f143"},
        {"tensor_scatter", "tensor=u4[4]:2143 indices=i32[2,1]=2,2 updates=u4[2]:98 out=u4[4]:2149"},
    };
    CHECK_ALL(cases);
}

Test(interpreter, strings_are_added_in_order) {
    static const struct case_text cases[] = {
        {"scatter_nd", "indices=i32[4,1]=1,1,0,1 updates=string[4]='a','b','c','' shape=3 out=string[3]='c','ab',''"},
        {"tensor_scatter",
         "tensor=string[2]='x','' indices=i32[3,1]=0,0,1 updates=string[3]='y','z','w' combine=add "
         "out=string[2]='xyz','w'"},
    };
    CHECK_ALL(cases);
}

Test(interpreter, strings_need_an_allocator) {
    struct interpreted run;
    interpreted_open(&run, operation_named("scatter_nd"),
                     "indices=i32[1,1]=9 updates=string[1]='a' shape=1 out=string[1]=''", AT_END);
    gk_string_memory_init(&run.memory, NULL, NULL);
    cr_assert_eq(gk_interpret(&run.problem, &run.memory, &run.error), GASKET_INVALID_ARGUMENT);
    cr_assert_str_eq(run.error.text, "scatter_nd: adding strings needs an allocator, which the context has not");
    cr_assert(tensor_is_poisoned(&run.out));
    interpreted_close(&run);
}

static void *allocate_nothing(void *user, size_t bytes) {
    (void)user;
    (void)bytes;
    return NULL;
}

Test(interpreter, strings_run_out_of_memory) {
    struct interpreted run;
    interpreted_open(&run, operation_named("scatter_nd"),
                     "indices=i32[2,1]=0,0 updates=string[2]='a','b' shape=1 out=string[1]=''", AT_END);
    gk_string_memory_init(&run.memory, allocate_nothing, NULL);
    cr_assert_eq(gk_interpret(&run.problem, &run.memory, &run.error), GASKET_OUT_OF_MEMORY);
    interpreted_close(&run);
}

Test(interpreter, nan_and_zeros) {
    static const struct case_text cases[] = {
        {"tensor_scatter",
         "tensor=f32[3]=1,nan,-0 indices=i32[3,1]=0..2 updates=f32[3]=nan,1,0 combine=max "
         "out=f32[3]=1,nan,-0"},
        {"tensor_scatter",
         "tensor=f64[3]=1,nan,0 indices=i32[3,1]=0..2 updates=f64[3]=nan,1,-0 combine=min "
         "out=f64[3]=1,nan,0"},
        {"tensor_scatter",
         "tensor=f16[2]=1,inf indices=i32[4,1]=0,0,1,1 updates=f16[4]=nan,3,nan,2 combine=min "
         "nan=propagate out=f16[2]=nan,nan"},
        {"tensor_scatter",
         "tensor=bf16[1]=inf indices=i32[3,1]=0*3 updates=bf16[3]=1,nan,3 combine=min "
         "out=bf16[1]=1"},
        /* inf - inf, and a signalling NaN that becomes quiet; one that is only moved stays as it is. */
        {"tensor_scatter",
         "tensor=f32[2]:0000807f010080ff indices=i32[2,1]=0,1 updates=f32[2]=inf,1 combine=sub "
         "out=f32[2]:0000c0ff0100c0ff"},
        {"tensor_scatter", "tensor=f16[2]:017c027c indices=i32[1,1]=0 updates=f16[1]:03fc out=f16[2]:03fc027c"},
        {"scatter_nd", "indices=i32[1,1]=0 updates=f32[1]=-0 shape=1 out=f32[1]=0"},
    };
    CHECK_ALL(cases);
}

#define THOUSANDS "indices=i32[4000,1]=0*4000 shape=1 "

Test(interpreter, accumulates_natively_or_in_f32) {
    static const struct case_text cases[] = {
        {"scatter_nd", THOUSANDS "updates=f16[4000]=1*4000 out=f16[1]=2048"},
        {"scatter_nd", THOUSANDS "updates=bf16[4000]=1*4000 out=bf16[1]=256"},
        {"scatter_nd", THOUSANDS "updates=f16[4000]=1*4000 accumulate=f32 out=f16[1]=4000"},
        {"scatter_nd", THOUSANDS "updates=bf16[4000]=1*4000 accumulate=f32 out=bf16[1]=4000"},
        {"scatter_nd", "indices=i32[1000,1]=0*1000 shape=1 updates=f16[1000]=0.1*1000 out=f16[1]=105.1875"},
        {"scatter_nd", "indices=i32[1000,1]=0*1000 shape=1 updates=f16[1000]=0.1*1000 accumulate=f32 out=f16[1]=100"},
        {"tensor_scatter",
         "tensor=f16[2]=2048,5 indices=i32[2,1]=0,0 updates=f16[2]=1,1 combine=sub accumulate=f32 "
         "out=f16[2]=2046,5"},
        {"tensor_scatter",
         "tensor=bf16[2]=256,5 indices=i32[2,1]=0,0 updates=bf16[2]=1,1 combine=add accumulate=f32 "
         "out=bf16[2]=258,5"},
        /* (1 + 2^-10)^2 - (1 + 2^-9) is 2^-20; a product that is rounded to f16 loses it. */
        {"embedding_bag",
         "table=f16[2,1]=1.0009765625,1 indices=i32[1,2]=0,1 "
         "weights=f16[1,2]=1.0009765625,-1.001953125 out=f16[1,1]=0"},
        {"embedding_bag",
         "table=f16[2,1]=1.0009765625,1 indices=i32[1,2]=0,1 "
         "weights=f16[1,2]=1.0009765625,-1.001953125 accumulate=f32 out=f16[1,1]=0x1p-20"},
    };
    CHECK_ALL(cases);
}

Test(interpreter, an_output_too_large_to_accumulate_in_f32) {
    struct interpreted run;
    interpreted_open(&run, operation_named("scatter_nd"),
                     "indices=i32[1,1]=0 updates=f16[1]=1 shape=1 accumulate=f32 out=f16[1]=1", AT_END);
    run.problem.tensors[gk_formula_output(&run.operation.formula)].shape[0] = INT64_MAX;
    cr_assert_eq(gk_interpret(&run.problem, &run.memory, &run.error), GASKET_OUT_OF_MEMORY);
    cr_assert(tensor_is_poisoned(&run.out));
    interpreted_close(&run);
}

/* ---- Indices that change ---- */

struct flipper {
    int32_t *index;
    atomic_int stop;
};

static void *flip(void *state) {
    struct flipper *flipper = state;
    volatile int32_t *index = flipper->index;
    while (!atomic_load(&flipper->stop)) {
        *index = INT32_MAX;
        *index = 1;
    }
    return NULL;
}

/* A bad value can come at any time; it is never used, and the call says so or does not see it. */
Test(interpreter, indices_that_another_thread_changes) {
    struct interpreted run;
    int32_t index = 1;
    int seen[2] = {0, 0};
    interpreted_open(&run, operation_named("gather"), "params=i32[2]=5,6 indices=i32[1]=1 out=i32[1]=6", AT_END);
    for (uint8_t t = 0; t < run.operation.formula.n_tensors; t++) {
        if (strcmp(run.operation.formula.tensors[t], "indices") == 0) run.problem.tensors[t].data = (char *)&index;
    }
    struct flipper flipper = {.index = &index};
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, flip, &flipper), 0);
    for (int i = 0; i < 20000; i++) {
        enum gasket_status status = gk_interpret(&run.problem, &run.memory, &run.error);
        cr_assert(status == GASKET_OK || status == GASKET_OUT_OF_BOUNDS);
        cr_assert(status != GASKET_OK || memcmp(run.out.data, "\6\0\0\0", 4) == 0);
        seen[status == GASKET_OK]++;
    }
    atomic_store(&flipper.stop, 1);
    pthread_join(thread, NULL);
    cr_log_info("%d calls ended well, %d with an error", seen[1], seen[0]);
    interpreted_close(&run);
}
