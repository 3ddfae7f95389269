/* sample_parent.c - a new revision beside the one that it is made from: what is taken over from how
 * the parent was sampled, what differs, and which of its images do not stay, with the reason. */
#include <stdlib.h>
#include <string.h>

#include "sets/sampling/sample_private.h"

/* ---- how the parent was sampled ---- */

static bool was_sampled(const struct revision_row *r, const struct revision_facts *f)
{
    json_t *json = r->parameters.n ? json_loadb(r->parameters.p, r->parameters.n, 0, NULL) : NULL;
    bool says = f->sampled && json_object_get(json, "strategy");
    json_decref(json);
    return says;
}

enum err_code sample_ask_inherit(struct db *db, struct sv parent, struct arena *a,
                                 struct sample_ask *out, struct err *err)
{
    struct revision_row r;
    struct revision_facts f;
    *out = (struct sample_ask){0};
    enum err_code rc = revisions_find(db, parent, a, &r, err);
    rc = rc == OK ? revision_facts_get(db, r.id, a, &f, err) : rc;
    if (rc == OK && !was_sampled(&r, &f)) {
        out->set = r.set;
        rc = err_rule(err, ERR_INPUT, "sample-parent",
                      SV_FMT "/%lld was imported and does not say how it was sampled. Choose a "
                             "strategy (--strategy matched, threshold, top or keyword) and "
                             "the other settings. Nothing was sampled.",
                      SV_ARG(r.set), (long long)r.number);
    }
    rc = rc == OK ? sample_ask_of(&r, &f, a, out, err) : rc;
    if (rc == OK) {
        out->parent = sv_of(arena_printf(a, SV_FMT "/%lld", SV_ARG(r.set), (long long)r.number));
        /* As of now, of all that there is now, under the project's own rule about flags. */
        out->pool.as_of = out->pool.newest_image = out->pool.newest_class = 0;
        out->pool.view_version = out->pool.parent = out->pool.flags_to_quarantine = 0;
    }
    return rc;
}

void sample_ask_strategy(struct sample_ask *ask, enum sample_strategy s)
{
    ask->rules.strategy = s;
    ask->rules.upward = ask->rules.upward && s == SAMPLE_MATCHED;
    ask->rules.together = ask->rules.together && s == SAMPLE_KEYWORD;
    ask->n_own = s == SAMPLE_THRESHOLD ? ask->n_own : 0;
}

/* ---- what differs ---- */

static const char *value_text(const json_t *v, struct arena *a)
{
    if (!v) {
        return "none";
    }
    if (json_is_string(v)) {
        return arena_strdup(a, json_string_value(v));
    }
    if (json_is_boolean(v)) {
        return json_is_true(v) ? "yes" : "no";
    }
    char *text = json_dumps(v, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS | JSON_REAL_PRECISION(6));
    const char *kept = arena_strdup(a, text ? text : "");
    free(text);
    return kept;
}

/* A request without what every revision has of its own, and with what is usual said. */
static json_t *settings_of(const struct sample_ask *ask)
{
    struct sample_ask plain = *ask;
    plain.set = plain.parent = SV("");
    plain.pool.newest_class = 0;
    plain.pool.view = plain.pool.view.n ? plain.pool.view : SV("default");
    return sample_ask_json(&plain);
}

static void add_change(struct sample_against *out, const char *name, const char *was,
                       const char *is, struct arena *a)
{
    char *spaced = arena_strdup(a, name);
    for (char *at = spaced; *at; at++) {
        *at = *at == '_' ? ' ' : *at;
    }
    out->changes[out->n_changes++] = (struct sample_change){spaced, was, is};
}

/* Every member that either has; the number of flags only where both say it. */
static void find_changes(const struct sample_ask *was, const struct sample_ask *is,
                         struct arena *a, struct sample_against *out)
{
    json_t *old = settings_of(was), *new = settings_of(is), *all = json_copy(old), *v;
    const char *name;
    json_object_update(all, new);
    out->changes = arena_calloc(a, json_object_size(all) + 1, sizeof *out->changes);
    json_object_foreach(all, name, v)
    {
        const json_t *x = json_object_get(old, name), *y = json_object_get(new, name);
        bool silent = strcmp(name, "hide") == 0 && !(x && y);
        if (!silent && !json_equal((json_t *)(uintptr_t)x, (json_t *)(uintptr_t)y)) {
            add_change(out, name, value_text(x, a), value_text(y, a), a);
        }
    }
    json_decref(all);
    json_decref(old);
    json_decref(new);
}

static const char *version_text(struct arena *a, int64_t event)
{
    return arena_printf(a, "event %lld", (long long)event);
}

/* ---- what does not stay ---- */

struct beside {
    struct db *db;
    const struct sample_job *job;
    struct arena *a;
    struct sample_against *out;
    bool *chosen;               /* of the pool's images */
    bool sampled;
    struct sample_ask was;      /* when `sampled`: what the parent asked for, as of then */
    int64_t view_version;
};

static enum revision_removed removed_because(const struct sample_job *job,
                                             const struct sample_image *i)
{
    static const enum revision_removed words[SAMPLE_REASONS + 1] = {
        [SAMPLE_BLACKLISTED] = REMOVED_BLACKLISTED,
        [SAMPLE_FEW_ASSIGNMENTS] = REMOVED_FEW_ASSIGNMENTS,
        [SAMPLE_BELOW_THRESHOLD] = REMOVED_BELOW_THRESHOLD,
        [SAMPLE_NEAR_DUPLICATE] = REMOVED_NEAR_DUPLICATE,
        [SAMPLE_UNREVIEWED] = REMOVED_UNREVIEWED,
        [SAMPLE_UNSEARCHED] = REMOVED_UNSEARCHED,
        [SAMPLE_LIMIT] = REMOVED_LIMIT,
        [SAMPLE_NOT_PICKED] = REMOVED_NOT_PICKED,
        [SAMPLE_HIDDEN] = REMOVED_TAKEDOWN,
        [SAMPLE_FINE] = REMOVED_NOT_DRAWN,
    };
    const double *own = job->thresholds;
    return words[sample_reason_of(&job->ask.rules, i, own ? own[i->class_index] : -1)];
}

static void list_removals(struct beside *b, const struct revision_image *old, size_t n)
{
    const struct pool *p = &b->job->pool;
    struct sample_against *out = b->out;
    out->removals = arena_alloc(b->a, (n + 1) * sizeof *out->removals);
    for (size_t i = 0; i < n; i++) {
        uint32_t at = pool_find(p, old[i].image);
        bool known = at != MAP_NONE && p->sample[at].in_parent && !p->sample[at].original;
        if (!known || !b->chosen[at]) {
            out->removals[out->n_removals++] = (struct revision_removal){
                old[i].image, old[i].class_id,
                known ? removed_because(b->job, &p->sample[at]) : REMOVED_UNKNOWN};
        }
    }
}

static unsigned bin_of(const struct sample_image *i)
{
    return i->shown ? (unsigned)histogram_bin(i->selected, i->shown) : 0;
}

/* Of those that are fine and were not drawn: which have another frequency bin than when the parent was drawn. */
static void find_moved(struct beside *b, const struct pool *then)
{
    const struct pool *now = &b->job->pool;
    for (size_t i = 0; i < b->out->n_removals; i++) {
        struct revision_removal *r = &b->out->removals[i];
        uint32_t was = pool_find(then, r->image), is = pool_find(now, r->image);
        if (r->reason == REMOVED_NOT_DRAWN && was != MAP_NONE &&
            bin_of(&then->sample[was]) != bin_of(&now->sample[is])) {
            r->reason = REMOVED_MOVED;
        }
    }
}

static bool any_not_drawn(const struct sample_against *out)
{
    for (size_t i = 0; i < out->n_removals; i++) {
        if (out->removals[i].reason == REMOVED_NOT_DRAWN) {
            return true;
        }
    }
    return false;
}

static enum err_code ask_moved(struct beside *b, struct err *err)
{
    struct sample_job then;
    if (!b->sampled || b->job->ask.rules.strategy != SAMPLE_MATCHED ||
        b->was.rules.strategy != SAMPLE_MATCHED || !any_not_drawn(b->out)) {
        return OK;
    }
    enum err_code rc = sample_make_pool(b->db, b->job->tally, &b->was, &then, err);
    if (rc == OK) {
        find_moved(b, &then.pool);
    }
    sample_release(&then);
    return rc;
}

static enum err_code read_how(struct beside *b, struct err *err)
{
    const struct revision_row *p = &b->job->parent;
    struct revision_facts f;
    enum err_code rc = revision_facts_get(b->db, p->id, b->a, &f, err);
    b->sampled = rc == OK && was_sampled(p, &f);
    b->view_version = f.vote_view;
    return b->sampled ? sample_ask_of(p, &f, b->a, &b->was, err) : rc;
}

static void find_all_changes(struct beside *b)
{
    const struct sample_ask *is = &b->job->ask;
    struct sample_against *out = b->out;
    out->known = b->sampled;
    if (!b->sampled) {
        return;
    }
    find_changes(&b->was, is, b->a, out);
    struct sv was_view = b->was.pool.view.n ? b->was.pool.view : SV("default");
    if (sv_eq(was_view, b->job->pool.view.name) && b->view_version != b->job->pool.view.id) {
        struct sample_change *more = arena_calloc(b->a, out->n_changes + 2, sizeof *more);
        memcpy(more, out->changes, out->n_changes * sizeof *more);
        out->changes = more;
        add_change(out, "view as saved in", version_text(b->a, b->view_version),
                   version_text(b->a, b->job->pool.view.id), b->a);
    }
}

enum err_code sample_beside_parent(struct db *db, const struct sample_job *job,
                                   const struct sample_pick *picks, size_t n, struct arena *a,
                                   struct sample_against *out, struct err *err)
{
    struct beside b = {.db = db, .job = job, .a = a, .out = out};
    struct revision_image *old;
    size_t n_old;
    *out = (struct sample_against){0};
    if (job->parent.id == 0) {
        out->n_added = n;
        return OK;
    }
    enum err_code rc = read_how(&b, err);
    rc = rc == OK ? revisions_images(db, job->parent.id, a, &old, &n_old, err) : rc;
    if (rc != OK) {
        return rc;
    }
    b.chosen = arena_calloc(a, job->pool.n + 1, sizeof *b.chosen);
    for (size_t i = 0; i < n; i++) {
        b.chosen[picks[i].index] = true;
    }
    list_removals(&b, old, n_old);
    out->n_kept = n_old - out->n_removals;
    out->n_added = n - out->n_kept;
    rc = ask_moved(&b, err);
    for (size_t i = 0; i < out->n_removals; i++) {
        out->counts[out->removals[i].reason]++;
    }
    find_all_changes(&b);
    return rc;
}

enum err_code sample_plan_against(struct db *db, const struct sample_job *job, struct arena *a,
                                  struct sample_against *out, struct err *err)
{
    struct sample_pick *picks;
    size_t n;
    sample_draw(&job->plan, &job->input, a, &picks, &n);
    return sample_beside_parent(db, job, picks, n, a, out, err);
}

/* ---- in words ---- */

const char *sample_replaces_text(const struct sample_against *d, struct arena *a)
{
    const char *text = d->n_removals + d->n_added == 0 ? "replaces no image"
                       : d->n_removals == d->n_added
                           ? arena_printf(a, "replaces %zu", d->n_removals)
                           : arena_printf(a, "removes %zu and adds %zu", d->n_removals, d->n_added);
    for (int r = 0, said = 0; r < REMOVED_REASONS; r++) {
        if (d->counts[r]) {
            text = arena_printf(a, "%s%s%zu %s", text, said++ ? ", " : ": ", d->counts[r],
                                revision_removed_short[r]);
        }
    }
    return text;
}
