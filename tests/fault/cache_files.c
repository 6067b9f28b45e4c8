/* cache_files: files that are damaged, forged, of another kind or of somebody else: each is a miss, and the next entry
 * that is stored takes their place. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jit/bytes.h"
#include "jit/cache_file.h"
#include "jit/hash.h"
#include "support/cached.h"
#include "support/support.h"

enum { SUBJECT = 1, OTHER = 2, SIZE = 60 };

struct scene {
    const char *folder;
    struct gk_cache *cache;
    char file[PATH_MAX];  /* of the subject */
    unsigned char *bytes; /* as they should be */
    size_t n;
};

static void open_scene(struct scene *scene) {
    scene->folder = folder_make();
    scene->cache = cache_at(scene->folder, 0);
    if (!numbered_put(scene->cache, SUBJECT, SIZE)) give_up(gk_cache_trouble(scene->cache));
    strcpy(scene->file, numbered_file(scene->folder, SUBJECT));
    scene->bytes = file_read(scene->file, &scene->n);
}

static void close_scene(struct scene *scene) {
    gk_cache_close(scene->cache);
    free(scene->bytes);
    folder_remove(scene->folder);
}

static int is_there(const char *path) {
    struct stat found;
    return lstat(path, &found) == 0;
}

static uint64_t damaged(struct gk_cache *cache) {
    struct gk_cache_stat counts;
    gk_cache_counts(cache, &counts);
    return counts.damaged;
}

/* ---- Damaged: found, counted, removed ---- */

static void check_damaged(struct scene *scene, const unsigned char *bytes, size_t n, const char *name, size_t at) {
    uint64_t before = damaged(scene->cache);
    file_write(scene->file, bytes, n, 0600);
    enum found found = numbered_get(scene->cache, SUBJECT);
    check(found == NONE && damaged(scene->cache) == before + 1 && !is_there(scene->file), "%s %zu: found %d, %s", name,
          at, found, is_there(scene->file) ? "still there" : "removed");
}

static void check_contents(void) {
    struct scene scene;
    open_scene(&scene);
    unsigned char *copy = malloc(scene.n + 1000);
    memset(copy, 0, scene.n + 1000);
    memcpy(copy, scene.bytes, scene.n);
    for (size_t n = 0; n < scene.n; n++)
        check_damaged(&scene, scene.bytes, n, "cut at", n);
    for (size_t bit = 0; bit < scene.n * 8; bit++) {
        copy[bit / 8] ^= (unsigned char)(1 << bit % 8);
        check_damaged(&scene, copy, scene.n, "flipped bit", bit);
        copy[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    for (size_t more = 1; more <= 1000; more *= 10)
        check_damaged(&scene, copy, scene.n + more, "bytes behind the end:", more);
    memset(copy, 0, scene.n);
    check_damaged(&scene, copy, scene.n, "zeros", scene.n);
    file_write(scene.file, scene.bytes, scene.n, 0600);
    check(numbered_get(scene.cache, SUBJECT) == RIGHT, "the same bytes, intact, are not found");
    free(copy);
    close_scene(&scene);
}

/* Sound by its checksum, and of a version that this program does not know. */
static void check_foreign_schema(void) {
    struct scene scene;
    uint64_t number[2];
    open_scene(&scene);
    gk_bytes_put(scene.bytes + 8, 4, GK_ENTRY_SCHEMA + 1);
    gk_hash(number, scene.bytes, scene.n - GK_ENTRY_TAIL);
    gk_bytes_put(scene.bytes + scene.n - GK_ENTRY_TAIL, 8, number[0]);
    gk_bytes_put(scene.bytes + scene.n - GK_ENTRY_TAIL + 8, 8, number[1]);
    check_damaged(&scene, scene.bytes, scene.n, "schema", GK_ENTRY_SCHEMA + 1);
    close_scene(&scene);
}

/* A reader may not remove, and nobody removes what was replaced meanwhile. */
static void check_removal(void) {
    struct scene scene;
    struct gk_image image;
    struct gk_folder folder = {.owner = geteuid()};
    struct gk_cache *reader;
    open_scene(&scene);
    const struct gk_cache_options options = {.directory = scene.folder, .reads_only = 1};
    gk_cache_open(&reader, &options);
    file_write(scene.file, scene.bytes, scene.n - 1, 0600);
    check(numbered_get(reader, SUBJECT) == NONE && is_there(scene.file), "one that only reads has removed a file");
    gk_cache_close(reader);
    folder.fd = open(path_of("%s/" GK_ENTRY_FOLDER, scene.folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const char *name = strrchr(scene.file, '/') + 1;
    if (!gk_image_read(&image, &folder, name)) give_up(scene.file);
    struct gk_image others[] = {image, image, image, image};
    others[0].was.st_ino++;
    others[1].was.st_size++;
    others[2].was.st_mtim.tv_sec++;
    others[3].was.st_mtim.tv_nsec++;
    for (int i = 0; i < 4; i++) {
        gk_image_remove(&others[i], &folder, name);
        check(is_there(scene.file), "a file that is another one than was read (%d) was removed", i);
    }
    gk_image_remove(&image, &folder, name);
    check(!is_there(scene.file), "a file that did not change was not removed");
    free(image.bytes);
    close(folder.fd);
    close_scene(&scene);
}

/* ---- Not to be trusted: a miss, left alone until something is stored or pruned ---- */

static void take_entry_of_another_key(struct scene *scene) {
    size_t n;
    unsigned char *bytes = numbered_bytes(OTHER, SIZE, &n);
    file_write(scene->file, bytes, n, 0600);
    free(bytes);
}

static void make_group_writable(struct scene *scene) {
    if (chmod(scene->file, 0660) != 0) give_up(scene->file);
}

static void make_world_writable(struct scene *scene) {
    if (chmod(scene->file, 0602) != 0) give_up(scene->file);
}

static void give_away(struct scene *scene) {
    if (chown(scene->file, 65534, (gid_t)-1) != 0) give_up(scene->file);
}

static const char *sound_copy(struct scene *scene) {
    const char *copy = path_of("%s/copy", scene->folder);
    file_write(copy, scene->bytes, scene->n, 0600);
    unlink(scene->file);
    return copy;
}

static void replace_by_link(struct scene *scene) {
    if (symlink(sound_copy(scene), scene->file) != 0) give_up(scene->file);
}

static void replace_by_dangling_link(struct scene *scene) {
    unlink(scene->file);
    if (symlink("nowhere", scene->file) != 0) give_up(scene->file);
}

static void replace_by_pipe(struct scene *scene) {
    unlink(scene->file);
    if (mkfifo(scene->file, 0600) != 0) give_up(scene->file);
}

static void make_huge(struct scene *scene) {
    if (truncate(scene->file, (off_t)GK_ENTRY_LARGEST + 1) != 0) give_up(scene->file);
}

static int tell_fault(void *user, const struct gk_cache_entry *entry) {
    *(const char **)user = entry->fault ? entry->fault : "nothing";
    return 0;
}

static const struct forgery {
    const char *name, *fault;
    void (*make)(struct scene *scene);
    int needs_root;
} forgeries[] = {
    {"an entry of another key", "has the name of another key", take_entry_of_another_key, 0},
    {"a file that the group may write to", "may be written to by others", make_group_writable, 0},
    {"a file that all may write to", "may be written to by others", make_world_writable, 0},
    {"a file of another user", "belongs to another user", give_away, 1},
    {"a link to a sound entry", "is a symbolic link", replace_by_link, 0},
    {"a link to nothing", "is a symbolic link", replace_by_dangling_link, 0},
    {"a pipe", "is not a regular file", replace_by_pipe, 0},
    {"a huge file", "is too large", make_huge, 0},
};

static void check_forgery(const struct forgery *forgery) {
    struct scene scene;
    const char *fault = "not seen";
    open_scene(&scene);
    forgery->make(&scene);
    check(numbered_get(scene.cache, SUBJECT) == NONE, "%s was taken", forgery->name);
    check(is_there(scene.file), "%s was removed", forgery->name);
    gk_cache_walk(scene.cache, tell_fault, &fault);
    check(strcmp(fault, forgery->fault) == 0, "%s: %s", forgery->name, fault);
    check(numbered_put(scene.cache, SUBJECT, SIZE) && numbered_get(scene.cache, SUBJECT) == RIGHT,
          "%s: nothing can be stored in its place", forgery->name);
    forgery->make(&scene);
    check(gk_cache_prune(scene.cache, UINT64_MAX) == 1 && !is_there(scene.file), "%s was not pruned", forgery->name);
    check(drafts_count(scene.folder) == 0, "%s: a draft is left", forgery->name);
    close_scene(&scene);
}

/* It can not be replaced by a file; all else works. */
static void check_directory_in_place(void) {
    struct scene scene;
    open_scene(&scene);
    unlink(scene.file);
    if (mkdir(scene.file, 0700) != 0) give_up(scene.file);
    check(numbered_get(scene.cache, SUBJECT) == NONE, "a directory in place of a file was read");
    check(!numbered_put(scene.cache, SUBJECT, SIZE), "a directory was replaced by a file");
    check(drafts_count(scene.folder) == 0, "a draft is left");
    check(numbered_put(scene.cache, OTHER, SIZE) && numbered_get(scene.cache, OTHER) == RIGHT, "others are not stored");
    check(gk_cache_prune(scene.cache, 0) == 1, "pruning beside a directory");
    close_scene(&scene);
}

/* What a link pointed to is not written to. */
static void check_link_target(void) {
    struct scene scene;
    size_t n;
    open_scene(&scene);
    replace_by_link(&scene);
    numbered_put(scene.cache, SUBJECT, SIZE + 1);
    unsigned char *bytes = file_read(path_of("%s/copy", scene.folder), &n);
    check(n == scene.n && memcmp(bytes, scene.bytes, n) == 0, "storing wrote through a link");
    free(bytes);
    close_scene(&scene);
}

/* Names that are not ours are neither shown, counted, nor removed. */
static void check_strange_names(void) {
    static const char *const names[] = {"README", "0123.kernel", "0123456789ABCDEF0123456789ABCDEF.kernel",
                                        "0123456789abcdef0123456789abcdef.kernels", ".hidden"};
    struct scene scene;
    struct gk_cache_stat stat;
    open_scene(&scene);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        file_write(path_of("%s/" GK_ENTRY_FOLDER "/%s", scene.folder, names[i]), "x", 1, 0644);
    gk_cache_stat(scene.cache, &stat);
    check(stat.entries == 1, "%d entries among strange names", (int)stat.entries);
    check(gk_cache_prune(scene.cache, 0) == 1 && gk_cache_clear(scene.cache) == 0, "strange names were removed");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check(is_there(path_of("%s/" GK_ENTRY_FOLDER "/%s", scene.folder, names[i])), "%s is gone", names[i]);
    close_scene(&scene);
}

int main(void) {
    check_contents();
    check_foreign_schema();
    check_removal();
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++)
        if (forgeries[i].needs_root && geteuid() != 0)
            printf("%s: SKIP: only root can give a file away\n", forgeries[i].name);
        else
            check_forgery(&forgeries[i]);
    check_directory_in_place();
    check_link_target();
    check_strange_names();
    return finish();
}
