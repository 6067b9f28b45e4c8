/* code: objects that a compiler wrote are loaded, called, watched and refused. */
#include "jit/code.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/code_sample.h"
#include "support/compiled.h"
#include "support/operations.h"

#define NEED_COMPILER() \
    if (compiler_missing()) cr_skip_test("SKIP: %s", compiler_missing())

static const char *const levels[] = {
    "-O0 -fPIC",
    "-O1 -fPIC",
    "-O2 -fPIC",
    "-O3 -fPIC",
    "-Os -fPIC",
    "-O3 -fPIE",
    "-g -O2 -fPIC",
    "-O2 -fPIC -fno-plt",
    "-O2 -fPIC -fvisibility=hidden",
    "-O2 -fPIC -ffunction-sections -fdata-sections",
    "-O3 -fPIC -fno-asynchronous-unwind-tables",
#ifdef __x86_64__
    "-O3 -fPIC -mavx2",
#endif
};

static struct gk_code *load(const struct compiled *object) {
    struct gk_code *code = NULL;
    struct gk_error error = {GASKET_OK, ""};
    enum gasket_status status = gk_code_load(&code, "sample", object->bytes, object->size, &error);
    cr_assert_eq(status, GASKET_OK, "%s", error.text);
    return code;
}

static void *function(const struct gk_code *code, const char *name) {
    void *address = gk_code_function(code, name);
    cr_assert_not_null(address, "%s", name);
    return address;
}
#define FUNCTION(code, name) ((__typeof__(&name))(uintptr_t)function(code, #name))

static void check_numbers(const struct gk_code *code, const char *flags) {
    for (int x = -1; x < 9; x++) {
        for (int y = 0; y < 50; y++)
            cr_expect_eq(FUNCTION(code, work_switch)(x, y), work_switch(x, y), "%s: %d, %d", flags, x, y);
    }
    for (int i = 0; i < 5; i++) {
        double a = FUNCTION(code, work_constant)(i), b = work_constant(i);
        cr_expect_eq(memcmp(&a, &b, sizeof a), 0, "%s: %a, %a", flags, a, b);
    }
}

static void check_memory(const struct gk_code *code, const char *flags) {
    float in[37], out[2][37];
    char bytes[2][96], source[32] = "thirty-one bytes of all kinds..";
    for (int i = 0; i < 37; i++)
        in[i] = (float)i - 5;
    FUNCTION(code, work_scale)(out[0], in, 37);
    work_scale(out[1], in, 37);
    cr_expect_eq(memcmp(out[0], out[1], sizeof out[0]), 0, "%s", flags);
    FUNCTION(code, work_bytes)(bytes[0], source, 32);
    work_bytes(bytes[1], source, 32);
    cr_expect_eq(memcmp(bytes[0], bytes[1], 96), 0, "%s", flags);
    cr_expect_str_eq(FUNCTION(code, work_name)(1), "a text of some length", "%s", flags);
    cr_expect_str_eq(FUNCTION(code, work_name)(0), "another", "%s", flags);
    cr_expect_eq(FUNCTION(code, work_pointer)(), FUNCTION(code, work_switch), "%s", flags);
}

Test(code, runs_what_compilers_write) {
    NEED_COMPILER();
    for (size_t i = 0; i < COUNT(levels); i++) {
#ifdef __x86_64__
        if (strstr(levels[i], "avx2") && !__builtin_cpu_supports("avx2")) continue;
#endif
        struct compiled object;
        compile(&object, CODE_SAMPLE, levels[i]);
        /* At an odd address: files in memory have no alignment. */
        memmove(object.bytes + 1, object.bytes, object.size);
        struct compiled odd = {object.bytes + 1, object.size};
        struct gk_code *code = load(&odd);
        memset(object.bytes, 0xcc, object.size + 1);
        compiled_free(&object);
        check_numbers(code, levels[i]);
        check_memory(code, levels[i]);
        cr_expect_null(gk_code_function(code, "work"));
        cr_expect_null(gk_code_function(code, "memcpy"));
        gk_code_free(code);
    }
}

Test(code, occupies_whole_pages) {
    NEED_COMPILER();
    struct compiled object;
    compile(&object, "int f(void) { return 1; } int g(void) { return 2; }", "-O2 -fPIC");
    struct gk_code *code = load(&object);
    cr_expect_eq(gk_code_memory(code), (size_t)sysconf(_SC_PAGESIZE));
    cr_expect(gk_code_size(code) > 0 && gk_code_size(code) < 128, "%zu", gk_code_size(code));
    gk_code_free(code);
    gk_code_free(NULL);
    compiled_free(&object);
}

Test(code, stays_apart_from_other_code) {
    NEED_COMPILER();
    enum { LOADED = 20 };
    struct compiled object;
    struct gk_code *codes[LOADED];
    compile(&object, CODE_SAMPLE, "-O2 -fPIC");
    for (int i = 0; i < LOADED; i++)
        codes[i] = load(&object);
    for (int i = 0; i < LOADED; i += 2)
        gk_code_free(codes[i]);
    for (int i = 1; i < LOADED; i += 2) {
        check_numbers(codes[i], "one of many");
        gk_code_free(codes[i]);
    }
    compiled_free(&object);
}

/* ---- Memory ---- */

/* How many mappings are writable and executable; *mode gets that of the one that holds `address`. */
static int count_both(const void *address, char mode[5]) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], found[5];
    unsigned long begin, end;
    int both = 0;
    if (maps == NULL) cr_skip_test("SKIP: the system does not show its mappings");
    while (fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx %4s", &begin, &end, found) != 3) continue;
        both += found[1] == 'w' && found[2] == 'x';
        if ((uintptr_t)address >= begin && (uintptr_t)address < end) memcpy(mode, found, sizeof found);
    }
    fclose(maps);
    return both;
}

Test(code, is_never_writable_and_executable) {
    NEED_COMPILER();
    struct compiled object;
    char mode[5] = "";
    compile(&object, CODE_SAMPLE, "-O2 -fPIC");
    int before = count_both(&object, mode);
    cr_expect_str_eq(mode, "rw-p");
    struct gk_code *code = load(&object);
    const char *begin = (const char *)((uintptr_t)function(code, "work_switch") & ~(uintptr_t)4095);
    cr_expect_eq(count_both(begin, mode), before);
    cr_expect_str_eq(mode, "r-xp");
    gk_code_free(code);
    memset(mode, 0, sizeof mode);
    count_both(begin, mode);
    cr_expect(mode[2] != 'x', "code is still there after it was freed: %s", mode);
    compiled_free(&object);
}

Test(code, is_possible_here) {
    struct gk_error error = {GASKET_OK, ""};
    enum gasket_status status = gk_code_possible(&error);
    cr_expect(status == GASKET_OK || (status == GASKET_UNAVAILABLE && error.text[0]), "%d: %s", status, error.text);
    cr_expect_eq(gk_code_possible(&error), status);
}

/* ---- What is refused ---- */

static void expect_refused(const struct compiled *object, const char *word, const char *what) {
    struct gk_code *code = (struct gk_code *)(uintptr_t)1;
    struct gk_error error = {GASKET_OK, ""};
    enum gasket_status status = gk_code_load(&code, "a sample", object->bytes, object->size, &error);
    cr_expect_eq(status, GASKET_INVALID_ARGUMENT, "%s: %s", what, gasket_status_name(status));
    cr_expect_null(code, "%s", what);
    cr_expect(strstr(error.text, word) && strstr(error.text, "'a sample'"), "%s: '%s' lacks '%s'", what, error.text,
              word);
}

Test(code, refuses_what_is_no_kernel) {
    NEED_COMPILER();
    static const struct {
        const char *text, *flags, *word;
    } rows[] = {
        {"int puts(const char *); int f(void) { return puts(\"\"); }", "-O2 -fPIC", "'puts'"},
        {"float sinf(float); float f(float x) { return sinf(x); }", "-O2 -fPIC -fno-plt", "'sinf'"},
        {"extern int there; int f(void) { return there; }", "-O2 -fPIC", "'there'"},
        {"void g(void) __attribute__((weak)); void *f(void) { return g; }", "-O2 -fPIC", "'g'"},
        {"int count; int f(void) { return ++count; }", "-O2 -fPIC", ".bss"},
        {"int count = 7; int f(void) { return ++count; }", "-O2 -fPIC", ".data"},
        {"static _Thread_local int count; int f(void) { return ++count; }", "-O2 -fPIC", ".tbss"},
        {"const char *const names[] = {\"a\", \"b\"}; const char *f(int i) { return names[i]; }", "-O2 -fPIC",
         ".data.rel.ro"},
        {"void f(void) {} __attribute__((constructor)) void g(void) { __asm__ volatile(\"\"); }", "-O2 -fPIC",
         "_array"},
        {"const int only = 3;", "-O2 -fPIC", "no functions"},
        {"static void *pick(void) { return 0; } void f(void) __attribute__((ifunc(\"pick\")));"
         "void g(void) { f(); }",
         "-O2 -fPIC -fvisibility=hidden", "'f' (type 10"},
#ifdef __x86_64__
        {"static const int table[] = {5, 3, 8}; int f(int i) { return table[i]; }", "-O2 -fno-pic",
         "position-independent"},
        {"int f(void) { return 1; }", "-O2 -m32", "64 bits"},
        {"__asm__(\".section .rodata.tiny,\\\"a\\\"; .byte 1; .reloc 0, R_X86_64_PC32, f; .text\");"
         "int f(void) { return 1; }",
         "-O2 -fPIC", "a relocation at 0 of the 1 bytes"},
#endif
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct compiled object;
        compile(&object, rows[i].text, rows[i].flags);
        expect_refused(&object, rows[i].word, rows[i].text);
        compiled_free(&object);
    }
}

/* A field of the file's header, of the header of the first section of a type, or of its first or last entry. */
enum place { FILE_HEADER, SECTION_HEADER, FIRST_ENTRY, LAST_ENTRY };
struct damage {
    enum place place;
    uint32_t type; /* of the section */
    size_t offset, bytes;
    uint64_t value;
    const char *word;
};
#define FIELD(type, name) offsetof(type, name), sizeof(((type *)0)->name)

static const struct damage damages[] = {
    {FILE_HEADER, 0, 0, 1, 'e', "no ELF file"},
    {FILE_HEADER, 0, EI_CLASS, 1, ELFCLASS32, "no ELF file"},
    {FILE_HEADER, 0, EI_DATA, 1, ELFDATA2MSB, "no ELF file"},
    {FILE_HEADER, 0, FIELD(Elf64_Ehdr, e_type), ET_DYN, "type 3"},
    {FILE_HEADER, 0, FIELD(Elf64_Ehdr, e_machine), EM_RISCV, "machine 243"},
    {FILE_HEADER, 0, FIELD(Elf64_Ehdr, e_shoff), UINT64_MAX, "section headers"},
    {FILE_HEADER, 0, FIELD(Elf64_Ehdr, e_shoff), UINT64_MAX - 63, "section headers"},
    {FILE_HEADER, 0, FIELD(Elf64_Ehdr, e_shnum), 0, "0 section headers"},
    {FILE_HEADER, 0, FIELD(Elf64_Ehdr, e_shnum), 65535, "65535 section headers"},
    {FILE_HEADER, 0, FIELD(Elf64_Ehdr, e_shentsize), 65, "of 65 bytes"},
    {FILE_HEADER, 0, FIELD(Elf64_Ehdr, e_shstrndx), 60000, "section 60000 is to hold names"},
    {SECTION_HEADER, SHT_PROGBITS, FIELD(Elf64_Shdr, sh_offset), UINT64_MAX - 7, "does not lie in"},
    {SECTION_HEADER, SHT_PROGBITS, FIELD(Elf64_Shdr, sh_size), UINT64_MAX - 7, "does not lie in"},
    {SECTION_HEADER, SHT_PROGBITS, FIELD(Elf64_Shdr, sh_size), UINT64_C(1) << 40, "does not lie in"},
    {SECTION_HEADER, SHT_PROGBITS, FIELD(Elf64_Shdr, sh_addralign), 24, "aligned to 24"},
    {SECTION_HEADER, SHT_PROGBITS, FIELD(Elf64_Shdr, sh_addralign), UINT64_C(1) << 63, "aligned to"},
    {SECTION_HEADER, SHT_PROGBITS, FIELD(Elf64_Shdr, sh_addralign), 8192, "aligned to 8192"},
    {SECTION_HEADER, SHT_PROGBITS, FIELD(Elf64_Shdr, sh_flags), SHF_ALLOC, "among constants"},
    {SECTION_HEADER, SHT_PROGBITS, FIELD(Elf64_Shdr, sh_flags), 0, "not in what is loaded"},
    {SECTION_HEADER, SHT_PROGBITS, FIELD(Elf64_Shdr, sh_flags), SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR, "neither"},
    {SECTION_HEADER, SHT_PROGBITS, FIELD(Elf64_Shdr, sh_type), SHT_NOBITS, "neither"},
    {SECTION_HEADER, SHT_PROGBITS, FIELD(Elf64_Shdr, sh_name), 0x7fffffff, "has its name at"},
    {SECTION_HEADER, SHT_SYMTAB, FIELD(Elf64_Shdr, sh_type), SHT_PROGBITS, "no symbols"},
    {SECTION_HEADER, SHT_SYMTAB, FIELD(Elf64_Shdr, sh_entsize), 0, "0 each"},
    {SECTION_HEADER, SHT_SYMTAB, FIELD(Elf64_Shdr, sh_size), 25, "25 bytes of symbols"},
    {SECTION_HEADER, SHT_SYMTAB, FIELD(Elf64_Shdr, sh_size), 24, "no functions"},
    {SECTION_HEADER, SHT_SYMTAB, FIELD(Elf64_Shdr, sh_link), 0, "section 0 is to hold names"},
    {SECTION_HEADER, SHT_SYMTAB, FIELD(Elf64_Shdr, sh_link), UINT32_MAX, "is to hold names"},
    {SECTION_HEADER, SHT_STRTAB, FIELD(Elf64_Shdr, sh_size), 0, "do not end"},
    {SECTION_HEADER, SHT_STRTAB, FIELD(Elf64_Shdr, sh_size), 2, "do not end"},
    {SECTION_HEADER, SHT_RELA, FIELD(Elf64_Shdr, sh_type), SHT_REL, "no table of relocations"},
    {SECTION_HEADER, SHT_RELA, FIELD(Elf64_Shdr, sh_entsize), 16, "16 each"},
    {SECTION_HEADER, SHT_RELA, FIELD(Elf64_Shdr, sh_size), 23, "23 bytes"},
    {SECTION_HEADER, SHT_RELA, FIELD(Elf64_Shdr, sh_link), 1, "symbols in section 1"},
    {SECTION_HEADER, SHT_RELA, FIELD(Elf64_Shdr, sh_info), UINT32_MAX, "relocates section 4294967295"},
    {FIRST_ENTRY, SHT_RELA, FIELD(Elf64_Rela, r_offset), UINT64_MAX, "a relocation at 18446744073709551615"},
    {FIRST_ENTRY, SHT_RELA, FIELD(Elf64_Rela, r_offset), UINT64_MAX - 3, "a relocation at 18446744073709551612"},
    {FIRST_ENTRY, SHT_RELA, FIELD(Elf64_Rela, r_info), 250, "of type 250"},
    {FIRST_ENTRY, SHT_RELA, offsetof(Elf64_Rela, r_info) + 4, 4, UINT32_MAX, "symbol 4294967295 is used"},
    {FIRST_ENTRY, SHT_RELA, offsetof(Elf64_Rela, r_info) + 4, 4, 0, "it needs ''"},
    {FIRST_ENTRY, SHT_RELA, FIELD(Elf64_Rela, r_addend), UINT64_C(1) << 40, "can not hold"},
    {LAST_ENTRY, SHT_SYMTAB, FIELD(Elf64_Sym, st_name), UINT32_MAX, "has its name at"},
    {LAST_ENTRY, SHT_SYMTAB, FIELD(Elf64_Sym, st_shndx), SHN_COMMON, "section 65522"},
    {LAST_ENTRY, SHT_SYMTAB, FIELD(Elf64_Sym, st_shndx), 0, "no functions"},
    {LAST_ENTRY, SHT_SYMTAB, FIELD(Elf64_Sym, st_value), UINT64_MAX, "does not lie in"},
    {LAST_ENTRY, SHT_SYMTAB, FIELD(Elf64_Sym, st_size), UINT64_MAX, "does not lie in"},
};

/* One function, with one reference to a table, and nothing else that is relocated. */
#define TABLE_TEXT "static const float table[] = {5, 3, 8}; float f(int i) { return table[i]; }"
#define TABLE_FLAGS "-O2 -fPIC -fno-asynchronous-unwind-tables"

static size_t find_section(const struct compiled *object, uint32_t type, Elf64_Shdr *section) {
    Elf64_Ehdr header;
    memcpy(&header, object->bytes, sizeof header);
    for (size_t i = 1; i < header.e_shnum; i++) {
        size_t at = header.e_shoff + i * sizeof *section;
        memcpy(section, object->bytes + at, sizeof *section);
        if (section->sh_type == type && section->sh_size > 0) return at;
    }
    cr_assert_fail("the object has no section of type %u", type);
    abort();
}

static size_t offset_of(const struct damage *damage, const struct compiled *object) {
    Elf64_Shdr section;
    if (damage->place == FILE_HEADER) return damage->offset;
    size_t header = find_section(object, damage->type, &section);
    if (damage->place == SECTION_HEADER) return header + damage->offset;
    size_t last = section.sh_size - section.sh_entsize;
    return section.sh_offset + (damage->place == LAST_ENTRY ? last : 0) + damage->offset;
}

Test(code, refuses_damaged_objects) {
    NEED_COMPILER();
    struct compiled object;
    compile(&object, TABLE_TEXT, TABLE_FLAGS);
    gk_code_free(load(&object));
    for (size_t i = 0; i < COUNT(damages); i++) {
        const struct damage *damage = &damages[i];
        struct compiled copy = {malloc(object.size), object.size};
        char what[64];
        snprintf(what, sizeof what, "damage %zu, %s", i, damage->word);
        memcpy(copy.bytes, object.bytes, object.size);
        memcpy(copy.bytes + offset_of(damage, &object), &damage->value, damage->bytes);
        expect_refused(&copy, damage->word, what);
        compiled_free(&copy);
    }
    compiled_free(&object);
}

/* The first relocation holds a distance; the code's own size is small beside what is added. */
Test(code, checks_how_far_relocations_reach) {
    NEED_COMPILER();
#ifdef __x86_64__
    const int64_t reach = INT64_C(1) << 31;
#else
    const int64_t reach = INT64_C(1) << 32;
#endif
    const int64_t near = 1 << 16;
    const struct {
        int64_t addend;
        int is_refused;
    } rows[] = {{reach - near, 0}, {near - reach, 0}, {reach + near, 1}, {-reach - near, 1}};
    struct compiled object;
    Elf64_Shdr table;
    Elf64_Rela entry;
    compile(&object, TABLE_TEXT, TABLE_FLAGS);
    find_section(&object, SHT_RELA, &table);
    memcpy(&entry, object.bytes + table.sh_offset, sizeof entry);
    for (size_t i = 0; i < COUNT(rows); i++) {
        entry.r_addend = rows[i].addend;
        memcpy(object.bytes + table.sh_offset, &entry, sizeof entry);
        if (rows[i].is_refused) {
            expect_refused(&object, "can not hold", "too far");
        } else {
            gk_code_free(load(&object));
        }
    }
    compiled_free(&object);
}

/* A relocation's last byte is the last one of the section, and not the one behind it. */
Test(code, checks_where_relocations_end) {
    NEED_COMPILER();
    struct compiled object;
    Elf64_Shdr code, table;
    Elf64_Rela entry;
    compile(&object, TABLE_TEXT, TABLE_FLAGS);
    find_section(&object, SHT_PROGBITS, &code);
    find_section(&object, SHT_RELA, &table);
    memcpy(&entry, object.bytes + table.sh_offset, sizeof entry);
    for (uint64_t left = 0; left < 6; left++) {
        entry.r_offset = code.sh_size - left;
        memcpy(object.bytes + table.sh_offset, &entry, sizeof entry);
        if (left < 4) {
            expect_refused(&object, "a relocation at", "too near the end");
        } else {
            gk_code_free(load(&object));
        }
    }
    compiled_free(&object);
}

/* ---- perf ---- */

Test(code, is_written_to_the_map_of_perf) {
    NEED_COMPILER();
    enum { LOADED = 2, FUNCTIONS = 2 };
    char path[64], line[512], expected[512];
    const char *names[FUNCTIONS] = {"f", "g"};
    struct gk_code *codes[LOADED];
    struct compiled object;
    struct stat stat;
    snprintf(path, sizeof path, P_tmpdir "/perf-%ld.map", (long)getpid());
    unlink(path);
    compile(&object, "int f(void) { return 1; } int g(int x) { return x * 3; }", "-O2 -fPIC");
    struct gk_code *unseen = load(&object);
    gk_code_observe(GK_OBSERVE_PERF);
    for (int i = 0; i < LOADED; i++)
        codes[i] = load(&object);
    gk_code_observe(GK_OBSERVE_NOTHING);
    gk_code_free(load(&object));
    FILE *file = fopen(path, "r");
    if (file == NULL) cr_skip_test("SKIP: the folder of perf's maps can not be written to");
    cr_expect(fstat(fileno(file), &stat) == 0 && (stat.st_mode & 0777) == 0600);
    for (int i = 0; i < LOADED * FUNCTIONS; i++) {
        unsigned long long address, size;
        const char *name = names[i % FUNCTIONS];
        cr_assert_not_null(fgets(line, sizeof line, file), "line %d", i);
        cr_assert_eq(sscanf(line, "%llx %llx", &address, &size), 2, "%s", line);
        cr_expect_eq(address, (uintptr_t)function(codes[i / FUNCTIONS], name));
        cr_expect(size > 0 && size < 64);
        snprintf(expected, sizeof expected, "%llx %llx sample:%s\n", address, size, name);
        cr_expect_str_eq(line, expected);
    }
    cr_expect_null(fgets(line, sizeof line, file));
    fclose(file);
    unlink(path);
    for (int i = 0; i < LOADED; i++)
        gk_code_free(codes[i]);
    gk_code_free(unseen);
    compiled_free(&object);
}

/* What somebody else put in its place is left as it is. */
Test(code, does_not_follow_links_to_other_files) {
    NEED_COMPILER();
    char path[64], target[1024], byte[1];
    struct compiled object;
    struct stat stat;
    const char *folder = getenv("TEST_DIR");
    snprintf(path, sizeof path, P_tmpdir "/perf-%ld.map", (long)getpid());
    snprintf(target, sizeof target, "%s/precious", folder ? folder : ".");
    fclose(fopen(target, "w"));
    unlink(path);
    if (symlink(target, path) != 0) cr_skip_test("SKIP: the folder of perf's maps can not be written to");
    compile(&object, "int f(void) { return 1; }", "-O2 -fPIC");
    gk_code_observe(GK_OBSERVE_PERF);
    gk_code_free(load(&object));
    unlink(path);
    cr_expect_eq(mkfifo(path, 0600), 0);
    gk_code_free(load(&object));
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    gk_code_free(load(&object));
    cr_expect_eq(read(reader, byte, 1), 0, "a pipe was written to");
    close(reader);
    unlink(path);
    cr_expect_eq(link(target, path), 0);
    gk_code_free(load(&object));
    unlink(path);
    cr_expect(lstat(target, &stat) == 0 && stat.st_size == 0, "%ld bytes were written", (long)stat.st_size);
    unlink(target);
    compiled_free(&object);
}
