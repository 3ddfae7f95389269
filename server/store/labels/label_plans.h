/* label_plans.h - SQL for plans of labels that images could have (domain/labels/label_plan.h): versions, the lists that they consist
 * of, the campaigns that ask people about them. A version is named "NAME" (the newest of the kind) or "NAME/VERSION". */
#ifndef STORE_LABELS_LABEL_PLANS_H
#define STORE_LABELS_LABEL_PLANS_H

#include "base/arena.h"
#include "db/db.h"
#include "domain/labels/label_plan.h"

enum { LABEL_PLAN_DIGEST = 32 };

struct label_plan_row {
    int64_t id, version, newest;  /* newest: number of the newest version of that name */
    int64_t list, images, labels, at, account; /* account 0: the command line */
    struct sv name, login;
    enum label_plan_kind kind;
    struct sv kind_word;
    bool sealed;                  /* an image of it was sealed when it was made */
    int64_t revision, top;        /* of potential labels; revision 0: candidates of no set */
    struct sv set, models, file, depths; /* set: "SET/NUMBER"; models and depths: JSON */
    int64_t potential, vote_view, as_of, tau, least, most; /* of candidates */
    struct sv potential_name, view; /* "NAME/VERSION"; the view's name */
    unsigned char digest[LABEL_PLAN_DIGEST];
};
/* ERR_NOT_FOUND (rule "label-plan") says which plans or versions there are. */
enum err_code label_plans_find(struct db *db, enum label_plan_kind kind, struct sv name, struct arena *a,
                               struct label_plan_row *out, struct err *err);
enum err_code label_plans_get(struct db *db, int64_t id, struct arena *a, struct label_plan_row *out, struct err *err);
/* All of that name, newest first; empty: the newest of every name of the kind, by name. */
enum err_code label_plans_list(struct db *db, enum label_plan_kind kind, struct sv name, struct arena *a,
                               struct label_plan_row **out, size_t *n, struct err *err);
/* Every version of potential labels of the revision, and of candidates of these, oldest first. */
enum err_code label_plans_about(struct db *db, int64_t revision, struct arena *a, struct label_plan_row **out, size_t *n,
                                struct err *err);
/* Every version of potential labels with an image that was sealed then, oldest first. */
enum err_code label_plans_sealed(struct db *db, struct arena *a, struct label_plan_row **out, size_t *n, struct err *err);
/* The images of a list; what files said of sources is in the arena. The caller releases the book, on failure too. */
enum err_code label_plan_read(struct db *db, int64_t list, struct arena *a, struct label_plan_book *out, struct err *err);

/* A part of it: images after `after` in order of id, at most `most`, of one stage (LABEL_PLAN_NO_STAGE: of any). */
struct label_plan_part {
    int64_t list, after;
    unsigned char stage;
    size_t skip, most;
};
enum err_code label_plan_read_part(struct db *db, const struct label_plan_part *part, struct arena *a,
                                   struct label_plan_book *out, struct err *err);
/* How many images have each stage; those without one are not counted. */
enum err_code label_plan_stages(struct db *db, int64_t list, int64_t out[CANDIDATE_STAGES], struct err *err);
/* Images by how many labels they have; those with LABEL_PLAN_NUMBERS or more are the last. */
enum { LABEL_PLAN_NUMBERS = 100 };
enum err_code label_plan_numbers(struct db *db, int64_t list, int64_t out[LABEL_PLAN_NUMBERS + 1], struct err *err);
/* Which content each of the list's images has, in order of id: equal ones are the same bytes; 0: it is not known. */
enum err_code label_plan_contents(struct db *db, int64_t list, int64_t *out, size_t n, struct err *err);

/* Writes a new version. Idempotent: the newest of its name that says the same, made of the same, is given back with *added
 * false, whatever event it is as of. Writes transactions of its own: the list in slices first, the version's own row, with
 * an event, last; what a killed command left is completed by the next. */
struct label_plan_new {
    struct label_plan_row row; /* kind, name, sealed, account, digest, and what the kind needs */
    const struct label_plan_book *book;
    struct sv event;           /* JSON of the event: what it was made of */
};
enum err_code label_plan_add(struct db *db, bool alone, const struct label_plan_new *p, int64_t now, int64_t *id,
                             bool *added, struct err *err);
/* Whether label_plan_add would give one back; *id 0: it would add. */
enum err_code label_plan_same(struct db *db, const struct label_plan_new *p, int64_t *id, struct err *err);

/* Inside the caller's transaction. The same again changes nothing; ERR_CONFLICT (rule "label-plan-campaign") when the
 * campaign asks about another plan. */
enum err_code label_plan_campaign_add(struct db *db, int64_t plan, int64_t campaign, struct err *err);
struct label_plan_campaign {
    int64_t id;
    struct sv name, state;
};
enum err_code label_plan_campaigns(struct db *db, int64_t plan, struct arena *a, struct label_plan_campaign **out, size_t *n,
                                   struct err *err);

/* Every list, for `check`: one that no version has, or with fewer rows than images, is what a killed command left. */
struct label_plan_list {
    int64_t id, images, labels, rows, label_rows, plan; /* plan 0: none has it */
    unsigned char digest[LABEL_PLAN_DIGEST];
};
enum err_code label_plan_lists(struct db *db, struct arena *a, struct label_plan_list **out, size_t *n, struct err *err);

#endif
