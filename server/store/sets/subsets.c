/* subsets.c - SQL for image_subset and its parts, and the bytes of these. A version is never changed or removed. */
#include "store/sets/subsets.h"

#include <stdlib.h>

#include "base/le.h"
#include "base/list.h"
#include "base/xalloc.h"
#include "db/rows.h"
#include "store/core/events.h"
#include "store/core/known.h"

const char *const subset_of_words[SUBSET_OFS] = {"images", "classes", "pairs"};

enum err_code subset_name_check(struct sv name, struct err *err)
{
    return known_name_check(name, SUBSET_NAME - 1, "subset-name", "a subset", err);
}

/* ---- reading ---- */

DB_ROW(subset_columns, struct subset_row, id, at, account, number, newest, name, login, definition, words, note, digest);

#define SUBSET                                                                                                          \
    "SELECT s.id, e.at, coalesce(e.account, 0), s.version,"                                                             \
    " (SELECT max(o.version) FROM image_subset o WHERE o.name = s.name), s.name, coalesce(i.external_id, ''), s.definition," \
    " s.words, s.note, s.digest FROM image_subset s JOIN event e ON e.id = s.id LEFT JOIN account c ON c.id = e.account" \
    " LEFT JOIN identity i ON i.person = c.person "

enum err_code subsets_find(struct db *db, struct sv name, int64_t event, struct arena *a, struct subset_row *out, struct err *err)
{
    int64_t number = 0;
    struct sv rest = name, own = sv_cut(&rest, '/');
    bool named = !rest.p || sv_i64(rest, &number);
    enum err_code rc = named ? db_find(db, subset_columns, out, a,
                                       SUBSET "WHERE s.name = ?1 AND ?2 IN (0, s.version) AND (?3 = 0 OR s.id <= ?3)"
                                              " ORDER BY s.version DESC LIMIT 1",
                                       DB_VALS(db_text(own), db_int(number), db_int(event)), err)
                             : ERR_NOT_FOUND;
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "no-subset", "There is no subset " SV_FMT "%s. `holdout subset` lists those that there are.",
                                          SV_ARG(name), event ? " that was made in time" : "")
                               : rc;
}

enum err_code subsets_list(struct db *db, struct sv name, struct arena *a, struct subset_row **out, size_t *n, struct err *err)
{
    return db_list(db, subset_columns, out, n, a,
                   SUBSET "WHERE s.name = ?1 OR (?1 = '' AND s.version = (SELECT max(o.version) FROM image_subset o WHERE o.name = s.name))"
                          " ORDER BY s.name, s.version DESC",
                   DB_VALS(db_text(name)), err);
}

enum err_code subsets_all(struct db *db, struct arena *a, struct subset_row **out, size_t *n, struct err *err)
{
    return db_list(db, subset_columns, out, n, a, SUBSET "ORDER BY s.id", DB_NONE, err);
}

/* ---- parts ---- */

static size_t size_of(enum subset_of of)
{
    return of == SUBSET_PAIRS ? 8 : 4;
}

static enum subset_of of_word(struct sv word)
{
    int of = 0;
    while (of < SUBSET_OFS - 1 && !sv_is(word, subset_of_words[of])) {
        of++;
    }
    return (enum subset_of)of;
}

struct stored_part {
    struct sv kind, label, data;
    bool without;
    int64_t members;
};
DB_ROW(part_columns, struct stored_part, kind, without, label, members, data);

static void unpack(struct sv data, struct arena *a, struct subset_part *out)
{
    const unsigned char *p = (const unsigned char *)data.p;
    out->n = data.n / size_of(out->of);
    out->ids = arena_calloc(a, out->n + 1, sizeof *out->ids);
    for (size_t i = 0; i < out->n; i++) {
        const unsigned char *at = p + i * size_of(out->of);
        out->ids[i] = out->of == SUBSET_PAIRS ? subset_pair(le_u32(at), le_u32(at + 4)) : le_u32(at);
    }
}

enum err_code subset_parts_read(struct db *db, int64_t subset, struct arena *a, struct subset_part **out, size_t *n, struct err *err)
{
    struct db_rows rows;
    struct stored_part p;
    struct list list = {0};
    enum err_code rc = db_begin(db, "SELECT kind, without, label, members, data FROM image_subset_part WHERE subset = ?1 ORDER BY number",
                                DB_VALS(db_int(subset)), &rows, err);
    while (rc == OK && db_next(&rows, part_columns, &p, NULL, err)) {
        struct subset_part part = {.label = arena_cstr(a, p.label), .of = of_word(p.kind), .without = p.without};
        unpack(p.data, a, &part);
        if ((int64_t)part.n != p.members || p.data.n % size_of(part.of)) {
            rc = err_rule(err, ERR_IO, "subset-damaged", "A stored subset has %zu members instead of %lld. Restore a backup.", part.n,
                          (long long)p.members);
        }
        *LIST_ADD(&list, a, struct subset_part) = part;
    }
    *out = list.items;
    *n = list.n;
    return db_end_after(&rows, rc);
}

static enum err_code add_part(struct db *db, int64_t subset, size_t number, const struct subset_part *p, struct err *err)
{
    const size_t size = size_of(p->of);
    unsigned char *data = xmalloc(p->n * size + 1);
    for (size_t i = 0; i < p->n; i++) {
        unsigned char *at = data + i * size;
        if (p->of == SUBSET_PAIRS) {
            le_put_u32(at, (uint32_t)(p->ids[i] >> 32));
            le_put_u32(at + 4, (uint32_t)p->ids[i]);
        } else {
            le_put_u32(at, (uint32_t)p->ids[i]);
        }
    }
    enum err_code rc = db_run(db,
                              "INSERT INTO image_subset_part (subset, number, kind, without, label, members, data)"
                              " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                              DB_VALS(db_int(subset), db_int((int64_t)number), db_str(subset_of_words[p->of]), db_int(p->without),
                                      db_str(p->label), db_int((int64_t)p->n), db_blob(data, p->n * size)),
                              err);
    free(data);
    return rc;
}

/* ---- a version ---- */

static enum err_code check_row(struct db *db, const struct subset_row *row, const struct subset_part *parts, size_t n, struct err *err)
{
    int64_t names = 0;
    enum err_code rc = subset_name_check(row->name, err);
    if (rc == OK && (row->definition.n == 0 || row->definition.n > SUBSET_TEXT || !sv_utf8(row->definition))) {
        rc = err_rule(err, ERR_INPUT, "subset-text", "A subset needs a definition of at most %d bytes. Nothing was stored.", SUBSET_TEXT);
    }
    if (rc == OK && (row->note.n > SUBSET_NOTE || !sv_utf8(row->note))) {
        rc = err_rule(err, ERR_INPUT, "subset-note", "A subset's note must be text of at most %d bytes. Nothing was stored.", SUBSET_NOTE);
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = parts[i].n <= SUBSET_MEMBERS ? OK
                                          : err_rule(err, ERR_LIMIT, "subset-members",
                                                     "A stored subset lists at most %d images: name a set's, or a narrower range.", SUBSET_MEMBERS);
    }
    rc = rc == OK ? db_one_int(db, "SELECT count(DISTINCT name) FROM image_subset WHERE name <> ?1", DB_VALS(db_text(row->name)), &names, err)
                  : rc;
    return rc == OK && names >= SUBSETS_MOST
               ? err_rule(err, ERR_LIMIT, "subsets-most", "There are already %d subsets, and none is ever deleted: make a new version of one.",
                          SUBSETS_MOST)
               : rc;
}

enum err_code subsets_add(struct db *db, const struct subset_row *row, const struct subset_part *parts, size_t n, int64_t account,
                          int64_t now, int64_t *number, bool *added, struct err *err)
{
    int64_t same = 0, id = 0;
    *added = false;
    *number = 0;
    enum err_code rc = check_row(db, row, parts, n, err);
    rc = rc == OK ? db_maybe_ints(db,
                                  "SELECT version, definition = ?2 AND digest = ?3 FROM image_subset WHERE name = ?1"
                                  " ORDER BY version DESC LIMIT 1",
                                  DB_VALS(db_text(row->name), db_text(row->definition), db_blob(row->digest, SUBSET_DIGEST)), number, &same,
                                  err)
                  : rc;
    if (rc != OK || same) {
        return rc;
    }
    rc = events_add(db, now, account, "subset.create", 0, NULL, &id, err);
    rc = rc == OK ? db_run(db,
                           "INSERT INTO image_subset (id, name, version, definition, words, note, digest) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                           DB_VALS(db_int(id), db_text(row->name), db_int(++*number), db_text(row->definition), db_text(row->words),
                                   db_text(row->note), db_blob(row->digest, SUBSET_DIGEST)),
                           err)
                  : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = add_part(db, id, i, &parts[i], err);
    }
    *added = rc == OK;
    return rc;
}
