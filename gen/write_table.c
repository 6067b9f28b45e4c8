/* write_table: the kernel set as constant data. */
#include <stdlib.h>

#include "gen/dtypes.h"
#include "gen/outputs.h"

static const char *const kind_constants[] = {"GASKET_RESOLVE", "GASKET_MOVE",  "GASKET_PLACE",
                                             "GASKET_REDUCE",  "GASKET_FUSED", "GASKET_CHECK"};
static const char *const isa_constants[] = {"GASKET_BASE", "GASKET_AVX2", "GASKET_AVX512", "GASKET_NEON"};
static const char *const form_constants[] = {"GASKET_MARK", "GASKET_CLIP", "GASKET_WRAP", "GASKET_RAW"};
static const char *const combine_constants[] = {"GASKET_STORE", "GASKET_ADD", "GASKET_SUB",
                                                "GASKET_MUL",   "GASKET_MIN", "GASKET_MAX"};
static const char *const members[] = {"resolve", "rows", "rows", "rows", "fused", "check"};

static void add_item(struct gk_text *text, const char *name, const char *value) {
    char *item = gk_printed(".%s = %s,", name, value);
    gk_text_wrap(text, item, 5);
    free(item);
}

static void add_number(struct gk_text *text, const char *name, int number) {
    char *value = number == GASKET_ANY ? gk_copy("GASKET_ANY") : gk_printed("%d", number);
    add_item(text, name, value);
    free(value);
}

static void add_constant(struct gk_text *text, const char *name, uint8_t number, const char *const *constants) {
    add_item(text, name, number == GASKET_ANY ? "GASKET_ANY" : constants[number]);
}

static const char *dtype_constant(uint8_t dtype) {
    return dtype == GASKET_ANY ? "GASKET_ANY" : gk_dtype_rows[dtype].constant;
}

/* A limit of a rule; what is zero is left to the compiler. */
static void add_limit(struct gk_text *text, const char *name, int64_t value) {
    struct gk_text item = {0};
    if (value != 0) {
        gk_text_format(&item, ".%s = ", name);
        gk_text_int64(&item, value);
        gk_text_format(&item, ",");
        gk_text_wrap(text, item.data, 14);
    }
    gk_text_free(&item);
}

static void add_cost(struct gk_text *text, float value) {
    struct gk_text item = {0};
    gk_text_format(&item, ".cost = ");
    gk_text_float(&item, value);
    gk_text_format(&item, "},");
    gk_text_wrap(text, item.data, 14);
    gk_text_free(&item);
}

static void write_rule(const struct gasket_rule *rule, struct gk_text *text) {
    gk_text_format(text, "\n     .rule = {");
    add_limit(text, "row_min", rule->row_min);
    add_limit(text, "row_max", rule->row_max);
    add_limit(text, "row_multiple", rule->row_multiple);
    add_limit(text, "count_min", rule->count_min);
    add_limit(text, "count_max", rule->count_max);
    add_limit(text, "bytes_min", rule->bytes_min);
    add_limit(text, "alignment", rule->alignment);
    add_limit(text, "strided", rule->strided);
    add_limit(text, "packed_tuples", rule->packed_tuples);
    add_limit(text, "packed_rows", rule->packed_rows);
    add_limit(text, "exact", rule->exact);
    add_cost(text, rule->cost);
}

static void write_kernel(const char *set, const char *strategy, const struct gk_variant *variant,
                         struct gk_text *text) {
    const struct gasket_kernel *kernel = &variant->kernel;
    gk_text_format(text, "    {.name = \"%s\", .strategy = \"%s\",\n     ", variant->name, strategy);
    add_constant(text, "kind", kernel->kind, kind_constants);
    add_constant(text, "isa", kernel->isa, isa_constants);
    add_item(text, "index_dtype", dtype_constant(kernel->index_dtype));
    add_number(text, "depth", kernel->depth);
    add_constant(text, "form", kernel->form, form_constants);
    add_item(text, "value_dtype", dtype_constant(kernel->value_dtype));
    add_constant(text, "combine", kernel->combine, combine_constants);
    add_number(text, "nan_propagates", kernel->nan_propagates);
    write_rule(&kernel->rule, text);
    gk_text_format(text, "\n     .run.%s = %s_%s},\n", members[kernel->kind], set, variant->name);
}

static size_t write_isa(const struct gk_set *set, enum gasket_isa isa, struct gk_text *text) {
    size_t n = 0;
    for (size_t i = 0; i < set->strategies->count; i++) {
        const struct gk_strategy *strategy = &set->strategies->items[i];
        for (size_t k = 0; k < strategy->count; k++) {
            if (strategy->variants[k].kernel.isa == isa) {
                write_kernel(set->name, strategy->name, &strategy->variants[k], text);
                n++;
            }
        }
    }
    return n;
}

void gk_write_table_kernels(const struct gk_set *set, struct gk_text *text) {
    for (int isa = 0; isa < GASKET_ISAS; isa++) {
        const char *condition = gk_isa_condition((enum gasket_isa)isa);
        struct gk_text kernels = {0};
        if (write_isa(set, (enum gasket_isa)isa, &kernels) > 0) {
            gk_text_format(text, condition != NULL ? "#if %s\n" : "%s", condition != NULL ? condition : "");
            gk_text_add(text, kernels.data, kernels.length);
            gk_text_format(text, "%s", condition != NULL ? "#endif\n" : "");
        }
        gk_text_free(&kernels);
    }
}

static void write_header(const struct gk_set *set, struct gk_text *text) {
    gk_write_specs_banner(text, "/* ", " */", set->specs);
    gk_text_format(text, "#ifndef ");
    gk_write_guard(text, set, "TABLE");
    gk_text_format(text, "\n#define ");
    gk_write_guard(text, set, "TABLE");
    gk_text_format(text,
                   "\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
                   "extern const struct gasket_kernel_set %s_kernel_set;\n\n"
                   "#ifdef __cplusplus\n}\n#endif\n\n#endif\n",
                   set->name);
}

void gk_write_table(const struct gk_set *set, struct gk_texts *files) {
    struct gk_text kernels = {0};
    gk_write_table_kernels(set, &kernels);
    write_header(set, gk_texts_add(files, "table.h"));
    struct gk_text *text = gk_texts_add(files, "table.c");
    gk_write_specs_banner(text, "/* ", " */", set->specs);
    gk_text_format(text, "#include \"abi/kernel.h\"\n#include \"cpu/kernels.h\"\n#include \"table.h\"\n\n");
    gk_text_format(text, "static const struct gasket_operation operations[] = {\n");
    gk_write_table_operations(set->specs, text);
    gk_text_format(text, "};\n\n");
    if (kernels.length > 0) {
        gk_text_format(text, "static const struct gasket_kernel kernels[] = {\n%s};\n\n", kernels.data);
    }
    gk_text_format(text,
                   "const struct gasket_kernel_set %s_kernel_set = {\n"
                   "    .abi_version = GASKET_ABI_VERSION,\n    .name = \"%s\",\n    .operations = operations,\n"
                   "    .n_operations = sizeof operations / sizeof *operations,\n",
                   set->name, set->name);
    if (kernels.length > 0) {
        gk_text_format(text, "    .kernels = kernels,\n    .n_kernels = sizeof kernels / sizeof *kernels,\n");
    }
    gk_text_format(text, "};\n");
    gk_text_free(&kernels);
}
