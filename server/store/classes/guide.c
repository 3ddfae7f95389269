/* guide.c - rows are added, the newest of a wnid holds. */
#include "store/classes/guide.h"

#include "db/rows.h"
#include "store/core/events.h"

#define COLUMNS "g.id, e.at, g.wnid, g.text, g.reason, coalesce(i.external_id, '')"
#define FROM                                                                                                       \
    " FROM guide_version g"                                                                                        \
    " JOIN event e ON e.id = g.id LEFT JOIN account k ON k.id = e.account"                                         \
    " LEFT JOIN identity i ON i.person = k.person AND i.source = 'local'"

#define VERSION "SELECT " COLUMNS FROM

DB_ROW(guide_row, struct guide_version, id, at, wnid, text, reason, by);
DB_ROW(page_row, struct guide_page, v.id, v.at, v.wnid, v.text, v.reason, v.by, words, gloss, versions, is_class);

enum err_code guide_newest(struct db *db, struct sv wnid, struct arena *a, struct guide_version *out, struct err *err)
{
    *out = (struct guide_version){.wnid = wnid};
    return db_maybe(db, guide_row, out, a, VERSION " WHERE g.wnid = ?1 ORDER BY g.id DESC LIMIT 1", DB_VALS(db_text(wnid)), err);
}

enum err_code guide_get(struct db *db, struct sv wnid, int64_t id, struct arena *a, struct guide_version *out, struct err *err)
{
    enum err_code rc = db_find(db, guide_row, out, a, VERSION " WHERE g.wnid = ?1 AND g.id = ?2", DB_VALS(db_text(wnid), db_int(id)), err);
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "guide-version", "The guide has no version %lld of this page.", (long long)id) : rc;
}

enum err_code guide_versions(struct db *db, struct sv wnid, struct arena *a, struct guide_version **out, size_t *n, struct err *err)
{
    return db_list(db, guide_row, out, n, a, VERSION " WHERE g.wnid = ?1 ORDER BY g.id DESC", DB_VALS(db_text(wnid)), err);
}

enum err_code guide_pages(struct db *db, struct arena *a, struct guide_page **out, size_t *n, struct err *err)
{
    return db_list(db, page_row, out, n, a,
                   "SELECT " COLUMNS ", coalesce(c.synset, s.words, g.wnid) AS words, coalesce(c.gloss, s.gloss, ''),"
                   " (SELECT count(*) FROM guide_version o WHERE o.wnid = g.wnid), c.id IS NOT NULL" FROM
                   " LEFT JOIN class c ON c.wnid = g.wnid LEFT JOIN synset s ON s.wnid = g.wnid"
                   " WHERE g.text <> '' AND g.id = (SELECT max(o.id) FROM guide_version o WHERE o.wnid = g.wnid)"
                   " ORDER BY words COLLATE NOCASE, g.wnid",
                   DB_NONE, err);
}

enum err_code guide_knows(struct db *db, struct sv wnid, bool *out, struct err *err)
{
    return db_exists(db, "SELECT 1 WHERE EXISTS (SELECT 1 FROM class WHERE wnid = ?1) OR EXISTS (SELECT 1 FROM synset WHERE wnid = ?1)",
                     DB_VALS(db_text(wnid)), out, err);
}

static enum err_code check(struct db *db, const struct guide_new *v, struct err *err)
{
    bool known = false;
    if (v->reason.n > GUIDE_REASON || !sv_utf8(v->reason)) {
        return err_rule(err, ERR_INPUT, "guide-reason", "What you changed is text of at most %d bytes. Nothing was stored.", GUIDE_REASON);
    }
    enum err_code rc = guide_knows(db, v->wnid, &known, err);
    return rc == OK && !known
               ? err_rule(err, ERR_NOT_FOUND, "no-class", "The project has no class and no synset " SV_FMT ".", SV_ARG(v->wnid))
               : rc;
}

enum err_code guide_put(struct db *db, const struct guide_new *v, int64_t now, int64_t *id, struct err *err)
{
    struct arena a;
    struct guide_version newest = {.id = 0};
    *id = 0;
    arena_init(&a, 1 << 20);
    enum err_code rc = check(db, v, err);
    rc = rc == OK ? guide_newest(db, v->wnid, &a, &newest, err) : rc;
    const bool same = rc == OK && sv_eq(newest.text, v->text);
    if (rc == OK && !same && v->was >= 0 && v->was != newest.id) {
        rc = err_rule(err, ERR_CONFLICT, "guide-changed",
                      SV_FMT " changed this page while you were writing. Nothing was stored, and your text is still here: what changed is "
                      "shown beside it. Save again when your text says all of it.",
                      SV_ARG(newest.by.n ? newest.by : SV("Somebody")));
    }
    if (rc == OK && !same) {
        rc = events_add(db, now, v->account, "guide.write", 0, NULL, id, err);
        rc = rc == OK ? db_run(db, "INSERT INTO guide_version (id, wnid, text, reason) VALUES (?1, ?2, ?3, ?4)",
                               DB_VALS(db_int(*id), db_text(v->wnid), db_text(v->text), db_text(sv_trim(v->reason))), err)
                      : rc;
    }
    arena_release(&a);
    return rc;
}
