/* machine: what identifies the processor for compiled code: everything that it says it can do and that the operating
 * system enabled. Two machines of one text run the same code. */
#ifndef GK_MACHINE_H
#define GK_MACHINE_H

enum { GK_MACHINE_TEXT = 256 };
const char *gk_machine(char text[GK_MACHINE_TEXT]);

#endif
