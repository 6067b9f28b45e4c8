/* outputs: the files that a run of the generator makes, as texts named by their paths below the output folder. */
#ifndef GK_GEN_OUTPUTS_H
#define GK_GEN_OUTPUTS_H

#include <stdio.h>

#include "gen/spec.h"
#include "gen/strategy.h"
#include "gen/text.h"

struct gk_set {
    const char *name; /* begins every symbol */
    const struct gk_specs *specs;
    const struct gk_strategies *strategies;
};

/* cuda/<name>.cu, with what is in abi of the folder `headers` in place of includes. Adds the paths of all files that it
 * reads to `sources`. Returns 0, or complains and returns -1. */
int gk_write_cuda(const char *templates, const char *headers, struct gk_texts *files, struct gk_texts *sources);
/* cpu/<isa>/<strategy>.c, cpu/kernels.h, call_time/<knobs>.c and sources.cmake, which also lists what is in cuda */
void gk_write_kernels(const struct gk_set *set, struct gk_texts *files);
/* table.c and table.h */
void gk_write_table(const struct gk_set *set, struct gk_texts *files);
void gk_write_table_operations(const struct gk_specs *specs, struct gk_text *text);
void gk_write_table_kernels(const struct gk_set *set, struct gk_text *text);
/* <set>/operations.h: typed functions */
void gk_write_operations(const struct gk_set *set, struct gk_texts *files);
/* manifest.txt: combinations that differ in nothing but types of the same bodies share a line */
void gk_write_manifest(const struct gk_set *set, struct gk_texts *files);
/* One line for each combination. */
void gk_list_manifest(const struct gk_specs *specs, FILE *stream);

extern const char gk_banner_mark[]; /* in the first line of every file */
/* The first line: `open` and `close` are the marks of a comment. */
void gk_write_banner(struct gk_text *text, const char *open, const char *close, const char *sources);
/* The banner of files that are made from all specs. */
void gk_write_specs_banner(struct gk_text *text, const char *open, const char *close, const struct gk_specs *specs);
/* "GASKET_TABLE_H" of a set's name and "table". */
void gk_write_guard(struct gk_text *text, const struct gk_set *set, const char *file);
/* The condition under which the kernels of the instruction set are there: a machine that can have them, and a build
 * that does not leave them out; NULL: always. */
const char *gk_isa_condition(enum gasket_isa isa);

#endif
