/* label_scores.c - counts over the bits that a fold by a source's labels keeps of every first answer. */
#include "measures/scores/label_scores.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/xalloc.h"
#include "measures/scores/model_scores_private.h"

struct over {               /* a source's labels laid over a fold */
    const struct revision_scores *r;
    const struct fold_labels *l;
    const struct subset *subset;
};

static bool means(const struct over *o, uint32_t at)
{
    return !o->r->sealed[at] && subset_has(o->subset, o->r->image[at], o->r->class_id[at]);
}

/* Labels of an image that are right by the rule. */
static uint32_t count_right(const struct over *o, uint32_t at)
{
    const unsigned char bits = label_rule_bits(o->subset->labels.rule);
    uint32_t n = 0;
    for (uint32_t k = o->l->first[at]; k < o->l->first[at + 1]; k++) {
        n += (o->l->said[k] & bits) != 0;
    }
    return n < LABEL_NUMBERS ? n : LABEL_NUMBERS;
}

static void cover(const struct over *o, struct label_coverage *c)
{
    const struct fold_labels *l = o->l;
    *c = (struct label_coverage){.images = 0};
    for (uint32_t i = 0; i < o->r->n; i++) {
        bool meant = means(o, i), counted = meant && l->counts[i];
        c->images += meant;
        c->there += meant && l->there[i];
        c->counted += counted;
        c->part[l->several[i] ? PART_MULTI : PART_SINGLE] += counted;
        c->part[PART_DISAGREE] += counted && l->disagrees[i];
        if (counted) {
            c->right[count_right(o, i)]++;
        }
    }
    c->part[PART_ALL] = c->counted;
}

/* The positions that count, and of each the class of the set's label, numbered as they come. */
struct counted {
    uint32_t *at, *class_at;
    uint32_t n, n_classes;
};

static struct counted find_counted(const struct over *o)
{
    struct map_u64 classes;
    struct counted c = {.at = xcalloc((size_t)o->r->n + 1, sizeof *c.at), .class_at = xcalloc((size_t)o->r->n + 1, sizeof *c.class_at)};
    map_u64_init(&classes);
    for (uint32_t i = 0; i < o->r->n; i++) {
        if (o->l->counts[i] && means(o, i)) {
            c.at[c.n] = i;
            c.class_at[c.n] = map_u64_put(&classes, o->r->class_id[i], c.n_classes);
            c.n_classes += c.class_at[c.n] == c.n_classes;
            c.n++;
        }
    }
    map_u64_release(&classes);
    return c;
}

/* Images that are counted together: for each what every class would be as an answer about it. Models times images of answers are
 * counted after every verdict of a review, so an image's labels are looked through once for all models, and what a model is
 * read from stays in the cache. */
enum { BLOCK = 64 };
struct block {
    const struct over *o;
    const struct counted *list;
    uint32_t from, n;    /* in the list */
    unsigned char *bits; /* of image k and class cid: at k * classes + cid */
    size_t classes;      /* cids that a label of any image has are below it */
};

static size_t classes_of(const struct over *o)
{
    size_t most = 0;
    for (uint32_t i = 0; i < o->r->n; i++) {
        most = o->r->cid[i] > most ? o->r->cid[i] : most;
    }
    for (size_t i = 0; i < o->l->n_labels; i++) {
        most = o->l->cid[i] > most ? o->l->cid[i] : most;
    }
    return most + 1;
}

static void block_fill(struct block *b)
{
    for (uint32_t k = 0; k < b->n; k++) {
        const uint32_t at = b->list->at[b->from + k];
        unsigned char *bits = b->bits + k * b->classes;
        bits[b->o->r->cid[at]] |= SAID_SET;
        for (uint32_t l = b->o->l->first[at]; l < b->o->l->first[at + 1]; l++) {
            bits[b->o->l->cid[l]] |= b->o->l->said[l];
        }
    }
}

static void block_clear(struct block *b)
{
    for (uint32_t k = 0; k < b->n; k++) {
        const uint32_t at = b->list->at[b->from + k];
        unsigned char *bits = b->bits + k * b->classes;
        bits[b->o->r->cid[at]] = 0;
        for (uint32_t l = b->o->l->first[at]; l < b->o->l->first[at + 1]; l++) {
            bits[b->o->l->cid[l]] = 0;
        }
    }
}

static void block_count(const struct block *b, const struct model_ranks *m, struct multilabel_count *out)
{
    for (uint32_t k = 0; k < b->n; k++) {
        const uint32_t at = b->list->at[b->from + k];
        if (m->rank[at] != NO_RECORD) {
            const uint16_t cid = score_fold_first(m, at);
            const unsigned char said = cid < b->classes ? b->bits[k * b->classes + cid] : 0;
            multilabel_add(out, said, b->list->class_at[b->from + k], b->o->l->several[at], b->o->l->disagrees[at]);
        }
    }
}

static void count_models(const struct over *o, const struct counted *list, struct multilabel_count *of)
{
    struct block b = {.o = o, .list = list, .classes = classes_of(o)};
    b.bits = xcalloc(BLOCK, b.classes);
    for (; b.from < list->n; b.from += BLOCK) {
        b.n = list->n - b.from < BLOCK ? list->n - b.from : BLOCK;
        block_fill(&b);
        for (size_t m = 0; m < o->r->n_models; m++) {
            block_count(&b, &o->r->models[m], &of[m]);
        }
        block_clear(&b);
    }
    free(b.bits);
}

static int by_model(const void *a, const void *b)
{
    int64_t x = ((const struct label_score *)a)->model, y = ((const struct label_score *)b)->model;
    return (x > y) - (x < y);
}

static void count_all(const struct over *o, struct arena *a, struct label_coverage *coverage, struct label_score **out, size_t *n)
{
    struct counted counted = find_counted(o);
    struct multilabel_count *of = xcalloc(o->r->n_models + 1, sizeof *of);
    cover(o, coverage);
    for (size_t i = 0; i < o->r->n_models; i++) {
        multilabel_begin(&of[i], counted.n_classes);
    }
    count_models(o, &counted, of);
    *out = arena_calloc(a, o->r->n_models + 1, sizeof **out);
    for (size_t i = 0; i < o->r->n_models; i++) {
        (*out)[*n] = (struct label_score){o->r->models[i].model, multilabel_end(&of[i])};
        *n += (*out)[*n].counts.n > 0;
    }
    free(of);
    free(counted.at);
    free(counted.class_at);
}

/* With the lock held. Verdicts of a label review change with every save: they are laid over the fold by the set's own labels. *own:
 * to be freed, on failure too. */
static enum err_code lay_over(struct model_scores *s, struct db *db, const struct revision_row *r, const struct subset *subset,
                              struct fold_labels **own, struct over *out, struct err *err)
{
    struct revision_scores *rs = NULL;
    bool review = subset->labels.version.list < 0;
    enum err_code rc = model_scores_look(s, db, r, review ? NULL : model_scores_labels(subset), &rs, err);
    rc = rc == OK && review ? fold_labels_read(rs, db, &subset->labels, own, err) : rc;
    if (rc == OK) {
        *out = (struct over){rs, *own ? *own : rs->labels, subset};
    }
    return rc;
}

enum err_code label_scores_of(struct model_scores *s, struct db *db, const struct revision_row *r,
                              const struct subset *subset, struct arena *a, struct label_coverage *coverage,
                              struct label_score **out, size_t *n, struct err *err)
{
    struct fold_labels *own = NULL;
    struct over o;
    *n = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = lay_over(s, db, r, subset, &own, &o, err);
    if (rc == OK) {
        count_all(&o, a, coverage, out, n);
    }
    fold_labels_free(own);
    pthread_mutex_unlock(&s->lock);
    if (*n) {
        qsort(*out, *n, sizeof **out, by_model);
    }
    return rc;
}

/* ---- by groups of classes ---- */

static uint32_t count_groups(const struct over *o, const struct model_ranks *m, const struct class_groups *groups, struct label_group_count *out)
{
    const enum label_kind kind = o->subset->labels.version.kind;
    const unsigned char strict = label_rule_bits(label_rule_usual(kind));
    const unsigned char lenient = kind == LABEL_KIND_REVIEW ? label_rule_bits(LABEL_RULE_LENIENT) : strict;
    uint32_t answers = 0;
    for (uint32_t i = 0; i < o->r->n; i++) {
        if (m->rank[i] == NO_RECORD || !o->l->counts[i] || !means(o, i)) {
            continue;
        }
        uint32_t group = groups->of_cid[o->r->cid[i]];
        answers++;
        if (group != CLASS_GROUP_NONE) {
            unsigned char said = fold_labels_said(o->r, o->l, i, score_fold_first(m, i));
            out[group].n++;
            out[group].right += (said & strict) != 0;
            out[group].lenient += (said & lenient) != 0;
        }
    }
    return answers;
}

static int by_group_model(const void *a, const void *b)
{
    int64_t x = ((const struct label_group_score *)a)->model, y = ((const struct label_group_score *)b)->model;
    return (x > y) - (x < y);
}

enum err_code label_groups_of(struct model_scores *s, struct db *db, const struct revision_row *r, const struct subset *subset,
                              const struct class_groups *groups, struct arena *a, struct label_group_score **out, size_t *n, struct err *err)
{
    struct fold_labels *own = NULL;
    struct over o;
    *n = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = lay_over(s, db, r, subset, &own, &o, err);
    if (rc == OK) {
        *out = arena_calloc(a, o.r->n_models + 1, sizeof **out);
        for (size_t i = 0; i < o.r->n_models; i++) {
            struct label_group_score *g = &(*out)[*n];
            *g = (struct label_group_score){.model = o.r->models[i].model, .group = arena_calloc(a, (size_t)groups->n + 1, sizeof *g->group)};
            g->answers = count_groups(&o, &o.r->models[i], groups, g->group);
            *n += g->answers > 0;
        }
    }
    fold_labels_free(own);
    pthread_mutex_unlock(&s->lock);
    if (*n) {
        qsort(*out, *n, sizeof **out, by_group_model);
    }
    return rc;
}
