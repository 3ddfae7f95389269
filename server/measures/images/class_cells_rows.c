/* class_cells_rows.c - the tables of the fields, the names; which groups a heat map has. */
#include "measures/images/class_cells_rows.h"

#include <math.h>

#define OF(member) RECORD_OF(struct class_cell_row, member)
#define LABEL                                                                                                          \
    {"wnid", OF(wnid), .about = "The label in the set, or its superclass."},                                           \
        {"synset", OF(synset), .about = "What it is called, several words with | between them."}
RECORD(confusion_record, struct class_cell_row, "confusion", "A class, or superclass, that models take for another one.",
       LABEL,
       {"said", OF(other), .maybe = true,
        .about = "What is said first and is wrong: the class or its superclass (the same: another class of it); null: a class that the project has "
                 "not, or of none of the superclasses."},
       {"said_synset", OF(other_synset), .maybe = true, .about = "What that is called."},
       {"answers", OF(answers), .about = "First answers of the models that say so."},
       {"images", OF(images), .about = "Images about which at least one model does."},
       {"of_answers", OF(of), .about = "First answers about images with that label, right ones too."},
       {"share", OF(share), .about = "answers of of_answers, from 0 to 1."});
RECORD(together_cell_record, struct class_cell_row, "cooccurrence", "A class, or superclass, that comes together with another one in images.",
       LABEL,
       {"other", OF(other), .maybe = true,
        .about = "What else these images show, by the label source: the class or its superclass; null: a class of none of the superclasses."},
       {"other_synset", OF(other_synset), .maybe = true, .about = "What that is called."},
       {"images", OF(images), .about = "Images with that label that show it too."},
       {"of_images", OF(of), .about = "Images with that label."},
       {"share", OF(share), .about = "images of of_images, from 0 to 1."});
#undef OF
#undef LABEL

#define OF(member) RECORD_OF(struct class_group, member)
RECORD(class_group_record, struct class_group, "superclass", "A superclass, as far as the project has classes of it.",
       {"wnid", OF(wnid), .about = "Its synset, or the class that is by itself."},
       {"synset", OF(synset), .about = "What it is called, several words with | between them."},
       {"classes", OF(classes), .about = "Classes in it."});
#undef OF

struct class_cell_row *class_cell_rows(const struct class_cells *c, const struct class_groups *groups, size_t skip, size_t most,
                                       struct arena *a, size_t *n)
{
    static const struct class_group none;
    *n = skip < c->n ? c->n - skip : 0;
    *n = *n < most ? *n : most;
    struct class_cell_row *rows = arena_calloc(a, *n + 1, sizeof *rows);
    for (size_t i = 0; i < *n; i++) {
        const struct class_cell *l = &c->list[skip + i];
        const struct class_group *row = &groups->list[l->row], *column = l->column == CLASS_GROUP_NONE ? &none : &groups->list[l->column];
        rows[i] = (struct class_cell_row){row->wnid, row->synset, column->wnid, column->synset, l->answers, l->images, c->of[l->row],
                                          (double)l->answers / c->of[l->row]};
    }
    return rows;
}

void class_cells_within(struct class_cells *c, const struct class_groups *groups, uint32_t row, uint32_t column)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
        const struct class_cell l = c->list[i];
        if (groups->of[l.row] == row && l.column != CLASS_GROUP_NONE && groups->of[l.column] == column) {
            c->list[n++] = l;
        }
    }
    c->n = n;
}

/* ---- heat maps ---- */

static void add_once(uint32_t *list, size_t *n, size_t most, uint32_t group)
{
    size_t i = 0;
    while (i < *n && list[i] != group) {
        i++;
    }
    if (i == *n && *n < most && group != CLASS_GROUP_NONE) {
        list[(*n)++] = group;
    }
}

static size_t place(const uint32_t *list, size_t n, uint32_t group)
{
    size_t i = 0;
    while (i < n && list[i] != group) {
        i++;
    }
    return i;
}

/* Both ways the same groups, unless no row is a column. */
static void choose(struct class_heat *h, const struct class_cells *shown, size_t most)
{
    bool apart = true;
    for (size_t i = 0; i < shown->n && apart; i++) {
        for (size_t k = 0; k < shown->n && k < most && apart; k++) {
            apart = shown->list[i].row != shown->list[k].column;
        }
    }
    for (size_t i = 0; i < shown->n && (h->n_rows < most || h->n_columns < most); i++) {
        add_once(h->rows, &h->n_rows, most, shown->list[i].row);
        add_once(apart ? h->columns : h->rows, apart ? &h->n_columns : &h->n_rows, most, shown->list[i].column);
        h->n_columns = apart ? h->n_columns : h->n_rows;
    }
    if (!apart) {
        h->columns = h->rows;
    }
}

struct class_heat class_heat_make(enum class_cells_what what, const struct class_cells *all, const struct class_cells *shown,
                                  bool every, size_t most, struct arena *a)
{
    size_t room = every && all->n_groups > most ? all->n_groups : most;
    struct class_heat h = {.rows = arena_calloc(a, room + 1, sizeof *h.rows), .columns = arena_calloc(a, room + 1, sizeof *h.columns)};
    if (every && all->n_groups <= most) {
        for (uint32_t i = 0; i < all->n_groups; i++) {
            h.rows[h.n_rows++] = i;
        }
        h.columns = h.rows;
        h.n_columns = h.n_rows;
    } else {
        choose(&h, shown, most);
    }
    h.share = arena_calloc(a, h.n_rows * h.n_columns + 1, sizeof *h.share);
    for (size_t row = 0; row < h.n_rows && what == CELLS_CONFUSED; row++) {
        size_t own = place(h.columns, h.n_columns, h.rows[row]);
        if (own < h.n_columns && all->of[h.rows[row]]) {
            h.share[row * h.n_columns + own] = 1;
        }
    }
    for (size_t i = 0; i < all->n; i++) {
        const struct class_cell *l = &all->list[i];
        size_t row = place(h.rows, h.n_rows, l->row), column = place(h.columns, h.n_columns, l->column);
        size_t own = place(h.columns, h.n_columns, l->row);
        double share = (double)l->answers / all->of[l->row];
        bool within = what == CELLS_CONFUSED && l->row == l->column;
        if (row == h.n_rows || within) {
            continue;
        }
        if (column < h.n_columns) {
            h.share[row * h.n_columns + column] = share;
        }
        if (what == CELLS_CONFUSED && own < h.n_columns) {
            h.share[row * h.n_columns + own] = fmax(0, h.share[row * h.n_columns + own] - share);
        }
    }
    return h;
}
