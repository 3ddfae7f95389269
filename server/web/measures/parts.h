/* parts.h - what the pages of measures of parts (classes, statistics, images, confusions) share: the filters of a pair
 * of sets in their addresses and forms. */
#ifndef WEB_MEASURES_PARTS_H
#define WEB_MEASURES_PARTS_H

#include "web/measures/data.h"

/* Rows of a list's parameters for its member `member`, a struct measures_query. */
#define MEASURES_PARAMS(type, member)                                                                                  \
    {"original", LIST_TEXT, .at = offsetof(type, member.sets[SIDE_ORIGINAL])},                                         \
        {"new", LIST_TEXT, .at = offsetof(type, member.sets[SIDE_NEW])},                                               \
        {"top", LIST_WORD, .at = offsetof(type, member.top), .words = measures_tops},                                  \
        {"subset", LIST_TEXT, .at = offsetof(type, member.subset)},                                                    \
        {"labels", LIST_TEXT, .at = offsetof(type, member.labels)},                                                    \
        {"new_labels", LIST_TEXT, .at = offsetof(type, member.new_labels)},                                            \
        {"models", LIST_TEXT, .at = offsetof(type, member.models)}

/* What templates/layout/measures/form shows: {action, original, new, subsets, any_labels, labels, new_labels, models,
 * tops [{label, url, current}] (stolen), keep [{name, value}] (stolen; NULL: none)}. New reference. */
json_t *measures_form(struct ctx *c, const struct measures *m, const char *action, json_t *tops, json_t *keep);
/* [{label, url, current}]: the pages about the same sets, of which `here` (an address's path) is shown. New reference. */
json_t *measures_tabs(struct ctx *c, const struct measures_query *q, const char *here);
/* The same from a page about one set, SET/NUMBER, which those about one set keep. */
json_t *measures_tabs_of(struct ctx *c, const struct measures_query *q, struct sv set, const char *here);
/* [{label, url, current}]: the same measures at `path` by top-1 or top-5, with raw or corrected bins, and on the
 * scales of a line. New references. */
json_t *measures_tops_tabs(struct ctx *c, const struct measures_query *q, const char *path);
json_t *measures_bins_tabs(struct ctx *c, const struct measures_query *q, const char *path);
json_t *measures_scales_tabs(struct ctx *c, const struct measures_query *q, const char *path);
/* Why there is nothing to show, and what to do: {title, text, link {url, label}, commands [text]}, for
 * templates/layout/measures/none: without a set that models may be scored on, without a model that has predicted all of it (`r`),
 * and either, of a pair of sets; null when there is something. New references; NULL with c->err set. */
json_t *measures_none_sets(struct ctx *c);
json_t *measures_none_models(struct ctx *c, const struct revision_row *r);
json_t *measures_none(struct ctx *c, const struct measures *m);
/* The same while nobody was asked about the images; `text`: where the numbers come from. New reference. */
json_t *measures_none_votes(const char *text);
/* The same while no label source says what is needed. New reference. */
json_t *measures_none_labels(const char *title, const char *text);
/* [{value, current}]: vote views by name. New reference; NULL with c->err set. */
json_t *measures_views(struct ctx *c, struct sv view);
/* SET/NUMBER of a side; empty without one. */
struct sv measures_title(struct ctx *c, const struct measures *m, enum model_side side);
/* "Left out, for want of predictions of all images: a, b."; NULL for none. */
const char *measures_left_out(struct ctx *c, const struct measures *m);
/* [name, ...]: the models that count. New reference. */
json_t *measures_names(const struct measures *m);
/* "Model x" or "Mean of 67 models". */
const char *measures_models_words(struct ctx *c, const struct measures *m);

#endif
