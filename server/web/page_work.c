/* page_work.c - the worker's pages as plain forms: start, place, grid, images.
 * The address is the capability: no cookie is read here, so that an answer still counts after any
 * session ended. Names, roles and classes of images never reach the page. */
#include "base/clock.h"
#include "base/log.h"
#include "domain/grid.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/reply.h"
#include "web/work_flow.h"

static const char *place_url(struct ctx *c, const struct place *p)
{
    return arena_printf(c->arena, "/work/place/%s", work_token_text(c->arena, p->token));
}

static const char *assignment_url(struct ctx *c, const struct assignment *as)
{
    return arena_printf(c->arena, "/work/assignment/%s", work_token_text(c->arena, as->token));
}

static enum err_code worker_page(struct ctx *c, const char *template, const char *title,
                                 json_t *page)
{
    return reply_page(c, 200, template, title, page);
}

static int64_t grids_allowed(struct ctx *c, const struct campaign *k)
{
    struct desk_progress progress = {0};
    app_progress(c->app, k->id, &progress);
    return work_grids_allowed(k, &progress);
}

static json_t *pay_json(struct ctx *c, const struct campaign *k)
{
    return k->pay_cents
               ? json_pack("{s:s, s:o}", "amount",
                           arena_printf(c->arena, "%lld.%02lld", (long long)k->pay_cents / 100,
                                        (long long)k->pay_cents % 100),
                           "currency", data_text(k->currency))
               : json_null();
}

/* GET /work/campaign/:campaign */
enum err_code page_work_start(struct ctx *c)
{
    struct campaign k;
    if (campaigns_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    /* The panel's id travels through the form; further names come with the study's settings. */
    struct sv id = request_query(c->req, "PROLIFIC_PID");
    if (id.n == 0) {
        id = request_query(c->req, "worker");
    }
    bool closed = k.imported || !work_is_open(&k, clock_wall_ms());
    json_t *page = json_pack(
        "{s:o, s:o, s:s, s:o, s:I, s:s, s:[{s:s, s:o}], s:b, s:s}", "title", data_text(k.title),
        "rule", data_text(k.rule_text), "minutes",
        arena_printf(c->arena, "%g", k.expected_minutes), "pay", pay_json(c, &k),
        "grids", (json_int_t)grids_allowed(c, &k), "action",
        arena_printf(c->arena, "/work/campaign/" SV_FMT, SV_ARG(k.name)), "fields", "name",
        "worker", "value", data_text(id), "closed", closed, "closed_reason",
        closed ? "This study is not open at the moment. Please come back later or return the "
                 "task to your panel."
               : "");
    return worker_page(c, "work/start", arena_cstr(c->arena, k.title), page);
}

enum { EXTERNAL_ID_MOST = 128 };

/* POST /work/campaign/:campaign, before the write: how many join from one address. */
enum err_code page_work_join_check(struct ctx *c)
{
    if (form_get(&c->form, "worker").n > EXTERNAL_ID_MOST) {
        return err_rule(&c->err, ERR_INPUT, "worker", "The id must be at most %d characters long.",
                        EXTERNAL_ID_MOST);
    }
    if (!app_rate(c->app, RATE_PLACE, c->req->address, &c->retry_after_s)) {
        return err_set(&c->err, ERR_RATE,
                       "Too many people joined from this address within the hour. Please try "
                       "again later.");
    }
    return OK;
}

enum err_code page_work_join(struct ctx *c)
{
    struct work_joiner who = {c->req->params[0], SV("panel"), form_get(&c->form, "worker")};
    struct place p;
    enum err_code rc = work_join(c, &who, &p);
    return rc != OK ? rc : reply_redirect(c, place_url(c, &p));
}

static json_t *progress_json(struct ctx *c, int64_t done, int64_t total)
{
    return json_pack("{s:I, s:I, s:I, s:s}", "done", (json_int_t)done, "total", (json_int_t)total,
                     "percent", (json_int_t)(total ? 100 * done / total : 0), "text",
                     arena_printf(c->arena, "%lld of %lld grids", (long long)done,
                                  (long long)total));
}

/* "None left" is found out when a grid is asked for, and the page that tells so gives the completion
 * code: the address proves that it came from us. */
static const char *none_left_proof(struct ctx *c, const struct place *p)
{
    unsigned char hash[CRYPTO_HASH];
    char *text = arena_alloc(c->arena, CRYPTO_TOKEN_TEXT);
    crypto_keyed(app_secret(c->app, "person_key"),
                 sv_of(arena_printf(c->arena, "none-left:%s", work_token_text(c->arena, p->token))),
                 hash);
    crypto_base64url(hash, CRYPTO_TOKEN, text);
    return text;
}

static bool proves_none_left(struct ctx *c, const struct place *p)
{
    struct sv given = request_query(c->req, "none-left");
    const char *proof = none_left_proof(c, p);
    return given.n == strlen(proof) && crypto_equal(given.p, proof, given.n);
}

/* What a place's page says. */
struct place_view {
    const char *heading; /* NULL: the study's title */
    const char *message;
    bool code, next;     /* shows the completion code; a button for the next grid */
};

/* Whoever answered gets the code when there is nothing more to do, whatever the reason. */
static struct place_view place_view(struct ctx *c, const struct place *p, const struct campaign *k,
                                    const struct place_work *work, int64_t allowed)
{
    int64_t now = clock_wall_ms();
    bool answered = work->answered > 0;
    if (work->newest.id && work->newest.answer == 0 && work->newest.lease_until > now) {
        return (struct place_view){.message = "A grid is waiting for you.", .next = true};
    }
    if (work->answered >= allowed) {
        return (struct place_view){.heading = "Done. Thank you!", .code = true};
    }
    if (!work_is_open(k, now)) {
        return (struct place_view){
            .heading = sv_is(k->state, "paused") ? "This study is paused"
                                                 : "This study is closed",
            .message = answered ? "Everything you submitted is kept and counts."
                                : "You have not answered anything yet. Please return the task to "
                                  "your panel, or come back later.",
            .code = answered};
    }
    if (proves_none_left(c, p)) {
        return (struct place_view){
            .heading = answered ? "Done. Thank you!" : "Nothing to do for you now",
            .message = answered ? "There is no further grid for you."
                                : "All grids are taken at the moment. Please return the task to "
                                  "your panel, or come back later.",
            .code = answered};
    }
    return (struct place_view){.message = answered ? "Your answers are saved." : "Ready when you are.",
                               .next = true};
}

/* GET /work/place/:place */
enum err_code page_work_place(struct ctx *c)
{
    unsigned char token[WORK_TOKEN];
    struct place p;
    struct campaign k;
    struct place_work work;
    if (work_token(c, c->req->params[0], token) != OK ||
        work_place_find(c->db, token, c->arena, &p, &c->err) != OK ||
        campaigns_get(c->db, p.campaign, c->arena, &k, &c->err) != OK ||
        work_place_state(c->db, p.id, c->arena, &work, &c->err) != OK) {
        return c->err.code;
    }
    int64_t allowed = grids_allowed(c, &k);
    struct place_view v = place_view(c, &p, &k, &work, allowed);
    json_t *page = json_pack(
        "{s:o, s:o, s:s?, s:o, s:s?}", "heading",
        v.heading ? json_string(v.heading) : data_text(k.title), "code",
        v.code ? data_text(p.code) : json_null(), "action_next",
        v.next ? arena_printf(c->arena, "%s/next", place_url(c, &p)) : NULL, "progress",
        progress_json(c, work.answered, allowed), "message", v.message);
    return worker_page(c, "work/place", v.heading ? v.heading : arena_cstr(c->arena, k.title), page);
}

/* Where a worker goes after the next grid was asked for. */
static enum err_code go_on(struct ctx *c, const struct place *p)
{
    struct work_next next;
    enum err_code rc = work_next(c, p, &next);
    if (rc != OK) {
        return rc;
    }
    if (!next.done) {
        return reply_redirect(c, assignment_url(c, &next.assignment));
    }
    bool none_left = strcmp(next.reason, "none-left") == 0;
    return reply_redirect(c, none_left ? arena_printf(c->arena, "%s?none-left=%s", place_url(c, p),
                                                      none_left_proof(c, p))
                                       : place_url(c, p));
}

/* POST /work/place/:place/next */
enum err_code page_work_next(struct ctx *c)
{
    unsigned char token[WORK_TOKEN];
    struct place p;
    if (work_token(c, c->req->params[0], token) != OK ||
        work_place_find(c->db, token, c->arena, &p, &c->err) != OK) {
        return c->err.code;
    }
    return go_on(c, &p);
}

static json_t *cells_json(struct ctx *c, const struct assignment *as, unsigned n)
{
    json_t *cells = json_array();
    const char *base = assignment_url(c, as);
    for (unsigned i = 0; i < n; i++) {
        json_array_append_new(
            cells, json_pack("{s:i, s:s, s:s, s:b}", "position", (int)i, "url",
                             arena_printf(c->arena, "%s/%u", base, i), "alt",
                             arena_printf(c->arena, "image %u of %u", i + 1, n), "checked", 0));
    }
    return cells;
}

static enum err_code find_assignment(struct ctx *c, struct assignment *as)
{
    unsigned char token[WORK_TOKEN];
    enum err_code rc = work_token(c, c->req->params[0], token);
    return rc != OK ? rc : work_assignment_find(c->db, token, c->arena, as, &c->err);
}

/* Cells of a grid, asked of the tally under its lock. */
static unsigned cells_of(struct ctx *c, int64_t grid)
{
    struct tally *t = app_tally(c->app);
    tally_read_lock(t);
    const struct tally_grid *g = tally_grid(t, grid);
    unsigned n = g ? g->n : 0;
    tally_read_unlock(t);
    return n;
}

/* GET /work/assignment/:assignment */
enum err_code page_work_grid(struct ctx *c)
{
    struct assignment as;
    struct place p;
    struct campaign k;
    struct class_info class_info;
    struct place_work work;
    if (find_assignment(c, &as) != OK ||
        work_place_get(c->db, as.place, c->arena, &p, &c->err) != OK ||
        campaigns_get(c->db, as.campaign, c->arena, &k, &c->err) != OK ||
        classes_get(c->db, as.class_id, c->arena, &class_info, &c->err) != OK ||
        work_place_state(c->db, p.id, c->arena, &work, &c->err) != OK) {
        return c->err.code;
    }
    if (as.answer) {
        return reply_redirect(c, place_url(c, &p));
    }
    char client_id[CRYPTO_TOKEN_TEXT];
    unsigned char raw[CRYPTO_TOKEN];
    crypto_token(raw, client_id);
    int64_t minutes = (as.lease_until - clock_wall_ms()) / 60000;
    const char *lease =
        minutes > 0 ? arena_printf(c->arena, "This grid is reserved for you for %lld more minute%s.",
                                   (long long)minutes, minutes == 1 ? "" : "s")
                    : "The reservation of this grid is almost over or over. Your answer is kept "
                      "and paid all the same.";
    json_t *page = json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:o, s:b}", "action", assignment_url(c, &as),
        "client_id", client_id,
        "class", data_class(c->arena, &class_info), "rule", data_text(k.rule_text), "cells",
        cells_json(c, &as, cells_of(c, as.grid)), "progress",
        progress_json(c, work.answered, grids_allowed(c, &k)), "lease_text", lease, "layout",
        data_text(k.layout), "preview", 0);
    return worker_page(c, "work/grid", data_synset(c->arena, class_info.synset, " or "), page);
}

/* The shown positions that the form's boxes name. */
static enum err_code form_mask(struct ctx *c, uint64_t *mask)
{
    *mask = 0;
    for (size_t i = 0; i < c->form.n; i++) {
        int64_t at;
        if (!sv_is(c->form.fields[i].name, "cell")) {
            continue;
        }
        if (!sv_i64(c->form.fields[i].value, &at) || at < 0 || at >= GRID_CELLS) {
            return err_rule(&c->err, ERR_INPUT, "mask",
                            "The form names a cell that no grid has. Reload the page.");
        }
        *mask |= (uint64_t)1 << at;
    }
    return OK;
}

/* POST /work/assignment/:assignment: stores the answer and lends the next grid in one go. */
enum err_code page_work_submit(struct ctx *c)
{
    struct assignment as;
    struct place p;
    struct work_submission s = {.client_id = form_get(&c->form, "client_id"), .active_ms = -1};
    if (find_assignment(c, &as) != OK || form_mask(c, &s.shown) != OK ||
        work_place_get(c->db, as.place, c->arena, &p, &c->err) != OK) {
        return c->err.code;
    }
    c->onward = place_url(c, &p);
    /* Without a script nobody knows when the page was looked at: active time stays unknown. */
    int64_t event;
    bool surplus;
    enum err_code rc = work_submit(c, &as, &s, &event, &surplus);
    if (rc == OK && go_on(c, &p) != OK) {
        /* The answer is counted and must stay: the place's page says what comes next. */
        log_msg(LOG_WARN, "no next grid after an answer", LOG_NUM("req", c->req->id),
                LOG_TEXT("error", sv_of(c->err.msg)));
        err_clear(&c->err);
        return reply_redirect(c, place_url(c, &p));
    }
    return rc;
}

/* GET /work/assignment/:assignment/:position */
enum err_code page_work_image(struct ctx *c)
{
    struct assignment as;
    int64_t position;
    uint8_t order[GRID_CELLS];
    unsigned char sha256[IMAGE_SHA];
    bool found = false;
    if (find_assignment(c, &as) != OK) {
        return c->err.code;
    }
    unsigned n = cells_of(c, as.grid);
    if (!sv_i64(c->req->params[1], &position) || position < 0 || position >= n) {
        return err_set(&c->err, ERR_NOT_FOUND, "This grid has no such cell.");
    }
    work_order(&as, n, order);
    enum err_code rc =
        sources_of_cell(c->db, as.grid, order[position], sha256, &found, &c->err);
    if (rc == OK && !found) {
        rc = err_rule(&c->err, ERR_NOT_FOUND, "no-pixels", "This image is known by name only.");
    }
    return rc != OK ? rc : page_send_rendition(c, sha256, RENDITION_GRID);
}
