/* subset.h - a part of a set's images by a word, as addresses and options have it: what scores, gaps and charts are
 * about instead of all; and by whose labels answers about them are right. Knows nothing of models.
 *
 *   (empty), all               all images
 *   near-duplicates            those recorded as near-duplicates of an image that models were trained on
 *   without-near-duplicates    the others (papers, section on near-duplicates of the original test set)
 *   problematic                those on the blacklist, and those that somebody decided to put in quarantine or take down
 *   without-problematic        the others
 *   without-expert-work        those that no label review and no evaluation has
 *   relation:KIND              those of classes that relate so to another class (domain/classes/relations.h): equal, contains,
 *                              confusable, redefined
 *   class:WNID[+WNID]          those of these classes, or of a class below one of them in the hierarchy
 *   set:SET[/NUMBER]           those that another revision has, whatever its classes: a list of images that was imported
 *                              as a set has a name, versions and a digest; not one on which models may not be scored
 *   sharpness:LO-HI            those of which it is known and within, both ends included; also pixels, bytes, brightness,
 *                              saturation (store/images/statistic.h)
 *   frequency:LO-HI[:VIEW[/NUMBER]]  those whose selection frequency under the class that they have in the set is at least
 *                              LO and below HI, or up to 1: bins as published. By a vote view, without one the default one
 *   single:SOURCE[/NUMBER]     those of which a label source counts one object: of a source of objects; of one of reviews one
 *                              correct label, of one of labels one label
 *   multi:SOURCE[/NUMBER]      those of which it counts several
 *   evaluated:NAME             those that everybody has classified in an evaluation who is through with it (of a list that was
 *                              closed before anybody was: everybody who said something)
 *   fast:NAME                  those that people classify there in less than a minute: at least three, by their median
 *   @NAME[/NUMBER]             what the words of a named subset meant when its version was made (sets/subsets/named.h)
 *   WORD,WORD                  those that all of the words mean
 *
 * Of a subset the images that a sealed revision has are left out, whatever it is: with subsets of one's own choice, what
 * models say of each could be told by subtraction. */
#ifndef MEASURES_SUBSET_H
#define MEASURES_SUBSET_H

#include <stdbool.h>
#include <stdint.h>

#include "live/core/tally.h"
#include "measures/core/label_pick.h"
#include "store/sets/subsets.h"

struct subset {
    struct sv name;     /* the words, with the numbers of sets, views and sources that they mean; empty: all images */
    const char *label;  /* as in "Images: ..." */
    struct subset_part *parts; /* all of which an image must be in */
    size_t n;
    struct label_pick labels; /* in place of the set's own: then images that the source does not count are left out too */
};
/* Whose votes frequencies are of, and as of when. */
struct subset_when {
    struct tally *tally; /* NULL: they are counted by a tally of its own, which reads all answers */
    int64_t event;       /* the last one whose votes count; 0: all */
    int64_t named;       /* of subsets under a name, versions up to this event; 0: all */
};
/* In the arena; `when` NULL: now, by a tally of its own. ERR_INPUT (rule "subset") for a word that is none, ERR_NOT_FOUND
 * (rule "no-class") for a wnid that the project does not know, or (rules "set", "no-view", "label-source", "evaluation", "no-subset"); ERR_DENIED (rule
 * "set-sealed"). */
enum err_code subset_find(struct db *db, const struct subset_when *when, struct sv name, struct arena *a, struct subset *out,
                          struct err *err);
/* The same with the labels of a source (label_pick_find). */
enum err_code subset_labelled(struct db *db, const struct subset_when *when, struct sv name, struct sv labels, struct arena *a,
                              struct subset *out, struct err *err);
/* What a pair of sets is measured by, for people, in the arena: "class X; right: the main label, by NAME". `fresh`: of the
 * new set, where its images or labels are others; NULL: as the originals'. NULL: all images by the set's labels. */
const char *subset_title(const struct subset *s, const struct subset *fresh, struct arena *a);
/* NULL is the subset of all images, by the set's labels. */
bool subset_is_all(const struct subset *s);
/* Whether the word means the image; what a label source has is not asked (measures/scores/score_fold.h). */
bool subset_has(const struct subset *s, int64_t image, int64_t class_id);
/* Of which images and labels are meant: another one when somebody records or takes back a near-duplicate. */
uint64_t subset_hash(const struct subset *s);

/* Subsets that need no further word, for a choice on a page; the last has no name. */
struct subset_choice {
    const char *name, *label;
};
extern const struct subset_choice subset_choices[];

#endif
