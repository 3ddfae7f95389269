/* review_save.c - names and words become rows. */
#include "experts/review_save.h"

#include "experts/active_ms.h"
#include "experts/training_stand.h"
#include "store/classes/classes.h"
#include "store/labels/label_seen.h"

static enum err_code find_open(struct db *db, struct sv name, struct arena *a, struct label_review_row *out, struct err *err)
{
    enum err_code rc = label_reviews_find(db, name, a, out, err);
    return rc == OK && !sv_is(out->state, "open")
               ? err_rule(err, ERR_CONFLICT, "label-review-closed",
                          "The label review " SV_FMT " is closed, so nothing was saved. Ask a lead to open it again.", SV_ARG(name))
               : rc;
}

enum err_code review_need_theirs(struct db *db, const struct label_review_row *r, int64_t account, struct err *err)
{
    bool theirs = false;
    enum err_code rc = label_reviewer_is(db, r->id, account, &theirs, err);
    return rc == OK && !theirs ? err_rule(err, ERR_DENIED, "label-review-theirs",
                                          "The label review " SV_FMT " is not your work. Ask a lead to add you to it.",
                                          SV_ARG(r->name))
                               : rc;
}

static enum err_code read_said(struct db *db, const struct review_saving *s, struct arena *a, struct look_verdict *out, size_t *n,
                               struct err *err)
{
    enum err_code rc = OK;
    *n = 0;
    for (size_t i = 0; i < s->n && rc == OK; i++) {
        struct class_info k;
        enum label_verdict verdict;
        if (s->said[i].verdict.n == 0 || sv_is(s->said[i].verdict, "unreviewed")) {
            continue;
        }
        if (!label_verdict_of(s->said[i].verdict, &verdict)) {
            return err_rule(err, ERR_INPUT, "label-look",
                            "A verdict is correct, wrong, unclear, dontknow or unreviewed. Nothing was saved.");
        }
        rc = classes_find(db, s->said[i].wnid, a, &k, err);
        if (rc == OK) {
            out[(*n)++] = (struct look_verdict){(uint32_t)k.id, (unsigned char)verdict};
        }
    }
    return rc;
}

static enum err_code read_part(struct db *db, const struct label_review_row *r, const struct review_saving *s,
                               struct label_look_new *out, struct err *err)
{
    bool repeats = false;
    out->part = s->adjudicates ? LOOK_ADJUDICATION : LOOK_REVIEW;
    enum err_code rc = s->again && !s->adjudicates ? review_item_repeats(db, r, s->position, s->account, &repeats, err) : OK;
    if (rc == OK && s->again && !repeats && !s->adjudicates) {
        return err_rule(err, ERR_CONFLICT, "label-review-again", "This image is not due to be shown again, so nothing was saved.");
    }
    out->part = repeats ? LOOK_REPEAT : out->part;
    return rc;
}

enum err_code review_save(struct db *db, const struct review_saving *s, int64_t now, struct arena *a, int64_t *look,
                          struct err *err)
{
    struct label_review_row r;
    struct look_verdict *said = arena_calloc(a, s->n + 1, sizeof *said);
    struct label_look_new v = {.position = s->position, .account = s->account, .verdicts = said, .problem = PROBLEMS,
                               .comment = s->comment, .searched = s->searched, .active_ms = active_ms_known(s->active_ms)};
    double p;
    int64_t image;
    if (s->problematic.n && !problem_of(s->problematic, &v.problem)) {
        return err_rule(err, ERR_INPUT, "label-look", "Unknown reason for a problematic image. Choose one of the list. Nothing was saved.");
    }
    enum err_code rc = find_open(db, s->review, a, &r, err);
    rc = rc == OK && !s->adjudicates ? review_need_theirs(db, &r, s->account, err) : rc;
    rc = rc == OK && !s->adjudicates ? label_seen_check(db, &r, s->position, s->account, err) : rc;
    rc = rc == OK && !s->adjudicates ? training_need_check(db, FOR_LABEL_REVIEW, r.id, s->account, a, err) : rc;
    v.review = r.id;
    rc = rc == OK ? label_review_image(db, r.id, s->position, &image, &p, err) : rc;
    rc = rc == OK ? read_said(db, s, a, said, &v.n, err) : rc;
    rc = rc == OK ? read_part(db, &r, s, &v, err) : rc;
    return rc == OK ? label_look_add(db, &v, now, look, err) : rc;
}

/* ---- after others were seen ---- */

static const struct label_look_row *find_look(const struct review_item *item, int64_t look, int64_t account)
{
    for (size_t i = 0; i < item->n_looks; i++) {
        const struct label_look_row *k = &item->looks[i];
        if (k->id == look && k->account != account && sv_is(k->part, "review")) {
            return k;
        }
    }
    return NULL;
}

/* The other's verdicts; of labels about which they said nothing one's own. */
static size_t take_verdicts(const struct review_item *item, int64_t look, struct look_verdict *out)
{
    size_t n = 0;
    for (size_t i = 0; i < item->n; i++) {
        unsigned char verdict = item->labels[i].own;
        for (size_t k = 0; k < item->n_said; k++) {
            const struct look_said *said = &item->said[k];
            verdict = said->look == look && said->class_id == item->labels[i].asked.class_id ? (unsigned char)said->verdict : verdict;
        }
        if (verdict != LABEL_UNREVIEWED) {
            out[n++] = (struct look_verdict){(uint32_t)item->labels[i].asked.class_id, verdict};
        }
    }
    return n;
}

static enum err_code agree(struct db *db, const struct review_standing *s, const struct review_item *item, int64_t now,
                           struct arena *a, int64_t *made, struct err *err)
{
    const struct label_look_row *theirs = find_look(item, s->look, s->account);
    struct look_verdict *said = arena_calloc(a, item->n + 1, sizeof *said);
    if (!theirs) {
        return err_rule(err, ERR_NOT_FOUND, "label-review-stand", "Nobody else has said anything under that number. Nothing was changed.");
    }
    struct label_look_new v = {.review = item->review.id, .position = s->position, .account = s->account, .part = LOOK_REVIEW,
                               .verdicts = said, .n = take_verdicts(item, s->look, said), .problem = PROBLEMS,
                               .comment = theirs->problematic.n ? theirs->comment : SV("")};
    if (theirs->problematic.n && !problem_of(theirs->problematic, &v.problem)) {
        return err_set(err, ERR_BUG, "a look has an unknown reason");
    }
    return label_look_add(db, &v, now, made, err);
}

enum err_code review_stand(struct db *db, const struct review_standing *s, int64_t now, struct arena *a, int64_t *made, struct err *err)
{
    struct label_review_row r;
    struct review_item item;
    *made = 0;
    enum err_code rc = find_open(db, s->review, a, &r, err);
    rc = rc == OK ? review_need_theirs(db, &r, s->account, err) : rc;
    rc = rc == OK ? review_item_read(db, &r, s->position, s->account, false, a, &item, err) : rc;
    if (rc == OK && !item.shows) {
        return err_rule(err, ERR_DENIED, "label-review-stand", "What others say of this image is hidden from you: save what you say first. Of "
                        "images of a sealed set it stays hidden. Nothing was changed.");
    }
    rc = rc == OK ? label_stand_add(db, r.id, s->position, s->account, s->stand, now, err) : rc;
    return rc == OK && s->stand == STAND_AGREE ? agree(db, s, &item, now, a, made, err) : rc;
}

enum err_code review_undo(struct db *db, struct sv review, int64_t look, int64_t account, int64_t now, struct arena *a,
                          int64_t *position, struct err *err)
{
    struct label_review_row r;
    enum err_code rc = find_open(db, review, a, &r, err);
    return rc == OK ? label_look_undo(db, r.id, look, account, now, position, err) : rc;
}
