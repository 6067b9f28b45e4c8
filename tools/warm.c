/* warm: the verb that compiles the kernels of a list of calls, one a line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jit.h"
#include "progress.h"

enum { MOST_WORDS = 64, FAILED = 3, COUNTS = 4 };

struct warming {
    const struct tool_command *command;
    const char *name; /* of the file */
    char *text;
    struct tool_progress progress;
    int counts[COUNTS]; /* by enum tool_source, then of failures */
};

/* ---- The list ---- */

/* All of a file or of standard input. */
static int read_list(struct warming *warming, struct tool_failure *failure) {
    const char *path = warming->command->operation;
    if (!path) {
        return tool_misuse(failure, "which file? '-' is standard input");
    }
    const int is_standard = strcmp(path, "-") == 0;
    FILE *file = is_standard ? stdin : fopen(path, "r");
    size_t capacity = 0;
    warming->name = is_standard ? "standard input" : path;
    if (!file) {
        return tool_fail(failure, "%s: %s", path, strerror(errno));
    }
    const ssize_t length = getdelim(&warming->text, &capacity, 0, file);
    const int is_wrong = ferror(file), has_zero = length > 0 && warming->text[length - 1] == 0, reason = errno;
    if (!is_standard) {
        fclose(file);
    }
    if (is_wrong || has_zero) {
        return tool_fail(failure, "%s: %s", warming->name,
                         is_wrong ? strerror(reason) : "a zero byte: this is no text");
    }
    if (length < 0) {
        *warming->text = 0;
    }
    return TOOL_DONE;
}

/* Where the words of a line begin; NULL where it has none. */
static char *find_problem(char *line) {
    line += strspn(line, " \t\r");
    if (strncmp(line, "call:", 5) == 0) {
        line += 5 + strspn(line + 5, " \t\r");
    }
    return *line == 0 || *line == '#' ? NULL : line;
}

/* Takes the next word out of the line, as a shell does; ' is the only quote. NULL when one is not closed. */
static char *next_word(char **line) {
    char *word = *line, *end = word;
    int is_quoted = 0;
    for (; **line && (is_quoted || !strchr(" \t\r", **line)); ++*line) {
        if (**line == '\'') {
            is_quoted = !is_quoted;
        } else {
            *end++ = **line;
        }
    }
    *line += **line != 0;
    *line += strspn(*line, " \t\r");
    *end = 0;
    return is_quoted ? NULL : word;
}

static int read_problem(const struct tool_command *command, char *line, struct tool_command *problem,
                        char *words[MOST_WORDS], struct tool_failure *failure) {
    int n = 0;
    while (*line) {
        if (n == MOST_WORDS) {
            return tool_misuse(failure, "more than %d words", MOST_WORDS);
        }
        words[n] = next_word(&line);
        if (!words[n++]) {
            return tool_misuse(failure, "a quote is not closed");
        }
    }
    int outcome = tool_command_read(problem, "call", n, words, failure);
    problem->isa = command->isa;
    problem->tier = command->tier;
    problem->cache = command->cache;
    problem->threads = command->threads;
    return outcome;
}

/* ---- Compiling ---- */

/* A kernel that is not stored was compiled in vain. */
static int make(const struct tool_command *problem, enum tool_source *source, struct tool_failure *failure) {
    struct tool_kernel kernel;
    int outcome = tool_kernel_open(&kernel, problem, failure);
    *source = kernel.source;
    if (!outcome && kernel.not_stored) {
        outcome = tool_fail(failure, "compiled, but not stored: %s", kernel.not_stored);
    }
    tool_kernel_close(&kernel);
    return outcome;
}

static void warm_line(struct warming *warming, char *line, int number) {
    struct tool_command problem;
    struct tool_failure failure = {""};
    char *words[MOST_WORDS];
    enum tool_source source = TOOL_COMPILED;
    int outcome = read_problem(warming->command, line, &problem, words, &failure);
    outcome = outcome ? outcome : make(&problem, &source, &failure);
    if (outcome) {
        fprintf(stderr, "%sgasket: %s:%d: %s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", warming->name, number,
                failure.text);
    }
    warming->counts[outcome ? FAILED : (int)source]++;
    warming->progress.done++;
}

/* Calls warm_line, unless `counts_only`, for each problem; how many there are. */
static int each_line(struct warming *warming, int counts_only) {
    int number = 0, n = 0;
    for (char *line = warming->text, *next; line; line = next) {
        next = strchr(line, '\n');
        number++;
        if (next && !counts_only) {
            *next = 0;
        }
        char *problem = find_problem(line);
        const int is_one = problem && *problem != '\n';
        if (is_one && !counts_only) {
            warm_line(warming, problem, number);
        }
        n += is_one;
        next = next ? next + 1 : NULL;
    }
    return n;
}

/* ---- Telling ---- */

static void print_json(const int *counts, int n) {
    static const char *const names[COUNTS] = {"compiled", "cached", "ahead_of_time", "failed"};
    struct tool_json json = tool_json_begin(stdout);
    tool_json_open(&json, NULL, '{');
    tool_json_integer(&json, "problems", n);
    for (int i = 0; i < COUNTS; i++) {
        tool_json_integer(&json, names[i], counts[i]);
    }
    tool_json_close(&json, '}');
}

static int tell(const struct warming *warming, int n, struct tool_failure *failure) {
    const int *counts = warming->counts;
    char text[128];
    snprintf(text, sizeof text, "%d kernel%s: %d compiled, %d cached, %d ahead of time, %d failed", n,
             n == 1 ? "" : "s", counts[TOOL_COMPILED], counts[TOOL_CACHED], counts[TOOL_AHEAD_OF_TIME], counts[FAILED]);
    if (warming->command->json) {
        print_json(counts, n);
    } else if (!counts[FAILED]) {
        puts(text);
    }
    return counts[FAILED] ? tool_fail(failure, "%s", text) : TOOL_DONE;
}

int tool_warm(const struct tool_command *command, struct tool_failure *failure) {
    struct warming warming = {.command = command};
    int outcome = read_list(&warming, failure);
    if (!outcome) {
        const int n = each_line(&warming, 1);
        tool_progress_start(&warming.progress, "compiling", n);
        each_line(&warming, 0);
        tool_progress_stop(&warming.progress);
        outcome = tell(&warming, n, failure);
    }
    free(warming.text);
    return outcome;
}
