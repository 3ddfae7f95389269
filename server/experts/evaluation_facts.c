/* evaluation_facts.c - sums over what the store says, and the records. */
#include "experts/evaluation_facts.h"

#include <math.h>

#include "base/list.h"
#include "base/map.h"
#include "experts/evaluation_save.h"
#include "store/classes/classes.h"
#include "store/images/images.h"
#include "store/people/accounts.h"
#include "store/sets/seals.h"

enum { GUESTS_MOST = 200 };

#define SET(member) RECORD_OF(struct evaluation_set_row, member)
static RECORD(set_record, struct evaluation_set_row, "evaluation_set", "A set whose images are in an evaluation.",
              {"set", SET(set), .about = "The revision, SET/NUMBER."}, {"images", SET(images), .about = "Images of it that are in the list."},
              {"seen", SET(seen), .about = "Images that were not taken because one of the people had seen them, or near-duplicates of them."},
              {"most_right", SET(most_right), .about = "Of the hardest: so many models at most have one of them right; -1: they are not chosen so."});
#undef SET

#define PERSON(member) RECORD_OF(struct evaluation_person_facts, member)
RECORD(evaluation_person_record, struct evaluation_person_facts, "evaluation_person", "Somebody whose work an evaluation is or was.",
       {"login", PERSON(row.login), .maybe = true, .about = "The account; null: the person was forgotten."},
       {"role", PERSON(row.role), .about = "Its role."}, {"model", PERSON(model), .about = "What their answers are named as predictions."},
       {"state", PERSON(state), .about = "not begun, at work, through or taken off."},
       {"answered", PERSON(row.answered), .about = "Images that they have answered."}, {"left", PERSON(left), .about = "Images that are left for them."},
       {"elsewhere", PERSON(row.elsewhere), .about = "Images that are passed over because they were shown them, or near-duplicates of them, elsewhere meanwhile."},
       {"active_minutes", PERSON(row.active_ms), RECORD_MINUTES, .maybe = true, .about = "Their time on images, where it is known."},
       {"seconds", PERSON(seconds), .maybe = true, .decimals = 1, .about = "Mean time on an image, in seconds."},
       {"first", PERSON(row.first), RECORD_MOMENT, .maybe = true, .about = "Their first answer."},
       {"last", PERSON(row.last), RECORD_MOMENT, .maybe = true, .about = "Their newest answer."},
       {"predictions", PERSON(row.published), .about = "Their answers are predictions: they are through, or the list is closed."});
#undef PERSON

#define GUEST(member) RECORD_OF(struct evaluation_guest, member)
static RECORD(guest_record, struct evaluation_guest, "evaluation_guest", "An account that could join an evaluation.",
       {"login", GUEST(login), .about = "The account."}, {"role", GUEST(role), .about = "Its role."},
       {"eligible", GUEST(may), .about = "They have seen no image of it."},
       {"seen", GUEST(seen), .about = "Images of it that they were shown anywhere, or will be by another evaluation; near-duplicates count."},
       {"near", GUEST(near), .about = "Of these, images of which they saw a near-duplicate, not the image itself."});
#undef GUEST

#define OF(member) RECORD_OF(struct evaluation_facts, member)
#define FIELDS                                                                                                            \
    {"name", OF(row.name), .about = "The evaluation's name."}, {"state", OF(row.state), .about = "open or closed."},           \
    {"by", OF(row.drawn_by), .about = "How its images were chosen: class (as many of each) or hardest (by models)."},          \
    {"images", OF(row.images), .about = "Images that it has."},                                                          \
    {"classes", OF(classes), .about = "Classes to choose among; 0: all of the project."},                                  \
    {"people", OF(row.people), .about = "People whose work it is."}, {"through", OF(through), .about = "Those who are through."}, \
    {"answers", OF(row.answers), .about = "Answers so far."}, {"seed", OF(row.seed), .about = "Seed of the draw and of everybody's order."}, \
    {"as_of", OF(row.as_of), .about = "The last event before it was made."}
RECORD(evaluation_record, struct evaluation_facts, "evaluation", "Images that people classify as models do.", FIELDS);
RECORD(evaluation_facts_record, struct evaluation_facts, "evaluation_facts", "An evaluation with its sets and people.", FIELDS,
       {"models", OF(models), .about = "By whose answers the hardest images were chosen, with commas."},
       {"sets", RECORD_ROWS(struct evaluation_facts, sets, n_sets), .of = &set_record, .about = "Whose images are mixed in it."},
       {"who", RECORD_ROWS(struct evaluation_facts, people, n_people), .of = &evaluation_person_record, .about = "Whose work it is or was."},
       {"guests", RECORD_ROWS(struct evaluation_facts, guests, n_guests), .of = &guest_record, .about = "Who could join while it is open, and who cannot."});
#undef OF

static const char *models_of(const struct evaluation_row *r, struct arena *a)
{
    json_t *list = json_loadb(r->models.p, r->models.n, 0, NULL), *one;
    const char *text = "";
    size_t i;
    json_array_foreach(list, i, one) {
        text = arena_printf(a, "%s%s%s", text, i ? "," : "", json_string_value(one));
    }
    json_decref(list);
    return text;
}

enum err_code evaluation_facts_read(struct db *db, const struct evaluation_row *r, struct arena *a, struct evaluation_facts *out,
                                    struct err *err)
{
    struct evaluation_class *classes;
    struct evaluation_person_row *people;
    size_t n_classes = 0;
    *out = (struct evaluation_facts){.row = *r};
    enum err_code rc = evaluation_sets(db, r->id, a, &out->sets, &out->n_sets, err);
    rc = rc == OK ? evaluation_classes(db, r->id, a, &classes, &n_classes, err) : rc;
    rc = rc == OK ? evaluation_people(db, r->id, a, &people, &out->n_people, err) : rc;
    out->classes = (int64_t)n_classes;
    out->models = models_of(r, a);
    out->people = arena_calloc(a, out->n_people + 1, sizeof *out->people);
    for (size_t i = 0; i < out->n_people && rc == OK; i++) {
        const struct evaluation_person_row *p = &people[i];
        int64_t left = r->images - p->answered - p->elsewhere;
        const char *state = !p->active ? "taken off" : left == 0 || p->published ? "through" : p->answered ? "at work" : "not begun";
        out->people[i] = (struct evaluation_person_facts){*p, sv_of(evaluation_person_name(p->pseudonym, a)), state, left,
                                                          p->timed ? (double)p->active_ms / 1000 / (double)p->timed : (double)NAN};
        out->through += p->active && (left == 0 || p->published);
    }
    return rc;
}

static bool is_in(const struct evaluation_facts *f, int64_t account)
{
    size_t i = 0;
    while (i < f->n_people && f->people[i].row.account != account) {
        i++;
    }
    return i < f->n_people && f->people[i].row.active;
}

enum err_code evaluation_facts_all(struct db *db, const struct evaluation_row *r, struct arena *a, struct evaluation_facts *out,
                                   struct err *err)
{
    struct account *accounts;
    struct list list = {0};
    size_t n = 0;
    enum err_code rc = evaluation_facts_read(db, r, a, out, err);
    rc = rc == OK && sv_is(r->state, "open") ? accounts_list(db, GUESTS_MOST, a, &accounts, &n, err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        int64_t seen = 0, near = 0;
        if (account_is_expert(&accounts[i]) && !is_in(out, accounts[i].id)) {
            rc = evaluation_seen_count(db, r->id, accounts[i].id, &seen, &near, err);
            *LIST_ADD(&list, a, struct evaluation_guest) =
                (struct evaluation_guest){accounts[i].id, seen, near, accounts[i].login, accounts[i].role, seen == 0};
        }
    }
    out->guests = list.items;
    out->n_guests = list.n;
    return rc;
}

#define SAID(member) RECORD_OF(struct evaluation_said, member)
RECORD(evaluation_said_record, struct evaluation_said, "evaluation_answer", "What somebody said an image is.",
       {"image", SAID(image), .about = "The image's name."}, {"set", SAID(set), .about = "The revision that it is from, SET/NUMBER."},
       {"person", SAID(person), .about = "Who, as their predictions are named."}, {"wnid", SAID(wnid), .about = "The class that they chose."},
       {"class", SAID(cid), .about = "Its number."},
       {"active_ms", SAID(active_ms), .maybe = true, .about = "Their time on the image, in milliseconds; null: not known."},
       {"at", SAID(at), RECORD_MOMENT, .about = "When."});
#undef SAID

/* What a model says of an image of a sealed revision is shown nowhere, and answers are predictions. */
static enum err_code find_open(struct db *db, const struct evaluation_image *images, size_t n, struct arena *a, struct map_u64 *out,
                               struct err *err)
{
    uint32_t *open = arena_alloc(a, (n + 1) * sizeof *open);
    for (size_t i = 0; i < n; i++) {
        open[i] = images[i].image;
    }
    enum err_code rc = seals_leave_out(db, open, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        map_u64_put(out, open[i], 1);
    }
    return rc;
}

static enum err_code said_by(struct db *db, const struct evaluation_facts *f, const struct evaluation_person_facts *p,
                             const struct evaluation_image *images, const struct map_u64 *shows, struct arena *a, struct list *list,
                             int64_t *sealed, struct err *err)
{
    struct evaluation_answer *said;
    size_t n = 0;
    enum err_code rc = evaluation_answers(db, f->row.id, p->row.account, a, &said, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct evaluation_image *of = &images[said[i].number];
        struct image_row image;
        struct class_info k;
        struct sv set = SV("");
        if (map_u64_get(shows, of->image) == MAP_NONE) {
            ++*sealed;
            continue;
        }
        for (size_t s = 0; s < f->n_sets; s++) {
            set = f->sets[s].side == of->side ? f->sets[s].set : set;
        }
        rc = images_get(db, of->image, a, &image, err);
        rc = rc == OK ? classes_get(db, said[i].class_id, a, &k, err) : rc;
        if (rc == OK) {
            *LIST_ADD(list, a, struct evaluation_said) =
                (struct evaluation_said){image.name, set, p->model, k.wnid, k.cid, said[i].active_ms, said[i].at};
        }
    }
    return rc;
}

enum err_code evaluation_said_list(struct db *db, const struct evaluation_row *r, struct arena *a, struct evaluation_said **out, size_t *n,
                                   int64_t *sealed, struct err *err)
{
    struct evaluation_facts f;
    struct evaluation_image *images;
    struct list list = {0};
    struct map_u64 shows;
    size_t n_images = 0;
    *sealed = 0;
    map_u64_init(&shows);
    enum err_code rc = evaluation_facts_read(db, r, a, &f, err);
    rc = rc == OK ? evaluation_images(db, r->id, a, &images, &n_images, err) : rc;
    rc = rc == OK ? find_open(db, images, n_images, a, &shows, err) : rc;
    for (size_t i = 0; i < f.n_people && rc == OK; i++) {
        rc = f.people[i].row.published ? said_by(db, &f, &f.people[i], images, &shows, a, &list, sealed, err) : OK;
    }
    map_u64_release(&shows);
    *out = list.items;
    *n = list.n;
    return rc;
}
