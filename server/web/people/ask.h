/* ask.h - the list of people in an address: from its query and back. */
#ifndef WEB_PEOPLE_ASK_H
#define WEB_PEOPLE_ASK_H

#include "live/people/people_words.h"
#include "web/core/lists.h"

/* ?show=&q=&sort=&order=&by=&least=&most= */
enum err_code people_asked(struct ctx *c, struct people_words *out);
/* "/workers?show=..." without what is usual. */
const char *people_list_url(struct ctx *c, const struct people_words *w);

#endif
