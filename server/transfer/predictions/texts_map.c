/* texts_map.c - `holdout map-texts`: from what a model said to classes (domain/labels/text_class.h), as predictions of the model
 * MODEL@MAPPING: tables, charts and fits have these as any others, several mappings beside each other.
 *
 * A mapping is named and versioned: a version is all that decides, so classes, their synonyms, a person's rows and whether
 * texts or scores come first. The same again is the same version. Every source of texts becomes a source of predictions, block by
 * block: what stands for no class is a prediction without a class, which is wrong on every image, and its reason is
 * stored beside it. Which version scores a set is the rule of measures/scores/score_fold.h: the newest, on a frozen set the first. */
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "base/xalloc.h"
#include "crypto/crypto.h"
#include "db/bulk.h"
#include "formats/csv.h"
#include "json/object.h"
#include "store/models/models.h"
#include "store/models/predictions.h"
#include "store/models/texts.h"
#include "transfer/imports/imports.h"
#include "transfer/imports/lines.h"
#include "transfer/predictions/text_answers.h"

enum { ROWS_MOST = 1000000 };

struct texts_map {
    struct import im;
    const struct texts_map_ask *ask;
    struct model_row base, model;
    struct text_source *texts; /* all of the model */
    size_t n_texts;
    struct text_mapping mapping;
    struct text_mapping_row *rows; /* by text */
    size_t n_rows, cap_rows;
    bool added;                /* a new version */
    struct text_list list;
    struct text_meaning *means; /* by number of the text */
    size_t cap_means;
    enum text_answers answers; /* of the source at hand */
    uint64_t predictions, new;
    /* Writing one source. */
    const struct text_source *from;
    struct prediction_source to;
    bool begun;
};

enum err_code text_answers_of(struct sv recipe, enum text_answers *out, struct err *err)
{
    json_t *o = recipe.n ? json_loadb(recipe.p, recipe.n, 0, NULL) : NULL;
    const json_t *v = json_object_get(o, "answers");
    *out = TEXT_WORDS;
    bool known = !v || text_answers_find(sv_of(json_string_value(v)), out);
    json_decref(o);
    return known ? OK
                 : err_rule(err, ERR_INPUT, "texts-answers",
                            "The recipe's \"answers\" must be \"words\", \"wnids\" or \"numbers\": what the texts are. Nothing was written.");
}

/* ---- a person's rows ---- */

static bool class_takes(const struct class_info *k)
{
    return k->cid >= 0 && k->cid < TEXT_NO_CLASS;
}

static void add_row(struct texts_map *m, struct sv text, const struct class_info *k)
{
    struct arena *a = m->im.tr->arena;
    xgrow(&m->rows, &m->cap_rows, m->n_rows + 1, sizeof *m->rows);
    m->rows[m->n_rows++] = (struct text_mapping_row){arena_sv(a, text), k->wnid, k->id};
}

/* Rows without a wnid are those that nobody has decided: the list of unmapped texts comes with them. */
static enum err_code read_row(struct texts_map *m, const struct csv *csv, int text_at, int wnid_at)
{
    struct sv text = csv->cells[text_at], wnid = sv_trim(csv->cells[wnid_at]);
    if (wnid.n == 0) {
        return OK;
    }
    if (m->n_rows == ROWS_MOST) {
        return err_rule(m->im.tr->err, ERR_LIMIT, "mapping-rows", "%s has more than %d rows. Nothing was written.", m->im.name, ROWS_MOST);
    }
    uint32_t at = map_sv_get(&m->im.classes, wnid);
    if (at == MAP_NONE || !class_takes(&m->im.class_list[at])) {
        import_bad(&m->im, csv->line, "\"" SV_FMT "\" is not the wnid of a class that can be predicted", SV_ARG(wnid));
    } else if (text.n > 4096) {
        import_bad(&m->im, csv->line, "a text can be at most 4096 bytes long; this one has %zu", text.n);
    } else if (!text_list_decide(&m->list, text, (uint16_t)m->im.class_list[at].cid)) {
        import_bad(&m->im, csv->line, "\"" SV_FMT "\" is empty, or stands for another class in a row before", SV_ARG(text));
    } else {
        add_row(m, text, &m->im.class_list[at]);
    }
    return OK;
}

static enum err_code read_csv(struct texts_map *m)
{
    struct err *err = m->im.tr->err;
    struct csv csv;
    int text_at = -1, wnid_at = -1;
    bool more = true;
    enum err_code rc = csv_open(&csv, m->im.name, m->im.text, err);
    rc = rc == OK ? csv_need(&csv, "text", &text_at, err) : rc;
    rc = rc == OK ? csv_need(&csv, "wnid", &wnid_at, err) : rc;
    while (rc == OK && (rc = csv_next(&csv, &more, err)) == OK && more) {
        rc = read_row(m, &csv, text_at, wnid_at);
    }
    csv_close(&csv);
    return rc == OK ? import_checked(&m->im) : rc;
}

/* The rows of the version before, where the CSV says nothing else. */
static enum err_code keep_rows(struct texts_map *m, int64_t version)
{
    struct transfer *tr = m->im.tr;
    struct text_mapping_row *list;
    size_t n = 0;
    enum err_code rc = text_mapping_rows(tr->db, version, tr->arena, &list, &n, tr->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        uint32_t at = map_sv_get(&m->im.classes, list[i].wnid);
        if (at != MAP_NONE && class_takes(&m->im.class_list[at]) &&
            text_list_decide(&m->list, list[i].text, (uint16_t)m->im.class_list[at].cid)) {
            add_row(m, list[i].text, &m->im.class_list[at]);
        }
    }
    return rc;
}

static int by_text(const void *a, const void *b)
{
    return sv_cmp(((const struct text_mapping_row *)a)->text, ((const struct text_mapping_row *)b)->text);
}

/* In order, each text once. */
static void sort_rows(struct texts_map *m)
{
    size_t n = 0;
    if (m->n_rows) {
        qsort(m->rows, m->n_rows, sizeof *m->rows, by_text);
    }
    for (size_t i = 0; i < m->n_rows; i++) {
        if (n == 0 || !sv_eq(m->rows[n - 1].text, m->rows[i].text)) {
            m->rows[n++] = m->rows[i];
        }
    }
    m->n_rows = n;
}

static void digest_of(struct texts_map *m)
{
    struct str text;
    str_init(&text, SIZE_MAX / 2);
    str_printf(&text, "mapping 1\nfirst " SV_FMT "\n", SV_ARG(m->mapping.first));
    for (size_t i = 0; i < m->im.n_classes; i++) {
        const struct class_info *k = &m->im.class_list[i];
        str_printf(&text, "class %lld %zu:", (long long)k->cid, k->synset.n);
        str_addsv(&text, k->wnid);
        str_addc(&text, ' ');
        str_addsv(&text, k->synset);
        str_addc(&text, '\n');
    }
    for (size_t i = 0; i < m->n_rows; i++) {
        str_printf(&text, "text %zu:", m->rows[i].text.n);
        str_addsv(&text, m->rows[i].text);
        str_addc(&text, ' ');
        str_addsv(&text, m->rows[i].wnid);
        str_addc(&text, '\n');
    }
    crypto_sha256(text.p, text.n, m->mapping.digest);
    str_release(&text);
}

static enum err_code read_mapping(struct texts_map *m)
{
    struct transfer *tr = m->im.tr;
    const struct texts_map_ask *ask = m->ask;
    struct text_mapping before;
    for (size_t i = 0; i < m->im.n_classes; i++) {
        const struct class_info *k = &m->im.class_list[i];
        if (class_takes(k)) {
            text_list_add(&m->list, k->wnid, k->synset, (uint16_t)k->cid);
        }
    }
    enum err_code rc = text_mapping_newest(tr->db, sv_of(ask->mapping), tr->arena, &before, tr->err);
    rc = rc == OK && ask->csv ? read_csv(m) : rc;
    if (rc == OK && before.id && (!ask->csv || ask->add)) {
        rc = keep_rows(m, before.id);
    }
    m->mapping.name = sv_of(ask->mapping);
    m->mapping.first = ask->first ? sv_of(ask->first) : rc == OK && before.id ? before.first : SV("text");
    sort_rows(m);
    digest_of(m);
    return rc;
}

/* ---- what texts mean ---- */

static void note_meaning(void *arg, uint32_t id, struct sv text)
{
    struct texts_map *m = arg;
    size_t had = m->cap_means;
    xgrow(&m->means, &m->cap_means, (size_t)id + 1, sizeof *m->means);
    for (size_t i = had; i < m->cap_means; i++) {
        m->means[i] = (struct text_meaning){TEXT_EMPTY, TEXT_NO_CLASS};
    }
    m->means[id] = text_list_find(&m->list, m->answers, text);
}

/* Of every text of the project, once for each kind of answers. */
static enum err_code find_meanings(struct texts_map *m, enum text_answers answers)
{
    if (m->cap_means && m->answers == answers) {
        return OK;
    }
    m->answers = answers;
    note_meaning(m, 0, SV(""));
    return texts_each(m->im.tr->db, note_meaning, m, m->im.tr->err);
}

static struct text_meaning meaning_of(const struct texts_map *m, uint32_t text)
{
    return text < m->cap_means ? m->means[text] : (struct text_meaning){TEXT_EMPTY, TEXT_NO_CLASS};
}

struct mapped {
    struct text_meaning is;
    uint32_t text; /* that decided */
    struct prediction p;
};

static void map_scores(const struct texts_map *m, const struct text_record *r, struct mapped *out)
{
    struct text_meaning is[TEXT_SCORES_MOST];
    double score[TEXT_SCORES_MOST];
    for (size_t i = 0; i < r->n; i++) {
        is[i] = meaning_of(m, r->scores[i].text);
        score[i] = r->scores[i].score;
    }
    struct text_ranking best = text_rank(is, score, r->n);
    out->is = best.is[0];
    out->text = r->scores[best.at[0]].text;
    for (int i = 0; i < best.n; i++) {
        out->p.labels[i] = best.is[i].cid;
    }
}

static struct mapped map_record(const struct texts_map *m, const struct text_record *r)
{
    struct mapped out = {.p.image = r->image};
    bool scores = r->n && (r->text == 0 || sv_is(m->mapping.first, "scores"));
    memset(out.p.labels, 0xff, sizeof out.p.labels);
    if (scores) {
        map_scores(m, r, &out);
    } else {
        out.is = meaning_of(m, r->text);
        out.text = r->text;
        out.p.labels[0] = out.is.cid;
    }
    return out;
}

/* ---- writing ---- */

static struct sv recipe_of(const struct texts_map *m)
{
    json_t *o = object(field_sv("mapping", m->mapping.name), field_int("version", m->mapping.version),
                       field_sv("first", m->mapping.first), field_sv("texts", m->from->file));
    char *text = json_dumps(o, JSON_COMPACT);
    struct sv out = sv_of(arena_strdup(m->im.tr->arena, text ? text : "{}"));
    free(text);
    json_decref(o);
    return out;
}

static enum err_code begin_source(struct texts_map *m, struct db *db, struct err *err)
{
    unsigned char both[2 * TEXT_DIGEST];
    struct arena *a = m->im.tr->arena;
    bool added = false;
    enum err_code rc = text_mapping_put(db, &m->mapping, m->rows, m->n_rows, 0, m->im.now, &added, err);
    m->added = m->added || added;
    m->model = (struct model_row){.name = m->model.name, .kind = SV("import")};
    rc = rc == OK ? models_put(db, &m->model, 0, m->im.now, &added, err) : rc;
    m->to = (struct prediction_source){
        .model = m->model.id,
        .kind = SV("import"),
        .bytes = SV("unknown"),
        .engine = sv_of(arena_printf(a, SV_FMT "/%lld of " SV_FMT, SV_ARG(m->mapping.name), (long long)m->mapping.version, SV_ARG(m->from->file))),
        .recipe = recipe_of(m),
        .revision = m->from->revision,
        .k = m->to.k};
    memcpy(both, m->mapping.digest, TEXT_DIGEST);
    memcpy(both + TEXT_DIGEST, m->from->digest, TEXT_DIGEST);
    crypto_sha256(both, sizeof both, m->to.digest);
    rc = rc == OK ? predictions_source(db, &m->to, 0, m->im.now, &added, err) : rc;
    rc = rc == OK && added ? text_mapped_add(db, m->to.id, m->mapping.id, m->from->id, err) : rc;
    m->begun = rc == OK;
    return rc;
}

static enum err_code write_block(struct texts_map *m, struct db *db, const struct text_record *r, size_t n, struct err *err)
{
    struct prediction p[TEXT_BLOCK] = {0};
    struct text_unmapped u[TEXT_BLOCK];
    size_t n_u = 0;
    for (size_t i = 0; i < n; i++) {
        struct mapped is = map_record(m, &r[i]);
        p[i] = is.p;
        if (is.is.outcome != TEXT_CLASS) {
            u[n_u++] = (struct text_unmapped){r[i].image, is.text, (int)is.is.outcome};
        }
    }
    m->new += n;
    enum err_code rc = predictions_append(db, &m->to, p, n, err);
    return rc == OK && n_u ? text_unmapped_append(db, m->to.id, u, n_u, err) : rc;
}

/* The first block that is missing: another run may be writing the same, or one was killed. */
static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct texts_map *m = arg;
    struct text_record *r;
    struct arena a;
    size_t n = 0;
    int64_t blocks = 0;
    arena_init(&a, (size_t)64 << 20);
    enum err_code rc = m->begun ? OK : begin_source(m, db, err);
    rc = rc == OK ? text_mapped_blocks(db, m->to.id, &blocks, err) : rc;
    rc = rc == OK ? texts_block(db, m->from->id, blocks, &a, &r, &n, err) : rc;
    *more = rc == OK;
    if (rc == ERR_NOT_FOUND) {
        err_clear(err);
        rc = OK;
    } else if (rc == OK) {
        rc = write_block(m, db, r, n, err);
    }
    arena_release(&a);
    return rc;
}

/* Answers by scores alone have more than one label; an answer in words has one, and a source is of one kind. */
static enum err_code labels_of(struct texts_map *m, int *k)
{
    struct transfer *tr = m->im.tr;
    enum err_code rc = OK;
    size_t n = 1;
    *k = PREDICTION_K;
    for (int64_t block = 0; rc == OK && *k > 1; block++) {
        struct text_record *r;
        struct arena a;
        arena_init(&a, (size_t)64 << 20);
        rc = texts_block(tr->db, m->from->id, block, &a, &r, &n, tr->err);
        for (size_t i = 0; rc == OK && i < n; i++) {
            bool scores = r[i].n && (r[i].text == 0 || sv_is(m->mapping.first, "scores"));
            *k = scores ? *k : 1;
        }
        arena_release(&a);
    }
    if (rc == ERR_NOT_FOUND) {
        err_clear(tr->err);
        rc = OK;
    }
    return rc;
}

static enum err_code map_source(struct texts_map *m, const struct text_source *from)
{
    struct transfer *tr = m->im.tr;
    enum text_answers answers;
    m->from = from;
    m->begun = false;
    m->predictions += (uint64_t)from->records;
    enum err_code rc = text_answers_of(from->recipe, &answers, tr->err);
    rc = rc == OK ? find_meanings(m, answers) : rc;
    rc = rc == OK ? labels_of(m, &m->to.k) : rc;
    return rc == OK && !tr->dry_run ? bulk_write(tr->db, tr->alone, write_step, m, tr->err) : rc;
}

/* ---- the whole ---- */

static enum err_code check_ask(struct texts_map *m)
{
    const struct texts_map_ask *ask = m->ask;
    struct err *err = m->im.tr->err;
    struct sv name = sv_of(arena_printf(m->im.tr->arena, "%s@%s", ask->model, ask->mapping));
    enum err_code rc = text_mapping_name_check(sv_of(ask->mapping), err);
    if (rc == OK && ask->first && strcmp(ask->first, "text") != 0 && strcmp(ask->first, "scores") != 0) {
        rc = err_rule(err, ERR_INPUT, "usage", "--first must be text or scores");
    }
    if (rc == OK && ask->add && !ask->csv) {
        rc = err_rule(err, ERR_INPUT, "usage", "--add needs the rows that are added: give them with --csv");
    }
    if (rc == OK && name.n >= MODEL_NAME) {
        rc = err_rule(err, ERR_INPUT, "mapping-name", "\"" SV_FMT "\" is too long: names of models have at most %d letters. Choose a shorter name "
                      "for the mapping.", SV_ARG(name), MODEL_NAME - 1);
    }
    m->model.name = name;
    return rc;
}

static enum err_code find_texts(struct texts_map *m)
{
    struct transfer *tr = m->im.tr;
    enum err_code rc = models_find(tr->db, sv_of(m->ask->model), tr->arena, &m->base, tr->err);
    rc = rc == OK ? texts_sources(tr->db, m->base.id, tr->arena, &m->texts, &m->n_texts, tr->err) : rc;
    if (rc == OK && m->n_texts == 0) {
        rc = err_rule(tr->err, ERR_NOT_FOUND, "texts", "The model " SV_FMT " has no texts. Import some with `holdout import texts`.",
                      SV_ARG(m->base.name));
    }
    for (size_t i = 0; i < m->n_texts && rc == OK; i++) {
        const struct text_source *t = &m->texts[i];
        if (t->stored != t->records) {
            rc = err_rule(tr->err, ERR_CONFLICT, "texts-incomplete",
                          "The import of " SV_FMT " was cut off after %lld of %lld texts: run it again. No predictions were made.", SV_ARG(t->file),
                          (long long)t->stored, (long long)t->records);
        }
    }
    return rc;
}

enum err_code texts_map(struct transfer *tr, const struct texts_map_ask *ask)
{
    struct texts_map m = {.ask = ask};
    text_list_init(&m.list);
    enum err_code rc = ask->csv ? import_open(&m.im, tr, ask->csv) : import_classes_only(&m.im, tr, "");
    rc = rc == OK ? check_ask(&m) : rc;
    rc = rc == OK ? find_texts(&m) : rc;
    rc = rc == OK ? read_mapping(&m) : rc;
    for (size_t i = 0; i < m.n_texts && rc == OK; i++) {
        rc = map_source(&m, &m.texts[i]);
        transfer_progress(tr, "mapping texts", i + 1, m.n_texts);
    }
    if (rc == OK) {
        transfer_progress_end(tr);
        const char *version = tr->dry_run ? "" : arena_printf(tr->arena, "version %lld of ", (long long)m.mapping.version);
        transfer_note(tr, "%llu texts of model " SV_FMT " mapped by %s" SV_FMT ", %llu new predictions of model " SV_FMT "%s.",
                      (unsigned long long)m.predictions, SV_ARG(m.base.name), version, SV_ARG(m.mapping.name), (unsigned long long)m.new,
                      SV_ARG(m.model.name), tr->dry_run ? " (dry run)" : "");
    }
    free(m.rows);
    free(m.means);
    text_list_release(&m.list);
    import_close(&m.im);
    return rc;
}
