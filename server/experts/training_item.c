/* training_item.c - what is told follows from the answer that was stored. */
#include "experts/training_item.h"

#include "experts/active_ms.h"
#include "store/people/seen.h"

enum { LOOK_AT = 64 };

static enum err_code need_shown(struct db *db, int64_t image, struct err *err)
{
    bool barred = false;
    enum err_code rc = training_barred(db, image, &barred, err);
    return rc == OK && barred ? err_rule(err, ERR_CONFLICT, "training-barred",
                                       "This image has become part of other work, so it is not shown in training any more. Go on to "
                                       "the next one.")
                            : rc;
}

enum err_code training_view_read(struct db *db, const struct training_list_row *l, int64_t position, int64_t account, struct arena *a,
                                 struct training_view *out, struct err *err)
{
    struct training_item item;
    *out = (struct training_view){.list = *l, .position = position};
    enum err_code rc = training_list_image(db, l->id, position, &item, err);
    out->image = item.image;
    rc = rc == OK ? need_shown(db, item.image, err) : rc;
    rc = rc == OK ? training_answers_of(db, l->id, position, account, a, &out->answers, &out->n, err) : rc;
    if (rc != OK || out->n == 0) {
        return rc;
    }
    rc = classes_get(db, item.class_id, a, &out->right, err);
    rc = rc == OK ? classes_get(db, out->answers[out->n - 1].class_id, a, &out->chosen, err) : rc;
    rc = rc == OK ? training_suggestions(db, item.image, a, &out->suggested, &out->n_suggested, err) : rc;
    return rc == OK ? training_known_labels(db, item.image, a, &out->known, &out->n_known, err) : rc;
}

/* The first of those from a position on. */
static enum err_code next_from(struct db *db, int64_t list, int64_t account, int64_t from, bool (*hidden)(void *arg, int64_t image),
                               void *arg, int64_t *position, struct err *err)
{
    struct arena a;
    enum err_code rc = OK;
    bool more = true;
    while (more && *position < 0 && rc == OK) {
        struct training_open_row *rows;
        size_t n = 0;
        arena_init(&a, 4096);
        rc = training_unanswered(db, list, account, from, LOOK_AT, &a, &rows, &n, err);
        for (size_t i = 0; i < n && *position < 0 && rc == OK; i++) {
            bool barred = hidden(arg, rows[i].image);
            rc = barred ? OK : training_barred(db, rows[i].image, &barred, err);
            *position = barred ? -1 : rows[i].position;
            from = rows[i].position + 1;
        }
        more = n == LOOK_AT;
        arena_release(&a);
    }
    return rc;
}

enum err_code training_next(struct db *db, int64_t list, int64_t account, int64_t from, bool (*hidden)(void *arg, int64_t image),
                            void *arg, int64_t *position, struct err *err)
{
    *position = -1;
    enum err_code rc = next_from(db, list, account, from, hidden, arg, position, err);
    return rc == OK && *position < 0 && from > 0 ? next_from(db, list, account, 0, hidden, arg, position, err) : rc;
}

/* ---- saying ---- */

static enum err_code find_open(struct db *db, const struct training_saying *s, struct arena *a, struct training_list_row *out,
                               int64_t *image, struct err *err)
{
    struct training_item item = {0};
    enum err_code rc = training_lists_find(db, s->list, a, out, err);
    if (rc == OK && !sv_is(out->state, "open")) {
        return err_rule(err, ERR_CONFLICT, "training-closed", "The training list " SV_FMT " is closed, so nothing was saved.", SV_ARG(s->list));
    }
    rc = rc == OK ? training_list_image(db, out->id, s->position, &item, err) : rc;
    *image = item.image;
    return rc == OK ? need_shown(db, item.image, err) : rc;
}

enum err_code training_check(struct db *db, const struct training_saying *s, int64_t now, struct arena *a, struct err *err)
{
    struct training_list_row l;
    struct training_answer_row *rows;
    struct class_info k;
    size_t n = 0;
    int64_t id, image;
    if (s->wnid.n == 0) {
        return err_rule(err, ERR_INPUT, "training-choice", "Choose a class first. Nothing was saved.");
    }
    enum err_code rc = find_open(db, s, a, &l, &image, err);
    rc = rc == OK ? classes_find(db, s->wnid, a, &k, err) : rc;
    rc = rc == OK ? training_answers_of(db, l.id, s->position, s->account, a, &rows, &n, err) : rc;
    if (rc == OK && (int64_t)n > s->seen) {
        return rows[n - 1].class_id == k.id ? OK /* the same form, sent twice */
                                            : err_rule(err, ERR_CONFLICT, "training-seen",
                                                       "You have since answered this image in another window, so this answer was "
                                                       "not saved. Reload the page to see what you said.");
    }
    const struct training_answer_new v = {.list = l.id, .position = s->position, .account = s->account, .class_id = k.id,
                                          .active_ms = active_ms_known(s->active_ms), .searched = s->searched};
    rc = rc == OK ? training_answer_add(db, &v, now, &id, err) : rc;
    return rc == OK ? seen_add(db, s->account, image, SAW_TRAINING, now, err) : rc;
}

/* Whether that is what holds already. */
static enum err_code says_already(struct db *db, const struct training_suggestion_new *v, struct arena *a, bool *same, struct err *err)
{
    struct training_item item;
    struct training_suggested *rows;
    size_t n = 0;
    enum err_code rc = training_list_image(db, v->list, v->position, &item, err);
    rc = rc == OK ? training_suggestions(db, item.image, a, &rows, &n, err) : rc;
    *same = v->verdict == SUGGEST_NONE;
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (rows[i].account == v->account && rows[i].class_id == v->class_id) {
            *same = sv_is(rows[i].verdict, training_verdict_word(v->verdict)) && sv_eq(rows[i].comment, sv_trim(v->comment));
        }
    }
    return rc;
}

enum err_code training_say(struct db *db, const struct training_saying *s, int64_t now, struct arena *a, struct err *err)
{
    struct training_list_row l;
    struct class_info k = {.id = 0};
    struct training_suggestion_new v = {.position = s->position, .account = s->account, .comment = s->comment};
    int64_t id, image;
    bool same = false;
    if (!training_verdict_of(s->verdict, &v.verdict)) {
        return err_rule(err, ERR_INPUT, "training-suggest",
                        "Suggest correct, wrong, unclear, dontknow, problematic or none. Nothing was saved.");
    }
    enum err_code rc = find_open(db, s, a, &l, &image, err);
    rc = rc == OK && s->wnid.n ? classes_find(db, s->wnid, a, &k, err) : rc;
    v.list = l.id;
    v.class_id = k.id;
    rc = rc == OK ? says_already(db, &v, a, &same, err) : rc;
    return rc == OK && !same ? training_suggest(db, &v, now, &id, err) : rc;
}
