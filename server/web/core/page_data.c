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

#define OF(member) RECORD_OF(struct progress, member)
RECORD(progress_record, struct progress, "progress", "How far something is.",
       {"done", OF(done), .about = "How many are done."},
       {"total", OF(total), .about = "Of how many; 1 when there are none."},
       {"percent", OF(percent), .about = "The share that is done, in whole percent, rounded down."},
       {"text", OF(text), .about = "The same for people."});
#undef OF

struct progress data_bar(int64_t done, int64_t total, const char *text)
{
    return (struct progress){done, total ? total : 1, total ? 100 * done / total : 0, text};
}

struct campaign_face {
    struct campaign k;
    bool open, paused;
    const char *url, *task;
    struct sv created;
    struct progress progress;
};

#define OF(member) RECORD_OF(struct campaign_face, member)
RECORD(campaign_record, struct campaign_face, "campaign", "A campaign and how far it is.",
       {"name", OF(k.name), .about = "Its name in addresses and file names."},
       {"title", OF(k.title), .about = "What people call it."},
       {"task", OF(task), .about = "contains: which images of a grid contain a class? classify: which objects does one image show?"},
       {"kind", OF(k.kind), .about = "What it is for: pilot, main, top-up, potential, re-measurement, training or evaluation."},
       {"state", OF(k.state), .about = "draft, open, paused or closed."},
       {"is_open", OF(open), .about = "Whether workers get grids of it."},
       {"is_paused", OF(paused), .about = "Whether it is paused."},
       {"imported", OF(k.imported), .about = "Whether it was done elsewhere and imported."},
       {"simulated", OF(k.simulated), .about = "Whether its answers are simulated."},
       {"url", OF(url), .about = "The address of its page."},
       {"answers_per_grid", OF(k.answers_per_grid), .about = "Answers wanted of each grid."},
       {"created", OF(created), .about = "The day on which it was made, in UTC."},
       {"progress", RECORD_PART(struct campaign_face, progress), .of = &progress_record, .about = "Answers of those wanted."});
#undef OF

json_t *data_campaign(struct ctx *c, const struct campaign *k)
{
    struct arena *a = c->arena;
    struct desk_progress p;
    char iso[CLOCK_ISO_SIZE];
    data_progress(c, k, &p);
    const char *text = k->imported ? "done elsewhere"
                                   : arena_printf(a, "%s of %s answers, %s of %s %s complete",
                                                  data_count(a, p.answers), data_count(a, p.wanted),
                                                  data_count(a, p.complete), data_count(a, p.grids), k->classify ? "tasks" : "grids");
    const struct campaign_face face = {
        .k = *k,
        .open = sv_is(k->state, "open") && !k->imported,
        .paused = sv_is(k->state, "paused"),
        .url = arena_printf(a, "/campaigns/" SV_FMT, SV_ARG(k->name)),
        .task = k->classify ? "classify" : "contains",
        .created = sv_make(clock_iso(k->created_at, iso), 10),
        .progress = data_bar(p.answers, p.wanted, text)};
    return record_json(&campaign_record, &face);
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
