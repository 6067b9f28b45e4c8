/* replay: runs a target on the files that are given, and on all files of the folders that are given. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "parsers/target.h"

static size_t passed, failed;

static void count(int ok, const char *path) {
    if (!ok) {
        fprintf(stderr, "failed: %s\n", path);
    }
    passed += ok != 0;
    failed += ok == 0;
}

static void run_file(const char *path) {
    static char bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    size_t size = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0, before = expect_failures();
    int is_read = file != NULL && ferror(file) == 0 && size < sizeof bytes;
    if (file != NULL) {
        fclose(file);
    }
    if (is_read) {
        char *copy = copy_bytes(bytes, size);
        target_run(copy, size);
        free(copy);
    }
    count(is_read && expect_failures() == before, path);
}

static void run(const char *path) {
    struct dirent **entries;
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        run_file(path);
        return;
    }
    int n = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char inside[4096];
        int length = snprintf(inside, sizeof inside, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.') {
            length < (int)sizeof inside ? run_file(inside) : count(0, path);
        }
        free(entries[i]);
    }
    if (n >= 0) {
        free(entries);
    }
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        run(argv[i]);
    }
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed > 0 || passed == 0;
}
