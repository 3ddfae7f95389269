/* thread_test.c - a started thread has its name, its argument and no signals. */
#include "unit.h"

#include <signal.h>

#include "base/thread.h"

struct seen {
    bool blocked;
};

static void *look(void *arg)
{
    struct seen *s = arg;
    sigset_t set;
    pthread_sigmask(SIG_SETMASK, NULL, &set);
    s->blocked = sigismember(&set, SIGTERM) == 1 && sigismember(&set, SIGINT) == 1;
    return s;
}

TEST(signals_stay_with_the_main_thread)
{
    struct seen s = {.blocked = false};
    struct err err = {0};
    pthread_t t;
    void *result = NULL;
    assert_int_equal(thread_start(&t, "looker", look, &s, &err), OK);
    assert_int_equal(pthread_join(t, &result), 0);
    assert_ptr_equal(result, &s);
    assert_true(s.blocked);
    sigset_t mine;
    pthread_sigmask(SIG_SETMASK, NULL, &mine);
    assert_int_equal(sigismember(&mine, SIGTERM), 0);
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_at_gate(void *arg)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return arg;
}

TEST(threads_have_names)
{
    char name[16] = "";
    struct err err = {0};
    pthread_t t;
    pthread_mutex_lock(&gate);
    assert_int_equal(thread_start(&t, "writer", wait_at_gate, NULL, &err), OK);
    pthread_getname_np(t, name, sizeof name);
    pthread_mutex_unlock(&gate);
    assert_int_equal(pthread_join(t, NULL), 0);
    assert_string_equal(name, "writer");
}
