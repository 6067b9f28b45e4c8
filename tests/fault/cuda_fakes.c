/* cuda_fakes: the fake driver and the fake compiler find what they are there to find. Whoever trusts their silence
 * trusts this. */
#include <pthread.h>

#include "fault/cuda/fakes.h"
#include "support/faked.h"

static struct fake_driver *fake;
static const struct gk_cuda_driver *cuda;
static CUcontext context;
static int faults; /* so far */

static const char ptx[] = ".version 8.0\n.target sm_75\n.visible .entry turn(\n";
static const struct {
    const char *text;
} garbage[] = {{""}, {"garbage"}, {".version 8.0\n"}, {"\177ELF and nothing that is a file"}};

/* A call that the fake must find wrong once, or not at all. */
static void expect(CUresult result, CUresult expected, int is_fault, const char *what) {
    const int found = fake->record.n_faults - faults;
    check(result == expected, "%s: result %d, not %d", what, (int)result, (int)expected);
    check((found > 0) == is_fault, "%s: %d faults: %s", what, found, fake->record.fault);
    faults = fake->record.n_faults;
}
#define RIGHT(call) expect(call, CUDA_SUCCESS, 0, #call)
#define REFUSED(call, result) expect(call, result, 0, #call)
#define WRONG(call, result) expect(call, result, 1, #call)

static void open_driver(void) {
    struct gk_error error;
    fake = fake_driver_load();
    if (gk_cuda_driver_load(&cuda, &error)) give_up(error.text);
    RIGHT(cuda->cuDevicePrimaryCtxRetain(&context, 0));
    RIGHT(cuda->cuCtxPushCurrent(context));
}

static void check_alive(int modules, int libraries, int streams, int memory) {
    check(fake->alive.modules == modules && fake->alive.libraries == libraries && fake->alive.streams == streams &&
              fake->alive.memory == memory,
          "alive: %d modules, %d libraries, %d streams, %d pieces", fake->alive.modules, fake->alive.libraries,
          fake->alive.streams, fake->alive.memory);
}

/* ---- Contexts ---- */

static void contexts(void) {
    CUcontext found = NULL, other = NULL;
    unsigned long long id = 0, next_id = 0;
    int device = -1;
    open_driver();
    other = fake->context_create(1);
    RIGHT(cuda->cuCtxGetCurrent(&found));
    check(found == context && fake->alive.retained == 1 && fake->alive.pushed == 1, "the current one");
    RIGHT(cuda->cuCtxPushCurrent(other));
    RIGHT(cuda->cuCtxGetDevice(&device));
    check(device == 1 && fake->alive.pushed == 2, "device %d", device);
    RIGHT(cuda->cuCtxGetId(other, &id));
    RIGHT(cuda->cuCtxPopCurrent(&found));
    check(found == other, "what was popped");
    fake->context_destroy(other);
    WRONG(cuda->cuCtxPushCurrent(other), CUDA_ERROR_INVALID_CONTEXT);
    check(fake->context_create(0) == other, "the place of a destroyed context");
    RIGHT(cuda->cuCtxGetId(other, &next_id));
    check(id != next_id, "one id for two contexts");
    RIGHT(cuda->cuCtxPopCurrent(NULL));
    REFUSED(cuda->cuCtxPopCurrent(NULL), CUDA_ERROR_INVALID_CONTEXT);
    REFUSED(cuda->cuCtxGetDevice(&device), CUDA_ERROR_INVALID_CONTEXT);
    RIGHT(cuda->cuDevicePrimaryCtxRelease(0));
    WRONG(cuda->cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
    check(fake->alive.retained == 0 && fake->alive.pushed == 0, "what is left");
}

/* ---- Code ---- */

static void modules(void) {
    CUmodule module, other;
    CUfunction function, again;
    char image[sizeof ptx];
    memcpy(image, ptx, sizeof ptx);
    open_driver();
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
        char bytes[128] = "";
        strcpy(bytes, garbage[i].text);
        REFUSED(cuda->cuModuleLoadData(&module, bytes), CUDA_ERROR_INVALID_IMAGE);
    }
    RIGHT(cuda->cuModuleLoadData(&module, image));
    memset(image, 0, sizeof image);
    RIGHT(cuda->cuModuleGetFunction(&function, module, "turn"));
    RIGHT(cuda->cuModuleGetFunction(&again, module, "turn"));
    check(function == again, "two functions of one name");
    REFUSED(cuda->cuModuleGetFunction(&function, module, "tur"), CUDA_ERROR_NOT_FOUND);
    RIGHT(cuda->cuModuleLoadData(&other, ptx));
    check_alive(2, 0, 0, 0);
    CUcontext elsewhere = fake->context_create(0);
    RIGHT(cuda->cuCtxPushCurrent(elsewhere));
    WRONG(cuda->cuModuleUnload(module), CUDA_ERROR_INVALID_CONTEXT);
    WRONG(cuda->cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_HANDLE);
    RIGHT(cuda->cuCtxPopCurrent(NULL));
    RIGHT(cuda->cuModuleUnload(module));
    WRONG(cuda->cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
    WRONG(cuda->cuModuleGetFunction(&function, module, "turn"), CUDA_ERROR_INVALID_HANDLE);
    WRONG(cuda->cuLaunchKernel(again, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_HANDLE);
    check_alive(1, 0, 0, 0);
    fake->devices[0].arch = 70;
    REFUSED(cuda->cuModuleLoadData(&module, ptx), CUDA_ERROR_NO_BINARY_FOR_GPU);
}

/* What ends with its context is nobody's fault. */
static void lost_modules(void) {
    CUmodule module;
    open_driver();
    CUcontext own = fake->context_create(0);
    RIGHT(cuda->cuCtxPushCurrent(own));
    RIGHT(cuda->cuModuleLoadData(&module, ptx));
    RIGHT(cuda->cuCtxPopCurrent(NULL));
    fake->context_destroy(own);
    check_alive(0, 0, 0, 0);
    REFUSED(cuda->cuModuleUnload(module), CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

static CUresult load_library(CUlibrary *library) {
    return cuda->cuLibraryLoadData(library, ptx, NULL, NULL, 0, NULL, NULL, 0);
}

static void libraries(void) {
    CUlibrary library;
    CUkernel kernel;
    CUfunction here, there;
    open_driver();
    RIGHT(load_library(&library));
    RIGHT(cuda->cuLibraryGetKernel(&kernel, library, "turn"));
    REFUSED(cuda->cuLibraryGetKernel(&kernel, library, "other"), CUDA_ERROR_NOT_FOUND);
    RIGHT(cuda->cuKernelGetFunction(&here, kernel));
    CUcontext other = fake->context_create(1);
    RIGHT(cuda->cuCtxPushCurrent(other));
    RIGHT(cuda->cuKernelGetFunction(&there, kernel));
    check(here != there, "one function in two contexts");
    WRONG(cuda->cuLaunchKernel(here, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_HANDLE);
    RIGHT(cuda->cuLaunchKernel(there, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    RIGHT(cuda->cuLaunchKernel((CUfunction)(void *)kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    fake->devices[1].arch = 70;
    REFUSED(cuda->cuKernelGetFunction(&there, kernel), CUDA_ERROR_NO_BINARY_FOR_GPU);
    check_alive(0, 1, 0, 0);
    RIGHT(cuda->cuLibraryUnload(library));
    WRONG(cuda->cuLibraryUnload(library), CUDA_ERROR_INVALID_HANDLE);
    WRONG(cuda->cuKernelGetFunction(&here, kernel), CUDA_ERROR_INVALID_HANDLE);
    WRONG(cuda->cuLaunchKernel(there, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_HANDLE);
    check_alive(0, 0, 0, 0);
}

/* ---- Launches ---- */

static struct fake_launch seen;
static int launches;

static void see(void *user, const struct fake_launch *launch) {
    seen = *launch;
    launches += *(const int *)user;
}

static CUfunction open_kernel(void) {
    CUmodule module;
    CUfunction function;
    open_driver();
    RIGHT(cuda->cuModuleLoadData(&module, ptx));
    RIGHT(cuda->cuModuleGetFunction(&function, module, "turn"));
    return function;
}

static void geometry(void) {
    static const struct {
        unsigned grid[3], block[3], shared;
        int is_right;
    } samples[] = {
        {{1, 1, 1}, {1024, 1, 1}, 0, 1},      {{2147483647, 65535, 65535}, {1, 1, 1}, 0, 1},
        {{1, 1, 1}, {32, 4, 8}, 48 << 10, 1}, {{2147483648u, 1, 1}, {1, 1, 1}, 0, 0},
        {{1, 65536, 1}, {1, 1, 1}, 0, 0},     {{1, 1, 65536}, {1, 1, 1}, 0, 0},
        {{0, 1, 1}, {1, 1, 1}, 0, 0},         {{1, 1, 1}, {0, 1, 1}, 0, 0},
        {{1, 1, 1}, {1025, 1, 1}, 0, 0},      {{1, 1, 1}, {32, 33, 1}, 0, 0},
        {{1, 1, 1}, {1, 1, 65}, 0, 0},        {{1, 1, 1}, {1, 1, 1}, (48 << 10) + 1, 0},
    };
    int one = 1, right = 0, shared = 0;
    CUfunction f = open_kernel();
    fake->launch = see;
    fake->user = &one;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const unsigned *grid = samples[i].grid, *block = samples[i].block;
        const CUresult result = cuda->cuLaunchKernel(f, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                                     samples[i].shared, NULL, NULL, NULL);
        expect(result, samples[i].is_right ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE, !samples[i].is_right, "a launch");
        right += samples[i].is_right;
    }
    check(launches == right && seen.block[2] == 8 && seen.shared == 48 << 10 && strcmp(seen.kernel, "turn") == 0,
          "%d launches are seen", launches);
    RIGHT(cuda->cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 << 10));
    RIGHT(cuda->cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 64 << 10, NULL, NULL, NULL));
    RIGHT(cuda->cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
    check(shared == 64 << 10, "%d bytes", shared);
    REFUSED(cuda->cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20),
            CUDA_ERROR_INVALID_VALUE);
}

static void parameters(void) {
    int number = 3;
    char text[5000] = "";
    void *given[] = {&number, text}, *lacking[] = {&number, NULL}, *extra[] = {NULL};
    CUfunction f = open_kernel();
    fake->parameter_bytes[0] = sizeof number;
    fake->parameter_bytes[1] = 4092;
    RIGHT(cuda->cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, given, NULL));
    WRONG(cuda->cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, lacking, NULL), CUDA_ERROR_INVALID_VALUE);
    WRONG(cuda->cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
    WRONG(cuda->cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, given, extra), CUDA_SUCCESS);
    fake->parameter_bytes[1] = 4093;
    WRONG(cuda->cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, given, NULL), CUDA_ERROR_INVALID_VALUE);
}

/* ---- Streams and capture ---- */

static void streams(void) {
    CUstream stream, other;
    CUcontext found;
    CUfunction f = open_kernel();
    RIGHT(cuda->cuStreamCreate(&stream, 0));
    CUcontext elsewhere = fake->context_create(0);
    RIGHT(cuda->cuCtxPushCurrent(elsewhere));
    RIGHT(cuda->cuStreamCreate(&other, 1));
    RIGHT(cuda->cuStreamGetCtx(stream, &found));
    check(found == context, "the context of a stream");
    RIGHT(cuda->cuCtxPopCurrent(NULL));
    RIGHT(cuda->cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    WRONG(cuda->cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, other, NULL, NULL), CUDA_ERROR_INVALID_HANDLE);
    WRONG(cuda->cuStreamSynchronize(stream), CUDA_SUCCESS);
    fake->may_synchronise = 1;
    RIGHT(cuda->cuStreamSynchronize(stream));
    check_alive(1, 0, 2, 0);
    RIGHT(cuda->cuStreamDestroy(stream));
    WRONG(cuda->cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
    WRONG(cuda->cuStreamDestroy(stream), CUDA_ERROR_INVALID_HANDLE);
    WRONG(cuda->cuStreamGetCtx(stream, &found), CUDA_ERROR_INVALID_HANDLE);
}

static CUstreamCaptureStatus start_capture(CUstream stream) {
    const CUstreamCaptureStatus before = fake->capture;
    fake->captured = stream;
    fake->capture = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    return before;
}

static void capture(void) {
    CUstream stream, other;
    CUstreamCaptureStatus status;
    CUmodule module;
    CUlibrary library;
    CUdeviceptr pointer;
    CUfunction f = open_kernel();
    fake->may_synchronise = 1;
    RIGHT(cuda->cuStreamCreate(&stream, 1));
    RIGHT(cuda->cuStreamCreate(&other, 1));
    start_capture(stream);
    RIGHT(cuda->cuStreamIsCapturing(stream, &status));
    check(status == CU_STREAM_CAPTURE_STATUS_ACTIVE, "status %d", (int)status);
    RIGHT(cuda->cuStreamIsCapturing(other, &status));
    check(status == CU_STREAM_CAPTURE_STATUS_NONE, "status %d of another", (int)status);
    REFUSED(cuda->cuStreamIsCapturing(NULL, &status), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    RIGHT(cuda->cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    RIGHT(cuda->cuMemAllocAsync(&pointer, 8, stream));
    RIGHT(cuda->cuMemsetD8Async(pointer, 0, 8, stream));
    RIGHT(cuda->cuMemFreeAsync(pointer, stream));
    WRONG(cuda->cuModuleLoadData(&module, ptx), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    check(start_capture(stream) == CU_STREAM_CAPTURE_STATUS_INVALIDATED, "the capture is not spoilt");
    WRONG(load_library(&library), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    start_capture(stream);
    WRONG(cuda->cuMemAlloc(&pointer, 8), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    start_capture(stream);
    WRONG(cuda->cuStreamSynchronize(stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    check_alive(1, 0, 2, 0);
}

/* ---- Memory ---- */

static void memory(void) {
    CUdeviceptr a, b;
    CUcontext found;
    int ordinal = -1;
    char bytes[16] = "sixteen bytes..", back[16] = "";
    open_driver();
    RIGHT(cuda->cuMemAlloc(&a, 16));
    RIGHT(cuda->cuMemAllocAsync(&b, 16, NULL));
    check(fake->alive.bytes == 32, "%zu bytes", fake->alive.bytes);
    RIGHT(cuda->cuMemcpyHtoDAsync(a, bytes, 16, NULL));
    RIGHT(cuda->cuMemcpyDtoDAsync(b, a, 16, NULL));
    RIGHT(cuda->cuMemsetD8Async(b + 8, 'x', 4, NULL));
    WRONG(cuda->cuMemcpyDtoH(back, b, 16), CUDA_SUCCESS);
    check(strcmp(back, "sixteen xxxxs..") == 0, "%s", back);
    fake->may_synchronise = 1;
    RIGHT(cuda->cuMemcpyHtoD(a, bytes, 16));
    WRONG(cuda->cuMemcpyDtoHAsync(back, a + 1, 16, NULL), CUDA_ERROR_INVALID_VALUE);
    WRONG(cuda->cuMemsetD8Async((CUdeviceptr)(uintptr_t)bytes, 0, 1, NULL), CUDA_ERROR_INVALID_VALUE);
    RIGHT(cuda->cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_CONTEXT, a + 15));
    RIGHT(cuda->cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, a));
    check(found == context && ordinal == 0, "device %d", ordinal);
    REFUSED(cuda->cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_CONTEXT, (CUdeviceptr)(uintptr_t)bytes),
            CUDA_ERROR_INVALID_VALUE);
    RIGHT(cuda->cuMemFree(a));
    WRONG(cuda->cuMemFree(a), CUDA_ERROR_INVALID_VALUE);
    WRONG(cuda->cuMemFreeAsync(b + 1, NULL), CUDA_ERROR_INVALID_VALUE);
    check_alive(0, 0, 0, 1);
    RIGHT(cuda->cuMemFreeAsync(b, NULL));
    check(fake->alive.memory == 0 && fake->alive.bytes == 0, "%d pieces", fake->alive.memory);
    fake->devices[0].has_pools = 0;
    REFUSED(cuda->cuMemAllocAsync(&b, 16, NULL), CUDA_ERROR_NOT_SUPPORTED);
}

/* ---- Failures on purpose ---- */

static void failures(void) {
    CUdeviceptr a;
    open_driver();
    const int before = fake->record.n_calls;
    fake->record.fail.function = "cuMemAlloc";
    fake->record.fail.nth = 2;
    fake->record.fail.result = CUDA_ERROR_OUT_OF_MEMORY;
    RIGHT(cuda->cuMemAlloc(&a, 8));
    RIGHT(cuda->cuMemsetD8Async(a, 0, 8, NULL));
    REFUSED(cuda->cuMemAlloc(&a, 8), CUDA_ERROR_OUT_OF_MEMORY);
    fake->record.fail.function = NULL;
    fake->record.fail.nth = 1;
    fake->record.fail.result = 700;
    REFUSED(cuda->cuMemFree(a), (CUresult)700);
    check_alive(0, 0, 0, 0);
    RIGHT(cuda->cuMemAlloc(&a, 8));
    check(fake->record.n_calls == before + 5 && fake_count(&fake->record, "cuMemAlloc") == 3, "the record");
    check(fake->record.calls[before + 3].result == 700 && strcmp(fake->record.calls[before + 3].name, "cuMemFree") == 0,
          "the fourth call");
    fake->record.fail.nth = fake->record.fail.stays = 1;
    REFUSED(cuda->cuMemsetD8Async(a, 0, 8, NULL), (CUresult)700);
    REFUSED(cuda->cuMemsetD8Async(a, 0, 8, NULL), (CUresult)700);
}

static void before_init(void) {
    int n;
    CUresult (*count)(int *);
    fake = fake_driver_load();
    void *symbol = fake_symbol(fake_file(FAKE_DRIVER_FILE), "cuDeviceGetCount");
    memcpy(&count, &symbol, sizeof count);
    REFUSED(count(&n), CUDA_ERROR_NOT_INITIALIZED);
    open_driver();
    RIGHT(count(&n));
    WRONG(cuda->cuInit(0), CUDA_SUCCESS);
}

/* ---- The compiler ---- */

static const char *const any_option[] = {"--gpu-architecture=sm_80"};
static const struct gk_nvrtc *nvrtc;

static void programs(void) {
    struct gk_error error;
    nvrtcProgram program, dead;
    size_t n;
    struct fake_nvrtc *compiler = fake_nvrtc_load();
    if (gk_nvrtc_load(&nvrtc, &error)) give_up(error.text);
    check(!nvrtc->nvrtcCreateProgram(&program, "text", "/name.cu", 0, NULL, NULL) && compiler->alive == 1, "create");
    check(nvrtc->nvrtcGetCUBINSize(program, &n) && compiler->record.n_faults == 1, "a program that is not compiled");
    check(!nvrtc->nvrtcCompileProgram(program, 1, any_option) && !nvrtc->nvrtcGetCUBINSize(program, &n), "compile");
    check(!nvrtc->nvrtcGetPTXSize(program, &n) && compiler->record.n_faults == 1, "%s", compiler->record.fault);
    dead = program;
    check(!nvrtc->nvrtcDestroyProgram(&program) && compiler->alive == 0, "destroy");
    check(nvrtc->nvrtcDestroyProgram(&dead) && compiler->record.n_faults == 2, "destroy again");
    check(nvrtc->nvrtcCompileProgram(dead, 1, any_option) && compiler->record.n_faults == 3,
          "compile what is destroyed");
    check(!nvrtc->nvrtcCreateProgram(&program, "text", "name.cu", 0, NULL, NULL) && compiler->record.n_faults == 4,
          "a name that is looked for");
}

/* What one fake makes, the other takes where a device would. */
static void images(void) {
    static const struct {
        int is_cubin, device;
        CUresult result;
    } samples[] = {{1, 80, CUDA_SUCCESS},
                   {1, 86, CUDA_SUCCESS},
                   {1, 90, CUDA_ERROR_NO_BINARY_FOR_GPU},
                   {1, 75, CUDA_ERROR_NO_BINARY_FOR_GPU},
                   {0, 80, CUDA_SUCCESS},
                   {0, 90, CUDA_SUCCESS},
                   {0, 75, CUDA_ERROR_NO_BINARY_FOR_GPU}};
    static struct taken taken;
    struct gk_error error;
    CUmodule module;
    CUfunction function;
    open_driver();
    fake_nvrtc_load();
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const struct gk_cuda_source source = {"extern void turn();", "/turn.cu", 80, samples[i].is_cubin};
        if (gk_nvrtc_compile(&source, take, &taken, &error)) give_up(error.text);
        fake->devices[0].arch = samples[i].device;
        expect(cuda->cuModuleLoadData(&module, taken.bytes), samples[i].result, 0, "an image");
        if (!samples[i].result) RIGHT(cuda->cuModuleGetFunction(&function, module, "turn"));
    }
}

static void *compile_program(void *program) {
    return nvrtc->nvrtcCompileProgram(program, 1, any_option) ? program : NULL;
}

static void two_programs(void) {
    struct gk_error error;
    nvrtcProgram programs[2];
    pthread_t threads[2];
    void *failed;
    struct fake_nvrtc *compiler = fake_nvrtc_load();
    if (gk_nvrtc_load(&nvrtc, &error)) give_up(error.text);
    compiler->held = 1;
    for (int i = 0; i < 2; i++) {
        nvrtc->nvrtcCreateProgram(&programs[i], "text", "/name.cu", 0, NULL, NULL);
        if (pthread_create(&threads[i], NULL, compile_program, programs[i]) != 0) give_up("no thread");
    }
    wait_for(&compiler->inside, 2);
    compiler->held = 0;
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], &failed);
        check(!failed, "program %d", i);
    }
    check(compiler->record.n_faults == 1 && compiler->compiled == 2, "%d faults", compiler->record.n_faults);
}

int main(void) {
    scenario("contexts", contexts);
    scenario("modules", modules);
    scenario("modules that end with their context", lost_modules);
    scenario("libraries", libraries);
    scenario("geometry", geometry);
    scenario("parameters", parameters);
    scenario("streams", streams);
    scenario("capture", capture);
    scenario("memory", memory);
    scenario("failures", failures);
    scenario("before cuInit", before_init);
    scenario("programs", programs);
    scenario("images", images);
    scenario("two programs at a time", two_programs);
    return scenarios_finish();
}
