/* What the command shows: elements that are read back as the same bits, tensors for people, JSON, hints, differences.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/array.h"
#include "tools/compare.h"
#include "tools/element.h"
#include "tools/json.h"
#include "tools/literal.h"
#include "tools/print.h"
#include "tools/utf8.h"

static DLDataType type_named(const char *name) {
    DLDataType type = {0, 0, 0};
    cr_assert_eq(gasket_type_parse(name, &type), GASKET_OK, "%s", name);
    return type;
}

/* ---- Elements ---- */

/* Shows the bits, reads the text, and compares the bits; NaN is any NaN. */
static void expect_same_bits(DLDataType type, const void *bits, double value) {
    char text[TOOL_ELEMENT_TEXT], stored[16] = {0};
    struct tool_value scanned;
    struct tool_failure failure;
    tool_element_text(text, type, bits, 0);
    const char *end = tool_value_scan(text, &scanned);
    cr_assert(end && *end == 0, "%s", text);
    cr_assert_eq(tool_value_store(&scanned, type, stored, 0, &failure), TOOL_DONE, "%s", failure.text);
    cr_assert(isnan(value) ? strcmp(text, "nan") == 0 : memcmp(stored, bits, type.bits / 8) == 0, "%s", text);
}

Test(show, every_half_is_read_back) {
    for (uint32_t i = 0; i < 0x10000; i++) {
        uint16_t bits = (uint16_t)i;
        expect_same_bits(type_named("f16"), &bits, tool_double_of_f16(bits));
        expect_same_bits(type_named("bf16"), &bits, tool_double_of_bf16(bits));
    }
}

Test(show, floats_are_read_back) {
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < 100000; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        uint32_t low = (uint32_t)(state >> 20);
        float single;
        double value;
        memcpy(&single, &low, sizeof single);
        memcpy(&value, &state, sizeof value);
        expect_same_bits(type_named("f32"), &single, single);
        expect_same_bits(type_named("f64"), &value, value);
    }
}

Test(show, halves_are_rounded_to_even) {
    cr_expect_eq(tool_f16_of_double(1.0 + 0x1p-11), 0x3c00);
    cr_expect_eq(tool_f16_of_double(1.0 + 3 * 0x1p-11), 0x3c02);
    cr_expect_eq(tool_f16_of_double(1.0 + 0x1p-11 + 0x1p-30), 0x3c01);
    cr_expect_eq(tool_f16_of_double(65519.99), 0x7bff);
    cr_expect_eq(tool_f16_of_double(65520.0), 0x7c00);
    cr_expect_eq(tool_f16_of_double(-0.0), 0x8000);
    cr_expect_eq(tool_f16_of_double(0x1p-25), 0x0000);
    cr_expect_eq(tool_f16_of_double(0x1p-25 + 0x1p-60), 0x0001);
    cr_expect_eq(tool_f16_of_double(0x1p-14 - 0x1p-26), 0x0400);
    cr_expect_eq(tool_f16_of_double(5e-324), 0x0000);
    cr_expect_eq(tool_bf16_of_double(1.0 + 0x1p-8), 0x3f80);
    cr_expect_eq(tool_bf16_of_double(1.0 + 3 * 0x1p-8), 0x3f82);
    cr_expect_eq(tool_bf16_of_double((double)INFINITY), 0x7f80);
    cr_expect_eq(tool_bf16_of_double(0x1p-133), 0x0001);
}

Test(show, long_strings_are_cut) {
    char bytes[100], text[TOOL_ELEMENT_TEXT];
    struct gasket_string string = {bytes, sizeof bytes};
    memset(bytes, 'x', sizeof bytes);
    tool_element_text(text, type_named("string"), &string, 0);
    cr_expect_eq(strlen(text), 2 + 64 + strlen("...(100 bytes)"));
    cr_expect(strstr(text, "xx\"...(100 bytes)"), "%s", text);
    memset(bytes, 1, sizeof bytes);
    cr_expect_lt(strlen(tool_element_text(text, type_named("string"), &string, 0)), TOOL_ELEMENT_TEXT);
}

/* ---- Tensors ---- */

static void expect_printed(const char *literal, const char *expected) {
    struct tool_array array = {0};
    struct tool_failure failure;
    char *text = NULL;
    size_t size = 0;
    cr_assert_eq(tool_literal_read(&array, literal, NULL, &failure), TOOL_DONE, "%s", failure.text);
    FILE *file = open_memstream(&text, &size);
    tool_print_tensor(file, &array.tensor);
    fclose(file);
    cr_expect_str_eq(text, expected, "%s gave\n%s", literal, text);
    free(text);
    tool_array_free(&array);
}

Test(show, tensors_are_printed_in_columns) {
    expect_printed("5", "i64 []\n5\n");
    expect_printed("[]:f32", "f32 [0]\n[]\n");
    expect_printed("[[],[]]", "i64 [2,0]\n[]\n");
    expect_printed("[[1,-20],[300,4]]", "i64 [2,2]\n[[  1, -20],\n [300,   4]]\n");
    expect_printed("[[[1],[2]],[[3],[4]]]", "i64 [2,2,1]\n[[[1],\n  [2]],\n [[3],\n  [4]]]\n");
    expect_printed("[\"a\",\"b\xc3\xa4\"]", "string [2]\n[\"a\" , \"b\xc3\xa4\"]\n");
}

/* The first numbers of a shape, printed. */
static char *printed_range(int ndim, const int64_t *shape) {
    struct tool_array array = {0};
    struct tool_failure failure;
    char *text = NULL;
    size_t size = 0;
    cr_assert_eq(tool_array_allocate(&array, type_named("i32"), ndim, shape, &failure), TOOL_DONE);
    for (int32_t i = 0; i < tool_elements(ndim, shape); i++) {
        ((int32_t *)array.tensor.data)[i] = i;
    }
    FILE *file = open_memstream(&text, &size);
    tool_print_tensor(file, &array.tensor);
    fclose(file);
    tool_array_free(&array);
    return text;
}

Test(show, large_tensors_are_shortened) {
    const int64_t vector[] = {1001}, matrix[] = {40, 30};
    char *text = printed_range(1, vector);
    cr_expect_str_eq(text, "i32 [1001]\n[   0,    1,    2, ...,  998,  999, 1000]\n");
    free(text);
    text = printed_range(2, matrix);
    cr_expect_str_eq(text,
                     "i32 [40,30]\n"
                     "[[   0,    1,    2, ...,   27,   28,   29],\n"
                     " [  30,   31,   32, ...,   57,   58,   59],\n"
                     " [  60,   61,   62, ...,   87,   88,   89],\n"
                     " ...,\n"
                     " [1110, 1111, 1112, ..., 1137, 1138, 1139],\n"
                     " [1140, 1141, 1142, ..., 1167, 1168, 1169],\n"
                     " [1170, 1171, 1172, ..., 1197, 1198, 1199]]\n");
    free(text);
}

Test(show, long_rows_are_broken) {
    const int64_t vector[] = {1000};
    char *text = printed_range(1, vector), *line = strtok(text, "\n");
    int lines = 0;
    for (; line; line = strtok(NULL, "\n"), lines++) {
        cr_expect_leq(strlen(line), 100, "%s", line);
    }
    cr_expect_gt(lines, 40);
    cr_expect_lt(lines, 60);
    free(text);
}

/* ---- JSON ---- */

Test(show, json_has_commas_and_escapes_where_they_belong) {
    char *text = NULL;
    size_t size = 0;
    const int64_t shape[] = {2, -3};
    FILE *file = open_memstream(&text, &size);
    struct tool_json json = tool_json_begin(file);
    tool_json_open(&json, NULL, '{');
    tool_json_text(&json, "a\"b", "x\\y\"z\n\t\x01\x7f\xc3\xa4\xff");
    tool_json_text(&json, "none", NULL);
    tool_json_integer(&json, "n", INT64_MIN);
    tool_json_integers(&json, "shape", 2, shape);
    tool_json_integers(&json, "empty", 0, NULL);
    tool_json_real(&json, "r", 0.1);
    tool_json_real(&json, "nan", (double)NAN);
    tool_json_bool(&json, "yes", 1);
    tool_json_open(&json, "list", '[');
    tool_json_open(&json, NULL, '{');
    tool_json_close(&json, '}');
    tool_json_open(&json, NULL, '[');
    tool_json_close(&json, ']');
    tool_json_close(&json, ']');
    tool_json_close(&json, '}');
    fclose(file);
    cr_expect_str_eq(text,
                     "{\n"
                     "  \"a\\\"b\": \"x\\\\y\\\"z\\n\\u0009\\u0001\\u007f\xc3\xa4\\u00ff\",\n"
                     "  \"none\": null,\n"
                     "  \"n\": -9223372036854775808,\n"
                     "  \"shape\": [2, -3],\n"
                     "  \"empty\": [],\n"
                     "  \"r\": 0.1,\n"
                     "  \"nan\": null,\n"
                     "  \"yes\": true,\n"
                     "  \"list\": [\n"
                     "    {},\n"
                     "    []\n"
                     "  ]\n"
                     "}\n",
                     "%s", text);
    free(text);
}

Test(show, only_well_formed_utf8_is_text) {
    static const struct {
        const char *bytes;
        size_t length;
    } rows[] = {{"a", 1},
                {"\xc3\xa4", 2},
                {"\xe2\x82\xac", 3},
                {"\xf0\x9f\x98\x80", 4},
                {"\x80", 0},
                {"\xc0\x80", 0},
                {"\xc1\xbf", 0},
                {"\xc3", 0},
                {"\xc3z", 0},
                {"\xe0\x80\x80", 0},
                {"\xed\xa0\x80", 0},
                {"\xe2\x82", 0},
                {"\xe2\x82z", 0},
                {"\xf4\x90\x80\x80", 0},
                {"\xf8\x88\x80\x80\x80", 0},
                {"\xff", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_expect_eq(tool_utf8_length(rows[i].bytes, strlen(rows[i].bytes)), rows[i].length, "row %zu", i);
    }
    cr_expect_eq(tool_utf8_length("a", 0), 0);
}

/* ---- Hints and differences ---- */

Test(show, the_nearest_word_is_found) {
    static const char *const names[] = {"gather", "gather_nd", "scatter_nd", "tensor_scatter"};
    static const char *const rows[][2] = {{"gathr", "gather"},
                                          {"gahter", "gather"},
                                          {"gather-nd", "gather_nd"},
                                          {"scater_nd", "scatter_nd"},
                                          {"tensor_scater", "tensor_scatter"},
                                          {"take", NULL},
                                          {"", NULL},
                                          {"a_word_of_very_many_letters_that_is_no_name_at_all", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *nearest = tool_nearest(rows[i][0], names, 4);
        cr_expect(nearest == rows[i][1] || (nearest && rows[i][1] && strcmp(nearest, rows[i][1]) == 0), "%s: %s",
                  rows[i][0], nearest ? nearest : "none");
    }
    struct tool_failure failure;
    cr_expect_eq(tool_unknown(&failure, "operation", "take", names, 4), TOOL_MISUSED);
    cr_expect_str_eq(failure.text,
                     "there is no operation called 'take'; there are gather, gather_nd, scatter_nd, tensor_scatter");
}

/* The message about two literals, or "" when they are equal. */
static const char *difference(const char *a, const char *b) {
    static struct tool_failure failure;
    struct tool_array ours = {0}, theirs = {0};
    cr_assert_eq(tool_literal_read(&ours, a, NULL, &failure), TOOL_DONE, "%s", failure.text);
    cr_assert_eq(tool_literal_read(&theirs, b, NULL, &failure), TOOL_DONE, "%s", failure.text);
    failure.text[0] = 0;
    int outcome = tool_compare(&ours.tensor, &theirs.tensor, &failure);
    cr_expect_eq(outcome, failure.text[0] ? TOOL_FAILED : TOOL_DONE);
    tool_array_free(&ours);
    tool_array_free(&theirs);
    return failure.text;
}

Test(show, the_first_difference_is_named) {
    cr_expect_str_eq(difference("[[1,2],[3,4]]", "[[1,2],[3,4]]"), "");
    cr_expect(strstr(difference("[[1,2],[3,4]]", "[[1,2],[5,6]]"), "at [1,0], 3 here and 5 from the interpreter"));
    cr_expect(strstr(difference("[0.0]", "[-0.0]"), "at [0], 0.0 here and -0.0 from"));
    cr_expect_str_eq(difference("[nan]", "[nan]"), "");
    cr_expect_str_eq(difference("[\"a\",\"\"]", "[\"a\",\"\"]"), "");
    cr_expect(strstr(difference("[\"a\",\"b\"]", "[\"a\",\"bc\"]"), "at [1], \"b\" here and \"bc\" from"));
    cr_expect(strstr(difference("[1,2,3]:i4", "[1,-2,3]:i4"), "at [1], 2 here and -2 from"));
    cr_expect(strstr(difference("7", "8"), "at [], 7 here"));
    cr_expect_str_eq(difference("[]", "[]"), "");
}
