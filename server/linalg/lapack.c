/* lapack.c - finds LAPACK at run time. */
#include "linalg/lapack.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static const char *const libraries[] = {"libopenblas.so.0", "liblapack.so.3", NULL};

/* Our callers split work over threads themselves, and the same input must give the same bits however many
 * cores there are: builds of OpenBLAS with threads of their own are told to use one. */
static void use_one_thread(void *handle)
{
    void *symbol = dlsym(handle, "openblas_set_num_threads");
    void (*set)(int) = NULL;
    memcpy(&set, &symbol, sizeof set);
    if (set) {
        set(1);
    }
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
        void *handle = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        if (handle && find_all(handle, out)) {
            use_one_thread(handle);
            return OK;
        }
        if (handle) {
            dlclose(handle);
        }
    }
    return err_rule(err, ERR_NOT_FOUND, "lapack",
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
