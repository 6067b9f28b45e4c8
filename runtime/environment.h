/* environment: variables of the process, which nobody but its user may have set. */
#ifndef GK_ENVIRONMENT_H
#define GK_ENVIRONMENT_H

/* Whether the program runs with rights of somebody else than the user who started it. */
int gk_has_borrowed_rights(void);

/* The variable's text, or NULL; NULL too with borrowed rights. */
const char *gk_environment(const char *name);

#endif
