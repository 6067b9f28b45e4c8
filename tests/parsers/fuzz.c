/* fuzz: a target as libFuzzer calls it. */
#include <stdint.h>
#include <stdlib.h>

#include "parsers/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    target_run((const char *)data, size);
    if (expect_failures() > 0) {
        abort();
    }
    return 0;
}
