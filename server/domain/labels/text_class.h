/* text_class.h - from what a model said in its own words to a class: texts as they are compared, the list of what stands
 * for which class, and the ranking of candidate texts by given scores. Nothing is guessed: a text is a synonym of one
 * class, of several (then only a person's list decides), or of none. Knows nothing of files, models and images.
 *
 * Texts are compared without what does not change their meaning: ASCII letters in lower case, white space and "_" as one
 * space, typographic apostrophes and hyphens as plain ones, punctuation at both ends and one leading article (a, an, the)
 * left out. Other letters stay as they are; plurals are not stemmed, and nothing is taken out of a sentence. */
#ifndef DOMAIN_TEXT_CLASS_H
#define DOMAIN_TEXT_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/sv.h"

enum { TEXT_RANKED = 5, TEXT_NO_CLASS = 65535 };

/* Why a text stands for no class; the order of words of text_outcome_word. */
enum text_outcome { TEXT_CLASS, TEXT_OUT_OF_LIST, TEXT_AMBIGUOUS, TEXT_EMPTY };
/* "class", "out-of-list", "ambiguous", "empty". */
const char *text_outcome_word(enum text_outcome outcome);

/* What the texts are: decided by the recipe of whoever asked the model. */
enum text_answers { TEXT_WORDS, TEXT_WNIDS, TEXT_NUMBERS };
/* False for any other word than "words", "wnids" or "numbers". */
bool text_answers_find(struct sv word, enum text_answers *out);

struct text_list {
    struct map_sv words;   /* folded synonym -> cid, or SEVERAL */
    struct map_sv wnids;   /* folded wnid -> cid */
    struct map_sv decided; /* folded text -> cid: a person's list */
    bool *numbers;         /* by cid: there is such a class */
};
void text_list_init(struct text_list *l);
void text_list_release(struct text_list *l);
/* A class with its synonyms, joined by "|"; 0 <= cid < TEXT_NO_CLASS. */
void text_list_add(struct text_list *l, struct sv wnid, struct sv synset, uint16_t cid);
/* A person's word that the text means that class; false when the list says another class already, or the text is empty. */
bool text_list_decide(struct text_list *l, struct sv text, uint16_t cid);

struct text_meaning {
    enum text_outcome outcome;
    uint16_t cid; /* TEXT_NO_CLASS without a class */
};
/* By the person's list, else as a wnid or class number where the texts are such, else as a synonym. */
struct text_meaning text_list_find(const struct text_list *l, enum text_answers answers, struct sv text);

/* The best candidates by score, best first. Of equal scores a class comes before what is no class, and the lower class
 * number first. A class has the score of its best text and takes one place; what is no class takes a place too. */
struct text_ranking {
    int n;                        /* places: TEXT_RANKED at most */
    size_t at[TEXT_RANKED];       /* candidates */
    struct text_meaning is[TEXT_RANKED];
    double score[TEXT_RANKED];
};
struct text_ranking text_rank(const struct text_meaning *is, const double *score, size_t n);

#endif
