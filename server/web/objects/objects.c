/* objects.c - what people see in many images by their answers to CLASSIFY tasks: how far that is, how many objects images have,
 * which classes come together or are confused, and which images somebody should look at. Rows in routes.c;
 * templates/objects/. */
#include <math.h>
#include <string.h>

#include "base/map.h"
#include "base/sorted.h"
#include "json/object.h"
#include "measures/objects/seen_list.h"
#include "store/images/images.h"
#include "store/work/responses.h"
#include "web/core/charts.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/core/view_choice.h"

enum { IMAGES_A_PAGE = 48, ROWS_MOST = 10000 /* of one reply */, PAIRS_SHOWN = 15, PAIRS_MOST = 1000 };

/* ---- what is asked for ---- */

enum seen_sort { SORT_AGREEMENT, SORT_OBJECTS, SORT_FREQUENCY, SORT_ID };
struct query {
    struct sv view, pair, confused; /* pair, confused: WNID+WNID, images with objects of both, or of one called the other */
    int show, sort;
    bool falling;
    int64_t page;
};
static const struct list_word shows[] = {{"all", "All images", SEEN_ALL},
                                         {"several", "Several objects", SEEN_SEVERAL},
                                         {"low", "Low agreement", SEEN_LOW},
                                         {"ties", "Ties", SEEN_TIES},
                                         {"ambiguous", "High frequency, yet ambiguous", SEEN_AMBIGUOUS},
                                         {"not-main", "Another main label", SEEN_NOT_MAIN},
                                         {"few", "Too few answers", SEEN_FEW},
                                         {0}};
static const struct list_word sorts[] = {{"agreement", "Agreement", SORT_AGREEMENT},
                                         {"objects", "Objects", SORT_OBJECTS},
                                         {"frequency", "Frequency of the set\xe2\x80\x99s label", SORT_FREQUENCY},
                                         {"id", "Image", SORT_ID},
                                         {0}};

static bool falls(int sort) { return sort == SORT_OBJECTS || sort == SORT_FREQUENCY; }

#define AT(member) .at = offsetof(struct query, member)
static const struct list_param params[] = {
    {"view", LIST_TEXT, AT(view)},
    {"pair", LIST_TEXT, AT(pair)},
    {"confused", LIST_TEXT, AT(confused)},
    {"show", LIST_WORD, AT(show), .words = shows, .chips = "Which images"},
    {"sort", LIST_WORD, AT(sort), .words = sorts, .chips = "Order"},
    {"order", LIST_ORDER, AT(falling)},
    {"page", LIST_NUMBER, AT(page), .least = 1, .most = INT32_MAX, .moment = true},
    {0},
};
static const struct list_table table = {params, sizeof(struct query), &params[4], falls};
static const struct query usual = {.page = 1};
#undef AT

struct shown {
    struct query q;
    struct vote_view view;
    struct seen_list l;
    const struct seen_row **rows; /* in the order asked for */
    size_t n;
    struct sv *wnids, *names;     /* by class id */
    uint32_t n_classes;
};

/* ---- what is shown ---- */

static void add_pair(const struct seen_list *l, const struct map_u64 *at, uint32_t image, uint32_t class_id, uint32_t shown, uint32_t found)
{
    uint32_t k = map_u64_get(at, image);
    if (k != MAP_NONE && l->rows[k].class_id == class_id) {
        l->rows[k].shown = shown;
        l->rows[k].found = found;
    }
}

/* How often CONTAINS finds the set's label, under the same view. */
static enum err_code add_contains(struct ctx *c, struct shown *s)
{
    const struct counted_view *counted = NULL;
    struct map_u64 at;
    enum err_code rc = view_choice_is_default(s->view.name) ? OK : view_choice_get(c, s->view.name, &counted);
    map_u64_init(&at);
    for (size_t i = 0; i < s->l.n; i++) {
        map_u64_put(&at, s->l.rows[i].image, (uint32_t)i);
    }
    for (size_t i = 0; counted && i < counted->counts.n && rc == OK; i++) {
        const struct view_counts *n = &counted->counts;
        add_pair(&s->l, &at, n->image[i], n->class_id[i], n->shown[i], n->selected[i]);
    }
    if (!counted && rc == OK) {
        tally_read_lock(app_tally(c->app));
        for (size_t i = 0; i < s->l.n; i++) {
            const struct tally_pair *p = tally_find(app_tally(c->app), s->l.rows[i].image, s->l.rows[i].class_id);
            s->l.rows[i].shown = p ? p->shown : 0;
            s->l.rows[i].found = p ? p->selected : 0;
        }
        tally_read_unlock(app_tally(c->app));
    }
    map_u64_release(&at);
    view_choice_put(counted);
    return rc;
}

/* "WNID+WNID" (a form's "+" is a space); ids 0 when nothing is asked for. */
static enum err_code pair_read(struct ctx *c, const struct shown *s, const char *name, struct sv text, uint32_t out[2])
{
    struct sv rest = text;
    out[0] = out[1] = 0;
    for (int k = 0; k < 2 && text.n; k++) {
        struct sv wnid = sv_cut(&rest, memchr(text.p, '+', text.n) ? '+' : ' ');
        for (uint32_t i = 1; i < s->n_classes; i++) {
            out[k] = sv_eq(s->wnids[i], wnid) ? i : out[k];
        }
    }
    return text.n == 0 || (out[0] && out[1] && rest.n == 0)
               ? OK
               : err_rule(&c->err, ERR_INPUT, "list", "%s must be two classes of the project: WNID+WNID.", name);
}

static double key_of(const struct seen_row *r, int sort)
{
    return sort == SORT_AGREEMENT   ? r->enough ? (double)r->main_count / r->responses : (double)NAN
           : sort == SORT_OBJECTS   ? r->enough ? r->n : (double)NAN
           : sort == SORT_FREQUENCY ? r->shown ? (double)r->found / r->shown : (double)NAN
                                    : r->image;
}

static enum err_code choose_rows(struct ctx *c, struct shown *s)
{
    uint32_t pair[2], confused[2];
    if (pair_read(c, s, "pair", s->q.pair, pair) != OK || pair_read(c, s, "confused", s->q.confused, confused) != OK) {
        return c->err.code;
    }
    struct sorted_key *keys = arena_calloc(c->arena, s->l.n + 1, sizeof *keys);
    s->rows = arena_calloc(c->arena, s->l.n + 1, sizeof *s->rows);
    for (size_t i = 0; i < s->l.n; i++) {
        const struct seen_row *r = &s->l.rows[i];
        if (seen_shows(r, (enum seen_show)s->q.show) && (!pair[0] || seen_has_pair(r, pair[0], pair[1])) &&
            (!confused[0] || seen_confuses(r, confused[0], confused[1]))) {
            keys[s->n++] = (struct sorted_key){key_of(r, s->q.sort), i};
        }
    }
    sorted_keys(keys, s->n, s->q.falling);
    for (size_t i = 0; i < s->n; i++) {
        s->rows[i] = &s->l.rows[keys[i].at];
    }
    return OK;
}

static enum err_code read_shown(struct ctx *c, struct shown *s)
{
    *s = (struct shown){.n = 0};
    if (list_read(c, &table, &usual, &s->q) != OK || views_find(c->db, s->q.view.n ? s->q.view : SV("default"), c->arena, &s->view, &c->err) != OK ||
        seen_list_make(c->db, &s->view, c->arena, &s->l, &c->err) != OK || add_contains(c, s) != OK ||
        seen_class_texts(c->db, c->arena, &s->wnids, &s->names, &s->n_classes, &c->err) != OK) {
        return c->err.code;
    }
    return choose_rows(c, s);
}

static enum err_code named(struct ctx *c, const struct shown *s, size_t skip, size_t most, struct seen_named **out, size_t *n)
{
    *n = skip < s->n ? s->n - skip : 0;
    *n = *n < most ? *n : most;
    return seen_names(c->db, s->rows + (skip < s->n ? skip : 0), *n, s->wnids, c->arena, out, &c->err);
}

static const char *source_of(struct ctx *c, const struct shown *s)
{
    return s->l.n ? arena_printf(c->arena, "classify@" SV_FMT "/%lld", SV_ARG(s->view.name), (long long)s->l.number) : NULL;
}

static const char *url_of(struct ctx *c, const char *path, const struct query *q) { return list_url(c, &table, path, &usual, q, false); }

/* ---- the page ---- */

static const char *percent(struct ctx *c, double share) { return isnan(share) ? "\xe2\x80\x93" : arena_printf(c->arena, "%.1f %%", 100 * share); }

static json_t *tiles_json(struct ctx *c, const struct shown *s)
{
    const struct object_summary_row *m = &s->l.summary;
    json_t *tiles = json_array();
    data_tile(tiles, "Images with enough answers", data_count(c->arena, m->s.images),
              arena_printf(c->arena, "%s answers; %s images with too few", data_count(c->arena, m->responses), data_count(c->arena, m->left_out)));
    data_tile(tiles, "Several objects", m->s.images ? percent(c, m->several_share) : "\xe2\x80\x93",
              arena_printf(c->arena, "n %s, %s\xe2\x80\x93%s", data_count(c->arena, m->s.images), percent(c, m->several_lo), percent(c, m->several_hi)));
    data_tile(tiles, "Main label is the set\xe2\x80\x99s", m->s.images ? percent(c, m->main_share) : "\xe2\x80\x93",
              arena_printf(c->arena, "%s\xe2\x80\x93%s", percent(c, m->main_lo), percent(c, m->main_hi)));
    data_tile(tiles, "Set\xe2\x80\x99s label is not the main object", data_count(c->arena, m->s.several_disagree),
              arena_printf(c->arena, "of %s with several objects", data_count(c->arena, m->s.several)));
    data_tile(tiles, "An object at random", percent(c, m->s.random_object), "is the set\xe2\x80\x99s label, where there are several");
    data_tile(tiles, "Ties", data_count(c->arena, (int64_t)m->ties + m->main_ties + m->number_ties),
              arena_printf(c->arena, "of parts %u, of the main label %u, of the number %u", m->ties, m->main_ties, m->number_ties));
    return tiles;
}

struct stages {
    int64_t campaign, version, easy, fu, mis, amb;
    struct sv plan;
};

static void add_stage(struct stages *t, const struct response_stage *g)
{
    int64_t *to = sv_is(g->stage, "easy") ? &t->easy : sv_is(g->stage, "fu") ? &t->fu : sv_is(g->stage, "mis") ? &t->mis : &t->amb;
    *to += g->images;
    t->plan = g->plan;
    t->version = g->version;
}

/* Each CLASSIFY campaign: images asked about, with an answer that counts, with enough; and the stages of its plan. */
static json_t *progress_json(struct ctx *c, const struct shown *s)
{
    struct response_campaign *campaigns;
    struct response_stage *stages;
    size_t n = 0, n_stages = 0;
    if (responses_tasks(c->db, c->arena, &campaigns, &n, &c->err) != OK || responses_stages(c->db, c->arena, &stages, &n_stages, &c->err) != OK) {
        return NULL;
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < n; i++) {
        struct stages t = {.campaign = campaigns[i].id};
        int64_t answered = 0, enough = 0;
        for (size_t k = 0; k < s->l.n; k++) {
            answered += s->l.rows[k].campaign == campaigns[i].id;
            enough += s->l.rows[k].campaign == campaigns[i].id && s->l.rows[k].enough;
        }
        for (size_t k = 0; k < n_stages; k++) {
            if (stages[k].campaign == campaigns[i].id) {
                add_stage(&t, &stages[k]);
            }
        }
        struct progress bar = data_bar(enough, campaigns[i].tasks, "");
        object_add(rows, field_sv("name", campaigns[i].name), field_text("url", arena_printf(c->arena, "/campaigns/" SV_FMT, SV_ARG(campaigns[i].name))),
                   field_text("tasks", data_count(c->arena, campaigns[i].tasks)), field_text("answered", data_count(c->arena, answered)),
                   field_json("progress", object(field_int("done", bar.done), field_int("total", bar.total), field_int("percent", bar.percent),
                                                 field_text("text", arena_printf(c->arena, "%s of %s", data_count(c->arena, enough),
                                                                                 data_count(c->arena, campaigns[i].tasks))))),
                   field_text("plan", t.plan.n ? arena_printf(c->arena, SV_FMT "/%lld", SV_ARG(t.plan), (long long)t.version) : NULL),
                   field_text("easy", t.plan.n ? data_count(c->arena, t.easy) : NULL), field_text("fu", t.plan.n ? data_count(c->arena, t.fu) : NULL),
                   field_text("mis", t.plan.n ? data_count(c->arena, t.mis) : NULL), field_text("amb", t.plan.n ? data_count(c->arena, t.amb) : NULL));
    }
    return rows;
}

static const char *pair_url(struct ctx *c, const struct shown *s, bool confused, uint32_t a, uint32_t b)
{
    struct query q = usual;
    struct sv pair = sv_of(arena_printf(c->arena, SV_FMT "+" SV_FMT, SV_ARG(s->wnids[a]), SV_ARG(s->wnids[b])));
    q.view = s->q.view;
    *(confused ? &q.confused : &q.pair) = pair;
    return arena_printf(c->arena, "%s#images", url_of(c, "/objects", &q));
}

static json_t *together_json(struct ctx *c, const struct shown *s)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < s->l.n_together && i < PAIRS_SHOWN; i++) {
        const struct together_pair *p = &s->l.together[i];
        struct together_row row = together_row(p, s->l.counted.n, s->names);
        object_add(rows, field_sv("a", row.a), field_sv("b", row.b), field_text("url", pair_url(c, s, false, p->a, p->b)), field_int("images", p->images),
                   field_text("note", arena_printf(c->arena, "of %u and %u, %.1f times as often as by chance", p->n_a, p->n_b, row.lift)));
    }
    return rows;
}

static json_t *confused_json(struct ctx *c, const struct shown *s)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < s->l.n_confused && i < PAIRS_SHOWN; i++) {
        const struct confused_pair *p = &s->l.confused[i];
        struct confused_row row = confused_row(p, s->names);
        object_add(rows, field_sv("a", row.a), field_sv("b", row.b), field_text("url", pair_url(c, s, true, p->a, p->b)),
                   field_int("images", p->a_as_b + p->b_as_a),
                   field_text("note", arena_printf(c->arena, "of %u and %u, %s", p->n_a, p->n_b, percent(c, row.share))));
    }
    return rows;
}

static const char *objects_text(struct ctx *c, const struct shown *s, const struct seen_row *r)
{
    const char *text = "";
    for (uint32_t i = 0; i < r->n; i++) {
        text = arena_printf(c->arena, "%s%s" SV_FMT, text, i ? ", " : "", SV_ARG(s->names[r->names[i]]));
    }
    return text;
}

/* Whether the image has a file is what images_names says. */
static json_t *card_json(struct ctx *c, const struct shown *s, const struct seen_named *n, bool file)
{
    const struct seen_row *r = &n->row;
    const char *url = arena_printf(c->arena, "/images/%lld", (long long)n->id);
    bool tied = r->enough && seen_shows(r, SEEN_TIES);
    return object(field_sv("name", n->image), field_text("url", arena_printf(c->arena, "%s%s", url, view_choice_query(c->arena, s->view.name, true))),
                  field_text("thumb_url", file ? arena_printf(c->arena, "%s/grid", url) : NULL), field_bool("hidden", app_image_hidden(c->app, n->id)),
                  field_sv("label", s->names[r->class_id]), field_bool("enough", r->enough),
                  field_sv("main", r->enough ? s->names[r->main] : SV("")), field_bool("other_main", r->enough && r->main != r->class_id),
                  field_text("agreement", arena_printf(c->arena, "%u of %u", r->main_count, r->responses)), field_int("answers", r->responses),
                  field_text("objects", arena_printf(c->arena, "%u: %s", r->n, objects_text(c, s, r))), field_bool("tied", tied),
                  field_text("frequency", n->asked ? arena_printf(c->arena, "%.2f", n->frequency) : NULL));
}

static json_t *cards_json(struct ctx *c, const struct shown *s, const struct list_page *part)
{
    struct seen_named *rows;
    struct image_row *images;
    size_t n = 0;
    if (named(c, s, part->skip, part->most, &rows, &n) != OK) {
        return NULL;
    }
    int64_t *ids = arena_calloc(c->arena, n + 1, sizeof *ids);
    images = arena_calloc(c->arena, n + 1, sizeof *images);
    for (size_t i = 0; i < n; i++) {
        ids[i] = rows[i].id;
    }
    if (images_names(c->db, ids, n, c->arena, images, &c->err) != OK) {
        return NULL;
    }
    json_t *cards = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(cards, card_json(c, s, &rows[i], images[i].source != 0));
    }
    return cards;
}

static json_t *only_json(struct ctx *c, const struct shown *s)
{
    const char *text = s->q.pair.n       ? arena_printf(c->arena, "Only images with objects of both classes: " SV_FMT ".", SV_ARG(s->q.pair))
                       : s->q.confused.n ? arena_printf(c->arena, "Only images of one class that people call by the other: " SV_FMT ".", SV_ARG(s->q.confused))
                                         : NULL;
    struct query q = usual;
    q.view = s->q.view;
    return text ? object(field_text("text", text), field_text("all_url", url_of(c, "/objects", &q))) : json_null();
}

/* GET /objects?view=&pair=&confused=&show=&sort=&order=&page= */
enum err_code page_objects(struct ctx *c)
{
    struct shown s;
    json_t *choice = NULL, *progress = NULL, *cards = NULL, *numbers = NULL;
    if (read_shown(c, &s) != OK) {
        return c->err.code;
    }
    const struct list_page part = list_page_of((int64_t)s.n, IMAGES_A_PAGE, s.q.page);
    const struct chart_ask ask = {.view = s.q.view};
    if ((choice = view_choice_json(c, s.view.name, "/objects", NULL)) == NULL || (progress = progress_json(c, &s)) == NULL ||
        (cards = cards_json(c, &s, &part)) == NULL || (numbers = charts_data(c, "objects-numbers", &ask)) == NULL) {
        json_decref(choice);
        json_decref(progress);
        json_decref(cards);
        return c->err.code;
    }
    struct query of_view = usual;
    of_view.view = s.q.view;
    json_t *together = together_json(c, &s), *confused = confused_json(c, &s);
    json_t *page = object(
        field_json("view_choice", choice), field_json("live", data_live("votes,plan", list_url(c, &table, "/objects", &usual, &s.q, true))),
        field_bool("any", s.l.n > 0), field_json("tiles", tiles_json(c, &s)), field_bool("any_progress", json_array_size(progress) > 0),
        field_json("progress_rows", progress), field_json("numbers", numbers),
        field_bool("any_together", json_array_size(together) > 0), field_json("together", together),
        field_bool("any_confused", json_array_size(confused) > 0), field_json("confused", confused),
        field_text("together_url", url_of(c, "/api/v1/objects/cooccurring.csv", &of_view)),
        field_text("confused_url", url_of(c, "/api/v1/objects/confused.csv", &of_view)),
        field_json("chips", list_chips(c, &table, "/objects", &s.q)), field_json("only", only_json(c, &s)),
        field_text("count", data_count(c->arena, (int64_t)s.n)), field_json("cards", cards),
        field_json("pages", list_page_links(c, &part, url_of(c, "/objects", &s.q), "#images")), field_text("pages_label", "Pages of images"),
        field_text("source", source_of(c, &s)), field_text("source_url", arena_printf(c->arena, "/label-sources/classify@" SV_FMT, SV_ARG(s.view.name))),
        field_text("json_url", url_of(c, "/api/v1/objects", &s.q)), field_text("csv_url", url_of(c, "/api/v1/objects/images.csv", &s.q)));
    return reply_page(c, 200, "objects/index", "Objects", page);
}

/* ---- for scripts ---- */

struct objects_reply {
    struct sv view;
    const char *source;
    struct object_summary_row summary;
    struct together_row *together;
    struct confused_row *confused;
    struct seen_named *items;
    size_t n_together, n_confused, n_items;
    int64_t images;
};
#define OF(member) RECORD_OF(struct objects_reply, member)
#define ROWS(member) RECORD_ROWS(struct objects_reply, member, n_##member)
RECORD(objects_record, struct objects_reply, "objects", "What people see in images by their answers to CLASSIFY tasks.",
       {"view", OF(view), .about = "The vote view whose answers count."},
       {"source", OF(source), .maybe = true, .about = "The label source that says the same for ever; null: nobody has answered."},
       {"summary", RECORD_PART(struct objects_reply, summary), .of = &object_summary_record, .about = "What they show, in numbers."},
       {"cooccurring", ROWS(together), .of = &together_record, .about = "Classes that are objects of the same images, the most frequent first; at most 1,000."},
       {"confused", ROWS(confused), .of = &confused_record, .about = "Classes whose images people call by the other's name; at most 1,000."},
       {"images", OF(images), .about = "Images that the address asks for."},
       {"items", ROWS(items), .of = &seen_named_record, .about = "Those images, at most 10,000."});
#undef ROWS
#undef OF

/* GET /api/v1/objects?view=&pair=&confused=&show=&sort=&order= */
enum err_code api_objects(struct ctx *c)
{
    struct shown s;
    struct objects_reply r = {.n_items = 0};
    if (read_shown(c, &s) != OK || named(c, &s, 0, ROWS_MOST, &r.items, &r.n_items) != OK) {
        return c->err.code;
    }
    r.view = s.view.name;
    r.source = source_of(c, &s);
    r.summary = s.l.summary;
    r.images = (int64_t)s.n;
    r.n_together = s.l.n_together < PAIRS_MOST ? s.l.n_together : PAIRS_MOST;
    r.n_confused = s.l.n_confused < PAIRS_MOST ? s.l.n_confused : PAIRS_MOST;
    r.together = arena_calloc(c->arena, r.n_together + 1, sizeof *r.together);
    r.confused = arena_calloc(c->arena, r.n_confused + 1, sizeof *r.confused);
    for (size_t i = 0; i < r.n_together; i++) {
        r.together[i] = together_row(&s.l.together[i], s.l.counted.n, s.wnids);
    }
    for (size_t i = 0; i < r.n_confused; i++) {
        r.confused[i] = confused_row(&s.l.confused[i], s.wnids);
    }
    return reply_json(c, 200, record_json(&objects_record, &r));
}

/* GET /api/v1/objects/images.csv?view=&pair=&confused=&show=&sort=&order= */
enum err_code api_objects_csv(struct ctx *c)
{
    struct shown s;
    struct seen_named *rows;
    size_t n = 0;
    if (read_shown(c, &s) != OK || named(c, &s, 0, s.n, &rows, &n) != OK) {
        return c->err.code;
    }
    record_csv_names(&seen_named_record, &c->res->body);
    str_addc(&c->res->body, '\n');
    for (size_t i = 0; i < n; i++) {
        record_csv_cells(&seen_named_record, &rows[i], &c->res->body);
        str_addc(&c->res->body, '\n');
    }
    return reply_table_file(c, "objects.csv", "text/csv; charset=utf-8");
}

/* Pairs of classes as a file, all of them. */
static enum err_code pairs_csv(struct ctx *c, bool together)
{
    struct shown s;
    const struct record *record = together ? &together_record : &confused_record;
    if (read_shown(c, &s) != OK) {
        return c->err.code;
    }
    record_csv_names(record, &c->res->body);
    str_addc(&c->res->body, '\n');
    for (size_t i = 0; i < (together ? s.l.n_together : s.l.n_confused); i++) {
        struct together_row both = together ? together_row(&s.l.together[i], s.l.counted.n, s.wnids) : (struct together_row){.n_a = 0};
        struct confused_row taken = together ? (struct confused_row){.n_a = 0} : confused_row(&s.l.confused[i], s.wnids);
        record_csv_cells(record, together ? (const void *)&both : (const void *)&taken, &c->res->body);
        str_addc(&c->res->body, '\n');
    }
    return reply_table_file(c, together ? "cooccurring.csv" : "confused.csv", "text/csv; charset=utf-8");
}

/* GET /api/v1/objects/cooccurring.csv?view= */
enum err_code api_objects_together_csv(struct ctx *c) { return pairs_csv(c, true); }

/* GET /api/v1/objects/confused.csv?view= */
enum err_code api_objects_confused_csv(struct ctx *c) { return pairs_csv(c, false); }
