/* doctor_server.c - what `holdout doctor` says of addresses: does the server answer, could it start,
 * do public_url, TLS and proxies fit together? */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/fs.h"
#include "cli/operate/doctor.h"

enum { ANSWER_SECONDS = 2, REPLY_MOST = 256 };

/* ---- how people reach it ---- */

static bool is_loopback(const char *bind)
{
    return strncmp(bind, "127.", 4) == 0 || strcmp(bind, "::1") == 0;
}

void doctor_address(struct doctor *d)
{
    const struct config *c = &d->cli->config;
    bool https = strncmp(c->public_url, "https://", 8) == 0;
    bool tls = *c->tls_cert, proxied = *c->trusted_proxies, outside = !is_loopback(c->bind);
    if (outside && !tls && !proxied) {
        doctor_say(d, DOCTOR_WARN, "address", "%s can be reached from outside without TLS, so passwords are "
                   "sent in clear text: set tls_cert and tls_key, or bind 127.0.0.1 behind a proxy", c->bind);
    } else if (https && !tls && !proxied) {
        doctor_say(d, DOCTOR_WARN, "address", "public_url is https, but neither tls_cert nor trusted_proxies "
                   "is set: name the proxy, otherwise everybody counts as one address");
    } else if ((tls || proxied) && !https) {
        doctor_say(d, DOCTOR_WARN, "address", "%s is set, but public_url is %s: set the https:// address, "
                   "which makes cookies Secure", tls ? "tls_cert" : "trusted_proxies",
                   *c->public_url ? c->public_url : "empty");
    } else if (!https) {
        doctor_say(d, DOCTOR_OK, "address", "%s, for this machine only; people elsewhere need public_url and "
                   "TLS (docs/operations.md)", c->bind);
    } else {
        doctor_say(d, DOCTOR_OK, "address", "%s%s", c->public_url,
                   proxied ? ", by a proxy" : ", TLS by the server itself");
    }
}

static bool usable(struct doctor *d, const char *option, const char *path)
{
    if (access(path, R_OK) == 0) {
        return true;
    }
    doctor_say(d, DOCTOR_FAIL, "tls", "%s names %s, which cannot be read (%s): the server would not "
               "start", option, path, strerror(errno));
    return false;
}

void doctor_tls(struct doctor *d)
{
    const struct config *c = &d->cli->config;
    struct stat st;
    if (!*c->tls_cert || !usable(d, "server.tls_cert", c->tls_cert) ||
        !usable(d, "server.tls_key", c->tls_key)) {
        return;
    }
    if (stat(c->tls_key, &st) == 0 && (st.st_mode & 007)) {
        doctor_say(d, DOCTOR_WARN, "tls", "everybody can read the key %s: chmod 600 it", c->tls_key);
    } else {
        doctor_say(d, DOCTOR_OK, "tls", "certificate and key can be read");
    }
}

/* ---- is it there? ---- */

struct address {
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } at;
    socklen_t n;
};

static bool address_of(const char *host, uint16_t port, struct address *out)
{
    *out = (struct address){0};
    if (inet_pton(AF_INET, host, &out->at.four.sin_addr) == 1) {
        out->at.four.sin_family = AF_INET;
        out->at.four.sin_port = htons(port);
        out->n = sizeof out->at.four;
    } else if (inet_pton(AF_INET6, host, &out->at.six.sin6_addr) == 1) {
        out->at.six.sin6_family = AF_INET6;
        out->at.six.sin6_port = htons(port);
        out->n = sizeof out->at.six;
    }
    return out->n > 0;
}

/* "http://[::1]:8080" in its parts; who listens on all addresses is asked on this machine's own. */
static bool parse_address(const char *text, struct address *out, bool *tls)
{
    struct sv rest = sv_of(text);
    *tls = sv_starts(rest, "https://");
    size_t scheme = *tls ? 8 : 7;
    if (!*tls && !sv_starts(rest, "http://")) {
        return false;
    }
    const char *colon = strrchr(text + scheme, ':');
    int64_t port;
    if (!colon || !sv_i64(sv_of(colon + 1), &port) || port < 1 || port > 65535) {
        return false;
    }
    struct sv host = sv_make(text + scheme, (size_t)(colon - text) - scheme);
    if (sv_starts(host, "[") && sv_ends(host, "]")) {
        host = sv_make(host.p + 1, host.n - 2);
    }
    char name[INET6_ADDRSTRLEN];
    snprintf(name, sizeof name, SV_FMT, SV_ARG(host));
    const char *ask = strcmp(name, "0.0.0.0") == 0 ? "127.0.0.1"
                      : strcmp(name, "::") == 0    ? "::1"
                                                   : name;
    return address_of(ask, (uint16_t)port, out);
}

/* Connects with a limit on every wait; -1 with errno. */
static int reach(const struct address *a)
{
    int fd = socket(a->at.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct timeval limit = {.tv_sec = ANSWER_SECONDS};
    if (fd < 0) {
        return -1;
    }
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (connect(fd, &a->at.any, a->n) != 0) {
        int why = errno;
        close(fd);
        errno = why;
        return -1;
    }
    return fd;
}

/* The status of GET /readyz, 0 when there was no reply that is HTTP. */
static int ask_ready(int fd)
{
    static const char request[] = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n"
                                  "Connection: close\r\n\r\n";
    char reply[REPLY_MOST];
    int64_t status = 0;
    if (send(fd, request, sizeof request - 1, MSG_NOSIGNAL) != (ssize_t)sizeof request - 1) {
        return 0;
    }
    size_t n = 0;
    while (n < sizeof "HTTP/1.1 200" - 1) {
        ssize_t got = recv(fd, reply + n, sizeof reply - n, 0);
        if (got <= 0) {
            return 0;
        }
        n += (size_t)got;
    }
    bool http = sv_starts(sv_make(reply, n), "HTTP/1.") && sv_i64(sv_make(reply + 9, 3), &status);
    return http ? (int)status : 0;
}

static void running(struct doctor *d)
{
    struct address a;
    bool tls;
    if (!parse_address(d->address, &a, &tls)) {
        doctor_say(d, DOCTOR_WARN, "server",
                   "one is running but has not recorded its address yet: try again");
        return;
    }
    int fd = reach(&a);
    if (fd < 0) {
        doctor_say(d, DOCTOR_FAIL, "server", "it is running, but %s does not answer (%s): look at its log",
                   d->address, strerror(errno));
        return;
    }
    int status = tls ? 200 : ask_ready(fd);
    close(fd);
    if (status == 200) {
        doctor_say(d, DOCTOR_OK, "server", tls ? "%s accepts connections" : "%s is ready", d->address);
    } else {
        doctor_say(d, DOCTOR_FAIL, "server", "%s answers /readyz with %d instead of 200: it is starting "
                   "or stopping, or hangs; look at its log", d->address, status);
    }
}

/* Whether `serve` could listen where the configuration says. */
static void could_start(struct doctor *d)
{
    const struct config *c = &d->cli->config;
    struct address a;
    int yes = 1;
    if (!address_of(c->bind, (uint16_t)c->port, &a)) {
        return; /* the configuration was checked: it is an address */
    }
    int fd = socket(a.at.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool free_port = fd >= 0;
    if (free_port) {
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        free_port = bind(fd, &a.at.any, a.n) == 0;
    }
    int why = errno;
    if (fd >= 0) {
        close(fd);
    }
    if (free_port) {
        doctor_say(d, DOCTOR_OK, "server", "none is running; %s port %lld is free", c->bind,
                   (long long)c->port);
    } else {
        doctor_say(d, DOCTOR_FAIL, "server", "none is running, and it could not listen on %s port %lld (%s): "
                   "stop what is using it, or set another server.port", c->bind, (long long)c->port,
                   strerror(why));
    }
}

void doctor_server(struct doctor *d)
{
    if (d->served) {
        running(d);
    } else {
        could_start(d);
    }
}
