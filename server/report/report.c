/* report.c - what a report is about: as of which event, of which revisions, models and versions, asked now or pinned by a
 * report that was made before; then its parts, its page, its manifest. */
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json/object.h"
#include "live/votes/view_ask.h"
#include "report/plan.h"
#include "report/run.h"
#include "store/operate/health.h"
#include "view/data.h"

static void tell(const struct report_run *r, const char *what, uint64_t done, uint64_t total)
{
    if (r->ask->progress) {
        r->ask->progress(r->ask->arg, what, done, total);
    }
}

/* ---- what was pinned ---- */

static const json_t *used_of(const struct report_run *r, const char *name)
{
    return json_object_get(json_object_get(r->ask->pinned, "used"), name);
}

static struct sv text_of(const json_t *v, struct sv otherwise)
{
    return json_is_string(v) ? sv_make(json_string_value(v), json_string_length(v)) : otherwise;
}

static enum err_code read_moment(struct report_run *r)
{
    enum err_code rc = health_moment(r->db, &r->event, &r->schema, r->err);
    const json_t *event = json_object_get(r->ask->pinned, "as_of_event"), *schema = json_object_get(r->ask->pinned, "schema");
    r->tool = "holdout " HOLDOUT_VERSION;
    if (rc == OK && r->ask->pinned) {
        if (json_integer_value(event) > r->event) {
            return err_rule(r->err, ERR_CONFLICT, "report-event", "The report is as of event %lld, the project has %lld: it is not of this project.",
                            (long long)json_integer_value(event), (long long)r->event);
        }
        r->event = json_integer_value(event);
        r->schema = json_integer_value(schema);
        r->tool = arena_cstr(r->a, text_of(json_object_get(r->ask->pinned, "tool"), sv_of(r->tool)));
    }
    return rc;
}

/* ---- votes ---- */

static enum err_code find_view(struct report_run *r)
{
    const json_t *version = used_of(r, "view_version");
    return version ? views_version(r->db, json_integer_value(version), r->s.view, r->a, &r->view, r->err)
                   : views_find(r->db, r->s.view, r->a, &r->view, r->err);
}

static enum err_code count_votes(struct report_run *r)
{
    tell(r, "votes", 0, 1);
    enum err_code rc = view_count_once(r->db, &r->view, r->event, r->a, &r->votes, r->err);
    r->has_votes = rc == OK;
    return rc;
}

/* ---- texts ---- */

const char *report_title(struct report_run *r, const struct revision_row *v)
{
    return arena_printf(r->a, SV_FMT "/%lld", SV_ARG(v->set), (long long)v->number);
}

const char *report_number(struct report_run *r, double v, int digits)
{
    return isfinite(v) ? data_minus(r->a, arena_printf(r->a, "%.*f", digits, v)) : "\xe2\x80\x93";
}

/* ---- models ---- */

static const struct model_row *model_named(const struct model_row *list, size_t n, struct sv name)
{
    size_t i = 0;
    while (i < n && !sv_eq(list[i].name, name)) {
        i++;
    }
    return i < n ? &list[i] : NULL;
}

static enum err_code keep(struct report_run *r, const struct model_row *all, size_t n, struct sv name)
{
    const struct model_row *m = model_named(all, n, name);
    if (!m) {
        return err_rule(r->err, ERR_NOT_FOUND, "model", "There is no model " SV_FMT ".", SV_ARG(name));
    }
    r->models[r->n_models++] = *m;
    return OK;
}

/* Of those asked for (all, when none is), the ones that have predicted all of both sets. */
static enum err_code choose_models(struct report_run *r, const struct model_row *all, size_t n, const struct report_part *p)
{
    struct pair_table table;
    struct model_row *asked = arena_calloc(r->a, n + 1, sizeof *asked);
    size_t n_asked = 0;
    for (size_t i = 0; i < r->s.models.n; i++) {
        if (!model_named(all, n, r->s.models.items[i])) {
            return keep(r, all, n, r->s.models.items[i]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (r->s.models.n == 0 || analysis_has(&r->s.models, all[i].name)) {
            asked[n_asked++] = all[i];
        }
    }
    const int top = analysis_has(&r->s.accuracies, SV("top-1")) ? 1 : 5;
    pair_table_make(&p->original, &p->fresh, asked, n_asked, (const int[]){top, top}, r->level, r->a, &table);
    for (size_t i = 0; i < table.n_left; i++) {
        object_add(r->left_out, field_sv("model", table.left[i].model->name), field_text("reason", table.left[i].why));
    }
    for (size_t i = 0; i < n_asked; i++) {
        size_t at = 0;
        while (at < table.n_left && table.left[at].model != &asked[i]) {
            at++;
        }
        if (at == table.n_left) {
            r->models[r->n_models++] = asked[i];
        }
    }
    return r->n_models ? OK : err_rule(r->err, ERR_INPUT, "report-empty", "No model has predicted all images of both sets, so there is nothing to report.");
}

static enum err_code read_models(struct report_run *r, const struct report_part *p)
{
    struct model_row *all;
    size_t n = 0;
    const json_t *used = used_of(r, "models"), *left = used_of(r, "left_out");
    enum err_code rc = models_list(r->db, false, r->a, &all, &n, r->err);
    if (rc != OK) {
        return rc;
    }
    r->models = arena_calloc(r->a, n + json_array_size(used) + 1, sizeof *r->models);
    if (!r->ask->pinned) {
        return choose_models(r, all, n, p);
    }
    for (size_t i = 0; i < json_array_size(used) && rc == OK; i++) {
        rc = keep(r, all, n, text_of(json_array_get(used, i), SV("")));
    }
    for (size_t i = 0; i < json_array_size(left); i++) {
        json_array_append_new(r->left_out, json_deep_copy(json_array_get(left, i)));
    }
    return rc;
}

/* ---- parts ---- */

static enum err_code read_sets(struct report_run *r, struct report_part *p)
{
    struct sv original = text_of(used_of(r, "original"), r->s.original), fresh = text_of(used_of(r, "new"), r->s.fresh);
    enum err_code rc = scored_set_read(r->scores, r->db, original, &p->subset, r->a, &p->original, r->err);
    return rc == OK ? scored_set_read(r->scores, r->db, fresh, &p->subset, r->a, &p->fresh, r->err) : rc;
}

static const char *part_title(struct report_run *r, const struct report_part *p)
{
    bool all = p->subset.name.n == 0, own = label_pick_is_set(&p->subset.labels);
    const char *images = all ? "all images" : p->subset.label;
    return own ? arena_printf(r->a, "Images: %s", images) : arena_printf(r->a, "Images: %s; right: %s", images, p->subset.labels.label);
}

/* Of a subset that the plan names, the version that there was when it was registered; of others the newest. */
static int64_t named_until(struct report_run *r, struct sv subset)
{
    struct analysis planned;
    struct err none = {0};
    bool of_plan = r->plan.id && plan_analysis(&r->plan, r->a, &planned, &none) == OK && analysis_has(&planned.subsets, subset);
    return of_plan && !r->ask->pinned ? r->plan.id : r->event;
}

static enum err_code make_part(struct report_run *r, size_t number, struct sv subset, struct sv labels)
{
    struct report_part p = {.number = number, .prefix = number ? arena_printf(r->a, "part-%zu-", number + 1) : ""};
    struct sv pinned = text_of(json_array_get(used_of(r, "labels"), number), labels);
    const struct subset_when when = {.event = r->event, .named = named_until(r, subset)};
    subset = text_of(json_array_get(used_of(r, "subsets"), number), subset);
    enum err_code rc = subset_labelled(r->db, &when, sv_is(subset, "all") ? SV("") : subset, pinned, r->a, &p.subset, r->err);
    rc = rc == OK ? read_sets(r, &p) : rc;
    rc = rc == OK && number == 0 ? read_models(r, &p) : rc;
    if (rc != OK) {
        return rc;
    }
    r->original = p.original.r;
    r->fresh = p.fresh.r;
    p.tiles = json_array();
    p.blocks = json_array();
    json_array_append_new(r->labels, label_pick_is_set(&p.subset.labels) ? json_string("set")
                                                                        : json_stringn(p.subset.labels.name.p, p.subset.labels.name.n));
    json_array_append_new(r->subsets, p.subset.name.n ? json_stringn(p.subset.name.p, p.subset.name.n) : json_string("all"));
    rc = report_part_make(r, &p);
    object_add(r->parts, field_text("id", arena_printf(r->a, "part-%zu", number + 1)), field_text("title", part_title(r, &p)),
               field_json("tiles", p.tiles), field_json("blocks", p.blocks));
    return rc;
}

static enum err_code make_parts(struct report_run *r)
{
    size_t n = 0, of = r->s.subsets.n * r->s.labels.n;
    enum err_code rc = OK;
    for (size_t i = 0; i < r->s.subsets.n && rc == OK; i++) {
        for (size_t k = 0; k < r->s.labels.n && rc == OK; k++) {
            tell(r, "parts", n, of);
            rc = make_part(r, n++, r->s.subsets.items[i], r->s.labels.items[k]);
        }
    }
    return rc;
}

/* ---- all of it ---- */

static enum err_code make_all(struct report_run *r)
{
    enum err_code rc = read_moment(r);
    rc = rc == OK && r->ask->plan.n ? plans_find(r->db, r->ask->plan, r->a, &r->plan, r->err) : rc;
    rc = rc == OK ? find_view(r) : rc;
    rc = rc == OK && analysis_does(&r->s, ANALYSIS_BINS) ? count_votes(r) : rc;
    rc = rc == OK ? make_parts(r) : rc;
    rc = rc == OK ? report_deviations(r) : rc;
    rc = rc == OK ? report_page(r) : rc;
    return rc == OK ? report_manifest(r) : rc;
}

static int by_name(const void *a, const void *b)
{
    const struct report_file *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static void give(const struct report_run *r, struct report *out)
{
    *out = (struct report){.files = r->files.items,
                           .n = r->files.n,
                           .deviations = json_array_size(r->deviations),
                           .n_tables = r->n_tables,
                           .n_charts = r->n_charts};
    qsort(out->files, out->n, sizeof *out->files, by_name);
}

enum err_code report_make(struct db *db, const struct report_ask *ask, struct arena *a, struct report *out, struct err *err)
{
    struct report_run r = {.ask = ask, .db = db, .a = a, .err = err, .s = ask->analysis, .level = score_level_named(ask->analysis.level)};
    enum err_code rc = analysis_check(&ask->analysis, "", err);
    if (rc != OK) {
        return rc;
    }
    r.scores = model_scores_new();
    r.left_out = json_array();
    r.labels = json_array();
    r.subsets = json_array();
    r.deviations = json_array();
    r.parts = json_array();
    rc = db_snapshot(db, err);
    if (rc == OK) {
        rc = make_all(&r);
        db_snapshot_end(db);
    }
    if (rc == OK) {
        give(&r, out);
    }
    if (r.has_votes) {
        view_counts_release(&r.votes);
    }
    model_scores_free(r.scores);
    tally_free(r.tally);
    json_decref(r.left_out);
    json_decref(r.labels);
    json_decref(r.subsets);
    json_decref(r.deviations);
    json_decref(r.parts);
    return rc;
}
