/* subset.c - words to ids; a new subset is a row. */
#include "measures/subset.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "store/classes/classes.h"
#include "store/duplicates/near_pairs.h"

#define OF_CLASS "class:"

const struct subset_choice subset_choices[] = {
    {"", "all images"},
    {"without-near-duplicates", "without near-duplicates of training images"},
    {"near-duplicates", "near-duplicates of training images alone"},
    {NULL, NULL},
};

static const struct subset_choice *choice_of(struct sv name)
{
    const struct subset_choice *c = subset_choices;
    while (c->name && !sv_is(name, c->name)) {
        c++;
    }
    return c->name ? c : NULL;
}

static enum err_code find_trained(struct db *db, struct arena *a, struct subset *s, struct err *err)
{
    int64_t *ids;
    enum err_code rc = near_pairs_trained(db, a, &ids, &s->n, err);
    s->ids = ids;
    s->without = sv_is(s->name, "without-near-duplicates");
    return rc;
}

static enum err_code find_classes(struct db *db, struct sv wnid, struct arena *a, struct subset *s, struct err *err)
{
    int64_t *ids;
    enum err_code rc = classes_below(db, wnid, a, &ids, &s->n, err);
    s->ids = ids;
    s->of_classes = true;
    s->label = arena_printf(a, "class " SV_FMT " and those below it", SV_ARG(wnid));
    return rc;
}

enum err_code subset_find(struct db *db, struct sv name, struct arena *a, struct subset *out, struct err *err)
{
    const size_t prefix = strlen(OF_CLASS);
    const struct subset_choice *choice = choice_of(name);
    *out = (struct subset){.name = arena_sv(a, name), .label = choice ? choice->label : ""};
    if (name.n == 0) {
        return OK;
    }
    if (choice) {
        return find_trained(db, a, out, err);
    }
    if (name.n > prefix && memcmp(name.p, OF_CLASS, prefix) == 0) {
        return find_classes(db, (struct sv){name.p + prefix, name.n - prefix}, a, out, err);
    }
    return err_rule(err, ERR_INPUT, "subset",
                    "subset must be near-duplicates, without-near-duplicates or " OF_CLASS "WNID; leave it out for all images.");
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

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

bool subset_has(const struct subset *s, int64_t image, int64_t class_id)
{
    if (!s || s->name.n == 0) {
        return true;
    }
    const int64_t id = s->of_classes ? class_id : image;
    bool listed = s->n > 0 && bsearch(&id, s->ids, s->n, sizeof *s->ids, by_number);
    return listed != s->without;
}

uint64_t subset_hash(const struct subset *s)
{
    return subset_is_all(s) ? 0
                            : hash_u64(hash_bytes(s->name.p, s->name.n) ^ hash_bytes(s->ids, s->n * sizeof *s->ids)) ^
                                  label_pick_hash(&s->labels);
}
