/* conn.c - one connection: connecting, sending a request, reading its reply or event stream.
 * Edge-triggered: every event reads until the socket is empty. */
#include "load/conn.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xalloc.h"

enum { IN_FIRST = 16 << 10, IN_MAX = 64 << 20, OUT_MAX = 1 << 20, BLOCK_MAX = 1 << 20 };

void conn_init(struct client_conn *conn, struct client *c)
{
    *conn = (struct client_conn){.client = c, .fd = -1};
    str_init(&conn->out, OUT_MAX);
    str_init(&conn->block, BLOCK_MAX);
}

static void close_socket(struct client_conn *conn)
{
    if (conn->fd >= 0) {
        close(conn->fd);
    }
    conn->fd = -1;
    conn->state = CONN_CLOSED;
    conn->in_n = conn->in_scanned = 0;
    conn->ended = false;
}

void conn_release(struct client_conn *conn)
{
    close_socket(conn);
    str_release(&conn->out);
    str_release(&conn->block);
    free(conn->in);
}

bool client_idle(const struct client_conn *conn)
{
    return conn->state == CONN_IDLE || conn->state == CONN_CLOSED;
}

/* Ends the request that is under way: status 0 when `status` is, else with the body in the input
 * buffer. The connection is free again when the callback runs. */
static void finish(struct client_conn *conn, int status, struct sv body)
{
    struct client_reply reply = {.status = status,
                                 .body = body,
                                 .sent_ns = conn->sent_ns,
                                 .latency_ns = clock_mono_ns() - conn->sent_ns,
                                 .retry_after_ms = status ? conn->head.retry_after_ms : -1};
    client_done_fn *done = conn->done;
    conn->done = NULL;
    conn->event = NULL;
    done(conn, &reply, conn->arg);
}

void conn_finish_lost(struct client_conn *conn)
{
    close_socket(conn);
    finish(conn, 0, (struct sv){"", 0});
}

static void lose_later(struct client_conn *conn)
{
    close_socket(conn);
    conn->state = CONN_LOST;
    conn->client->lost[conn->client->n_lost++] = conn;
}

void conn_check_timeout(struct client_conn *conn)
{
    bool waiting = conn->state == CONN_BUSY || conn->state == CONN_CONNECTING;
    if (waiting && conn->client->now_ns - conn->sent_ns > conn->client->timeout_ns) {
        conn_finish_lost(conn);
    }
}

/* False when the connection broke. */
static bool flush(struct client_conn *conn)
{
    while (conn->out_sent < conn->out.n) {
        ssize_t n = send(conn->fd, conn->out.p + conn->out_sent, conn->out.n - conn->out_sent,
                         MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0) {
            return errno == EAGAIN || errno == EINTR;
        }
        conn->out_sent += (size_t)n;
    }
    return true;
}

/* Starts the connection; the request goes out when EPOLLOUT says that it stands. */
static bool start_connect(struct client_conn *conn)
{
    const int one = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return false;
    }
    conn->fd = fd;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct epoll_event ev = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = conn};
    if (connect(fd, (const struct sockaddr *)&conn->client->address, sizeof conn->client->address) <
            0 &&
        errno != EINPROGRESS) {
        return false;
    }
    conn->state = CONN_CONNECTING;
    return epoll_ctl(conn->client->epoll, EPOLL_CTL_ADD, fd, &ev) == 0;
}

static void begin_request(struct client_conn *conn)
{
    BUG_IF(!client_idle(conn));
    conn->sent_ns = clock_mono_ns();
    conn->in_n = conn->in_scanned = 0;
    conn->head = (struct conn_head){.retry_after_ms = -1};
    conn->out_sent = 0;
    bool ok = true;
    if (conn->state == CONN_CLOSED) {
        ok = start_connect(conn);
    } else {
        conn->state = CONN_BUSY;
        ok = flush(conn);
    }
    if (!ok) {
        lose_later(conn);
    }
}

void client_send(struct client_conn *conn, const char *method, struct sv path, struct sv body,
                 client_done_fn *done, void *arg)
{
    struct str *o = &conn->out;
    str_clear(o);
    str_addz(o, method);
    str_addc(o, ' ');
    str_addsv(o, path);
    str_addz(o, " HTTP/1.1\r\nHost: ");
    str_addz(o, conn->client->host);
    str_addz(o, "\r\n");
    str_addz(o, conn->client->headers);
    if (body.n > 0 || strcmp(method, "POST") == 0) {
        str_addz(o, "Content-Type: application/json\r\nContent-Length: ");
        str_addi(o, (int64_t)body.n);
        str_addz(o, "\r\n");
    }
    str_addz(o, "\r\n");
    str_addsv(o, body);
    BUG_IF(o->over);
    conn->done = done;
    conn->event = NULL;
    conn->arg = arg;
    begin_request(conn);
}

void client_stream(struct client_conn *conn, struct sv path, client_event_fn *event,
                   client_done_fn *done, void *arg)
{
    client_send(conn, "GET", path, (struct sv){"", 0}, done, arg);
    conn->event = event;
    str_clear(&conn->block);
    conn->chunk_left = 0;
}

static void read_header_line(struct conn_head *head, struct sv line)
{
    struct sv value = line, name = sv_cut(&value, ':');
    int64_t number;
    value = sv_trim(value);
    if (sv_eq_nocase(name, "content-length") && sv_i64(value, &number) && number >= 0) {
        head->length = (uint64_t)number;
    } else if (sv_eq_nocase(name, "transfer-encoding")) {
        head->chunked = sv_eq_nocase(value, "chunked");
    } else if (sv_eq_nocase(name, "connection")) {
        head->close = sv_eq_nocase(value, "close");
    } else if (sv_eq_nocase(name, "retry-after") && sv_i64(value, &number) && number >= 0) {
        head->retry_after_ms = number > 86400 ? 86400000 : number * 1000;
    }
}

/* True once the head is complete; a status outside 100..599 marks a broken reply. */
static bool read_head(struct client_conn *conn)
{
    size_t from = conn->in_scanned > 3 ? conn->in_scanned - 3 : 0;
    const char *end = memmem(conn->in + from, conn->in_n - from, "\r\n\r\n", 4);
    conn->in_scanned = conn->in_n;
    if (!end) {
        return false;
    }
    struct sv rest = {conn->in, (size_t)(end - conn->in)};
    struct sv line = sv_cut(&rest, '\n');
    int64_t status = 0;
    if (line.n < 12 || !sv_starts(line, "HTTP/1.1 ") ||
        !sv_i64((struct sv){line.p + 9, 3}, &status) || status < 100 || status > 599) {
        status = 0;
    }
    conn->head.status = (int)status;
    conn->head.size = (size_t)(end - conn->in) + 4;
    while (rest.p) {
        read_header_line(&conn->head, sv_cut(&rest, '\n'));
    }
    return true;
}

/* Hands out every complete block: they are separated by an empty line. */
static void hand_out_blocks(struct client_conn *conn)
{
    size_t from = 0;
    for (;;) {
        const char *p = conn->block.p + from;
        const char *end = memmem(p, conn->block.n - from, "\n\n", 2);
        if (!end) {
            break;
        }
        conn->event(conn, (struct sv){p, (size_t)(end - p)}, conn->arg);
        from += (size_t)(end - p) + 2;
    }
    memmove(conn->block.p, conn->block.p + from, conn->block.n - from);
    conn->block.n -= from;
}

/* Reads one "SIZE CR LF" from the input; 0 = not complete, else its bytes. SIZE goes to *size. */
static size_t chunk_line(const struct client_conn *conn, size_t at, uint64_t *size)
{
    const char *end = memmem(conn->in + at, conn->in_n - at, "\r\n", 2);
    if (!end) {
        return 0;
    }
    struct sv line = {conn->in + at, (size_t)(end - conn->in) - at};
    *size = UINT64_MAX;
    sv_hex64(sv_cut(&line, ';'), size);
    return (size_t)(end - conn->in) - at + 2;
}

/* Moves chunks from the input to the block; false when the stream ended or broke. */
static bool read_chunks(struct client_conn *conn)
{
    size_t at = 0;
    bool alive = true;
    while (alive && at < conn->in_n) {
        if (conn->chunk_left == 0) {
            uint64_t size;
            size_t n = chunk_line(conn, at, &size);
            if (n == 0) {
                break;
            }
            at += n;
            alive = size > 0 && size <= BLOCK_MAX;
            conn->chunk_left = size + 2;
            continue;
        }
        size_t n = conn->in_n - at;
        n = n < conn->chunk_left ? n : (size_t)conn->chunk_left;
        size_t text = conn->chunk_left > 2 ? (size_t)conn->chunk_left - 2 : 0;
        str_add(&conn->block, conn->in + at, n < text ? n : text);
        conn->chunk_left -= n;
        at += n;
    }
    memmove(conn->in, conn->in + at, conn->in_n - at);
    conn->in_n -= at;
    return alive && !conn->block.over;
}

/* Event streams: true while it goes on. */
static bool on_stream_input(struct client_conn *conn)
{
    bool alive = read_chunks(conn);
    if (conn->block.n > 0) {
        hand_out_blocks(conn);
    }
    if (!alive) {
        close_socket(conn);
        finish(conn, 200, (struct sv){"", 0});
    }
    return alive;
}

/* True while more input is wanted on this socket. */
static bool on_input(struct client_conn *conn)
{
    if (conn->state == CONN_STREAM) {
        return on_stream_input(conn);
    }
    if (conn->state != CONN_BUSY) {
        close_socket(conn); /* bytes that nobody asked for */
        return false;
    }
    struct conn_head *h = &conn->head;
    if (h->size == 0 && !read_head(conn)) {
        return true;
    }
    if (h->status == 0 || h->length > IN_MAX || (h->chunked && !conn->event)) {
        conn_finish_lost(conn);
        return false;
    }
    if (h->chunked && h->status == 200) {
        conn->in_n -= h->size;
        memmove(conn->in, conn->in + h->size, conn->in_n);
        conn->state = CONN_STREAM;
        return on_stream_input(conn);
    }
    if (conn->in_n < h->size + h->length) {
        return true;
    }
    struct sv body = {conn->in + h->size, (size_t)h->length};
    if (h->close || conn->ended) {
        close_socket(conn);
    } else {
        conn->state = CONN_IDLE;
    }
    finish(conn, h->status, body);
    return false;
}

/* The other side closed. On an idle connection that is its right, else the request is lost. */
static void on_end(struct client_conn *conn)
{
    if (conn->state == CONN_STREAM) {
        close_socket(conn);
        finish(conn, 200, (struct sv){"", 0});
    } else if (conn->state == CONN_IDLE) {
        close_socket(conn);
    } else {
        conn_finish_lost(conn);
    }
}

/* Reads until the socket is empty or a reply is complete: then a callback may have sent the next
 * request, whose reply brings a new edge, or closed the socket. */
static void drain(struct client_conn *conn)
{
    for (;;) {
        if (conn->in_cap - conn->in_n < IN_FIRST / 2) {
            xgrow(&conn->in, &conn->in_cap, conn->in_n + IN_FIRST, 1);
        }
        size_t room = conn->in_cap - conn->in_n;
        ssize_t n = recv(conn->fd, conn->in + conn->in_n, room, MSG_DONTWAIT);
        if (n > 0) {
            conn->in_n += (size_t)n;
            if (!on_input(conn) || (!conn->ended && (size_t)n < room)) {
                return;
            }
        } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            on_end(conn);
            return;
        } else if (errno == EAGAIN) {
            return;
        }
    }
}

void conn_on_event(struct client_conn *conn, uint32_t events)
{
    if (conn->fd < 0) {
        return; /* closed by an earlier event of this round */
    }
    if (conn->state == CONN_CONNECTING && (events & (EPOLLOUT | EPOLLERR | EPOLLHUP))) {
        if (events & (EPOLLERR | EPOLLHUP)) {
            conn_finish_lost(conn);
            return;
        }
        conn->state = CONN_BUSY;
    }
    if (conn->state == CONN_BUSY && (events & EPOLLOUT) && !flush(conn)) {
        conn_finish_lost(conn);
        return;
    }
    if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) {
        conn->ended = true;
    }
    if (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) {
        drain(conn);
    }
}
