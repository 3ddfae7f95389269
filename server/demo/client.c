/* client.c - the smallest HTTP client that does. */
#include "demo/client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { PATIENCE_S = 5 };

static enum err_code open_socket(const struct client *c, int *fd, struct err *err)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(c->port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(c->port)};
    bool is_four = inet_pton(AF_INET, c->address, &four.sin_addr) == 1;
    struct timeval patience = {.tv_sec = PATIENCE_S};
    if (!is_four && inet_pton(AF_INET6, c->address, &six.sin6_addr) != 1) {
        return err_set(err, ERR_INPUT, "%s is not an address", c->address);
    }
    *fd = socket(is_four ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*fd < 0) {
        return err_errno(err, errno, "cannot open a socket");
    }
    setsockopt(*fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(*fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    const void *to = is_four ? (const void *)&four : (const void *)&six;
    if (connect(*fd, to, is_four ? sizeof four : sizeof six) != 0) {
        return err_errno(err, errno, "cannot reach %s port %u", c->address, c->port);
    }
    return OK;
}

static enum err_code send_all(int fd, struct sv text, struct err *err)
{
    while (text.n) {
        ssize_t n = send(fd, text.p, text.n, MSG_NOSIGNAL);
        if (n <= 0) {
            return err_errno(err, errno, "cannot send a request");
        }
        text = sv_make(text.p + n, text.n - (size_t)n);
    }
    return OK;
}

/* Everything until the server closes. */
static enum err_code receive_all(int fd, struct str *room, struct err *err)
{
    char piece[4096];
    for (;;) {
        ssize_t n = recv(fd, piece, sizeof piece, 0);
        if (n == 0) {
            return str_check(room, "a reply", err);
        }
        if (n < 0) {
            return err_errno(err, errno, "no reply");
        }
        str_add(room, piece, (size_t)n);
    }
}

/* "HTTP/1.1 200 OK", headers, an empty line, the body. */
static enum err_code parse(struct sv text, struct client_reply *out, struct err *err)
{
    struct sv rest = text, line = sv_cut(&rest, '\n');
    struct sv words = line, version = sv_cut(&words, ' ');
    int64_t status = 0;
    bool good = sv_starts(version, "HTTP/1.") && sv_i64(sv_cut(&words, ' '), &status);
    while (good && rest.p && sv_trim(line).n) {
        line = sv_cut(&rest, '\n');
    }
    if (!good || !rest.p) {
        return err_set(err, ERR_INPUT, "the reply is not HTTP");
    }
    *out = (struct client_reply){(int)status, rest};
    return OK;
}

enum err_code client_post(const struct client *c, const char *path, struct sv json,
                          struct str *room, struct client_reply *out, struct err *err)
{
    struct str request;
    int fd = -1;
    bool six = strchr(c->address, ':') != NULL;
    str_init(&request, 1 << 16);
    str_printf(&request, "POST %s HTTP/1.1\r\nHost: %s%s%s:%u\r\nConnection: close\r\n"
               "Accept: application/json\r\nContent-Type: application/json\r\n"
               "Content-Length: %zu\r\n\r\n", path, six ? "[" : "", c->address, six ? "]" : "",
               c->port, json.n);
    str_addsv(&request, json);
    str_clear(room);
    enum err_code rc = str_check(&request, "a request", err);
    rc = rc == OK ? open_socket(c, &fd, err) : rc;
    rc = rc == OK ? send_all(fd, str_sv(&request), err) : rc;
    rc = rc == OK ? receive_all(fd, room, err) : rc;
    rc = rc == OK ? parse(str_sv(room), out, err) : rc;
    if (fd >= 0) {
        close(fd);
    }
    str_release(&request);
    return rc;
}
