/* sample_data.c - plans as data. */
#include "web/sets/sample_data.h"

#include "json/object.h"
#include "web/core/page_data.h"
#include "web/parts/set_data.h"
#include "web/parts/view_data.h"
#include "web/sets/revision_data.h"

enum { KEYWORDS_SHOWN = 12 };

static const char *const reason_labels[SAMPLE_REASONS] = {
    [SAMPLE_BLACKLISTED] = "on the blacklist",
    [SAMPLE_FEW_ASSIGNMENTS] = "too few answers",
    [SAMPLE_BELOW_THRESHOLD] = "below the threshold",
    [SAMPLE_NEAR_DUPLICATE] = "near-duplicates",
    [SAMPLE_UNREVIEWED] = "near neighbours not reviewed",
    [SAMPLE_UNSEARCHED] = "not searched for near-duplicates",
    [SAMPLE_LIMIT] = "enough of that uploader or event",
    [SAMPLE_NOT_PICKED] = "not picked, or pruned",
    [SAMPLE_HIDDEN] = "hidden or taken down",
};
static const char *const bin_labels[HISTOGRAM_BINS] = {"[0,.2)", "[.2,.4)", "[.4,.6)", "[.6,.8)",
                                                       "[.8,1]"};

static const char *count(struct ctx *c, uint64_t n)
{
    return data_count(c->arena, (int64_t)n);
}

/* What a cell is called: a bin, a keyword, or the one cell of the class. */
static struct sv cell_label(const struct sample_job *job, const struct sample_cell *cell)
{
    switch (job->plan.rules.strategy) {
    case SAMPLE_MATCHED:
        return sv_of(bin_labels[cell->bin]);
    case SAMPLE_KEYWORD:
        return cell->bin < job->pool.n_keywords ? job->pool.keywords[cell->bin] : SV("");
    case SAMPLE_THRESHOLD:
    case SAMPLE_TOP:
    case SAMPLE_STRATEGIES:
        break;
    }
    return SV("Candidates");
}

/* ---- the whole ---- */

static void tile(json_t *tiles, const char *label, const char *value, const char *note, bool bad)
{
    data_tile(tiles, label, value, note);
    json_object_set_new(json_array_get(tiles, json_array_size(tiles) - 1), "tone",
                        object(field_bool("danger", bad)));
}

static json_t *tiles_json(struct ctx *c, const struct sample_job *job,
                          const struct sample_against *against)
{
    const struct sample_plan *p = &job->plan;
    struct arena *a = c->arena;
    json_t *tiles = json_array();
    tile(tiles, "Images", count(c, p->chosen), arena_printf(a, "of %s wanted", count(c, p->wanted)),
         false);
    tile(tiles, "Missing", count(c, p->missing),
         arena_printf(a, "in %s of %s classes", count(c, p->classes_short), count(c, p->n_classes)),
         p->missing > 0);
    if (job->parent.id) {
        tile(tiles, "Carried over", count(c, against->n_kept),
             arena_printf(a, "of %s in %s", count(c, (uint64_t)job->parent.images),
                          set_title(a, &job->parent)),
             false);
    }
    if (p->rules.strategy == SAMPLE_MATCHED) {
        tile(tiles, "From higher bins", count(c, p->upward),
             p->rules.upward ? "where the right bin is empty" : "not asked for", false);
        tile(tiles, "Too few originals", count(c, p->classes_few_originals),
             arena_printf(a, "classes with fewer than %s measured",
                          count(c, p->rules.originals_least)),
             p->classes_few_originals > 0);
    }
    return tiles;
}

static json_t *excluded_json(struct ctx *c, const uint64_t n[SAMPLE_REASONS])
{
    json_t *rows = json_array();
    for (int r = 0; r < SAMPLE_REASONS; r++) {
        if (n[r]) {
            object_add(rows, field_text("reason", sample_reasons[r]),
                       field_text("label", reason_labels[r]), field_text("count", count(c, n[r])));
        }
    }
    return rows;
}

static json_t *heads_json(const struct sample_plan *p)
{
    json_t *heads = json_array();
    bool matched = p->rules.strategy == SAMPLE_MATCHED;
    for (int i = 0; i < HISTOGRAM_BINS && matched; i++) {
        object_add(heads, field_text("label", bin_labels[i]));
    }
    if (!matched) {
        bool keyword = p->rules.strategy == SAMPLE_KEYWORD;
        object_add(heads, field_text("label", keyword ? "Keywords" : "Candidates"));
    }
    return heads;
}

/* ---- classes ---- */

static json_t *cell_json(struct ctx *c, const struct sample_job *job,
                         const struct sample_cell *cell)
{
    struct arena *a = c->arena;
    const char *note = arena_printf(a, "%s there", count(c, cell->available));
    if (cell->carried) {
        note = arena_printf(a, "%s kept, %s", count(c, cell->carried), note);
    }
    if (cell->upward) {
        note = arena_printf(a, "%s, %s from higher bins", note, count(c, cell->upward));
    }
    return object(field_sv("label", cell_label(job, cell)),
                  field_text("target", count(c, cell->target)), field_text("note", note),
                  field_bool("is_short", cell->missing > 0),
                  field_text("missing", count(c, cell->missing)));
}

/* Why nobody knows how many images of which kind the class shall have. */
static const char *few_text(struct ctx *c, const struct sample_job *job,
                            const struct sample_class *k)
{
    const struct sample_rules *r = &job->plan.rules;
    return r->strategy == SAMPLE_KEYWORD
               ? "needs originals with a keyword, has none"
               : arena_printf(c->arena, "needs %s originals with %s answers each, has %s",
                              count(c, r->originals_least), count(c, r->original_answers_least),
                              count(c, k->originals));
}

/* "needs 3 more in bin [.6,.8), 11 candidates there" */
static json_t *lacks_json(struct ctx *c, const struct sample_job *job, const struct sample_class *k)
{
    static const char *const places[SAMPLE_STRATEGIES] = {"in bin ", "", "", "of "};
    enum sample_strategy s = job->plan.rules.strategy;
    json_t *list = json_array();
    if (k->few_originals) {
        object_add(list, field_text("text", few_text(c, job, k)));
    }
    for (uint32_t i = k->first; i < k->first + k->n; i++) {
        const struct sample_cell *cell = &job->plan.cells[i];
        if (!cell->missing) {
            continue;
        }
        const char *where =
            s == SAMPLE_MATCHED || s == SAMPLE_KEYWORD
                ? arena_printf(c->arena, " %s" SV_FMT, places[s], SV_ARG(cell_label(job, cell)))
                : "";
        uint32_t there = cell->available + cell->carried;
        const char *text =
            arena_printf(c->arena, "needs %s more%s, %s candidate%s there", count(c, cell->missing),
                         where, count(c, there), there == 1 ? "" : "s");
        object_add(list, field_text("text", text));
    }
    return list;
}

static void add_excluded(const struct sample_job *job, const struct sample_class *k,
                         uint64_t sums[SAMPLE_REASONS])
{
    for (uint32_t i = k->first; i < k->first + k->n; i++) {
        for (int r = 0; r < SAMPLE_REASONS; r++) {
            sums[r] += job->plan.cells[i].excluded[r];
        }
    }
}

/* "12 on the blacklist, 3 near-duplicates" */
static const char *left_out_text(struct ctx *c, const struct sample_job *job,
                                 const struct sample_class *k)
{
    uint64_t sums[SAMPLE_REASONS] = {0};
    const char *text = "";
    add_excluded(job, k, sums);
    for (int r = 0; r < SAMPLE_REASONS; r++) {
        if (sums[r]) {
            text = arena_printf(c->arena, "%s%s%s %s", text, *text ? ", " : "", count(c, sums[r]),
                                reason_labels[r]);
        }
    }
    return k->outside ? arena_printf(c->arena, "%s%s%s of other keywords", text, *text ? ", " : "",
                                     count(c, k->outside))
                      : text;
}

static json_t *class_json(struct ctx *c, const struct sample_job *job, size_t at)
{
    const struct sample_class *k = &job->plan.classes[at];
    const struct class_info *info = &job->pool.classes[at];
    json_t *cells = json_array();
    uint32_t shown =
        job->plan.rules.strategy == SAMPLE_KEYWORD && k->n > KEYWORDS_SHOWN ? KEYWORDS_SHOWN : k->n;
    for (uint32_t i = k->first; i < k->first + shown; i++) {
        json_array_append_new(cells, cell_json(c, job, &job->plan.cells[i]));
    }
    json_t *lacks = lacks_json(c, job, k);
    return object(
        field_sv("wnid", info->wnid),
        field_text("synset", data_synset(c->arena, info->synset, ", ")),
        field_text("url", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(info->wnid))),
        field_text("wanted", count(c, k->wanted)), field_text("chosen", count(c, k->chosen)),
        field_text("missing", count(c, k->missing)), field_bool("is_short", k->missing > 0),
        field_text("originals", count(c, k->originals)),
        field_bool("few_originals", k->few_originals), field_json("cells", cells),
        field_text("more", shown < k->n ? arena_printf(c->arena, "and %u more", k->n - shown) : ""),
        field_bool("any_lacks", json_array_size(lacks) > 0), field_json("lacks", lacks),
        field_text("left_out", left_out_text(c, job, k)));
}

static bool is_shown(const struct sample_class *k, bool short_only)
{
    return !short_only || k->missing > 0 || k->few_originals;
}

static json_t *classes_json(struct ctx *c, const struct sample_job *job,
                            const struct sample_part *part, int64_t *n)
{
    json_t *rows = json_array();
    *n = 0;
    for (size_t i = 0; i < job->plan.n_classes; i++) {
        if (!is_shown(&job->plan.classes[i], part->short_only)) {
            continue;
        }
        if (*n >= part->from && json_array_size(rows) < part->most) {
            json_array_append_new(rows, class_json(c, job, i));
        }
        ++*n;
    }
    return rows;
}

static int64_t short_classes(const struct sample_plan *p)
{
    int64_t n = 0;
    for (size_t i = 0; i < p->n_classes; i++) {
        n += is_shown(&p->classes[i], true);
    }
    return n;
}

static json_t *removed_json(struct ctx *c, const struct sample_against *d)
{
    json_t *rows = json_array();
    for (int r = 0; r < REMOVED_REASONS; r++) {
        if (d->counts[r]) {
            object_add(rows, field_text("reason", revision_removed_words[r]),
                       field_text("label", revision_removed_label((enum revision_removed)r)),
                       field_text("count", count(c, d->counts[r])));
        }
    }
    return rows;
}

/* A setting as the form calls it. */
static const char *setting_label(const char *name)
{
    static const struct {
        const char *name, *label;
    } labels[] = {{"size", "Images per class"},
                  {"answers", "Minimum answers per candidate"},
                  {"originals", "Minimum originals per class"},
                  {"original answers", "Minimum answers per original"},
                  {"upward", "Take from higher bins"},
                  {"threshold", "Threshold"},
                  {"thresholds", "Classes with their own threshold"},
                  {"keywords", "Keywords of a class at most"},
                  {"together", "Share images out over all classes"},
                  {"picked", "Only picked candidates"},
                  {"strategy", "Strategy"},
                  {"seed", "Seed"},
                  {"view", "Votes of the view"},
                  {"version of the view", "Version of the view"},
                  {"uploader most", "Images of one uploader per class"},
                  {"event most", "Images of one event per class"},
                  {"hide", "Flags that hide an image"},
                  {"review targets", "Distances to review neighbours up to"}};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        if (strcmp(labels[i].name, name) == 0) {
            return labels[i].label;
        }
    }
    return name;
}

static json_t *changes_json(const struct sample_against *d)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < d->n_changes; i++) {
        const struct sample_change *k = &d->changes[i];
        object_add(rows, field_text("name", k->name), field_text("label", setting_label(k->name)),
                   field_sv("was", sv_of(k->was)), field_sv("is", sv_of(k->is)));
    }
    return rows;
}

json_t *sample_plan_json(struct ctx *c, const struct sample_job *job,
                         const struct sample_against *against, const struct sample_part *part)
{
    uint64_t sums[SAMPLE_REASONS] = {0};
    int64_t n;
    for (size_t i = 0; i < job->plan.n_classes; i++) {
        add_excluded(job, &job->plan.classes[i], sums);
    }
    json_t *excluded = excluded_json(c, sums), *classes = classes_json(c, job, part, &n);
    json_t *warnings = view_data_warnings(c->arena, &job->pool.view.rules);
    return object(
        field_text("replaces", job->parent.id ? sample_replaces_text(against, c->arena) : NULL),
        field_json("removed", removed_json(c, against)),
        field_json("changes", changes_json(against)),
        field_bool("any_changes", against->n_changes > 0), field_json("warnings", warnings),
        field_bool("any_warnings", json_array_size(warnings) > 0),
        field_json("tiles", tiles_json(c, job, against)), field_json("excluded", excluded),
        field_bool("any_excluded", json_array_size(excluded) > 0),
        field_json("heads", heads_json(&job->plan)), field_json("classes", classes),
        field_int("n", n), field_int("n_short", short_classes(&job->plan)),
        field_bool("valid", job->plan.valid), field_bool("any_classes", job->plan.n_classes > 0),
        field_text("as_of", count(c, (uint64_t)job->pool.as_of)),
        field_sv("view", job->pool.view.name),
        field_text("parent", job->parent.id ? set_title(c->arena, &job->parent) : NULL),
        field_bool("counts_originals", job->plan.rules.strategy == SAMPLE_MATCHED ||
                                           job->plan.rules.strategy == SAMPLE_KEYWORD),
        field_bool("by_keyword", job->plan.rules.strategy == SAMPLE_KEYWORD));
}
