/* person.c - one person's record, notes and forgetting. */
#include "study/person.h"

#include "base/clock.h"
#include "store/campaigns/campaigns.h"
#include "store/people/people.h"

enum { DECISIONS_SHOWN = 20 };

static enum err_code find(const struct study *study, struct sv pseudonym, struct worker *out)
{
    int64_t person = 0;
    enum err_code rc = people_find_pseudonym(study->db, pseudonym, &person, study->err);
    return rc == OK ? workers_get(study->db, person, study->arena, out, study->err) : rc;
}

/* ---- the record ---- */

static enum err_code read_campaigns(const struct study *study, struct person_record *out)
{
    struct campaign *list;
    size_t n;
    enum err_code rc = campaigns_list(study->db, false, study->arena, &list, &n, study->err);
    if (rc != OK) {
        return rc;
    }
    out->campaigns = arena_calloc(study->arena, n + 1, sizeof *out->campaigns);
    for (size_t i = 0; i < n; i++) {
        struct person_sums sums = person_sum(out->answers, out->n_answers, (uint32_t)list[i].id);
        if (sums.n) {
            out->campaigns[out->n_campaigns++] =
                (struct person_campaign){list[i].name, list[i].title, sums};
        }
    }
    return OK;
}

enum err_code person_read(const struct study *study, struct sv pseudonym, struct person_record *out)
{
    struct db *db = study->db;
    struct arena *a = study->arena;
    *out = (struct person_record){.n_parts = 0};
    enum err_code rc = find(study, pseudonym, &out->worker);
    int64_t person = out->worker.person;
    rc = rc == OK ? participants_of(db, person, a, &out->parts, &out->n_parts, study->err) : rc;
    rc = rc == OK ? notes_list(db, person, a, &out->notes, &out->n_notes, study->err) : rc;
    if (rc != OK) {
        return rc;
    }
    person_agreement(study->tally, person, a, &out->answers, &out->n_answers);
    out->sums = person_sum(out->answers, out->n_answers, 0);
    rc = read_campaigns(study, out);
    return rc == OK ? decisions_of(db, person, DECISIONS_SHOWN, a, &out->decisions, &out->about,
                                   &out->n_decisions, study->err)
                    : rc;
}

/* ---- notes and blocks ---- */

static const struct person_noted kinds[] = {
    {"note", NULL, NULL},
    {"block", "unblock", "The block is undone."},
    {"unblock", "block", "Unblocking is undone."},
};

enum err_code person_note(const struct study *study, struct sv pseudonym,
                          const struct person_noting *n, struct person_noted *out)
{
    struct worker w;
    const struct person_noted *kind = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        kind = sv_is(n->kind, kinds[i].kind) ? &kinds[i] : kind;
    }
    if (!kind) {
        return err_rule(study->err, ERR_INPUT, "note-kind",
                        "Only a note, a block or an unblock can be recorded; nothing was changed.");
    }
    *out = *kind;
    enum err_code rc = find(study, pseudonym, &w);
    return rc == OK ? notes_add(study->db, w.person, kind->kind, n->text, n->account,
                                clock_wall_ms(), study->err)
                    : rc;
}

/* ---- forgetting ---- */

enum err_code person_forgettable(const struct study *study, struct sv pseudonym, bool admin,
                                 struct worker *out)
{
    enum err_code rc = find(study, pseudonym, out);
    return rc == OK && sv_is(out->kind, "staff") && !admin
               ? err_rule(study->err, ERR_DENIED, "forget-staff",
                          "This person has an account here; only an administrator may erase them. "
                          "Nothing was changed.")
               : rc;
}

enum err_code person_forget(const struct study *study, struct sv pseudonym, bool admin,
                            int64_t account)
{
    struct worker w;
    enum err_code rc = person_forgettable(study, pseudonym, admin, &w);
    return rc == OK ? people_forget(study->db, clock_wall_ms(), account, w.person, study->err) : rc;
}
