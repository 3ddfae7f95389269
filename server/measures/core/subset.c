/* subset.c - words to ids; a new word is a row. */
#include "measures/core/subset.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "store/classes/classes.h"
#include "store/duplicates/near_pairs.h"
#include "store/images/statistic.h"
#include "store/review/blacklist.h"
#include "store/sets/sets.h"
#include "store/work/flags.h"

enum { PARTS_MOST = 16, CLASSES_MOST = 200 };

const struct subset_choice subset_choices[] = {
    {"", "all images"},
    {"without-near-duplicates", "without near-duplicates of training images"},
    {"near-duplicates", "near-duplicates of training images alone"},
    {"without-problematic", "without problematic images"},
    {NULL, NULL},
};

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* ---- what each word means ---- */

/* `rest`: what follows the word's colon, empty without one. */
typedef enum err_code (*find_fn)(struct db *db, struct sv rest, struct arena *a, struct subset_part *out, struct err *err);

static enum err_code find_trained(struct db *db, struct sv rest, struct arena *a, struct subset_part *out, struct err *err)
{
    (void)rest;
    out->label = "near-duplicates of training images alone";
    return near_pairs_trained(db, a, &out->ids, &out->n, err);
}

static enum err_code find_untrained(struct db *db, struct sv rest, struct arena *a, struct subset_part *out, struct err *err)
{
    enum err_code rc = find_trained(db, rest, a, out, err);
    out->without = true;
    out->label = "without near-duplicates of training images";
    return rc;
}

struct ids {
    int64_t *list;
    size_t n, cap;
};

static enum err_code add_id(void *arg, int64_t image, struct err *err)
{
    struct ids *ids = arg;
    (void)err;
    xgrow(&ids->list, &ids->cap, ids->n + 1, sizeof *ids->list);
    ids->list[ids->n++] = image;
    return OK;
}

/* Sorted, into the arena. */
static void take_ids(struct ids *ids, struct arena *a, struct subset_part *out)
{
    out->ids = arena_calloc(a, ids->n + 1, sizeof *out->ids);
    out->n = ids->n;
    if (ids->n) {
        qsort(ids->list, ids->n, sizeof *ids->list, by_number);
        memcpy(out->ids, ids->list, ids->n * sizeof *ids->list);
    }
    free(ids->list);
}

static enum err_code find_problematic(struct db *db, struct sv rest, struct arena *a, struct subset_part *out, struct err *err)
{
    struct ids ids = {.n = 0};
    (void)rest;
    enum err_code rc = blacklist_images(db, add_id, &ids, err);
    rc = rc == OK ? flags_hidden(db, INT64_MAX, add_id, &ids, err) : rc; /* by decision alone */
    take_ids(&ids, a, out);
    out->label = "problematic images alone";
    return rc;
}

static enum err_code find_unproblematic(struct db *db, struct sv rest, struct arena *a, struct subset_part *out, struct err *err)
{
    enum err_code rc = find_problematic(db, rest, a, out, err);
    out->without = true;
    out->label = "without problematic images";
    return rc;
}

static enum err_code find_classes(struct db *db, struct sv rest, struct arena *a, struct subset_part *out, struct err *err)
{
    struct ids ids = {.n = 0};
    struct sv all = rest;
    enum err_code rc = OK;
    size_t n = 0;
    while (rest.n && rc == OK) {
        int64_t *below;
        size_t n_below = 0;
        struct sv wnid = sv_cut(&rest, rest.n && memchr(rest.p, '+', rest.n) ? '+' : ' '); /* a form's "+" is a space */
        if (++n > CLASSES_MOST) {
            rc = err_rule(err, ERR_INPUT, "subset", "subset names at most %d classes.", CLASSES_MOST);
        }
        rc = rc == OK ? classes_below(db, wnid, a, &below, &n_below, err) : rc;
        for (size_t i = 0; i < n_below && rc == OK; i++) {
            rc = add_id(&ids, below[i], err);
        }
    }
    take_ids(&ids, a, out);
    out->of_classes = true;
    out->label = arena_printf(a, "%s " SV_FMT " and those below %s", n > 1 ? "classes" : "class", SV_ARG(all), n > 1 ? "them" : "it");
    return rc;
}

static enum err_code find_set(struct db *db, struct sv rest, struct arena *a, struct subset_part *out, struct err *err)
{
    struct revision_row r;
    struct revision_image *images;
    struct ids ids = {.n = 0};
    size_t n = 0;
    enum err_code rc = revisions_find(db, rest, a, &r, err);
    rc = rc == OK ? revision_may_be_scored(&r, err) : rc;
    rc = rc == OK ? revisions_images(db, r.id, a, &images, &n, err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = add_id(&ids, images[i].image, err);
    }
    take_ids(&ids, a, out);
    out->label = rc == OK ? arena_printf(a, "images of " SV_FMT "/%lld", SV_ARG(r.set), (long long)r.number) : "";
    return rc;
}

static enum err_code find_range(struct db *db, enum image_statistic which, struct sv rest, struct arena *a,
                                struct subset_part *out, struct err *err)
{
    struct sv range = rest, least = sv_cut(&range, '-');
    double lo = 0, hi = 0;
    if (!sv_f64(least, &lo) || !sv_f64(range, &hi) || lo > hi) {
        return err_rule(err, ERR_INPUT, "subset", "subset's range must be two numbers, the lesser one first: %s:10-20",
                        image_statistic_words[which]);
    }
    out->label = arena_printf(a, "%s from " SV_FMT " to " SV_FMT, image_statistic_words[which], SV_ARG(least), SV_ARG(range));
    return image_statistic_between(db, which, lo, hi, a, &out->ids, &out->n, err);
}

static const struct {
    const char *word;
    find_fn find;
} words[] = {
    {"near-duplicates", find_trained},
    {"without-near-duplicates", find_untrained},
    {"problematic", find_problematic},
    {"without-problematic", find_unproblematic},
    {"class:", find_classes},
    {"set:", find_set},
};

static enum err_code find_part(struct db *db, struct sv name, struct arena *a, struct subset_part *out, struct err *err)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i].word);
        bool more = words[i].word[n - 1] == ':';
        if (more ? name.n > n && sv_starts(name, words[i].word) : sv_is(name, words[i].word)) {
            return words[i].find(db, (struct sv){name.p + n, name.n - n}, a, out, err);
        }
    }
    struct sv rest = name;
    enum image_statistic which = image_statistic_of(sv_cut(&rest, ':'));
    if (which != IMAGE_STATISTICS) {
        return find_range(db, which, rest, a, out, err);
    }
    return err_rule(err, ERR_INPUT, "subset",
                    "subset must be near-duplicates, without-near-duplicates, problematic, without-problematic, class:WNID[+WNID], "
                    "set:SET[/NUMBER] or a range such as sharpness:0-100 (pixels, bytes, sharpness, brightness, saturation), or several "
                    "of these with commas between them; leave it out for all images.");
}

enum err_code subset_find(struct db *db, struct sv name, struct arena *a, struct subset *out, struct err *err)
{
    struct sv rest = name;
    enum err_code rc = OK;
    *out = (struct subset){.name = arena_sv(a, name), .label = "all images"};
    out->parts = arena_calloc(a, PARTS_MOST, sizeof *out->parts);
    while (rest.n && rc == OK) {
        struct subset_part *part = &out->parts[out->n];
        if (out->n == PARTS_MOST) {
            return err_rule(err, ERR_INPUT, "subset", "subset has at most %d parts.", PARTS_MOST);
        }
        rc = find_part(db, sv_cut(&rest, ','), a, part, err);
        out->label = rc != OK ? "" : out->n ? arena_printf(a, "%s, %s", out->label, part->label) : part->label;
        out->n += rc == OK;
    }
    return rc;
}

enum err_code subset_labelled(struct db *db, struct sv name, struct sv labels, struct arena *a, struct subset *out,
                              struct err *err)
{
    enum err_code rc = subset_find(db, name, a, out, err);
    return rc == OK ? label_pick_find(db, labels, a, &out->labels, err) : rc;
}

const char *subset_title(const struct subset *s, const struct subset *fresh, struct arena *a)
{
    const struct label_pick *new = fresh ? &fresh->labels : &s->labels;
    const char *right = label_pick_is_set(&s->labels) ? "" : arena_printf(a, "right: %s", s->labels.label);
    if (sv_cmp(s->labels.name, new->name) != 0) {
        right = arena_printf(a, "right: %s; on the new set: %s", s->labels.label, new->label);
    }
    const char *text = arena_printf(a, "%s%s%s", s->name.n ? s->label : "", s->name.n && *right ? "; " : "", right);
    return *text ? text : NULL;
}

bool subset_is_all(const struct subset *s)
{
    return !s || (s->name.n == 0 && label_pick_is_set(&s->labels));
}

bool subset_has(const struct subset *s, int64_t image, int64_t class_id)
{
    bool has = true;
    for (size_t i = 0; s && i < s->n && has; i++) {
        const struct subset_part *p = &s->parts[i];
        const int64_t id = p->of_classes ? class_id : image;
        bool listed = p->n > 0 && bsearch(&id, p->ids, p->n, sizeof *p->ids, by_number);
        has = listed != p->without;
    }
    return has;
}

uint64_t subset_hash(const struct subset *s)
{
    if (subset_is_all(s)) {
        return 0;
    }
    uint64_t hash = hash_bytes(s->name.p, s->name.n);
    for (size_t i = 0; i < s->n; i++) {
        hash = hash_u64(hash ^ hash_bytes(s->parts[i].ids, s->parts[i].n * sizeof *s->parts[i].ids));
    }
    return hash ^ label_pick_hash(&s->labels);
}
