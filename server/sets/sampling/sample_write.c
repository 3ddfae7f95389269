/* sample_write.c - draws from a plan and writes the revision, with everything that must be known to
 * understand it and to make it again. */
#include <string.h>

#include "domain/sampling/revision_diff.h"
#include "json/object.h"
#include "sets/revisions/average.h"
#include "sets/revisions/digest.h"
#include "sets/sampling/sample_private.h"
#include "store/review/class_reviews.h"

struct sampled {
    struct db *db;
    struct sample_job *job;
    struct arena *a;
    struct sample_pick *picks;
    size_t n;
    struct revision_image *images, *old; /* in the set's order; the parent's */
    size_t n_old;
    struct sample_against against; /* the parent */
};

void sample_draw_images(const struct sample_job *job, struct arena *a, struct sample_pick **picks,
                        struct revision_image **images, size_t *n)
{
    const struct pool *p = &job->pool;
    sample_draw(&job->plan, &job->input, a, picks, n);
    *images = arena_alloc(a, (*n + 1) * sizeof **images);
    for (size_t i = 0; i < *n; i++) {
        const struct sample_image *s = &p->sample[(*picks)[i].index];
        (*images)[i] = (struct revision_image){s->image, (uint32_t)p->classes[s->class_index].id};
    }
}

static void digest_of(const struct sampled *s, unsigned char out[SET_DIGEST])
{
    const struct pool *p = &s->job->pool;
    struct set_line *lines = arena_alloc(s->a, (s->n + 1) * sizeof *lines);
    for (size_t i = 0; i < s->n; i++) {
        uint32_t at = s->picks[i].index;
        lines[i] = (struct set_line){p->name[at], p->classes[p->sample[at].class_index].wnid};
    }
    set_digest(lines, s->n, out);
}

/* ---- what the parent had ---- */

static enum err_code read_parent(struct sampled *s, struct err *err)
{
    enum err_code rc =
        s->job->parent.id == 0
            ? OK
            : revisions_images(s->db, s->job->parent.id, s->a, &s->old, &s->n_old, err);
    return rc == OK ? sample_beside_parent(s->db, s->job, s->picks, s->n, s->a, &s->against, err)
                    : rc;
}

static struct revision_member *members_of(const struct sampled *s,
                                          const struct revision_image *list, size_t n)
{
    struct revision_member *m = arena_alloc(s->a, (n + 1) * sizeof *m);
    for (size_t i = 0; i < n; i++) {
        m[i] = (struct revision_member){pool_class(&s->job->pool, list[i].class_id), list[i].image};
    }
    return m;
}

/* Classes whose review holds for the new revision too (domain/sampling/revision_diff.h). */
static enum err_code carry_reviews(const struct sampled *s, struct revision_new *r, struct err *err)
{
    struct pool *p = &s->job->pool;
    struct class_review_row *rows;
    struct revision_diff diff;
    size_t n = 0;
    if (s->job->parent.id == 0) {
        return OK;
    }
    enum err_code rc = class_reviews_list(s->db, s->job->parent.id, 0, s->a, &rows, &n, err);
    if (rc != OK) {
        return rc;
    }
    struct class_review *old = arena_calloc(s->a, p->n_classes + 1, sizeof *old);
    struct class_review *new = arena_calloc(s->a, p->n_classes + 1, sizeof *new);
    for (size_t i = 0; i < n; i++) {
        uint32_t k = pool_class(p, rows[i].class_id);
        if (k != MAP_NONE) {
            old[k] = (struct class_review){rows[i].reviewed, rows[i].problematic};
        }
    }
    revision_diff(members_of(s, s->old, s->n_old), s->n_old, members_of(s, s->images, s->n), s->n,
                  s->a, &diff);
    uint32_t *carried = arena_alloc(s->a, (p->n_classes + 1) * sizeof *carried);
    revision_carry_reviews(old, p->n_classes, &diff, new);
    for (uint32_t k = 0; k < p->n_classes; k++) {
        if (new[k].reviewed) {
            carried[r->n_carried++] = (uint32_t)p->classes[k].id;
        }
    }
    r->carried = carried;
    return OK;
}

/* ---- what is kept on record ---- */

static struct sv dump(json_t *json, struct arena *a)
{
    return json_compact(json, JSON_SORT_KEYS | JSON_REAL_PRECISION(17), a);
}

static json_t *inputs_json(const struct pool *p)
{
    json_t *o = json_object();
    for (int k = 0; k < POOL_INPUTS; k++) {
        char hex[2 * CRYPTO_HASH + 1];
        crypto_hex(p->digest[k], CRYPTO_HASH, hex);
        json_object_set_new(o, pool_inputs[k], json_string(hex));
    }
    return o;
}

static json_t *short_json(const struct sample_job *job)
{
    json_t *list = json_array();
    for (uint32_t k = 0; k < job->plan.n_classes; k++) {
        const struct sample_class *c = &job->plan.classes[k];
        struct sv wnid = job->pool.classes[k].wnid;
        if (c->missing || c->few_originals) {
            object_add(list, field_sv("wnid", wnid), field_int("missing", c->missing),
                       field_int("originals", c->originals),
                       field_bool("few_originals", c->few_originals));
        }
    }
    return list;
}

/* As it is shown wherever the revision is: what was counted for it then does not change. */
static enum err_code add_average(json_t *facts, const struct sampled *s, struct err *err)
{
    const struct pool *p = &s->job->pool;
    const struct set_members own = {s->images, s->n};
    struct set_average average;
    enum err_code rc =
        set_average_of(s->db, s->job->tally, &p->view, p->as_of, &own, 1, &average, err);
    if (rc == OK) {
        size_t n = average.f.measured;
        json_object_set_new(facts, "with_votes", json_integer((json_int_t)n));
        json_object_set_new(facts, "average_frequency",
                            n ? json_real(average.f.mean) : json_null());
        json_object_set_new(facts, "average", set_average_json(&average));
    }
    return rc;
}

static json_t *changes_json(const struct sample_against *d)
{
    json_t *list = json_array();
    for (size_t i = 0; i < d->n_changes; i++) {
        const struct sample_change *c = &d->changes[i];
        object_add(list, field_text("name", c->name), field_text("was", c->was),
                   field_text("is", c->is));
    }
    return list;
}

static json_t *facts_json(const struct sampled *s, size_t carried_reviews)
{
    const struct sample_plan *plan = &s->job->plan;
    const struct {
        const char *name;
        uint64_t n;
    } counts[] = {{"wanted", plan->wanted},
                  {"chosen", plan->chosen},
                  {"missing", plan->missing},
                  {"carried", s->against.n_kept},
                  {"upward", plan->upward},
                  {"classes_short", plan->classes_short},
                  {"classes_few_originals", plan->classes_few_originals},
                  {"removed", s->against.n_removals},
                  {"added", s->against.n_added},
                  {"reviews_carried", carried_reviews}};
    json_t *o = json_object();
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        json_object_set_new(o, counts[i].name, json_integer((json_int_t)counts[i].n));
    }
    json_object_set_new(o, "short", short_json(s->job));
    if (s->against.known) {
        json_object_set_new(o, "changes", changes_json(&s->against));
    }
    return o;
}

static enum err_code write_revision(struct sampled *s, bool alone, int64_t account, int64_t now,
                                    int64_t *revision, struct err *err)
{
    const struct sample_job *job = s->job;
    bool added;
    struct revision_facts facts = {.seed = (int64_t)job->ask.rules.seed,
                                   .as_of = job->pool.as_of,
                                   .newest_image = job->pool.newest_image,
                                   .vote_view = job->pool.view.id,
                                   .sampled = true,
                                   .valid = job->plan.valid};
    struct revision_new r = {.set = job->ask.set,
                             .role = SV("new"),
                             .strategy = sv_of(sample_strategies[job->ask.rules.strategy]),
                             .parent = job->parent.id,
                             .account = account,
                             .state = REVISION_SEALED,
                             .images = s->images,
                             .n = s->n,
                             .facts = &facts,
                             .always = true};
    enum err_code rc = carry_reviews(s, &r, err);
    if (rc != OK) {
        return rc;
    }
    facts.removals = s->against.removals;
    facts.n_removals = s->against.n_removals;
    struct sample_ask ask = job->ask;
    ask.pool.newest_class = job->pool.newest_class; /* a replay knows no later ones */
    r.parameters = dump(sample_ask_json(&ask), s->a);
    facts.inputs = dump(inputs_json(&job->pool), s->a);
    json_t *said = facts_json(s, r.n_carried);
    rc = add_average(said, s, err);
    facts.facts = dump(said, s->a);
    if (rc != OK) {
        return rc;
    }
    digest_of(s, r.digest);
    return revisions_add(s->db, alone, &r, now, revision, &added, err);
}

enum err_code sample_write(struct db *db, bool alone, struct sample_job *job, int64_t account,
                           int64_t now, int64_t *revision, struct err *err)
{
    struct arena a;
    struct sampled s = {.db = db, .job = job, .a = &a};
    if (job->plan.chosen == 0) {
        return err_rule(
            err, ERR_INPUT, "sample-empty",
            "No image can be sampled: every candidate is excluded, or no class and bin needs one. The plan "
            "says why (`holdout sample --plan`). Nothing was written.");
    }
    arena_init(&a, SIZE_MAX / 2);
    sample_draw_images(job, &a, &s.picks, &s.images, &s.n);
    enum err_code rc = set_name_check(job->ask.set, err);
    rc = rc == OK ? read_parent(&s, err) : rc;
    rc = rc == OK ? write_revision(&s, alone, account, now, revision, err) : rc;
    arena_release(&a);
    return rc;
}
