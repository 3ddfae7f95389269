/* data.c - the final review of a revision in numbers. */
#include "web/review/data.h"

#include "json/object.h"
#include "stats/binomial.h"
#include "web/core/page_data.h"
#include "web/parts/people_data.h"
#include "web/parts/set_data.h"

static const double alpha = 0.05;

struct review_sum review_sum_of(const struct review_way *w)
{
    struct review_sum s = {.classes = w->n_classes};
    for (size_t i = 0; i < w->n_classes; i++) {
        const struct review_class *k = &w->classes[i];
        s.reviewed += k->reviewed;
        s.problematic += k->problematic;
        s.carried += k->carried;
        s.images += (size_t)k->images;
        s.banned += (size_t)k->banned;
        s.paired += (size_t)k->paired;
    }
    return s;
}

static const char *class_url(struct ctx *c, const struct review_way *w, struct sv wnid)
{
    return arena_printf(c->arena, "%s/" SV_FMT, set_url(c->arena, &w->revision), SV_ARG(wnid));
}

static const char *who(struct ctx *c, struct sv login)
{
    return login.n ? arena_cstr(c->arena, login) : "a former account";
}

/* Logins of those who asked for frequencies of a class; null for nobody. */
static json_t *shown_to(struct ctx *c, const struct review_way *w, int64_t class_id)
{
    const char *text = NULL;
    for (size_t i = 0; i < w->n_shown; i++) {
        if (w->shown[i].class_id == class_id) {
            text = arena_printf(c->arena, "%s%s%s", text ? text : "", text ? ", " : "",
                                who(c, w->shown[i].login));
        }
    }
    return text ? json_string(text) : json_null();
}

json_t *review_data_frequencies(struct ctx *c, const struct review_way *w)
{
    struct review_shown_sum s;
    if (review_shown_sum(c->db, w->revision.id, &s, &c->err) != OK) {
        return NULL;
    }
    json_t *asked = json_array();
    for (size_t i = 0; i < w->n_shown; i++) {
        const struct review_shown *a = &w->shown[i];
        object_add(asked, field_text("login", who(c, a->login)), field_sv("wnid", a->wnid),
                   field_int("event", a->event), field_text("at", people_minute(c->arena, a->at)));
    }
    return object(
        field_int("classes", s.classes), field_int("reviewed", s.reviewed),
        field_int("shown", s.shown), field_int("imported", s.imported),
        field_text("text",
                   arena_printf(c->arena, "%s of %s classes were reviewed with frequencies shown",
                                data_count(c->arena, s.shown), data_count(c->arena, s.reviewed))),
        field_json("asked", asked));
}

json_t *review_data_class(struct ctx *c, const struct review_way *w, const struct review_class *k)
{
    return object(field_sv("wnid", k->wnid),
                  field_text("synset", data_synset(c->arena, k->synset, ", ")),
                  field_text("url", class_url(c, w, k->wnid)), field_int("images", k->images),
                  field_bool("reviewed", k->reviewed), field_bool("problematic", k->problematic),
                  field_bool("carried", k->carried), field_int("banned", k->banned),
                  field_int("paired", k->paired),
                  field_text("at", k->at ? people_minute(c->arena, k->at) : NULL),
                  field_json("shown_to", shown_to(c, w, k->class_id)));
}

json_t *review_data_people(struct ctx *c, const struct review_way *w)
{
    struct review_person *list;
    size_t n;
    if (review_progress_people(c->db, w->revision.id, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(rows, field_text("login", who(c, list[i].login)),
                   field_int("decisions", list[i].decisions), field_int("classes", list[i].classes),
                   field_sv("wnid", list[i].wnid),
                   field_text("name", data_class_called(c, list[i].wnid)),
                   field_text("url", class_url(c, w, list[i].wnid)),
                   field_text("at", people_minute(c->arena, list[i].at)));
    }
    return rows;
}

/* k of n: "0.10 (1 of 10, 0.00–0.45)". */
static json_t *share_json(struct arena *a, int64_t k, int64_t n)
{
    if (n == 0) {
        return object(field_int("k", 0), field_int("n", 0), field_null("share"), field_null("lo"),
                      field_null("hi"), field_text("text", "none yet"));
    }
    struct interval ci = binomial_clopper_pearson(k, n, alpha);
    double share = (double)k / (double)n;
    return object(
        field_int("k", k), field_int("n", n), field_real("share", share), field_real("lo", ci.lo),
        field_real("hi", ci.hi),
        field_text("text", arena_printf(a, "%.2f (%lld of %lld, %.2f\xe2\x80\x93%.2f)", share,
                                        (long long)k, (long long)n, ci.lo, ci.hi)));
}

json_t *review_data_round(struct ctx *c, const struct review_way *w)
{
    struct review_result *list;
    size_t n;
    const struct review_round *r = &w->round;
    if (!r->id) {
        return json_null();
    }
    if (review_rounds_results(c->db, r->id, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(
            rows, field_text("login", who(c, list[i].login)), field_int("turns", list[i].turns),
            field_json("probes", share_json(c->arena, list[i].probes_rejected, list[i].probes)),
            field_json("images", share_json(c->arena, list[i].images_rejected, list[i].images)),
            field_json("alike", share_json(c->arena, list[i].alike, list[i].repeated)));
    }
    json_t *round = object(field_int("id", r->id), field_text("at", people_minute(c->arena, r->at)),
                           field_int("originals", r->originals), field_int("repeats", r->repeats),
                           field_bool("any_reviewers", n > 0), field_json("reviewers", rows));
    if (c->user.role >= ROLE_LEAD) { /* with it a reviewer could work out which are originals */
        json_object_set_new(round, "seed", json_integer((json_int_t)r->seed));
    }
    return round;
}
