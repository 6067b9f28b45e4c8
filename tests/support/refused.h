/* refused: system calls that fail from now on. */
#ifndef REFUSED_H
#define REFUSED_H

#include <stdint.h>

/* Whoever asks for memory with all the bits `protection` gets the error, for the rest of the process. 0 where there are
 * no filters of system calls. */
int refuse_protection(uint32_t protection, uint32_t error);

#endif
