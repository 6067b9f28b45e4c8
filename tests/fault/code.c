/* code: objects that were cut off or altered are refused or loaded, and nothing else; where memory may not be made
 * executable that is said; memory that is both writable and executable is never asked for; threads load at once.
 *
 * With the argument "debug FILE" it loads that object for a debugger instead, and calls its function. */
#include "jit/code.h"

#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/code_sample.h"
#include "support/compiled.h"
#include "support/refused.h"
#include "support/support.h"

static struct compiled sample;

/* ---- Damaged objects ---- */

static struct { unsigned long refused, loaded; } seen;

/* Loads it and does not run it. */
static void try_object(const void *bytes, size_t size, const char *what, unsigned long number) {
    struct gk_code *code = NULL;
    struct gk_error error = {GASKET_OK, ""};
    enum gasket_status status = gk_code_load(&code, "damaged", bytes, size, &error);
    if (status == GASKET_OK) {
        seen.loaded++;
        check(code != NULL && gk_code_memory(code) >= gk_code_size(code), "%s %lu: no code", what, number);
    } else {
        seen.refused++;
        check(status == GASKET_INVALID_ARGUMENT && code == NULL && strstr(error.text, "'damaged'"), "%s %lu: %s: %s",
              what, number, gasket_status_name(status), error.text);
    }
    gk_code_free(code);
}

/* The page behind the object, or the one before it, may not be touched. */
static void try_truncations(void) {
    for (size_t size = 0; size < sample.size; size++) {
        struct tensor cut;
        tensor_make(&cut, dtype_named("u8"), 1, (const int64_t[]){(int64_t)size}, AT_END);
        if (size > 0) memcpy(cut.data, sample.bytes, size);
        try_object(cut.data, size, "cut to", size);
        tensor_free(&cut);
    }
}

static uint64_t random_state = 0x9e3779b97f4a7c15;

static uint64_t draw(uint64_t below) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % below;
}

static void flip_bits(char *bytes) {
    for (uint64_t n = 1 + draw(4); n > 0; n--)
        bytes[draw(sample.size)] ^= (char)(1 << draw(8));
}

/* Where sections, symbols and relocations say where something lies, with values at the edges of what can be. */
static void set_field(char *bytes) {
    const uint64_t values[] = {
        0,          1,         sample.size - 1,   sample.size,        sample.size + 1, UINT16_MAX, INT32_MAX,
        UINT32_MAX, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX - 0xfff, UINT64_MAX - 7,  UINT64_MAX, draw(sample.size)};
    Elf64_Ehdr header;
    Elf64_Shdr section;
    memcpy(&header, sample.bytes, sizeof header);
    size_t table = header.e_shoff + draw(header.e_shnum) * sizeof section;
    uint64_t value = values[draw(sizeof values / sizeof *values)], bytes_set = UINT64_C(1) << draw(4);
    size_t at = table + draw(sizeof section / 4) * 4;
    memcpy(&section, sample.bytes + table, sizeof section);
    int has_entries = section.sh_type == SHT_SYMTAB || section.sh_type == SHT_RELA;
    if (has_entries && draw(3) > 0) at = section.sh_offset + draw(section.sh_size / 4) * 4;
    if (draw(10) == 0) at = draw(sizeof header / 2) * 2;
    if (at > sample.size - bytes_set) at = sample.size - bytes_set;
    memcpy(bytes + at, &value, bytes_set);
}

static void try_alterations(void (*alter)(char *bytes), const char *what, enum side side) {
    enum { TRIES = 10000 };
    struct tensor copy;
    tensor_make(&copy, dtype_named("u8"), 1, (const int64_t[]){(int64_t)sample.size}, side);
    for (unsigned long i = 0; i < TRIES; i++) {
        memcpy(copy.data, sample.bytes, sample.size);
        alter(copy.data);
        try_object(copy.data, sample.size, what, i);
    }
    tensor_free(&copy);
}

static void try_damage(void) {
    try_truncations();
    check(seen.loaded == 0, "%lu of the objects that were cut off were loaded", seen.loaded);
    for (enum side side = AT_END; side <= AT_BEGIN; side++) {
        seen.refused = seen.loaded = 0;
        try_alterations(flip_bits, "bits flipped", side);
        check(seen.refused > 1000 && seen.loaded > 1000, "bits: %lu refused, %lu loaded", seen.refused, seen.loaded);
        seen.refused = seen.loaded = 0;
        try_alterations(set_field, "field set", side);
        check(seen.refused > 1000 && seen.loaded > 100, "fields: %lu refused, %lu loaded", seen.refused, seen.loaded);
    }
}

/* ---- A system that refuses ---- */

enum { WRONG = 1, NO_FILTER = 77 };

static int is_unavailable(enum gasket_status status, const struct gk_error *given, int error) {
    if (status == GASKET_UNAVAILABLE && strstr(given->text, strerror(error))) return 1;
    fprintf(stderr, "%s: %s\n", gasket_status_name(status), given->text);
    return 0;
}

static int run_refused(int error) {
    struct gk_code *code = NULL;
    struct gk_error given = {GASKET_OK, ""};
    if (!refuse_protection(PROT_EXEC, (uint32_t)error)) return NO_FILTER;
    enum gasket_status status = gk_code_load(&code, "sample", sample.bytes, sample.size, &given);
    if (!is_unavailable(status, &given, error) || code != NULL) return WRONG;
    for (int i = 0; i < 2; i++) {
        given.text[0] = 0;
        if (!is_unavailable(gk_code_possible(&given), &given, error)) return WRONG;
    }
    return 0;
}

/* Where only both at once is refused, all goes well. */
static int run_never_both(int error) {
    struct gk_code *code = NULL;
    struct gk_error given = {GASKET_OK, ""};
    if (!refuse_protection(PROT_EXEC | PROT_WRITE, (uint32_t)error)) return NO_FILTER;
    if (mmap(NULL, 4096, PROT_EXEC | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) return WRONG;
    if (gk_code_possible(&given) != GASKET_OK) return WRONG;
    if (gk_code_load(&code, "sample", sample.bytes, sample.size, &given) != GASKET_OK) return WRONG;
    int (*function)(int, int) = (int (*)(int, int))(uintptr_t)gk_code_function(code, "work_switch");
    int is_right = function(4, 100) == work_switch(4, 100);
    gk_code_free(code);
    return is_right ? 0 : WRONG;
}

/* A filter can not be taken off: each has a process of its own. Returns 0 when there are no filters here. */
static int try_filter(int (*run)(int error), int error, const char *what) {
    int state = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) _exit(run(error));
    if (child < 0 || waitpid(child, &state, 0) != child) give_up("no process of its own for a filter");
    if (WIFEXITED(state) && WEXITSTATUS(state) == NO_FILTER) return 0;
    check(WIFEXITED(state) && WEXITSTATUS(state) == 0, "%s: the process ended with %d", what, state);
    return 1;
}

static int try_filters(void) {
    return try_filter(run_refused, EPERM, "executable memory refused with EPERM") &&
           try_filter(run_refused, EACCES, "executable memory refused with EACCES") &&
           try_filter(run_never_both, EPERM, "memory for both refused");
}

/* ---- Threads ---- */

static void *load_many(void *unused) {
    enum { TIMES = 60, HELD = 4 };
    struct gk_code *codes[HELD] = {NULL};
    for (int i = 0; i < TIMES; i++) {
        struct gk_error error = {GASKET_OK, ""};
        gk_code_free(codes[i % HELD]);
        gk_code_observe((enum gk_observer)(i / HELD % 3));
        enum gasket_status status = gk_code_load(&codes[i % HELD], "sample", sample.bytes, sample.size, &error);
        if (!check(status == GASKET_OK && gk_code_possible(&error) == GASKET_OK, "loaded by a thread: %s", error.text))
            continue;
        int (*function)(int, int) = (int (*)(int, int))(uintptr_t)gk_code_function(codes[i % HELD], "work_switch");
        check(function(i % 8, i) == work_switch(i % 8, i), "run by a thread: %d", i);
    }
    for (int i = 0; i < HELD; i++)
        gk_code_free(codes[i]);
    return unused;
}

static void try_threads(void) {
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    char path[64];
    for (int i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, load_many, NULL)) give_up("no thread");
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    gk_code_observe(GK_OBSERVE_NOTHING);
    snprintf(path, sizeof path, P_tmpdir "/perf-%ld.map", (long)getpid());
    unlink(path);
}

/* ---- For a debugger ---- */

/* A place to stop at. */
static void __attribute__((noinline, used)) all_is_freed(void) {
    __asm__ volatile("" ::: "memory");
}

static int debug(const char *path) {
    static unsigned char bytes[1 << 20];
    struct gk_error error;
    struct gk_code *code;
    FILE *file = fopen(path, "rb");
    if (file == NULL) give_up(path);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    gk_code_observe(GK_OBSERVE_GDB);
    if (gk_code_load(&code, "debugged", bytes, size, &error) != GASKET_OK) give_up(error.text);
    int (*function)(int) = (int (*)(int))(uintptr_t)gk_code_function(code, "gasket_debugged");
    printf("result %d\n", function(20));
    gk_code_free(code);
    all_is_freed();
    return 0;
}

int main(int n, char **arguments) {
    if (n == 3 && strcmp(arguments[1], "debug") == 0) return debug(arguments[2]);
    if (compiler_missing()) {
        printf("SKIP: %s\n", compiler_missing());
        return 77;
    }
    compile(&sample, CODE_SAMPLE, "-O2 -fPIC");
    int has_filters = try_filters();
    try_damage();
    try_threads();
    compiled_free(&sample);
    int failed = finish();
    if (!has_filters) puts("SKIP: no filters of system calls here: refused executable memory was not tried");
    return failed || has_filters ? failed : 77;
}
