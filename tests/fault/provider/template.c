/* template: a call-time text that is compiled before its knobs are known. They are bytes that the fake plug-in finds by
 * the mark and sets in the object: nothing is folded, and no compiler is needed when a kernel is asked for. */
#define GASKET_NEST_WORD static __attribute__((unused))
#include <string.h>

#pragma GCC visibility push(hidden)
#include FAKE_TEXT

/* Every object asks for something from outside. */
void fake_outside(void *to, const void *from, size_t n);
void fake_outside(void *to, const void *from, size_t n) {
    memcpy(to, from, n);
}

_Static_assert(sizeof(struct gasket_nest) <= 4096, "the room below");
__asm__(
    ".pushsection .rodata\n"
    ".balign 16\n" GASKET_NEST_KNOBS
    ":\n"
    ".fill 1024, 4, 0x5a6b7c8d\n"
    ".size " GASKET_NEST_KNOBS
    ", 4096\n"
    ".popsection\n");
