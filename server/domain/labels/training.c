/* training.c - words, the mark, and the draw. */
#include "domain/labels/training.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/sorted.h"
#include "base/xalloc.h"

static const char *const made[TRAINING_MADE] = {"relation", "confusions", "group", "file"};
static const char *const verdicts[SUGGESTS] = {"correct", "wrong", "unclear", "dontknow", "problematic", "none"};

const char *training_made_word(enum training_made m) { return made[m]; }
const char *training_verdict_word(enum training_verdict v) { return verdicts[v]; }

static bool word_of(struct sv word, const char *const *words, int n, int *out)
{
    for (*out = 0; *out < n; (*out)++) {
        if (sv_is(word, words[*out])) {
            return true;
        }
    }
    return false;
}

bool training_made_of(struct sv word, enum training_made *out)
{
    int i;
    bool is = word_of(word, made, TRAINING_MADE, &i);
    *out = (enum training_made)i;
    return is;
}

bool training_verdict_of(struct sv word, enum training_verdict *out)
{
    int i;
    bool is = word_of(word, verdicts, SUGGESTS, &i);
    *out = (enum training_verdict)i;
    return is;
}

int64_t training_parts(int64_t images) { return (images + TRAINING_PART - 1) / TRAINING_PART; }

struct training_standing training_stand(const bool *fits, size_t n, int64_t mark, int64_t span)
{
    struct training_standing s = {.answers = (int64_t)n};
    for (size_t i = 0; i < n; i++) {
        s.right += fits[i];
        s.n++;
        if (s.n > span) {
            s.n--;
            s.right -= fits[i - (size_t)span];
        }
        if (!s.passed && s.n == span && 100 * s.right >= mark * span) {
            s.passed = true;
            s.after = (int64_t)i + 1;
        }
    }
    return s;
}

size_t training_draw(const uint32_t *class_of, size_t n, size_t want, struct rng *r, uint32_t *out)
{
    struct map_u64 seen; /* class -> how many of its images came before */
    struct sorted_key *keys = xcalloc(n + 1, sizeof *keys);
    uint32_t *order = xcalloc(n + 1, sizeof *order);
    for (size_t i = 0; i < n; i++) {
        order[i] = (uint32_t)i;
    }
    rng_shuffle_u32(r, order, n);
    map_u64_init(&seen);
    for (size_t i = 0; i < n; i++) {
        uint32_t before = map_u64_get(&seen, class_of[order[i]]);
        before = before == MAP_NONE ? 0 : before;
        keys[i] = (struct sorted_key){before, i};
        map_u64_set(&seen, class_of[order[i]], before + 1);
    }
    sorted_keys(keys, n, false);
    want = want < n ? want : n;
    for (size_t i = 0; i < want; i++) {
        out[i] = order[keys[i].at];
    }
    rng_shuffle_u32(r, out, want);
    map_u64_release(&seen);
    free(order);
    free(keys);
    return want;
}
