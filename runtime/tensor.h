/* tensor: a checked view of a caller's DLTensor, and the questions one asks about layout. */
#ifndef GK_TENSOR_H
#define GK_TENSOR_H

#include "abi/dtype.h"
#include "error.h"

struct gk_tensor {
    char *data; /* the first element (byte_offset is added); NULL only when there are no elements or no data yet */
    uint64_t byte_offset;
    int ndim; /* 0 to GASKET_MAX_RANK */
    enum gasket_dtype dtype;
    int64_t shape[GASKET_MAX_RANK];
    int64_t stride[GASKET_MAX_RANK]; /* in elements; 0 where the extent is 1, and in a tensor without elements */
};

struct gk_dtype_info {
    const char *name;
    uint8_t code, bits;
    enum gasket_class class;
};
const struct gk_dtype_info *gk_dtype(enum gasket_dtype dtype);
/* The dtype of a DLPack type with lanes 1, or -1. */
int gk_dtype_of(DLDataType type);
/* The dtype called `name`, or -1. */
int gk_dtype_named(const char *name);
/* Bytes in an element; 0 for types of less than a byte. */
int64_t gk_dtype_bytes(enum gasket_dtype dtype);
DLDataType gk_dtype_type(enum gasket_dtype dtype);

/* Checks everything that holds for any tensor: device, lanes, known type, rank, sizes that fit 63 bits together with
 * strides and offset, NULL rules, byte_offset a multiple of the element size. The product of the extents other than 0
 * fits as well, so that no product over some of the dimensions overflows. `name` is the argument's. `need_data`: a
 * tensor with elements must have data. */
enum gasket_status gk_tensor_view(struct gk_tensor *view, const char *name, const DLTensor *tensor, int need_data,
                                  struct gk_error *error);

/* Fails when the tensor has elements but no data. */
enum gasket_status gk_tensor_check_data(const struct gk_tensor *tensor, const char *name, struct gk_error *error);

/* Whether the size in bytes fits 63 bits, extents of 0 left out. */
int gk_shape_fits(const int64_t *shape, int ndim, enum gasket_dtype dtype);

int64_t gk_tensor_elements(const struct gk_tensor *tensor);

/* First byte and one past the last byte of the memory that elements lie in, relative to data; both 0 when empty. */
struct gk_span {
    int64_t begin, end;
};
struct gk_span gk_tensor_span(const struct gk_tensor *tensor);

/* Whether any byte of an element of one is a byte of an element of the other; interleaved views that share no byte are
 * told apart where the strides show it. */
int gk_tensors_overlap(const struct gk_tensor *a, const struct gk_tensor *b);
/* Same data, shape, strides and dtype. */
int gk_tensors_same(const struct gk_tensor *a, const struct gk_tensor *b);
/* Whether two elements of the tensor certainly lie apart, for each pair; 0 where that can not be shown from strides
 * sorted by size (stride 0 over more than one element among them). */
int gk_tensor_is_injective(const struct gk_tensor *tensor);

#endif
