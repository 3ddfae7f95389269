/* valid_labels.c - counts images by how many labels are valid; brings the votes about each image of a set together. */
#include "measures/objects/valid_labels.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "measures/scores/model_scores_private.h"

static const char *const group_words[VALID_GROUPS] = {"all", "single", "multi"};

void valid_count(struct valid_counts *c, const struct candidates_ask *ask, enum valid_group group, bool relative)
{
    for (uint32_t t = 0; t < VALID_THRESHOLDS; t++) {
        size_t n = labels_valid(ask, VALID_FIRST + t * VALID_STEP, relative);
        c->images[t][VALID_ALL][n]++;
        if (group != VALID_ALL) {
            c->images[t][group][n]++;
        }
    }
}

static size_t add_group(const struct valid_counts *c, uint32_t t, enum valid_group group, struct valid_row *rows)
{
    const uint32_t *images = c->images[t][group];
    uint32_t all = 0, most = 0;
    for (uint32_t n = 0; n <= CANDIDATE_LABELS; n++) {
        all += n ? images[n] : 0;
        most = images[n] ? n : most;
    }
    uint32_t left = all;
    for (uint32_t n = 0; n <= most; n++) {
        bool told = n > 0 && all > 0;
        rows[n] = (struct valid_row){.threshold = (double)(VALID_FIRST + t * VALID_STEP) / CANDIDATE_SHARE,
                                     .subset = group_words[group],
                                     .labels = n,
                                     .images = images[n],
                                     .share = told ? (double)images[n] / all : (double)NAN,
                                     .at_least = told ? (double)left / all : (double)NAN};
        left -= n ? images[n] : 0;
    }
    return (size_t)most + 1;
}

struct valid_row *valid_rows(const struct valid_counts *c, bool groups, struct arena *a, size_t *n)
{
    const size_t room = (size_t)VALID_THRESHOLDS * VALID_GROUPS * (CANDIDATE_LABELS + 1);
    struct valid_row *rows = xcalloc(room, sizeof *rows);
    *n = 0;
    for (uint32_t t = 0; t < VALID_THRESHOLDS; t++) {
        for (int group = 0; group < (groups ? VALID_GROUPS : 1); group++) {
            *n += add_group(c, t, (enum valid_group)group, rows + *n);
        }
    }
    struct valid_row *out = arena_calloc(a, *n + 1, sizeof *out);
    for (size_t i = 0; i < *n; i++) {
        out[i] = rows[i];
    }
    free(rows);
    return out;
}

/* ---- votes about a set ---- */

struct label_vote {
    uint32_t at; /* position */
    struct contains_count count;
};

static int by_place(const void *a, const void *b)
{
    const struct label_vote *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : (x->count.label > y->count.label) - (x->count.label < y->count.label);
}

static struct label_vote *read_votes(const struct revision_scores *r, const struct view_counts *v, size_t *n)
{
    struct positions at = score_positions(r);
    struct label_vote *votes = xcalloc(v->n + 1, sizeof *votes);
    *n = 0;
    for (size_t i = 0; i < v->n; i++) {
        uint32_t to = v->shown[i] ? score_position(&at, v->image[i]) : NO_POSITION;
        if (to != NO_POSITION) {
            votes[(*n)++] = (struct label_vote){to, {v->class_id[i], v->selected[i], v->shown[i]}};
        }
    }
    if (*n) {
        qsort(votes, *n, sizeof *votes, by_place);
    }
    free(at.of);
    return votes;
}

static enum valid_group group_of(const struct revision_scores *r, uint32_t at)
{
    const struct fold_labels *l = r->labels;
    return !l || !l->there[at] ? VALID_ALL : l->several[at] ? VALID_MULTI : VALID_SINGLE;
}

static void count_images(const struct revision_scores *r, const struct valid_ask *ask, struct valid_counts *counts, struct valid_found *out)
{
    struct contains_count list[CANDIDATE_LABELS];
    size_t n_votes, next = 0;
    struct label_vote *votes = read_votes(r, ask->votes, &n_votes);
    for (uint32_t i = 0; i < r->n; i++) {
        size_t n = 0;
        for (; next < n_votes && votes[next].at == i; next++) {
            if (n < CANDIDATE_LABELS) {
                list[n++] = votes[next].count;
            }
        }
        if (!subset_has(ask->subset, r->image[i], r->class_id[i])) {
            continue;
        }
        out->sealed += r->sealed[i];
        if (r->sealed[i] || n == 0) {
            out->unasked += !r->sealed[i];
            continue;
        }
        const struct candidates_ask image = {.label = r->class_id[i], .counts = list, .n = n, .least = CANDIDATE_LEAST};
        out->images++;
        out->several += n > 1;
        valid_count(counts, &image, group_of(r, i), !ask->absolute);
    }
    free(votes);
}

enum err_code valid_labels_make(struct model_scores *s, struct db *db, const struct valid_ask *ask, struct arena *a,
                                struct valid_found *out, struct err *err)
{
    struct revision_scores *r;
    struct valid_counts *counts = xcalloc(1, sizeof *counts);
    bool groups = false;
    *out = (struct valid_found){.n = 0};
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, ask->revision, model_scores_labels(ask->subset), &r, err);
    if (rc == OK) {
        groups = r->labels != NULL;
        count_images(r, ask, counts, out);
    }
    pthread_mutex_unlock(&s->lock);
    if (rc == OK) {
        out->rows = valid_rows(counts, groups, a, &out->n);
    }
    free(counts);
    return rc;
}
