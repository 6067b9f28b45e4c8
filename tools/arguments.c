/* arguments: what a NAME is comes from the operation; what a VALUE is, from its look. */
#include "arguments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "literal.h"
#include "npy.h"
#include "session.h"
#include "shape.h"
#include "types.h"

/* ---- Values by kind ---- */

/* FILE or FILE:TYPE. What follows the last colon is a type wherever it is the name of one. */
static int read_file(struct tool_array *array, const char *value, struct tool_failure *failure) {
    char path[4096];
    DLDataType type;
    const char *colon = strrchr(value, ':');
    size_t length = colon ? (size_t)(colon - value) : 0;
    if (!colon || length >= sizeof path || gasket_type_parse(colon + 1, &type) != GASKET_OK) {
        return tool_npy_read(array, value, NULL, failure);
    }
    memcpy(path, value, length);
    path[length] = 0;
    return tool_npy_read(array, path, &type, failure);
}

static int read_tensor(struct tool_operand *operand, struct gasket_argument *argument, struct tool_failure *failure) {
    struct tool_array *array = &operand->array;
    argument->tensor = &array->tensor;
    if (tool_is_shape(operand->value)) {
        return tool_shape_read(array, operand->value, failure);
    }
    return tool_is_literal(operand->value) ? tool_literal_read(array, operand->value, NULL, failure)
                                           : read_file(array, operand->value, failure);
}

/* One whole number of 64 bits; NULL where there is none, else what follows it. */
static const char *scan_integer(const char *text, int64_t *integer) {
    struct tool_value value;
    struct tool_failure ignored;
    const DLDataType i64 = {kDLInt, 64, 1};
    const char *end = tool_value_scan(text, &value);
    return end && tool_value_store(&value, i64, integer, 0, &ignored) == TOOL_DONE ? end : NULL;
}

static int read_integer(struct tool_operand *operand, struct gasket_argument *argument, struct tool_failure *failure) {
    const char *end = scan_integer(operand->value, &argument->integer);
    return end && *end == 0 ? TOOL_DONE : tool_misuse(failure, "'%.64s' is not a whole number (i64)", operand->value);
}

static const char *past_spaces(const char *text) {
    return text + strspn(text, " ");
}

/* 8,4 or [8,4]; nothing or [] is an empty list. */
static int read_integers(struct tool_operand *operand, struct gasket_argument *argument, struct tool_failure *failure) {
    const char *close = *operand->value == '[' ? "]" : "", *at = past_spaces(operand->value + (*close != 0));
    size_t n = 0;
    int more = strcmp(at, close) != 0;
    while (more && at && n < GASKET_MAX_RANK) {
        at = scan_integer(past_spaces(at), &operand->integers[n++]);
        at = at ? past_spaces(at) : NULL;
        more = at && *at == ',';
        at += more;
    }
    if (more || !at || strcmp(at, close) != 0) {
        return tool_misuse(failure, "'%.64s' is not a list of at most %d whole numbers such as 8,4 or [8,4]",
                           operand->value, GASKET_MAX_RANK);
    }
    argument->integers = operand->integers;
    argument->n_integers = n;
    return TOOL_DONE;
}

static int read_real(struct tool_operand *operand, struct gasket_argument *argument, struct tool_failure *failure) {
    struct tool_value value;
    const DLDataType f64 = {kDLFloat, 64, 1};
    const char *end = tool_value_scan(operand->value, &value);
    if (!end || *end != 0 || tool_value_store(&value, f64, &argument->real, 0, failure)) {
        return tool_misuse(failure, "'%.64s' is not a real number", operand->value);
    }
    return TOOL_DONE;
}

/* The words of the common arguments, so that a wrong one is met with a hint. */
static const struct {
    const char *name;
    const char *const words[7];
} choices[] = {
    {"bounds", {"error", "fill", "drop", "clip", "from_end", "unchecked"}},
    {"combine", {"store", "add", "sub", "mul", "min", "max"}},
    {"nan", {"ignore", "propagate"}},
    {"accumulate", {"native", "f32"}},
};
enum { N_CHOICES = sizeof choices / sizeof choices[0] };

static int read_text(struct tool_operand *operand, struct gasket_argument *argument, struct tool_failure *failure) {
    argument->text = operand->value;
    for (int i = 0; i < N_CHOICES; i++) {
        size_t n = 0;
        if (strcmp(operand->parameter->name, choices[i].name) != 0) {
            continue;
        }
        for (; choices[i].words[n]; n++) {
            if (strcmp(choices[i].words[n], operand->value) == 0) {
                return TOOL_DONE;
            }
        }
        return tool_unknown(failure, "value", operand->value, choices[i].words, n);
    }
    return TOOL_DONE;
}

static int read_by_kind(struct tool_operand *operand, struct gasket_argument *argument, struct tool_failure *failure) {
    static int (*const reads[])(struct tool_operand *, struct gasket_argument *, struct tool_failure *) = {
        [GASKET_ARGUMENT_TENSOR] = read_tensor,     [GASKET_ARGUMENT_INTEGER] = read_integer,
        [GASKET_ARGUMENT_INTEGERS] = read_integers, [GASKET_ARGUMENT_REAL] = read_real,
        [GASKET_ARGUMENT_TEXT] = read_text,
    };
    argument->name = operand->parameter->name;
    argument->kind = operand->parameter->kind;
    return reads[argument->kind](operand, argument, failure);
}

/* ---- The fill value, whose kind follows the tensors' type ---- */

/* The type of the values, if a tensor of them is among the arguments. */
static int find_value_type(const struct tool_arguments *a, DLDataType *type) {
    for (size_t i = 0; i < a->n; i++) {
        const struct gasket_parameter *parameter = a->operands[i].parameter;
        if (parameter->kind == GASKET_ARGUMENT_TENSOR && parameter->role == GASKET_ROLE_VALUE) {
            *type = a->operands[i].array.tensor.dtype;
            return 1;
        }
    }
    return 0;
}

static int is_fill(const struct tool_operand *operand) {
    return strcmp(operand->parameter->name, "fill") == 0;
}

/* Numbers are given as numbers, which the library fits to the type; what is neither whole nor real as a tensor. */
static int read_fill(const struct tool_arguments *a, struct tool_operand *operand, struct gasket_argument *argument,
                     struct tool_failure *failure) {
    struct tool_value value;
    DLDataType type;
    int is_typed = find_value_type(a, &type), is_literal = tool_is_literal(operand->value);
    const char *end = tool_value_scan(operand->value, &value);
    int is_string = is_typed && tool_type_of(type)->form == TOOL_FORM_STRING;
    int is_bits = is_typed && tool_type_of(type)->form == TOOL_FORM_BITS;
    argument->name = operand->parameter->name;
    if (is_string && !is_literal) {
        argument->kind = GASKET_ARGUMENT_TEXT;
        argument->text = operand->value;
        return TOOL_DONE;
    }
    if (end && *end == 0 && value.kind == TOOL_VALUE_REAL) {
        argument->kind = GASKET_ARGUMENT_REAL;
        return read_real(operand, argument, failure);
    }
    if (end && *end == 0 && !is_bits && scan_integer(operand->value, &argument->integer)) {
        argument->kind = GASKET_ARGUMENT_INTEGER;
        return TOOL_DONE;
    }
    argument->kind = GASKET_ARGUMENT_TENSOR;
    argument->tensor = &operand->array.tensor;
    return is_literal ? tool_literal_read(&operand->array, operand->value, is_typed ? &type : NULL, failure)
                      : read_file(&operand->array, operand->value, failure);
}

/* ---- Names ---- */

static int unknown_name(const struct tool_arguments *a, const char *name, struct tool_failure *failure) {
    const char *names[sizeof a->operation.parameters / sizeof a->operation.parameters[0]];
    char kind[80];
    size_t n = 0;
    if (strcmp(name, a->operation.parameters[0].name) == 0) {
        return tool_misuse(failure,
                           "%s is the result of %s: -o FILE.npy says where it goes, and only how it lies can be given, "
                           "as in f32[2,2]{1,2}",
                           name, a->operation.name);
    }
    for (size_t i = 1; i < a->operation.n_parameters; i++) {
        names[n++] = a->operation.parameters[i].name;
    }
    snprintf(kind, sizeof kind, "argument of %.40s", a->operation.name);
    return tool_unknown(failure, kind, name, names, n);
}

/* out=type[shape]{strides}: what a call-time kernel depends on beside the inputs. */
static int is_output(const struct tool_arguments *a, const char *word) {
    const char *name = a->operation.parameters[0].name;
    size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && word[length] == '=' && tool_is_shape(word + length + 1);
}

/* Finds the parameter of a NAME=VALUE word and sets the operand's value. */
static int bind(const struct tool_arguments *a, struct tool_operand *operand, const char *word,
                struct tool_failure *failure) {
    char name[64];
    size_t length = strcspn(word, "=");
    length = length < sizeof name - 1 ? length : sizeof name - 1;
    memcpy(name, word, length);
    name[length] = 0;
    operand->value = strchr(word, '=') + 1;
    for (size_t i = 1; i < a->operation.n_parameters; i++) {
        if (strcmp(name, a->operation.parameters[i].name) == 0) {
            operand->parameter = &a->operation.parameters[i];
        }
    }
    if (!operand->parameter) {
        return unknown_name(a, name, failure);
    }
    for (struct tool_operand *other = a->operands; other < operand; other++) {
        if (other->parameter == operand->parameter) {
            return tool_misuse(failure, "%s is given twice", name);
        }
    }
    return TOOL_DONE;
}

static int check_complete(const struct tool_arguments *a, struct tool_failure *failure) {
    for (size_t i = 1; i < a->operation.n_parameters; i++) {
        const struct gasket_parameter *parameter = &a->operation.parameters[i];
        int is_given = parameter->is_optional;
        for (size_t k = 0; k < a->n; k++) {
            is_given |= a->operands[k].parameter == parameter;
        }
        if (!is_given) {
            return tool_misuse(failure, "%s needs %s=%s (%s)", a->operation.name, parameter->name,
                               parameter->kind == GASKET_ARGUMENT_TENSOR ? "FILE.npy or a literal" : "VALUE",
                               parameter->doc && *parameter->doc ? parameter->doc : "required");
        }
    }
    return TOOL_DONE;
}

/* ---- All of them ---- */

static int read_values(struct tool_arguments *a, int is_fills_turn, struct tool_failure *failure) {
    int outcome = TOOL_DONE;
    for (size_t i = 0; i < a->n && !outcome; i++) {
        struct tool_operand *operand = &a->operands[i];
        if (is_fill(operand) != is_fills_turn) {
            continue;
        }
        outcome =
            is_fills_turn ? read_fill(a, operand, &a->list[i], failure) : read_by_kind(operand, &a->list[i], failure);
        if (outcome) {
            tool_locate(failure, operand->parameter->name);
        }
    }
    return outcome;
}

int tool_arguments_read(struct tool_arguments *a, gasket_context *context, const struct tool_command *command,
                        struct tool_failure *failure) {
    memset(a, 0, sizeof *a);
    if (!command->operation) {
        return tool_misuse(failure, "which operation? 'gasket info' lists them");
    }
    int outcome = tool_operation_find(context, command->operation, &a->operation, failure);
    if (outcome) {
        return outcome;
    }
    a->list = calloc((size_t)command->n_pairs + 1, sizeof *a->list);
    a->operands = calloc((size_t)command->n_pairs + 1, sizeof *a->operands);
    if (!a->list || !a->operands) {
        return tool_fail(failure, "no memory");
    }
    for (int i = 0; i < command->n_pairs && !outcome; i++) {
        const char *word = command->pairs[i];
        outcome = is_output(a, word) ? tool_shape_read(&a->output, strchr(word, '=') + 1, failure)
                                     : bind(a, &a->operands[a->n++], word, failure);
    }
    outcome = outcome ? outcome : check_complete(a, failure);
    outcome = outcome ? outcome : read_values(a, 0, failure);
    return outcome ? outcome : read_values(a, 1, failure);
}

void tool_arguments_free(struct tool_arguments *a) {
    for (size_t i = 0; i < a->n && a->operands; i++) {
        tool_array_free(&a->operands[i].array);
    }
    free(a->operands);
    free(a->list);
}

void tool_arguments_text(const struct tool_arguments *a, char *text, size_t capacity) {
    char shape[TOOL_SHAPE_TEXT];
    size_t used = 0;
    *text = 0;
    for (size_t i = 0; i < a->n && used < capacity; i++) {
        const DLTensor *tensor = a->list[i].kind == GASKET_ARGUMENT_TENSOR ? a->list[i].tensor : NULL;
        int more = snprintf(
            text + used, capacity - used, "%s%s %s", i ? ", " : "", a->list[i].name,
            tensor ? tool_shape_text(shape, tensor->dtype, tensor->ndim, tensor->shape) : a->operands[i].value);
        used += more > 0 ? (size_t)more : 0;
    }
}
