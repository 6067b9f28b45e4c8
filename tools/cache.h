/* cache: what is known of the cache of compiled kernels. */
#ifndef TOOL_CACHE_H
#define TOOL_CACHE_H

#include <gasket/gasket.h>

#include "json.h"

void tool_cache_json(struct tool_json *json, gasket_context *context);
/* Lines, each with the indent before it. */
void tool_cache_print(gasket_context *context, const char *indent);

#endif
