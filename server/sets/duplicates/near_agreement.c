/* near_agreement.c - counts of what was said at first and then. */
#include "sets/duplicates/near_agreement.h"

#include "stats/kappa.h"
#include "store/duplicates/near_verdicts.h"

enum { SAYS = NEAR_SAY_OPEN /* what a person may say */ };

#define OF(member) RECORD_OF(struct near_agreement, member)
RECORD(near_agreement_record, struct near_agreement, "near_agreement", "How far verdicts about pairs agree when they are shown again.",
       {"who", OF(who), .about = "\"within\": one person twice; \"between\": two people."},
       {"pairs", OF(pairs), .about = "Pairs that were shown again."},
       {"alike", OF(alike), .about = "Pairs of which the same was said."},
       {"kappa", OF(kappa), .maybe = true,
        .about = "Cohen's kappa of the verdicts duplicate, not and unsure; null: no pair, or one verdict for all."});
#undef OF

struct tables {
    int64_t of[NEAR_AGREEMENTS][SAYS * SAYS];
};

static enum err_code count(void *arg, bool same_person, enum near_say first, enum near_say then, struct err *err)
{
    struct tables *t = arg;
    (void)err;
    if (first < NEAR_SAY_OPEN && then < NEAR_SAY_OPEN) {
        t->of[!same_person][first * SAYS + then]++;
    }
    return OK;
}

enum err_code near_agreement_get(struct db *db, struct near_agreement out[NEAR_AGREEMENTS], struct err *err)
{
    static const char *const who[NEAR_AGREEMENTS] = {"within", "between"};
    struct tables t = {0};
    enum err_code rc = near_verdicts_repeated(db, count, &t, err);
    for (size_t w = 0; w < NEAR_AGREEMENTS; w++) {
        out[w] = (struct near_agreement){.who = who[w], .kappa = kappa_cohen(t.of[w], SAYS)};
        for (size_t i = 0; i < (size_t)SAYS * SAYS; i++) {
            out[w].pairs += t.of[w][i];
            out[w].alike += i % (SAYS + 1) == 0 ? t.of[w][i] : 0;
        }
    }
    return rc;
}
