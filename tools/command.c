/* command: options of the verbs, and the words between them. */
#include "command.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <gasket/gasket.h>

enum { MOST_THREADS = 4096, MOST_RUNS = 1000000, MOST_OPTIONS = 32 };

/* What an option sets, and for which verbs it is. */
struct option {
    const char *name;
    const char *verbs;
    size_t field;          /* of the text or the number */
    int flag, least, most; /* flag: what it sets its number to, without a value; most 0: a text */
    const char *const words[5];
};
#define FIELD(name) offsetof(struct tool_command, name)
#define STAGE(name) 1 + GASKET_STAGE_##name

static const struct option options[] = {
    {"-o", "run", FIELD(output), 0, 0, 0, {NULL}},
    {"--formula", "run explain jit call", FIELD(formula), 0, 0, 0, {NULL}},
    {"--ranks", "run explain jit call", FIELD(ranks), 0, 0, 0, {NULL}},
    {"--threads", "run explain jit warm info", FIELD(threads), 0, 0, MOST_THREADS, {NULL}},
    {"--isa", "run explain jit warm list info", FIELD(isa), 0, 0, 0, {"base", "avx2", "avx512", "neon"}},
    {"--tier", "run explain jit warm", FIELD(tier), 0, 0, 0, {"exact", "jit", "general", "interpreter"}},
    {"--jit", "run explain", FIELD(jit), 0, 0, 0, {"off", "sync", "async", "require"}},
    {"--cache", "run explain jit warm cache info", FIELD(cache), 0, 0, 0, {NULL}},
    {"--source", "explain", FIELD(stage), STAGE(SOURCE), 0, 0, {NULL}},
    {"--ir", "explain", FIELD(stage), STAGE(IR), 0, 0, {NULL}},
    {"--optimised", "explain", FIELD(stage), STAGE(OPTIMISED), 0, 0, {NULL}},
    {"--asm", "explain", FIELD(stage), STAGE(ASSEMBLY), 0, 0, {NULL}},
    {"--object", "explain", FIELD(stage), STAGE(OBJECT), 0, 0, {NULL}},
    {"--to", "cache", FIELD(limit), 0, 0, 0, {NULL}},
    {"--repeat", "run", FIELD(repeat), 0, 1, MOST_RUNS, {NULL}},
    {"--check", "run", FIELD(check), 1, 0, 0, {NULL}},
    {"--verbose", "run", FIELD(verbose), 1, 0, 0, {NULL}},
    {"--json", "run explain jit warm cache list info", FIELD(json), 1, 0, 0, {NULL}},
    {"--help", "run explain jit warm cache list info", FIELD(help), 1, 0, 0, {NULL}},
};
enum { N_OPTIONS = sizeof options / sizeof options[0] };

static int is_for(const struct option *option, const char *verb) {
    const char *found = strstr(option->verbs, verb);
    return found != NULL && (found[strlen(verb)] == 0 || found[strlen(verb)] == ' ');
}

/* The option that the word begins with: alone or before '='. */
static const struct option *find(const char *word, const char *verb) {
    size_t length = strcspn(word, "=");
    for (int i = 0; i < N_OPTIONS; i++) {
        if (is_for(&options[i], verb) && strlen(options[i].name) == length &&
            memcmp(options[i].name, word, length) == 0) {
            return &options[i];
        }
    }
    return strcmp(word, "-h") == 0 ? find("--help", verb) : NULL;
}

static int unknown_option(const char *word, const char *verb, struct tool_failure *failure) {
    const char *names[MOST_OPTIONS];
    char name[64];
    size_t n = 0, length = strcspn(word, "=");
    for (int i = 0; i < N_OPTIONS; i++) {
        if (is_for(&options[i], verb)) {
            names[n++] = options[i].name;
        }
    }
    length = length < sizeof name - 1 ? length : sizeof name - 1;
    memcpy(name, word, length);
    name[length] = 0;
    return tool_unknown(failure, "option", name, names, n);
}

static int check_word(const struct option *option, const char *value, struct tool_failure *failure) {
    size_t n = 0;
    for (; option->words[n]; n++) {
        if (strcmp(option->words[n], value) == 0) {
            return TOOL_DONE;
        }
    }
    char kind[32] = "value of ";
    strncat(kind, option->name, sizeof kind - strlen(kind) - 1);
    return n == 0 ? TOOL_DONE : tool_unknown(failure, kind, value, option->words, n);
}

static int set(struct tool_command *command, const struct option *option, const char *value,
               struct tool_failure *failure) {
    char *field = (char *)command + option->field, *end;
    if (option->most == 0) {
        memcpy(field, &value, sizeof value);
        return *value ? check_word(option, value, failure) : tool_misuse(failure, "%s is empty", option->name);
    }
    long number = strtol(value, &end, 10);
    if (*value == 0 || *end != 0 || number < option->least || number > option->most) {
        return tool_misuse(failure, "%s takes a whole number from %d to %d, not '%.64s'", option->name, option->least,
                           option->most, value);
    }
    int small = (int)number;
    memcpy(field, &small, sizeof small);
    return TOOL_DONE;
}

/* Reads the option at words[*i] and moves on to its last word. */
static int read_option(struct tool_command *command, const char *verb, int *i, int n, char **words,
                       struct tool_failure *failure) {
    const struct option *option = find(words[*i], verb);
    const char *value = strchr(words[*i], '=');
    if (!option) {
        return unknown_option(words[*i], verb, failure);
    }
    if (option->flag) {
        memcpy((char *)command + option->field, &option->flag, sizeof option->flag);
        return value ? tool_misuse(failure, "%s takes no value", option->name) : TOOL_DONE;
    }
    if (!value && *i + 1 == n) {
        return tool_misuse(failure, "%s needs a value", option->name);
    }
    return set(command, option, value ? value + 1 : words[++*i], failure);
}

static int takes_files(const char *verb) {
    return strcmp(verb, "cache") == 0 || strcmp(verb, "warm") == 0;
}

/* The operation, or a file, or NAME=VALUE, which is moved to the front. */
static int read_word(struct tool_command *command, const char *verb, char *word, struct tool_failure *failure) {
    if (strchr(word, '=') && !takes_files(verb)) {
        command->pairs[command->n_pairs++] = word;
        return TOOL_DONE;
    }
    if (command->operation && !command->file && strcmp(verb, "cache") == 0) {
        command->file = word;
        return TOOL_DONE;
    }
    if (command->operation && takes_files(verb)) {
        return tool_misuse(failure, "'%.64s' is one word too many", word);
    }
    if (command->operation) {
        return tool_misuse(failure, "'%.64s' is not understood: arguments are NAME=VALUE", word);
    }
    command->operation = word;
    return TOOL_DONE;
}

/* The operation of a formula is called "formula". */
static int name_formula(struct tool_command *command, struct tool_failure *failure) {
    if (command->ranks && !command->formula) {
        return tool_misuse(failure, "--ranks says what the groups of a --formula have, and there is none");
    }
    if (command->formula && command->operation) {
        return tool_misuse(failure, "'%.64s' is not understood: --formula takes the place of the operation",
                           command->operation);
    }
    command->operation = command->formula ? "formula" : command->operation;
    return TOOL_DONE;
}

int tool_command_read(struct tool_command *command, const char *verb, int n, char **words,
                      struct tool_failure *failure) {
    int outcome = TOOL_DONE;
    memset(command, 0, sizeof *command);
    command->pairs = words;
    command->repeat = 1;
    for (int i = 0; i < n && !outcome; i++) {
        int is_option = words[i][0] == '-' && words[i][1] != 0;
        outcome =
            is_option ? read_option(command, verb, &i, n, words, failure) : read_word(command, verb, words[i], failure);
    }
    return outcome ? outcome : name_formula(command, failure);
}
