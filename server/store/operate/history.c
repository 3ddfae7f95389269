/* history.c - SQL for the history. Which statement walks which index:
 *
 *   a person    event_subject, by the person and their places, and the flags they gave
 *   an account  event_account, which has the told events of an account in order
 *   otherwise   event_told downwards, kind by kind without reading rows; with single answers the
 *               table itself
 *
 * A filter by campaign reads a row and its place for each event, so the last one looks through
 * HISTORY_LOOKED_MOST events and no more. */
#include "store/operate/history.h"

#include "base/list.h"
#include "db/rows.h"
#include "store/core/events.h"

#define EVENT                                                                                      \
    "SELECT e.id, e.at, e.account, e.kind, e.subject, e.detail, i.external_id,"                    \
    " coalesce(e.detail ->> 'images', e.detail ->> 'grids', e.detail ->> 'classes',"               \
    "  e.detail ->> 'n', 0)"                                                                       \
    " FROM event e LEFT JOIN account c ON c.id = e.account"                                        \
    " LEFT JOIN identity i ON i.person = c.person"

/* ?1 and ?2 are the bounds of the number, ?3 the kinds, ?4 the campaign, ?5 the account. */
#define CAMPAIGN                                                                                   \
    "CASE WHEN e.kind GLOB 'campaign.*' OR e.kind GLOB 'study.*' OR e.kind GLOB 'grids.*'"         \
    "  THEN e.subject"                                                                             \
    " WHEN e.kind GLOB 'place.*' OR e.kind GLOB 'pay.*'"                                           \
    "  THEN (SELECT p.campaign FROM place p WHERE p.id = e.subject)"                               \
    " WHEN e.kind = 'flag' THEN (SELECT g.campaign FROM flag f"                                    \
    "  JOIN assignment a ON a.id = f.assignment JOIN grid g ON g.id = a.grid WHERE f.id = e.id)"   \
    " WHEN e.kind = 'answer' THEN (SELECT g.campaign FROM assignment a"                            \
    "  JOIN grid g ON g.id = a.grid WHERE a.id = e.subject)"                                       \
    " WHEN e.kind = 'answer.state' THEN (SELECT g.campaign FROM answer w"                          \
    "  JOIN assignment a ON a.id = w.assignment JOIN grid g ON g.id = a.grid"                      \
    "  WHERE w.id = e.subject) END"
#define FITS                                                                                       \
    " e.id < ?1 AND e.id > ?2 AND (?3 = '' OR instr(?3, '|' || e.kind || '|') > 0)"                \
    " AND (?4 = 0 OR ?4 = " CAMPAIGN ")"
/* As many as fill the page are read: how many that is depends on what stands in a row. */
#define NEWEST " ORDER BY e.id DESC"

static const char told_sql[] = EVENT " WHERE " EVENTS_TOLD " AND " FITS " AND ?5 = 0" NEWEST;
static const char account_sql[] = EVENT " WHERE " EVENTS_TOLD " AND e.account = ?5 AND " FITS NEWEST;
static const char single_sql[] = EVENT " WHERE " FITS " AND (?5 = 0 OR e.account = ?5)" NEWEST;
/* ?6 is the person, ?7 whether single answers count. */
static const char person_sql[] =
    "WITH own (id) AS ("
    "  SELECT e.id FROM event e WHERE e.subject = ?6 AND " EVENTS_TOLD
    "   AND (e.kind GLOB 'person.*' OR e.kind = 'participant.add')"
    "  UNION SELECT e.id FROM place p JOIN event e ON e.subject = p.id WHERE p.person = ?6 AND " EVENTS_TOLD
    "   AND (e.kind GLOB 'place.*' OR e.kind GLOB 'pay.*')"
    "  UNION SELECT f.id FROM flag f WHERE f.person = ?6"
    "  UNION SELECT e.id FROM account c JOIN event e ON e.account = c.id WHERE c.person = ?6"
    "   AND " EVENTS_TOLD
    "  UNION SELECT w.id FROM assignment a JOIN answer w ON w.assignment = a.id"
    "   WHERE a.person = ?6 AND ?7"
    "  UNION SELECT s.id FROM assignment a JOIN answer w ON w.assignment = a.id"
    "   JOIN answer_state s ON s.answer = w.id WHERE a.person = ?6 AND ?7"
    " ) " EVENT " WHERE e.id IN (SELECT id FROM own) AND " FITS " AND (?5 = 0 OR e.account = ?5)"
    NEWEST;

/* Events are stored in the order of their commits, so times rise with numbers but for moments: the
 * first told event of `ms` or later is found by halving. */
static enum err_code first_since(struct db *db, int64_t ms, int64_t *out, struct err *err)
{
    int64_t lo = 1, hi = 0, at = 0;
    enum err_code rc = db_one_int(db, "SELECT coalesce(max(id), 0) + 1 FROM event", DB_NONE, &hi,
                                  err);
    while (rc == OK && lo < hi) {
        int64_t middle = lo + (hi - lo) / 2;
        rc = db_one_int(db,
                        "SELECT at FROM event e WHERE " EVENTS_TOLD " AND id >= ?1 ORDER BY id LIMIT 1",
                        DB_VALS(db_int(middle)), &at, err);
        if (rc == ERR_NOT_FOUND || (rc == OK && at >= ms)) {
            hi = middle;
            rc = OK;
        } else {
            lo = middle + 1;
        }
    }
    *out = lo;
    return rc;
}

/* The numbers between which events fit what is asked of their time. */
static enum err_code bounds(struct db *db, const struct history_ask *ask, int64_t *before,
                            int64_t *after, struct err *err)
{
    enum err_code rc = OK;
    int64_t id;
    *before = ask->before > 0 ? ask->before : INT64_MAX;
    *after = 0;
    if (ask->until_ms) {
        rc = first_since(db, ask->until_ms, &id, err);
        *before = rc == OK && id < *before ? id : *before;
    }
    if (rc == OK && ask->from_ms) {
        rc = first_since(db, ask->from_ms, &id, err);
        *after = rc == OK ? id - 1 : 0;
    }
    return rc;
}

/* How far down to look; what `after` was when there are not so many events. */
static enum err_code window(struct db *db, const struct history_ask *ask, int64_t before,
                            int64_t *after, struct err *err)
{
    int64_t most = ask->looked_most ? ask->looked_most : HISTORY_LOOKED_MOST;
    static const char told[] = "SELECT e.id FROM event e WHERE " EVENTS_TOLD
                               " AND e.id < ?1 ORDER BY e.id DESC LIMIT 1 OFFSET ?2";
    static const char all[] = "SELECT e.id FROM event e WHERE e.id < ?1 ORDER BY e.id DESC"
                              " LIMIT 1 OFFSET ?2";
    int64_t id = 0;
    enum err_code rc = db_maybe_int(db, ask->singles ? all : told,
                                    DB_VALS(db_int(before), db_int(most - 1)), &id, err);
    *after = id - 1 > *after ? id - 1 : *after;
    return rc;
}

static enum err_code begin(struct db *db, const struct history_ask *ask, int64_t before,
                           int64_t after, struct db_rows *r, struct err *err)
{
    const struct db_val v[] = {db_int(before),       db_int(after),
                               db_text(ask->kinds),  db_int(ask->campaign),
                               db_int(ask->account), db_int(ask->person),
                               db_int(ask->singles)};
    const char *sql = ask->person    ? person_sql
                      : ask->singles ? single_sql
                      : ask->account ? account_sql
                                     : told_sql;
    return db_begin(db, sql, v, ask->person ? 7 : 5, r, err);
}

static struct history_event read_event(const struct db_rows *r, struct arena *a)
{
    return (struct history_event){.id = db_col_int(r, 0),
                                  .at = db_col_int(r, 1),
                                  .account = db_col_int(r, 2),
                                  .kind = arena_sv(a, db_col_text(r, 3)),
                                  .subject = db_col_int(r, 4),
                                  .detail = arena_sv(a, db_col_text(r, 5)),
                                  .login = arena_sv(a, db_col_text(r, 6)),
                                  .run = 1,
                                  .count = db_col_int(r, 7)};
}

static bool is_listed(struct sv kinds, struct sv kind)
{
    for (struct sv rest = kinds; rest.p && rest.n;) {
        if (sv_eq(sv_cut(&rest, '|'), kind)) {
            return true;
        }
    }
    return false;
}

/* Whether the event in the row is a further piece of what the line says. */
static bool is_piece(const struct history_ask *ask, const struct history_event *line,
                     int64_t line_since, const struct db_rows *r)
{
    struct sv kind = db_col_text(r, 3);
    return sv_eq(kind, line->kind) && db_col_int(r, 2) == line->account &&
           line_since - db_col_int(r, 1) < HISTORY_RUN_MS &&
           ((is_listed(ask->runs, kind) && db_col_int(r, 4) == line->subject) ||
            is_listed(ask->crowds, kind));
}

/* Fills the page; what did not fit says where the next one begins. */
static void read_lines(struct db_rows *r, const struct history_ask *ask, struct arena *a,
                       struct history_page *out, struct err *err)
{
    struct list list = {0};
    int64_t last = 0, since = 0; /* the oldest event of the newest line */
    while (db_step(r, err)) {
        struct history_event *line = list.n ? (struct history_event *)list.items + list.n - 1
                                            : NULL;
        if (line && is_piece(ask, line, since, r)) {
            line->run++;
            line->count += db_col_int(r, 7);
        } else if (list.n == ask->limit) {
            out->next = last;
            break;
        } else {
            *LIST_ADD(&list, a, struct history_event) = read_event(r, a);
        }
        last = db_col_int(r, 0);
        since = db_col_int(r, 1);
    }
    out->events = list.items;
    out->n = list.n;
}

enum err_code history_page(struct db *db, const struct history_ask *ask, struct arena *a,
                           struct history_page *out, struct err *err)
{
    int64_t before = 0, oldest = 0, after = 0;
    struct db_rows r;
    bool whole = ask->person || (ask->account && !ask->singles);
    enum err_code rc = bounds(db, ask, &before, &oldest, err);
    *out = (struct history_page){0};
    after = oldest;
    if (rc == OK && !whole) {
        rc = window(db, ask, before, &after, err);
    }
    if (rc != OK || (rc = begin(db, ask, before, after, &r, err)) != OK) {
        return rc;
    }
    read_lines(&r, ask, a, out, err);
    if (!out->next && after > oldest) {
        out->next = after + 1;
        out->cut = true;
    }
    return db_end(&r);
}

/* ---- what an event is about ---- */

/* Columns: campaign, person, name, text, number, other, undone. ?1 is the event, ?2 its subject. */
static const char *const about_sql[HISTORY_ABOUTS] = {
    [ABOUT_CAMPAIGN] = "SELECT name, NULL, NULL, NULL, 0, 0, 0 FROM campaign"
                       " WHERE id = ?2 AND ?1 > 0",
    [ABOUT_CONSENT] = "SELECT k.name, NULL, NULL, t.version, 0, 0, 0 FROM campaign k"
                      " LEFT JOIN consent t ON t.id = ?1 WHERE k.id = ?2",
    [ABOUT_PLACE] = "SELECT k.name, w.pseudonym, NULL, o.outcome, p.id, 0, 0 FROM place p"
                    " JOIN campaign k ON k.id = p.campaign JOIN person w ON w.id = p.person"
                    " LEFT JOIN place_outcome o ON o.id = ?1 WHERE p.id = ?2",
    [ABOUT_PAY] = "SELECT k.name, w.pseudonym, k.currency, y.reason, coalesce(y.bonus_cents, 0), 0,"
                  " 0 FROM place p JOIN campaign k ON k.id = p.campaign"
                  " JOIN person w ON w.id = p.person LEFT JOIN pay y ON y.id = ?1 WHERE p.id = ?2",
    [ABOUT_PERSON] = "SELECT NULL, pseudonym, NULL, NULL, 0, 0, 0 FROM person"
                     " WHERE id = ?2 AND ?1 > 0",
    [ABOUT_NOTE] = "SELECT NULL, w.pseudonym, NULL, n.text, 0, 0, 0 FROM person w"
                   " LEFT JOIN person_note n ON n.id = ?1 WHERE w.id = ?2",
    [ABOUT_ACCOUNT] = "SELECT NULL, w.pseudonym, i.external_id, NULL, 0, 0, 0 FROM account c"
                      " JOIN person w ON w.id = c.person"
                      " LEFT JOIN identity i ON i.person = c.person WHERE c.id = ?2 AND ?1 > 0",
    [ABOUT_TOKEN] = "SELECT NULL, NULL, t.name, i.external_id, 0, 0, 0 FROM api_token t"
                    " JOIN account c ON c.id = t.account"
                    " LEFT JOIN identity i ON i.person = c.person WHERE t.id = ?2 AND ?1 > 0",
    [ABOUT_INVITE] = "SELECT NULL, NULL, role, note, 0, 0, 0 FROM invite WHERE id = ?2 AND ?1 > 0",
    [ABOUT_IMAGE] = "SELECT NULL, NULL, m.name, d.reason, m.id, 0, 0 FROM image m"
                    " LEFT JOIN image_decision d ON d.id = ?1 WHERE m.id = ?2",
    [ABOUT_FLAG] = "SELECT g.campaign, w.pseudonym, m.name, f.kind, m.id, 0, 0 FROM flag f"
                   " JOIN image m ON m.id = f.image JOIN person w ON w.id = f.person"
                   " LEFT JOIN assignment a ON a.id = f.assignment LEFT JOIN (SELECT g.id,"
                   "  k.name AS campaign FROM grid g JOIN campaign k ON k.id = g.campaign) g"
                   " ON g.id = a.grid WHERE f.id = ?1 AND f.image = ?2",
    [ABOUT_ANSWER] = "SELECT k.name, w.pseudonym, g.name, NULL, a.id, 0, 0 FROM assignment a"
                     " JOIN grid g ON g.id = a.grid JOIN campaign k ON k.id = g.campaign"
                     " JOIN person w ON w.id = a.person WHERE a.id = ?2 AND ?1 > 0",
    [ABOUT_STATE] = "SELECT k.name, w.pseudonym, s.value, s.rule, a.id, 0, 0 FROM answer x"
                    " JOIN assignment a ON a.id = x.assignment JOIN grid g ON g.id = a.grid"
                    " JOIN campaign k ON k.id = g.campaign JOIN person w ON w.id = a.person"
                    " LEFT JOIN answer_state s ON s.id = ?1 WHERE x.id = ?2",
    [ABOUT_VIEW] = "SELECT NULL, NULL, v.name, v.description, 0, (SELECT count(*) FROM vote_view o"
                   "  WHERE o.name = v.name AND o.id <= v.id), 0 FROM vote_view v"
                   " WHERE v.id = ?1 AND ?2 >= 0",
    [ABOUT_DECISION] = "SELECT NULL, NULL, d.value, d.rule, d.subjects, d.people,"
                       " EXISTS (SELECT 1 FROM decision u WHERE u.undoes = d.id)"
                       " FROM decision d WHERE d.id = ?1 AND ?2 >= 0",
    [ABOUT_JOB] = "SELECT NULL, NULL, title, note, id, 0, 0 FROM job"
                  " WHERE id = CASE ?2 WHEN 0 THEN ?1 ELSE ?2 END",
    [ABOUT_SET] = "SELECT NULL, NULL, name, NULL, 0, 0, 0 FROM image_set WHERE id = ?1 AND ?2 >= 0",
    [ABOUT_REVISION] = "SELECT NULL, NULL, s.name || '/' || v.number, t.reason, l.images, 0, 0"
                       " FROM revision v JOIN image_set s ON s.id = v.image_set"
                       " JOIN set_list l ON l.id = v.list LEFT JOIN revision_state t ON t.id = ?1"
                       " WHERE v.id = coalesce(nullif(?2, 0), ?1)",
    [ABOUT_MODEL] = "SELECT NULL, NULL, m.name, x.reason, 0, 0, 0 FROM model m"
                    " LEFT JOIN model_removal x ON x.id = ?1 WHERE m.id = coalesce(nullif(?2, 0), ?1)",
    [ABOUT_LABELS] = "SELECT NULL, NULL, s.name || coalesce('/' || v.number, ''), v.reason, 0, 0, 0 FROM label_source s"
                     " LEFT JOIN label_version v ON v.id = ?1 WHERE s.id = coalesce(nullif(?2, 0), ?1)",
    [ABOUT_TEXTS] = "SELECT NULL, NULL, m.name, t.file, 0, 0, 0 FROM text_source t JOIN model m ON m.id = t.model"
                    " WHERE t.id = ?1 AND ?2 >= 0",
    [ABOUT_MAPPING] = "SELECT NULL, NULL, name || '/' || version, NULL, 0, 0, 0 FROM text_mapping WHERE id = ?1 AND ?2 >= 0",
    [ABOUT_PLAN] = "SELECT NULL, NULL, name, image_set, 0, 0, 0 FROM analysis_plan WHERE id = ?1 AND ?2 >= 0",
    [ABOUT_LABEL_PLAN] = "SELECT NULL, NULL, p.name || '/' || p.version, (SELECT group_concat(value, ', ')"
                         "  FROM json_each(p.models)), 0, 0, 0 FROM label_plan p WHERE p.id = ?1 AND ?2 >= 0",
    [ABOUT_SUBSET] = "SELECT NULL, NULL, name || '/' || version, definition, 0, 0, 0 FROM image_subset WHERE id = ?1 AND ?2 >= 0",
    [ABOUT_SUPERCLASSES] = "SELECT NULL, NULL, name || '/' || version, note, 0, 0, 0 FROM superclass_list WHERE id = ?1 AND ?2 >= 0",
    [ABOUT_LABEL_REVIEW] = "SELECT NULL, NULL, r.name, (SELECT i.external_id FROM label_reviewer w JOIN account c"
                           "  ON c.id = w.account JOIN identity i ON i.person = c.person WHERE w.id = ?1), 0, 0, 0"
                           " FROM label_review r WHERE r.id = coalesce(nullif(?2, 0), ?1)",
    [ABOUT_EVALUATION] = "SELECT NULL, NULL, r.name, (SELECT i.external_id FROM evaluation_person w JOIN account c"
                         "  ON c.id = w.account JOIN identity i ON i.person = c.person WHERE w.id = ?1), 0, 0, 0"
                         " FROM evaluation r WHERE r.id = coalesce(nullif(?2, 0), ?1)",
    [ABOUT_GUIDE] = "SELECT NULL, NULL, wnid, reason, 0, 0, 0 FROM guide_version WHERE id = ?1 AND ?2 >= 0",
    [ABOUT_RELATION] = "SELECT NULL, NULL, a.wnid || ' and ' || b.wnid, CASE r.kind WHEN 'none' THEN 'not related' ELSE r.kind END,"
                       " 0, 0, 0 FROM class_relation r JOIN class a ON a.id = r.a JOIN class b ON b.id = r.b"
                       " WHERE r.id = ?1 AND ?2 >= 0",
    [ABOUT_TRAINING] = "SELECT NULL, NULL, name, unlocks, 0, 0, 0 FROM training_list WHERE id = coalesce(nullif(?2, 0), ?1)",
    [ABOUT_NEED] = "SELECT NULL, NULL, coalesce(r.name, v.name), w.unlocks, 0, 0, 0 FROM training_need w"
                   " LEFT JOIN label_review r ON w.kind = 'label-review' AND r.id = w.list"
                   " LEFT JOIN evaluation v ON w.kind = 'evaluation' AND v.id = w.list WHERE w.id = ?1 AND ?2 >= 0",
    [ABOUT_CLASS] = "SELECT k.synset, NULL, k.wnid, (SELECT s.name || '/' || v.number"
                    "  FROM revision v JOIN image_set s ON s.id = v.image_set"
                    "  WHERE v.id = coalesce((SELECT revision FROM class_decision WHERE id = ?1),"
                    "   (SELECT revision FROM review_shown WHERE event = ?1))), 0, 0, 0"
                    " FROM class k WHERE k.id = ?2",
    [ABOUT_SCORES] = "SELECT NULL, NULL, m.name || ' score ' || i.name || '/' || v.number, d.reason, 0, 0, 0"
                     " FROM score_decision d JOIN model m ON m.id = d.model"
                     " JOIN revision v ON v.id = d.revision JOIN image_set i ON i.id = v.image_set"
                     " WHERE d.id = ?1 AND ?2 >= 0",
    [ABOUT_PREDICTIONS] = "SELECT NULL, NULL, m.name, p.engine, 0, 0, 0 FROM model m"
                          " LEFT JOIN prediction_source p ON p.id = ?1 WHERE m.id = ?2",
};

DB_ROW(history_facts_row, struct history_facts, campaign, person, name, text, number, other,
       undone);

enum err_code history_facts(struct db *db, const struct history_event *e, enum history_about about,
                            struct arena *a, struct history_facts *out, struct err *err)
{
    *out = (struct history_facts){.campaign = SV(""), .person = SV(""), .name = SV(""),
                                  .text = SV("")};
    return about_sql[about] ? db_maybe(db, history_facts_row, out, a, about_sql[about],
                                       DB_VALS(db_int(e->id), db_int(e->subject)), err)
                            : OK;
}

DB_ROW(history_who_row, struct history_who, account, login);

enum err_code history_accounts(struct db *db, struct arena *a, struct history_who **out, size_t *n,
                               struct err *err)
{
    return db_list(
        db, history_who_row, out, n, a,
        "SELECT c.id, i.external_id FROM account c JOIN identity i ON i.person = c.person"
        " WHERE EXISTS (SELECT 1 FROM event e WHERE e.account = c.id AND " EVENTS_TOLD ")"
        " ORDER BY i.external_id LIMIT 500",
        DB_NONE, err);
}
