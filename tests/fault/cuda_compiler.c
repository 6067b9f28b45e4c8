/* cuda_compiler: NVRTC as a library that may be missing, old, incomplete or failing, what is asked of it, and, where
 * there is one, the real one. Each scenario is a process: a process has one compiler for good. */
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fault/cuda/fakes.h"
#include "support/faked.h"

static const struct gk_nvrtc *nvrtc;
static struct gk_error error;
static struct fake_nvrtc *fake;

static int told(const char *words) {
    return strstr(error.text, words) != NULL;
}

static void check_refused(enum gasket_status status, const char *words) {
    const enum gasket_status found = gk_nvrtc_load(&nvrtc, &error);
    check(found == status && error.status == status && !nvrtc && told(words), "%s: %s, not %s: %s",
          gasket_status_name(found), error.text, gasket_status_name(status), words);
}

static int check_loaded(const char *what) {
    const enum gasket_status status = gk_nvrtc_load(&nvrtc, &error);
    return check(status == GASKET_OK && nvrtc, "%s: %s", what, error.text);
}

static void fail_at(const char *function, int nth, int result) {
    fake->record.fail.function = function;
    fake->record.fail.nth = nth;
    fake->record.fail.result = result;
}

/* ---- Loading ---- */

enum { NEEDED, OPTIONAL };
static const struct {
    const char *name;
    int is_optional;
} functions[] = {
#define ROW(name, need, result, parameters) {#name, need},
    GK_NVRTC_FUNCTIONS(ROW)
#undef ROW
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void load_it(void) {
    const struct gk_nvrtc *again = NULL;
    const char *path = fake_file(FAKE_NVRTC_FILE);
    char identity[64];
    size_t n;
    fake = fake_nvrtc_load();
    if (!check_loaded("the fake")) return;
    free(file_read(path, &n));
    snprintf(identity, sizeof identity, "12.9 %zu", n);
    check(gk_nvrtc_load(&again, &error) == GASKET_OK && again == nvrtc, "another one");
    check(nvrtc->major == 12 && nvrtc->minor == 9 && strcmp(nvrtc->identity, identity) == 0, "%s", nvrtc->identity);
    check(strcmp(nvrtc->path, path) == 0, "path %s", nvrtc->path);
    check(nvrtc->n_archs == 6 && memcmp(nvrtc->archs, fake->archs, 6 * sizeof(int)) == 0, "%d archs", nvrtc->n_archs);
    check(fake->record.n_calls == 3 && fake->record.n_faults == 0, "%d calls", fake->record.n_calls);
}

static void load_nothing(void) {
    const char *path = scratch("no/libnvrtc.so.12");
    setenv("GASKET_NVRTC", path, 1);
    check_refused(GASKET_UNAVAILABLE, path);
    check(told("No such file") && told("NVRTC"), "%s", error.text);
    fake_nvrtc_load();
    check_refused(GASKET_UNAVAILABLE, path);
    int arch, wants_cubin;
    check(gk_nvrtc_pick(80, &arch, &wants_cubin, &error) == GASKET_UNAVAILABLE && told(path), "%s", error.text);
    const struct gk_cuda_source source = {.text = "", .name = "/gasket/a.cu", .arch = 80};
    check(gk_nvrtc_compile(&source, NULL, NULL, &error) == GASKET_UNAVAILABLE && told(path), "%s", error.text);
}

static void load_by_name(void) {
    unsetenv("GASKET_NVRTC");
    if (gk_nvrtc_load(&nvrtc, &error) == GASKET_OK) {
        check(strstr(nvrtc->path, "libnvrtc") != NULL && nvrtc->major >= 11, "%s %s", nvrtc->path, nvrtc->identity);
        return;
    }
    check(told("libnvrtc.so.13") && told("libnvrtc.so.12") && told("libnvrtc.so.11.2") && told("libnvrtc.so:") &&
              told("/usr/local/cuda*/lib64/libnvrtc.so.[0-9]*") && told("nvidia/*/lib/libnvrtc.so.[0-9]*"),
          "%s", error.text);
}

static int lacking;

static void load_lacking(void) {
    const char *path = scratch("libnvrtc.so.12"), *names[] = {functions[lacking].name, NULL};
    fake_copy(fake_file(FAKE_NVRTC_FILE), path, names);
    fake = fake_nvrtc_at(path);
    if (!functions[lacking].is_optional) {
        check_refused(GASKET_UNAVAILABLE, functions[lacking].name);
        check(told("lacks") && told(path), "%s", error.text);
    } else if (check_loaded(functions[lacking].name))
        check(nvrtc->archs[0] == 52 && nvrtc->archs[nvrtc->n_archs - 1] == 80 && nvrtc->n_archs == 9, "old archs");
    end_quietly();
}

static void lack_each(void) {
    for (lacking = 0; lacking < FUNCTIONS; lacking++)
        check(child_status(load_lacking) == 0, "without %s", functions[lacking].name);
}

static void version_failing(void) {
    fake = fake_nvrtc_load();
    fail_at("nvrtcVersion", 1, 11);
    check_refused(GASKET_UNAVAILABLE, "nvrtcVersion: NVRTC_ERROR_INTERNAL_ERROR");
    check_refused(GASKET_UNAVAILABLE, "nvrtcVersion");
}

static void version_without_memory(void) {
    fake = fake_nvrtc_load();
    fail_at("nvrtcVersion", 1, 1);
    check_refused(GASKET_OUT_OF_MEMORY, "NVRTC_ERROR_OUT_OF_MEMORY");
    check_loaded("memory is there again");
}

/* ---- Devices ---- */

static void check_pick(int device, int arch, int wants_cubin) {
    int found = 0, found_cubin = -1;
    const enum gasket_status status = gk_nvrtc_pick(device, &found, &found_cubin, &error);
    check(status == GASKET_OK && found == arch && found_cubin == wants_cubin, "%d: %d, %d: %s", device, found,
          found_cubin, error.text);
}

static void pick(void) {
    int arch, wants_cubin;
    fake = fake_nvrtc_load();
    check_pick(90, 90, 1);
    check_pick(52, 52, 1);
    check_pick(89, 86, 0);
    check_pick(87, 86, 0);
    check_pick(103, 100, 0);
    check_pick(121, 100, 0);
    const enum gasket_status status = gk_nvrtc_pick(50, &arch, &wants_cubin, &error);
    check(status == GASKET_UNSUPPORTED && told("52, 75, 80, 86, 90, 100") && told("50") && told("12.9"), "%s",
          error.text);
}

static void pick_unsorted(void) {
    fake = fake_nvrtc_load();
    memcpy(fake->archs, (const int[]){90, 100, 75, 52, 86, 80}, 6 * sizeof(int));
    check_pick(89, 86, 0);
    check_pick(75, 75, 1);
}

/* A list that can not be had is that of old ones. */
static void pick_unknown(void) {
    fake = fake_nvrtc_load();
    fail_at("nvrtcGetSupportedArchs", 1, 11);
    check_pick(90, 80, 0);
}

static void pick_from_many(void) {
    fake = fake_nvrtc_load();
    fake->n_archs = GK_NVRTC_ARCHS + 1;
    check_pick(90, 80, 0);
}

/* ---- Compiling ---- */

static struct taken taken;

static const char good[] = "extern \"C\" __global__ void add_one(float *x) { x[threadIdx.x] += 1.0f; }";

static enum gasket_status compile(const char *text, int arch, int is_cubin) {
    const struct gk_cuda_source source = {.text = text, .name = "/gasket/add.cu", .arch = arch, .is_cubin = is_cubin};
    memset(&taken, 0, sizeof taken);
    memset(&error, 'x', sizeof error);
    return gk_nvrtc_compile(&source, take, &taken, &error);
}

static void check_compiles(int arch, int is_cubin) {
    const enum gasket_status status = compile(good, arch, is_cubin);
    check(status == GASKET_OK && error.status == GASKET_OK && taken.times == 1 && taken.n > 0, "arch %d: %s", arch,
          error.text);
    /* Before it drops an arch, a compiler says so. */
    check(error.text[0] == 0 || told("nvrtc: warning: Architectures prior to"), "it says %s", error.text);
    if (is_cubin)
        check(memcmp(taken.bytes, "\177ELF", 4) == 0, "no cubin");
    else
        check(strstr(taken.bytes, ".target sm_") && taken.n > 1 && taken.bytes[taken.n - 1] == 0, "no PTX");
}

static void check_options(const char *const *options) {
    for (int i = 0; options[i]; i++)
        check(i < fake->n_options && strcmp(fake->options[i], options[i]) == 0, "option %d: %s, not %s", i,
              fake->options[i], options[i]);
    int n = 0;
    while (options[n])
        n++;
    check(fake->n_options == n, "%d options, not %d", fake->n_options, n);
}

static void compile_it(void) {
    static const char *options[] = {
        "--gpu-architecture=sm_90", "-std=c++17",      "--fmad=false",    "--ftz=false", "--prec-div=true",
        "--prec-sqrt=true",         "-default-device", "--device-int128", "--no-cache",  NULL};
    fake = fake_nvrtc_load();
    check_compiles(90, 1);
    check_options(options);
    check(strcmp(fake->name, "/gasket/add.cu") == 0, "name %s", fake->name);
    check_compiles(52, 0);
    options[0] = "--gpu-architecture=compute_52";
    check_options(options);
    check(fake->alive == 0 && fake->record.n_faults == 0, "%d programs, %s", fake->alive, fake->record.fault);
    fake->log = "/gasket/add.cu(1): warning #177-D: declared but never used\n";
    check(compile(good, 80, 1) == GASKET_OK && told("#177-D") && taken.times == 1, "warnings: %s", error.text);
}

/* Options that an old one does not know are not given. */
static void compile_old(int minor, const char *last) {
    fake = fake_nvrtc_load();
    fake->major = 11;
    fake->minor = minor;
    check_compiles(80, 1);
    check(strcmp(fake->options[fake->n_options - 1], last) == 0, "11.%d: %s", minor,
          fake->options[fake->n_options - 1]);
}

static void compile_11_2(void) {
    compile_old(2, "-default-device");
}

static void compile_11_5(void) {
    compile_old(5, "--device-int128");
}

/* ---- Compilations that fail ---- */

static void compile_wrongly(void) {
    char log[4096] = "";
    fake = fake_nvrtc_load();
    check(compile("#error here", 80, 1) == GASKET_INTERNAL && !taken.times, "%s", error.text);
    check(told("nvrtcCompileProgram of /gasket/add.cu for arch 80: NVRTC_ERROR_COMPILATION\n") &&
              told("/gasket/add.cu(1): error: #error here"),
          "%s", error.text);
    check(compile(good, 37, 1) == GASKET_UNSUPPORTED && told("INVALID_OPTION") && told("--gpu-architecture"), "%s",
          error.text);
    for (int i = 1; i <= 100; i++)
        snprintf(log + strlen(log), sizeof log - strlen(log), "line %d of many\n", i);
    fake->log = log;
    fail_at("nvrtcCompileProgram", 1, 6);
    check(compile(good, 80, 1) == GASKET_INTERNAL && told("line 1 of many\nline 2") && !told("line 9 of"), "%s",
          error.text);
    memset(log, 'w', sizeof log - 1);
    fail_at("nvrtcCompileProgram", 1, 6);
    check(compile(good, 80, 1) == GASKET_INTERNAL && told("COMPILATION\nwwww"), "%s", error.text);
    check(fake->alive == 0, "%d programs", fake->alive);
    fake->log = "";
    check_compiles(80, 1);
}

static void lack_builtins(void) {
    static const char said[] = "nvrtc: error: failed to open libnvrtc-builtins.so.12.9.";
    fake = fake_nvrtc_load();
    for (int result = 6; result <= 7; result++) {
        fake->log = said;
        fail_at("nvrtcCompileProgram", 1, result);
        check(compile(good, 80, 1) == GASKET_UNAVAILABLE && told("12.9 lacks libnvrtc-builtins.so.12.9, which must be"),
              "%s", error.text);
        check(told(said) && told(fake_file(FAKE_NVRTC_FILE)), "%s", error.text);
    }
    fake->log = "";
    check_compiles(80, 1);
}

static void give_nothing(void) {
    fake = fake_nvrtc_load();
    fake->gives_nothing = 1;
    check(compile(good, 80, 1) == GASKET_INTERNAL && told("nvrtcGetCUBIN") && told("nothing"), "%s", error.text);
    check(compile(good, 80, 0) == GASKET_INTERNAL && told("nvrtcGetPTX") && told("nothing"), "%s", error.text);
    fake->gives_nothing = 0;
    check(taken.times == 0 && fake->alive == 0, "%d programs", fake->alive);
}

/* Without its log, and when it can not be destroyed, a result is one nevertheless. */
static int is_harmless(const char *function) {
    return strstr(function, "Log") || strcmp(function, "nvrtcDestroyProgram") == 0;
}

static void check_failing(const char *function, int result, int is_cubin) {
    const char *name = nvrtc->nvrtcGetErrorString((nvrtcResult)result);
    fail_at(function, 1, result);
    const enum gasket_status status = compile(good, 80, is_cubin);
    check(fake->record.fail.nth == 0, "%s was not called", function);
    if (is_harmless(function))
        check(status == GASKET_OK && taken.times == 1, "%s: %s: %s", function, name, error.text);
    else
        check(status != GASKET_OK && !taken.times && (told(name) || result == 7), "%s: %s: %s", function, name,
              error.text);
    check((status == GASKET_OUT_OF_MEMORY) == (result == 1 && !is_harmless(function)), "%s: %s", function, name);
    check(fake->alive == 0, "%s: %s: %d programs", function, name, fake->alive);
    fail_at(NULL, 0, 0);
    check_compiles(80, is_cubin);
}

static void fail_each(void) {
    static const char *const called[2][6] = {{"nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetProgramLogSize",
                                              "nvrtcGetProgramLog", "nvrtcGetPTX", "nvrtcGetPTXSize"},
                                             {"nvrtcGetCUBIN", "nvrtcGetCUBINSize", "nvrtcDestroyProgram",
                                              "nvrtcCreateProgram", "nvrtcGetProgramLog", "nvrtcCompileProgram"}};
    fake = fake_nvrtc_load();
    if (!check_loaded("the fake")) return;
    for (int is_cubin = 0; is_cubin < 2; is_cubin++)
        for (int i = 0; i < 6; i++)
            for (int result = 1; result < 12; result++)
                check_failing(called[is_cubin][i], result, is_cubin);
    check(fake->record.n_faults == 0, "%s", fake->record.fault);
}

/* ---- Threads, and the end of the process ---- */

static void *compile_there(void *user) {
    const struct gk_cuda_source source = {.text = good, .name = "/gasket/there.cu", .arch = 80, .is_cubin = 1};
    struct taken *there = calloc(1, sizeof *there);
    struct gk_error said;
    if (!there) give_up("no memory");
    *(int *)user = gk_nvrtc_compile(&source, take, there, &said) == GASKET_OK && there->times == 1;
    free(there);
    return NULL;
}

static void one_at_a_time(void) {
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    int went_well[THREADS] = {0};
    const struct timespec moment = {0, 30000000};
    fake = fake_nvrtc_load();
    fake->held = 1;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, compile_there, &went_well[i]) != 0) give_up("no thread");
    wait_for(&fake->inside, 1);
    nanosleep(&moment, NULL);
    check(fake->inside == 1, "%d at a time", fake->inside);
    fake->held = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        check(went_well[i], "thread %d", i);
    }
    check(fake->compiled == THREADS && fake->record.n_faults == 0, "%d: %s", fake->compiled, fake->record.fault);
}

static void compile_late(void) {
    const enum gasket_status status = compile(good, 80, 1);
    _exit(status == GASKET_UNAVAILABLE && told("process is ending") && fake->compiled == 1 ? 0 : 1);
}

static void end_process(void) {
    atexit(compile_late); /* before the compiler's own is known, so it comes after */
    fake = fake_nvrtc_load();
    check_compiles(80, 1);
    exit(1);
}

static void end_in_time(void) {
    check(child_status(end_process) == 0, "a compilation began while the process ended");
}

/* ---- The real one ---- */

static const char *real; /* GASKET_NVRTC as the test was called with it, or NULL */

static void load_real(void) {
    if (real)
        setenv("GASKET_NVRTC", real, 1);
    else
        unsetenv("GASKET_NVRTC");
    const enum gasket_status status = gk_nvrtc_load(&nvrtc, &error);
    if (status == GASKET_UNAVAILABLE && !real) scenario_skip(error.text);
    if (!check(status == GASKET_OK, "%s", error.text)) exit(finish());
}

/* What it gives is what the fake driver takes for it. */
static void check_image(int arch, int is_cubin) {
    const struct gk_cuda_driver *driver;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    struct fake_driver *device = fake_driver_load();
    device->devices[0].arch = arch;
    check_compiles(arch, is_cubin);
    if (!check(gk_cuda_driver_load(&driver, &error) == GASKET_OK, "%s", error.text)) return;
    driver->cuDevicePrimaryCtxRetain(&context, 0);
    driver->cuCtxPushCurrent(context);
    CUresult result = driver->cuModuleLoadData(&module, taken.bytes);
    if (!result) result = driver->cuModuleGetFunction(&function, module, "add_one");
    check(result == CUDA_SUCCESS, "arch %d, %s: %d", arch, is_cubin ? "cubin" : "PTX", (int)result);
    device->devices[0].arch = arch - 10;
    result = driver->cuModuleLoadData(&module, taken.bytes);
    check(result == CUDA_ERROR_NO_BINARY_FOR_GPU, "arch %d on an older device: %d", arch, (int)result);
    driver->cuDevicePrimaryCtxRelease(0);
    check(device->record.n_faults == 0 && device->alive.modules == 0, "%s", device->record.fault);
}

static void compile_really(void) {
    load_real();
    const int oldest = nvrtc->archs[0], newest = nvrtc->archs[nvrtc->n_archs - 1];
    printf("NVRTC %s, archs %d to %d: ", nvrtc->identity, oldest, newest);
    for (int is_cubin = 0; is_cubin < 2; is_cubin++) {
        check_image(oldest, is_cubin);
        check_image(newest, is_cubin);
    }
    check_pick(newest, newest, 1);
    check_pick(newest + 1000, newest, 0);
}

static void fail_really(void) {
    load_real();
    const int arch = nvrtc->archs[nvrtc->n_archs - 1];
    check(compile("extern \"C\" __global__ void f(int *x) { int unused; *x = 1; }", arch, 0) == GASKET_OK &&
              told("/gasket/add.cu(1): warning") && told("unused"),
          "%s", error.text);
    check(compile("this is no C++", arch, 0) == GASKET_INTERNAL && told("/gasket/add.cu(1): error") &&
              told("NVRTC_ERROR_COMPILATION"),
          "%s", error.text);
    check(compile(good, 7, 0) == GASKET_UNSUPPORTED && told("--gpu-architecture"), "%s", error.text);
    check(compile("__int128 f(__int128 x) { return x * x; }", arch, 0) == GASKET_OK, "%s", error.text);
    check_compiles(arch, 0);
}

/* A product and a sum stay two operations. */
static void contract_nothing(void) {
    load_real();
    const char text[] = "extern \"C\" __global__ void f(float *x, float y) { x[0] = x[0] * y + x[1]; }";
    check(compile(text, nvrtc->archs[0], 0) == GASKET_OK && strstr(taken.bytes, "mul.rn.f32") &&
              strstr(taken.bytes, "add.rn.f32") && !strstr(taken.bytes, "fma"),
          "%s", taken.bytes);
}

/* Through a link, whose folder has no builtins. */
static void compile_linked(void) {
    load_real();
    const char *path = scratch("libnvrtc.so");
    if (symlink(nvrtc->path, path) != 0) give_up(path);
    const pid_t child = fork();
    if (child == 0) {
        setenv("GASKET_NVRTC", path, 1);
        execl("/proc/self/exe", "cuda_compiler", "compile", (char *)NULL);
        _exit(2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    check(status == 0, "status %d", status);
}

static int compile_once(void) {
    if (gk_nvrtc_load(&nvrtc, &error)) give_up(error.text);
    const enum gasket_status status = compile(good, nvrtc->archs[0], 1);
    if (status) fprintf(stderr, "%s: %s\n", gasket_status_name(status), error.text);
    return (int)status;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "compile") == 0) return compile_once();
    real = getenv("GASKET_NVRTC");
    if (real && !(real = strdup(real))) give_up("no memory");
    scenario("NVRTC is loaded", load_it);
    scenario("no NVRTC", load_nothing);
    scenario("NVRTC by name", load_by_name);
    scenario("without one function", lack_each);
    scenario("no version", version_failing);
    scenario("no memory for a version", version_without_memory);
    scenario("devices", pick);
    scenario("devices, from a list without order", pick_unsorted);
    scenario("devices, without a list", pick_unknown);
    scenario("devices, from a long list", pick_from_many);
    scenario("compilation", compile_it);
    scenario("compilation by 11.2", compile_11_2);
    scenario("compilation by 11.5", compile_11_5);
    scenario("texts that are wrong", compile_wrongly);
    scenario("no builtins", lack_builtins);
    scenario("nothing comes of it", give_nothing);
    scenario("each call fails", fail_each);
    scenario("threads", one_at_a_time);
    scenario("the end of the process", end_in_time);
    scenario("the real NVRTC", compile_really);
    scenario("the real NVRTC, wrong texts", fail_really);
    scenario("the real NVRTC, contraction", contract_nothing);
    scenario("the real NVRTC, through a link", compile_linked);
    return scenarios_finish();
}
