/* page_data.h - pieces of page data that several pages show: a class header, a campaign's progress,
 * tiles; with those of view/data.h. */
#ifndef WEB_CORE_PAGE_DATA_H
#define WEB_CORE_PAGE_DATA_H

#include "store/campaigns/campaigns.h"
#include "store/classes/classes.h"
#include "view/data.h"
#include "web/core/app.h"

/* A class_record; its synset is "a or b". New reference. */
json_t *data_class(struct arena *a, const struct class_info *k);
/* What a class that is known by its wnid is called (data_class_name): one lookup. */
const char *data_class_called(struct ctx *c, struct sv wnid);
/* How far something is, as its bar shows it; of nothing (`total` 0) it is 0 %. */
struct progress {
    int64_t done, total, percent;
    const char *text;
};
struct progress data_bar(int64_t done, int64_t total, const char *text);
/* How a campaign stands; from any thread. */
void data_progress(struct ctx *c, const struct campaign *k, struct desk_progress *out);
/* A campaign_record (web/core/records.h). New reference. */
json_t *data_campaign(struct ctx *c, const struct campaign *k);
/* What stands before "/work/..." in a link: the configured public address, else the one that this
 * browser used; empty when neither is known. */
const char *data_site(struct ctx *c);
/* Appends {label, value, unit: null, note} (note may be NULL), {term, value} or {text}. */
void data_tile(json_t *tiles, const char *label, const char *value, const char *note);
/* Sets the unit of the last tile; takes the reference. */
void data_tile_unit(json_t *tiles, json_t *unit);
void data_term(json_t *terms, const char *term, const char *value);
void data_line(json_t *lines, const char *text);
/* What layout/head needs for a page that refreshes itself. New reference. */
json_t *data_live(const char *topic, const char *url);

#endif
