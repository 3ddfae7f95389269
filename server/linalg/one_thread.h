/* one_thread.h - oneDNN's products stay on the thread that asks: who wants more cores splits the work. Private to
 * this folder. */
#ifndef LINALG_ONE_THREAD_H
#define LINALG_ONE_THREAD_H

#include <stdbool.h>

/* Of OpenMP, which oneDNN brings along; its header and its compiler switch are not needed for this.
 * The number of threads is a setting of each thread. */
void omp_set_num_threads(int n);

static inline void stay_on_this_thread(void)
{
    static _Thread_local bool said;
    if (!said) {
        omp_set_num_threads(1);
        said = true;
    }
}

#endif
