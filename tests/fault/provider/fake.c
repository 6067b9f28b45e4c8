/* fake: see fake.h. Allocates nothing. */
#define _GNU_SOURCE /* memmem */
#include "fake.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "abi/nest.h"

static const char e4_file[] = FAKE_E4, f32_file[] = FAKE_F32;

enum { MOST = 256 << 10 };
struct object {
    const char *template_name, *file;
    size_t size, knobs;
    unsigned char bytes[MOST];
};
static struct object objects[] = {{.template_name = "e4", .file = e4_file}, {.template_name = "f32", .file = f32_file}};

static struct fake fake;

static enum gasket_status say(char *text, enum gasket_status status, const char *what) {
    snprintf(text, GK_PROVIDER_TEXT, "%s", what);
    return status;
}

static void wait_while(const _Atomic int *held, _Atomic int *waiting) {
    const struct timespec moment = {0, 200000};
    atomic_fetch_add(waiting, 1);
    while (atomic_load(held))
        nanosleep(&moment, NULL);
    atomic_fetch_sub(waiting, 1);
}

/* ---- The provider ---- */

static int read_object(struct object *object) {
    uint32_t mark[16];
    for (size_t i = 0; i < sizeof mark / sizeof *mark; i++)
        mark[i] = 0x5a6b7c8d;
    const int file = open(object->file, O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? 0 : read(file, object->bytes, sizeof object->bytes);
    object->size = size > 0 ? (size_t)size : 0;
    if (file >= 0) close(file);
    const unsigned char *found = memmem(object->bytes, object->size, mark, sizeof mark);
    if (found) object->knobs = (size_t)(found - object->bytes);
    return found && object->size < sizeof object->bytes;
}

static enum gasket_status open_fake(char *text) {
    atomic_fetch_add(&fake.opens, 1);
    wait_while(&fake.open_held, &fake.opening);
    if (atomic_load(&fake.open_status))
        return say(text, (enum gasket_status)atomic_load(&fake.open_status), FAKE_TROUBLE);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (!objects[i].size && !read_object(&objects[i]))
            return say(text, GASKET_INTERNAL, "the fake's objects are not there");
    return GASKET_OK;
}

static const char *version(void) {
    return fake.version;
}

static const char *library(void) {
    return fake.library;
}

static struct object *find_object(const char *template_name) {
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (strcmp(objects[i].template_name, template_name) == 0) return &objects[i];
    return NULL;
}

/* Another name of the same length, in the table of names only: no code is touched. */
static void rename_symbol(unsigned char *bytes, size_t size, const char *name, const char *other) {
    unsigned char *found = memmem(bytes, size, name, strlen(name));
    if (found) memcpy(found, other, strlen(name));
}

static void set_machine(unsigned char *bytes, uint16_t machine) {
    memcpy(bytes + offsetof(Elf64_Ehdr, e_machine), &machine, sizeof machine);
}

/* Wrong objects keep the mark for knobs: nothing good would come of running them. */
static void give(struct object *object, const struct gk_compilation *compilation, gk_take_fn *take, void *user) {
    static unsigned char bytes[MOST];
    const enum fake_answer answer = (enum fake_answer)atomic_load(&fake.answer);
    const size_t size = object->size;
    memcpy(bytes, object->bytes, size);
    if (answer == FAKE_RIGHT || answer == FAKE_TWICE)
        memcpy(bytes + object->knobs, compilation->knobs, compilation->knobs_size);
    if (answer == FAKE_GARBAGE) memset(bytes, 0x5a, size);
    if (answer == FAKE_FOREIGN) set_machine(bytes, EM_S390);
    if (answer == FAKE_WITHOUT_CHECK) rename_symbol(bytes, size, GASKET_NEST_CHECK, "gasket_nest_other");
    if (answer == FAKE_WITH_CALLS) rename_symbol(bytes, size, "memcpy", "system");
    const size_t given = answer == FAKE_EMPTY ? 0 : answer == FAKE_CUT ? size / 2 : size;
    if (answer != FAKE_NOTHING) take(user, bytes, given);
    if (answer == FAKE_TWICE) take(user, bytes, given);
}

static enum gasket_status compile(const struct gk_compilation *compilation, gk_take_fn *take, void *user, char *text) {
    struct object *object = find_object(compilation->template_name);
    atomic_fetch_add(&fake.compiles, 1);
    wait_while(&fake.held, &fake.inside);
    if (atomic_load(&fake.status)) return say(text, (enum gasket_status)atomic_load(&fake.status), FAKE_TROUBLE);
    if (!object || compilation->knobs_size != sizeof(struct gasket_nest))
        return say(text, GASKET_UNSUPPORTED, "the fake knows no such template");
    if (compilation->stage != GK_STAGE_OBJECT) return say(text, GASKET_UNSUPPORTED, "the fake only makes objects");
    give(object, compilation, take, user);
    return GASKET_OK;
}

/* ---- What is exported ---- */

static struct fake fake = {
    .provider = {.abi_version = GK_PROVIDER_ABI,
                 .kernel_abi = GASKET_ABI_VERSION,
                 .name = "fake",
                 .digest = fake.digest,
                 .open = open_fake,
                 .version = version,
                 .library = library,
                 .compile = compile},
    .digest = "f00d",
    .version = "fake 1",
    .library = FAKE_E4,
};

__attribute__((visibility("default"))) gk_provider_fn gasket_provider;
__attribute__((visibility("default"))) fake_fn gasket_fake;

const struct gk_provider *gasket_provider(void) {
    return &fake.provider;
}

struct fake *gasket_fake(void) {
    return &fake;
}
