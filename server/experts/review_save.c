/* review_save.c - names and words become rows. */
#include "experts/review_save.h"

#include "store/classes/classes.h"

static enum err_code find_open(struct db *db, struct sv name, struct arena *a, struct label_review_row *out, struct err *err)
{
    enum err_code rc = label_reviews_find(db, name, a, out, err);
    return rc == OK && !sv_is(out->state, "open")
               ? err_rule(err, ERR_CONFLICT, "label-review-closed",
                          "The label review " SV_FMT " is closed, so nothing was saved. Ask a lead to open it again.", SV_ARG(name))
               : rc;
}

static enum err_code need_theirs(struct db *db, const struct label_review_row *r, int64_t account, struct err *err)
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
                               .comment = s->comment, .searched = s->searched, .active_ms = s->active_ms};
    double p;
    int64_t image;
    if (s->problematic.n && !problem_of(s->problematic, &v.problem)) {
        return err_rule(err, ERR_INPUT, "label-look", "Unknown reason for a problematic image. Choose one of the list. Nothing was saved.");
    }
    enum err_code rc = find_open(db, s->review, a, &r, err);
    rc = rc == OK && !s->adjudicates ? need_theirs(db, &r, s->account, err) : rc;
    v.review = r.id;
    rc = rc == OK ? label_review_image(db, r.id, s->position, &image, &p, err) : rc;
    rc = rc == OK ? read_said(db, s, a, said, &v.n, err) : rc;
    rc = rc == OK ? read_part(db, &r, s, &v, err) : rc;
    return rc == OK ? label_look_add(db, &v, now, look, err) : rc;
}

enum err_code review_undo(struct db *db, struct sv review, int64_t look, int64_t account, int64_t now, struct arena *a,
                          int64_t *position, struct err *err)
{
    struct label_review_row r;
    enum err_code rc = find_open(db, review, a, &r, err);
    return rc == OK ? label_look_undo(db, r.id, look, account, now, position, err) : rc;
}
