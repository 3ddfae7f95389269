/* text_shares.c - images of a set whose answer was no class, counted by reason and by text. */
#include "measures/texts/text_shares.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/map.h"
#include "domain/labels/text_class.h"
#include "measures/scores/model_scores_private.h"

#define OF(member) RECORD_OF(struct text_share, member)
#define SHARE(name, member, what)                                                                                                  \
    {name, OF(member.value), .maybe = true, .about = what ", as a share of images; null without images."},                          \
        {name "_lo", OF(member.lo), .maybe = true, .about = "Its 95 % interval by Clopper and Pearson: from."},                     \
        {name "_hi", OF(member.hi), .maybe = true, .about = "And to."}
RECORD(text_share_record, struct text_share, "text_share", "How much of what a model said about a set stands for no class.",
       {"model", OF(name), .about = "The model that a mapping made: MODEL@MAPPING."},
       {"base", OF(base), .about = "The model that said the texts."},
       {"mapping", OF(mapping), .about = "The mapping from texts to classes."},
       {"version", OF(version), .about = "Its version; of several that which scores most images."},
       {"set", OF(set), .about = "The revision, SET/NUMBER."},
       {"images", OF(images), .about = "Images with an answer, but for those that a sealed revision has too."},
       {"out_of_list", OF(out_of_list), .about = "Whose text is no synonym of any class; they count as wrong."},
       {"ambiguous", OF(ambiguous), .about = "Whose text is a synonym of several classes; they count as wrong."},
       {"empty", OF(empty), .about = "Without a text; they count as wrong."},
       SHARE("out_of_list_share", out_share, "Out of list"), SHARE("ambiguous_share", ambiguous_share, "Ambiguous"),
       SHARE("empty_share", empty_share, "Empty"));
#undef OF
#define OF(member) RECORD_OF(struct text_unmapped_row, member)
RECORD(text_unmapped_record, struct text_unmapped_row, "text_unmapped", "A text that stands for no class.",
       {"text", OF(text), .about = "What the model said."},
       {"wnid", OF(wnid), .face = RECORD_CSV, .about = "Empty: fill in the class and give the file to map-texts."},
       {"images", OF(images), .about = "How many images got it."},
       {"reason", OF(reason), .about = "out-of-list, ambiguous or empty."});
#undef OF

/* ---- walking over what counts ---- */

/* The images of a model on a revision that a prediction source scores. */
struct walk {
    const struct revision_scores *r;
    struct positions at;
    const struct model_ranks *m;
    int64_t source;
    struct text_share *share;
    struct map_u64 *texts; /* text and outcome -> index into rows; NULL: only shares */
    struct list *rows;
    struct arena *arena;
};

/* A text that stands for no class, by number. */
struct counted {
    uint32_t text;
    enum text_outcome outcome;
    uint32_t images;
};

static bool scores(const struct walk *w, uint32_t at)
{
    return at != NO_POSITION && !w->r->sealed[at] && w->m->rank[at] != NO_RECORD && w->m->sources[w->m->holder[at]].id == w->source;
}

static void count_text(const struct walk *w, const struct text_unmapped *u)
{
    uint64_t key = (uint64_t)u->text << 2 | (unsigned)u->outcome;
    uint32_t at = map_u64_put(w->texts, key, (uint32_t)w->rows->n);
    if (at == w->rows->n) {
        *LIST_ADD(w->rows, w->arena, struct counted) = (struct counted){u->text, (enum text_outcome)u->outcome, 0};
    }
    ((struct counted *)w->rows->items)[at].images++;
}

static void count_unmapped(void *arg, const struct text_unmapped *u)
{
    const struct walk *w = arg;
    if (!scores(w, score_position(&w->at, u->image))) {
        return;
    }
    w->share->out_of_list += u->outcome == TEXT_OUT_OF_LIST;
    w->share->ambiguous += u->outcome == TEXT_AMBIGUOUS;
    w->share->empty += u->outcome == TEXT_EMPTY;
    if (w->texts && u->outcome > TEXT_CLASS && u->outcome <= TEXT_EMPTY) {
        count_text(w, u);
    }
}

static uint32_t images_of(const struct walk *w)
{
    uint32_t n = 0;
    for (uint32_t at = 0; at < w->r->n; at++) {
        n += scores(w, at);
    }
    return n;
}

/* Adds what one source has to the share of its model; *most is the number of images of the version that is named. */
static enum err_code add_source(struct walk *w, struct db *db, const struct text_mapped *d, uint32_t *most, struct err *err)
{
    w->m = model_scores_find(w->r, d->model);
    w->source = d->source;
    uint32_t images = w->m ? images_of(w) : 0;
    if (images == 0) {
        return OK;
    }
    if (images > *most) {
        *most = images;
        w->share->version = d->version;
    }
    w->share->images += images;
    return text_unmapped_each(db, d->source, count_unmapped, w, err);
}

/* ---- shares ---- */

static struct text_share *share_of(struct list *shares, struct arena *a, const struct text_mapped *d, const char *set)
{
    struct text_share *list = shares->items;
    for (size_t i = 0; i < shares->n; i++) {
        if (list[i].model == d->model && sv_eq(list[i].mapping, d->name)) {
            return &list[i];
        }
    }
    struct text_share *new = LIST_ADD(shares, a, struct text_share);
    *new = (struct text_share){.model = d->model, .version = d->version, .name = d->model_name, .base = d->base_name, .mapping = d->name, .set = set};
    return new;
}

static int by_name(const void *a, const void *b)
{
    return sv_cmp(((const struct text_share *)a)->name, ((const struct text_share *)b)->name);
}

static void finish(struct list *shares, struct text_share **out, size_t *n)
{
    struct text_share *list = shares->items;
    *out = list;
    for (size_t i = 0; i < shares->n; i++) {
        struct text_share *s = &list[i];
        s->out_share = binomial_proportion(s->out_of_list, s->images);
        s->ambiguous_share = binomial_proportion(s->ambiguous, s->images);
        s->empty_share = binomial_proportion(s->empty, s->images);
        if (s->images) {
            list[(*n)++] = *s;
        }
    }
    if (*n) {
        qsort(list, *n, sizeof *list, by_name);
    }
}

/* With the lock held. Sources of a share need not follow one another: the most images are kept by share. */
static enum err_code add_all(struct walk *w, struct db *db, const struct text_mapped *mapped, size_t n, const char *set, struct list *shares,
                             struct err *err)
{
    uint32_t *most = arena_calloc(w->arena, n + 1, sizeof *most);
    enum err_code rc = OK;
    w->at = score_positions(w->r);
    for (size_t i = 0; i < n && rc == OK; i++) {
        w->share = share_of(shares, w->arena, &mapped[i], set);
        rc = add_source(w, db, &mapped[i], &most[w->share - (struct text_share *)shares->items], err);
    }
    free(w->at.of);
    return rc;
}

static const char *set_name(const struct revision_row *r, struct arena *a)
{
    return arena_printf(a, SV_FMT "/%lld", SV_ARG(r->set), (long long)r->number);
}

/* Both of the answers that are asked for; rows NULL: shares alone. */
static enum err_code walk_over(struct model_scores *s, struct db *db, const struct revision_row *r, int64_t model, struct arena *a,
                               struct list *shares, struct map_u64 *texts, struct list *rows, struct err *err)
{
    struct walk w = {.arena = a, .texts = texts, .rows = rows};
    struct revision_scores *rs;
    struct text_mapped *mapped;
    size_t n = 0;
    pthread_mutex_lock(&s->lock);
    enum err_code rc = model_scores_look(s, db, r, NULL, &rs, err);
    rc = rc == OK ? text_mapped_list(db, model, a, &mapped, &n, err) : rc;
    if (rc == OK && n) {
        w.r = rs;
        rc = add_all(&w, db, mapped, n, set_name(r, a), shares, err);
    }
    pthread_mutex_unlock(&s->lock);
    return rc;
}

enum err_code text_shares_on(struct model_scores *s, struct db *db, const struct revision_row *r, int64_t model, struct arena *a,
                             struct text_share **out, size_t *n, struct err *err)
{
    struct list shares = {.n = 0};
    *n = 0;
    enum err_code rc = walk_over(s, db, r, model, a, &shares, NULL, NULL, err);
    if (rc == OK) {
        finish(&shares, out, n);
    }
    return rc;
}

const char *text_share_words(const struct text_share *s, struct arena *a)
{
    return arena_printf(a,
                        "%.1f %% (%.1f to %.1f) of %u images out of list, %.1f %% (%.1f to %.1f) ambiguous, %.1f %% (%.1f to %.1f) empty",
                        100 * s->out_share.value, 100 * s->out_share.lo, 100 * s->out_share.hi, s->images, 100 * s->ambiguous_share.value,
                        100 * s->ambiguous_share.lo, 100 * s->ambiguous_share.hi, 100 * s->empty_share.value, 100 * s->empty_share.lo,
                        100 * s->empty_share.hi);
}

/* ---- texts ---- */

static int by_images(const void *pa, const void *pb)
{
    const struct text_unmapped_row *a = pa, *b = pb;
    return a->images != b->images ? (a->images < b->images) - (a->images > b->images) : sv_cmp(a->text, b->text);
}

enum err_code text_unmapped_on(struct model_scores *s, struct db *db, const struct revision_row *r, int64_t model, struct arena *a,
                               struct text_unmapped_row **out, size_t *n, struct err *err)
{
    struct list shares = {.n = 0}, rows = {.n = 0};
    struct map_u64 texts;
    map_u64_init(&texts);
    enum err_code rc = walk_over(s, db, r, model, a, &shares, &texts, &rows, err);
    map_u64_release(&texts);
    const struct counted *found = rows.items;
    *n = 0;
    *out = arena_calloc(a, rows.n + 1, sizeof **out);
    for (size_t i = 0; i < rows.n && rc == OK; i++) {
        struct text_unmapped_row *to = &(*out)[(*n)++];
        *to = (struct text_unmapped_row){.wnid = "", .images = found[i].images, .reason = text_outcome_word(found[i].outcome)};
        rc = texts_get(db, found[i].text, a, &to->text, err);
    }
    if (rc == OK && *n) {
        qsort(*out, *n, sizeof **out, by_images);
    }
    return rc;
}
