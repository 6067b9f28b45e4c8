/* An operation as data: its parsed formula, attributes and what is generated for it. Written by gasket-gen into the
 * generated table (or by the parser at run time) and read by the checker, the interpreter and the chooser. Pointer-free
 * but for the texts, so that a table of them is constant data. */
#ifndef GASKET_ABI_OPERATION_H
#define GASKET_ABI_OPERATION_H

#include <stdint.h>

#include "abi/dtype.h"

enum {
    GASKET_NAME_SIZE = 32,
    GASKET_MAX_TENSORS = 6,
    GASKET_MAX_GROUPS = 12,
    GASKET_MAX_ACCESSES = 12,
    GASKET_MAX_SUBSCRIPTS = 48,
    GASKET_MAX_TERMS = 64,
    GASKET_MAX_FACTORS = 4,
    GASKET_MAX_ATTRIBUTES = 8,
    GASKET_MAX_QUANTITIES = 6,
    GASKET_NONE = 255 /* "no such id" where an id is a uint8_t */
};

enum gasket_term_kind { GASKET_TERM_GROUP, GASKET_TERM_LOOKUP };

/* A group (id = group), or the value looked up in an index tensor (id = access). */
struct gasket_term {
    uint8_t kind, id;
};

/* The sum of terms[first_term .. first_term + n_terms). A group alone stands for all its dimensions; in a sum every
 * group has rank 1. A tuple lookup stands alone and addresses as many dimensions as its tuple has values. */
struct gasket_subscript {
    uint8_t first_term, n_terms;
};

/* tensor[subscripts]; is_tuple: a last subscript '*' stood after those listed. */
struct gasket_access {
    uint8_t tensor, first_subscript, n_subscripts, is_tuple;
};

enum gasket_origin { GASKET_FROM_NOTHING, GASKET_FROM_ZEROS, GASKET_FROM_TENSOR };

/* out[...] sign factor * factor ... from origin. accesses[left] is the output's. Groups are numbered in the order in
 * which they first appear, reading the text from left to right: that is the loop order of the reference meaning. */
struct gasket_formula {
    char tensors[GASKET_MAX_TENSORS][GASKET_NAME_SIZE];
    char groups[GASKET_MAX_GROUPS]; /* one capital letter each */
    uint8_t n_tensors, n_groups, n_accesses, n_subscripts, n_terms, n_factors;
    uint8_t left;
    uint8_t factors[GASKET_MAX_FACTORS]; /* accesses that are multiplied on the right */
    uint8_t combine;                     /* enum gasket_combine, or GASKET_CHOSEN */
    uint8_t origin, origin_tensor;       /* enum gasket_origin; the tensor of FROM_TENSOR, else GASKET_NONE */
    struct gasket_access accesses[GASKET_MAX_ACCESSES];
    struct gasket_subscript subscripts[GASKET_MAX_SUBSCRIPTS];
    struct gasket_term terms[GASKET_MAX_TERMS];
};

enum gasket_quantity_kind { GASKET_RANK_OF, GASKET_ATTRIBUTE_VALUE };

/* constant + sum of factor * (rank of tensor id | value of attribute id). */
struct gasket_quantity {
    int8_t factor;
    uint8_t kind, id;
};
struct gasket_linear {
    int64_t constant;
    uint8_t n;
    struct gasket_quantity quantities[GASKET_MAX_QUANTITIES];
};

enum gasket_attribute_type { GASKET_ATTRIBUTE_INT, GASKET_ATTRIBUTE_INTS };

/* INT: one whole number, in [minimum, maximum] where those exist; a negative one has `wrap` added. The limits may name
 * ranks and earlier attributes. INTS: a list of extents, none negative. Without has_default it must be given. */
struct gasket_attribute {
    char name[GASKET_NAME_SIZE];
    uint8_t type;
    uint8_t has_default, has_minimum, has_maximum, has_wrap;
    struct gasket_linear default_value, minimum, maximum, wrap;
    const char *doc;
};

enum gasket_bounds {
    GASKET_BOUNDS_ERROR,
    GASKET_BOUNDS_FILL,
    GASKET_BOUNDS_DROP,
    GASKET_BOUNDS_CLIP,
    GASKET_BOUNDS_FROM_END,
    GASKET_BOUNDS_UNCHECKED,
    GASKET_BOUNDS_MODES
};
#define GASKET_BOUNDS_NAMES "error", "fill", "drop", "clip", "from_end", "unchecked"

struct gasket_operation {
    const char *name, *formula_text, *summary;
    const char *tensor_docs[GASKET_MAX_TENSORS]; /* by tensor id */
    struct gasket_formula formula;
    uint8_t n_attributes;
    struct gasket_attribute attributes[GASKET_MAX_ATTRIBUTES];
    uint8_t has_rank[GASKET_MAX_GROUPS]; /* whether ranks[g] is given; the others follow from rank equations */
    struct gasket_linear ranks[GASKET_MAX_GROUPS];
    uint8_t extents[GASKET_MAX_GROUPS]; /* attribute (INTS) that gives the group's extents, or GASKET_NONE */
    uint8_t output_extents;             /* attribute (INTS) that gives the output's shape, or GASKET_NONE */
    uint32_t values;                    /* a bit for each enum gasket_dtype */
    uint32_t indices;                   /* a bit for each integer dtype that may index */
    uint8_t combines;                   /* a bit for each enum gasket_combine */
    uint8_t default_combine;
    uint8_t bounds;        /* a bit for each enum gasket_bounds */
    uint8_t ahead_of_time; /* whether the table has kernels for it; otherwise the interpreter serves it */
};

#endif
