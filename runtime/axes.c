/* axes: see axes.h. */
#include "axes.h"

static void step(struct gk_place *place, const struct gk_axis *axis, int64_t by) {
    place->indexed += by * axis->indexed_stride;
    place->plain += by * axis->plain_stride;
    place->index += by * axis->index_stride;
}

void gk_place_set(struct gk_place *place, const struct gk_axis *axes, int n, int64_t number) {
    place->axes = axes;
    place->n = n;
    place->indexed = place->plain = place->index = 0;
    for (int i = n - 1; i >= 0; i--) {
        place->point[i] = axes[i].extent ? number % axes[i].extent : 0;
        number = axes[i].extent ? number / axes[i].extent : 0;
        step(place, &axes[i], place->point[i]);
    }
}

void gk_place_next(struct gk_place *place) {
    for (int i = place->n - 1; i >= 0; i--) {
        const struct gk_axis *axis = &place->axes[i];
        step(place, axis, 1);
        if (++place->point[i] < axis->extent) return;
        place->point[i] = 0;
        step(place, axis, -axis->extent);
    }
}
