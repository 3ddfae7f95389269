/* decide.h - what people decide about the images of a class, read from a form or from JSON. The
 * pages of a class and of its final review post there.
 *
 * The form of POST /classes/:wnid/decisions. It is about what changed on the page: a field whose
 * value is what it was when the page was made says nothing, so that nobody's decision is taken back
 * unseen.
 *
 *   seen       the version of the class that the page showed (class_version)
 *   back       the address to go to then, of this site; without it the class's own page
 *   here       the address of the page itself, for who must look at it again; without it as `back`
 *   revision   "SET/NUMBER" in whose review this is, or empty
 *   was-ID     for every image shown (ID: its number): "REASON|SET|NOTE" as the page was made
 *   reason-ID  a word of blacklist_reasons; empty: not on the blacklist
 *   note-ID    free text beside it
 *   set-ID     its near-duplicate set: images with the same text are one set; empty: of none. A new text beside
 *              one image alone is refused: a page that leaves fields out must send all of a set that grows
 *   near       further near-duplicate sets, one a line: names separated by spaces
 *   flags      "1" when the page has the boxes `reviewed` and `problematic` ("1" when ticked)
 *   undo       number of a decision of the class, which is taken back; then nothing else counts
 *
 * A reason-ID, note-ID or set-ID that is missing is as it was.
 *
 * JSON of POST /api/v1/classes/:wnid/decisions, with If-Match: the ETag of GET, "VERSION" or *; all
 * members are optional:
 *
 *   {"revision": "SET/NUMBER",
 *    "images": [{"image": NAME, "banned": true, "reason": WORD, "note": TEXT}],
 *    "near_duplicates": [[NAME, NAME, ...]], "apart": [NAME],
 *    "reviewed": true, "problematic": false, "undo": NUMBER} */
#ifndef WEB_REVIEW_DECIDE_H
#define WEB_REVIEW_DECIDE_H

#include "store/classes/classes.h"
#include "store/review/class_decisions.h"
#include "store/sets/sets.h"
#include "web/core/app.h"

struct class_choice {
    struct class_info k;
    struct revision_row revision; /* id 0: none */
    struct class_decision d;      /* borrows from the request */
    int64_t seen;                 /* CLASS_SEEN_ANY: whatever it is */
    const char *back, *here;
};
/* Both read the class from the address. ERR_INPUT (rules "class-decision", "class-decision-image",
 * "if-match-missing", "near-duplicate-set", "seen"), ERR_NOT_FOUND (rules "no-class", "set"). */
enum err_code class_choice_form(struct ctx *c, struct class_choice *out);
enum err_code class_choice_json(struct ctx *c, struct class_choice *out);
/* True when the choice says something. */
bool class_choice_any(const struct class_choice *choice);

#endif
