/* score_alone.c - the rows of one set's table and its two records. */
#include "measures/scores/score_alone.h"

#include "domain/scores/score_table.h"
#include "stats/binomial.h"

static struct score_share share_of(const struct model_score *s, int top, const struct score_level *level)
{
    if (!model_score_knows(s, top)) {
        return (struct score_share){.known = false};
    }
    uint32_t right = model_score_right(s, top);
    struct interval ci = binomial_clopper_pearson(right, s->images, level->alpha);
    return (struct score_share){true, right, score_percent(right, s->images), 100 * ci.lo, 100 * ci.hi};
}

struct score_alone score_alone(uint32_t rank, struct sv model, const struct model_score *s, const struct score_level *level)
{
    return (struct score_alone){rank, s->images, model, share_of(s, 1, level), share_of(s, 5, level)};
}

#define OF(member) RECORD_OF(struct score_alone, member)
#define SHARE(top) RECORD_IF(struct score_alone, top.known)
static RECORD(alone_record, struct score_alone, "score_alone", "A model on one set.",
              {"rank", OF(rank)},
              {"model", OF(model)},
              {"n", OF(n)},
              {"top1_correct", OF(top1.correct), SHARE(top1)},
              {"top1_acc", OF(top1.acc), SHARE(top1)},
              {"top1_lo", OF(top1.lo), SHARE(top1)},
              {"top1_hi", OF(top1.hi), SHARE(top1)},
              {"top5_correct", OF(top5.correct), SHARE(top5)},
              {"top5_acc", OF(top5.acc), SHARE(top5)},
              {"top5_lo", OF(top5.lo), SHARE(top5)},
              {"top5_hi", OF(top5.hi), SHARE(top5)});
static RECORD(printed_record, struct score_alone, "printed_alone", "Its line as it is printed.",
              {"Rank", OF(rank)},
              {"Model", OF(model)},
              {"Top-1 accuracy", OF(top1.acc), RECORD_ROUNDED, SHARE(top1), RECORD_BOUNDS(struct score_alone, top1.lo, top1.hi)},
              {"Top-5 accuracy", OF(top5.acc), RECORD_ROUNDED, SHARE(top5), RECORD_BOUNDS(struct score_alone, top5.lo, top5.hi)});
#undef OF
#undef SHARE

void score_alone_write(const struct score_alone *rows, size_t n, const char *about, enum record_table as, struct str *out)
{
    bool csv = as == RECORD_TABLE_CSV;
    record_table(csv ? &alone_record : &printed_record, as, rows, n, out);
    if (!csv) {
        record_table_caption(as, sv_of(about), out);
    }
}
