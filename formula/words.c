/* words: see words.h. */
#include "formula/words.h"

#include <string.h>

#include "formula/lexer.h"
#include "formula/nearest.h"

static const struct {
    const char *name;
    enum gasket_class class;
} dtypes[GASKET_DTYPES] = {
#define GASKET_DTYPE(ID, name, code, bits, type, class) {name, GASKET_##class},
#include "abi/dtypes.def"
#undef GASKET_DTYPE
};
const char *const gk_class_names[GASKET_CLASSES] = {"logical", "integer", "float", "complex", "moved", "string"};
const char *const gk_combine_names[GASKET_COMBINES] = {GASKET_COMBINE_NAMES};
const char *const gk_bounds_names[GASKET_BOUNDS_MODES] = {GASKET_BOUNDS_NAMES};

size_t gk_name_index(const char *name, const char *const *names, size_t n) {
    size_t i = 0;
    while (i < n && strcmp(name, names[i]) != 0) {
        i++;
    }
    return i;
}

enum gasket_dtype gk_dtype_number(const char *name) {
    int i = 0;
    while (i < GASKET_DTYPES && strcmp(name, dtypes[i].name) != 0) {
        i++;
    }
    return (enum gasket_dtype)i;
}

static uint32_t class_set(enum gasket_class class) {
    uint32_t set = 0;
    for (int i = 0; i < GASKET_DTYPES; i++) {
        set |= dtypes[i].class == class ? GASKET_BIT(i) : 0;
    }
    return set;
}

uint32_t gk_integer_set(void) {
    return class_set(GASKET_INTEGER);
}

uint32_t gk_dtype_set(const char *name) {
    enum gasket_dtype dtype = gk_dtype_number(name);
    size_t class = gk_name_index(name, gk_class_names, GASKET_CLASSES);
    if (strcmp(name, "all") == 0) {
        return GASKET_BIT(GASKET_DTYPES) - 1;
    }
    if (dtype < GASKET_DTYPES) {
        return GASKET_BIT(dtype);
    }
    return class < GASKET_CLASSES ? class_set((enum gasket_class) class) : 0;
}

const char *gk_dtype_nearest(const char *name) {
    const char *names[GASKET_DTYPES + GASKET_CLASSES];
    for (int i = 0; i < GASKET_DTYPES; i++) {
        names[i] = dtypes[i].name;
    }
    memcpy(names + GASKET_DTYPES, gk_class_names, sizeof gk_class_names);
    return gk_nearest(name, names, GASKET_DTYPES + GASKET_CLASSES);
}

int gk_unknown(struct gk_formula_error *error, const char *what, const char *name, const char *nearest) {
    return gk_formula_fail(error, GK_NO_COLUMN, "unknown %s '%.64s' (did you mean '%s'?)", what, name, nearest);
}
