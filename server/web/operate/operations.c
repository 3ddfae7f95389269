/* operations.c - health, metrics, events, static files. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "http/static_files.h"
#include "store/operate/jobs.h"
#include "store/operate/settings.h"
#include "web/core/grid_images.h"
#include "web/core/image_bytes.h"
#include "web/core/pages.h"
#include "web/core/reply.h"

static enum err_code say(struct ctx *c, int status, const char *text)
{
    c->res->status = status;
    c->res->content_type = "text/plain; charset=utf-8";
    str_addz(&c->res->body, text);
    return OK;
}

/* GET /healthz: the process answers. */
enum err_code api_healthz(struct ctx *c)
{
    return say(c, 200, "ok\n");
}

/* GET /readyz: it takes requests and can store; not while starting or closing. */
enum err_code api_readyz(struct ctx *c)
{
    if (!app_ready(c->app)) {
        return say(c, 503, "not ready\n");
    }
    const char *why = app_unwritable(c->app);
    return why ? say(c, 503, arena_printf(c->arena, "not ready: %s\n", why)) : say(c, 200, "ready\n");
}

/* GET /static/... */
enum err_code page_static(struct ctx *c)
{
    static_files_serve(c->req, c->res, c->req->params[0]);
    return c->res->status == 404 ? err_set(&c->err, ERR_NOT_FOUND, "There is no such file.") : OK;
}

/* GET /events?topics=votes,plan,jobs,models,review */
enum err_code api_events(struct ctx *c)
{
    struct sv topics = request_query(c->req, "topics");
    uint32_t mask = 0;
    while (topics.p && topics.n) {
        struct sv word = sv_cut(&topics, ',');
        uint32_t bit = 0;
        for (unsigned i = 0; i < APP_TOPICS; i++) {
            bit |= sv_is(word, app_topics[i]) ? 1u << i : 0;
        }
        if (!bit) {
            return err_rule(&c->err, ERR_INPUT, "topics",
                            "There is no such topic. Choose from votes, plan, jobs, models and review.");
        }
        mask |= bit;
    }
    c->res->status = 200;
    c->res->events = true;
    c->res->event_topics = mask ? mask : ~0u;
    return OK;
}

static void metric(struct str *s, const char *name, const char *type, const char *help, double v)
{
    str_printf(s, "# HELP holdout_%s %s\n# TYPE holdout_%s %s\nholdout_%s %.15g\n", name, help,
               name, type, name, v);
}

static double resident_bytes(void)
{
    FILE *f = fopen("/proc/self/statm", "re");
    unsigned long total = 0, resident = 0;
    if (f) {
        if (fscanf(f, "%lu %lu", &total, &resident) != 2) {
            resident = 0;
        }
        fclose(f);
    }
    return (double)resident * 4096;
}

static void http_metrics(struct str *s, const struct http_server *server)
{
    struct http_stats h;
    http_stats(server, &h);
    metric(s, "http_requests_total", "counter", "Requests answered.", (double)h.requests);
    str_addz(s, "# HELP holdout_http_responses_total Replies by class of status.\n"
                "# TYPE holdout_http_responses_total counter\n");
    for (int i = 1; i <= 5; i++) {
        str_printf(s, "holdout_http_responses_total{status=\"%dxx\"} %llu\n", i,
                   (unsigned long long)h.by_status[i]);
    }
    metric(s, "http_sent_bytes_total", "counter", "Body bytes sent.", (double)h.bytes_out);
    metric(s, "http_connections", "gauge", "Open connections.", (double)h.connections);
    metric(s, "http_refused_total", "counter", "Refused over a limit.", (double)h.refused);
    metric(s, "http_malformed_total", "counter", "Refused because the head was malformed.",
           (double)h.malformed);
    metric(s, "http_timed_out_total", "counter", "Connections ended over head_seconds or body_seconds.",
           (double)h.timed_out);
    metric(s, "http_gave_way_total", "counter",
           "Waiting connections that were closed for others at a limit of connections.",
           (double)h.gave_way);
    metric(s, "http_body_bytes", "gauge", "Bytes of request bodies in memory.", (double)h.bodies);
    metric(s, "http_event_streams", "gauge", "Open event streams.", (double)h.event_streams);
    metric(s, "http_suspended", "gauge", "Requests waiting for a writer or helper.",
           (double)h.suspended);
}

static void writer_metrics(struct str *s, struct app *app)
{
    struct writer_stats w;
    writer_stats(app_writer(app), &w);
    metric(s, "writer_batches_total", "counter", "Transactions committed.", (double)w.batches);
    metric(s, "writer_operations_total", "counter", "Writes done.", (double)w.operations);
    metric(s, "writer_failed_total", "counter", "Writes refused or failed.", (double)w.failed);
    metric(s, "writer_slow_total", "counter", "Writes over 5 ms.", (double)w.slow);
    metric(s, "writer_foreign_total", "counter", "Commits of other processes seen.",
           (double)w.foreign);
    metric(s, "writer_queued", "gauge", "Writes waiting.", (double)w.queued);
    metric(s, "writer_largest_batch", "gauge", "Most writes in one transaction.",
           (double)w.largest);
}

static void vote_metrics(struct str *s, struct app *app)
{
    struct tally *t = app_tally(app);
    struct tally_totals v;
    tally_read_lock(t);
    tally_totals(t, &v);
    size_t bytes = tally_memory(t);
    tally_read_unlock(t);
    metric(s, "answers", "gauge", "Answers that count to a grid's N.", (double)v.answers);
    metric(s, "answers_surplus", "gauge", "Answers that came when their grid was full.",
           (double)v.surplus);
    metric(s, "votes", "gauge", "Votes in the default view.", (double)v.votes);
    metric(s, "pairs", "gauge", "Pairs of image and class on grids.", (double)v.pairs);
    metric(s, "grids", "gauge", "Grids.", (double)v.grids);
    metric(s, "event_last", "gauge", "Number of the newest event.", (double)v.cursor);
    metric(s, "tally_bytes", "gauge", "Memory of the counters.", (double)bytes);
}

static void image_metrics(struct str *s, struct app *app)
{
    struct grid_images_stats g;
    struct image_bytes_stats b;
    grid_images_stats(app_grid_images(app), &g);
    image_bytes_stats(app_image_bytes(app), &b);
    metric(s, "image_cache_hits_total", "counter", "Images sent from memory.", (double)b.hits);
    metric(s, "image_cache_misses_total", "counter", "Images read from the disk.",
           (double)b.misses);
    metric(s, "image_cache_bytes", "gauge", "Memory of image bytes.", (double)b.bytes);
    metric(s, "image_cache_images", "gauge", "Images in memory.", (double)b.images);
    metric(s, "image_assignment_hits_total", "counter", "Addresses of images known in memory.",
           (double)g.hits);
    metric(s, "image_assignment_misses_total", "counter",
           "Addresses of images looked up in the database.", (double)g.misses);
}

static enum err_code job_metrics(struct str *s, struct ctx *c)
{
    int64_t n[JOB_STATES];
    enum err_code rc = jobs_count(c->db, n, &c->err);
    str_addz(s, "# HELP holdout_jobs Jobs by state.\n# TYPE holdout_jobs gauge\n");
    for (int i = 0; i < JOB_STATES && rc == OK; i++) {
        str_printf(s, "holdout_jobs{state=\"%s\"} %lld\n", job_state_word((enum job_state)i),
                   (long long)n[i]);
    }
    return rc;
}

/* Seconds since 1970 of the last backup, 0 when none was made; `holdout backup` notes it. */
static double last_backup(struct ctx *c)
{
    char text[32];
    int64_t ms = 0;
    bool known = settings_text(c->db, "backup.last", text, sizeof text, NULL) == OK &&
                 sv_i64(sv_of(text), &ms);
    return known ? (double)ms / 1000 : 0;
}

/* GET /metrics */
enum err_code api_metrics(struct ctx *c)
{
    struct str *s = &c->res->body;
    /* The request knows its server before the app does: it may come while http_start returns. */
    http_metrics(s, c->req->server);
    writer_metrics(s, c->app);
    vote_metrics(s, c->app);
    image_metrics(s, c->app);
    if (job_metrics(s, c) != OK) {
        return c->err.code;
    }
    char *path = arena_printf(c->arena, "%s/holdout.db", app_dir(c->app));
    metric(s, "wal_bytes", "gauge", "Size of the write-ahead log.", (double)db_wal_size(path));
    metric(s, "last_backup_timestamp_seconds", "gauge", "Moment of the last backup, 0: none.",
           last_backup(c));
    metric(s, "log_dropped_total", "counter", "Log lines dropped.", (double)log_dropped());
    metric(s, "resident_bytes", "gauge", "Resident memory.", resident_bytes());
    metric(s, "uptime_seconds", "gauge", "Seconds since the start.",
           (double)(clock_wall_ms() - app_started_ms(c->app)) / 1000);
    c->res->status = 200;
    c->res->content_type = "text/plain; version=0.0.4; charset=utf-8";
    return OK;
}
