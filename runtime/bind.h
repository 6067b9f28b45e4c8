/* bind: the steps from a caller's arguments to a problem, in their order. Each fills its part of the problem or fails
 * with a message; none looks at tensor data, except that of a fill value. */
#ifndef GK_BIND_H
#define GK_BIND_H

#include "problem.h"

/* Arguments that are not the operation's own. */
enum gk_common { GK_BOUNDS, GK_FILL, GK_NAN, GK_ACCUMULATE, GK_COMBINE, GK_JIT, GK_COMMONS };

struct gk_binding {
    struct gk_problem *problem;
    const struct gasket_operation *operation;
    int infers; /* the output's shape is asked for; it is not among the arguments */
    /* What was given under each name, or NULL. */
    const struct gasket_argument *tensors[GASKET_MAX_TENSORS];
    const struct gasket_argument *attributes[GASKET_MAX_ATTRIBUTES];
    const struct gasket_argument *commons[GK_COMMONS];
    /* The shape that the output needs; rank -1 until it is known. */
    int output_rank;
    int64_t output_shape[GASKET_MAX_RANK];
    struct gk_error *error;
};

enum gasket_status gk_bind_names(struct gk_binding *binding, const struct gasket_argument *arguments,
                                 size_t n_arguments);
enum gasket_status gk_bind_tensors(struct gk_binding *binding);
/* The attributes, and the output's shape where an attribute or the tensor it starts from says it. */
enum gasket_status gk_bind_attributes(struct gk_binding *binding);
enum gasket_status gk_bind_modes(struct gk_binding *binding);
enum gasket_status gk_bind_fill(struct gk_binding *binding);
enum gasket_status gk_bind_ranks(struct gk_binding *binding);
enum gasket_status gk_bind_extents(struct gk_binding *binding);
/* The output's shape where it follows from groups, and the check of a given output. */
enum gasket_status gk_bind_output(struct gk_binding *binding);

/* The value of an expression, held at the ends of 64 bits, and a text such as "rank(params) = 3, axis = 1" of what it
 * was made of. The ranks and attributes that it names are known. */
int64_t gk_linear_value(const struct gk_binding *binding, const struct gasket_linear *linear);
enum { GK_PARTS_TEXT = 512 };
void gk_linear_parts(const struct gk_binding *binding, const struct gasket_linear *linear, char text[GK_PARTS_TEXT]);

const char *gk_tensor_name(const struct gk_binding *binding, uint8_t tensor);
/* The rank of a tensor; the output's is -1 while it is not known. */
int gk_known_rank(const struct gk_binding *binding, uint8_t tensor);
const int64_t *gk_known_shape(const struct gk_binding *binding, uint8_t tensor);
/* Where the caller said a tensor's shape, which for an output is the tensor that it starts from, or an attribute:
 * "rank(params)" or "len(shape)"; "params.shape[1]" or "shape[1]"; "params has shape [2,3]" or "shape is [2,3]". */
enum { GK_SOURCE_TEXT = GK_SHAPE_TEXT + 64 };
const char *gk_rank_text(char text[GK_SOURCE_TEXT], const struct gk_binding *binding, uint8_t tensor);
const char *gk_extent_text(char text[GK_SOURCE_TEXT], const struct gk_binding *binding, uint8_t tensor, int dimension);
const char *gk_found_text(char text[GK_SOURCE_TEXT], const struct gk_binding *binding, uint8_t tensor);

/* Writes at the end of a text of `size` bytes; what does not fit is cut off. */
void gk_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
