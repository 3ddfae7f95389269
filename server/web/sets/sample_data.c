/* sample_data.c - plans as data. */
#include "web/sets/sample_data.h"

#include "web/core/page_data.h"
#include "web/core/records.h"
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

struct tone {
    bool danger;
};
static RECORD(tone_record, struct tone, "plan_tone", "How a tile is shown.",
              {"danger", RECORD_OF(struct tone, danger), .about = "Whether it says that something is missing."});

struct tile {
    const char *label, *value, *note;
    json_t *unit; /* NULL: tiles of other pages have some */
    struct tone tone;
};
#define OF(member) RECORD_OF(struct tile, member)
static RECORD(tile_record, struct tile, "plan_tile", "A number of a plan.",
              {"label", OF(label), .about = "What it is."},
              {"value", OF(value), .about = "The number, for people."},
              {"unit", OF(unit), .maybe = true, .about = "Always null."},
              {"note", OF(note), .about = "More about it."},
              {"tone", RECORD_PART(struct tile, tone), .of = &tone_record, .about = "How it is shown."});
#undef OF

static void tile(json_t *tiles, const char *label, const char *value, const char *note, bool bad)
{
    const struct tile face = {label, value, note, NULL, {bad}};
    json_array_append_new(tiles, record_json(&tile_record, &face));
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

struct reason {
    const char *reason, *label, *count;
};
#define OF(member) RECORD_OF(struct reason, member)
static RECORD(reason_record, struct reason, "plan_reason", "Images that are left out or replaced for one reason.",
              {"reason", OF(reason), .about = "The reason, as a word."},
              {"label", OF(label), .about = "The reason, for people."},
              {"count", OF(count), .about = "How many images, for people."});
#undef OF

static void add_reason(json_t *rows, const char *reason, const char *label, const char *n)
{
    const struct reason face = {reason, label, n};
    json_array_append_new(rows, record_json(&reason_record, &face));
}

static json_t *excluded_json(struct ctx *c, const uint64_t n[SAMPLE_REASONS])
{
    json_t *rows = json_array();
    for (int r = 0; r < SAMPLE_REASONS; r++) {
        if (n[r]) {
            add_reason(rows, sample_reasons[r], reason_labels[r], count(c, n[r]));
        }
    }
    return rows;
}

struct column {
    const char *label;
};
static RECORD(head_record, struct column, "plan_head", "The head of a column of cells.",
              {"label", RECORD_OF(struct column, label), .about = "What the cells below it are called."});

static void add_head(json_t *heads, const char *label)
{
    json_array_append_new(heads, record_json(&head_record, &(const struct column){label}));
}

static json_t *heads_json(const struct sample_plan *p)
{
    json_t *heads = json_array();
    bool matched = p->rules.strategy == SAMPLE_MATCHED;
    for (int i = 0; i < HISTOGRAM_BINS && matched; i++) {
        add_head(heads, bin_labels[i]);
    }
    if (!matched) {
        add_head(heads, p->rules.strategy == SAMPLE_KEYWORD ? "Keywords" : "Candidates");
    }
    return heads;
}

/* ---- classes ---- */

struct cell_face {
    struct sv label;
    const char *target, *note, *missing;
    bool is_short;
};
#define OF(member) RECORD_OF(struct cell_face, member)
static RECORD(cell_record, struct cell_face, "plan_cell", "What a sample takes of a bin or keyword of a class.",
              {"label", OF(label), .about = "The bin, the keyword, or Candidates."},
              {"target", OF(target), .about = "Images wanted of it, for people."},
              {"note", OF(note), .about = "How many there are, and where they come from."},
              {"is_short", OF(is_short), .about = "Whether some are missing."},
              {"missing", OF(missing), .about = "How many, for people."});
#undef OF

static json_t *cell_json(struct ctx *c, const struct sample_job *job,
                         const struct sample_cell *cell)
{
    struct arena *a = c->arena;
    const char *note = arena_printf(a, "%s available", count(c, cell->available));
    if (cell->carried) {
        note = arena_printf(a, "%s kept, %s", count(c, cell->carried), note);
    }
    if (cell->upward) {
        note = arena_printf(a, "%s, %s from higher bins", note, count(c, cell->upward));
    }
    const struct cell_face face = {cell_label(job, cell), count(c, cell->target), note, count(c, cell->missing),
                                   cell->missing > 0};
    return record_json(&cell_record, &face);
}

/* Why nobody knows how many images of which kind the class should have. */
static const char *few_text(struct ctx *c, const struct sample_job *job,
                            const struct sample_class *k)
{
    const struct sample_rules *r = &job->plan.rules;
    return r->strategy == SAMPLE_KEYWORD
               ? "needs originals with a keyword, but has none"
               : arena_printf(c->arena, "needs %s originals with %s answers each, but has %s",
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
        data_line(list, few_text(c, job, k));
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
        data_line(list, text);
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

struct class_face {
    struct sv wnid;
    const char *synset, *url, *wanted, *chosen, *missing, *originals, *more, *left_out;
    bool is_short, few_originals, any_lacks;
    json_t *cells, *lacks;
};
#define OF(member) RECORD_OF(struct class_face, member)
static RECORD(plan_class_record, struct class_face, "plan_class", "What a sample takes of a class; numbers are for people.",
              {"wnid", OF(wnid), .about = "The class."},
              {"synset", OF(synset), .about = "Its words."},
              {"url", OF(url), .about = "The address of its page."},
              {"wanted", OF(wanted), .about = "Images wanted."},
              {"chosen", OF(chosen), .about = "Images that it gets."},
              {"missing", OF(missing), .about = "Images that are missing."},
              {"is_short", OF(is_short), .about = "Whether some are missing."},
              {"originals", OF(originals), .about = "Originals that are measured well enough."},
              {"few_originals", OF(few_originals), .about = "Whether these are too few to say what is wanted."},
              {"cells", OF(cells), RECORD_LIST, .of = &cell_record, .about = "Its bins or keywords."},
              {"more", OF(more), .about = "How many further keywords it has; empty: none."},
              {"any_lacks", OF(any_lacks), .about = "Whether it lacks anything."},
              {"lacks", OF(lacks), RECORD_LIST, .of = &line_record, .about = "What it lacks."},
              {"left_out", OF(left_out), .about = "How many candidates are left out, and why; empty: none."});
#undef OF

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
    const struct class_face face = {
        .wnid = info->wnid,
        .synset = data_synset(c->arena, info->synset, ", "),
        .url = arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(info->wnid)),
        .wanted = count(c, k->wanted),
        .chosen = count(c, k->chosen),
        .missing = count(c, k->missing),
        .originals = count(c, k->originals),
        .more = shown < k->n ? arena_printf(c->arena, "and %u more", k->n - shown) : "",
        .left_out = left_out_text(c, job, k),
        .is_short = k->missing > 0,
        .few_originals = k->few_originals,
        .any_lacks = json_array_size(lacks) > 0,
        .cells = cells,
        .lacks = lacks};
    return record_json(&plan_class_record, &face);
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
            add_reason(rows, revision_removed_words[r], revision_removed_label((enum revision_removed)r), count(c, d->counts[r]));
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
                  {"keywords", "Maximum keywords per class"},
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

struct change_face {
    struct sample_change k;
    const char *label;
};
#define OF(member) RECORD_OF(struct change_face, member)
static RECORD(change_record, struct change_face, "plan_change", "A setting that is not as the parent was sampled.",
              {"name", OF(k.name), .about = "The setting."},
              {"label", OF(label), .about = "What the form calls it."},
              {"was", OF(k.was), .about = "What it was for the parent; empty: nothing."},
              {"is", OF(k.is), .about = "What it is now; empty: nothing."});
#undef OF

static json_t *changes_json(const struct sample_against *d)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < d->n_changes; i++) {
        const struct change_face face = {d->changes[i], setting_label(d->changes[i].name)};
        json_array_append_new(rows, record_json(&change_record, &face));
    }
    return rows;
}

struct plan_face {
    const char *replaces, *as_of, *parent;
    struct sv view;
    json_t *removed, *changes, *warnings, *tiles, *excluded, *heads, *classes;
    bool any_changes, any_warnings, any_excluded, valid, any_classes, counts_originals, by_keyword;
    int64_t n, n_short;
};
#define OF(member) RECORD_OF(struct plan_face, member)
RECORD(plan_record, struct plan_face, "plan", "What a new revision would be made of.",
       {"replaces", OF(replaces), .maybe = true, .about = "How many images of the parent it replaces; null: no parent."},
       {"removed", OF(removed), RECORD_LIST, .of = &reason_record, .about = "Why images of the parent do not stay."},
       {"changes", OF(changes), RECORD_LIST, .of = &change_record, .about = "Settings that are not as the parent was sampled."},
       {"any_changes", OF(any_changes), .about = "Whether there are any."},
       {"warnings", OF(warnings), RECORD_LIST, .of = &line_record, .about = "What the vote view's filters do to frequencies."},
       {"any_warnings", OF(any_warnings), .about = "Whether there are any."},
       {"tiles", OF(tiles), RECORD_LIST, .of = &tile_record, .about = "The plan in a few numbers."},
       {"excluded", OF(excluded), RECORD_LIST, .of = &reason_record, .about = "Why candidates are left out."},
       {"any_excluded", OF(any_excluded), .about = "Whether any are."},
       {"heads", OF(heads), RECORD_LIST, .of = &head_record, .about = "The cells that every class has."},
       {"classes", OF(classes), RECORD_LIST, .of = &plan_class_record, .about = "Part of the classes, by wnid."},
       {"n", OF(n), .about = "Classes in the whole list."},
       {"n_short", OF(n_short), .about = "Classes that lack images or originals."},
       {"valid", OF(valid), .about = "Whether every class gets what is wanted."},
       {"any_classes", OF(any_classes), .about = "Whether there are classes."},
       {"as_of", OF(as_of), .about = "The last event that was counted, for people."},
       {"view", OF(view), .about = "The vote view that counts."},
       {"parent", OF(parent), .maybe = true, .about = "The revision that it is made from; null: none."},
       {"counts_originals", OF(counts_originals), .about = "Whether the originals say what is wanted."},
       {"by_keyword", OF(by_keyword), .about = "Whether cells are keywords."});
#undef OF

json_t *sample_plan_json(struct ctx *c, const struct sample_job *job,
                         const struct sample_against *against, const struct sample_part *part)
{
    uint64_t sums[SAMPLE_REASONS] = {0};
    enum sample_strategy strategy = job->plan.rules.strategy;
    for (size_t i = 0; i < job->plan.n_classes; i++) {
        add_excluded(job, &job->plan.classes[i], sums);
    }
    struct plan_face face = {.replaces = job->parent.id ? sample_replaces_text(against, c->arena) : NULL,
                             .as_of = count(c, (uint64_t)job->pool.as_of),
                             .parent = job->parent.id ? set_title(c->arena, &job->parent) : NULL,
                             .view = job->pool.view.name,
                             .removed = removed_json(c, against),
                             .changes = changes_json(against),
                             .warnings = view_data_warnings(c->arena, &job->pool.view.rules),
                             .tiles = tiles_json(c, job, against),
                             .excluded = excluded_json(c, sums),
                             .heads = heads_json(&job->plan),
                             .any_changes = against->n_changes > 0,
                             .valid = job->plan.valid,
                             .any_classes = job->plan.n_classes > 0,
                             .counts_originals = strategy == SAMPLE_MATCHED || strategy == SAMPLE_KEYWORD,
                             .by_keyword = strategy == SAMPLE_KEYWORD,
                             .n_short = short_classes(&job->plan)};
    face.classes = classes_json(c, job, part, &face.n);
    face.any_warnings = json_array_size(face.warnings) > 0;
    face.any_excluded = json_array_size(face.excluded) > 0;
    return record_json(&plan_record, &face);
}
