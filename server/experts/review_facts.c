/* review_facts.c - sums over what the store says, and the records. */
#include "experts/review_facts.h"

#include <math.h>

#include "base/map.h"
#include "stats/binomial.h"

#define ALPHA 0.05

#define OF(member) RECORD_OF(struct review_facts, member)
#define SUMMARY_FIELDS                                                                                                   \
    {"name", OF(row.name), .about = "The list's name, and that of the label source which its verdicts are."},            \
    {"set", OF(row.set), .about = "The revision, SET/NUMBER."}, {"state", OF(row.state), .about = "open or closed."},    \
    {"images", OF(row.images), .about = "Images that it has."},                                                          \
    {"reviewed", OF(done), .about = "Images that as many people have reviewed as should."},                              \
    {"begun", OF(begun), .about = "Images that at least one person has reviewed."},                                      \
    {"reviewers", OF(row.reviewers), .about = "People who should look at each image."},                                  \
    {"repeats", OF(row.repeats), .about = "Percent of one's images that are shown again."},                              \
    {"by", OF(row.drawn_by), .about = "Its order: class, disagreement or random."},                                      \
    {"seed", OF(row.seed), .about = "Seed of the order and of the draw."},                                               \
    {"as_of", OF(row.as_of), .about = "The last event before it was made."},                                             \
    {"saves", OF(row.looks), .about = "How often something was saved or taken back: NAME/SAVES names this state as a label source."}

RECORD(review_summary_record, struct review_facts, "label_review", "A label review.", SUMMARY_FIELDS);

#define RATE(member) RECORD_OF(struct review_rate, member)
static RECORD(review_rate_record, struct review_rate, "label_review_rate", "A rate, estimated from images that were drawn at random.",
       {"what", RATE(what), .about = "set-label-wrong, problematic or several-correct."},
       {"images", RATE(images), .about = "Reviewed images of the random arm that are so."},
       {"of", RATE(of), .about = "Reviewed images of the random arm."},
       {"share", RATE(share), .maybe = true, .about = "In percent."},
       {"lo", RATE(lo), .maybe = true, .about = "Lower bound: Clopper-Pearson, 95 %."},
       {"hi", RATE(hi), .maybe = true, .about = "Upper bound."});
#undef RATE

#define PERSON(member) RECORD_OF(struct label_reviewer_row, member)
static RECORD(person_record, struct label_reviewer_row, "label_reviewer", "Somebody whose work a label review is or was.",
              {"login", PERSON(login), .maybe = true, .about = "The account; null: the person was forgotten."},
              {"role", PERSON(role), .about = "Its role."}, {"active", PERSON(active), .about = "It is their work now."},
              {"images", PERSON(images), .about = "Images that they have reviewed."},
              {"repeats", PERSON(repeats), .about = "Those that they have reviewed once more."},
              {"adjudicated", PERSON(adjudicated), .about = "Times that they adjudicated."},
              {"seen", PERSON(seen), .about = "Images of the list that they were shown elsewhere: as pictures on pages, in tasks, in other lists."},
              {"eligible", PERSON(eligible), .about = "They were shown none of them elsewhere."});
#undef PERSON

#define DISPUTE(member) RECORD_OF(struct label_open_item, member)
static RECORD(dispute_record, struct label_open_item, "label_dispute", "An image about which reviewers disagree.",
              {"position", DISPUTE(position), .about = "Its place in the list, from 0."},
              {"labels", DISPUTE(labels), .about = "Labels about which they do."},
              {"people", DISPUTE(people), .about = "People who reviewed it."},
              {"problematic", DISPUTE(problematic), .about = "They disagree whether it is problematic."});
#undef DISPUTE

#define PROBLEM(member) RECORD_OF(struct label_problem, member)
static RECORD(problem_record_of_image, struct label_problem, "label_problem", "An image that somebody called problematic.",
              {"position", PROBLEM(position), .about = "Its place in the list, from 0."},
              {"people", PROBLEM(people), .about = "Who do."}, {"reasons", PROBLEM(reasons), .about = "Why: words with commas between them."},
              {"comments", PROBLEM(comments), .about = "What they wrote."});
#undef PROBLEM

RECORD(review_facts_record, struct review_facts, "label_review_facts", "A label review with what came of it so far; of what only leads may see, the lists are empty for others.",
       SUMMARY_FIELDS, {"drawn", OF(drawn), .about = "Images of the random arm."},
       {"rates", RECORD_ROWS(struct review_facts, rate_rows, n_rates), .of = &review_rate_record, .about = "Rates of the set, from the random arm alone."},
       {"repeats_both", OF(repeats_both), .about = "Labels with a verdict of the same person both times."},
       {"repeats_same", OF(repeats_same), .about = "Those with the same."},
       {"people", RECORD_ROWS(struct review_facts, people, n_people), .of = &person_record, .about = "Whose work it is or was."},
       {"disputes", RECORD_ROWS(struct review_facts, disputes, n_disputes), .of = &dispute_record, .about = "What is to be adjudicated."},
       {"problems", RECORD_ROWS(struct review_facts, problems, n_problems), .of = &problem_record_of_image, .about = "Images that somebody called problematic."},
       {"scores", RECORD_ROWS(struct review_facts, rows, n_rows), .of = &review_score_record, .about = "What models make of the verdicts so far, over the images that are reviewed."},
       {"why", OF(why), .maybe = true, .about = "Why there are no scores; null: there are."});
#undef OF

enum err_code review_summary_read(struct db *db, const struct label_review_row *r, struct review_facts *out, struct err *err)
{
    *out = (struct review_facts){.row = *r};
    return label_review_progress(db, r, &out->done, &out->begun, err);
}

/* ---- rates ---- */

struct rates {
    const struct label_book *book;
    struct map_u64 set_class; /* image -> class id, of the random arm */
    int64_t of, wrong, problematic, several;
};

static void count_image(struct rates *r, const struct label_image *image)
{
    uint32_t set_class = map_u64_get(&r->set_class, image->image), correct = 0;
    bool wrong = false;
    if (set_class == MAP_NONE || image->partial) {
        return;
    }
    for (uint32_t k = 0; k < image->n; k++) {
        const struct label *l = &r->book->labels[image->first + k];
        correct += l->verdict == VERDICT_CORRECT;
        wrong = wrong || (l->class_id == set_class && l->verdict == VERDICT_WRONG);
    }
    r->of++;
    r->problematic += image->problematic;
    r->wrong += wrong && !image->problematic;
    r->several += correct > 1 && !image->problematic;
}

static struct review_rate rate_of(const char *what, int64_t images, int64_t of)
{
    struct review_rate r = {what, images, of, (double)NAN, (double)NAN, (double)NAN};
    if (of) {
        const struct interval i = binomial_clopper_pearson(images, of, ALPHA);
        r.share = 100.0 * (double)images / (double)of;
        r.lo = 100 * i.lo;
        r.hi = 100 * i.hi;
    }
    return r;
}

static enum err_code read_rates(struct db *db, struct review_facts *f, struct arena *a, struct err *err)
{
    struct label_book book = {.n = 0};
    struct label_arm *arm;
    size_t n = 0;
    struct rates r = {.book = &book};
    map_u64_init(&r.set_class);
    enum err_code rc = label_review_arm(db, f->row.id, a, &arm, &n, err);
    rc = rc == OK && f->row.last ? label_review_book(db, f->row.last, -1, &book, err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        map_u64_put(&r.set_class, arm[i].image, arm[i].class_id);
    }
    for (size_t i = 0; i < book.n && rc == OK; i++) {
        count_image(&r, &book.images[i]);
    }
    f->drawn = (int64_t)n;
    f->rates[0] = rate_of("set-label-wrong", r.wrong, r.of);
    f->rates[1] = rate_of("several-correct", r.several, r.of);
    f->rates[2] = rate_of("problematic", r.problematic, r.of);
    f->rate_rows = f->rates;
    f->n_rates = REVIEW_RATES;
    map_u64_release(&r.set_class);
    label_book_release(&book);
    return rc;
}

/* ---- scores ---- */

/* That there are none yet, or that nobody may see them, is no failure. */
static enum err_code read_scores(struct db *db, struct model_scores *scores, struct review_facts *f, struct arena *a, struct err *err)
{
    struct revision_row set;
    struct subset subset;
    f->why = "Nothing is reviewed yet.";
    if (f->row.looks == 0) {
        return OK;
    }
    enum err_code rc = revisions_get(db, f->row.revision, a, &set, err);
    rc = rc == OK ? subset_labelled(db, NULL, SV(""), f->row.name, a, &subset, err) : rc;
    rc = rc == OK ? multilabel_table_make(scores, db, &set, &subset, a, &f->scores, err) : rc;
    f->why = rc == ERR_DENIED || rc == ERR_INPUT ? arena_strdup(a, err->msg) : NULL;
    if (f->why) {
        err_clear(err);
        return OK;
    }
    f->rows = f->scores.rows;
    f->n_rows = f->scores.n;
    return rc;
}

enum err_code review_facts_read(struct db *db, struct model_scores *scores, const struct label_review_row *r, struct arena *a,
                                struct review_facts *out, struct err *err)
{
    enum err_code rc = review_summary_read(db, r, out, err);
    rc = rc == OK ? label_reviewers_list(db, r->id, a, &out->people, &out->n_people, err) : rc;
    rc = rc == OK ? label_review_disputes(db, r, a, &out->disputes, &out->n_disputes, err) : rc;
    rc = rc == OK ? label_review_problems(db, r, a, &out->problems, &out->n_problems, err) : rc;
    rc = rc == OK ? label_review_repeats(db, r, &out->repeats_both, &out->repeats_same, err) : rc;
    rc = rc == OK ? read_rates(db, out, a, err) : rc;
    return rc == OK ? read_scores(db, scores, out, a, err) : rc;
}
