/* said_frequency.c - looks up the votes about what each model says of each image, then draws images. */
#include "measures/votes/said_frequency.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "base/xalloc.h"
#include "measures/scores/model_right.h"
#include "measures/scores/model_scores_private.h"
#include "store/classes/classes.h"

#define OF(member) RECORD_OF(struct said_line, member)
#define BIN(k)                                                                                                         \
    {"others_" #k, OF(bins[k]), .about = "How many of the others are in bin " #k " of five of frequency, 0 the lowest."}
RECORD(said_line_record, struct said_line, "said_frequency", "How often people find in images what a model says is in them.",
       {"model", OF(model), .maybe = true, .about = "The model's name; null: the set's labels."},
       {"images", OF(images), .about = "Images with a label or prediction."},
       {"asked", OF(asked), .about = "Of them, those of which people were asked about what is said; the rest is of these."},
       {"frequency", OF(frequency.value), .maybe = true, .about = "Mean selection frequency of what is said, from 0 to 1."},
       {"frequency_lo", OF(frequency.lo), .maybe = true, .about = "Lower bound: 2.5 % percentile of resamples of images."},
       {"frequency_hi", OF(frequency.hi), .maybe = true, .about = "Upper bound: 97.5 %."},
       {"others", OF(others), .about = "Of these images, those of which something else than the label is said."},
       {"others_frequency", OF(others_frequency), .maybe = true, .about = "Mean selection frequency of what is said there."},
       BIN(0), BIN(1), BIN(2), BIN(3), BIN(4));
#undef BIN
#undef OF

/* ---- votes by position ---- */

struct said_vote {
    uint32_t at;
    uint16_t cid;
    uint32_t shown, selected;
};
struct said {
    const struct said_ask *ask;
    const struct revision_scores *r;
    struct said_vote *votes; /* by position and class number */
    size_t n_votes;
    struct said_line *line;  /* the one that is counted */
    double **values;         /* by line: frequencies, `asked` of them; on the heap */
    struct said_frequencies *out;
};

static int by_place(const void *a, const void *b)
{
    const struct said_vote *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : (x->cid > y->cid) - (x->cid < y->cid);
}

static enum err_code read_votes(struct said *s, struct db *db, struct arena *a, struct err *err)
{
    const struct view_counts *v = s->ask->votes;
    struct class_info *classes;
    size_t n;
    struct map_u64 cids;
    enum err_code rc = classes_list(db, a, &classes, &n, err);
    if (rc != OK) {
        return rc;
    }
    struct positions at = score_positions(s->r);
    map_u64_init(&cids);
    for (size_t i = 0; i < n; i++) {
        map_u64_put(&cids, (uint64_t)classes[i].id, (uint32_t)classes[i].cid);
    }
    s->votes = xcalloc(v->n + 1, sizeof *s->votes);
    for (size_t i = 0; i < v->n; i++) {
        uint32_t to = v->shown[i] ? score_position(&at, v->image[i]) : NO_POSITION;
        uint32_t cid = to != NO_POSITION ? map_u64_get(&cids, v->class_id[i]) : MAP_NONE;
        if (cid < PREDICTION_NONE) {
            s->votes[s->n_votes++] = (struct said_vote){to, (uint16_t)cid, v->shown[i], v->selected[i]};
        }
    }
    qsort(s->votes, s->n_votes, sizeof *s->votes, by_place);
    map_u64_release(&cids);
    free(at.of);
    return OK;
}

static const struct said_vote *vote_about(const struct said *s, uint32_t at, uint16_t cid)
{
    const struct said_vote key = {.at = at, .cid = cid};
    return bsearch(&key, s->votes, s->n_votes, sizeof key, by_place);
}

/* ---- a line ---- */

/* Of one image: what is said of it has this class number. */
static void add(struct said *s, double *values, uint32_t at, uint16_t cid)
{
    struct said_line *l = s->line;
    const struct said_vote *v = vote_about(s, at, cid);
    l->images++;
    if (!v) {
        return;
    }
    values[l->asked++] = v->selected / (double)v->shown;
    if (cid != s->r->cid[at]) {
        l->others++;
        l->others_frequency += v->selected / (double)v->shown;
        l->bins[histogram_bin(v->selected, v->shown)]++;
    }
}

static bool meant(const struct said *s, uint32_t at)
{
    return !s->r->sealed[at] && (subset_is_all(s->ask->subset) || subset_has(s->ask->subset, s->r->image[at], s->r->class_id[at]));
}

/* `ranks`: of the model; NULL: the labels. */
static void count_line(struct said *s, struct sv model, const struct model_ranks *ranks)
{
    struct said_frequencies *out = s->out;
    double *values = xmalloc(((size_t)s->r->n + 1) * sizeof *values);
    s->line = &out->lines[out->n_lines];
    *s->line = (struct said_line){.model = model};
    for (uint32_t i = 0; i < s->r->n; i++) {
        if (meant(s, i) && (!ranks || ranks->rank[i] != NO_RECORD)) {
            add(s, values, i, ranks ? score_fold_first(ranks, i) : s->r->cid[i]);
        }
    }
    s->line->others_frequency = s->line->others ? s->line->others_frequency / s->line->others : (double)NAN;
    if (s->line->images) {
        s->values[out->n_lines++] = values;
    } else {
        free(values);
    }
}

static void count_all(struct said *s)
{
    const struct said_ask *ask = s->ask;
    for (uint32_t i = 0; i < s->r->n; i++) {
        s->out->sealed += s->r->sealed[i];
    }
    count_line(s, SV(""), NULL);
    for (size_t m = 0; m < ask->n_models; m++) {
        const struct model_ranks *ranks = model_scores_find(s->r, ask->models[m].id);
        if (ranks) {
            count_line(s, ask->models[m].name, ranks);
        }
    }
}

/* ---- how sure ---- */

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double mean_of(const double *v, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += v[i];
    }
    return sum / n;
}

static void draw(const double *v, uint32_t n, uint32_t resamples, struct rng *g, struct proportion *p)
{
    double *means = xmalloc(resamples * sizeof *means);
    uint32_t *pick = xmalloc(n * sizeof *pick);
    for (uint32_t b = 0; b < resamples; b++) {
        double sum = 0;
        rng_fill_below(g, n, pick, n);
        for (uint32_t i = 0; i < n; i++) {
            sum += v[pick[i]];
        }
        means[b] = sum / n;
    }
    qsort(means, resamples, sizeof *means, rising);
    p->lo = means[(size_t)floor(0.025 * (resamples - 1))];
    p->hi = means[(size_t)ceil(0.975 * (resamples - 1))];
    free(pick);
    free(means);
}

static void draw_line(void *arg, unsigned worker, size_t i)
{
    const struct said *s = arg;
    struct said_line *l = &s->out->lines[i];
    struct rng g;
    (void)worker;
    l->frequency = (struct proportion){(double)NAN, (double)NAN, (double)NAN};
    if (l->asked) {
        rng_stream(&g, s->ask->seed, i);
        l->frequency.value = mean_of(s->values[i], l->asked);
        draw(s->values[i], l->asked, s->ask->resamples, &g, &l->frequency);
    }
}

/* ---- all ---- */

enum err_code said_frequencies_make(struct model_scores *scores, struct db *db, const struct said_ask *ask, struct arena *a,
                                    struct said_frequencies *out, struct err *err)
{
    struct revision_scores *r;
    *out = (struct said_frequencies){.lines = arena_calloc(a, ask->n_models + 1, sizeof *out->lines)};
    struct said s = {.ask = ask, .out = out, .values = xcalloc(ask->n_models + 1, sizeof *s.values)};
    pthread_mutex_lock(&scores->lock);
    enum err_code rc = model_scores_look(scores, db, ask->revision, NULL, &r, err);
    s.r = rc == OK ? r : NULL;
    rc = rc == OK ? read_votes(&s, db, a, err) : rc;
    if (rc == OK) {
        count_all(&s);
    }
    pthread_mutex_unlock(&scores->lock);
    if (rc == OK) {
        parallel_for(ask->threads, out->n_lines, draw_line, &s);
    }
    for (size_t i = 0; i < out->n_lines; i++) {
        out->lines[i].model = arena_sv(a, out->lines[i].model);
        free(s.values[i]);
    }
    free(s.values);
    free(s.votes);
    return rc;
}

/* ---- what is kept ---- */

enum err_code said_frequencies_key(struct model_scores *scores, struct db *db, const struct said_ask *ask, uint64_t *out, struct err *err)
{
    uint64_t parts[6] = {subset_hash(ask->subset), ask->resamples, ask->seed, (uint64_t)ask->votes->cursor, (uint64_t)ask->view};
    for (size_t i = 0; i < ask->n_models; i++) {
        parts[0] = hash_u64(parts[0] ^ (uint64_t)ask->models[i].id);
    }
    enum err_code rc = model_right_version(scores, db, ask->revision, NULL, &parts[5], err);
    *out = hash_bytes(parts, sizeof parts);
    return rc;
}

void said_frequencies_copy(const struct said_frequencies *from, struct arena *a, struct said_frequencies *out)
{
    *out = *from;
    out->lines = arena_calloc(a, from->n_lines + 1, sizeof *out->lines);
    for (size_t i = 0; i < from->n_lines; i++) {
        out->lines[i] = from->lines[i];
        out->lines[i].model = arena_sv(a, from->lines[i].model);
    }
}
