/* allocator: replaces the C library's, in the program that includes this, by one that counts and fails. Not where a
 * sanitizer has its own: HAS_OWN_ALLOCATOR. */
#ifndef ALLOCATOR_H
#define ALLOCATOR_H

#include "support/sanitizers.h"

#ifndef HAS_OWN_ALLOCATOR
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void *memory);

static atomic_long live, allocations;
static atomic_size_t allocated_bytes;
static atomic_long countdown = -1; /* of allocations: the one at 0 fails */
static atomic_int has_failed;

static int may_allocate(size_t bytes) {
    if (countdown >= 0 && countdown-- == 0) {
        has_failed = 1;
        errno = ENOMEM;
        return 0;
    }
    allocations++;
    allocated_bytes += bytes;
    return 1;
}

static void *counted(void *memory) {
    if (memory) live++;
    return memory;
}

void *malloc(size_t bytes) {
    return may_allocate(bytes) ? counted(__libc_malloc(bytes)) : NULL;
}
void *calloc(size_t n, size_t bytes) {
    return may_allocate(n * bytes) ? counted(__libc_calloc(n, bytes)) : NULL;
}
void *memalign(size_t alignment, size_t bytes) {
    return may_allocate(bytes) ? counted(__libc_memalign(alignment, bytes)) : NULL;
}
void *aligned_alloc(size_t alignment, size_t bytes) {
    return memalign(alignment, bytes);
}
int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    *memory = memalign(alignment, bytes);
    return *memory ? 0 : ENOMEM;
}
void *realloc(void *memory, size_t bytes) {
    if (!may_allocate(bytes)) return NULL;
    return memory ? __libc_realloc(memory, bytes) : counted(__libc_malloc(bytes));
}
void free(void *memory) {
    if (memory) live--;
    __libc_free(memory);
}

/* Memory for code, which the library maps. */
void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
    if (!may_allocate(bytes)) return MAP_FAILED;
    live++;
    return (void *)syscall(SYS_mmap, at, bytes, protection, flags, file, offset);
}
int munmap(void *memory, size_t bytes) {
    live--;
    return (int)syscall(SYS_munmap, memory, bytes);
}
int mprotect(void *memory, size_t bytes, int protection) {
    return may_allocate(0) ? (int)syscall(SYS_mprotect, memory, bytes, protection) : -1;
}

#endif
#endif
