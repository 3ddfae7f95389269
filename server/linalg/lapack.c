/* lapack.c - finds LAPACK at run time. */
#include "linalg/lapack.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char *const libraries[] = {"libopenblas.so.0", "liblapack.so.3", NULL};

/* Our callers split work over threads themselves, and the same input must give the same bits
 * however many cores there are: builds of OpenBLAS with threads of their own are told to use one.
 */
static void use_one_thread(void *handle)
{
    void *symbol = dlsym(handle, "openblas_set_num_threads");
    void (*set)(int) = NULL;
    memcpy(&set, &symbol, sizeof set);
    if (set) {
        set(1);
    }
}

/* OpenBLAS takes a processor that is newer than itself for one of 2004, whose kernels take five
 * times as long. What it should do instead, or NULL: it knows better. */
static const char *better_kernels(void *handle)
{
    void *symbol = dlsym(handle, "openblas_get_corename");
    char *(*name)(void) = NULL;
    memcpy(&name, &symbol, sizeof name);
    if (!name || strcmp(name(), "Prescott") != 0 || getenv("OPENBLAS_CORETYPE")) {
        return NULL;
    }
    bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    bool usual = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return wide ? "SkylakeX" : usual ? "Haswell" : NULL;
}

/* It chooses while it is loaded, by the environment if that says something. */
static void *open_library(const char *name)
{
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    const char *kernels = handle ? better_kernels(handle) : NULL;
    if (kernels) {
        dlclose(handle);
        setenv("OPENBLAS_CORETYPE", kernels, 1);
        handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        unsetenv("OPENBLAS_CORETYPE");
    }
    return handle;
}

static bool find_all(void *handle, struct lapack *out)
{
    void *symbols[] = {dlsym(handle, "dpotrf_"), dlsym(handle, "dpotrs_"), dlsym(handle, "dsyev_")};
    memcpy(&out->dpotrf, &symbols[0], sizeof out->dpotrf);
    memcpy(&out->dpotrs, &symbols[1], sizeof out->dpotrs);
    memcpy(&out->dsyev, &symbols[2], sizeof out->dsyev);
    return symbols[0] && symbols[1] && symbols[2];
}

enum err_code lapack_open(const char *const *names, struct lapack *out, struct err *err)
{
    for (; *names; names++) {
        void *handle = open_library(*names);
        if (handle && find_all(handle, out)) {
            use_one_thread(handle);
            return OK;
        }
        if (handle) {
            dlclose(handle);
        }
    }
    return err_rule(
        err, ERR_NOT_FOUND, "lapack",
        "Training solves its equations with LAPACK, which is not installed: apt-get install "
        "libopenblas0-serial (or liblapack3, which is slower).");
}

enum err_code lapack_load(const struct lapack **out, struct err *err)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct lapack kept;
    enum err_code rc = OK;
    pthread_mutex_lock(&lock);
    if (!kept.dpotrf) {
        struct lapack found = {0};
        rc = lapack_open(libraries, &found, err);
        kept = rc == OK ? found : kept;
    }
    pthread_mutex_unlock(&lock);
    *out = &kept;
    return rc;
}
