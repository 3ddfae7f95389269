/* participants_csv.c - who took part: lines, lists and objects from one row. */
#include "transfer/exports/participants_csv.h"

#include "formats/csv.h"
#include "record/record.h"

enum { A_PAGE = 200, PAGE_ARENA = 64 << 20, PARAMETERS = 16 };

static const char *const list_names[PAY_LISTS] = {"approve", "reject", "bonus"};

const char *pay_list_name(enum pay_list list)
{
    BUG_IF((unsigned)list >= PAY_LISTS);
    return list_names[list];
}

/* ---- the record ---- */

static int64_t elapsed(const void *row)
{
    const struct participant *p = row;
    return p->ended_at > p->joined_at ? p->ended_at - p->joined_at : 0;
}

static int64_t rate(const void *row)
{
    return participant_rate(row);
}

#define OF(member) RECORD_OF(struct participant, member)
static RECORD(participant_record, struct participant, "participant", "Somebody who took a place in a campaign.",
       {"place", OF(place), .face = RECORD_JSON, .about = "The number of the place."},
       {"pseudonym", OF(pseudonym), .about = "What the person is called here."},
       {"verified", OF(listed), .no = "unverified", .about = "Whether the panel's list has their id, or their link was signed."},
       {"consent_version", OF(consent_version), .about = "The version of the consent that they read."},
       {"joined_at", OF(joined_at), RECORD_MOMENT, .about = "When they took the place."},
       {"outcome", OF(outcome), .maybe = true, .about = "How it ended; null: still in it."},
       {"code", OF(code), .maybe = true, .about = "The completion code that they were shown; null: none yet."},
       {"grids_answered", OF(grids), .about = "Answers, also those beyond the N of their grid."},
       {"minutes", OF(active_ms), RECORD_MINUTES, .maybe = true, .about = "Active minutes; null: none were measured."},
       {"elapsed_minutes", .number = elapsed, .kind = RECORD_MINUTES, .maybe = true, .about = "Minutes from joining to the outcome or the newest answer."},
       {"hourly_rate", .number = rate, .kind = RECORD_AMOUNT, .maybe = true, .about = "Pay and bonus for an hour of active time, in the currency; null: not known."},
       {"pay_state", OF(pay_state), .about = "pending, approved or rejected."},
       {"bonus", OF(bonus_cents), RECORD_AMOUNT, .about = "Bonus in the currency."},
       {"pay_reason", OF(pay_reason), .about = "Why pay was decided so; empty: nobody said."},
       {"currency", OF(currency), .face = RECORD_JSON, .about = "The currency of the campaign's pay."},
       {"blocked", OF(blocked), .about = "Whether the person gets no further grids."},
       {"forgotten", OF(forgotten), .about = "Whether the person asked to be forgotten, and was."});
static RECORD(participant_panel_record, struct participant, "participant_panel", "What the panel calls somebody.",
       {"participant_id", OF(external_id), .maybe = true, .about = "Their id of the panel; null: not known, or forgotten."},
       {"arrival", OF(arrival), RECORD_PARSED, .maybe = true, .about = "What the link that they came by said of them."});
#undef OF

struct participant_item {
    struct participant participant;
    bool panel_ids;
};
#define PART(member) RECORD_PART(struct participant_item, member)
RECORD(participant_item_record, struct participant_item, "participant_item",
       "Somebody who took a place in a campaign; with panel_ids=yes, which is recorded, what the panel calls them.",
       {.kind = RECORD_BESIDE, PART(participant), .of = &participant_record},
       {.kind = RECORD_BESIDE, PART(participant), RECORD_IF(struct participant_item, panel_ids), .of = &participant_panel_record});
#undef PART

/* Walks all participants, page by page. */
static enum err_code each(struct db *db, int64_t campaign,
                          void (*row)(void *arg, const struct participant *p), void *row_arg,
                          struct str *out, participants_flush flush, void *arg, struct err *err)
{
    struct arena arena;
    struct participant *page;
    size_t n = A_PAGE;
    struct participants_ask ask = {.most = A_PAGE};
    enum err_code rc = OK;
    arena_init(&arena, PAGE_ARENA);
    while (rc == OK && n == A_PAGE) {
        arena_release(&arena);
        rc = participants_page(db, campaign, &ask, &arena, &page, &n, err);
        for (size_t i = 0; i < n && rc == OK; i++) {
            row(row_arg, &page[i]);
            ask.after = page[i].person;
        }
        rc = rc == OK ? str_check(out, "the list of participants", err) : rc;
        if (rc == OK && flush) {
            rc = flush(arg, out, err);
        }
    }
    arena_release(&arena);
    return rc;
}

/* ---- CSV ---- */

struct csv_rows {
    struct str *out;
    bool panel_ids;
    struct sv parameters[PARAMETERS]; /* of the link, without the first */
    size_t n;
};

static void comma_text(struct str *out, struct sv text)
{
    str_addc(out, ',');
    csv_cell(out, text);
}

static void parameters_row(struct csv_rows *r, const struct participant *p)
{
    json_t *said = p->arrival.n ? json_loadb(p->arrival.p, p->arrival.n, 0, NULL) : NULL;
    for (size_t i = 0; i < r->n; i++) {
        const json_t *v = json_object_getn(said, r->parameters[i].p, r->parameters[i].n);
        comma_text(r->out, v ? sv_make(json_string_value(v), json_string_length(v)) : SV(""));
    }
    json_decref(said);
}

static void csv_row(void *arg, const struct participant *p)
{
    struct csv_rows *r = arg;
    if (r->panel_ids) {
        csv_cell(r->out, p->external_id);
        str_addc(r->out, ',');
    }
    record_csv_cells(&participant_record, p, r->out);
    parameters_row(r, p);
    str_addc(r->out, '\n');
}

enum err_code participants_csv(struct db *db, int64_t campaign, bool panel_ids,
                               struct sv id_parameters, struct str *out, participants_flush flush, void *arg,
                               struct err *err)
{
    struct csv_rows rows = {.out = out, .panel_ids = panel_ids};
    str_addz(out, panel_ids ? "participant_id," : "");
    record_csv_names(&participant_record, out);
    sv_cut(&id_parameters, '|');
    while (panel_ids && id_parameters.n && rows.n < PARAMETERS) {
        rows.parameters[rows.n] = sv_cut(&id_parameters, '|');
        comma_text(out, rows.parameters[rows.n++]);
    }
    str_addc(out, '\n');
    return each(db, campaign, csv_row, &rows, out, flush, arg, err);
}

/* ---- lists for the panel ---- */

struct list_rows {
    struct str *out;
    enum pay_list list;
    int64_t after;
    struct pay_list_told *told;
};

static bool belongs(const struct list_rows *r, const struct participant *p)
{
    switch (r->list) {
    case PAY_LIST_APPROVE:
        return sv_is(p->pay_state, "approved") && p->pay_event > r->after;
    case PAY_LIST_REJECT:
        return sv_is(p->pay_state, "rejected") && p->pay_event > r->after;
    case PAY_LIST_BONUS:
    case PAY_LISTS:
        break;
    }
    return p->bonus_cents > 0 && p->pay_event > r->after;
}

static void list_row(void *arg, const struct participant *p)
{
    struct list_rows *r = arg;
    if (!belongs(r, p)) {
        return;
    }
    r->told->newest = p->pay_event > r->told->newest ? p->pay_event : r->told->newest;
    if (p->external_id.n == 0) {
        r->told->nameless++;
        return;
    }
    r->told->rows++;
    csv_cell(r->out, p->external_id);
    if (r->list == PAY_LIST_REJECT) {
        comma_text(r->out, p->pay_reason);
    } else if (r->list == PAY_LIST_BONUS) {
        str_printf(r->out, ",%lld.%02lld", (long long)p->bonus_cents / 100, (long long)p->bonus_cents % 100);
    }
    str_addc(r->out, '\n');
}

enum err_code participants_pay_list(struct db *db, int64_t campaign, enum pay_list list,
                                    int64_t after, struct str *out, participants_flush flush,
                                    void *arg, struct pay_list_told *told, struct err *err)
{
    *told = (struct pay_list_told){0};
    struct list_rows rows = {out, list, after, told};
    if (list == PAY_LIST_REJECT) {
        str_addz(out, "participant_id,reason\n");
    }
    return each(db, campaign, list_row, &rows, out, flush, arg, err);
}

/* ---- JSON ---- */

json_t *participant_json(const struct participant *p, bool panel_ids)
{
    const struct participant_item item = {*p, panel_ids};
    return record_json(&participant_item_record, &item);
}
