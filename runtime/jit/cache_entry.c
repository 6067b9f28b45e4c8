/* cache_entry: see cache_entry.h. */
#include "jit/cache_entry.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jit/bytes.h"
#include "jit/hash.h"
#include "jit/key.h"

enum { MAGIC = 8 };
static const char head_magic[] = "gasketK\n", tail_magic[] = "\nKteksag";

static void put_checksum(unsigned char *at, const unsigned char *bytes, size_t n) {
    uint64_t number[2];
    gk_hash(number, bytes, n);
    gk_bytes_put(at, 8, number[0]);
    gk_bytes_put(at + 8, 8, number[1]);
}

static int is_allowed(uint64_t key_length, uint64_t size) {
    return key_length > 0 && key_length <= GK_KEY_BYTES &&
           size <= GK_ENTRY_LARGEST - GK_KEY_BYTES - GK_ENTRY_HEAD - GK_ENTRY_TAIL;
}

unsigned char *gk_cached_encode(const struct gk_cached *entry, size_t *n) {
    if (!is_allowed(entry->key_length, entry->size)) return NULL;
    size_t body = GK_ENTRY_HEAD + entry->key_length + entry->size;
    unsigned char *bytes = malloc(body + GK_ENTRY_TAIL);
    if (!bytes) return NULL;
    memcpy(bytes, head_magic, MAGIC);
    gk_bytes_put(bytes + 8, 4, GK_ENTRY_SCHEMA);
    gk_bytes_put(bytes + 12, 4, entry->key_length);
    gk_bytes_put(bytes + 16, 8, entry->size);
    memcpy(bytes + GK_ENTRY_HEAD, entry->key, entry->key_length);
    if (entry->size > 0) memcpy(bytes + GK_ENTRY_HEAD + entry->key_length, entry->payload, entry->size);
    put_checksum(bytes + body, bytes, body);
    memcpy(bytes + body + 16, tail_magic, MAGIC);
    *n = body + GK_ENTRY_TAIL;
    return bytes;
}

size_t gk_cached_length(const unsigned char head[GK_ENTRY_HEAD]) {
    uint64_t key_length = gk_bytes_get(head + 12, 4), size = gk_bytes_get(head + 16, 8);
    int begins = memcmp(head, head_magic, MAGIC) == 0 && gk_bytes_get(head + 8, 4) == GK_ENTRY_SCHEMA;
    return begins && is_allowed(key_length, size) ? GK_ENTRY_HEAD + (size_t)key_length + (size_t)size + GK_ENTRY_TAIL
                                                  : 0;
}

const char *gk_cached_decode(const unsigned char *bytes, size_t n, struct gk_cached *entry) {
    unsigned char checksum[16];
    if (n < GK_ENTRY_HEAD + GK_ENTRY_TAIL) return "is too short";
    if (gk_cached_length(bytes) == 0) return "does not begin as an entry of this version";
    if (gk_cached_length(bytes) != n) return "has another size than it says";
    size_t body = n - GK_ENTRY_TAIL;
    if (memcmp(bytes + body + sizeof checksum, tail_magic, MAGIC) != 0) return "does not end as an entry";
    put_checksum(checksum, bytes, body);
    if (memcmp(bytes + body, checksum, sizeof checksum) != 0) return "has a wrong checksum";
    entry->key = bytes + GK_ENTRY_HEAD;
    entry->key_length = (size_t)gk_bytes_get(bytes + 12, 4);
    entry->payload = entry->key + entry->key_length;
    entry->size = (size_t)gk_bytes_get(bytes + 16, 8);
    return NULL;
}
