/* object: what a relocatable ELF file holds, and where it goes. */
#include "jit/object.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
#elif defined(__aarch64__) && defined(__AARCH64EL__)
enum { MACHINE = EM_AARCH64 };
#else
enum { MACHINE = EM_NONE };
#endif

enum { MOST_ALIGNMENT = 4096 };

int gk_object_refuse(struct gk_object *object, const char *format, ...) {
    char reason[GK_ERROR_TEXT / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    gk_fail(object->error, GASKET_INVALID_ARGUMENT, "object '%.200s': %s", object->name, reason);
    return 0;
}

static int out_of_memory(struct gk_object *object, size_t bytes) {
    gk_fail(object->error, GASKET_OUT_OF_MEMORY, "object '%.200s': no memory for %zu bytes", object->name, bytes);
    return 0;
}

static int is_inside(uint64_t size, uint64_t offset, uint64_t length) {
    return offset <= size && length <= size - offset;
}

/* ---- Header and sections ---- */

static int read_header(struct gk_object *object, Elf64_Ehdr *header) {
    static const unsigned char expected[] = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT};
    if (object->size < sizeof *header)
        return gk_object_refuse(object, "%zu bytes are too few for an ELF file", object->size);
    memcpy(header, object->bytes, sizeof *header);
    if (memcmp(header->e_ident, expected, sizeof expected) != 0)
        return gk_object_refuse(object, "it is no ELF file of 64 bits, lowest byte first");
    if (header->e_type != ET_REL || header->e_machine != MACHINE)
        return gk_object_refuse(object, "type %u for machine %u; a relocatable file for machine %d is expected",
                                header->e_type, header->e_machine, MACHINE);
    if (header->e_shnum == 0 || header->e_shentsize != sizeof(Elf64_Shdr) ||
        !is_inside(object->size, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)))
        return gk_object_refuse(object, "%u section headers of %u bytes at %" PRIu64 " do not lie in its %zu bytes",
                                header->e_shnum, header->e_shentsize, header->e_shoff, object->size);
    return 1;
}

static int read_strings(struct gk_object *object, size_t section, const char **strings, size_t *size) {
    if (section >= object->n_sections || object->sections[section].header.sh_type != SHT_STRTAB)
        return gk_object_refuse(object, "section %zu is to hold names and does not", section);
    const Elf64_Shdr *header = &object->sections[section].header;
    *strings = (const char *)object->bytes + header->sh_offset;
    *size = header->sh_size;
    if (*size == 0 || (*strings)[*size - 1] != 0)
        return gk_object_refuse(object, "the names in section %zu do not end", section);
    return 1;
}

static int read_sections(struct gk_object *object) {
    Elf64_Ehdr header;
    if (!read_header(object, &header)) return 0;
    object->sections = calloc(header.e_shnum, sizeof *object->sections);
    if (object->sections == NULL) return out_of_memory(object, header.e_shnum * sizeof *object->sections);
    object->n_sections = header.e_shnum;
    for (size_t i = 0; i < object->n_sections; i++) {
        Elf64_Shdr *section = &object->sections[i].header;
        memcpy(section, object->bytes + header.e_shoff + i * sizeof *section, sizeof *section);
        object->sections[i].place = GK_NOWHERE;
        if (section->sh_type != SHT_NOBITS && !is_inside(object->size, section->sh_offset, section->sh_size))
            return gk_object_refuse(object,
                                    "section %zu of %" PRIu64 " bytes at %" PRIu64 " does not lie in its %zu bytes", i,
                                    section->sh_size, section->sh_offset, object->size);
    }
    const char *names = NULL;
    size_t size = 0;
    if (!read_strings(object, header.e_shstrndx, &names, &size)) return 0;
    for (size_t i = 0; i < object->n_sections; i++) {
        uint32_t name = object->sections[i].header.sh_name;
        if (name >= size) return gk_object_refuse(object, "section %zu has its name at %u of %zu", i, name, size);
        object->sections[i].name = names + name;
    }
    return 1;
}

/* ---- Layout ---- */

int gk_object_reserve(struct gk_object *object, uint64_t size, uint64_t alignment, size_t *place) {
    size_t begin = (object->memory + (size_t)alignment - 1) & ~((size_t)alignment - 1);
    if (begin > GK_OBJECT_MOST || size > GK_OBJECT_MOST - begin)
        return gk_object_refuse(object, "it takes more than %d bytes of memory", GK_OBJECT_MOST);
    object->memory = begin + (size_t)size;
    *place = begin;
    return 1;
}

/* Tables for unwinding are constants too: debuggers read them. */
static int is_constant(const Elf64_Shdr *header) {
    int is_data = header->sh_type == SHT_PROGBITS || (MACHINE == EM_X86_64 && header->sh_type == SHT_X86_64_UNWIND);
    return is_data && (header->sh_flags & (SHF_WRITE | SHF_TLS | SHF_COMPRESSED)) == 0;
}

static int place_section(struct gk_object *object, size_t index) {
    struct gk_section *section = &object->sections[index];
    const Elf64_Shdr *header = &section->header;
    uint64_t alignment = header->sh_addralign > 0 ? header->sh_addralign : 1;
    if ((header->sh_flags & SHF_ALLOC) == 0 || header->sh_size == 0 || header->sh_type == SHT_NOTE) return 1;
    if (!is_constant(header))
        return gk_object_refuse(
            object, "section %zu, %.100s (type %u, flags 0x%" PRIx64 "), holds neither functions nor constants", index,
            section->name, header->sh_type, header->sh_flags);
    if ((alignment & (alignment - 1)) != 0 || alignment > MOST_ALIGNMENT)
        return gk_object_refuse(object, "section %zu, %.100s, is aligned to %" PRIu64 " bytes; %d are possible", index,
                                section->name, alignment, MOST_ALIGNMENT);
    if (header->sh_flags & SHF_EXECINSTR) object->code_size += (size_t)header->sh_size;
    return gk_object_reserve(object, header->sh_size, alignment, &section->place);
}

static int place_sections(struct gk_object *object) {
    for (size_t i = 1; i < object->n_sections; i++) {
        if (!place_section(object, i)) return 0;
    }
    return 1;
}

/* ---- Symbols ---- */

static int find_symbols(struct gk_object *object) {
    for (size_t i = 1; i < object->n_sections; i++) {
        if (object->sections[i].header.sh_type == SHT_SYMTAB) object->symbols = i;
    }
    if (object->symbols == 0) return gk_object_refuse(object, "it has no symbols");
    const Elf64_Shdr *header = &object->sections[object->symbols].header;
    if (header->sh_entsize != sizeof(Elf64_Sym) || header->sh_size % sizeof(Elf64_Sym) != 0)
        return gk_object_refuse(object, "%" PRIu64 " bytes of symbols, %" PRIu64 " each; %zu are expected",
                                header->sh_size, header->sh_entsize, sizeof(Elf64_Sym));
    object->n_symbols = header->sh_size / sizeof(Elf64_Sym);
    return read_strings(object, header->sh_link, &object->strings, &object->strings_size);
}

static int place_symbol(struct gk_object *object, size_t index, struct gk_symbol *symbol) {
    const Elf64_Sym *entry = &symbol->entry;
    unsigned type = ELF64_ST_TYPE(entry->st_info);
    symbol->place = GK_NOWHERE;
    if (entry->st_shndx == SHN_UNDEF) return 1;
    if (entry->st_shndx >= object->n_sections || object->sections[entry->st_shndx].place == GK_NOWHERE ||
        type == STT_TLS || type == STT_GNU_IFUNC)
        return gk_object_refuse(object, "symbol %zu, '%.100s' (type %u, section %u), is not in what is loaded", index,
                                symbol->name, type, entry->st_shndx);
    const struct gk_section *section = &object->sections[entry->st_shndx];
    if (!is_inside(section->header.sh_size, entry->st_value, entry->st_size))
        return gk_object_refuse(
            object,
            "symbol %zu, '%.100s', of %" PRIu64 " bytes at %" PRIu64 " does not lie in the %" PRIu64 " bytes of %.100s",
            index, symbol->name, entry->st_size, entry->st_value, section->header.sh_size, section->name);
    symbol->place = section->place + (size_t)entry->st_value;
    return 1;
}

static int read_symbol(struct gk_object *object, size_t index, struct gk_symbol *symbol) {
    const unsigned char *entries = object->bytes + object->sections[object->symbols].header.sh_offset;
    memcpy(&symbol->entry, entries + index * sizeof symbol->entry, sizeof symbol->entry);
    uint32_t name = symbol->entry.st_name;
    if (name >= object->strings_size)
        return gk_object_refuse(object, "symbol %zu has its name at %u of %zu", index, name, object->strings_size);
    symbol->name = object->strings + name;
    return 1;
}

int gk_object_symbol(struct gk_object *object, size_t index, struct gk_symbol *symbol) {
    if (index >= object->n_symbols)
        return gk_object_refuse(object, "symbol %zu is used, of %zu", index, object->n_symbols);
    return read_symbol(object, index, symbol) && place_symbol(object, index, symbol);
}

static int read_functions(struct gk_object *object) {
    object->functions = calloc(object->n_symbols + 1, sizeof *object->functions);
    object->stubs = calloc(object->n_symbols + 1, sizeof *object->stubs);
    if (object->functions == NULL || object->stubs == NULL)
        return out_of_memory(object, object->n_symbols * sizeof *object->functions);
    for (size_t i = 1; i < object->n_symbols; i++) {
        struct gk_symbol symbol;
        if (!read_symbol(object, i, &symbol)) return 0;
        if (ELF64_ST_TYPE(symbol.entry.st_info) != STT_FUNC || symbol.entry.st_shndx == SHN_UNDEF) continue;
        if (!place_symbol(object, i, &symbol)) return 0;
        if ((object->sections[symbol.entry.st_shndx].header.sh_flags & SHF_EXECINSTR) == 0)
            return gk_object_refuse(object, "function '%.100s' is among constants", symbol.name);
        object->functions[object->n_functions++] =
            (struct gk_function){symbol.name, symbol.place, (size_t)symbol.entry.st_size};
    }
    return object->n_functions > 0 || gk_object_refuse(object, "it has no functions");
}

/* ---- All of it ---- */

enum gasket_status gk_object_open(struct gk_object *object, const char *name, const void *bytes, size_t size,
                                  struct gk_error *error) {
    *object = (struct gk_object){.name = name, .bytes = bytes, .size = size, .error = error};
    int is_sound = read_sections(object) && place_sections(object) && find_symbols(object) && read_functions(object) &&
                   gk_relocations_check(object);
    return is_sound ? GASKET_OK : error->status;
}

enum gasket_status gk_object_copy(struct gk_object *object, unsigned char *memory) {
    for (size_t i = 0; i < object->n_sections; i++) {
        const struct gk_section *section = &object->sections[i];
        if (section->place != GK_NOWHERE)
            memcpy(memory + section->place, object->bytes + section->header.sh_offset, section->header.sh_size);
    }
    return gk_relocations_apply(object, memory) ? GASKET_OK : object->error->status;
}

void gk_object_close(struct gk_object *object) {
    free(object->sections);
    free(object->functions);
    free(object->stubs);
}
