/* Statuses, messages and shapes as text. */
#include "error.h"

#include <criterion/criterion.h>
#include <string.h>

Test(error, names_of_statuses) {
    cr_expect_str_eq(gasket_status_name(GASKET_OK), "OK");
    cr_expect_str_eq(gasket_status_name(GASKET_INVALID_ARGUMENT), "INVALID_ARGUMENT");
    cr_expect_str_eq(gasket_status_name(GASKET_OUT_OF_BOUNDS), "OUT_OF_BOUNDS");
    cr_expect_str_eq(gasket_status_name(GASKET_UNSUPPORTED), "UNSUPPORTED");
    cr_expect_str_eq(gasket_status_name(GASKET_OUT_OF_MEMORY), "OUT_OF_MEMORY");
    cr_expect_str_eq(gasket_status_name(GASKET_UNAVAILABLE), "UNAVAILABLE");
    cr_expect_str_eq(gasket_status_name(GASKET_INTERNAL), "INTERNAL");
    cr_expect_str_eq(gasket_status_name((enum gasket_status)7), "UNKNOWN");
    cr_expect_str_eq(gasket_status_name((enum gasket_status) - 1), "UNKNOWN");
}

Test(error, fail_formats_and_returns_the_status) {
    struct gk_error error;
    cr_expect_eq(gk_fail(&error, GASKET_UNSUPPORTED, "%s = %d", "axis", -4), GASKET_UNSUPPORTED);
    cr_expect_eq(error.status, GASKET_UNSUPPORTED);
    cr_expect_str_eq(error.text, "axis = -4");
}

Test(error, long_messages_are_cut) {
    struct gk_error error;
    char text[2 * GK_ERROR_TEXT];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    gk_fail(&error, GASKET_INTERNAL, "%s", text);
    cr_expect_eq(strlen(error.text), GK_ERROR_TEXT - 1);
}

Test(error, shapes) {
    char text[GK_SHAPE_TEXT];
    const int64_t shape[] = {2, 0, -1, INT64_MAX};
    cr_expect_str_eq(gk_shape_text(text, NULL, 0), "[]");
    cr_expect_str_eq(gk_shape_text(text, shape, 1), "[2]");
    cr_expect_str_eq(gk_shape_text(text, shape, 4), "[2,0,-1,9223372036854775807]");
}

Test(error, long_shapes_end_in_dots) {
    char text[GK_SHAPE_TEXT];
    int64_t shape[64];
    for (int i = 0; i < 64; i++)
        shape[i] = INT64_MIN;
    for (int n = 1; n <= 64; n++) {
        size_t length = strlen(gk_shape_text(text, shape, n));
        cr_assert_lt(length, GK_SHAPE_TEXT);
        int is_cut = strcmp(text + length - 6, "8,...]") == 0;
        cr_expect_eq(is_cut, n > 11, "%d: %s", n, text);
        cr_expect_eq(text[length - 1], ']');
    }
}
