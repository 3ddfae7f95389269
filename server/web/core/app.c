/* app.c - everything that lives as long as the server: opens it in order, closes it in the reverse
 * order, and publishes what commits changed. */
#include "web/core/app.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/xalloc.h"
#include "jobs/runner.h"
#include "live/labels/review_books.h"
#include "live/objects/seen.h"
#include "live/people/people.h"
#include "live/votes/stats.h"
#include "measures/scores/model_gaps.h"
#include "measures/scores/model_scores.h"
#include "measures/votes/by_revision.h"
#include "store/operate/settings.h"
#include "store/people/erasure.h"
#include "store/people/sessions.h"
#include "store/work/work.h"
#include "study/hold.h"
#include "web/core/app_internal.h"
#include "web/core/catalogues.h"
#include "web/core/grid_images.h"
#include "web/core/image_bytes.h"
#include "web/core/shown_to.h"
#include "web/naming/tree_kept.h"
#include "web/parts/bias_data.h"
#include "web/parts/near_queue.h"
#include "web/parts/set_averages.h"
#include "web/scoring/adjusted_kept.h"
#include "web/scoring/answers_kept.h"
#include "web/scoring/fit_kept.h"

/* Builds for tests refuse a page whose data lacks a name; elsewhere it renders empty and is logged. */
#ifdef FAULT_HOOKS
static const bool strict_pages = true;
#else
static const bool strict_pages = false;
#endif

const char *role_name(enum role role)
{
    static const char *const names[] = {"none", "worker", "expert", "lead", "admin"};
    return names[role];
}

enum role role_parse(struct sv name)
{
    for (int r = ROLE_WORKER; r <= ROLE_ADMIN; r++) {
        if (sv_is(name, role_name((enum role)r))) {
            return (enum role)r;
        }
    }
    return ROLE_NONE;
}

struct tally *app_tally(struct app *app) { return app->tally; }
struct desk *app_desk(struct app *app) { return app->desk; }
struct board *app_board(struct app *app) { return app->board; }
struct stats_keeper *app_stats(struct app *app) { return app->stats; }
struct people *app_people(struct app *app) { return app->people; }
struct grid_images *app_grid_images(struct app *app) { return app->grid_images; }
struct image_bytes *app_image_bytes(struct app *app) { return app->image_bytes; }
struct tally_totals app_totals(struct app *app)
{
    struct tally_totals totals;
    tally_read_lock(app->tally);
    tally_totals(app->tally, &totals);
    tally_read_unlock(app->tally);
    return totals;
}
struct views_kept *app_views_kept(struct app *app) { return app->views_kept; }
struct averages_kept *app_averages_kept(struct app *app) { return app->averages_kept; }
struct kept_results *app_bias_kept(struct app *app) { return app->bias_kept; }
struct kept_results *app_adjusted_kept(struct app *app) { return app->adjusted_kept; }
struct kept_results *app_cells_kept(struct app *app) { return app->cells_kept; }
struct kept_results *app_said_kept(struct app *app) { return app->said_kept; }
struct kept_results *app_tree_kept(struct app *app) { return app->tree_kept; }
struct kept_results *app_fit_kept(struct app *app) { return app->fit_kept; }
struct near_queue *app_near_queue(struct app *app) { return app->near_queue; }
struct shown_to *app_shown_to(struct app *app) { return app->shown_to; }
struct catalogues *app_catalogues(struct app *app) { return app->catalogues; }
struct model_scores *app_model_scores(struct app *app) { return app->model_scores; }
struct by_revision *app_by_revision(struct app *app) { return app->by_revision; }
struct model_gaps *app_model_gaps(struct app *app) { return app->model_gaps; }
const struct view *app_view(struct app *app) { return app->view; }
struct writer *app_writer(struct app *app) { return app->writer; }
struct http_server *app_http(struct app *app) { return app->http; }
const char *app_dir(struct app *app) { return app->dir; }
const char *app_project(struct app *app) { return app->project; }
int64_t app_started_ms(struct app *app) { return app->started_ms; }
bool app_ready(struct app *app) { return app->ready; }

const char *app_unwritable(struct app *app)
{
    struct writer_health h;
    app->ready_asked = true;
    writer_health(app->writer, &h);
    return h.failing == OK         ? NULL
           : h.failing == ERR_FULL ? "the disk is full"
           : h.failing == ERR_BUSY ? "another process holds the database"
                                   : "the database cannot be written; the log says why";
}
bool app_image_hidden(struct app *app, int64_t image)
{
    return quarantine_has(app->quarantine, image);
}
int64_t app_flags_waiting(struct app *app) { return quarantine_waiting(app->quarantine); }

const unsigned char *app_secret(struct app *app, const char *key)
{
    return strcmp(key, "session_key") == 0 ? app->session_key : app->person_key;
}

static int64_t rate_of(const struct app *app, enum app_rate kind)
{
    /* Somebody looks at the start page a few times for each time that they join; a code is guessed at as
     * a password is. */
    const struct config *of = app->config;
    switch (kind) {
    case RATE_LOGIN:
    case RATE_PROOF: return of->logins_per_address_hour;
    case RATE_ACCOUNT: return of->logins_per_account_hour;
    case RATE_START: return 4 * of->places_per_address_hour;
    case RATE_PLACE: break;
    }
    return of->places_per_address_hour;
}

bool app_rate(struct app *app, enum app_rate kind, const char *who, int64_t *retry_s)
{
    return ratelimit_take(app->ratelimit, kind, who, rate_of(app, kind), clock_mono_ns() / 1000000,
                          retry_s);
}

void app_rate_return(struct app *app, enum app_rate kind, const char *who)
{
    ratelimit_return(app->ratelimit, kind, who, rate_of(app, kind));
}

void app_jobs_changed(struct app *app)
{
    app->jobs_due = true;
}

struct db *app_reader_take(struct app *app)
{
    pthread_mutex_lock(&app->readers.lock);
    while (app->readers.n == 0) {
        pthread_cond_wait(&app->readers.returned, &app->readers.lock);
    }
    struct db *db = app->readers.free[--app->readers.n];
    pthread_mutex_unlock(&app->readers.lock);
    return db;
}

void app_reader_return(struct app *app, struct db *db)
{
    db_assert_idle(db);
    pthread_mutex_lock(&app->readers.lock);
    app->readers.free[app->readers.n++] = db;
    pthread_cond_signal(&app->readers.returned);
    pthread_mutex_unlock(&app->readers.lock);
}

enum { ERASING_MS = 2 };

static enum err_code erasing_run(struct db *db, void *arg, struct err *err)
{
    struct app *app = arg;
    return erasure_slice(db, ERASING_MS, &app->erasing_more, err);
}

/* The next slice queues behind whoever came meanwhile. After a failure the next tick asks. */
static void erasing_done(void *arg, const struct err *err)
{
    struct app *app = arg;
    app->erasing_waits = err->code == OK && app->erasing_more && app->ready &&
                         writer_submit(app->writer, &app->erasing, NULL) == OK;
}

/* Writer thread: goes on with what a commit or another process began, or what a crash cut off. */
static void erase_rest(struct app *app, struct db *db)
{
    bool pending = false;
    if (app->erasing_waits || !app->ready || erasure_pending(db, &pending, NULL) != OK || !pending) {
        return;
    }
    app->erasing = (struct write_op){.run = erasing_run, .done = erasing_done, .arg = app};
    app->erasing_waits = writer_submit(app->writer, &app->erasing, NULL) == OK;
}

/* Writer thread: after our commits and other processes'. It may fail half way and is called again
 * then, so what was published is remembered, not what the fold had before this call. */
static enum err_code on_commit(void *arg, struct db *db, struct err *err)
{
    struct app *app = arg;
    struct tally_totals after;
    enum err_code rc = tally_fold(app->tally, db, err);
    if (rc != OK) {
        return rc;
    }
    tally_totals(app->tally, &after); /* only this thread folds: no lock needed to look */
    if (after.plan_version != app->plan_seen) {
        rc = desk_reload(app->desk, app->tally, db, clock_wall_ms(), err);
        if (rc != OK) {
            return rc; /* half a desk must not lend: the writer calls again before anything else */
        }
        app->plan_seen = after.plan_version;
        app->plan_seq++;
    } else {
        rc = desk_follow(app->desk, db, err);
        if (rc != OK) {
            return rc;
        }
    }
    if (after.shown_version != app->shown_seen) {
        app->shown_seen = after.shown_version;
        grid_images_forget(app->grid_images);
        erase_rest(app, db); /* perhaps somebody was forgotten */
    }
    board_publish(app->board, app->desk);
    app->news_due = true;
    if (app->jobs_due && app->ready) {
        app->jobs_due = false;
        runner_wake(app->runner);
    }
    if (after.cursor != app->cursor_seen) {
        app->cursor_seen = after.cursor;
        app->votes_seq++;
    }
    return quarantine_refresh(app->quarantine, db, err);
}

/* Writer thread: a batch was rolled back after its operations had changed the desk. */
static enum err_code on_rollback(void *arg, struct db *db, struct err *err)
{
    struct app *app = arg;
    enum err_code rc = desk_reload(app->desk, app->tally, db, clock_wall_ms(), err);
    board_publish(app->board, app->desk);
    return rc;
}

const char *const app_topics[APP_TOPICS] = {
    [TOPIC_VOTES] = "votes", [TOPIC_PLAN] = "plan", [TOPIC_JOBS] = "jobs",
    [TOPIC_MODELS] = "models", [TOPIC_REVIEW] = "review",
};

enum { PURGE_EVERY_MS = 10 * 60 * 1000, PURGED_AT_ONCE = 200 };
#define PROBE_AFTER_NS INT64_C(5000000000)

static enum err_code purge_run(struct db *db, void *arg, struct err *err)
{
    (void)arg;
    return sessions_purge_expired(db, clock_wall_ms(), PURGED_AT_ONCE, err);
}

static void purge_done(void *arg, const struct err *err)
{
    struct app *app = arg;
    app->purge_waits = false;
    (void)err; /* sessions that are over are refused anyway; the next round removes them */
}

/* Writer thread: asks itself to remove sessions that are over, now and then. */
static void purge_sessions(struct app *app)
{
    int64_t now = clock_wall_ms();
    if (app->purge_waits || now < app->next_purge_ms) {
        return;
    }
    app->next_purge_ms = now + PURGE_EVERY_MS;
    app->purge = (struct write_op){.run = purge_run, .done = purge_done, .arg = app};
    app->purge_waits = writer_submit(app->writer, &app->purge, NULL) == OK;
}

static enum err_code probe_run(struct db *db, void *arg, struct err *err)
{
    (void)arg;
    return settings_try(db, err);
}

static void probe_done(void *arg, const struct err *err)
{
    (void)err; /* the writer keeps account itself */
    struct app *app = arg;
    app->probe_waits = false;
}

/* Nobody finds out by itself whether writes are possible while there are none: when /readyz was
 * asked, a small one is tried, soon after a failure and otherwise after a while of silence. */
static void probe_writer(struct app *app)
{
    struct writer_health h;
    if (app->probe_waits || !app->ready_asked) {
        return;
    }
    writer_health(app->writer, &h);
    if (h.failing != OK || clock_mono_ns() - h.stored_ns > PROBE_AFTER_NS) {
        app->ready_asked = false;
        app->probe = (struct write_op){.run = probe_run, .done = probe_done, .arg = app};
        app->probe_waits = writer_submit(app->writer, &app->probe, NULL) == OK;
    }
}

static void publish(struct app *app, enum app_topic topic, uint64_t seq)
{
    http_publish(app->http, topic, app_topics[topic], seq);
}

/* Jobs and models move in other processes as well; what they stored is seen by looking. */
static void tell_news(struct app *app, struct db *db)
{
    struct news now;
    if (!app->news_due || news_read(db, &now, NULL) != OK) {
        return;
    }
    app->news_due = false;
    if (now.jobs != app->news.jobs) {
        publish(app, TOPIC_JOBS, ++app->jobs_seq);
        runner_wake(app->runner);
    }
    if (now.models != app->news.models) {
        publish(app, TOPIC_MODELS, ++app->models_seq);
    }
    if (now.review != app->news.review) {
        publish(app, TOPIC_REVIEW, ++app->review_seq);
    }
    app->news = now;
    app->open_jobs = now.open_jobs;
}

/* Intervals that pages did not wait for. */
static void tell_gaps(struct app *app)
{
    uint64_t made = model_gaps_made(app->model_gaps);
    if (made != app->gaps_told) {
        app->gaps_told = made;
        publish(app, TOPIC_MODELS, ++app->models_seq);
    }
}

static void on_tick(void *arg, struct db *db)
{
    struct app *app = arg;
    tally_rest(app->tally);
    if (desk_expire(app->desk, clock_wall_ms()) > 0) {
        board_publish(app->board, app->desk);
        app->plan_seq++;
    }
    if (!app->ready) {
        return; /* app_open still fills in the parts below, or app_close takes them down */
    }
    purge_sessions(app);
    probe_writer(app);
    erase_rest(app, db);
    views_kept_rest(app->views_kept, clock_wall_ms());
    seen_kept_rest(app->lent.seen, clock_wall_ms());
    review_books_rest(app->lent.reviews, clock_wall_ms());
    catalogues_rest(app->catalogues, clock_wall_ms());
    /* At most once a second: dashboards refetch, they do not count messages. */
    if (app->votes_told != app->votes_seq) {
        app->votes_told = app->votes_seq;
        publish(app, TOPIC_VOTES, app->votes_told);
    }
    if (app->plan_told != app->plan_seq) {
        app->plan_told = app->plan_seq;
        publish(app, TOPIC_PLAN, app->plan_told);
    }
    tell_news(app, db);
    tell_gaps(app);
}

static enum err_code open_readers(struct app *app, const char *path, int n, struct err *err)
{
    for (int i = 0; i < n; i++) {
        enum err_code rc = db_open(path, DB_READ, &app->readers.free[i], err);
        if (rc != OK) {
            return rc;
        }
        db_lend(app->readers.free[i], &app->lent);
        app->readers.n++;
    }
    return OK;
}

static enum err_code open_helpers(struct app *app, struct err *err)
{
    for (int i = 0; i < APP_HELPERS; i++) {
        enum err_code rc =
            thread_start(&app->helpers.threads[i], "helper", gate_helper, app, err);
        if (rc != OK) {
            return rc;
        }
        app->helpers.n++;
    }
    return OK;
}

static enum err_code load_secrets(struct app *app, struct db *db, struct err *err)
{
    enum err_code rc = settings_secret(db, "session_key", app->session_key, CRYPTO_HASH, err);
    rc = rc == OK ? settings_secret(db, "person_key", app->person_key, CRYPTO_HASH, err) : rc;
    return rc == OK ? settings_text(db, "name", app->project, sizeof app->project, err) : rc;
}

static enum err_code renew_leases(struct db *db, void *arg, struct err *err)
{
    (void)arg;
    return work_leases_renew(db, clock_wall_ms(), err);
}

static enum err_code reload_desk(struct db *db, void *arg, struct err *err)
{
    struct app *app = arg;
    enum err_code rc = desk_reload(app->desk, app->tally, db, clock_wall_ms(), err);
    board_publish(app->board, app->desk);
    return rc;
}

static enum err_code open_writer(struct app *app, const char *path, struct err *err)
{
    struct db *db = NULL;
    enum err_code rc = db_open(path, DB_WRITE, &db, err);
    rc = rc == OK ? load_secrets(app, db, err) : rc;
    rc = rc == OK ? tally_fold(app->tally, db, err) : rc;
    struct tally_totals totals;
    tally_totals(app->tally, &totals);
    app->plan_seen = totals.plan_version;
    app->shown_seen = totals.shown_version;
    app->cursor_seen = totals.cursor;
    struct writer_hooks hooks = {app, on_commit, on_rollback, on_tick};
    if (rc == OK) {
        rc = writer_start(db, path, (size_t)app->config->queue, &hooks, &app->writer, err);
    }
    if (rc != OK) {
        db_close(db);
        return rc;
    }
    rc = writer_call(app->writer, renew_leases, NULL, err);
    rc = rc == OK ? writer_call(app->writer, hold_hash_old, app->person_key, err) : rc;
    return rc == OK ? writer_call(app->writer, reload_desk, app, err) : rc;
}

static enum err_code open_http(struct app *app, struct err *err)
{
    const struct config *c = app->config;
    const char **patterns = xcalloc(routes_count, sizeof *patterns);
    enum http_method *methods = xcalloc(routes_count, sizeof *methods);
    for (size_t i = 0; i < routes_count; i++) {
        patterns[i] = routes[i].pattern;
        methods[i] = routes[i].method;
    }
    app->router = router_new(patterns, methods, routes_count);
    free(patterns);
    free(methods);
    struct http_options o = {
        .bind = c->bind,
        .port = (uint16_t)c->port,
        .threads = (unsigned)c->threads,
        .connections = (unsigned)c->connections,
        .connections_per_address = (unsigned)c->connections_per_address,
        .event_streams = (unsigned)c->event_streams,
        .head_ms = c->head_seconds * 1000,
        .body_ms = c->body_seconds * 1000,
        .body_rate = c->body_rate,
        .bodies = (size_t)c->body_mb << 20,
        .tls_cert = c->tls_cert,
        .tls_key = c->tls_key,
        .trusted_proxies = c->trusted_proxies,
    };
    struct http_app calls = {app, gate_begin, gate_admit, gate_handle, gate_finished};
    return http_start(&o, &calls, &app->http, err);
}

enum err_code app_open(const struct config *config, const char *dir, struct app **out,
                       struct err *err)
{
    struct app *app = xcalloc(1, sizeof *app);
    app->config = config;
    app->dir = dir;
    app->started_ms = clock_wall_ms();
    app->secure_cookies = sv_starts(sv_of(config->public_url), "https://");
    pthread_mutex_init(&app->readers.lock, NULL);
    pthread_cond_init(&app->readers.returned, NULL);
    pthread_mutex_init(&app->helpers.lock, NULL);
    pthread_cond_init(&app->helpers.more, NULL);
    app->tally = tally_new();
    tally_use_disk(app->tally, dir);
    app->stats = stats_keeper_new(app->tally);
    app->people = people_new();
    app->desk = desk_new((unsigned)config->open_window);
    app->board = board_new();
    app->ratelimit = ratelimit_new();
    app->views_kept = views_kept_new();
    app->bias_kept = bias_kept_new();
    app->adjusted_kept = adjusted_kept_new();
    app->fit_kept = fit_kept_new();
    app->tree_kept = tree_kept_new();
    app->cells_kept = cells_kept_new();
    app->said_kept = said_kept_new();
    app->averages_kept = averages_kept_new();
    app->near_queue = near_queue_new();
    app->shown_to = shown_new();
    app->catalogues = catalogues_new();
    app->model_scores = model_scores_new();
    app->by_revision = by_revision_new();
    app->model_gaps = model_gaps_new();
    app->lent = (struct live_lent){seen_kept_new(), review_books_new()};
    app->quarantine = quarantine_new(config->flags_to_quarantine);
    app->grid_images = grid_images_new(app->person_key);
    app->image_bytes = image_bytes_new((size_t)config->cache_mb << 20, dir);
    struct arena a;
    arena_init(&a, 8192);
    char *path = arena_printf(&a, "%s/holdout.db", dir);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int readers = (int)(config->threads ? config->threads : cores > 0 ? cores : 1) + APP_HELPERS;
    enum err_code rc = view_open(strict_pages, &app->view, err);
    rc = rc == OK ? open_writer(app, path, err) : rc;
    if (rc == OK) {
        rc = open_readers(app, path, readers < APP_READERS ? readers : APP_READERS, err);
    }
    rc = rc == OK ? open_helpers(app, err) : rc;
    rc = rc == OK ? open_http(app, err) : rc;
    if (rc == OK) {
        rc = runner_start(dir, (unsigned)config->jobs_at_once, app->writer, &app->runner, err);
    }
    arena_release(&a);
    app->ready = rc == OK;
    *out = app;
    if (rc != OK) {
        app_close(app);
        *out = NULL;
    }
    return rc;
}

static void close_helpers(struct app *app)
{
    pthread_mutex_lock(&app->helpers.lock);
    app->helpers.closing = true;
    pthread_cond_broadcast(&app->helpers.more);
    pthread_mutex_unlock(&app->helpers.lock);
    for (int i = 0; i < app->helpers.n; i++) {
        pthread_join(app->helpers.threads[i], NULL);
    }
}

/* The order matters: no new requests, slow steps and jobs done (they may still write), the writer drained
 * and its replies queued, and only then the HTTP threads stopped. */
void app_close(struct app *app)
{
    app->ready = false;
    if (app->http) {
        http_quiesce(app->http);
    }
    close_helpers(app);
    runner_stop(app->runner);
    if (app->writer) {
        writer_stop(app->writer);
    }
    runner_free(app->runner);
    if (app->http) {
        http_stop(app->http);
    }
    for (int i = 0; i < app->readers.n; i++) {
        db_close(app->readers.free[i]);
    }
    router_free(app->router);
    ratelimit_free(app->ratelimit);
    grid_images_free(app->grid_images);
    image_bytes_free(app->image_bytes);
    views_kept_free(app->views_kept);
    kept_free(app->bias_kept);
    kept_free(app->adjusted_kept);
    kept_free(app->fit_kept);
    kept_free(app->tree_kept);
    kept_free(app->cells_kept);
    kept_free(app->said_kept);
    averages_kept_free(app->averages_kept);
    near_queue_free(app->near_queue);
    shown_free(app->shown_to);
    catalogues_free(app->catalogues);
    by_revision_free(app->by_revision);
    model_gaps_free(app->model_gaps);
    seen_kept_free(app->lent.seen);
    review_books_free(app->lent.reviews);
    model_scores_free(app->model_scores);
    quarantine_free(app->quarantine);
    board_free(app->board);
    desk_free(app->desk);
    stats_keeper_free(app->stats);
    people_free(app->people);
    tally_free(app->tally);
    view_close(app->view);
    pthread_mutex_destroy(&app->readers.lock);
    pthread_cond_destroy(&app->readers.returned);
    pthread_mutex_destroy(&app->helpers.lock);
    pthread_cond_destroy(&app->helpers.more);
    free(app);
}
