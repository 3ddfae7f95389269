/* objects.c - counts, pluralities and the partition of one image. */
#include "domain/labels/objects.h"

#include <string.h>

#include "base/err.h"

static uint32_t bits(uint64_t mask) { return (uint32_t)__builtin_popcountll(mask); }

/* Takes the lowest bit off a mask that has one. */
static uint32_t next_bit(uint64_t *mask)
{
    uint32_t at = (uint32_t)__builtin_ctzll(*mask);
    *mask &= *mask - 1;
    return at;
}

/* ---- pluralities ---- */

/* The value with the largest count, of several the one that comes first in the sequence. */
struct plurality {
    uint32_t value, count;
    bool tied;
};
static struct plurality plurality_of(const struct objects_ask *ask, uint32_t (*value)(const struct object_response *))
{
    uint32_t count[OBJECT_LABELS + 1] = {0};
    struct plurality p = {0};
    for (uint32_t i = 0; i < ask->n; i++) {
        count[value(&ask->responses[i])]++;
    }
    for (uint32_t i = 0; i < ask->n; i++) {
        uint32_t v = value(&ask->responses[i]);
        if (count[v] > p.count) {
            p = (struct plurality){v, count[v], false};
        } else if (count[v] == p.count && v != p.value) {
            p.tied = true;
        }
    }
    return p;
}

static uint32_t main_of(const struct object_response *r) { return r->main; }
static uint32_t number_of(const struct object_response *r) { return bits(r->selected); }

/* ---- which labels the objects have ---- */

/* Of several objects, labels that were selected beside another one; nothing says where others belong. */
static uint64_t beside_others(const struct objects_ask *ask)
{
    uint64_t beside = 0;
    for (uint32_t i = 0; i < ask->n; i++) {
        uint64_t selected = ask->responses[i].selected;
        beside |= selected & (selected - 1) ? selected : 0;
    }
    return beside;
}

/* The least selected label; of several the one with the largest class id. */
static uint32_t weakest(const struct objects_ask *ask, const struct objects_found *f, uint64_t labels)
{
    uint32_t least = next_bit(&labels);
    while (labels) {
        uint32_t at = next_bit(&labels);
        uint32_t a = f->selected[at], b = f->selected[least];
        least = a < b || (a == b && ask->labels[at] > ask->labels[least]) ? at : least;
    }
    return least;
}

static uint64_t labels_to_part(const struct objects_ask *ask, struct objects_found *f)
{
    uint64_t labels = beside_others(ask);
    while (bits(labels) > PARTITION_LABELS) {
        labels &= ~(UINT64_C(1) << weakest(ask, f, labels));
        f->beyond = true;
    }
    return labels;
}

/* ---- the partition ---- */

static void count_together(const struct objects_ask *ask, uint64_t labels, struct partition_ask *p)
{
    uint32_t place[OBJECT_LABELS];
    for (uint64_t rest = labels; rest;) {
        place[next_bit(&rest)] = p->n++;
    }
    for (uint32_t i = 0; i < ask->n; i++) {
        for (uint64_t a = ask->responses[i].selected & labels; a;) {
            uint32_t from = place[next_bit(&a)];
            for (uint64_t b = a; b;) {
                p->together[from][place[next_bit(&b)]]++;
            }
        }
    }
}

static void part(const struct objects_ask *ask, struct objects_found *f)
{
    struct partition_ask p = {.k = f->n};
    struct partition_found parts;
    uint64_t labels = labels_to_part(ask, f);
    count_together(ask, labels, &p);
    partition_find(&p, &parts);
    for (uint32_t i = 0; labels; i++) {
        f->of[next_bit(&labels)] = (unsigned char)(f->n - 1 - parts.object[i]);
    }
    f->within_cost = parts.cost;
    f->n_optimal = parts.n_optimal;
}

/* One object with all labels. */
static void leave_whole(const struct objects_ask *ask, struct objects_found *f)
{
    for (uint32_t i = 0; i < ask->n_labels; i++) {
        f->of[i] = f->selected[i] ? 0 : OBJECT_NONE;
    }
    for (uint32_t i = 0; i < ask->n; i++) {
        uint64_t n = bits(ask->responses[i].selected);
        f->within_cost += n * (n - 1) / 2;
    }
    f->n_optimal = 1;
}

/* ---- what each object is ---- */

static void add_label(const struct objects_ask *ask, const struct objects_found *f, struct object *o, uint32_t at)
{
    uint32_t a = f->selected[at], b = o->labels ? f->selected[o->label] : 0;
    bool first = a > b || (a == b && ask->labels[at] < ask->labels[o->label]);
    o->label = first ? at : o->label;
    o->labels |= UINT64_C(1) << at;
    o->selections += a;
}

static void describe(const struct objects_ask *ask, struct objects_found *f)
{
    for (uint32_t i = 0; i < ask->n_labels; i++) {
        if (f->of[i] != OBJECT_NONE) {
            add_label(ask, f, &f->object[f->of[i]], i);
        } else if (f->selected[i]) {
            f->unassigned |= UINT64_C(1) << i;
        }
    }
    for (uint32_t i = 0; i < ask->n; i++) {
        unsigned char of = f->of[ask->responses[i].main];
        if (of != OBJECT_NONE) {
            f->object[of].main_votes++;
        }
    }
    for (uint32_t i = 1; i < f->n; i++) {
        f->main_object = f->object[i].main_votes > f->object[f->main_object].main_votes ? i : f->main_object;
    }
}

void objects_find(const struct objects_ask *ask, struct objects_found *out)
{
    BUG_IF(ask->n_labels > OBJECT_LABELS);
    *out = (struct objects_found){.responses = ask->n, .few = ask->n == 0 || ask->n < ask->least};
    memset(out->of, OBJECT_NONE, sizeof out->of);
    if (out->few) {
        return;
    }
    for (uint32_t i = 0; i < ask->n; i++) {
        for (uint64_t rest = ask->responses[i].selected; rest;) {
            out->selected[next_bit(&rest)]++;
        }
    }
    struct plurality main = plurality_of(ask, main_of), n = plurality_of(ask, number_of);
    BUG_IF(n.value == 0 || n.value > OBJECT_TICKS || main.value >= ask->n_labels);
    out->main = main.value;
    out->main_count = main.count;
    out->main_tied = main.tied;
    out->n = n.value;
    out->n_tied = n.tied;
    if (out->n > 1) {
        part(ask, out);
    } else {
        leave_whole(ask, out);
    }
    describe(ask, out);
}

int objects_of_class(const struct objects_ask *ask, const struct objects_found *found, uint32_t id)
{
    for (uint32_t i = 0; i < ask->n_labels; i++) {
        if (ask->labels[i] == id && found->of[i] != OBJECT_NONE) {
            return found->of[i];
        }
    }
    return -1;
}

bool objects_same(const struct objects_found *some, const struct objects_found *all)
{
    bool same = some->n == all->n;
    uint32_t taken = 0; /* objects of `all`, each for one of `some` */
    for (uint32_t i = 0; i < some->n && same; i++) {
        uint64_t labels = some->object[i].labels;
        unsigned char of = all->of[some->object[i].label];
        same = of != OBJECT_NONE && !(labels & ~all->object[of].labels) && !(taken >> of & 1);
        taken |= same ? UINT32_C(1) << of : 0;
    }
    return same;
}
