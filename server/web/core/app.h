/* app.h - what every page and API handler is given, and the shape of a route.
 *
 * A route's policy is data (routes.c): method, pattern, who may, how the write is proved to be
 * wanted, body limit, and which thread each step runs on. gate.c enforces it; handlers contain no
 * permission checks but "is this yours". */
#ifndef WEB_CORE_APP_H
#define WEB_CORE_APP_H

#include <jansson.h>

#include "config/config.h"
#include "crypto/crypto.h"
#include "db/db.h"
#include "db/writer.h"
#include "http/form.h"
#include "http/http.h"
#include "live/core/tally.h"
#include "live/work/board.h"
#include "live/work/desk.h"
#include "view/view.h"

enum role { ROLE_NONE, ROLE_WORKER, ROLE_EXPERT, ROLE_LEAD, ROLE_ADMIN }; /* each includes those before */
const char *role_name(enum role role);          /* "none", "worker", ... */
enum role role_parse(struct sv name);           /* ROLE_NONE for anything else */

struct app; /* app.c: everything that lives as long as the server */

struct user {            /* who is signed in; account 0: nobody */
    int64_t account, person;
    enum role role;
    struct sv login;     /* in the request's arena */
    bool by_token;       /* API token, not a session */
    bool at_desk;        /* an expert with work on an open label review or evaluation: only routes that say so are theirs */
    const unsigned char *session; /* keyed hash of the session's token, NULL without a session */
    const char *csrf;    /* of the session, "" without one */
};

/* What is wrong with a field of a form (form_refused.h). */
struct wrong {
    const char *fields, *message;
};
enum { WRONG_MOST = 8 };

struct ctx {
    struct app *app;
    const struct config *config;
    struct request *req;
    struct response *res;
    struct arena *arena; /* the request's */
    struct db *db;       /* reader in read and slow steps, the writer's in a write step */
    struct user user;
    struct form form;    /* parsed by the gate for POST with a form body */
    json_t *json;        /* parsed by the gate for a JSON body: an object; freed by it */
    void *state;         /* from the earlier step to the later */
    const char *language; /* the catalogue of a worker's page (view/strings.h); NULL: English */
    const char *allow;   /* methods, for a 405 */
    const char *onward;  /* where one can go on after an error; NULL: nowhere */
    struct wrong wrong[WRONG_MOST]; /* noted by form_wrong */
    size_t n_wrong;
    const struct form *refused; /* the form for which a page is made again; NULL: for none */
    struct sv refused_at;       /* the path that form was sent to: a page may have several */
    int64_t retry_after_s; /* for a 429 or 503; 0: one second */
    struct err err;
};

/* A step fills c->res and returns OK, or returns an error, which reply.c turns into a status and
 * a page or problem+json. A write step may run twice and must only touch the database, the desk
 * and c->res. */
typedef enum err_code (*step_fn)(struct ctx *c);

enum route_proof {
    PROOF_NONE,       /* reads only */
    PROOF_CSRF,       /* session cookie + csrf field or X-CSRF-Token; an API token needs none */
    PROOF_CAPABILITY, /* the path or body holds a 128-bit token: no cookie is looked at */
    PROOF_PUBLIC      /* a write anybody may do (log in, join): same-origin check and rate limit */
};

struct route {
    enum http_method method;
    const char *pattern;
    enum role role;          /* least role; ROLE_NONE: everybody */
    enum route_proof proof;
    size_t body_max;
    step_fn read;            /* on the HTTP thread, c->db is a reader */
    step_fn slow;            /* on a helper thread instead of `read` */
    step_fn write;           /* on the writer thread, after read or slow if there is one */
    bool desk;               /* of ROLE_EXPERT: also for experts at work on a label review, since it shows nothing of images */
    const char *summary;     /* one sentence for /api/openapi.json and the route list */
};

extern const struct route routes[];
extern const size_t routes_count;

/* Opens everything and listens; `dir`, `config` stay the caller's. The database is checked and the
 * project locked by then. app_close finishes what was accepted: exit 0 after it lost nothing. */
enum err_code app_open(const struct config *config, const char *dir, struct app **out,
                       struct err *err);
void app_close(struct app *app);

/* Parts of the app that handlers use. */
struct tally *app_tally(struct app *app);
struct desk *app_desk(struct app *app);        /* write steps only */
struct board *app_board(struct app *app);      /* live/work/board.h: what the desk says, from any thread */
struct stats_keeper;
struct stats_keeper *app_stats(struct app *app); /* live/votes/stats.h: people, classes, pulse */
struct people;
struct people *app_people(struct app *app); /* live/people/people.h: everybody, for lists */
const struct view *app_view(struct app *app);
struct writer *app_writer(struct app *app);
struct http_server *app_http(struct app *app); /* not in handlers: they have req->server */
const unsigned char *app_secret(struct app *app, const char *key); /* 32 bytes; "session_key", "person_key" */
const char *app_dir(struct app *app);
int64_t app_started_ms(struct app *app);
const char *app_project(struct app *app);      /* name shown in the top bar */
bool app_ready(struct app *app);
/* Why nothing can be stored now, for people; NULL if the last write was stored. Asking makes the
 * writer try soon, so that a further call knows. */
const char *app_unwritable(struct app *app);
struct grid_images;
struct grid_images *app_grid_images(struct app *app); /* images for workers, from any thread */
struct image_bytes;
struct image_bytes *app_image_bytes(struct app *app); /* of everybody's images, from any thread */
struct tally_totals app_totals(struct app *app); /* takes the tally's lock to read */
struct views_kept;
struct views_kept *app_views_kept(struct app *app); /* for web/core/view_choice.c, from any thread */
struct averages_kept;
struct averages_kept *app_averages_kept(struct app *app); /* for web/parts/set_averages.c, from any thread */
struct kept_results; /* web/parts/kept.h */
struct kept_results *app_bias_kept(struct app *app); /* for web/parts/bias_data.c, from any thread */
struct kept_results *app_adjusted_kept(struct app *app); /* for web/scoring/adjusted_kept.c, from any thread */
struct kept_results *app_cells_kept(struct app *app); /* for web/scoring/answers_kept.c, from any thread */
struct kept_results *app_said_kept(struct app *app); /* the same */
struct kept_results *app_tree_kept(struct app *app); /* for web/naming/tree_kept.c, from any thread */
struct kept_results *app_fit_kept(struct app *app); /* for web/scoring/fit_kept.c, from any thread */
struct near_queue;
struct near_queue *app_near_queue(struct app *app); /* for web/parts/near_queue.c, from any thread */
struct shown_to;
struct shown_to *app_shown_to(struct app *app); /* for web/core/shown_to.c, from any thread */
struct catalogues;
struct catalogues *app_catalogues(struct app *app); /* for web/core/catalogues.c, from any thread */
struct model_scores;
struct model_scores *app_model_scores(struct app *app); /* measures/scores/model_scores.h, from any thread */
struct by_revision;
struct by_revision *app_by_revision(struct app *app); /* measures/votes/by_revision.h, from any thread */
struct model_gaps;
struct model_gaps *app_model_gaps(struct app *app); /* measures/scores/model_gaps.h, from any thread */
/* What pages hear of while they are open (/events): topics by the words that addresses and templates have. */
enum app_topic { TOPIC_VOTES, TOPIC_PLAN, TOPIC_JOBS, TOPIC_MODELS, TOPIC_REVIEW, APP_TOPICS };
extern const char *const app_topics[APP_TOPICS];
/* Write steps that touched the queue of jobs: whoever runs them is notified after the commit. */
void app_jobs_changed(struct app *app);
/* True for an image in quarantine or taken down, as of the last commit; from any thread, cheap. */
bool app_image_hidden(struct app *app, int64_t image);
/* Flagged images that wait for a lead. From memory: every page may ask. */
int64_t app_flags_waiting(struct app *app);
/* True when the address, or for RATE_ACCOUNT whoever tries to be that account, may do this once more
 * now; else *retry_s says when. Setting the machine's clock changes nothing. */
enum app_rate { RATE_LOGIN, RATE_PLACE, RATE_START, RATE_PROOF, RATE_ACCOUNT };
bool app_rate(struct app *app, enum app_rate kind, const char *who, int64_t *retry_s);
void app_rate_return(struct app *app, enum app_rate kind, const char *who); /* it did not count */

#endif
