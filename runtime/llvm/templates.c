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

const struct gk_template *gk_template_find(const char *name, enum gasket_isa level) {
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
        if (templates[i].level == level && strcmp(templates[i].name, name) == 0) return &templates[i];
    return NULL;
}
