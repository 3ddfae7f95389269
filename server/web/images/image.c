/* image.c - one image and all that is known of it: where it came from, what was measured, its
 * frequency under every class it was asked for, its grids, what was said and decided about it. */
#include "base/clock.h"
#include "base/outside.h"
#include "domain/grids/grid.h"
#include "json/object.h"
#include "sets/pool/class_facts.h"
#include "store/classes/classes.h"
#include "store/duplicates/feature_only.h"
#include "store/images/facts.h"
#include "store/images/images.h"
#include "store/images/said.h"
#include "store/review/class_decisions.h"
#include "store/work/flags.h"
#include "web/core/app.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/shown_to.h"
#include "web/core/view_choice.h"
#include "web/gallery/class_browser.h"
#include "web/images/image_objects.h"
#include "web/parts/people_data.h"
#include "web/parts/tombstones.h"
#include "web/scoring/image_models.h"

enum { GRIDS_MOST = 200, NOTES_MOST = 100, SAID_MOST = 100, FAMILY_MOST = 100 };

/* ---- what holds ---- */

/* Name and address of an image that may not be in the project. */
static enum err_code link_json(struct ctx *c, struct sv name, json_t **out)
{
    int64_t id = 0;
    if (images_find(c->db, name, &id, &c->err) != OK) {
        return c->err.code;
    }
    *out = object(
        field_sv("name", name),
        field_text("url", id ? arena_printf(c->arena, "/images/%lld", (long long)id) : NULL));
    return OK;
}

/* Those of the same photo but for the image itself. */
static json_t *family_json(struct ctx *c, const struct class_facts *f, const struct class_fact *i)
{
    json_t *list = json_array();
    const struct class_component *k =
        i && i->component != NEAR_NONE ? &f->components[i->component] : NULL;
    for (size_t m = 0; k && m < k->n && m < FAMILY_MOST; m++) {
        const struct class_relative *r = &k->members[m];
        struct class_info of = {.wnid = SV("")};
        json_t *row = NULL;
        if (r->image == (int64_t)i->image) {
            continue;
        }
        if ((r->class_id && classes_get(c->db, r->class_id, c->arena, &of, &c->err) != OK) ||
            link_json(c, r->name, &row) != OK) {
            json_decref(list);
            return NULL;
        }
        json_object_set_new(row, "wnid", data_text(of.wnid));
        json_object_set_new(row, "class",
                            json_string(data_class_name(c->arena, of.synset, of.wnid)));
        json_object_set_new(
            row, "thumb_url",
            r->image ? json_string(arena_printf(c->arena, "/images/%lld/grid", (long long)r->image))
                     : json_null());
        json_object_set_new(row, "original", json_boolean(r->original));
        json_object_set_new(row, "out", json_boolean(r->out));
        json_array_append_new(list, row);
    }
    return list;
}

static const char *why_text(const struct class_facts *f, const struct class_fact *i)
{
    static const char *const rules[NEAR_RULES] = {
        [NEAR_ORIGINAL] = "It shows the same photo as an original, so sampling does not take it.",
        [NEAR_KEPT] = "Somebody has chosen another image of this photo to stay.",
        [NEAR_GOOD] = "Another image of this photo stays: the one with the highest frequency in the class that has "
                      "the fewest good candidates.",
        [NEAR_FAIR] = "Another image of this photo stays: the one with the highest frequency in the class that has "
                      "the fewest good candidates.",
        [NEAR_BEST] = "Another image of this photo stays: the one with the highest frequency.",
    };
    if (!i || i->original) {
        return i ? "An original is measured, never sampled."
                 : "It is neither an original nor a candidate, so sampling does not take it.";
    }
    if (i->blacklisted) {
        return "It is on the blacklist, so sampling does not take it.";
    }
    if (i->near_duplicate) {
        return rules[f->components[i->component].rule];
    }
    if (i->hidden) {
        return "It is hidden, so sampling does not take it.";
    }
    if (i->unsearched && !i->unreviewed) {
        return "It can be sampled once it has been searched for near-duplicates.";
    }
    return i->unreviewed ? "Sampling takes it once somebody has looked at its nearest neighbours."
           : i->shown < SAMPLE_ANSWERS_LEAST ? "Sampling takes it once it has enough answers; sets "
                                               "without votes may take it as it is."
                                             : "Sampling may take it.";
}

/* ---- who said so ---- */

static const char *words_of_said(struct ctx *c, const struct image_said *s)
{
    enum blacklist_reason reason = blacklist_reason_of(s->what);
    switch (s->kind) {
    case SAID_BLACKLIST:
        return s->yes ? arena_printf(c->arena, "put it on the blacklist: %s",
                                     reason < BLACKLIST_REASONS ? blacklist_labels[reason]
                                                                : "no reason known")
                      : "took it off the blacklist";
    case SAID_NEAR_DUPLICATE:
        return s->yes ? "marked it as a near-duplicate of" : "marked it as not a near-duplicate of";
    case SAID_KEEP:
        return s->yes ? "chose it as the image of this photo that stays" : "undid the choice that it stays";
    case SAID_PICK:
        break;
    }
    return s->yes ? arena_printf(c->arena, SV_FMT " it", SV_ARG(s->what))
                  : "put it back among the candidates to pick from";
}

static json_t *said_json(struct ctx *c, struct sv name, struct sv *pick)
{
    struct image_said *said;
    size_t n;
    if (image_said(c->db, name, SAID_MOST, c->arena, &said, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct image_said *s = &said[i];
        json_t *other = json_null();
        if (s->kind == SAID_NEAR_DUPLICATE && link_json(c, s->what, &other) != OK) {
            json_decref(list);
            return NULL;
        }
        if (s->kind == SAID_PICK && pick->n == 0) {
            *pick = s->what; /* the newest holds */
        }
        const char *who = s->login.n    ? arena_cstr(c->arena, s->login)
                          : s->imported ? "an import"
                                        : "a former account";
        object_add(list, field_text("at", people_minute(c->arena, s->at)), field_text("who", who),
                   field_text("text", words_of_said(c, s)), field_json("other", other),
                   field_sv("note", s->note));
    }
    return list;
}

/* ---- all of it ---- */

static enum err_code load_facts(struct ctx *c, int64_t class_id, struct sv view,
                                struct class_facts *f)
{
    const struct counted_view *counted = NULL;
    enum err_code rc = view_choice_is_default(view) ? OK : view_choice_get(c, view, &counted);
    if (rc == OK) {
        struct class_facts_ask ask = {class_id, counted ? &counted->counts : NULL,
                                      c->config->flags_to_quarantine};
        rc = class_facts_make(c->db, app_tally(c->app), &ask, c->arena, f, &c->err);
    }
    view_choice_put(counted);
    return rc;
}

/* Where people pick among the images of its keyword. */
static const char *pick_url(struct ctx *c, const struct image_row *image,
                            const struct class_info *k)
{
    return arena_printf(c->arena, "/picks/" SV_FMT "?keyword=%s", SV_ARG(k->wnid), data_in_query(c->arena, image->keyword));
}

/* {sampled (an original or a candidate), version, back, state (class_browser_state), why (what
 * sampling makes of it), family [{name, url, class, original, out, survivor}], any_family, pick,
 * pick_url, said [{at, who, text, other, other_url, note}], any_said}. `family`: the images of its
 * photo. New reference; NULL with c->err set. */
static json_t *image_said_json(struct ctx *c, const struct image_row *image, const struct class_info *k,
                               struct sv view)
{
    struct class_facts f;
    int64_t version = 0;
    struct sv pick = SV("");
    json_t *said = NULL;
    if (class_version(c->db, k->id, &version, &c->err) != OK || /* before what it is about */
        load_facts(c, k->id, view, &f) != OK || (said = said_json(c, image->name, &pick)) == NULL) {
        return NULL;
    }
    const struct class_fact *i = class_facts_find(&f, (uint32_t)image->id);
    json_t *family = family_json(c, &f, i);
    if (!family) {
        json_decref(said);
        return NULL;
    }
    bool keyword = i && !i->original && image->keyword.n;
    return object(
        field_bool("sampled", i != NULL), field_int("version", version),
        field_text("back", arena_printf(c->arena, "/images/%lld#sets", (long long)image->id)),
        field_json("state", class_browser_state(c, &f, (uint32_t)image->id, true)),
        field_text("why", why_text(&f, i)), field_bool("any_family", json_array_size(family) > 0),
        field_json("family", family), field_bool("any_said", json_array_size(said) > 0),
        field_json("said", said), field_text("pick_url", keyword ? pick_url(c, image, k) : NULL),
        field_json("pick", pick.n ? data_text(pick) : json_null()),
        field_bool("picked", sv_is(pick, "picked")));
}

static const char *const cell_roles[] = {"candidate", "positive control", "negative control", "gold"};

/* ---- facts ---- */

static void text_term(struct ctx *c, json_t *terms, const char *term, struct sv text)
{
    if (text.n) {
        data_term(terms, term, arena_cstr(c->arena, text));
    }
}

static json_t *origin_json(struct ctx *c, const struct image_row *i)
{
    json_t *terms = json_array();
    data_term(terms, "Role", arena_cstr(c->arena, i->role));
    text_term(c, terms, "Date taken", i->taken_at);
    text_term(c, terms, "Author", i->author);
    text_term(c, terms, "Licence", i->licence);
    text_term(c, terms, "Id at its source", i->source_id);
    text_term(c, terms, "Keyword", i->keyword);
    if (i->idx >= 0) {
        data_term(terms, "Number in its list",
                  arena_printf(c->arena, "%lld", (long long)i->idx));
    }
    return terms;
}

static json_t *file_json(struct ctx *c, const struct source_row *s)
{
    static const char hex[] = "0123456789abcdef";
    json_t *terms = json_array();
    char sha[2 * IMAGE_SHA + 1];
    for (int i = 0; i < IMAGE_SHA; i++) {
        sha[2 * i] = hex[s->sha256[i] >> 4];
        sha[2 * i + 1] = hex[s->sha256[i] & 15];
    }
    sha[2 * IMAGE_SHA] = '\0';
    data_term(terms, "Size", arena_printf(c->arena, "%lld \xc3\x97 %lld pixels, %s bytes, %s",
                                          (long long)s->width, (long long)s->height,
                                          data_count(c->arena, s->bytes), s->type));
    if (s->measured) {
        data_term(terms, "Sharpness", arena_printf(c->arena, "%.1f", s->sharpness));
        data_term(terms, "Brightness", arena_printf(c->arena, "%.3f", s->brightness));
        data_term(terms, "Saturation", arena_printf(c->arena, "%.3f", s->saturation));
        data_term(terms, "Gray", s->gray ? "yes" : "no");
    } else {
        data_term(terms, "Statistics", "not measured: import the file again");
    }
    data_term(terms, "Original file", s->kept);
    data_term(terms, "SHA-256", arena_printf(c->arena, "%s", sha));
    return terms;
}

/* ---- frequencies ---- */

static enum err_code frequencies_json(struct ctx *c, int64_t image, struct sv view, json_t *list)
{
    const struct counted_view *counted = NULL;
    int64_t *classes;
    size_t n;
    enum err_code rc = image_facts_classes(c->db, image, c->arena, &classes, &n, &c->err);
    if (rc == OK && !view_choice_is_default(view)) {
        rc = view_choice_get(c, view, &counted);
    }
    for (size_t i = 0; i < n && rc == OK; i++) {
        struct class_info k;
        struct tally_pair p;
        rc = classes_get(c->db, classes[i], c->arena, &k, &c->err);
        if (rc == OK && image_pair_of(c, counted, image, classes[i], &p)) {
            json_t *f = data_frequency(c->arena, p.selected, p.shown);
            json_object_set_new(f, "class", data_class(c->arena, &k));
            json_object_set_new(f, "role", json_string(cell_roles[p.role & 3]));
            json_array_append_new(list, f);
        }
    }
    view_choice_put(counted);
    return rc;
}

/* ---- grids ---- */

static enum err_code grids_json(struct ctx *c, int64_t image, json_t *list, bool *more)
{
    struct image_grid *g;
    size_t n;
    enum err_code rc =
        image_facts_grids(c->db, image, GRIDS_MOST + 1, c->arena, &g, &n, &c->err);
    *more = rc == OK && n > GRIDS_MOST;
    for (size_t i = 0; rc == OK && i < n && i < GRIDS_MOST; i++) {
        struct tally_grid of = {0};
        tally_read_lock(app_tally(c->app));
        const struct tally_grid *found = tally_grid(app_tally(c->app), g[i].grid);
        of = found ? *found : of;
        tally_read_unlock(app_tally(c->app));
        object_add(list, field_int("id", g[i].grid),
                   field_text("url", arena_printf(c->arena, "/campaigns/" SV_FMT "/grids/%lld",
                                                  SV_ARG(g[i].campaign), (long long)g[i].grid)),
                   field_sv("campaign", g[i].campaign),
                   field_text("campaign_url",
                              arena_printf(c->arena, "/campaigns/" SV_FMT, SV_ARG(g[i].campaign))),
                   field_int("cell", (int)g[i].position + 1),
                   field_text("role", cell_roles[g[i].role & 3]), field_sv("wnid", g[i].wnid),
                   field_text("synset", data_synset(c->arena, g[i].synset, ", ")),
                   field_bool("excluded", g[i].excluded), field_int("answers", of.answers));
    }
    return rc;
}

/* ---- what was said and decided ---- */

static json_t *told_json(struct ctx *c, int64_t event, int64_t at, const char *what, struct sv text,
                         struct sv who, bool person)
{
    char iso[CLOCK_ISO_SIZE];
    return object(
        field_int("event", event), field_sv("at", sv_make(clock_iso(at, iso), (size_t)10)),
        field_text("what", what), field_sv("text", text), field_sv("who", who),
        field_text("who_url",
                   person ? arena_printf(c->arena, "/workers/" SV_FMT, SV_ARG(who)) : NULL));
}

/* Flags and decisions, the newest first: two lists in that order become one. */
static enum err_code history_json(struct ctx *c, int64_t image, json_t *list)
{
    struct flag_note *notes;
    struct image_decided *decided;
    size_t n, m, i = 0, j = 0;
    if (flags_notes(c->db, image, NOTES_MOST, c->arena, &notes, &n, &c->err) != OK ||
        image_facts_decisions(c->db, image, c->arena, &decided, &m, &c->err) != OK) {
        return c->err.code;
    }
    while (i < n || j < m) {
        if (j >= m || (i < n && notes[i].id > decided[j].id)) {
            const char *what = arena_printf(c->arena, "flag: " SV_FMT, SV_ARG(notes[i].kind));
            json_array_append_new(list, told_json(c, notes[i].id, notes[i].at, what, notes[i].note,
                                                  notes[i].pseudonym, true));
            i++;
        } else {
            const char *what = arena_printf(c->arena, "decision: " SV_FMT,
                                            SV_ARG(decided[j].decision));
            json_array_append_new(list, told_json(c, decided[j].id, decided[j].at, what,
                                                  decided[j].reason, decided[j].login, false));
            j++;
        }
    }
    return OK;
}

/* ---- the page ---- */

static json_t *twins_json(struct ctx *c, const int64_t *ids, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        struct image_row image;
        if (images_names(c->db, &ids[i], 1, c->arena, &image, &c->err) != OK) {
            json_decref(list);
            return NULL;
        }
        object_add(list, field_sv("name", image.name),
                   field_text("url", arena_printf(c->arena, "/images/%lld", (long long)ids[i])));
    }
    return list;
}

/* A link that leads out: of http and https alone, whatever a manifest said. */
static json_t *source_url(struct sv url)
{
    return outside_web_link(url) ? data_text(url) : json_null();
}

struct image_page {
    struct image_row image;
    struct class_info k;
    struct source_row source;
    bool has_source, feature_only, more_grids;
    json_t *choice, *frequencies, *grids, *history, *twins, *models, *sets, *tombstone, *objects;
};

static enum err_code load(struct ctx *c, int64_t id, struct sv view, const char *self,
                          struct image_page *p)
{
    int64_t *twins;
    size_t n;
    p->frequencies = json_array();
    p->grids = json_array();
    p->history = json_array();
    if (images_get(c->db, id, c->arena, &p->image, &c->err) != OK ||
        classes_get(c->db, p->image.class_id, c->arena, &p->k, &c->err) != OK ||
        image_facts_source(c->db, id, c->arena, &p->source, &p->has_source, &c->err) != OK ||
        feature_only_has(c->db, id, &p->feature_only, &c->err) != OK ||
        image_facts_twins(c->db, id, c->arena, &twins, &n, &c->err) != OK ||
        (p->choice = view_choice_json(c, view, self, NULL)) == NULL ||
        frequencies_json(c, id, view, p->frequencies) != OK ||
        grids_json(c, id, p->grids, &p->more_grids) != OK ||
        (c->user.role >= ROLE_LEAD && history_json(c, id, p->history) != OK) ||
        (p->twins = twins_json(c, twins, n)) == NULL ||
        (p->tombstone = tombstone_json(c, id)) == NULL ||
        (p->sets = image_said_json(c, &p->image, &p->k, view)) == NULL ||
        (p->objects = c->user.role >= ROLE_LEAD ? image_objects_json(c, id, view) : json_null()) == NULL ||
        (p->models = image_models_json(c, &p->image)) == NULL) {
        return c->err.code;
    }
    return OK;
}

/* Everything of the page but its live part; takes what p has. */
static json_t *page_json(struct ctx *c, int64_t id, const char *self, struct image_page *p)
{
    bool hidden = app_image_hidden(c->app, id);
    const char *view = arena_printf(c->arena, "%s/view", self);
    json_t *image =
        object(field_sv("name", p->image.name), field_text("view_url", p->has_source ? view : NULL),
               field_bool("feature_only", p->feature_only),
               field_json("source_url", json_is_null(p->tombstone) ? source_url(p->image.source_url)
                                                                   : json_null()),
               field_bool("hidden", hidden),
               field_text("reveal_url", arena_printf(c->arena, "%s?reveal=1", view)),
               field_sv("role", p->image.role));
    bool any_grids = json_array_size(p->grids) > 0;
    return object(field_json("tombstone", p->tombstone), field_json("sets", p->sets),
                  field_json("image", image), field_json("class", data_class(c->arena, &p->k)),
                  field_json("origin", origin_json(c, &p->image)),
                  field_json("file", p->has_source ? file_json(c, &p->source) : json_array()),
                  field_json("frequencies", p->frequencies), field_json("grids", p->grids),
                  field_json("history", p->history), field_json("twins", p->twins),
                  field_json("models", p->models), field_json("objects", p->objects), field_json("view_choice", p->choice),
                  field_bool("more_grids", p->more_grids), field_bool("any_grids", any_grids));
}

/* GET /images/:image?view= */
enum err_code page_image(struct ctx *c)
{
    int64_t id;
    struct image_page p = {.choice = NULL};
    struct sv view = view_choice_asked(c);
    if (!sv_i64(c->req->params[0], &id)) {
        return err_rule(&c->err, ERR_NOT_FOUND, "no-image", "There is no such image.");
    }
    const char *self = arena_printf(c->arena, "/images/%lld", (long long)id);
    if (load(c, id, view, self, &p) != OK) {
        json_decref(p.choice);
        json_decref(p.frequencies);
        json_decref(p.grids);
        json_decref(p.history);
        json_decref(p.twins);
        json_decref(p.tombstone);
        json_decref(p.sets);
        json_decref(p.objects);
        return c->err.code;
    }
    json_t *page = page_json(c, id, self, &p);
    json_t *live = data_live("votes,models,review",
                             arena_printf(c->arena, "%s%s", self, view_choice_query(c->arena, view, true)));
    json_object_set_new(live, "form", json_true());
    json_object_set_new(page, "live", live);
    shown_note(c, id, SAW_PAGE);
    return reply_page(c, 200, "images/show", arena_cstr(c->arena, p.image.name), page);
}
