/* review_facts.c - sums over what the store says, and the records. */
#include "experts/review_facts.h"

#include <math.h>

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
    {"by", OF(row.drawn_by), .about = "Its order: class, disagreement, errors or random."},                                      \
    {"again", OF(row.again), .about = "Images that people reviewed in other lists, or were evaluated on, may be theirs too."}, \
    {"suggests", OF(row.suggested), .maybe = true, .about = "The model whose first answer is suggested for half of the images; null: none."}, \
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
              {"adjudicated", PERSON(adjudicated), .about = "Times that they adjudicated."});
#undef PERSON

#define SHARE(name, member, text)                                                                                         \
    {name, RECORD_OF(struct review_anchoring, member.value), .maybe = true, .about = text},                               \
    {name "_lo", RECORD_OF(struct review_anchoring, member.lo), .maybe = true, .about = "Lower bound of its 95 % interval."}, \
    {name "_hi", RECORD_OF(struct review_anchoring, member.hi), .maybe = true, .about = "Upper bound."}
#define ANCHORING(member) RECORD_OF(struct review_anchoring, member)
RECORD(review_anchoring_record, struct review_anchoring, "label_review_anchoring", "Whether a suggestion that is shown changes what people say.",
       {"who", ANCHORING(who), .about = "An account; first reviewers: of every image the one who reviewed it first."},
       {"shown_images", ANCHORING(row.shown), .about = "Images whose suggestion they were shown."},
       {"shown_agreed", ANCHORING(row.shown_agreed), .about = "Of these, images where they called it correct at first."},
       {"hidden_images", ANCHORING(row.hidden), .about = "Images whose suggestion was hidden."},
       {"hidden_agreed", ANCHORING(row.hidden_agreed), .about = "Of these, images where they called it correct at first."},
       SHARE("shown", shown, "Agreement where it was shown, in percent: Wilson's interval."),
       SHARE("hidden", hidden, "Agreement where it was hidden."),
       SHARE("difference", difference, "Shown minus hidden, in points: Newcombe's interval of independent shares."));
#undef ANCHORING
#undef SHARE

#define DISPUTE(member) RECORD_OF(struct label_open_item, member)
static RECORD(dispute_record, struct label_open_item, "label_dispute", "An image about which reviewers disagree.",
              {"position", DISPUTE(position), .about = "Its place in the list, from 0."},
              {"labels", DISPUTE(labels), .about = "Labels about which they do."},
              {"people", DISPUTE(people), .about = "People who reviewed it."},
              {"problematic", DISPUTE(problematic), .about = "They disagree whether it is problematic."},
              {"keep", DISPUTE(keep), .about = "People who saw what others said and keep what they said."},
              {"discuss", DISPUTE(discuss), .about = "People who want to discuss it."});
#undef DISPUTE

#define PROBLEM(member) RECORD_OF(struct label_problem, member)
static RECORD(problem_record_of_image, struct label_problem, "label_problem", "An image that somebody called problematic.",
              {"position", PROBLEM(position), .about = "Its place in the list, from 0."},
              {"people", PROBLEM(people), .about = "Who do."}, {"reasons", PROBLEM(reasons), .about = "Why: words with commas between them."},
              {"comments", PROBLEM(comments), .about = "What they wrote."});
#undef PROBLEM

RECORD(review_facts_record, struct review_facts, "label_review_facts", "A label review with what came of it so far; of what only leads may see, the lists are empty for others.",
       SUMMARY_FIELDS, {"models", OF(models), .maybe = true, .about = "Models whose first answers it asks about, with commas between them; null for who may not see."},
       {"sources", OF(sources), .maybe = true, .about = "Versions of label sources that it asks about, in the same way; null: none."},
       {"candidates", OF(candidates), .maybe = true, .about = "Frozen plans of candidate labels that it asks about, in the same way; null: none."},
       {"drawn", OF(drawn), .about = "Images of the random arm."},
       {"rates", RECORD_ROWS(struct review_facts, rate_rows, n_rates), .of = &review_rate_record, .about = "Rates of the set, from the random arm alone."},
       {"found", RECORD_ROWS(struct review_facts, found, n_found), .of = &review_found_record, .about = "Of a list by likely errors: how many labels are wrong among its first images."},
       {"repeats_both", OF(repeats_both), .about = "Labels with a verdict of the same person both times."},
       {"repeats_same", OF(repeats_same), .about = "Those with the same."},
       {"people", RECORD_ROWS(struct review_facts, people, n_people), .of = &person_record, .about = "Whose work it is or was."},
       {"eligibility", RECORD_ROWS(struct review_facts, eligible_rows, n_eligible), .of = &eligibility_record, .about = "Which images may be whose, and why not."},
       {"starved", OF(eligible.starved), .about = "Images that fewer people at work may review than should."},
       {"anchoring", RECORD_ROWS(struct review_facts, anchoring, n_anchoring), .of = &review_anchoring_record, .about = "What suggestions do; empty without any."},
       {"disputes", RECORD_ROWS(struct review_facts, disputes, n_disputes), .of = &dispute_record, .about = "What is to be adjudicated."},
       {"problems", RECORD_ROWS(struct review_facts, problems, n_problems), .of = &problem_record_of_image, .about = "Images that somebody called problematic."},
       {"scores", RECORD_ROWS(struct review_facts, rows, n_rows), .of = &review_score_record, .about = "What models make of the verdicts so far, over the images that are reviewed."},
       {"why", OF(why), .maybe = true, .about = "Why there are no scores; null: there are."});
#undef OF

enum err_code review_summary_read(struct db *db, const struct label_review_row *r, struct arena *a, struct review_facts *out, struct err *err)
{
    struct review_progress s;
    enum err_code rc = review_progress_read(db, r, a, &s, err);
    *out = (struct review_facts){.row = *r, .done = s.done, .begun = s.begun};
    return rc;
}

/* ---- rates ---- */

struct rates {
    int64_t drawn, of, wrong, problematic, several;
};

/* `set_class`: the label that the set gives the image, 0 when it is not of the random arm. */
static void count_image(struct rates *r, const struct label_book *book, const struct label_image *image, uint32_t set_class)
{
    uint32_t correct = 0;
    bool wrong = false;
    r->drawn += set_class != 0;
    if (set_class == 0 || image->partial) {
        return;
    }
    for (uint32_t k = 0; k < image->n; k++) {
        const struct label *l = &book->labels[image->first + k];
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
    const struct proportion p = binomial_proportion(images, of);
    return (struct review_rate){what, images, of, 100 * p.value, 100 * p.lo, 100 * p.hi};
}

static enum err_code read_rates(struct db *db, struct review_facts *f, struct arena *a, struct err *err)
{
    struct review_book b = {.book = NULL};
    struct rates r = {.of = 0};
    struct label_arm *ranked;
    size_t n_ranked = 0;
    enum err_code rc = label_review_ranked(db, f->row.id, a, &ranked, &n_ranked, err);
    if (rc != OK) {
        return rc;
    }
    rc = f->row.last ? review_book_look(db, f->row.last, &b, err) : label_review_drawn(db, f->row.id, &r.drawn, err);
    if (rc == OK && f->row.last) {
        for (size_t i = 0; i < b.book->n; i++) {
            count_image(&r, b.book, &b.book->images[i], b.set_class[i]);
        }
        review_found_list(ranked, n_ranked, b.book, a, &f->found, &f->n_found);
        review_book_let_go(&b);
    }
    if (f->row.last == 0) {
        review_found_list(ranked, n_ranked, NULL, a, &f->found, &f->n_found);
    }
    f->drawn = r.drawn;
    f->rates[0] = rate_of("set-label-wrong", r.wrong, r.of);
    f->rates[1] = rate_of("several-correct", r.several, r.of);
    f->rates[2] = rate_of("problematic", r.problematic, r.of);
    f->rate_rows = f->rates;
    f->n_rates = REVIEW_RATES;
    return rc;
}

/* ---- people ---- */

static struct proportion in_percent(struct proportion p)
{
    return (struct proportion){100 * p.value, 100 * p.lo, 100 * p.hi};
}

static struct proportion wilson_share(int64_t k, int64_t n)
{
    const struct interval i = binomial_wilson(k, n, ALPHA);
    return n ? (struct proportion){(double)k / (double)n, i.lo, i.hi} : (struct proportion){(double)NAN, (double)NAN, (double)NAN};
}

enum err_code review_anchoring_read(struct db *db, const struct label_review_row *r, struct arena *a, struct review_anchoring **out,
                                    size_t *n, struct err *err)
{
    struct label_agreement *rows;
    enum err_code rc = label_suggestions_agreed(db, r->id, a, &rows, n, err);
    *out = arena_calloc(a, *n + 1, sizeof **out);
    for (size_t i = 0; i < *n && rc == OK; i++) {
        const struct proportion shown = wilson_share(rows[i].shown_agreed, rows[i].shown);
        const struct proportion hidden = wilson_share(rows[i].hidden_agreed, rows[i].hidden);
        (*out)[i] = (struct review_anchoring){rows[i], rows[i].account ? rows[i].login.n ? arena_cstr(a, rows[i].login) : "forgotten"
                                                                       : "first reviewers",
                                              in_percent(shown), in_percent(hidden),
                                              in_percent(proportion_difference(shown, hidden))};
    }
    return rc;
}

/* Disputes with what people made of each other's words. */
static enum err_code read_disputes(struct db *db, const struct label_review_row *r, struct arena *a, struct review_facts *f,
                                   struct err *err)
{
    struct label_stands *stands;
    size_t n = 0, at = 0;
    enum err_code rc = label_stands_count(db, r->id, a, &stands, &n, err);
    for (size_t i = 0; i < f->n_disputes && rc == OK; i++) {
        struct label_open_item *d = &f->disputes[i];
        while (at < n && stands[at].position < d->position) {
            at++;
        }
        if (at < n && stands[at].position == d->position) {
            d->keep = stands[at].keep;
            d->discuss = stands[at].discuss;
        }
    }
    return rc;
}

static enum err_code read_eligible(struct db *db, const struct label_review_row *r, struct arena *a, struct review_facts *f,
                                   struct err *err)
{
    enum err_code rc = eligible_read(db, r, f->people, f->n_people, a, &f->eligible, err);
    f->eligible_rows = f->eligible.people;
    f->n_eligible = rc == OK ? f->eligible.n : 0;
    return rc == OK && r->suggests ? review_anchoring_read(db, r, a, &f->anchoring, &f->n_anchoring, err) : rc;
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

/* ---- what it asks about ---- */

/* Texts of a list, or of a member of its objects; NULL: of none. */
static const char *joined(const json_t *list, const char *member, struct arena *a)
{
    const char *text = NULL;
    const json_t *one;
    size_t i;
    json_array_foreach(list, i, one) {
        text = arena_printf(a, "%s%s%s", text ? text : "", text ? ", " : "", json_string_value(member ? json_object_get(one, member) : one));
    }
    return text;
}

static void read_origins(struct review_facts *f, struct arena *a)
{
    json_t *models = json_loadb(f->row.models.p, f->row.models.n, 0, NULL), *from = json_loadb(f->row.from.p, f->row.from.n, 0, NULL);
    const char *names = joined(models, "model", a);
    f->models = names ? names : "";
    f->n_models = (int64_t)json_array_size(models);
    f->sources = joined(json_object_get(from, "sources"), NULL, a);
    f->candidates = joined(json_object_get(from, "candidates"), NULL, a);
    json_decref(models);
    json_decref(from);
}

enum err_code review_facts_read(struct db *db, struct model_scores *scores, const struct label_review_row *r, struct arena *a,
                                struct review_facts *out, struct err *err)
{
    struct review_progress s;
    enum err_code rc = review_progress_read(db, r, a, &s, err);
    *out = (struct review_facts){.row = *r, .done = s.done, .begun = s.begun, .disputes = s.open, .n_disputes = s.n_open};
    read_origins(out, a);
    rc = rc == OK ? label_reviewers_list(db, r->id, a, &out->people, &out->n_people, err) : rc;
    rc = rc == OK ? read_eligible(db, r, a, out, err) : rc;
    rc = rc == OK ? read_disputes(db, r, a, out, err) : rc;
    rc = rc == OK ? label_review_problems(db, r, a, &out->problems, &out->n_problems, err) : rc;
    rc = rc == OK ? label_review_repeats(db, r, &out->repeats_both, &out->repeats_same, err) : rc;
    rc = rc == OK ? read_rates(db, out, a, err) : rc;
    return rc == OK ? read_scores(db, scores, out, a, err) : rc;
}
