/* pool.c - pool.csv of an export: every candidate that the set could be sampled from,
 * with its votes and with what kept it out, without its pixels. */
#include "sets/export/export_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "base/xalloc.h"
#include "formats/csv.h"

#define HEADER                                                                                     \
    "image,wnid,n_assignments,n_selected,frequency,lo,hi,in_set,blacklisted,near_duplicate,"       \
    "unreviewed,unsearched,limit,not_picked,withheld,taken_at,source_id,link,author,licence,keyword\n"

struct pool_list {
    struct set_export *e;
    struct export_text text;
    uint32_t *members; /* ids of the set's images, rising */
};

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t *members_of(const struct set_export *e)
{
    uint32_t *ids = xcalloc(e->n + 1, sizeof *ids);
    for (size_t i = 0; i < e->n; i++) {
        ids[i] = e->rows[i].image;
    }
    qsort(ids, e->n, sizeof *ids, by_number);
    return ids;
}

static enum err_code add_candidate(void *arg, const struct export_image *i, struct err *err)
{
    struct pool_list *l = arg;
    struct set_export *e = l->e;
    struct str *out = &l->text.buf;
    uint32_t at = pool_find(&e->pool, (uint32_t)i->image);
    if (at == MAP_NONE) {
        return OK; /* it came after the pool was read */
    }
    const struct sample_image *s = &e->pool.sample[at];
    bool withheld = map_u64_get(&e->hidden, (uint64_t)i->image) != MAP_NONE;
    bool in_set = sorted_has_u32(l->members, e->n, (uint32_t)i->image);
    csv_cell(out, i->name);
    str_addc(out, ',');
    csv_cell(out, i->wnid);
    export_add_votes(e, out, s->shown, s->selected);
    str_printf(out, ",%d,%d,%d,%d,%d,%d,%d,%d", in_set, s->blacklisted, s->near_duplicate,
               s->unreviewed, s->unsearched, s->limited, s->not_picked, withheld);
    const struct sv origin[] = {i->taken_at, i->source_id, i->link,
                                i->author,   i->licence,   i->keyword};
    for (size_t k = 0; k < sizeof origin / sizeof *origin; k++) {
        str_addc(out, ',');
        csv_cell(out, withheld ? SV("") : origin[k]); /* nothing that leads to it goes out */
    }
    str_addc(out, '\n');
    return export_text_flush(&l->text, err);
}

enum err_code export_pool(struct set_export *e, struct db *db, struct err *err)
{
    struct pool_list l = {.e = e, .members = members_of(e)};
    enum err_code rc = export_text_open(&l.text, e, "pool.csv", err);
    str_addz(&l.text.buf, HEADER);
    rc = rc == OK ? export_images_candidates(db, e->pool.newest_image, add_candidate, &l, err) : rc;
    rc = export_text_close(&l.text, rc, err);
    free(l.members);
    return rc;
}
