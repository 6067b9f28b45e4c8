/* corpus: lines that failed once. A file holds one line, or several; lines that begin with # are left out. */
#ifndef FUZZ_CORPUS_H
#define FUZZ_CORPUS_H

#include "workers.h"

/* Runs a line, in all variants when it names none or `all` is set. Returns 0 when all are equal, 1 with what is wrong
 * in `text`, 2 when it can not be read. */
int fuzz_replay(struct fuzz_campaign *campaign, const char *line, int all, char *text, size_t size);

/* Replays every line of the folder; returns how many failed, each with a message, or -1 when it can not be read. */
int fuzz_corpus_replay(struct fuzz_campaign *campaign, const char *folder);
/* Keeps the laid out call as a file of its own. */
void fuzz_corpus_keep(const struct fuzz_campaign *campaign, const char *folder, const struct fuzz_failure *failure);

#endif
