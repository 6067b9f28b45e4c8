/* object: a relocatable ELF file, checked, laid out in memory and relocated there. Nothing in it is believed: whatever
 * says where something lies is compared with the size of what it lies in before it is used. */
#ifndef GK_OBJECT_H
#define GK_OBJECT_H

#include <elf.h>

#include "error.h"

/* Branches between the ends of what is loaded reach, on every machine. */
enum { GK_OBJECT_MOST = 64 << 20 };

#define GK_NOWHERE SIZE_MAX

struct gk_section {
    Elf64_Shdr header; /* its bytes lie in the file, unless it is of a type without bytes */
    const char *name;
    size_t place; /* in memory; GK_NOWHERE when it is not loaded */
};

struct gk_function {
    const char *name; /* in the object's strings */
    size_t place, size;
};

struct gk_object {
    const char *name;
    const unsigned char *bytes;
    size_t size;
    struct gk_section *sections;
    size_t n_sections;
    size_t symbols; /* the section that holds them */
    size_t n_symbols;
    const char *strings; /* names of symbols; the last byte is 0 */
    size_t strings_size;
    struct gk_function *functions;
    size_t n_functions;
    uint32_t *stubs; /* of each symbol: the number of its stub, from 1, or 0 */
    uint32_t n_stubs;
    size_t stubs_place;
    size_t memory;    /* bytes in all */
    size_t code_size; /* bytes of its sections of functions */
    struct gk_error *error;
};

/* Checks all of it but the reach of relocations. `bytes` need no alignment; they, `name` and `error` are kept until
 * gk_object_close, which is to be called whatever the result is. */
enum gasket_status gk_object_open(struct gk_object *object, const char *name, const void *bytes, size_t size,
                                  struct gk_error *error);
/* Writes it to `memory`, zeroed and aligned to 4096 bytes, where it is going to run. */
enum gasket_status gk_object_copy(struct gk_object *object, unsigned char *memory);
void gk_object_close(struct gk_object *object);

/* ---- Between the files of the loader. Each returns 0 when it has refused the object ---- */

int gk_object_refuse(struct gk_object *object, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Makes room; *place is where. */
int gk_object_reserve(struct gk_object *object, uint64_t size, uint64_t alignment, size_t *place);

struct gk_symbol {
    const char *name;
    Elf64_Sym entry;
    size_t place; /* in memory; GK_NOWHERE when the symbol is not defined here */
};
int gk_object_symbol(struct gk_object *object, size_t index, struct gk_symbol *symbol);

/* Checks all relocations and reserves stubs; then, at the address where the code stands, applies them. */
int gk_relocations_check(struct gk_object *object);
int gk_relocations_apply(struct gk_object *object, unsigned char *memory);

#endif
