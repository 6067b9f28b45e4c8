/* nearest: see nearest.h. */
#include "formula/nearest.h"

#include <string.h>

enum { LONGEST = 63 };

static int smallest(int a, int b, int c) {
    int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Levenshtein's distance of the first LONGEST letters. */
static int distance(const char *a, const char *b) {
    int row[LONGEST + 1];
    size_t length = strnlen(b, LONGEST);
    for (size_t j = 0; j <= length; j++)
        row[j] = (int)j;
    for (size_t i = 0; i < strnlen(a, LONGEST); i++) {
        int diagonal = row[0];
        row[0] = (int)i + 1;
        for (size_t j = 0; j < length; j++) {
            int best = smallest(row[j + 1] + 1, row[j] + 1, diagonal + (a[i] != b[j]));
            diagonal = row[j + 1];
            row[j + 1] = best;
        }
    }
    return row[length];
}

const char *gk_nearest(const char *name, const char *const *names, size_t n) {
    const char *nearest = NULL;
    int fewest = 0;
    for (size_t i = 0; i < n; i++) {
        int edits = distance(name, names[i]);
        if (!nearest || edits < fewest) {
            nearest = names[i];
            fewest = edits;
        }
    }
    return nearest;
}
