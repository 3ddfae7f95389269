/* bias.c - a revision's votes, first and again, as arrays. */
#include "sets/bias/bias.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "base/xalloc.h"
#include "live/votes/view_ask.h"
#include "live/votes/view_votes.h"
#include "sets/bias/bias_private.h"
#include "store/campaigns/campaigns.h"
#include "store/campaigns/remeasurements.h"

/* ---- how the set was chosen ---- */

/* What the published datasets call drawing by the histograms of the originals. */
static bool is_published_matched(const json_t *parameters)
{
    const json_t *dataset = json_object_get(parameters, "dataset");
    const char *how = json_string_value(json_object_get(dataset, "sampling_function"));
    return how && strstr(how, "histogram");
}

/* A set whose parameters nobody can read any more is one whose strategy is not known. */
static void read_strategy(struct bias_work *w)
{
    struct sv text = w->out->revision.parameters;
    json_t *json = json_loadb(text.n ? text.p : "", text.n, 0, NULL);
    struct err unread = {0};
    struct sample_ask ask = {0};
    if (json_object_get(json, "strategy") && sample_ask_read(json, &w->own, &ask, &unread) == OK) {
        w->sampled = ask;
        w->out->strategy = ask.rules.strategy;
    } else {
        w->out->strategy = is_published_matched(json) ? SAMPLE_MATCHED : SAMPLE_STRATEGIES;
    }
    json_decref(json);
}

static enum err_code find_revision(struct bias_work *w, struct sv name, struct err *err)
{
    struct revision_row *r = &w->out->revision;
    enum err_code rc = revisions_find(w->db, name, w->a, r, err);
    if (rc == OK && sv_is(r->role, "original")) {
        return err_rule(err, ERR_INPUT, "bias-original",
                        SV_FMT " is a set of originals, and the bias compares a new set with them. Name a "
                               "set with the role \"new\".",
                        SV_ARG(r->set));
    }
    rc = rc == OK ? revision_facts_get(w->db, r->id, &w->own, &w->facts, err) : rc;
    w->out->sampled = rc == OK && w->facts.sampled;
    rc = rc == OK ? revisions_images(w->db, r->id, &w->own, &w->members, &w->n_members, err) : rc;
    if (rc == OK) {
        read_strategy(w);
    }
    return rc;
}

/* ---- images ---- */

static void mark_members(struct bias_work *w)
{
    for (size_t i = 0; i < w->n_members; i++) {
        uint32_t at = pool_find(&w->pool, w->members[i].image);
        if (at != MAP_NONE && !w->images[at].original &&
            w->images[at].class_index == pool_class(&w->pool, w->members[i].class_id)) {
            w->images[at].in_set = true;
            w->out_of_pool[at] = false;
        }
    }
}

static void list_images(struct bias_work *w)
{
    const struct pool *p = &w->pool;
    w->images = arena_calloc(&w->own, p->n + 1, sizeof *w->images);
    w->out_of_pool = arena_calloc(&w->own, p->n + 1, sizeof *w->out_of_pool);
    w->at = arena_alloc(&w->own, ((size_t)p->newest_image + 1) * sizeof *w->at);
    for (int64_t id = 0; id <= p->newest_image; id++) {
        w->at[id] = MAP_NONE;
    }
    for (size_t i = 0; i < p->n; i++) {
        const struct sample_image *s = &p->sample[i];
        w->at[p->id[i]] = (uint32_t)i;
        w->images[i] = (struct bias_image){.class_index = s->class_index, .original = s->original};
        w->out_of_pool[i] = !s->original && (s->blacklisted || s->near_duplicate || s->hidden);
    }
    mark_members(w);
}

static enum err_code load_pool(struct bias_work *w, struct err *err)
{
    struct pool_ask ask = w->sampled.pool;
    ask.view_version = w->facts.vote_view;
    ask.as_of = w->facts.as_of ? w->facts.as_of : w->ask->as_of;
    ask.newest_image = w->facts.newest_image;
    ask.newest_class = w->facts.sampled ? ask.newest_class : 0; /* ids of elsewhere say nothing */
    ask.flags_to_quarantine = w->ask->flags_to_quarantine;
    ask.keywords = ask.picked_only = false;
    enum err_code rc = pool_load(w->db, w->t, &ask, &w->pool, err);
    if (rc == OK) {
        w->out->view = arena_sv(w->a, w->pool.view.name);
        w->out->view_version = w->pool.view.id;
        w->out->as_of = w->pool.as_of;
        list_images(w);
    }
    return rc;
}

/* ---- votes ---- */

static bool leave_out(struct bias_votes *k, const struct view_vote *v)
{
    if (!sorted_has_i64(k->met, k->n_met, v->person)) {
        return false;
    }
    map_u64_put(&k->left, v->person, 1);
    k->votes_met++;
    return true;
}

static void collect(void *arg, const struct view_vote *v)
{
    struct bias_votes *k = arg;
    const struct bias_work *w = k->w;
    uint32_t at = v->image <= w->pool.newest_image ? w->at[v->image] : MAP_NONE;
    if (at == MAP_NONE || w->out_of_pool[at] ||
        w->pool.classes[w->images[at].class_index].id != v->class_id) {
        return;
    }
    if (k->again && ((!w->images[at].original && !w->images[at].in_set) || leave_out(k, v))) {
        return;
    }
    uint32_t who = map_u64_put(&k->people, v->person, (uint32_t)k->people.n);
    xgrow(&k->votes, &k->cap, k->n + 1, sizeof *k->votes);
    k->votes[k->n++] = (struct bias_vote){at, who, v->selected};
}

void bias_votes_release(struct bias_votes *k)
{
    free(k->votes);
    map_u64_release(&k->people);
    map_u64_release(&k->left);
}

static struct bias_input input_of(const struct bias_work *w, const struct bias_votes *k)
{
    return (struct bias_input){.images = w->images,
                               .n_images = w->pool.n,
                               .votes = k->votes,
                               .n_votes = k->n,
                               .n_classes = w->pool.n_classes,
                               .n_workers = (uint32_t)k->people.n,
                               .strategy = SAMPLE_STRATEGIES,
                               .groups = w->ask->groups,
                               .threads = w->ask->threads,
                               .seed = w->ask->seed};
}

/* The class's own thresholds, below 0 where it has none; NULL when none has. */
static const double *own_thresholds(struct bias_work *w)
{
    uint32_t n = w->pool.n_classes;
    if (w->sampled.n_own == 0) {
        return NULL;
    }
    double *out = arena_alloc(&w->own, n * sizeof *out);
    for (uint32_t c = 0; c < n; c++) {
        out[c] = -1;
        for (size_t i = 0; i < w->sampled.n_own; i++) {
            if (sv_eq(w->sampled.own[i].wnid, w->pool.classes[c].wnid)) {
                out[c] = w->sampled.own[i].threshold;
            }
        }
    }
    return out;
}

/* Imports do not say their size: what a class has on average. */
static uint32_t size_of(const struct bias_work *w)
{
    size_t classes = w->pool.n_classes ? w->pool.n_classes : 1;
    size_t mean = (w->n_members + classes / 2) / classes;
    return w->sampled.rules.size ? w->sampled.rules.size : mean ? (uint32_t)mean : 1;
}

static void votes_init(const struct bias_work *w, bool again, struct bias_votes *k)
{
    *k = (struct bias_votes){.w = w, .again = again};
    map_u64_init(&k->people);
    map_u64_init(&k->left);
}

enum err_code bias_votes_first(struct bias_work *w, struct bias_votes *k, struct err *err)
{
    struct view_ask view;
    votes_init(w, false, k);
    enum err_code rc = view_ask_of(w->db, &w->pool.view, w->pool.as_of, &w->own, &view, err);
    return rc == OK ? view_votes(w->t, &view, collect, k, err) : rc;
}

static enum err_code measure_first(struct bias_work *w, struct err *err)
{
    struct bias_votes k;
    enum err_code rc = bias_votes_first(w, &k, err);
    if (rc == OK) {
        struct bias_input in = input_of(w, &k);
        in.strategy = w->out->strategy;
        in.upward = w->sampled.rules.upward;
        in.threshold = w->sampled.rules.threshold;
        in.thresholds = own_thresholds(w);
        in.size = size_of(w);
        matching_bias(&in, &w->own, &w->out->first);
        /* Images that no vote chose have no luck to lose: their raw averages are right. */
        w->out->first.estimated.known &= w->out->strategy != SAMPLE_KEYWORD;
    }
    bias_votes_release(&k);
    return rc;
}

/* ---- again ---- */

/* The means that the images had at first which now have answers, every class with its weight in the
 * set. */
static void first_of_same(struct bias_work *w, const struct bias_votes *k)
{
    struct set_bias_again *out = &w->out->again;
    uint32_t classes = w->pool.n_classes;
    double *sum[2], *n[2], weight = 0;
    bool *seen = arena_calloc(&w->own, w->pool.n + 1, sizeof *seen);
    for (int o = 0; o < 2; o++) {
        sum[o] = arena_calloc(&w->own, classes + 1, sizeof **sum);
        n[o] = arena_calloc(&w->own, classes + 1, sizeof **n);
    }
    for (size_t i = 0; i < k->n; i++) {
        uint32_t at = k->votes[i].image;
        const struct sample_image *s = &w->pool.sample[at];
        if (!seen[at] && s->shown) {
            seen[at] = true;
            sum[s->original][s->class_index] += (double)s->selected / s->shown;
            n[s->original][s->class_index]++;
        }
    }
    for (uint32_t c = 0; c < classes; c++) {
        if (n[0][c] > 0 && n[1][c] > 0) {
            out->first_set += sum[0][c];
            out->first_original += n[0][c] * sum[1][c] / n[1][c];
            weight += n[0][c];
        }
    }
    out->first_set /= weight > 0 ? weight : 1;
    out->first_original /= weight > 0 ? weight : 1;
}

/* All originals of each class that the first votes measured: those shown again are a draw of them.
 */
static uint32_t *count_originals(struct bias_work *w)
{
    uint32_t *out = arena_calloc(&w->own, w->pool.n_classes + 1, sizeof *out);
    for (size_t i = 0; i < w->pool.n; i++) {
        out[w->images[i].class_index] += w->images[i].original;
    }
    return out;
}

static enum err_code name_campaigns(struct bias_work *w, const int64_t *ids, size_t n,
                                    struct err *err)
{
    struct set_bias_again *out = &w->out->again;
    enum err_code rc = OK;
    out->campaigns = arena_calloc(w->a, n + 1, sizeof *out->campaigns);
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct campaign k;
        rc = campaigns_get(w->db, ids[i], w->a, &k, err);
        if (rc == OK) {
            out->campaigns[out->n_campaigns++] = k.name;
        }
    }
    return rc;
}

enum err_code bias_votes_again(struct bias_work *w, struct bias_votes *k, struct err *err)
{
    struct view_ask view = {.as_of = w->ask->as_of};
    int64_t *campaigns, *met;
    votes_init(w, true, k);
    enum err_code rc =
        remeasurements_list(w->db, w->out->revision.id, &w->own, &campaigns, &view.n_campaigns, err);
    if (rc != OK || view.n_campaigns == 0) {
        return rc;
    }
    view.campaigns = campaigns;
    rc = name_campaigns(w, campaigns, view.n_campaigns, err);
    rc = rc == OK ? remeasurements_people(w->db, w->out->revision.id, &w->own, &met, &k->n_met, err) : rc;
    if (rc == OK) {
        k->met = met;
        rc = view_votes(w->t, &view, collect, k, err);
    }
    return rc;
}

static enum err_code measure_again(struct bias_work *w, struct err *err)
{
    struct set_bias_again *out = &w->out->again;
    struct bias_votes k;
    enum err_code rc = bias_votes_again(w, &k, err);
    if (rc == OK && out->n_campaigns) {
        struct bias_input in = input_of(w, &k);
        in.originals = count_originals(w);
        matching_bias(&in, &w->own, &out->now);
        out->votes = k.n;
        out->votes_met = k.votes_met;
        out->people_met = k.left.n;
        first_of_same(w, &k);
    }
    bias_votes_release(&k);
    return rc;
}

/* ---- the figure that leads ---- */

static struct bias_leading estimated(const struct set_bias *b)
{
    const struct matching_bias *f = &b->first;
    struct bias_leading l = {.method = BIAS_ESTIMATED, .estimate = f->estimated, .holds = true};
    l.words =
        f->kept + f->removed ? "estimated from votes and final review" : "estimated from votes";
    if (b->strategy == SAMPLE_STRATEGIES) {
        l.why_not =
            "The revision does not say how it was sampled: the estimate holds only if these "
            "answers chose the images.";
    } else if (f->kept && f->removed == 0 && !b->sampled) {
        l.why_not = "The final review is recorded, but not what it removed, so the estimate does not account "
                    "for it.";
    }
    l.holds = l.why_not == NULL;
    return l;
}

struct bias_leading set_bias_leading(const struct set_bias *b)
{
    static const char *const silence[] = {
        [BIAS_SPEAKS] = "",
        [BIAS_NO_VOTES] = "No class has answers about images of the set and about originals.",
        [BIAS_FEW_ANSWERS] = "A typical image has fewer than 3 answers, too few for an estimate.",
        [BIAS_NO_TOP] = "The answers hardly tell images apart, so there is no estimate.",
    };
    if (b->again.n_campaigns && b->again.now.raw.known) {
        return (struct bias_leading){BIAS_MEASURED_AGAIN, "measured again", b->again.now.raw, true,
                                     NULL};
    }
    if (b->strategy == SAMPLE_KEYWORD && b->first.raw.known) {
        return (struct bias_leading){BIAS_RAW, "raw averages", b->first.raw, true, NULL};
    }
    if (b->first.estimated.known) {
        return estimated(b);
    }
    return (struct bias_leading){
        .method = BIAS_NONE, .words = "not known", .why_not = silence[b->first.silence]};
}

const char *set_bias_no_designs(const struct set_bias *b)
{
    return b->first.n_at                    ? NULL
           : b->strategy == SAMPLE_KEYWORD  ? "The set was chosen by keywords, not by frequencies: noise "
                                              "has not favoured its images, and the raw averages are what "
                                              "they seem."
           : b->strategy == SAMPLE_STRATEGIES ? "The revision does not say how it was sampled, so the "
                                                "sampling cannot be repeated with fewer answers."
           : b->first.answers < 2 ? "A typical image has fewer than 2 answers, so none can be held out."
                                  : "With fewer answers the same rules choose no images, so there is nothing "
                                    "to measure.";
}

enum err_code bias_work_open(struct bias_work *w, struct sv name, struct err *err)
{
    *w->out = (struct set_bias){.seed = w->ask->seed};
    arena_init(&w->own, SIZE_MAX / 2);
    enum err_code rc = find_revision(w, name, err);
    rc = rc == OK ? load_pool(w, err) : rc;
    return rc == OK ? set_bias_reviews(w, err) : rc;
}

void bias_work_close(struct bias_work *w)
{
    pool_release(&w->pool);
    arena_release(&w->own);
}

enum err_code set_bias_make(struct db *db, struct tally *t, struct sv name,
                            const struct set_bias_ask *ask, struct arena *a, struct set_bias *out,
                            struct err *err)
{
    struct bias_work w = {.db = db, .t = t, .ask = ask, .a = a, .out = out};
    enum err_code rc = bias_work_open(&w, name, err);
    rc = rc == OK ? measure_first(&w, err) : rc;
    rc = rc == OK ? measure_again(&w, err) : rc;
    bias_work_close(&w);
    return rc;
}
