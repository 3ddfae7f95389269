/* subset_words.c - words to ids; a new word is a row. */
#include "measures/core/subset_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "live/votes/view_ask.h"
#include "measures/core/label_books.h"
#include "store/classes/classes.h"
#include "store/classes/relations.h"
#include "store/duplicates/near_pairs.h"
#include "store/images/statistic.h"
#include "store/labels/evaluation_people.h"
#include "store/labels/label_reviews.h"
#include "store/review/blacklist.h"
#include "store/sets/sets.h"
#include "store/work/flags.h"

enum { CLASSES_MOST = 200 };

int subset_by_id(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The next part of the subset; NULL with err set when it has too many. */
static struct subset_part *add_part(const struct subset_ask *ask)
{
    struct subset *s = ask->out;
    if (s->n == SUBSET_PARTS_MOST) {
        err_rule(ask->err, ERR_INPUT, "subset", "subset has at most %d parts.", SUBSET_PARTS_MOST);
        return NULL;
    }
    return &s->parts[s->n++];
}

struct ids {
    int64_t *list;
    size_t n, cap;
};

static enum err_code add_id(void *arg, int64_t id, struct err *err)
{
    struct ids *ids = arg;
    (void)err;
    xgrow(&ids->list, &ids->cap, ids->n + 1, sizeof *ids->list);
    ids->list[ids->n++] = id;
    return OK;
}

/* Sorted, into the arena. */
static void take_ids(struct ids *ids, struct arena *a, struct subset_part *out)
{
    out->ids = arena_calloc(a, ids->n + 1, sizeof *out->ids);
    out->n = ids->n;
    if (ids->n) {
        qsort(ids->list, ids->n, sizeof *ids->list, subset_by_id);
        memcpy(out->ids, ids->list, ids->n * sizeof *ids->list);
    }
    free(ids->list);
}

/* ---- what each word means ---- */

/* `rest`: what follows the word's colon, empty without one. The part's ids, what they are of, and its label. *pin: `rest`
 * with the numbers that it means; as it came unless set. */
typedef enum err_code (*find_fn)(const struct subset_ask *ask, struct sv rest, struct subset_part *out, const char **pin);

static enum err_code find_trained(const struct subset_ask *ask, struct sv rest, struct subset_part *out, const char **pin)
{
    (void)rest, (void)pin;
    out->label = "near-duplicates of training images alone";
    return near_pairs_trained(ask->db, ask->a, &out->ids, &out->n, ask->err);
}

static enum err_code find_untrained(const struct subset_ask *ask, struct sv rest, struct subset_part *out, const char **pin)
{
    enum err_code rc = find_trained(ask, rest, out, pin);
    out->without = true;
    out->label = "without near-duplicates of training images";
    return rc;
}

static enum err_code find_problematic(const struct subset_ask *ask, struct sv rest, struct subset_part *out, const char **pin)
{
    struct ids ids = {.n = 0};
    (void)rest, (void)pin;
    enum err_code rc = blacklist_images(ask->db, add_id, &ids, ask->err);
    rc = rc == OK ? flags_hidden(ask->db, INT64_MAX, add_id, &ids, ask->err) : rc; /* by decision alone */
    take_ids(&ids, ask->a, out);
    out->label = "problematic images alone";
    return rc;
}

static enum err_code find_unproblematic(const struct subset_ask *ask, struct sv rest, struct subset_part *out, const char **pin)
{
    enum err_code rc = find_problematic(ask, rest, out, pin);
    out->without = true;
    out->label = "without problematic images";
    return rc;
}

static enum err_code find_unasked(const struct subset_ask *ask, struct sv rest, struct subset_part *out, const char **pin)
{
    (void)rest, (void)pin;
    out->without = true;
    out->label = "without images that experts are asked about";
    return label_reviews_images(ask->db, ask->a, &out->ids, &out->n, ask->err);
}

/* Classes on either side. */
static enum err_code find_related(const struct subset_ask *ask, struct sv rest, struct subset_part *out, const char **pin)
{
    struct relation_pair *pairs;
    struct ids ids = {.n = 0};
    size_t n = 0;
    const enum relation kind = relation_of(rest);
    (void)pin;
    if (kind >= RELATION_NONE) {
        return err_rule(ask->err, ERR_INPUT, "subset", "subset's relation must be equal, contains, confusable or redefined.");
    }
    enum err_code rc = relations_pairs(ask->db, ask->a, &pairs, &n, ask->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (pairs[i].kind == kind) {
            add_id(&ids, pairs[i].a, ask->err);
            add_id(&ids, pairs[i].b, ask->err);
        }
    }
    take_ids(&ids, ask->a, out);
    out->of = SUBSET_CLASSES;
    out->label = arena_printf(ask->a, "classes with the relation %s", relation_words[kind]);
    return rc;
}

static enum err_code find_classes(const struct subset_ask *ask, struct sv rest, struct subset_part *out, const char **pin)
{
    struct ids ids = {.n = 0};
    struct sv all = rest;
    enum err_code rc = OK;
    size_t n = 0;
    (void)pin;
    while (rest.n && rc == OK) {
        int64_t *below;
        size_t n_below = 0;
        struct sv wnid = sv_cut(&rest, rest.n && memchr(rest.p, '+', rest.n) ? '+' : ' '); /* a form's "+" is a space */
        if (++n > CLASSES_MOST) {
            rc = err_rule(ask->err, ERR_INPUT, "subset", "subset names at most %d classes.", CLASSES_MOST);
        }
        rc = rc == OK ? classes_below(ask->db, wnid, ask->a, &below, &n_below, ask->err) : rc;
        for (size_t i = 0; i < n_below && rc == OK; i++) {
            rc = add_id(&ids, below[i], ask->err);
        }
    }
    take_ids(&ids, ask->a, out);
    out->of = SUBSET_CLASSES;
    out->label = arena_printf(ask->a, "%s " SV_FMT " and those below %s", n > 1 ? "classes" : "class", SV_ARG(all), n > 1 ? "them" : "it");
    return rc;
}

static enum err_code find_set(const struct subset_ask *ask, struct sv rest, struct subset_part *out, const char **pin)
{
    struct revision_row r;
    struct revision_image *images;
    struct ids ids = {.n = 0};
    size_t n = 0;
    enum err_code rc = revisions_find(ask->db, rest, ask->a, &r, ask->err);
    rc = rc == OK ? revision_may_be_scored(&r, ask->err) : rc;
    rc = rc == OK ? revisions_images(ask->db, r.id, ask->a, &images, &n, ask->err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = add_id(&ids, images[i].image, ask->err);
    }
    take_ids(&ids, ask->a, out);
    if (rc == OK) {
        *pin = arena_printf(ask->a, SV_FMT "/%lld", SV_ARG(r.set), (long long)r.number);
        out->label = arena_printf(ask->a, "images of %s", *pin);
    }
    return rc;
}

/* "LO-HI" of the word. */
static enum err_code read_range(const struct subset_ask *ask, const char *word, struct sv range, double *lo, double *hi)
{
    struct sv least = sv_cut(&range, '-');
    if (!sv_f64(least, lo) || !sv_f64(range, hi) || *lo > *hi) {
        return err_rule(ask->err, ERR_INPUT, "subset", "subset's range must be two numbers, the lesser one first: %s:%s", word,
                        strcmp(word, "frequency") == 0 ? "0.6-0.8" : "10-20");
    }
    return OK;
}

static const char *range_label(const struct subset_ask *ask, const char *what, struct sv range)
{
    struct sv least = sv_cut(&range, '-');
    return arena_printf(ask->a, "%s from " SV_FMT " to " SV_FMT, what, SV_ARG(least), SV_ARG(range));
}

static enum err_code find_statistic(const struct subset_ask *ask, enum image_statistic which, struct sv rest, struct subset_part *out)
{
    double lo = 0, hi = 0;
    enum err_code rc = read_range(ask, image_statistic_words[which], rest, &lo, &hi);
    out->label = range_label(ask, image_statistic_words[which], rest);
    return rc == OK ? image_statistic_between(ask->db, which, lo, hi, ask->a, &out->ids, &out->n, ask->err) : rc;
}

/* ---- frequencies ---- */

static enum err_code count_votes(const struct subset_ask *ask, const struct vote_view *v, struct view_counts *out)
{
    struct view_ask votes;
    const struct subset_when *when = ask->when;
    if (!when->tally) {
        return view_count_once(ask->db, v, when->event, ask->a, out, ask->err);
    }
    enum err_code rc = view_ask_of(ask->db, v, when->event, ask->a, &votes, ask->err);
    return rc == OK ? view_count(when->tally, &votes, out, ask->err) : rc;
}

/* A quotient of whole numbers that equals a bound reads as the bound: both are rounded to the nearest double. */
static enum err_code find_frequency(const struct subset_ask *ask, struct sv rest, struct subset_part *out, const char **pin)
{
    struct vote_view view;
    struct view_counts votes;
    struct ids ids = {.n = 0};
    double lo = 0, hi = 0;
    struct sv name = rest, range = sv_cut(&name, ':');
    enum err_code rc = read_range(ask, "frequency", range, &lo, &hi);
    rc = rc == OK ? views_named(ask->db, name.n ? name : SV("default"), ask->a, &view, ask->err) : rc;
    rc = rc == OK ? count_votes(ask, &view, &votes) : rc;
    if (rc != OK) {
        return rc;
    }
    for (size_t i = 0; i < votes.n; i++) {
        const double f = votes.shown[i] ? (double)votes.selected[i] / votes.shown[i] : -1;
        if (f >= lo && (f < hi || (hi >= 1 && f >= 0))) {
            add_id(&ids, subset_pair(votes.image[i], votes.class_id[i]), ask->err);
        }
    }
    view_counts_release(&votes);
    take_ids(&ids, ask->a, out);
    out->of = SUBSET_PAIRS;
    out->label = range_label(ask, "selection frequency", range);
    if (name.n) {
        *pin = arena_printf(ask->a, SV_FMT ":" SV_FMT "/%lld", SV_ARG(range), SV_ARG(view.name), (long long)view.versions);
        out->label = arena_printf(ask->a, "%s by " SV_FMT, out->label, SV_ARG(view.name));
    }
    return rc;
}

/* ---- objects ---- */

static enum err_code find_objects(const struct subset_ask *ask, struct sv rest, bool several, struct subset_part *out, const char **pin)
{
    struct label_version_row v;
    struct label_book book;
    struct ids ids = {.n = 0};
    enum err_code rc = label_source_find(ask->db, rest, ask->a, &v, ask->err);
    if (rc == OK && v.kind == LABEL_KIND_MAIN) {
        rc = err_rule(ask->err, ERR_INPUT, "subset",
                      "The label source " SV_FMT " has one label per image, so it does not say which images show several objects. Name "
                      "one of the kinds objects, labels or review.",
                      SV_ARG(v.name));
    }
    if (rc != OK) {
        return rc;
    }
    rc = label_source_read(ask->db, &v, &book, ask->err);
    for (size_t i = 0; i < book.n && rc == OK; i++) {
        const struct label_image *m = &book.images[i];
        const uint32_t n = label_image_counts(v.kind, m) ? label_image_right(v.kind, m, book.labels) : 0;
        if (several ? n > 1 : n == 1) {
            rc = add_id(&ids, m->image, ask->err);
        }
    }
    label_book_release(&book);
    take_ids(&ids, ask->a, out);
    *pin = arena_printf(ask->a, SV_FMT "/%lld", SV_ARG(v.name), (long long)v.number);
    out->label = arena_printf(ask->a, "%s by " SV_FMT, several ? "several objects" : "one object", SV_ARG(v.name));
    return rc;
}

static enum err_code find_single(const struct subset_ask *ask, struct sv rest, struct subset_part *out, const char **pin)
{
    return find_objects(ask, rest, false, out, pin);
}

static enum err_code find_multi(const struct subset_ask *ask, struct sv rest, struct subset_part *out, const char **pin)
{
    return find_objects(ask, rest, true, out, pin);
}

/* Images that all people of an evaluation have answered. */
static enum err_code find_evaluated(const struct subset_ask *ask, struct sv rest, struct subset_part *out, const char **pin)
{
    struct evaluation_row r;
    (void)pin;
    enum err_code rc = evaluations_find(ask->db, rest, ask->a, &r, ask->err);
    out->label = arena_printf(ask->a, "images that everybody classified in " SV_FMT, SV_ARG(rest));
    return rc == OK ? evaluation_answered_by_all(ask->db, r.id, ask->a, &out->ids, &out->n, ask->err) : rc;
}

/* Those of an evaluation that people were fast with. */
static enum err_code find_fast(const struct subset_ask *ask, struct sv rest, struct subset_part *out, const char **pin)
{
    struct evaluation_row r;
    struct evaluation_time *times = NULL;
    size_t n = 0;
    (void)pin;
    enum err_code rc = evaluations_find(ask->db, rest, ask->a, &r, ask->err);
    rc = rc == OK ? evaluation_times(ask->db, r.id, ask->a, &times, &n, ask->err) : rc;
    out->ids = arena_calloc(ask->a, n + 1, sizeof *out->ids);
    out->label = arena_printf(ask->a, "images of " SV_FMT " that people classify in less than a minute", SV_ARG(rest));
    int64_t *ms = arena_calloc(ask->a, n + 1, sizeof *ms); /* of an image */
    for (size_t i = 0, end; i < n && rc == OK; i = end) {
        for (end = i; end < n && times[end].image == times[i].image; end++) {
            ms[end - i] = times[end].ms;
        }
        if (evaluation_fast(ms, end - i)) {
            out->ids[out->n++] = times[i].image;
        }
    }
    return rc;
}

/* ---- all words ---- */

static const struct {
    const char *word;
    find_fn find;
} words[] = {
    {"near-duplicates", find_trained},
    {"without-near-duplicates", find_untrained},
    {"problematic", find_problematic},
    {"without-problematic", find_unproblematic},
    {"without-expert-work", find_unasked},
    {"relation:", find_related},
    {"class:", find_classes},
    {"set:", find_set},
    {"frequency:", find_frequency},
    {"single:", find_single},
    {"multi:", find_multi},
    {"evaluated:", find_evaluated},
    {"fast:", find_fast},
};

static enum err_code find_part(const struct subset_ask *ask, struct sv name, struct subset_part *out, const char **word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i].word);
        bool more = words[i].word[n - 1] == ':';
        if (more ? name.n > n && sv_starts(name, words[i].word) : sv_is(name, words[i].word)) {
            const char *pin = NULL;
            enum err_code rc = words[i].find(ask, (struct sv){name.p + n, name.n - n}, out, &pin);
            *word = pin ? arena_printf(ask->a, "%s%s", words[i].word, pin) : *word;
            return rc;
        }
    }
    struct sv rest = name;
    enum image_statistic which = image_statistic_of(sv_cut(&rest, ':'));
    if (which != IMAGE_STATISTICS) {
        return find_statistic(ask, which, rest, out);
    }
    return err_rule(ask->err, ERR_INPUT, "subset",
                    "subset must be near-duplicates, without-near-duplicates, problematic, without-problematic, without-expert-work, "
                    "relation:KIND, class:WNID[+WNID], "
                    "set:SET[/NUMBER], frequency:LO-HI[:VIEW], single:SOURCE or multi:SOURCE of a label source, "
                    "evaluated:NAME or fast:NAME of an evaluation, @NAME of a named "
                    "subset, or a range such as sharpness:0-100 (pixels, bytes, sharpness, brightness, saturation), or several of these with commas between them; "
                    "leave it out for all images.");
}

/* "NAME[/NUMBER]": the parts as they were stored. */
static enum err_code find_named(const struct subset_ask *ask, struct sv name, const char **word, const char **label)
{
    struct subset_row row;
    struct subset_part *parts;
    size_t n = 0;
    enum err_code rc = subsets_find(ask->db, name, ask->when->named, ask->a, &row, ask->err);
    rc = rc == OK ? subset_parts_read(ask->db, row.id, ask->a, &parts, &n, ask->err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct subset_part *part = add_part(ask);
        if (!part) {
            return ask->err->code;
        }
        *part = parts[i];
    }
    if (rc == OK) {
        *word = arena_printf(ask->a, "@" SV_FMT "/%lld", SV_ARG(row.name), (long long)row.number);
        *label = arena_printf(ask->a, SV_FMT ", version %lld", SV_ARG(row.name), (long long)row.number);
    }
    return rc;
}

enum err_code subset_word(const struct subset_ask *ask, struct sv name, const char **word, const char **label)
{
    if (name.n > 1 && name.p[0] == '@') {
        return find_named(ask, (struct sv){name.p + 1, name.n - 1}, word, label);
    }
    struct subset_part *part = add_part(ask);
    if (!part) {
        return ask->err->code;
    }
    *word = arena_cstr(ask->a, name);
    enum err_code rc = find_part(ask, name, part, word);
    *label = rc == OK ? part->label : "";
    return rc;
}
