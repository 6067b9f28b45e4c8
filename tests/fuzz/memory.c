/* memory: see memory.h. */
#define _GNU_SOURCE
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GUARD = 64 << 10 };

static void give_up(const char *what) {
    perror(what);
    exit(2);
}

static char *map_view(int file, size_t size, int protection) {
    char *map = mmap(NULL, size + 2 * (size_t)GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) give_up("gasket-fuzz: mmap");
    char *inner = mmap(map + GUARD, size, protection, MAP_SHARED | MAP_FIXED, file, 0);
    if (inner == MAP_FAILED) give_up("gasket-fuzz: mmap");
    return inner;
}

void fuzz_place_make(struct fuzz_place *place, size_t size) {
    int file = memfd_create("gasket-fuzz", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)size) != 0) give_up("gasket-fuzz: memfd_create");
    place->written = map_view(file, size, PROT_READ | PROT_WRITE);
    place->seen = map_view(file, size, PROT_READ);
    place->size = size;
    close(file);
}

void fuzz_place_free(struct fuzz_place *place) {
    munmap(place->written - GUARD, place->size + 2 * (size_t)GUARD);
    munmap(place->seen - GUARD, place->size + 2 * (size_t)GUARD);
}

size_t fuzz_place_at(const struct fuzz_place *place, size_t bytes, int at_begin, int skew) {
    return at_begin ? (size_t)skew : place->size - bytes - (size_t)skew;
}

void fuzz_pool_make(struct fuzz_pool *pool) {
    enum { POOL = 32 << 20 };
    *pool = (struct fuzz_pool){malloc(POOL), 0, POOL};
    if (!pool->memory) give_up("gasket-fuzz: malloc");
}

void fuzz_pool_free(struct fuzz_pool *pool) {
    free(pool->memory);
}

char *fuzz_pool_room(struct fuzz_pool *pool, size_t bytes) {
    size_t begin = (pool->used + 15) / 16 * 16;
    if (bytes > pool->size || begin > pool->size - bytes) return NULL;
    pool->used = begin + bytes;
    return pool->memory + begin;
}
