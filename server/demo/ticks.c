/* ticks.c - people who choose among labels, by the truth about an image. */
#include "demo/ticks.h"

#include "base/fs.h"
#include "base/rng.h"
#include "base/str.h"
#include "formats/csv.h"
#include "store/images/images.h"

enum {
    SEVERAL_MOST = 96, SINGLE_MOST = 48, /* images, as many of each class that is the plainest one */
    PEOPLE = 40, ANSWERS = 9,
    OPTIONS = 6,
    RIVAL_PERCENT = 20, /* of objects, called by a class that is like it */
    FILE_MOST = 1 << 22
};
static const double PLAIN = 0.25, SEEN_LEAST = 0.6; /* of how plainly a class is shown: worth a label; ticked when hardly shown */

struct ticks {
    const struct truth *truth;
    bool small;
    uint64_t seed;
    struct str responses, order;
    unsigned several[WORLD_CLASSES], single[WORLD_CLASSES];
};
struct picture {
    struct sv name;
    const struct truth_image *truth;
    unsigned shown[WORLD_CLASSES], n_shown;   /* classes worth a label, the plainest first */
    unsigned options[OPTIONS], n_options;
};

static void add_option(struct picture *p, unsigned class_index)
{
    bool there = p->n_options == OPTIONS;
    for (unsigned i = 0; i < p->n_options; i++) {
        there = there || p->options[i] == class_index;
    }
    if (!there) {
        p->options[p->n_options++] = class_index;
    }
}

/* What is there, and beside each the class that is like it. */
static void describe(struct picture *p, bool small)
{
    for (unsigned c = 0; c < WORLD_CLASSES; c++) {
        unsigned at = p->n_shown;
        if (p->truth->shown[c] < PLAIN) {
            continue;
        }
        for (; at > 0 && p->truth->shown[p->shown[at - 1]] < p->truth->shown[c]; at--) {
            p->shown[at] = p->shown[at - 1];
        }
        p->shown[at] = c;
        p->n_shown++;
    }
    p->n_shown = p->n_shown < OPTIONS / 2 ? p->n_shown : OPTIONS / 2;
    for (unsigned i = 0; i < p->n_shown; i++) {
        add_option(p, p->shown[i]);
    }
    for (unsigned i = 0; i < p->n_shown; i++) {
        add_option(p, world_next(p->shown[i], small));
    }
}

static void answer(struct ticks *t, const struct picture *p, unsigned number, unsigned who, struct rng *r)
{
    bool ticked[WORLD_CLASSES] = {false};
    unsigned said[OPTIONS], n = 0;
    for (unsigned i = 0; i < p->n_shown; i++) {
        double sees = SEEN_LEAST + (1 - SEEN_LEAST) * (double)p->truth->shown[p->shown[i]];
        unsigned label = rng_below(r, 100) < RIVAL_PERCENT ? world_next(p->shown[i], t->small) : p->shown[i];
        if ((n > 0 || i + 1 < p->n_shown) && rng_unit(r) > sees) {
            continue;
        }
        if (!ticked[label]) {
            ticked[label] = true;
            said[n++] = label;
        }
    }
    csv_cell(&t->responses, p->name);
    str_printf(&t->responses, ",%u,simulated-%02u,%s,", number, who, world_classes[said[0]].wnid);
    for (unsigned i = 0; i < n; i++) {
        str_printf(&t->responses, "%s%s", i ? "+" : "", world_classes[said[i]].wnid);
    }
    str_addc(&t->responses, '\n');
}

static enum err_code add_image(void *arg, int64_t id, struct sv name, struct err *err)
{
    struct ticks *t = arg;
    struct picture p = {.name = name, .truth = truth_of(t->truth, name)};
    struct rng r;
    (void)err;
    if (!p.truth || p.truth->drawing) {
        return OK;
    }
    describe(&p, t->small);
    unsigned *of = p.n_shown > 1 ? t->several : t->single;
    unsigned most = (unsigned)(p.n_shown > 1 ? SEVERAL_MOST : SINGLE_MOST) / (unsigned)(t->small ? WORLD_SMALL : WORLD_CLASSES);
    if (p.n_shown == 0 || of[p.shown[0]] == most) {
        return OK;
    }
    of[p.shown[0]]++;
    rng_stream(&r, t->seed, (uint64_t)id);
    unsigned first = (unsigned)rng_below(&r, PEOPLE);
    for (unsigned i = 0; i < ANSWERS; i++) {
        answer(t, &p, i, (first + i) % PEOPLE + 1, &r);
    }
    csv_cell(&t->order, name);
    str_addc(&t->order, ',');
    for (unsigned i = 0; i < p.n_options; i++) {
        str_printf(&t->order, "%s%s", i ? "+" : "", world_classes[p.options[i]].wnid);
    }
    str_addc(&t->order, '\n');
    return OK;
}

enum err_code ticks_write(struct db *db, const struct truth *truth, bool small, uint64_t seed, const char *responses, const char *order,
                          struct err *err)
{
    struct ticks t = {.truth = truth, .small = small, .seed = seed};
    str_init(&t.responses, FILE_MOST);
    str_init(&t.order, FILE_MOST);
    str_addz(&t.responses, "image,response,worker,main,selected\n");
    str_addz(&t.order, "image,candidate_order\n");
    enum err_code rc = images_each(db, add_image, &t, err);
    rc = rc == OK ? fs_write_whole(responses, t.responses.p, t.responses.n, false, err) : rc;
    rc = rc == OK ? fs_write_whole(order, t.order.p, t.order.n, false, err) : rc;
    str_release(&t.responses);
    str_release(&t.order);
    return rc;
}
