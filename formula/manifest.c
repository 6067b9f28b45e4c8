/* manifest: every combination that a user can ask of an operation with kernels, and the bodies that serve it. */
#include <stdio.h>

#include "formula/formula.h"
#include "formula/name.h"

enum property { VALUE, INDEX, COMBINE, DEPTH, AXIS, BATCH, BOUNDS, PROPERTIES };
enum { DEPTH_LAST = 4, DEPTH_MANY = 5, AXIS_INNER = 2 };

struct choices {
    int n;
    int items[GASKET_DTYPES];
};

struct dtype_facts {
    int bits;
    enum gasket_class class;
};

static const struct dtype_facts dtypes[GASKET_DTYPES] = {
#define GASKET_DTYPE(ID, name, code, bits, type, class) {bits, GASKET_##class},
#include "abi/dtypes.def"
#undef GASKET_DTYPE
};

static void add_choice(struct choices *choices, int item) {
    choices->items[choices->n++] = item;
}

/* The numbers of the bits, up to `limit`. */
static void add_bits(struct choices *choices, uint32_t bits, int limit) {
    for (int i = 0; i < limit; i++) {
        if (bits & GASKET_BIT(i)) {
            add_choice(choices, i);
        }
    }
}

/* 0..last where the formula has the property, else -1. */
static void add_range(struct choices *choices, int has_property, int last) {
    for (int i = has_property ? 0 : -1; i <= (has_property ? last : -1); i++) {
        add_choice(choices, i);
    }
}

static void add_indices(struct choices *choices, uint32_t bits) {
    for (int i = 0; i < GASKET_DTYPES; i++) {
        if (dtypes[i].class == GASKET_INTEGER && (bits & GASKET_BIT(i))) {
            add_choice(choices, i);
        }
    }
}

static int has_role(const struct gasket_formula *formula, const struct gk_structure *structure,
                    enum gk_group_role role) {
    for (int i = 0; i < formula->n_groups; i++) {
        if (structure->roles[i] == role) {
            return 1;
        }
    }
    return 0;
}

static void collect(const struct gasket_operation *operation, const struct gk_structure *structure,
                    struct choices choices[PROPERTIES]) {
    const struct gasket_formula *formula = &operation->formula;
    int chosen = formula->combine == GASKET_CHOSEN;
    add_bits(&choices[VALUE], operation->values, GASKET_DTYPES);
    add_indices(&choices[INDEX], operation->indices);
    add_bits(&choices[COMBINE], chosen ? operation->combines : GASKET_BIT(formula->combine), GASKET_COMBINES);
    add_range(&choices[DEPTH], formula->accesses[structure->lookup].is_tuple, DEPTH_MANY);
    add_range(&choices[AXIS], has_role(formula, structure, GK_ROLE_OUTER), AXIS_INNER);
    add_range(&choices[BATCH], has_role(formula, structure, GK_ROLE_BATCH), 1);
    add_bits(&choices[BOUNDS], operation->bounds, GASKET_BOUNDS_MODES);
}

/* A class lacks some operators, and a row of one element must be whole bytes. */
static int exists(const struct gk_combination *combination) {
    static const unsigned combines[GASKET_CLASSES] = GASKET_CLASS_COMBINES;
    const struct dtype_facts *facts = &dtypes[combination->value];
    int combined = (combines[facts->class] & GASKET_BIT(combination->combine)) != 0;
    return combined && (combination->axis != AXIS_INNER || facts->bits >= 8);
}

static struct gk_combination combination_at(const struct choices choices[PROPERTIES], const int at[PROPERTIES]) {
    return (struct gk_combination){
        .value = (enum gasket_dtype)choices[VALUE].items[at[VALUE]],
        .index = (enum gasket_dtype)choices[INDEX].items[at[INDEX]],
        .combine = (enum gasket_combine)choices[COMBINE].items[at[COMBINE]],
        .depth = choices[DEPTH].items[at[DEPTH]],
        .axis = choices[AXIS].items[at[AXIS]],
        .batch = choices[BATCH].items[at[BATCH]],
        .bounds = (enum gasket_bounds)choices[BOUNDS].items[at[BOUNDS]],
    };
}

/* Counts on, the last property fastest. 0 after the last combination. */
static int advance(const struct choices choices[PROPERTIES], int at[PROPERTIES]) {
    for (int p = PROPERTIES - 1; p >= 0; p--) {
        if (++at[p] < choices[p].n) {
            return 1;
        }
        at[p] = 0;
    }
    return 0;
}

static int has_choices(const struct choices choices[PROPERTIES]) {
    for (int p = 0; p < PROPERTIES; p++) {
        if (choices[p].n == 0) {
            return 0;
        }
    }
    return 1;
}

int gk_manifest(const struct gasket_operation *operation,
                int (*each)(void *user, const struct gk_combination *combination), void *user) {
    struct gk_structure structure;
    struct choices choices[PROPERTIES] = {0};
    int at[PROPERTIES] = {0};
    if (!operation->ahead_of_time || gk_formula_structure(&operation->formula, &structure)) {
        return 0;
    }
    collect(operation, &structure, choices);
    int more = has_choices(choices), stopped = 0;
    while (more && !stopped) {
        struct gk_combination combination = combination_at(choices, at);
        stopped = exists(&combination) ? each(user, &combination) : 0;
        more = advance(choices, at);
    }
    return stopped;
}

static const char *space(const struct gk_writer *writer) {
    return writer->length > 0 ? " " : "";
}

const char *gk_form_text(char text[GK_TEXT], const struct gk_combination *combination) {
    static const char *const axes[] = {"outer", "middle", "inner"};
    struct gk_writer writer = gk_writer_start(text, GK_TEXT);
    if (combination->depth > DEPTH_LAST) {
        gk_write(&writer, "depth=n");
    } else if (combination->depth >= 0) {
        gk_write(&writer, "depth=%d", combination->depth);
    }
    if (combination->axis >= 0) {
        gk_write(&writer, "%saxis=%s", space(&writer), axes[combination->axis]);
    }
    if (combination->batch >= 0) {
        gk_write(&writer, "%sbatch=%d", space(&writer), combination->batch);
    }
    if (writer.length == 0) {
        gk_write(&writer, "-");
    }
    return text;
}

/* Depth 0 has no values to read and deep tuples no body of their own: the resolver of run-time depth serves both. */
static struct gasket_kernel resolver_of(const struct gk_combination *combination) {
    int depth = combination->depth < 0 ? 1 : combination->depth;
    return (struct gasket_kernel){
        .kind = GASKET_RESOLVE,
        .index_dtype = (uint8_t)combination->index,
        .depth = depth == 0 || depth > DEPTH_LAST ? GASKET_ANY : (uint8_t)depth,
    };
}

static struct gasket_kernel mover_of(const struct gasket_operation *operation,
                                     const struct gk_combination *combination) {
    int stores = combination->combine == GASKET_STORE;
    int kind = !gk_formula_scatters(&operation->formula) ? GASKET_MOVE : stores ? GASKET_PLACE : GASKET_REDUCE;
    return (struct gasket_kernel){
        .kind = (uint8_t)kind,
        .value_dtype = (uint8_t)combination->value,
        .combine = (uint8_t)combination->combine,
        .nan_propagates = GASKET_ANY,
    };
}

const char *gk_bodies_text(char text[GK_TEXT], const struct gasket_operation *operation,
                           const struct gk_combination *combination) {
    struct gk_writer writer = gk_writer_start(text, GK_TEXT);
    struct gasket_kernel resolver = resolver_of(combination), mover = mover_of(operation, combination);
    char row[16] = "*";
    if (combination->axis == AXIS_INNER && mover.kind == GASKET_MOVE) {
        snprintf(row, sizeof row, "%d", dtypes[combination->value].bits / 8);
    }
    gk_write_what(&writer, &resolver, "");
    gk_write(&writer, "/%s + ", gk_resolve_form_text(gk_resolve_form(combination->bounds)));
    gk_write_what(&writer, &mover, row);
    return text;
}
