/* relation_data.h - how a class relates to others as page data, said from its side. */
#ifndef WEB_NAMING_RELATION_DATA_H
#define WEB_NAMING_RELATION_DATA_H

#include <jansson.h>

#include "store/classes/relations.h"
#include "web/core/app.h"

/* What it is to the class with that id, in words: "equal to", "contains", "contained in", ... */
const char *relation_text(const struct relation_row *r, int64_t from);
/* Those of the class with any of the others alone, as below; each is a hint to somebody who is asked about all of them. NULL with
 * c->err set. */
json_t *relation_hints_json(struct ctx *c, int64_t from, const int64_t *others, size_t n);
/* [{text, kind, name, wnid, url (of the other class), pair_url, note, by, at}]: said from the side of the class. New reference. */
json_t *relations_json(struct ctx *c, const struct relation_row *list, size_t n, int64_t from);
/* "/guide/WNID/with/WNID". */
const char *relation_pair_url(struct ctx *c, struct sv wnid, struct sv other);

#endif
