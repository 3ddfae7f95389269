/* participants.c - who takes part in a campaign, and decisions about their pay: page, CSV,
 * lists for the panel, JSON. Rows in routes.c (all need the role lead); templates/people/participants. */
#include "base/clock.h"
#include "json/object.h"
#include "store/campaigns/campaigns.h"
#include "store/campaigns/studies.h"
#include "study/paying.h"
#include "transfer/exports/panel_ids.h"
#include "transfer/exports/participants_csv.h"
#include "web/core/form_refused.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/study_of.h"
#include "web/parts/people_data.h"

enum {
    ROWS_A_PAGE = 50,
    OUT_MOST = 1 << 26,
    LIMIT_DEFAULT = 100,
    LIMIT_MOST = 500
};

static enum err_code find_campaign(struct ctx *c, struct campaign *out)
{
    return campaigns_find(c->db, c->req->params[0], c->arena, out, &c->err);
}

/* With its study's settings; an imported campaign has none. */
static enum err_code find_study(struct ctx *c, struct campaign *out, struct study_settings *s)
{
    *s = (struct study_settings){0};
    enum err_code rc = find_campaign(c, out);
    return rc == OK && !out->imported ? studies_get(c->db, out->id, c->arena, s, &c->err) : rc;
}

/* ---- what the list asks for ---- */

struct query {
    int show, sort;
    bool falling;
    int64_t page;
};

static const struct list_word shows[] = {
    {"all", "Everybody", PARTICIPANTS_ALL},
    {"to-decide", "To decide", PARTICIPANTS_TO_DECIDE},
    {"approved", "Approved", PARTICIPANTS_APPROVED},
    {"rejected", "Rejected", PARTICIPANTS_REJECTED},
    {"in-it", "Still in it", PARTICIPANTS_IN_IT},
    {0},
};
static const struct list_word sorts[] = {
    {"person", "Person", PARTICIPANTS_BY_PERSON},
    {"grids", "Grids", PARTICIPANTS_BY_GRIDS},
    {"active", "Active time", PARTICIPANTS_BY_ACTIVE},
    {"rate", "Effective pay", PARTICIPANTS_BY_RATE},
    {0},
};

/* Who is paid least for an hour is why one looks at pay. */
static bool falls(int sort)
{
    return sort == PARTICIPANTS_BY_GRIDS || sort == PARTICIPANTS_BY_ACTIVE;
}

#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    {"show", LIST_WORD, AT(show), .words = shows, .chips = "Which participants"},
    {"sort", LIST_WORD, AT(sort), .words = sorts},
    {"order", LIST_ORDER, AT(falling)},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {0},
};
static const struct list_table table = {params, sizeof(struct query), &params[1], falls};
static const struct query usual = {.page = 1};

static const char *list_path(struct ctx *c, const struct campaign *k)
{
    return arena_printf(c->arena, "/campaigns/" SV_FMT "/participants", SV_ARG(k->name));
}

/* ---- the page ---- */

static json_t *tiles_json(struct ctx *c, const struct campaign *k, const struct study_settings *s,
                          const struct participants_summary *sum)
{
    struct arena *a = c->arena;
    json_t *tiles = json_array();
    const char *timed = arena_printf(a, sum->timed == PARTICIPANTS_TIMED
                                            ? "the newest %s complete"
                                            : "%s complete with a time",
                                     data_count(a, sum->timed));
    data_tile(tiles, "Participants", data_count(a, sum->fit[PARTICIPANTS_ALL]),
              arena_printf(a, "of %s places", data_count(a, k->places)));
    data_tile(tiles, "Complete", data_count(a, sum->complete), NULL);
    data_tile(tiles, "Pay to decide", data_count(a, sum->fit[PARTICIPANTS_TO_DECIDE]), NULL);
    data_tile(tiles, "Median active time", people_minutes(a, sum->median_active_ms),
              arena_printf(a, "expected %g min; %s", k->expected_minutes, timed));
    people_rate_tile(a, tiles, "Effective pay, median", sum->median_rate_cents, s->floor_cents,
                     k->currency, "no minimum is set");
    return tiles;
}

static json_t *rows_json(struct ctx *c, const struct campaign *k, const struct participant *list,
                         size_t n)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *row = people_participant(c->arena, &list[i]);
        json_object_set_new(row, "action",
                            json_string(arena_printf(
                                c->arena, "/campaigns/" SV_FMT "/participants/%lld/pay",
                                SV_ARG(k->name), (long long)list[i].place)));
        json_object_set_new(row, "pay_row", json_integer(list[i].pay_event));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *lists_json(struct ctx *c, const struct campaign *k)
{
    static const char *const labels[PAY_LISTS] = {"Approved", "Rejected", "Bonus"};
    json_t *lists = json_array();
    object_add(lists, field_text("label", "All participants"),
               field_text("url", arena_printf(c->arena, "%s.csv", list_path(c, k))));
    object_add(lists, field_text("label", "All participants with panel ids"),
               field_text("url", arena_printf(c->arena, "%s.csv?panel_ids=yes", list_path(c, k))));
    for (unsigned i = 0; i < PAY_LISTS; i++) {
        object_add(
            lists, field_text("label", labels[i]),
            field_text("url", arena_printf(c->arena, "/campaigns/" SV_FMT "/pay/%s.csv",
                                           SV_ARG(k->name), pay_list_name((enum pay_list)i))));
    }
    return lists;
}

/* GET /campaigns/:campaign/participants?show=&sort=&order=&page= */
enum err_code page_participants(struct ctx *c)
{
    struct query q;
    struct campaign k;
    struct study_settings s;
    struct participants_summary sum;
    struct participant *list;
    size_t n;
    if (list_read(c, &table, &usual, &q) != OK || find_study(c, &k, &s) != OK ||
        participants_summary(c->db, k.id, &sum, &c->err) != OK) {
        return c->err.code;
    }
    const struct list_page part = list_page_of(sum.fit[q.show], ROWS_A_PAGE, q.page);
    const struct participants_ask ask = {.filter = q.show, .sort = q.sort, .falling = q.falling,
                                         .skip = part.skip, .most = part.most};
    if (participants_page(c->db, k.id, &ask, c->arena, &list, &n, &c->err) != OK) {
        return c->err.code;
    }
    const char *path = list_path(c, &k);
    const char *base = list_url(c, &table, path, &usual, &q, false);
    json_t *page = object(
        field_json("campaign", data_campaign(c, &k)),
        field_json("tiles", tiles_json(c, &k, &s, &sum)),
        field_json("chips", list_chips(c, &table, path, &q)),
        field_json("heads", list_heads(c, &table, path, &usual, &q)),
        field_json("people", rows_json(c, &k, list, n)), field_json("lists", lists_json(c, &k)),
        field_text("ready", sum.ready ? data_count(c->arena, sum.ready) : NULL),
        field_text("ready_url",
                   arena_printf(c->arena,
                                "/decisions/new?field=pay&value=approved&fit=places&show="
                                "ready&reason=Complete&campaign=" SV_FMT,
                                SV_ARG(k.name))),
        field_text("show", list_word_of(shows, q.show)),
        field_json("pages", list_page_links(c, &part, base, "")),
        field_text("pages_label", "Pages of participants"),
        field_text("currency", arena_cstr(c->arena, k.currency)),
        field_text("pay_text", people_amount(c->arena, k.pay_cents, k.currency)));
    return reply_page(c, 200, "people/participants", "Participants", page);
}

/* ---- decisions ---- */

/* The list that the form stood in. */
static const char *back_url(struct ctx *c, const struct campaign *k)
{
    struct sv page = form_page(c);
    return page.n ? arena_cstr(c->arena, page) : list_path(c, k);
}

/* What was decided, with the amounts. */
static const char *pay_said(struct ctx *c, const struct campaign *k, const struct pay_now *now)
{
    const char *bonus = now->bonus_cents
                            ? arena_printf(c->arena, " and a bonus of %s",
                                           people_amount(c->arena, now->bonus_cents, k->currency))
                            : "";
    return sv_is(now->state, "approved")
               ? arena_printf(c->arena, "Approved: %s%s.",
                              people_amount(c->arena, k->pay_cents, k->currency), bonus)
               : arena_printf(c->arena, "Pay is " SV_FMT "%s.", SV_ARG(now->state), bonus);
}

static enum err_code reply_paid(struct ctx *c, const struct campaign *k, int64_t place,
                                const struct paid *paid)
{
    const struct pay_now *was = &paid->was;
    if (!paid->changed) {
        return reply_did(c, back_url(c, k), NULL, "Nothing has changed: it was already decided that way.");
    }
    const struct undo undo = {
        .action = arena_printf(c->arena, "/campaigns/" SV_FMT "/participants/%lld/pay",
                               SV_ARG(k->name), (long long)place),
        .fields = {{"undo", arena_printf(c->arena, "%lld", (long long)paid->now.id)},
                   {"decision", arena_cstr(c->arena, was->state)},
                   {"bonus", arena_printf(c->arena, "%lld.%02lld", (long long)was->bonus_cents / 100,
                                          (long long)was->bonus_cents % 100)},
                   {"reason", arena_cstr(c->arena, was->reason)}}};
    return reply_did(c, back_url(c, k), paid->can_undo ? &undo : NULL, "%s",
                     pay_said(c, k, &paid->now));
}

/* The row of pay that the form was made from; -1 when it does not say. */
static int64_t seen_row(const struct ctx *c, const char *field)
{
    int64_t seen;
    return sv_i64(form_get(&c->form, field), &seen) && seen >= 0 ? seen : -1;
}

/* POST /campaigns/:campaign/participants/:place/pay: decision, bonus, reason, seen; or undo, the row that is taken back */
enum err_code page_participant_pay(struct ctx *c)
{
    struct campaign k;
    struct paid paid;
    const struct study study = study_of(c);
    const struct pay_typed typed = {form_get(&c->form, "decision"), form_get(&c->form, "bonus"),
                                    form_get(&c->form, "reason")};
    struct paying p = {.account = c->user.account, .undo = form_has(&c->form, "undo")};
    if (pay_read(&typed, &p.change, &c->err) != OK || find_campaign(c, &k) != OK) {
        return c->err.code;
    }
    p.campaign = k.id;
    p.place = sv_i64(c->req->params[1], &p.place) ? p.place : 0;
    p.seen = seen_row(c, p.undo ? "undo" : "seen");
    return pay_make(&study, &p, &paid) == OK ? reply_paid(c, &k, p.place, &paid) : c->err.code;
}

/* ---- lists to download ---- */

static enum err_code reply_file(struct ctx *c, const struct campaign *k, const char *name,
                                const struct str *text)
{
    response_header(c->res, "Content-Disposition",
                    arena_printf(c->arena, "attachment; filename=\"" SV_FMT "-%s.csv\"",
                                 SV_ARG(k->name), name));
    response_header(c->res, "Cache-Control", "no-store");
    return reply_text(c, 200, "text/csv; charset=utf-8", text);
}

/* Before anything is replied: who took panel ids is on record even if the download fails. Slow steps. */
static enum err_code records_ids(struct ctx *c, const char *what, int64_t campaign)
{
    struct panel_ids_taken taken = {what, campaign, c->user.account};
    return writer_call(app_writer(c->app), panel_ids_record_step, &taken, &c->err);
}

/* ?panel_ids=yes, which is recorded. */
static enum err_code asked_for_ids(struct ctx *c, int64_t campaign, bool *asked)
{
    *asked = sv_is(request_query(c->req, "panel_ids"), "yes");
    return *asked ? records_ids(c, "participants", campaign) : OK;
}

/* GET /campaigns/:campaign/participants.csv?panel_ids= */
enum err_code page_participants_csv(struct ctx *c)
{
    bool panel_ids;
    struct campaign k;
    struct study_settings s;
    if (find_study(c, &k, &s) != OK ||
        asked_for_ids(c, k.id, &panel_ids) != OK) {
        return c->err.code;
    }
    struct str out;
    str_init(&out, OUT_MOST);
    enum err_code rc =
        participants_csv(c->db, k.id, panel_ids, s.id_parameters, &out, NULL, NULL, &c->err);
    rc = rc == OK ? reply_file(c, &k, "participants", &out) : rc;
    str_release(&out);
    return rc;
}

/* GET /campaigns/:campaign/pay/:list, "approve.csv", "reject.csv" or "bonus.csv" */
enum err_code page_pay_list(struct ctx *c)
{
    struct campaign k;
    struct pay_list_told told;
    unsigned list = 0;
    while (list < PAY_LISTS &&
           !sv_is(c->req->params[1],
                  arena_printf(c->arena, "%s.csv", pay_list_name((enum pay_list)list)))) {
        list++;
    }
    if (list == PAY_LISTS) {
        return err_set(&c->err, ERR_NOT_FOUND,
                       "There is no such list. Choose approve.csv, reject.csv or bonus.csv.");
    }
    if (find_campaign(c, &k) != OK ||
        records_ids(c, pay_list_name((enum pay_list)list), k.id) != OK) {
        return c->err.code;
    }
    struct str out;
    str_init(&out, OUT_MOST);
    enum err_code rc = participants_pay_list(c->db, k.id, (enum pay_list)list, 0, &out, NULL, NULL,
                                             &told, &c->err);
    rc = rc == OK ? reply_file(c, &k, pay_list_name((enum pay_list)list), &out) : rc;
    str_release(&out);
    return rc;
}

/* GET /api/v1/campaigns/:campaign/participants?after=&limit=&panel_ids= */
enum err_code api_participants(struct ctx *c)
{
    struct campaign k;
    struct participant *list;
    size_t n;
    bool panel_ids;
    struct cursor at;
    if (cursor_read(c, "after", LIMIT_DEFAULT, LIMIT_MOST, &at) != OK || find_campaign(c, &k) != OK) {
        return c->err.code;
    }
    const struct participants_ask ask = {.after = at.from, .most = at.limit + 1};
    if (participants_page(c->db, k.id, &ask, c->arena, &list, &n, &c->err) != OK ||
        asked_for_ids(c, k.id, &panel_ids) != OK) {
        return c->err.code;
    }
    bool more = n > at.limit;
    json_t *items = json_array();
    for (size_t i = 0; i < n - more; i++) {
        json_array_append_new(items, participant_json(&list[i], panel_ids));
    }
    return reply_items(c, items, more ? list[n - 2].person : 0);
}
