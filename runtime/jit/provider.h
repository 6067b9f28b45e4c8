/* provider: what turns a template and its knobs into an object file. A plug-in of its own: the library loads it when it
 * is needed and works without it. */
#ifndef GK_PROVIDER_H
#define GK_PROVIDER_H

#include "abi/kernel.h"
#include "gasket/gasket.h"

enum { GK_PROVIDER_ABI = 1, GK_PROVIDER_TEXT = 1024 };

/* What a compilation can be asked for: the steps on the way to an object. */
enum gk_stage {
    GK_STAGE_SOURCE,    /* C: the template's text after the knobs */
    GK_STAGE_IR,        /* LLVM's, before the passes */
    GK_STAGE_OPTIMISED, /* LLVM's, after them */
    GK_STAGE_ASSEMBLY,
    GK_STAGE_OBJECT, /* a relocatable ELF file */
    GK_STAGES
};

/* A template is a C text in which the constant GASKET_NEST_KNOBS (abi/nest.h) is declared but not defined; knobs are
 * its bytes. Templates are called as the types whose elements they work on, "f32", or "e4" for elements of 4 bytes that
 * are only moved. */
struct gk_compilation {
    const char *template_name; /* "f32", "e4" */
    const void *knobs;
    size_t knobs_size;
    enum gasket_isa level; /* whose text is taken */
    int is_host;           /* for this very processor; otherwise for any that has the level */
    enum gk_stage stage;
};

/* Gets the result, which is only there during the call. */
typedef void gk_take_fn(void *user, const void *bytes, size_t n);

/* Functions may be called from any thread, one at a time. `text` has GK_PROVIDER_TEXT bytes and gets the reason of
 * whatever is not OK. */
struct gk_provider {
    uint32_t abi_version; /* GK_PROVIDER_ABI; the rest is only looked at when it is */
    uint32_t kernel_abi;  /* GASKET_ABI_VERSION that the templates were compiled against */
    const char *name;     /* "llvm" */
    const char *digest;   /* of all templates and of how they were compiled, as hexadecimal digits */
    /* Loads the compiler; later calls do nothing. UNAVAILABLE names what was tried. */
    enum gasket_status (*open)(char *text);
    /* What identifies the compiler, "19.1.7 117440512": its version and whatever tells builds apart. After open. */
    const char *(*version)(void);
    /* The file that the compiler was loaded from. After open. */
    const char *(*library)(void);
    enum gasket_status (*compile)(const struct gk_compilation *compilation, gk_take_fn *take, void *user, char *text);
};

/* The one function that a plug-in exports, as GK_PROVIDER_SYMBOL. */
typedef const struct gk_provider *gk_provider_fn(void);
#define GK_PROVIDER_SYMBOL "gasket_provider"

#endif
