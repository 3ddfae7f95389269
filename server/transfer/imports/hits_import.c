/* hits_import.c - `holdout import hits`: the grids of an earlier study as one campaign, from one file or many.
 * JSON lines {hit, uuid, wnid, excluded, label, pos, neg, all} whose images are numbers of the
 * image list, or the study's own list of records {uuid, wnid, images_to_label, images_pos_control,
 * images_neg_control, images_all} with names. The order of "all" is the order of the cells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/bulk.h"
#include "formats/jsonl.h"
#include "store/images/images.h"
#include "store/work/grids.h"
#include "transfer/imports/hits_exclude.h"
#include "transfer/imports/imports.h"
#include "transfer/imports/lines.h"

enum { CHUNK = 10, RECORD_MOST = 4096 };

struct hits_import {
    struct import im;
    const struct hits_ask *ask;
    struct hits_exclude exclude;
    struct campaign campaign;
    size_t file;        /* number of the one that is open */
    struct jsonl lines;
    json_t *whole;      /* the study's own list, or NULL */
    size_t at;
    uint64_t line;
    struct map_u64 idx; /* number in the image list -> image id */
    struct map_sv names; /* image name -> image id, for records with names */
    struct arena scratch; /* of the record that is read */
    uint64_t hits, done, added, excluded;
};

/* The study's own list, or JSON lines. */
static enum err_code open_records(struct hits_import *hi)
{
    struct sv start = sv_trim(hi->im.text);
    json_error_t why;
    json_decref(hi->whole);
    hi->whole = NULL;
    hi->at = 0;
    jsonl_open(&hi->lines, hi->im.name, hi->im.text);
    if (start.n == 0 || start.p[0] != '[') {
        return OK;
    }
    hi->im.by_entry = true;
    hi->whole = json_loadb(start.p, start.n, 0, &why);
    return hi->whole ? OK
                     : err_set(hi->im.tr->err, ERR_INPUT, "%s:%d: %s", hi->im.name, why.line,
                               why.text);
}

/* An import of one file has it open all the time. */
static enum err_code open_file(struct hits_import *hi, size_t number)
{
    bool open = hi->im.files == 1 && hi->ask->n_files == 1;
    enum err_code rc = open ? OK : import_open_next(&hi->im, hi->ask->files[number]);
    hi->file = number;
    return rc == OK ? open_records(hi) : rc;
}

static enum err_code next_of_file(struct hits_import *hi, json_t **hit)
{
    if (hi->whole) {
        *hit = json_incref(json_array_get(hi->whole, hi->at));
        hi->line = ++hi->at;
        if (*hit && !json_is_object(*hit)) {
            json_decref(*hit);
            return err_set(hi->im.tr->err, ERR_INPUT, "%s: record %llu is not an object",
                           hi->im.name, (unsigned long long)hi->line);
        }
        return OK;
    }
    enum err_code rc = jsonl_next(&hi->lines, hit, hi->im.tr->err);
    hi->line = hi->lines.line;
    return rc;
}

/* The next record, of the next file after the last of one; *hit NULL at the end. New reference. */
static enum err_code hits_next(struct hits_import *hi, json_t **hit)
{
    enum err_code rc = next_of_file(hi, hit);
    while (rc == OK && !*hit && hi->file + 1 < hi->ask->n_files) {
        rc = open_file(hi, hi->file + 1);
        rc = rc == OK ? next_of_file(hi, hit) : rc;
    }
    return rc;
}

static enum err_code add_name(void *arg, int64_t id, struct sv name, struct err *err)
{
    (void)err;
    struct hits_import *hi = arg;
    map_sv_put(&hi->names, name, (uint32_t)id);
    return OK;
}

static enum err_code add_number(void *arg, int64_t id, int64_t idx, struct err *err)
{
    (void)err;
    struct hits_import *hi = arg;
    map_u64_put(&hi->idx, (uint64_t)idx, (uint32_t)id);
    return OK;
}

/* Image id of a member of a list: a number of the image list, or a name. 0: a bad row. */
static int64_t image_of(struct hits_import *hi, json_t *v)
{
    uint32_t id = MAP_NONE;
    if (json_is_integer(v)) {
        id = map_u64_get(&hi->idx, (uint64_t)json_integer_value(v));
    } else if (json_is_string(v)) {
        id = map_sv_get(&hi->names, sv_make(json_string_value(v), json_string_length(v)));
    }
    if (id == MAP_NONE) {
        char *text = json_dumps(v, JSON_ENCODE_ANY);
        import_bad(&hi->im, hi->line, "image %s is not in the project; import its image list first",
                   text ? text : "?");
        free(text);
        return 0;
    }
    return id;
}

static json_t *member(json_t *hit, const char *a, const char *b)
{
    json_t *v = json_object_get(hit, a);
    return v ? v : json_object_get(hit, b);
}

/* A hit while it is read. `listed`: its cells' positions in the order of its lists. */
struct hit_read {
    struct grid_cells cells;
    bool known[GRID_CELLS];
    char listed[GRID_CELLS];
    size_t n_listed;
};

/* Gives the cells that stand in `list` their role; every member must be a cell. */
static void set_roles(struct hits_import *hi, struct hit_read *h, json_t *list, enum cell_role role)
{
    struct grid_cells *cells = &h->cells;
    bool *known = h->known;
    size_t i;
    json_t *v;
    json_array_foreach(list, i, v) {
        int64_t image = image_of(hi, v);
        unsigned at = 0;
        while (at < cells->n && (cells->image[at] != image || known[at])) {
            at++;
        }
        if (image && at == cells->n) {
            import_bad(&hi->im, hi->line, "an image of the list is not among all images of the hit, or is in "
                       "two lists");
            return;
        }
        if (image) {
            cells->role[at] = role;
            known[at] = true;
            h->listed[h->n_listed++] = (char)at;
        }
    }
}

/* Gold images are named once more among those to label: they take candidates' cells. */
static void set_gold(struct hits_import *hi, struct grid_cells *cells, json_t *list)
{
    size_t i;
    json_t *v;
    json_array_foreach(list, i, v) {
        int64_t image = image_of(hi, v);
        unsigned at = 0;
        while (at < cells->n && (cells->image[at] != image || cells->role[at] != CELL_CANDIDATE)) {
            at++;
        }
        if (image && at == cells->n) {
            import_bad(&hi->im, hi->line, "a gold image is not among those to label");
            return;
        }
        if (image) {
            cells->role[at] = CELL_GOLD;
        }
    }
}

static void read_cells(struct hits_import *hi, json_t *hit, struct hit_read *h)
{
    json_t *all = member(hit, "all", "images_all"), *v;
    struct grid_cells *cells = &h->cells;
    size_t i;
    if (!json_is_array(all) || json_array_size(all) == 0 || json_array_size(all) > GRID_CELLS) {
        import_bad(&hi->im, hi->line, "a hit must show 1 to %d images", GRID_CELLS);
        return;
    }
    json_array_foreach(all, i, v) {
        int64_t image = image_of(hi, v);
        for (unsigned k = 0; k < cells->n; k++) {
            if (image && cells->image[k] == image) {
                import_bad(&hi->im, hi->line, "the hit shows an image twice");
            }
        }
        cells->image[cells->n++] = image;
    }
    set_roles(hi, h, member(hit, "label", "images_to_label"), CELL_CANDIDATE);
    set_roles(hi, h, member(hit, "pos", "images_pos_control"), CELL_POSITIVE);
    set_roles(hi, h, member(hit, "neg", "images_neg_control"), CELL_NEGATIVE);
    for (unsigned k = 0; k < cells->n; k++) {
        if (!h->known[k]) {
            import_bad(&hi->im, hi->line, "cell %u is neither an image to label nor a control", k);
            return;
        }
    }
    set_gold(hi, cells, member(hit, "gold", "images_gold"));
}

/* What the record says beyond the members that are read here, kept for the export: "" for nothing.
 * In the scratch arena. */
static struct sv rest_of(struct hits_import *hi, json_t *hit)
{
    static const char *const ours[] = {
        "hit",  "uuid", "wnid",    "excluded",        "label",       "images_to_label",
        "pos",  "neg",  "special", "images_all",      "all",         "images_pos_control",
        "gold", "images_neg_control", "images_gold"};
    json_t *rest = json_copy(hit);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        json_object_del(rest, ours[i]);
    }
    char *text = json_object_size(rest) ? json_dumps(rest, JSON_COMPACT) : NULL;
    json_decref(rest);
    struct sv out = text ? arena_sv(&hi->scratch, sv_of(text)) : SV("");
    free(text);
    if (out.n > RECORD_MOST) {
        import_bad(&hi->im, hi->line, "other members take more than %d bytes", RECORD_MOST);
    }
    return out;
}

static struct sv text_of(json_t *v)
{
    return json_is_string(v) ? sv_make(json_string_value(v), json_string_length(v)) : SV("");
}

/* As the record says, else as the lists of left out HITs do. */
static struct sv exclusion_of(struct hits_import *hi, const json_t *hit)
{
    const struct sv names[] = {text_of(json_object_get(hit, "uuid")),
                               text_of(json_object_get(hit, "hit_id")),
                               text_of(json_object_get(hit, "source_file")), sv_of(hi->im.name)};
    struct sv own = text_of(json_object_get(hit, "excluded"));
    struct sv ours = hits_exclude_reason(&hi->exclude, names, sizeof names / sizeof *names);
    return own.n ? own : ours;
}

/* The record as a grid; texts are borrowed from it or in the scratch arena, which starts empty. */
static void read_hit(struct hits_import *hi, json_t *hit, struct grid_new *g)
{
    json_t *number = json_object_get(hit, "hit");
    struct hit_read h = {.n_listed = 0};
    arena_release(&hi->scratch);
    *g = (struct grid_new){
        .campaign = hi->campaign.id,
        .class_id = import_class(&hi->im, hi->line, text_of(json_object_get(hit, "wnid"))),
        .number = json_is_integer(number) ? json_integer_value(number) : -1,
        .name = text_of(json_object_get(hit, "uuid")),
        .excluded = exclusion_of(hi, hit),
        .special = json_is_true(json_object_get(hit, "special")),
        .record = rest_of(hi, hit),
    };
    if (g->name.n == 0 || g->name.n > 64) {
        import_bad(&hi->im, hi->line, "uuid must be a string of 1 to 64 characters");
    }
    read_cells(hi, hit, &h);
    g->cells = h.cells;
    g->listed = arena_sv(&hi->scratch, sv_make(h.listed, h.n_listed));
}

/* A record that contradicts a grid of the campaign is a bad row as well. */
static enum err_code compare_hit(struct hits_import *hi, const struct grid_new *g)
{
    struct err why = {OK, "", ""};
    enum err_code rc = g->campaign ? grids_check(hi->im.tr->db, g, &why) : OK;
    if (rc == ERR_CONFLICT) {
        import_bad(&hi->im, hi->line, "%s", why.msg);
        return OK;
    }
    *hi->im.tr->err = why;
    return rc;
}

/* A grid that is excluded already stays so, whatever the file says. */
static enum err_code count_excluded(struct hits_import *hi, const struct grid_new *g)
{
    int64_t id = 0;
    bool excluded = false;
    enum err_code rc =
        g->campaign ? grids_find(hi->im.tr->db, g->campaign, g->name, &id, &excluded, hi->im.tr->err)
                    : OK;
    hi->excluded += excluded || g->excluded.n > 0;
    return rc;
}

static enum err_code validate(struct hits_import *hi)
{
    struct map_sv uuids;
    struct map_u64 numbers;
    json_t *hit = NULL;
    enum err_code rc = OK;
    map_sv_init(&uuids);
    map_u64_init(&numbers);
    while ((rc = hits_next(hi, &hit)) == OK && hit) {
        struct grid_new g;
        uint32_t row = (uint32_t)hi->hits++;
        uint64_t bad = hi->im.bad;
        read_hit(hi, hit, &g);
        if (map_sv_put(&uuids, g.name, row) != row ||
            (g.number >= 0 && map_u64_put(&numbers, (uint64_t)g.number, row) != row)) {
            import_bad(&hi->im, hi->line, "this uuid or hit number appears twice");
        }
        rc = hi->im.bad == bad ? compare_hit(hi, &g) : OK;
        rc = rc == OK ? count_excluded(hi, &g) : rc;
        json_decref(hit);
        if (rc != OK) {
            break;
        }
    }
    map_sv_release(&uuids);
    map_u64_release(&numbers);
    return rc == OK ? import_checked(&hi->im) : rc;
}

/* A grid that an earlier import brought in, and that a list or its record excludes now. */
static enum err_code exclude_known(struct hits_import *hi, const struct grid_new *g, struct err *err)
{
    int64_t id = 0;
    bool excluded = false;
    enum err_code rc = grids_find(hi->im.tr->db, hi->campaign.id, g->name, &id, &excluded, err);
    return rc == OK && !excluded ? grids_exclude(hi->im.tr->db, id, g->excluded, 0, hi->im.now, err) : rc;
}

static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct hits_import *hi = arg;
    uint64_t added_here = 0;
    json_t *hit = NULL;
    enum err_code rc = OK;
    *more = true;
    for (int k = 0; k < CHUNK && rc == OK; k++) {
        struct grid_new g;
        int64_t id = 0;
        rc = hits_next(hi, &hit);
        *more = rc == OK && hit;
        if (!*more) {
            break;
        }
        read_hit(hi, hit, &g);
        rc = grids_create(db, &g, hi->im.now, &id, err);
        added_here += id != 0;
        if (rc == OK && id == 0 && g.excluded.n) {
            rc = exclude_known(hi, &g, err);
        }
        hi->done++;
        json_decref(hit);
    }
    if (rc == OK && added_here) {
        rc = grids_event(db, hi->campaign.id, true, added_here, hi->im.now, err);
        hi->added += added_here;
    }
    transfer_progress(hi->im.tr, "hits", hi->done, hi->hits);
    return rc;
}

/* The campaign, if it is there already: id 0 otherwise. It is made when the file is found good. */
static enum err_code find_campaign(struct hits_import *hi)
{
    struct err *err = hi->im.tr->err;
    enum err_code rc = import_campaign(&hi->im, hi->ask->campaign, false, &hi->campaign);
    if (rc == ERR_NOT_FOUND) {
        err_clear(err);
        hi->campaign.id = 0;
        return OK;
    }
    return rc;
}

enum err_code hits_import(struct transfer *tr, const struct hits_ask *ask)
{
    struct hits_import hi = {.ask = ask};
    map_u64_init(&hi.idx);
    map_sv_init(&hi.names);
    hits_exclude_init(&hi.exclude);
    arena_init(&hi.scratch, 1 << 20);
    enum err_code rc = import_open(&hi.im, tr, ask->files[0]);
    rc = rc == OK ? hits_exclude_read(&hi.exclude, tr, ask->exclude, ask->n_exclude) : rc;
    rc = rc == OK ? images_each_idx(tr->db, add_number, &hi, tr->err) : rc;
    rc = rc == OK ? images_each(tr->db, add_name, &hi, tr->err) : rc;
    rc = rc == OK ? find_campaign(&hi) : rc;
    rc = rc == OK ? open_file(&hi, 0) : rc;
    rc = rc == OK ? validate(&hi) : rc;
    rc = rc == OK ? import_campaign(&hi.im, ask->campaign, true, &hi.campaign) : rc;
    if (rc == OK && !tr->dry_run) {
        rc = open_file(&hi, 0);
        rc = rc == OK ? bulk_write(tr->db, tr->alone, write_step, &hi, tr->err) : rc;
    }
    if (rc == OK) {
        transfer_progress_end(tr);
        transfer_note(tr, "%llu hits read, %llu of them excluded; %llu new grids%s.",
                 (unsigned long long)hi.hits, (unsigned long long)hi.excluded,
                 (unsigned long long)hi.added, tr->dry_run ? " (dry run)" : "");
        hits_exclude_tell(&hi.exclude, tr);
    }
    json_decref(hi.whole);
    map_u64_release(&hi.idx);
    map_sv_release(&hi.names);
    hits_exclude_release(&hi.exclude);
    arena_release(&hi.scratch);
    import_close(&hi.im);
    return rc;
}
