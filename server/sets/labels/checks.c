/* checks.c - which images' objects are known, and tasks of them. */
#include "sets/labels/checks.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/rng.h"
#include "base/xalloc.h"

enum { TRIES = 64, LABELS_LEAST = 2 };

static bool is_taken(const struct checks_ask *ask, uint32_t image)
{
    size_t at = label_plan_find(ask->book, image);
    return (at < ask->book->n && ask->book->images[at].stage == CANDIDATES_FU) || (ask->taken && ask->taken(ask->taken_arg, image));
}

/* ---- what people agreed on ---- */

/* What everybody said of an image so far. */
struct said {
    uint32_t image, row; /* the first answer about it that counts */
    uint32_t people;
    uint32_t labels[2], main; /* labels rising; 0: none */
    bool agreed;
};
struct saying {
    struct said *images;
    size_t n, cap;
    struct map_u64 by_image;
};

/* The labels of an answer; false: none, or more than two. */
static bool labels_of(const struct response_ledger *l, const struct response_row *r, uint32_t labels[2], uint32_t *main)
{
    const struct response_task *t = &l->tasks[r->task];
    size_t n = 0;
    labels[0] = labels[1] = *main = 0;
    for (unsigned i = 0; i < t->n; i++) {
        if (r->mask >> i & 1) {
            if (n == 2) {
                return false;
            }
            labels[n++] = l->options[t->first + i];
        }
    }
    if (n == 2 && labels[1] < labels[0]) {
        uint32_t first = labels[0];
        labels[0] = labels[1];
        labels[1] = first;
    }
    if (r->main >= 0 && r->main < t->n) {
        uint32_t at = (uint32_t)r->main;
        *main = l->options[t->first + at];
    }
    return n > 0;
}

static struct said *said_of(struct saying *s, uint32_t image, uint32_t row)
{
    uint32_t at = map_u64_get(&s->by_image, image);
    if (at == MAP_NONE) {
        at = (uint32_t)s->n;
        map_u64_put(&s->by_image, image, at);
        xgrow(&s->images, &s->cap, s->n + 1, sizeof *s->images);
        s->images[s->n++] = (struct said){.image = image, .row = row, .agreed = true};
    }
    return &s->images[at];
}

static void add_answer(struct saying *s, const struct response_ledger *l, uint32_t row)
{
    const struct response_row *r = &l->rows[row];
    const struct response_task *t = &l->tasks[r->task];
    uint32_t labels[2], main;
    if (t->check || t->excluded || r->surplus || r->out) {
        return;
    }
    struct said *im = said_of(s, t->image, row);
    bool few = labels_of(l, r, labels, &main);
    bool same = im->people == 0 || (memcmp(labels, im->labels, sizeof labels) == 0 && main == im->main);
    memcpy(im->labels, labels, sizeof labels);
    im->main = main;
    im->people++;
    im->agreed = im->agreed && few && same;
}

static int by_image(const void *a, const void *b)
{
    const struct check_source *x = a, *y = b;
    return (x->image > y->image) - (x->image < y->image);
}

static void take_agreed(const struct saying *s, const struct checks_ask *ask, struct check_pool *p)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct said *im = &s->images[i];
        if (im->agreed && im->people >= CHECK_PEOPLE && !is_taken(ask, im->image)) {
            const struct check_source source = {im->image, im->row, true};
            if (im->labels[1]) {
                p->two[p->n_two++] = source;
            } else {
                p->one[p->n_one++] = source;
            }
        }
    }
}

/* ---- easy images ---- */

static const struct planned_label *own_label(const struct label_plan_book *b, const struct planned_image *im)
{
    return label_plan_has(b, (size_t)(im - b->images), im->class_id);
}

/* Nearly everybody found it. */
static bool is_sure(const struct checks_ask *ask, const struct planned_image *im)
{
    const struct planned_label *own = im->stage == CANDIDATES_EASY ? own_label(ask->book, im) : NULL;
    return own && own->shown >= ask->least && (uint64_t)own->selected * CANDIDATE_SHARE >= (uint64_t)own->shown * CHECK_SURE;
}

static bool is_absent(const struct checks_ask *ask, const struct planned_label *l) { return l->selected == 0 && l->shown >= ask->least; }

/* A class that nobody proposed for the image, the first from place `from` on; 0: there is none. */
static uint32_t other_class(const struct label_plan_book *b, size_t image, size_t from)
{
    for (size_t i = 0; i < b->n; i++) {
        uint32_t class_id = b->images[(from + i) % b->n].class_id;
        if (!label_plan_has(b, image, class_id)) {
            return class_id;
        }
    }
    return 0;
}

/* Whether there is a label that the image does not show. */
static bool has_absent(const struct checks_ask *ask, size_t at)
{
    const struct planned_image *im = &ask->book->images[at];
    for (uint32_t i = 0; i < im->n; i++) {
        if (is_absent(ask, &ask->book->labels[im->first + i])) {
            return true;
        }
    }
    return other_class(ask->book, at, 0) != 0;
}

static bool has(const struct check_source *list, size_t n, const struct check_source *one)
{
    return n && bsearch(one, list, n, sizeof *one, by_image);
}

/* Those that people agreed on are there, by image; what they say of an image goes before the plan. */
static void take_easy(const struct checks_ask *ask, struct check_pool *p)
{
    size_t agreed = p->n_one;
    for (size_t i = 0; i < ask->book->n; i++) {
        const struct planned_image *im = &ask->book->images[i];
        const struct check_source source = {im->image, (uint32_t)i, false};
        if (is_sure(ask, im) && !is_taken(ask, im->image) && has_absent(ask, i) && !has(p->one, agreed, &source) &&
            !has(p->two, p->n_two, &source)) {
            p->one[p->n_one++] = source;
            p->easy++;
        }
    }
}

static void sort(struct check_source *list, size_t n)
{
    if (n) {
        qsort(list, n, sizeof *list, by_image);
    }
}

enum err_code checks_find(struct db *db, const struct checks_ask *ask, struct arena *a, struct check_pool *out, struct err *err)
{
    struct saying s = {.n = 0};
    *out = (struct check_pool){.easy = 0};
    enum err_code rc = response_ledger_fold(&out->ledger, db, err);
    if (rc != OK) {
        return rc;
    }
    map_u64_init(&s.by_image);
    for (size_t i = 0; i < out->ledger.n; i++) {
        add_answer(&s, &out->ledger, (uint32_t)i);
    }
    out->one = arena_alloc(a, (s.n + ask->book->n + 1) * sizeof *out->one);
    out->two = arena_alloc(a, (s.n + 1) * sizeof *out->two);
    take_agreed(&s, ask, out);
    sort(out->one, out->n_one);
    sort(out->two, out->n_two);
    take_easy(ask, out);
    sort(out->one, out->n_one);
    map_u64_release(&s.by_image);
    free(s.images);
    return OK;
}

void checks_release(struct check_pool *p) { response_ledger_release(&p->ledger); }

/* ---- tasks ---- */

static void add_option(struct grid_options *o, uint32_t class_id, unsigned most)
{
    bool there = false;
    for (unsigned i = 0; i < o->n; i++) {
        there = there || o->class_id[i] == class_id;
    }
    if (!there && o->n < most) {
        o->class_id[o->n++] = class_id;
    }
}

/* How many labels a task has: as one of the plan, drawn. */
static unsigned draw_labels(const struct label_plan_book *b, struct rng *r)
{
    for (int k = 0; k < TRIES; k++) {
        const struct planned_image *im = &b->images[rng_below(r, b->n)];
        unsigned n = 0;
        for (uint32_t i = 0; i < im->n && im->stage == CANDIDATES_FU; i++) {
            n += b->labels[im->first + i].rank != LABEL_PLAN_NO_RANK;
        }
        if (n >= LABELS_LEAST) {
            return n < GRID_OPTIONS ? n : GRID_OPTIONS;
        }
    }
    return CANDIDATE_MOST;
}

/* The image's own label, then labels that are not there, in an order of their own. */
static void easy_task(const struct checks_ask *ask, const struct check_source *source, struct check_task *out)
{
    const struct label_plan_book *b = ask->book;
    const struct planned_image *im = &b->images[source->at];
    struct grid_options *o = &out->options;
    struct rng r;
    rng_seed(&r, ask->seed ^ hash_u64(im->image));
    unsigned most = draw_labels(b, &r);
    *out = (struct check_task){im->image, im->class_id, {.n = 0}};
    add_option(o, im->class_id, most);
    uint32_t first = im->n ? (uint32_t)rng_below(&r, im->n) : 0;
    for (uint32_t i = 0; i < im->n; i++) {
        const struct planned_label *l = &b->labels[im->first + (first + i) % im->n];
        if (is_absent(ask, l)) {
            add_option(o, l->class_id, most);
        }
    }
    for (int k = 0; k < TRIES && o->n < most; k++) {
        uint32_t other = other_class(b, source->at, (size_t)rng_below(&r, b->n));
        if (other) {
            add_option(o, other, most);
        }
    }
    unsigned own = (unsigned)rng_below(&r, o->n);
    int64_t moved = o->class_id[own];
    o->class_id[own] = o->class_id[0];
    o->class_id[0] = moved;
    o->known = UINT32_C(1) << own;
}

/* As it was asked, with what everybody ticked. */
static void agreed_task(const struct response_ledger *l, const struct check_source *source, struct check_task *out)
{
    const struct response_row *r = &l->rows[source->at];
    const struct response_task *t = &l->tasks[r->task];
    *out = (struct check_task){t->image, t->class_id, {.n = t->n, .known = r->mask}};
    for (unsigned i = 0; i < t->n; i++) {
        out->options.class_id[i] = l->options[t->first + i];
    }
}

static size_t draw(const struct check_pool *p, const struct checks_ask *ask, const struct check_source *from, size_t n, size_t most,
                   struct check_task *out)
{
    struct rng r;
    uint32_t *order = xmalloc((n + 1) * sizeof *order);
    for (size_t i = 0; i < n; i++) {
        order[i] = (uint32_t)i;
    }
    rng_seed(&r, ask->seed);
    rng_shuffle_u32(&r, order, n);
    size_t taken = n < most ? n : most;
    for (size_t i = 0; i < taken; i++) {
        const struct check_source *source = &from[order[i]];
        if (source->agreed) {
            agreed_task(&p->ledger, source, &out[i]);
        } else {
            easy_task(ask, source, &out[i]);
        }
    }
    free(order);
    return taken;
}

void checks_draw(const struct check_pool *p, const struct checks_ask *ask, size_t one, size_t two, struct check_task *out)
{
    size_t n = draw(p, ask, p->one, p->n_one, one, out);
    draw(p, ask, p->two, p->n_two, two, out + n);
}
