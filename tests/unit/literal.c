/* Literals: what each means, what is refused and where it says so, and that printing gives back what was read. */
#include "tools/literal.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/element.h"
#include "tools/print.h"

/* A copy of exactly its size, so that a sanitizer sees every byte too far. */
static int read_copy(struct tool_array *array, const char *text, const DLDataType *type, struct tool_failure *failure) {
    char *copy = strdup(text);
    memset(array, 0, sizeof *array);
    failure->text[0] = 0;
    int outcome = tool_literal_read(array, copy, type, failure);
    free(copy);
    return outcome;
}

/* The elements with spaces between. */
static const char *elements_text(const struct tool_array *array) {
    static char all[4096];
    char one[TOOL_ELEMENT_TEXT];
    size_t used = 0;
    all[0] = 0;
    int64_t n = tool_elements(array->tensor.ndim, array->shape);
    for (int64_t i = 0; i < n && used < sizeof all - TOOL_ELEMENT_TEXT; i++) {
        used += (size_t)sprintf(all + used, "%s%s", i ? " " : "",
                                tool_element_text(one, array->tensor.dtype, array->tensor.data, i));
    }
    return all;
}

static const struct {
    const char *text, *shape, *elements;
} goods[] = {
    {"5", "i64 []", "5"},
    {"-5", "i64 []", "-5"},
    {"+5", "i64 []", "5"},
    {"5:u8", "u8 []", "5"},
    {"[1,2,3]", "i64 [3]", "1 2 3"},
    {" [ 1 , 2 ] ", "i64 [2]", "1 2"},
    {"[[0,1],[2,3]]", "i64 [2,2]", "0 1 2 3"},
    {"[[0,1],[2,3]]:i32", "i32 [2,2]", "0 1 2 3"},
    {"[[[1],[2]]]", "i64 [1,2,1]", "1 2"},
    {"[]", "i64 [0]", ""},
    {"[]:f32", "f32 [0]", ""},
    {"[]:string", "string [0]", ""},
    {"[[],[]]", "i64 [2,0]", ""},
    {"[[[]]]:bf16", "bf16 [1,1,0]", ""},
    {"[1,2.5]", "f32 [2]", "1.0 2.5"},
    {"[1.]", "f32 [1]", "1.0"},
    {"[.5]", "f32 [1]", "0.5"},
    {"[1e3,1E-3]", "f32 [2]", "1000.0 0.001"},
    {"[nan,inf,-inf,-0.0]", "f32 [4]", "nan inf -inf -0.0"},
    {"[0.1]:f64", "f64 [1]", "0.1"},
    {"[0.1,16777217]:f32", "f32 [2]", "0.1 16777216.0"},
    {"[1e300,5e-324]:f64", "f64 [2]", "1e+300 5e-324"},
    {"[1,65504,65519,6e-8]:f16", "f16 [4]", "1.0 65504.0 65504.0 6e-08"},
    {"[1,3.14159,inf]:bf16", "bf16 [3]", "1.0 3.14 inf"},
    {"[true,false]", "bool [2]", "true false"},
    {"[1,0]:bool", "bool [2]", "true false"},
    {"true", "bool []", "true"},
    {"[127,-128]:i8", "i8 [2]", "127 -128"},
    {"[0xff,255]:u8", "u8 [2]", "255 255"},
    {"[-32768]:i16", "i16 [1]", "-32768"},
    {"[4294967295]:u32", "u32 [1]", "4294967295"},
    {"[-2147483648]:i32", "i32 [1]", "-2147483648"},
    {"[18446744073709551615]:u64", "u64 [1]", "18446744073709551615"},
    {"[-9223372036854775808,9223372036854775807]", "i64 [2]", "-9223372036854775808 9223372036854775807"},
    {"[-0]:u8", "u8 [1]", "0"},
    {"[7,-8,1]:i4", "i4 [3]", "7 -8 1"},
    {"[15,0]:u4", "u4 [2]", "15 0"},
    {"[0xf,0x1,0x2]:f4_e2m1fn", "f4_e2m1fn [3]", "0xf 0x1 0x2"},
    {"[0x38,0xff]:f8_e4m3fn", "f8_e4m3fn [2]", "0x38 0xff"},
    {"[1+2j]", "c64 [1]", "1.0+2.0j"},
    {"[1-2j,3,-1.5j,inf-infj]", "c64 [4]", "1.0-2.0j 3.0+0.0j 0.0-1.5j inf-infj"},
    {"[1e-3+1e+2j]:c128", "c128 [1]", "0.001+100.0j"},
    {"2:c64", "c64 []", "2.0+0.0j"},
    {"[\"a\",\"bc\"]", "string [2]", "\"a\" \"bc\""},
    {"['it\"s','']", "string [2]", "\"it\\\"s\" \"\""},
    {"\"a,]:i32\"", "string []", "\"a,]:i32\""},
    {"\"\\n\\t\\\\\\x00\\xffz\":string", "string []", "\"\\n\\t\\\\\\x00\\xffz\""},
    {"\"\xc3\xa4\"", "string []", "\"\xc3\xa4\""},
};
enum { N_GOODS = sizeof goods / sizeof goods[0] };

Test(literal, reads) {
    for (int i = 0; i < N_GOODS; i++) {
        struct tool_array array;
        struct tool_failure failure;
        char shape[TOOL_SHAPE_TEXT];
        cr_assert_eq(read_copy(&array, goods[i].text, NULL, &failure), TOOL_DONE, "%s: %s", goods[i].text,
                     failure.text);
        cr_expect_str_eq(tool_shape_text(shape, array.tensor.dtype, array.tensor.ndim, array.shape), goods[i].shape);
        cr_expect_str_eq(elements_text(&array), goods[i].elements, "%s: %s", goods[i].text, elements_text(&array));
        cr_expect(goods[i].text[0] == ' ' || tool_is_literal(goods[i].text), "%s", goods[i].text);
        tool_array_free(&array);
    }
}

static const struct {
    const char *text, *message;
} bads[] = {
    {"", "a value or '[' expected at character 1 of ''"},
    {"[", "a value, '[' or ']' expected at character 2 of '['"},
    {"]", "a value or '[' expected at character 1"},
    {"[1", "',' or ']' expected at character 3 of '[1'"},
    {"[1,", "a value, '[' or ']' expected at character 4"},
    {"[1,]", "a value, '[' or ']' expected at character 4"},
    {"[,1]", "expected at character 2"},
    {"[1 2]", "',' or ']' expected at character 4"},
    {"[1;2]", "',' or ']' expected at character 3"},
    {"[1]]", "the end or ':' with a type expected at character 4"},
    {"[1] 2", "the end or ':' with a type expected at character 5"},
    {"[[1,2],[3]]", "the list that ends at character 10 of '[[1,2],[3]]' has 1 items, the one before it has 2"},
    {"[[1],[2,3]]", "has 2 items, the one before it has 1"},
    {"[[],[1]]", "has 1 items, the one before it has 0"},
    {"[[1],[]]", "has 0 items, the one before it has 1"},
    {"[1,[2]]", "not nested alike at character 5"},
    {"[[1],2]", "not nested alike at character 6"},
    {"[[],1]", "not nested alike"},
    {"[1,[]]", "not nested alike"},
    {"[[[]],[]]", "not nested alike"},
    {"[[],[[]]]", "not nested alike"},
    {"[abc]", "a value, '[' or ']' expected at character 2"},
    {"[--1]", "expected at character 2"},
    {"[1e]", "',' or ']' expected at character 3"},
    {"[.]", "expected at character 2"},
    {"[0x]", "',' or ']' expected at character 3"},
    {"[0x1p3]", "',' or ']' expected at character 5"},
    {"[1_000]", "',' or ']' expected at character 3"},
    {"[1+2]", "',' or ']' expected at character 3"},
    {"[1+2i]", "',' or ']' expected at character 3"},
    {"[truefalse]", "',' or ']' expected"},
    {"[infinity]", "',' or ']' expected at character 5"},
    {"[\"a]", "expected at character 2"},
    {"[\"a\\q\"]", "as its only escapes expected at character 2"},
    {"[\"a\\x4\"]", "as its only escapes"},
    {"\"\\", "a value or '[' expected"},
    {"[1]:", "'' is not a type"},
    {"[1]:i33", "'i33' is not a type"},
    {"[1]:i32 ", "'i32 ' is not a type"},
    {"[1]:I32", "'I32' is not a type"},
    {"[true,1]", "true and false and numbers are mixed"},
    {"[\"a\",1]", "texts and numbers are mixed"},
    {"[\"a\",true]", "texts and true or false are mixed"},
    {"[\"a\"]:f32", "texts, which are not values of type f32"},
    {"[1]:string", "no quoted texts, which are the values of type string"},
    {"[[1,2],[3,300]]:u8", "at [1,1]: 300 is out of range: 0 to 255 are values (u8)"},
    {"[-1]:u64", "at [0]: -1 is out of range: 0 to 18446744073709551615 are values (u64)"},
    {"[128]:i8", "128 is out of range: -128 to 127 are values (i8)"},
    {"[-129]:i8", "-129 is out of range"},
    {"[0xff]:i8", "0xff is out of range"},
    {"9223372036854775808", "9223372036854775808 is out of range: -9223372036854775808 to 9223372036854775807"},
    {"[18446744073709551616]:u64", "is out of range"},
    {"[99999999999999999999999999]", "is out of range"},
    {"[8]:i4", "8 is out of range: -8 to 7 are values (i4)"},
    {"[16]:u4", "16 is out of range: 0 to 15"},
    {"[1.5]:i32", "at [0]: 1.5 is not a whole number (i32)"},
    {"[nan]:i32", "nan is not a whole number"},
    {"[1e3]:i32", "1e3 is not a whole number"},
    {"[1+2j]:f32", "1+2j is not a real number (f32)"},
    {"[1+2j]:i32", "1+2j is not a whole number (i32)"},
    {"[true]:i32", "true is not a whole number"},
    {"[true]:f32", "true is not a real number"},
    {"[true]:c64", "true is not a number"},
    {"[2]:bool", "2 is not true, false, 1 or 0"},
    {"[0.5]:bool", "0.5 is not true or false"},
    {"[1,1e39]", "at [1]: 1e39 is out of range: it would be infinite (f32)"},
    {"[65520]:f16", "65520 is out of range: it would be infinite (f16)"},
    {"[3.4e38]:bf16", "3.4e38 is out of range: it would be infinite (bf16)"},
    {"[1e309]:f64", "1e309 is out of range"},
    {"[1+1e39j]", "1+1e39j is out of range"},
    {"[56]:f8_e4m3fn", "56 is not in hex: values of this type are written as their bits, such as 0x38 (f8_e4m3fn)"},
    {"[1.5]:f8_e5m2", "1.5 is not in hex"},
    {"[0x100]:f8_e5m2", "0x100 is out of range"},
    {"[0x10]:f4_e2m1fn", "0x10 is out of range"},
};
enum { N_BADS = sizeof bads / sizeof bads[0] };

Test(literal, refuses_and_says_where) {
    for (int i = 0; i < N_BADS; i++) {
        struct tool_array array;
        struct tool_failure failure;
        cr_expect_eq(read_copy(&array, bads[i].text, NULL, &failure), TOOL_MISUSED, "%s", bads[i].text);
        cr_expect(strstr(failure.text, bads[i].message), "'%s' should have '%s'", failure.text, bads[i].message);
        cr_expect_null(array.memory);
    }
}

Test(literal, nests_to_64_and_no_deeper) {
    for (int depth = 63; depth <= 66; depth++) {
        char text[200] = "";
        struct tool_array array;
        struct tool_failure failure;
        memset(text, '[', (size_t)depth);
        text[depth] = '1';
        memset(text + depth + 1, ']', (size_t)depth);
        cr_expect_eq(read_copy(&array, text, NULL, &failure), depth > 64 ? TOOL_MISUSED : TOOL_DONE, "%s",
                     failure.text);
        cr_expect(depth <= 64 || strstr(failure.text, "nest deeper than 64"), "%s", failure.text);
        tool_array_free(&array);
    }
}

Test(literal, takes_the_wanted_type_unless_it_names_one) {
    const DLDataType c128 = {kDLComplex, 128, 1};
    struct tool_array array;
    struct tool_failure failure;
    cr_assert_eq(read_copy(&array, "1-2j", &c128, &failure), TOOL_DONE);
    cr_expect_eq(array.tensor.dtype.bits, 128);
    cr_expect_str_eq(elements_text(&array), "1.0-2.0j");
    tool_array_free(&array);
    cr_assert_eq(read_copy(&array, "1-2j:c64", &c128, &failure), TOOL_DONE);
    cr_expect_eq(array.tensor.dtype.bits, 64);
    tool_array_free(&array);
}

Test(literal, is_told_from_a_file) {
    static const char *const files[] = {"a.npy",  "5.npy", "./5", "true.npy", "nan.npy:bf16", "1.npy:bf16", "inf/a",
                                        "5:what", "-",     "",    "x[1].npy", "1e.npy",       "0x1.npy",    "1+2.npy"};
    static const char *const literals[] = {"5",   "5:i32",     "[",   "[1", "\"a", "'",
                                           "nan", "-inf:bf16", "1e5", "2j", "true"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        cr_expect_not(tool_is_literal(files[i]), "%s", files[i]);
    }
    for (size_t i = 0; i < sizeof literals / sizeof literals[0]; i++) {
        cr_expect(tool_is_literal(literals[i]), "%s", literals[i]);
    }
}

/* ---- Broken ones ---- */

static uint64_t random_state = 0x9e3779b97f4a7c15u;
static uint32_t random_below(uint32_t n) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % n;
}

static void mutate(char text[128]) {
    static const char alphabet[] = "[],:\"'\\x0123456789.+-ejnaif tru";
    for (uint32_t n = 1 + random_below(4); n > 0; n--) {
        size_t length = strlen(text), at = random_below((uint32_t)length + 1);
        char letter = random_below(20) ? alphabet[random_below(sizeof alphabet - 1)] : (char)random_below(256);
        switch (random_below(3)) {
            case 0:
                text[at < length ? at : 0] = letter;
                break;
            case 1:
                memmove(text + at, text + at + (at < length), length - at + (at == length));
                break;
            default:
                if (length < 126) {
                    memmove(text + at + 1, text + at, length - at + 1);
                    text[at] = letter;
                }
        }
    }
}

Test(literal, survives_20000_broken_ones, .timeout = 100) {
    int taken = 0;
    for (int i = 0; i < 20000; i++) {
        char text[128];
        struct tool_array array;
        struct tool_failure failure;
        snprintf(text, sizeof text, "%s", goods[random_below(N_GOODS)].text);
        mutate(text);
        (void)tool_is_literal(text);
        int outcome = read_copy(&array, text, NULL, &failure);
        cr_assert(outcome == TOOL_DONE || outcome == TOOL_MISUSED, "%s: %s", text, failure.text);
        cr_assert_eq(outcome == TOOL_MISUSED, failure.text[0] != 0);
        taken += outcome == TOOL_DONE && strlen(elements_text(&array)) > 0;
        tool_array_free(&array);
    }
    cr_expect_gt(taken, 1000, "only %d could be read", taken);
    cr_expect_lt(taken, 19000, "%d could be read", taken);
}
