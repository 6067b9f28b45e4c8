/* observe: GDB's JIT interface and perf's map file. */
#include "jit/observe.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jit/code.h"

static _Atomic int chosen = GK_OBSERVE_NOTHING;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void gk_code_observe(enum gk_observer observer) {
    chosen = observer;
}

/* ---- GDB. Names, layout and values are its protocol ---- */

enum { JIT_NOACTION, JIT_REGISTER_FN, JIT_UNREGISTER_FN };

struct gk_observed {
    struct gk_observed *next, *previous;
    unsigned char *file;
    uint64_t size;
};

static struct {
    uint32_t version, action;
    struct gk_observed *relevant, *first;
} __jit_debug_descriptor __attribute__((used)) = {1, JIT_NOACTION, NULL, NULL};

/* GDB stops here and reads the descriptor. It finds both by name in each file, so they need not be exported, and do not
 * meet those of another compiler in the process. */
static void __attribute__((noinline, used)) __jit_debug_register_code(void) {
    __asm__ volatile("" ::: "memory");
}

static void tell_gdb(uint32_t action, struct gk_observed *observed) {
    __jit_debug_descriptor.action = action;
    __jit_debug_descriptor.relevant = observed;
    __jit_debug_register_code();
    __jit_debug_descriptor.action = JIT_NOACTION;
}

static void link_observed(struct gk_observed *observed) {
    pthread_mutex_lock(&lock);
    observed->next = __jit_debug_descriptor.first;
    if (observed->next) observed->next->previous = observed;
    __jit_debug_descriptor.first = observed;
    tell_gdb(JIT_REGISTER_FN, observed);
    pthread_mutex_unlock(&lock);
}

static void unlink_observed(struct gk_observed *observed) {
    pthread_mutex_lock(&lock);
    if (observed->next) observed->next->previous = observed->previous;
    *(observed->previous ? &observed->previous->next : &__jit_debug_descriptor.first) = observed->next;
    tell_gdb(JIT_UNREGISTER_FN, observed);
    pthread_mutex_unlock(&lock);
}

/* The file, saying at which addresses its sections are. */
static void copy_object(unsigned char *file, const struct gk_object *object, const unsigned char *memory) {
    Elf64_Ehdr header;
    memcpy(file, object->bytes, object->size);
    memcpy(&header, file, sizeof header);
    for (size_t i = 0; i < object->n_sections; i++) {
        Elf64_Shdr section = object->sections[i].header;
        if (object->sections[i].place == GK_NOWHERE) continue;
        section.sh_addr = (uintptr_t)memory + object->sections[i].place;
        memcpy(file + header.e_shoff + i * sizeof section, &section, sizeof section);
    }
}

static struct gk_observed *observe_gdb(const struct gk_object *object, const unsigned char *memory) {
    struct gk_observed *observed = calloc(1, sizeof *observed);
    unsigned char *file = malloc(object->size);
    if (observed == NULL || file == NULL) {
        free(observed);
        free(file);
        return NULL;
    }
    copy_object(file, object, memory);
    observed->file = file;
    observed->size = object->size;
    link_observed(observed);
    return observed;
}

/* ---- perf ---- */

/* Others may write to the folder that perf looks in: what they put there is not written to. */
static int open_perf_map(void) {
    char path[64];
    struct stat stat;
    snprintf(path, sizeof path, P_tmpdir "/perf-%ld.map", (long)getpid());
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (file < 0) return -1;
    if (fstat(file, &stat) == 0 && S_ISREG(stat.st_mode) && stat.st_nlink == 1 && stat.st_uid == geteuid()) return file;
    close(file);
    return -1;
}

/* "address size name of the object:function", of which perf shows all behind the size. */
static void observe_perf(const struct gk_object *object, const unsigned char *memory) {
    pthread_mutex_lock(&lock);
    int file = open_perf_map();
    for (size_t i = 0; i < object->n_functions && file >= 0; i++) {
        const struct gk_function *function = &object->functions[i];
        char line[512];
        int length = snprintf(line, sizeof line, "%llx %zx %.200s:%.200s\n",
                              (unsigned long long)(uintptr_t)(memory + function->place), function->size, object->name,
                              function->name);
        if (write(file, line, (size_t)length) != length) break;
    }
    if (file >= 0) close(file);
    pthread_mutex_unlock(&lock);
}

/* ---- Both ---- */

struct gk_observed *gk_observe_begin(const struct gk_object *object, const unsigned char *memory) {
    int observer = chosen;
    if (observer == GK_OBSERVE_PERF) observe_perf(object, memory);
    return observer == GK_OBSERVE_GDB ? observe_gdb(object, memory) : NULL;
}

void gk_observe_end(struct gk_observed *observed) {
    if (observed == NULL) return;
    unlink_observed(observed);
    free(observed->file);
    free(observed);
}
