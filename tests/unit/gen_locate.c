/* The line of a field in the text of a spec. */
#include <criterion/criterion.h>

#include "gen/locate.h"

static const char spec[] =
    "-- operation { name = 1 }\n"                      /* 1 */
    "local t = { name = 2 }\n"                         /* 2 */
    "return operation {\n"                             /* 3 */
    "    name = \"a\", summary = \"} name = {\",\n"    /* 4 */
    "    --[[ formula = 1\n"                           /* 5 */
    "    ranks = 2 ]] formula = [[\n"                  /* 6 */
    "      ranks = 3 ]],\n"                            /* 7 */
    "    attributes = {\n"                             /* 8 */
    "        { name = \"x\", default = f(1, { 2 }),\n" /* 9 */
    "          wrap = 1 },\n"                          /* 10 */
    "        -- { name = \"comment\" }\n"              /* 11 */
    "        { name = \"y\";\n"                        /* 12 */
    "          [\"wrap\"] = 2 },\n"                    /* 13 */
    "    },\n"                                         /* 14 */
    "    wrap = 'it\\'s', other = a == b,\n"           /* 15 */
    "    ranks = { B = 1,\n"                           /* 16 */
    "              N = 2 },\n"                         /* 17 */
    "}\n";                                             /* 18 */

static int line_of(const char *first, int place, const char *last) {
    struct gk_key keys[3] = {{first, 0}, {0}, {0}};
    int n = 1;
    if (place > 0) {
        keys[n++] = (struct gk_key){NULL, place};
    }
    if (last != NULL) {
        keys[n++] = (struct gk_key){last, 0};
    }
    return gk_locate(spec, 3, keys, n);
}

Test(gen_locate, fields) {
    cr_expect_eq(line_of("name", 0, NULL), 4);
    cr_expect_eq(line_of("summary", 0, NULL), 4);
    cr_expect_eq(line_of("formula", 0, NULL), 6);
    cr_expect_eq(line_of("attributes", 0, NULL), 8);
    cr_expect_eq(line_of("wrap", 0, NULL), 15);
    cr_expect_eq(line_of("other", 0, NULL), 15);
    cr_expect_eq(line_of("ranks", 0, NULL), 16);
}

Test(gen_locate, members) {
    cr_expect_eq(line_of("attributes", 1, NULL), 9);
    cr_expect_eq(line_of("attributes", 1, "default"), 9);
    cr_expect_eq(line_of("attributes", 1, "wrap"), 10);
    cr_expect_eq(line_of("attributes", 2, NULL), 12);
    cr_expect_eq(line_of("attributes", 2, "name"), 12);
    cr_expect_eq(line_of("attributes", 2, "wrap"), 13);
    cr_expect_eq(line_of("ranks", 0, "N"), 17);
}

Test(gen_locate, what_is_not_there_is_on_the_first_line) {
    cr_expect_eq(line_of("values", 0, NULL), 3);
    cr_expect_eq(line_of("attributes", 3, NULL), 3);
    cr_expect_eq(line_of("attributes", 2, "default"), 3);
    cr_expect_eq(line_of("ranks", 0, "O"), 3);
    cr_expect_eq(gk_locate(spec, 3, NULL, 0), 3);
    cr_expect_eq(gk_locate("", 1, &(struct gk_key){"name", 0}, 1), 1);
}

Test(gen_locate, texts_that_end_early) {
    static const char *const texts[] = {"{",     "{ name", "{ [\"name", "{ [[", "{ --[[",
                                        "{ '\\", "{ \"",   "{ [=",      "{{{{", "}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cr_expect_eq(gk_locate(texts[i], 1, &(struct gk_key){"wrap", 0}, 1), 1, "%s", texts[i]);
    }
}

Test(gen_locate, deep_nesting_ends) {
    char text[2000];
    for (size_t i = 0; i < sizeof text - 1; i++) {
        text[i] = '{';
    }
    text[sizeof text - 1] = '\0';
    cr_expect_eq(gk_locate(text, 1, &(struct gk_key){"name", 0}, 1), 1);
}
