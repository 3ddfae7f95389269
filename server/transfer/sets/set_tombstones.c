/* set_tombstones.c - reads which images of an exported set were taken down, and takes them down
 * here too. The file comes from outside: it may only speak of images that the set withholds. */
#include "transfer/sets/set_tombstones.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "db/bulk.h"
#include "formats/csv.h"
#include "sets/export/export.h"
#include "store/images/facts.h"
#include "store/images/images.h"
#include "store/work/flags.h"

struct reading {
    struct import im; /* of the file; no classes are looked up */
    struct set_tombstones *out;
    struct map_sv withheld, seen; /* names: of images that the set withholds; of rows */
    struct csv csv;
    int image, state, reason;
};

/* ---- what the set withholds ---- */

static enum err_code add_withheld(struct reading *r, struct csv *csv)
{
    struct err *err = r->im.tr->err;
    int image = 0, pixels = 0;
    bool more = true;
    enum err_code rc = csv_need(csv, "image", &image, err);
    rc = rc == OK ? csv_need(csv, "pixels", &pixels, err) : rc;
    while (rc == OK && (rc = csv_next(csv, &more, err)) == OK && more) {
        if (sv_is(csv->cells[pixels], "withheld")) {
            map_sv_put(&r->withheld, csv->cells[image], (uint32_t)r->withheld.n);
        }
    }
    return rc;
}

static enum err_code read_withheld(struct reading *r, const char *list)
{
    struct csv csv;
    struct fs_map map = {0};
    struct err *err = r->im.tr->err;
    enum err_code rc = fs_map(list, &map, err);
    if (rc == OK) {
        rc = csv_open(&csv, list, sv_make((const char *)map.data, map.n), err);
        rc = rc == OK ? add_withheld(r, &csv) : rc;
        csv_close(&csv);
    }
    fs_unmap(&map);
    return rc;
}

/* ---- the file ---- */

static enum err_code columns(struct reading *r)
{
    struct err *err = r->im.tr->err;
    enum err_code rc = csv_need(&r->csv, "image", &r->image, err);
    rc = rc == OK ? csv_need(&r->csv, "state", &r->state, err) : rc;
    return rc == OK ? csv_need(&r->csv, "reason", &r->reason, err) : rc;
}

/* What is wrong with the row, or NULL. */
static const char *fault_of(const struct reading *r, struct sv name, struct sv state,
                            struct sv reason)
{
    bool takedown = sv_is(state, "takedown");
    if (map_sv_get(&r->withheld, name) == MAP_NONE) {
        return "is not among the images that " EXPORT_LIST " says are withheld";
    }
    if (!takedown && !sv_is(state, "quarantine")) {
        return "has another state than takedown or quarantine";
    }
    if (reason.n > FLAG_NOTE_MAX) {
        return "has a reason of more than 500 bytes";
    }
    return takedown && sv_trim(reason).n == 0 ? "was taken down without a reason" : NULL;
}

static void read_row(struct reading *r)
{
    struct set_tombstones *t = r->out;
    struct arena *a = r->im.tr->arena;
    struct sv name = r->csv.cells[r->image], state = r->csv.cells[r->state],
              reason = r->csv.cells[r->reason];
    uint32_t number = (uint32_t)r->seen.n;
    const char *fault = fault_of(r, name, state, reason);
    if (!fault && map_sv_put(&r->seen, name, number) != number) {
        fault = "appears twice";
    }
    if (fault) {
        import_bad(&r->im, r->csv.line, "image " SV_FMT " %s", SV_ARG(name), fault);
    } else if (sv_is(state, "takedown")) {
        xgrow(&t->list, &t->cap, t->n + 1, sizeof *t->list);
        t->list[t->n++] = (struct set_tombstone){arena_sv(a, name), arena_sv(a, reason)};
    }
}

static enum err_code read_rows(struct reading *r)
{
    struct err *err = r->im.tr->err;
    struct fs_map map = {0};
    bool more = true;
    enum err_code rc = fs_map(r->im.name, &map, err);
    if (rc == OK) {
        rc = csv_open(&r->csv, r->im.name, sv_make((const char *)map.data, map.n), err);
        rc = rc == OK ? columns(r) : rc;
        while (rc == OK && (rc = csv_next(&r->csv, &more, err)) == OK && more) {
            read_row(r);
        }
        csv_close(&r->csv);
    }
    fs_unmap(&map);
    return rc == OK ? import_checked(&r->im) : rc;
}

enum err_code set_tombstones_read(struct transfer *tr, const struct set_manifest *m,
                                  struct set_tombstones *out)
{
    struct reading r = {.im = {.tr = tr, .name = m->tombstones}, .out = out};
    *out = (struct set_tombstones){0};
    arena_init(&out->arena, 1 << 20);
    if (m->withheld == 0 && !fs_exists(m->tombstones)) {
        return OK;
    }
    map_sv_init(&r.withheld);
    map_sv_init(&r.seen);
    enum err_code rc = read_withheld(&r, m->list);
    rc = rc == OK ? read_rows(&r) : rc;
    map_sv_release(&r.withheld);
    map_sv_release(&r.seen);
    return rc;
}

/* ---- decisions ---- */

/* Once taken down here, what leads decided since is newer than what the folder says. */
static enum err_code decided_here(struct db *db, int64_t image, struct arena *a, bool *out,
                                  struct err *err)
{
    struct image_decided *list;
    size_t n = 0;
    enum err_code rc = image_facts_decisions(db, image, a, &list, &n, err);
    *out = false;
    for (size_t i = 0; i < n && rc == OK; i++) {
        *out = *out || sv_is(list[i].decision, "takedown");
    }
    return rc;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct set_tombstones *t = arg;
    int64_t image = 0;
    bool decided = false;
    enum err_code rc = OK;
    if (t->at < t->n) {
        const struct set_tombstone *s = &t->list[t->at++];
        rc = images_find(db, s->name, &image, err);
        rc = rc == OK && image ? decided_here(db, image, &t->arena, &decided, err) : rc;
        if (rc == OK && image && !decided) {
            rc = flags_decide(db, image, SV("takedown"), s->reason, 0, t->now, err);
            t->written += rc == OK;
        }
        arena_clear(&t->arena);
    }
    *more = t->at < t->n;
    return rc;
}

enum err_code set_tombstones_write(struct transfer *tr, struct set_tombstones *t, int64_t now)
{
    t->now = now;
    return t->n ? bulk_write(tr->db, tr->alone, write_step, t, tr->err) : OK;
}

void set_tombstones_release(struct set_tombstones *t)
{
    free(t->list);
    arena_release(&t->arena);
    *t = (struct set_tombstones){0};
}
