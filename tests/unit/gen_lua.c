/* The closed Lua state: what it has gives the same everywhere, and what it has not is not there. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "gen/lua_state.h"
#include "gen/render.h"

/* What `return <code>` gives as a text, "(error)" if it fails. */
static void evaluate(const char *code, char *result, size_t size) {
    struct gk_lua lua;
    gk_lua_open(&lua, "test.lua");
    int status = gk_lua_load(&lua, "test.lua", code, strlen(code));
    if (status == 0) {
        status = gk_lua_call(&lua, 0, 1);
    }
    const char *text = status == 0 ? lua_tostring(lua.L, -1) : "(error)";
    snprintf(result, size, "%s", text != NULL ? text : "(nil)");
    gk_lua_close(&lua);
    cr_expect_eq(lua.used, 0, "%s: %zu bytes are left", code, lua.used);
}

static void expect(const char *code, const char *wanted) {
    char result[400];
    evaluate(code, result, sizeof result);
    cr_expect_str_eq(result, wanted, "%s gives %s, not %s", code, result, wanted);
}

Test(gen_lua, names) {
    static const char *const there[] = {"assert",     "error",        "ipairs",      "pairs",          "select",
                                        "tonumber",   "tostring",     "type",        "string.format",  "string.gsub",
                                        "string.rep", "string.sub",   "string.byte", "table.concat",   "table.insert",
                                        "table.sort", "table.unpack", "math.floor",  "math.maxinteger"};
    static const char *const absent[] = {"collectgarbage",
                                         "dofile",
                                         "load",
                                         "loadfile",
                                         "print",
                                         "require",
                                         "next",
                                         "rawget",
                                         "rawset",
                                         "setmetatable",
                                         "getmetatable",
                                         "pcall",
                                         "xpcall",
                                         "_G",
                                         "os",
                                         "io",
                                         "debug",
                                         "package",
                                         "coroutine",
                                         "utf8",
                                         "warn",
                                         "_VERSION",
                                         "string.dump",
                                         "string.find",
                                         "string.match",
                                         "string.gmatch",
                                         "string.pack",
                                         "string.unpack",
                                         "table.move",
                                         "table.pack",
                                         "math.random",
                                         "math.randomseed",
                                         "math.sin"};
    char code[100];
    for (size_t i = 0; i < sizeof there / sizeof *there; i++) {
        snprintf(code, sizeof code, "return %s ~= nil and 'there'", there[i]);
        expect(code, "there");
    }
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        snprintf(code, sizeof code, "return %s == nil and 'absent'", absent[i]);
        expect(code, "absent");
    }
    expect("return ('').find == nil and 'absent'", "absent");
    expect("return ('').rep ~= nil and 'there'", "there");
}

Test(gen_lua, tables_are_walked_in_the_order_of_their_keys) {
    expect(
        "local t, s = { z = 1, a = 2, [10] = 3, [2] = 4, [1.5] = 5, m = 6 }, '' "
        "for k, v in pairs(t) do s = s .. k .. '=' .. v .. ' ' end return s",
        "1.5=5 2=4 10=3 a=2 m=6 z=1 ");
    expect("local n = 0 for k in pairs({}) do n = n + 1 end return n", "0");
    expect("for k in pairs(nil) do end", "(error)");
    expect("for k in pairs({ [pairs] = 1 }) do end", "(error)");
}

Test(gen_lua, texts_of_values) {
    expect("return tostring(12) .. tostring(1.5) .. tostring(true) .. tostring(nil) .. tostring('x')", "121.5truenilx");
    expect("return tostring({})", "(error)");
    expect("return string.format('%d %5.2f %s %q %%', 1, 2.5, 'x', 'y')", "1  2.50 x \"y\" %");
    expect("return string.format('%s', {})", "(error)");
    expect("return string.format('%-10p', 'x')", "(error)");
    expect("return string.format('%')", "(error)");
    expect("return ('x'):rep(3, ', ')", "x, x, x");
    expect("return ('x'):rep(0) .. ('x'):rep(-5)", "");
    expect("return ('a#b#'):gsub('#', '12')", "a12b12");
    expect("return ('aaa'):gsub('a', 'b', 2)", "bba");
    expect("return ('a'):gsub('.', 'b')", "(error)");
}

Test(gen_lua, limits) {
    expect("local function f() return f() end return f()", "(error)");
    expect("local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end", "(error)");
    expect("return ('x'):rep(1 << 16):len()", "65536");
    expect("return ('x'):rep((1 << 16) + 1)", "(error)");
    expect("return ('x'):rep(2, ('y'):rep(1 << 16))", "(error)");
    expect("local s = ('x'):rep(1 << 16) return #(s .. s .. s)", "196608");
    expect("local s = ('x'):rep(1 << 16) return #(s .. s .. s .. s)", "(error)");
    expect("table.sort({ 3, 1, 2 }, function() error('no order') end)", "(error)");
    expect("local t = {} for i = 1, 200 do t = { t } end return 'fine'", "fine");
}

/* Fails unless what one C function does in Lua's library counts as more than the one instruction that calls it. */
static void expect_counted(const char *before, const char *again) {
    char code[400];
    snprintf(code, sizeof code, "%s for i = 1, 2000 do %s end return 'fine'", before, again);
    expect(code, "(error)");
    snprintf(code, sizeof code, "%s %s return 'fine'", before, again);
    expect(code, "fine");
}

Test(gen_lua, what_the_library_does_counts) {
    const char *text = "local s = ('x'):rep(4096)", *table = "local t = {} for i = 1, 4096 do t[i] = 'x' end";
    static const char *const on_text[] = {
        "s:byte(1, -1)",          "s:upper()",       "s:lower()", "s:reverse()", "s:sub(2)",
        "string.format('%s', s)", "s:gsub('x', '')", "s:len()",   "tonumber(s)", "string.rep('x', 4096)"};
    static const char *const on_table[] = {"table.concat(t)", "table.insert(t, 1, 'x') table.remove(t)",
                                           "table.sort(t)",   "table.unpack(t)",
                                           "pairs(t)",        "select(2, table.unpack(t))"};
    for (size_t i = 0; i < sizeof on_text / sizeof *on_text; i++) {
        expect_counted(text, on_text[i]);
    }
    for (size_t i = 0; i < sizeof on_table / sizeof *on_table; i++) {
        expect_counted(table, on_table[i]);
    }
    expect_counted("local s, p = ('x'):rep(100), ('x'):rep(50) .. 'y'", "s:gsub(p, '')");
    expect_counted("local s = ('x'):rep(1000) local t = { s .. 1, s .. 2, s .. 3 }", "table.sort(t)");
    expect_counted("local s = ('x'):rep(1000) local t = { [s .. 1] = 1, [s .. 2] = 1 }", "pairs(t)");
}

/* ---- Templates ---- */

/* What a template makes with v = { n = 3 }, f = {}, symbol = "name"; "(error)" if it fails. */
static void expect_rendered(const char *template, const char *wanted) {
    struct gk_lua lua;
    struct gk_text source = {0}, text = {0};
    gk_text_add(&source, template, strlen(template));
    gk_lua_open(&lua, "test.c.in");
    int status = gk_template_load(&lua, "test.c.in", &source);
    if (status == 0) {
        lua_newtable(lua.L);
        lua_pushinteger(lua.L, 3);
        lua_setfield(lua.L, -2, "n");
        lua_newtable(lua.L);
        lua_pushstring(lua.L, "name");
        status = gk_render(&lua, &text);
    }
    cr_expect_eq(lua_gettop(lua.L), 0);
    const char *got = status != 0 ? "(error)" : text.data != NULL ? text.data : "";
    cr_expect_str_eq(got, wanted, "%s gives %s, not %s", template, got, wanted);
    gk_lua_close(&lua);
    gk_text_free(&source);
    gk_text_free(&text);
}

Test(gen_lua, templates) {
    expect_rendered("", "");
    expect_rendered("a;", "a;\n");
    expect_rendered("a;\r\nb;\r\n", "a;\nb;\n");
    expect_rendered("int ${symbol}(${v.n});\n", "int name(3);\n");
    expect_rendered("${v.n}${v.n + 1}$ {x} $${v.n}\n", "34$ {x} $3\n");
    expect_rendered("\"\\n\\\"\" \t\"%d\" \\", "\"\\n\\\"\" \t\"%d\" \\\n");
    expect_rendered("@ for i = 1, v.n do\na${i};\n  @ end\n", "a1;\na2;\na3;\n");
    expect_rendered("@ local x = 'l1\\nl2'\n${x}\n", "l1\nl2\n");
    expect_rendered("${({ 'a', 'b' })[2]}${'}'}${\"{\"}\n", "b}{\n");
    expect_rendered("a @ b\n * @c\n", "a @ b\n * @c\n");
    expect_rendered("\n\na  \t\n\n\n\nb\n", "a\n\nb\n");
    expect_rendered("@ if false then\na\n@ end\n", "");
    expect_rendered("\xc3\xa9\n", "\xc3\xa9\n");
}

Test(gen_lua, templates_that_fail) {
    static const char *const list[] = {"${",    "${}",          "${ nil }", "${v.x}",        "${1.5}",
                                       "${{}}", "${v.n",        "@ end",    "@ for",         "@ error('x')",
                                       "${'a}", "${1) .. ((2}", "@ goto x", "@ return 1\nx", "${v.n}}${"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        expect_rendered(list[i], "(error)");
    }
}
