/* plugin: see plugin.h. */
#define _GNU_SOURCE /* dladdr */
#include "jit/plugin.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "environment.h"
#include "library.h"

#ifndef GASKET_PLUGIN_FOLDER
#define GASKET_PLUGIN_FOLDER ""
#endif

/* One for the process: the compiler is not safe from several threads, and is never unloaded. */
static struct {
    pthread_mutex_t lock;
    const struct gk_provider *provider;
    struct gk_error open_trouble; /* why it could not be opened */
    _Atomic int is_open, has_ended;
} plugin = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char file_name[] = "gasket_llvm.so", folder[] = GASKET_PLUGIN_FOLDER;

/* When the process ends, a compilation that runs is waited for and no other begins: the compiler's library is taken
 * down afterwards. */
static void end(void) {
    atomic_store(&plugin.has_ended, 1);
    pthread_mutex_lock(&plugin.lock);
    pthread_mutex_unlock(&plugin.lock);
}

/* ---- Finding it ---- */

/* Beside this library or program, where an installation puts it, then where the system looks. */
static void find_file(struct gk_search *search) {
    static const char *const places[] = {"%.*s/%s", "%.*s/gasket/%s", "%.*s/../lib/gasket/%s"};
    const char *given = gk_environment("GASKET_PLUGIN");
    Dl_info info;
    char path[1024];
    if (given) {
        gk_search_file(search, given);
        return;
    }
    const char *self = dladdr(&plugin, &info) ? info.dli_fname : NULL;
    char program[1024];
    if (!self || !strchr(self, '/')) { /* a program that was found through PATH */
        const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
        program[length > 0 ? length : 0] = 0;
        self = program;
    }
    const char *slash = self ? strrchr(self, '/') : NULL;
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, places[i], (int)(slash - self), self, file_name);
        gk_search_file(search, path);
    }
    if (folder[0]) {
        snprintf(path, sizeof path, "%s/%s", folder, file_name);
        gk_search_file(search, path);
    }
    gk_search_file(search, file_name);
}

static enum gasket_status ask_file(void *handle, struct gk_error *error) {
    void *symbol = dlsym(handle, GK_PROVIDER_SYMBOL);
    gk_provider_fn *function;
    memcpy(&function, &symbol, sizeof function);
    const struct gk_provider *provider = symbol ? function() : NULL;
    if (!provider)
        return gk_fail(error, GASKET_UNAVAILABLE, "the plug-in %.900s does not export " GK_PROVIDER_SYMBOL,
                       gk_library_path(handle));
    if (provider->abi_version != GK_PROVIDER_ABI || provider->kernel_abi != GASKET_ABI_VERSION)
        return gk_fail(error, GASKET_UNAVAILABLE, "the plug-in %.900s is of another version than this library",
                       gk_library_path(handle));
    plugin.provider = provider;
    atexit(end); /* for a process that ends while the compiler is opened */
    return GASKET_OK;
}

static enum gasket_status load(struct gk_error *error) {
    struct gk_search search = {.handle = NULL};
    find_file(&search);
    return search.handle ? ask_file(search.handle, error)
                         : gk_search_fail(&search, "the plug-in for call-time compilation", error);
}

enum gasket_status gk_plugin_load(const struct gk_provider **provider, struct gk_error *error) {
    static struct gk_library library = {.lock = PTHREAD_MUTEX_INITIALIZER, .load = load};
    const enum gasket_status status = gk_library_load(&library, error);
    *provider = status ? NULL : plugin.provider;
    return status;
}

/* ---- Using it ---- */

static enum gasket_status open_locked(const struct gk_provider *provider, struct gk_error *error) {
    char text[GK_PROVIDER_TEXT] = "";
    if (plugin.open_trouble.status) *error = plugin.open_trouble;
    if (plugin.open_trouble.status || atomic_load(&plugin.is_open)) return plugin.open_trouble.status;
    enum gasket_status status = provider->open(text);
    if (status && status != GASKET_OUT_OF_MEMORY) gk_fail(&plugin.open_trouble, status, "%s", text);
    if (status) return gk_fail(error, status, "%s", text);
    atexit(end); /* after the compiler's own, so it comes before them */
    atomic_store(&plugin.is_open, 1);
    return GASKET_OK;
}

enum gasket_status gk_plugin_open(struct gk_error *error) {
    const struct gk_provider *provider;
    enum gasket_status status = gk_plugin_load(&provider, error);
    if (status) return status;
    pthread_mutex_lock(&plugin.lock);
    status = atomic_load(&plugin.has_ended) ? gk_fail(error, GASKET_UNAVAILABLE, "the process is ending")
                                            : open_locked(provider, error);
    pthread_mutex_unlock(&plugin.lock);
    return status;
}

enum gasket_status gk_plugin_compile(const struct gk_compilation *compilation, gk_take_fn *take, void *user,
                                     struct gk_error *error) {
    char text[GK_PROVIDER_TEXT] = "";
    enum gasket_status status = gk_plugin_open(error);
    if (status) return status;
    pthread_mutex_lock(&plugin.lock);
    if (atomic_load(&plugin.has_ended))
        snprintf(text, sizeof text, "the process is ending");
    else
        status = plugin.provider->compile(compilation, take, user, text);
    pthread_mutex_unlock(&plugin.lock);
    if (!status && text[0]) status = GASKET_UNAVAILABLE;
    return status ? gk_fail(error, status, "%s", text) : GASKET_OK;
}

const char *gk_plugin_version(void) {
    return atomic_load(&plugin.is_open) ? plugin.provider->version() : "";
}

const char *gk_plugin_library(void) {
    return atomic_load(&plugin.is_open) ? plugin.provider->library() : "";
}
