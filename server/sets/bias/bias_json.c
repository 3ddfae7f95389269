/* bias_json.c - the figures about a set as JSON. */
#include "json/object.h"
#include "sets/bias/bias.h"

static json_t *text(struct sv v)
{
    return json_stringn(v.p ? v.p : "", v.n);
}

/* null where there is no figure; lo and hi are null without an interval. */
static json_t *estimate(const struct bias_estimate *e)
{
    return !e->known ? json_null()
           : e->interval
               ? object(field_real("value", e->value), field_real("lo", e->lo),
                        field_real("hi", e->hi))
               : object(field_real("value", e->value), field_null("lo"), field_null("hi"));
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
    return object(field_bool("recorded", b->review.recorded),
                  field_bool("assumed", b->review.assumed),
                  field_count("revisions", b->review.revisions), field_count("kept", f->kept),
                  field_count("not_reviewed", f->unseen), field_count("removed", f->removed));
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
    json_t *o = object(
        field_json("campaigns", names), field_json("difference", estimate(&g->now.raw)),
        field_count("images", g->now.images), field_count("originals", g->now.originals),
        field_int("workers", g->now.workers), field_count("votes", g->votes),
        field_count("left_out_votes", g->votes_met), field_count("left_out_workers", g->people_met));
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
    json_t *o = object(
        field_text("tool", "holdout " HOLDOUT_VERSION), field_json("set", text(b->revision.set)),
        field_int("revision", b->revision.number), field_json("view", text(b->view)),
        field_int("view_version", b->view_version), field_int("as_of", b->as_of),
        field_text("strategy",
                   b->strategy < SAMPLE_STRATEGIES ? sample_strategies[b->strategy] : "unknown"),
        field_real("alpha", 0.05), field_count("images", f->images),
        field_count("originals", f->originals), field_count("pool", f->pool),
        field_int("workers", f->workers), field_int("groups", f->groups),
        field_count("seed", b->seed), field_int("answers", f->answers));
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
