/* subset.c - words joined; what each of them means is in subset_words.c. */
#include "measures/core/subset.h"

#include <stdlib.h>

#include "base/hash.h"
#include "measures/core/subset_words.h"

const struct subset_choice subset_choices[] = {
    {"", "all images"},
    {"without-near-duplicates", "without near-duplicates of training images"},
    {"near-duplicates", "near-duplicates of training images alone"},
    {"without-problematic", "without problematic images"},
    {NULL, NULL},
};

enum err_code subset_find(struct db *db, const struct subset_when *when, struct sv name, struct arena *a, struct subset *out,
                          struct err *err)
{
    static const struct subset_when now;
    const struct subset_ask ask = {db, when ? when : &now, a, err, out};
    const char *words = NULL, *labels = "all images";
    struct sv rest = sv_is(name, "all") ? SV("") : name;
    enum err_code rc = OK;
    *out = (struct subset){.parts = arena_calloc(a, SUBSET_PARTS_MOST, sizeof *out->parts)};
    while (rest.n && rc == OK) {
        const char *word = "", *label = "";
        rc = subset_word(&ask, sv_cut(&rest, ','), &word, &label);
        labels = words ? arena_printf(a, "%s, %s", labels, label) : label;
        words = words ? arena_printf(a, "%s,%s", words, word) : word;
    }
    out->name = words ? sv_of(words) : SV("");
    out->label = labels;
    return rc;
}

enum err_code subset_labelled(struct db *db, const struct subset_when *when, struct sv name, struct sv labels, struct arena *a,
                              struct subset *out, struct err *err)
{
    enum err_code rc = subset_find(db, when, name, a, out, err);
    return rc == OK ? label_pick_find(db, labels, a, &out->labels, err) : rc;
}

const char *subset_title(const struct subset *s, const struct subset *fresh, struct arena *a)
{
    const struct label_pick *new = fresh ? &fresh->labels : &s->labels;
    const char *right = label_pick_is_set(&s->labels) ? "" : arena_printf(a, "right: %s", s->labels.label);
    if (sv_cmp(s->labels.name, new->name) != 0) {
        right = arena_printf(a, "right: %s; on the new set: %s", s->labels.label, new->label);
    }
    const char *part = s->name.n ? s->label : "";
    if (fresh && sv_cmp(s->name, fresh->name) != 0) {
        part = arena_printf(a, "%s; on the new set: %s", s->label, fresh->label);
    }
    const char *text = arena_printf(a, "%s%s%s", part, *part && *right ? "; " : "", right);
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
        const int64_t id = p->of == SUBSET_CLASSES ? class_id : p->of == SUBSET_PAIRS ? subset_pair(image, class_id) : image;
        bool listed = p->n > 0 && bsearch(&id, p->ids, p->n, sizeof *p->ids, subset_by_id);
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
