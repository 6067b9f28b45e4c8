/* The command `gasket`: its verbs. */
#include <errno.h>
#include <gasket/gasket.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "usage.h"

static const struct verb {
    const char *name;
    int (*run)(const struct tool_command *, struct tool_failure *);
} verbs[] = {{"run", tool_run},     {"explain", tool_explain}, {"jit", tool_jit},  {"warm", tool_warm},
             {"cache", tool_cache}, {"list", tool_list},       {"info", tool_info}};
enum { N_VERBS = sizeof verbs / sizeof verbs[0] };

static int unknown_verb(const char *word, struct tool_failure *failure) {
    const char *names[N_VERBS];
    for (int i = 0; i < N_VERBS; i++) {
        names[i] = verbs[i].name;
    }
    return tool_unknown(failure, word[0] == '-' ? "option" : "verb", word, names, N_VERBS);
}

static int run_verb(const char *word, int n, char **words, struct tool_failure *failure) {
    struct tool_command command;
    const struct verb *verb = verbs;
    while (verb < verbs + N_VERBS && strcmp(verb->name, word) != 0) {
        verb++;
    }
    if (verb == verbs + N_VERBS) {
        return unknown_verb(word, failure);
    }
    int outcome = tool_command_read(&command, verb->name, n, words, failure);
    if (!outcome && command.help) {
        return tool_help(verb->name, &command, failure);
    }
    return outcome ? outcome : verb->run(&command, failure);
}

static int is_word(const char *word, const char *a, const char *b) {
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

/* The verb's help where there is one of that name. */
static void point_to_help(const char *word) {
    int is_verb = 0;
    for (int i = 0; i < N_VERBS; i++) {
        is_verb |= strcmp(verbs[i].name, word) == 0;
    }
    fprintf(stderr, "gasket: see 'gasket %s%s--help'\n", is_verb ? word : "", is_verb ? " " : "");
}

int main(int argc, char **argv) {
    struct tool_failure failure = {""};
    int outcome = TOOL_DONE;
    if (argc < 2) {
        tool_usage(stderr);
        return TOOL_MISUSED;
    }
    if (is_word(argv[1], "--help", "-h") || strcmp(argv[1], "help") == 0) {
        tool_usage(stdout);
    } else if (is_word(argv[1], "--version", "-V")) {
        printf("gasket %s\n", gasket_version());
    } else {
        outcome = run_verb(argv[1], argc - 2, argv + 2, &failure);
    }
    if ((fflush(stdout) != 0 || ferror(stdout)) && outcome == TOOL_DONE) {
        outcome = tool_fail(&failure, "the output can not be written: %s", strerror(errno));
    }
    if (outcome) {
        fprintf(stderr, "gasket: %s\n", failure.text);
    }
    if (outcome == TOOL_MISUSED) {
        point_to_help(argv[1]);
    }
    return outcome;
}
