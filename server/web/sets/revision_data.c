/* revision_data.c - a revision as page data. */
#include "web/sets/revision_data.h"

#include "json/object.h"
#include "web/core/page_data.h"
#include "web/parts/people_data.h"
#include "web/parts/set_data.h"
#include "web/parts/set_tree.h"

static const char *const removed_labels[REMOVED_REASONS] = {
    [REMOVED_BLACKLISTED] = "on the blacklist",
    [REMOVED_FEW_ASSIGNMENTS] = "too few answers",
    [REMOVED_BELOW_THRESHOLD] = "frequency below the threshold",
    [REMOVED_NEAR_DUPLICATE] = "near-duplicate of another image",
    [REMOVED_UNREVIEWED] = "near neighbours not reviewed",
    [REMOVED_UNSEARCHED] = "not searched for near-duplicates",
    [REMOVED_LIMIT] = "enough of that uploader or event",
    [REMOVED_NOT_PICKED] = "not picked, or pruned",
    [REMOVED_NOT_DRAWN] = "still fine, but not drawn: fewer are needed there, or others are better",
    [REMOVED_TAKEDOWN] = "hidden or taken down",
    [REMOVED_UNKNOWN] = "the history does not say why",
    [REMOVED_MOVED] = "not drawn: votes moved it to another frequency bin",
};

const char *revision_removed_label(enum revision_removed reason)
{
    return removed_labels[reason];
}

/* ---- reading ---- */

static enum err_code read_history(struct ctx *c, struct revision_about *out)
{
    struct set_row set;
    struct set_history_row *rows;
    size_t n;
    if (sets_find(c->db, out->r.set, c->arena, &set, &c->err) != OK ||
        set_history_make(c->db, &set, c->arena, &rows, &n, &c->err) != OK) {
        return c->err.code;
    }
    for (size_t i = 0; i < n; i++) {
        if (rows[i].revision.id == out->r.id) {
            out->history = rows[i];
            return OK;
        }
    }
    return err_rule(&c->err, ERR_NOT_FOUND, "set", "There is no such revision.");
}

static const char *names_text(struct ctx *c, const struct sv *names, size_t n)
{
    const char *text = NULL;
    for (size_t i = 0; i < n; i++) {
        text = text ? arena_printf(c->arena, "%s, " SV_FMT, text, SV_ARG(names[i]))
                    : arena_cstr(c->arena, names[i]);
    }
    return text;
}

/* A sealed revision's list is walked; that of others is not, for their manifests say it. */
static enum err_code read_seal(struct ctx *c, struct revision_about *out)
{
    const struct revision_row *r = &out->r;
    struct sv *names;
    struct seal_shared *shared;
    size_t n;
    if (seals_openings(c->db, r->id, c->arena, &out->openings, &out->n_openings, &c->err) != OK ||
        seals_copies(c->db, r->id, c->arena, &names, &n, &c->err) != OK) {
        return c->err.code;
    }
    out->copies = names_text(c, names, n);
    if (r->state != REVISION_SEALED || sv_is(r->role, "original")) {
        return OK;
    }
    if (seals_shared(c->db, r->list, r->id, INT64_MAX, c->arena, &shared, &n, &c->err) != OK) {
        return c->err.code;
    }
    names = arena_calloc(c->arena, n + 1, sizeof *names);
    for (size_t i = 0; i < n; i++) {
        names[i] = sv_of(arena_printf(c->arena, SV_FMT " (%s of its images)", SV_ARG(shared[i].name),
                                      data_count(c->arena, shared[i].images)));
    }
    out->elsewhere = names_text(c, names, n);
    return OK;
}

enum err_code revision_about_read(struct ctx *c, const struct revision_row *r,
                                  struct revision_about *out)
{
    *out = (struct revision_about){.r = *r};
    if (read_history(c, out) != OK ||
        revision_facts_get(c->db, r->id, c->arena, &out->facts, &c->err) != OK ||
        (r->parent && revisions_get(c->db, r->parent, c->arena, &out->parent, &c->err) != OK) ||
        (out->facts.vote_view && views_version(c->db, out->facts.vote_view, SV(""), c->arena,
                                               &out->view, &c->err) != OK)) {
        return c->err.code;
    }
    if (read_seal(c, out) != OK) {
        return c->err.code;
    }
    out->said = set_facts_json(out->facts.facts);
    return OK;
}

void revision_about_release(struct revision_about *about)
{
    json_decref(about->said);
    about->said = NULL;
}

static bool is_original(const struct revision_about *about)
{
    return sv_is(about->r.role, "original");
}

/* ---- tiles ---- */

static void change_tile(struct arena *a, json_t *tiles, const struct revision_about *about)
{
    const struct set_history_row *h = &about->history;
    if (about->r.parent) {
        data_tile(tiles, "Changed classes", data_count(a, (int64_t)h->changed),
                  arena_printf(a, "added: %s, removed: %s", data_count(a, (int64_t)h->added),
                               data_count(a, (int64_t)h->removed)));
    }
}

static void set_danger(json_t *tiles)
{
    json_t *tile = json_array_get(tiles, json_array_size(tiles) - 1);
    json_object_set_new(tile, "tone", object(field_bool("danger", true)));
}

json_t *revision_tiles(struct arena *a, const struct revision_about *about)
{
    const struct set_history_row *h = &about->history;
    json_t *tiles = json_array();
    data_tile(tiles, "Images", data_count(a, about->r.images), NULL);
    if (!is_original(about)) {
        data_tile(tiles, "Classes reviewed", data_count(a, (int64_t)h->reviewed),
                  arena_printf(a, "of %s, %s carried over, %s problematic",
                               data_count(a, (int64_t)h->classes),
                               data_count(a, (int64_t)h->carried),
                               data_count(a, (int64_t)h->problematic)));
        data_tile(tiles, "Incomplete classes", data_count(a, (int64_t)h->classes_short),
                  arena_printf(a, "%s images missing", data_count(a, (int64_t)h->missing)));
        if (h->classes_short) {
            set_danger(tiles);
        }
        data_tile(tiles, "On the blacklist now", data_count(a, (int64_t)h->blacklisted),
                  "the next sample removes them");
        if (h->blacklisted) {
            set_danger(tiles);
        }
    }
    change_tile(a, tiles, about);
    return tiles;
}

/* ---- facts ---- */

static void add_sampling(struct arena *a, json_t *terms, const struct revision_about *about)
{
    const struct revision_facts *f = &about->facts;
    if (!f->sampled) {
        return;
    }
    data_term(terms, "Seed", arena_printf(a, "%lld", (long long)f->seed));
    data_term(terms, "As of",
              arena_printf(a, "event %s, image %s", data_count(a, f->as_of),
                           data_count(a, f->newest_image)));
    if (about->view.id) {
        data_term(terms, "Votes of the view",
                  arena_printf(a, SV_FMT ", version of event %s", SV_ARG(about->view.name),
                               data_count(a, about->view.id)));
        for (size_t i = 0; i < about->view.rules.n; i++) {
            data_term(terms, "Filter", view_filter_text(&about->view.rules.filters[i], a));
        }
    }
}

json_t *revision_terms(struct arena *a, const struct revision_about *about, const json_t *revision)
{
    const struct revision_row *r = &about->r;
    json_t *terms = json_array();
    if (about->history.revision.published.n) {
        data_term(terms, "Published as", arena_cstr(a, about->history.revision.published));
    }
    data_term(terms, "Chosen by", arena_cstr(a, r->strategy));
    data_term(terms, "Made from",
              about->parent.id ? set_title(a, &about->parent) : "the pool alone");
    data_term(terms, "Made", json_string_value(json_object_get(revision, "at")));
    data_term(terms, "By", json_string_value(json_object_get(revision, "by")));
    add_sampling(a, terms, about);
    data_term(terms, "Average frequency",
              "mean over its images that have answers; 95 % interval from leaving out groups of workers "
              "(delete-a-group jackknife), or from votes clustered by worker where that gives no result");
    if (about->facts.valid >= 0) {
        data_term(terms, "Valid",
                  about->facts.valid ? "yes: every class is complete"
                                     : "no: a class is incomplete");
    }
    if (r->state_reason.n) {
        data_term(terms, "State",
                  arena_printf(a, "%s since %s: " SV_FMT, revision_state_word(r->state),
                               people_minute(a, r->state_at), SV_ARG(r->state_reason)));
    }
    if (about->copies) {
        data_term(terms, "Same images", about->copies);
    }
    for (size_t i = 0; i < about->n_openings; i++) {
        data_term(terms, "Unsealed early", seal_opening_text(a, &about->openings[i]));
    }
    if (about->elsewhere) {
        data_term(terms, "Also in open sets", about->elsewhere);
    }
    data_term(terms, "Digest (SHA-256)", json_string_value(json_object_get(revision, "digest")));
    return terms;
}

/* A member's value as people read it: text as it is, the rest as JSON. */
static const char *value_text(struct arena *a, const json_t *value)
{
    if (json_is_string(value)) {
        return json_string_value(value);
    }
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
    const char *kept = text ? arena_strdup(a, text) : "";
    free(text);
    return kept;
}

static const char *spaced(struct arena *a, const char *name)
{
    char *text = arena_strdup(a, name);
    for (char *at = text; *at; at++) {
        *at = *at == '_' || *at == '-' ? ' ' : *at;
    }
    return text;
}

/* The members of an object, which a revision keeps as text. */
static json_t *members(struct arena *a, struct sv text)
{
    json_t *terms = json_array(), *all = set_facts_json(text), *value;
    const char *name;
    json_object_foreach(all, name, value)
    {
        data_term(terms, spaced(a, name), value_text(a, value));
    }
    json_decref(all);
    return terms;
}

json_t *revision_parameters(struct arena *a, struct sv parameters)
{
    return members(a, parameters);
}

json_t *revision_inputs(struct arena *a, const struct revision_about *about)
{
    return members(a, about->facts.inputs);
}

/* ---- against the parent ---- */

/* "answers 10 instead of 8; ..." of what was sampled otherwise than the parent; empty where nothing was. */
static const char *changes_text(struct arena *a, const json_t *said)
{
    const char *text = "";
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(said, "changes"), i, one)
    {
        const char *name = json_string_value(json_object_get(one, "name"));
        const char *was = json_string_value(json_object_get(one, "was"));
        const char *is = json_string_value(json_object_get(one, "is"));
        if (name && was && is) {
            text = arena_printf(a, "%s%s%s %s instead of %s", text, *text ? "; " : "", name, is, was);
        }
    }
    return text;
}

json_t *revision_removals(struct arena *a, const struct revision_about *about)
{
    const struct revision_facts *f = &about->facts;
    size_t counts[REMOVED_REASONS] = {0};
    if (!about->r.parent) {
        return json_null();
    }
    for (size_t i = 0; i < f->n_removals; i++) {
        counts[f->removals[i].reason]++;
    }
    json_t *rows = json_array();
    for (int i = 0; i < REMOVED_REASONS; i++) {
        if (counts[i]) {
            object_add(rows, field_text("reason", revision_removed_words[i]),
                       field_text("label", removed_labels[i]),
                       field_text("count", data_count(a, (int64_t)counts[i])));
        }
    }
    const char *diff = arena_printf(a, "/sets/" SV_FMT "/diff?a=%s&b=%s", SV_ARG(about->r.set),
                                    set_title(a, &about->parent), set_title(a, &about->r));
    const char *changes = changes_text(a, about->said);
    return object(field_text("changes", changes), field_bool("any_changes", *changes != '\0'),
                  field_json("rows", rows), field_bool("any", f->n_removals > 0),
                  field_text("diff_url", diff), field_text("parent", set_title(a, &about->parent)),
                  field_text("parent_url", set_url(a, &about->parent)),
                  field_text("added", data_count(a, (int64_t)about->history.added)),
                  field_text("removed", data_count(a, (int64_t)about->history.removed)));
}

json_t *revision_short(struct ctx *c, const struct revision_about *about)
{
    json_t *list = json_array();
    for (size_t i = 0; i < about->history.classes_short && !is_original(about); i++) {
        struct sv wnid = about->history.short_classes[i];
        object_add(list, field_sv("wnid", wnid), field_text("name", data_class_called(c, wnid)),
                   field_text("url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(wnid))));
    }
    return list;
}

/* ---- what can be done ---- */

static void add_link(json_t *list, const char *label, const char *url, const char *hint)
{
    object_add(list, field_text("label", label), field_text("url", url), field_text("hint", hint));
}

json_t *revision_links(struct arena *a, const struct revision_about *about)
{
    const char *url = set_url(a, &about->r);
    json_t *list = json_array();
    if (!is_original(about)) {
        add_link(list, "Final review", arena_printf(a, "%s/review", url),
                 "Class by class: is every image what it should be?");
    }
    add_link(list, "Audit", arena_printf(a, "%s/audit", url),
             "What is known today to be wrong with it");
    if (!is_original(about)) {
        add_link(list, "What differs", arena_printf(a, "%s/differences", url),
                 "Statistics of its images compared with the originals', without models");
        if (set_scoreable(&about->r)) {
            add_link(list, "Can a model tell?", arena_printf(a, "%s/discriminator", url),
                     "How well a linear model tells its images from originals");
        }
        add_link(list, "Which is the new one?", arena_printf(a, "%s/blind", url),
                 "Two rows of images, of the set and of originals: can you tell?");
        add_link(list, "Matching bias", arena_printf(a, "%s/bias", url),
                 "How much harder it is because frequencies are noisy");
    }
    return list;
}

/* "1 class is", "3 classes are" */
static const char *classes_are(struct arena *a, size_t n)
{
    return n == 1 ? "1 class is" : arena_printf(a, "%s classes are", data_count(a, (int64_t)n));
}

/* "1 image", "3 images" */
static const char *images_text(struct arena *a, size_t n)
{
    return n == 1 ? "1 image" : arena_printf(a, "%s images", data_count(a, (int64_t)n));
}

static void warn(json_t *list, const char *text)
{
    object_add(list, field_text("text", text));
}

/* What speaks against calling it final today. */
static json_t *warnings_json(struct arena *a, const struct revision_about *about)
{
    const struct set_history_row *h = &about->history;
    json_t *list = json_array();
    if (about->r.sealed_by.n) {
        warn(list, arena_printf(a,
                                SV_FMT " has the same images and is sealed: this unseals it early too, and reports "
                                       "will say so.",
                                SV_ARG(about->r.sealed_by)));
    }
    if (h->classes_short) {
        warn(list, arena_printf(a, "%s incomplete: %s missing.", classes_are(a, h->classes_short),
                                images_text(a, h->missing)));
    }
    if (h->reviewed < h->classes) {
        warn(list,
             arena_printf(a, "%s of %s classes are reviewed.", data_count(a, (int64_t)h->reviewed),
                          data_count(a, (int64_t)h->classes)));
    }
    if (h->problematic) {
        warn(list, arena_printf(a, "%s marked as problematic.", classes_are(a, h->problematic)));
    }
    if (h->blacklisted) {
        warn(list,
             arena_printf(a, "On the blacklist now: %s. The next sample replaces them.",
                          images_text(a, h->blacklisted)));
    }
    return list;
}

static void add_step(struct arena *a, json_t *list, const struct revision_about *about,
                     enum revision_state state, const char *label, const char *hint, bool primary)
{
    json_t *warnings = primary ? warnings_json(a, about) : json_array();
    object_add(list, field_text("state", revision_state_word(state)), field_text("label", label),
               field_text("hint", hint), field_bool("primary", primary),
               field_bool("any_warnings", json_array_size(warnings) > 0),
               field_json("warnings", warnings));
}

json_t *revision_steps(struct arena *a, const struct revision_about *about)
{
    json_t *list = json_array();
    enum revision_state now = about->r.state;
    bool draft = about->parent.id && about->parent.state == REVISION_SEALED &&
                 about->parent.image_set == about->r.image_set;
    if (now < REVISION_FROZEN) {
        add_step(a, list, about, REVISION_FROZEN, "Freeze",
                 draft ? arena_printf(a, "Mark as final. Models can then be scored on it. The drafts that it "
                                         "was made from, such as %s, are unsealed with it.",
                                      set_title(a, &about->parent))
                       : "Mark as final. Models can then be scored on it.",
                 true);
    }
    if (now == REVISION_FROZEN) {
        add_step(a, list, about, REVISION_RELEASED, "Release",
                 "Mark as published. This cannot be undone.", true);
    }
    if (now == REVISION_SEALED) {
        add_step(a, list, about, REVISION_UNSEALED, "Unseal early",
                 "Models can be scored on it although it is not final. Reports and exports will show "
                 "that, with your reason.",
                 false);
    }
    return list;
}
