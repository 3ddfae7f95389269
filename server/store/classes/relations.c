/* relations.c - rows are added; which one of a pair is the newest is worked out. */
#include "store/classes/relations.h"

#include "db/rows.h"
#include "store/core/events.h"

#define COLUMNS                                                                                                       \
    "SELECT r.id, r.a, r.b, e.at, x.wnid, x.synset, y.wnid, y.synset, r.kind, r.note, coalesce(i.external_id, '')"    \
    " FROM class_relation r JOIN event e ON e.id = r.id JOIN class x ON x.id = r.a JOIN class y ON y.id = r.b"        \
    " LEFT JOIN account k ON k.id = e.account LEFT JOIN identity i ON i.person = k.person AND i.source = 'local'"
#define NEWEST                                                                                                        \
    " NOT EXISTS (SELECT 1 FROM class_relation o WHERE o.a = r.a AND o.b = r.b AND o.id > r.id)"                      \
    " AND NOT EXISTS (SELECT 1 FROM class_relation o WHERE o.a = r.b AND o.b = r.a AND o.id > r.id)"

DB_ROW(relation_row, struct relation_row, id, a, b, at, a_wnid, a_synset, b_wnid, b_synset, kind, note, by);

enum err_code relations_between(struct db *db, int64_t a, int64_t b, struct arena *arena, struct relation_row *out, struct err *err)
{
    *out = (struct relation_row){.id = 0};
    return db_maybe(db, relation_row, out, arena, COLUMNS " WHERE (r.a, r.b) IN ((?1, ?2), (?2, ?1)) ORDER BY r.id DESC LIMIT 1",
                    DB_VALS(db_int(a), db_int(b)), err);
}

enum err_code relations_list(struct db *db, int64_t class_id, struct arena *a, struct relation_row **out, size_t *n, struct err *err)
{
    return class_id ? db_list(db, relation_row, out, n, a,
                              COLUMNS " WHERE (r.a = ?1 OR r.b = ?1) AND r.kind <> 'none' AND" NEWEST " ORDER BY x.wnid, y.wnid",
                              DB_VALS(db_int(class_id)), err)
                    : db_list(db, relation_row, out, n, a, COLUMNS " WHERE r.kind <> 'none' AND" NEWEST " ORDER BY x.wnid, y.wnid",
                              DB_NONE, err);
}

static void kind_then(const struct db_rows *r, struct arena *a, void *out)
{
    struct relation_pair *p = out;
    (void)a;
    p->kind = relation_of(db_col_text(r, 2));
}

DB_ROW_THEN(pair_row, struct relation_pair, kind_then, a, b);

enum err_code relations_pairs(struct db *db, struct arena *a, struct relation_pair **out, size_t *n, struct err *err)
{
    return db_list(db, pair_row, out, n, a,
                   "SELECT r.a, r.b, r.kind FROM class_relation r WHERE r.kind <> 'none' AND" NEWEST " ORDER BY r.id", DB_NONE, err);
}

static enum err_code check(const struct relation_new *r, struct err *err)
{
    if (r->a == r->b) {
        return err_rule(err, ERR_INPUT, "relation-self", "A class does not relate to itself. Choose another class.");
    }
    if (r->note.n > RELATION_NOTE || !sv_utf8(r->note)) {
        return err_rule(err, ERR_INPUT, "relation-note", "A note is text of at most %d bytes.", RELATION_NOTE);
    }
    return OK;
}

/* What is there says the same. */
static bool same(const struct relation_row *now, const struct relation_new *r, int64_t a)
{
    enum relation kind = now->id ? relation_of(now->kind) : RELATION_NONE;
    return kind == r->kind && sv_eq(now->note, sv_trim(r->note)) && (now->a == a || now->id == 0);
}

enum err_code relations_put(struct db *db, const struct relation_new *r, int64_t account, int64_t seen, int64_t now, int64_t *id,
                            struct err *err)
{
    struct arena arena;
    struct relation_row before;
    const bool turned = !relation_directed(r->kind) && r->a > r->b;
    const int64_t a = turned ? r->b : r->a, b = turned ? r->a : r->b;
    *id = 0;
    arena_init(&arena, 1 << 20);
    enum err_code rc = check(r, err);
    rc = rc == OK ? relations_between(db, a, b, &arena, &before, err) : rc;
    const bool is_same = rc == OK && same(&before, r, a);
    if (rc == OK && !is_same && seen >= 0 && before.id > seen) {
        rc = err_rule(err, ERR_CONFLICT, "relation-changed",
                      SV_FMT " said meanwhile: " SV_FMT " " SV_FMT " " SV_FMT ". Nothing was stored; save again if you still think so.",
                      SV_ARG(before.by.n ? before.by : SV("Somebody")), SV_ARG(before.a_wnid), SV_ARG(before.kind), SV_ARG(before.b_wnid));
    }
    if (rc == OK && !is_same) {
        rc = events_add(db, now, account, "class.relate", 0, NULL, id, err);
        rc = rc == OK ? db_run(db, "INSERT INTO class_relation (id, a, b, kind, note) VALUES (?1, ?2, ?3, ?4, ?5)",
                               DB_VALS(db_int(*id), db_int(a), db_int(b), db_str(relation_words[r->kind]), db_text(sv_trim(r->note))), err)
                      : rc;
    }
    arena_release(&arena);
    return rc;
}
