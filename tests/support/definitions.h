/* definitions: the operations of gen/specs, to be defined at run time under the names my_gather, my_gather_nd, ... */
#ifndef DEFINITIONS_H
#define DEFINITIONS_H

#include "gasket/gasket.h"

enum { DEFINITIONS = 7 };
extern const struct gasket_definition definitions[DEFINITIONS];

#endif
