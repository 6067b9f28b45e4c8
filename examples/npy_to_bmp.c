/* npy_to_bmp: a picture out of an array, for any viewer. Usage: npy_to_bmp IN.npy OUT.bmp [ZOOM]
 * u8 [height, width, 3] is taken as red, green, blue; i32 [height, width] as counts, shown on a logarithmic scale. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct picture {
    long height, width;
    int counts; /* i32 counts, else u8 colours */
    uint8_t *data;
};

static size_t data_bytes(const struct picture *p) {
    return (size_t)(p->height * p->width) * (p->counts ? 4 : 3);
}

static int read_header(FILE *file, struct picture *p) {
    unsigned char magic[10];
    char header[65536];
    if (fread(magic, 1, sizeof magic, file) != sizeof magic || memcmp(magic, "\x93NUMPY\x01", 7) != 0) return -1;
    size_t length = (size_t)magic[8] | (size_t)magic[9] << 8;
    if (fread(header, 1, length, file) != length) return -1;
    header[length] = 0;
    const char *shape = strstr(header, "'shape': (");
    long depth = 0;
    int n = shape ? sscanf(shape, "'shape': (%ld, %ld, %ld", &p->height, &p->width, &depth) : 0;
    p->counts = strstr(header, "'<i4'") != NULL;
    int colours = strstr(header, "'|u1'") != NULL;
    int fits = (p->counts && n == 2) || (colours && n == 3 && depth == 3);
    return fits && p->height > 0 && p->width > 0 && p->height < 20000 && p->width < 20000 ? 0 : -1;
}

static int read_picture(const char *path, struct picture *p) {
    FILE *file = fopen(path, "rb");
    int failed = !file || read_header(file, p);
    p->data = failed ? NULL : malloc(data_bytes(p));
    failed = failed || !p->data || fread(p->data, 1, data_bytes(p), file) != data_bytes(p);
    if (file) fclose(file);
    return failed ? -1 : 0;
}

/* Bits that a number has: a logarithm that needs no mathematics. */
static unsigned bits(uint32_t value) {
    unsigned n = 0;
    for (; value; value >>= 1)
        n++;
    return n;
}

static void pixel_of(const struct picture *p, long line, long column, uint8_t bgr[3]) {
    const uint8_t *at = p->data + (line * p->width + column) * (p->counts ? 4 : 3);
    uint32_t count;
    if (!p->counts) {
        bgr[0] = at[2];
        bgr[1] = at[1];
        bgr[2] = at[0];
        return;
    }
    memcpy(&count, at, sizeof count);
    unsigned shade = bits(count) * 16u;
    bgr[0] = bgr[1] = bgr[2] = (uint8_t)(shade > 255 ? 255 : shade);
}

static void put32(uint8_t *to, uint32_t value) {
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static int write_bmp(const char *path, const struct picture *p, long zoom) {
    uint8_t header[54] = {'B', 'M'};
    long width = p->width * zoom, height = p->height * zoom, padding = (4 - width * 3 % 4) % 4;
    put32(header + 2, (uint32_t)(54 + height * (width * 3 + padding)));
    put32(header + 10, 54);
    put32(header + 14, 40);
    put32(header + 18, (uint32_t)width);
    put32(header + 22, (uint32_t)height);
    put32(header + 26, 1u | 24u << 16);
    FILE *file = fopen(path, "wb");
    if (!file) return -1;
    int failed = fwrite(header, 1, sizeof header, file) != sizeof header;
    for (long line = height - 1; line >= 0; line--) {
        uint8_t bgr[3], zeros[3] = {0, 0, 0};
        for (long column = 0; column < width; column++) {
            pixel_of(p, line / zoom, column / zoom, bgr);
            failed |= fwrite(bgr, 1, 3, file) != 3;
        }
        failed |= fwrite(zeros, 1, (size_t)padding, file) != (size_t)padding;
    }
    return fclose(file) || failed ? -1 : 0;
}

int main(int argc, char **argv) {
    long zoom = argc == 4 ? strtol(argv[3], NULL, 10) : 1;
    if (argc < 3 || argc > 4 || zoom < 1 || zoom > 64) {
        fprintf(stderr, "usage: npy_to_bmp IN.npy OUT.bmp [ZOOM]\n");
        return 2;
    }
    struct picture p = {0, 0, 0, NULL};
    int failed = read_picture(argv[1], &p) || write_bmp(argv[2], &p, zoom);
    if (failed) fprintf(stderr, "npy_to_bmp: %s is no picture, or %s can not be written\n", argv[1], argv[2]);
    free(p.data);
    return failed ? 1 : 0;
}
