/* evaluation_save.c - an answer is checked against the person's own order; predictions are written as an import's are. */
#include "experts/evaluation_save.h"

#include <stdlib.h>
#include <string.h>

#include "crypto/crypto.h"
#include "experts/active_ms.h"
#include "json/object.h"
#include "measures/people/people_gap.h"
#include "store/classes/classes.h"
#include "store/core/events.h"
#include "store/models/model_facts.h"
#include "store/models/models.h"
#include "store/models/predictions.h"

/* ---- answers as predictions ---- */

const char *evaluation_person_name(struct sv pseudonym, struct arena *a)
{
    return arena_printf(a, "person-" SV_FMT, SV_ARG(pseudonym));
}

static enum err_code take_model(struct db *db, const struct evaluation_person_row *p, int64_t now, struct arena *a, int64_t *model,
                                struct err *err)
{
    struct model_facts facts;
    int64_t event;
    bool added;
    struct model_row m = {.name = sv_of(evaluation_person_name(p->pseudonym, a)), .kind = SV("import")};
    enum err_code rc = models_put(db, &m, 0, now, &added, err);
    rc = rc == OK ? model_facts_of(db, m.id, a, &facts, err) : rc;
    *model = m.id;
    if (rc != OK || facts.group.n) {
        return rc;
    }
    facts.group = SV(PEOPLE_GROUP);
    rc = events_add(db, now, 0, "model.facts", m.id, NULL, &event, err);
    return rc == OK ? model_facts_put(db, event, m.id, &facts, err) : rc;
}

static int by_image(const void *a, const void *b)
{
    uint32_t x = ((const struct prediction *)a)->image, y = ((const struct prediction *)b)->image;
    return (x > y) - (x < y);
}

/* What the person said of the images of a side, by image. */
static size_t predictions_of(const struct evaluation_answer *said, size_t n, const struct evaluation_image *images, int64_t side,
                             struct prediction *out)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        const struct evaluation_image *image = &images[said[i].number];
        bool named = said[i].cid >= 0 && said[i].cid < PREDICTION_NONE;
        if (image->side == side) {
            out[k] = (struct prediction){.image = image->image};
            out[k].labels[0] = named ? (uint16_t)said[i].cid : PREDICTION_NONE;
            for (int r = 1; r < PREDICTION_K; r++) {
                out[k].labels[r] = PREDICTION_NONE;
            }
            k++;
        }
    }
    if (k) {
        qsort(out, k, sizeof *out, by_image);
    }
    return k;
}

struct publishing {
    const struct evaluation_row *list;
    const struct evaluation_person_row *person;
    const struct evaluation_set_row *set;
    int64_t model, now;
};

static enum err_code write_source(struct db *db, const struct publishing *w, const struct prediction *p, size_t n, struct arena *a,
                                  struct err *err)
{
    bool added;
    const char *what = arena_printf(a, "evaluation %lld, person " SV_FMT ", side %lld", (long long)w->list->id, SV_ARG(w->person->pseudonym),
                                    (long long)w->set->side);
    struct prediction_source s = {.model = w->model, .kind = SV("import"), .bytes = SV("unknown"),
                                  .engine = sv_of(arena_printf(a, "evaluation " SV_FMT, SV_ARG(w->list->name))),
                                  .recipe = json_compact(object(field_sv("evaluation", w->list->name)), 0, a), .revision = w->set->revision, .k = 1};
    crypto_sha256(what, strlen(what), s.digest);
    enum err_code rc = predictions_source(db, &s, 0, w->now, &added, err);
    for (size_t i = 0; i < n && rc == OK; i += PREDICTION_BLOCK) {
        rc = predictions_append(db, &s, p + i, n - i < PREDICTION_BLOCK ? n - i : PREDICTION_BLOCK, err);
    }
    return rc == OK ? evaluation_source_add(db, w->list->id, w->person->account, w->set->side, s.id, err) : rc;
}

static enum err_code publish(struct db *db, const struct evaluation_row *list, const struct evaluation_person_row *person, int64_t now,
                             struct arena *a, struct err *err)
{
    struct publishing w = {.list = list, .person = person, .now = now};
    struct evaluation_set_row *sets;
    struct evaluation_image *images;
    struct evaluation_answer *said;
    size_t n_sets = 0, n_images = 0, n = 0;
    enum err_code rc = evaluation_sets(db, list->id, a, &sets, &n_sets, err);
    rc = rc == OK ? evaluation_images(db, list->id, a, &images, &n_images, err) : rc;
    rc = rc == OK ? evaluation_answers(db, list->id, person->account, a, &said, &n, err) : rc;
    rc = rc == OK ? take_model(db, person, now, a, &w.model, err) : rc;
    struct prediction *p = arena_calloc(a, n + 1, sizeof *p);
    for (size_t i = 0; i < n_sets && rc == OK; i++) {
        bool done = false;
        size_t k = predictions_of(said, n, images, sets[i].side, p);
        w.set = &sets[i];
        rc = evaluation_published(db, list->id, person->account, sets[i].side, &done, err);
        rc = rc == OK && !done && k ? write_source(db, &w, p, k, a, err) : rc;
    }
    return rc;
}

/* Of one of them (0: of everybody) who has said something. */
static enum err_code publish_some(struct db *db, const struct evaluation_row *list, int64_t account, int64_t now, struct arena *a,
                                  struct err *err)
{
    struct evaluation_person_row *people;
    size_t n = 0;
    enum err_code rc = evaluation_people(db, list->id, a, &people, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        bool asked = people[i].answered && (account == 0 || people[i].account == account);
        rc = asked ? publish(db, list, &people[i], now, a, err) : OK;
    }
    return rc;
}

enum err_code evaluation_end(struct db *db, const struct evaluation_row *list, int64_t by, int64_t now, struct arena *a, struct err *err)
{
    enum err_code rc = sv_is(list->state, "open") ? evaluation_close(db, list->id, by, now, err) : OK;
    return rc == OK && sv_is(list->state, "open") ? publish_some(db, list, 0, now, a, err) : rc;
}

/* ---- one answer ---- */

static enum err_code check_class(struct db *db, const struct evaluation_saving *s, struct arena *a, int64_t *class_id, struct err *err)
{
    struct evaluation_class *among;
    struct class_info k = {.id = 0};
    size_t n = 0;
    enum err_code rc = s->wnid.n ? classes_find(db, s->wnid, a, &k, err) : OK;
    rc = rc == OK ? evaluation_classes(db, s->turn.list->id, a, &among, &n, err) : rc;
    bool there = k.id && n == 0;
    for (size_t i = 0; i < n && rc == OK; i++) {
        there = there || among[i].class_id == k.id;
    }
    *class_id = k.id;
    return rc == OK && !there ? err_rule(err, ERR_INPUT, "evaluation-class", n ? "Choose one of the classes of the list. Nothing was saved."
                                                                               : "Choose a class. Nothing was saved.")
                              : rc;
}

/* What is said of an image that they have answered: the same again is no mistake. */
static enum err_code already(struct db *db, const struct evaluation_saving *s, int64_t number, int64_t class_id, bool *done,
                             struct err *err)
{
    int64_t said;
    enum err_code rc = evaluation_answer_to(db, s->turn.list->id, s->turn.account, number, &said, err);
    *done = rc == OK && said == class_id;
    return rc == OK && said && !*done
               ? err_rule(err, ERR_CONFLICT, "evaluation-answered",
                          "You have answered this image already, perhaps in another tab: the first answer stays. Go on with the next one.")
               : rc;
}

enum err_code evaluation_save(struct db *db, const struct evaluation_saving *s, int64_t now, struct arena *a, bool *through,
                              struct err *err)
{
    const struct evaluation_row *list = s->turn.list;
    struct evaluation_answer v = {.account = s->turn.account, .active_ms = active_ms_known(s->active_ms)};
    struct evaluation_place next = {.place = -1};
    bool done = false;
    if (!sv_is(list->state, "open")) {
        return err_rule(err, ERR_CONFLICT, "evaluation-closed", "The evaluation " SV_FMT " is closed, so nothing was saved.", SV_ARG(list->name));
    }
    enum err_code rc = evaluation_number_at(&s->turn, s->place, a, &v.number, err);
    rc = rc == OK ? check_class(db, s, a, &v.class_id, err) : rc;
    rc = rc == OK ? already(db, s, v.number, v.class_id, &done, err) : rc;
    if (rc == OK && !done) {
        rc = evaluation_next(db, &s->turn, -1, a, &next, err);
        if (rc == OK && (next.place < 0 || next.number != v.number)) {
            return err_rule(err, ERR_CONFLICT, "evaluation-turn",
                            "This is not your next image, so nothing was saved. Go on with the next one.");
        }
        rc = rc == OK ? evaluation_answer_add(db, list->id, &v, now, err) : rc;
    }
    rc = rc == OK ? evaluation_next(db, &s->turn, -1, a, &next, err) : rc;
    *through = next.place < 0;
    return rc == OK && *through ? publish_some(db, list, s->turn.account, now, a, err) : rc;
}
