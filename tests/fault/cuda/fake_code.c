/* fake_code: modules, libraries, kernels and launches of the fake driver. */
#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "fake_inside.h"

/* ---- Images ---- */

enum { MACHINE = 190 /* of cubins */, NEW_ABI = 8 };

struct image {
    size_t bytes;
    int arch, is_cubin;
};

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* A cubin is an ELF file; its arch has moved within the flags. */
static int read_cubin(const char *bytes, struct image *image) {
    Elf64_Ehdr head;
    memcpy(&head, bytes, sizeof head);
    const int abi = head.e_ident[EI_ABIVERSION];
    const uint64_t sections = head.e_shoff + (uint64_t)head.e_shnum * head.e_shentsize;
    image->is_cubin = 1;
    image->bytes = larger(sections, head.e_phoff + (uint64_t)head.e_phnum * head.e_phentsize);
    image->arch = (int)(head.e_flags >> (abi < NEW_ABI ? 0 : 8) & 0xff);
    return head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_machine == MACHINE && image->bytes > sizeof head;
}

/* PTX is text that ends with a 0. */
static int read_ptx(const char *text, struct image *image) {
    static const char target[] = ".target sm_";
    while (isspace((unsigned char)*text))
        text++;
    if (*text != '.' && *text != '/') return 0;
    const char *found = strstr(text, target);
    image->bytes = strlen(text) + 1;
    image->arch = found ? atoi(found + strlen(target)) : 0;
    image->is_cubin = 0;
    return found && strstr(text, ".version ") != NULL;
}

static int read_image(const char *bytes, struct image *image) {
    return strncmp(bytes, ELFMAG, SELFMAG) == 0 ? read_cubin(bytes, image) : read_ptx(bytes, image);
}

static CUresult check_arch(const struct object *code, CUcontext context) {
    struct image image;
    const int arch = fake_driver.devices[context->device].arch;
    read_image(code->image, &image);
    const int runs = image.arch <= arch && (!image.is_cubin || image.arch / 10 == arch / 10);
    return runs ? CUDA_SUCCESS : CUDA_ERROR_NO_BINARY_FOR_GPU;
}

static int is_of_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static int image_names(const struct object *code, const char *name) {
    const size_t length = strlen(name);
    for (size_t i = 1; length && i + length < code->bytes; i++)
        if (memcmp(code->image + i, name, length) == 0 && !is_of_name(code->image[i - 1]) &&
            !is_of_name(code->image[i + length]))
            return 1;
    return 0;
}

/* ---- Modules and libraries ---- */

static CUresult load(const void *bytes, enum kind kind, CUcontext context, struct object **loaded) {
    struct image image;
    if (!bytes || !read_image(bytes, &image)) return CUDA_ERROR_INVALID_IMAGE;
    struct object code = {.image = malloc(image.bytes), .bytes = image.bytes};
    if (!code.image) return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(code.image, bytes, image.bytes);
    const CUresult result = context ? check_arch(&code, context) : CUDA_SUCCESS;
    if (result) {
        free(code.image);
        return result;
    }
    *loaded = add_object(kind, context);
    (*loaded)->image = code.image;
    (*loaded)->bytes = code.bytes;
    return CUDA_SUCCESS;
}

/* The one that was given before, or a new one. */
static struct object *find_or_add(enum kind kind, struct object *parent, CUcontext context, const char *name) {
    for (struct object *object = all_objects(); object; object = object->next)
        if (object->is_alive && object->kind == kind && object->parent == parent && object->context == context &&
            strcmp(object->name, name) == 0)
            return object;
    struct object *object = add_object(kind, context);
    object->parent = parent;
    object->most_shared = FAKE_SHARED;
    object->name = strdup(name);
    if (!object->name) abort();
    return object;
}

static CUresult get_named(struct object *code, enum kind kind, const char *name, struct object **found) {
    if (!code) return CUDA_ERROR_INVALID_HANDLE;
    if (!image_names(code, name)) return CUDA_ERROR_NOT_FOUND;
    *found = find_or_add(kind, code, code->context, name);
    return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    struct object *loaded = NULL;
    CUresult result = enter(__func__);
    if (!result) result = load(image, MODULE, current_context(), &loaded);
    if (!result) *module = (CUmodule)(void *)loaded;
    return leave(result);
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    struct object *found = NULL;
    CUresult result = enter(__func__);
    if (!result) result = get_named(live_object(module, MODULE), FUNCTION, name, &found);
    if (!result) *function = (CUfunction)(void *)found;
    return leave(result);
}

/* The context of a module may have ended without its holder knowing, so that is no fault. */
static CUresult unload(CUresult result, CUmodule module) {
    struct object *object = all_objects();
    while (object && object != (struct object *)(void *)module)
        object = object->next;
    if (object && object->is_lost) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    object = live_object(module, MODULE);
    if (!object) return CUDA_ERROR_INVALID_HANDLE;
    if (object->context != current_context()) {
        FAULT("cuModuleUnload in another context than that of the module");
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (acts(result)) end_object(object);
    return result;
}

CUresult cuModuleUnload(CUmodule module) {
    const CUresult result = enter(__func__);
    return leave(unload(result, module));
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *image, void *options, void **values, unsigned n_options,
                           void *library_options, void **library_values, unsigned n_library_options) {
    struct object *loaded = NULL;
    CUresult result = enter(__func__);
    if (options || values || n_options || library_options || library_values || n_library_options)
        FAULT("cuLibraryLoadData with options");
    if (!result) result = load(image, LIBRARY, NULL, &loaded);
    if (!result) *library = (CUlibrary)(void *)loaded;
    return leave(result);
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
    struct object *found = NULL;
    CUresult result = enter(__func__);
    if (!result) result = get_named(live_object(library, LIBRARY), KERNEL, name, &found);
    if (!result) *kernel = (CUkernel)(void *)found;
    return leave(result);
}

CUresult cuLibraryUnload(CUlibrary library) {
    CUresult result = enter(__func__);
    struct object *object = live_object(library, LIBRARY);
    if (!result && !object) result = CUDA_ERROR_INVALID_HANDLE;
    if (object && acts(result)) end_object(object);
    return leave(result);
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
    CUresult result = enter(__func__);
    struct object *object = live_object(kernel, KERNEL);
    if (!result && !object) result = CUDA_ERROR_INVALID_HANDLE;
    if (!result) result = check_arch(object->parent, current_context());
    if (!result) *function = (CUfunction)(void *)find_or_add(FUNCTION, object, current_context(), object->name);
    return leave(result);
}

/* ---- Functions ---- */

static CUresult read_attribute(int *value, CUfunction_attribute attribute, const struct object *function) {
    if (!function) return CUDA_ERROR_INVALID_HANDLE;
    const struct {
        CUfunction_attribute attribute;
        int value;
    } values[] = {
        {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, FAKE_THREADS},
        {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 0},
        {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, 0},
        {CU_FUNC_ATTRIBUTE_NUM_REGS, 32},
        {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)function->most_shared},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].attribute == attribute) {
            *value = values[i].value;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    CUresult result = enter(__func__);
    if (!result) result = read_attribute(value, attribute, live_object(function, FUNCTION));
    return leave(result);
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    CUresult result = enter(__func__);
    struct object *object = live_object(function, FUNCTION);
    const int is_right =
        attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && value >= 0 && value <= FAKE_MOST_SHARED;
    if (!result && !object) result = CUDA_ERROR_INVALID_HANDLE;
    if (!result && !is_right) result = CUDA_ERROR_INVALID_VALUE;
    if (!result) object->most_shared = (unsigned)value;
    return leave(result);
}

/* ---- Launches ---- */

static CUresult check_geometry(const struct fake_launch *launch, unsigned most_shared) {
    static const uint64_t most_grid[] = {2147483647, 65535, 65535}, most_block[] = {1024, 1024, 64};
    int is_right = launch->shared <= most_shared;
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        is_right &= launch->grid[i] > 0 && launch->grid[i] <= most_grid[i];
        is_right &= launch->block[i] > 0 && launch->block[i] <= most_block[i];
        threads *= launch->block[i];
    }
    if (is_right && threads <= FAKE_THREADS) return CUDA_SUCCESS;
    FAULT("a launch of %s with a grid of %u,%u,%u blocks of %u,%u,%u threads and %u bytes for each", launch->kernel,
          launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0], launch->block[1], launch->block[2],
          launch->shared);
    return CUDA_ERROR_INVALID_VALUE;
}

static CUresult check_parameters(void **parameters) {
    static char copy[FAKE_PARAMETER_BYTES];
    size_t n = 0;
    for (int i = 0; i < FAKE_PARAMETERS && fake_driver.parameter_bytes[i]; i++) {
        const size_t bytes = fake_driver.parameter_bytes[i];
        if (!parameters || !parameters[i] || n + bytes > sizeof copy) {
            FAULT("parameter %d of a launch is not there or too large", i);
            return CUDA_ERROR_INVALID_VALUE;
        }
        memcpy(copy + n, parameters[i], bytes);
        n += bytes;
    }
    return CUDA_SUCCESS;
}

/* A kernel may be launched as if it were its function in the current context. */
static CUresult as_function(const void *handle, struct object **function) {
    struct object *kernel = all_objects();
    while (kernel && (kernel != handle || kernel->kind != KERNEL || !kernel->is_alive))
        kernel = kernel->next;
    const CUresult result = kernel ? check_arch(kernel->parent, current_context()) : CUDA_SUCCESS;
    if (result) return result;
    *function = kernel ? find_or_add(FUNCTION, kernel, current_context(), kernel->name) : live_object(handle, FUNCTION);
    return *function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult check_launch(struct fake_launch *launch, CUfunction function, void **extra) {
    struct object *object = NULL;
    CUresult result = as_function(function, &object);
    if (result) return result;
    launch->kernel = object->name;
    launch->device = object->context->device;
    if (extra) FAULT("a launch of %s with extra parameters", object->name);
    if (object->context != current_context()) {
        FAULT("a launch of %s in another context than the current one", object->name);
        return CUDA_ERROR_INVALID_HANDLE;
    }
    result = check_stream(launch->stream);
    if (!result) result = check_geometry(launch, object->most_shared);
    return result ? result : check_parameters(launch->parameters);
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void **parameters,
                        void **extra) {
    struct fake_launch launch = {.grid = {grid_x, grid_y, grid_z},
                                 .block = {block_x, block_y, block_z},
                                 .shared = shared,
                                 .stream = stream,
                                 .parameters = parameters};
    CUresult result = enter(__func__);
    if (!result) result = check_launch(&launch, function, extra);
    launch.is_captured = stream == fake_driver.captured && fake_driver.capture != CU_STREAM_CAPTURE_STATUS_NONE;
    leave(result);
    if (!result && fake_driver.launch) fake_driver.launch(fake_driver.user, &launch);
    return result;
}
