/* error: statuses and the texts that go with them. */
#include "error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const status_names[] = {
    [GASKET_OK] = "OK",
    [GASKET_INVALID_ARGUMENT] = "INVALID_ARGUMENT",
    [GASKET_OUT_OF_BOUNDS] = "OUT_OF_BOUNDS",
    [GASKET_UNSUPPORTED] = "UNSUPPORTED",
    [GASKET_OUT_OF_MEMORY] = "OUT_OF_MEMORY",
    [GASKET_UNAVAILABLE] = "UNAVAILABLE",
    [GASKET_INTERNAL] = "INTERNAL",
};

const char *gasket_status_name(enum gasket_status status) {
    size_t n = sizeof status_names / sizeof *status_names;
    return (size_t)status < n ? status_names[status] : "UNKNOWN";
}

enum gasket_status gk_fail(struct gk_error *error, enum gasket_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    error->status = status;
    return status;
}

const char *gk_shape_text(char text[GK_SHAPE_TEXT], const int64_t *shape, int ndim) {
    static const char more[] = ",...]";
    size_t length = 0;
    text[length++] = '[';
    for (int i = 0; i < ndim; i++) {
        char number[24];
        size_t digits = (size_t)snprintf(number, sizeof number, "%s%" PRId64, i > 0 ? "," : "", shape[i]);
        if (length + digits + sizeof more > GK_SHAPE_TEXT) {
            memcpy(text + length, more, sizeof more);
            return text;
        }
        memcpy(text + length, number, digits);
        length += digits;
    }
    memcpy(text + length, "]", 2);
    return text;
}
