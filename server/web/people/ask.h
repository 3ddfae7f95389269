/* ask.h - the list of people in an address: from its query and back. */
#ifndef WEB_PEOPLE_ASK_H
#define WEB_PEOPLE_ASK_H

#include "http/form.h"
#include "live/people/people_words.h"

/* ?show=&q=&sort=&order=&by=&least=&most= */
void people_asked(const struct form *query, struct people_words *out);
/* "/workers?show=..." without what is usual; `page` from 1. */
const char *people_list_url(const struct people_words *w, unsigned page, struct arena *a);

#endif
