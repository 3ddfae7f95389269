/* label_review.c - words, and resolving verdicts. */
#include "domain/labels/label_review.h"

static const char *const queues[REVIEW_QUEUES] = {"class", "disagreement", "random", "errors"};
static const struct {
    const char *word, *about;
} problems[PROBLEMS] = {
    [PROBLEM_LABEL] = {"label", "No label can be decided"},
    [PROBLEM_DRAWING] = {"drawing", "A drawing, painting, sketch or rendering"},
    [PROBLEM_EDITED] = {"edited", "Edited beyond recognition"},
    [PROBLEM_INAPPROPRIATE] = {"inappropriate", "Inappropriate"},
    [PROBLEM_OTHER] = {"other", "Something else (say what in the comment)"},
};

const char *review_queue_word(enum review_queue q) { return queues[q]; }
const char *problem_word(enum problem p) { return problems[p].word; }
const char *problem_about(enum problem p) { return problems[p].about; }

bool review_queue_of(struct sv word, enum review_queue *out)
{
    for (int i = 0; i < REVIEW_QUEUES; i++) {
        if (sv_is(word, queues[i])) {
            *out = (enum review_queue)i;
            return true;
        }
    }
    return false;
}

bool problem_of(struct sv word, enum problem *out)
{
    for (int i = 0; i < PROBLEMS; i++) {
        if (sv_is(word, problems[i].word)) {
            *out = (enum problem)i;
            return true;
        }
    }
    return false;
}

struct label_resolved label_resolve(const unsigned char *said, size_t n, unsigned char adjudicated)
{
    struct label_resolved r = {LABEL_UNREVIEWED, false};
    for (size_t i = 0; i < n; i++) {
        if (said[i] == LABEL_UNREVIEWED || said[i] == r.verdict) {
            continue;
        }
        r.disagree = r.disagree || r.verdict != LABEL_UNREVIEWED;
        r.verdict = r.disagree ? VERDICT_UNCLEAR : said[i];
    }
    return adjudicated == LABEL_UNREVIEWED ? r : (struct label_resolved){adjudicated, false};
}

double label_disagreement(const uint32_t *models, size_t n)
{
    uint64_t sum = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        sum += models[i];
        most = models[i] > most ? models[i] : most;
    }
    return sum ? 1 - (double)most / (double)sum : 0;
}
