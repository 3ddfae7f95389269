/* people_data.c - people, their places and their pay as page data. */
#include "web/parts/people_data.h"

#include "web/core/page_data.h"

#define DASH "\xe2\x80\x93"

void people_rate_tile(struct arena *a, json_t *tiles, const char *label, int64_t cents,
                      int64_t floor_cents, struct sv currency, const char *otherwise)
{
    bool low = cents >= 0 && cents < floor_cents;
    const char *note =
        floor_cents > 0 ? arena_printf(a, low ? "under the floor of %s" : "floor %s",
                                       people_rate(a, floor_cents, currency))
                        : otherwise;
    data_tile(tiles, label,
              cents >= 0 ? arena_printf(a, "%lld.%02lld", (long long)cents / 100,
                                        (long long)cents % 100)
                         : DASH,
              note);
    if (cents >= 0) {
        data_tile_unit(tiles, json_string(arena_printf(a, SV_FMT "/h", SV_ARG(currency))));
    }
    json_object_set_new(json_array_get(tiles, json_array_size(tiles) - 1), "tone",
                        json_pack("{s:b}", "danger", low));
}

json_t *people_participant(struct arena *a, const struct participant *p)
{
    int64_t rate = participant_rate(p);
    int64_t elapsed = p->ended_at > p->joined_at ? p->ended_at - p->joined_at : 0;
    json_t *who = json_pack(
        "{s:I, s:o, s:s, s:o, s:b, s:b, s:b, s:o, s:b, s:o, s:s, s:o}", "place",
        (json_int_t)p->place, "pseudonym", data_text(p->pseudonym), "url",
        people_url(a, p->pseudonym), "id", data_text(p->external_id), "forgotten", p->forgotten,
        "blocked", p->blocked, "verified", p->listed, "outcome",
        p->outcome.n ? data_text(p->outcome) : json_string("in it"), "complete",
        sv_is(p->outcome, "complete"), "code", data_text(p->code), "joined",
        people_minute(a, p->joined_at), "consent", data_text(p->consent_version));
    json_t *pay = json_pack(
        "{s:s, s:s, s:s, s:s, s:b, s:o, s:b, s:b, s:b, s:s, s:b, s:s, s:o}", "grids",
        data_count(a, p->grids), "active", people_minutes(a, p->active_ms), "elapsed",
        people_minutes(a, elapsed), "rate", people_rate(a, rate, p->currency), "low",
        rate >= 0 && rate < p->floor_cents, "pay", data_text(p->pay_state), "approved",
        sv_is(p->pay_state, "approved"), "rejected", sv_is(p->pay_state, "rejected"), "pending",
        sv_is(p->pay_state, "pending"), "bonus", people_amount(a, p->bonus_cents, p->currency),
        "has_bonus", p->bonus_cents > 0, "bonus_value",
        p->bonus_cents ? arena_printf(a, "%lld.%02lld", (long long)p->bonus_cents / 100,
                                      (long long)p->bonus_cents % 100)
                       : "",
        "reason", data_text(p->pay_reason));
    json_object_update(who, pay);
    json_decref(pay);
    return who;
}

json_t *people_worker(struct arena *a, const struct worker *w)
{
    return json_pack(
        "{s:o, s:s, s:o, s:o, s:s, s:s, s:s, s:s, s:b, s:s, s:b, s:b, s:b, s:b}", "pseudonym",
        data_text(w->pseudonym), "url", people_url(a, w->pseudonym), "id",
        data_text(w->external_id), "source", data_text(w->source), "places",
        data_count(a, w->places), "grids", data_count(a, w->grids), "active",
        people_minutes(a, w->active_ms), "rate", people_rate(a, w->rate_cents, w->currency), "low",
        w->rate_cents >= 0 && w->rate_cents < w->floor_cents, "last",
        w->last_at ? people_day(a, w->last_at) : DASH, "blocked", w->blocked, "forgotten",
        w->forgotten, "imported", sv_is(w->kind, "imported"), "simulated",
        sv_is(w->kind, "simulated"));
}
