/* cache_entry: an entry as the bytes of its file.
 *
 *   0 magic (8)   8 schema (4)   12 length of the key (4)   16 size of the payload (8)   24 key, payload
 *   then XXH3-128 of all that (16) and the magic of the end (8); numbers have the least significant byte first */
#ifndef GK_CACHE_ENTRY_H
#define GK_CACHE_ENTRY_H

#include <stddef.h>

/* The schema is also the name of the folder: programs of another schema never see these files. */
enum { GK_ENTRY_SCHEMA = 1, GK_ENTRY_HEAD = 24, GK_ENTRY_TAIL = 24, GK_ENTRY_LARGEST = 64 << 20 };
#define GK_ENTRY_FOLDER "v1"

struct gk_cached {
    const unsigned char *key, *payload;
    size_t key_length, size;
};

/* malloc'd bytes; NULL when there is no memory or the entry is larger than allowed. */
unsigned char *gk_cached_encode(const struct gk_cached *entry, size_t *n);

/* How long the entry is that begins with `head`; 0 when none does. */
size_t gk_cached_length(const unsigned char head[GK_ENTRY_HEAD]);

/* Fills *entry with places in `bytes` and returns NULL, or what is wrong with it: "has a wrong checksum". */
const char *gk_cached_decode(const unsigned char *bytes, size_t n, struct gk_cached *entry);

#endif
