/* Gasket: indexed data movement (gather, gather_nd, scatter_nd and whatever else one formula says).
 *
 * Every call returns a status; GASKET_OK is 0. On any other status nothing has been written to the tensors, nothing is
 * leaked, and gasket_message() says what was wrong. The library never exits, prints, aborts, or sets a signal handler.
 *
 * Threads: all calls on one context are safe from any thread, except its creation and destruction. A plan may be run by
 * several threads at once, on different output data.
 *
 * Tensors are DLPack's DLTensor, borrowed for the call and never modified: device kDLCPU, any strides (negative, and 0
 * for inputs; NULL means compact), byte_offset, any alignment, NULL data when there are no elements, rank 0 to 64.
 * Strings are tensors of `struct gasket_string` with the type {kDLOpaqueHandle, 128, 1}. */
#ifndef GASKET_GASKET_H
#define GASKET_GASKET_H

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

#if defined(GASKET_STATIC)
#define GASKET_API
#else
#define GASKET_API __attribute__((visibility("default")))
#endif

#define GASKET_VERSION_MAJOR 0
#define GASKET_VERSION_MINOR 1
#define GASKET_VERSION_PATCH 0
#define GASKET_MAX_RANK 64

#ifdef __cplusplus
extern "C" {
#endif

enum gasket_status {
    GASKET_OK = 0,
    GASKET_INVALID_ARGUMENT = 1, /* a name, shape, type, stride or value that the operation does not take */
    GASKET_OUT_OF_BOUNDS = 2,    /* an index outside its dimension, with bounds = error */
    GASKET_UNSUPPORTED = 3,      /* legal, but not on this device, for this type or beyond a stated limit */
    GASKET_OUT_OF_MEMORY = 4,
    GASKET_UNAVAILABLE = 5, /* a tier, instruction set or library that this machine does not have */
    GASKET_INTERNAL = 6     /* a fault of Gasket's own: please report it */
};
GASKET_API const char *gasket_status_name(enum gasket_status status); /* static text, "OK" */
GASKET_API const char *gasket_version(void);                          /* static text, "0.1.0" */

/* A string element: bytes that somebody else owns; not ended by a zero. Missing ones are {NULL, 0}. */
struct gasket_string {
    const char *data;
    size_t length;
};

/* ---- Types ---- */

/* "f32", "bf16", "string"...: static text, or NULL for a type that Gasket does not know. */
GASKET_API const char *gasket_type_name(DLDataType type);
/* The type of a name; GASKET_INVALID_ARGUMENT for another name. */
GASKET_API enum gasket_status gasket_type_parse(const char *name, DLDataType *type);

/* ---- Context ---- */

typedef struct gasket_context gasket_context;

/* Calls body(state, begin, end) on ranges that together are [0, total), each item once, in any order and on any
 * threads, and returns when all have returned. Ranges are best cut at multiples of `grain`. */
typedef void gasket_parallel_for(void *user, int64_t total, int64_t grain, void (*body)(void *, int64_t, int64_t),
                                 void *state);

/* Memory for the bytes of strings that `+=` makes. It belongs to the caller from then on. NULL when there is none. */
typedef void *gasket_allocate(void *user, size_t bytes);

/* All zero is the default of everything. */
struct gasket_options {
    size_t size;                       /* sizeof(struct gasket_options) */
    int threads;                       /* 0: all that OpenMP gives; 1: the calling thread only */
    const char *isa;                   /* "base", "avx2", "avx512", "neon"; NULL: the best of this machine */
    const char *tier;                  /* "exact", "jit", "general" or "interpreter": that tier only; NULL: the best */
    gasket_parallel_for *parallel_for; /* NULL: OpenMP */
    void *parallel_user;
    gasket_allocate *allocate; /* NULL: strings can not be added */
    void *allocate_user;
    /* Call-time compilation, for calls that no exact ahead-of-time kernel serves:
     *   "off"      never
     *   "sync"     at once: the first call of a shape waits for the compiler
     *   "async"    in the background, after a shape has been used jit_calls times or has moved jit_bytes; the best
     *              other tier serves meanwhile
     *   "require"  never; a call is UNAVAILABLE unless its kernel is exact, or compiled already, in memory or on disk
     *
     * NULL: the environment's GASKET_JIT, or "async".
     * Whatever keeps a kernel from being compiled never fails a call, except under "require". */
    const char *jit;
    int64_t jit_calls;        /* 0: 100 */
    int64_t jit_bytes;        /* 0: 32 MiB */
    int32_t jit_kernels;      /* the most that are kept in memory; 0: 1024. The least recently used one goes first */
    const char *cache;        /* directory of compiled kernels; "": none; NULL: GASKET_CACHE_DIR, XDG_CACHE_HOME/gasket,
                                 HOME/.cache/gasket */
    uint64_t cache_bytes;     /* the most that it may take on disk; 0: GASKET_CACHE_BYTES, or 256 MiB */
    int32_t cache_only_reads; /* whether nothing is written to it */
    const char *observer; /* who is told of compiled kernels: "gdb", "perf" (its map file) or "none"; of the process,
                             set by the last context that names one. NULL: the environment's GASKET_OBSERVER */
};

/* `options` may be NULL. UNAVAILABLE for an isa this machine has not; on an error *context is NULL and the text is lost
 * with it, except that the status says which kind it was. */
GASKET_API enum gasket_status gasket_context_create(const struct gasket_options *options, gasket_context **context);
GASKET_API void gasket_context_destroy(gasket_context *context); /* NULL is allowed; plans go first */

/* What the last failed call of this thread on this context said; "" before one. Valid until the next such call. */
GASKET_API const char *gasket_message(gasket_context *context);

/* Adds what gasket-gen made from somebody's specs. The set must outlive the context. */
struct gasket_kernel_set;
GASKET_API enum gasket_status gasket_register(gasket_context *context, const struct gasket_kernel_set *set);

/* An operation as text, with the fields that a spec has (gen/specs). NULL is the default of every text but the name and
 * the formula. Limits are sums of whole numbers, rank(TENSOR) and earlier attributes: "rank(params) - 1". */
struct gasket_definition_attribute {
    const char *name;
    const char *type;          /* "int" (default), or "ints": a list of extents, without any of the next four */
    const char *default_value; /* NULL: it must be given */
    const char *minimum, *maximum;
    const char *wrap; /* what is added to a negative value */
    const char *doc;
};
struct gasket_definition {
    size_t size;         /* sizeof(struct gasket_definition) */
    const char *name;    /* [a-z][a-z0-9_]*, shorter than 32 */
    const char *formula; /* "out[M, N] = table[M, columns[N]]" */
    const char *summary; /* one line; default "" */
    const struct gasket_definition_attribute *attributes;
    size_t n_attributes;        /* at most 8 */
    const char *ranks;          /* "B = batch_dims, O = axis - batch_dims": where they do not follow from the inputs */
    const char *extents;        /* "W = window": an attribute of type "ints" that gives a group's extents */
    const char *output_extents; /* the attribute of type "ints" that gives the output's shape */
    const char *values;         /* types and classes of them: "f32, integer"; default "all" */
    const char *indices;        /* "i32, i64"; default: all integers */
    const char *combine;        /* what ?= may be, the default first: "store, add" */
    const char *bounds;         /* modes that calls may ask for; default: all that mean something */
    const char *docs;           /* of the tensors, one a line: "table: The matrix\ncolumns: Which columns" */
};

/* Adds the operation, which is then called like any other; nothing of the definition has to live on. Kernels serve it
 * where its formula has the form of theirs. INVALID_ARGUMENT, with the field and the place in its text, for what means
 * nothing, and for a name that is taken. */
GASKET_API enum gasket_status gasket_define(gasket_context *context, const struct gasket_definition *definition);

/* ---- Calls ---- */

enum gasket_argument_kind {
    GASKET_ARGUMENT_TENSOR,
    GASKET_ARGUMENT_INTEGER,
    GASKET_ARGUMENT_INTEGERS,
    GASKET_ARGUMENT_REAL,
    GASKET_ARGUMENT_TEXT
};

/* A named argument; what it points to is borrowed for the call. Make one with the functions below. */
struct gasket_argument {
    const char *name;
    enum gasket_argument_kind kind;
    const DLTensor *tensor;
    const int64_t *integers;
    size_t n_integers;
    int64_t integer;
    double real;
    const char *text;
};

static inline struct gasket_argument gasket_tensor(const char *name, const DLTensor *tensor) {
    struct gasket_argument a = {name, GASKET_ARGUMENT_TENSOR, tensor, NULL, 0, 0, 0.0, NULL};
    return a;
}
static inline struct gasket_argument gasket_integer(const char *name, int64_t value) {
    struct gasket_argument a = {name, GASKET_ARGUMENT_INTEGER, NULL, NULL, 0, value, 0.0, NULL};
    return a;
}
static inline struct gasket_argument gasket_integers(const char *name, const int64_t *values, size_t n) {
    struct gasket_argument a = {name, GASKET_ARGUMENT_INTEGERS, NULL, values, n, 0, 0.0, NULL};
    return a;
}
static inline struct gasket_argument gasket_real(const char *name, double value) {
    struct gasket_argument a = {name, GASKET_ARGUMENT_REAL, NULL, NULL, 0, 0, value, NULL};
    return a;
}
static inline struct gasket_argument gasket_text(const char *name, const char *value) {
    struct gasket_argument a = {name, GASKET_ARGUMENT_TEXT, NULL, NULL, 0, 0, 0.0, value};
    return a;
}

/* Runs an operation. Arguments are its tensors and attributes by name, in any order, and where they mean something:
 *   bounds      "error" (default), "fill" (gather), "drop" (scatter), "clip", "from_end" (a negative index counts from
 *               the end once, then as "fill" if a fill value is given, else as "error"), "unchecked" (the caller
 *               promises; anything may happen otherwise)
 *   fill        what "fill" stores: an integer, a real, a text (strings) or a tensor of rank 0; default 0.
 *               The bytes of a string are borrowed for as long as the output refers to them
 *   nan         "ignore" (default; a NaN update is ignored, one already there stays) or "propagate", for min and max
 *   accumulate  "native" (default; each step is rounded to the storage type) or "f32" (f16, bf16: rounded once), for
 *               sums and products
 *   combine     "store" (default), "add", "sub", "mul", "min", "max", for operations whose formula has ?=
 *   jit         "off", "sync", "async" or "require", instead of the context's option
 * Duplicates act as if the updates came one after the other in index order, bit for bit, for any number of threads. The
 * output must not overlap an input, except that it may be exactly the tensor that the formula starts from. */
GASKET_API enum gasket_status gasket_call(gasket_context *context, const char *operation,
                                          const struct gasket_argument *arguments, size_t n_arguments);

/* The output that a call would need. `out` is not among the arguments; data pointers are not looked at. */
struct gasket_shape {
    int32_t ndim;
    int64_t shape[GASKET_MAX_RANK];
    DLDataType dtype;
};
GASKET_API enum gasket_status gasket_infer(gasket_context *context, const char *operation,
                                           const struct gasket_argument *arguments, size_t n_arguments,
                                           struct gasket_shape *shape);

/* ---- Plans: check and choose once, run many times ---- */

typedef struct gasket_plan gasket_plan;

/* Arguments as for gasket_call; tensor data may be NULL here. The plan keeps nothing of the arguments but their data
 * pointers. It must be destroyed before its context. */
GASKET_API enum gasket_status gasket_plan_create(gasket_context *context, const char *operation,
                                                 const struct gasket_argument *arguments, size_t n_arguments,
                                                 gasket_plan **plan);
/* Runs on other memory of the same shapes, types and strides: data[i] replaces the data pointer (the one before
 * byte_offset) of the i-th tensor among the plan's arguments; data may be NULL to use those of the plan. Allocates
 * nothing, except what `+=` of strings and bounded scratch of accumulate = "f32" need. */
GASKET_API enum gasket_status gasket_plan_run(const gasket_plan *plan, void *const *data, size_t n_data);
GASKET_API void gasket_plan_destroy(gasket_plan *plan);

/* Makes the plan's call-time kernel ready, whichever policy but off the plan has, and waits for it; then, or when an
 * exact ahead-of-time kernel serves the plan, OK. UNAVAILABLE with the reason when that can not be. */
GASKET_API enum gasket_status gasket_plan_prepare(const gasket_plan *plan);

/* The steps from a call-time kernel's text to its code. `take` gets the whole of one, which is only there during the
 * call: C text (it compiles with the folder of abi/ among those of headers), LLVM's text before and after its passes,
 * assembly, or a relocatable ELF file. UNAVAILABLE with the reason where there is no such kernel or compiler. */
enum gasket_stage {
    GASKET_STAGE_SOURCE,
    GASKET_STAGE_IR,
    GASKET_STAGE_OPTIMISED,
    GASKET_STAGE_ASSEMBLY,
    GASKET_STAGE_OBJECT
};
GASKET_API enum gasket_status gasket_plan_stage(const gasket_plan *plan, enum gasket_stage stage,
                                                void (*take)(void *user, const void *bytes, size_t n), void *user);

/* What a plan will do, as of now: a call-time kernel may be ready later. Texts are static or belong to the plan. */
struct gasket_report {
    const char *operation, *tier, *kernel, *isa;
    int threads;             /* the most that it will use */
    int64_t output_bytes;    /* bytes of the output's elements */
    double jit_milliseconds; /* that the call-time kernel took, once it is ready: to compile, or to read from disk */
    int jit_was_cached;      /* whether it was read from disk */
    size_t jit_code_bytes;
    char jit_key[33]; /* "" before it is known */
};
GASKET_API void gasket_plan_report(const gasket_plan *plan, struct gasket_report *report);

/* The whole story as text: the normal form, each candidate and why it was refused, the one chosen and why. Writes at
 * most `capacity` bytes with the end; *length (may be NULL) gets what the whole text needs without it. */
GASKET_API enum gasket_status gasket_plan_explain(const gasket_plan *plan, char *text, size_t capacity, size_t *length);

/* ---- What there is ---- */

enum gasket_role { GASKET_ROLE_OUTPUT, GASKET_ROLE_VALUE, GASKET_ROLE_INDEX };

struct gasket_parameter {
    const char *name, *doc;
    enum gasket_argument_kind kind;
    enum gasket_role role; /* of tensors */
    int is_optional;
};
struct gasket_operation_info {
    const char *name, *formula, *summary;
    size_t n_parameters; /* the output is parameter 0 */
    struct gasket_parameter parameters[20];
};
GASKET_API size_t gasket_operation_count(gasket_context *context);
GASKET_API enum gasket_status gasket_operation_describe(gasket_context *context, size_t index,
                                                        struct gasket_operation_info *info);

/* One line of the manifest: a combination that ahead-of-time kernels serve, by the name that a user would ask for. */
struct gasket_combination {
    const char *operation, *value, *index, *combine; /* combine: "store" where nothing is combined */
    const char *form;                                /* e.g. "axis=inner batch=0", "depth=2 batch=1" */
    const char *bounds;
    const char *bodies; /* the kernels at the best level of the context, joined by " + " */
};
/* Calls `line` for each; stops with its result when that is not 0. `operation` NULL: all. */
GASKET_API int gasket_manifest(gasket_context *context, const char *operation,
                               int (*line)(void *user, const struct gasket_combination *combination), void *user);

/* Whether an instruction set can be used here; *why (may be NULL) gets a static text. */
GASKET_API int gasket_isa_usable(const char *isa, const char **why);
GASKET_API const char *gasket_context_isa(const gasket_context *context); /* the best it will use */
GASKET_API int gasket_context_threads(const gasket_context *context);

/* Calls that ended well, by the tier that served them, since the context was made. */
struct gasket_counters {
    uint64_t exact, jit, general, interpreter;
    uint64_t jit_compiled, jit_from_disk, jit_failed, jit_evicted; /* kernels */
    uint64_t jit_nanoseconds;                                      /* spent in the compiler */
    uint64_t jit_kernels, jit_code_bytes;                          /* in memory now */
};
GASKET_API void gasket_counters_read(const gasket_context *context, struct gasket_counters *counters);

/* ---- The cache of compiled kernels ---- */

struct gasket_cache_info {
    const char *directory, *trouble;                                /* why it is not used or not written to, or "" */
    uint64_t entries, bytes, limit;                                 /* on disk */
    uint64_t hits, misses, stored, failed_stores, damaged, evicted; /* by this context */
};
/* Texts belong to the context. Looks through the directory. */
GASKET_API void gasket_cache_describe(gasket_context *context, struct gasket_cache_info *info);

struct gasket_cache_entry {
    const char *file, *template_name, *compiler, *isa; /* "" where the entry is damaged */
    uint64_t bytes;                                    /* of the object */
    int64_t used;                                      /* seconds since the epoch */
    const char *fault;                                 /* why it is damaged, or NULL */
};
/* Calls `each` for every entry, verified, in the order of their names; stops with its result when that is not 0. */
GASKET_API int gasket_cache_list(gasket_context *context,
                                 int (*each)(void *user, const struct gasket_cache_entry *entry), void *user);
/* Removes damaged entries, what writers that died left behind, and the least recently used down to `limit` bytes;
 * clear removes all. Both return how many entries went. */
GASKET_API size_t gasket_cache_prune(gasket_context *context, uint64_t limit);
GASKET_API size_t gasket_cache_clear(gasket_context *context);
/* All sound entries to one file, for machines of the same processor, and back; *entries (may be NULL) gets how many. */
GASKET_API enum gasket_status gasket_cache_export(gasket_context *context, const char *file, size_t *entries);
GASKET_API enum gasket_status gasket_cache_import(gasket_context *context, const char *file, size_t *entries);

#ifdef __cplusplus
}
#endif

#endif
