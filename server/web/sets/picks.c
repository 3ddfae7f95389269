/* picks.c - sets without votes: one person picks candidates beside the originals of a keyword,
 * another prunes them; what is still missing of each keyword stands beside it for whoever picks
 * next. Nobody overwrites anybody: what others changed since a page was shown stays as it is. Rows
 * in routes.c; templates/picks/. */
#include <stdlib.h>

#include "base/clock.h"
#include "json/object.h"
#include "sets/sampling/pick_board.h"
#include "store/images/images.h"
#include "web/core/form_refused.h"
#include "web/core/lists.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/records.h"
#include "web/core/reply.h"

enum {
    CLASSES_A_PAGE = 100,
    KEYWORDS_SHOWN = 500,
    IMAGES_A_PAGE = 96, /* with two fields each a form stays within its limits */
    ORIGINALS_SHOWN = 18,
    ORIGINALS_MOST = 500,
    KEYWORD_MOST = 400
};

/* "keyword=..." of an address; images without a keyword are asked for by "none=1". */
static const char *keyword_query(struct arena *a, struct sv keyword)
{
    bool any = keyword.n > 0 && keyword.n <= KEYWORD_MOST;
    return any ? arena_printf(a, "keyword=%s", data_in_query(a, keyword)) : "none=1";
}

static const char *class_url(struct ctx *c, struct sv wnid)
{
    return arena_printf(c->arena, "/picks/" SV_FMT, SV_ARG(wnid));
}

/* ---- numbers ---- */

#define OF(member) RECORD_OF(struct pick_cell, member)
static RECORD(numbers_record, struct pick_cell, "pick_numbers", "What is picked and what is missing.",
              {"originals", OF(originals), .about = "Originals."},
              {"target", OF(target), .about = "Images wanted, by the originals' keywords."},
              {"usable", OF(usable), .about = "Picked images that nothing else keeps out."},
              {"picked", OF(picked), .about = "Picked images."},
              {"pruned", OF(pruned), .about = "Candidates that were decided not to be picked."},
              {"open", OF(open), .about = "Candidates that nobody has decided about."},
              {"banned", OF(banned), .about = "Images on the blacklist."},
              {"missing", OF(missing), .about = "Images still to be picked."});

static RECORD(cell_record, struct pick_cell, "pick_cell", "What is picked of a keyword of a class.",
              {NULL, RECORD_SELF, RECORD_BESIDE, .of = &numbers_record},
              {"keyword", OF(keyword), .about = "The keyword; empty: images without one."});
#undef OF

#define OF(member) RECORD_OF(struct pick_class, member)
static RECORD(class_numbers_record, struct pick_class, "pick_class", "A class, with the sums of its keywords.",
              {NULL, RECORD_PART(struct pick_class, all), RECORD_BESIDE, .of = &numbers_record},
              {"wnid", OF(info.wnid), .about = "The class."},
              {"no_keywords", OF(no_keywords), .about = "Whether no original has a keyword, so that nothing is wanted."},
              {"keywords", RECORD_ROWS(struct pick_class, cells, n), .of = &cell_record,
               .about = "The same numbers by keyword."});
#undef OF

#define OF(member) RECORD_OF(struct pick_target, member)
static RECORD(target_record, struct pick_target, "pick_target", "How many images are wanted.",
              {"size", OF(size), .about = "Images per class."},
              {"keywords_most", OF(keywords_most), .about = "The most common keywords of a class that count; 0: all."},
              {"together", OF(together), .about = "Whether they are shared out over the keywords of all classes."});
#undef OF

#define OF(member) RECORD_OF(struct pick_board, member)
#define PART(member) RECORD_PART(struct pick_board, member)
RECORD(picks_record, struct pick_board, "picks", "Sets without votes: what is picked and what is missing.",
       {"target", PART(target), .of = &target_record, .about = "How many images are wanted."},
       {"total", PART(all), .of = &numbers_record, .about = "All classes together."},
       {"none", OF(none), .maybe = true, .about = "Why nothing is wanted; null: something is."},
       {"items", RECORD_ROWS(struct pick_board, classes, n), .of = &class_numbers_record,
        .about = "The classes, by wnid."});
#undef OF
#undef PART

static json_t *cell_json(struct ctx *c, const struct pick_cell *k)
{
    json_t *cell = data_counts(c->arena, record_json(&numbers_record, k));
    json_object_update_new(cell, object(field_bool("short", k->missing > 0), field_bool("lost", k->picked > k->usable)));
    return cell;
}

static json_t *tiles_json(struct ctx *c, const struct pick_cell *all)
{
    json_t *tiles = json_array();
    struct arena *a = c->arena;
    data_tile(tiles, "Images wanted", data_count(a, all->target), "by the originals' keywords");
    data_tile(tiles, "Picked", data_count(a, all->picked),
              arena_printf(a, "%s of them can be taken", data_count(a, all->usable)));
    data_tile(tiles, "Missing", data_count(a, all->missing), "still to be picked");
    data_tile(tiles, "Pruned", data_count(a, all->pruned), "taken out by a second person");
    data_tile(tiles, "To look at", data_count(a, all->open), "candidates that nobody has decided about");
    return tiles;
}

/* ---- all classes ---- */

/* Those that lack most first, then by wnid. */
static int by_missing(const void *a, const void *b)
{
    const struct pick_class *x = a, *y = b;
    return x->all.missing != y->all.missing ? (x->all.missing < y->all.missing ? 1 : -1)
                                            : sv_cmp(x->info.wnid, y->info.wnid);
}

static json_t *classes_json(struct ctx *c, const struct pick_board *b, int64_t from)
{
    json_t *rows = json_array();
    for (size_t i = (size_t)from; i < b->n && i < (size_t)from + CLASSES_A_PAGE; i++) {
        const struct pick_class *k = &b->classes[i];
        json_t *row = cell_json(c, &k->all);
        json_object_set_new(row, "class", data_class(c->arena, &k->info));
        json_object_set_new(row, "url", json_string(class_url(c, k->info.wnid)));
        json_object_set_new(row, "keywords", json_string(data_count(c->arena, (int64_t)k->n)));
        json_object_set_new(row, "no_keywords", json_boolean(k->no_keywords));
        json_array_append_new(rows, row);
    }
    return rows;
}

/* GET /picks?from= */
enum err_code page_picks(struct ctx *c)
{
    struct pick_board b;
    int64_t from;
    if (list_from(c, &from) != OK ||
        pick_board_make(c->db, app_tally(c->app), c->config->flags_to_quarantine, c->arena, &b,
                        &c->err) != OK) {
        return c->err.code;
    }
    qsort(b.classes, b.n, sizeof *b.classes, by_missing);
    json_t *page = object(
        field_json("live", data_live("review", "/picks")),
        field_json("tiles", tiles_json(c, &b.all)), field_json("target", record_json(&target_record, &b.target)),
        field_json("classes", classes_json(c, &b, from)), field_bool("any", b.n > 0),
        field_text("none", b.none), 
        field_json("pages", list_parts(c, "Classes", from, (int64_t)b.n, CLASSES_A_PAGE, "/picks", "#classes")),
        field_text("pages_label", "Pages of classes"),
        field_text(
            "sample_url",
            arena_printf(c->arena,
                         "/sets/new?strategy=keyword&picked=1&answers=0&size=%lld&keywords=%lld%s",
                         (long long)b.target.size, (long long)b.target.keywords_most,
                         b.target.together ? "&together=1" : "")));
    return reply_page(c, 200, "picks/index", "Picks", page);
}

/* POST /picks: size, keywords_most, together */
enum err_code page_pick_target(struct ctx *c)
{
    struct pick_target t = {.together = sv_is(form_get(&c->form, "together"), "1")};
    struct sv most = sv_trim(form_get(&c->form, "keywords_most"));
    if (!sv_i64(sv_trim(form_get(&c->form, "size")), &t.size) || t.size < 1) {
        form_wrong(c, "size", "Give the number of images per class, at least 1.");
    }
    if (most.n > 0 && (!sv_i64(most, &t.keywords_most) || t.keywords_most < 0)) {
        form_wrong(c, "keywords_most", "Give the number of keywords, or 0 for all of them.");
    }
    if (c->err.code != OK ||
        pick_target_put(c->db, &t, c->user.account, clock_wall_ms(), &c->err) != OK) {
        return c->err.code;
    }
    return reply_did(c, "/picks", NULL, "The target is set.");
}

/* ---- one class: what is asked for ---- */

struct pick_view {
    const struct pick_class *k;
    const struct pick_cell *cell;
    enum pick_stage stage; /* PICK_STAGES: all */
    int64_t after;
    bool originals; /* all of them, not the first few */
};

static const char *stage_word(enum pick_stage s)
{
    return s < PICK_STAGES ? pick_stages[s] : "all";
}

static const char *view_url(struct ctx *c, const struct pick_view *v, struct sv keyword,
                            enum pick_stage stage, int64_t after)
{
    return arena_printf(c->arena, "%s?%s&show=%s&after=%lld", class_url(c, v->k->info.wnid),
                        keyword_query(c->arena, keyword), stage_word(stage), (long long)after);
}

/* The one that lacks most; without any, the first. */
static const struct pick_cell *first_cell(const struct pick_class *k)
{
    const struct pick_cell *best = k->n ? &k->cells[0] : NULL;
    for (size_t i = 1; i < k->n; i++) {
        best = k->cells[i].missing > best->missing ? &k->cells[i] : best;
    }
    return best;
}

static enum err_code read_view(struct ctx *c, const struct pick_board *b, struct pick_view *v)
{
    struct sv show = request_query(c->req, "show"), after = request_query(c->req, "after");
    struct sv keyword = request_query(c->req, "keyword");
    *v = (struct pick_view){.k = pick_board_class(b, c->req->params[0])};
    if (!v->k) {
        return err_rule(&c->err, ERR_NOT_FOUND, "no-class", "There is no such class.");
    }
    v->stage = show.n == 0 ? PICK_OPEN : pick_stage_of(show);
    if ((v->stage == PICK_STAGES && !sv_is(show, "all")) ||
        (after.n && (!sv_i64(after, &v->after) || v->after < 0))) {
        return err_rule(&c->err, ERR_INPUT, "picks",
                        "show must be open, picked, pruned or all, and after the number of an image.");
    }
    v->originals = sv_is(request_query(c->req, "originals"), "all");
    bool asked = keyword.n > 0 || sv_is(request_query(c->req, "none"), "1");
    v->cell = asked ? pick_class_cell(v->k, keyword) : first_cell(v->k);
    return v->cell || !asked
               ? OK
               : err_rule(&c->err, ERR_NOT_FOUND, "no-keyword",
                          "No original and no candidate of the class has this keyword.");
}

/* ---- one class: what is shown ---- */

static json_t *image_json(struct ctx *c, const struct pick_image *i)
{
    const char *url = arena_printf(c->arena, "/images/%lld", (long long)i->id);
    bool hidden = app_image_hidden(c->app, i->id);
    return object(
        field_int("id", i->id), field_sv("name", i->name), field_text("url", url),
        field_text("thumb_url",
                   i->has_pixels && !hidden ? arena_printf(c->arena, "%s/grid", url) : NULL),
        field_text("stage", pick_stages[i->stage]), field_sv("note", i->note),
        field_sv("who", i->login), field_sv("taken", i->taken_at), field_bool("banned", i->banned),
        field_bool("hidden", hidden), field_bool("picked", i->stage == PICK_PICKED),
        field_bool("pruned", i->stage == PICK_PRUNED),
        field_bool("own", i->account != 0 && i->account == c->user.account));
}

static enum err_code images_json(struct ctx *c, const struct pick_ask *ask, json_t *list,
                                 int64_t *next)
{
    struct pick_image *images;
    size_t n;
    struct pick_ask more = *ask;
    more.most++;
    *next = 0;
    enum err_code rc = pick_images(c->db, &more, c->arena, &images, &n, &c->err);
    for (size_t i = 0; i < n && i < ask->most && rc == OK; i++) {
        json_array_append_new(list, image_json(c, &images[i]));
    }
    if (rc == OK && n > ask->most) {
        *next = images[ask->most - 1].id;
    }
    return rc;
}

static json_t *keywords_json(struct ctx *c, const struct pick_view *v)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < v->k->n && i < KEYWORDS_SHOWN; i++) {
        const struct pick_cell *k = &v->k->cells[i];
        json_t *row = cell_json(c, k);
        json_object_set_new(row, "keyword", data_text(k->keyword));
        json_object_set_new(row, "url", json_string(view_url(c, v, k->keyword, PICK_OPEN, 0)));
        json_object_set_new(row, "current", json_boolean(k == v->cell));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *shows_json(struct ctx *c, const struct pick_view *v)
{
    const struct {
        const char *label;
        enum pick_stage stage;
        int64_t n;
    } tabs[] = {{"To look at", PICK_OPEN, v->cell->open},
                {"Picked", PICK_PICKED, v->cell->picked},
                {"Pruned", PICK_PRUNED, v->cell->pruned},
                {"All", PICK_STAGES, -1}};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof tabs / sizeof *tabs; i++) {
        const char *label = tabs[i].n < 0 ? tabs[i].label
                                          : arena_printf(c->arena, "%s (%s)", tabs[i].label,
                                                         data_count(c->arena, tabs[i].n));
        object_add(list, field_text("label", label),
                   field_text("url", view_url(c, v, v->cell->keyword, tabs[i].stage, 0)),
                   field_bool("current", v->stage == tabs[i].stage));
    }
    return list;
}

/* What the last form did: "3 images changed", and how many others had changed meanwhile. */
static json_t *said_json(struct ctx *c)
{
    int64_t done = 0, others = 0;
    struct arena *a = c->arena;
    if (!sv_i64(request_query(c->req, "done"), &done) || done < 0) {
        return json_null();
    }
    sv_i64(request_query(c->req, "others"), &others);
    const char *stayed = others > 0
                             ? arena_printf(a, "%s stayed as others had left %s.",
                                            data_count(a, others), others == 1 ? "it" : "them")
                             : NULL;
    return object(field_text("text", arena_printf(a, "%s image%s changed.", data_count(a, done),
                                                  done == 1 ? "" : "s")),
                  field_text("stayed", stayed));
}

/* Originals, then candidates. */
static enum err_code load_images(struct ctx *c, const struct pick_view *v, json_t *page)
{
    json_t *originals = json_array(), *images = json_array();
    int64_t more = 0, next = 0;
    struct pick_ask ask = {.class_id = v->k->info.id,
                           .keyword = v->cell->keyword,
                           .originals = true,
                           .most = v->originals ? ORIGINALS_MOST : ORIGINALS_SHOWN};
    enum err_code rc = images_json(c, &ask, originals, &more);
    ask = (struct pick_ask){.class_id = ask.class_id,
                            .keyword = ask.keyword,
                            .stage = v->stage,
                            .after = v->after,
                            .most = IMAGES_A_PAGE};
    rc = rc == OK ? images_json(c, &ask, images, &next) : rc;
    const char *here = view_url(c, v, v->cell->keyword, v->stage, v->after);
    json_object_set_new(page, "any_originals", json_boolean(json_array_size(originals) > 0));
    json_object_set_new(page, "any_images", json_boolean(json_array_size(images) > 0));
    json_object_set_new(page, "originals", originals);
    json_object_set_new(page, "images", images);
    json_object_set_new(page, "originals_url",
                        more && !v->originals
                            ? json_string(arena_printf(c->arena, "%s&originals=all", here))
                            : json_null());
    json_object_set_new(page, "next_url",
                        next ? json_string(view_url(c, v, v->cell->keyword, v->stage, next))
                             : json_null());
    json_object_set_new(page, "first_url",
                        v->after ? json_string(view_url(c, v, v->cell->keyword, v->stage, 0))
                                 : json_null());
    return rc;
}

/* GET /picks/:wnid?keyword=&show=&after=&originals= */
enum err_code page_pick_class(struct ctx *c)
{
    struct pick_board b;
    struct pick_view v;
    if (pick_board_make(c->db, app_tally(c->app), c->config->flags_to_quarantine, c->arena, &b,
                        &c->err) != OK ||
        read_view(c, &b, &v) != OK) {
        return c->err.code;
    }
    const char *url = class_url(c, v.k->info.wnid);
    json_t *page =
        object(field_json("class", data_class(c->arena, &v.k->info)), field_text("url", url),
               field_json("keywords", keywords_json(c, &v)), field_bool("any", v.cell != NULL),
               field_json("said", said_json(c)), field_int("note_max", PICK_NOTE_MOST),
               field_bool("shows_open", v.stage == PICK_OPEN),
               field_bool("shows_picked", v.stage == PICK_PICKED),
               field_bool("shows_pruned", v.stage == PICK_PRUNED));
    if (v.cell) {
        json_object_set_new(page, "cell", cell_json(c, v.cell));
        json_object_set_new(page, "keyword", data_text(v.cell->keyword));
        json_object_set_new(page, "show", json_string(stage_word(v.stage)));
        json_object_set_new(page, "shows", shows_json(c, &v));
        json_object_set_new(
            page, "live", data_live("review", view_url(c, &v, v.cell->keyword, v.stage, v.after)));
        if (load_images(c, &v, page) != OK) {
            json_decref(page);
            return c->err.code;
        }
    }
    const char *title = arena_printf(c->arena, "Picks: " SV_FMT, SV_ARG(v.k->info.wnid));
    return reply_page(c, 200, "picks/show", title, page);
}

/* ---- one class: deciding ---- */

/* "ID:STAGE" of a box: the image, and the stage that the page showed. */
static bool read_box(struct sv value, int64_t *id, enum pick_stage *seen)
{
    struct sv first = sv_cut(&value, ':');
    *seen = pick_stage_of(value);
    return sv_i64(first, id) && *seen < PICK_STAGES;
}

struct pick_said {
    struct pick_row rows[IMAGES_A_PAGE];
    size_t n, others; /* others: changed by somebody else since */
};

/* Takes a box unless somebody else said something since. ERR_NOT_FOUND for an image of another
 * class. */
static enum err_code take_box(struct ctx *c, int64_t class_id, struct sv value,
                              enum pick_stage stage, struct pick_said *said)
{
    struct image_row image;
    enum pick_stage seen, now = PICK_OPEN;
    struct pick_row *history;
    size_t n;
    int64_t id;
    if (!read_box(value, &id, &seen) || said->n == IMAGES_A_PAGE) {
        return err_rule(&c->err, ERR_INPUT, "picks",
                        "The form names an image that it did not show. Nothing was stored; reload the page.");
    }
    if (images_get(c->db, id, c->arena, &image, &c->err) != OK ||
        picks_history(c->db, image.name, c->arena, &history, &n, &c->err) != OK) {
        return c->err.code;
    }
    if (image.class_id != class_id || !sv_is(image.role, "candidate")) {
        return err_rule(&c->err, ERR_INPUT, "picks",
                        SV_FMT " is not a candidate of this class. Nothing was stored.",
                        SV_ARG(image.name));
    }
    now = n ? history[n - 1].stage : now;
    if (now != seen) {
        said->others += now != stage;
        return OK;
    }
    said->rows[said->n++] = (struct pick_row){
        .name = image.name,
        .stage = stage,
        .note = stage == PICK_PRUNED ? sv_trim(form_get(&c->form, "note")) : SV("")};
    return OK;
}

/* POST /picks/:wnid: do (open, picked, pruned), image (ID:STAGE), note, keyword, show */
enum err_code page_pick(struct ctx *c)
{
    struct class_info k;
    struct pick_said *said = arena_calloc(c->arena, 1, sizeof *said);
    enum pick_stage stage = pick_stage_of(form_get(&c->form, "do"));
    size_t changed = 0;
    if (classes_find(c->db, c->req->params[0], c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    if (stage == PICK_STAGES) {
        return err_rule(&c->err, ERR_INPUT, "picks", "do must be open, picked or pruned.");
    }
    for (size_t i = 0; i < c->form.n; i++) {
        const struct form_field *f = &c->form.fields[i];
        if (sv_is(f->name, "image") && take_box(c, k.id, f->value, stage, said) != OK) {
            return c->err.code;
        }
    }
    if (picks_write(c->db, said->rows, said->n, "picks.make", k.id, c->user.account,
                    clock_wall_ms(), &changed, &c->err) != OK) {
        return c->err.code;
    }
    enum pick_stage show = pick_stage_of(form_get(&c->form, "show"));
    return reply_redirect(c, arena_printf(c->arena, "%s?%s&show=%s&done=%zu&others=%zu",
                                          class_url(c, k.wnid),
                                          keyword_query(c->arena, form_get(&c->form, "keyword")),
                                          stage_word(show), changed, said->others));
}

/* ---- for scripts ---- */

/* GET /api/v1/picks */
enum err_code api_picks(struct ctx *c)
{
    struct pick_board b;
    if (pick_board_make(c->db, app_tally(c->app), c->config->flags_to_quarantine, c->arena, &b,
                        &c->err) != OK) {
        return c->err.code;
    }
    return reply_json(c, 200, record_json(&picks_record, &b));
}
