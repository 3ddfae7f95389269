/* listen.c - the socket the server listens on: made here and not by libmicrohttpd, so that a
 * failure has a reason and port 0 an answer. */
#include "http/listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 4096 }; /* the kernel lowers it to net.core.somaxconn */

static enum err_code resolve(const char *bind_to, uint16_t port, struct addrinfo **out,
                             struct err *err)
{
    char service[8];
    snprintf(service, sizeof service, "%u", (unsigned)port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    int rc = getaddrinfo(bind_to, service, &hints, out);
    if (rc != 0) {
        return err_rule(err, ERR_INPUT, "bind", "cannot listen on \"%s\": %s", bind_to,
                        gai_strerror(rc));
    }
    return OK;
}

static enum err_code bind_failed(const char *bind_to, uint16_t port, int number, struct err *err)
{
    if (number == EADDRINUSE) {
        return err_rule(err, ERR_CONFLICT, "port-taken",
                        "port %u on %s is in use: stop the other program or choose another port "
                        "(--port, or port in config.ini)",
                        (unsigned)port, bind_to);
    }
    return err_rule(err, ERR_INPUT, "bind", "cannot listen on %s port %u: %s", bind_to,
                    (unsigned)port, strerror(number));
}

static uint16_t bound_port(int fd)
{
    struct sockaddr_storage at;
    socklen_t n = sizeof at;
    struct sockaddr_in in;
    BUG_IF(getsockname(fd, (struct sockaddr *)&at, &n) != 0);
    /* The port stands at the same place in sockaddr_in and sockaddr_in6. */
    memcpy(&in, &at, sizeof in);
    return ntohs(in.sin_port);
}

enum err_code listen_open(const char *bind_to, uint16_t port, int *fd, uint16_t *bound,
                          struct err *err)
{
    struct addrinfo *at = NULL;
    const int on = 1;
    enum err_code rc = resolve(bind_to, port, &at, err);
    if (rc != OK) {
        return rc;
    }
    int s = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (s < 0) {
        rc = err_errno(err, errno, "cannot make a socket");
        goto out;
    }
    if (setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(s, at->ai_addr, at->ai_addrlen) != 0 || listen(s, BACKLOG) != 0) {
        rc = bind_failed(bind_to, port, errno, err);
        goto out;
    }
    *bound = bound_port(s);
    *fd = s;
    s = -1;
out:
    if (s >= 0) {
        close(s);
    }
    freeaddrinfo(at);
    return rc;
}
