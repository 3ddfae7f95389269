/* people_words.h - which people a list shows, in words: a page's address says them (?show=&q=&sort=&order=&by=
 * &least=&most=) and a decision's criteria. */
#ifndef LIVE_PEOPLE_PEOPLE_WORDS_H
#define LIVE_PEOPLE_PEOPLE_WORDS_H

#include "live/people/people.h"

struct people_words {
    enum people_show show;
    enum people_key sort, by;
    bool falling;
    struct sv query, least, most; /* as typed */
};

/* The words as typed; what was not given is empty. */
struct people_typed {
    struct sv show, query, sort, order, by, least, most;
};

/* A word that is none of a list is the first of it; order defaults to what is looked for first. */
void people_words_read(const struct people_typed *t, struct people_words *out);
/* ERR_INPUT (rule "people-figure") for a least or most that is no number. Shares are given in percent,
 * times in minutes, pay in whole units an hour, as the list shows them. */
enum err_code people_words_ask(const struct people_words *w, struct people_ask *out,
                               struct err *err);
/* As a person reads it: "blocked, at least 3 answers". */
const char *people_words_text(const struct people_words *w, struct arena *a);
/* Whether the list is not of everybody. */
bool people_words_narrow(const struct people_words *w);

extern const char *const people_key_labels[PEOPLE_KEYS];
extern const char *const people_show_labels[PEOPLE_SHOWS];
/* Whether the larger values of a figure come first when a list is sorted by it. */
bool people_key_falls(enum people_key key);

#endif
