/* machine: what identifies the processor for compiled code: everything that it says it can do and that the operating
 * system enabled. Two machines of one text run the same code. */
#ifndef GK_MACHINE_H
#define GK_MACHINE_H

const char *gk_machine(void);

#endif
