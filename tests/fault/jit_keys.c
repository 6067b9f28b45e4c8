/* jit_keys: whose code a context runs. Entries of other builds, compilers and machines hold a kernel that gives another
 * result: it shows wherever it runs. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "jit/bytes.h"
#include "jit/machine.h"
#include "support/cached.h"
#include "support/faked.h"

/* Rows of the same width; those of the other lie one element further from each other. */
enum { JOB = 1, OTHER = JOB + 50 };

static struct fake *fake;

/* In place of the library's: the machine of this process. */
static const char *machine = "this machine";
const char *gk_machine(void) {
    return machine;
}

/* ---- Whose code ran ---- */

static const struct origin {
    int is_own;
    uint64_t compiled, from_disk;
} compiled = {1, 1, 0}, own = {1, 0, 1}, foreign = {0, 0, 1};

static int is_of_other(const struct job *job) {
    const int64_t width = job->table_shape[1], stride = job->table_strides[0] + 1;
    int wrong = 0;
    for (int n = 0; n < JOB_TUPLES; n++)
        wrong |= memcmp(job->out_data + n * width, job->table_data + job->indices_data[n] * stride,
                        (size_t)width * sizeof(float));
    return !wrong;
}

/* Calls the job in a new context. */
static int check_run(const char *name, const char *folder, const char *isa, struct origin expected) {
    struct job job;
    gasket_context *context = context_open(&(struct gasket_options){.jit = "sync", .cache = folder, .isa = isa});
    job_start(&job, JOB);
    const enum gasket_status status = job_call(&job, context, NULL);
    const struct gasket_counters counters = counters_of(context);
    const int is_right = status == GASKET_OK && (expected.is_own ? job_is_right(&job) : is_of_other(&job));
    const int is_counted =
        counters.jit == 1 && counters.jit_compiled == expected.compiled && counters.jit_from_disk == expected.from_disk;
    gasket_context_destroy(context);
    return check(is_right && is_counted, "%s: the result is %s; %d compiled, %d from disk", name,
                 is_right ? "right" : "wrong", (int)counters.jit_compiled, (int)counters.jit_from_disk);
}

/* ---- Entries ---- */

struct entry {
    struct gk_key key;
    unsigned char bytes[1 << 18];
    size_t size;
};

static int take(void *state, const struct gk_cache_entry *found) {
    struct entry *entry = state;
    if (found->fault || found->size > sizeof entry->bytes) give_up("an entry is not sound");
    memcpy(entry->key.record, found->key, found->key_length);
    entry->key.length = found->key_length;
    gk_key_finish(&entry->key);
    memcpy(entry->bytes, found->payload, entry->size = found->size);
    return 1;
}

static void read_entry(struct entry *entry, const char *folder) {
    struct gk_cache *cache = cache_at(folder, 0);
    if (!gk_cache_walk(cache, take, entry)) give_up("there is no entry");
    gk_cache_close(cache);
}

/* A file with the name of `entry`, the record `key` and the code of the other job. */
static void forge(const char *folder, const struct entry *entry, const struct gk_key *key) {
    static struct entry other;
    const char *apart = path_of("%s/apart", getenv("GASKET_CACHE_DIR"));
    char name[GK_KEY_NAME];
    size_t n;
    if (!other.size) {
        gasket_context *context = context_open(&(struct gasket_options){.jit = "sync", .cache = apart});
        if (!job_try(context, OTHER, NULL)) give_up("the other kernel");
        gasket_context_destroy(context);
        read_entry(&other, apart);
    }
    const struct gk_cached forged = {key->record, other.bytes, key->length, other.size};
    unsigned char *bytes = gk_cached_encode(&forged, &n);
    if (!bytes) give_up("no memory");
    file_write(path_of("%s/" GK_ENTRY_FOLDER "/%s.kernel", folder, gk_key_name(&entry->key, name)), bytes, n, 0600);
    free(bytes);
}

/* From now on the folder's only entry gives the result of the other job. */
static void mark(const char *folder) {
    static struct entry entry;
    read_entry(&entry, folder);
    forge(folder, &entry, &entry.key);
}

/* ---- Every field of the key ---- */

/* One bit of every byte; of the knobs, which are many, of some. */
static void alter_field(const char *folder, struct entry *entry, char tag) {
    enum { STEP = 61 };
    struct gk_key key = entry->key;
    size_t n = 0;
    const void *found = gk_key_field(entry->key.record, entry->key.length, tag, &n);
    if (!check(found && n > 0, "field %c is not in the key", tag)) return;
    unsigned char *field = key.record + ((const unsigned char *)found - entry->key.record);
    for (size_t i = 0; i < n; i += tag == 'k' ? STEP : 1) {
        char name[64];
        snprintf(name, sizeof name, "byte %zu of field %c", i, tag);
        field[i] ^= 1;
        forge(folder, entry, &key);
        field[i] ^= 1;
        check_run(name, folder, NULL, compiled);
        check_run(name, folder, NULL, own);
    }
}

static void alter_keys(void) {
    static struct entry entry;
    const char *folder = getenv("GASKET_CACHE_DIR");
    fake = fake_load();
    check_run("at first", folder, NULL, compiled);
    read_entry(&entry, folder);
    for (const char *tag = "advlmtk"; *tag; tag++)
        alter_field(folder, &entry, *tag);
    forge(folder, &entry, &entry.key);
    check_run("the very key", folder, NULL, foreign);
}

static int field_is(const struct entry *entry, char tag, const char *text) {
    size_t n = 0;
    const void *field = gk_key_field(entry->key.record, entry->key.length, tag, &n);
    return field && n == strlen(text) && memcmp(field, text, n) == 0;
}

/* What no test can alter here. */
static void look_at_key(void) {
    static struct entry entry;
    const char *folder = getenv("GASKET_CACHE_DIR");
    size_t n = 0;
    gasket_context *context = context_of("off");
    fake = fake_load();
    check_run("at first", folder, NULL, compiled);
    read_entry(&entry, folder);
    const unsigned char *versions = gk_key_field(entry.key.record, entry.key.length, 'a', &n);
    check(versions && n == 16 && gk_bytes_get(versions, 4) == GASKET_ABI_VERSION &&
              gk_bytes_get(versions + 4, 4) == GK_PROVIDER_ABI,
          "the key does not hold the versions of the interfaces");
    check(field_is(&entry, 'l', gasket_context_isa(context)), "the key does not hold the level");
    gasket_context_destroy(context);
}

/* ---- Machines ---- */

static void change_machine(void) {
    const char *folder = getenv("GASKET_CACHE_DIR"), *here = machine, *there = "that machine";
    fake = fake_load();
    check_run("this machine", folder, NULL, compiled);
    mark(folder);
    check_run("this machine, again", folder, NULL, foreign);
    machine = there;
    check_run("that machine", folder, NULL, compiled);
    check_run("that machine, again", folder, NULL, own);
    machine = here;
    check_run("back on this machine", folder, NULL, foreign);
}

/* Kernels for a level below the machine's own run on all machines that have it. */
static void change_machine_below(void) {
    const char *folder = getenv("GASKET_CACHE_DIR");
    gasket_context *context = context_of("off");
    const int is_base = strcmp(gasket_context_isa(context), "base") == 0;
    gasket_context_destroy(context);
    if (is_base) scenario_skip("this machine has no level above base");
    fake = fake_load();
    check_run("this machine", folder, "base", compiled);
    mark(folder);
    check_run("another level", folder, NULL, compiled);
    machine = "that machine";
    check_run("that machine", folder, "base", foreign);
}

/* ---- Builds and compilers ---- */

static char library[sizeof((struct fake *)0)->library]; /* of the usual compiler */

/* The fake says that it is this one. */
static void be_compiler(const char *version, const char *path) {
    snprintf(fake->version, sizeof fake->version, "%s", version);
    snprintf(fake->library, sizeof fake->library, "%s", path);
}

static void put_library(const char *text, time_t modified) {
    const struct timespec times[2] = {{modified, 0}, {modified, 0}};
    file_write(library, text, strlen(text), 0600);
    if (utimensat(AT_FDCWD, library, times, 0) != 0) give_up(library);
}

static void change_nothing(void) {}

static void change_templates(void) {
    strcpy(fake->digest, "f00e");
}

static void replace_compiler(void) {
    put_library("a later compiler", 2000);
    be_compiler("fake 2", library);
}

/* The usual one is there as before. */
static void choose_compiler(void) {
    setenv("GASKET_LLVM", "/proc/self/exe", 1);
    be_compiler("fake 2", "/proc/self/exe");
}

static void (*change)(void);
static struct origin origin;

/* In a process of its own. */
static void be_build(void) {
    fake = fake_load();
    put_library("a compiler", 1000);
    be_compiler("fake 1", library);
    change();
    exit(!check_run("the build", getenv("GASKET_CACHE_DIR"), NULL, origin));
}

static void check_build(const char *name, void (*what)(void), struct origin expected) {
    change = what;
    origin = expected;
    check(child_status(be_build) == 0, "%s", name);
}

/* Compiles too: where that was done, the version of the compiler is known to processes that are forked. */
static void be_forger(void) {
    fake_load();
    mark(getenv("GASKET_CACHE_DIR"));
}

static void share_directory(void (*what)(void)) {
    snprintf(library, sizeof library, "%s", path_of("%s/compiler", getenv("GASKET_CACHE_DIR")));
    check_build("the usual build", change_nothing, compiled);
    if (child_status(be_forger)) give_up("nothing was forged");
    check_build("the usual build, again", change_nothing, foreign);
    check_build("the other build", what, compiled);
    check_build("back to the usual build", change_nothing, foreign);
    check_build("the other build, again", what, own);
}

static void share_with_templates(void) {
    share_directory(change_templates);
}
static void share_with_later_compiler(void) {
    share_directory(replace_compiler);
}
static void share_with_chosen_compiler(void) {
    share_directory(choose_compiler);
}

int main(void) {
    scenario("keys that differ in one bit", alter_keys);
    scenario("versions of the interfaces, and the level", look_at_key);
    scenario("another machine", change_machine);
    scenario("another machine, a level below its own", change_machine_below);
    scenario("other templates", share_with_templates);
    scenario("a compiler in place of the other", share_with_later_compiler);
    scenario("a compiler that is chosen", share_with_chosen_compiler);
    return scenarios_finish();
}
