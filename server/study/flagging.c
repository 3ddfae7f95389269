/* flagging.c - flags stored, listed, decided about and set aside. */
#include "study/flagging.h"

#include "base/clock.h"
#include "store/people/people.h"
#include "store/work/grids.h"

enum err_code flag_photos(const struct study *study, const struct assignment *as,
                          const struct flagging *f, int *stored)
{
    struct grid_cells cells;
    uint8_t order[GRID_CELLS];
    int64_t now = clock_wall_ms();
    enum err_code rc = grids_cells(study->db, as->grid, &cells, study->err);
    *stored = 0;
    if (rc != OK) {
        return rc;
    }
    if (f->shown == 0 || !grid_mask_fits(f->shown, cells.n)) {
        return err_rule(study->err, ERR_INPUT, "position",
                        "Choose a photo of this grid. Nothing was stored.");
    }
    flow_order(as, cells.n, order);
    for (unsigned i = 0; i < cells.n && rc == OK; i++) {
        bool added = false;
        const struct flag_new one = {.image = cells.image[order[i]], .person = as->person,
                                     .assignment = as->id, .kind = f->kind, .note = f->note,
                                     .most = study->flags_per_person};
        if (f->shown >> i & 1) {
            rc = flags_add(study->db, &one, now, &added, study->err);
        }
        *stored += added;
    }
    return rc;
}

static bool can_go_back(const struct flagged *was, struct sv decision)
{
    return !sv_is(decision, "takedown") && !sv_is(was->state, "open") &&
           !sv_is(was->state, "takedown") && !sv_eq(was->state, decision);
}

enum err_code flag_decide(const struct study *study, const struct flag_decision *d,
                          struct flag_decided *out)
{
    *out = (struct flag_decided){.can_go_back = false};
    enum err_code rc = flags_of_image(study->db, study->flags_to_quarantine, d->image, study->arena,
                                      &out->was, study->err);
    if (rc == ERR_NOT_FOUND) {
        err_clear(study->err); /* nobody has flagged it; a lead may still decide */
        out->was = (struct flagged){.state = SV("open")};
    } else if (rc != OK) {
        return rc;
    }
    const struct flagged *was = &out->was;
    if (d->seen.n > 0 && !sv_eq(d->seen, was->state) && !sv_eq(d->decision, was->state)) {
        return err_rule(study->err, ERR_CONFLICT, "flag-changed",
                        "The image has changed meanwhile: it is %s now. Nothing was changed; decide again.",
                        sv_is(was->state, "takedown")     ? "taken down"
                        : sv_is(was->state, "quarantine") ? "in quarantine"
                        : sv_is(was->state, "clear")      ? "cleared"
                                                          : "open");
    }
    out->can_go_back = can_go_back(was, d->decision);
    return flags_decide(study->db, d->image, d->decision, sv_trim(d->reason), d->account,
                        clock_wall_ms(), study->err);
}

/* ---- the queue ---- */

enum err_code flag_queue_read(const struct study *study, const struct flag_queue_ask *ask,
                              struct flagged **out, size_t *n)
{
    const struct quarantine_ask which = {
        .states = ask->states, .sort = ask->sort, .kept = ask->kept,
        .n_kept = ask->n_kept < FLAG_QUEUE_KEPT ? ask->n_kept : FLAG_QUEUE_KEPT};
    size_t all, before = 0; /* of those that are asked for */
    const struct quarantined *list = quarantine_list(study->quarantine, &which, study->arena, &all);
    *out = arena_calloc(study->arena, ask->most + which.n_kept + 1, sizeof **out);
    *n = 0;
    for (size_t i = 0; i < all && before <= ask->skip + ask->most; i++) {
        bool asked = ask->states >> list[i].is.state & 1;
        if (before >= ask->skip && (!asked || before < ask->skip + ask->most)) {
            enum err_code rc = flags_of_image(study->db, study->flags_to_quarantine, list[i].image,
                                              study->arena, &(*out)[*n], study->err);
            if (rc != OK && rc != ERR_NOT_FOUND) {
                return rc;
            }
            err_clear(study->err); /* flagged after this request began */
            *n += rc == OK;
        }
        before += asked;
    }
    return OK;
}

/* ---- what to look at first ---- */

enum { FLAGS_READ = 20000, SURGES_MOST = 5, PEOPLE_MOST = 10 };

static enum err_code read_people(const struct study *study, const struct flag_point *p, size_t n_p,
                                 struct flag_waiting *out)
{
    struct flag_sum *list;
    size_t n;
    flags_by_person(p, n_p, study->arena, &list, &n);
    out->people = arena_calloc(study->arena, PEOPLE_MOST, sizeof *out->people);
    for (size_t i = 0; i < n && i < PEOPLE_MOST && list[i].images > 1; i++) {
        struct person who;
        enum err_code rc = people_get(study->db, list[i].person, study->arena, &who, study->err);
        if (rc != OK) {
            return rc;
        }
        out->people[out->n_people++] = (struct flag_person){list[i], who.pseudonym};
    }
    return OK;
}

enum err_code flag_waiting_read(const struct study *study, struct flag_waiting *out)
{
    struct flag_point *p;
    size_t n;
    *out = (struct flag_waiting){.n_surges = 0};
    enum err_code rc = flags_open(study->db, FLAGS_READ, study->arena, &p, &n, study->err);
    if (rc != OK) {
        return rc;
    }
    for (size_t i = 0; i < n; i++) {
        p[i].hidden = quarantine_has(study->quarantine, p[i].image);
    }
    flag_surges(p, n, study->flags_surge, study->arena, &out->surges, &out->n_surges);
    out->n_surges = out->n_surges < SURGES_MOST ? out->n_surges : SURGES_MOST;
    return read_people(study, p, n, out);
}

/* ---- setting flags aside ---- */

enum err_code flag_aside_which(const struct study *study, struct sv person, struct sv first,
                               struct sv last, struct flag_aside *out)
{
    *out = (struct flag_aside){.restore = false};
    if (person.n) {
        return people_find_pseudonym(study->db, person, &out->before.person, study->err);
    }
    return sv_i64(first, &out->before.first) && sv_i64(last, &out->before.last)
               ? OK
               : err_rule(study->err, ERR_INPUT, "flags-which",
                          "Name a person, or the first and last flag. Nothing was changed.");
}

enum err_code flag_aside_back(const struct study *study, struct sv action, struct flag_aside *out)
{
    *out = (struct flag_aside){.restore = true};
    return sv_i64(action, &out->before.action) && out->before.action > 0
               ? OK
               : err_rule(study->err, ERR_NOT_FOUND, "no-action",
                          "No flags were dismissed under that number. Nothing was changed.");
}

enum err_code flag_aside_slice(struct db *db, struct flag_aside *o, int64_t now, struct err *err)
{
    o->now = o->before;
    return o->restore ? flags_restore(db, &o->now, o->account, now, err)
                      : flags_dismiss(db, &o->now, o->account, now, err);
}

bool flag_aside_more(struct flag_aside *o)
{
    o->before = o->now;
    return o->now.more;
}
