/* page_data.h - pieces of page data that several pages show: a class header, a campaign's
 * progress, a frequency with its interval. Called by page_*.c and api_*.c. */
#ifndef WEB_PAGE_DATA_H
#define WEB_PAGE_DATA_H

#include "stats/binomial.h"
#include "store/campaigns.h"
#include "store/classes.h"
#include "web/app.h"

/* {wnid, cid, synset ("a or b"), gloss, wikipedia [{url}], url}. New reference. */
json_t *data_class(struct arena *a, const struct class_info *k);
/* The words of a synset joined by `glue`. */
const char *data_synset(struct arena *a, struct sv synset, const char *glue);
/* {frequency, n, selected, lo, hi, text "0.73 (n 10, 0.39–0.94)"}; n 0: frequency null, text
 * "no answers". Interval: Clopper-Pearson, 95 %. New reference. */
json_t *data_frequency(struct arena *a, int64_t selected, int64_t shown);
/* The pooled frequency of many images: {frequency, n, selected, text "0.73 (2,400 votes)"}. Without
 * interval: these votes cluster by worker (study.md), so a binomial one would be too narrow. */
json_t *data_pooled(struct arena *a, int64_t selected, int64_t shown);
/* The same with the interval that knows of the clusters (live/stats.h): {frequency, n, selected, lo, hi,
 * text "0.73 (n 2,400 votes, 0.70–0.76)"}; n 0: as data_frequency. */
json_t *data_clustered(struct arena *a, int64_t selected, int64_t shown, struct interval ci);
/* How a campaign stands; from any thread. */
void data_progress(struct ctx *c, const struct campaign *k, struct desk_progress *out);
/* {name, title, kind, state, is_open, is_paused, imported, simulated, url, answers_per_grid,
 * created, progress {done, total, percent, text}}. New reference. */
json_t *data_campaign(struct ctx *c, const struct campaign *k);
/* A text's paragraphs, which empty lines part: a list of strings. New reference. */
json_t *data_paragraphs(struct sv text);
/* What stands before "/work/..." in a link: the configured public address, else the one that this
 * browser used; empty when neither is known. */
const char *data_site(struct ctx *c);
json_t *data_text(struct sv s); /* a JSON string; new reference */
/* A number that printf wrote, with a real minus instead of a hyphen. */
const char *data_minus(struct arena *a, const char *number);
/* A number with thousands separators, in the arena. */
const char *data_count(struct arena *a, int64_t n);
/* Appends {label, value, unit: null, note} (note may be NULL), or {term, value}. */
void data_tile(json_t *tiles, const char *label, const char *value, const char *note);
void data_term(json_t *terms, const char *term, const char *value);
/* What layout/head needs for a page that refreshes itself. New reference. */
json_t *data_live(const char *topic, const char *url);

#endif
