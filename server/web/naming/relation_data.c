/* relation_data.c - one sentence for each kind and direction. */
#include "web/naming/relation_data.h"

#include "json/object.h"
#include "view/people_texts.h"
#include "web/core/page_data.h"
#include "web/naming/class_picker.h"

static const struct {
    const char *from_a, *from_b;
} texts[RELATIONS] = {
    [RELATION_EQUAL] = {"equal to", "equal to"},
    [RELATION_CONTAINS] = {"contains", "contained in"},
    [RELATION_CONFUSABLE] = {"confusable with", "confusable with"},
    [RELATION_REDEFINED] = {"its images show what this means:", "images of this show what it means:"},
    [RELATION_NONE] = {"not related to", "not related to"},
};

const char *relation_text(const struct relation_row *r, int64_t from)
{
    enum relation kind = relation_of(r->kind);
    return kind == RELATIONS ? "" : r->a == from ? texts[kind].from_a : texts[kind].from_b;
}

const char *relation_pair_url(struct ctx *c, struct sv wnid, struct sv other)
{
    return arena_printf(c->arena, "/guide/" SV_FMT "/with/" SV_FMT, SV_ARG(wnid), SV_ARG(other));
}

static json_t *relation_json(struct ctx *c, const struct relation_row *r, int64_t from)
{
    const bool first = r->a == from;
    struct sv wnid = first ? r->b_wnid : r->a_wnid, synset = first ? r->b_synset : r->a_synset, own = first ? r->a_wnid : r->b_wnid;
    return object(field_text("text", relation_text(r, from)), field_sv("kind", r->kind), field_sv("wnid", wnid),
                  field_text("name", data_class_name(c->arena, synset, wnid)), field_text("url", class_entry_url(c, wnid)),
                  field_text("pair_url", relation_pair_url(c, own, wnid)), field_sv("note", r->note), field_sv("by", r->by),
                  field_text("at", people_day(c->arena, r->at)));
}

json_t *relations_json(struct ctx *c, const struct relation_row *list, size_t n, int64_t from)
{
    json_t *out = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(out, relation_json(c, &list[i], from));
    }
    return out;
}

json_t *relation_hints_json(struct ctx *c, int64_t from, const int64_t *others, size_t n)
{
    struct relation_row *list;
    size_t n_list = 0, kept = 0;
    if (relations_list(c->db, from, c->arena, &list, &n_list, &c->err) != OK) {
        return NULL;
    }
    for (size_t i = 0; i < n_list; i++) {
        const int64_t other = list[i].a == from ? list[i].b : list[i].a;
        bool asked = false;
        for (size_t k = 0; k < n; k++) {
            asked = asked || others[k] == other;
        }
        if (asked) {
            list[kept++] = list[i];
        }
    }
    return relations_json(c, list, kept, from);
}
