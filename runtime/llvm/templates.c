/* templates: see templates.h. The build writes templates.def: GK_TEXT(name, file) and GK_BITCODE(name, LEVEL, file). */
#include "templates.h"

#include <string.h>

#define GK_EMBED(symbol, file)                                                               \
    __asm__(".pushsection .rodata\n.balign 16\n" #symbol ":\n.incbin \"" file "\"\n" #symbol \
            "_end:\n.byte 0\n.popsection\n");                                                \
    extern const char symbol[], symbol##_end[];

#define GK_TEXT(name, file) GK_EMBED(gk_text_##name, file)
#define GK_BITCODE(name, level, file) GK_EMBED(gk_bitcode_##name##_##level, file)
#include "templates.def"
#undef GK_TEXT
#undef GK_BITCODE

static const struct gk_template templates[] = {
#define GK_TEXT(name, file)
#define GK_BITCODE(name, level, file)                                                                     \
    {#name,          GASKET_##level,      gk_bitcode_##name##_##level, gk_bitcode_##name##_##level##_end, \
     gk_text_##name, gk_text_##name##_end},
#include "templates.def"
#undef GK_TEXT
#undef GK_BITCODE
};

/* All texts are of one architecture, whose levels are ordered. */
static int is_of_here(enum gasket_isa level) {
#if defined(__aarch64__)
    return level == GASKET_BASE || level == GASKET_NEON;
#else
    return level <= GASKET_AVX512;
#endif
}

const struct gk_template *gk_template_find(const char *name, enum gasket_isa level) {
    const struct gk_template *best = NULL;
    for (size_t i = 0; i < sizeof templates / sizeof *templates && is_of_here(level); i++)
        if (templates[i].level <= level && strcmp(templates[i].name, name) == 0 &&
            (!best || templates[i].level > best->level))
            best = &templates[i];
    return best;
}
