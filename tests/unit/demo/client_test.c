/* client_test.c - the visitors' HTTP client against servers that say this and that. */
#include "unit.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <sys/socket.h>

#include "demo/client.h"

/* Takes one connection, reads up to the end of its body, says `reply`. */
struct server {
    int fd;
    uint16_t port;
    const char *reply;
    char heard[4096];
    pthread_t thread;
};

static void *serve(void *arg)
{
    struct server *s = arg;
    size_t n = 0;
    int fd = accept(s->fd, NULL, NULL);
    ssize_t got = 1;
    while (fd >= 0 && got > 0 && n < sizeof s->heard - 1 && !strchr(s->heard, '}')) {
        got = recv(fd, s->heard + n, sizeof s->heard - 1 - n, 0);
        n += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0 && send(fd, s->reply, strlen(s->reply), MSG_NOSIGNAL) < 0) {
        s->heard[0] = '\0';
    }
    close(fd);
    return NULL;
}

static void start(struct server *s, const char *reply)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof at;
    memset(s, 0, sizeof *s);
    s->reply = reply;
    s->fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(s->fd, (const struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(s->fd, 1), 0);
    assert_int_equal(getsockname(s->fd, (struct sockaddr *)&at, &n), 0);
    s->port = ntohs(at.sin_port);
    assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
}

static enum err_code ask(const char *reply, struct str *room, struct client_reply *out,
                         struct server *s)
{
    struct err err = {0};
    start(s, reply);
    struct client c = {"127.0.0.1", s->port};
    enum err_code rc = client_post(&c, "/here", SV("{\"a\":1}"), room, out, &err);
    pthread_join(s->thread, NULL);
    close(s->fd);
    assert_int_equal(rc == OK, err.code == OK);
    return rc;
}

TEST(replies)
{
    struct server s;
    struct client_reply r;
    struct str room;
    str_init(&room, 4096);
    assert_int_equal(ask("HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}", &room, &r, &s), OK);
    assert_int_equal(r.status, 201);
    assert_true(sv_is(r.body, "{}"));
    assert_non_null(strstr(s.heard, "POST /here HTTP/1.1\r\nHost: 127.0.0.1:"));
    assert_non_null(strstr(s.heard, "\r\nContent-Length: 7\r\n"));
    assert_non_null(strstr(s.heard, "\r\n\r\n{\"a\":1}"));
    assert_int_equal(ask("HTTP/1.1 204 No Content\r\n\r\n", &room, &r, &s), OK);
    assert_int_equal(r.status, 204);
    assert_int_equal(r.body.n, 0);
    static const char *const bad[] = {"", "hello\r\n\r\n", "HTTP/1.1 many\r\n\r\n", "HTTP/1.1 200 OK\r\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(ask(bad[i], &room, &r, &s), ERR_INPUT);
    }
    str_release(&room);
    str_init(&room, 8); /* a reply that is too long for the room */
    assert_int_equal(ask("HTTP/1.1 200 OK\r\n\r\n{}", &room, &r, &s), ERR_LIMIT);
    str_release(&room);
}

TEST(nobody)
{
    struct server s;
    struct client_reply r;
    struct str room;
    str_init(&room, 4096);
    start(&s, "HTTP/1.1 200 OK\r\n\r\n");
    struct err none = {0}, name = {0}, some = {0};
    struct client c = {"127.0.0.1", s.port}, wrong = {"localhost", s.port};
    assert_int_equal(client_post(&wrong, "/", SV("{}"), &room, &r, &name), ERR_INPUT);
    assert_int_equal(client_post(&c, "/", SV("{}"), &room, &r, &some), OK);
    pthread_join(s.thread, NULL);
    close(s.fd);
    assert_int_equal(client_post(&c, "/", SV("{}"), &room, &r, &none), ERR_IO);
    assert_non_null(strstr(none.msg, "cannot reach"));
    str_release(&room);
}
