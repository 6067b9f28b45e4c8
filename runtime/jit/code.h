/* code: machine code in memory of this process. An object file goes in; its functions can be called until it is freed.
 *
 * The object is a relocatable ELF file of this machine, as a compiler writes it, made of position-independent functions
 * that refer to nothing but each other, their constants, and memcpy, memmove and memset. Whatever else it asks for is
 * refused. Code memory is written first and made executable afterwards: it is never both. */
#ifndef GK_CODE_H
#define GK_CODE_H

#include "error.h"

struct gk_code;

/* Checks every offset and size in the object before it uses it. INVALID_ARGUMENT when the object is not as above
 * (`name` and the reason are in the text), UNAVAILABLE when the system gives no executable memory, OUT_OF_MEMORY. */
enum gasket_status gk_code_load(struct gk_code **code, const char *name, const void *object, size_t size,
                                struct gk_error *error);

/* The function of that name, or NULL. */
void *gk_code_function(const struct gk_code *code, const char *name);

/* Bytes of memory that it occupies, whole pages; bytes of its functions alone. */
size_t gk_code_memory(const struct gk_code *code);
size_t gk_code_size(const struct gk_code *code);

/* Nobody may be running it. NULL is allowed. */
void gk_code_free(struct gk_code *code);

/* Whether this process may make memory executable: UNAVAILABLE with the reason when not. Asks the system once, and
 * again where memory had run out: OUT_OF_MEMORY. */
enum gasket_status gk_code_possible(struct gk_error *error);

/* ---- Debuggers and profilers ---- */

/* What is told about code that is loaded from now on, by any thread: nothing, GDB's JIT interface (the object with its
 * sections at their addresses), or a line in perf's map file of this process. */
enum gk_observer { GK_OBSERVE_NOTHING, GK_OBSERVE_GDB, GK_OBSERVE_PERF };
void gk_code_observe(enum gk_observer observer);

#endif
