/* .npy files: what is read, what is refused and why, and what broken files do not do. */
#include "tools/npy.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/element.h"

/* A file in memory of exactly its size, so that a sanitizer sees every byte too far. */
struct file {
    char *bytes;
    size_t size;
};

static struct file make_file(int version, const char *dictionary, const char *data, size_t n_data) {
    size_t n = strlen(dictionary), fixed = version == 1 ? 10 : 12;
    struct file file = {malloc(fixed + n + n_data), fixed + n + n_data};
    memcpy(file.bytes, "\x93NUMPY", 6);
    file.bytes[6] = (char)version;
    file.bytes[7] = 0;
    for (size_t i = 8; i < fixed; i++) {
        file.bytes[i] = (char)(n >> 8 * (i - 8) & 0xff);
    }
    memcpy(file.bytes + fixed, dictionary, n);
    if (n_data > 0) {
        memcpy(file.bytes + fixed + n, data, n_data);
    }
    return file;
}

static DLDataType type_named(const char *name) {
    DLDataType type = {0, 0, 0};
    cr_assert_eq(gasket_type_parse(name, &type), GASKET_OK, "%s", name);
    return type;
}

/* Element at a position, by the strides, as text. */
static const char *element_at(const struct tool_array *array, const int64_t *at) {
    static char text[TOOL_ELEMENT_TEXT];
    const DLTensor *tensor = &array->tensor;
    int64_t index = 0, stride = 1;
    for (int d = tensor->ndim - 1; d >= 0; d--) {
        index += at[d] * (tensor->strides ? tensor->strides[d] : stride);
        stride *= tensor->shape[d];
    }
    return tool_element_text(text, tensor->dtype, tensor->data, index);
}

#define HEADER(type, order, shape) "{'descr': '" type "', 'fortran_order': " order ", 'shape': " shape ", }\n"

/* ---- What is read ---- */

struct good {
    const char *dictionary, *data;
    size_t n_data;
    const char *as;    /* NULL: as the file says */
    const char *shape; /* "f32 [2,3]" */
    int64_t at[3];
    const char *value; /* there; NULL where there are no elements */
};

static const struct good goods[] = {
    {HEADER("<i4", "False", "(2, 3)"),
     "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0\6\0\0\0",
     24,
     NULL,
     "i32 [2,3]",
     {1, 0},
     "4"},
    {HEADER("<i4", "True", "(2, 3)"),
     "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0\6\0\0\0",
     24,
     NULL,
     "i32 [2,3]",
     {1, 0},
     "2"},
    {HEADER(">i4", "False", "(2,)"), "\0\0\0\1\0\0\1\0", 8, NULL, "i32 [2]", {1}, "256"},
    {HEADER(">i2", "True", "(2, 2)"), "\0\1\0\2\0\3\0\4", 8, NULL, "i16 [2,2]", {0, 1}, "3"},
    {HEADER("=i2", "False", "(1,)"), "\5\0", 2, NULL, "i16 [1]", {0}, "5"},
    {HEADER("|b1", "False", "(2,)"), "\0\1", 2, NULL, "bool [2]", {1}, "true"},
    {HEADER("|i1", "False", "()"), "\xff", 1, NULL, "i8 []", {0}, "-1"},
    {HEADER("|u1", "False", "(1,)"), "\xff", 1, NULL, "u8 [1]", {0}, "255"},
    {HEADER("<u2", "False", "(1,)"), "\xff\xff", 2, NULL, "u16 [1]", {0}, "65535"},
    {HEADER("<u4", "False", "(1,)"), "\xff\xff\xff\xff", 4, NULL, "u32 [1]", {0}, "4294967295"},
    {HEADER("<u8", "False", "(1,)"),
     "\xff\xff\xff\xff\xff\xff\xff\xff",
     8,
     NULL,
     "u64 [1]",
     {0},
     "18446744073709551615"},
    {HEADER("<i8", "False", "(1,)"), "\0\0\0\0\0\0\0\x80", 8, NULL, "i64 [1]", {0}, "-9223372036854775808"},
    {HEADER("<f2", "False", "(1,)"), "\x00\x3c", 2, NULL, "f16 [1]", {0}, "1.0"},
    {HEADER(">f2", "False", "(1,)"), "\x3c\x00", 2, NULL, "f16 [1]", {0}, "1.0"},
    {HEADER("<f4", "False", "(1,)"), "\0\0\xc0\x3f", 4, NULL, "f32 [1]", {0}, "1.5"},
    {HEADER(">f8", "False", "(1,)"), "\x3f\xf8\0\0\0\0\0\0", 8, NULL, "f64 [1]", {0}, "1.5"},
    {HEADER("<c8", "False", "(1,)"), "\0\0\x80\x3f\0\0\0\x40", 8, NULL, "c64 [1]", {0}, "1.0+2.0j"},
    {HEADER(">c8", "False", "(1,)"), "\x3f\x80\0\0\x40\0\0\0", 8, NULL, "c64 [1]", {0}, "1.0+2.0j"},
    {HEADER("<c16", "False", "(1,)"), "\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\xc0", 16, NULL, "c128 [1]", {0}, "1.0-2.0j"},
    {HEADER("|V2", "False", "(1,)"), "\x80\x3f", 2, "bf16", "bf16 [1]", {0}, "1.0"},
    {HEADER("<V2", "False", "(1,)"), "\x80\x3f", 2, "bf16", "bf16 [1]", {0}, "1.0"},
    {HEADER("<u2", "False", "(1,)"), "\x80\x3f", 2, "bf16", "bf16 [1]", {0}, "1.0"},
    {HEADER(">u2", "False", "(1,)"), "\x3f\x80", 2, "bf16", "bf16 [1]", {0}, "1.0"},
    {HEADER("|V1", "False", "(2,)"), "\x38\x40", 2, "f8_e4m3fn", "f8_e4m3fn [2]", {1}, "0x40"},
    {HEADER("<f4", "False", "(1,)"), "\0\0\x80\x3f", 4, "u32", "u32 [1]", {0}, "1065353216"},
    {HEADER("<M8", "False", "(1,)"), "\7\0\0\0\0\0\0\0", 8, "i64", "i64 [1]", {0}, "7"},
    {HEADER("<M8[ns]", "False", "(1,)"), "\7\0\0\0\0\0\0\0", 8, "i64", "i64 [1]", {0}, "7"},
    {HEADER("|u1", "False", "(1, 2)"), "\x21\xf3", 2, "i4", "i4 [1,4]", {0, 3}, "-1"},
    {HEADER("|u1", "False", "(1, 2)"), "\x21\xf3", 2, "u4", "u4 [1,4]", {0, 2}, "3"},
    {HEADER("|u1", "True", "(2, 2)"), "\x21\x43\x65\x87", 4, "u4", "u4 [2,4]", {1, 1}, "4"},
    {HEADER("|u1", "True", "(2, 2)"), "\x21\x43\x65\x87", 4, "u4", "u4 [2,4]", {0, 3}, "6"},
    {HEADER("|S3", "False", "(2,)"), "ab\0\0cd", 6, NULL, "string [2]", {0}, "\"ab\""},
    {HEADER("|S3", "False", "(2,)"), "ab\0\0cd", 6, NULL, "string [2]", {1}, "\"\\x00cd\""},
    {HEADER("|S2", "True", "(2, 2)"), "a\0bbc\0dd", 8, "string", "string [2,2]", {0, 1}, "\"c\""},
    {HEADER("<f4", "False", "(0, 3)"), "", 0, NULL, "f32 [0,3]", {0}, NULL},
    {HEADER("<f4", "True", "(4611686018427387904, 0, 4611686018427387904)"),
     "",
     0,
     NULL,
     "f32 [4611686018427387904,0,4611686018427387904]",
     {0},
     NULL},
    {"{'shape':(1,),'fortran_order':False,'descr':'<i2'}", "\1\0", 2, NULL, "i16 [1]", {0}, "1"},
    {"  {\n\"descr\" : \"<i2\" ,\"shape\": ( 1L , ),'fortran_order' :True }   \n",
     "\1\0",
     2,
     NULL,
     "i16 [1]",
     {0},
     "1"},
    {HEADER("<i2", "False", "(1,)"), "\1\0\2\0 and more", 13, NULL, "i16 [1]", {0}, "1"},
};
enum { N_GOODS = sizeof goods / sizeof goods[0] };

Test(npy, reads) {
    for (int version = 1; version <= 3; version++) {
        for (int i = 0; i < N_GOODS; i++) {
            const struct good *good = &goods[i];
            struct file file = make_file(version, good->dictionary, good->data, good->n_data);
            struct tool_array array = {0};
            struct tool_failure failure = {""};
            char text[TOOL_SHAPE_TEXT];
            DLDataType as = type_named(good->as ? good->as : "f32");
            cr_assert_eq(tool_npy_view(&array, file.bytes, file.size, good->as ? &as : NULL, &failure), TOOL_DONE,
                         "%d: %s", i, failure.text);
            cr_expect_str_eq(tool_shape_text(text, array.tensor.dtype, array.tensor.ndim, array.shape), good->shape);
            if (good->value) {
                cr_expect_str_eq(element_at(&array, good->at), good->value, "%d: %s", i, element_at(&array, good->at));
            } else {
                cr_expect_null(array.tensor.data);
            }
            tool_array_free(&array);
            free(file.bytes);
        }
    }
}

/* ---- What is refused ---- */

struct bad {
    const char *dictionary;
    size_t n_data;
    const char *as;
    const char *message; /* a part of it */
};

static const struct bad bads[] = {
    {"", 0, NULL, "'{' expected at 'its end'"},
    {"{", 0, NULL, "a quoted word expected"},
    {"{}", 0, NULL, "does not say 'descr'"},
    {"[]", 0, NULL, "'{' expected"},
    {"{'descr': '<f4', 'shape': (1,)}", 4, NULL, "does not say 'fortran_order'"},
    {"{'descr': '<f4', 'fortran_order': False}", 4, NULL, "does not say 'shape'"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", 4, NULL, "the end of the header expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)", 4, NULL, "',' or '}' expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}", 4, NULL, "an unknown key"},
    {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", 4, NULL, "twice the same key"},
    {"{'descr' '<f4', 'fortran_order': False, 'shape': (1,)}", 4, NULL, "':' expected"},
    {"{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}", 4, NULL, "',' or '}' expected"},
    {"{descr: '<f4', 'fortran_order': False, 'shape': (1,)}", 4, NULL, "a quoted word expected"},
    {"{'descr: '<f4', 'fortran_order': False, 'shape': (1,)}", 4, NULL, "unknown key"},
    {"{'descr", 0, NULL, "a short quoted word expected"},
    {"{'descr': '<f4", 0, NULL, "a short quoted word expected"},
    {"{'descr': '\\x3cf4', 'fortran_order': False, 'shape': (1,)}", 4, NULL, "a short quoted word expected"},
    {"{'descr': '<fffffffffffffffffffffffff4', 'shape': (1,)}", 4, NULL, "a short quoted word expected"},
    {"{'descr': 5, 'fortran_order': False, 'shape': (1,)}", 4, NULL, "a quoted word expected"},
    {HEADER("", "False", "(1,)"), 4, NULL, "the type '' is not understood"},
    {HEADER("<", "False", "(1,)"), 4, NULL, "the type '<' is not understood"},
    {HEADER("<f", "False", "(1,)"), 4, NULL, "the type '<f' is not understood"},
    {HEADER("f4", "False", "(1,)"), 4, NULL, "the type 'f4' is not understood"},
    {HEADER("<4", "False", "(1,)"), 4, NULL, "the type '<4' is not understood"},
    {HEADER("<f4x", "False", "(1,)"), 4, NULL, "the type '<f4x' is not understood"},
    {HEADER("<f-4", "False", "(1,)"), 4, NULL, "the type '<f-4' is not understood"},
    {HEADER("<f99999999999", "False", "(1,)"), 4, NULL, "the type '<f99999999999' is not understood"},
    {HEADER("<\001f4", "False", "(1,)"), 4, NULL, "the type '<?f4' is not understood"},
    {HEADER("<f4", "Maybe", "(1,)"), 4, NULL, "True or False expected at 'Maybe, 'shape'"},
    {HEADER("<f4", "0", "(1,)"), 4, NULL, "True or False expected"},
    {HEADER("<f4", "False", "1"), 4, NULL, "the shape, a tuple expected"},
    {HEADER("<f4", "False", "[1]"), 4, NULL, "the shape, a tuple expected"},
    {HEADER("<f4", "False", "(1)"), 4, NULL, "a comma is missing in (1)"},
    {HEADER("<f4", "False", "(1 2)"), 8, NULL, "',' or ')' expected"},
    {HEADER("<f4", "False", "(,)"), 4, NULL, "a whole number expected"},
    {HEADER("<f4", "False", "(1,,2)"), 8, NULL, "a whole number expected"},
    {HEADER("<f4", "False", "(-1,)"), 4, NULL, "an extent is negative"},
    {HEADER("<f4", "False", "(1.5,)"), 4, NULL, "',' or ')' expected"},
    {HEADER("<f4", "False", "(0x10,)"), 64, NULL, "',' or ')' expected"},
    {HEADER("<f4", "False", "(None,)"), 4, NULL, "a whole number expected"},
    {HEADER("<f4", "False", "(9223372036854775808,)"), 4, NULL, "does not fit 63 bits"},
    {HEADER("<f4", "False", "(99999999999999999999999999999,)"), 4, NULL, "does not fit 63 bits"},
    {HEADER("<f4", "False", "(4611686018427387904,)"), 4, NULL, "is too large: its bytes do not fit 63 bits"},
    {HEADER("<f4", "False", "(4294967296, 4294967296)"), 4, NULL, "is too large"},
    {HEADER("<f4", "False", "(3037000500, 3037000500, 2)"), 4, NULL, "is too large"},
    {HEADER("<f4", "False", "(1000000,)"), 16, NULL, "needs 4000000 bytes, 16 are there"},
    {HEADER("<f4", "False", "(2, 3)"), 23, NULL, "cut short: the shape [2,3] of <f4 needs 24 bytes, 23 are there"},
    {HEADER("<f4", "False", "()"), 0, NULL, "needs 4 bytes, 0 are there"},
    {HEADER("|O", "False", "(1,)"), 8, NULL, "Python objects"},
    {HEADER("O", "False", "(1,)"), 8, NULL, "Python objects"},
    {HEADER("|O8", "False", "(1,)"), 8, NULL, "objects are never read"},
    {HEADER("|O8", "False", "(1,)"), 8, "i64", "objects are never read"},
    {"{'descr': [('a', '<f4'), ('b', '<i4')], 'fortran_order': False, 'shape': (1,)}", 8, NULL,
     "structured and nested"},
    {"{'descr': ('<f4', (2,)), 'fortran_order': False, 'shape': (1,)}", 8, NULL, "structured and nested types"},
    {"{'descr': {'names': ['a']}, 'fortran_order': False, 'shape': (1,)}", 8, NULL, "structured and nested types"},
    {HEADER("<U5", "False", "(1,)"), 20, NULL, "text must be encoded"},
    {HEADER("<U1", "False", "(1,)"), 4, "i32", "text must be encoded"},
    {HEADER("<M8", "False", "(1,)"), 8, NULL, "FILE:i64"},
    {HEADER("<M8[ns]", "False", "(1,)"), 8, NULL, "FILE:i64"},
    {HEADER("<i8[ns]", "False", "(1,)"), 8, NULL, "the type '<i8[ns]' is not understood"},
    {HEADER("|V3", "False", "(1,)"), 3, NULL, "raw bytes have no meaning of their own"},
    {HEADER("<f16", "False", "(1,)"), 16, NULL, "only 2, 4 and 8 byte floats"},
    {HEADER("<c32", "False", "(1,)"), 32, NULL, "only 2, 4 and 8 byte floats"},
    {HEADER("<i3", "False", "(1,)"), 3, NULL, "not one of Gasket's types"},
    {HEADER("|b2", "False", "(1,)"), 2, NULL, "the byte order of |b2 is not said"},
    {HEADER("|i4", "False", "(1,)"), 4, NULL, "the byte order of |i4 is not said"},
    {HEADER("<i0", "False", "(1,)"), 0, NULL, "not one of Gasket's types"},
    {HEADER("|S0", "False", "(1,)"), 0, NULL, "strings of no bytes"},
    {HEADER("|S0", "False", "(9223372036854775807,)"), 0, NULL, "strings of no bytes"},
    {HEADER("|V2", "False", "(1,)"), 2, NULL, "2 raw bytes; say what they are, as in FILE:bf16"},
    {HEADER("|V1", "False", "(1,)"), 1, NULL, "1 raw bytes; say what they are"},
    {HEADER("|V3", "False", "(1,)"), 3, "bf16", "can not be taken as bf16: the width differs"},
    {HEADER("<f4", "False", "(1,)"), 4, "bf16", "can not be taken as bf16: the width differs"},
    {HEADER("<f4", "False", "(1,)"), 4, "string", "can not be taken as string"},
    {HEADER("|S4", "False", "(1,)"), 4, "f32", "can not be taken as f32"},
    {HEADER("|S16", "False", "(1,)"), 16, "c128", "can not be taken as c128"},
    {HEADER("<i2", "False", "(1,)"), 2, "i4", "can not be taken as i4"},
    {HEADER("|u1", "False", "()"), 1, "i4", "4-bit types need a last dimension"},
    {HEADER("|u1", "False", "(0, 4611686018427387904)"), 0, "u4", "and 4611686018427387904 is too large"},
};
enum { N_BADS = sizeof bads / sizeof bads[0] };

static void expect_refused(struct file file, const char *as, const char *message) {
    struct tool_array array = {0};
    struct tool_failure failure = {""};
    DLDataType type = type_named(as ? as : "f32");
    cr_expect_eq(tool_npy_view(&array, file.bytes, file.size, as ? &type : NULL, &failure), TOOL_FAILED, "%s", message);
    cr_expect(strstr(failure.text, message), "'%s' should have '%s'", failure.text, message);
    tool_array_free(&array);
    free(file.bytes);
}

Test(npy, refuses_with_a_reason) {
    static const char zeros[64];
    for (int i = 0; i < N_BADS; i++) {
        cr_assert_leq(bads[i].n_data, sizeof zeros);
        expect_refused(make_file(1 + i % 3, bads[i].dictionary, zeros, bads[i].n_data), bads[i].as, bads[i].message);
    }
}

static struct file raw(const char *bytes, size_t size) {
    struct file file = {malloc(size ? size : 1), size};
    memcpy(file.bytes, bytes, size);
    return file;
}

Test(npy, refuses_what_is_no_npy_file) {
    expect_refused(raw("", 0), NULL, "not a .npy file");
    expect_refused(raw("\x93NUMP", 5), NULL, "not a .npy file");
    expect_refused(raw("\x93numpy\1\0", 8), NULL, "not a .npy file");
    expect_refused(raw("PK\3\4rest", 8), NULL, "an archive (.npz)");
    expect_refused(raw("\x93NUMPY", 6), NULL, "ends inside its header (6 bytes)");
    expect_refused(raw("\x93NUMPY\1", 7), NULL, "ends inside its header");
    expect_refused(raw("\x93NUMPY\1\0\1", 9), NULL, "ends inside its header");
    expect_refused(raw("\x93NUMPY\2\0\1\0\0", 11), NULL, "ends inside its header");
    expect_refused(raw("\x93NUMPY\1\0\5\0{}", 12), NULL, "2 of 5 bytes are there");
    expect_refused(raw("\x93NUMPY\2\0\xff\xff\xff\xff{}", 14), NULL, "2 of 4294967295 bytes");
    expect_refused(raw("\x93NUMPY\0\0\2\0{}", 12), NULL, "version 0.0");
    expect_refused(raw("\x93NUMPY\4\0\2\0{}", 12), NULL, "version 4.0");
    expect_refused(raw("\x93NUMPY\1\1\2\0{}", 12), NULL, "version 1.1");
}

Test(npy, refuses_65_dimensions_and_takes_64) {
    char dictionary[600];
    for (int rank = 64; rank <= 65; rank++) {
        size_t used = (size_t)sprintf(dictionary, "{'descr': '|i1', 'fortran_order': True, 'shape': (");
        for (int d = 0; d < rank; d++) {
            used += (size_t)sprintf(dictionary + used, "1, ");
        }
        sprintf(dictionary + used, ")}");
        struct file file = make_file(1, dictionary, "\1", 1);
        struct tool_array array = {0};
        struct tool_failure failure = {""};
        cr_expect_eq(tool_npy_view(&array, file.bytes, file.size, NULL, &failure), rank == 65, "%s", failure.text);
        cr_expect(rank == 64 || strstr(failure.text, "more than 64 dimensions"), "%s", failure.text);
        tool_array_free(&array);
        free(file.bytes);
    }
}

/* ---- Files that went wrong on the way ---- */

static uint64_t random_state = 0x9e3779b97f4a7c15u;
static uint32_t random_below(uint32_t n) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % n;
}

/* Another digit for one of the header's, so that many files stay well-formed and lie about their size. */
static void change_digit(struct file *file, uint32_t from) {
    for (size_t i = from; i < file->size; i++) {
        if (file->bytes[i] >= '0' && file->bytes[i] <= '9') {
            file->bytes[i] = (char)('0' + random_below(10));
            return;
        }
    }
}

static void mutate(struct file *file) {
    static const char words[][12] = {"(", ")", ",", "'", "}", "9999999999", "True", "descr", "<f8", "|S9", "0", "-"};
    for (uint32_t n = 1 + random_below(3); n > 0 && file->size > 0; n--) {
        uint32_t at = random_below((uint32_t)file->size);
        const char *word = words[random_below(12)];
        size_t length = strlen(word);
        switch (random_below(8)) {
            case 0:
                file->bytes[at] = (char)random_below(256);
                break;
            case 1:
                file->size = at;
                break;
            case 2:
                memcpy(file->bytes + at, word, length < file->size - at ? length : file->size - at);
                break;
            case 3:
                memmove(file->bytes + at, file->bytes + at + 1, file->size-- - at - 1);
                break;
            default:
                change_digit(file, at);
                break;
        }
    }
    file->bytes = realloc(file->bytes, file->size ? file->size : 1);
}

/* Looks at every element of a small array. */
static void touch(const struct tool_array *array) {
    int64_t at[GASKET_MAX_RANK] = {0}, n = tool_elements(array->tensor.ndim, array->shape);
    for (int64_t i = 0; i < n && n < 4096; i++) {
        cr_assert_gt(strlen(element_at(array, at)), 0);
        for (int d = array->tensor.ndim - 1; d >= 0 && ++at[d] == array->shape[d]; d--) {
            at[d] = 0;
        }
    }
}

Test(npy, survives_20000_broken_files, .timeout = 100) {
    static const char *const types[] = {"bf16", "u32", "i4", "string", "c64", "u8", "f16", "i64"};
    int taken = 0;
    for (int i = 0; i < 20000; i++) {
        const struct good *good = &goods[random_below(N_GOODS)];
        struct file file = make_file(1 + i % 3, good->dictionary, good->data, good->n_data);
        struct tool_array array = {0};
        struct tool_failure failure = {""};
        const char *as = random_below(3) ? good->as : types[random_below(8)];
        DLDataType type = type_named(as ? as : "f32");
        mutate(&file);
        int outcome = tool_npy_view(&array, file.bytes, file.size, as ? &type : NULL, &failure);
        cr_assert_eq(outcome == TOOL_FAILED, failure.text[0] != 0);
        if (outcome == TOOL_DONE) {
            touch(&array);
            taken++;
        }
        tool_array_free(&array);
        free(file.bytes);
    }
    cr_expect_gt(taken, 500, "only %d of the files could be read", taken);
    cr_expect_lt(taken, 19000, "%d of the files could be read", taken);
}

/* ---- Files ---- */

Test(npy, names_the_file_that_can_not_be_read) {
    struct tool_array array = {0};
    struct tool_failure failure = {""};
    cr_expect_eq(tool_npy_read(&array, "no-such-file.npy", NULL, &failure), TOOL_FAILED);
    cr_expect_str_eq(failure.text, "no-such-file.npy: No such file or directory");
    cr_expect_eq(tool_npy_read(&array, ".", NULL, &failure), TOOL_FAILED);
    cr_expect_str_eq(failure.text, ".: it is a directory");
    cr_expect_eq(tool_npy_read(&array, "/dev/null", NULL, &failure), TOOL_FAILED);
    cr_expect(strstr(failure.text, "/dev/null: this is not a .npy file"), "%s", failure.text);
}
