/* people_gap_rows.c - the tables of the fields, and names in place of numbers. */
#include "measures/people/people_gap_rows.h"

#include "store/models/model_facts.h"

#define OF(member) RECORD_OF(struct people_gap_row, member)
#define SIDE(prefix, member, set)                                                                                        \
    {prefix "_both", OF(member.counts.both), .about = "Images of " set " about which both are right; 0 of means."},       \
        {prefix "_person", OF(member.counts.first), .about = "About which the person alone is."},                        \
        {prefix "_model", OF(member.counts.second), .about = "About which the model alone is."},                         \
        {prefix "_neither", OF(member.counts.neither), .about = "About which neither is."},                              \
        {prefix "_p", OF(member.p), .maybe = true, .about = "McNemar's exact test of person alone against model alone; null: means, or no images."}, \
        {prefix "_difference", OF(member.difference.value), .maybe = true, .about = "Accuracy of the person less that of the model, -1 to 1; null: no images."}, \
        {prefix "_lo", OF(member.difference.lo), .maybe = true, .about = "Lower bound of its 95 % interval: Newcombe's for pairs; of means Student's t over images."}, \
        {prefix "_hi", OF(member.difference.hi), .maybe = true, .about = "Upper bound."}
RECORD(people_gap_record, struct people_gap_row, "people_against_model", "One of the people and one of the models on the same images of a pair of sets.",
       {"person", OF(person), .about = "The person; or the mean of all, or the answer that most of them give."},
       {"model", OF(model), .about = "The model; or the mean or the majority of all."},
       SIDE("original", original, "the originals"),
       SIDE("new", fresh, "the new set, or the only one"),
       {"change", OF(change.value), .maybe = true, .about = "The model's drop less the person's, -1 to 1: above 0 the person loses less; null: there are not two sets."},
       {"change_lo", OF(change.lo), .maybe = true, .about = "Lower bound of its 95 % interval."},
       {"change_hi", OF(change.hi), .maybe = true, .about = "Upper bound."});
#undef SIDE
#undef OF

#define OF(member) RECORD_OF(struct people_set_row, member)
static RECORD(people_set_record, struct people_set_row, "people_on_set", "What people and models miss on a set, and how far each side agrees with itself.",
       {"set", OF(set), .about = "The revision, SET/NUMBER."},
       {"images", OF(of.images), .about = "Images that all of them have answered: what everything here is about."},
       {"unanswered", OF(of.unanswered), .about = "Images that somebody has not answered."},
       {"sealed", OF(of.sealed), .about = "Images that a sealed revision has."},
       {"people_missed", OF(of.people_missed), .about = "Images about which all people are wrong."},
       {"models_missed", OF(of.models_missed), .about = "Images about which all models are wrong."},
       {"all_missed", OF(of.all_missed), .about = "Images about which everybody is wrong."},
       {"people_alpha", OF(of.people.at.value), .maybe = true, .about = "Krippendorff's alpha of the people's answers; null: one person, or all answers are the same."},
       {"people_alpha_lo", OF(of.people.at.lo), .maybe = true, .about = "Lower bound of its 95 % interval, from 1,000 draws of images."},
       {"people_alpha_hi", OF(of.people.at.hi), .maybe = true, .about = "Upper bound."},
       {"models_alpha", OF(of.models.at.value), .maybe = true, .about = "The same of the models."},
       {"models_alpha_lo", OF(of.models.at.lo), .maybe = true, .about = "Lower bound."},
       {"models_alpha_hi", OF(of.models.at.hi), .maybe = true, .about = "Upper bound."});
#undef OF

#define OF(member) RECORD_OF(struct people_gap_list, member)
RECORD(people_gap_list_record, struct people_gap_list, "people_against_models", "People and models on the same images of one or two sets.",
       {"sets", RECORD_ROWS(struct people_gap_list, sets, n_sets), .of = &people_set_record, .about = "The originals and the new set, those that there are."},
       {"pairs", RECORD_ROWS(struct people_gap_list, pairs, n_pairs), .of = &people_gap_record,
        .about = "The means, the majorities, each majority with each of the other side, then each person with each model."});
#undef OF

enum err_code people_sides_of(struct db *db, const int64_t *ids, const struct sv *names, size_t n, struct arena *a,
                              struct people_sides *out, struct err *err)
{
    struct model_facts_row *facts;
    size_t n_facts;
    enum err_code rc = model_facts_list(db, a, &facts, &n_facts, err);
    *out = (struct people_sides){arena_calloc(a, n + 1, sizeof *ids), arena_calloc(a, n + 1, sizeof *ids),
                                 arena_calloc(a, n + 1, sizeof *names), arena_calloc(a, n + 1, sizeof *names), 0, 0};
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct model_facts *f = model_facts_find(facts, n_facts, ids[i]);
        if (f && sv_is(f->group, PEOPLE_GROUP)) {
            out->person_names[out->n_people] = names[i];
            out->people[out->n_people++] = ids[i];
        } else {
            out->model_names[out->n_models] = names[i];
            out->models[out->n_models++] = ids[i];
        }
    }
    return rc;
}

static struct sv name_of(int64_t id, const int64_t *ids, const struct sv *names, size_t n, struct arena *a)
{
    for (size_t i = 0; i < n; i++) {
        if (ids[i] == id) {
            return names[i];
        }
    }
    return sv_of(arena_printf(a, "%s of %zu", id == PEOPLE_MEAN ? "mean" : "majority", n));
}

struct people_gap_list people_gap_rows(const struct people_gap *g, const struct people_sides *sides, const struct sv titles[PEOPLE_SETS],
                                       struct arena *a)
{
    struct people_gap_list out = {arena_calloc(a, PEOPLE_SETS, sizeof *out.sets), 0, arena_calloc(a, g->n + 1, sizeof *out.pairs), g->n};
    for (int i = 0; i < PEOPLE_SETS; i++) {
        if (titles[i].n) {
            out.sets[out.n_sets++] = (struct people_set_row){titles[i], g->on[i]};
        }
    }
    for (size_t i = 0; i < g->n; i++) {
        const struct people_line *l = &g->lines[i];
        out.pairs[i] = (struct people_gap_row){name_of(l->person, sides->people, sides->person_names, sides->n_people, a),
                                               name_of(l->model, sides->models, sides->model_names, sides->n_models, a),
                                               l->person == PEOPLE_MEAN, l->on[0], l->on[1], l->change};
    }
    return out;
}
