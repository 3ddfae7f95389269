/* responses_export.c - `holdout export responses`: what people ticked in the CLASSIFY tasks of a campaign, image by image in
 * the order of the tasks, each image's in the order in which they came. */
#include <stdlib.h>

#include "base/list.h"
#include "base/map.h"
#include "formats/csv.h"
#include "store/classes/classes.h"
#include "store/images/images.h"
#include "store/people/panel_ids.h"
#include "store/work/responses.h"
#include "transfer/exports/exports.h"
#include "transfer/exports/panel_ids.h"

#define OUT_MOST ((size_t)1 << 24)

struct kept_response {
    int64_t grid, image, class_id, person;
    uint64_t mask;
    int main;
    const struct grid_options *options;
    size_t at; /* in the order of events */
};
struct responses_out {
    struct transfer *tr;
    const struct responses_export_ask *ask;
    struct list rows;      /* struct kept_response */
    struct map_u64 classes, people; /* id -> index */
    struct class_info *class_list;
    struct list names;     /* struct sv: of people */
    struct arena texts;    /* of one image */
    struct str out;
    size_t left_out, none;
};

/* ---- what counts ---- */

static enum err_code keep(void *arg, const struct work_response *w, struct err *err)
{
    struct responses_out *x = arg;
    (void)err;
    bool counts = !w->surplus && !w->out && !w->excluded && w->role != CELL_GOLD;
    x->left_out += !counts;
    x->none += counts && w->mask == 0;
    if (counts && (w->mask || x->ask->order)) {
        *LIST_ADD(&x->rows, x->tr->arena, struct kept_response) =
            (struct kept_response){w->grid, w->image, w->class_id, w->person, w->mask, (int)w->main, w->options, x->rows.n};
    }
    return OK;
}

static int by_grid(const void *a, const void *b)
{
    const struct kept_response *x = a, *y = b;
    return x->grid != y->grid ? (x->grid > y->grid) - (x->grid < y->grid) : (x->at > y->at) - (x->at < y->at);
}

static enum err_code read_rows(struct responses_out *x)
{
    struct transfer *tr = x->tr;
    const struct responses_of of = {.campaign = x->ask->campaign->id, .until = INT64_MAX};
    enum err_code rc = db_snapshot(tr->db, tr->err);
    if (rc == OK) {
        rc = responses_each(tr->db, &of, tr->arena, keep, x, tr->err);
        db_snapshot_end(tr->db);
    }
    if (rc == OK && x->rows.n) {
        qsort(x->rows.items, x->rows.n, sizeof(struct kept_response), by_grid);
    }
    return rc;
}

/* ---- names ---- */

static enum err_code read_classes(struct responses_out *x)
{
    struct transfer *tr = x->tr;
    size_t n = 0;
    enum err_code rc = classes_list(tr->db, tr->arena, &x->class_list, &n, tr->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        map_u64_put(&x->classes, (uint64_t)x->class_list[i].id, (uint32_t)i);
    }
    return rc;
}

static struct sv label_of(struct responses_out *x, int64_t class_id)
{
    const struct class_info *k = &x->class_list[map_u64_get(&x->classes, (uint64_t)class_id)];
    return x->ask->numbers ? sv_of(arena_printf(&x->texts, "%lld", (long long)k->cid)) : k->wnid;
}

/* What the person is called; empty for who had no id in an imported study: known by the response's own name alone. */
static enum err_code worker_of(struct responses_out *x, int64_t person, struct sv image, struct sv *out)
{
    struct transfer *tr = x->tr;
    uint32_t at = map_u64_put(&x->people, (uint64_t)person, (uint32_t)x->names.n);
    enum err_code rc = OK;
    if (at == x->names.n) {
        struct sv name;
        rc = people_called(tr->db, person, x->ask->panel_ids, tr->arena, &name, tr->err);
        *LIST_ADD(&x->names, tr->arena, struct sv) = rc == OK ? name : SV("");
    }
    *out = ((struct sv *)x->names.items)[at];
    bool own = x->ask->campaign->imported && out->n > image.n && sv_eq(sv_make(out->p, image.n), image) && out->p[image.n] == '#';
    *out = own ? SV("") : *out;
    return rc;
}

/* ---- printing ---- */

static enum err_code print_one(struct responses_out *x, const struct kept_response *k, struct sv image, int64_t number)
{
    struct sv selected[GRID_OPTIONS];
    struct response_text text = {.image = image, .number = number, .selected = selected};
    enum err_code rc = x->ask->workers ? worker_of(x, k->person, image, &text.worker) : OK;
    for (unsigned i = 0; i < k->options->n; i++) {
        if (k->mask >> i & 1) {
            selected[text.n++] = label_of(x, k->options->class_id[i]);
        }
    }
    text.main = label_of(x, k->options->class_id[k->main]);
    if (rc == OK) {
        response_print(x->ask->shape, x->ask->workers, &text, &x->texts, &x->out);
    }
    return rc;
}

static void print_order(struct responses_out *x, const struct kept_response *k, struct sv image)
{
    csv_cell(&x->out, image);
    str_addc(&x->out, ',');
    str_addsv(&x->out, label_of(x, k->class_id));
    for (unsigned i = 0; i < k->options->n; i++) {
        str_addc(&x->out, i ? '+' : ',');
        str_addsv(&x->out, label_of(x, k->options->class_id[i]));
    }
    str_addc(&x->out, '\n');
}

static enum err_code print_rows(struct responses_out *x)
{
    struct transfer *tr = x->tr;
    const struct kept_response *rows = x->rows.items;
    struct image_row image = {.id = 0};
    enum err_code rc = OK;
    int64_t number = 0;
    for (size_t i = 0; i < x->rows.n && rc == OK; i++) {
        if (i == 0 || rows[i].grid != rows[i - 1].grid) {
            arena_clear(&x->texts);
            number = 0;
            rc = images_names(tr->db, &rows[i].image, 1, &x->texts, &image, tr->err);
            if (rc == OK && x->ask->order) {
                print_order(x, &rows[i], image.name);
            }
        }
        rc = rc == OK && !x->ask->order ? print_one(x, &rows[i], image.name, number++) : rc;
        rc = rc == OK ? transfer_flush(tr, &x->out, tr->err) : rc;
    }
    return rc;
}

enum err_code responses_export(struct transfer *tr, const struct responses_export_ask *ask)
{
    struct responses_out x = {.tr = tr, .ask = ask};
    enum err_code rc = ask->panel_ids ? panel_ids_record_now(tr, "responses", ask->campaign->id) : OK;
    if (rc != OK) {
        return rc;
    }
    map_u64_init(&x.classes);
    map_u64_init(&x.people);
    arena_init(&x.texts, 1 << 24);
    str_init(&x.out, OUT_MOST);
    rc = read_rows(&x);
    rc = rc == OK ? read_classes(&x) : rc;
    if (rc == OK && ask->order) {
        str_addz(&x.out, "image,label,candidate_order\n");
    } else if (rc == OK) {
        responses_head(ask->shape, ask->workers, &x.out);
    }
    rc = rc == OK ? print_rows(&x) : rc;
    rc = transfer_end(tr, &x.out, rc);
    if (rc == OK && (x.left_out || x.none)) {
        transfer_note(tr, "Left out: %zu answers that do not count or are about checks, %zu with none of these.", x.left_out, x.none);
    }
    arena_release(&x.texts);
    map_u64_release(&x.people);
    map_u64_release(&x.classes);
    return rc;
}
