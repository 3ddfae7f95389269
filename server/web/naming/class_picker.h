/* class_picker.h - choosing one of the project's classes in a form: by search, level by level in the tree, or among those that
 * the person chose last. Works as a plain form; static/js/classes.js asks /api/v1/guide/classes instead of sending it.
 * templates/layout/classes/picker.mustache, which shows the page's `choose`. */
#ifndef WEB_NAMING_CLASS_PICKER_H
#define WEB_NAMING_CLASS_PICKER_H

#include "experts/class_browse.h"
#include "web/core/app.h"

/* What a form of the choice sends besides: class_query (what was searched for) with do=find; class_under (the level that is to
 * be opened: a button of this name); and `field`, the wnid that was chosen. */
struct class_picker_ask {
    const char *field;  /* name of the radio buttons */
    const char *legend; /* "Which class is it?" */
    struct sv query, under, chosen; /* as sent; empty: nothing */
    bool brief; /* the tree is not listed before somebody asks for it: there may be a thousand classes at its top */
};
/* From a form or an address. */
struct class_picker_ask class_picker_of_form(const struct form *f, const char *field, const char *legend);
struct class_picker_ask class_picker_of_address(struct ctx *c, const char *field, const char *legend);
/* The form asks for another view of the choice instead of being sent: Find, or a level. */
bool class_picker_turns(const struct form *f);
/* What the template shows; new reference, NULL with c->err set (ERR_NOT_FOUND, rule "no-class"). */
json_t *class_picker_json(struct ctx *c, const struct class_picker_ask *ask);

/* "/guide/WNID". */
const char *class_entry_url(struct ctx *c, struct sv wnid);
/* {wnid, name, synset, gloss, is_class, classes (text), one, opens, url}: an entry of the tree. New reference. */
json_t *class_entry_json(struct ctx *c, const struct class_entry *e);
json_t *class_entries_json(struct ctx *c, const struct class_entry *list, size_t n);

/* Such entries of the classes that the account chose last. New reference; NULL with c->err set. */
json_t *class_recent_json(struct ctx *c);

/* Found, for a search; else what is below `under`. In the arena. */
struct class_listing {
    struct class_entry *path, *items; /* path: from the top to `under` with it; of a search: empty */
    size_t n_path, n;
};
enum err_code class_listing_read(struct ctx *c, struct sv query, struct sv under, struct class_listing *out);
/* A class alone as such an entry. */
struct class_entry class_entry_of(const struct class_info *k);

#endif
