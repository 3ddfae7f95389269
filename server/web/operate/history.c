/* history.c - everything that happened, newest first: page and JSON. Rows in routes.c (all need
 * the role lead); templates/history/. What each kind of event is called: history_words.c. */
#include <time.h>

#include "base/clock.h"
#include "json/object.h"
#include "store/campaigns/campaigns.h"
#include "store/people/people.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/operate/history_words.h"
#include "web/parts/people_data.h"

enum { EVENTS_A_PAGE = 50, LIMIT_DEFAULT = 100, LIMIT_MOST = 500, URL_MOST = 8192 };
enum { DAY_MS = 24 * 60 * 60 * 1000 };

/* The filters as they stand in the address. */
struct asked {
    struct sv area, account, campaign, person, from, until;
    bool singles;
    int64_t before; /* on pages: the event above which they begin */
};

#define AT(member) .at = offsetof(struct asked, member)
static const struct list_param params[] = {
    {"area", LIST_TEXT, AT(area)},         {"account", LIST_TEXT, AT(account)},
    {"campaign", LIST_TEXT, AT(campaign)}, {"person", LIST_TEXT, AT(person)},
    {"from", LIST_TEXT, AT(from)},         {"until", LIST_TEXT, AT(until)},
    {"singles", LIST_FLAG, AT(singles)},   {"before", LIST_NUMBER, AT(before), .most = INT64_MAX},
    {0},
};
static const struct list_table table = {.params = params, .size = sizeof(struct asked)};
static const struct asked usual = {.before = 0};

/* "2026-11-20" as the first moment of that day, UTC; 0 for an empty text. */
static enum err_code day_of(struct sv text, int64_t *out, struct err *err)
{
    char day[11] = "", again[CLOCK_ISO_SIZE];
    struct tm tm = {0};
    *out = 0;
    if (text.n == 0) {
        return OK;
    }
    if (text.n == 10) {
        memcpy(day, text.p, 10);
        const char *end = strptime(day, "%Y-%m-%d", &tm);
        *out = end && !*end ? (int64_t)timegm(&tm) * 1000 : 0;
    }
    /* What is not written as we write it, such as 2026-02-31, is no day. */
    if (*out <= 0 || memcmp(clock_iso(*out, again), day, 10) != 0) {
        return err_rule(err, ERR_INPUT, "history-day",
                        "Write a day like 2026-11-20. Nothing was looked up.");
    }
    return OK;
}

static enum err_code area_kinds(struct ctx *c, struct sv area, struct history_ask *ask)
{
    for (unsigned i = 0; i < HISTORY_AREAS; i++) {
        if (sv_is(area, history_area_names[i])) {
            ask->kinds = history_kinds((enum history_area)i, c->arena);
            ask->singles = ask->singles || i == AREA_ANSWERS;
            return OK;
        }
    }
    return area.n == 0 ? OK
                       : err_rule(&c->err, ERR_INPUT, "history-area",
                                  "The history has no such area. Choose one of: campaigns, people, pay, "
                                  "images, views, models, accounts, answers.");
}

static enum err_code account_asked(struct ctx *c, struct sv login, struct history_ask *ask)
{
    struct history_who *who;
    size_t n;
    if (login.n == 0) {
        return OK;
    }
    if (history_accounts(c->db, c->arena, &who, &n, &c->err) != OK) {
        return c->err.code;
    }
    for (size_t i = 0; i < n; i++) {
        if (sv_eq(who[i].login, login)) {
            ask->account = who[i].account;
            return OK;
        }
    }
    return err_rule(&c->err, ERR_NOT_FOUND, "no-account",
                    "No account with that login has done anything here.");
}

/* The filters as store/operate/history.h takes them; errors name the filter that cannot be. */
static enum err_code resolve(struct ctx *c, const struct asked *q, struct history_ask *ask)
{
    struct campaign k;
    *ask = (struct history_ask){.kinds = SV(""), .singles = q->singles};
    history_join(ask);
    if (area_kinds(c, q->area, ask) != OK || account_asked(c, q->account, ask) != OK ||
        day_of(q->from, &ask->from_ms, &c->err) != OK ||
        day_of(q->until, &ask->until_ms, &c->err) != OK) {
        return c->err.code;
    }
    ask->until_ms += ask->until_ms ? DAY_MS : 0;
    if (q->person.n && q->campaign.n) {
        return err_rule(&c->err, ERR_INPUT, "history-about",
                        "Choose a campaign or a person, not both.");
    }
    if (q->campaign.n && campaigns_find(c->db, q->campaign, c->arena, &k, &c->err) == OK) {
        ask->campaign = k.id;
    }
    if (q->person.n) {
        people_find_pseudonym(c->db, q->person, &ask->person, &c->err);
    }
    return c->err.code;
}

/* ---- the page ---- */

static const char *page_url(struct ctx *c, const struct asked *q, int64_t before)
{
    struct asked other = *q;
    other.before = before;
    return list_url(c, &table, "/history", &usual, &other, false);
}

static void add_option(json_t *list, struct sv value, struct sv label, struct sv current)
{
    object_add(list, field_sv("value", value), field_sv("label", label),
               field_bool("current", sv_eq(value, current)));
}

/* What can be chosen in the form: {areas, accounts, campaigns} of {value, label, current}. */
static json_t *choices_json(struct ctx *c, const struct asked *q)
{
    struct history_who *who;
    struct campaign *campaigns;
    size_t n_who, n_campaigns;
    if (history_accounts(c->db, c->arena, &who, &n_who, &c->err) != OK ||
        campaigns_list(c->db, false, c->arena, &campaigns, &n_campaigns, &c->err) != OK) {
        return NULL;
    }
    json_t *areas = json_array(), *accounts = json_array(), *list = json_array();
    for (unsigned i = 0; i < HISTORY_AREAS; i++) {
        add_option(areas, sv_of(history_area_names[i]), sv_of(history_area_labels[i]), q->area);
    }
    for (size_t i = 0; i < n_who; i++) {
        add_option(accounts, who[i].login, who[i].login, q->account);
    }
    for (size_t i = 0; i < n_campaigns; i++) {
        add_option(list, campaigns[i].name, campaigns[i].name, q->campaign);
    }
    return object(field_json("areas", areas), field_json("accounts", accounts),
                  field_json("campaigns", list));
}

/* {id, at, who {text, url}, parts [{text, url}], undo}; undo: where a decision is taken back. */
static json_t *row_json(struct ctx *c, const struct history_event *e)
{
    struct history_facts f;
    const struct history_word *w = history_word(e->kind);
    if (history_facts(c->db, e, w->about, c->arena, &f, &c->err) != OK) {
        return NULL;
    }
    bool undo = w->about == ABOUT_DECISION && !f.undone && !sv_is(f.name, "undo");
    return object(
        field_int("id", e->id), field_text("at", people_minute(c->arena, e->at)),
        field_json("who", history_who(e, &f, c->arena)),
        field_json("parts", history_sentence(e, &f, c->arena)),
        field_text("undo",
                   undo ? arena_printf(c->arena, "/decisions/%lld/undo", (long long)e->id) : NULL),
        field_bool("undone", f.undone));
}

static json_t *rows_json(struct ctx *c, const struct history_page *p)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < p->n; i++) {
        json_t *row = row_json(c, &p->events[i]);
        if (!row) {
            json_decref(rows);
            return NULL;
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

static bool is_narrowed(const struct asked *q)
{
    return q->area.n || q->account.n || q->campaign.n || q->person.n || q->from.n || q->until.n;
}

/* GET /history?area=&account=&campaign=&person=&from=&until=&singles=&before= */
enum err_code page_history(struct ctx *c)
{
    struct asked q;
    struct history_ask ask;
    struct history_page p;
    if (list_read(c, &table, &usual, &q) != OK || resolve(c, &q, &ask) != OK) {
        return c->err.code;
    }
    ask.before = q.before;
    ask.limit = EVENTS_A_PAGE;
    if (history_page(c->db, &ask, c->arena, &p, &c->err) != OK) {
        return c->err.code;
    }
    json_t *rows = rows_json(c, &p), *choices = rows ? choices_json(c, &q) : NULL;
    if (!choices) {
        json_decref(rows);
        return c->err.code;
    }
    json_t *page =
        object(field_json("events", rows), field_sv("person", q.person), field_sv("from", q.from),
               field_sv("until", q.until), field_bool("singles", q.singles),
               field_bool("narrowed", is_narrowed(&q)), field_bool("later", ask.before > 0),
               field_text("newest_url", page_url(c, &q, 0)),
               field_text("next_url", p.next ? page_url(c, &q, p.next) : NULL),
               field_text("cut", p.cut ? data_count(c->arena, HISTORY_LOOKED_MOST) : NULL));
    json_object_update_new(page, choices);
    json_object_set_new(page, "live",
                        ask.before > 0 ? json_null() : data_live("votes", page_url(c, &q, 0)));
    return reply_page(c, 200, "history/index", "History", page);
}

/* ---- JSON ---- */

static void joined(json_t *parts, struct str *out)
{
    size_t i;
    json_t *part;
    json_array_foreach(parts, i, part) {
        str_addz(out, json_string_value(json_object_get(part, "text")));
    }
}

struct history_item {
    struct history_event e;
    struct history_facts f;
    const char *who;
    struct sv sentence;
};

#define OF(member) RECORD_OF(struct history_item, member)
RECORD(history_record, struct history_item, "history_item", "Something that happened, or a run of its kind.",
       {"id", OF(e.id), .about = "The event's number; of a run the newest's."},
       {"at", OF(e.at), RECORD_MOMENT, .about = "When it happened."},
       {"kind", OF(e.kind), .about = "Its kind, for programs."},
       {"account", OF(e.login), .maybe = true, .about = "The login of whoever did it; null: no account, or a former one."},
       {"person", OF(f.person), .maybe = true, .about = "The pseudonym of the person that it is about; null: nobody."},
       {"campaign", OF(f.campaign), .maybe = true, .about = "The campaign that it is about, or the words of the class; null: none."},
       {"who", OF(who), .about = "Who did it, for people."},
       {"sentence", OF(sentence), .about = "What they did, for people."});
#undef OF

static json_t *item_json(struct ctx *c, const struct history_event *e)
{
    struct history_item item = {.e = *e};
    struct str s;
    if (history_facts(c->db, e, history_word(e->kind)->about, c->arena, &item.f, &c->err) != OK) {
        return NULL;
    }
    json_t *parts = history_sentence(e, &item.f, c->arena), *who = history_who(e, &item.f, c->arena);
    str_init(&s, URL_MOST);
    joined(parts, &s);
    item.who = json_string_value(json_object_get(who, "text"));
    item.sentence = str_sv(&s);
    json_t *json = record_json(&history_record, &item);
    str_release(&s);
    json_decref(parts);
    json_decref(who);
    return json;
}

/* GET /api/v1/history?area=&account=&campaign=&person=&from=&until=&singles=&after=&limit= */
enum err_code api_history(struct ctx *c)
{
    struct asked q;
    struct history_ask ask;
    struct history_page p;
    struct cursor at;
    if (cursor_read(c, "after", LIMIT_DEFAULT, LIMIT_MOST, &at) != OK ||
        list_read(c, &table, &usual, &q) != OK || resolve(c, &q, &ask) != OK) {
        return c->err.code;
    }
    ask.before = at.from;
    ask.limit = at.limit;
    if (history_page(c->db, &ask, c->arena, &p, &c->err) != OK) {
        return c->err.code;
    }
    json_t *items = json_array();
    for (size_t i = 0; i < p.n; i++) {
        json_t *item = item_json(c, &p.events[i]);
        if (!item) {
            json_decref(items);
            return c->err.code;
        }
        json_array_append_new(items, item);
    }
    return reply_items(c, items, p.next);
}
