/* string_memory: growing the views of a string output with memory from the caller's allocator. */
#ifndef GK_STRING_MEMORY_H
#define GK_STRING_MEMORY_H

#include "abi/kernel.h"
#include "error.h"

enum { GK_STRING_CHUNKS = 48 };

/* The chunks that one call has asked for. Strings in them carry their capacity in front and can grow in place; the
 * chunks stay the caller's when the call is over. */
struct gk_string_memory {
    gasket_allocate *allocate;
    void *user;
    struct {
        char *begin, *end;
    } chunks[GK_STRING_CHUNKS];
    int n_chunks;
    char *next;
    size_t next_chunk;
};

void gk_string_memory_init(struct gk_string_memory *memory, gasket_allocate *allocate, void *user);

/* INVALID_ARGUMENT when the operation adds strings and has no allocator for them. */
enum gasket_status gk_string_memory_check(const struct gk_string_memory *memory, const char *operation,
                                          struct gk_error *error);
/* OUT_OF_MEMORY: gk_string_append has failed. */
enum gasket_status gk_string_memory_fail(const char *operation, struct gk_error *error);

/* gasket_append_fn with a gk_string_memory as its state. An empty target takes the update's view without a copy. */
int gk_string_append(void *state, struct gasket_string_view *target, const struct gasket_string_view *update);

#endif
