/* spec: a file that describes one operation -> struct gasket_operation. */
#ifndef GK_GEN_SPEC_H
#define GK_GEN_SPEC_H

#include "abi/operation.h"
#include "gen/text.h"

/* An operation and the texts that it points to. */
struct gk_spec {
    char *path;
    struct gasket_operation operation;
    struct gk_texts strings; /* their names are the texts */
};
struct gk_specs {
    struct gk_spec *items;
    size_t count;
};

/* Reads a file, or every *.lua of a folder, and adds what it describes. Returns 0, or complains and returns -1. */
int gk_specs_read(struct gk_specs *specs, const char *path);
/* The same of the text of one spec. The path is for messages. */
int gk_specs_read_text(struct gk_specs *specs, const char *path, const struct gk_text *source);
/* Orders by name and refuses two of one name; then leaves only these types: an operation left without any is refused.
 */
int gk_specs_finish(struct gk_specs *specs, uint32_t values, uint32_t indices);
void gk_specs_free(struct gk_specs *specs);

#endif
