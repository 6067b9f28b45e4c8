/* Literals of the command line, read as they say and as one of all types. */
#include "tools/literal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parsers/target.h"
#include "tensor.h"
#include "tools/element.h"
#include "tools/types.h"

/* A refusal says what is wrong, and where it says a place, that is in the text. */
static void expect_refusal(int outcome, const struct tool_failure *failure, const char *text) {
    const char *place = strstr(failure->text, "at character ");
    expect(outcome == TOOL_MISUSED, "the outcome is %d", outcome);
    expect(failure->text[0] != 0 && strlen(failure->text) < sizeof failure->text - 1, "a message of %zu bytes",
           strlen(failure->text));
    if (place != NULL && strstr(text, "at character ") == NULL) {
        long column = strtol(place + 13, NULL, 10);
        expect(column >= 1 && column <= (long)strlen(text) + 1, "character %ld of '%s'", column, text);
    }
}

/* ---- The text and the tensor, side by side ---- */

/* Past a value of the text, or past one other character. */
static const char *past(const char *at) {
    const char *begin = at;
    if (*at == '"' || *at == '\'') {
        for (at++; *at != *begin; at++) {
            at += *at == '\\';
        }
        return at + 1;
    }
    at += strcspn(at, "[], \t\n:");
    return at > begin ? at : at + 1;
}

static int is_mark(char c) {
    return strchr("[], \t\n", c) != NULL;
}

/* Whether the texts have the same brackets and commas in the same order. */
static int same_lists(const char *a, const char *b) {
    for (;;) {
        for (; *a != 0 && *a != ':' && strchr("[],", *a) == NULL; a = past(a)) {
        }
        for (; *b != 0 && *b != ':' && strchr("[],", *b) == NULL; b = past(b)) {
        }
        if (*a == 0 || *a == ':' || *b == 0 || *b == ':') {
            return (*a == 0 || *a == ':') && (*b == 0 || *b == ':');
        }
        if (*a++ != *b++) {
            return 0;
        }
    }
}

/* Whether two texts of real numbers mean the same, but for the rounding of the least precise type and of
 * the shortest text for it. */
static int near(const char *a, const char *b) {
    double x = strtod(a, NULL), y = strtod(b, NULL);
    return isnan(x) || isinf(x) || isinf(y) ? isnan(x) == isnan(y) && (isnan(x) || x == y)
                                            : fabs(x - y) <= fabs(x) / 128 + 1e-7;
}

static int same_whole(const char *a, const char *b) {
    size_t sign = *a == '-' || *a == '+';
    int base = a[sign] == '0' && (a[sign + 1] | 32) == 'x' ? 16 : 10, base_of_b = strncmp(b, "0x", 2) == 0 ? 16 : 10;
    return *b == '-' ? strtoll(a, NULL, base) == strtoll(b, NULL, base_of_b)
                     : strtoull(a, NULL, base) == strtoull(b, NULL, base_of_b);
}

static int same_value(const char *a, const char *b, enum tool_form form) {
    switch (form) {
        case TOOL_FORM_BOOL:
            return (*b == 't') == (*a == 't' || strtod(a, NULL) == 1.0);
        case TOOL_FORM_SIGNED:
        case TOOL_FORM_UNSIGNED:
        case TOOL_FORM_BITS:
            return same_whole(a, b);
        case TOOL_FORM_FLOAT:
            return near(a, b);
        default:
            return 1;
    }
}

/* Each value of the text is the element in its place. */
static void expect_values(const struct tool_array *array, const char *text, int64_t elements) {
    enum tool_form form = tool_type_of(array->tensor.dtype)->form;
    int64_t i = 0;
    for (const char *at = text; *at != 0 && *at != ':'; at = past(at)) {
        char element[TOOL_ELEMENT_TEXT] = "";
        if (is_mark(*at)) {
            continue;
        }
        if (expect(i < elements, "more values than elements in '%s'", text)) {
            tool_element_text(element, array->tensor.dtype, array->tensor.data, i);
            expect(same_value(at, element, form), "'%.40s' is taken as %s", at, element);
        }
        i++;
    }
    expect(i == elements, "fewer values than elements in '%s'", text);
}

/* ---- What was read, written again ---- */

static void write_element(FILE *file, const struct tool_array *array, int64_t i) {
    char text[TOOL_ELEMENT_TEXT];
    fputs(tool_element_text(text, array->tensor.dtype, array->tensor.data, i), file);
}

static void write_lists(FILE *file, const struct tool_array *array, int depth, int64_t first) {
    if (depth == array->tensor.ndim) {
        write_element(file, array, first);
        return;
    }
    fputc('[', file);
    for (int64_t i = 0; i < array->shape[depth]; i++) {
        fputs(i > 0 ? "," : "", file);
        write_lists(file, array, depth + 1, first * array->shape[depth] + i);
    }
    fputc(']', file);
}

static char *written(const struct tool_array *array) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    write_lists(file, array, 0, 0);
    fprintf(file, ":%s", gasket_type_name(array->tensor.dtype));
    fclose(file);
    return text;
}

/* Texts are shown shortened where they are long. */
static int has_long_text(const struct tool_array *array, int64_t elements) {
    const struct gasket_string *strings = array->tensor.data;
    int is_long = 0;
    for (int64_t i = 0; i < elements && array->tensor.dtype.bits == 128 && array->tensor.dtype.code == 3; i++) {
        is_long |= strings[i].length > 64;
    }
    return is_long;
}

static int same_element(const struct tool_array *a, const struct tool_array *b, int64_t i) {
    char left[TOOL_ELEMENT_TEXT], right[TOOL_ELEMENT_TEXT];
    DLDataType type = a->tensor.dtype;
    tool_element_text(left, type, a->tensor.data, i);
    tool_element_text(right, type, b->tensor.data, i);
    if (type.code == 3 || strstr(left, "nan") != NULL || type.bits < 8) {
        return strcmp(left, right) == 0;
    }
    size_t width = type.bits / 8;
    return memcmp((char *)a->tensor.data + (size_t)i * width, (char *)b->tensor.data + (size_t)i * width, width) == 0;
}

static void expect_round_trip(const struct tool_array *array, const char *source, int64_t elements) {
    struct tool_array again = {0};
    struct tool_failure failure;
    char *text = written(array);
    expect(same_lists(source, text), "the lists of '%s' are those of '%s'", source, text);
    if (!has_long_text(array, elements) && expect(tool_literal_read(&again, text, NULL, &failure) == TOOL_DONE,
                                                  "'%s' is refused: %s", text, failure.text)) {
        expect(again.tensor.ndim == array->tensor.ndim && tool_elements(again.tensor.ndim, again.shape) == elements &&
                   memcmp(again.shape, array->shape, sizeof again.shape) == 0,
               "'%s' has another shape", text);
        for (int64_t i = 0; i < elements; i++) {
            expect(same_element(array, &again, i), "element %" PRId64 " of '%s' is another one", i, text);
        }
        tool_array_free(&again);
    }
    free(text);
}

/* ---- One literal ---- */

static void expect_tensor(const struct tool_array *array, const char *text) {
    const DLTensor *tensor = &array->tensor;
    int64_t elements = tool_elements(tensor->ndim, array->shape);
    expect(tool_type_of(tensor->dtype) != NULL, "no type");
    expect(tensor->ndim >= 0 && tensor->ndim <= GASKET_MAX_RANK, "%d dimensions", tensor->ndim);
    expect(elements >= 0 && (size_t)elements <= strlen(text), "%" PRId64 " elements", elements);
    expect(tensor->shape == array->shape && tensor->strides == NULL, "it is not compact");
    expect((tensor->data != NULL) == (elements > 0), "data, or none");
    for (int d = 0; d < tensor->ndim; d++) {
        expect(array->shape[d] > 0 || d == tensor->ndim - 1, "an empty list of lists");
    }
    expect_values(array, text, elements);
    expect_round_trip(array, text, elements);
}

static void run(const char *text, const DLDataType *type) {
    struct tool_array array = {0};
    struct tool_failure failure = {""};
    int outcome = tool_literal_read(&array, text, type, &failure);
    if (outcome != TOOL_DONE) {
        expect_refusal(outcome, &failure, text);
        expect(array.memory == NULL && array.texts == NULL, "memory of a refused literal");
        return;
    }
    expect(tool_is_literal(text) || strpbrk(text, " \t\n") != NULL, "'%s' is taken for a file's name", text);
    expect_tensor(&array, text);
    tool_array_free(&array);
}

void target_run(const char *bytes, size_t size) {
    char *text = copy_text(bytes, size);
    DLDataType type = gk_dtype_type((enum gasket_dtype)(size % GASKET_DTYPES));
    run(text, NULL);
    run(text, &type);
    free(text);
}
