/* options: the command line of gasket-gen. */
#ifndef GK_GEN_OPTIONS_H
#define GK_GEN_OPTIONS_H

#include <stdint.h>

#include "gen/text.h"

enum gk_mode { GK_MODE_WRITE, GK_MODE_CHECK, GK_MODE_LIST, GK_MODE_HELP };

struct gk_options {
    enum gk_mode mode;
    struct gk_texts specs; /* paths, as the names of empty texts */
    const char *templates, *out, *set, *depfile, *cuda;
    int call_time;
    uint32_t values, indices, isas; /* bits of enum gasket_dtype, gasket_isa */
};

/* Returns 0, or complains and returns -1. */
int gk_options_parse(struct gk_options *options, int argc, char **argv);
void gk_options_free(struct gk_options *options);

extern const char gk_help[];

#endif
