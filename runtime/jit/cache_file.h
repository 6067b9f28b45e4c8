/* cache_file: files that appear whole or not at all, and files read with care. */
#ifndef GK_CACHE_FILE_H
#define GK_CACHE_FILE_H

#include <stddef.h>
#include <sys/stat.h>

#include "jit/cache_directory.h"

enum { GK_FILE_NAME = 64 };
#define GK_DRAFT_PREFIX ".draft-"

/* Seconds within which nothing is done again to a file. */
enum { GK_FRESH = 3600 };
/* Whether the file was written or used within them; what is further in the future is not fresh either. */
int gk_is_fresh(const struct stat *stat);

/* A file that is being written. It has a name that nobody looks for until it is published. */
struct gk_draft {
    int directory, fd, error; /* error: the first errno, after which nothing is written */
    char name[GK_FILE_NAME];
};
void gk_draft_open(struct gk_draft *draft, int directory, mode_t mode);
void gk_draft_write(struct gk_draft *draft, const void *bytes, size_t n);
/* Renames it to `name`, or removes it when there was an error or `name` is NULL. Returns the error. */
int gk_draft_close(struct gk_draft *draft, const char *name);

/* 0 or errno. The signal that passing RLIMIT_FSIZE raises does not reach the program. */
int gk_write_bytes(int fd, const void *bytes, size_t n);

struct gk_image {
    unsigned char *bytes; /* the caller frees them */
    size_t size;
    struct stat was;
    const char *fault; /* when nothing was read: "is a symbolic link", or NULL: there is none, or not now */
};

/* Reads a regular file of the folder's owner, or this user's, that nobody else may write to. Whether it did. */
int gk_image_read(struct gk_image *image, const struct gk_folder *folder, const char *name);

/* Removes the file if it is still the one that was read. */
void gk_image_remove(const struct gk_image *image, const struct gk_folder *folder, const char *name);

#endif
