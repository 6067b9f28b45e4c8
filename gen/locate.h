/* locate: the line of a field in the text of a table constructor. Lua keeps none. */
#ifndef GK_GEN_LOCATE_H
#define GK_GEN_LOCATE_H

/* A step from a table to a member: by its name, or by its place from 1 when name is NULL. */
struct gk_key {
    const char *name;
    int place;
};

/* The line of `keys` in the first table constructor at or after `first_line`; `first_line` when it is not found there,
 * as for a table that was computed. */
int gk_locate(const char *source, int first_line, const struct gk_key *keys, int n_keys);

#endif
