/* target: what the programs of tests/parsers share. Each file beside this one that is named after a parser holds its
 * target: a function that takes any bytes and expects of the parser what must hold for all of them. */
#ifndef PARSERS_TARGET_H
#define PARSERS_TARGET_H

#include <stddef.h>

/* The target. Bytes lie in memory of exactly their size. */
void target_run(const char *bytes, size_t size);

/* Counts a failure and prints the message where `ok` is 0. Returns ok. */
int expect(int ok, const char *format, ...) __attribute__((format(printf, 2, 3)));
size_t expect_failures(void);

/* A copy in memory of exactly its size; of a text, with a zero behind it. */
char *copy_bytes(const char *bytes, size_t size);
char *copy_text(const char *bytes, size_t size);

#endif
