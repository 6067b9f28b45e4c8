/* options: see options.h. */
#include "gen/options.h"

#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "formula/nearest.h"
#include "gen/dtypes.h"
#include "gen/files.h"

const char gk_help[] =
    "Usage: gasket-gen --specs PATH --templates DIR --out DIR [options]\n"
    "\n"
    "Reads the specs of operations and the templates of kernels, and writes C: the kernels, a table of them, typed\n"
    "functions and a list of all that they serve. Writes only files that change, removes files of its own that it no\n"
    "longer makes, and writes nothing if anything is wrong.\n"
    "\n"
    "  --specs PATH        a spec, or a folder of them (*.lua); may be given more than once\n"
    "  --templates DIR     the folder that has cpu/<strategy>.lua and cpu/<strategy>.c.in\n"
    "  --out DIR           the folder to write into\n"
    "  --set NAME          what all symbols begin with (default: gasket)\n"
    "  --dtypes A,B,...    only these types of values (names or classes such as float)\n"
    "  --index A,B,...     only these types of indices\n"
    "  --isas A,B,...      only these instruction sets: avx2, avx512, neon; base is always made\n"
    "  --call-time         also writes the texts that are compiled when they are called, which belong to no set\n"
    "  --cuda DIR          also writes the templates cuda/*.cu, with headers of DIR/abi in place of their includes\n"
    "  --depfile FILE      also writes a make rule: FILE without its .d depends on all files that were read\n"
    "  --check             writes nothing; says what differs in DIR and which command would fix it\n"
    "  --list              writes nothing; prints every combination that kernels serve, one a line\n"
    "  --help              prints this\n"
    "\n"
    "Exit status: 0 all is well, 1 something is wrong or differs, 2 wrong usage.\n";

static const char *const isa_names[] = {GASKET_ISA_NAMES};

static int take_specs(struct gk_options *options, const char *value) {
    gk_texts_add(&options->specs, value);
    return 0;
}

static int take_templates(struct gk_options *options, const char *value) {
    options->templates = value;
    return 0;
}

static int take_out(struct gk_options *options, const char *value) {
    options->out = value;
    return 0;
}

static int take_depfile(struct gk_options *options, const char *value) {
    size_t length = strlen(value);
    options->depfile = value;
    return length > 2 && strcmp(value + length - 2, ".d") == 0 ? 0
                                                               : gk_complain("--depfile: '%s' must end in .d", value);
}

static int take_set(struct gk_options *options, const char *value) {
    options->set = value;
    if (value[0] < 'a' || value[0] > 'z' || strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(value) ||
        strlen(value) >= GASKET_NAME_SIZE) {
        return gk_complain("--set: '%s' is no name: it must match [a-z][a-z0-9_]* and be shorter than %d", value,
                           GASKET_NAME_SIZE);
    }
    return 0;
}

/* Calls `add` for each part between commas. */
static int split(uint32_t *set, const char *value, int (*add)(uint32_t *set, const char *name)) {
    int result = 0;
    char *copy = gk_copy(value), *rest = copy;
    while (result == 0 && rest != NULL) {
        char *name = strsep(&rest, ",");
        result = add(set, name);
    }
    free(copy);
    return result;
}

static int add_dtype(uint32_t *set, const char *name) {
    uint32_t found = gk_dtype_set(name);
    *set |= found;
    return found != 0 ? 0 : gk_complain("unknown type '%s' (did you mean '%s'?)", name, gk_dtype_nearest(name));
}

static int add_isa(uint32_t *set, const char *name) {
    size_t isa = gk_name_index(name, isa_names, GASKET_ISAS);
    if (isa == GASKET_ISAS) {
        return gk_complain("unknown instruction set '%s' (did you mean '%s'?)", name,
                           gk_nearest(name, isa_names, GASKET_ISAS));
    }
    *set |= GASKET_BIT(isa);
    return 0;
}

static int take_dtypes(struct gk_options *options, const char *value) {
    options->values = 0;
    return split(&options->values, value, add_dtype);
}

static int take_index(struct gk_options *options, const char *value) {
    options->indices = 0;
    if (split(&options->indices, value, add_dtype) != 0) {
        return -1;
    }
    return (options->indices & ~gk_integer_set()) == 0 ? 0 : gk_complain("--index: only integers can be indices");
}

static int take_isas(struct gk_options *options, const char *value) {
    options->isas = GASKET_BIT(GASKET_BASE);
    return split(&options->isas, value, add_isa);
}

static int take_call_time(struct gk_options *options, const char *value) {
    (void)value;
    options->call_time = 1;
    return 0;
}

static int take_cuda(struct gk_options *options, const char *value) {
    options->cuda = value;
    return 0;
}

static int take_mode(struct gk_options *options, enum gk_mode mode) {
    if (options->mode != GK_MODE_WRITE && options->mode != mode) {
        return gk_complain("--check and --list do not go together");
    }
    options->mode = mode;
    return 0;
}

static int take_check(struct gk_options *options, const char *value) {
    (void)value;
    return take_mode(options, GK_MODE_CHECK);
}

static int take_list(struct gk_options *options, const char *value) {
    (void)value;
    return take_mode(options, GK_MODE_LIST);
}

static const struct {
    const char *name;
    int has_value;
    int (*take)(struct gk_options *options, const char *value);
} known[] = {
    {"--specs", 1, take_specs}, {"--templates", 1, take_templates}, {"--out", 1, take_out},
    {"--set", 1, take_set},     {"--dtypes", 1, take_dtypes},       {"--index", 1, take_index},
    {"--isas", 1, take_isas},   {"--depfile", 1, take_depfile},     {"--check", 0, take_check},
    {"--list", 0, take_list},   {"--call-time", 0, take_call_time}, {"--cuda", 1, take_cuda},
};
enum { N_KNOWN = sizeof known / sizeof *known };

static int complain_unknown(const char *argument) {
    const char *names[N_KNOWN];
    if (argument[0] != '-') {
        return gk_complain("'%s' does not belong to an option", argument);
    }
    for (size_t i = 0; i < N_KNOWN; i++) {
        names[i] = known[i].name;
    }
    return gk_complain("unknown option '%s' (did you mean '%s'?)", argument, gk_nearest(argument, names, N_KNOWN));
}

/* Takes the option at argv[at]; returns how many arguments that were, or -1. */
static int take(struct gk_options *options, int argc, char **argv, int at) {
    size_t i = 0;
    while (i < N_KNOWN && strcmp(argv[at], known[i].name) != 0) {
        i++;
    }
    if (i == N_KNOWN) {
        return complain_unknown(argv[at]);
    }
    if (known[i].has_value && (at + 1 >= argc || argv[at + 1][0] == '\0')) {
        return gk_complain("%s needs a value", argv[at]);
    }
    return known[i].take(options, known[i].has_value ? argv[at + 1] : NULL) != 0 ? -1 : 1 + known[i].has_value;
}

static int check_complete(const struct gk_options *options) {
    if (options->specs.count == 0) {
        return gk_complain("--specs is missing");
    }
    if (options->mode != GK_MODE_LIST && (options->templates == NULL || options->out == NULL)) {
        return gk_complain("%s is missing", options->templates == NULL ? "--templates" : "--out");
    }
    if (options->mode != GK_MODE_WRITE && options->depfile != NULL) {
        return gk_complain("--depfile does not go with --check or --list");
    }
    return 0;
}

int gk_options_parse(struct gk_options *options, int argc, char **argv) {
    *options = (struct gk_options){.set = "gasket",
                                   .values = gk_dtype_set("all"),
                                   .indices = gk_integer_set(),
                                   .isas = GASKET_BIT(GASKET_ISAS) - 1};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            options->mode = GK_MODE_HELP;
            return 0;
        }
    }
    for (int i = 1; i < argc;) {
        int n = take(options, argc, argv, i);
        if (n < 0) {
            return -1;
        }
        i += n;
    }
    return check_complete(options);
}

void gk_options_free(struct gk_options *options) {
    gk_texts_free(&options->specs);
}
