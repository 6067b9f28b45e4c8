/* dtype: the table of value types, and the ways to find a row in it. */
#include <string.h>

#include "tensor.h"

static const struct gk_dtype_info dtypes[GASKET_DTYPES] = {
#define GASKET_DTYPE(ID, name, code, bits, type, class) [GASKET_##ID] = {name, code, bits, GASKET_##class},
#include "abi/dtypes.def"
#undef GASKET_DTYPE
};

const struct gk_dtype_info *gk_dtype(enum gasket_dtype dtype) {
    return &dtypes[dtype];
}

int gk_dtype_of(DLDataType type) {
    if (type.lanes != 1) return -1;
    for (int i = 0; i < GASKET_DTYPES; i++) {
        if (dtypes[i].code == type.code && dtypes[i].bits == type.bits) return i;
    }
    return -1;
}

int gk_dtype_named(const char *name) {
    for (int i = 0; i < GASKET_DTYPES; i++) {
        if (strcmp(dtypes[i].name, name) == 0) return i;
    }
    return -1;
}

int64_t gk_dtype_bytes(enum gasket_dtype dtype) {
    return dtypes[dtype].bits / 8;
}

DLDataType gk_dtype_type(enum gasket_dtype dtype) {
    DLDataType type = {dtypes[dtype].code, dtypes[dtype].bits, 1};
    return type;
}

const char *gasket_type_name(DLDataType type) {
    int dtype = gk_dtype_of(type);
    return dtype < 0 ? NULL : dtypes[dtype].name;
}

enum gasket_status gasket_type_parse(const char *name, DLDataType *type) {
    int dtype = name == NULL ? -1 : gk_dtype_named(name);
    if (dtype < 0 || type == NULL) return GASKET_INVALID_ARGUMENT;
    *type = gk_dtype_type((enum gasket_dtype)dtype);
    return GASKET_OK;
}
