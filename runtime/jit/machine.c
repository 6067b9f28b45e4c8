/* machine: see machine.h. */
#include "jit/machine.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "formula/writer.h"

#if defined(__x86_64__)
#include <cpuid.h>

/* Leaves of cpuid with the registers that describe abilities; others hold what differs from core to core. */
static const struct {
    unsigned leaf, part;
    unsigned registers; /* a bit for each of eax, ebx, ecx, edx */
} leaves[] = {{0, 0, 0xe},    {1, 0, 0xd},    {7, 0, 0xe},    {7, 1, 0xf},          {0xd, 1, 0x1},
              {0x14, 0, 0x2}, {0x19, 0, 0x2}, {0x24, 0, 0x2}, {0x80000001, 0, 0xc}, {0x80000008, 0, 0x2}};

static uint64_t enabled_registers(void) {
    unsigned low = 0, high = 0, a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE))
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static void describe(struct gk_writer *writer) {
    gk_write(writer, "x86-64");
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++) {
        unsigned registers[4] = {0, 0, 0, 0};
        __get_cpuid_count(leaves[i].leaf, leaves[i].part, &registers[0], &registers[1], &registers[2], &registers[3]);
        for (int r = 0; r < 4; r++)
            if (leaves[i].registers & 1u << r) gk_write(writer, ".%x", registers[r]);
    }
    gk_write(writer, ".%llx", (unsigned long long)enabled_registers());
}

#elif defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>

static void describe(struct gk_writer *writer) {
    uint64_t part = 0;
    if (getauxval(AT_HWCAP) & HWCAP_CPUID) __asm__("mrs %0, midr_el1" : "=r"(part));
    gk_write(writer, "aarch64.%lx.%lx.%llx", getauxval(AT_HWCAP), getauxval(AT_HWCAP2), (unsigned long long)part);
}

#else

static void describe(struct gk_writer *writer) {
    gk_write(writer, "unknown");
}

#endif

/* Once for the process: on a virtual machine each question to the processor takes longer than reading an entry. */
static char text[256];

static void describe_once(void) {
    struct gk_writer writer = gk_writer_start(text, sizeof text);
    describe(&writer);
}

const char *gk_machine(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, describe_once);
    return text;
}
