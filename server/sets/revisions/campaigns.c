/* campaigns.c - what is said of the campaigns that a revision's numbers come from. */
#include "sets/revisions/campaigns.h"

#include <inttypes.h>

#include "base/clock.h"
#include "base/list.h"
#include "crypto/crypto.h"
#include "json/object.h"
#include "store/campaigns/remeasurements.h"

/* ---- which ---- */

static enum err_code add(struct db *db, int64_t id, int64_t as_of, bool again, struct arena *a,
                         struct list *list, struct err *err)
{
    struct set_campaign k = {.again = again};
    enum err_code rc = campaign_facts_get(db, id, as_of, a, &k.facts, err);
    if (rc == OK && (again || k.facts.answers > 0)) {
        *LIST_ADD(list, a, struct set_campaign) = k;
    }
    return rc;
}

enum err_code set_campaigns_load(struct db *db, const struct vote_view *view, int64_t as_of,
                                 int64_t revision, struct arena *a, struct set_campaign **out,
                                 size_t *n, struct err *err)
{
    struct list list = {0};
    int64_t *counted, *again;
    size_t n_counted, n_again;
    enum err_code rc = views_campaigns(db, view, a, &counted, &n_counted, err);
    rc = rc == OK ? remeasurements_list(db, revision, a, &again, &n_again, err) : rc;
    for (size_t i = 0; rc == OK && i < n_counted; i++) {
        rc = add(db, counted[i], as_of, false, a, &list, err);
    }
    for (size_t i = 0; rc == OK && i < n_again; i++) {
        rc = add(db, again[i], INT64_MAX, true, a, &list, err);
    }
    *out = list.items;
    *n = list.n;
    return rc;
}

/* ---- as JSON ---- */

static json_t *text_json(struct sv text)
{
    return json_stringn(text.n ? text.p : "", text.n);
}

static json_t *moment_json(int64_t at)
{
    char iso[CLOCK_ISO_SIZE];
    return at ? json_string(clock_iso(at, iso)) : json_null();
}

static json_t *digest_json(struct sv text)
{
    unsigned char sha256[CRYPTO_HASH];
    char hex[2 * CRYPTO_HASH + 1];
    if (!text.n) {
        return json_null();
    }
    crypto_sha256(text.p, text.n, sha256);
    crypto_hex(sha256, CRYPTO_HASH, hex);
    return json_string(hex);
}

static json_t *consents_json(const struct campaign_facts *f)
{
    json_t *list = json_array();
    for (size_t i = 0; i < f->n_consents; i++) {
        const struct campaign_consent *c = &f->consents[i];
        object_add(list, field_json("version", text_json(c->version)),
                   field_json("sha256", digest_json(c->text)), field_int("places", c->places));
    }
    return list;
}

/* What is known of a campaign that was answered here; nothing of it is of an import. */
static void add_terms(json_t *o, const struct campaign *k)
{
    bool known = !k->imported;
    json_object_set_new(o, "answers_per_grid",
                        known ? json_integer(k->answers_per_grid) : json_null());
    json_object_set_new(o, "grids_per_place",
                        known ? json_integer(k->grids_per_place) : json_null());
    json_object_set_new(o, "max_share", known ? json_real(k->max_share) : json_null());
    json_object_set_new(o, "pay",
                        known ? object(field_int("cents", k->pay_cents),
                                       field_json("currency", text_json(k->currency)),
                                       field_text("per", "place"))
                              : json_null());
    json_object_set_new(o, "expected_minutes",
                        known ? json_real(k->expected_minutes) : json_null());
    json_object_set_new(o, "layout", known ? text_json(k->layout) : json_null());
    json_object_set_new(o, "min_screen", known ? json_integer(k->min_screen) : json_null());
    json_object_set_new(o, "shuffled", known ? json_boolean(k->shuffle) : json_null());
    json_object_set_new(o, "gold_per_grid", known ? json_integer(k->gold_per_grid) : json_null());
    json_object_set_new(o, "rule_text", known ? text_json(k->rule_text) : json_null());
    json_object_set_new(o, "instruction_version",
                        known ? text_json(k->instruction_version) : json_null());
}

json_t *set_campaign_json(const struct set_campaign *k)
{
    const struct campaign_facts *f = &k->facts;
    json_t *o = object(field_json("name", text_json(f->terms.name)),
                       field_json("kind", text_json(f->terms.kind)),
                       field_json("title", text_json(f->terms.title)),
                       field_text("use", k->again ? "re-measurement" : "frequencies"),
                       field_text("source", campaign_facts_source(f)),
                       field_json("population", text_json(f->terms.population)),
                       field_json("state", text_json(f->terms.state)));
    add_terms(o, &f->terms);
    json_object_set_new(o, "consents", consents_json(f));
    json_object_set_new(o, "opened_at", moment_json(f->opened_at));
    json_object_set_new(o, "closed_at", moment_json(f->closed_at));
    json_object_set_new(o, "first_answer_at", moment_json(f->first_at));
    json_object_set_new(o, "last_answer_at", moment_json(f->last_at));
    json_object_set_new(o, "grids",
                        object(field_int("all", f->grids), field_int("excluded", f->excluded)));
    json_object_set_new(o, "answers",
                        object(field_int("given", f->answers), field_int("surplus", f->surplus),
                               field_int("out", f->out)));
    json_object_set_new(o, "people",
                        object(field_int("all", f->people), field_int("simulated", f->simulated),
                               field_int("imported", f->imported)));
    return o;
}

/* ---- as text ---- */

static void add_who(struct str *s, const struct campaign_facts *f)
{
    const char *source = campaign_facts_source(f);
    str_printf(s, "%" PRId64 " answer%s of %" PRId64 " ", f->answers, f->answers == 1 ? "" : "s",
               f->people);
    if (sv_is(sv_of(source), "simulated")) {
        str_addz(s, "simulated people: nobody looked at the images");
    } else {
        str_addz(s, f->people == 1 ? "person" : "people");
    }
    if (sv_is(sv_of(source), "mixed")) {
        str_printf(s, ", of whom %" PRId64 " are simulated and %" PRId64 " imported", f->simulated,
                   f->imported);
    }
    if (f->first_at) {
        char first[CLOCK_ISO_SIZE], last[CLOCK_ISO_SIZE];
        str_printf(s, ", from %.10s to %.10s", clock_iso(f->first_at, first),
                   clock_iso(f->last_at, last));
    }
    str_addz(s, ". ");
}

void set_campaign_text(struct str *s, const struct set_campaign *k)
{
    const struct campaign *t = &k->facts.terms;
    add_who(s, &k->facts);
    if (k->again) {
        str_addz(s, "It measured the set again and chose none of its images. ");
    }
    if (t->imported) {
        str_addz(s, "Imported from another study, whose terms are not known here.");
        return;
    }
    str_printf(s, "%" PRId64 " answers per grid, at most %" PRId64 " grids per person; ",
               t->answers_per_grid, t->grids_per_place);
    str_printf(s, "%" PRId64 ".%02" PRId64 " " SV_FMT " for about %g minutes. ", t->pay_cents / 100,
               t->pay_cents % 100, SV_ARG(t->currency), t->expected_minutes);
    str_printf(s, "Instructions version " SV_FMT ".", SV_ARG(t->instruction_version));
}
