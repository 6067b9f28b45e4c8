/* key: see key.h. */
#include "jit/key.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "jit/bytes.h"
#include "jit/hash.h"

enum { FIELD_HEAD = 5, TOO_LONG = GK_KEY_BYTES + 1 };

void gk_key_start(struct gk_key *key) {
    key->length = 0;
    key->number[0] = key->number[1] = 0;
}

void gk_key_text(struct gk_key *key, char tag, const char *text) {
    gk_key_bytes(key, tag, text, strlen(text));
}

void gk_key_bytes(struct gk_key *key, char tag, const void *bytes, size_t n) {
    if (key->length > GK_KEY_BYTES - FIELD_HEAD || n > GK_KEY_BYTES - FIELD_HEAD - key->length) {
        key->length = TOO_LONG;
        return;
    }
    unsigned char *at = key->record + key->length;
    at[0] = (unsigned char)tag;
    gk_bytes_put(at + 1, FIELD_HEAD - 1, n);
    if (n > 0) memcpy(at + FIELD_HEAD, bytes, n);
    key->length += FIELD_HEAD + n;
}

void gk_key_finish(struct gk_key *key) {
    if (key->length == TOO_LONG) key->length = 0;
    gk_hash(key->number, key->record, key->length);
}

int gk_key_equal(const struct gk_key *a, const struct gk_key *b) {
    return a->length == b->length && memcmp(a->record, b->record, a->length) == 0;
}

const char *gk_key_name(const struct gk_key *key, char name[GK_KEY_NAME]) {
    snprintf(name, GK_KEY_NAME, "%016" PRIx64 "%016" PRIx64, key->number[1], key->number[0]);
    return name;
}

/* Goes to the end even when the field was found: a record is good as a whole or not at all. */
const void *gk_key_field(const void *record, size_t length, char tag, size_t *n) {
    const unsigned char *at = record, *end = at + length, *found = NULL;
    while (at != end) {
        if (end - at < FIELD_HEAD) return NULL;
        size_t size = (size_t)gk_bytes_get(at + 1, FIELD_HEAD - 1);
        if (size > (size_t)(end - at) - FIELD_HEAD) return NULL;
        if (!found && *at == (unsigned char)tag) {
            found = at + FIELD_HEAD;
            *n = size;
        }
        at += FIELD_HEAD + size;
    }
    return found;
}
