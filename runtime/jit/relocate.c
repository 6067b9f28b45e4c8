/* relocate: the relocations of each machine, and the stubs behind which lie what is not in the object. */
#include <inttypes.h>
#include <string.h>

#include "jit/object.h"

/* ---- The machines ---- */

enum value {
    ABSOLUTE,
    RELATIVE,
    PAGES,
    LOW
}; /* of the target: its address, its distance, that of its page, within it */
enum range { ANY, SIGNED, UNSIGNED };
enum through { DIRECT, SLOT }; /* the symbol, or the word of memory with its address */

struct relocation {
    uint32_t type;
    uint8_t bytes;           /* that are altered */
    uint8_t bits, at, scale; /* value >> scale goes to that many bits, from bit `at` on */
    uint8_t value, range, through;
};

#if defined(__aarch64__)
static const struct relocation relocations[] = {
    {R_AARCH64_ABS64, 8, 64, 0, 0, ABSOLUTE, ANY, DIRECT},
    {R_AARCH64_PREL64, 8, 64, 0, 0, RELATIVE, ANY, DIRECT},
    {R_AARCH64_PREL32, 4, 32, 0, 0, RELATIVE, SIGNED, DIRECT},
    {R_AARCH64_CALL26, 4, 26, 0, 2, RELATIVE, SIGNED, DIRECT},
    {R_AARCH64_JUMP26, 4, 26, 0, 2, RELATIVE, SIGNED, DIRECT},
    {R_AARCH64_ADR_PREL_PG_HI21, 4, 21, 5, 12, PAGES, SIGNED, DIRECT},
    {R_AARCH64_ADD_ABS_LO12_NC, 4, 12, 10, 0, LOW, ANY, DIRECT},
    {R_AARCH64_LDST8_ABS_LO12_NC, 4, 12, 10, 0, LOW, ANY, DIRECT},
    {R_AARCH64_LDST16_ABS_LO12_NC, 4, 12, 10, 1, LOW, ANY, DIRECT},
    {R_AARCH64_LDST32_ABS_LO12_NC, 4, 12, 10, 2, LOW, ANY, DIRECT},
    {R_AARCH64_LDST64_ABS_LO12_NC, 4, 12, 10, 3, LOW, ANY, DIRECT},
    {R_AARCH64_LDST128_ABS_LO12_NC, 4, 12, 10, 4, LOW, ANY, DIRECT},
    {R_AARCH64_ADR_GOT_PAGE, 4, 21, 5, 12, PAGES, SIGNED, SLOT},
    {R_AARCH64_LD64_GOT_LO12_NC, 4, 12, 10, 3, LOW, ANY, SLOT},
};
/* ldr x16, the word behind; br x16 */
static const unsigned char stub_code[] = {0x50, 0, 0, 0x58, 0, 2, 0x1f, 0xd6};
#else
static const struct relocation relocations[] = {
    {R_X86_64_64, 8, 64, 0, 0, ABSOLUTE, ANY, DIRECT},
    {R_X86_64_32, 4, 32, 0, 0, ABSOLUTE, UNSIGNED, DIRECT},
    {R_X86_64_32S, 4, 32, 0, 0, ABSOLUTE, SIGNED, DIRECT},
    {R_X86_64_PC64, 8, 64, 0, 0, RELATIVE, ANY, DIRECT},
    {R_X86_64_PC32, 4, 32, 0, 0, RELATIVE, SIGNED, DIRECT},
    {R_X86_64_PLT32, 4, 32, 0, 0, RELATIVE, SIGNED, DIRECT},
    {R_X86_64_GOTPCREL, 4, 32, 0, 0, RELATIVE, SIGNED, SLOT},
    {R_X86_64_GOTPCRELX, 4, 32, 0, 0, RELATIVE, SIGNED, SLOT},
    {R_X86_64_REX_GOTPCRELX, 4, 32, 0, 0, RELATIVE, SIGNED, SLOT},
};
/* jmp *(the word behind); nop; nop */
static const unsigned char stub_code[] = {0xff, 0x25, 2, 0, 0, 0, 0x90, 0x90};
#endif

static const struct relocation *relocation_of(uint32_t type) {
    for (size_t i = 0; i < sizeof relocations / sizeof *relocations; i++) {
        if (relocations[i].type == type) return &relocations[i];
    }
    return NULL;
}

/* ---- What is not in the object ---- */

typedef void any_function(void);
static const struct {
    const char *name;
    any_function *function;
} externals[] = {
    {"memcpy", (any_function *)memcpy}, {"memmove", (any_function *)memmove}, {"memset", (any_function *)memset}};

static any_function *external_named(const char *name) {
    for (size_t i = 0; i < sizeof externals / sizeof *externals; i++) {
        if (strcmp(externals[i].name, name) == 0) return externals[i].function;
    }
    return NULL;
}

/* A stub jumps to the address in its second half, which also serves as the symbol's slot. */
enum { STUB = 16, STUB_SLOT = 8 };

static size_t stub_place(const struct gk_object *object, size_t symbol) {
    return object->stubs_place + (object->stubs[symbol] - (size_t)1) * STUB;
}

static int write_stubs(struct gk_object *object, unsigned char *memory) {
    for (size_t i = 0; i < object->n_symbols; i++) {
        struct gk_symbol symbol;
        if (object->stubs[i] == 0) continue;
        if (!gk_object_symbol(object, i, &symbol)) return 0;
        uint64_t address =
            symbol.place == GK_NOWHERE ? (uintptr_t)external_named(symbol.name) : (uintptr_t)memory + symbol.place;
        unsigned char *stub = memory + stub_place(object, i);
        memcpy(stub, stub_code, sizeof stub_code);
        memcpy(stub + STUB_SLOT, &address, sizeof address);
    }
    return 1;
}

/* ---- One relocation ---- */

/* A relocation, what it is for, and where: both passes get it. */
struct visit {
    const struct gk_section *section; /* is altered */
    Elf64_Rela entry;
    const struct relocation *relocation;
    size_t symbol;
    unsigned char *memory;
};

static int check_entry(struct gk_object *object, struct visit *visit) {
    const Elf64_Shdr *header = &visit->section->header;
    uint64_t bytes = visit->relocation->bytes, offset = visit->entry.r_offset;
    struct gk_symbol symbol;
    if (header->sh_size < bytes || offset > header->sh_size - bytes)
        return gk_object_refuse(object, "a relocation at %" PRIu64 " of the %" PRIu64 " bytes of %.100s", offset,
                                header->sh_size, visit->section->name);
    if (visit->relocation->through == SLOT && visit->relocation->value != RELATIVE && visit->entry.r_addend != 0)
        return gk_object_refuse(object, "a relocation through a slot at %" PRIu64 " of %.100s adds %" PRId64, offset,
                                visit->section->name, visit->entry.r_addend);
    if (!gk_object_symbol(object, visit->symbol, &symbol)) return 0;
    if (symbol.place == GK_NOWHERE && !external_named(symbol.name))
        return gk_object_refuse(object, "it needs '%.200s'; only memcpy, memmove and memset are there", symbol.name);
    int needs_stub = symbol.place == GK_NOWHERE || visit->relocation->through == SLOT;
    if (needs_stub && object->stubs[visit->symbol] == 0) object->stubs[visit->symbol] = ++object->n_stubs;
    return 1;
}

static uint64_t value_of(enum value value, uint64_t target, uint64_t here) {
    const uint64_t in_page = 4095;
    switch (value) {
        case RELATIVE:
            return target - here;
        case PAGES:
            return (target & ~in_page) - (here & ~in_page);
        case LOW:
            return target & in_page;
        default:
            return target;
    }
}

static int fits(const struct relocation *relocation, uint64_t value) {
    unsigned width = (unsigned)relocation->bits + relocation->scale;
    if (value & ((UINT64_C(1) << relocation->scale) - 1)) return 0;
    if (relocation->range == ANY) return 1;
    if (relocation->range == SIGNED) value += UINT64_C(1) << (width - 1);
    return value >> width == 0;
}

/* The two lowest bits of a distance in pages stand apart, from bit 29 on. */
static void deposit(unsigned char *here, const struct relocation *relocation, uint64_t value) {
    uint64_t word = 0, field = value >> relocation->scale, mask = UINT64_MAX >> (64 - relocation->bits);
    if (relocation->value == PAGES) {
        field = (field & 3) << 24 | (field >> 2 & 0x7ffff);
        mask = UINT64_C(3) << 24 | 0x7ffff;
    }
    memcpy(&word, here, relocation->bytes);
    word = (word & ~(mask << relocation->at)) | (field & mask) << relocation->at;
    memcpy(here, &word, relocation->bytes);
}

static int apply_entry(struct gk_object *object, struct visit *visit) {
    struct gk_symbol symbol;
    if (!gk_object_symbol(object, visit->symbol, &symbol)) return 0;
    size_t place = symbol.place;
    if (visit->relocation->through == SLOT) {
        place = stub_place(object, visit->symbol) + STUB_SLOT;
    } else if (place == GK_NOWHERE) {
        place = stub_place(object, visit->symbol);
    }
    unsigned char *here = visit->memory + visit->section->place + visit->entry.r_offset;
    uint64_t target = (uintptr_t)visit->memory + place + (uint64_t)visit->entry.r_addend;
    uint64_t value = value_of(visit->relocation->value, target, (uintptr_t)here);
    if (!fits(visit->relocation, value))
        return gk_object_refuse(object,
                                "a relocation of type %u at %" PRIu64 " of %.100s can not hold 0x%" PRIx64
                                "; is it position-independent code?",
                                visit->relocation->type, visit->entry.r_offset, visit->section->name, value);
    deposit(here, visit->relocation, value);
    return 1;
}

/* ---- All of them ---- */

typedef int visit_fn(struct gk_object *object, struct visit *visit);

static int visit_table(struct gk_object *object, const Elf64_Shdr *table, visit_fn *act, unsigned char *memory) {
    struct visit visit = {.section = &object->sections[table->sh_info], .memory = memory};
    for (uint64_t at = 0; at < table->sh_size; at += sizeof visit.entry) {
        memcpy(&visit.entry, object->bytes + table->sh_offset + at, sizeof visit.entry);
        uint32_t type = ELF64_R_TYPE(visit.entry.r_info);
        if (type == R_X86_64_NONE) continue; /* of all machines */
        visit.symbol = ELF64_R_SYM(visit.entry.r_info);
        visit.relocation = relocation_of(type);
        if (visit.relocation == NULL)
            return gk_object_refuse(object, "a relocation of type %u at %" PRIu64 " of %.100s", type,
                                    visit.entry.r_offset, visit.section->name);
        if (!act(object, &visit)) return 0;
    }
    return 1;
}

/* Relocations of what is not loaded are left alone. */
static int visit_all(struct gk_object *object, visit_fn *act, unsigned char *memory) {
    for (size_t i = 1; i < object->n_sections; i++) {
        const Elf64_Shdr *table = &object->sections[i].header;
        if (table->sh_type != SHT_RELA && table->sh_type != SHT_REL) continue;
        if (table->sh_info >= object->n_sections)
            return gk_object_refuse(object, "section %zu relocates section %u of %zu", i, table->sh_info,
                                    object->n_sections);
        if (object->sections[table->sh_info].place == GK_NOWHERE) continue;
        if (table->sh_type != SHT_RELA || table->sh_entsize != sizeof(Elf64_Rela) ||
            table->sh_size % sizeof(Elf64_Rela) != 0 || table->sh_link != object->symbols)
            return gk_object_refuse(object,
                                    "section %zu (type %u, %" PRIu64 " bytes, %" PRIu64
                                    " each, symbols in section %u) is no table of relocations",
                                    i, table->sh_type, table->sh_size, table->sh_entsize, table->sh_link);
        if (!visit_table(object, table, act, memory)) return 0;
    }
    return 1;
}

int gk_relocations_check(struct gk_object *object) {
    return visit_all(object, check_entry, NULL) &&
           gk_object_reserve(object, (uint64_t)object->n_stubs * STUB, STUB, &object->stubs_place);
}

int gk_relocations_apply(struct gk_object *object, unsigned char *memory) {
    return write_stubs(object, memory) && visit_all(object, apply_entry, memory);
}
