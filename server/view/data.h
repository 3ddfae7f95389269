/* data.h - pieces of what pages and JSON say: numbers, names and texts, a frequency with its interval. */
#ifndef VIEW_DATA_H
#define VIEW_DATA_H

#include <jansson.h>

#include "base/arena.h"
#include "base/sv.h"
#include "record/record.h"
#include "stats/binomial.h"

json_t *data_text(struct sv s); /* a JSON string; new reference */
/* A number that printf wrote, with a real minus instead of a hyphen; what was rounded to nothing has none. */
const char *data_minus(struct arena *a, const char *number);
/* A number with so many digits behind the point and a real minus; a dash for what is not known. In the arena. */
const char *data_number(struct arena *a, double v, int digits);
const char *data_range(struct arena *a, double lo, double hi, int digits); /* two of them: "12.3–45.6" */
/* A number with thousands separators, in the arena. */
const char *data_count(struct arena *a, int64_t n);
/* Makes every whole number of a record such a text, for pages. Returns it. */
json_t *data_counts(struct arena *a, json_t *record);
/* A text's paragraphs, which empty lines part: a list of strings. New reference. */
json_t *data_paragraphs(struct sv text);
/* What a class is called where there is room for one word: the first of its synset, its wnid without one. */
const char *data_class_name(struct arena *a, struct sv synset, struct sv wnid);
/* The words of a synset joined by `glue`. */
const char *data_synset(struct arena *a, struct sv synset, const char *glue);
/* The text as a value of an address's query: escaped (view/escape.h). */
const char *data_in_query(struct arena *a, struct sv text);
/* {frequency, n, selected, lo, hi, text "0.73 (n 10, 0.39–0.94)"}; n 0: frequency null, text
 * "no answers". Interval: Clopper-Pearson, 95 %. New reference. */
json_t *data_frequency(struct arena *a, int64_t selected, int64_t shown);
/* The pooled frequency of many images: {frequency, n, selected, text "0.73 (2,400 votes)"}. Without
 * interval: these votes cluster by worker, so a binomial one would be too narrow. */
json_t *data_pooled(struct arena *a, int64_t selected, int64_t shown);
/* The same with the interval that knows of the clusters (live/votes/stats.h): {frequency, n, selected, lo, hi,
 * text "0.73 (n 2,400 votes, 0.70–0.76)"}; n 0: as data_frequency. */
json_t *data_clustered(struct arena *a, int64_t selected, int64_t shown, struct interval ci);
/* The same of answers that were right as a whole: "0.73 (n 24 answers, ...)". */
json_t *data_clustered_answers(struct arena *a, int64_t right, int64_t answers, struct interval ci);
/* Of data_frequency and data_clustered; of data_pooled, or of either. */
extern const struct record frequency_record, pooled_record;

#endif
