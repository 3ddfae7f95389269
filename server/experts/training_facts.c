/* training_facts.c - records, and what they are filled with. */
#include "experts/training_facts.h"

#define OF(member) RECORD_OF(struct training_facts, member)
#define LIST_FIELDS                                                                                                      \
    {"name", OF(list.name), .about = "The list's name."},                                                                \
    {"unlocks", OF(list.unlocks), .about = "The group that whoever passes it has unlocked."},                            \
    {"state", OF(list.state), .about = "open or closed."},                                                               \
    {"made_of", OF(list.made_of), .about = "relation, confusions, group or file."},                                      \
    {"detail", OF(list.detail), .kind = RECORD_PARSED, .about = "The set, classes, models or file that it was made of."}, \
    {"images", OF(list.images), .about = "Images that it has."},                                                         \
    {"mark", OF(list.mark), .about = "Percent that must be right to pass."},                                             \
    {"span", OF(list.span), .about = "Of how many of the latest answers that count."},                                   \
    {"seed", OF(list.seed), .about = "Seed of the draw and of the order."},                                              \
    {"answers", OF(list.answers), .about = "Answers that people gave, repeated ones too."},                              \
    {"people", OF(list.people), .about = "How many people gave them."}
#define OWN_FIELDS                                                                                                       \
    {"done", OF(own.done), .about = "Images that one has answered."},                                                    \
    {"part", OF(own.part), .maybe = true, .about = "The part of ten images that one is in, from 1; null: through."},     \
    {"parts", OF(own.parts), .about = "How many parts it has."},                                                         \
    {"counted", OF(own.stand.answers), .about = "One's answers that count: the first about an image not seen before."},  \
    {"n", OF(own.stand.n), .about = "The latest of them, at most span."},                                                \
    {"right", OF(own.stand.right), .about = "How many of these are right."},                                             \
    {"share", OF(own.share.value), .maybe = true, .about = "right / n; null without any."},                              \
    {"lo", OF(own.share.lo), .maybe = true, .about = "Lower bound: Clopper-Pearson, 95 %."},                             \
    {"hi", OF(own.share.hi), .maybe = true, .about = "Upper bound."},                                                    \
    {"passed", OF(own.stand.passed), .about = "One has passed; that stays."}

RECORD(training_list_record, struct training_facts, "training_list", "A training list, and one's own progress in it.", LIST_FIELDS, OWN_FIELDS);

#define PERSON(member) RECORD_OF(struct training_person, member)
RECORD(training_person_record, struct training_person, "training_person", "One person's progress in a training list.",
       {"login", PERSON(row.login), .maybe = true, .about = "The account; null: the person was forgotten."},
       {"role", PERSON(row.role), .about = "Its role."}, {"done", PERSON(progress.done), .about = "Images that they have answered."},
       {"counted", PERSON(progress.stand.answers), .about = "Answers that count: the first about an image not seen before."},
       {"n", PERSON(progress.stand.n), .about = "The latest of them, at most the list's span."},
       {"right", PERSON(progress.stand.right), .about = "How many of these are right."},
       {"share", PERSON(progress.share.value), .maybe = true, .about = "right / n; null without any."},
       {"lo", PERSON(progress.share.lo), .maybe = true, .about = "Lower bound: Clopper-Pearson, 95 %."},
       {"hi", PERSON(progress.share.hi), .maybe = true, .about = "Upper bound."},
       {"passed", PERSON(progress.stand.passed), .about = "They have passed."},
       {"after", PERSON(progress.stand.after), .maybe = true, .about = "How many answers that count it took them to pass; null: not yet."},
       {"last", PERSON(row.last), RECORD_MOMENT, .about = "When they answered last."});
#undef PERSON

#define NEED(member) RECORD_OF(struct training_need_row, member)
static RECORD(training_need_record, struct training_need_row, "training_need", "Work that needs a group: whoever does it must have unlocked it.",
       {"kind", NEED(kind), .about = "label-review or evaluation."}, {"name", NEED(name), .about = "Its name."}, {"unlocks", NEED(unlocks), .about = "The group."});
#undef NEED

RECORD(training_facts_record, struct training_facts, "training_list_people", "A training list, one's own progress and, for leads, that of others.",
       LIST_FIELDS, OWN_FIELDS,
       {"standing", RECORD_ROWS(struct training_facts, people, n_people), .of = &training_person_record, .about = "Who answered in it, by login; empty unless one is a lead."},
       {"needed_by", RECORD_ROWS(struct training_facts, needs, n_needs), .of = &training_need_record, .about = "Label reviews and evaluations that need its group; empty unless one is a lead."});
#undef OF

enum err_code training_facts_read(struct db *db, const struct training_list_row *l, int64_t account, struct arena *a,
                                  struct training_facts *out, struct err *err)
{
    *out = (struct training_facts){.list = *l};
    return training_progress_read(db, l, account, a, &out->own, err);
}

enum err_code training_facts_people(struct db *db, struct arena *a, struct training_facts *f, struct err *err)
{
    struct training_person_row *rows;
    struct training_need_row *needs;
    size_t n = 0, n_needs = 0;
    enum err_code rc = training_people(db, f->list.id, a, &rows, &n, err);
    f->people = arena_calloc(a, n + 1, sizeof *f->people);
    for (size_t i = 0; i < n && rc == OK; i++) {
        f->people[i].row = rows[i];
        rc = training_progress_read(db, &f->list, rows[i].account, a, &f->people[i].progress, err);
        f->n_people++;
    }
    rc = rc == OK ? training_needs_list(db, a, &needs, &n_needs, err) : rc;
    f->needs = arena_calloc(a, n_needs + 1, sizeof *f->needs);
    for (size_t i = 0; i < n_needs && rc == OK; i++) {
        if (sv_eq(needs[i].unlocks, f->list.unlocks)) {
            f->needs[f->n_needs++] = needs[i];
        }
    }
    return rc;
}
