/* sse.h - server-sent events: which stream must still hear which topic.
 *
 * A message is a topic and its newest sequence number; the page fetches the rest. Publishing is
 * one short lock, whatever the number of streams: a thread of the hub wakes them, at most every
 * SSE_GATHER_MS, and each sends only the newest number of each of its topics. A new stream first
 * hears where its topics are, so that nothing is lost between loading a page and listening.
 * Knows nothing of libmicrohttpd: `pause` and `wake` are mhd.c's words for it. */
#ifndef HTTP_SSE_H
#define HTTP_SSE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct sse_hub;
struct sse_stream;

enum { SSE_TOPICS = 32, SSE_NAME = 32, SSE_GATHER_MS = 20, SSE_HEARTBEAT_MS = 20000 };
enum { SSE_PAUSED = 0, SSE_END = -1 }; /* what sse_read says besides a length */

/* Starts the hub's thread. `pause` is called from sse_read, `wake` from any thread; both with the
 * hub locked, for the `conn` given to sse_open, and always in turns. */
enum err_code sse_start(unsigned max_streams, void (*pause)(void *conn), void (*wake)(void *conn),
                        struct sse_hub **out, struct err *err);
/* Ends all streams and takes no new ones. */
void sse_close(struct sse_hub *h);
/* Joins the thread and frees; every stream must be gone. */
void sse_free(struct sse_hub *h);
void sse_heartbeat(struct sse_hub *h, int ms);

/* `topic` below SSE_TOPICS; `name` of at most SSE_NAME - 1 letters, digits, "-", "_" or ".".
 * A number not above the topic's newest is ignored. */
void sse_publish(struct sse_hub *h, unsigned topic, const char *name, uint64_t seq);

/* NULL when there are too many or the hub is closed. */
struct sse_stream *sse_open(struct sse_hub *h, void *conn, uint32_t topics);
/* Writes at most max bytes: their number, SSE_PAUSED after calling `pause`, or SSE_END. */
ptrdiff_t sse_read(struct sse_stream *s, char *buf, size_t max);
void *sse_conn(const struct sse_stream *s);
void sse_done(struct sse_stream *s); /* the stream is over: frees it */
size_t sse_count(struct sse_hub *h);

#endif
