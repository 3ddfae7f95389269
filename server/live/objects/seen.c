/* seen.c - which answers count under the view, by image, and what follows where that changed. */
#include "live/objects/seen.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/sorted.h"
#include "base/xalloc.h"
#include "domain/votes/cell_counts.h"
#include "live/core/lent.h"
#include "store/classes/classes.h"

enum { KEPT_MOST = 4, REST_MS = 600000, CLASSES_MEMORY = 1 << 28, UNNUMBERED = 1 << 20 };

struct kept_view {
    struct seen_objects objects;
    uint64_t version;        /* of the ledger, when it was made */
    int64_t *campaigns, *blocked; /* that it was made with */
    size_t n_campaigns, n_blocked;
    int64_t used_ms;
    bool there;
};
struct seen_kept {
    pthread_mutex_t lock;
    struct response_ledger ledger;
    struct map_u64 cids;     /* class id -> number */
    int64_t cids_at;         /* cursor of the ledger when they were read; 0: never */
    struct kept_view views[KEPT_MOST];
};

/* ---- memory ---- */

static void image_free(struct seen_image *im)
{
    free(im->labels);
    free(im->ids);
    free(im->counted);
}

static void view_free(struct kept_view *v)
{
    for (size_t i = 0; i < v->objects.n; i++) {
        image_free(&v->objects.images[i]);
    }
    free(v->objects.images);
    free(v->campaigns);
    free(v->blocked);
    *v = (struct kept_view){.there = false};
}

struct seen_kept *seen_kept_new(void)
{
    struct seen_kept *k = xcalloc(1, sizeof *k);
    pthread_mutex_init(&k->lock, NULL);
    map_u64_init(&k->cids);
    return k;
}

void seen_kept_free(struct seen_kept *k)
{
    for (size_t i = 0; k && i < KEPT_MOST; i++) {
        view_free(&k->views[i]);
    }
    if (k) {
        response_ledger_release(&k->ledger);
        map_u64_release(&k->cids);
        pthread_mutex_destroy(&k->lock);
        free(k);
    }
}

void seen_kept_rest(struct seen_kept *k, int64_t now_ms)
{
    pthread_mutex_lock(&k->lock);
    for (size_t i = 0; i < KEPT_MOST; i++) {
        if (k->views[i].there && now_ms - k->views[i].used_ms > REST_MS) {
            view_free(&k->views[i]);
        }
    }
    pthread_mutex_unlock(&k->lock);
}

/* ---- class numbers ---- */

/* Read again when a label comes that is not among them: a class never changes its number. */
static enum err_code read_cids(struct seen_kept *k, struct db *db, struct err *err)
{
    struct arena a;
    struct class_info *list;
    size_t n = 0;
    bool missing = k->cids_at == 0;
    for (size_t i = 0; i < k->ledger.n_options && !missing; i++) {
        missing = map_u64_get(&k->cids, k->ledger.options[i]) == MAP_NONE;
    }
    if (!missing) {
        return OK;
    }
    arena_init(&a, CLASSES_MEMORY);
    enum err_code rc = classes_list(db, &a, &list, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        map_u64_set(&k->cids, (uint64_t)list[i].id, list[i].cid >= 0 ? (uint32_t)list[i].cid : UNNUMBERED + (uint32_t)list[i].id);
    }
    arena_release(&a);
    k->cids_at = rc == OK ? 1 : 0;
    return rc;
}

/* ---- which answers count ---- */

struct count {
    const struct seen_kept *k;
    const struct response_ledger *l;
    const struct view_ask *ask;
    bool *out, *excluded, *in; /* rows out of the analysis, tasks excluded, rows of the view before any filter */
    bool *counts;              /* rows that it counts, of tasks that measure */
    struct view_person *people;
    uint32_t *who;             /* of each row */
    size_t n_people;
};

/* Right is to tick what is known to be there and nothing else. */
static void add_to_person(struct count *c, uint32_t row)
{
    const struct response_row *r = &c->l->rows[row];
    const struct response_task *t = &c->l->tasks[r->task];
    struct view_person *p = &c->people[c->who[row]];
    p->answers++;
    p->gold += t->check;
    p->gold_right += t->check && r->mask == t->known;
}

static void find_people(struct count *c)
{
    struct map_u64 at;
    map_u64_init(&at);
    c->who = xcalloc(c->l->n + 1, sizeof *c->who);
    for (size_t i = 0; i < c->l->n; i++) {
        c->who[i] = map_u64_put(&at, c->l->rows[i].person, (uint32_t)c->n_people);
        c->n_people += c->who[i] == c->n_people;
    }
    c->people = xcalloc(c->n_people + 1, sizeof *c->people);
    for (size_t i = 0; i < c->l->n; i++) {
        c->people[c->who[i]].blocked = sorted_has_i64(c->ask->blocked, c->ask->n_blocked, c->l->rows[i].person);
        if (c->in[i]) {
            add_to_person(c, (uint32_t)i);
        }
    }
    map_u64_release(&at);
}

static bool passes(const struct count *c, uint32_t row)
{
    const struct response_row *r = &c->l->rows[row];
    const struct response_task *t = &c->l->tasks[r->task];
    bool good = true;
    for (size_t f = 0; f < c->ask->rules.n && good; f++) {
        const struct view_filter *filter = &c->ask->rules.filters[f];
        good = !view_filter_answer(filter, t->n, cells_in(r->mask), r->active_ms) && !view_filter_person(filter, &c->people[c->who[row]]);
    }
    return good;
}

/* The rows of the view by task: those of task t are rows[from[t]] to rows[from[t + 1] - 1]. from has n_tasks + 2 entries, zeroed. */
static void group_by_task(const struct count *c, uint32_t *from, uint32_t *rows)
{
    const struct response_ledger *l = c->l;
    for (size_t i = 0; i < l->n; i++) {
        from[l->rows[i].task + 2] += c->in[i];
    }
    for (size_t i = 2; i < l->n_tasks + 2; i++) {
        from[i] += from[i - 1];
    }
    for (size_t i = 0; i < l->n; i++) {
        if (c->in[i]) {
            rows[from[l->rows[i].task + 1]++] = (uint32_t)i;
        }
    }
}

/* The rules that look at all answers of a task. */
static void leave_some(struct count *c)
{
    const struct response_ledger *l = c->l;
    uint32_t *from = xcalloc(l->n_tasks + 3, sizeof *from), *rows = xcalloc(l->n + 1, sizeof *rows);
    bool *out = xcalloc(l->n + 1, sizeof *out);
    group_by_task(c, from, rows);
    for (size_t f = 0; f < c->ask->rules.n; f++) {
        const struct view_filter *filter = &c->ask->rules.filters[f];
        for (size_t t = 0; t < l->n_tasks && view_filter_of_grid(filter); t++) {
            const uint32_t n = from[t + 1] - from[t];
            view_filter_grid(filter, l->tasks[t].id, n, out);
            for (uint32_t k = 0; k < n; k++) {
                c->counts[rows[from[t] + k]] = c->counts[rows[from[t] + k]] && !out[k];
            }
        }
    }
    free(out);
    free(rows);
    free(from);
}

static void find_counted(struct count *c)
{
    const struct response_ledger *l = c->l;
    c->out = xcalloc(l->n + 1, sizeof *c->out);
    c->excluded = xcalloc(l->n_tasks + 1, sizeof *c->excluded);
    c->in = xcalloc(l->n + 1, sizeof *c->in);
    c->counts = xcalloc(l->n + 1, sizeof *c->counts);
    response_ledger_states(l, c->ask->as_of, c->out, c->excluded);
    for (size_t i = 0; i < l->n; i++) {
        const struct response_row *r = &l->rows[i];
        c->in[i] = !r->surplus && !c->out[i] && !c->excluded[r->task] && (c->ask->as_of <= 0 || r->id <= c->ask->as_of) &&
                   sorted_has_i64(c->ask->campaigns, c->ask->n_campaigns, l->tasks[r->task].campaign);
    }
    find_people(c);
    for (size_t i = 0; i < l->n; i++) {
        c->counts[i] = c->in[i] && !l->tasks[l->rows[i].task].check && passes(c, (uint32_t)i);
    }
    leave_some(c);
}

static void count_release(struct count *c)
{
    free(c->out);
    free(c->excluded);
    free(c->in);
    free(c->counts);
    free(c->who);
    free(c->people);
}

/* ---- images ---- */

static int by_image(const void *a, const void *b)
{
    const struct seen_image *x = a, *y = b;
    return (x->image > y->image) - (x->image < y->image);
}

/* The images with a task that measures and an answer, those that were there before with what they had. */
static void list_images(struct kept_view *v, const struct response_ledger *l)
{
    struct seen_objects *o = &v->objects, old = *o;
    struct map_u64 at;
    size_t cap = 0;
    map_u64_init(&at);
    o->images = NULL;
    o->n = 0;
    for (size_t i = 0; i < l->n_tasks; i++) {
        const struct response_task *t = &l->tasks[i];
        if (t->check || map_u64_put(&at, t->image, (uint32_t)o->n) < o->n) {
            continue;
        }
        const struct seen_image *had = seen_find(&old, t->image);
        xgrow(&o->images, &cap, o->n + 1, sizeof *o->images);
        o->images[o->n++] = had ? *had : (struct seen_image){.image = t->image, .class_id = t->class_id, .campaign = t->campaign};
    }
    if (o->n) {
        qsort(o->images, o->n, sizeof *o->images, by_image);
    }
    for (size_t i = 0; i < old.n; i++) {
        if (map_u64_get(&at, old.images[i].image) == MAP_NONE) {
            image_free(&old.images[i]);
        }
    }
    free(old.images);
    map_u64_release(&at);
}

static size_t place_of(const struct seen_objects *o, uint32_t image)
{
    return sorted_u32(o->images, o->n, sizeof *o->images, offsetof(struct seen_image, image), image);
}

static uint32_t label_at(const struct seen_image *im, uint32_t class_id)
{
    uint32_t i = 0;
    while (i < im->n_labels && im->labels[i] != class_id) {
        i++;
    }
    return i;
}

static bool add_label(struct seen_image *im, uint32_t class_id, const struct map_u64 *cids)
{
    if (label_at(im, class_id) < im->n_labels) {
        return true;
    }
    if (im->n_labels == OBJECT_LABELS) {
        return false;
    }
    im->labels[im->n_labels] = class_id;
    im->ids[im->n_labels++] = map_u64_get(cids, class_id);
    return true;
}

/* Every label of its tasks, while there is room, in the order in which the tasks were answered first. */
static void list_labels(struct seen_image *im, const struct count *c)
{
    const struct response_ledger *l = c->l;
    im->labels = xrealloc(im->labels, OBJECT_LABELS * sizeof *im->labels);
    im->ids = xrealloc(im->ids, OBJECT_LABELS * sizeof *im->ids);
    im->n_labels = 0;
    for (uint32_t i = 0; i < im->n_counted; i++) {
        const struct response_task *t = &l->tasks[l->rows[im->counted[i]].task];
        bool room = true;
        for (uint32_t k = 0; k < t->n && room; k++) {
            room = add_label(im, l->options[t->first + k], &c->k->cids);
        }
    }
}

uint32_t seen_responses(const struct response_ledger *l, const struct seen_image *im, struct object_response *out, uint32_t *rows)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < im->n_counted; i++) {
        const struct response_row *r = &l->rows[im->counted[i]];
        const struct response_task *t = &l->tasks[r->task];
        struct object_response one = {.main = OBJECT_LABELS};
        bool fits = r->mask != 0 && r->main >= 0;
        for (uint32_t k = 0; k < t->n && fits; k++) {
            uint32_t at = r->mask >> k & 1 ? label_at(im, l->options[t->first + k]) : OBJECT_LABELS;
            one.selected |= at < im->n_labels ? UINT64_C(1) << at : 0;
            one.main = k == (uint32_t)r->main && at < im->n_labels ? at : one.main;
        }
        fits = fits && one.main < OBJECT_LABELS && cells_in(one.selected) <= OBJECT_TICKS;
        if (fits && rows) {
            rows[n] = im->counted[i];
        }
        if (fits) {
            out[n++] = one;
        }
    }
    return n;
}

struct objects_ask seen_ask_of(const struct seen_image *im, const struct object_response *responses, uint32_t n)
{
    return (struct objects_ask){im->ids, im->n_labels, responses, n, OBJECTS_LEAST};
}

static void make_image(struct seen_image *im, const struct count *c)
{
    struct object_response *responses = xcalloc(im->n_counted + 1, sizeof *responses);
    list_labels(im, c);
    im->none = 0;
    for (uint32_t i = 0; i < im->n_counted; i++) {
        im->none += c->l->rows[im->counted[i]].mask == 0;
    }
    const struct objects_ask ask = seen_ask_of(im, responses, seen_responses(c->l, im, responses, NULL));
    objects_find(&ask, &im->found);
    free(responses);
}

/* Looks at the counted rows of every image, which are grouped; makes those again where they are others than before. */
static void make_images(struct kept_view *v, const struct count *c, const uint32_t *from, const uint32_t *rows)
{
    for (size_t i = 0; i < v->objects.n; i++) {
        struct seen_image *im = &v->objects.images[i];
        uint32_t n = from[i + 1] - from[i];
        uint64_t hash = hash_u64(n + 1);
        for (uint32_t k = from[i]; k < from[i + 1]; k++) {
            hash = hash_u64(hash ^ c->l->rows[rows[k]].id);
        }
        if (im->made_of == hash) {
            continue;
        }
        im->made_of = hash;
        im->counted = xrealloc(im->counted, (n + 1) * sizeof *im->counted);
        im->n_counted = n;
        if (n) {
            memcpy(im->counted, rows + from[i], n * sizeof *rows);
        }
        make_image(im, c);
        v->objects.made++;
    }
}

static void group_rows(struct kept_view *v, const struct count *c)
{
    const struct response_ledger *l = c->l;
    uint32_t *from = xcalloc(v->objects.n + 3, sizeof *from), *rows = xcalloc(l->n + 1, sizeof *rows);
    uint32_t *place = xcalloc(l->n_tasks + 1, sizeof *place);
    for (size_t i = 0; i < l->n_tasks; i++) {
        place[i] = l->tasks[i].check ? 0 : (uint32_t)place_of(&v->objects, l->tasks[i].image);
    }
    for (size_t i = 0; i < l->n; i++) {
        from[place[l->rows[i].task] + 2] += c->counts[i];
    }
    for (size_t i = 2; i < v->objects.n + 2; i++) {
        from[i] += from[i - 1];
    }
    for (size_t i = 0; i < l->n; i++) {
        if (c->counts[i]) {
            rows[from[place[l->rows[i].task] + 1]++] = (uint32_t)i;
        }
    }
    make_images(v, c, from, rows);
    free(place);
    free(rows);
    free(from);
}

/* ---- views ---- */

static int64_t *copy_ids(const int64_t *ids, size_t n)
{
    int64_t *copy = xcalloc(n + 1, sizeof *copy);
    if (n) {
        memcpy(copy, ids, n * sizeof *copy);
    }
    return copy;
}

static bool same_ids(const int64_t *a, size_t n, const int64_t *b, size_t m)
{
    return n == m && (n == 0 || memcmp(a, b, n * sizeof *a) == 0);
}

static bool asks_blocked(const struct view_rules *rules)
{
    bool asks = false;
    for (size_t i = 0; i < rules->n; i++) {
        asks = asks || rules->filters[i].rule == RULE_NOT_BLOCKED;
    }
    return asks;
}

/* The last event that what the view counts depends on, up to as_of. */
static enum err_code number_of(const struct response_ledger *l, struct db *db, const struct vote_view *v, int64_t as_of,
                               int64_t *out, struct err *err)
{
    int64_t newest = l->newest > v->id ? l->newest : v->id, blocked = 0;
    enum err_code rc = asks_blocked(&v->rules) ? views_blocked_last(db, &blocked, err) : OK;
    newest = blocked > newest ? blocked : newest;
    *out = as_of > 0 && as_of < newest ? as_of : newest;
    return rc;
}

static void make_view(struct seen_kept *k, struct kept_view *v, const struct vote_view *view, const struct view_ask *ask)
{
    struct count c = {.k = k, .l = &k->ledger, .ask = ask};
    find_counted(&c);
    list_images(v, &k->ledger);
    group_rows(v, &c);
    count_release(&c);
    free(v->campaigns);
    free(v->blocked);
    v->campaigns = copy_ids(ask->campaigns, ask->n_campaigns);
    v->n_campaigns = ask->n_campaigns;
    v->blocked = copy_ids(ask->blocked, ask->n_blocked);
    v->n_blocked = ask->n_blocked;
    v->version = k->ledger.version;
    v->there = true;
    v->objects.view = view->id;
    v->objects.as_of = ask->as_of;
}

static bool fits(const struct seen_kept *k, const struct kept_view *v, const struct view_ask *ask)
{
    return v->version == k->ledger.version && same_ids(v->campaigns, v->n_campaigns, ask->campaigns, ask->n_campaigns) &&
           same_ids(v->blocked, v->n_blocked, ask->blocked, ask->n_blocked);
}

/* The slot of the view, or the one that was asked for longest ago, emptied. */
static struct kept_view *slot_of(struct seen_kept *k, int64_t view, int64_t as_of)
{
    struct kept_view *oldest = &k->views[0];
    for (size_t i = 0; i < KEPT_MOST; i++) {
        struct kept_view *v = &k->views[i];
        if (v->there && v->objects.view == view && v->objects.as_of == as_of) {
            return v;
        }
        oldest = !v->there || (oldest->there && v->used_ms < oldest->used_ms) ? v : oldest;
    }
    view_free(oldest);
    return oldest;
}

static enum err_code look(struct seen_kept *k, struct db *db, const struct vote_view *view, int64_t as_of, struct arena *a,
                          const struct seen_objects **out, struct err *err)
{
    struct view_ask ask;
    enum err_code rc = response_ledger_fold(&k->ledger, db, err);
    rc = rc == OK ? view_ask_of(db, view, as_of, a, &ask, err) : rc;
    rc = rc == OK ? read_cids(k, db, err) : rc;
    if (rc != OK) {
        return rc;
    }
    struct kept_view *v = slot_of(k, view->id, ask.as_of);
    if (!v->there || !fits(k, v, &ask)) {
        make_view(k, v, view, &ask);
    }
    v->used_ms = clock_wall_ms();
    *out = &v->objects;
    return number_of(&k->ledger, db, view, ask.as_of, &v->objects.number, err);
}

enum err_code seen_look(struct db *db, const struct vote_view *v, int64_t as_of, struct seen_hold *out, struct err *err)
{
    struct arena a;
    const struct live_lent *lent = db_lent(db);
    *out = (struct seen_hold){.kept = lent ? lent->seen : seen_kept_new(), .own = !lent};
    arena_init(&a, CLASSES_MEMORY);
    pthread_mutex_lock(&out->kept->lock);
    enum err_code rc = look(out->kept, db, v, as_of, &a, &out->objects, err);
    arena_release(&a);
    out->ledger = &out->kept->ledger;
    if (rc != OK) {
        seen_let_go(out);
    }
    return rc;
}

void seen_let_go(struct seen_hold *s)
{
    pthread_mutex_unlock(&s->kept->lock);
    if (s->own) {
        seen_kept_free(s->kept);
    }
    *s = (struct seen_hold){.own = false};
}

const struct seen_image *seen_find(const struct seen_objects *o, int64_t image)
{
    size_t at = image > 0 && image <= UINT32_MAX ? place_of(o, (uint32_t)image) : o->n;
    return at < o->n && o->images[at].image == image ? &o->images[at] : NULL;
}
