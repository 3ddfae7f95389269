/* set_tree.h - the revisions of a set as the tree that they form: sizes, what came and went,
 * average frequency, how far the review is, which classes are incomplete. */
#ifndef WEB_PARTS_SET_TREE_H
#define WEB_PARTS_SET_TREE_H

#include "store/sets/sets.h"
#include "web/core/app.h"

/* {name, url, role, is_original, any, rows [set_data_revision and {twigs, parent {name, url} or null, changes {added,
 * removed, classes} or null, frequency (set_averages_data of web/parts/set_averages.h) or null, bias (the leading figure in words), bias_url, review {progress} or null, short {text, note} or
 * null, blacklisted, complete, published}]}: a revision stands below the one that it was made from, side branches
 * indented by `twigs`. Reads every list of the set: helper threads only. New reference; NULL with c->err set. */
json_t *set_tree(struct ctx *c, const struct set_row *set);

/* The newest revision of every set that is no set of originals, for the first page: [{name, url, state, is_sealed,
 * images_text, frequency, review, short}], as above; short as the revision itself says. A few small queries. New
 * reference; NULL with c->err set. */
json_t *set_tree_newest(struct ctx *c);

/* What a revision says of itself (store/sets/revision_facts.h), {} where it says nothing. New reference. */
json_t *set_facts_json(struct sv facts);

#endif
