/* texts_import.c - `holdout import texts`: what a model said about images in its own words, from JSON lines
 * (formats/said.h). It is stored as it is; `holdout map-texts` makes predictions of it.
 *
 * The file is read and checked before anything is written. What is written is its records in blocks, in the order of the
 * file; a digest of all of them tells a file that was imported before, whole or in part, so that a second time adds what is
 * missing and otherwise nothing. Other answers about the same images are another source: which one scores a set is
 * decided as between predictions (measures/scores/score_fold.h). */
#include <string.h>

#include "base/le.h"
#include "crypto/crypto.h"
#include "db/bulk.h"
#include "formats/jsonl.h"
#include "formats/said.h"
#include "store/models/models.h"
#include "store/models/texts.h"
#include "transfer/imports/imports.h"
#include "transfer/predictions/prediction_file.h"
#include "transfer/predictions/text_answers.h"

enum { LINES_MOST = 5000000, LINE_BYTES = 1 << 20, NUMBERS_MOST = 100000 };

struct texts_import {
    struct import im;
    struct prediction_target target;
    struct sv model, recipe; /* recipe: of all lines, given or of the first that has one; empty: not said */
    bool recipe_given;
    struct map_u64 seen;     /* image -> line */
    struct text_source source;
    unsigned char digest[CRYPTO_HASH];
    uint64_t records, scored;
    bool model_added;
    /* Writing. */
    struct jsonl lines;
    bool begun;
    struct map_sv numbers;   /* of candidate texts, which come with every line */
    int64_t before, stored, done; /* records that were there; that are there now; lines read */
};

/* ---- checking ---- */

static void hash_more(struct texts_import *ti, struct sv piece)
{
    struct str both;
    str_init(&both, SIZE_MAX / 2);
    str_add(&both, ti->digest, sizeof ti->digest);
    str_printf(&both, "%zu:", piece.n);
    str_addsv(&both, piece);
    crypto_sha256(both.p, both.n, ti->digest);
    str_release(&both);
}

/* All that a line says, so that files that say the same are the same however their JSON is written. */
static void hash_line(struct texts_import *ti, uint32_t image, const struct said *s)
{
    struct str text;
    str_init(&text, SIZE_MAX / 2);
    str_printf(&text, "%u %d %zu:", image, s->has_text, s->text.n);
    str_addsv(&text, s->text);
    str_printf(&text, " %zu:", s->prompt.n);
    str_addsv(&text, s->prompt);
    for (size_t i = 0; i < s->n; i++) {
        unsigned char number[4 + 8];
        le_put_u32(number, (uint32_t)s->scores[i].text.n);
        le_put_f64(number + 4, s->scores[i].score);
        str_add(&text, number, sizeof number);
        str_addsv(&text, s->scores[i].text);
    }
    hash_more(ti, str_sv(&text));
    str_release(&text);
}

/* One file is of one recipe: answers of a model that was asked in another way are those of another model. */
static void check_recipe(struct texts_import *ti, uint64_t line, const struct said *s)
{
    if (s->recipe.n == 0 || ti->recipe_given) {
        return;
    }
    if (ti->records == 0) {
        ti->recipe = arena_sv(ti->im.tr->arena, s->recipe);
    } else if (!sv_eq(ti->recipe, s->recipe)) {
        import_bad(&ti->im, line, "its recipe differs from that of the lines before: put each recipe into a file and a model of its own");
    }
}

/* What the present line says; *good false: it is refused, for `why`. ERR_INPUT for one that is not JSON. */
static enum err_code read_line(struct texts_import *ti, struct arena *a, struct said *s, bool *good, struct err *why)
{
    json_t *o = NULL;
    *good = said_scan(ti->lines.text, a, s);
    if (*good) {
        return OK;
    }
    enum err_code rc = jsonl_object(&ti->lines, &o, ti->im.tr->err);
    *good = rc == OK && said_read(o, a, s, why) == OK;
    json_decref(o);
    return rc;
}

static enum err_code check_line(struct texts_import *ti, struct arena *a)
{
    const uint64_t line = ti->lines.line;
    struct err why = {OK, "", ""};
    struct said s;
    uint32_t image = 0;
    uint16_t label;
    bool good = false;
    enum err_code rc = read_line(ti, a, &s, &good, &why);
    if (rc != OK || !good) {
        if (rc == OK) {
            import_bad(&ti->im, line, "%s", why.msg);
        }
        return rc;
    }
    rc = prediction_target_find(&ti->target, line, s.image, &image, &label);
    if (rc != OK || image == 0) {
        return rc;
    }
    uint32_t first = map_u64_put(&ti->seen, image, (uint32_t)line);
    if (first != line) {
        import_bad(&ti->im, line, "line %u is about the same image", first);
    }
    check_recipe(ti, line, &s);
    hash_line(ti, image, &s);
    ti->scored += s.n > 0;
    ti->records++;
    return OK;
}

/* What the recipe says about the answers must be something that map-texts knows. */
static enum err_code check_answers(const struct texts_import *ti)
{
    enum text_answers answers;
    return text_answers_of(ti->recipe, &answers, ti->im.tr->err);
}

/* *more false at the end. */
static enum err_code next_line(struct texts_import *ti, bool *more)
{
    *more = jsonl_line(&ti->lines);
    if (*more && (ti->lines.line > LINES_MOST || ti->lines.text.n > LINE_BYTES)) {
        *more = false;
        return err_rule(ti->im.tr->err, ERR_LIMIT, "texts-size", "%s:%llu: a file can have at most %d lines of at most %d bytes. Nothing was written.",
                        ti->im.name, (unsigned long long)ti->lines.line, LINES_MOST, LINE_BYTES);
    }
    return OK;
}

static enum err_code check_file(struct texts_import *ti)
{
    struct transfer *tr = ti->im.tr;
    struct arena a;
    bool more = false;
    arena_init(&a, (size_t)64 << 20);
    jsonl_open(&ti->lines, ti->im.name, ti->im.text);
    enum err_code rc = next_line(ti, &more);
    while (rc == OK && more) {
        rc = check_line(ti, &a);
        arena_clear(&a);
        transfer_progress(tr, "reading texts", ti->lines.line, 0);
        rc = rc == OK ? next_line(ti, &more) : rc;
    }
    arena_release(&a);
    if (rc == OK && ti->records == 0 && ti->im.bad == 0) {
        rc = err_rule(tr->err, ERR_INPUT, "texts-empty", "%s has no texts. Nothing was written.", ti->im.name);
    }
    rc = rc == OK ? import_checked(&ti->im) : rc;
    return rc == OK ? check_answers(ti) : rc;
}

/* ---- writing ---- */

static enum err_code take_model(struct texts_import *ti, struct db *db, struct err *err)
{
    struct err none = {OK, "", ""};
    struct model_row m;
    enum err_code rc = models_find(db, ti->model, ti->im.tr->arena, &m, &none);
    if (rc == OK && m.removed && sv_is(m.kind, "onnx")) {
        return err_rule(err, ERR_CONFLICT, "model-removed",
                        "The model " SV_FMT " was removed. Nothing was written; bring it back with `holdout model add` first.",
                        SV_ARG(ti->model));
    }
    if (rc != OK && rc != ERR_NOT_FOUND) {
        return err_set(err, rc, "%s", none.msg);
    }
    if (rc == ERR_NOT_FOUND || m.removed) {
        m = (struct model_row){.name = ti->model, .kind = SV("import")};
        rc = models_put(db, &m, 0, ti->im.now, &ti->model_added, err);
    }
    ti->source.model = m.id;
    return rc;
}

static enum err_code begin(struct texts_import *ti, struct db *db, struct err *err)
{
    const char *slash = strrchr(ti->im.name, '/');
    bool added;
    ti->source = (struct text_source){.revision = ti->target.revision,
                                      .file = sv_of(slash ? slash + 1 : ti->im.name),
                                      .recipe = ti->recipe,
                                      .records = (int64_t)ti->records};
    memcpy(ti->source.digest, ti->digest, sizeof ti->source.digest);
    enum err_code rc = take_model(ti, db, err);
    rc = rc == OK ? texts_source(db, &ti->source, 0, ti->im.now, &added, err) : rc;
    rc = rc == OK ? texts_stored(db, ti->source.id, &ti->before, err) : rc;
    ti->done = 0;
    ti->begun = rc == OK;
    return rc;
}

static enum err_code number_of(struct texts_import *ti, struct db *db, struct sv text, uint32_t *id, struct err *err)
{
    *id = map_sv_get(&ti->numbers, text);
    if (*id != MAP_NONE) {
        return OK;
    }
    enum err_code rc = texts_said(db, text, id, err);
    if (rc == OK && ti->numbers.n < NUMBERS_MOST) {
        map_sv_put(&ti->numbers, text, *id);
    }
    return rc;
}

static enum err_code number_scores(struct texts_import *ti, struct db *db, const struct said *s, struct arena *a, struct text_record *r,
                                   struct err *err)
{
    enum err_code rc = OK;
    r->n = s->n;
    r->scores = arena_calloc(a, s->n + 1, sizeof *r->scores);
    for (size_t i = 0; i < s->n && rc == OK; i++) {
        r->scores[i].score = s->scores[i].score;
        rc = number_of(ti, db, s->scores[i].text, &r->scores[i].text, err);
    }
    return rc;
}

static enum err_code make_record(struct texts_import *ti, struct db *db, struct arena *a, struct text_record *r, struct err *err)
{
    struct said s;
    uint16_t label;
    bool good;
    *r = (struct text_record){.n = 0};
    enum err_code rc = read_line(ti, a, &s, &good, err);
    rc = rc == OK && !good ? err->code : rc; /* the file changed since it was checked */
    rc = rc == OK ? prediction_target_find(&ti->target, ti->lines.line, s.image, &r->image, &label) : rc;
    rc = rc == OK && s.has_text ? texts_said(db, s.text, &r->text, err) : rc;
    rc = rc == OK && s.prompt.n ? texts_prompt(db, s.prompt, &r->prompt, err) : rc;
    return rc == OK ? number_scores(ti, db, &s, a, r, err) : rc;
}

/* The next records that are missing, as many as a block takes and a line's time allows. */
static enum err_code write_block(struct texts_import *ti, struct db *db, struct arena *a, bool *more, struct err *err)
{
    struct text_record *block = arena_calloc(a, TEXT_BLOCK, sizeof *block);
    size_t n = 0, bytes = 0;
    enum err_code rc = OK;
    while (rc == OK && *more && n < TEXT_BLOCK && bytes + texts_record_bytes(TEXT_SCORES_MOST) <= TEXT_BLOCK_BYTES / 8) {
        rc = next_line(ti, more);
        if (rc == OK && *more && ti->done++ >= ti->stored) {
            rc = make_record(ti, db, a, &block[n], err);
            bytes += texts_record_bytes(block[n++].n);
        }
    }
    return rc == OK && n ? texts_append(db, ti->source.id, block, n, err) : rc;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct texts_import *ti = arg;
    struct arena a;
    enum err_code rc = ti->begun ? OK : begin(ti, db, err);
    arena_init(&a, (size_t)64 << 20);
    rc = rc == OK ? texts_stored(db, ti->source.id, &ti->stored, err) : rc; /* another import of the file may be writing */
    *more = rc == OK && (uint64_t)ti->stored < ti->records;
    rc = rc == OK && *more ? write_block(ti, db, &a, more, err) : rc;
    arena_release(&a);
    transfer_progress(ti->im.tr, "importing texts", (uint64_t)ti->done, ti->records);
    return rc;
}

static enum err_code write_file(struct texts_import *ti, const char *path)
{
    struct transfer *tr = ti->im.tr;
    enum err_code rc = import_open_next(&ti->im, path);
    jsonl_open(&ti->lines, ti->im.name, ti->im.text);
    rc = rc == OK ? bulk_write(tr->db, tr->alone, write_step, ti, tr->err) : rc;
    return rc == OK ? import_checked(&ti->im) : rc;
}

/* ---- what people should know ---- */

static enum err_code note_others(const struct texts_import *ti)
{
    struct transfer *tr = ti->im.tr;
    struct text_source *list;
    size_t n = 0, others = 0, asked_differently = 0;
    enum err_code rc = texts_sources(tr->db, ti->source.model, tr->arena, &list, &n, tr->err);
    for (size_t i = 0; i < n; i++) {
        others += list[i].id != ti->source.id;
        asked_differently += list[i].id != ti->source.id && !sv_eq(list[i].recipe, ti->recipe);
    }
    if (asked_differently) {
        transfer_warn(tr, "Other texts of model " SV_FMT " have another recipe. A model that is asked in another way should have a name of its own.",
                      SV_ARG(ti->model));
    } else if (others && !ti->before) {
        transfer_note(tr, "The model has texts of %zu other file%s. `map-texts` makes predictions of each; which of them score a set is decided as "
                      "between imported predictions (`holdout set sources`).", others, others == 1 ? "" : "s");
    }
    return rc;
}

enum err_code texts_import(struct transfer *tr, const struct texts_ask *ask)
{
    struct texts_import ti = {.model = sv_of(ask->model), .recipe_given = ask->recipe != NULL};
    map_u64_init(&ti.seen);
    map_sv_init(&ti.numbers);
    enum err_code rc = import_open(&ti.im, tr, ask->path);
    rc = rc == OK ? model_name_check(ti.model, tr->err) : rc;
    if (rc == OK && ask->recipe && said_recipe(sv_of(ask->recipe), tr->arena, &ti.recipe, tr->err) != OK) {
        rc = err_rule(tr->err, ERR_INPUT, "usage", "--recipe: %s", arena_strdup(tr->arena, tr->err->msg));
    }
    rc = rc == OK ? prediction_target_open(&ti.target, &ti.im, ask->set, NULL) : rc;
    rc = rc == OK ? check_file(&ti) : rc;
    if (rc == OK) {
        hash_more(&ti, ti.recipe);
        hash_more(&ti, ti.target.set.id ? sv_make((const char *)ti.target.set.digest, SET_DIGEST) : SV(""));
        rc = tr->dry_run ? OK : write_file(&ti, ask->path);
    }
    if (rc == OK) {
        int64_t added = tr->dry_run ? (int64_t)ti.records : (int64_t)ti.records - ti.before;
        transfer_progress_end(tr);
        transfer_note(tr, "%llu texts of model " SV_FMT " read, %llu with scores, %lld new%s.", (unsigned long long)ti.records,
                      SV_ARG(ti.model), (unsigned long long)ti.scored, (long long)added, tr->dry_run ? " (dry run)" : "");
        rc = tr->dry_run ? OK : note_others(&ti);
    }
    map_u64_release(&ti.seen);
    map_sv_release(&ti.numbers);
    prediction_target_close(&ti.target);
    import_close(&ti.im);
    return rc;
}
