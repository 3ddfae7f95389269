/* charts.c - how many objects people see in images, and how many labels they tick. */
#include "web/objects/charts.h"

#include "figures/figures.h"
#include "measures/objects/seen_list.h"

enum err_code chart_objects_numbers(struct ctx *c, const struct chart_ask *ask, struct chart **out)
{
    struct vote_view view;
    struct seen_list l;
    enum err_code rc = views_find(c->db, ask->view.n ? ask->view : SV("default"), c->arena, &view, &c->err);
    rc = rc == OK ? seen_list_make(c->db, &view, c->arena, &l, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    const struct figure_text text = {.title = "Objects and labels of images",
                                     .description = "Images by how many objects people see in them, and by how many different labels anybody ticked, of "
                                                    "those with enough answers. Bars have 95 % intervals.",
                                     .empty = l.summary.s.images ? NULL : "No image has enough answers."};
    const struct figure_numbers of[] = {{"Objects", l.summary.objects, l.summary.n_objects}, {"Labels that anybody ticked", l.summary.selected, l.summary.n_selected}};
    *out = figure_numbers(c->arena, &text, "Objects, or labels", of, sizeof of / sizeof *of);
    return OK;
}
