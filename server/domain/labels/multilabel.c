/* multilabel.c - sums over what was counted. */
#include "domain/labels/multilabel.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

void multilabel_begin(struct multilabel_count *c, size_t n_classes)
{
    *c = (struct multilabel_count){.of_class = xcalloc(n_classes + 1, sizeof *c->of_class), .n_classes = n_classes};
}

static void add_part(struct multilabel *m, enum label_part part, unsigned char said, uint32_t n)
{
    m->part[part].n += n;
    m->part[part].set += said & SAID_SET ? n : 0;
    m->part[part].names += said & SAID_NAMES ? n : 0;
    m->part[part].any += said & SAID_OBJECT ? n : 0;
    m->part[part].main += said & SAID_MAIN ? n : 0;
}

static void add_verdict(struct multilabel *m, unsigned char said, uint32_t n)
{
    uint32_t *of = said & SAID_CORRECT    ? &m->correct
                   : said & SAID_UNCLEAR  ? &m->unclear
                   : said & SAID_WRONG    ? &m->wrong
                   : said & SAID_DONTKNOW ? &m->dontknow
                                          : &m->unreviewed;
    *of += n;
    m->n += n;
}

static void add_answers(struct multilabel *m, const struct multilabel_count *c, unsigned char said)
{
    for (int i = 0; i < 4; i++) {
        const int several = i / 2, disagrees = i % 2;
        const uint32_t n = c->answers[said][several][disagrees];
        add_verdict(m, said, n);
        add_part(m, PART_ALL, said, n);
        add_part(m, several ? PART_MULTI : PART_SINGLE, said, n);
        add_part(m, PART_DISAGREE, said, disagrees ? n : 0);
    }
}

struct multilabel multilabel_end(struct multilabel_count *c)
{
    struct multilabel m = {.n = 0};
    double strict = 0, lenient = 0;
    for (int said = 0; said <= SAID_ALL; said++) {
        add_answers(&m, c, (unsigned char)said);
    }
    for (size_t i = 0; i < c->n_classes; i++) {
        if (c->of_class[i].n) {
            strict += (double)c->of_class[i].correct / c->of_class[i].n;
            lenient += (double)c->of_class[i].lenient / c->of_class[i].n;
            m.n_classes++;
        }
    }
    m.mean_strict = m.n_classes ? strict / m.n_classes : (double)NAN;
    m.mean_lenient = m.n_classes ? lenient / m.n_classes : (double)NAN;
    free(c->of_class);
    c->of_class = NULL;
    return m;
}
