/* thread.c - starting named threads. */
#include "base/thread.h"

#include <signal.h>
#include <string.h>

enum err_code thread_start(pthread_t *out, const char *name, void *(*run)(void *), void *arg,
                           struct err *err)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = pthread_create(out, NULL, run, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (rc != 0) {
        return err_errno(err, rc, "cannot start the %s thread", name);
    }
    pthread_setname_np(*out, name);
    return OK;
}
