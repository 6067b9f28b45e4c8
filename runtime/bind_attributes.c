/* bind_attributes: attributes with their defaults, limits and wraps, and what expressions over them are worth. */
#include <inttypes.h>
#include <stdio.h>

#include "bind.h"

__extension__ typedef __int128 wide;

/* No sum of quantities overflows `wide`. */
static int64_t clamp(wide value) {
    return value < INT64_MIN ? INT64_MIN : value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

static int64_t quantity_value(const struct gk_binding *binding, const struct gasket_quantity *quantity) {
    return quantity->kind == GASKET_RANK_OF ? gk_known_rank(binding, quantity->id)
                                            : binding->problem->attributes[quantity->id];
}

int64_t gk_linear_value(const struct gk_binding *binding, const struct gasket_linear *linear) {
    wide sum = linear->constant;
    for (int i = 0; i < linear->n; i++) {
        const struct gasket_quantity *quantity = &linear->quantities[i];
        sum += (wide)quantity->factor * quantity_value(binding, quantity);
    }
    return clamp(sum);
}

static void append_part(const struct gk_binding *binding, const struct gasket_quantity *quantity,
                        char text[GK_PARTS_TEXT]) {
    char part[2 * GASKET_NAME_SIZE + 32];
    int is_rank = quantity->kind == GASKET_RANK_OF;
    const char *name =
        is_rank ? gk_tensor_name(binding, quantity->id) : binding->operation->attributes[quantity->id].name;
    snprintf(part, sizeof part, "%s%s%s = %" PRId64, is_rank ? "rank(" : "", name, is_rank ? ")" : "",
             quantity_value(binding, quantity));
    gk_append(text, GK_PARTS_TEXT, "%s%s", text[0] == 0 ? "" : ", ", part);
}

void gk_linear_parts(const struct gk_binding *binding, const struct gasket_linear *linear, char text[GK_PARTS_TEXT]) {
    text[0] = 0;
    for (int i = 0; i < linear->n; i++)
        append_part(binding, &linear->quantities[i], text);
}

/* " (rank(params) = 3)", or nothing for limits that are plain numbers. */
static void limit_parts(const struct gk_binding *binding, const struct gasket_linear *limit,
                        char text[GK_PARTS_TEXT + 4]) {
    char parts[GK_PARTS_TEXT];
    gk_linear_parts(binding, limit, parts);
    snprintf(text, GK_PARTS_TEXT + 4, parts[0] == 0 ? "%s" : " (%s)", parts);
}

static enum gasket_status fail_limit(const struct gk_binding *binding, const struct gasket_attribute *attribute,
                                     int64_t value, int is_given) {
    char parts[GK_PARTS_TEXT + 4], limits[96];
    int64_t minimum = gk_linear_value(binding, &attribute->minimum);
    int64_t maximum = gk_linear_value(binding, &attribute->maximum);
    if (attribute->has_minimum && attribute->has_maximum && minimum > maximum) {
        snprintf(limits, sizeof limits, "is not allowed; no value is");
    } else if (attribute->has_minimum && attribute->has_maximum) {
        snprintf(limits, sizeof limits, "is not in [%" PRId64 ", %" PRId64 "]", minimum, maximum);
    } else if (attribute->has_minimum) {
        snprintf(limits, sizeof limits, "is less than %" PRId64, minimum);
    } else {
        snprintf(limits, sizeof limits, "is greater than %" PRId64, maximum);
    }
    limit_parts(binding, attribute->has_maximum ? &attribute->maximum : &attribute->minimum, parts);
    return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s = %" PRId64 "%s %s%s", attribute->name, value,
                   is_given ? "" : ", its default,", limits, parts);
}

static enum gasket_status bind_integer(struct gk_binding *binding, uint8_t id) {
    const struct gasket_attribute *attribute = &binding->operation->attributes[id];
    const struct gasket_argument *given = binding->attributes[id];
    int64_t value = given != NULL ? given->integer : gk_linear_value(binding, &attribute->default_value);
    int too_small = attribute->has_minimum && value < gk_linear_value(binding, &attribute->minimum);
    int too_great = attribute->has_maximum && value > gk_linear_value(binding, &attribute->maximum);
    if (too_small || too_great) return fail_limit(binding, attribute, value, given != NULL);
    if (attribute->has_wrap && value < 0) value = clamp((wide)value + gk_linear_value(binding, &attribute->wrap));
    binding->problem->attributes[id] = value;
    return GASKET_OK;
}

static enum gasket_status check_integers(const struct gk_binding *binding, uint8_t id) {
    const char *name = binding->operation->attributes[id].name;
    const struct gasket_argument *given = binding->attributes[id];
    if (given == NULL) return GASKET_OK;
    if (given->n_integers > GASKET_MAX_RANK) {
        return gk_fail(binding->error, GASKET_UNSUPPORTED, "%s has %zu entries, but at most %d are supported", name,
                       given->n_integers, GASKET_MAX_RANK);
    }
    for (size_t i = 0; i < given->n_integers; i++) {
        if (given->integers[i] < 0) {
            return gk_fail(binding->error, GASKET_INVALID_ARGUMENT, "%s[%zu] = %" PRId64 " is negative", name, i,
                           given->integers[i]);
        }
    }
    return GASKET_OK;
}

/* The limits of an attribute may name the rank of the output, so its shape is looked up first. */
static void find_output_shape(struct gk_binding *binding) {
    const struct gasket_operation *operation = binding->operation;
    const int64_t *shape = NULL;
    if (operation->formula.origin == GASKET_FROM_TENSOR) {
        const struct gk_tensor *origin = &binding->problem->tensors[operation->formula.origin_tensor];
        binding->output_rank = origin->ndim;
        shape = origin->shape;
    } else if (operation->output_extents != GASKET_NONE && binding->attributes[operation->output_extents] != NULL) {
        const struct gasket_argument *extents = binding->attributes[operation->output_extents];
        binding->output_rank = (int)extents->n_integers;
        shape = extents->integers;
    }
    for (int i = 0; i < binding->output_rank; i++)
        binding->output_shape[i] = shape[i];
}

enum gasket_status gk_bind_attributes(struct gk_binding *binding) {
    enum gasket_status status = GASKET_OK;
    for (uint8_t i = 0; status == GASKET_OK && i < binding->operation->n_attributes; i++) {
        if (binding->operation->attributes[i].type == GASKET_ATTRIBUTE_INTS) status = check_integers(binding, i);
    }
    if (status == GASKET_OK) find_output_shape(binding);
    for (uint8_t i = 0; status == GASKET_OK && i < binding->operation->n_attributes; i++) {
        if (binding->operation->attributes[i].type == GASKET_ATTRIBUTE_INT) status = bind_integer(binding, i);
    }
    return status;
}
