/* make_data: paints the landscape of the demo and writes examples/data. Usage: make_data DIR
 *
 * Ridges of value noise with haze, a sun and a lake, reduced to a palette of 256 of its own colours, so that a gather
 * turns it back into a picture. Integers and basic float arithmetic only: every machine writes the same bytes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEIGHT = 240, WIDTH = 320, COLOURS = 256, TURNED = 200, SPIRAL = 4000 };

static int write_npy(const char *directory, const char *name, const char *type, const char *shape, const void *data,
                     size_t bytes) {
    char path[1024], header[128], text[118];
    snprintf(path, sizeof path, "%s/%s.npy", directory, name);
    int used = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    memset(header, ' ', sizeof header);
    memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(header + 10, text, (size_t)used);
    header[127] = '\n';
    FILE *file = fopen(path, "wb");
    if (!file) return -1;
    int failed = fwrite(header, 1, sizeof header, file) != sizeof header || fwrite(data, 1, bytes, file) != bytes;
    return fclose(file) || failed ? -1 : 0;
}

/* ---- Noise ---- */

static float lattice(int x, int y, unsigned seed) {
    unsigned h = (unsigned)x * 374761393u + (unsigned)y * 668265263u + seed * 2246822519u;
    h = (h ^ (h >> 13)) * 1274126177u;
    return (float)((h ^ (h >> 16)) & 0xffff) / 65535.0f;
}

static float blend(float a, float b, float t) {
    return a + (b - a) * (t * t * (3.0f - 2.0f * t));
}

static float noise(float x, float y, unsigned seed) {
    int column = (int)x, line = (int)y;
    float u = x - (float)column, v = y - (float)line;
    float top = blend(lattice(column, line, seed), lattice(column + 1, line, seed), u);
    float bottom = blend(lattice(column, line + 1, seed), lattice(column + 1, line + 1, seed), u);
    return blend(top, bottom, v);
}

/* Octaves of noise, each twice as fine and half as strong; in [0, 1). */
static float roughness(float x, float y, unsigned seed) {
    float sum = 0.0f, weight = 0.5f;
    for (unsigned octave = 0; octave < 6; octave++, weight *= 0.5f) {
        sum += weight * noise(x, y, seed + octave);
        x *= 2.0f;
        y *= 2.0f;
    }
    return sum;
}

/* ---- The picture ---- */

struct colour {
    float red, green, blue;
};

static struct colour mix(struct colour a, struct colour b, float t) {
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    struct colour c = {a.red + (b.red - a.red) * t, a.green + (b.green - a.green) * t, a.blue + (b.blue - a.blue) * t};
    return c;
}

static struct colour sky(float x, float y) {
    static const struct colour high = {58, 104, 168}, low = {246, 196, 150}, sun = {255, 244, 214};
    static const struct colour cloud = {250, 232, 222};
    float dx = x - 0.68f, dy = (y - 0.36f) * 0.75f, distance = dx * dx + dy * dy;
    struct colour c = mix(high, low, y * 1.9f);
    c = mix(c, cloud, (roughness(x * 4.0f, y * 11.0f, 7) - 0.52f) * 3.0f);
    return mix(c, sun, 0.0035f / (distance + 0.0022f));
}

/* Ridges stand one behind the other; the farther, the more they fade into the haze. */
static struct colour land(float x, float y) {
    static const struct colour haze = {206, 178, 164}, rock = {74, 66, 62}, wood = {38, 58, 34};
    struct colour c = sky(x, y);
    for (int ridge = 0; ridge < 4; ridge++) {
        float near = (float)ridge / 3.0f, scale = 2.2f + 2.0f * near;
        float rise = roughness(x * scale + 9.0f * near, 3.0f, 40u + (unsigned)ridge) - 0.5f;
        float crest = 0.34f + 0.08f * (float)ridge - 0.20f * rise;
        if (y < crest) continue;
        float grain = roughness(x * 26.0f, y * 30.0f + 17.0f * near, 90u + (unsigned)ridge);
        struct colour ground = mix(rock, wood, (y - crest) * 7.0f + grain - 0.45f);
        float light = 0.62f + 0.8f * (grain - 0.5f);
        struct colour lit = {ground.red * (0.6f + light), ground.green * (0.6f + light), ground.blue * (0.6f + light)};
        c = mix(lit, haze, 0.78f - 0.26f * (float)ridge);
    }
    return c;
}

static struct colour scene(float x, float y) {
    static const struct colour water = {30, 54, 72};
    const float shore = 0.68f;
    if (y < shore) return land(x, y);
    float depth = (y - shore) / (1.0f - shore);
    float ripple = (roughness(x * 7.0f + depth * 3.0f, depth * 40.0f, 5) - 0.5f) * 0.05f * (0.3f + depth);
    return mix(land(x + ripple, shore - depth * 0.36f + ripple), water, 0.25f + 0.35f * depth);
}

static int level(float value) {
    return value < 0.0f ? 0 : value > 255.0f ? 255 : (int)value;
}

/* The palette: the colours at 256 places spread over the picture; and the bin of each one's red and green, 32 x 32. */
static void make_palette(uint8_t palette[COLOURS][3], uint8_t bins[COLOURS][2]) {
    for (int i = 0; i < COLOURS; i++) {
        float x = ((float)(i % 16) + lattice(i, 1, 11)) / 16.0f, y = ((float)(i / 16) + lattice(i, 2, 11)) / 16.0f;
        struct colour c = scene(x, y);
        palette[i][0] = (uint8_t)level(c.red);
        palette[i][1] = (uint8_t)level(c.green);
        palette[i][2] = (uint8_t)level(c.blue);
        bins[i][0] = palette[i][0] / 8;
        bins[i][1] = palette[i][1] / 8;
    }
}

static int nearest(const uint8_t palette[COLOURS][3], struct colour c) {
    int best = 0, least = 1 << 30;
    for (int i = 0; i < COLOURS; i++) {
        int red = palette[i][0] - level(c.red), green = palette[i][1] - level(c.green);
        int blue = palette[i][2] - level(c.blue), distance = 3 * red * red + 4 * green * green + 2 * blue * blue;
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

static void paint(uint8_t picture[HEIGHT][WIDTH], const uint8_t palette[COLOURS][3]) {
    for (int line = 0; line < HEIGHT; line++)
        for (int column = 0; column < WIDTH; column++) {
            struct colour c = scene((float)column / WIDTH, (float)line / HEIGHT);
            picture[line][column] = (uint8_t)nearest(palette, c);
        }
}

/* Places of a square turned by the angle whose cosine and sine are 4/5 and 3/5. */
static void make_turn(int16_t turn[TURNED][TURNED][2]) {
    for (int line = 0; line < TURNED; line++)
        for (int column = 0; column < TURNED; column++) {
            int y = line - TURNED / 2, x = column - TURNED / 2;
            turn[line][column][0] = (int16_t)(HEIGHT / 2 + (4 * y + 3 * x) / 6);
            turn[line][column][1] = (int16_t)(WIDTH / 2 + (4 * x - 3 * y) / 6);
        }
}

/* A spiral round the middle, turned step by step by a small rational rotation; its colours brighten outwards. */
static void make_spiral(int32_t places[SPIRAL][2], uint8_t colours[SPIRAL][3]) {
    double x = 4.0, y = 0.0;
    for (int i = 0; i < SPIRAL; i++) {
        double turned = (x * 9999.0 - y * 141.4) / 9990.0;
        y = (y * 9999.0 + x * 141.4) / 9990.0;
        x = turned;
        places[i][0] = (int32_t)(HEIGHT / 2 + y);
        places[i][1] = (int32_t)(WIDTH / 2 + x);
        colours[i][0] = (uint8_t)(255 * i / SPIRAL);
        colours[i][1] = (uint8_t)(60 + 150 * i / SPIRAL);
        colours[i][2] = 40;
    }
}

static uint8_t picture[HEIGHT][WIDTH], palette[COLOURS][3], bins[COLOURS][2], colours[SPIRAL][3];
static int16_t turn[TURNED][TURNED][2];
static int32_t ones[HEIGHT][WIDTH], places[SPIRAL][2];

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: make_data DIR\n");
        return 2;
    }
    make_palette(palette, bins);
    paint(picture, (const uint8_t(*)[3])palette);
    make_turn(turn);
    make_spiral(places, colours);
    for (int i = 0; i < HEIGHT * WIDTH; i++)
        ones[i / WIDTH][i % WIDTH] = 1;
    const char *to = argv[1];
    int failed = write_npy(to, "picture", "|u1", "(240, 320)", picture, sizeof picture) ||
                 write_npy(to, "palette", "|u1", "(256, 3)", palette, sizeof palette) ||
                 write_npy(to, "bins", "|u1", "(256, 2)", bins, sizeof bins) ||
                 write_npy(to, "ones", "<i4", "(240, 320)", ones, sizeof ones) ||
                 write_npy(to, "turn", "<i2", "(200, 200, 2)", turn, sizeof turn) ||
                 write_npy(to, "places", "<i4", "(4000, 2)", places, sizeof places) ||
                 write_npy(to, "colours", "|u1", "(4000, 3)", colours, sizeof colours);
    if (failed) fprintf(stderr, "make_data: can not write to %s\n", to);
    return failed ? 1 : 0;
}
