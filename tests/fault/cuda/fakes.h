/* fakes: for tests, the fake libraries of CUDA, as they are or without some of their functions. */
#ifndef FAKES_H
#define FAKES_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault/cuda/fake_driver.h"
#include "fault/cuda/fake_nvrtc.h"
#include "support/cached.h"
#include "support/support.h"

/* A path in the folder of a scenario. */
static inline const char *scratch(const char *name) {
    return path_of("%s/%s", getenv("GASKET_CACHE_DIR"), name);
}

/* The end of one of many processes of a scenario. */
static inline _Noreturn void end_quietly(void) {
    if (!freopen("/dev/null", "w", stdout)) give_up("/dev/null");
    exit(finish());
}

/* Environment: where the build put them. */
#define FAKE_DRIVER_FILE "GASKET_FAKE_CUDA"
#define FAKE_NVRTC_FILE "GASKET_FAKE_NVRTC"

static inline const char *fake_file(const char *variable) {
    const char *path = getenv(variable);
    if (!path) give_up(variable);
    return path;
}

/* What a fake in a file exports of itself. */
static inline void *fake_symbol(const char *path, const char *name) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL), *symbol = handle ? dlsym(handle, name) : NULL;
    if (!symbol) give_up(dlerror());
    return symbol;
}

/* Has the library look there, and gives the fake of that file. */
static inline struct fake_driver *fake_driver_at(const char *path) {
    fake_driver_fn *function;
    void *symbol = fake_symbol(path, FAKE_DRIVER_SYMBOL);
    memcpy(&function, &symbol, sizeof function);
    setenv("GASKET_CUDA", path, 1);
    return function();
}

static inline struct fake_nvrtc *fake_nvrtc_at(const char *path) {
    fake_nvrtc_fn *function;
    void *symbol = fake_symbol(path, FAKE_NVRTC_SYMBOL);
    memcpy(&function, &symbol, sizeof function);
    setenv("GASKET_NVRTC", path, 1);
    return function();
}

static inline struct fake_driver *fake_driver_load(void) {
    return fake_driver_at(fake_file(FAKE_DRIVER_FILE));
}

static inline struct fake_nvrtc *fake_nvrtc_load(void) {
    return fake_nvrtc_at(fake_file(FAKE_NVRTC_FILE));
}

/* A copy of a library that exports some functions no more: they have other names there. `without` ends with NULL. */
static inline void fake_copy(const char *from, const char *to, const char *const *without) {
    size_t n;
    unsigned char *bytes = file_read(from, &n);
    if (!bytes) give_up(from);
    for (; *without; without++) {
        const size_t length = strlen(*without) + 1;
        size_t i = 1; /* names that are exported come first in the file */
        while (i + length <= n && (bytes[i - 1] != 0 || memcmp(bytes + i, *without, length) != 0))
            i++;
        if (i + length > n) give_up(*without);
        bytes[i] = 'x';
    }
    file_write(to, bytes, n, 0700);
    free(bytes);
}

/* For compilations: what came of them. */
struct taken {
    int times;
    size_t n;
    char bytes[1 << 16];
};

static inline void take(void *user, const void *bytes, size_t n) {
    struct taken *to = user;
    to->times++;
    to->n = n;
    memcpy(to->bytes, bytes, n < sizeof to->bytes ? n : sizeof to->bytes);
}

#endif
