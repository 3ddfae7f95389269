/* review_plan.c - the list without its rows, and people. */
#include "experts/review_plan.h"

#define COMMON(member) RECORD_OF(struct review_common, member)
static RECORD(common_record, struct review_common, "label_review_common", "Another label review that is open and has some of the images.",
              {"name", COMMON(name), .about = "Its name."}, {"images", COMMON(images), .about = "Images that both have."});
#undef COMMON

#define OF(member) RECORD_OF(struct review_plan, member)
RECORD(review_plan_record, struct review_plan, "label_review_plan", "What a label review would be; nothing is written.",
       {"name", OF(ask.name), .about = "Its name."},
       {"taken", OF(made.taken), .maybe = true, .about = "Why it cannot be called that; null: it can."},
       {"set", OF(made.set), .about = "The revision, SET/NUMBER."},
       {"sealed_by", OF(made.sealed_by), .maybe = true, .about = "A sealed revision with its content: what models and others say stays hidden; null: none."},
       {"evaluation", OF(ask.evaluation), .maybe = true, .about = "Only images of this evaluation; null: of the whole set."},
       {"by", OF(queue), .about = "Its order."}, {"seed", OF(ask.seed), .about = "Seed of the order and of the draws."},
       {"images", OF(made.images), .about = "Images."}, {"drawn", OF(made.drawn), .about = "Of these, images of the random arm."},
       {"labels", OF(made.labels), .about = "Labels that are asked about, over all images."},
       {"labels_most", OF(made.most), .about = "Labels of the image that has the most."},
       {"labels_of_set", OF(made.of_set), .about = "Labels that the set gives."},
       {"labels_of_models", OF(made.of_models), .about = "Labels that models say first."},
       {"labels_of_sources", OF(made.of_sources), .about = "Labels of other label sources."},
       {"labels_of_contains", OF(made.of_contains), .about = "Labels that people found in the image when they were asked about it: of plans of candidate labels."},
       {"labels_of_classify", OF(made.of_classify), .about = "Labels that people ticked in CLASSIFY tasks: of label sources classify@VIEW."},
       {"models", OF(made.models), .about = "Models whose answers are asked about."}, {"model_names", OF(made.model_names), .about = "Their names."},
       {"missing", OF(made.missing), .maybe = true, .about = "Models that have predicted nothing of the set; null: all have."},
       {"suggested", OF(made.suggested), .about = "Images with a suggestion."}, {"shown", OF(made.shown), .about = "Of these, images where it is shown."},
       {"common", RECORD_ROWS(struct review_plan, made.common, made.n_common), .of = &common_record, .about = "Open reviews with the same images."},
       {"eligibility", RECORD_ROWS(struct review_plan, people, n_people), .of = &eligibility_record, .about = "Who may review which images, and why not; everybody who could be asked."},
       {"starved", OF(eligible.starved), .about = "Images that fewer of those who are asked may review than should."});
#undef OF

enum err_code review_plan_people(struct db *db, const struct review_ask *ask, const struct review_made *made, struct sv logins, int64_t now,
                                 struct arena *a, struct eligible *out, struct err *err)
{
    const struct label_review_row r = {.id = made->id, .at = now, .again = ask->again || ask->evaluation.n > 0, .reviewers = ask->reviewers};
    return eligible_plan(db, &r, made->list, (size_t)made->images, logins, a, out, err);
}

enum err_code review_plan_make(struct db *db, const struct review_ask *ask, struct sv logins, int64_t now, struct arena *a,
                               struct review_plan *out, struct err *err)
{
    *out = (struct review_plan){.ask = *ask, .queue = review_queue_word(ask->queue)};
    out->ask.plan = true;
    enum err_code rc = review_make(db, false, &out->ask, now, a, &out->made, err);
    rc = rc == OK ? review_plan_people(db, &out->ask, &out->made, logins, now, a, &out->eligible, err) : rc;
    out->people = out->eligible.people;
    out->n_people = out->eligible.n;
    return rc;
}
