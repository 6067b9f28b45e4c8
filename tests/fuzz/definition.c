/* definition: see definition.h. */
#include "definition.h"

#include <stdio.h>
#include <string.h>

#include "abi/operation.h"

struct defining {
    char text[FUZZ_DEFINITION];
    struct gasket_definition_attribute attributes[GASKET_MAX_ATTRIBUTES];
    struct gasket_definition definition;
};

static void add_list(struct defining *d, const char *name) {
    if (d->definition.n_attributes == GASKET_MAX_ATTRIBUTES) return;
    d->attributes[d->definition.n_attributes++] = (struct gasket_definition_attribute){.name = name, .type = "ints"};
}

/* "W=window,V=other": each names an attribute, and the text stays as it is for the library. */
static void add_extents(struct defining *d, const char *value) {
    static char names[GASKET_MAX_ATTRIBUTES][GASKET_NAME_SIZE];
    for (int i = 0; value && i < GASKET_MAX_ATTRIBUTES; i++) {
        const char *sign = strchr(value, '=');
        if (!sign) return;
        snprintf(names[i], sizeof names[i], "%.*s", (int)strcspn(sign + 1, ","), sign + 1);
        add_list(d, names[i]);
        value = strchr(sign, ',') ? strchr(sign, ',') + 1 : NULL;
    }
}

static void read_field(struct defining *d, char *field) {
    char *value = strchr(field, '=');
    if (!value) return;
    *value++ = 0;
    if (strcmp(field, "ranks") == 0) d->definition.ranks = value;
    if (strcmp(field, "values") == 0) d->definition.values = value;
    if (strcmp(field, "combine") == 0) d->definition.combine = value;
    if (strcmp(field, "output") == 0) {
        d->definition.output_extents = value;
        add_list(d, value);
    }
    if (strcmp(field, "extents") == 0) {
        d->definition.extents = value;
        add_extents(d, value);
    }
}

enum gasket_status fuzz_define(gasket_context *context, const char *definition) {
    struct defining d = {.definition = {.size = sizeof d.definition, .name = FUZZ_DEFINED}};
    char *rest = NULL;
    snprintf(d.text, sizeof d.text, "%s", definition);
    for (char *at = d.text; *at; at++)
        if (*at == '~') *at = ' ';
    d.definition.formula = strtok_r(d.text, ";", &rest);
    for (char *field; (field = strtok_r(NULL, ";", &rest));)
        read_field(&d, field);
    d.definition.attributes = d.attributes;
    d.definition.summary = definition;
    return gasket_define(context, &d.definition);
}
