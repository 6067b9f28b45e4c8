/* code: memory that is written, then made executable. */
#include "jit/code.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jit/object.h"
#include "jit/observe.h"

struct gk_code {
    unsigned char *memory;
    size_t bytes, code_size;
    struct gk_function *functions; /* their names are in `names` */
    size_t n_functions;
    char *names;
    struct gk_observed *observed;
};

/* ---- Memory ---- */

static enum gasket_status fail_memory(struct gk_error *error, const char *what, size_t bytes) {
    enum gasket_status status = errno == ENOMEM ? GASKET_OUT_OF_MEMORY : GASKET_UNAVAILABLE;
    return gk_fail(error, status, "%zu bytes of memory for code can not be %s: %m", bytes, what);
}

static size_t whole_pages(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

static enum gasket_status map_memory(unsigned char **memory, size_t bytes, struct gk_error *error) {
    void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return fail_memory(error, "had", bytes);
    *memory = mapped;
    return GASKET_OK;
}

/* For good: what is executable is never written again. */
static enum gasket_status make_executable(unsigned char *memory, size_t bytes, struct gk_error *error) {
    if (mprotect(memory, bytes, PROT_READ | PROT_EXEC) != 0) return fail_memory(error, "made executable", bytes);
    __builtin___clear_cache((char *)memory, (char *)memory + bytes);
    return GASKET_OK;
}

/* ---- Whether it can be done at all ---- */

/* A function that does nothing. */
static const unsigned char nothing[] = {
#if defined(__x86_64__)
    0xc3
#elif defined(__aarch64__) && defined(__AARCH64EL__)
    0xc0, 0x03, 0x5f, 0xd6
#else
    0
#endif
};

static enum gasket_status try_code(struct gk_error *error) {
    unsigned char *memory = NULL;
    size_t bytes = whole_pages(sizeof nothing);
    if (nothing[0] == 0) return gk_fail(error, GASKET_UNAVAILABLE, "objects of this machine are not known");
    enum gasket_status status = map_memory(&memory, bytes, error);
    if (status != GASKET_OK) return status;
    memcpy(memory, nothing, sizeof nothing);
    status = make_executable(memory, bytes, error);
    if (status == GASKET_OK) ((void (*)(void))(uintptr_t)memory)();
    munmap(memory, bytes);
    return status;
}

enum gasket_status gk_code_possible(struct gk_error *error) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct gk_error trouble = {.status = GASKET_OUT_OF_MEMORY};
    pthread_mutex_lock(&lock);
    if (trouble.status == GASKET_OUT_OF_MEMORY) trouble.status = try_code(&trouble);
    enum gasket_status status = trouble.status;
    if (status != GASKET_OK) *error = trouble;
    pthread_mutex_unlock(&lock);
    return status;
}

/* ---- Loading ---- */

static enum gasket_status fill_memory(struct gk_code *code, struct gk_object *object) {
    size_t bytes = whole_pages(object->memory);
    enum gasket_status status = map_memory(&code->memory, bytes, object->error);
    if (status != GASKET_OK) return status;
    code->bytes = bytes;
    status = gk_object_copy(object, code->memory);
    return status == GASKET_OK ? make_executable(code->memory, bytes, object->error) : status;
}

/* The functions, with names that outlive the object. */
static enum gasket_status keep_functions(struct gk_code *code, struct gk_object *object) {
    size_t n = object->n_functions;
    code->functions = malloc(n * sizeof *code->functions);
    code->names = malloc(object->strings_size);
    if (code->functions == NULL || code->names == NULL)
        return gk_fail(object->error, GASKET_OUT_OF_MEMORY, "object '%.200s': no memory for the names of %zu functions",
                       object->name, n);
    memcpy(code->names, object->strings, object->strings_size);
    for (size_t i = 0; i < n; i++) {
        code->functions[i] = object->functions[i];
        code->functions[i].name = code->names + (object->functions[i].name - object->strings);
    }
    code->n_functions = n;
    code->code_size = object->code_size;
    return GASKET_OK;
}

static enum gasket_status load_object(struct gk_code *code, struct gk_object *object) {
    enum gasket_status status = keep_functions(code, object);
    if (status == GASKET_OK) status = fill_memory(code, object);
    if (status == GASKET_OK) code->observed = gk_observe_begin(object, code->memory);
    return status;
}

enum gasket_status gk_code_load(struct gk_code **code, const char *name, const void *object, size_t size,
                                struct gk_error *error) {
    struct gk_object opened;
    struct gk_code *loaded = calloc(1, sizeof *loaded);
    *code = NULL;
    if (loaded == NULL) return gk_fail(error, GASKET_OUT_OF_MEMORY, "object '%.200s': no memory to load it", name);
    enum gasket_status status = gk_object_open(&opened, name, object, size, error);
    if (status == GASKET_OK) status = load_object(loaded, &opened);
    gk_object_close(&opened);
    if (status == GASKET_OK) {
        *code = loaded;
    } else {
        gk_code_free(loaded);
    }
    return status;
}

void gk_code_free(struct gk_code *code) {
    if (code == NULL) return;
    gk_observe_end(code->observed);
    if (code->bytes > 0) munmap(code->memory, code->bytes);
    free(code->functions);
    free(code->names);
    free(code);
}

/* ---- Questions ---- */

void *gk_code_function(const struct gk_code *code, const char *name) {
    for (size_t i = 0; i < code->n_functions; i++) {
        if (strcmp(code->functions[i].name, name) == 0) return code->memory + code->functions[i].place;
    }
    return NULL;
}

size_t gk_code_memory(const struct gk_code *code) {
    return code->bytes;
}

size_t gk_code_size(const struct gk_code *code) {
    return code->code_size;
}
