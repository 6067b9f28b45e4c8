/* files: whole files and folders, for a program that reads all, then writes all. */
#ifndef GK_GEN_FILES_H
#define GK_GEN_FILES_H

#include "gen/text.h"

/* Prints "gasket-gen: ..." on stderr; always returns -1. */
int gk_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reads at most `limit` bytes, or complains and returns -1. */
int gk_file_read(const char *path, size_t limit, struct gk_text *text);
/* Writes beside, then renames; makes missing folders. Returns 0, or complains and returns -1. */
int gk_file_write(const char *path, const struct gk_text *text);
/* 1 if the file can be read and holds just these bytes. */
int gk_file_equals(const char *path, const struct gk_text *text);

int gk_is_folder(const char *path);
/* Paths of the folder's entries that end so, sorted by name, as the names of empty texts. */
int gk_folder_list(const char *folder, const char *ending, struct gk_texts *paths);
/* All regular files below the folder, relative to it, sorted; none if it does not exist. Follows no
 * links and leaves out names that begin with a dot. */
int gk_folder_walk(const char *folder, struct gk_texts *paths);
/* Removes the empty folders from that of `path` up to, but not including, `top`. */
void gk_folder_prune(const char *top, const char *path);

/* The part after the last '/'. */
const char *gk_base_name(const char *path);

#endif
