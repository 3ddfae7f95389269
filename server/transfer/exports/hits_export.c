/* hits_export.c - `holdout export hits`: the grids of a campaign as the study kept them, either
 * its own JSON list with image names or JSON lines with numbers of the image list. Both are what
 * `import hits` reads; a grid that was imported comes out as it went in.
 *
 * Beyond the study's members: gold images are among those to label, since they take candidates'
 * cells, and once more under "gold" ("images_gold"); "special" is true for a grid that was made for
 * the coverage of originals. Both are left out where there is nothing to say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "store/votes/hits.h"
#include "transfer/exports/exports.h"

#define OUT_MOST ((size_t)1 << 24)

struct hits_export {
    struct transfer *tr;
    const struct campaign *campaign;
    bool study;
    struct str out;
    size_t n;
};

static json_t *image_json(const struct hits_export *he, const struct hit_cell *c)
{
    return he->study ? json_stringn(c->image.p, c->image.n) : json_integer(c->idx);
}

static bool in_list(enum cell_role cell, enum cell_role list)
{
    return cell == list || (cell == CELL_GOLD && list == CELL_CANDIDATE);
}

/* The images of a role in the order of the record's list, where there was one. */
static json_t *list_json(const struct hits_export *he, const struct hit *h, enum cell_role role)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < h->n; i++) {
        unsigned at = h->listed.n == h->n ? (unsigned char)h->listed.p[i] : i;
        if (at < h->n && in_list(h->cell[at].role, role)) {
            json_array_append_new(list, image_json(he, &h->cell[at]));
        }
    }
    return list;
}

static json_t *all_json(const struct hits_export *he, const struct hit *h)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < h->n; i++) {
        json_array_append_new(list, image_json(he, &h->cell[i]));
    }
    return list;
}

static void add_lists(const struct hits_export *he, const struct hit *h, json_t *to)
{
    json_object_set_new(to, he->study ? "images_to_label" : "label",
                        list_json(he, h, CELL_CANDIDATE));
    json_object_set_new(to, he->study ? "images_pos_control" : "pos",
                        list_json(he, h, CELL_POSITIVE));
    json_object_set_new(to, he->study ? "images_neg_control" : "neg",
                        list_json(he, h, CELL_NEGATIVE));
    json_t *gold = list_json(he, h, CELL_GOLD);
    if (json_array_size(gold)) {
        json_object_set(to, he->study ? "images_gold" : "gold", gold);
    }
    json_decref(gold);
    json_object_set_new(to, he->study ? "images_all" : "all", all_json(he, h));
    if (h->special) {
        json_object_set_new(to, "special", json_true());
    }
}

/* Members of an imported record as they came; those of a grid that was planned here as the study
 * names them. */
static void add_record(const struct hits_export *he, const struct hit *h, json_t *to)
{
    if (h->record.n) {
        json_t *record = json_loadb(h->record.p, h->record.n, 0, NULL);
        json_object_update(to, record);
        json_decref(record);
    } else if (!he->campaign->imported) {
        char text[48];
        struct tm tm;
        time_t seconds = h->created_at / 1000;
        gmtime_r(&seconds, &tm);
        size_t n = strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm);
        snprintf(text + n, sizeof text - n, ".%03d000+00:00", (int)(h->created_at % 1000));
        json_object_set_new(to, "time", json_string(text));
        if (he->study) {
            bool draft = sv_is(he->campaign->state, "draft");
            json_object_set_new(to, "submitted", json_boolean(!draft));
            json_object_set_new(to, "hit_id", json_stringn(h->name.p, h->name.n));
            json_object_set_new(to, "hit_type_id",
                                json_stringn(he->campaign->name.p, he->campaign->name.n));
        }
    }
}

/* The members in the order that the golden files have. */
static json_t *hit_json(const struct hits_export *he, const struct hit *h)
{
    json_t *o = json_object();
    if (h->number >= 0) {
        json_object_set_new(o, "hit", json_integer(h->number));
    }
    json_object_set_new(o, "uuid", json_stringn(h->name.p, h->name.n));
    json_object_set_new(o, "wnid", json_stringn(h->wnid.p, h->wnid.n));
    if (he->study) {
        add_lists(he, h, o);
    }
    add_record(he, h, o);
    json_object_set_new(o, "excluded", json_stringn(h->excluded.p, h->excluded.n));
    if (!he->study) {
        add_lists(he, h, o);
    }
    return o;
}

static enum err_code print_hit(void *arg, const struct hit *h, struct err *err)
{
    struct hits_export *he = arg;
    json_t *o = hit_json(he, h);
    char *text = json_dumps(o, he->study ? JSON_INDENT(1) : JSON_COMPACT);
    json_decref(o);
    if (!text) {
        return err_set(err, ERR_BUG, "grid " SV_FMT " cannot be written as JSON",
                       SV_ARG(h->name));
    }
    str_addz(&he->out, he->study && he->n ? ",\n" : "");
    str_addz(&he->out, text);
    str_addz(&he->out, he->study ? "" : "\n");
    free(text);
    he->n++;
    return transfer_flush(he->tr, &he->out, err);
}

static enum err_code check_numbers(struct hits_export *he)
{
    struct transfer *tr = he->tr;
    struct sv image;
    enum err_code rc =
        hits_unnumbered(tr->db, he->campaign->id, tr->arena, &image, tr->err);
    return rc != OK || image.n == 0
               ? rc
               : err_rule(tr->err, ERR_INPUT, "no-number",
                          "Image " SV_FMT " has no number in an image list, which this format needs. Nothing "
                          "was written. Use --format study, which names images, or import an image list "
                          "first (holdout import image-list).", SV_ARG(image));
}

enum err_code hits_export(struct transfer *tr, const struct campaign *campaign, bool study)
{
    struct hits_export he = {.tr = tr, .campaign = campaign, .study = study};
    str_init(&he.out, OUT_MOST);
    enum err_code rc = study ? OK : check_numbers(&he);
    if (rc == OK) {
        str_addz(&he.out, he.study ? "[\n" : "");
        rc = hits_each(tr->db, he.campaign->id, print_hit, &he, tr->err);
        str_addz(&he.out, he.study ? "\n]\n" : "");
    }
    return transfer_end(tr, &he.out, rc);
}
