/* emit: what was rendered -> the output folder, or the differences between the two. */
#ifndef GK_GEN_EMIT_H
#define GK_GEN_EMIT_H

#include "gen/text.h"

/* Writes the files whose bytes differ, and removes files of the folder that carry the banner and are not made any more.
 * Returns 0, or complains and returns -1. */
int gk_emit(const struct gk_texts *files, const char *folder);

/* Prints on stderr what differs, a line of each difference at least, then `fix`. Returns 0 if nothing does. */
int gk_emit_check(const struct gk_texts *files, const char *folder, const char *fix);

#endif
