/* model_rows.h - the table of models as page data, for layout/models/table. */
#ifndef WEB_SCORING_MODEL_ROWS_H
#define WEB_SCORING_MODEL_ROWS_H

#include "web/scoring/model_jobs.h"
#include "web/scoring/model_table.h"

/* {heads [{label, note, url, sorted, number}], rows [{name, url, is_import, parameters, original1, original5,
 * new1, new5 (each of set_data_short_cell, or null), gap, raw_gap, rank, new_rank, change (each {value, note}),
 * job}], has_parameters, has_raw (the sets have other classes: raw_gap is a column of its own), gap_note ({pending,
 * mixture, how}, or null)}: the first `most` lines. sortable: heads have addresses. New reference. */
json_t *model_rows_json(struct ctx *c, const struct model_table *t, size_t most,
                        const struct model_jobs *jobs, bool sortable);
/* Which file or run scores each model on the pair: made_by_record each, in the table's order. New reference. */
json_t *model_rows_sources(struct ctx *c, const struct model_table *t);
/* Of one model, for layout/models/gap: {originals, news (as model_rows_set), top, of (how many are ranked), gap, raw_gap,
 * rank, new_rank, change, has_raw, gap_note} as above; null unless it is ranked. New reference. */
json_t *model_rows_one(struct ctx *c, const struct model_table *t, int64_t model);
/* What the gap on common classes is over and what the raw one compares; NULL where both sets have the same classes in the
 * same shares, or there is no pair. */
const char *model_rows_mixture(struct ctx *c, const struct model_table *t);
/* The best, the median and the worst of the ranked models, and how their ranks on both sets agree: {rows [{label, name, url,
 * original, fresh, gap, rank, new_rank, change}], any_rows (the table has more), order, mean (texts)}; null with fewer
 * than two of them. New reference. */
json_t *model_rows_summary(struct ctx *c, const struct model_table *t);
/* {name, url, role, images} of one of the pair, or null. New reference. */
json_t *model_rows_set(struct ctx *c, const struct model_set *s);
/* The ten most accurate models on the newest pair: {table, originals, news, all_text}; null without any.
 * New reference; NULL with c->err set. */
json_t *model_rows_first(struct ctx *c);
/* What a model may be let predict, for layout/models/run: [{value, label}]. New reference. */
json_t *model_rows_runs(struct ctx *c, const struct revision_row *revisions, size_t n);

#endif
