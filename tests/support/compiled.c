/* compiled: a folder for a moment, the compiler, and the object's bytes. */
#include "support/compiled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/support.h"

enum { PATH_SIZE = 1024, COMMAND_SIZE = 4096 };

const char *compiler_missing(void) {
    const char *compiler = getenv("CC");
    if (compiler == NULL || compiler[0] == 0) return "CC names no compiler";
    char command[COMMAND_SIZE];
    snprintf(command, sizeof command, "command -v \"%s\" >/dev/null", compiler);
    return system(command) == 0 ? NULL : "the compiler that CC names is not there";
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) give_up("C text can not be written");
}

static void read_object(struct compiled *object, const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) give_up("the object can not be read");
    object->size = (size_t)ftell(file);
    object->bytes = malloc(object->size + 1);
    rewind(file);
    if (object->bytes == NULL || fread(object->bytes, 1, object->size, file) != object->size)
        give_up("the object can not be read");
    fclose(file);
}

void compile(struct compiled *object, const char *text, const char *flags) {
    const char *parent = getenv("TEST_DIR");
    char folder[PATH_SIZE], source[PATH_SIZE + 16], result[PATH_SIZE + 16], command[COMMAND_SIZE];
    snprintf(folder, sizeof folder, "%s/compiled-XXXXXX", parent ? parent : ".");
    if (mkdtemp(folder) == NULL) give_up("no folder for objects can be made");
    snprintf(source, sizeof source, "%s/text.c", folder);
    snprintf(result, sizeof result, "%s/text.o", folder);
    write_text(source, text);
    snprintf(command, sizeof command,
             "\"$CC\" -std=gnu11 -w -U_FORTIFY_SOURCE -fno-stack-protector -I. %s -c -o '%s' '%s'", flags, result,
             source);
    if (system(command) != 0) give_up(command);
    read_object(object, result);
    unlink(source);
    unlink(result);
    rmdir(folder);
}

void compiled_free(struct compiled *object) {
    free(object->bytes);
    object->bytes = NULL;
}
