/* support: tensors written as text and laid against guard pages, every setting to try, and checks that count. Used by
 * the programs of tests/conform and tests/fault; only the public API is used. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include "gasket/gasket.h"

/* ---- Checks ---- */

/* Counts, and prints the message to stderr when `ok` is 0. Returns ok. Safe from any thread. */
int check(int ok, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints "N passed, N failed"; the exit status of the program. */
int finish(void);
/* What the test itself can not do without: a message and exit status 2. */
_Noreturn void give_up(const char *what);

/* ---- Tensors ---- */

enum side { AT_END, AT_BEGIN };

struct tensor {
    DLTensor view; /* what the library gets */
    int64_t shape[GASKET_MAX_RANK], strides[GASKET_MAX_RANK];
    char *data; /* `bytes` bytes; on the given side nothing but a page that may not be touched comes next */
    size_t bytes;
    char *map; /* all of it, guard pages included; the slack is poisoned */
    size_t mapped;
    char *text; /* bytes of string elements */
};

enum { POISON = 0xA5 };

/* A tensor from its text, in poisoned memory:
 *   f32[2,3]               compact, no values
 *   i32[2]=1,-2            values; 0..5 counts, 7*3 repeats, 1;-2 is complex, 'ab' a string
 *   f16[2]:003c00bc        bytes in hex (strings: one hex word each, with dots between)
 *   i8[3,2]{1,3}@4=0..9    strides in elements and byte_offset; the values are those of the whole buffer
 * Rank 0 gets a NULL shape, no elements NULL data, compact ones NULL strides. */
void tensor_parse(struct tensor *tensor, const char *text, enum side side);
/* Compact, poisoned; shape may be NULL for rank 0. */
void tensor_make(struct tensor *tensor, DLDataType dtype, int ndim, const int64_t *shape, enum side side);
/* Gives it that much poisoned memory instead of what it has. */
void tensor_memory(struct tensor *tensor, size_t bytes, enum side side);
void tensor_free(struct tensor *tensor);
void tensor_poison(struct tensor *tensor);
int tensor_is_poisoned(const struct tensor *tensor);
/* Whether the bytes of the map around the data are still poison. */
int tensor_slack_is_intact(const struct tensor *tensor);
void tensor_make_read_only(struct tensor *tensor);
/* The same dtype, shape and, byte for byte, elements; both compact. */
int tensors_equal(const struct tensor *a, const struct tensor *b);
/* The elements in hex, shortened, in one of four static buffers. */
const char *tensor_hex(const struct tensor *tensor);
size_t dtype_bytes(DLDataType dtype);
DLDataType dtype_named(const char *name);
int64_t product(const int64_t *values, int n);

/* ---- Settings: every tier, instruction set and number of threads of this machine ---- */

struct setting {
    const char *isa, *tier;
    int threads;
    char name[48];
    gasket_context *context;
};
enum { MAX_SETTINGS = 32 };

/* Opens all; returns how many. */
size_t settings_open(struct setting settings[MAX_SETTINGS]);
void settings_close(struct setting *settings, size_t n);
/* Memory for strings that settings' contexts gave out since the last release. */
void strings_release(void);
void *strings_allocate(void *user, size_t bytes);

/* ---- Calls ---- */

#define CALL(context, operation, ...)                                              \
    gasket_call(context, operation, (const struct gasket_argument[]){__VA_ARGS__}, \
                sizeof((const struct gasket_argument[]){__VA_ARGS__}) / sizeof(struct gasket_argument))
#define PLAN(context, operation, plan, ...)                                               \
    gasket_plan_create(context, operation, (const struct gasket_argument[]){__VA_ARGS__}, \
                       sizeof((const struct gasket_argument[]){__VA_ARGS__}) / sizeof(struct gasket_argument), plan)

/* Whether `message` holds `part` when blanks are left out of both. */
int message_holds(const char *message, const char *part);

/* ---- Problems as lines of text ---- */

enum { LINE_ARGUMENTS = 10, LINE_TENSORS = 4 };

/* "NAME=VALUE ... out=TENSOR" or "... error=STATUS[:TEXT]": arguments of an operation and what must come out. */
struct line {
    const char *operation;
    char *copy; /* of the text, cut into words */
    struct gasket_argument arguments[LINE_ARGUMENTS];
    size_t n_arguments;
    struct tensor tensors[LINE_TENSORS];
    size_t n_tensors;
    int64_t integers[GASKET_MAX_RANK];
    struct tensor expected;
    enum gasket_status status;
    const char *message; /* a part of the error's text, or NULL */
};

void line_parse(struct line *line, const char *operation, const char *text, enum side side);
void line_free(struct line *line);
/* Runs it as a call, as a plan, and in place where there is a `tensor` to start from; checks shape inference, results,
 * messages, and that nothing is written on error. One check, said to be `name`. */
void line_check(struct line *line, const struct setting *setting, const char *name);

struct sample {
    const char *name, *operation, *text;
};
/* Each sample on every setting. */
void samples_check(const struct sample *samples, size_t n);
#define SAMPLES_CHECK(samples) samples_check(samples, sizeof(samples) / sizeof((samples)[0]))

#endif
