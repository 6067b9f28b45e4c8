/* types: the value types, by number. */
#ifndef PARSERS_TYPES_H
#define PARSERS_TYPES_H

#include <gasket/gasket.h>

enum {
    N_TYPES = 0
#define GASKET_DTYPE(ID, name, code, bits, type, class) +1
#include "abi/dtypes.def"
#undef GASKET_DTYPE
};

static inline DLDataType type_number(size_t number) {
    static const DLDataType types[N_TYPES] = {
#define GASKET_DTYPE(ID, name, code, bits, type, class) {code, bits, 1},
#include "abi/dtypes.def"
#undef GASKET_DTYPE
    };
    return types[number];
}

#endif
