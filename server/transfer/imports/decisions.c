/* decisions.c - the shared part of imports of decisions about images. */
#include "transfer/imports/decisions.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "db/bulk.h"
#include "formats/manifest.h"
#include "store/core/events.h"

enum { CHUNK = 100, DECISIONS_MOST = 20000000 };

enum err_code decision_import_open(struct decision_import *d, struct transfer *tr, const char *path)
{
    map_sv_init(&d->seen);
    return import_open(&d->im, tr, path);
}

void decision_import_close(struct decision_import *d)
{
    map_sv_release(&d->seen);
    free(d->at);
    free(d->fresh);
    import_close(&d->im);
}

size_t decision_import_add(struct decision_import *d, uint64_t line)
{
    xgrow(&d->at, &d->cap, d->n + 1, sizeof *d->at);
    d->at[d->n] = (struct decision_row){d->im.name, line, d->im.by_entry};
    return d->n++;
}

size_t decision_import_seen(struct decision_import *d, struct sv key)
{
    return map_sv_put(&d->seen, key, (uint32_t)d->n);
}

bool decision_import_name(struct decision_import *d, uint64_t line, struct sv name)
{
    bool good = manifest_id_good(name);
    if (!good) {
        import_bad(&d->im, line,
                   "an image's name has 1 to %d bytes of UTF-8 without control characters",
                   MANIFEST_ID_MOST);
    } else if (map_sv_get(&d->im.classes, name) != MAP_NONE) { /* lists of classes have the same forms */
        import_bad(&d->im, line, SV_FMT " is a class, not an image", SV_ARG(name));
        good = false;
    }
    return good;
}

/* Lines are not known behind this: entries are counted, and so are the messages about them. */
static enum err_code whole_json(struct decision_import *d, json_type type, const char *what,
                                json_t **out)
{
    struct err *err = d->im.tr->err;
    json_error_t why;
    d->im.by_entry = true;
    *out = json_loadb(d->im.text.p, d->im.text.n, JSON_REJECT_DUPLICATES, &why);
    if (!*out) {
        return err_set(err, ERR_INPUT, "%s:%d: %s; the file must be %s. Nothing was written.",
                       d->im.name, why.line, why.text, what);
    }
    if (json_typeof(*out) == type) {
        return OK;
    }
    json_decref(*out);
    *out = NULL;
    return err_set(err, ERR_INPUT, "%s: the file must be %s. Nothing was written.", d->im.name,
                   what);
}

enum err_code decision_import_object(struct decision_import *d, json_t **out)
{
    return whole_json(d, JSON_OBJECT, "a JSON object, {...}", out);
}

enum err_code decision_import_array(struct decision_import *d, json_t **out)
{
    return whole_json(d, JSON_ARRAY, "a JSON list, [...]", out);
}

static enum err_code compare_one(struct decision_import *d, size_t i)
{
    struct transfer *tr = d->im.tr;
    struct err why = {OK, "", ""};
    bool added = false;
    enum err_code rc = d->put(tr->db, d->arg, i, 0, &added, &why);
    if (rc == ERR_INPUT || rc == ERR_CONFLICT) {
        d->im.name = d->at[i].file;
        d->im.by_entry = d->at[i].by_entry;
        import_bad(&d->im, d->at[i].line, "%s", why.msg);
        return OK;
    }
    *tr->err = why;
    if (added) {
        d->fresh[d->n_fresh++] = (uint32_t)i;
        d->fresh_given += i < d->n - d->beside;
    }
    return rc;
}

/* Which of them say something new. */
static enum err_code compare(struct decision_import *d)
{
    struct transfer *tr = d->im.tr;
    d->fresh = xcalloc(d->n + 1, sizeof *d->fresh);
    enum err_code rc = db_snapshot(tr->db, tr->err);
    if (rc != OK) {
        return rc;
    }
    for (size_t i = 0; i < d->n && rc == OK; i++) {
        rc = compare_one(d, i);
        transfer_progress(tr, d->what, i, d->n);
    }
    db_snapshot_end(tr->db);
    return rc == OK ? import_checked(&d->im) : rc;
}

static int64_t subject_of(const struct decision_import *d, size_t fresh)
{
    return d->subject ? d->subject(d->arg, d->fresh[fresh]) : 0;
}

/* How many of the next are about the same. */
static size_t next_few(const struct decision_import *d)
{
    size_t n = 0;
    while (n < CHUNK && d->done + n < d->n_fresh &&
           subject_of(d, d->done + n) == subject_of(d, d->done)) {
        n++;
    }
    return n;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct decision_import *d = arg;
    size_t n = next_few(d);
    int64_t event = 0;
    char detail[32];
    enum err_code rc = OK;
    if (n > 0) {
        snprintf(detail, sizeof detail, "{\"n\":%zu}", n);
        rc = events_add(db, d->im.now, 0, d->event, subject_of(d, d->done), detail, &event, err);
    }
    for (size_t k = 0; k < n && rc == OK; k++) {
        bool added = false;
        rc = d->put(db, d->arg, d->fresh[d->done + k], event, &added, err);
    }
    d->done += n;
    transfer_progress(d->im.tr, d->what, d->done, d->n_fresh);
    *more = d->done < d->n_fresh;
    return rc;
}

/* Rows that repeat each other, or say several things, are counted as the files have them. */
static void say(const struct decision_import *d)
{
    size_t n = d->n - d->beside;
    const char *dry = d->im.tr->dry_run ? " (dry run)" : "";
    if (d->rows && d->rows != n) {
        transfer_note(d->im.tr, "%s: %zu in the %zu row%s read, %zu new%s.", d->what, n, d->rows,
                 d->rows == 1 ? "" : "s", d->fresh_given, dry);
    } else {
        transfer_note(d->im.tr, "%s: %zu read, %zu new%s.", d->what, n, d->fresh_given, dry);
    }
}

enum err_code decision_import_run(struct decision_import *d)
{
    struct transfer *tr = d->im.tr;
    enum err_code rc = import_checked(&d->im);
    if (rc == OK && d->n > DECISIONS_MOST) {
        rc = err_rule(tr->err, ERR_LIMIT, "import-size",
                      "%s has more than %d rows. Nothing was written; cut it into several files.",
                      d->im.name, DECISIONS_MOST);
    }
    rc = rc == OK ? compare(d) : rc;
    if (rc == OK && !tr->dry_run) {
        rc = bulk_write(tr->db, tr->alone, write_step, d, tr->err);
    }
    transfer_progress_end(tr);
    if (rc == OK) {
        say(d);
    }
    return rc;
}
