/* page_data.c - pieces of page data. */
#include "web/core/page_data.h"

#include "base/clock.h"
#include "base/outside.h"

const char *data_site(struct ctx *c)
{
    struct sv url = sv_of(c->config->public_url), host = request_header(c->req, "Host");
    if (url.n) {
        return arena_cstr(c->arena, sv_make(url.p, url.n - sv_ends(url, "/")));
    }
    return host.n ? arena_printf(c->arena, "%s://" SV_FMT, c->req->secure ? "https" : "http",
                                 SV_ARG(host))
                  : "";
}

const char *data_class_called(struct ctx *c, struct sv wnid)
{
    struct class_info k;
    struct err err = {0};
    bool known = wnid.n > 0 && classes_find(c->db, wnid, c->arena, &k, &err) == OK;
    err_clear(&err);
    return known ? data_class_name(c->arena, k.synset, wnid) : arena_cstr(c->arena, wnid);
}

json_t *data_class(struct arena *a, const struct class_info *k)
{
    json_t *pages = json_array();
    struct sv rest = k->wikipedia;
    while (rest.n) {
        struct sv link = sv_cut(&rest, '|');
        if (outside_web_link(link)) { /* older imports took anything */
            json_array_append_new(pages, json_pack("{s:o}", "url", data_text(link)));
        }
    }
    return json_pack("{s:o, s:I, s:s, s:s, s:o, s:o, s:s}", "wnid", data_text(k->wnid), "cid",
                     (json_int_t)k->cid, "name", data_class_name(a, k->synset, k->wnid), "synset", data_synset(a, k->synset, " or "), "gloss",
                     data_text(k->gloss), "wikipedia", pages, "url",
                     arena_printf(a, "/classes/" SV_FMT, SV_ARG(k->wnid)));
}

void data_progress(struct ctx *c, const struct campaign *k, struct desk_progress *out)
{
    board_progress_of(app_board(c->app), app_tally(c->app), k, out);
}

json_t *data_campaign(struct ctx *c, const struct campaign *k)
{
    struct desk_progress p;
    char iso[CLOCK_ISO_SIZE];
    data_progress(c, k, &p);
    unsigned percent = p.wanted ? (unsigned)(100u * (uint64_t)p.answers / p.wanted) : 0;
    json_t *progress = json_pack(
        "{s:i, s:i, s:i, s:s}", "done", (int)p.answers, "total", (int)(p.wanted ? p.wanted : 1),
        "percent", (int)percent, "text",
        k->imported ? "done elsewhere"
                    : arena_printf(c->arena, "%s of %s answers, %s of %s grids complete",
                                   data_count(c->arena, p.answers), data_count(c->arena, p.wanted),
                                   data_count(c->arena, p.complete),
                                   data_count(c->arena, p.grids)));
    return json_pack("{s:o, s:o, s:o, s:o, s:b, s:b, s:b, s:b, s:s, s:I, s:s%, s:o}", "name",
                     data_text(k->name), "title", data_text(k->title), "kind", data_text(k->kind),
                     "state", data_text(k->state), "is_open",
                     sv_is(k->state, "open") && !k->imported, "is_paused",
                     sv_is(k->state, "paused"), "imported", k->imported, "simulated",
                     k->simulated, "url",
                     arena_printf(c->arena, "/campaigns/" SV_FMT, SV_ARG(k->name)),
                     "answers_per_grid", (json_int_t)k->answers_per_grid, "created",
                     clock_iso(k->created_at, iso), (size_t)10, "progress", progress);
}

void data_tile(json_t *tiles, const char *label, const char *value, const char *note)
{
    json_array_append_new(tiles, json_pack("{s:s, s:s, s:n, s:s?}", "label", label, "value", value,
                                           "unit", "note", note));
}

void data_tile_unit(json_t *tiles, json_t *unit)
{
    json_object_set_new(json_array_get(tiles, json_array_size(tiles) - 1), "unit", unit);
}

void data_term(json_t *terms, const char *term, const char *value)
{
    json_array_append_new(terms, json_pack("{s:s, s:s}", "term", term, "value", value));
}

json_t *data_live(const char *topic, const char *url)
{
    return json_pack("{s:s, s:s}", "topic", topic, "url", url);
}
