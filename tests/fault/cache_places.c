/* cache_places: where the cache is, and directories that may not be used, can not be written, or are not there. */
#define _GNU_SOURCE /* setresuid */
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/cached.h"
#include "support/support.h"

enum { NOBODY = 65534, SIZE = 100 };

/* ---- Where it is ---- */

static struct gk_cache *usual_cache(void) {
    const struct gk_cache_options options = {.directory = NULL};
    struct gk_cache *cache;
    gk_cache_open(&cache, &options);
    return cache;
}

/* "VARIABLE=value" each; the three that matter are unset before. */
static void check_place(const char *expected, const char *first, const char *second, const char *third) {
    static const char *const variables[] = {"GASKET_CACHE_DIR", "XDG_CACHE_HOME", "HOME"};
    const char *const settings[] = {first, second, third};
    for (int i = 0; i < 3; i++)
        unsetenv(variables[i]);
    for (int i = 0; i < 3; i++) {
        char name[40];
        const char *value = settings[i] ? strchr(settings[i], '=') : NULL;
        if (!value) continue;
        snprintf(name, sizeof name, "%.*s", (int)(value - settings[i]), settings[i]);
        setenv(name, value + 1, 1);
    }
    struct gk_cache *cache = usual_cache();
    check(strcmp(gk_cache_directory(cache), expected) == 0, "%s %s %s: '%s', not '%s'", first ? first : "",
          second ? second : "", third ? third : "", gk_cache_directory(cache), expected);
    check(*expected || *gk_cache_trouble(cache), "%s: no reason is given", first ? first : "");
    gk_cache_close(cache);
}

static const char *check_locations(const char *folder) {
    char here[PATH_MAX];
    if (chdir(folder) != 0 || !getcwd(here, sizeof here)) return "no working directory";
    const struct passwd *user = getpwuid(getuid());
    int has_home = user && user->pw_dir[0] == '/';
    const char *home = has_home ? strcmp(user->pw_dir, "/") == 0 ? "" : user->pw_dir : NULL;
    check_place("/a/b", "GASKET_CACHE_DIR=/a/b", "XDG_CACHE_HOME=/x", "HOME=/h");
    check_place("/a/b", "GASKET_CACHE_DIR=/a/b//", NULL, NULL);
    check_place(path_of("%s/rel", here), "GASKET_CACHE_DIR=rel", "XDG_CACHE_HOME=/x", "HOME=/h");
    check_place("", "GASKET_CACHE_DIR=", "XDG_CACHE_HOME=/x", "HOME=/h");
    check_place("/x/gasket", NULL, "XDG_CACHE_HOME=/x/", "HOME=/h");
    check_place("/h/.cache/gasket", NULL, "XDG_CACHE_HOME=rel", "HOME=/h");
    check_place("/h/.cache/gasket", NULL, "XDG_CACHE_HOME=", "HOME=/h");
    check_place("/h/.cache/gasket", NULL, NULL, "HOME=/h");
    check_place("/.cache/gasket", NULL, NULL, "HOME=/");
    const char *last = home ? path_of("%s/.cache/gasket", home) : "";
    check_place(last, NULL, NULL, NULL);
    check_place(last, NULL, "XDG_CACHE_HOME=rel", "HOME=rel");
    char long_path[2 * PATH_MAX];
    memset(long_path, 'x', sizeof long_path - 1);
    long_path[sizeof long_path - 1] = '\0';
    memcpy(long_path, "GASKET_CACHE_DIR=/", 18);
    check_place("", long_path, "XDG_CACHE_HOME=/x", "HOME=/h");
    memcpy(long_path, "HOME=/xxxxxxxxxxxx", 18);
    check_place("", NULL, NULL, long_path);
    return NULL;
}

static const char *limits(const char *folder) {
    static const struct {
        const char *text;
        uint64_t limit;
        int is_off;
    } cases[] = {{"123456", 123456, 0}, {"", (uint64_t)256 << 20, 0},   {"0", 0, 0},  {"-1", 0, 1}, {"1k", 0, 1},
                 {" 5", 0, 1},          {"99999999999999999999", 0, 1}, {"+5", 0, 1}, {"x", 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("GASKET_CACHE_BYTES", cases[i].text, 1);
        struct gk_cache *cache = cache_at(folder, 0);
        struct gk_cache_stat counts;
        gk_cache_counts(cache, &counts);
        int is_off = strstr(gk_cache_trouble(cache), "is not a number of bytes") != NULL;
        if (is_off != cases[i].is_off || (!is_off && counts.limit != cases[i].limit)) return cases[i].text;
        if (numbered_put(cache, 1, SIZE) != (!is_off && counts.limit > 0)) return cases[i].text;
        gk_cache_close(cache);
    }
    struct gk_cache *cache = cache_at(folder, 77777);
    struct gk_cache_stat counts;
    gk_cache_counts(cache, &counts);
    gk_cache_close(cache);
    return counts.limit == 77777 ? NULL : "the environment wins over the option";
}

/* A relative directory stays where it was when the working directory changes. */
static const char *change_directory(const char *folder) {
    if (chdir(folder) != 0) return "chdir";
    struct gk_cache *cache = cache_at("relative", 0);
    if (chdir("/") != 0 || !numbered_put(cache, 1, SIZE)) return "nothing was stored";
    gk_cache_close(cache);
    cache = cache_at(path_of("%s/relative", folder), 0);
    const char *wrong = numbered_get(cache, 1) == RIGHT ? NULL : "it was stored somewhere else";
    gk_cache_close(cache);
    return wrong;
}

static const char *borrow_rights(const char *folder) {
    if (geteuid() != 0) return "SKIP: only root can have two user numbers";
    setenv("GASKET_CACHE_DIR", folder, 1);
    setenv("GASKET_CACHE_BYTES", "5", 1);
    if (setresuid(NOBODY, 0, 0) != 0) return "setresuid";
    struct gk_cache *cache = usual_cache(), *named = cache_at(folder, 0);
    if (*gk_cache_directory(cache) || !strstr(gk_cache_trouble(cache), "rights of somebody else"))
        return "the environment was trusted";
    if (numbered_put(cache, 1, SIZE)) return "something was stored";
    if (!numbered_put(named, 1, SIZE)) return "the directory that the program names is not used";
    gk_cache_close(cache);
    gk_cache_close(named);
    return NULL;
}

/* ---- Not safe: off, and the reason said ---- */

static void group_writes(const char *base) {
    if (chmod(base, 0770) != 0) give_up(base);
}
static void all_write(const char *base) {
    if (chmod(base, 01777) != 0) give_up(base);
}
static void group_writes_inside(const char *base) {
    group_writes(path_of("%s/" GK_ENTRY_FOLDER, base));
}
static void become_link(const char *base) {
    const char *moved = path_of("%s-moved", base);
    if (rename(base, moved) != 0 || symlink(moved, base) != 0) give_up(base);
}
static void become_link_inside(const char *base) {
    become_link(path_of("%s/" GK_ENTRY_FOLDER, base));
}
static void become_file(const char *base) {
    if (rename(base, path_of("%s-moved", base)) != 0) give_up(base);
    file_write(base, "x", 1, 0600);
}
static void become_nobodys(const char *base) {
    if (chown(base, NOBODY, (gid_t)-1) != 0) give_up(base);
}
static void become_nobodys_inside(const char *base) {
    become_nobodys(path_of("%s/" GK_ENTRY_FOLDER, base));
}

static const struct spoiling {
    const char *name, *trouble, *suffix;
    void (*spoil)(const char *base);
    int needs_root;
} spoilings[] = {
    {"a directory that the group may write to", "others may write to it (mode 0770)", "", group_writes, 0},
    {"a directory that all may write to", "others may write to it (mode 1777)", "", all_write, 0},
    {"an inner directory that the group may write to", "others may write", "", group_writes_inside, 0},
    {"a link to a directory", "is not a directory itself", "", become_link, 0},
    {"a link to a directory, and a slash", "is not a directory itself", "/", become_link, 0},
    {"an inner link to a directory", "is not a directory itself", "", become_link_inside, 0},
    {"a file", "is not a directory itself", "", become_file, 0},
    {"a directory of another user", "belongs to user 65534, not to 0", "", become_nobodys, 1},
    {"an inner directory of another user", "belongs to user 65534", "", become_nobodys_inside, 1},
};

static int next_descriptor(void) {
    int descriptor = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    close(descriptor);
    return descriptor;
}

static void check_spoiled(const struct spoiling *spoiling) {
    const char *folder = folder_make(), *base = path_of("%s/base", folder);
    char directory[PATH_MAX];
    snprintf(directory, sizeof directory, "%s/base%s", folder, spoiling->suffix);
    struct gk_cache *early = cache_at(directory, 0);
    if (!numbered_put(early, 1, SIZE)) give_up(gk_cache_trouble(early));
    spoiling->spoil(base);
    int descriptor = next_descriptor();
    struct gk_cache *caches[] = {early, cache_at(directory, 0)};
    for (int i = 0; i < 2; i++) {
        const char *when = i ? "before it was opened" : "after it was opened";
        check(numbered_get(caches[i], 1) == NONE, "%s, %s: it was read", spoiling->name, when);
        check(*gk_cache_trouble(caches[i]), "%s, %s: no reason is given", spoiling->name, when);
        check(!numbered_put(caches[i], 2, SIZE), "%s, %s: it was written to", spoiling->name, when);
        check(strstr(gk_cache_trouble(caches[i]), spoiling->trouble) != NULL, "%s, %s: '%s'", spoiling->name, when,
              gk_cache_trouble(caches[i]));
        check(strstr(gk_cache_trouble(caches[i]), base) != NULL, "'%s' names no directory",
              gk_cache_trouble(caches[i]));
        gk_cache_close(caches[i]);
    }
    check(next_descriptor() == descriptor, "%s: descriptors were lost", spoiling->name);
    folder_remove(folder);
}

/* ---- Not there, or not writable ---- */

static const char *find_missing(const char *folder) {
    static const struct {
        const char *name;
        int is_made;
    } places[] = {{"missing", 1}, {"parent/missing", 1}, {"grand/parent/missing", 0}};
    for (int i = 0; i < 3; i++) {
        struct gk_cache *cache = cache_at(path_of("%s/%s", folder, places[i].name), 0);
        if (*gk_cache_trouble(cache)) return gk_cache_trouble(cache);
        if (numbered_get(cache, 1) != NONE) return "found something";
        if (numbered_put(cache, 1, SIZE) != places[i].is_made) return places[i].name;
        if ((*gk_cache_trouble(cache) == '\0') != places[i].is_made) return "no reason is given";
        if ((numbered_get(cache, 1) == RIGHT) != places[i].is_made) return places[i].name;
        gk_cache_close(cache);
    }
    return NULL;
}

static const char *lose_directory(const char *folder) {
    const char *base = path_of("%s/base", folder);
    struct gk_cache *cache = cache_at(base, 0);
    if (!numbered_put(cache, 1, SIZE)) return "nothing was stored";
    folder_remove(base);
    if (numbered_get(cache, 1) != NONE) return "found something";
    if (!numbered_put(cache, 1, SIZE) || numbered_get(cache, 1) != RIGHT) return "it was not made anew";
    gk_cache_close(cache);
    return NULL;
}

/* As a user whom permissions bind; his directory is not writable, his files are. */
static const char *read_own(const char *folder) {
    if (geteuid() == 0 && (chown(folder, NOBODY, (gid_t)-1) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0))
        return "SKIP: root can not become another user";
    if (access(folder, W_OK) != 0) return "SKIP: another user can not reach the folder of the tests";
    struct gk_cache *cache = cache_at(folder, 0);
    if (!numbered_put(cache, 1, SIZE)) return gk_cache_trouble(cache);
    gk_cache_close(cache);
    if (chmod(path_of("%s/" GK_ENTRY_FOLDER, folder), 0500) != 0 || chmod(folder, 0500) != 0) return "chmod";
    cache = cache_at(folder, 0);
    if (!strstr(gk_cache_trouble(cache), "nothing can be written")) return "no reason is given";
    if (numbered_get(cache, 1) != RIGHT) return "it was not read";
    if (numbered_put(cache, 2, SIZE) || gk_cache_prune(cache, 0) != 0) return "it was written to";
    if (numbered_get(cache, 1) != RIGHT) return "it was not read again";
    if (chmod(folder, 0700) != 0 || chmod(path_of("%s/" GK_ENTRY_FOLDER, folder), 0700) != 0) return "chmod";
    gk_cache_close(cache);
    return NULL;
}

/* A cache that root has put there for all: others read it. */
static const char *read_roots(const char *folder) {
    if (geteuid() != 0) return "SKIP: only root can make files of root";
    struct gk_cache *cache = cache_at(folder, 0);
    if (!numbered_put(cache, 1, SIZE) || !numbered_put(cache, 2, SIZE) || !numbered_put(cache, 3, SIZE)) return "put";
    gk_cache_close(cache);
    for (int i = 1; i < 4; i++)
        if (chmod(numbered_file(folder, i), 0644) != 0) return "chmod";
    if (chown(numbered_file(folder, 2), 1, (gid_t)-1) != 0 || chmod(numbered_file(folder, 3), 0600) != 0)
        return "chown";
    if (chmod(folder, 0755) != 0 || chmod(path_of("%s/" GK_ENTRY_FOLDER, folder), 0755) != 0) return "chmod";
    if (setresuid(NOBODY, NOBODY, NOBODY) != 0) return "SKIP: root can not become another user";
    if (access(folder, R_OK) != 0) return "SKIP: another user can not reach the folder of the tests";
    cache = cache_at(folder, 0);
    if (numbered_get(cache, 1) != RIGHT) return "an entry of root was not read";
    if (numbered_get(cache, 2) != NONE) return "an entry of a third user was read";
    if (numbered_get(cache, 3) != NONE) return "an entry that only root may read was read";
    if (numbered_put(cache, 4, SIZE)) return "it was written to";
    gk_cache_close(cache);
    return NULL;
}

static const char *make_nothing(const char *folder) {
    if (chmod(folder, 0500) != 0) return "chmod";
    if (geteuid() == 0 && (chown(folder, NOBODY, (gid_t)-1) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0))
        return "SKIP: root can not become another user";
    struct gk_cache *cache = cache_at(path_of("%s/parent/missing", folder), 0);
    const char *wrong = numbered_put(cache, 1, SIZE) || !*gk_cache_trouble(cache) ? "no reason is given" : NULL;
    gk_cache_close(cache);
    return chmod(folder, 0700) != 0 ? "chmod" : wrong;
}

static void check_child(const char *name, const char *(*run)(const char *folder)) {
    const char *folder = folder_make();
    child_check(name, run, folder);
    folder_remove(folder);
}

int main(void) {
    const char *folder = folder_make();
    const char *wrong = check_locations(folder);
    check(wrong == NULL, "%s", wrong);
    check_child("GASKET_CACHE_BYTES", limits);
    check_child("a relative directory", change_directory);
    check_child("a program with the rights of another user", borrow_rights);
    for (size_t i = 0; i < sizeof spoilings / sizeof *spoilings; i++)
        if (spoilings[i].needs_root && geteuid() != 0)
            printf("%s: SKIP: only root can give it away\n", spoilings[i].name);
        else
            check_spoiled(&spoilings[i]);
    check_child("missing directories", find_missing);
    check_child("a directory that goes away", lose_directory);
    check_child("a directory of this user that is read-only", read_own);
    check_child("a directory of root", read_roots);
    check_child("a missing directory that can not be made", make_nothing);
    return finish();
}
