/* key: what a compiled kernel is the answer to: everything that can alter its code, as one record of bytes. Records are
 * compared whole; the number of a record finds it in tables and names its file. */
#ifndef GK_KEY_H
#define GK_KEY_H

#include <stddef.h>
#include <stdint.h>

enum { GK_KEY_BYTES = 8192, GK_KEY_NAME = 33 };

struct gk_key {
    size_t length;
    uint64_t number[2]; /* XXH3-128 of the record */
    unsigned char record[GK_KEY_BYTES];
};

/* Fields are appended as tag (one character), length and bytes, so that no two lists of fields give one record. What
 * does not fit makes the key invalid: length is 0 after gk_key_finish. */
void gk_key_start(struct gk_key *key);
void gk_key_text(struct gk_key *key, char tag, const char *text);
void gk_key_bytes(struct gk_key *key, char tag, const void *bytes, size_t n);
void gk_key_finish(struct gk_key *key);

int gk_key_equal(const struct gk_key *a, const struct gk_key *b);

/* The number as 32 hexadecimal digits. */
const char *gk_key_name(const struct gk_key *key, char name[GK_KEY_NAME]);

/* The bytes of a field of a record, first of that tag; NULL when there is none or the record is malformed. */
const void *gk_key_field(const void *record, size_t length, char tag, size_t *n);

#endif
