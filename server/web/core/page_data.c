/* page_data.c - pieces of page data. */
#include "web/core/page_data.h"

#include "base/clock.h"
#include "base/outside.h"
#include "json/object.h"
#include "web/core/records.h"

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

struct link {
    struct sv url;
};
static RECORD(link_record, struct link, "link", "A page elsewhere.",
              {"url", RECORD_OF(struct link, url), .about = "Its address."});

struct class_head {
    struct class_info k;
    const char *name, *synset, *url;
    json_t *wikipedia;
};
#define OF(member) RECORD_OF(struct class_head, member)
RECORD(class_record, struct class_head, "class", "A class, and what it is called.",
       {"wnid", OF(k.wnid), .about = "Its key: in WordNet, n and eight digits."},
       {"cid", OF(k.cid), .about = "Its number, by which predictions name it."},
       {"name", OF(name), .about = "The first word of its synset."},
       {"synset", OF(synset), .about = "All of its words."},
       {"gloss", OF(k.gloss), .about = "What it means."},
       {"wikipedia", OF(wikipedia), RECORD_LIST, .of = &link_record, .about = "Articles about it."},
       {"url", OF(url), .about = "The address of its page."});
#undef OF

json_t *data_class(struct arena *a, const struct class_info *k)
{
    json_t *pages = json_array();
    for (struct sv rest = k->wikipedia; rest.n;) {
        const struct link link = {sv_cut(&rest, '|')};
        if (outside_web_link(link.url)) { /* older imports took anything */
            json_array_append_new(pages, record_json(&link_record, &link));
        }
    }
    const struct class_head head = {*k, data_class_name(a, k->synset, k->wnid), data_synset(a, k->synset, " or "),
                                    arena_printf(a, "/classes/" SV_FMT, SV_ARG(k->wnid)), pages};
    return record_json(&class_record, &head);
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
    json_t *progress = object(
        field_int("done", p.answers), field_int("total", p.wanted ? p.wanted : 1),
        field_int("percent", percent),
        field_text("text", k->imported
                               ? "done elsewhere"
                               : arena_printf(c->arena, "%s of %s answers, %s of %s grids complete",
                                              data_count(c->arena, p.answers),
                                              data_count(c->arena, p.wanted),
                                              data_count(c->arena, p.complete),
                                              data_count(c->arena, p.grids))));
    return object(field_sv("name", k->name), field_sv("title", k->title), field_sv("kind", k->kind),
                  field_sv("state", k->state),
                  field_bool("is_open", sv_is(k->state, "open") && !k->imported),
                  field_bool("is_paused", sv_is(k->state, "paused")),
                  field_bool("imported", k->imported), field_bool("simulated", k->simulated),
                  field_text("url", arena_printf(c->arena, "/campaigns/" SV_FMT, SV_ARG(k->name))),
                  field_int("answers_per_grid", k->answers_per_grid),
                  field_sv("created", sv_make(clock_iso(k->created_at, iso), (size_t)10)),
                  field_json("progress", progress));
}

void data_tile(json_t *tiles, const char *label, const char *value, const char *note)
{
    object_add(tiles, field_text("label", label), field_text("value", value), field_null("unit"),
               field_text("note", note));
}

void data_tile_unit(json_t *tiles, json_t *unit)
{
    json_object_set_new(json_array_get(tiles, json_array_size(tiles) - 1), "unit", unit);
}

struct term {
    const char *term, *value;
};
RECORD(term_record, struct term, "term", "A fact for people.",
       {"term", RECORD_OF(struct term, term), .about = "What it is about."},
       {"value", RECORD_OF(struct term, value), .about = "What is known of it."});

void data_term(json_t *terms, const char *term, const char *value)
{
    json_array_append_new(terms, record_json(&term_record, &(const struct term){term, value}));
}

struct line {
    const char *text;
};
RECORD(line_record, struct line, "line", "A sentence for people.", {"text", RECORD_OF(struct line, text), .about = "What it says."});

void data_line(json_t *lines, const char *text)
{
    json_array_append_new(lines, record_json(&line_record, &(const struct line){text}));
}

json_t *data_live(const char *topic, const char *url)
{
    return object(field_text("topic", topic), field_text("url", url));
}
