/* http.h - what the web layer sees of HTTP. mhd.c is the only file that includes microhttpd.h.
 *
 * A request is read to its end under the body limit the application names after the headers; then
 * the application answers at once on the HTTP thread, or suspends it and answers later from
 * another thread (writer, helper). Knows nothing of routes' meaning, sessions or SQL. */
#ifndef HTTP_HTTP_H
#define HTTP_HTTP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"

enum http_method { HTTP_GET, HTTP_HEAD, HTTP_POST, HTTP_PUT, HTTP_PATCH, HTTP_DELETE, HTTP_OTHER };
const char *http_method_name(enum http_method m);

enum { HTTP_PARAMS = 4, HTTP_HEADERS_OUT = 16, HTTP_ADDRESS = 46 };

struct http_server;
struct http_conn; /* what this folder keeps of a request */

/* Valid from the first call until the reply is sent. Everything in it lives in `arena`. */
struct request {
    struct arena arena;
    struct http_server *server;
    struct http_conn *conn;
    uint64_t id;               /* unique in this process; in the log and in error replies */
    enum http_method method;
    struct sv path;            /* percent-decoded, begins with "/"; empty when undecodable */
    struct sv query;           /* raw, without "?" */
    struct sv body;            /* complete, with a NUL after its end */
    char address[HTTP_ADDRESS]; /* the client's, or what a trusted proxy says it is */
    bool secure;               /* came by TLS, or a trusted proxy says so */
    bool disbelieved;          /* X-Forwarded-For from an address that is no trusted proxy */
    int64_t started_ns;
    const void *route;         /* the application's row, for the access log */
    struct sv params[HTTP_PARAMS]; /* what stood at ":name" in the row's pattern, decoded */
    void *app;                 /* the application's own part */
};

struct sv request_header(const struct request *req, const char *name); /* empty when absent */
struct sv request_cookie(const struct request *req, const char *name);
/* A query parameter, percent- and plus-decoded into the arena; empty when absent. */
struct sv request_query(struct request *req, const char *name);
/* Every value of it, joined by commas: ticked boxes of one name. Empty when absent or longer than 8 KiB. */
struct sv request_query_all(struct request *req, const char *name);

/* The reply while it is made. Body bytes are copied, taken or held, never borrowed. */
struct response {
    int status;                /* 0 until set */
    struct str body;           /* max HTTP_BODY_OUT */
    const char *content_type;  /* literal or in the request's arena */
    struct {
        const char *name, *value; /* literal or in the request's arena */
    } headers[HTTP_HEADERS_OUT];
    int n_headers;
    int fd;                    /* >= 0: the body is this file, sent by sendfile and closed */
    uint64_t fd_size;
    struct http_shared *shared; /* sent instead of the body; the reply has a reference of its own */
    size_t shared_n;           /* how many of its bytes, at most n + tail */
    bool events;               /* becomes an event stream (sse.c); 503 when there are too many */
    uint32_t event_topics;
};
enum { HTTP_BODY_OUT = 64 << 20 };

void response_init(struct response *res);
void response_release(struct response *res);
/* Adds a header; the strings must live as long as the request. BUG when there are too many or a
 * value holds CR or LF. */
void response_header(struct response *res, const char *name, const char *value);
/* Empties the body and lets go of file, shared and headers: the handler failed half-way. */
void response_reset(struct response *res);

enum http_flow { HTTP_REPLY, HTTP_LATER };

/* What the application gives to the server. All run on HTTP threads. */
struct http_app {
    void *arg;
    /* The headers are there. Returns the largest body this request may have (0: none). */
    size_t (*begin)(void *arg, struct request *req);
    /* A body within that limit is announced. False: the reply is the same whatever it holds, so it
     * is not read: `handle` comes next, with an empty body and `refused` 0, and then the connection
     * is closed. NULL: always true. */
    bool (*admit)(void *arg, struct request *req);
    /* The body is complete, or was refused: then req->body is empty and `refused` is 413.
     * HTTP_REPLY: `res` is filled. HTTP_LATER: http_suspend was called and the pointer given away;
     * nothing may be touched after. `res` lives as long as the request: whoever has the request
     * may fill it and give it to http_reply. */
    enum http_flow (*handle)(void *arg, struct request *req, struct response *res, int refused);
    /* The reply was sent or the client went away: last use of the request. `status` is 0 when there
     * was no reply; `bytes` are of the body, 0 when it was not sent whole. Called for every request
     * that `begin` saw, exactly once. */
    void (*finished)(void *arg, struct request *req, int status, uint64_t bytes);
};

struct http_options {
    const char *bind;
    uint16_t port;           /* 0: any free one, for tests */
    unsigned threads;
    unsigned connections, connections_per_address, event_streams;
    /* How long a client may take for a whole head, and for a whole body or reply, whose time grows by a
     * second for every body_rate bytes that moved. 0: 20 s, 20 s and 1,000. */
    int64_t head_ms, body_ms, body_rate;
    size_t bodies;           /* most bytes of bodies in memory at once, 0: 64 MiB */
    const char *tls_cert, *tls_key; /* file paths, both or none */
    const char *trusted_proxies;    /* comma-separated addresses or networks (10.0.0.0/8) */
};

/* ERR_CONFLICT (rule "port-taken") says what to do when the address is in use. */
enum err_code http_start(const struct http_options *o, const struct http_app *app,
                         struct http_server **out, struct err *err);
uint16_t http_port(const struct http_server *s);
const char *http_library_version(void);

/* Before giving the request to another thread. */
void http_suspend(struct request *req);
/* From that thread: hands over `res`, which lives as long as the request (in its arena), and
 * resumes; the request's own HTTP thread sends it. Neither may be touched after. */
void http_reply(struct request *req, struct response *res);

/* Bytes kept for many replies (cached images), gone with their last reference. Behind the n bytes
 * stand `tail` zero bytes, of which each reply sends as many as it says: where a length would tell
 * which content this is. From any thread. */
struct http_shared {
    atomic_uint_fast32_t references;
    size_t n, tail;
    unsigned char bytes[];
};
/* With one reference; whoever made it fills in the bytes before anybody else sees it. */
struct http_shared *http_shared_new(size_t n, size_t tail);
struct http_shared *http_shared_hold(struct http_shared *s); /* one reference more; returns s */
void http_shared_release(struct http_shared *s);             /* one less; NULL is allowed */

/* Server-sent events: topics are bits (0 to 31); a message carries topic and sequence number only.
 * One short lock, from any thread; a number not above the topic's last is ignored. */
void http_publish(struct http_server *s, unsigned topic, const char *topic_name, uint64_t seq);

struct http_stats {
    uint64_t requests, bytes_out, refused;            /* since the start */
    uint64_t malformed, timed_out, gave_way;          /* since the start */
    uint64_t connections, event_streams, suspended;   /* now */
    uint64_t open;                                    /* requests now, of which some may be suspended */
    uint64_t bodies;                                  /* bytes in memory now */
    uint64_t by_status[6]; /* 1xx..5xx at [1]..[5] */
};
void http_stats(const struct http_server *s, struct http_stats *out);

/* Accepts no more connections, refuses new requests (503) and ends event streams. When it returns
 * no thread is in app.handle and none will be. Answers still owed are sent: the application stops
 * its writer between http_quiesce and http_stop, which waits for them. */
void http_quiesce(struct http_server *s);
void http_stop(struct http_server *s);

#endif
