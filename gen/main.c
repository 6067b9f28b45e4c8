/* gasket-gen: specs and templates -> a kernel set in C. Arguments and the order of the steps; the steps are elsewhere.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/emit.h"
#include "gen/files.h"
#include "gen/needs.h"
#include "gen/options.h"
#include "gen/outputs.h"

enum { EXIT_FINE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

static int read_specs(const struct gk_options *options, struct gk_specs *specs) {
    for (size_t i = 0; i < options->specs.count; i++) {
        if (gk_specs_read(specs, options->specs.items[i].name) != 0) {
            return -1;
        }
    }
    return gk_specs_finish(specs, options->values, options->indices);
}

/* The command as it was given, but without what keeps it from writing. */
static char *fix_command(int argc, char **argv) {
    struct gk_text text = {0};
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--check") != 0) {
            gk_text_format(&text, "%s%s", i > 0 ? " " : "", argv[i]);
        }
    }
    return text.data;
}

/* A path as make reads it. */
static void add_path(struct gk_text *text, const char *path, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const char *escape = path[i] == '$' ? "$" : strchr(" #", path[i]) != NULL ? "\\" : "";
        gk_text_format(text, "%s%c", escape, path[i]);
    }
}

static void add_dependency(struct gk_text *text, const char *path) {
    gk_text_format(text, " \\\n  ");
    add_path(text, path, strlen(path));
}

static int write_depfile(const char *path, const struct gk_set *set, const struct gk_texts *cuda_sources) {
    struct gk_text text = {0};
    add_path(&text, path, strlen(path) - strlen(".d"));
    gk_text_format(&text, ":");
    for (size_t i = 0; i < set->specs->count; i++) {
        add_dependency(&text, set->specs->items[i].path);
    }
    for (size_t i = 0; i < set->strategies->count; i++) {
        add_dependency(&text, set->strategies->items[i].rule_path);
        add_dependency(&text, set->strategies->items[i].text_path);
    }
    for (size_t i = 0; i < cuda_sources->count; i++) {
        add_dependency(&text, cuda_sources->items[i].name);
    }
    gk_text_format(&text, "\n");
    int result = gk_file_write(path, &text);
    gk_text_free(&text);
    return result;
}

/* A set runs everywhere, so what has kernels at all has them for every machine. */
static int check_base(const struct gk_strategies *strategies) {
    size_t n_base = 0, n = 0;
    for (size_t i = 0; i < strategies->count; i++) {
        for (size_t k = 0; k < strategies->items[i].count; k++) {
            n++;
            n_base += strategies->items[i].variants[k].kernel.isa == GASKET_BASE;
        }
    }
    return n == 0 || n_base > 0 ? 0 : gk_complain("the strategies make no kernel for isa 'base'");
}

static int make(const struct gk_options *options, const struct gk_specs *specs, char *fix) {
    struct gk_strategies strategies = {0};
    struct gk_texts files = {0}, cuda_sources = {0};
    struct gk_set set = {options->set, specs, &strategies};
    struct gk_needs needs = gk_needs_of(specs, options->isas);
    struct gk_wanted wanted = {options->set, &needs, options->call_time};
    int result = gk_strategies_read(&strategies, options->templates, &wanted);
    if (result == 0) {
        result = check_base(&strategies);
    }
    if (result == 0 && options->cuda != NULL) {
        result = gk_write_cuda(options->templates, options->cuda, &files, &cuda_sources);
    }
    if (result == 0) {
        gk_write_kernels(&set, &files);
        gk_write_table(&set, &files);
        gk_write_operations(&set, &files);
        gk_write_manifest(&set, &files);
        result =
            options->mode == GK_MODE_CHECK ? gk_emit_check(&files, options->out, fix) : gk_emit(&files, options->out);
    }
    if (result == 0 && options->depfile != NULL) {
        result = write_depfile(options->depfile, &set, &cuda_sources);
    }
    gk_texts_free(&cuda_sources);
    gk_texts_free(&files);
    gk_strategies_free(&strategies);
    return result;
}

static int run(const struct gk_options *options, char *fix) {
    struct gk_specs specs = {0};
    int result = read_specs(options, &specs);
    if (result == 0 && options->mode == GK_MODE_LIST) {
        gk_list_manifest(&specs, stdout);
        result = fflush(stdout) == 0 ? 0 : gk_complain("can not write to the standard output");
    } else if (result == 0) {
        result = make(options, &specs, fix);
    }
    gk_specs_free(&specs);
    return result;
}

int main(int argc, char **argv) {
    struct gk_options options;
    int status = EXIT_FINE;
    char *fix = fix_command(argc, argv);
    if (gk_options_parse(&options, argc, argv) != 0) {
        fputs("Try 'gasket-gen --help'.\n", stderr);
        status = EXIT_USAGE;
    } else if (options.mode == GK_MODE_HELP) {
        fputs(gk_help, stdout);
    } else if (run(&options, fix) != 0) {
        status = EXIT_FAILED;
    }
    gk_options_free(&options);
    free(fix);
    return status;
}
