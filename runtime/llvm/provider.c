/* provider: what this plug-in exports. */
#include <stdio.h>

#include "abi/nest.h"
#include "compile.h"
#include "digest.h"
#include "say.h"
#include "source.h"

static struct gk_llvm llvm;
static int is_open;

static enum gasket_status open_library(char *text) {
    if (is_open) return GASKET_OK;
    enum gasket_status status = gk_llvm_load(&llvm, text);
    is_open = !status;
    return status;
}

static const char *version(void) {
    return is_open ? llvm.identity : "";
}

static const char *library(void) {
    return is_open ? llvm.path : "";
}

static enum gasket_status compile(const struct gk_compilation *compilation, gk_take_fn *take, void *user, char *text) {
    static const char *const levels[] = {GASKET_ISA_NAMES};
    if ((unsigned)compilation->level >= GASKET_ISAS || (unsigned)compilation->stage >= GK_STAGES)
        return gk_say(text, GASKET_INVALID_ARGUMENT,
                      "level %d and stage %d: there are levels 0 to %d and stages 0 to %d", (int)compilation->level,
                      (int)compilation->stage, GASKET_ISAS - 1, GK_STAGES - 1);
    if (!compilation->knobs || compilation->knobs_size != sizeof(struct gasket_nest))
        return gk_say(text, GASKET_INVALID_ARGUMENT, "knobs of %zu bytes: a nest has %zu", compilation->knobs_size,
                      sizeof(struct gasket_nest));
    const struct gk_template *from = gk_template_find(compilation->template_name, compilation->level);
    if (!from)
        return gk_say(text, GASKET_UNSUPPORTED, "no template is called %.64s for level %s", compilation->template_name,
                      levels[compilation->level]);
    if (compilation->stage == GK_STAGE_SOURCE) return gk_source(from, compilation, take, user, text);
    enum gasket_status status = open_library(text);
    return status ? status : gk_llvm_compile(&llvm, from, compilation, take, user, text);
}

__attribute__((visibility("default"))) gk_provider_fn gasket_provider;

const struct gk_provider *gasket_provider(void) {
    static const struct gk_provider provider = {
        .abi_version = GK_PROVIDER_ABI,
        .kernel_abi = GASKET_ABI_VERSION,
        .name = "llvm",
        .digest = GK_TEMPLATES_DIGEST,
        .open = open_library,
        .version = version,
        .library = library,
        .compile = compile,
    };
    return &provider;
}
