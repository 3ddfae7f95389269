/* people_data.c - people, their places and their pay as page data. */
#include "web/parts/people_data.h"

#include "json/object.h"
#include "web/core/page_data.h"

#define DASH "\xe2\x80\x93"

void people_rate_tile(struct arena *a, json_t *tiles, const char *label, int64_t cents,
                      int64_t floor_cents, struct sv currency, const char *otherwise)
{
    bool low = cents >= 0 && cents < floor_cents;
    const char *note =
        floor_cents > 0 ? arena_printf(a, low ? "below the minimum of %s" : "minimum %s",
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
                        object(field_bool("danger", low)));
}

json_t *people_participant(struct arena *a, const struct participant *p)
{
    int64_t rate = participant_rate(p);
    int64_t elapsed = p->ended_at > p->joined_at ? p->ended_at - p->joined_at : 0;
    json_t *who =
        object(field_int("place", p->place), field_sv("pseudonym", p->pseudonym),
               field_text("url", people_url(a, p->pseudonym)), field_sv("id", p->external_id),
               field_bool("forgotten", p->forgotten), field_bool("blocked", p->blocked),
               field_bool("verified", p->listed),
               field_json("outcome", p->outcome.n ? data_text(p->outcome) : json_string("in it")),
               field_bool("complete", sv_is(p->outcome, "complete")), field_sv("code", p->code),
               field_text("joined", people_minute(a, p->joined_at)),
               field_sv("consent", p->consent_version));
    json_t *pay = object(
        field_text("grids", data_count(a, p->grids)),
        field_text("active", people_minutes(a, p->active_ms)),
        field_text("elapsed", people_minutes(a, elapsed)),
        field_text("rate", people_rate(a, rate, p->currency)),
        field_bool("low", rate >= 0 && rate < p->floor_cents), field_sv("pay", p->pay_state),
        field_bool("approved", sv_is(p->pay_state, "approved")),
        field_bool("rejected", sv_is(p->pay_state, "rejected")),
        field_bool("pending", sv_is(p->pay_state, "pending")),
        field_text("bonus", people_amount(a, p->bonus_cents, p->currency)),
        field_bool("has_bonus", p->bonus_cents > 0),
        field_text("bonus_value",
                   p->bonus_cents ? arena_printf(a, "%lld.%02lld", (long long)p->bonus_cents / 100,
                                                 (long long)p->bonus_cents % 100)
                                  : ""),
        field_sv("reason", p->pay_reason));
    json_object_update(who, pay);
    json_decref(pay);
    return who;
}

json_t *people_worker(struct arena *a, const struct worker *w)
{
    return object(field_sv("pseudonym", w->pseudonym),
                  field_text("url", people_url(a, w->pseudonym)), field_sv("id", w->external_id),
                  field_sv("source", w->source), field_text("places", data_count(a, w->places)),
                  field_text("grids", data_count(a, w->grids)),
                  field_text("active", people_minutes(a, w->active_ms)),
                  field_text("rate", people_rate(a, w->rate_cents, w->currency)),
                  field_bool("low", w->rate_cents >= 0 && w->rate_cents < w->floor_cents),
                  field_text("last", w->last_at ? people_day(a, w->last_at) : DASH),
                  field_bool("blocked", w->blocked), field_bool("forgotten", w->forgotten),
                  field_bool("imported", sv_is(w->kind, "imported")),
                  field_bool("simulated", sv_is(w->kind, "simulated")));
}
