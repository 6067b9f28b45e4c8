/* Lines that are too long, or whose alignment came from another name, are laid out anew; all others stay as they are.
 */
#include <criterion/criterion.h>

#include "gen/reflow.h"

static void expect(const char *source, const char *wanted) {
    struct gk_text text = {0}, again = {0};
    gk_reflow(&text, source);
    cr_expect_str_eq(text.data, wanted, "%s becomes\n%s, not\n%s", source, text.data, wanted);
    gk_reflow(&again, wanted);
    cr_expect_str_eq(again.data, wanted, "a second time it becomes\n%s", again.data);
    gk_text_free(&text);
    gk_text_free(&again);
}

#define NAME_60 "a23456789_b23456789_c23456789_d23456789_e23456789_f23456789_"

Test(gen_reflow, short_lines_stay) {
    expect("x;\n", "x;\n");
    expect("\n\n    if (a &&\n      b) {\n", "\n\n    if (a &&\n      b) {\n");
    expect("#define F(a, \\\n  b) a\n", "#define F(a, \\\n  b) a\n");
    expect("/* ( */\nx;\n", "/* ( */\nx;\n");
    expect("    /* (\n       x */\n", "    /* (\n       x */\n");
    expect("f(\"(\");\n  g;\n", "f(\"(\");\n  g;\n");
    expect("f('\\'', '(');\n  g;\n", "f('\\'', '(');\n  g;\n");
    expect("no end (", "no end (");
}

Test(gen_reflow, heads_of_functions_are_aligned) {
    expect("int f(int a,\n            int b) {\n    return a;\n}\n", "int f(int a, int b) {\n    return a;\n}\n");
    expect("int " NAME_60 "(int first_of_all, int second_of_all,\n  int third_of_all, int fourth_of_all) {\n",
           "int " NAME_60
           "(int first_of_all, int second_of_all, int third_of_all,\n"
           "                                                                 int fourth_of_all) {\n");
}

Test(gen_reflow, long_statements_are_broken) {
    expect("    x = f(" NAME_60 ", " NAME_60 ");\n", "    x = f(" NAME_60 ",\n          " NAME_60 ");\n");
    expect("    x = f(" NAME_60 ") ? g(1, 2, 3) : h(" NAME_60 ", 2);\n",
           "    x = f(" NAME_60 ") ? g(1, 2, 3)\n        : h(" NAME_60 ", 2);\n");
    expect("    x = " NAME_60 " + (a + b + c + d + e) + (a + b + c + d + e) + (a + b + c + d);\n",
           "    x = " NAME_60 " + (a + b + c + d + e) + (a + b + c + d + e) +\n        (a + b + c + d);\n");
    expect("    x = \"" NAME_60 ", " NAME_60 "\";\n", "    x = \"" NAME_60 ", " NAME_60 "\";\n");
    expect("    x = " NAME_60 NAME_60 ";\n", "    x = " NAME_60 NAME_60 ";\n");
}

Test(gen_reflow, many_parentheses) {
    struct gk_text source = {0}, text = {0};
    for (int i = 0; i < 200; i++) {
        gk_text_format(&source, "(a, ");
    }
    gk_text_format(&source, "\n");
    gk_reflow(&text, source.data);
    cr_expect_gt(text.length, 600);
    gk_text_free(&source);
    gk_text_free(&text);
}
