/* overlap: which tensors may share memory with the output. Each case lays its tensors at byte offsets of one buffer. */
#include <string.h>

#include "support/support.h"

enum { ROOM = 256 };

struct part {
    const char *name, *dtype;
    int ndim;
    int64_t shape[2], strides[2]; /* all 0: compact */
    int offset;
};

struct overlap_case {
    const char *name, *operation;
    enum gasket_status status;
    struct part parts[4];
};

static const struct overlap_case cases[] = {
    {"params below out, touching",
     "gather",
     GASKET_OK,
     {{"params", "u8", 1, {16}, {0}, 0}, {"indices", "u8", 1, {16}, {0}, 100}, {"out", "u8", 1, {16}, {0}, 16}}},
    {"params above out, touching",
     "gather",
     GASKET_OK,
     {{"params", "u8", 1, {16}, {0}, 16}, {"indices", "u8", 1, {16}, {0}, 100}, {"out", "u8", 1, {16}, {0}, 0}}},
    {"params below out, one byte nearer",
     "gather",
     GASKET_INVALID_ARGUMENT,
     {{"params", "u8", 1, {16}, {0}, 0}, {"indices", "u8", 1, {16}, {0}, 100}, {"out", "u8", 1, {16}, {0}, 15}}},
    {"params above out, one byte nearer",
     "gather",
     GASKET_INVALID_ARGUMENT,
     {{"params", "u8", 1, {16}, {0}, 15}, {"indices", "u8", 1, {16}, {0}, 100}, {"out", "u8", 1, {16}, {0}, 0}}},
    {"params are out",
     "gather",
     GASKET_INVALID_ARGUMENT,
     {{"params", "u8", 1, {16}, {0}, 0}, {"indices", "u8", 1, {16}, {0}, 100}, {"out", "u8", 1, {16}, {0}, 0}}},
    {"indices touch out",
     "gather",
     GASKET_OK,
     {{"params", "u8", 1, {16}, {0}, 100}, {"indices", "u8", 1, {16}, {0}, 0}, {"out", "u8", 1, {16}, {0}, 16}}},
    {"indices overlap out",
     "gather",
     GASKET_INVALID_ARGUMENT,
     {{"params", "u8", 1, {16}, {0}, 100}, {"indices", "u8", 1, {16}, {0}, 0}, {"out", "u8", 1, {16}, {0}, 15}}},
    {"indices are out",
     "gather",
     GASKET_INVALID_ARGUMENT,
     {{"params", "u8", 1, {16}, {0}, 100}, {"indices", "u8", 1, {16}, {0}, 0}, {"out", "u8", 1, {16}, {0}, 0}}},
    {"inputs may overlap each other",
     "gather",
     GASKET_OK,
     {{"params", "u8", 1, {16}, {0}, 0}, {"indices", "u8", 1, {16}, {0}, 4}, {"out", "u8", 1, {16}, {0}, 100}}},
    {"even and odd bytes",
     "gather",
     GASKET_OK,
     {{"params", "u8", 1, {16}, {2}, 0}, {"indices", "u8", 1, {16}, {0}, 100}, {"out", "u8", 1, {16}, {2}, 1}}},
    {"columns of one matrix",
     "gather",
     GASKET_OK,
     {{"params", "u8", 2, {4, 4}, {8, 1}, 0},
      {"indices", "u8", 1, {4}, {0}, 100},
      {"out", "u8", 2, {4, 4}, {8, 1}, 4}}},
    {"columns that share one",
     "gather",
     GASKET_INVALID_ARGUMENT,
     {{"params", "u8", 2, {4, 4}, {8, 1}, 0},
      {"indices", "u8", 1, {4}, {0}, 100},
      {"out", "u8", 2, {4, 4}, {8, 1}, 3}}},
    {"empty inputs inside out",
     "tensor_scatter",
     GASKET_OK,
     {{"tensor", "u8", 1, {4}, {0}, 50},
      {"indices", "u8", 2, {0, 1}, {0}, 2},
      {"updates", "u8", 1, {0}, {0}, 1},
      {"out", "u8", 1, {4}, {0}, 0}}},
    {"in place",
     "tensor_scatter",
     GASKET_OK,
     {{"tensor", "u8", 1, {4}, {0}, 0},
      {"indices", "u8", 2, {4, 1}, {0}, 100},
      {"updates", "u8", 1, {4}, {0}, 120},
      {"out", "u8", 1, {4}, {0}, 0}}},
    {"shifted by one element",
     "tensor_scatter",
     GASKET_INVALID_ARGUMENT,
     {{"tensor", "u8", 1, {4}, {0}, 0},
      {"indices", "u8", 2, {4, 1}, {0}, 100},
      {"updates", "u8", 1, {4}, {0}, 120},
      {"out", "u8", 1, {4}, {0}, 1}}},
    {"same place, other strides",
     "tensor_scatter",
     GASKET_INVALID_ARGUMENT,
     {{"tensor", "u8", 1, {4}, {2}, 0},
      {"indices", "u8", 2, {4, 1}, {0}, 100},
      {"updates", "u8", 1, {4}, {0}, 120},
      {"out", "u8", 1, {4}, {0}, 0}}},
    {"backwards onto itself",
     "tensor_scatter",
     GASKET_INVALID_ARGUMENT,
     {{"tensor", "u8", 1, {4}, {-1}, 3},
      {"indices", "u8", 2, {4, 1}, {0}, 100},
      {"updates", "u8", 1, {4}, {0}, 120},
      {"out", "u8", 1, {4}, {0}, 0}}},
    {"B82: tensor, updates and out are one",
     "tensor_scatter",
     GASKET_INVALID_ARGUMENT,
     {{"tensor", "u8", 1, {4}, {0}, 0},
      {"indices", "u8", 2, {4, 1}, {0}, 100},
      {"updates", "u8", 1, {4}, {0}, 0},
      {"out", "u8", 1, {4}, {0}, 0}}},
    {"updates overlap out",
     "tensor_scatter",
     GASKET_INVALID_ARGUMENT,
     {{"tensor", "u8", 1, {4}, {0}, 60},
      {"indices", "u8", 2, {4, 1}, {0}, 100},
      {"updates", "u8", 1, {4}, {0}, 3},
      {"out", "u8", 1, {4}, {0}, 0}}},
    {"indices overlap out in place",
     "tensor_scatter",
     GASKET_INVALID_ARGUMENT,
     {{"tensor", "u8", 1, {4}, {0}, 0},
      {"indices", "u8", 2, {4, 1}, {0}, 3},
      {"updates", "u8", 1, {4}, {0}, 120},
      {"out", "u8", 1, {4}, {0}, 0}}},
    {"tensor and updates may be one",
     "tensor_scatter",
     GASKET_OK,
     {{"tensor", "u8", 1, {4}, {0}, 0},
      {"indices", "u8", 2, {4, 1}, {0}, 100},
      {"updates", "u8", 1, {4}, {0}, 0},
      {"out", "u8", 1, {4}, {0}, 50}}},
    {"out with stride 0",
     "gather",
     GASKET_INVALID_ARGUMENT,
     {{"params", "u8", 2, {16, 1}, {0}, 0}, {"indices", "u8", 1, {4}, {0}, 100}, {"out", "u8", 2, {4, 1}, {0, 1}, 50}}},
    {"out with elements that coincide",
     "gather",
     GASKET_INVALID_ARGUMENT,
     {{"params", "u8", 2, {16, 2}, {0}, 0}, {"indices", "u8", 1, {4}, {0}, 100}, {"out", "u8", 2, {4, 2}, {1, 1}, 50}}},
};

static const int64_t compact[] = {0, 0};

static void check_case(const struct overlap_case *at, const struct setting *setting) {
    unsigned char buffer[ROOM], before[ROOM];
    struct gasket_argument arguments[4];
    DLTensor views[4];
    size_t n = 0;
    for (; n < 4 && at->parts[n].name; n++) {
        const struct part *part = &at->parts[n];
        int is_compact = memcmp(part->strides, compact, sizeof compact) == 0;
        views[n] = (DLTensor){buffer + part->offset,
                              {kDLCPU, 0},
                              part->ndim,
                              dtype_named(part->dtype),
                              (int64_t *)(uintptr_t)part->shape,
                              is_compact ? NULL : (int64_t *)(uintptr_t)part->strides,
                              0};
        arguments[n] = gasket_tensor(part->name, &views[n]);
    }
    for (int i = 0; i < ROOM; i++)
        buffer[i] = before[i] = (unsigned char)(i % 4); /* any of it is a good index */
    enum gasket_status status = gasket_call(setting->context, at->operation, arguments, n);
    int untouched = memcmp(buffer, before, ROOM) == 0;
    check(status == at->status && (status == GASKET_OK || untouched), "%s (%s): %s %s", at->name, setting->name,
          gasket_status_name(status), untouched ? gasket_message(setting->context) : "something was written");
}

int main(void) {
    static struct setting settings[MAX_SETTINGS];
    size_t n = settings_open(settings);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
            check_case(&cases[c], &settings[i]);
    settings_close(settings, n);
    return finish();
}
