/* Specs, strategies and templates that were damaged at random: each is read or refused, and nothing else happens. Under
 * the sanitizers this looks for accesses outside and for leaks. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gen/files.h"
#include "gen/spec.h"
#include "gen/strategy.h"

static uint64_t state = 1;

static size_t draw(size_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 33) % n;
}

static const char *const pieces[] = {"{",  "}",  "(", ")",    "\"", "'", "[[",  "]]", "--",  ",",   "=",  "@ ",   "${",
                                     "\n", "\\", "-", "1e99", "[",  "]", "nil", "*",  "end", "${}", "\t", "\x80", "N"};

/* Puts something into a few places, or in place of what is there, or only cuts of the text. */
static void damage(struct gk_text *text) {
    for (size_t n = 1 + draw(3); n > 0; n--) {
        struct gk_text damaged = {0};
        size_t from = draw(text->length + 1), length = draw(12);
        const char *piece = draw(3) > 0 ? pieces[draw(sizeof pieces / sizeof *pieces)] : "";
        length = from + length > text->length ? text->length - from : length;
        gk_text_add(&damaged, text->data, from);
        gk_text_add(&damaged, piece, strlen(piece));
        from += draw(2) > 0 ? length : 0;
        gk_text_add(&damaged, text->data + from, text->length - from);
        gk_text_free(text);
        *text = damaged;
    }
}

static char *in_scratch(const char *name) {
    const char *folder = getenv("TEST_DIR");
    return gk_printed("%s/%s", folder != NULL ? folder : ".", name);
}

static void write_damaged(const char *from, const char *to) {
    struct gk_text text = {0};
    cr_assert_eq(gk_file_read(from, 1 << 20, &text), 0);
    damage(&text);
    cr_assert_eq(gk_file_write(to, &text), 0);
    gk_text_free(&text);
}

Test(gen_random, specs) {
    static const char *const names[] = {"gather", "gather_nd", "scatter_nd", "tensor_scatter", "window_gather"};
    char *path = in_scratch("damaged.lua");
    int n_read = 0, n_refused = 0;
    cr_assert_not_null(freopen("/dev/null", "w", stderr));
    for (int i = 0; i < 1500; i++) {
        struct gk_specs specs = {0};
        char *from = gk_printed("gen/specs/%s.lua", names[draw(5)]);
        write_damaged(from, path);
        if (gk_specs_read(&specs, path) == 0) {
            n_read++;
        } else {
            n_refused++;
        }
        gk_specs_free(&specs);
        free(from);
    }
    cr_expect_gt(n_read, 50, "%d were read", n_read);
    cr_expect_gt(n_refused, 500, "%d were refused", n_refused);
    free(path);
}

static int read_damaged(const char *name, int which, const struct gk_needs *needs) {
    struct gk_strategies strategies = {0};
    char *folder = in_scratch("damaged");
    static const char *const endings[] = {"lua", "c.in"};
    for (int i = 0; i < 2; i++) {
        struct gk_text text = {0};
        char *from = gk_printed("tests/golden/tiny/templates/cpu/%s.%s", name, endings[i]);
        char *to = gk_printed("%s/cpu/%s.%s", folder, name, endings[i]);
        cr_assert_eq(gk_file_read(from, 1 << 20, &text), 0);
        if (i == which) {
            damage(&text);
        }
        cr_assert_eq(gk_file_write(to, &text), 0);
        gk_text_free(&text);
        free(from);
        free(to);
    }
    const struct gk_wanted wanted = {.set = "set", .needs = needs};
    int result = gk_strategies_read(&strategies, folder, &wanted);
    gk_strategies_free(&strategies);
    free(folder);
    return result;
}

Test(gen_random, strategies) {
    struct gk_specs specs = {0};
    cr_assert_eq(gk_specs_read(&specs, "tests/golden/tiny/specs"), 0);
    struct gk_needs needs = gk_needs_of(&specs, GASKET_BIT(GASKET_BASE));
    int n_read = 0, n_refused = 0;
    cr_assert_not_null(freopen("/dev/null", "w", stderr));
    for (int i = 0; i < 1500; i++) {
        int result = read_damaged("rows", i % 2, &needs);
        n_read += result == 0;
        n_refused += result != 0;
    }
    cr_expect_gt(n_read, 100, "%d were read", n_read);
    cr_expect_gt(n_refused, 300, "%d were refused", n_refused);
    gk_specs_free(&specs);
}
