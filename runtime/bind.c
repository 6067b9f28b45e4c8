/* bind: the small questions that all steps of binding ask. */
#include "bind.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "formula/formula.h"

const char *gk_tensor_name(const struct gk_binding *binding, uint8_t tensor) {
    return binding->operation->formula.tensors[tensor];
}

int gk_known_rank(const struct gk_binding *binding, uint8_t tensor) {
    if (tensor == gk_formula_output(&binding->operation->formula)) return binding->output_rank;
    return binding->problem->tensors[tensor].ndim;
}

const int64_t *gk_known_shape(const struct gk_binding *binding, uint8_t tensor) {
    if (tensor == gk_formula_output(&binding->operation->formula)) return binding->output_shape;
    return binding->problem->tensors[tensor].shape;
}

/* The attribute that says the shape of a tensor, or NULL; else *tensor becomes the tensor that says it. */
static const char *find_source(const struct gk_binding *binding, uint8_t *tensor) {
    const struct gasket_operation *operation = binding->operation;
    if (*tensor != gk_formula_output(&operation->formula)) return NULL;
    if (operation->formula.origin == GASKET_FROM_TENSOR) {
        *tensor = operation->formula.origin_tensor;
    } else if (operation->output_extents != GASKET_NONE) {
        return operation->attributes[operation->output_extents].name;
    }
    return NULL;
}

const char *gk_rank_text(char text[GK_SOURCE_TEXT], const struct gk_binding *binding, uint8_t tensor) {
    const char *attribute = find_source(binding, &tensor);
    snprintf(text, GK_SOURCE_TEXT, attribute == NULL ? "rank(%s)" : "len(%s)",
             attribute == NULL ? gk_tensor_name(binding, tensor) : attribute);
    return text;
}

const char *gk_extent_text(char text[GK_SOURCE_TEXT], const struct gk_binding *binding, uint8_t tensor, int dimension) {
    const char *attribute = find_source(binding, &tensor);
    snprintf(text, GK_SOURCE_TEXT, attribute == NULL ? "%s.shape[%d]" : "%s[%d]",
             attribute == NULL ? gk_tensor_name(binding, tensor) : attribute, dimension);
    return text;
}

const char *gk_found_text(char text[GK_SOURCE_TEXT], const struct gk_binding *binding, uint8_t tensor) {
    char shape[GK_SHAPE_TEXT];
    gk_shape_text(shape, gk_known_shape(binding, tensor), gk_known_rank(binding, tensor));
    const char *attribute = find_source(binding, &tensor);
    snprintf(text, GK_SOURCE_TEXT, attribute == NULL ? "%s has shape %s" : "%s is %s",
             attribute == NULL ? gk_tensor_name(binding, tensor) : attribute, shape);
    return text;
}

void gk_append(char *text, size_t size, const char *format, ...) {
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}
