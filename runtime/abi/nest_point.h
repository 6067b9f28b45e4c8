/* Where a nest's loops stand and what that addresses: words of kernels at call time, for every target. They read one
 * constant, gasket_nest_knobs. */
#ifndef GASKET_ABI_NEST_POINT_H
#define GASKET_ABI_NEST_POINT_H

#include "abi/nest.h"

#if !defined(GK_INLINE)
#error "abi/vector.h or abi/device.h comes first"
#endif

#if !defined(GASKET_DEVICE) && !defined(gasket_nest_knobs)
extern const struct gasket_nest gasket_nest_knobs;
#endif

/* For each loop, access or coordinate; a text whose constants are written with it may know that there are fewer. */
#if !defined(GK_EACH)
#define GK_EACH(word) word(0) word(1) word(2) word(3) word(4) word(5) word(6) word(7)
#define GK_INWARDS(word) word(7) word(6) word(5) word(4) word(3) word(2) word(1) word(0)
#endif
#define GK_COORDINATE(c) gasket_nest_knobs.coordinates[c]

/* Where the loops stand, and what was found there. */
struct gk_point {
    const struct gasket_nest_call *call;
    int64_t i[GASKET_NEST_LOOPS];
    int64_t at[GASKET_NEST_COORDINATES]; /* bytes; 0 where the place is lost */
    int64_t lost[GASKET_NEST_COORDINATES];
};

GASKET_NEST_WORD char *gk_address(const struct gk_point *point, int64_t access) {
    const struct gasket_nest_access *to = &gasket_nest_knobs.accesses[access];
    int64_t offset = 0;
#define GK_ALONG(k) offset += point->i[k] * to->strides[k] + (GK_COORDINATE(k).access == access) * point->at[k];
    GK_EACH(GK_ALONG)
    return point->call->bases[access] + offset;
}

GASKET_NEST_WORD int64_t gk_is_lost(const struct gk_point *point, int64_t access) {
    int64_t lost = 0;
#define GK_LOSES(c) lost |= (GK_COORDINATE(c).access == access) & point->lost[c];
    GK_EACH(GK_LOSES)
    return lost;
}

/* ---- Coordinates ---- */

GASKET_NEST_WORD int64_t gk_index_at(const char *at, int64_t type) {
    switch (type) {
        case GASKET_I8:
            return *(const gk_i8 *)at;
        case GASKET_I16:
            return *(const gk_i16 *)at;
        case GASKET_I32:
            return *(const gk_i32 *)at;
        case GASKET_U8:
            return *(const gk_u8 *)at;
        case GASKET_U16:
            return *(const gk_u16 *)at;
        case GASKET_U32:
            return *(const gk_u32 *)at;
        default:
            return *(const gk_i64 *)at;
    }
}

/* What is kept can not be read from memory a second time. */
GASKET_NEST_WORD int64_t gk_index(const struct gk_point *point, const struct gasket_nest_value *value, int64_t once) {
    const int64_t type = gasket_nest_knobs.accesses[value->access].index_dtype;
    int64_t index = gk_index_at(gk_address(point, value->access) + value->offset, type);
    if (once) GK_KEEP(index);
    return index;
}

/* An u64 that is no int64_t is outside every dimension, and so is the greatest int64_t. */
GASKET_NEST_WORD int64_t gk_one(const struct gk_point *point, const struct gasket_nest_value *value, int64_t once) {
    const int64_t index = gk_index(point, value, once);
    const int64_t wraps = gasket_nest_knobs.accesses[value->access].index_dtype == GASKET_U64;
    return wraps && index < 0 && gasket_nest_knobs.form != GASKET_RAW ? INT64_MAX : index;
}

GK_EXTENSION typedef __int128 gk_integer;
GASKET_NEST_WORD gk_integer gk_whole(const struct gk_point *point, const struct gasket_nest_value *value,
                                     int64_t once) {
    const int64_t index = gk_index(point, value, once);
    const int64_t wraps = gasket_nest_knobs.accesses[value->access].index_dtype == GASKET_U64;
    return wraps ? (gk_integer)(uint64_t)index : (gk_integer)index;
}
GASKET_NEST_WORD int64_t gk_two(const struct gk_point *point, const struct gasket_nest_value *values, int64_t once) {
    const gk_integer sum = gk_whole(point, &values[0], once) + gk_whole(point, &values[1], once);
    if (gasket_nest_knobs.form == GASKET_RAW) return (int64_t)sum;
    return sum > INT64_MAX ? INT64_MAX : sum < INT64_MIN ? INT64_MIN : (int64_t)sum;
}

/* What a sum becomes in a dimension; outside it, the place is lost. Positions are not negative. */
GASKET_NEST_WORD int64_t gk_settle(int64_t looked_up, int64_t counted, int64_t extent) {
    const int64_t form = gasket_nest_knobs.form;
    if (form == GASKET_RAW) return (int64_t)((uint64_t)looked_up + (uint64_t)counted);
    int64_t sum = looked_up > INT64_MAX - counted ? INT64_MAX : looked_up + counted;
    if (form == GASKET_WRAP && looked_up < 0) sum += extent;
    if (form == GASKET_CLIP) sum = sum < 0 ? 0 : sum;
    if (form == GASKET_CLIP) sum = sum >= extent ? extent - 1 : sum;
    return sum;
}

/* Returns whether the place is lost. */
GASKET_NEST_WORD int64_t gk_locate(struct gk_point *point, int64_t c, int64_t once) {
    const struct gasket_nest_coordinate *to = &GK_COORDINATE(c);
    const int64_t extent = point->call->extents[c], has_two = to->n_values > 1;
    int64_t place = 0, counted = 0;
    int64_t lost = gk_is_lost(point, to->values[0].access) | (has_two & gk_is_lost(point, to->values[1].access));
    if (!lost) {
#define GK_COUNTED(k) counted += point->i[k] * to->steps[k];
        if (to->is_sum) {
            GK_EACH(GK_COUNTED)
        }
        const int64_t looked_up = has_two ? gk_two(point, to->values, once) : gk_one(point, to->values, once);
        place = gk_settle(looked_up, counted, extent);
        lost = gasket_nest_knobs.form != GASKET_RAW && (uint64_t)place >= (uint64_t)extent;
    }
    const int64_t is_left_out = once && (to->skips || to->access == 0); /* where lost, nobody looks at `at` */
    point->at[c] = lost && !is_left_out ? 0 : (int64_t)((uint64_t)place * (uint64_t)to->stride);
    point->lost[c] = lost;
    return lost;
}

#endif
