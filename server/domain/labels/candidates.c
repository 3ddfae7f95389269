/* candidates.c - counts of one image to its stage and candidates. */
#include "domain/labels/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static const struct {
    const char *word, *about;
} stages[CANDIDATE_STAGES] = {
    [CANDIDATES_EASY] = {"easy", "no other label is found often enough beside the set's"},
    [CANDIDATES_FU] = {"fu", "several labels are found about as often as the set's"},
    [CANDIDATES_MIS] = {"mis", "nobody found the set's label in the image"},
    [CANDIDATES_AMB] = {"amb", "too few people were asked"},
};
const char *candidate_stage_word(enum candidate_stage s) { return stages[s].word; }
const char *candidate_stage_about(enum candidate_stage s) { return stages[s].about; }

static const struct contains_count *own_count(const struct candidates_ask *ask)
{
    for (size_t i = 0; i < ask->n; i++) {
        if (ask->counts[i].label == ask->label) {
            return &ask->counts[i];
        }
    }
    return NULL;
}

/* Whether a's frequency is at least `share` thousandths of b's. At most 10^15: no overflow. */
static bool as_often(const struct contains_count *a, const struct contains_count *b, uint32_t share)
{
    return (uint64_t)CANDIDATE_SHARE * a->selected * b->shown >= (uint64_t)share * b->selected * a->shown;
}

static enum candidate_stage stage_of(const struct candidates_ask *ask, const struct contains_count *own)
{
    size_t asked = 0;
    for (size_t i = 0; i < ask->n; i++) {
        asked += ask->counts[i].shown >= ask->least;
    }
    if (own && own->shown && own->selected == 0) {
        return CANDIDATES_MIS;
    }
    return !own || own->shown < ask->least || (asked < 2 && ask->n > 1) ? CANDIDATES_AMB : CANDIDATES_FU;
}

/* Falling by frequency, then rising by class id. */
static int by_frequency(const struct contains_count *a, const struct contains_count *b)
{
    uint64_t x = (uint64_t)a->selected * b->shown, y = (uint64_t)b->selected * a->shown;
    return x != y ? (x < y) - (x > y) : (a->label > b->label) - (a->label < b->label);
}

/* What is kept first: of labels as frequent as each other, the one that more people were asked about. */
static int by_worth(const struct contains_count *a, const struct contains_count *b)
{
    uint64_t x = (uint64_t)a->selected * b->shown, y = (uint64_t)b->selected * a->shown;
    return x == y && a->shown != b->shown ? (a->shown < b->shown) - (a->shown > b->shown) : by_frequency(a, b);
}

/* Few: insertion. */
static void sort(const struct candidates_ask *ask, size_t *list, size_t n,
                 int (*order)(const struct contains_count *, const struct contains_count *))
{
    for (size_t i = 1; i < n; i++) {
        size_t moving = list[i], k = i;
        for (; k > 0 && order(&ask->counts[list[k - 1]], &ask->counts[moving]) > 0; k--) {
            list[k] = list[k - 1];
        }
        list[k] = moving;
    }
}

/* Leaves the set's label and the most worthy others. */
static void leave_most(const struct candidates_ask *ask, struct candidates_found *out, size_t own)
{
    size_t kept = 0;
    sort(ask, out->list, out->n, by_worth);
    for (size_t i = 0, others = 0; i < out->n; i++) {
        if (out->list[i] == own || ++others < ask->most) {
            out->list[kept++] = out->list[i];
        }
    }
    out->left_out = out->n - kept;
    out->n = kept;
}

void candidates_find(const struct candidates_ask *ask, struct candidates_found *out)
{
    BUG_IF(ask->n > CANDIDATE_LABELS || ask->most == 0);
    const struct contains_count *own = own_count(ask);
    out->stage = stage_of(ask, own);
    out->n = out->left_out = 0;
    if (out->stage != CANDIDATES_FU) {
        return;
    }
    for (size_t i = 0; i < ask->n; i++) {
        const struct contains_count *c = &ask->counts[i];
        if (c == own || (c->shown >= ask->least && as_often(c, own, ask->tau))) {
            out->list[out->n++] = i;
        }
    }
    leave_most(ask, out, (size_t)(own - ask->counts));
    sort(ask, out->list, out->n, by_frequency);
    out->stage = out->n + out->left_out == 1 ? CANDIDATES_EASY : CANDIDATES_FU;
}

size_t labels_valid(const struct candidates_ask *ask, uint32_t t, bool relative)
{
    static const struct contains_count everybody = {0, 1, 1};
    const struct contains_count *own = own_count(ask);
    size_t n = 0;
    if (!own || own->selected == 0) {
        return 0;
    }
    for (size_t i = 0; i < ask->n; i++) {
        const struct contains_count *c = &ask->counts[i];
        n += c == own || (c->shown >= ask->least && as_often(c, relative ? own : &everybody, t));
    }
    return n;
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

size_t potential_labels(uint32_t label, const uint32_t *said, size_t n, uint32_t *out)
{
    size_t kept = 0;
    if (n) {
        memcpy(out, said, n * sizeof *said);
    }
    out[n] = label;
    qsort(out, n + 1, sizeof *out, by_id);
    for (size_t i = 0; i <= n; i++) {
        if (kept == 0 || out[kept - 1] != out[i]) {
            out[kept++] = out[i];
        }
    }
    return kept;
}
