/* changes.h - what every new set changes against the same originals (measures/votes/set_changes.h), for the page of measures. */
#ifndef WEB_MEASURES_CHANGES_H
#define WEB_MEASURES_CHANGES_H

#include "measures/votes/set_changes.h"
#include "web/scoring/model_table.h"

/* {original, rows [{name, url, strategy, images, apart, frequency, top1, top5 (each {value, note}, or null), models}],
 * formats [{label, url}]}; null without originals or without a new set. New reference; NULL with c->err set. */
json_t *measures_changes_json(struct ctx *c, const struct model_table *t);

#endif
