/* listen_test.c - the listening socket and what is said when there can be none. */
#include "unit.h"

#include "http/listen.h"

#include <fcntl.h>
#include <unistd.h>

TEST(a_free_port_is_found)
{
    int fd = -1;
    uint16_t port = 0;
    assert_int_equal(listen_open("127.0.0.1", 0, &fd, &port, NULL), OK);
    assert_true(fd >= 0 && port > 0);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC); /* jobs do not inherit it */
    close(fd);
}

TEST(a_taken_port_is_a_conflict)
{
    int fd = -1, other = -1;
    uint16_t port = 0, again = 0;
    struct err err = {0};
    assert_int_equal(listen_open("127.0.0.1", 0, &fd, &port, NULL), OK);
    assert_int_equal(listen_open("127.0.0.1", port, &other, &again, &err), ERR_CONFLICT);
    assert_string_equal(err.rule, "port-taken");
    assert_int_equal(other, -1);
    close(fd);
    assert_int_equal(listen_open("127.0.0.1", port, &other, &again, NULL), OK);
    assert_int_equal(again, port);
    close(other);
}

TEST(other_machines_addresses_are_refused)
{
    int fd = -1;
    uint16_t port = 0;
    struct err err = {0};
    assert_int_equal(listen_open("192.0.2.1", 0, &fd, &port, &err), ERR_INPUT);
    assert_string_equal(err.rule, "bind");
    err_clear(&err);
    assert_int_equal(listen_open("300.1.1.1", 0, &fd, &port, &err), ERR_INPUT);
    assert_int_equal(fd, -1);
}
