/* relations.c - how a class relates to others: the page on which leads say it. Rows in routes.c;
 * templates/guide/relations.mustache. */
#include "base/clock.h"
#include "json/object.h"
#include "store/core/events.h"
#include "web/core/form_refused.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/naming/class_picker.h"
#include "web/naming/relation_data.h"

/* What the form says of the class: the same kinds, and `contains` from the other side. */
static const struct {
    const char *value, *label;
    enum relation kind;
    bool turned;
} choices[] = {
    {"equal", "is equal to the other: their images show both", RELATION_EQUAL, false},
    {"contains", "contains the other: its images show this class too", RELATION_CONTAINS, false},
    {"within", "is contained in the other: images of this class show it too", RELATION_CONTAINS, true},
    {"confusable", "is confused with the other", RELATION_CONFUSABLE, false},
    {"redefined", "has images that show what the other means, whatever its gloss says", RELATION_REDEFINED, false},
    {"none", "is not related to the other", RELATION_NONE, false},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static json_t *kinds_json(struct sv chosen)
{
    json_t *list = json_array();
    for (int i = 0; i < CHOICES; i++) {
        object_add(list, field_text("value", choices[i].value), field_text("label", choices[i].label),
                   field_bool("checked", sv_is(chosen, choices[i].value)));
    }
    return list;
}

static enum err_code reply_relations(struct ctx *c, const struct class_info *k, const struct class_picker_ask *ask, struct sv kind,
                                     struct sv note, int status)
{
    struct relation_row *rows;
    size_t n = 0;
    int64_t seen = 0;
    enum err_code rc = events_last(c->db, &seen, &c->err);
    rc = rc == OK ? relations_list(c->db, k->id, c->arena, &rows, &n, &c->err) : rc;
    json_t *choose = rc == OK ? class_picker_json(c, ask) : NULL;
    if (!choose) {
        return c->err.code;
    }
    const struct class_entry here = class_entry_of(k);
    json_t *page = object(field_json("here", class_entry_json(c, &here)), field_bool("any", n > 0),
                          field_json("relations", relations_json(c, rows, n, k->id)), field_json("choose", choose),
                          field_json("kinds", kinds_json(kind)), field_sv("note", note),
                          field_text("seen", arena_printf(c->arena, "%lld", (long long)seen)));
    return reply_page(c, status, "guide/relations",
                      arena_printf(c->arena, "How %s relates to other classes", data_class_name(c->arena, k->synset, k->wnid)), page);
}

static const char legend[] = "Which other class?";

/* GET /guide/:wnid/relations?other= */
enum err_code page_guide_relations(struct ctx *c)
{
    struct class_info k;
    const struct class_picker_ask ask = class_picker_of_address(c, "other", legend);
    enum err_code rc = classes_find(c->db, c->req->params[0], c->arena, &k, &c->err);
    return rc == OK ? reply_relations(c, &k, &ask, SV(""), SV(""), 200) : rc;
}

struct saying {
    struct relation_new r;
    int64_t seen;
    struct class_info k, other;
};

/* POST, first step: another view of the choice, or what is to be stored. */
enum err_code page_guide_relate_check(struct ctx *c)
{
    struct saying *s = arena_calloc(c->arena, 1, sizeof *s);
    const struct class_picker_ask ask = class_picker_of_form(&c->form, "other", legend);
    struct sv kind = form_get(&c->form, "kind"), note = form_get(&c->form, "note");
    int i = 0;
    c->state = s;
    enum err_code rc = classes_find(c->db, c->req->params[0], c->arena, &s->k, &c->err);
    if (rc != OK || class_picker_turns(&c->form)) {
        return rc == OK ? reply_relations(c, &s->k, &ask, kind, note, 200) : rc;
    }
    if (ask.chosen.n == 0) {
        return form_wrong(c, "class_query", "Choose the other class.");
    }
    while (i < CHOICES && !sv_is(kind, choices[i].value)) {
        i++;
    }
    if (i == CHOICES) {
        return form_wrong(c, "kind", "Say how the two relate.");
    }
    if (!sv_i64(form_get(&c->form, "seen"), &s->seen)) {
        s->seen = -1;
    }
    rc = classes_find(c->db, ask.chosen, c->arena, &s->other, &c->err);
    s->r = choices[i].turned ? (struct relation_new){s->other.id, s->k.id, choices[i].kind, note}
                             : (struct relation_new){s->k.id, s->other.id, choices[i].kind, note};
    return rc;
}

/* POST /guide/:wnid/relations */
enum err_code page_guide_relate(struct ctx *c)
{
    const struct saying *s = c->state;
    int64_t id;
    enum err_code rc = relations_put(c->db, &s->r, c->user.account, s->seen, clock_wall_ms(), &id, &c->err);
    return rc == OK ? reply_did(c, arena_printf(c->arena, "/guide/" SV_FMT "/relations", SV_ARG(s->k.wnid)), NULL, "%s how %s and %s relate.",
                                id ? "Stored" : "Nothing changed:", data_class_name(c->arena, s->k.synset, s->k.wnid),
                                data_class_name(c->arena, s->other.synset, s->other.wnid))
                    : rc;
}
