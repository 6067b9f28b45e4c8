/* utf8: well-formed characters, by the table of Unicode's "well-formed byte sequences". */
#include "utf8.h"

/* First bytes of a range, what the second may be, and how many bytes there are. */
static const struct {
    unsigned char first, last, second_least, second_most, length;
} sequences[] = {
    {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

size_t tool_utf8_length(const char *text, size_t available) {
    const unsigned char *u = (const unsigned char *)text;
    size_t row = 0, n = sizeof sequences / sizeof sequences[0];
    while (available > 0 && row < n && (u[0] < sequences[row].first || u[0] > sequences[row].last)) {
        row++;
    }
    if (available == 0 || row == n || sequences[row].length > available) {
        return 0;
    }
    size_t length = sequences[row].length;
    if (length > 1 && (u[1] < sequences[row].second_least || u[1] > sequences[row].second_most)) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if ((u[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}
