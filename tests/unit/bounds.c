/* The check of bounds: what is checked, in which order, and its messages word for word. */
#include "bounds.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/interpreted.h"

struct case_text {
    const char *operation, *text, *message;
};

static void check_all(const struct case_text *cases, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const struct operation_text *operation = operation_named(cases[i].operation);
        const char *complaint = interpreted_check(operation, cases[i].text, cases[i].message);
        cr_expect_null(complaint, "%s: %s", cases[i].operation, complaint);
    }
}
#define CHECK_ALL(cases) check_all(cases, sizeof(cases) / sizeof *(cases))

/* Groups A and B have one dimension each. */
static void check_formula(const char *formula, const char *text, const char *message) {
    const struct operation_text operation = {"test", formula, "", strstr(formula, "A, B") ? "A=1 B=1" : ""};
    const char *complaint = interpreted_check(&operation, text, message);
    cr_expect_null(complaint, "%s: %s", formula, complaint);
}

#define BAD " error=OUT_OF_BOUNDS"

Test(bounds, single_coordinates) {
    static const struct case_text cases[] = {
        {"gather", "params=i32[2,4]=0..7 indices=i32[1,2]=0,5 axis=1" BAD, "indices[0,1] = 5 is not in [0, 4)"},
        {"gather", "params=i32[4]=0..3 indices=i32[]=7" BAD, "indices = 7 is not in [0, 4)"},
        {"gather", "params=i32[4]=0..3 indices=i32[1]=-1" BAD, "indices[0] = -1 is not in [0, 4)"},
        {"gather", "params=i32[4]=0..3 indices=i32[1]=4" BAD, "indices[0] = 4 is not in [0, 4)"},
        {"gather", "params=i32[4]=0..3 indices=u8[1]=255" BAD, "indices[0] = 255 is not in [0, 4)"},
        {"gather", "params=i32[4]=0..3 indices=u16[1]=65535" BAD, "indices[0] = 65535 is not in [0, 4)"},
        {"gather", "params=i32[4]=0..3 indices=u32[1]=4294967295" BAD, "indices[0] = 4294967295 is not in [0, 4)"},
        {"gather", "params=i32[4]=0..3 indices=u64[2]=0,18446744073709551615" BAD,
         "indices[1] = 18446744073709551615 is not in [0, 4)"},
        {"gather", "params=i32[4]=0..3 indices=i64[1]=-9223372036854775808" BAD,
         "indices[0] = -9223372036854775808 is not in [0, 4)"},
        {"gather", "params=i32[2,3]=0..5 indices=i32[2,2]=0,2,1,3 batch_dims=1" BAD,
         "indices[1,1] = 3 is not in [0, 3)"},
        {"take_along_axis", "params=i32[2,3]=0..5 axis=1 indices=i32[2,1]=1,3" BAD,
         "indices[1,0] = 3 is not in [0, 3)"},
        {"embedding_bag", "table=i32[2,1]=1,2 indices=i32[1,3]=0,1,9 weights=i32[1,3]=0*3" BAD,
         "indices[0,2] = 9 is not in [0, 2)"},
    };
    CHECK_ALL(cases);
}

Test(bounds, tuples) {
    static const struct case_text cases[] = {
        {"gather_nd", "params=i32[3,4]=0..11 indices=i32[2,2]=0,0,1,-1" BAD,
         "indices[1] = [1,-1] does not index into params of shape [3,4]"},
        {"scatter_nd", "indices=i32[2,1]=1,5 updates=i32[2]=1,2 shape=3" BAD,
         "indices[1] = [5] does not index into out of shape [3]"},
        {"scatter_nd", "indices=i32[1]=5 updates=i32[]=1 shape=3" BAD,
         "indices = [5] does not index into out of shape [3]"},
        {"tensor_scatter", "tensor=i32[2,2]=1..4 indices=u64[1,2]=0,9223372036854775808 updates=i32[1]=1" BAD,
         "indices[0] = [0,9223372036854775808] does not index into out of shape [2,2]"},
        {"gather_nd", "params=i32[2,2,3]=0..11 batch_dims=1 indices=i32[2,1,2]=1,2,2,0" BAD,
         "indices[1,0] = [2,0] does not index into params of shape [2,2,3]"},
        /* The whole tensor has an element there, but the coordinate is outside its own dimension. */
        {"gather_nd", "params=i32[2,3]=0..5 indices=i32[1,2]=0,3" BAD,
         "indices[0] = [0,3] does not index into params of shape [2,3]"},
    };
    CHECK_ALL(cases);
}

Test(bounds, counting_from_the_end) {
    static const struct case_text cases[] = {
        {"gather", "params=i32[4]=0..3 indices=i32[2]=-4,-5 bounds=from_end" BAD, "indices[1] = -5 is not in [-4, 4)"},
        {"gather", "params=i32[4]=0..3 indices=i32[1]=4 bounds=from_end" BAD, "indices[0] = 4 is not in [-4, 4)"},
        {"scatter_nd", "indices=i32[2,1]=-3,-4 updates=i32[2]=1,2 shape=3 bounds=from_end" BAD,
         "indices[1] = [-4] does not index into out of shape [3]"},
        {"window_gather", "params=i32[1,9]=0..8 start=i32[1]=-12 window=2 bounds=from_end" BAD,
         "start[0] = -12: -12 + 0 + 9 = -3 is not in [0, 9)"},
        {"window_gather", "params=i32[1,9]=0..8 start=i32[1]=-1 window=2 bounds=from_end" BAD,
         "start[0] = -1: -1 + 1 + 9 = 9 is not in [0, 9)"},
    };
    CHECK_ALL(cases);
}

Test(bounds, sums) {
    static const struct case_text cases[] = {
        {"window_gather", "params=i32[3,9]=0..26 start=i32[3]=0,6,7 window=3" BAD,
         "start[2] = 7: 7 + 2 = 9 is not in [0, 9)"},
        {"window_gather", "params=i32[1,9]=0..8 start=i32[1]=-1 window=3" BAD,
         "start[0] = -1: -1 + 0 = -1 is not in [0, 9)"},
        {"window_gather", "params=i32[1,9]=0..8 start=i64[1]=9223372036854775807 window=2" BAD,
         "start[0] = 9223372036854775807: 9223372036854775807 + 0 = 9223372036854775807 is not in [0, 9)"},
        {"window_gather", "params=i32[1,9]=0..8 start=u64[1]=18446744073709551615 window=2" BAD,
         "start[0] = 18446744073709551615: 18446744073709551615 + 0 = 18446744073709551615 is not in [0, 9)"},
        {"window_gather", "params=i32[1,9,0] start=i32[1]=9 window=1" BAD, "start[0] = 9: 9 + 0 = 9 is not in [0, 9)"},
        {"window_gather", "params=i32[1,9]=0..8 start=i32[1]=100 window=0 out=i32[1,0]", NULL},
    };
    CHECK_ALL(cases);
    check_formula("out[B] = params[base[B] + step[B]]", "params=i32[6]=0..5 base=i32[2]=0,3 step=i32[2]=0,4" BAD,
                  "base[1] = 3: 3 + 4 = 7 is not in [0, 6)");
    check_formula("out[B, W] = params[W + start[B]] * weights[W]",
                  "params=i32[4]=0..3 start=i32[2]=3,2 weights=i32[3]=0*3" BAD,
                  "start[0] = 3: 1 + 3 = 4 is not in [0, 4)");
}

Test(bounds, the_first_bad_one_in_row_major_order) {
    static const struct case_text cases[] = {
        {"gather", "params=i32[4]=0..3 indices=i32[2,2]{1,2}=0,9,8,0" BAD, "indices[0,1] = 8 is not in [0, 4)"},
        {"gather", "params=i32[4]=0..3 indices=i32[3]{-1}@8=9,8,0" BAD, "indices[1] = 8 is not in [0, 4)"},
        {"scatter_nd", "indices=i32[3,2]=0,0,0,7,9,0 updates=i32[3]=0*3 shape=2,2" BAD,
         "indices[1] = [0,7] does not index into out of shape [2,2]"},
        {"window_gather", "params=i32[2,4]=0..7 start=i32[2]=3,9 window=2" BAD,
         "start[0] = 3: 3 + 1 = 4 is not in [0, 4)"},
    };
    CHECK_ALL(cases);
    /* The index's own order counts, not that of the loops. */
    check_formula("out[A, B] = params[index[B, A]]", "params=i32[4]=0..3 index=i32[2,2]=0,7,8,0" BAD,
                  "index[0,1] = 7 is not in [0, 4)");
    check_formula("out[A, B] = params[rows[A], columns[B]]",
                  "params=i32[2,3]=0..5 rows=i32[2]=0,2 columns=i32[2]=3,0" BAD, "rows[1] = 2 is not in [0, 2)");
    check_formula("out[A, B] = params[rows[A], columns[B]]",
                  "params=i32[2,3]=0..5 rows=i32[2]=0,1 columns=i32[2]=3,0" BAD, "columns[0] = 3 is not in [0, 3)");
    check_formula("out[to[N]] += params[row[N]] from zero",
                  "zero=i32[2]=0,0 to=i32[1]=2 params=i32[1]=0 row=i32[1]=1" BAD, "to[0] = 2 is not in [0, 2)");
}

Test(bounds, inner_lookups_come_first) {
    const char *formula = "out[B] = params[table[first[B]]]";
    check_formula(formula, "params=i32[3]=5..7 table=i32[2]=9,9 first=i32[2]=0,2" BAD, "first[1] = 2 is not in [0, 2)");
    check_formula(formula, "params=i32[3]=5..7 table=i32[3]=1,9,3 first=i32[2]=0,2" BAD,
                  "table[2] = 3 is not in [0, 3)");
    check_formula(formula, "params=i32[3]=5..7 table=i32[3]=1,9,2 first=i32[2]=0,2 out=i32[2]=6,7", NULL);
    check_formula("out[B] = params[base[first[B]] + step[B]]",
                  "params=i32[3]=5..7 base=i32[1]=9 first=i32[1]=1 step=i32[1]=9" BAD, "first[0] = 1 is not in [0, 1)");
}

Test(bounds, empty_tensors) {
    static const struct case_text cases[] = {
        {"gather", "params=i32[2,0] indices=i32[1]=5" BAD, "indices[0] = 5 is not in [0, 2)"},
        {"gather", "params=i32[0,2] indices=i32[1]=0" BAD, "indices[0] = 0 is not in [0, 0)"},
        {"gather", "params=i32[0,2] indices=i32[0] out=i32[0,2]", NULL},
        {"gather", "params=i32[0,2] axis=1 indices=i32[1]=2" BAD, "indices[0] = 2 is not in [0, 2)"},
        {"scatter_nd", "indices=i32[1,1]=2 updates=i32[1,0] shape=2,0" BAD,
         "indices[0] = [2] does not index into out of shape [2,0]"},
        {"scatter_nd", "indices=i32[1,1]=0 updates=i32[1] shape=0 error=OUT_OF_BOUNDS",
         "indices[0] = [0] does not index into out of shape [0]"},
    };
    CHECK_ALL(cases);
}

#define MANY "-1000000000000000000,"

Test(bounds, long_tuples_are_cut) {
    struct interpreted run;
    interpreted_open(&run, operation_named("gather_nd"),
                     "params=i8[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]=0 indices=i64[1,16]=" MANY MANY MANY MANY MANY MANY
                         MANY MANY MANY MANY MANY MANY MANY MANY MANY "-1" BAD,
                     AT_END);
    cr_assert_eq(gk_bounds_check(&run.problem, &run.error), GASKET_OUT_OF_BOUNDS);
    cr_assert_not_null(strstr(run.error.text, "indices[0] = [" MANY MANY), "%s", run.error.text);
    cr_assert_not_null(strstr(run.error.text, ",...] does not index into params of shape [1,"), "%s", run.error.text);
    interpreted_close(&run);
}

static uint8_t lookup_of(const struct interpreted *run, const char *name) {
    const struct gasket_formula *formula = &run->operation.formula;
    for (uint8_t a = 0; a < formula->n_accesses; a++) {
        if (strcmp(formula->tensors[formula->accesses[a].tensor], name) == 0) return a;
    }
    return GASKET_NONE;
}

/* What kernels ask: a value and a message by the number of a tuple. */
Test(bounds, by_position) {
    struct interpreted run;
    interpreted_open(&run, operation_named("gather_nd"),
                     "params=i32[2,3]=0..5 indices=i16[2,2,2]{4,2,1}=0,0,1,2,0,3,-1,2" BAD, AT_END);
    uint8_t lookup = lookup_of(&run, "indices");
    cr_assert_eq(gk_index_value(&run.problem, lookup, 1, 1), 2);
    cr_assert_eq(gk_index_value(&run.problem, lookup, 3, 0), -1);
    cr_assert_eq(gk_bounds_fail(&run.problem, lookup, 3, &run.error), GASKET_OUT_OF_BOUNDS);
    cr_assert_str_eq(run.error.text, "indices[1,1] = [-1,2] does not index into params of shape [2,3]");
    interpreted_close(&run);
    interpreted_open(&run, operation_named("window_gather"), "params=i32[2,4]=0..7 start=u64[2]=1,2 window=3" BAD,
                     AT_END);
    cr_assert_eq(gk_bounds_fail(&run.problem, lookup_of(&run, "start"), 1, &run.error), GASKET_OUT_OF_BOUNDS);
    cr_assert_str_eq(run.error.text, "start[1] = 2: 2 + 2 = 4 is not in [0, 4)");
    interpreted_close(&run);
    interpreted_open(&run, operation_named("gather"), "params=i32[4]=0..3 indices=u64[1]=18446744073709551615" BAD,
                     AT_END);
    cr_assert_eq(gk_index_value(&run.problem, lookup_of(&run, "indices"), 0, 0), INT64_MIN);
    interpreted_close(&run);
}

/* In these modes nothing is an error. */
Test(bounds, modes_that_do_not_report) {
    static const char *const modes[] = {"fill", "drop", "clip", "from_end fill=0", "unchecked"};
    for (int i = 0; i < 5; i++) {
        char text[160];
        struct interpreted run;
        snprintf(text, sizeof text, "params=i32[4]=0..3 indices=i32[1]=9 bounds=%s out=i32[1]=0", modes[i]);
        interpreted_open(&run, operation_named("gather"), text, AT_END);
        cr_expect_not(gk_bounds_reports(&run.problem), "%s", modes[i]);
        cr_expect_eq(gk_bounds_check(&run.problem, &run.error), GASKET_OK, "%s", modes[i]);
        interpreted_close(&run);
    }
}
