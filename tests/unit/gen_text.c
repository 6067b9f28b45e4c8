/* How the generator spells C. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/text.h"

static void expect_literal(const char *value, const char *wanted) {
    struct gk_text text = {0};
    gk_text_literal(&text, value);
    cr_expect_str_eq(text.data, wanted);
    gk_text_free(&text);
}

Test(gen_text, literals) {
    expect_literal(NULL, "NULL");
    expect_literal("", "\"\"");
    expect_literal("a\"b\\c", "\"a\\\"b\\\\c\"");
    expect_literal("what?", "\"what?\"");
    expect_literal(
        "\xc3\xa9"
        "1",
        "\"\\303\\2511\"");
    expect_literal("a\tb", "\"a\\011b\"");
}

static void expect_int64(int64_t value, const char *wanted) {
    struct gk_text text = {0};
    gk_text_int64(&text, value);
    cr_expect_str_eq(text.data, wanted);
    gk_text_free(&text);
}

Test(gen_text, whole_numbers) {
    expect_int64(0, "0");
    expect_int64(-7, "-7");
    expect_int64((int64_t)1 << 40, "1099511627776");
    expect_int64(INT64_MAX, "INT64_MAX");
    expect_int64(INT64_MIN, "INT64_MIN");
}

static void expect_float(float value, const char *wanted) {
    struct gk_text text = {0};
    gk_text_float(&text, value);
    cr_expect_str_eq(text.data, wanted);
    gk_text_free(&text);
}

Test(gen_text, floats_are_short_and_exact) {
    expect_float(0.0f, "0.0f");
    expect_float(1.0f, "1.0f");
    expect_float(0.1f, "0.1f");
    expect_float(1.0f / 3.0f, "0.33333334f");
    expect_float(1e9f, "1e+09f");
    expect_float(16777216.0f, "16777216.0f");
    for (uint32_t bits = 1; bits < 0x7f800000; bits += 9999991) {
        struct gk_text text = {0};
        float value;
        memcpy(&value, &bits, sizeof value);
        gk_text_float(&text, value);
        cr_expect_eq(strtof(text.data, NULL), value, "%s", text.data);
        gk_text_free(&text);
    }
}

Test(gen_text, lines_are_broken_at_120_columns) {
    struct gk_text text = {0};
    char item[41];
    memset(item, 'x', 40);
    item[40] = '\0';
    gk_text_format(&text, "    ");
    for (int i = 0; i < 4; i++) {
        gk_text_wrap(&text, item, 4);
    }
    char *wanted = gk_printed("    %s %s\n    %s %s", item, item, item, item);
    cr_expect_str_eq(text.data, wanted);
    free(wanted);
    gk_text_free(&text);

    item[39] = '\0';
    gk_text_wrap(&text, item, 0);
    gk_text_wrap(&text, item, 0);
    gk_text_wrap(&text, item, 0);
    cr_expect_eq(strchr(text.data, '\n') == NULL, 1, "3 * 39 and two blanks fit");
    gk_text_wrap(&text, "y", 0);
    cr_expect_str_eq(strchr(text.data, '\n'), "\ny", "119 columns and ' y' do not");
    gk_text_free(&text);
}

Test(gen_text, named_texts) {
    struct gk_texts texts = {0};
    for (int i = 0; i < 100; i++) {
        char *name = gk_printed("%02d", (i * 37) % 100);
        gk_text_format(gk_texts_add(&texts, name), "text %s", name);
        free(name);
    }
    cr_expect_eq(texts.count, 100);
    cr_expect_str_eq(gk_texts_find(&texts, "42")->text.data, "text 42");
    cr_expect_null(gk_texts_find(&texts, "420"));
    gk_texts_sort(&texts);
    for (size_t i = 0; i < texts.count; i++) {
        cr_expect_eq((size_t)atoi(texts.items[i].name), i);
    }
    gk_texts_free(&texts);
    cr_expect_eq(texts.count, 0);
}
