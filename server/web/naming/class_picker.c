/* class_picker.c - rows of the search, of a level and of recent choices, all in one form. */
#include "web/naming/class_picker.h"

#include "experts/class_search.h"
#include "json/object.h"
#include "store/classes/recent.h"
#include "web/core/page_data.h"
#include "web/naming/tree_kept.h"

enum { FOUND_MOST = 20, RECENT_MOST = 8 };

struct class_picker_ask class_picker_of_form(const struct form *f, const char *field, const char *legend)
{
    return (struct class_picker_ask){.field = field, .legend = legend, .query = sv_trim(form_get(f, "class_query")),
                                     .under = form_get(f, "class_under"), .chosen = form_get(f, field)};
}

struct class_picker_ask class_picker_of_address(struct ctx *c, const char *field, const char *legend)
{
    return (struct class_picker_ask){.field = field, .legend = legend, .query = sv_trim(request_query(c->req, "class_query")),
                                     .under = request_query(c->req, "class_under"), .chosen = request_query(c->req, field)};
}

bool class_picker_turns(const struct form *f)
{
    return sv_is(form_get(f, "do"), "find") || form_get(f, "class_under").n > 0;
}

struct class_entry class_entry_of(const struct class_info *k)
{
    return (struct class_entry){k->wnid, k->synset, k->gloss, true, 1, false};
}

const char *class_entry_url(struct ctx *c, struct sv wnid)
{
    return arena_printf(c->arena, "/guide/" SV_FMT, SV_ARG(wnid));
}

json_t *class_entry_json(struct ctx *c, const struct class_entry *e)
{
    return object(field_sv("wnid", e->wnid), field_text("name", data_class_name(c->arena, e->words, e->wnid)),
                  field_text("synset", data_synset(c->arena, e->words, ", ")), field_sv("gloss", e->gloss), field_bool("is_class", e->is_class),
                  field_text("classes", data_count(c->arena, e->classes)), field_bool("one", e->classes == 1), field_bool("opens", e->opens),
                  field_text("url", class_entry_url(c, e->wnid)));
}

json_t *class_entries_json(struct ctx *c, const struct class_entry *list, size_t n)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(rows, class_entry_json(c, &list[i]));
    }
    return rows;
}

static enum err_code search(struct ctx *c, struct sv query, struct class_listing *out)
{
    struct class_found *found;
    size_t n = 0;
    enum err_code rc = class_search(c->db, query, FOUND_MOST, c->arena, &found, &n, &c->err);
    *out = (struct class_listing){.items = arena_calloc(c->arena, n + 1, sizeof *out->items), .n = n};
    for (size_t i = 0; i < n; i++) {
        out->items[i] = class_entry_of(&found[i].k);
    }
    return rc;
}

static enum err_code level(struct ctx *c, struct sv under, struct class_listing *out)
{
    struct class_level l;
    enum err_code rc = class_level_get(c, under, &l);
    if (rc == OK) {
        *out = (struct class_listing){arena_calloc(c->arena, l.n_above + 1, sizeof *out->path), l.rows, l.n_above, l.n};
        for (size_t i = 0; i < l.n_above; i++) {
            out->path[i] = l.above[i];
        }
        if (under.n) {
            out->path[out->n_path++] = l.here;
        }
    }
    return rc;
}

enum err_code class_listing_read(struct ctx *c, struct sv query, struct sv under, struct class_listing *out)
{
    return query.n ? search(c, query, out) : level(c, under, out);
}

json_t *class_recent_json(struct ctx *c)
{
    struct class_info *list;
    size_t n = 0;
    if (classes_recent(c->db, c->user.account, RECENT_MOST, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct class_entry e = class_entry_of(&list[i]);
        json_array_append_new(rows, class_entry_json(c, &e));
    }
    return rows;
}

/* Null for none, and for a wnid that is no class: what is sent then is refused where it is used. */
static json_t *chosen_json(struct ctx *c, struct sv wnid)
{
    struct class_info k;
    struct err none = {OK, "", ""};
    if (wnid.n == 0 || classes_find(c->db, wnid, c->arena, &k, &none) != OK) {
        return json_null();
    }
    const struct class_entry e = class_entry_of(&k);
    return class_entry_json(c, &e);
}

json_t *class_picker_json(struct ctx *c, const struct class_picker_ask *ask)
{
    struct class_listing found = {.n = 0}, tree = {.n = 0};
    enum err_code rc = ask->brief ? OK : class_listing_read(c, SV(""), ask->under, &tree);
    rc = rc == OK && ask->query.n ? class_listing_read(c, ask->query, SV(""), &found) : rc;
    json_t *recent = rc == OK ? class_recent_json(c) : NULL;
    if (!recent) {
        return NULL;
    }
    return object(field_text("field", ask->field), field_text("legend", ask->legend), field_sv("query", ask->query),
                  field_bool("searched", ask->query.n > 0), field_bool("none", ask->query.n > 0 && found.n == 0), field_bool("brief", ask->brief),
                  field_json("found", class_entries_json(c, found.items, found.n)), field_json("path", class_entries_json(c, tree.path, tree.n_path)),
                  field_json("rows", class_entries_json(c, tree.items, tree.n)), field_bool("any_recent", json_array_size(recent) > 0),
                  field_json("recent", recent), field_json("chosen", chosen_json(c, ask->chosen)));
}
