/* library: see library.h. */
#define _GNU_SOURCE /* dlinfo, secure_getenv */
#include "library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "say.h"

#if defined(__aarch64__)
#define TARGET "AArch64"
#else
#define TARGET "X86"
#endif

typedef void plain_fn(void);
typedef void version_fn(unsigned *major, unsigned *minor, unsigned *patch);

/* ---- What it is ---- */

/* "libLLVM-15.0.6.so.1" and "libLLVM.so.19.1" carry it in their names; from 16 on there is a function too. */
static void read_version(struct gk_llvm *llvm, void *handle) {
    void *symbol = dlsym(handle, "LLVMGetVersion");
    const char *slash = strrchr(llvm->path, '/'), *name = slash ? slash + 1 : llvm->path;
    version_fn *get;
    memcpy(&get, &symbol, sizeof get);
    if (get)
        get(&llvm->major, &llvm->minor, &llvm->patch);
    else
        sscanf(name + strcspn(name, "0123456789"), "%u.%u.%u", &llvm->major, &llvm->minor, &llvm->patch);
}

static void identify(struct gk_llvm *llvm, void *handle) {
    struct link_map *map = NULL;
    struct stat file = {.st_size = 0};
    llvm->path[0] = 0;
    llvm->major = llvm->minor = llvm->patch = 0;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && !realpath(map->l_name, llvm->path))
        snprintf(llvm->path, sizeof llvm->path, "%s", map->l_name);
    read_version(llvm, handle);
    stat(llvm->path, &file);
    snprintf(llvm->identity, sizeof llvm->identity, "%u.%u.%u %lld", llvm->major, llvm->minor, llvm->patch,
             (long long)file.st_size);
}

static enum gasket_status judge(const struct gk_llvm *llvm, char *text) {
    if (llvm->major < GK_LLVM_OLDEST || llvm->major > GK_LLVM_NEWEST)
        return gk_say(text, GASKET_UNAVAILABLE,
                      "libLLVM %u.%u at %.300s is of a version that is not known (%d to %d are)", llvm->major,
                      llvm->minor, llvm->path, GK_LLVM_OLDEST, GK_LLVM_NEWEST);
    if (llvm->major < GK_BITCODE_MAJOR)
        return gk_say(text, GASKET_UNAVAILABLE,
                      "libLLVM %u.%u at %.300s is older than the Clang %d that the templates were compiled with",
                      llvm->major, llvm->minor, llvm->path, GK_BITCODE_MAJOR);
    return GASKET_OK;
}

/* ---- Its functions ---- */

static const struct {
    const char *name;
    size_t at;
} functions[] = {
#define GK_LLVM_ENTRY(name) {"LLVM" #name, offsetof(struct gk_llvm, name)},
    GK_LLVM_FUNCTIONS(GK_LLVM_ENTRY)
#undef GK_LLVM_ENTRY
};

static enum gasket_status lacks(const struct gk_llvm *llvm, const char *name, char *text) {
    return gk_say(text, GASKET_UNAVAILABLE, "libLLVM %u.%u at %.300s lacks %s", llvm->major, llvm->minor, llvm->path,
                  name);
}

static enum gasket_status resolve(struct gk_llvm *llvm, void *handle, char *text) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *symbol = dlsym(handle, functions[i].name);
        if (!symbol) return lacks(llvm, functions[i].name, text);
        memcpy((char *)llvm + functions[i].at, &symbol, sizeof symbol);
    }
    return GASKET_OK;
}

/* The processors that it makes code for. */
static enum gasket_status start_target(const struct gk_llvm *llvm, void *handle, char *text) {
    static const char *const starts[] = {"LLVMInitialize" TARGET "TargetInfo", "LLVMInitialize" TARGET "Target",
                                         "LLVMInitialize" TARGET "TargetMC", "LLVMInitialize" TARGET "AsmPrinter",
                                         "LLVMInitialize" TARGET "AsmParser"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        void *symbol = dlsym(handle, starts[i]);
        plain_fn *start;
        if (!symbol) return lacks(llvm, starts[i], text);
        memcpy(&start, &symbol, sizeof start);
        start();
    }
    return GASKET_OK;
}

/* ---- Finding it ---- */

/* *found is set when there is such a file, even when it is refused. */
static enum gasket_status try_file(struct gk_llvm *llvm, const char *name, int *found, char *text) {
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    *found = handle != NULL;
    if (!handle) {
        const char *why = dlerror();
        return gk_say(text, GASKET_UNAVAILABLE, "%s", why ? why : name);
    }
    identify(llvm, handle);
    enum gasket_status status = judge(llvm, text);
    if (!status) status = resolve(llvm, handle, text);
    return status ? status : start_target(llvm, handle, text);
}

/* As Debian and others call it. */
static const char *const names[] = {"libLLVM.so.%d.1", "libLLVM-%d.so.1", "libLLVM-%d.so"};

static void note_tried(char *tried, const char *name, const char *why) {
    const size_t used = strlen(tried);
    snprintf(tried + used, GK_PROVIDER_TEXT - used, "%s%s%s%.400s%s", used ? ", " : "", name, why ? " (" : "",
             why ? why : "", why ? ")" : "");
}

static enum gasket_status try_version(struct gk_llvm *llvm, int major, char *tried) {
    char name[32], why[GK_PROVIDER_TEXT];
    int found = 0;
    enum gasket_status status = GASKET_UNAVAILABLE;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) {
        snprintf(name, sizeof name, names[i], major);
        status = try_file(llvm, name, &found, why);
        note_tried(tried, name, found ? why : NULL);
    }
    return status;
}

enum gasket_status gk_llvm_load(struct gk_llvm *llvm, char *text) {
    const char *given = secure_getenv("GASKET_LLVM");
    char tried[GK_PROVIDER_TEXT] = "", why[GK_PROVIDER_TEXT] = "";
    int found = 0;
    enum gasket_status status = GASKET_UNAVAILABLE;
    if (given) {
        status = try_file(llvm, given, &found, why);
        return status ? gk_say(text, status, "GASKET_LLVM: %.900s", why) : GASKET_OK;
    }
    for (int major = GK_LLVM_NEWEST; status && major >= GK_LLVM_OLDEST; major--)
        status = try_version(llvm, major, tried);
    return status ? gk_say(text, status, "no libLLVM can be used; tried %.950s", tried) : GASKET_OK;
}
