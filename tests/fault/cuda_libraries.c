/* cuda_libraries: CUDA's driver as a library that may be missing, old, incomplete or unwilling, how libraries are
 * looked for, and the fake driver that other tests rely on. Each scenario is a process: a process has one driver for
 * good. */
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda/search.h"
#include "fault/cuda/fakes.h"
#include "support/allocator.h"
#include "support/faked.h"

static const struct gk_cuda_driver *driver;
static struct gk_error error;
static struct fake_driver *fake;

static int told(const char *words) {
    return strstr(error.text, words) != NULL;
}

static void check_refused(enum gasket_status status, const char *words) {
    const enum gasket_status found = gk_cuda_driver_load(&driver, &error);
    check(found == status && error.status == status && !driver && told(words), "%s: %s, not %s: %s",
          gasket_status_name(found), error.text, gasket_status_name(status), words);
}

static int check_loaded(const char *what) {
    const enum gasket_status status = gk_cuda_driver_load(&driver, &error);
    return check(status == GASKET_OK && driver, "%s: %s", what, error.text);
}

/* ---- The functions ---- */

enum { NEEDED, OPTIONAL };
static const struct {
    const char *name, *symbol;
    int version, is_optional;
} functions[] = {
#define ROW(name, suffix, version, need, parameters) {#name, #name suffix, version, need},
    GK_CUDA_FUNCTIONS(ROW)
#undef ROW
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void *function_of(int i) {
    void *function;
    memcpy(&function, (const char *)driver + (size_t)i * sizeof function, sizeof function);
    return function;
}

static void load_it(void) {
    const struct gk_cuda_driver *again = NULL;
    fake = fake_driver_load();
    if (!check_loaded("the fake")) return;
    check(gk_cuda_driver_load(&again, &error) == GASKET_OK && again == driver, "another one");
    check(fake_count(&fake->record, "cuInit") == 1, "cuInit %d times", fake_count(&fake->record, "cuInit"));
    check(driver->version == 12040 && driver->has_libraries && driver->has_stream_order, "version %d", driver->version);
    check(strcmp(driver->path, fake_file(FAKE_DRIVER_FILE)) == 0, "path %s", driver->path);
    check(fake_count(&fake->record, "cuGetProcAddress") == FUNCTIONS, "functions that were asked for");
    for (int i = 0; i < FUNCTIONS; i++)
        check(function_of(i) == fake_symbol(driver->path, functions[i].symbol), "%s", functions[i].name);
    for (int i = 0; i < fake->record.n_calls; i++)
        check(fake->record.calls[i].result == 0, "call %d, of %s: %d", i, fake->record.calls[i].name,
              fake->record.calls[i].result);
    check(fake->record.n_faults == 0, "%s", fake->record.fault);
}

/* ---- None, or one that is not complete ---- */

static void load_nothing(void) {
    const char *path = scratch("no/libcuda.so.1");
    setenv("GASKET_CUDA", path, 1);
    check_refused(GASKET_UNAVAILABLE, path);
    check(told("No such file") && told("driver was not found"), "%s", error.text);
    fake_driver_load();
    check_refused(GASKET_UNAVAILABLE, path);
}

static void load_garbage(void) {
    const char *path = scratch("libcuda.so.1");
    file_write(path, "no library at all, but a text of more than the bytes that a head has, which are 64", 80, 0700);
    setenv("GASKET_CUDA", path, 1);
    check_refused(GASKET_UNAVAILABLE, path);
    check(told("invalid ELF header"), "%s", error.text);
}

static void load_by_name(void) {
    unsetenv("GASKET_CUDA");
    if (dlopen("libcuda.so.1", RTLD_LAZY) || dlopen("libcuda.so", RTLD_LAZY))
        scenario_skip("this machine has a driver");
    check_refused(GASKET_UNAVAILABLE, "libcuda.so.1:");
    check(told("libcuda.so:"), "%s", error.text);
}

static const char *const getters[] = {"cuGetProcAddress", "cuGetProcAddress_v2"};
static int lacking, n_getters; /* index of a function; how many of the getters are there */

static const char *const *names_to_lack(void) {
    static const char *names[4];
    int n = 0;
    names[n++] = functions[lacking].symbol;
    for (int i = n_getters; i < 2; i++)
        names[n++] = getters[i];
    names[n] = NULL;
    return names;
}

static void load_lacking(void) {
    const char *path = scratch("libcuda.so.1");
    fake_copy(fake_file(FAKE_DRIVER_FILE), path, names_to_lack());
    fake = fake_driver_at(path);
    if (!functions[lacking].is_optional) {
        check_refused(GASKET_UNAVAILABLE, functions[lacking].symbol);
        check(told("lacks") && told(path), "%s", error.text);
    } else if (check_loaded(functions[lacking].name)) {
        check(!function_of(lacking), "%s is there", functions[lacking].name);
        const int is_memory = strstr(functions[lacking].name, "Async") != NULL;
        const int is_code = !is_memory && strcmp(functions[lacking].name, "cuCtxGetId") != 0;
        check(driver->has_stream_order == !is_memory && driver->has_libraries == !is_code, "%s: groups",
              functions[lacking].name);
    }
    end_quietly();
}

static void lack_each(void) {
    for (lacking = 0; lacking < FUNCTIONS; lacking++)
        for (n_getters = 0; n_getters <= 2; n_getters++)
            check(child_status(load_lacking) == 0, "without %s, %d ways to ask", functions[lacking].symbol, n_getters);
}

/* ---- Old drivers ---- */

static void load_old(int version, int getters_there) {
    const char *names[FUNCTIONS + 3], *path = scratch("libcuda.so.1");
    int n = 0;
    for (int i = getters_there; i < 2; i++)
        names[n++] = getters[i];
    for (int i = 0; i < FUNCTIONS; i++)
        if (functions[i].version > version) names[n++] = functions[i].symbol;
    names[n] = NULL;
    fake_copy(fake_file(FAKE_DRIVER_FILE), path, names);
    fake = fake_driver_at(path);
    fake->version = version;
    if (!check_loaded("an old one")) return;
    check(driver->version == version && !driver->has_libraries && !driver->cuCtxGetId, "version %d", driver->version);
    check(driver->has_stream_order == (version >= 11020), "version %d: stream order", version);
    for (int i = 0; i < FUNCTIONS; i++)
        check(!function_of(i) == (functions[i].version > version), "%s", functions[i].symbol);
    check(fake_count(&fake->record, "cuGetProcAddress") == (getters_there ? FUNCTIONS : 0), "ways to ask");
}

static void load_11_8(void) {
    load_old(11080, 1);
}

static void load_11_2(void) {
    load_old(11020, 0);
}

static void load_11_0(void) {
    load_old(11000, 0);
}

/* One that hands out nothing still has its functions by name. */
static void load_unhelpful(void) {
    fake = fake_driver_load();
    fake->record.fail.function = "cuGetProcAddress";
    fake->record.fail.nth = fake->record.fail.stays = 1;
    fake->record.fail.result = CUDA_ERROR_NOT_FOUND;
    if (check_loaded("one that hands out nothing"))
        check(driver->has_libraries && driver->cuMemAlloc, "functions by name");
}

/* ---- One that does not start ---- */

static int bad_result;
static const char *failing;

static const char *name_of_result(int result) {
    const char *name = NULL;
    CUresult (*get_name)(CUresult, const char **);
    void *symbol = fake_symbol(fake_file(FAKE_DRIVER_FILE), "cuGetErrorName");
    memcpy(&get_name, &symbol, sizeof get_name);
    return get_name((CUresult)result, &name) == CUDA_SUCCESS ? name : "a result without a name";
}

static void start_failing(void) {
    const int lacks_memory = bad_result == CUDA_ERROR_OUT_OF_MEMORY;
    const enum gasket_status status = lacks_memory ? GASKET_OUT_OF_MEMORY : GASKET_UNAVAILABLE;
    const char *name = name_of_result(bad_result);
    fake = fake_driver_load();
    fake->record.fail.function = failing;
    fake->record.fail.nth = 1;
    fake->record.fail.result = bad_result;
    check_refused(status, name);
    check(told(failing) && told("does not start") && told(fake_file(FAKE_DRIVER_FILE)), "%s", error.text);
    if (lacks_memory && strcmp(failing, "cuInit") == 0)
        check_loaded("after memory ran out");
    else if (!lacks_memory) {
        check_refused(status, name);
        check(fake_count(&fake->record, failing) == 1, "%s was called again", failing);
    }
    end_quietly();
}

static void start_badly(void) {
    const int *results = fake_driver_load()->results;
    for (int i = 0; results[i]; i++) {
        bad_result = results[i];
        failing = "cuInit";
        check(child_status(start_failing) == 0, "cuInit gives %s", name_of_result(bad_result));
        failing = "cuDriverGetVersion";
        check(child_status(start_failing) == 0, "cuDriverGetVersion gives %s", name_of_result(bad_result));
    }
}

/* ---- Results ---- */

static void name_results(void) {
    static const struct {
        int result;
        enum gasket_status status;
        const char *name;
    } samples[] = {{1, GASKET_INVALID_ARGUMENT, "CUDA_ERROR_INVALID_VALUE"},
                   {2, GASKET_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
                   {4, GASKET_UNAVAILABLE, "CUDA_ERROR_DEINITIALIZED"},
                   {100, GASKET_UNAVAILABLE, "CUDA_ERROR_NO_DEVICE"},
                   {201, GASKET_INVALID_ARGUMENT, "CUDA_ERROR_INVALID_CONTEXT"},
                   {209, GASKET_UNSUPPORTED, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
                   {700, GASKET_INTERNAL, "CUDA_ERROR_ILLEGAL_ADDRESS"},
                   {803, GASKET_UNAVAILABLE, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
                   {999, GASKET_INTERNAL, "CUDA_ERROR_UNKNOWN"}};
    fake = fake_driver_load();
    if (!check_loaded("the fake")) return;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const enum gasket_status status = gk_cuda_fail(driver, (CUresult)samples[i].result, "cuX", &error);
        check(status == samples[i].status && told(samples[i].name), "%d: %s", samples[i].result, error.text);
    }
    for (int i = 0; fake->results[i]; i++) {
        const char *name = name_of_result(fake->results[i]);
        check(gk_cuda_fail(driver, (CUresult)fake->results[i], "cuX", &error) != GASKET_OK, "%d", fake->results[i]);
        check(told(name) && told("cuX: ") && error.status, "%d: %s", fake->results[i], error.text);
    }
    check(gk_cuda_fail(driver, (CUresult)12345, "cuX", &error) == GASKET_INTERNAL && told("no name for (12345)"), "%s",
          error.text);
    fake->record.fail.nth = fake->record.fail.stays = 1;
    fake->record.fail.result = 999;
    check(gk_cuda_fail(driver, (CUresult)100, "cuX", &error) == GASKET_UNAVAILABLE && told("no name for (100)"), "%s",
          error.text);
}

/* ---- Memory that runs out ---- */

#ifndef HAS_OWN_ALLOCATOR
enum { MOST_TRIES = 500, ENDED = 0, WRONG_TRY = 1, WENT_ON = 3 };
static long nth;

static void load_without_memory(void) {
    has_failed = 0;
    countdown = nth;
    const enum gasket_status status = gk_cuda_driver_load(&driver, &error);
    countdown = -1;
    const int is_right = status == GASKET_OK || (status == GASKET_OUT_OF_MEMORY && has_failed);
    check(is_right, "allocation %ld: %s: %s", nth, gasket_status_name(status), error.text);
    const int ok = check_loaded("when memory is there again");
    exit(!is_right || !ok ? WRONG_TRY : has_failed ? WENT_ON : ENDED);
}

static void lack_memory(void) {
    int status = WENT_ON;
    setenv("GASKET_CUDA", fake_file(FAKE_DRIVER_FILE), 1);
    for (nth = 0; nth < MOST_TRIES && status != ENDED; nth++) {
        const int ended = child_status(load_without_memory);
        status = WIFEXITED(ended) ? WEXITSTATUS(ended) : WRONG_TRY;
        check(status == ENDED || status == WENT_ON, "allocation %ld: status %d of the process", nth, ended);
    }
    check(status == ENDED && nth > 2, "%ld tries", nth);
}
#else
static void lack_memory(void) {
    scenario_skip("the sanitizer has its own allocator");
}
#endif

/* ---- Where libraries are looked for ---- */

static void place(const char *folder, const char *name) {
    static const char *const nothing[] = {NULL};
    char command[1200];
    snprintf(command, sizeof command, "mkdir -p '%s'", scratch(folder));
    if (system(command) != 0) give_up(command);
    fake_copy(fake_file(FAKE_NVRTC_FILE), path_of("%s/%s", scratch(folder), name), nothing);
}

/* The file that a search found, below the folder of the scenario. */
static const char *found_by(const struct gk_search *search) {
    static char real[2][4096];
    if (!search->handle || !realpath(gk_library_path(search->handle), real[0])) return "nothing";
    if (!realpath(getenv("GASKET_CACHE_DIR"), real[1]) || strncmp(real[0], real[1], strlen(real[1])) != 0)
        return real[0];
    return real[0] + strlen(real[1]) + 1;
}

static void search_folders(void) {
    char texts[3][1024];
    const char *patterns[] = {texts[0], texts[1], texts[2], NULL};
    snprintf(texts[0], sizeof texts[0], "%s", scratch("one/*.so.[0-9]*"));
    snprintf(texts[1], sizeof texts[1], "%s", scratch("two*/*.so.[0-9]*"));
    snprintf(texts[2], sizeof texts[2], "%s", scratch("none/*"));
    struct gk_search search = {NULL, 0, ""}, other = {NULL, 0, ""}, none = {NULL, 0, ""};
    place("one", "libx.so.9.11");
    place("two-9.2", "libx.so.9");
    place("two-9.10", "libx.so.12.1");
    if (symlink("libx.so.12.1", scratch("two-9.10/libx.so.99")) != 0) give_up("no links");
    gk_search_folders(&search, patterns);
    check(strcmp(found_by(&search), "two-9.10/libx.so.12.1") == 0, "found %s", found_by(&search));
    check(strcmp(search.tried, patterns[2]) == 0, "tried %s", search.tried);
    file_write(scratch("two-9.10/libx.so.12.2"), "no library", 10, 0700);
    if (symlink("libx.so.12.2", scratch("two-9.10/libx.so.12")) != 0) give_up("no links");
    remove(scratch("two-9.10/libx.so.12.1"));
    gk_search_folders(&other, patterns);
    check(strcmp(found_by(&other), "one/libx.so.9.11") == 0, "found %s", found_by(&other));
    const char *broken = strstr(other.tried, "two-9.10/libx.so.12.2");
    check(broken && !strstr(broken + strlen("two-9.10/l"), "libx.so.12.2") && strstr(broken, "too short"), "tried %s",
          other.tried);
    check(strstr(other.tried, "two-9.10/libx.so.99") != NULL, "tried %s", other.tried);
    gk_search_folders(&none, patterns + 2);
    check(gk_search_fail(&none, "X", &error) == GASKET_UNAVAILABLE && told("X was not found: /") && told("none/*"),
          "%s", error.text);
}

/* Of one name in several folders, the folder tells which is newer. */
static void search_equals(void) {
    struct gk_search search = {NULL, 0, ""};
    place("cuda-12.10/lib64", "libx.so.12");
    place("cuda-12.9/lib64", "libx.so.12");
    const char *patterns[] = {scratch("cuda*/lib64/*.so.12"), NULL};
    gk_search_folders(&search, patterns);
    check(strcmp(found_by(&search), "cuda-12.10/lib64/libx.so.12") == 0, "found %s", found_by(&search));
}

static void search_wheels(void) {
    static const char in_venv[] = "venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib",
                      in_home[] = "home/.local/lib/python3.12/dist-packages/nvidia/cu13/lib";
    const char *path;
    struct gk_search search = {NULL, 0, ""}, other = {NULL, 0, ""}, none = {NULL, 0, ""};
    setenv("VIRTUAL_ENV", scratch("venv"), 1);
    setenv("HOME", scratch("home"), 1);
    gk_search_wheels(&none, "libx.so.[0-9]*");
    check(!none.handle && strstr(none.tried, "venv/lib/python3*/*-packages/nvidia/*/lib/libx.so.[0-9]*") &&
              strstr(none.tried, "home/.local/lib/python3*") && strstr(none.tried, "; /usr/lib/python3*"),
          "tried %s", none.tried);
    place(in_venv, "libx.so.98");
    gk_search_wheels(&search, "libx.so.[0-9]*");
    path = found_by(&search);
    check(strncmp(path, in_venv, strlen(in_venv)) == 0, "found %s", path);
    place(in_home, "libx.so.99");
    gk_search_wheels(&other, "libx.so.[0-9]*");
    path = found_by(&other);
    check(strncmp(path, in_home, strlen(in_home)) == 0, "found %s", path);
    gk_search_wheels(&other, "libx.so.98");
    check(found_by(&other) == path, "a search that has found goes on");
}

static void search_toolkits(void) {
    struct gk_search search = {NULL, 0, ""};
    gk_search_toolkits(&search, "libgasket_no_such.so.*");
    check(!search.handle && strstr(search.tried, "/usr/local/cuda*/lib64/libgasket_no_such.so.*") &&
              strstr(search.tried, "/usr/lib/x86_64-linux-gnu/") && strstr(search.tried, "/usr/lib/aarch64-linux-gnu/"),
          "tried %s", search.tried);
}

int main(void) {
    scenario("the driver is loaded", load_it);
    scenario("no driver", load_nothing);
    scenario("no library", load_garbage);
    scenario("no driver by name", load_by_name);
    scenario("without one function", lack_each);
    scenario("a driver of 11.8", load_11_8);
    scenario("a driver of 11.2", load_11_2);
    scenario("a driver of 11.0", load_11_0);
    scenario("a driver that hands out nothing", load_unhelpful);
    scenario("a driver that does not start", start_badly);
    scenario("results", name_results);
    scenario("memory runs out", lack_memory);
    scenario("folders", search_folders);
    scenario("folders with one name", search_equals);
    scenario("wheels", search_wheels);
    scenario("toolkits", search_toolkits);
    return scenarios_finish();
}
