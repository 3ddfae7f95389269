/* decision_choice.h - who and what a decision is about, as an address, a form, JSON or a command says
 * it, and as it is stored to be read later. */
#ifndef STUDY_DECISION_CHOICE_H
#define STUDY_DECISION_CHOICE_H

#include <jansson.h>

#include "live/people/people_words.h"
#include "store/decisions/decisions.h"

enum { CHOICE_NAMES_MOST = 10000 };

struct choice {
    bool pay;                     /* else analysis */
    enum decision_value value;
    int64_t undo;                 /* a decision; then nothing below but the reason counts */
    struct sv *people;            /* pseudonyms */
    size_t n_people;
    int64_t *places;
    size_t n_places;
    int64_t answer;               /* one answer, by its number; 0: none */
    struct sv view;               /* what its filters leave out; empty: none */
    bool fit;                     /* everybody whom the list of people shows */
    struct people_words words;
    bool all_places;              /* everybody in the campaign whom `show` lists */
    struct sv show;
    struct sv campaign, before;   /* only of this campaign; only answers before this day (UTC) */
    int64_t before_ms;
    int64_t bonus_cents;
    bool reopen;
    struct sv reason;
};

/* One word of a choice: a field of a form or an address, an option of a command. Of a name that is there
 * twice the first counts, but every "person" and "place" does. */
struct choice_word {
    struct sv name, value;
};
/* What is not there is not chosen; the texts are borrowed. ERR_INPUT (rules "decision-value",
 * "decision-date", "decision-bonus", "decision-choice"), ERR_LIMIT above CHOICE_NAMES_MOST. */
enum err_code choice_read(const struct choice_word *words, size_t n, struct arena *a,
                          struct choice *out, struct err *err);
/* The same from a JSON object, whose members may be lists of texts or numbers. */
enum err_code choice_json(const json_t *body, struct arena *a, struct choice *out,
                          struct err *err);
/* An undo without a reason gets the usual one. */
void choice_usual_reason(struct choice *c, struct arena *a);
/* Whether anybody or anything is chosen. */
bool choice_any(const struct choice *c);
/* [{name, value}]: fields of a form that say the same; new reference. */
json_t *choice_fields(const struct choice *c, struct arena *a);
/* The stored criteria, without panel ids; in the arena. */
const char *choice_criteria(const struct choice *c, struct arena *a);
/* What stored criteria say, for people: "3 people; campaign main; before 2026-11-20". */
const char *choice_criteria_text(struct sv criteria, struct arena *a);

#endif
