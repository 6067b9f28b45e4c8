/* spec_fields: what each field of a spec means. */
#ifndef GK_GEN_SPEC_FIELDS_H
#define GK_GEN_SPEC_FIELDS_H

#include "gen/spec_reader.h"

/* The fields of operation{...}, in the order in which they are read: later ones may name what earlier ones said. */
extern const struct gk_field gk_operation_fields[];

/* What no single field can say: defaults that follow from the formula, and what must fit together. */
int gk_spec_complete(struct gk_reader *reader);

#endif
