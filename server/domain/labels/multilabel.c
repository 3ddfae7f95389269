/* multilabel.c - one pass over answers; classes as they come. */
#include "domain/labels/multilabel.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

void multilabel_begin(struct multilabel_count *c)
{
    *c = (struct multilabel_count){.n_classes = 0};
    map_u64_init(&c->classes);
}

static void add_part(struct multilabel *m, enum label_part part, unsigned char said)
{
    m->part[part].n++;
    m->part[part].set += (said & SAID_SET) != 0;
    m->part[part].names += (said & SAID_NAMES) != 0;
    m->part[part].any += (said & SAID_OBJECT) != 0;
    m->part[part].main += (said & SAID_MAIN) != 0;
}

void multilabel_add(struct multilabel_count *c, unsigned char said, uint64_t class_id, bool several, bool disagrees)
{
    struct multilabel *m = &c->sum;
    bool correct = said & SAID_CORRECT, lenient = said & (SAID_CORRECT | SAID_UNCLEAR);
    uint32_t at = map_u64_put(&c->classes, class_id, (uint32_t)c->n_classes);
    if (at == c->n_classes) {
        xgrow(&c->of_class, &c->cap, c->n_classes + 1, sizeof *c->of_class);
        c->of_class[c->n_classes].n = c->of_class[c->n_classes].correct = c->of_class[c->n_classes].lenient = 0;
        c->n_classes++;
    }
    c->of_class[at].n++;
    c->of_class[at].correct += correct;
    c->of_class[at].lenient += lenient;
    m->n++;
    m->correct += correct;
    m->unclear += lenient && !correct;
    m->wrong += !lenient && (said & SAID_WRONG);
    m->dontknow += !lenient && (said & (SAID_WRONG | SAID_DONTKNOW)) == SAID_DONTKNOW;
    m->unreviewed += !(said & (SAID_CORRECT | SAID_UNCLEAR | SAID_WRONG | SAID_DONTKNOW));
    add_part(m, PART_ALL, said);
    add_part(m, several ? PART_MULTI : PART_SINGLE, said);
    if (disagrees) {
        add_part(m, PART_DISAGREE, said);
    }
}

struct multilabel multilabel_end(struct multilabel_count *c)
{
    struct multilabel *m = &c->sum;
    double strict = 0, lenient = 0;
    for (size_t i = 0; i < c->n_classes; i++) {
        strict += (double)c->of_class[i].correct / c->of_class[i].n;
        lenient += (double)c->of_class[i].lenient / c->of_class[i].n;
    }
    m->n_classes = (uint32_t)c->n_classes;
    m->mean_strict = c->n_classes ? strict / (double)c->n_classes : (double)NAN;
    m->mean_lenient = c->n_classes ? lenient / (double)c->n_classes : (double)NAN;
    map_u64_release(&c->classes);
    free(c->of_class);
    c->of_class = NULL;
    return *m;
}
