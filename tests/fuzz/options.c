/* options: see options.h. */
#include "options.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { COUNT, SECONDS, TEXT, FLAG, NO_FLAG };

struct option {
    const char *name, *value, *help;
    enum kind kind;
    size_t offset;
};

#define AT(field) offsetof(struct fuzz_options, field)
static const struct option table[] = {
    {"--seconds", "N", "run for so long (default without --cases: 10)", SECONDS, AT(seconds)},
    {"--cases", "N", "run cases 0 to N - 1 of the seed", COUNT, AT(cases)},
    {"--seed", "N", "the same seed draws the same cases on any machine (default: drawn, and said)", COUNT, AT(seed)},
    {"--op", "OP", "this operation only", TEXT, AT(operation)},
    {"--variant", "PATTERN", "kernels whose name matches only, such as 'move_*__avx2_*'", TEXT, AT(variant)},
    {"--tier", "NAME", "this tier only: exact, jit, general, interpreter or cuda-emulated", TEXT, AT(tier)},
    {"--jobs", "N", "processes at once (default: one for each processor)", COUNT, AT(jobs)},
    {"--failures", "N", "go on until so many failures (default 1)", COUNT, AT(failures)},
    {"--no-shrink", NULL, "print a failure as it was drawn", NO_FLAG, AT(shrinks)},
    {"--replay", "LINE", "run one line, as a failure prints it, instead of drawing", TEXT, AT(replay)},
    {"--corpus", "DIR", "replay the lines in DIR first, and keep new failures there", TEXT, AT(corpus)},
    {"--coverage", "FILE", "write how often each combination, kernel, split and pair of traits ran", TEXT,
     AT(coverage)},
    {"--gate", "N", "fail when a combination, kernel or split ran fewer than N times", COUNT, AT(gate)},
    {"--real-threads", "N", "of 1000 shared runs, how many use threads (default 10); the others take turns", COUNT,
     AT(real_threads)},
    {"--jit-share", "N", "of 1000 cases, how many the call-time tier runs as well (default 0); each compiles a kernel",
     COUNT, AT(jit_share)},
    {"--nvrtc-share", "N", "of 1000 cases of cuda-emulated, how many NVRTC compiles too (default 0)", COUNT,
     AT(nvrtc_share)},
    {"--formulas", "N", "draw N formulas and a few problems for each, for the call-time tier, instead of cases", COUNT,
     AT(formulas)},
    {"--dump", NULL, "print each case and what the interpreter makes of it, and run nothing else", FLAG, AT(dumps)},
    {"--json", NULL, "print the summary as JSON", FLAG, AT(json)},
};

static void print_help(void) {
    puts(
        "gasket-fuzz: draws problems, runs every kernel that applies, compares with the interpreter bit for bit\n\n"
        "usage: gasket-fuzz [OPTION]...\n");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        printf("  %-14s %-8s %s\n", table[i].name, table[i].value ? table[i].value : "", table[i].help);
    puts(
        "\nexit status: 0 all equal; 1 a failure, or a gap in coverage; 2 misuse; 77 call-time kernels are asked for "
        "and this machine compiles none");
}

static int misuse(const char *option, const char *what) {
    fprintf(stderr, "gasket-fuzz: %s: %s; --help says what there is\n", option, what);
    return FUZZ_MISUSED;
}

static int read_value(struct fuzz_options *options, const struct option *option, const char *text) {
    char *field = (char *)options + option->offset, *end;
    errno = 0;
    if (option->kind == TEXT) {
        memcpy(field, &text, sizeof text);
        return FUZZ_GO_ON;
    }
    double seconds = strtod(text, &end);
    if (option->kind == SECONDS) {
        memcpy(field, &seconds, sizeof seconds);
        return *text && *end == 0 && seconds > 0 ? FUZZ_GO_ON : misuse(option->name, "needs a positive number");
    }
    uint64_t count = strtoull(text, &end, 10);
    if (*text == 0 || *text == '-' || *end != 0 || errno) return misuse(option->name, "needs a whole number");
    int is_int = option->offset == AT(jobs) || option->offset == AT(real_threads) || option->offset == AT(jit_share) ||
                 option->offset == AT(nvrtc_share);
    int narrow = count > 1000 ? 1000 : (int)count;
    memcpy(field, is_int ? (const void *)&narrow : &count, is_int ? sizeof narrow : sizeof count);
    if (option->offset == AT(seed)) options->has_seed = 1;
    return FUZZ_GO_ON;
}

static int read_option(struct fuzz_options *options, char **argv, int *used) {
    const char *name = argv[0];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct option *option = &table[i];
        if (strcmp(name, option->name) != 0) continue;
        int is_set = option->kind == FLAG;
        *used = option->kind == FLAG || option->kind == NO_FLAG ? 1 : 2;
        if (*used == 1)
            memcpy((char *)options + option->offset, &is_set, sizeof is_set);
        else if (!argv[1])
            return misuse(name, "needs a value");
        return *used == 1 ? FUZZ_GO_ON : read_value(options, option, argv[1]);
    }
    return misuse(name, "no such option");
}

int fuzz_options_read(struct fuzz_options *options, int argc, char **argv) {
    *options = (struct fuzz_options){.failures = 1, .shrinks = 1, .real_threads = 10};
    for (int i = 1, used; i < argc; i += used) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help();
            return FUZZ_HELPED;
        }
        int result = read_option(options, argv + i, &used);
        if (result != FUZZ_GO_ON) return result;
    }
    if (options->formulas > 0) options->cases = options->formulas * FUZZ_PROBLEMS;
    if (options->cases == 0 && options->seconds <= 0) options->seconds = 10;
    return FUZZ_GO_ON;
}
