/* build: a kernel's code, from disk or from the compiler. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "environment.h"
#include "jit/inside.h"
#include "jit/machine.h"
#include "jit/plugin.h"

static const char compiler_note[] = "compiler";

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* ---- Which compiler ---- */

/* The note is "version\nsize mtime path\nchoice": what the compiler was when it last made an entry. It saves loading
 * the compiler only to learn its version, and holds as long as the file is unchanged and the user chooses as then; one
 * that was imported, without a file, holds until a compiler is loaded. */
struct note {
    char version[64], path[512], choice[256];
    long long size, modified;
};

static const char *choice(void) {
    const char *library = gk_environment("GASKET_LLVM");
    return library ? library : "";
}

static int read_note(struct gk_cache *cache, struct note *note) {
    char text[GK_ERROR_TEXT];
    memset(note, 0, sizeof *note);
    if (!gk_cache_note_get(cache, compiler_note, text, sizeof text)) return 0;
    return sscanf(text, "%63[^\n]\n%lld %lld %511[^\n]\n%255[^\n]", note->version, &note->size, &note->modified,
                  note->path, note->choice) >= 3;
}

static int still_holds(const struct note *note) {
    struct stat file;
    if (!note->path[0]) return 1;
    return strcmp(note->choice, choice()) == 0 && stat(note->path, &file) == 0 && file.st_size == note->size &&
           file.st_mtime == note->modified;
}

/* The version of the compiler that would be used, "" when that is not known without loading it. */
static void expected_version(struct gk_cache *cache, char version[64]) {
    struct note note;
    snprintf(version, 64, "%s", gk_plugin_version());
    if (!version[0] && read_note(cache, &note) && still_holds(&note)) snprintf(version, 64, "%s", note.version);
}

static void write_note(struct gk_cache *cache) {
    struct note note;
    struct stat file;
    char text[GK_ERROR_TEXT];
    if (read_note(cache, &note) && strcmp(note.version, gk_plugin_version()) == 0 && note.path[0] && still_holds(&note))
        return;
    if (stat(gk_plugin_library(), &file) != 0) return;
    snprintf(text, sizeof text, "%s\n%lld %lld %s\n%s\n", gk_plugin_version(), (long long)file.st_size,
             (long long)file.st_mtime, gk_plugin_library(), choice());
    gk_cache_note_put(cache, compiler_note, text);
}

static int note_version(void *user, const struct gk_cache_entry *entry) {
    struct gk_cache *cache = user;
    size_t n = 0;
    const char *version = entry->key ? gk_key_field(entry->key, entry->key_length, 'v', &n) : NULL;
    char text[96];
    if (!version || n >= 64) return 0;
    snprintf(text, sizeof text, "%.*s\n0 0\n", (int)n, version);
    gk_cache_note_put(cache, compiler_note, text);
    return 1;
}

void gk_build_note_imported(struct gk_cache *cache) {
    struct note note;
    if (!gk_plugin_version()[0] && !(read_note(cache, &note) && still_holds(&note)))
        gk_cache_walk(cache, note_version, cache);
}

/* ---- The key ---- */

/* Everything that can alter the code. The provider's digest covers templates, their flags and the headers they use. */
static void make_key(struct gk_key *key, const struct gk_jit *jit, const struct kernel *kernel, const char *version,
                     const char *digest) {
    static const char *const levels[] = {GASKET_ISA_NAMES};
    const int32_t abi[] = {GASKET_ABI_VERSION, GK_PROVIDER_ABI, (int32_t)sizeof(void *), (int32_t)sizeof kernel->knobs};
    gk_key_start(key);
    gk_key_bytes(key, 'a', abi, sizeof abi);
    gk_key_text(key, 'd', digest);
    gk_key_text(key, 'v', version);
    gk_key_text(key, 'l', levels[jit->options.level]);
    gk_key_text(key, 'm', jit->options.is_host ? gk_machine() : "any");
    gk_key_text(key, 't', kernel->template_name);
    gk_key_bytes(key, 'k', &kernel->knobs, sizeof kernel->knobs);
    gk_key_finish(key);
}

/* ---- Objects ---- */

/* What the loader refuses is no fault of the caller's. */
static enum gasket_status load(const struct kernel *kernel, const void *object, size_t size, struct built *built) {
    enum gasket_status status = gk_code_load(&built->code, kernel->shared.name, object, size, &built->error);
    if (status == GASKET_INVALID_ARGUMENT) status = built->error.status = GASKET_INTERNAL;
    if (!status &&
        (!gk_code_function(built->code, GASKET_NEST_RUN) || !gk_code_function(built->code, GASKET_NEST_CHECK))) {
        gk_code_free(built->code);
        built->code = NULL;
        status = gk_fail(&built->error, GASKET_INTERNAL, "%s: the object lacks a function", kernel->shared.name);
    }
    return status;
}

/* An object on disk that does not load counts as not there: it is compiled again. */
static enum gasket_status look(struct gk_jit *jit, const struct kernel *kernel, const struct gk_key *key,
                               struct built *built) {
    void *object;
    size_t size;
    gk_key_name(key, built->key);
    if (!gk_cache_get(jit->cache, key, &object, &size))
        return gk_fail(&built->error, GASKET_UNAVAILABLE, "the kernel %s is neither in memory nor in the cache",
                       built->key);
    enum gasket_status status = load(kernel, object, size, built);
    free(object);
    built->source = GK_FROM_DISK;
    return status;
}

static void look_for_version(struct gk_jit *jit, const struct kernel *kernel, const struct gk_provider *provider,
                             struct built *built) {
    struct gk_key key;
    expected_version(jit->cache, built->compiler);
    if (!built->compiler[0]) {
        built->status = gk_fail(&built->error, GASKET_UNAVAILABLE,
                                "the kernel is not in memory, and the cache does not say which compiler it is of");
        return;
    }
    make_key(&key, jit, kernel, built->compiler, provider->digest);
    built->status = look(jit, kernel, &key, built);
}

void gk_build_from_disk(struct gk_jit *jit, const struct kernel *kernel, struct built *built) {
    const struct gk_provider *provider;
    const double began = now();
    memset(built, 0, sizeof *built);
    built->status = gk_code_possible(&built->error);
    if (!built->status) built->status = gk_plugin_load(&provider, &built->error);
    if (!built->status) look_for_version(jit, kernel, provider, built);
    built->milliseconds = now() - began;
}

/* ---- The compiler ---- */

struct object {
    void *bytes;
    size_t size;
    int is_given;
};

static void take_object(void *user, const void *bytes, size_t n) {
    struct object *object = user;
    free(object->bytes);
    object->bytes = malloc(n ? n : 1);
    object->size = n;
    object->is_given = 1;
    if (object->bytes) memcpy(object->bytes, bytes, n);
}

struct gk_compilation gk_build_request(const struct gk_jit *jit, const struct kernel *kernel, enum gk_stage stage) {
    return (struct gk_compilation){kernel->template_name, &kernel->knobs,       sizeof kernel->knobs,
                                   jit->options.level,    jit->options.is_host, stage};
}

static enum gasket_status compile(struct gk_jit *jit, const struct kernel *kernel, const struct gk_key *key,
                                  struct built *built) {
    struct object object = {NULL, 0, 0};
    const struct gk_compilation request = gk_build_request(jit, kernel, GK_STAGE_OBJECT);
    enum gasket_status status = gk_plugin_compile(&request, take_object, &object, &built->error);
    if (!status && !object.is_given) status = gk_fail(&built->error, GASKET_INTERNAL, "the compiler gave nothing");
    if (status) {
        free(object.bytes);
        return status;
    }
    if (!object.bytes) return gk_fail(&built->error, GASKET_OUT_OF_MEMORY, "no memory for a compiled kernel");
    status = load(kernel, object.bytes, object.size, built);
    built->source = GK_FROM_COMPILER;
    if (!status) {
        write_note(jit->cache);
        gk_cache_put(jit->cache, key, object.bytes, object.size);
    }
    free(object.bytes);
    return status;
}

void gk_build(struct gk_jit *jit, const struct kernel *kernel, struct built *built) {
    const struct gk_provider *provider;
    struct gk_key key;
    gk_build_from_disk(jit, kernel, built);
    if (!built->status || gk_code_possible(&built->error) || gk_plugin_load(&provider, &built->error)) return;
    char looked_for[64];
    snprintf(looked_for, sizeof looked_for, "%s", built->compiler);
    built->status = gk_plugin_open(&built->error);
    if (built->status) return;
    const double began = now();
    snprintf(built->compiler, sizeof built->compiler, "%s", gk_plugin_version());
    make_key(&key, jit, kernel, built->compiler, provider->digest);
    gk_key_name(&key, built->key);
    if (strcmp(looked_for, built->compiler) != 0) built->status = look(jit, kernel, &key, built);
    if (!built->code) built->status = compile(jit, kernel, &key, built);
    built->milliseconds = now() - began;
}
