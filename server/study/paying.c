/* paying.c - who may be paid what: one place at a time. */
#include "study/paying.h"

#include "base/clock.h"

enum err_code pay_read(const struct pay_typed *typed, struct pay_change *out, struct err *err)
{
    struct sv bonus = sv_trim(typed->bonus);
    bool approve = sv_is(typed->decision, "approve");
    *out = (struct pay_change){
        .state = approve                            ? SV("approved")
                 : sv_is(typed->decision, "reject") ? SV("rejected")
                 : sv_is(typed->decision, "keep")   ? SV("")
                                                    : typed->decision,
        .bonus_cents = -1,
        .reason = approve ? SV("") : sv_trim(typed->reason),
    };
    return bonus.n == 0 || pay_amount(bonus, &out->bonus_cents)
               ? OK
               : err_rule(err, ERR_INPUT, "pay-bonus",
                          "A bonus must be an amount such as 1.50. Nothing was changed.");
}

/* Nobody overwrites what they have not seen. An undo is one as long as nobody took a list for the panel since. */
static enum err_code check_seen(struct db *db, const struct paying *p, const struct pay_now *now,
                                struct err *err)
{
    bool exported = false;
    if (p->seen >= 0 && p->seen != now->id) {
        return err_rule(err, ERR_CONFLICT, "pay-changed",
                        "Somebody else decided about this pay meanwhile: it is " SV_FMT " now. Nothing was "
                        "changed; decide again.",
                        SV_ARG(now->state));
    }
    if (!p->undo) {
        return OK;
    }
    enum err_code rc = pay_exported(db, p->campaign, now->id, &exported, err);
    return exported ? err_rule(err, ERR_CONFLICT, "pay-exported",
                               "The list for the panel has been downloaded since, so this person may have "
                               "been paid by it. Nothing was changed. Make a new decision instead.")
                    : rc;
}

enum err_code pay_make(const struct study *study, const struct paying *p, struct paid *out)
{
    struct db *db = study->db;
    *out = (struct paid){.changed = false};
    enum err_code rc = pay_get(db, p->campaign, p->place, study->arena, &out->was, study->err);
    rc = rc == OK ? check_seen(db, p, &out->was, study->err) : rc;
    if (rc == OK) {
        rc = pay_decide(db, p->place, &p->change, p->account, clock_wall_ms(), &out->changed,
                        study->err);
    }
    out->now = out->was;
    if (rc == OK && out->changed) {
        rc = pay_get(db, p->campaign, p->place, study->arena, &out->now, study->err);
    }
    out->can_undo = out->changed && !p->undo;
    return rc;
}
