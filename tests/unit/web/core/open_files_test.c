/* open_files_test.c - files stay open while somebody reads them or they have a place, and no longer. */
#include "unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>

#include "web/core/open_files.h"

static struct open_file some_file(uint64_t number)
{
    struct open_file f = {.number = number, .n = number + 70, .tail = 3};
    f.fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    assert_true(f.fd >= 0);
    return f;
}

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

TEST(kept_until_another_needs_the_place)
{
    struct open_files *o = open_files_new(8);
    struct open_file one = some_file(1), nine = some_file(9);
    assert_null(open_files_get(o, 1));
    open_file_release(open_files_put(o, &one));
    struct open_file *f = open_files_get(o, 1);
    assert_true(f && f->fd == one.fd && f->n == 71 && f->tail == 3);
    assert_null(open_files_get(o, 9));
    open_file_release(open_files_put(o, &nine)); /* the same place */
    assert_null(open_files_get(o, 1));
    assert_true(is_open(one.fd)); /* somebody still reads it */
    open_file_release(f);
    assert_false(is_open(one.fd));
    assert_true(is_open(nine.fd));
    open_files_free(o);
    assert_false(is_open(nine.fd));
    open_files_free(NULL);
    open_file_release(NULL);
}

TEST(none_at_all)
{
    struct open_files *o = open_files_new(0);
    struct open_file one = some_file(1), *f = open_files_put(o, &one);
    assert_null(open_files_get(o, 1));
    assert_true(is_open(one.fd));
    open_file_release(f);
    assert_false(is_open(one.fd));
    open_files_free(o);
}

/* The process keeps most of its descriptors for connections. */
static void *hammer(void *arg)
{
    struct open_files *o = arg;
    for (int i = 0; i < 5000; i++) {
        uint64_t number = (uint64_t)i * 7919 % 12;
        struct open_file *f = open_files_get(o, number);
        if (!f) {
            struct open_file made = some_file(number);
            f = open_files_put(o, &made);
        }
        char byte = 1;
        assert_int_equal(pread(f->fd, &byte, 1, 0), 1);
        assert_int_equal(byte, 0);
        assert_int_equal(f->number, number);
        open_file_release(f);
    }
    return NULL;
}

TEST(threads_read_what_they_asked_for)
{
    pthread_t threads[3];
    struct open_files *o = open_files_new(8);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, o), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    open_files_free(o);
}

/* Last: the process keeps the lower limits. */
TEST(a_quarter_at_most)
{
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &(struct rlimit){64, 256}), 0);
    struct open_files *o = open_files_new(1000); /* asks for all that it may have */
    struct rlimit now;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &now), 0);
    assert_int_equal(now.rlim_cur, 256);
    for (uint64_t i = 0; i < 100; i++) {
        struct open_file f = some_file(i);
        open_file_release(open_files_put(o, &f));
    }
    int kept = 0;
    for (uint64_t i = 0; i < 100; i++) {
        struct open_file *f = open_files_get(o, i);
        kept += f != NULL;
        open_file_release(f);
    }
    assert_int_equal(kept, 64);
    open_files_free(o);
}
