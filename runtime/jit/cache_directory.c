/* cache_directory: see cache_directory.h. */
#include "jit/cache_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "environment.h"
#include "jit/cache_entry.h"

/* ---- Where it is ---- */

/* 0 when it does not fit; then path is "". */
static int join(char path[PATH_MAX], const char *head, const char *tail) {
    size_t h = strlen(head), t = strlen(tail);
    while (h > 0 && head[h - 1] == '/')
        h--;
    int fits = h + 1 + t < PATH_MAX;
    path[0] = '\0';
    if (fits) snprintf(path, PATH_MAX, "%.*s%s%s", (int)h, head, *tail || h == 0 ? "/" : "", tail);
    return fits;
}

static void locate_named(const char *name, char path[PATH_MAX], struct gk_error *error) {
    char here[PATH_MAX], whole[PATH_MAX];
    int known = name[0] == '/' || getcwd(here, sizeof here) != NULL;
    if (!known || !(name[0] == '/' ? join(whole, name, "") : join(whole, here, name)) || !join(path, whole, "")) {
        path[0] = '\0';
        gk_fail(error, GASKET_UNAVAILABLE, "directory '%.200s' has no absolute path, or a too long one", name);
    }
}

/* What the platform says: relative paths in these variables are not valid. */
static int locate_usual(char path[PATH_MAX]) {
    static const struct {
        const char *variable, *tail;
    } places[] = {{"XDG_CACHE_HOME", "gasket"}, {"HOME", ".cache/gasket"}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *home = gk_environment(places[i].variable);
        if (home && home[0] == '/') return join(path, home, places[i].tail);
    }
    struct passwd user, *found = NULL;
    char memory[4096];
    int is_known = getpwuid_r(getuid(), &user, memory, sizeof memory, &found) == 0 && found && user.pw_dir[0] == '/';
    return is_known && join(path, user.pw_dir, ".cache/gasket");
}

void gk_find_directory(const char *option, char path[PATH_MAX], struct gk_error *error) {
    const char *name = option ? option : gk_environment("GASKET_CACHE_DIR");
    path[0] = '\0';
    if (!option && gk_has_borrowed_rights())
        gk_fail(error, GASKET_UNAVAILABLE, "the program runs with rights of somebody else, and names no directory");
    else if (name && !*name)
        gk_fail(error, GASKET_UNAVAILABLE, "turned off: %s is empty", option ? "the directory" : "GASKET_CACHE_DIR");
    else if (name)
        locate_named(name, path, error);
    else if (!locate_usual(path))
        gk_fail(error, GASKET_UNAVAILABLE, "neither GASKET_CACHE_DIR, XDG_CACHE_HOME nor HOME names a directory");
}

/* ---- Whether it is safe ---- */

static enum gk_folder_state fail(struct gk_error *error, enum gk_folder_state state, const char *path,
                                 const char *why) {
    gk_fail(error, GASKET_UNAVAILABLE, "%s: %s", path, why);
    return state;
}

/* Somebody who can write to it could put code there that we would run. */
static enum gk_folder_state check(struct gk_folder *folder, const char *path, struct gk_error *error) {
    struct stat stat;
    if (fstat(folder->fd, &stat) != 0) return fail(error, GK_FOLDER_CLOSED, path, strerror(errno));
    folder->owner = stat.st_uid;
    if (stat.st_uid != geteuid() && stat.st_uid != 0) {
        gk_fail(error, GASKET_UNAVAILABLE, "%s: belongs to user %u, not to %u", path, stat.st_uid, geteuid());
        return GK_FOLDER_UNSAFE;
    }
    if (stat.st_mode & (S_IWGRP | S_IWOTH)) {
        gk_fail(error, GASKET_UNAVAILABLE, "%s: others may write to it (mode %04o)", path, stat.st_mode & 07777);
        return GK_FOLDER_UNSAFE;
    }
    return GK_FOLDER_OPEN;
}

/* Opens `name` in `at`; `path` is for the text. */
static enum gk_folder_state enter(struct gk_folder *folder, int at, const char *name, const char *path,
                                  struct gk_error *error) {
    folder->fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder->fd < 0) {
        if (errno == ENOTDIR || errno == ELOOP)
            return fail(error, GK_FOLDER_UNSAFE, path, "is not a directory itself (links are not followed)");
        return fail(error, errno == ENOENT ? GK_FOLDER_MISSING : GK_FOLDER_CLOSED, path, strerror(errno));
    }
    enum gk_folder_state state = check(folder, path, error);
    if (state != GK_FOLDER_OPEN) close(folder->fd);
    return state;
}

/* Makes what is missing of the last two parts: enough for .cache/gasket, and never somebody's home. */
static void make_directories(const char *path) {
    char above[PATH_MAX];
    snprintf(above, sizeof above, "%s", path);
    char *slash = strrchr(above, '/');
    if (slash && slash != above) {
        *slash = '\0';
        mkdir(above, 0700);
    }
    mkdir(path, 0700);
}

enum gk_folder_state gk_folder_open(struct gk_folder *folder, const char *path, int makes, struct gk_error *error) {
    struct gk_folder base;
    enum gk_folder_state state = enter(&base, AT_FDCWD, path, path, error);
    if (state == GK_FOLDER_MISSING && makes) {
        make_directories(path);
        state = enter(&base, AT_FDCWD, path, path, error);
    }
    if (state != GK_FOLDER_OPEN) return state;
    state = enter(folder, base.fd, GK_ENTRY_FOLDER, path, error);
    if (state == GK_FOLDER_MISSING && makes) {
        if (mkdirat(base.fd, GK_ENTRY_FOLDER, 0700) != 0 && errno != EEXIST)
            state = fail(error, GK_FOLDER_CLOSED, path, strerror(errno));
        else
            state = enter(folder, base.fd, GK_ENTRY_FOLDER, path, error);
    }
    close(base.fd);
    return state;
}
