/* cache_directory: where the cache is, and whether it is safe to use. */
#ifndef GK_CACHE_DIRECTORY_H
#define GK_CACHE_DIRECTORY_H

#include <limits.h>
#include <sys/types.h>

#include "error.h"

/* The absolute path, without a slash at its end; "" and error->text when there is none. */
void gk_find_directory(const char *option, char path[PATH_MAX], struct gk_error *error);

/* Files are only reached through `fd`, so what was checked is what is used. */
struct gk_folder {
    int fd;
    uid_t owner; /* this user, or root */
};

enum gk_folder_state {
    GK_FOLDER_OPEN,
    GK_FOLDER_MISSING,
    GK_FOLDER_CLOSED, /* could not be opened or made, this time */
    GK_FOLDER_UNSAFE
};

/* Opens the folder of this version inside the directory at `path`. With `makes` the directory, the one above it, and
 * the folder are made when they are missing. Whatever is not OPEN leaves its reason in error->text. */
enum gk_folder_state gk_folder_open(struct gk_folder *folder, const char *path, int makes, struct gk_error *error);

#endif
