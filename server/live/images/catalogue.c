/* catalogue.c - loads what lists know of images. */
#include "live/images/catalogue.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "base/xalloc.h"
#include "store/images/facts.h"

/* Of the names of a class while they are ranked. */
enum { NAMES_MOST = 1 << 30 };

/* Up to `most` digits from the front; false when there are none. */
static bool take_number(struct sv *text, unsigned most, uint32_t *out)
{
    unsigned n = 0;
    uint32_t value = 0;
    while (n < most && n < text->n && text->p[n] >= '0' && text->p[n] <= '9') {
        value = value * 10 + (uint32_t)(text->p[n++] - '0');
    }
    *text = sv_make(text->p + n, text->n - n);
    *out = value;
    return n > 0;
}

uint32_t catalogue_minute(struct sv taken_at)
{
    static const struct {
        unsigned digits;
        uint32_t least, most;
    } parts[] = {{4, 0, 8000}, {2, 1, 12}, {2, 1, 31}, {2, 0, 23}, {2, 0, 59}};
    uint32_t v[5] = {0, 1, 1, 0, 0};
    struct sv rest = sv_trim(taken_at);
    for (int i = 0; i < 5; i++) {
        if (!take_number(&rest, parts[i].digits, &v[i]) || v[i] < parts[i].least ||
            v[i] > parts[i].most) {
            return CATALOGUE_UNKNOWN;
        }
        if (rest.n == 0) {
            break;
        }
        if (i < 4 && !memchr("-:/.T ", rest.p[0], 6)) {
            return CATALOGUE_UNKNOWN;
        }
        rest = sv_make(rest.p + 1, rest.n - 1);
    }
    return (((v[0] * 12 + v[1] - 1) * 31 + v[2] - 1) * 24 + v[3]) * 60 + v[4];
}

static uint16_t share(double x)
{
    return (uint16_t)(x <= 0 ? 0 : x >= 1 ? 65535 : x * 65535 + 0.5);
}

static enum err_code add(void *arg, const struct image_facts_row *r, struct err *err)
{
    struct catalogue *c = arg;
    if (r->id >= CATALOGUE_UNKNOWN || r->class_id >= CATALOGUE_UNKNOWN) {
        return err_set(err, ERR_LIMIT, "image %lld is beyond what lists hold", (long long)r->id);
    }
    xgrow(&c->images, &c->cap, c->n + 1, sizeof *c->images);
    struct catalogue_image *i = &c->images[c->n++];
    *i = (struct catalogue_image){.image = (uint32_t)r->id,
                                  .class_id = (uint32_t)r->class_id,
                                  .minute = catalogue_minute(r->taken_at),
                                  .sharpness = r->measured ? (float)r->sharpness : -1,
                                  .brightness = share(r->brightness),
                                  .saturation = share(r->saturation),
                                  .gray = r->measured && r->gray};
    while (i->role + 1 < IMAGE_ROLES && !sv_is(r->role, image_role_words[i->role])) {
        i->role++;
    }
    return OK;
}

static void note_gaps(struct catalogue *c)
{
    c->first = c->n ? c->images[0].image : 0;
    c->gapless = c->n && c->images[c->n - 1].image - c->first == c->n - 1;
}

struct ranking {
    struct catalogue *c;
    uint32_t next;
};

static enum err_code rank(void *arg, int64_t id, struct err *err)
{
    struct ranking *r = arg;
    (void)err;
    uint32_t at = catalogue_find(r->c, (uint32_t)id);
    if (at != CATALOGUE_UNKNOWN) {
        r->c->images[at].rank = r->next++;
    }
    return OK;
}

enum err_code catalogue_load(struct db *db, struct catalogue *out, struct err *err)
{
    *out = (struct catalogue){0};
    enum err_code rc = db_snapshot(db, err);
    if (rc != OK) {
        return rc;
    }
    struct ranking r = {out, 0};
    rc = image_facts_each(db, add, out, err);
    note_gaps(out);
    rc = rc == OK ? image_facts_by_name(db, rank, &r, err) : rc;
    db_snapshot_end(db);
    return rc;
}

static int by_id(const void *a, const void *b)
{
    const struct catalogue_image *x = a, *y = b;
    return (x->image > y->image) - (x->image < y->image);
}

struct named {
    struct sv name;
    uint32_t image;
};
struct naming {
    struct catalogue *c;
    struct arena arena;
    struct named *names;
    size_t n, cap;
};

static enum err_code add_named(void *arg, const struct image_facts_row *r, struct err *err)
{
    struct naming *to = arg;
    enum err_code rc = add(to->c, r, err);
    if (rc == OK) {
        xgrow(&to->names, &to->cap, to->n + 1, sizeof *to->names);
        to->names[to->n++] = (struct named){arena_sv(&to->arena, r->name), (uint32_t)r->id};
    }
    return rc;
}

static int by_name(const void *a, const void *b)
{
    return sv_cmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static void rank_names(struct naming *to)
{
    qsort(to->names, to->n, sizeof *to->names, by_name);
    for (size_t i = 0; i < to->n; i++) {
        to->c->images[catalogue_find(to->c, to->names[i].image)].rank = (uint32_t)i;
    }
}

enum err_code catalogue_load_class(struct db *db, int64_t class_id, const uint32_t *more,
                                   size_t n_more, struct catalogue *out, struct err *err)
{
    struct naming to = {.c = out};
    *out = (struct catalogue){0};
    arena_init(&to.arena, NAMES_MOST);
    enum err_code rc = image_facts_of_class(db, class_id, add_named, &to, err);
    struct catalogue own = *out; /* not gapless: it is searched */
    for (size_t i = 0; i < n_more && rc == OK; i++) {
        if (catalogue_find(&own, more[i]) == CATALOGUE_UNKNOWN) {
            rc = image_facts_of(db, more[i], add_named, &to, err);
            own.images = out->images; /* may have moved */
        }
    }
    if (out->n > own.n) {
        qsort(out->images, out->n, sizeof *out->images, by_id);
    }
    note_gaps(out);
    if (rc == OK && out->n) {
        rank_names(&to);
    }
    arena_release(&to.arena);
    free(to.names);
    return rc;
}

enum err_code catalogue_load_between(struct db *db, int64_t first, int64_t last,
                                     struct catalogue *out, struct err *err)
{
    *out = (struct catalogue){0};
    enum err_code rc = image_facts_between(db, first, last, add, out, err);
    note_gaps(out);
    return rc;
}

void catalogue_release(struct catalogue *c)
{
    free(c->images);
    *c = (struct catalogue){0};
}

uint32_t catalogue_search(const struct catalogue *c, uint32_t image)
{
    size_t at = sorted_u32(c->images, c->n, sizeof *c->images, offsetof(struct catalogue_image, image),
                           image);
    return at < c->n && c->images[at].image == image ? (uint32_t)at : CATALOGUE_UNKNOWN;
}
