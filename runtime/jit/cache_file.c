/* cache_file: see cache_file.h. */
#include "jit/cache_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "jit/cache_entry.h"

int gk_is_fresh(const struct stat *stat) {
    time_t now = time(NULL), then = stat->st_mtim.tv_sec;
    return then > now - GK_FRESH && then < now + GK_FRESH;
}

/* ---- Writing ---- */

static int write_all(int fd, const unsigned char *bytes, size_t n) {
    while (n > 0) {
        ssize_t written = write(fd, bytes, n);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written < 0 ? errno : ENOSPC;
        bytes += written;
        n -= (size_t)written;
    }
    return 0;
}

/* SIGXFSZ would end the program. It is raised for this thread alone, so it can be blocked and taken back here; unless
 * one was waiting before, which is the program's. */
int gk_write_bytes(int fd, const void *bytes, size_t n) {
    sigset_t signals, before, waiting;
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    sigemptyset(&waiting);
    sigpending(&waiting);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    int error = write_all(fd, bytes, n);
    const struct timespec no_time = {0, 0};
    if (error == EFBIG && !sigismember(&waiting, SIGXFSZ)) sigtimedwait(&signals, NULL, &no_time);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

/* The process number is not enough: other machines and containers may use the directory. */
static void name_draft(char name[GK_FILE_NAME]) {
    static atomic_uint counter;
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != (ssize_t)sizeof random) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        random = (uint64_t)now.tv_nsec;
    }
    snprintf(name, GK_FILE_NAME, GK_DRAFT_PREFIX "%ld-%u-%016" PRIx64, (long)getpid(), atomic_fetch_add(&counter, 1),
             random);
}

void gk_draft_open(struct gk_draft *draft, int directory, mode_t mode) {
    draft->directory = directory;
    name_draft(draft->name);
    draft->fd = openat(directory, draft->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    draft->error = draft->fd < 0 ? errno : 0;
}

void gk_draft_write(struct gk_draft *draft, const void *bytes, size_t n) {
    if (!draft->error) draft->error = gk_write_bytes(draft->fd, bytes, n);
}

/* There is no fsync: after a crash of the machine the file may be empty or hold anything, and the checksum finds that.
 * It costs a compilation then, and no waiting for the disk ever. Some file systems tell only in close that they are
 * full. */
int gk_draft_close(struct gk_draft *draft, const char *name) {
    if (draft->fd < 0) return draft->error;
    if (close(draft->fd) != 0 && !draft->error) draft->error = errno;
    if (name && !draft->error && renameat(draft->directory, draft->name, draft->directory, name) != 0)
        draft->error = errno;
    if (!name || draft->error) unlinkat(draft->directory, draft->name, 0);
    return draft->error;
}

/* ---- Reading ---- */

static const char not_regular[] = "is not a regular file";

static const char *find_fault(const struct stat *stat, const struct gk_folder *folder) {
    if (!S_ISREG(stat->st_mode)) return not_regular;
    if (stat->st_uid != geteuid() && stat->st_uid != folder->owner) return "belongs to another user";
    if (stat->st_mode & (S_IWGRP | S_IWOTH)) return "may be written to by others";
    return stat->st_size > GK_ENTRY_LARGEST ? "is too large" : NULL;
}

/* Fewer bytes than there were when the file was measured are no error: the checksum judges. */
static int read_all(int fd, struct gk_image *image) {
    size_t wanted = (size_t)image->was.st_size;
    image->bytes = malloc(wanted + 1);
    image->size = 0;
    while (image->bytes && image->size < wanted) {
        ssize_t n = read(fd, image->bytes + image->size, wanted - image->size);
        if (n == 0) break;
        if (n < 0 && errno != EINTR) {
            free(image->bytes);
            image->bytes = NULL;
        }
        if (n > 0) image->size += (size_t)n;
    }
    return image->bytes != NULL;
}

/* Never mapped: somebody who cuts the file would end the program. O_NONBLOCK: a pipe of that name does not hold us up.
 */
int gk_image_read(struct gk_image *image, const struct gk_folder *folder, const char *name) {
    int fd = openat(folder->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    image->fault = fd < 0 && errno == ELOOP ? "is a symbolic link" : fd < 0 && errno == ENXIO ? not_regular : NULL;
    if (fd < 0) return 0;
    int has_read = 0;
    if (fstat(fd, &image->was) == 0) {
        image->fault = find_fault(&image->was, folder);
        has_read = !image->fault && read_all(fd, image);
    }
    close(fd);
    return has_read;
}

void gk_image_remove(const struct gk_image *image, const struct gk_folder *folder, const char *name) {
    struct stat now;
    if (fstatat(folder->fd, name, &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_ino == image->was.st_ino &&
        now.st_size == image->was.st_size && now.st_mtim.tv_sec == image->was.st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == image->was.st_mtim.tv_nsec)
        unlinkat(folder->fd, name, 0);
}
