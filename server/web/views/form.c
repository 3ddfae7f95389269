/* form.c - making a vote view and saving a further version of one: a plain form with a
 * preview of what its filters do. Rows in routes.c (all need the role lead); templates/views/form.
 *
 * The form says which version it began from. When somebody saved another one meanwhile, nothing is
 * stored: the page shows theirs beside what was typed, and saving again is then about theirs. */
#include "base/clock.h"
#include "json/object.h"
#include "store/campaigns/campaigns.h"
#include "web/core/form_refused.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/view_choice.h"
#include "web/parts/view_data.h"

enum { CAMPAIGNS_SHOWN = 200, JSON_MOST = 8192, NAMES_MOST = 16384 };

static const char SEED_FIELD[] = "seed-random-votes";

/* The form as it is typed: what of it can be read is in `view`. */
struct draft {
    struct vote_view view;
    int64_t version;          /* newest when the form was made; 0: a new view */
    enum { AS_OF_ALL, AS_OF_NOW, AS_OF_EVENT } as_of;
    struct sv as_of_event;    /* as typed */
    bool chosen[VIEW_RULES];
    struct sv values[VIEW_RULES]; /* as typed */
    struct sv seed;               /* as typed, of the filter that draws */
    const char *error;
    const struct vote_view *theirs; /* what was saved meanwhile; NULL: nothing */
    const struct counted_view *counted; /* the preview; NULL: none */
};

/* ---- showing it ---- */

static bool has_word(struct sv joined, struct sv word)
{
    for (struct sv rest = joined; rest.p && rest.n;) {
        if (sv_eq(sv_cut(&rest, '|'), word)) {
            return true;
        }
    }
    return false;
}

static json_t *kinds_json(const struct draft *d)
{
    json_t *list = json_array();
    for (size_t i = 0; i < VIEW_KINDS; i++) {
        object_add(list, field_text("value", view_kinds[i]),
                   field_bool("checked", has_word(d->view.kinds, sv_of(view_kinds[i]))));
    }
    return list;
}

/* Those that are chosen, and the newest others. */
static json_t *campaigns_json(struct ctx *c, const struct draft *d)
{
    struct campaign *all;
    size_t n;
    if (campaigns_list(c->db, false, c->arena, &all, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        bool checked = has_word(d->view.campaigns, all[i].name);
        if (checked || json_array_size(list) < CAMPAIGNS_SHOWN) {
            object_add(list, field_sv("name", all[i].name), field_sv("title", all[i].title),
                       field_sv("kind", all[i].kind), field_bool("checked", checked));
        }
    }
    return list;
}

/* "0 to 3600 seconds"; a unit that says so itself stands alone. */
static const char *range_text(struct arena *a, const struct view_rule_info *info)
{
    return sv_starts(sv_of(info->unit), "from ")
               ? info->unit
               : arena_printf(a, "%g to %g %s", info->lo, info->hi, info->unit);
}

static json_t *rules_json(struct arena *a, const struct draft *d)
{
    json_t *list = json_array();
    for (size_t i = 0; i < VIEW_RULES; i++) {
        const struct view_rule_info *info = &view_rule_infos[i];
        bool valued = info->unit[0] != '\0';
        const char *usual = arena_printf(a, "%g", info->usual);
        object_add(
            list, field_text("word", info->word), field_text("label", info->label),
            field_bool("valued", valued), field_bool("checked", d->chosen[i]),
            field_json("value", d->values[i].n ? data_text(d->values[i]) : json_string(usual)),
            field_text("range", range_text(a, info)), field_text("warning", info->warning),
            field_bool("seeded", i == RULE_RANDOM_VOTES), field_json("seed", d->seed.n ? data_text(d->seed) : json_string("1")));
    }
    return list;
}

static json_t *preview_json(struct arena *a, const struct counted_view *v)
{
    return v ? object(field_json("effect", view_data_effect(a, &v->view.rules, &v->counts)),
                      field_text("cursor", data_count(a, v->counts.cursor)),
                      field_bool("counts_nothing", v->counts.all.answers == 0))
             : json_null();
}

static const char *form_title(struct arena *a, const struct draft *d)
{
    return d->version ? arena_printf(a, "Change " SV_FMT, SV_ARG(d->view.name)) : "New view";
}

static enum err_code show(struct ctx *c, int status, const struct draft *d)
{
    struct arena *a = c->arena;
    json_t *campaigns = campaigns_json(c, d);
    if (!campaigns) {
        return c->err.code;
    }
    json_t *page =
        object(field_text("heading", form_title(a, d)), field_sv("name", d->view.name),
               field_sv("description", d->view.description), field_bool("is_new", d->version == 0),
               field_text("version", arena_printf(a, "%lld", (long long)d->version)),
               field_json("kinds", kinds_json(d)), field_json("campaigns", campaigns),
               field_json("rules", rules_json(a, d)),
               field_json("as_of", object(field_bool("all", d->as_of == AS_OF_ALL),
                                          field_bool("now", d->as_of == AS_OF_NOW),
                                          field_bool("event", d->as_of == AS_OF_EVENT),
                                          field_sv("number", d->as_of_event))),
               field_text("error", d->error),
               field_json("theirs", d->theirs ? view_data_view(a, d->theirs) : json_null()),
               field_json("preview", preview_json(a, d->counted)),
               field_int("filters_most", VIEW_FILTERS_MOST));
    return reply_page(c, status, "views/form", form_title(a, d), page);
}

/* As it would be typed, and read back as the same number. */
static struct sv value_text(struct arena *a, double value)
{
    double same = 0;
    struct sv text = sv_of(arena_printf(a, "%.15g", value));
    return sv_f64(text, &same) && same == value ? text : sv_of(arena_printf(a, "%.17g", value));
}

/* Fills the form from a view that there is. */
static void from_view(struct arena *a, const struct vote_view *v, struct draft *d)
{
    *d = (struct draft){.view = *v, .version = v->id,
                        .as_of = v->as_of ? AS_OF_EVENT : AS_OF_ALL};
    if (v->as_of) {
        d->as_of_event = sv_of(arena_printf(a, "%lld", (long long)v->as_of));
    }
    for (size_t i = 0; i < v->rules.n; i++) {
        const struct view_filter *f = &v->rules.filters[i];
        d->chosen[f->rule] = true;
        d->values[f->rule] = value_text(a, f->value);
        d->seed = f->rule == RULE_RANDOM_VOTES ? sv_of(arena_printf(a, "%llu", (unsigned long long)f->seed)) : d->seed;
    }
}

/* GET /views/new?copy= */
enum err_code page_view_new(struct ctx *c)
{
    struct draft d = {.view = {.kinds = SV("main|top-up")}};
    struct sv copy = request_query(c->req, "copy");
    if (copy.n) {
        struct vote_view v;
        if (views_find(c->db, copy, c->arena, &v, &c->err) != OK) {
            return c->err.code;
        }
        from_view(c->arena, &v, &d);
        d.version = 0;
        d.view.name = SV("");
    }
    return show(c, 200, &d);
}

static enum err_code refuse_default(struct ctx *c, struct sv name)
{
    return view_choice_is_default(name)
               ? err_rule(&c->err, ERR_CONFLICT, "view-default",
                          "The default view cannot be changed, so that its numbers stay the same everywhere. "
                          "Make a new view instead.")
               : OK;
}

/* GET /views/:view/edit */
enum err_code page_view_edit(struct ctx *c)
{
    struct vote_view v;
    struct draft d;
    if (refuse_default(c, c->req->params[0]) != OK ||
        views_find(c->db, c->req->params[0], c->arena, &v, &c->err) != OK) {
        return c->err.code;
    }
    from_view(c->arena, &v, &d);
    return show(c, 200, &d);
}

/* ---- reading it ---- */

/* The values of a field that may come often, joined by "|". Which of them there are is
 * store/votes/views.c's to say. */
static struct sv typed_words(struct ctx *c, const char *field)
{
    struct str s;
    str_init(&s, NAMES_MOST);
    for (size_t i = 0; i < c->form.n; i++) {
        const struct form_field *f = &c->form.fields[i];
        if (sv_is(f->name, field)) {
            str_addz(&s, s.n ? "|" : "");
            str_addsv(&s, f->value);
        }
    }
    struct sv words = arena_sv(c->arena, str_sv(&s));
    str_release(&s);
    return words;
}

static void typed_rules(struct ctx *c, struct draft *d)
{
    for (size_t i = 0; i < VIEW_RULES; i++) {
        const char *word = view_rule_infos[i].word;
        d->values[i] = sv_trim(form_get(&c->form, arena_printf(c->arena, "value-%s", word)));
    }
    d->seed = sv_trim(form_get(&c->form, SEED_FIELD));
    for (size_t k = 0; k < c->form.n; k++) {
        for (size_t i = 0; i < VIEW_RULES && sv_is(c->form.fields[k].name, "rule"); i++) {
            d->chosen[i] = d->chosen[i] ||
                           sv_is(c->form.fields[k].value, view_rule_infos[i].word);
        }
    }
}

static void typed(struct ctx *c, struct draft *d)
{
    struct sv as_of = form_get(&c->form, "as_of");
    *d = (struct draft){
        .view = {.name = sv_trim(form_get(&c->form, "name")),
                 .description = sv_trim(form_get(&c->form, "description")),
                 .kinds = typed_words(c, "kind"),
                 .campaigns = typed_words(c, "campaign")},
        .as_of = sv_is(as_of, "now") ? AS_OF_NOW : sv_is(as_of, "event") ? AS_OF_EVENT : AS_OF_ALL,
        .as_of_event = sv_trim(form_get(&c->form, "as_of_event")),
    };
    sv_i64(form_get(&c->form, "version"), &d->version);
    typed_rules(c, d);
}

/* The seed of the draw, if one was typed. */
static enum err_code add_seed(struct ctx *c, const struct draft *d, struct str *s)
{
    int64_t seed;
    if (d->seed.n == 0) {
        return OK;
    }
    if (!sv_i64(d->seed, &seed) || seed < 1 || seed > VIEW_SEED_MOST) {
        return form_wrong(c, SEED_FIELD, "The seed of the draw must be a whole number from 1 to %lld. Nothing was stored.",
                          (long long)VIEW_SEED_MOST);
    }
    str_printf(s, ", \"seed\": %lld", (long long)seed);
    return OK;
}

/* The chosen filters as JSON, which has the one reader that says what is wrong with them. */
static enum err_code read_rules(struct ctx *c, struct draft *d)
{
    struct str s;
    enum err_code rc = OK;
    str_init(&s, JSON_MOST);
    str_addc(&s, '[');
    for (size_t i = 0; i < VIEW_RULES && rc == OK; i++) {
        const struct view_rule_info *info = &view_rule_infos[i];
        double value;
        if (!d->chosen[i]) {
            continue;
        }
        str_printf(&s, "%s{\"rule\": \"%s\"", s.n > 1 ? ", " : "", info->word);
        if (info->unit[0] && !sv_f64(d->values[i], &value)) {
            rc = err_rule(&c->err, ERR_INPUT, "view-filter",
                          "%s needs a number from %g to %g. Nothing was stored.", info->label,
                          info->lo, info->hi);
            form_wrong_field(c, arena_printf(c->arena, "value-%s", info->word));
        } else if (info->unit[0]) {
            str_printf(&s, ", \"value\": %.17g", value);
        }
        rc = rc == OK && i == RULE_RANDOM_VOTES ? add_seed(c, d, &s) : rc;
        str_addc(&s, '}');
    }
    str_addc(&s, ']');
    rc = rc == OK ? view_rules_parse(str_sv(&s), &d->view.rules, &c->err) : rc;
    str_release(&s);
    return rc;
}

static enum err_code read_as_of(struct ctx *c, struct draft *d)
{
    d->view.as_of = 0;
    if (d->as_of == AS_OF_EVENT &&
        (!sv_i64(d->as_of_event, &d->view.as_of) || d->view.as_of < 1)) {
        return err_rule(&c->err, ERR_INPUT, "view-as-of",
                        "\"As of\" needs the number of an event, such as those in the history's "
                        "JSON, or \"now\". Nothing was stored.");
    }
    return OK;
}

/* ---- preview and saving ---- */

/* Helper thread: the preview. What "now" means is fixed by it, so that what is saved is what was
 * seen. */
static enum err_code preview(struct ctx *c, struct draft *d)
{
    if (view_choice_try(c, &d->view, &d->counted) != OK) {
        return c->err.code;
    }
    if (d->as_of == AS_OF_NOW) {
        d->as_of = AS_OF_EVENT;
        d->as_of_event = sv_of(arena_printf(c->arena, "%lld",
                                            (long long)d->counted->counts.cursor));
    }
    enum err_code rc = show(c, 200, d);
    view_choice_put(d->counted);
    return rc;
}

/* POST /views, first step: reads the form; answers by itself unless the view is to be saved. */
enum err_code page_view_check(struct ctx *c)
{
    struct draft *d = arena_calloc(c->arena, 1, sizeof *d);
    typed(c, d);
    if (refuse_default(c, d->view.name) != OK) {
        return c->err.code;
    }
    if (read_rules(c, d) != OK || read_as_of(c, d) != OK) {
        return c->err.code;
    }
    if (sv_is(form_get(&c->form, "do"), "preview")) {
        return preview(c, d);
    }
    c->state = d;
    return OK;
}

/* Nothing is stored. A form that began from an older version goes on from what the other one saved; a
 * new view must get another name, so that nobody changes a view without having seen it. */
static enum err_code show_conflict(struct ctx *c, struct draft *d, const struct vote_view *theirs)
{
    if (d->version == 0) {
        return err_rule(&c->err, ERR_CONFLICT, "view-name",
                        "There is already a view with this name. Nothing was stored. Choose another name, or "
                        "change that view on its own page.");
    }
    d->theirs = theirs;
    d->version = theirs->id;
    d->error = "Somebody else has saved another version. Your changes were not stored. Look at theirs; if you save "
               "again, yours becomes the next version.";
    return show(c, 409, d);
}

/* POST /views, on the writer thread: name, description, kind (often), campaign (often), rule (often),
 * value-RULE, as_of, as_of_event, version */
enum err_code page_view_save(struct ctx *c)
{
    struct draft as_typed = *(const struct draft *)c->state, *d = &as_typed; /* may run twice */
    struct vote_view newest;
    int64_t id = 0;
    enum err_code rc = views_find(c->db, d->view.name, c->arena, &newest, &c->err);
    if (rc == OK && newest.id != d->version) {
        return show_conflict(c, d, &newest);
    }
    if (rc != OK && rc != ERR_NOT_FOUND) {
        return rc;
    }
    err_clear(&c->err);
    if (d->as_of == AS_OF_NOW) {
        struct tally_totals totals;
        tally_totals(app_tally(c->app), &totals); /* this thread folds: no lock */
        d->view.as_of = totals.cursor;
    }
    rc = views_create(c->db, &d->view, c->user.account, clock_wall_ms(), &id, &c->err);
    return rc == OK ? reply_did(c, arena_printf(c->arena, "/views/" SV_FMT, SV_ARG(d->view.name)),
                                NULL, "The view is saved.")
                    : rc;
}
