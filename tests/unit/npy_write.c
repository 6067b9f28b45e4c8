/* .npy files that are written: what they say, that they are read back, and that a failure leaves nothing. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/element.h"
#include "tools/npy.h"

static DLDataType type_named(const char *name) {
    DLDataType type = {0, 0, 0};
    cr_assert_eq(gasket_type_parse(name, &type), GASKET_OK, "%s", name);
    return type;
}

enum { PATH_SIZE = 1024 };

/* A path in a new folder; remove_folder expects nothing else there. */
static void make_folder(char path[PATH_SIZE]) {
    const char *parent = getenv("TEST_DIR");
    char folder[PATH_SIZE - 16];
    snprintf(folder, sizeof folder, "%s/npy-XXXXXX", parent ? parent : ".");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, PATH_SIZE, "%s/out.npy", folder);
}

static void remove_folder(char path[PATH_SIZE]) {
    unlink(path);
    *strrchr(path, '/') = 0;
    cr_expect_eq(rmdir(path), 0, "a temporary file was left behind");
}

static void expect_read_back(const char *path, const DLTensor *tensor) {
    struct tool_array array = {0};
    struct tool_failure failure = {""};
    char a[TOOL_ELEMENT_TEXT], b[TOOL_ELEMENT_TEXT];
    cr_assert_eq(tool_npy_read(&array, path, &tensor->dtype, &failure), TOOL_DONE, "%s", failure.text);
    int64_t n = tool_elements(tensor->ndim, tensor->shape);
    cr_expect_eq(n, tool_elements(array.tensor.ndim, array.shape));
    for (int64_t i = 0; i < n; i++) {
        cr_expect_str_eq(tool_element_text(a, tensor->dtype, tensor->data, i),
                         tool_element_text(b, tensor->dtype, array.tensor.data, i));
    }
    tool_array_free(&array);
}

/* What the header says, and where the data begins. */
static struct tool_npy_header header_of(const char *path) {
    struct tool_npy_header header;
    struct tool_failure failure;
    char bytes[4096];
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    cr_assert_eq(tool_npy_parse(&header, bytes, size, &failure), TOOL_DONE, "%s", failure.text);
    return header;
}

Test(npy_write, writes_what_it_reads_back) {
    static const struct {
        const char *type;
        char order, letter;
        int64_t bytes, last;
    } kinds[] = {{"bool", '|', 'b', 1, 4}, {"i8", '|', 'i', 1, 4},        {"u64", '<', 'u', 8, 4},
                 {"f16", '<', 'f', 2, 4},  {"bf16", '|', 'V', 2, 4},      {"f8_e5m2", '|', 'V', 1, 4},
                 {"c64", '<', 'c', 8, 4},  {"c128", '<', 'c', 16, 4},     {"i4", '|', 'u', 1, 2},
                 {"u4", '|', 'u', 1, 2},   {"f4_e2m1fn", '|', 'u', 1, 2}, {"f64", '<', 'f', 8, 4},
                 {"f32", '<', 'f', 4, 4}};
    char path[PATH_SIZE];
    make_folder(path);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct tool_array array = {0};
        struct tool_failure failure = {""};
        const int64_t shape[] = {3, 4};
        cr_assert_eq(tool_array_allocate(&array, type_named(kinds[k].type), 2, shape, &failure), TOOL_DONE);
        for (int64_t i = 0; i < 12 * array.tensor.dtype.bits / 8; i++) {
            ((char *)array.memory)[i] = (char)(kinds[k].letter == 'b' ? i % 2 : i * 37 % 63);
        }
        cr_assert_eq(tool_npy_write(path, &array.tensor, &failure), TOOL_DONE, "%s", failure.text);
        struct tool_npy_header header = header_of(path);
        cr_expect_eq(header.order, kinds[k].order, "%s", kinds[k].type);
        cr_expect_eq(header.letter, kinds[k].letter, "%s", kinds[k].type);
        cr_expect_eq(header.bytes, kinds[k].bytes);
        cr_expect_eq(header.data % 64, 0);
        cr_expect_eq(header.shape[0], 3);
        cr_expect_eq(header.shape[1], kinds[k].last);
        cr_expect_eq(header.fortran, 0);
        expect_read_back(path, &array.tensor);
        tool_array_free(&array);
    }
    remove_folder(path);
}

static DLTensor strings_of(struct gasket_string *strings, int64_t *n) {
    DLTensor tensor = {.data = strings, .device = {kDLCPU, 0}, .ndim = 1, .dtype = type_named("string"), .shape = n};
    return tensor;
}

Test(npy_write, pads_strings_to_the_longest) {
    struct gasket_string strings[] = {{"ab", 2}, {NULL, 0}, {"a\0cde", 5}};
    struct tool_failure failure = {""};
    int64_t n = 3;
    char path[PATH_SIZE];
    make_folder(path);
    DLTensor tensor = strings_of(strings, &n);
    cr_assert_eq(tool_npy_write(path, &tensor, &failure), TOOL_DONE, "%s", failure.text);
    cr_expect_eq(header_of(path).bytes, 5);
    expect_read_back(path, &tensor);
    strings[0].length = strings[2].length = 0;
    cr_assert_eq(tool_npy_write(path, &tensor, &failure), TOOL_DONE, "%s", failure.text);
    cr_expect_eq(header_of(path).bytes, 1, "strings that are all empty take a byte each");
    expect_read_back(path, &tensor);
    n = 0;
    cr_assert_eq(tool_npy_write(path, &tensor, &failure), TOOL_DONE, "%s", failure.text);
    expect_read_back(path, &tensor);
    remove_folder(path);
}

Test(npy_write, leaves_the_old_file_when_writing_fails) {
    struct tool_failure failure = {""};
    struct tool_array odd = {0};
    const int64_t shape[] = {3};
    char path[PATH_SIZE], text[8] = "";
    make_folder(path);
    FILE *file = fopen(path, "w");
    fputs("old", file);
    fclose(file);
    cr_assert_eq(tool_array_allocate(&odd, type_named("i4"), 1, shape, &failure), TOOL_DONE);
    cr_expect_eq(tool_npy_write(path, &odd.tensor, &failure), TOOL_FAILED);
    cr_expect(strstr(failure.text, "must be even"), "%s", failure.text);
    file = fopen(path, "r");
    cr_expect_str_eq(fgets(text, sizeof text, file), "old");
    fclose(file);
    cr_expect_eq(tool_npy_write("no such folder/out.npy", &odd.tensor, &failure), TOOL_FAILED);
    tool_array_free(&odd);
    cr_assert_eq(tool_array_allocate(&odd, type_named("i8"), 1, shape, &failure), TOOL_DONE);
    cr_expect_eq(tool_npy_write("no such folder/out.npy", &odd.tensor, &failure), TOOL_FAILED);
    cr_expect(strstr(failure.text, "no such folder/out.npy can not be written: No such file"), "%s", failure.text);
    cr_expect_eq(tool_npy_write("/dev/full", &odd.tensor, &failure), TOOL_FAILED);
    cr_expect(strstr(failure.text, "No space left"), "%s", failure.text);
    tool_array_free(&odd);
    remove_folder(path);
}

Test(npy_write, writes_through_links_and_keeps_them) {
    struct tool_failure failure = {""};
    struct tool_array array = {0};
    const int64_t shape[] = {2};
    struct stat info;
    char path[PATH_SIZE], link[PATH_SIZE + 8];
    make_folder(path);
    snprintf(link, sizeof link, "%s.link", path);
    cr_assert_eq(tool_array_allocate(&array, type_named("i8"), 1, shape, &failure), TOOL_DONE);
    cr_assert_eq(tool_npy_write(path, &array.tensor, &failure), TOOL_DONE);
    cr_assert_eq(symlink("out.npy", link), 0);
    ((char *)array.memory)[1] = 5;
    cr_assert_eq(tool_npy_write(link, &array.tensor, &failure), TOOL_DONE, "%s", failure.text);
    cr_expect(lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
    expect_read_back(path, &array.tensor);
    tool_array_free(&array);
    unlink(link);
    remove_folder(path);
}
