/* history_words.h - THE table of event kinds: the area of each, what it is about, and the sentence that
 * the history says. A test holds it against every kind that the program stores. */
#ifndef WEB_OPERATE_HISTORY_WORDS_H
#define WEB_OPERATE_HISTORY_WORDS_H

#include <jansson.h>

#include "store/operate/history.h"

enum history_area {
    AREA_CAMPAIGNS, AREA_PEOPLE, AREA_PAY, AREA_IMAGES, AREA_MODELS, AREA_VIEWS, AREA_ACCOUNTS,
    AREA_ANSWERS,
    HISTORY_AREAS
};
extern const char *const history_area_names[HISTORY_AREAS];  /* in addresses */
extern const char *const history_area_labels[HISTORY_AREAS]; /* on the page */

/* `words` follows the name of who did it. {campaign}, {person}, {view}, {decision}, {image}, {job} and {grid}
 * are links; {name}, {text}, {bonus} come from the facts, {n} and {m} are their numbers; {images}, {grids},
 * {classes} and {people} count a run of events, {answers} and {places} what a decision is about,
 * {those} whose it is; {other} is the person when an account did it, else {own} is "their"; any other name is of the event's detail. What stands in brackets is left out
 * when a name in it has no value. */
struct history_word {
    const char *kind;
    enum history_area area;
    enum history_about about;
    const char *by;   /* who, when no account did it; NULL: the command line; "": the person */
    const char *words;
};
extern const struct history_word history_words[];
extern const size_t history_words_count;

/* The entry of a kind; one without a sentence of its own gets a plain one. */
const struct history_word *history_word(struct sv kind);
/* "|campaign.create|campaign.open|...", in the arena. */
struct sv history_kinds(enum history_area area, struct arena *a);
/* Fills in which kinds are one line when several stand in a row: the pieces that an import writes. */
void history_join(struct history_ask *ask);

/* Who did it: {text, url}; url null but for a person. New reference. */
json_t *history_who(const struct history_event *e, const struct history_facts *f, struct arena *a);
/* The sentence behind it: [{text, url}], url null for plain text. New reference. */
json_t *history_sentence(const struct history_event *e, const struct history_facts *f,
                         struct arena *a);

#endif
