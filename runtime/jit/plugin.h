/* plugin: the compiler of this process, loaded when it is first needed. */
#ifndef GK_PLUGIN_H
#define GK_PLUGIN_H

#include "error.h"
#include "jit/provider.h"

/* The plug-in, without its compiler. UNAVAILABLE names the files that were tried and stays;
 * OUT_OF_MEMORY does not. */
enum gasket_status gk_plugin_load(const struct gk_provider **provider, struct gk_error *error);

/* Calls of the provider go one at a time through these, on a thread with a large stack and while forks are held off
 * (jit/inside.h), as loading is. Once the process ends they fail. */
enum gasket_status gk_plugin_open(struct gk_error *error);
enum gasket_status gk_plugin_compile(const struct gk_compilation *compilation, gk_take_fn *take, void *user,
                                     struct gk_error *error);

/* The version of the compiler, "" before it is open; the file that it is in. */
const char *gk_plugin_version(void);
const char *gk_plugin_library(void);

#endif
