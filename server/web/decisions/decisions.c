/* decisions.c - decisions of leads about many answers or places: the list, one with its rows, and
 * the preview that every decision begins with. Rows in routes.c (all need the role lead);
 * templates/decisions/. Their JSON is in api.c. */
#include "base/clock.h"
#include "http/form.h"
#include "json/object.h"
#include "study/decision_choice.h"
#include "study/decision_data.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/decisions/write.h"
#include "web/parts/people_data.h"

enum { DECISIONS_A_PAGE = 25, ROWS_A_PAGE = 50 };

/* As choice_read, of the form's fields. */
static enum err_code decision_choice(const struct form *f, struct arena *a, struct choice *out,
                                     struct err *err)
{
    struct choice_word *words = arena_calloc(a, f->n + 1, sizeof *words);
    for (size_t i = 0; i < f->n; i++) {
        words[i] = (struct choice_word){.name = f->fields[i].name, .value = f->fields[i].value};
    }
    return choice_read(words, f->n, a, out, err);
}

/* ---- the list ---- */

struct query {
    int show, sort;
    bool falling;
    int64_t page;
};

static const struct list_word shows[] = {
    {"all", "All", DECISIONS_ALL},
    {"answers", "About answers", DECISIONS_ANSWERS},
    {"pay", "About pay", DECISIONS_PAY},
    {"undone", "Undone", DECISIONS_UNDONE},
    {0},
};
static const struct list_word sorts[] = {
    {"decision", "Decision", DECISIONS_BY_TIME},
    {"about", "About", DECISIONS_BY_SUBJECTS},
    {0},
};

static bool falls(int sort)
{
    (void)sort; /* the newest, the largest */
    return true;
}

#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    {"show", LIST_WORD, AT(show), .words = shows, .chips = "Which decisions"},
    {"sort", LIST_WORD, AT(sort), .words = sorts},
    {"order", LIST_ORDER, AT(falling)},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {0},
};
static const struct list_table table = {params, sizeof(struct query), &params[1], falls};
static const struct query usual = {.falling = true, .page = 1};

static json_t *rows_json(struct ctx *c, const struct decision *list, size_t n)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *row = decision_json(c->db, &list[i], c->arena, &c->err);
        if (!row) {
            json_decref(rows);
            return NULL;
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

/* GET /decisions?show=&sort=&order=&page= */
enum err_code page_decisions(struct ctx *c)
{
    struct query q;
    struct decision *list;
    size_t n;
    int64_t all = 0;
    if (list_read(c, &table, &usual, &q) != OK || decisions_count(c->db, q.show, &all, &c->err) != OK) {
        return c->err.code;
    }
    const struct list_page part = list_page_of(all, DECISIONS_A_PAGE, q.page);
    const struct decisions_ask ask = {.filter = q.show, .sort = q.sort, .falling = q.falling,
                                      .skip = part.skip, .most = part.most};
    enum err_code rc = decisions_list(c->db, &ask, c->arena, &list, &n, &c->err);
    json_t *rows = rc == OK ? rows_json(c, list, n) : NULL;
    if (!rows) {
        return c->err.code;
    }
    const char *base = list_url(c, &table, "/decisions", &usual, &q, false);
    return reply_page(c, 200, "decisions/index", "Decisions",
                      object(field_json("chips", list_chips(c, &table, "/decisions", &q)),
                             field_json("heads", list_heads(c, &table, "/decisions", &usual, &q)),
                             field_json("decisions", rows), field_bool("narrowed", q.show != DECISIONS_ALL),
                             field_json("pages", list_page_links(c, &part, base, "")),
                             field_text("pages_label", "Pages of decisions")));
}

/* ---- one ---- */

static json_t *row_json(struct ctx *c, const struct decision *d, const struct decision_row *r)
{
    struct arena *a = c->arena;
    const char *url =
        d->pay ? arena_printf(a, "/campaigns/" SV_FMT "/participants", SV_ARG(r->campaign_name))
               : arena_printf(a, "/campaigns/" SV_FMT "/assignments/%lld", SV_ARG(r->campaign_name),
                              (long long)r->assignment);
    return object(field_int("subject", r->subject), field_text("url", url),
                  field_sv("pseudonym", r->pseudonym),
                  field_text("who_url", people_url(a, r->pseudonym)),
                  field_sv("campaign", r->campaign_name), field_sv("state", r->state),
                  field_sv("before", r->before),
                  field_bool("out", sv_is(r->state, "out") || sv_is(r->state, "rejected")));
}

/* GET /decisions/:decision?page= */
enum err_code page_decision(struct ctx *c)
{
    struct decision d;
    struct decision_row *rows;
    size_t n;
    int64_t id = 0, page = 1, written = 0;
    if (list_page_asked(c, &page) != OK || decision_asked(c, &id) != OK ||
        decisions_get(c->db, id, c->arena, &d, &c->err) != OK ||
        decisions_written(c->db, &d, &written, &c->err) != OK) {
        return c->err.code;
    }
    const struct list_page part = list_page_of(written, ROWS_A_PAGE, page);
    if (decisions_rows(c->db, &d, part.skip, part.most, c->arena, &rows, &n, &c->err) != OK) {
        return c->err.code;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(list, row_json(c, &d, &rows[i]));
    }
    json_t *decision = decision_json(c->db, &d, c->arena, &c->err);
    if (!decision) {
        json_decref(list);
        return c->err.code;
    }
    const char *base = arena_printf(c->arena, "/decisions/%lld", (long long)id);
    return reply_page(c, 200, "decisions/show",
                      arena_printf(c->arena, "Decision %lld", (long long)id),
                      object(field_json("decision", decision), field_json("rows", list),
                             field_bool("pay", d.pay),
                             field_json("pages", list_page_links(c, &part, base, "#rows-head")),
                             field_text("pages_label", "Pages of rows")));
}

/* ---- the preview ---- */

static json_t *values_json(const struct choice *choice)
{
    static const struct {
        enum decision_value value;
        const char *label;
    } values[] = {{DECISION_OUT, "Exclude from the analysis"},
                  {DECISION_IN, "Include in the analysis again"},
                  {DECISION_APPROVED, "Approve pay"},
                  {DECISION_REJECTED, "Reject pay"},
                  {DECISION_BONUS, "Set a bonus"},
                  {DECISION_PENDING, "Set pay back to pending"}};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        bool pay = values[i].value != DECISION_OUT && values[i].value != DECISION_IN;
        if (pay == choice->pay) {
            object_add(list, field_text("value", decision_value_name(values[i].value)),
                       field_text("label", values[i].label),
                       field_bool("current", values[i].value == choice->value));
        }
    }
    return list;
}

static enum err_code campaigns_json(struct ctx *c, const struct choice *choice, json_t *out)
{
    struct campaign *list;
    size_t n;
    enum err_code rc = campaigns_list(c->db, false, c->arena, &list, &n, &c->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        object_add(out, field_sv("name", list[i].name), field_sv("title", list[i].title),
                   field_bool("current", sv_eq(list[i].name, choice->campaign)));
    }
    return rc;
}

static json_t *options_json(struct ctx *c, const struct choice *choice)
{
    json_t *campaigns = json_array();
    if (campaigns_json(c, choice, campaigns) != OK) {
        json_decref(campaigns);
        return NULL;
    }
    const char *bonus = choice->bonus_cents
                            ? arena_printf(c->arena, "%lld.%02lld",
                                           (long long)choice->bonus_cents / 100,
                                           (long long)choice->bonus_cents % 100)
                            : "";
    return object(field_json("values", values_json(choice)), field_json("campaigns", campaigns),
                  field_sv("campaign", choice->campaign), field_sv("before", choice->before),
                  field_text("bonus", bonus), field_bool("pay", choice->pay),
                  field_bool("is_bonus", choice->value == DECISION_BONUS),
                  field_sv("reason", choice->reason), field_bool("reopen", choice->reopen),
                  field_text("value", decision_value_name(choice->value)));
}

/* The preview; `changed` says that it is another one than was sent. */
static enum err_code preview_page(struct ctx *c, int status, const struct choice *choice,
                                  const struct draft *draft, bool changed)
{
    json_t *shown = draft ? draft_json(c->db, draft, c->arena, &c->err) : json_null();
    json_t *options = shown ? options_json(c, choice) : NULL;
    if (!options) {
        json_decref(shown);
        return c->err.code;
    }
    const char *said = choice_criteria_text(sv_of(choice_criteria(choice, c->arena)), c->arena);
    bool undo = choice->undo > 0;
    return reply_page(c, status, "decisions/new", "New decision",
                      object(field_json("draft", shown), field_json("options", options),
                             field_json("fields", choice_fields(choice, c->arena)),
                             field_text("criteria", said), field_bool("changed", changed),
                             field_bool("undo", undo),
                             field_bool("reopens", !undo && choice->value == DECISION_OUT)));
}

/* GET /decisions/new?person=&place=&answer=&view=&fit=&undo=&field=&value=&campaign=&before= */
enum err_code page_decision_new(struct ctx *c)
{
    struct form query;
    struct choice choice;
    struct draft draft;
    if (form_urlencoded(c->arena, c->req->query, &query, &c->err) != OK ||
        decision_choice(&query, c->arena, &choice, &c->err) != OK) {
        return c->err.code;
    }
    if (!choice_any(&choice)) {
        return preview_page(c, 200, &choice, NULL, false);
    }
    enum err_code rc = decision_draft(c, &choice, &draft);
    rc = rc == OK ? preview_page(c, 200, &choice, &draft, false) : rc;
    draft_release(&draft);
    return rc;
}

/* ---- making ---- */

static const char *decision_url(struct ctx *c, int64_t id)
{
    return id ? arena_printf(c->arena, "/decisions/%lld", (long long)id) : "/decisions";
}

/* "41 participants, 61.50 USD with bonuses" */
static const char *made_text(struct ctx *c, const struct draft *draft)
{
    struct str s;
    str_init(&s, 300);
    str_printf(&s, "%s %s", data_count(c->arena, draft->d.subjects),
               draft->d.pay ? (draft->d.subjects == 1 ? "participant" : "participants")
                            : (draft->d.subjects == 1 ? "answer" : "answers"));
    for (size_t i = 0; i < draft->n_money; i++) {
        const struct draft_money *m = &draft->money[i];
        str_printf(&s, ", %s", people_amount(c->arena, m->pay_cents + m->bonus_after, m->currency));
        str_addz(&s, m->bonus_after ? " with bonuses" : "");
    }
    const char *text = arena_cstr(c->arena, str_sv(&s));
    str_release(&s);
    return text;
}

static enum err_code reply_made(struct ctx *c, const struct draft *draft, int64_t id)
{
    const struct undo undo = {
        .action = arena_printf(c->arena, "/decisions/%lld/undo", (long long)id)};
    return reply_did(c, decision_url(c, id), &undo, "%s: %s.", decision_title(&draft->d, c->arena),
                     made_text(c, draft));
}

/* POST /decisions: the fields of the preview, digest, reason, reopen */
enum err_code page_decision_create(struct ctx *c)
{
    struct choice choice;
    struct draft draft = {.n_money = 0};
    struct decision_made made;
    if (decision_choice(&c->form, c->arena, &choice, &c->err) != OK ||
        decision_need_choice(c, &choice) != OK || decisions_reason(choice.reason, &c->err) != OK) {
        return c->err.code;
    }
    enum err_code rc = decision_make(c, &choice, form_get(&c->form, "digest"), &draft, &made);
    if (rc == OK && made.changed) {
        rc = preview_page(c, 409, &choice, &draft, true);
    } else if (rc == OK) {
        rc = made.id ? reply_made(c, &draft, made.id)
                     : reply_did(c, "/decisions", NULL, "Nothing has changed: everything chosen was already in that "
                                                        "state.");
    }
    draft_release(&draft);
    return rc;
}

/* POST /decisions/:decision/undo: reason, which may be empty */
enum err_code page_decision_undo(struct ctx *c)
{
    struct draft draft = {.n_money = 0};
    struct decision_made made = {0, false};
    int64_t id = 0;
    enum err_code rc = decision_asked(c, &id);
    rc = rc == OK ? decision_undo(c, id, form_get(&c->form, "reason"), SV(""), &draft, &made) : rc;
    draft_release(&draft);
    return rc == OK ? reply_did(c, decision_url(c, made.id ? made.id : id), NULL,
                                made.id ? "Decision %lld is undone where it was still in effect."
                                        : "Nothing of decision %lld was still in effect.",
                                (long long)id)
                    : rc;
}

/* POST /decisions/:decision/continue */
enum err_code page_decision_continue(struct ctx *c)
{
    int64_t id = 0;
    if (decision_asked(c, &id) != OK || decision_continue(c, id) != OK) {
        return c->err.code;
    }
    return reply_did(c, decision_url(c, id), NULL, "Decision %lld is finished.",
                     (long long)id);
}
