/* texts.c - SQL for texts and mappings, and the bytes of their blocks. */
#include "store/models/texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/le.h"
#include "base/xalloc.h"
#include "db/rows.h"
#include "store/core/events.h"

enum { RECORD_HEAD = 16, SCORE_BYTES = 12, UNMAPPED_BYTES = 9 };

/* ---- sources ---- */

DB_ROW(text_source_row, struct text_source, id, model, revision, at, records, stored, file, recipe, digest, set);

enum err_code texts_sources(struct db *db, int64_t model, struct arena *a, struct text_source **out, size_t *n, struct err *err)
{
    return db_list(db, text_source_row, out, n, a,
                   "SELECT t.id, t.model, coalesce(t.revision, 0), e.at, t.records, (SELECT coalesce(sum(b.records), 0) FROM text_block b"
                   " WHERE b.source = t.id), t.file, t.recipe, t.digest, coalesce(s.name || '/' || v.number, '') FROM text_source t"
                   " JOIN event e ON e.id = t.id LEFT JOIN revision v ON v.id = t.revision LEFT JOIN image_set s ON s.id = v.image_set"
                   " WHERE ?1 = 0 OR t.model = ?1 ORDER BY t.id",
                   DB_VALS(db_int(model)), err);
}

enum err_code texts_source(struct db *db, struct text_source *s, int64_t account, int64_t now, bool *added, struct err *err)
{
    s->id = 0;
    enum err_code rc = db_maybe_int(db, "SELECT id FROM text_source WHERE model = ?1 AND digest = ?2",
                                    DB_VALS(db_int(s->model), db_blob(s->digest, TEXT_DIGEST)), &s->id, err);
    *added = rc == OK && s->id == 0;
    if (!*added) {
        return rc;
    }
    rc = events_add(db, now, account, "texts.import", s->model, NULL, &s->id, err);
    return rc == OK ? db_run(db,
                             "INSERT INTO text_source (id, model, file, recipe, digest, revision, records)"
                             " VALUES (?1, ?2, ?3, ?4, ?5, nullif(?6, 0), ?7)",
                             DB_VALS(db_int(s->id), db_int(s->model), db_text(s->file), db_text(s->recipe), db_blob(s->digest, TEXT_DIGEST),
                                     db_int(s->revision), db_int(s->records)),
                             err)
                    : rc;
}

/* ---- texts ---- */

static enum err_code number_of(struct db *db, const char *find, const char *add, struct sv text, uint32_t *id, struct err *err)
{
    int64_t found = 0;
    enum err_code rc = db_maybe_int(db, find, DB_VALS(db_text(text)), &found, err);
    if (rc == OK && found == 0) {
        rc = db_run(db, add, DB_VALS(db_text(text)), err);
        found = rc == OK ? db_last_id(db) : 0;
    }
    if (rc == OK && found > UINT32_MAX - 1) {
        rc = err_rule(err, ERR_LIMIT, "texts", "The project has too many different texts. Nothing more was written.");
    }
    *id = (uint32_t)found;
    return rc;
}

enum err_code texts_said(struct db *db, struct sv text, uint32_t *id, struct err *err)
{
    return number_of(db, "SELECT id FROM said_text WHERE text = ?1", "INSERT INTO said_text (text) VALUES (?1)", text, id, err);
}

enum err_code texts_prompt(struct db *db, struct sv text, uint32_t *id, struct err *err)
{
    return number_of(db, "SELECT id FROM said_prompt WHERE text = ?1", "INSERT INTO said_prompt (text) VALUES (?1)", text, id, err);
}

enum err_code texts_each(struct db *db, void (*each)(void *arg, uint32_t id, struct sv text), void *arg, struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, "SELECT id, text FROM said_text ORDER BY id", DB_NONE, &r, err);
    while (rc == OK && db_step(&r, err)) {
        each(arg, (uint32_t)db_col_int(&r, 0), db_col_text(&r, 1));
    }
    return db_end_after(&r, rc);
}

enum err_code texts_get(struct db *db, uint32_t id, struct arena *a, struct sv *out, struct err *err)
{
    *out = SV("");
    return db_maybe_text(db, "SELECT text FROM said_text WHERE id = ?1", DB_VALS(db_int(id)), a, out, err);
}

/* ---- records ---- */

size_t texts_record_bytes(size_t n_scores)
{
    return RECORD_HEAD + SCORE_BYTES * n_scores;
}

static unsigned char *encode(unsigned char *to, const struct text_record *r)
{
    le_put_u32(to, r->image);
    le_put_u32(to + 4, r->text);
    le_put_u32(to + 8, r->prompt);
    le_put_u32(to + 12, (uint32_t)r->n);
    to += RECORD_HEAD;
    for (size_t i = 0; i < r->n; i++, to += SCORE_BYTES) {
        le_put_u32(to, r->scores[i].text);
        le_put_f64(to + 4, r->scores[i].score);
    }
    return to;
}

enum err_code texts_append(struct db *db, int64_t source, const struct text_record *r, size_t n, struct err *err)
{
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++) {
        bytes += texts_record_bytes(r[i].n);
    }
    BUG_IF(n < 1 || n > TEXT_BLOCK || bytes > TEXT_BLOCK_BYTES);
    unsigned char *data = xmalloc(bytes), *to = data;
    for (size_t i = 0; i < n; i++) {
        to = encode(to, &r[i]);
    }
    enum err_code rc = db_run(db, "INSERT INTO text_block (source, records, data) VALUES (?1, ?2, ?3)",
                              DB_VALS(db_int(source), db_int((int64_t)n), db_blob(data, bytes)), err);
    free(data);
    return rc;
}

enum err_code texts_stored(struct db *db, int64_t source, int64_t *records, struct err *err)
{
    return db_one_int(db, "SELECT coalesce(sum(records), 0) FROM text_block WHERE source = ?1", DB_VALS(db_int(source)), records, err);
}

/* The number of bytes that were read; 0 when they are no record. */
static size_t decode(struct sv from, struct arena *a, struct text_record *out)
{
    const unsigned char *p = (const unsigned char *)from.p;
    if (from.n < RECORD_HEAD) {
        return 0;
    }
    *out = (struct text_record){.image = le_u32(p), .text = le_u32(p + 4), .prompt = le_u32(p + 8), .n = le_u32(p + 12)};
    if (out->n > TEXT_SCORES_MOST || from.n < texts_record_bytes(out->n)) {
        return 0;
    }
    out->scores = arena_alloc(a, (out->n + 1) * sizeof *out->scores);
    p += RECORD_HEAD;
    for (size_t i = 0; i < out->n; i++, p += SCORE_BYTES) {
        out->scores[i] = (struct text_score){le_u32(p), le_f64(p + 4)};
    }
    return texts_record_bytes(out->n);
}

struct block_row {
    int64_t id, records;
    struct sv data;
};
DB_ROW(block_row, struct block_row, id, records, data);

enum err_code texts_block(struct db *db, int64_t source, int64_t place, struct arena *a, struct text_record **out, size_t *n, struct err *err)
{
    struct block_row b;
    enum err_code rc = db_find(db, block_row, &b, a,
                               "SELECT id, records, data FROM text_block WHERE source = ?1 ORDER BY id LIMIT 1 OFFSET ?2",
                               DB_VALS(db_int(source), db_int(place)), err);
    if (rc != OK) {
        return rc;
    }
    *n = (size_t)b.records;
    *out = arena_calloc(a, *n + 1, sizeof **out);
    for (size_t i = 0; i < *n; i++) {
        size_t bytes = decode(b.data, a, &(*out)[i]);
        if (bytes == 0) {
            return err_set(err, ERR_IO, "the block %lld of texts is damaged: its record %zu is cut off", (long long)b.id, i);
        }
        b.data = sv_make(b.data.p + bytes, b.data.n - bytes);
    }
    return b.data.n == 0 ? OK : err_set(err, ERR_IO, "the block %lld of texts is damaged: %zu bytes are left over", (long long)b.id, b.data.n);
}

/* ---- mappings ---- */

enum err_code text_mapping_name_check(struct sv name, struct err *err)
{
    bool good = sv_is_word(name, "-_.") && name.n < MAPPING_NAME;
    return good ? OK
                : err_rule(err, ERR_INPUT, "mapping-name",
                           "The name of a mapping must be 1 to %d letters, digits, \"-\", \"_\" or \".\".", MAPPING_NAME - 1);
}

DB_ROW(mapping_row, struct text_mapping, id, version, at, rows, name, first, digest);
DB_ROW(mapping_row_row, struct text_mapping_row, text, wnid, class_id);

enum err_code text_mapping_newest(struct db *db, struct sv name, struct arena *a, struct text_mapping *out, struct err *err)
{
    *out = (struct text_mapping){.id = 0};
    return db_maybe(db, mapping_row, out, a,
                    "SELECT m.id, m.version, e.at, (SELECT count(*) FROM text_mapping_row r WHERE r.mapping = m.id), m.name, m.first,"
                    " m.digest FROM text_mapping m JOIN event e ON e.id = m.id WHERE m.name = ?1 ORDER BY m.version DESC LIMIT 1",
                    DB_VALS(db_text(name)), err);
}

enum err_code text_mapping_rows(struct db *db, int64_t mapping, struct arena *a, struct text_mapping_row **out, size_t *n, struct err *err)
{
    return db_list(db, mapping_row_row, out, n, a,
                   "SELECT r.text, k.wnid, r.class FROM text_mapping_row r JOIN class k ON k.id = r.class WHERE r.mapping = ?1 ORDER BY r.text",
                   DB_VALS(db_int(mapping)), err);
}

enum err_code text_mapping_put(struct db *db, struct text_mapping *m, const struct text_mapping_row *rows, size_t n, int64_t account,
                               int64_t now, bool *added, struct err *err)
{
    m->id = 0;
    enum err_code rc = db_maybe_ints(db, "SELECT id, version FROM text_mapping WHERE name = ?1 AND digest = ?2",
                                     DB_VALS(db_text(m->name), db_blob(m->digest, TEXT_DIGEST)), &m->id, &m->version, err);
    *added = rc == OK && m->id == 0;
    if (!*added) {
        return rc;
    }
    rc = db_one_int(db, "SELECT coalesce(max(version), 0) + 1 FROM text_mapping WHERE name = ?1", DB_VALS(db_text(m->name)), &m->version, err);
    rc = rc == OK ? events_add(db, now, account, "texts.map", 0, NULL, &m->id, err) : rc;
    if (rc == OK) {
        rc = db_run(db, "INSERT INTO text_mapping (id, name, version, first, digest) VALUES (?1, ?2, ?3, ?4, ?5)",
                    DB_VALS(db_int(m->id), db_text(m->name), db_int(m->version), db_text(m->first), db_blob(m->digest, TEXT_DIGEST)), err);
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = db_run(db, "INSERT INTO text_mapping_row (mapping, text, class) VALUES (?1, ?2, ?3)",
                    DB_VALS(db_int(m->id), db_text(rows[i].text), db_int(rows[i].class_id)), err);
    }
    return rc;
}

/* ---- what they made ---- */

enum err_code text_mapped_add(struct db *db, int64_t source, int64_t mapping, int64_t texts, struct err *err)
{
    return db_run(db, "INSERT INTO text_mapped (source, mapping, texts) VALUES (?1, ?2, ?3)",
                  DB_VALS(db_int(source), db_int(mapping), db_int(texts)), err);
}

enum err_code text_mapped_blocks(struct db *db, int64_t source, int64_t *blocks, struct err *err)
{
    return db_one_int(db, "SELECT count(*) FROM prediction_block WHERE source = ?1", DB_VALS(db_int(source)), blocks, err);
}

DB_ROW(mapped_row, struct text_mapped, source, model, base, mapping, version, texts, records, name, first, file, model_name, base_name, recipe);

enum err_code text_mapped_list(struct db *db, int64_t model, struct arena *a, struct text_mapped **out, size_t *n, struct err *err)
{
    return db_list(db, mapped_row, out, n, a,
                   "SELECT d.source, p.model, t.model, m.id, m.version, t.id, (SELECT coalesce(sum(b.records), 0) FROM prediction_block b"
                   " WHERE b.source = d.source), m.name, m.first, t.file, own.name, base.name, t.recipe FROM text_mapped d"
                   " JOIN prediction_source p ON p.id = d.source JOIN text_mapping m ON m.id = d.mapping JOIN text_source t ON t.id = d.texts"
                   " JOIN model own ON own.id = p.model JOIN model base ON base.id = t.model"
                   " WHERE (?1 = 0 OR p.model = ?1 OR t.model = ?1) AND NOT coalesce((SELECT x.removed FROM model_removal x"
                   "  WHERE x.model = p.model ORDER BY x.id DESC LIMIT 1), 0) ORDER BY d.source",
                   DB_VALS(db_int(model)), err);
}

enum err_code text_unmapped_append(struct db *db, int64_t source, const struct text_unmapped *u, size_t n, struct err *err)
{
    unsigned char data[TEXT_BLOCK * UNMAPPED_BYTES], *to = data;
    BUG_IF(n < 1 || n > TEXT_BLOCK);
    for (size_t i = 0; i < n; i++, to += UNMAPPED_BYTES) {
        le_put_u32(to, u[i].image);
        le_put_u32(to + 4, u[i].text);
        to[8] = (unsigned char)u[i].outcome;
    }
    return db_run(db, "INSERT INTO text_unmapped (source, records, data) VALUES (?1, ?2, ?3)",
                  DB_VALS(db_int(source), db_int((int64_t)n), db_blob(data, n * UNMAPPED_BYTES)), err);
}

enum err_code text_unmapped_each(struct db *db, int64_t source, void (*each)(void *arg, const struct text_unmapped *u), void *arg,
                                 struct err *err)
{
    struct db_rows r;
    enum err_code rc = db_begin(db, "SELECT records, data FROM text_unmapped WHERE source = ?1 ORDER BY id", DB_VALS(db_int(source)), &r, err);
    while (rc == OK && db_step(&r, err)) {
        struct sv data = db_col_blob(&r, 1);
        const unsigned char *p = (const unsigned char *)data.p;
        if (data.n != (size_t)db_col_int(&r, 0) * UNMAPPED_BYTES) {
            rc = err_set(err, ERR_IO, "a block of texts without a class is damaged: %zu bytes", data.n);
        }
        for (size_t i = 0; rc == OK && i < data.n; i += UNMAPPED_BYTES) {
            const struct text_unmapped u = {le_u32(p + i), le_u32(p + i + 4), p[i + 8]};
            each(arg, &u);
        }
    }
    return db_end_after(&r, rc);
}
