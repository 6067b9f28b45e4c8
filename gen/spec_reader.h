/* spec_reader: how the fields of a spec are taken from Lua's stack, with errors that name file, line and field. The
 * value that a function reads is on top of the stack and stays there. */
#ifndef GK_GEN_SPEC_READER_H
#define GK_GEN_SPEC_READER_H

#include "formula/formula.h"
#include "gen/locate.h"
#include "gen/lua_state.h"
#include "gen/spec.h"

enum { GK_MAX_KEYS = 4 };

struct gk_reader {
    struct gk_lua *lua;
    struct gk_spec *spec;
    const char *source;
    int line;                        /* of the call of operation() */
    const char *name;                /* of the operation, for messages */
    struct gk_key keys[GK_MAX_KEYS]; /* of the value that is being read */
    int n_keys;
};

enum gk_field_type { GK_FIELD_TEXT = 1, GK_FIELD_WHOLE = 2, GK_FIELD_TABLE = 4, GK_FIELD_BOOLEAN = 8 };

/* A field that a table may have. Tables of them end with a NULL name and are read in their order. */
struct gk_field {
    const char *name;
    unsigned types; /* of enum gk_field_type */
    int is_required;
    int (*read)(struct gk_reader *reader);
};

/* Complains of the value at `keys`; always returns -1. */
int gk_reader_fail(const struct gk_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, with the text and a caret under the column. */
int gk_reader_fail_at(const struct gk_reader *reader, const char *text, const struct gk_formula_error *error);
/* Reads the table: refuses unknown fields, wrong types and missing fields. */
int gk_reader_fields(struct gk_reader *reader, const struct gk_field *fields);
/* Calls `each` with every member of a list on top of the stack. */
int gk_reader_list(struct gk_reader *reader, unsigned types, int (*each)(struct gk_reader *reader, void *user),
                   void *user);
/* Calls `each` with every value of a table whose keys are texts, in the order of the keys. */
int gk_reader_map(struct gk_reader *reader, unsigned types,
                  int (*each)(struct gk_reader *reader, const char *key, void *user), void *user);

/* A text of one line without control characters or ends of comments, kept with the spec; NULL after a complaint. */
const char *gk_reader_text(struct gk_reader *reader);
/* Complains of a name that the generated header can not take. */
int gk_reader_check_taken(const struct gk_reader *reader, const char *name);

/* Steps into and out of a member. */
void gk_reader_enter(struct gk_reader *reader, const char *name, int place);
void gk_reader_leave(struct gk_reader *reader);

#endif
