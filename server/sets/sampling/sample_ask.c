/* sample_ask.c - a request to sample as JSON, as it stands in `parameters` of a revision, and back;
 * thresholds of classes from files. */
#include <stdio.h>
#include <string.h>

#include "formats/csv.h"
#include "sets/sampling/sample.h"

/* ---- as JSON ---- */

static void put_text(json_t *o, const char *name, struct sv text)
{
    if (text.n) {
        json_object_set_new(o, name, json_stringn(text.p, text.n));
    }
}

static void put_count(json_t *o, const char *name, uint64_t n)
{
    json_object_set_new(o, name, json_integer((json_int_t)n));
}

/* 0 is "no limit", and then not said. */
static void put_limit(json_t *o, const char *name, uint64_t n)
{
    if (n) {
        put_count(o, name, n);
    }
}

static void put_own(json_t *o, const struct sample_ask *ask)
{
    json_t *own = json_object();
    for (size_t i = 0; i < ask->n_own; i++) {
        json_object_setn_new(own, ask->own[i].wnid.p, ask->own[i].wnid.n,
                             json_real(ask->own[i].threshold));
    }
    if (ask->n_own) {
        json_object_set(o, "thresholds", own);
    }
    json_decref(own);
}

static void put_strategy(json_t *o, const struct sample_ask *ask)
{
    const struct sample_rules *r = &ask->rules;
    if (r->strategy == SAMPLE_THRESHOLD) {
        json_object_set_new(o, "threshold", json_real(r->threshold));
        put_own(o, ask);
    }
    if (r->strategy == SAMPLE_MATCHED) {
        put_count(o, "original_answers", r->original_answers_least);
        put_count(o, "originals", r->originals_least);
        json_object_set_new(o, "upward", json_boolean(r->upward));
    }
    if (r->strategy == SAMPLE_KEYWORD) {
        put_limit(o, "keywords", r->keywords_most);
        json_object_set_new(o, "together", json_boolean(r->together));
    }
}

static void put_pool(json_t *o, const struct pool_ask *p)
{
    put_text(o, "view", p->view);
    put_limit(o, "uploader_most", p->uploader_most);
    put_limit(o, "event_most", p->event_most);
    put_limit(o, "hide", (uint64_t)p->flags_to_quarantine);
    put_limit(o, "newest_class", (uint64_t)p->newest_class);
    if (p->picked_only) {
        json_object_set_new(o, "picked", json_true());
    }
    json_t *targets = json_object();
    for (size_t i = 0; i < p->n_targets; i++) {
        json_object_set_new(targets, p->targets[i].metric, json_real(p->targets[i].threshold));
    }
    if (p->n_targets) {
        json_object_set(o, "review_targets", targets);
    }
    json_decref(targets);
}

json_t *sample_ask_json(const struct sample_ask *ask)
{
    json_t *o = json_object();
    json_object_set_new(o, "strategy", json_string(sample_strategies[ask->rules.strategy]));
    put_count(o, "size", ask->rules.size);
    put_count(o, "answers", ask->rules.answers_least);
    put_strategy(o, ask);
    put_count(o, "seed", ask->rules.seed);
    put_text(o, "set", ask->set);
    put_text(o, "parent", ask->parent);
    put_pool(o, &ask->pool);
    return o;
}

/* ---- from JSON ---- */

struct reading {
    struct sample_ask *out;
    struct arena *a;
    struct err *err;
};

static enum err_code bad(struct reading *r, const char *name, const char *wanted)
{
    return err_rule(r->err, ERR_INPUT, "sample-parameters",
                    "The parameter \"%.40s\" must be %s. Nothing was sampled.", name, wanted);
}

static enum err_code read_count(struct reading *r, const char *name, const json_t *v, int64_t most,
                                uint64_t *out)
{
    if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > most) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "a whole number from 0 to %lld", (long long)most);
        return bad(r, name, wanted);
    }
    *out = (uint64_t)json_integer_value(v);
    return OK;
}

static enum err_code read_u32(struct reading *r, const char *name, const json_t *v, uint32_t *out)
{
    uint64_t n = 0;
    enum err_code rc = read_count(r, name, v, INT32_MAX, &n);
    *out = rc == OK ? (uint32_t)n : *out;
    return rc;
}

static enum err_code read_int(struct reading *r, const char *name, const json_t *v, int64_t most,
                              int64_t *out)
{
    uint64_t n = 0;
    enum err_code rc = read_count(r, name, v, most, &n);
    *out = rc == OK ? (int64_t)n : *out;
    return rc;
}

static enum err_code read_switch(struct reading *r, const char *name, const json_t *v, bool *out)
{
    if (!json_is_boolean(v)) {
        return bad(r, name, "true or false");
    }
    *out = json_is_true(v);
    return OK;
}

static enum err_code read_text(struct reading *r, const char *name, const json_t *v, struct sv *out)
{
    if (!json_is_string(v) || json_string_length(v) == 0) {
        return bad(r, name, "a text");
    }
    *out = arena_sv(r->a, sv_make(json_string_value(v), json_string_length(v)));
    return OK;
}

static enum err_code read_own(struct reading *r, json_t *v)
{
    const char *wnid;
    json_t *one;
    if (!json_is_object(v) || json_object_size(v) > SAMPLE_OWN_MOST) {
        return bad(r, "thresholds", "an object of wnid and threshold");
    }
    r->out->own = arena_calloc(r->a, json_object_size(v) + 1, sizeof *r->out->own);
    json_object_foreach(v, wnid, one)
    {
        double x = json_number_value(one);
        if (!json_is_number(one) || !(x >= 0 && x <= 1)) {
            return bad(r, wnid, "a threshold from 0 to 1");
        }
        r->out->own[r->out->n_own++] =
            (struct sample_threshold){sv_of(arena_strdup(r->a, wnid)), x};
    }
    return OK;
}

static enum err_code read_targets(struct reading *r, const json_t *v)
{
    struct pool_ask *p = &r->out->pool;
    const char *name;
    json_t *one;
    bool good = json_is_object(v) && json_object_size(v) <= REVIEW_METRICS_MOST;
    p->n_targets = 0;
    json_object_foreach((json_t *)(uintptr_t)v, name, one)
    {
        good = good && json_is_number(one) && json_number_value(one) >= 0 && strlen(name) <= REVIEW_NAME;
        if (good) {
            struct review_target *t = &p->targets[p->n_targets++];
            snprintf(t->metric, sizeof t->metric, "%s", name);
            t->threshold = json_number_value(one);
        }
    }
    return good ? OK : bad(r, "review_targets", "an object with a number for each of at most 8 metrics");
}

/* The strategy first: what is not said is as usual for it. */
static enum err_code read_strategy(struct reading *r, const json_t *json)
{
    const char *word = json_string_value(json_object_get(json, "strategy"));
    for (int k = 0; k < SAMPLE_STRATEGIES && word; k++) {
        if (strcmp(word, sample_strategies[k]) == 0) {
            r->out->rules = sample_rules_usual((enum sample_strategy)k);
            return OK;
        }
    }
    return bad(r, "strategy", "matched, threshold, top or keyword");
}

static enum err_code read_rule(struct reading *r, const char *name, json_t *v, bool *known)
{
    struct sample_rules *to = &r->out->rules;
    const struct {
        const char *name;
        uint32_t *to;
    } counts[] = {{"size", &to->size},
                  {"answers", &to->answers_least},
                  {"original_answers", &to->original_answers_least},
                  {"originals", &to->originals_least},
                  {"keywords", &to->keywords_most},
                  {"uploader_most", &r->out->pool.uploader_most},
                  {"event_most", &r->out->pool.event_most}};
    const struct {
        const char *name;
        bool *to;
    } switches[] = {{"upward", &to->upward},
                    {"together", &to->together},
                    {"picked", &r->out->pool.picked_only}};
    *known = true;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (strcmp(name, counts[i].name) == 0) {
            return read_u32(r, name, v, counts[i].to);
        }
    }
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        if (strcmp(name, switches[i].name) == 0) {
            return read_switch(r, name, v, switches[i].to);
        }
    }
    if (strcmp(name, "threshold") == 0) {
        to->threshold = json_number_value(v);
        return json_is_number(v) ? OK : bad(r, name, "a number from 0 to 1");
    }
    *known = false;
    return OK;
}

static enum err_code read_member(struct reading *r, const char *name, json_t *v)
{
    struct sample_ask *out = r->out;
    bool known;
    enum err_code rc = read_rule(r, name, v, &known);
    if (rc != OK || known || strcmp(name, "strategy") == 0) {
        return rc;
    }
    if (strcmp(name, "seed") == 0) {
        return read_count(r, name, v, INT64_C(1) << SAMPLE_SEED_BITS, &out->rules.seed);
    }
    if (strcmp(name, "hide") == 0) {
        return read_int(r, name, v, INT32_MAX, &out->pool.flags_to_quarantine);
    }
    if (strcmp(name, "newest_class") == 0) {
        return read_int(r, name, v, INT64_MAX, &out->pool.newest_class);
    }
    if (strcmp(name, "thresholds") == 0) {
        return read_own(r, v);
    }
    if (strcmp(name, "review_targets") == 0) {
        return read_targets(r, v);
    }
    struct sv *text = strcmp(name, "set") == 0      ? &out->set
                      : strcmp(name, "parent") == 0 ? &out->parent
                      : strcmp(name, "view") == 0   ? &out->pool.view
                                                    : NULL;
    return text ? read_text(r, name, v, text) : bad(r, name, "left out: there is no parameter of that name");
}

enum err_code sample_ask_read(const json_t *json, struct arena *a, struct sample_ask *out,
                              struct err *err)
{
    struct reading r = {out, a, err};
    *out = (struct sample_ask){0};
    enum err_code rc = read_strategy(&r, json);
    /* jansson's iterator takes no const, though it changes nothing. */
    json_t *copy = json_copy((json_t *)(uintptr_t)json);
    for (void *at = json_object_iter(copy); at && rc == OK; at = json_object_iter_next(copy, at)) {
        rc = read_member(&r, json_object_iter_key(at), json_object_iter_value(at));
    }
    json_decref(copy);
    return rc;
}

/* ---- thresholds of classes ---- */

static enum err_code read_json(struct sv text, const char *file, struct reading *r)
{
    json_error_t at;
    json_t *json = json_loadb(text.p, text.n, JSON_REJECT_DUPLICATES, &at);
    enum err_code rc = json ? read_own(r, json)
                            : err_rule(r->err, ERR_INPUT, "sample-thresholds", "%s:%d: %s", file,
                                       at.line, at.text);
    json_decref(json);
    return rc;
}

static enum err_code read_row(const struct csv *c, int wnid, int threshold, struct reading *r)
{
    double x = -1;
    struct sv key = sv_trim(c->cells[wnid]);
    for (size_t i = 0; i < r->out->n_own; i++) {
        if (sv_eq(r->out->own[i].wnid, key)) {
            return err_rule(r->err, ERR_INPUT, "sample-thresholds",
                            "%s:%llu: the class " SV_FMT " appears twice.", c->name,
                            (unsigned long long)c->line, SV_ARG(key));
        }
    }
    if (!sv_f64(sv_trim(c->cells[threshold]), &x) || !(x >= 0 && x <= 1) ||
        r->out->n_own == SAMPLE_OWN_MOST) {
        return err_rule(r->err, ERR_INPUT, "sample-thresholds",
                        "%s:%llu: a threshold must be a number from 0 to 1.", c->name,
                        (unsigned long long)c->line);
    }
    r->out->own[r->out->n_own++] = (struct sample_threshold){arena_sv(r->a, key), x};
    return OK;
}

static enum err_code read_csv(struct sv text, const char *file, struct reading *r)
{
    struct csv c;
    int wnid = -1, threshold = -1;
    bool more = true;
    size_t lines = 1;
    for (size_t i = 0; i < text.n; i++) {
        lines += text.p[i] == '\n';
    }
    r->out->own = arena_calloc(r->a, lines < SAMPLE_OWN_MOST ? lines + 1 : SAMPLE_OWN_MOST,
                               sizeof *r->out->own);
    enum err_code rc = csv_open(&c, file, text, r->err);
    if (rc != OK) {
        return rc;
    }
    rc = csv_need(&c, "wnid", &wnid, r->err);
    rc = rc == OK ? csv_need(&c, "threshold", &threshold, r->err) : rc;
    rc = rc == OK ? csv_next(&c, &more, r->err) : rc;
    while (rc == OK && more) {
        rc = read_row(&c, wnid, threshold, r);
        rc = rc == OK ? csv_next(&c, &more, r->err) : rc;
    }
    csv_close(&c);
    return rc;
}

enum err_code sample_thresholds_read(struct sv text, const char *file, struct arena *a,
                                     struct sample_ask *out, struct err *err)
{
    struct reading r = {out, a, err};
    struct sv trimmed = sv_trim(text);
    out->n_own = 0;
    return sv_starts(trimmed, "{") ? read_json(trimmed, file, &r) : read_csv(text, file, &r);
}
