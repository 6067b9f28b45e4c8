/* environment: see environment.h. */
#include "environment.h"

#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

int gk_has_borrowed_rights(void) {
    return getauxval(AT_SECURE) != 0 || getuid() != geteuid() || getgid() != getegid();
}

const char *gk_environment(const char *name) {
    return gk_has_borrowed_rights() ? NULL : getenv(name);
}
