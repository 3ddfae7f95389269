/* score_csv.c - the table of scores as CSV, and the records that it is made of. */
#include "measures/scores/score_csv.h"

#define OF(member) RECORD_OF(struct score_line, member)
static RECORD(score_record, struct score_line, "score", "A model on the originals and on a new set.",
              {"orig_rank", OF(orig_rank), .about = "Rank on the originals, from 1."},
              {"model", OF(counts.model), .about = "The model's name."},
              {"orig_correct", OF(counts.orig_correct), .about = "Originals that it got right."},
              {"orig_n", OF(counts.orig_n), .about = "Originals."},
              {"orig_acc", OF(orig_acc), .about = "Accuracy on the originals in percent."},
              {"orig_lo", OF(orig_lo), .about = "Lower bound of orig_acc: Clopper-Pearson."},
              {"orig_hi", OF(orig_hi), .about = "Upper bound of orig_acc."},
              {"new_correct", OF(counts.new_correct), .about = "Images of the new set that it got right."},
              {"new_n", OF(counts.new_n), .about = "Images of the new set."},
              {"new_acc", OF(new_acc), .about = "Accuracy on the new set in percent."},
              {"new_lo", OF(new_lo), .about = "Lower bound of new_acc."},
              {"new_hi", OF(new_hi), .about = "Upper bound of new_acc."},
              {"gap", OF(gap), .about = "orig_acc minus new_acc, in points."},
              {"new_rank", OF(new_rank), .about = "Rank on the new set, from 1."},
              {"delta_rank", OF(delta_rank), .about = "orig_rank minus new_rank."},
              {"p_orig", OF(orig_acc), RECORD_ROUNDED, RECORD_CSV},
              {"p_orig_lo", OF(orig_lo), RECORD_ROUNDED, RECORD_CSV},
              {"p_orig_hi", OF(orig_hi), RECORD_ROUNDED, RECORD_CSV},
              {"p_new", OF(new_acc), RECORD_ROUNDED, RECORD_CSV},
              {"p_new_lo", OF(new_lo), RECORD_ROUNDED, RECORD_CSV},
              {"p_new_hi", OF(new_hi), RECORD_ROUNDED, RECORD_CSV},
              {"p_gap", OF(gap), RECORD_ROUNDED, RECORD_CSV});
#undef OF

#define OF(member) RECORD_OF(struct gap_record_row, member)
#define IF(member) RECORD_IF(struct gap_record_row, member)
RECORD(gap_record, struct gap_record_row, "score_gap", "The gap on common classes, and intervals of gaps and ranks.",
       {"common_orig_acc", OF(line.original_acc), IF(told), .about = "Accuracy on the originals of common classes in percent."},
       {"common_new_acc", OF(line.fresh_acc), IF(told), .about = "The same of the new set, weighted by the originals' classes."},
       {"common_gap", OF(line.gap), IF(told), .about = "Their difference in points."},
       {"common_gap_lo", OF(line.common.lo), IF(line.common.known), .about = "Lower bound of common_gap; null: no interval yet."},
       {"common_gap_hi", OF(line.common.hi), IF(line.common.known), .about = "Upper bound of common_gap."},
       {"gap_lo", OF(line.raw.lo), IF(line.raw.known), .about = "Lower bound of gap."},
       {"gap_hi", OF(line.raw.hi), IF(line.raw.known), .about = "Upper bound of gap."},
       {"orig_rank_lo", OF(line.original_rank.lo), RECORD_WHOLE, IF(line.original_rank.known), .about = "Lower bound of orig_rank."},
       {"orig_rank_hi", OF(line.original_rank.hi), RECORD_WHOLE, IF(line.original_rank.known), .about = "Upper bound of orig_rank."},
       {"new_rank_lo", OF(line.fresh_rank.lo), RECORD_WHOLE, IF(line.fresh_rank.known), .about = "Lower bound of new_rank."},
       {"new_rank_hi", OF(line.fresh_rank.hi), RECORD_WHOLE, IF(line.fresh_rank.known), .about = "Upper bound of new_rank."},
       {"delta_rank_lo", OF(line.change.lo), RECORD_WHOLE, IF(line.change.known), .about = "Lower bound of delta_rank."},
       {"delta_rank_hi", OF(line.change.hi), RECORD_WHOLE, IF(line.change.known), .about = "Upper bound of delta_rank."});
#undef OF
#undef IF

#define OF(member) RECORD_OF(struct score_gap_row, member)
#define PART(member) RECORD_PART(struct score_gap_row, member)
RECORD(score_gap_record, struct score_gap_row, "score_line", "A model on the originals and on a new set, with intervals.",
       {NULL, PART(line), RECORD_BESIDE, .of = &score_record},
       {"orig_classes", OF(classes.original), .face = RECORD_CSV},
       {"new_classes", OF(classes.fresh), .face = RECORD_CSV},
       {"common_classes", OF(classes.common), .face = RECORD_CSV},
       {"same_shares", OF(classes.same), .face = RECORD_CSV},
       {NULL, PART(gap), RECORD_BESIDE, .of = &gap_record},
       {"method", OF(method), .face = RECORD_CSV},
       {"resamples", OF(level.resamples), .face = RECORD_CSV},
       {"seed", OF(seed), .face = RECORD_CSV},
       {"alpha", OF(level.alpha), .face = RECORD_CSV});
#undef OF
#undef PART

struct score_gap_row score_gap_row(const struct score_line *line, const struct model_gaps_found *gaps, size_t at)
{
    return (struct score_gap_row){.line = *line,
                                  .gap = {gaps->lines[at], gap_told(&gaps->classes)},
                                  .classes = gaps->classes,
                                  .method = gap_method,
                                  .level = *gaps->level,
                                  .seed = gaps->seed};
}

void score_csv(const struct score_line *lines, const struct model_gaps_found *gaps, const size_t *at, size_t n, struct str *out)
{
    const struct record *r = gaps ? &score_gap_record : &score_record;
    record_csv_names(r, out);
    str_addc(out, '\n');
    for (size_t i = 0; i < n; i++) {
        size_t line = at ? at[i] : i;
        if (gaps) {
            const struct score_gap_row row = score_gap_row(&lines[line], gaps, line);
            record_csv_cells(r, &row, out);
        } else {
            record_csv_cells(r, &lines[line], out);
        }
        str_addc(out, '\n');
    }
}
