/* participants_csv.c - who took part: lines, lists and objects from one row. */
#include "transfer/exports/participants_csv.h"

#include "base/clock.h"
#include "formats/csv.h"
#include "json/object.h"

enum { A_PAGE = 200, PAGE_ARENA = 64 << 20, PARAMETERS = 16 };

static const char *const list_names[PAY_LISTS] = {"approve", "reject", "bonus"};

const char *pay_list_name(enum pay_list list)
{
    BUG_IF((unsigned)list >= PAY_LISTS);
    return list_names[list];
}

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

static void comma_minutes(struct str *out, int64_t ms)
{
    str_addc(out, ',');
    if (ms > 0) {
        str_printf(out, "%.2f", (double)ms / 60000);
    }
}

/* Cents as "12.50"; nothing for an amount that is not known. */
static void comma_amount(struct str *out, int64_t cents, bool known)
{
    str_addc(out, ',');
    if (known) {
        str_printf(out, "%lld.%02lld", (long long)cents / 100, (long long)cents % 100);
    }
}

static int64_t elapsed(const struct participant *p)
{
    return p->ended_at > p->joined_at ? p->ended_at - p->joined_at : 0;
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
    char iso[CLOCK_ISO_SIZE];
    if (r->panel_ids) {
        csv_cell(r->out, p->external_id);
        str_addc(r->out, ',');
    }
    csv_cell(r->out, p->pseudonym);
    comma_text(r->out, p->listed ? SV("yes") : SV("unverified"));
    comma_text(r->out, p->consent_version);
    comma_text(r->out, sv_of(clock_iso(p->joined_at, iso)));
    comma_text(r->out, p->outcome);
    comma_text(r->out, p->code);
    str_addc(r->out, ',');
    str_addi(r->out, p->grids);
    comma_minutes(r->out, p->active_ms);
    comma_minutes(r->out, elapsed(p));
    comma_amount(r->out, participant_rate(p), participant_rate(p) >= 0);
    comma_text(r->out, p->pay_state);
    comma_amount(r->out, p->bonus_cents, true);
    comma_text(r->out, p->pay_reason);
    comma_text(r->out, p->blocked ? SV("yes") : SV("no"));
    comma_text(r->out, p->forgotten ? SV("yes") : SV("no"));
    parameters_row(r, p);
    str_addc(r->out, '\n');
}

enum err_code participants_csv(struct db *db, int64_t campaign, bool panel_ids,
                               struct sv id_parameters, struct str *out, participants_flush flush, void *arg,
                               struct err *err)
{
    struct csv_rows rows = {.out = out, .panel_ids = panel_ids};
    str_addz(out, panel_ids ? "participant_id," : "");
    str_addz(out, "pseudonym,verified,consent_version,joined_at,outcome,code,"
                  "grids_answered,minutes,elapsed_minutes,hourly_rate,pay_state,bonus,pay_reason,"
                  "blocked,forgotten");
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
        comma_amount(r->out, p->bonus_cents, true);
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

static json_t *text(struct sv s)
{
    return json_stringn(s.p ? s.p : "", s.n);
}

static json_t *or_null(bool known, double value)
{
    return known ? json_real(value) : json_null();
}

json_t *participant_json(const struct participant *p, bool panel_ids)
{
    char joined[CLOCK_ISO_SIZE];
    int64_t rate = participant_rate(p);
    json_t *out = object(field_int("place", p->place), field_json("pseudonym", text(p->pseudonym)),
                         field_bool("verified", p->listed),
                         field_json("consent_version", text(p->consent_version)),
                         field_text("joined_at", clock_iso(p->joined_at, joined)),
                         field_json("outcome", p->outcome.n ? text(p->outcome) : json_null()),
                         field_json("code", p->code.n ? text(p->code) : json_null()),
                         field_int("grids_answered", p->grids));
    json_t *rest = object(
        field_json("minutes", or_null(p->active_ms > 0, (double)p->active_ms / 60000)),
        field_json("elapsed_minutes", or_null(elapsed(p) > 0, (double)elapsed(p) / 60000)),
        field_json("hourly_rate", or_null(rate >= 0, (double)rate / 100)),
        field_json("pay_state", text(p->pay_state)),
        field_real("bonus", (double)p->bonus_cents / 100),
        field_json("pay_reason", text(p->pay_reason)), field_json("currency", text(p->currency)),
        field_bool("blocked", p->blocked), field_bool("forgotten", p->forgotten));
    json_object_update(out, rest);
    json_decref(rest);
    if (panel_ids) {
        json_t *said = p->arrival.n ? json_loadb(p->arrival.p, p->arrival.n, 0, NULL) : NULL;
        json_object_set_new(out, "participant_id",
                            p->external_id.n ? text(p->external_id) : json_null());
        json_object_set_new(out, "arrival", said ? said : json_null());
    }
    return out;
}
