/* app_internal.h - the parts of the app that gate.c, reply.c and app.c share. Handlers use app.h. */
#ifndef WEB_CORE_APP_INTERNAL_H
#define WEB_CORE_APP_INTERNAL_H

#include <stdatomic.h>

#include "base/thread.h"
#include "http/router.h"
#include "live/core/lent.h"
#include "store/operate/news.h"
#include "study/quarantine.h"
#include "web/core/app.h"
#include "web/core/ratelimit.h"
#include "web/core/view_choice.h"

enum { APP_READERS = 16, APP_HELPERS = 2, APP_HELPER_QUEUE = 256 };

struct app {
    const struct config *config;
    const char *dir;
    struct http_server *http;
    struct writer *writer;
    struct view *view;
    struct tally *tally;
    struct stats_keeper *stats;
    struct people *people;
    struct desk *desk;           /* the writer thread's */
    struct board *board;         /* what pages show of the desk; published by the writer thread */
    struct router *router;
    struct ratelimit *ratelimit;
    struct grid_images *grid_images;
    struct image_bytes *image_bytes;
    struct views_kept *views_kept;
    struct kept_results *bias_kept;
    struct kept_results *adjusted_kept;
    struct kept_results *fit_kept, *tree_kept;
    struct averages_kept *averages_kept;
    struct near_queue *near_queue;
    struct shown_to *shown_to;
    struct catalogues *catalogues;
    struct model_scores *model_scores;
    struct kept_results *cells_kept, *said_kept;
    struct by_revision *by_revision;
    struct model_gaps *model_gaps;
    struct live_lent lent;       /* to the connections */
    struct quarantine *quarantine; /* refreshed by the writer thread, asked by all */
    unsigned char session_key[CRYPTO_HASH], person_key[CRYPTO_HASH];
    char project[64];
    int64_t started_ms;
    _Atomic bool ready;
    _Atomic uint64_t next_proxy_ns; /* until then a proxy that is not trusted is not logged again */
    bool secure_cookies;

    struct {                     /* connections for reading, checked out per request */
        pthread_mutex_t lock;
        pthread_cond_t returned;
        struct db *free[APP_READERS];
        int n;
    } readers;

    struct {                     /* helper threads for slow steps */
        pthread_mutex_t lock;
        pthread_cond_t more;
        struct exchange *first, *last;
        size_t waiting;
        bool closing;
        pthread_t threads[APP_HELPERS];
        int n;
    } helpers;

    struct write_op purge;       /* removes sessions that are over; the writer thread's */
    bool purge_waits;
    struct write_op probe;       /* writes for /readyz, when it was asked; the writer thread's */
    bool probe_waits;
    _Atomic bool ready_asked;
    int64_t next_purge_ms;
    struct write_op erasing;     /* a slice of an erasure; the writer thread's */
    bool erasing_waits, erasing_more;

    uint64_t plan_seen;          /* tally's plan version that the desk was built from */
    uint64_t shown_seen;         /* and what the fold had when images and votes were published */
    int64_t cursor_seen;
    uint64_t votes_seq, plan_seq;   /* sequence numbers of the event topics, and what was */
    uint64_t votes_told, plan_told; /* published of them; the writer thread's */
    struct runner *runner;       /* of jobs; constant while `ready` */
    bool news_due, jobs_due;     /* commits that may have brought news; a job was started; the writer thread's */
    struct news news;            /* what was published last */
    _Atomic size_t open_jobs;    /* what every page of leads says */
    uint64_t jobs_seq, models_seq, review_seq;
    uint64_t gaps_told;          /* model_gaps_made when topic models was published for it */
};

/* One request on its way through the steps; lives in the request's arena. */
struct exchange {
    struct app *app;
    struct request *req;
    const struct route *route;
    struct ctx ctx;
    struct response res;
    struct response *out;        /* where the HTTP thread wants the reply, unless it comes later */
    struct write_op op;
    struct exchange *next;
    bool refused;                /* a form's page is shown again instead of the error */
    bool later;                  /* was suspended: the reply goes through http_reply */
    bool admitted;               /* who asks was found out before the body was taken */
};

/* gate.c */
size_t gate_begin(void *arg, struct request *req);
bool gate_admit(void *arg, struct request *req);
enum http_flow gate_handle(void *arg, struct request *req, struct response *res, int refused);
void gate_finished(void *arg, struct request *req, int status, uint64_t bytes);
void *gate_helper(void *arg); /* body of a helper thread */

struct db *app_reader_take(struct app *app);
void app_reader_return(struct app *app, struct db *db);

#endif
