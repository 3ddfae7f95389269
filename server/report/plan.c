/* plan.c - from a plan's file to its row, and from that to what people read. */
#include "report/plan.h"

#include "crypto/crypto.h"
#include "store/sets/sets.h"
#include "store/sets/subsets.h"

bool plan_is_late(const struct plan_row *p)
{
    return p->opened && p->opened < p->id;
}

const char *plan_words(const struct plan_row *p, struct arena *a)
{
    const char *when = arena_printf(a, "registered at event %lld", (long long)p->id);
    return p->opened == 0 ? arena_printf(a, "%s; no revision of " SV_FMT " can be scored yet", when, SV_ARG(p->set))
                          : arena_printf(a, "%s, %s " SV_FMT " could be scored (event %lld)", when, plan_is_late(p) ? "after" : "before",
                                         SV_ARG(p->opened_name), (long long)p->opened);
}

const char *plan_sha256(const struct plan_row *p, struct arena *a)
{
    char *hex = arena_calloc(a, 2 * p->digest.n + 1, 1);
    crypto_hex(p->digest.p, p->digest.n, hex);
    return hex;
}

enum err_code plan_analysis(const struct plan_row *p, struct arena *a, struct analysis *out, struct err *err)
{
    *out = analysis_usual;
    return analysis_read(p->body, arena_cstr(a, p->name), a, out, err);
}

struct face {
    struct plan_row p;
    const char *sha256;
    bool late;
    json_t *analysis;
};
#define OF(member) RECORD_OF(struct face, member)
RECORD(analysis_plan_record, struct face, "analysis_plan", "An analysis plan: what is to be computed of a new set, registered under its digest.",
       {"name", OF(p.name), .about = "Its name."},
       {"set", OF(p.set), .about = "Name of the new set that it is about."},
       {"sha256", OF(sha256), .about = "SHA-256 of the file that was registered."},
       {"event", OF(p.id), .about = "The event of its registration."},
       {"at", OF(p.at), RECORD_MOMENT, .about = "When that was."},
       {"late", OF(late), .about = "Whether a revision of the set could be scored before."},
       {"opened", OF(p.opened_name), .maybe = true, .about = "The first revision of the set that could be scored, SET/NUMBER; null: none can."},
       {"opened_event", OF(p.opened), .maybe = true, .about = "The event since when."},
       {"analysis", OF(analysis), .about = "What the plan says, with what holds where it says nothing."});
#undef OF

json_t *plan_json(const struct plan_row *p, struct arena *a, struct err *err)
{
    struct analysis s;
    if (plan_analysis(p, a, &s, err) != OK) {
        return NULL;
    }
    const struct face face = {.p = *p, .sha256 = plan_sha256(p, a), .late = plan_is_late(p), .analysis = analysis_json(&s)};
    return record_json(&analysis_plan_record, &face);
}

/* "SET" of "SET/NUMBER". */
static struct sv set_of(struct sv name)
{
    return sv_cut(&name, '/');
}

static enum err_code check_names(const struct analysis *s, const char *file, struct err *err)
{
    if (s->name.n == 0) {
        return err_rule(err, ERR_INPUT, "analysis", "%s: name must say what the plan is called.", file);
    }
    enum err_code rc = set_name_check(s->name, err);
    return rc == OK ? set_name_check(set_of(s->fresh), err) : rc;
}

/* A report takes the versions of named subsets that there were when its plan was registered. */
static enum err_code check_named(struct db *db, const struct analysis *s, struct arena *a, struct err *err)
{
    struct subset_row row;
    enum err_code rc = OK;
    for (size_t i = 0; i < s->subsets.n && rc == OK; i++) {
        for (struct sv rest = s->subsets.items[i]; rest.n && rc == OK;) {
            struct sv word = sv_cut(&rest, ',');
            rc = word.n > 1 && word.p[0] == '@' ? subsets_find(db, sv_make(word.p + 1, word.n - 1), 0, a, &row, err) : OK;
        }
    }
    return rc;
}

enum err_code plan_register(struct db *db, struct sv text, const char *file, int64_t account, int64_t now, struct arena *a, bool *added,
                            struct plan_row *out, struct err *err)
{
    unsigned char digest[PLAN_DIGEST];
    struct analysis s = analysis_usual;
    enum err_code rc = analysis_read(text, file, a, &s, err);
    rc = rc == OK ? analysis_check(&s, file, err) : rc;
    rc = rc == OK ? check_names(&s, file, err) : rc;
    rc = rc == OK ? check_named(db, &s, a, err) : rc;
    if (rc != OK) {
        return rc;
    }
    crypto_sha256(text.p, text.n, digest);
    const struct plan_row row = {
        .name = s.name, .set = set_of(s.fresh), .digest = sv_make((const char *)digest, sizeof digest), .body = text};
    rc = db_tx_begin(db, err);
    rc = rc == OK ? db_tx_end(db, plans_add(db, &row, account, now, added, err), err) : rc;
    return rc == OK ? plans_find(db, s.name, a, out, err) : rc;
}
