/* data.c - the final review of a revision in numbers. */
#include "web/review/data.h"

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
        json_array_append_new(asked, json_pack("{s:s, s:o, s:I, s:s}", "login", who(c, a->login),
                                               "wnid", data_text(a->wnid), "event",
                                               (json_int_t)a->event, "at",
                                               people_minute(c->arena, a->at)));
    }
    return json_pack("{s:I, s:I, s:I, s:I, s:s, s:o}", "classes", (json_int_t)s.classes, "reviewed",
                     (json_int_t)s.reviewed, "shown", (json_int_t)s.shown, "imported",
                     (json_int_t)s.imported, "text",
                     arena_printf(c->arena, "%s of %s classes were reviewed with frequencies shown",
                                  data_count(c->arena, s.shown), data_count(c->arena, s.reviewed)),
                     "asked", asked);
}

json_t *review_data_class(struct ctx *c, const struct review_way *w, const struct review_class *k)
{
    return json_pack("{s:o, s:s, s:s, s:I, s:b, s:b, s:b, s:I, s:I, s:o, s:o}", "wnid",
                     data_text(k->wnid), "synset", data_synset(c->arena, k->synset, ", "), "url",
                     class_url(c, w, k->wnid), "images", (json_int_t)k->images, "reviewed",
                     k->reviewed, "problematic", k->problematic, "carried", k->carried, "banned",
                     (json_int_t)k->banned, "paired", (json_int_t)k->paired, "at",
                     k->at ? json_string(people_minute(c->arena, k->at)) : json_null(), "shown_to",
                     shown_to(c, w, k->class_id));
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
        json_array_append_new(
            rows,
            json_pack("{s:s, s:I, s:I, s:o, s:s, s:s, s:s}", "login", who(c, list[i].login),
                      "decisions", (json_int_t)list[i].decisions, "classes",
                      (json_int_t)list[i].classes, "wnid", data_text(list[i].wnid), "name",
                      data_class_called(c, list[i].wnid), "url", class_url(c, w, list[i].wnid), "at",
                      people_minute(c->arena, list[i].at)));
    }
    return rows;
}

/* k of n: "0.10 (1 of 10, 0.00–0.45)". */
static json_t *share_json(struct arena *a, int64_t k, int64_t n)
{
    if (n == 0) {
        return json_pack("{s:i, s:i, s:n, s:n, s:n, s:s}", "k", 0, "n", 0, "share", "lo", "hi",
                         "text", "none yet");
    }
    struct interval ci = binomial_clopper_pearson(k, n, alpha);
    double share = (double)k / (double)n;
    return json_pack("{s:I, s:I, s:f, s:f, s:f, s:s}", "k", (json_int_t)k, "n", (json_int_t)n,
                     "share", share, "lo", ci.lo, "hi", ci.hi, "text",
                     arena_printf(a, "%.2f (%lld of %lld, %.2f\xe2\x80\x93%.2f)", share,
                                  (long long)k, (long long)n, ci.lo, ci.hi));
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
        json_array_append_new(
            rows, json_pack("{s:s, s:I, s:o, s:o, s:o}", "login", who(c, list[i].login), "turns",
                            (json_int_t)list[i].turns, "probes",
                            share_json(c->arena, list[i].probes_rejected, list[i].probes), "images",
                            share_json(c->arena, list[i].images_rejected, list[i].images), "alike",
                            share_json(c->arena, list[i].alike, list[i].repeated)));
    }
    json_t *round =
        json_pack("{s:I, s:s, s:i, s:i, s:b, s:o}", "id", (json_int_t)r->id, "at",
                  people_minute(c->arena, r->at), "originals", (int)r->originals, "repeats",
                  (int)r->repeats, "any_reviewers", n > 0, "reviewers", rows);
    if (c->user.role >= ROLE_LEAD) { /* with it a reviewer could work out which are originals */
        json_object_set_new(round, "seed", json_integer((json_int_t)r->seed));
    }
    return round;
}
