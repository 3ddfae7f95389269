/* set_bias_json.c - the figures about a set as JSON. Called by cli/ (bias --json) and web/. */
#include "sets/set_bias.h"

static json_t *text(struct sv v)
{
    return json_stringn(v.p ? v.p : "", v.n);
}

/* null where there is no figure; lo and hi are null without an interval. */
static json_t *estimate(const struct bias_estimate *e)
{
    return !e->known     ? json_null()
           : e->interval ? json_pack("{s:f, s:f, s:f}", "value", e->value, "lo", e->lo, "hi", e->hi)
                         : json_pack("{s:f, s:n, s:n}", "value", e->value, "lo", "hi");
}

static json_t *designs(const struct matching_bias *b)
{
    json_t *list = json_array();
    for (size_t i = 0; i < b->n_at; i++) {
        json_t *o = estimate(&b->at[i].bias);
        json_object_set_new(o, "answers", json_integer(b->at[i].n));
        json_object_set_new(o, "held_out", json_integer((json_int_t)b->at[i].held_out));
        json_object_set_new(o, "images", json_real(b->at[i].chosen));
        json_object_set_new(o, "kept_mean", json_real(b->at[i].kept));
        json_object_set_new(o, "held_out_mean", json_real(b->at[i].held));
        json_object_set_new(o, "original_mean", json_real(b->at[i].original));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *review(const struct set_bias *b)
{
    const struct matching_bias *f = &b->first;
    return json_pack("{s:b, s:b, s:I, s:I, s:I, s:I}", "recorded", b->review.recorded, "assumed",
                     b->review.assumed, "revisions", (json_int_t)b->review.revisions, "kept",
                     (json_int_t)f->kept, "not_reviewed", (json_int_t)f->unseen, "removed",
                     (json_int_t)f->removed);
}

static json_t *again(const struct set_bias_again *g)
{
    if (g->n_campaigns == 0) {
        return json_null();
    }
    json_t *names = json_array();
    for (size_t i = 0; i < g->n_campaigns; i++) {
        json_array_append_new(names, text(g->campaigns[i]));
    }
    bool any = g->now.raw.known;
    json_t *o =
        json_pack("{s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I}", "campaigns", names, "difference",
                  estimate(&g->now.raw), "images", (json_int_t)g->now.images, "originals",
                  (json_int_t)g->now.originals, "workers", (json_int_t)g->now.workers, "votes",
                  (json_int_t)g->votes, "left_out_votes", (json_int_t)g->votes_met,
                  "left_out_workers", (json_int_t)g->people_met);
    json_object_set_new(o, "set", any ? json_real(g->now.raw_set) : json_null());
    json_object_set_new(o, "original", any ? json_real(g->now.raw_original) : json_null());
    json_object_set_new(o, "first_set", any ? json_real(g->first_set) : json_null());
    json_object_set_new(o, "first_original", any ? json_real(g->first_original) : json_null());
    return o;
}

json_t *set_bias_leading_json(const struct bias_leading *l)
{
    static const char *const methods[] = {[BIAS_NONE] = "none",
                                          [BIAS_MEASURED_AGAIN] = "measured_again",
                                          [BIAS_ESTIMATED] = "estimated",
                                          [BIAS_RAW] = "raw"};
    json_t *o = l->estimate.known ? estimate(&l->estimate) : json_object();
    json_object_set_new(o, "method", json_string(methods[l->method]));
    json_object_set_new(o, "holds", json_boolean(l->holds));
    json_object_set_new(o, "why_not", l->why_not ? json_string(l->why_not) : json_null());
    return o;
}

json_t *set_bias_json(const struct set_bias *b)
{
    const struct matching_bias *f = &b->first;
    json_t *o = json_pack(
        "{s:s, s:o, s:I, s:o, s:I, s:I, s:s, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "tool",
        "holdout " HOLDOUT_VERSION, "set", text(b->revision.set), "revision",
        (json_int_t)b->revision.number, "view", text(b->view), "view_version",
        (json_int_t)b->view_version, "as_of", (json_int_t)b->as_of, "strategy",
        b->strategy < SAMPLE_STRATEGIES ? sample_strategies[b->strategy] : "unknown", "alpha", 0.05,
        "images", (json_int_t)f->images, "originals", (json_int_t)f->originals, "pool",
        (json_int_t)f->pool, "workers", (json_int_t)f->workers, "groups", (json_int_t)f->groups,
        "seed", (json_int_t)b->seed,
        "answers", (json_int_t)f->answers);
    const struct bias_leading leading = set_bias_leading(b);
    bool any = f->raw.known;
    json_object_set_new(o, "leading", set_bias_leading_json(&leading));
    json_object_set_new(o, "measured_again", again(&b->again));
    json_object_set_new(o, "estimated", estimate(&f->estimated));
    json_object_set_new(o, "review", review(b));
    json_object_set_new(o, "raw_set", any ? json_real(f->raw_set) : json_null());
    json_object_set_new(o, "raw_original", any ? json_real(f->raw_original) : json_null());
    json_object_set_new(o, "raw", estimate(&f->raw));
    json_object_set_new(o, "designs", designs(f));
    return o;
}
