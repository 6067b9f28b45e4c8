/* error: a status with its text, filled where the fault is found and carried up unchanged. */
#ifndef GK_ERROR_H
#define GK_ERROR_H

#include "gasket/gasket.h"

enum { GK_ERROR_TEXT = 1024 };

struct gk_error {
    enum gasket_status status;
    char text[GK_ERROR_TEXT];
};

/* Sets *error and returns its status. `error` may not be NULL. */
enum gasket_status gk_fail(struct gk_error *error, enum gasket_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes "[2,3,4]" into `text` and returns it; long ones end in "...]". */
enum { GK_SHAPE_TEXT = 256 };
const char *gk_shape_text(char text[GK_SHAPE_TEXT], const int64_t *shape, int ndim);

#endif
