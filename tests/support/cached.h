/* cached: caches in folders of their own, entries that are known by their number, and children that may die. */
#ifndef CACHED_H
#define CACHED_H

#include <limits.h>

#include "jit/cache.h"
#include "jit/cache_entry.h"

/* ---- Folders and files ---- */

/* A new empty folder inside TEST_DIR, private, in one of eight static buffers of its own. */
const char *folder_make(void);
void folder_remove(const char *folder);
/* "FOLDER/NAME", printf-like, in one of eight static buffers. */
const char *path_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
void file_write(const char *path, const void *bytes, size_t n, unsigned mode);
/* malloc'd. */
unsigned char *file_read(const char *path, size_t *n);
/* Sets the time of last use, in seconds from now. */
void file_age(const char *path, long seconds);
/* Calls `each` with the path of every file of the folder of this version. */
void files_each(const char *folder, void (*each)(void *user, const char *path), void *user);
size_t drafts_count(const char *folder);
uint64_t disk_used(const char *folder); /* by all files, as the file system counts */

/* ---- Entries ---- */

struct gk_cache *cache_at(const char *folder, uint64_t limit);
struct gk_key numbered_key(int number);
/* The file of an entry, whether it is there or not. */
const char *numbered_file(const char *folder, int number);
/* A payload of its own for each number and size. */
int numbered_put(struct gk_cache *cache, int number, size_t size);
enum found { NONE, RIGHT, WRONG };
enum found numbered_get(struct gk_cache *cache, int number);
/* The whole entry as bytes of a file, malloc'd. */
unsigned char *numbered_bytes(int number, size_t size, size_t *n);

/* ---- Children ---- */

/* Runs it in a child; its result is NULL or what was wrong, and is one check. A result that begins with "SKIP" is
 * printed and is none. */
void child_check(const char *name, const char *(*run)(const char *folder), const char *folder);

#endif
