/* people_ask.h - which people a list shows, as the address says it: ?show=&q=&sort=&order=&by=&least=
 * &most=. The same words stand in a decision's criteria. Called by page_workers.c, decision_choice.c. */
#ifndef WEB_PEOPLE_ASK_H
#define WEB_PEOPLE_ASK_H

#include <jansson.h>

#include "http/form.h"
#include "live/people.h"

struct people_words {
    enum people_show show;
    enum people_key sort, by;
    bool falling;
    struct sv query, least, most; /* as typed */
};

/* A word that is none of a list is the first of it; order defaults to what is looked for first. */
void people_words_read(const struct form *f, struct people_words *out);
/* ERR_INPUT (rule "people-figure") for a least or most that is no number. Shares are given in percent,
 * times in minutes, pay in whole units an hour, as the list shows them. */
enum err_code people_words_ask(const struct people_words *w, struct people_ask *out,
                               struct err *err);
/* "/workers?show=..." without what is usual; `page` from 1. */
const char *people_words_url(const struct people_words *w, unsigned page, struct arena *a);
/* As a person reads it: "blocked, at least 3 answers". */
const char *people_words_text(const struct people_words *w, struct arena *a);
/* Whether the list is not of everybody. */
bool people_words_narrow(const struct people_words *w);

extern const char *const people_key_labels[PEOPLE_KEYS];
extern const char *const people_show_labels[PEOPLE_SHOWS];
/* Whether the larger values of a figure come first when a list is sorted by it. */
bool people_key_falls(enum people_key key);

#endif
