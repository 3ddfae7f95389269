/* page_work_entry.c - how a worker comes to a study and leaves it, as plain forms: the start page with
 * consent, joining, the place. The address is the capability: no cookie is read here. Names, roles
 * and classes of images never reach these pages. */
#include "base/clock.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/reply.h"
#include "web/work_flow.h"
#include "web/work_parts.h"

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
        "grids", (json_int_t)work_page_allowed(c, &k), "action",
        arena_printf(c->arena, "/work/campaign/" SV_FMT, SV_ARG(k.name)), "fields", "name",
        "worker", "value", data_text(id), "closed", closed, "closed_reason",
        closed ? "This study is not open at the moment. Please come back later or return the "
                 "task to your panel."
               : "");
    return work_page(c, "work/start", arena_cstr(c->arena, k.title), page);
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
    return rc != OK ? rc : reply_redirect(c, work_place_url(c, &p));
}

static bool proves_none_left(struct ctx *c, const struct place *p)
{
    struct sv given = request_query(c->req, "none-left");
    const char *proof = work_none_left(c, p);
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
    int64_t allowed = work_page_allowed(c, &k);
    struct place_view v = place_view(c, &p, &k, &work, allowed);
    json_t *page = json_pack(
        "{s:o, s:o, s:s?, s:o, s:s?}", "heading",
        v.heading ? json_string(v.heading) : data_text(k.title), "code",
        v.code ? data_text(p.code) : json_null(), "action_next",
        v.next ? arena_printf(c->arena, "%s/next", work_place_url(c, &p)) : NULL, "progress",
        work_progress(c, work.answered, allowed), "message", v.message);
    return work_page(c, "work/place", v.heading ? v.heading : arena_cstr(c->arena, k.title), page);
}
