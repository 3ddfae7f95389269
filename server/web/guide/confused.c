/* confused.c - one row of the cells of all models (measures/images/class_cells.h) on the newest set that may be scored. Images of
 * sealed sets, of label reviews and of evaluations are left out: nothing here tells what models say of any of them. */
#include "web/guide/confused.h"

#include "json/object.h"
#include "store/models/models.h"
#include "web/core/page_data.h"
#include "web/naming/class_picker.h"
#include "web/naming/relation_data.h"
#include "web/parts/set_data.h"
#include "web/scoring/answers_kept.h"

enum { CONFUSED_MOST = 5 };

struct asked {
    struct revision_row r;
    struct subset subset;
    struct class_hierarchy hierarchy;
    struct class_groups groups;
    int64_t *models;
    size_t n_models;
    struct class_cells cells;
};

static enum err_code read_models(struct ctx *c, struct asked *s)
{
    struct model_row *list;
    size_t n = 0;
    enum err_code rc = models_list(c->db, false, c->arena, &list, &n, &c->err);
    s->models = arena_calloc(c->arena, n + 1, sizeof *s->models);
    for (size_t i = 0; i < n && rc == OK; i++) {
        s->models[s->n_models++] = list[i].id;
    }
    return rc;
}

static enum err_code make(struct ctx *c, struct asked *s)
{
    enum err_code rc = subset_find(c->db, NULL, SV("without-expert-work"), c->arena, &s->subset, &c->err);
    rc = rc == OK ? read_models(c, s) : rc;
    if (rc != OK || s->n_models == 0) {
        return rc;
    }
    rc = class_hierarchy_read(c->db, c->arena, &s->hierarchy, &c->err);
    rc = rc == OK ? class_groups_find(c->db, &s->hierarchy, SV(""), c->arena, &s->groups, &c->err) : rc;
    const struct class_cells_ask ask = {.what = CELLS_CONFUSED, .revision = &s->r, .subset = &s->subset, .models = s->models,
                                        .n_models = s->n_models, .groups = &s->groups};
    return rc == OK ? class_cells_get(c, &ask, &s->cells) : rc;
}

json_t *guide_confused_json(struct ctx *c, const struct class_info *k)
{
    struct asked s = {.n_models = 0};
    json_t *out = json_array();
    if (k->id == 0) {
        return out;
    }
    if (set_to_score(c, SV(""), &s.r) != OK) { /* there is none, or none that may be scored */
        err_clear(&c->err);
        return out;
    }
    if (make(c, &s) != OK) {
        json_decref(out);
        return NULL;
    }
    for (size_t i = 0; i < s.cells.n && json_array_size(out) < CONFUSED_MOST; i++) {
        const struct class_cell *cell = &s.cells.list[i];
        if (cell->column == CLASS_GROUP_NONE || !sv_eq(s.groups.list[cell->row].wnid, k->wnid)) {
            continue;
        }
        const struct class_group *g = &s.groups.list[cell->column];
        object_add(out, field_text("name", data_class_name(c->arena, g->synset, g->wnid)), field_text("url", class_entry_url(c, g->wnid)),
                   field_text("pair_url", relation_pair_url(c, k->wnid, g->wnid)), field_text("images", data_count(c->arena, cell->images)),
                   field_bool("one", cell->images == 1));
    }
    return out;
}
