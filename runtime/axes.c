/* axes: see axes.h. */
#include "axes.h"

int64_t gk_magnitude(int64_t stride) {
    return stride < 0 ? -stride : stride;
}

static int mergeable(const struct gk_axis *outer, const struct gk_axis *inner) {
    return outer->indexed_stride == inner->indexed_stride * inner->extent &&
           outer->plain_stride == inner->plain_stride * inner->extent &&
           outer->index_stride == inner->index_stride * inner->extent;
}

int gk_axes_squeeze(struct gk_axis *axes, int n) {
    int kept = 0;
    for (int i = 0; i < n; i++) {
        if (axes[i].extent == 1) continue;
        if (kept > 0 && mergeable(&axes[kept - 1], &axes[i])) {
            axes[i].extent *= axes[kept - 1].extent;
            axes[kept - 1] = axes[i];
        } else {
            axes[kept++] = axes[i];
        }
    }
    return kept;
}

int64_t gk_axes_product(const struct gk_axis *axes, int n) {
    int64_t total = 1;
    for (int i = 0; i < n; i++)
        total *= axes[i].extent;
    return total;
}

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
