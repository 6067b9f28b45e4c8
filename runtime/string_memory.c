/* string_memory: see string_memory.h. A string that we made has its capacity in front of its bytes; whether a view is
 * one of ours shows from its address alone. */
#include "string_memory.h"

#include <string.h>

static const size_t first_chunk = 4096, header = sizeof(size_t);

void gk_string_memory_init(struct gk_string_memory *memory, gasket_allocate *allocate, void *user) {
    memset(memory, 0, sizeof *memory);
    memory->allocate = allocate;
    memory->user = user;
    memory->next_chunk = first_chunk;
}

enum gasket_status gk_string_memory_check(const struct gk_string_memory *memory, const char *operation,
                                          struct gk_error *error) {
    return memory->allocate ? GASKET_OK
                            : gk_fail(error, GASKET_INVALID_ARGUMENT,
                                      "%s: adding strings needs an allocator, which the context has not", operation);
}

enum gasket_status gk_string_memory_fail(const char *operation, struct gk_error *error) {
    return gk_fail(error, GASKET_OUT_OF_MEMORY, "%s: the allocator has no memory for the added strings", operation);
}

/* Addresses are compared as numbers: the view may lie anywhere. */
static int is_ours(const struct gk_string_memory *memory, const char *data) {
    uintptr_t address = (uintptr_t)data;
    for (int i = 0; i < memory->n_chunks; i++) {
        if (address >= (uintptr_t)memory->chunks[i].begin && address < (uintptr_t)memory->chunks[i].end) {
            return 1;
        }
    }
    return 0;
}

static int add_chunk(struct gk_string_memory *memory, size_t bytes) {
    size_t size = bytes > memory->next_chunk ? bytes : memory->next_chunk;
    if (memory->allocate == NULL || memory->n_chunks == GK_STRING_CHUNKS) {
        return -1;
    }
    char *begin = memory->allocate(memory->user, size);
    if (begin == NULL) {
        return -1;
    }
    memory->chunks[memory->n_chunks].begin = begin;
    memory->chunks[memory->n_chunks].end = begin + size;
    memory->n_chunks++;
    memory->next = begin;
    memory->next_chunk = size <= SIZE_MAX / 2 ? size * 2 : size;
    return 0;
}

/* Room for `capacity` bytes behind their header, or NULL. */
static char *make_room(struct gk_string_memory *memory, size_t capacity) {
    if (capacity > SIZE_MAX / 2 - header) {
        return NULL;
    }
    size_t bytes = header + capacity;
    char *end = memory->n_chunks > 0 ? memory->chunks[memory->n_chunks - 1].end : NULL;
    if ((end == NULL || (size_t)(end - memory->next) < bytes) && add_chunk(memory, bytes) != 0) {
        return NULL;
    }
    char *data = memory->next + header;
    memcpy(memory->next, &capacity, header);
    memory->next += bytes;
    return data;
}

static size_t capacity_of(const struct gk_string_memory *memory, const struct gasket_string_view *view) {
    size_t capacity = 0;
    if (is_ours(memory, view->data)) {
        memcpy(&capacity, view->data - header, header);
    }
    return capacity;
}

/* The bytes of `target` in a place with room for `length` of them and as many again. */
static char *move_out(struct gk_string_memory *memory, const struct gasket_string_view *target, size_t length) {
    if (length > SIZE_MAX / 2) {
        return NULL;
    }
    char *data = make_room(memory, length * 2);
    if (data != NULL && target->length > 0) {
        memcpy(data, target->data, target->length);
    }
    return data;
}

int gk_string_append(void *state, struct gasket_string_view *target, const struct gasket_string_view *update) {
    struct gk_string_memory *memory = state;
    struct gasket_string_view added = *update; /* `update` may be `target` */
    if (added.length == 0) {
        return 0;
    }
    if (target->length == 0 && !is_ours(memory, added.data)) {
        *target = added;
        return 0;
    }
    if (added.length > SIZE_MAX - target->length) {
        return -1;
    }
    size_t length = target->length + added.length;
    char *data = NULL;
    if (length <= capacity_of(memory, target)) {
        memcpy(&data, &target->data, sizeof data); /* bytes of ours: they may be written */
    } else {
        data = move_out(memory, target, length);
    }
    if (data == NULL) {
        return -1;
    }
    memcpy(data + target->length, added.data, added.length);
    target->data = data;
    target->length = length;
    return 0;
}
