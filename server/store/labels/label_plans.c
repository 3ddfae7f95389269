/* label_plans.c - lists are found again by their digest, so that a killed command is completed by the next and versions with
 * equal content share one. */
#include "store/labels/label_plans.h"

#include <string.h>

#include "db/bulk.h"
#include "db/rows.h"
#include "store/core/events.h"
#include "store/core/known.h"

enum { CHUNK = 50 };

/* ---- versions ---- */

static void read_kind(const struct db_rows *r, struct arena *a, void *out)
{
    struct label_plan_row *p = out;
    (void)r;
    (void)a;
    p->kind = sv_is(p->kind_word, "candidates") ? LABEL_PLAN_CANDIDATES : LABEL_PLAN_POTENTIAL;
}
DB_ROW_THEN(plan_row, struct label_plan_row, read_kind, id, version, newest, list, images, labels, at, account, name, login,
            kind_word, sealed, revision, top, set, models, file, depths, potential, vote_view, as_of, tau, least, most,
            potential_name, view, digest);

#define PLAN                                                                                                           \
    "SELECT p.id, p.version, (SELECT max(version) FROM label_plan WHERE kind = p.kind AND name = p.name), p.list,"     \
    " l.images, l.labels, e.at, e.account, p.name, coalesce(i.external_id, ''), p.kind, p.sealed, p.revision, p.top,"  \
    " s.name || '/' || r.number, p.models, p.file, p.depths, p.potential, p.vote_view, p.as_of, p.tau, p.least,"       \
    " p.most, q.name || '/' || q.version, v.name, l.digest FROM label_plan p"                                          \
    " JOIN label_plan_list l ON l.id = p.list JOIN event e ON e.id = p.id"                                             \
    " LEFT JOIN account a ON a.id = e.account LEFT JOIN identity i ON i.person = a.person AND i.source = 'local'"      \
    " LEFT JOIN revision r ON r.id = p.revision LEFT JOIN image_set s ON s.id = r.image_set"                           \
    " LEFT JOIN label_plan q ON q.id = p.potential LEFT JOIN vote_view v ON v.id = p.vote_view "

static enum err_code no_plan(struct db *db, enum label_plan_kind kind, struct sv name, struct err *err)
{
#define NAMES "SELECT DISTINCT name FROM label_plan WHERE kind = ?1 ORDER BY name"
    static const struct known potential = {"label-plan", "plan of potential labels", "Make one with `holdout potential freeze`", NAMES},
                              candidates = {"label-plan", "plan of candidate labels", "Make one with `holdout candidates freeze`", NAMES};
#undef NAMES
    return known_refuse(db, kind == LABEL_PLAN_POTENTIAL ? &potential : &candidates, name, DB_VALS(db_str(label_plan_kind_word(kind))), err);
}

enum err_code label_plans_find(struct db *db, enum label_plan_kind kind, struct sv name, struct arena *a,
                               struct label_plan_row *out, struct err *err)
{
    struct sv rest = name, plain = sv_cut(&rest, '/');
    int64_t version = 0;
    bool numbered = plain.n < name.n;
    const char *word = label_plan_kind_word(kind);
    if (numbered && (!sv_i64(rest, &version) || version < 1)) {
        return err_rule(err, ERR_NOT_FOUND, "label-plan", "\"" SV_FMT "\" is no version: name one as NAME/VERSION.",
                        SV_ARG(name));
    }
    enum err_code rc = db_find(db, plan_row, out, a,
                               PLAN "WHERE p.kind = ?1 AND p.name = ?2 AND ?3 IN (0, p.version) ORDER BY p.version DESC LIMIT 1",
                               DB_VALS(db_str(word), db_text(plain), db_int(version)), err);
    if (rc == ERR_NOT_FOUND && numbered) {
        rc = label_plans_find(db, kind, plain, a, out, err);
        return rc == OK ? err_rule(err, ERR_NOT_FOUND, "label-plan", "The plan " SV_FMT " has no version %lld: its newest is %lld.",
                                   SV_ARG(plain), (long long)version, (long long)out->newest)
                        : rc;
    }
    return rc == ERR_NOT_FOUND ? no_plan(db, kind, plain, err) : rc;
}

enum err_code label_plans_get(struct db *db, int64_t id, struct arena *a, struct label_plan_row *out, struct err *err)
{
    enum err_code rc = db_find(db, plan_row, out, a, PLAN "WHERE p.id = ?1", DB_VALS(db_int(id)), err);
    return rc == ERR_NOT_FOUND ? err_rule(err, rc, "label-plan", "There is no such plan of labels.") : rc;
}

enum err_code label_plans_list(struct db *db, enum label_plan_kind kind, struct sv name, struct arena *a,
                               struct label_plan_row **out, size_t *n, struct err *err)
{
    return db_list(db, plan_row, out, n, a,
                   PLAN "WHERE p.kind = ?1 AND CASE ?2 WHEN '' THEN p.version = (SELECT max(version) FROM label_plan"
                        " WHERE kind = p.kind AND name = p.name) ELSE p.name = ?2 END ORDER BY p.name, p.version DESC",
                   DB_VALS(db_str(label_plan_kind_word(kind)), db_text(name)), err);
}

enum err_code label_plans_about(struct db *db, int64_t revision, struct arena *a, struct label_plan_row **out, size_t *n,
                                struct err *err)
{
    return db_list(db, plan_row, out, n, a,
                   PLAN "WHERE ?1 IN (CASE p.kind WHEN 'potential' THEN p.revision ELSE q.revision END) ORDER BY p.id",
                   DB_VALS(db_int(revision)), err);
}

enum err_code label_plans_sealed(struct db *db, struct arena *a, struct label_plan_row **out, size_t *n, struct err *err)
{
    return db_list(db, plan_row, out, n, a, PLAN "WHERE p.kind = 'potential' AND p.sealed = 1 ORDER BY p.id", DB_NONE, err);
}

/* ---- lists ---- */

static unsigned char stage_of(const struct db_rows *r, int col)
{
    struct sv word = db_col_text(r, col);
    for (int s = 0; s < CANDIDATE_STAGES && word.n; s++) {
        if (sv_is(word, candidate_stage_word((enum candidate_stage)s))) {
            return (unsigned char)s;
        }
    }
    return LABEL_PLAN_NO_STAGE;
}

static void read_label(const struct db_rows *r, struct arena *a, struct label_plan_book *b)
{
    struct planned_label *l = label_plan_label(b, (uint32_t)db_col_int(r, 1));
    l->origin = (unsigned char)db_col_int(r, 2);
    l->source = db_col_null(r, 3) ? NULL : arena_cstr(a, db_col_text(r, 3));
    l->selected = (uint32_t)db_col_int(r, 4);
    l->shown = (uint32_t)db_col_int(r, 5);
    l->rank = db_col_null(r, 6) ? LABEL_PLAN_NO_RANK : (uint16_t)db_col_int(r, 6);
}

/* Both in order of images: labels of the last image, from where their statement stands. */
static enum err_code read_images(struct db_rows *images, struct db_rows *labels, struct arena *a, struct label_plan_book *b,
                                 struct err *err)
{
    bool more = db_step(labels, err);
    while (labels->rc == OK && db_step(images, err)) {
        int64_t image = db_col_int(images, 0);
        label_plan_image(b, (uint32_t)image, (uint32_t)db_col_int(images, 1))->stage = stage_of(images, 2);
        while (more && db_col_int(labels, 0) == image) {
            read_label(labels, a, b);
            more = db_step(labels, err);
        }
    }
    return labels->rc;
}

enum err_code label_plan_read(struct db *db, int64_t list, struct arena *a, struct label_plan_book *out, struct err *err)
{
    struct db_rows images, labels;
    *out = (struct label_plan_book){.n = 0};
    db_begin(db,
             "SELECT image, class, origin, source, selected, shown, rank FROM label_plan_label WHERE list = ?1"
             " ORDER BY image, class",
             DB_VALS(db_int(list)), &labels, err);
    db_begin(db, "SELECT image, class, stage FROM label_plan_image WHERE list = ?1 ORDER BY image", DB_VALS(db_int(list)),
             &images, err);
    enum err_code rc = read_images(&images, &labels, a, out, err);
    rc = db_end_after(&images, rc);
    return db_end_after(&labels, rc);
}

enum err_code label_plan_read_part(struct db *db, const struct label_plan_part *part, struct arena *a,
                                   struct label_plan_book *out, struct err *err)
{
    const char *stage = part->stage < CANDIDATE_STAGES ? candidate_stage_word((enum candidate_stage)part->stage) : "";
    struct db_rows images;
    *out = (struct label_plan_book){.n = 0};
    db_begin(db,
             "SELECT image, class, stage FROM label_plan_image WHERE list = ?1 AND image > ?2 AND ?3 IN ('', stage)"
             " ORDER BY image LIMIT ?4 OFFSET ?5",
             DB_VALS(db_int(part->list), db_int(part->after), db_str(stage), db_int((int64_t)part->most),
                     db_int((int64_t)part->skip)),
             &images, err);
    enum err_code rc = images.rc;
    while (rc == OK && db_step(&images, err)) {
        struct db_rows labels;
        int64_t image = db_col_int(&images, 0);
        label_plan_image(out, (uint32_t)image, (uint32_t)db_col_int(&images, 1))->stage = stage_of(&images, 2);
        db_begin(db,
                 "SELECT image, class, origin, source, selected, shown, rank FROM label_plan_label WHERE list = ?1 AND image = ?2"
                 " ORDER BY class",
                 DB_VALS(db_int(part->list), db_int(image)), &labels, err);
        while (db_step(&labels, err)) {
            read_label(&labels, a, out);
        }
        rc = db_end(&labels);
    }
    return db_end_after(&images, rc);
}

enum err_code label_plan_stages(struct db *db, int64_t list, int64_t out[CANDIDATE_STAGES], struct err *err)
{
    struct db_rows r;
    for (int s = 0; s < CANDIDATE_STAGES; s++) {
        out[s] = 0;
    }
    db_begin(db, "SELECT count(*), 0, stage FROM label_plan_image WHERE list = ?1 GROUP BY stage", DB_VALS(db_int(list)), &r, err);
    while (db_step(&r, err)) {
        unsigned char stage = stage_of(&r, 2);
        if (stage < CANDIDATE_STAGES) {
            out[stage] = db_col_int(&r, 0);
        }
    }
    return db_end(&r);
}

enum err_code label_plan_numbers(struct db *db, int64_t list, int64_t out[LABEL_PLAN_NUMBERS + 1], struct err *err)
{
    struct db_rows r;
    for (int n = 0; n <= LABEL_PLAN_NUMBERS; n++) {
        out[n] = 0;
    }
    db_begin(db, "SELECT n, count(*) FROM (SELECT count(*) AS n FROM label_plan_label WHERE list = ?1 GROUP BY image) GROUP BY n",
             DB_VALS(db_int(list)), &r, err);
    while (db_step(&r, err)) {
        int64_t n = db_col_int(&r, 0);
        out[n < LABEL_PLAN_NUMBERS ? n : LABEL_PLAN_NUMBERS] += db_col_int(&r, 1);
    }
    return db_end(&r);
}

enum err_code label_plan_contents(struct db *db, int64_t list, int64_t *out, size_t n, struct err *err)
{
    struct db_rows r;
    size_t at = 0;
    db_begin(db,
             "SELECT i.source FROM label_plan_image p JOIN image i ON i.id = p.image WHERE p.list = ?1 ORDER BY p.image",
             DB_VALS(db_int(list)), &r, err);
    while (db_step(&r, err) && at < n) {
        out[at++] = db_col_int(&r, 0);
    }
    return db_end(&r);
}

/* ---- writing ---- */

struct list_write {
    const struct label_plan_new *p;
    int64_t list;
    size_t done;
};

/* The list and how many of its images are there, or a new empty one. */
static enum err_code find_list(struct db *db, struct list_write *w, struct err *err)
{
    const struct db_val digest = db_blob(w->p->row.digest, LABEL_PLAN_DIGEST);
    int64_t done = 0;
    enum err_code rc = db_one_int(db, "SELECT id FROM label_plan_list WHERE digest = ?1", &digest, 1, &w->list, err);
    if (rc == ERR_NOT_FOUND) {
        rc = db_run(db, "INSERT INTO label_plan_list (digest, images, labels) VALUES (?1, ?2, ?3)",
                    DB_VALS(digest, db_int((int64_t)w->p->book->n), db_int((int64_t)w->p->book->n_labels)), err);
        w->list = db_last_id(db);
    }
    /* Images come in order of id. */
    rc = rc == OK ? db_one_int(db, "SELECT coalesce(max(image), 0) FROM label_plan_image WHERE list = ?1",
                               DB_VALS(db_int(w->list)), &done, err)
                  : rc;
    w->done = done ? label_plan_find(w->p->book, (uint32_t)done) + 1 : 0;
    return rc;
}

static enum err_code insert_label(struct db *db, const struct list_write *w, uint32_t image, const struct planned_label *l,
                                  struct err *err)
{
    bool counted = w->p->row.kind == LABEL_PLAN_CANDIDATES;
    return db_run(db,
                  "INSERT INTO label_plan_label (list, image, class, origin, source, selected, shown, rank)"
                  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                  DB_VALS(db_int(w->list), db_int(image), db_int(l->class_id), db_int(l->origin),
                          l->source ? db_str(l->source) : db_null(), counted ? db_int(l->selected) : db_null(),
                          counted ? db_int(l->shown) : db_null(),
                          l->rank == LABEL_PLAN_NO_RANK ? db_null() : db_int(l->rank)),
                  err);
}

static enum err_code insert_image(struct db *db, const struct list_write *w, struct err *err)
{
    const struct planned_image *i = &w->p->book->images[w->done];
    const char *stage = i->stage == LABEL_PLAN_NO_STAGE ? NULL : candidate_stage_word((enum candidate_stage)i->stage);
    enum err_code rc = db_run(db, "INSERT INTO label_plan_image (list, image, class, stage) VALUES (?1, ?2, ?3, ?4)",
                              DB_VALS(db_int(w->list), db_int(i->image), db_int(i->class_id), stage ? db_str(stage) : db_null()),
                              err);
    for (uint32_t k = 0; k < i->n && rc == OK; k++) {
        rc = insert_label(db, w, i->image, &w->p->book->labels[i->first + k], err);
    }
    return rc;
}

/* Asks in every slice how far the list is: another command may be writing the same. */
static enum err_code list_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct list_write *w = arg;
    enum err_code rc = find_list(db, w, err);
    for (int k = 0; k < CHUNK && w->done < w->p->book->n && rc == OK; k++) {
        rc = insert_image(db, w, err);
        w->done++;
    }
    *more = w->done < w->p->book->n;
    return rc;
}

static bool same_plan(const struct label_plan_row *x, const struct label_plan_row *y)
{
    return memcmp(x->digest, y->digest, LABEL_PLAN_DIGEST) == 0 && x->sealed == y->sealed && x->revision == y->revision &&
           x->top == y->top && sv_eq(x->models, y->models) && sv_eq(x->file, y->file) && x->potential == y->potential &&
           x->vote_view == y->vote_view && x->tau == y->tau && x->least == y->least && x->most == y->most;
}

/* *version: of the one that would be added. */
static enum err_code find_same(struct db *db, const struct label_plan_new *p, struct arena *a, int64_t *id, int64_t *version,
                               struct err *err)
{
    struct label_plan_row now;
    *id = 0;
    *version = 1;
    enum err_code rc = label_plan_name_check(p->row.name, err);
    rc = rc == OK ? db_find(db, plan_row, &now, a, PLAN "WHERE p.kind = ?1 AND p.name = ?2 ORDER BY p.version DESC LIMIT 1",
                            DB_VALS(db_str(label_plan_kind_word(p->row.kind)), db_text(p->row.name)), err)
                  : rc;
    if (rc != OK) {
        return rc == ERR_NOT_FOUND ? OK : rc;
    }
    *version = now.version + 1;
    *id = same_plan(&now, &p->row) ? now.id : 0;
    return OK;
}

static enum err_code insert_plan(struct db *db, const struct list_write *w, int64_t id, int64_t version, struct err *err)
{
    const struct label_plan_row *p = &w->p->row;
    bool said = p->kind == LABEL_PLAN_POTENTIAL;
    const struct db_val none = db_null();
    return db_run(db,
                  "INSERT INTO label_plan (id, kind, name, version, list, sealed, revision, top, models, file, depths,"
                  " potential, vote_view, as_of, tau, least, most) VALUES (?1, ?2, ?3, ?4, ?5, ?6, nullif(?7, 0), ?8, ?9, ?10,"
                  " ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
                  DB_VALS(db_int(id), db_str(label_plan_kind_word(p->kind)), db_text(p->name), db_int(version), db_int(w->list),
                          db_int(p->sealed), db_int(p->revision), said ? db_int(p->top) : none, said ? db_text(p->models) : none,
                          said ? db_text(p->file) : none, said ? db_text(p->depths) : none, said ? none : db_int(p->potential),
                          said ? none : db_int(p->vote_view), said ? none : db_int(p->as_of), said ? none : db_int(p->tau),
                          said ? none : db_int(p->least), said ? none : db_int(p->most)),
                  err);
}

/* The last, small transaction. Whether it is still to be added is asked again: another may have. */
static enum err_code add_plan(struct db *db, const struct list_write *w, int64_t now, struct arena *a, int64_t *id,
                              bool *added, struct err *err)
{
    int64_t version;
    enum err_code rc = find_same(db, w->p, a, id, &version, err);
    *added = rc == OK && *id == 0;
    if (!*added) {
        return rc;
    }
    rc = events_add(db, now, w->p->row.account, w->p->row.kind == LABEL_PLAN_POTENTIAL ? "labels.potential" : "labels.candidates",
                    0, arena_cstr(a, w->p->event), id, err);
    return rc == OK ? insert_plan(db, w, *id, version, err) : rc;
}

enum err_code label_plan_same(struct db *db, const struct label_plan_new *p, int64_t *id, struct err *err)
{
    struct arena a;
    int64_t version;
    arena_init(&a, 1 << 20);
    enum err_code rc = find_same(db, p, &a, id, &version, err);
    arena_release(&a);
    return rc;
}

enum err_code label_plan_add(struct db *db, bool alone, const struct label_plan_new *p, int64_t now, int64_t *id,
                             bool *added, struct err *err)
{
    struct list_write w = {.p = p};
    struct arena a;
    arena_init(&a, 1 << 20);
    *added = false;
    enum err_code rc = label_plan_same(db, p, id, err);
    if (rc == OK && *id == 0) {
        rc = bulk_write(db, alone, list_step, &w, err);
        rc = rc == OK ? db_tx_begin(db, err) : rc;
        rc = rc == OK ? add_plan(db, &w, now, &a, id, added, err) : rc;
        rc = db_tx_end(db, rc, err);
    }
    arena_release(&a);
    return rc;
}

/* ---- campaigns ---- */

/* *plan 0: it asks about none. */
static enum err_code plan_of_campaign(struct db *db, int64_t campaign, int64_t *plan, struct err *err)
{
    *plan = 0;
    return db_maybe_int(db, "SELECT plan FROM label_plan_campaign WHERE campaign = ?1", DB_VALS(db_int(campaign)), plan, err);
}

enum err_code label_plan_campaign_add(struct db *db, int64_t plan, int64_t campaign, struct err *err)
{
    int64_t now = 0;
    enum err_code rc = plan_of_campaign(db, campaign, &now, err);
    if (rc == OK && now && now != plan) {
        return err_rule(err, ERR_CONFLICT, "label-plan-campaign",
                        "This campaign already asks about the labels of another plan. Nothing was written; choose another name "
                        "for the campaign.");
    }
    return rc == OK && !now ? db_run(db, "INSERT INTO label_plan_campaign (campaign, plan) VALUES (?1, ?2)",
                                     DB_VALS(db_int(campaign), db_int(plan)), err)
                            : rc;
}

DB_ROW(campaign_row, struct label_plan_campaign, id, name, state);

enum err_code label_plan_campaigns(struct db *db, int64_t plan, struct arena *a, struct label_plan_campaign **out, size_t *n,
                                   struct err *err)
{
    return db_list(db, campaign_row, out, n, a,
                   "SELECT k.id, k.name, k.state FROM label_plan_campaign p JOIN campaign k ON k.id = p.campaign"
                   " WHERE p.plan = ?1 ORDER BY k.id",
                   DB_VALS(db_int(plan)), err);
}

/* ---- check ---- */

DB_ROW(list_row, struct label_plan_list, id, images, labels, rows, label_rows, plan, digest);

enum err_code label_plan_lists(struct db *db, struct arena *a, struct label_plan_list **out, size_t *n, struct err *err)
{
    return db_list(db, list_row, out, n, a,
                   "SELECT l.id, l.images, l.labels, (SELECT count(*) FROM label_plan_image WHERE list = l.id),"
                   " (SELECT count(*) FROM label_plan_label WHERE list = l.id),"
                   " coalesce((SELECT min(id) FROM label_plan WHERE list = l.id), 0), l.digest FROM label_plan_list l ORDER BY l.id",
                   DB_NONE, err);
}
