/* training_needed.c - a link leads to a list with which the group can be unlocked. */
#include "web/naming/training_needed.h"

#include "experts/training_stand.h"
#include "json/object.h"

json_t *training_needed_json(struct ctx *c, enum training_for kind, int64_t list)
{
    struct training_group *groups;
    size_t n = 0;
    if (training_missing(c->db, kind, list, c->user.account, c->arena, &groups, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(rows, field_sv("unlocks", groups[i].unlocks),
                   field_text("url", groups[i].list.n ? arena_printf(c->arena, "/training/" SV_FMT, SV_ARG(groups[i].list)) : NULL));
    }
    return rows;
}
