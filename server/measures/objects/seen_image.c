/* seen_image.c - copies what is known of an image, then names its classes and people. */
#include "measures/objects/seen_image.h"

#include <math.h>
#include <string.h>

#include "live/objects/seen.h"
#include "store/classes/classes.h"
#include "store/images/images.h"
#include "store/people/people.h"

/* ---- records ---- */

#define OF(member) RECORD_OF(struct seen_label, member)
static RECORD(label_record, struct seen_label, "seen_label", "A label that people could tick in an image.",
              {"class", OF(wnid), .about = "Its class."}, {"name", OF(name), .about = "What the class is called."},
              {"selected", OF(selected), .about = "Answers that tick it."}, {"share", OF(share), .maybe = true, .about = "Of the answers."},
              {"main", OF(main), .about = "Answers that call it the main object's."},
              {"object", OF(object), RECORD_IF(struct seen_label, in_object), .about = "Number of its object, from 1, the main object first; null: none."},
              {"share_of_object", OF(of_object), .maybe = true, .about = "Its part of all selections in the object."},
              {"object_label", OF(names_object), .about = "The object is called by it: of its labels the most ticked one."},
              {"set_label", OF(set_label), .about = "It is the label that the image's set gives it."},
              {"contains_selected", OF(found), RECORD_IF(struct seen_label, asked), .about = "Votes of the task CONTAINS that find it; null: nobody was asked."},
              {"contains_shown", OF(shown), RECORD_IF(struct seen_label, asked), .about = "Such votes."},
              {"contains_frequency", OF(frequency), RECORD_IF(struct seen_label, asked), .about = "Its selection frequency."});
#undef OF

#define OF(member) RECORD_OF(struct seen_answer, member)
static RECORD(answer_record, struct seen_answer, "seen_answer", "An answer to a CLASSIFY task that counts.",
              {"event", OF(event), .about = "Its event."}, {"person", OF(person), .maybe = true, .about = "Who gave it, by pseudonym; null: not told."},
              {"at", OF(at), RECORD_MOMENT, .about = "When."}, {"seconds", OF(seconds), .maybe = true, .about = "Active time; null: not known."},
              {"order", OF(order), .kind = RECORD_TEXTS, .about = "Labels in the order in which they were shown."},
              {"ticked", OF(ticked), .kind = RECORD_TEXTS, .about = "Those that were ticked."},
              {"main", OF(main), .maybe = true, .about = "The main object's; null: none of these."});
#undef OF

#define OF(member) RECORD_OF(struct seen_facts, member)
#define IF_ENOUGH RECORD_IF(struct seen_facts, enough)
#define IF_KEPT RECORD_IF(struct seen_facts, stable)
RECORD(seen_facts_record, struct seen_facts, "seen_image", "What people see in an image, by their answers to CLASSIFY tasks.",
       {"image", OF(image), .about = "The image."}, {"view", OF(view), .about = "The vote view whose answers count."},
       {"source", OF(source), .maybe = true, .about = "The label source that says the same for ever; null: nobody was asked about the image."},
       {"answers", OF(answers), .about = "Answers that count."}, {"responses", OF(responses), .about = "Those that tick something."},
       {"none_of_these", OF(none), .about = "Those that say that none of the labels is there."},
       {"enough", OF(enough), .about = "Enough people answered: else there are no objects."},
       {"num_objects", OF(n), IF_ENOUGH, .about = "How many labels most answers tick."},
       {"num_objects_tied", OF(n_tied), IF_ENOUGH, .about = "Another number is as frequent; the one that came first holds."},
       {"main_label", OF(main_label), IF_ENOUGH, .about = "The label that most call the main one."},
       {"main_tied", OF(main_tied), IF_ENOUGH, .about = "Another one is called so as often; the one that came first holds."},
       {"main_agreement", OF(main_agreement), IF_ENOUGH, .about = "The share that calls it so."},
       {"label_object", OF(label_objects), IF_ENOUGH, .about = "Number of the object with the set's label; 0: none has it."},
       {"label_not_main", OF(disagrees), IF_ENOUGH, .about = "Several objects, and the set's label is in another one than the main one."},
       {"within_cost", OF(within_cost), IF_ENOUGH, .about = "How often two labels of one object were ticked together; 0: all agree."},
       {"n_optimal", OF(n_optimal), IF_ENOUGH, .about = "Ways to part the labels that cost as little; 1: no other."},
       {"kept", OF(kept), IF_KEPT, .about = "Answers of each subset by which stability was measured; null: too few."},
       {"subsets", OF(subsets), IF_KEPT, .about = "Subsets that were looked at."},
       {"same_main", OF(same_main), IF_KEPT, .about = "The share of them with the same main label."},
       {"same_num_objects", OF(same_n), IF_KEPT, .about = "With as many objects."},
       {"same_objects", OF(same), IF_KEPT, .about = "With the same objects."},
       {"labels", RECORD_ROWS(struct seen_facts, labels, n_labels), .of = &label_record, .about = "The labels, in candidate order."},
       {"list", RECORD_ROWS(struct seen_facts, list, n_list), .of = &answer_record, .about = "The answers, in the order in which they came."});
#undef IF_KEPT
#undef IF_ENOUGH
#undef OF

/* ---- what is known, copied ---- */

struct copied { /* of the image, in the arena */
    struct seen_image im;
    struct object_response *responses;
    uint32_t n_responses;
    struct response_row *rows;   /* that count, in order */
    struct response_task *tasks; /* of each */
    uint32_t **options;          /* of each */
    int64_t number;
};

static void *copy(struct arena *a, const void *from, size_t n, size_t size)
{
    void *to = arena_calloc(a, n + 1, size);
    if (n) {
        memcpy(to, from, n * size);
    }
    return to;
}

static void copy_image(const struct seen_hold *s, const struct seen_image *im, struct arena *a, struct copied *out)
{
    out->im = *im;
    out->im.labels = copy(a, im->labels, im->n_labels, sizeof *im->labels);
    out->im.ids = copy(a, im->ids, im->n_labels, sizeof *im->ids);
    out->responses = arena_calloc(a, im->n_counted + 1, sizeof *out->responses);
    out->n_responses = seen_responses(s->ledger, im, out->responses, NULL);
    out->rows = arena_calloc(a, im->n_counted + 1, sizeof *out->rows);
    out->tasks = arena_calloc(a, im->n_counted + 1, sizeof *out->tasks);
    out->options = arena_calloc(a, im->n_counted + 1, sizeof *out->options);
    for (uint32_t i = 0; i < im->n_counted; i++) {
        out->rows[i] = s->ledger->rows[im->counted[i]];
        out->tasks[i] = s->ledger->tasks[out->rows[i].task];
        out->options[i] = copy(a, s->ledger->options + out->tasks[i].first, out->tasks[i].n, sizeof **out->options);
    }
}

/* ---- what follows ---- */

static void add_stability(const struct copied *k, struct seen_facts *f)
{
    struct objects_stability s;
    struct rng r;
    const struct objects_ask ask = seen_ask_of(&k->im, k->responses, k->n_responses);
    if (k->im.found.few || ask.n < OBJECTS_LEAST + SEEN_LEAVE_OUT || ask.n > OBJECTS_STABLE_MOST) {
        return;
    }
    rng_stream(&r, 1, k->im.image);
    objects_stability(&ask, ask.n - SEEN_LEAVE_OUT, SEEN_DRAWS, &r, &s);
    if (s.subsets) {
        const double n = (double)s.subsets;
        f->stable = true;
        f->kept = ask.n - SEEN_LEAVE_OUT;
        f->subsets = (int64_t)s.subsets;
        f->same_main = (double)s.same_main / n;
        f->same_n = (double)s.same_n / n;
        f->same = (double)s.same / n;
    }
}

/* Numbers for people: the main object is the first, the others follow in their order. */
static uint32_t number_of(const struct objects_found *f, uint32_t object)
{
    return object == f->main_object ? 1 : object < f->main_object ? object + 2 : object + 1;
}

static void add_label(const struct copied *k, uint32_t i, struct seen_label *l)
{
    const struct objects_found *f = &k->im.found;
    const unsigned char of = f->few ? OBJECT_NONE : f->of[i];
    l->share = l->of_object = (double)NAN;
    for (uint32_t r = 0; r < k->n_responses; r++) {
        l->selected += (k->responses[r].selected >> i & 1) != 0;
        l->main += k->responses[r].main == i;
    }
    if (k->n_responses) {
        l->share = (double)l->selected / k->n_responses;
    }
    l->set_label = k->im.labels[i] == k->im.class_id;
    l->in_object = of != OBJECT_NONE;
    if (l->in_object) {
        l->object = number_of(f, of);
        l->names_object = f->object[of].label == i;
        l->of_object = (double)l->selected / f->object[of].selections;
    }
}

static void fill(const struct copied *k, struct seen_facts *f)
{
    const struct seen_image *im = &k->im;
    const struct objects_ask ask = seen_ask_of(im, k->responses, k->n_responses);
    f->answers = im->n_counted;
    f->responses = k->n_responses;
    f->none = im->none;
    f->enough = !im->found.few;
    for (uint32_t i = 0; i < im->n_labels; i++) {
        add_label(k, i, &f->labels[i]);
    }
    if (!f->enough) {
        return;
    }
    uint32_t at = 0;
    while (at < im->n_labels && im->labels[at] != im->class_id) {
        at++;
    }
    int object = at < im->n_labels ? objects_of_class(&ask, &im->found, im->ids[at]) : -1;
    f->n = im->found.n;
    f->n_tied = im->found.n_tied;
    f->main_tied = im->found.main_tied;
    f->main_label = f->labels[im->found.main].name;
    f->main_agreement = (double)im->found.main_count / im->found.responses;
    f->label_objects = object < 0 ? 0 : number_of(&im->found, (uint32_t)object);
    f->disagrees = f->n > 1 && f->label_objects > 1;
    f->within_cost = (int64_t)im->found.within_cost;
    f->n_optimal = im->found.n_optimal;
    add_stability(k, f);
}

/* ---- names ---- */

static enum err_code name_labels(struct db *db, const struct copied *k, struct arena *a, struct seen_facts *f, struct err *err)
{
    enum err_code rc = OK;
    f->n_labels = k->im.n_labels;
    f->labels = arena_calloc(a, f->n_labels + 1, sizeof *f->labels);
    for (size_t i = 0; i < f->n_labels && rc == OK; i++) {
        struct class_info info;
        rc = classes_get(db, k->im.labels[i], a, &info, err);
        if (rc == OK) {
            struct sv words = info.synset;
            f->labels[i] = (struct seen_label){.class_id = info.id, .wnid = info.wnid, .name = sv_cut(&words, '|')};
        }
    }
    return rc;
}

static struct sv name_of(const struct seen_facts *f, uint32_t class_id)
{
    size_t i = 0;
    while (i < f->n_labels && f->labels[i].class_id != class_id) {
        i++;
    }
    return i < f->n_labels ? f->labels[i].name : SV("");
}

static void list_answer(const struct copied *k, uint32_t i, const struct seen_facts *f, struct seen_answer *out)
{
    const struct response_row *r = &k->rows[i];
    const struct response_task *t = &k->tasks[i];
    uint8_t order[GRID_CELLS];
    grid_order(r->seed, r->shuffled, t->n, order);
    *out = (struct seen_answer){.event = r->id, .at = (int64_t)r->at_s * 1000, .order = json_array(), .ticked = json_array(),
                                .seconds = r->active_ms ? r->active_ms / 1000.0 : (double)NAN};
    for (unsigned shown = 0; shown < t->n; shown++) {
        struct sv name = name_of(f, k->options[i][order[shown]]);
        json_array_append_new(out->order, json_stringn(name.p, name.n));
        if (r->mask >> order[shown] & 1) {
            json_array_append_new(out->ticked, json_stringn(name.p, name.n));
        }
        out->main = order[shown] == r->main ? name : out->main;
    }
}

static enum err_code list_answers(struct db *db, const struct copied *k, bool people, struct arena *a, struct seen_facts *f,
                                  struct err *err)
{
    enum err_code rc = OK;
    f->list = arena_calloc(a, k->im.n_counted + 1, sizeof *f->list);
    for (uint32_t i = 0; i < k->im.n_counted && rc == OK; i++) {
        struct person p = {.id = 0};
        rc = people ? people_get(db, k->rows[i].person, a, &p, err) : OK;
        if (rc == OK) {
            list_answer(k, i, f, &f->list[f->n_list]);
            f->list[f->n_list++].person = p.pseudonym;
        }
    }
    return rc;
}

static enum err_code look(struct db *db, const struct vote_view *v, int64_t image, struct arena *a, struct copied *k, bool *there,
                          struct err *err)
{
    struct seen_hold s;
    enum err_code rc = seen_look(db, v, 0, &s, err);
    if (rc != OK) {
        return rc;
    }
    const struct seen_image *im = seen_find(s.objects, image);
    *there = im;
    k->number = s.objects->number;
    if (im) {
        copy_image(&s, im, a, k);
    }
    seen_let_go(&s);
    return OK;
}

enum err_code seen_facts_make(struct db *db, const struct vote_view *v, int64_t image, bool people, struct arena *a,
                              struct seen_facts *out, struct err *err)
{
    struct image_row row;
    struct copied k;
    *out = (struct seen_facts){.view = v->name};
    enum err_code rc = images_names(db, &image, 1, a, &row, err);
    rc = rc == OK ? look(db, v, image, a, &k, &out->there, err) : rc;
    if (rc != OK || !out->there) {
        out->image = rc == OK ? row.name : SV("");
        return rc;
    }
    out->image = row.name;
    out->source = sv_of(arena_printf(a, "classify@" SV_FMT "/%lld", SV_ARG(v->name), (long long)k.number));
    rc = name_labels(db, &k, a, out, err);
    if (rc == OK) {
        fill(&k, out);
        rc = list_answers(db, &k, people, a, out, err);
    }
    return rc;
}

void seen_facts_release(struct seen_facts *f)
{
    for (size_t i = 0; i < f->n_list; i++) {
        json_decref(f->list[i].order);
        json_decref(f->list[i].ticked);
    }
    f->n_list = 0;
}
