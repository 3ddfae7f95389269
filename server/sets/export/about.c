/* about.c - what an export says of itself: manifest.json for programs, README.md for people. */
#include "json/object.h"
#include "sets/export/export_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "crypto/crypto.h"

enum { LICENCES_SHOWN = 100 };

struct licence {
    struct sv text;
    size_t images;
};
struct about {
    struct set_export *e;
    struct licence *licences; /* most images first */
    size_t n_licences;
    char digest[2 * SET_DIGEST + 1], made_at[CLOCK_ISO_SIZE], now[CLOCK_ISO_SIZE];
};

/* ---- what is counted ---- */

static int by_licence(const void *a, const void *b)
{
    const struct licence *x = a, *y = b;
    return x->images != y->images ? (x->images < y->images ? 1 : -1) : sv_cmp(x->text, y->text);
}

static void count_licences(struct about *a)
{
    struct map_sv seen;
    size_t cap = 0;
    map_sv_init(&seen);
    for (size_t i = 0; i < a->e->n; i++) {
        const struct export_row *r = &a->e->rows[i];
        if (r->pixels == EXPORT_WITHHELD) {
            continue;
        }
        uint32_t fresh = (uint32_t)a->n_licences, at = map_sv_put(&seen, r->licence, fresh);
        if (at == fresh) {
            xgrow(&a->licences, &cap, a->n_licences + 1, sizeof *a->licences);
            a->licences[a->n_licences++] = (struct licence){r->licence, 0};
        }
        a->licences[at].images++;
    }
    map_sv_release(&seen);
    if (a->n_licences) {
        qsort(a->licences, a->n_licences, sizeof *a->licences, by_licence);
    }
}

/* ---- manifest.json ---- */

static json_t *json_sv(struct sv text)
{
    return json_stringn(text.n ? text.p : "", text.n);
}

/* A text that is JSON already; null when there is none. */
static json_t *json_kept(struct sv text)
{
    json_t *v = text.n ? json_loadb(text.p, text.n, 0, NULL) : NULL;
    return v ? v : json_null();
}

static json_t *number_or_null(bool known, int64_t v)
{
    return known ? json_integer(v) : json_null();
}

static json_t *states_json(const struct set_export *e)
{
    json_t *list = json_array();
    for (size_t i = 0; i < e->n_states; i++) {
        char at[CLOCK_ISO_SIZE];
        object_add(list, field_text("state", revision_state_word(e->states[i].state)),
                   field_text("at", clock_iso(e->states[i].at, at)),
                   field_json("reason", json_sv(e->states[i].reason)));
    }
    return list;
}

static json_t *parent_json(const struct set_export *e)
{
    char digest[2 * SET_DIGEST + 1];
    if (!e->parent.id) {
        return json_null();
    }
    crypto_hex(e->parent.digest, SET_DIGEST, digest);
    return object(field_json("set", json_sv(e->parent.set)),
                  field_int("revision", e->parent.number), field_text("digest", digest));
}

static json_t *licences_json(const struct about *a)
{
    json_t *list = json_array();
    for (size_t i = 0; i < a->n_licences; i++) {
        object_add(list, field_json("licence", json_sv(a->licences[i].text)),
                   field_count("images", a->licences[i].images));
    }
    return list;
}

/* The filters of the view, as its version has them. */
static json_t *filters_json(const struct about *a)
{
    const struct view_rules *rules = &a->e->pool.view.rules;
    json_t *list = json_array();
    for (size_t i = 0; i < rules->n; i++) {
        const struct view_filter *f = &rules->filters[i];
        const struct view_rule_info *info = &view_rule_infos[f->rule];
        object_add(list, field_text("rule", info->word),
                   field_json("value", info->unit[0] ? json_real(f->value) : json_null()),
                   field_text("text", view_filter_text(f, &a->e->arena)),
                   field_text("warning", info->warning));
    }
    return list;
}

/* How much harder the set is because it was chosen by noisy frequencies; null where nobody can say. */
static json_t *bias_json(const struct bias_leading *l)
{
    return l->estimate.known ? set_bias_leading_json(l) : json_null();
}

/* Which votes the frequencies count, and their mean. */
static json_t *votes_json(const struct about *a)
{
    const struct pool *p = &a->e->pool;
    const struct set_frequency *f = &a->e->mean.f;
    json_t *v =
        object(field_json("view", json_sv(p->view.name)), field_int("view_version", p->view.id),
               field_int("as_of", p->as_of), field_count("images_with_answers", f->measured),
               field_count("n_assignments", f->shown), field_count("n_selected", f->selected));
    json_object_set_new(v, "filters", filters_json(a));
    json_object_set_new(v, "average_frequency", f->measured ? json_real(f->mean) : json_null());
    json_object_set_new(v, "interval",
                        f->measured ? object(field_real("lo", f->ci.lo), field_real("hi", f->ci.hi),
                                             field_text("of", "average_frequency, 95 %"),
                                             field_text("method", set_average_method(&a->e->mean)),
                                             field_int("groups", f->groups))
                                    : json_null());
    json_object_set_new(v, "bias", bias_json(&a->e->bias));
    return v;
}

/* The near-duplicate metrics that were enabled, and what was made of images that no search named. */
static json_t *metrics_json(const struct pool *p)
{
    json_t *list = json_array();
    for (size_t m = 0; m < p->gate.n; m++) {
        const struct review_metric *metric = &p->gate.metric[m];
        if (metric->enabled) {
            object_add(list, field_text("metric", metric->name), field_real("target", metric->threshold),
                       field_bool("unlisted_count_as_searched", metric->declared));
        }
    }
    return list;
}

/* How its images were chosen; null where an import does not say. */
static void add_making(const struct about *a, json_t *m)
{
    const struct set_export *e = a->e;
    const struct revision_facts *f = &e->facts;
    json_object_set_new(m, "strategy", json_sv(e->ask->revision->strategy));
    json_object_set(m, "parameters", e->parameters);
    json_object_set_new(m, "seed", number_or_null(f->sampled, f->seed));
    json_object_set_new(m, "as_of", number_or_null(f->sampled, f->as_of));
    json_object_set_new(m, "newest_image", number_or_null(f->sampled, f->newest_image));
    json_object_set_new(m, "valid", f->valid < 0 ? json_null() : json_boolean(f->valid));
    json_object_set_new(m, "inputs", json_kept(f->inputs));
    json_object_set_new(m, "facts", json_kept(f->facts));
    json_object_set_new(m, "parent", parent_json(e));
    json_object_set_new(m, "votes", votes_json(a));
    json_object_set_new(m, "near_duplicate_metrics", metrics_json(&a->e->pool));
    export_asked_json(e, m);
}

static json_t *manifest_json(const struct about *a)
{
    const struct set_export *e = a->e;
    const struct revision_row *r = e->ask->revision;
    json_t *m = object(
        field_text("format", EXPORT_FORMAT), field_int("format_version", EXPORT_VERSION),
        field_json("tool",
                   object(field_text("name", "holdout"), field_text("version", HOLDOUT_VERSION))),
        field_json("set", json_sv(r->set)), field_int("revision", r->number),
        field_json("role", json_sv(r->role)), field_text("digest", a->digest),
        field_text("made_at", a->made_at), field_text("exported_at", a->now),
        field_text("state", revision_state_word(r->state)), field_json("states", states_json(e)));
    bool unsealed = false;
    for (size_t i = 0; i < e->n_states; i++) {
        unsealed = unsealed || e->states[i].state == REVISION_UNSEALED;
    }
    /* Models may have been looked at before the set was final: its readers must know. */
    json_object_set_new(m, "unsealed_early", json_boolean(unsealed));
    json_object_set_new(m, "openings", seal_openings_json(&e->seal));
    json_object_set_new(m, "sealed_by", r->sealed_by.n ? json_sv(r->sealed_by) : json_null());
    json_object_set_new(m, "scored_before", seal_scored_json(&e->seal));
    add_making(a, m);
    json_object_set_new(m, "images", json_integer((json_int_t)e->n));
    json_object_set_new(m, "files", json_integer((json_int_t)e->result.files));
    json_object_set_new(m, "bytes", json_integer((json_int_t)e->result.bytes));
    json_object_set_new(m, "without_pixels", json_integer((json_int_t)e->result.without_pixels));
    json_object_set_new(m, "withheld", json_integer((json_int_t)e->n_tombstones));
    json_object_set_new(m, "licences", licences_json(a));
    return m;
}

static enum err_code write_manifest(const struct about *a, struct err *err)
{
    struct export_text t;
    json_t *m = manifest_json(a);
    char *text = json_dumps(m, JSON_INDENT(2));
    BUG_IF(!text);
    enum err_code rc = export_text_open(&t, a->e, EXPORT_MANIFEST, err);
    str_addz(&t.buf, text);
    str_addc(&t.buf, '\n');
    free(text);
    json_decref(m);
    return export_text_close(&t, rc, err);
}

/* ---- README.md ---- */

void export_line(struct str *s, struct sv text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (strchr("\\`*_[]<>|#", c)) {
            str_addc(s, '\\');
        }
        str_addc(s, (unsigned char)c < ' ' ? ' ' : c);
    }
}

/* Where its images were looked at before it was final, and what was opened for that. */
static void add_seal(struct str *s, const struct set_export *e)
{
    struct arena a;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < e->seal.n_openings; i++) {
        str_addz(s, "- ");
        export_line(s, sv_of(seal_opening_text(&a, &e->seal.openings[i])));
        str_addc(s, '\n');
    }
    str_addz(s, e->seal.n_openings ? "\n" : "");
    if (e->ask->revision->sealed_by.n) {
        str_printf(s, "It has the same images as " SV_FMT ", which is sealed.\n\n",
                   SV_ARG(e->ask->revision->sealed_by));
    }
    str_printf(s, "%s\n\n", seal_scored_text(&a, &e->seal));
    arena_release(&a);
}

static void add_states(struct str *s, const struct set_export *e)
{
    const struct revision_row *r = e->ask->revision;
    str_printf(s, "## State: %s\n\n", revision_state_word(r->state));
    if (r->state == REVISION_SEALED || r->state == REVISION_UNSEALED) {
        str_addz(s,
                 "**The set is under construction: it may still change, and models should not be "
                 "scored on it.**\n\n");
    }
    for (size_t i = 0; i < e->n_states; i++) {
        char at[CLOCK_ISO_SIZE];
        str_printf(s, "- %.10s %s: ", clock_iso(e->states[i].at, at),
                   revision_state_word(e->states[i].state));
        export_line(s, e->states[i].reason);
        str_addz(s, e->states[i].state == REVISION_UNSEALED
                        ? " (models could be scored on it before it was final)\n"
                        : "\n");
    }
    str_addz(s, e->n_states ? "\n" : "");
    add_seal(s, e);
}

/* The view's filters, with what those that look at measured answers do. */
static void add_filters(struct str *s, const struct about *a)
{
    const struct view_rules *rules = &a->e->pool.view.rules;
    if (rules->n) {
        str_printf(s, "\nThe view \"" SV_FMT "\" counts only:\n\n", SV_ARG(a->e->pool.view.name));
    }
    for (size_t i = 0; i < rules->n; i++) {
        const char *warning = view_filter_warning(&rules->filters[i], &a->e->arena);
        str_printf(s, "- %s\n",
                   warning ? warning : view_filter_text(&rules->filters[i], &a->e->arena));
    }
}

static void add_average(struct str *s, const struct set_export *e)
{
    const struct set_frequency *f = &e->mean.f;
    const struct bias_estimate *bias = &e->bias.estimate;
    if (!f->measured) {
        str_addz(s, "Nobody was asked about these images: there are no selection frequencies.\n\n");
        return;
    }
    str_printf(s,
               "Average selection frequency%s: %.4f, the mean over %zu images (95 %% interval %.4f to %.4f: "
               "%s), under version %" PRId64 " of the view \"" SV_FMT "\", votes up to event %" PRId64 ". "
               "The frequency of each image, with its interval, is in frequencies.csv.\n\n",
               e->facts.sampled ? " at the draw" : "", f->mean, f->measured, f->ci.lo, f->ci.hi,
               set_average_method(&e->mean), e->mean.view_version, SV_ARG(e->mean.view), e->mean.as_of);
    if (bias->known) {
        str_printf(s, "Images chosen by noisy frequencies are harder or easier than their frequencies say. "
                      "This set minus its originals, %s: %+.4f",
                   e->bias.words, bias->value);
        str_addz(s, bias->interval ? "" : ".\n");
        if (bias->interval) {
            str_printf(s, " (95 %% interval %+.4f to %+.4f).\n", bias->lo, bias->hi);
        }
        str_printf(s, "%s%s\n", e->bias.holds ? "" : e->bias.why_not, e->bias.holds ? "" : "\n");
    }
}

static void add_choice(struct str *s, const struct about *a)
{
    const struct set_export *e = a->e;
    char *parameters = json_dumps(e->parameters, JSON_INDENT(2) | JSON_SORT_KEYS);
    BUG_IF(!parameters);
    str_addz(s, "## How its images were chosen\n\n");
    if (e->facts.sampled) {
        str_printf(s,
                   "By the strategy \"" SV_FMT "\" with seed %" PRId64
                   ", from the votes of the view \"" SV_FMT "\" up to event %" PRId64 ".\n",
                   SV_ARG(e->ask->revision->strategy), e->facts.seed, SV_ARG(e->pool.view.name),
                   e->pool.as_of);
    } else {
        str_addz(s, "The list was imported; this is what came with it.\n");
    }
    add_filters(s, a);
    str_printf(s, "\n```json\n%s\n```\n\n", parameters);
    free(parameters);
    add_average(s, e);
}

static void add_files(struct str *s, const struct set_export *e)
{
    str_addz(
        s,
        "## Files\n\n"
        "| file | what |\n"
        "|---|---|\n"
        "| images/WNID/ | the images' original bytes, one folder per class; whatever cameras wrote into the "
        "files is still in them |\n"
        "| manifest.json | the set: digest, state, how it was made |\n"
        "| manifest.csv | every image of the set, in order: file, SHA-256, origin, author, licence |\n"
        "| frequencies.csv | votes of each image: n, how many selected it, 95 % interval (Clopper-Pearson) "
        "|\n"
        "| metadata.jsonl | the same for Hugging Face datasets |\n"
        "| classes.csv, images.csv | for `holdout import classes` and `holdout import images` |\n"
        "| tombstones.csv | images of the set that were taken down or are in quarantine: if you have an "
        "earlier copy, delete them |\n");
    if (e->ask->pool) {
        str_addz(s, "| pool.csv | all candidates with their votes, and why they were left out |\n");
    }
    str_addz(s, "| SHA256SUMS | for `sha256sum -c SHA256SUMS` |\n\n");
}

static void add_use(struct str *s, const struct set_export *e)
{
    const struct revision_row *r = e->ask->revision;
    str_addz(
        s,
        "## Use\n\n"
        "- torchvision: `ImageFolder(\"images\")`; its class numbers follow the folders' order.\n"
        "- Hugging Face: `load_dataset(\"imagefolder\", data_dir=\"FOLDER\")`, which calls the only split "
        "train; `label` is the number in classes.csv.\n");
    str_printf(
        s,
        "- holdout, into an empty project DIR:\n"
        "  `holdout import classes DIR classes.csv`,\n"
        "  `holdout import images DIR images.csv`,\n"
        "  `holdout import set DIR " SV_FMT " .%s`\n"
        "  make the same set, with the same digest.\n\n",
        SV_ARG(r->set), sv_is(r->role, "original") ? " --role original" : "");
}

static void add_licences(struct str *s, const struct about *a)
{
    str_addz(s, "## Licences\n\n"
                "Each image stays under its own licence; author and link are in manifest.csv.\n\n"
                "| licence | images |\n|---|---:|\n");
    for (size_t i = 0; i < a->n_licences && i < LICENCES_SHOWN; i++) {
        str_addz(s, "| ");
        export_line(s, a->licences[i].text.n ? a->licences[i].text : SV("not recorded"));
        str_printf(s, " | %zu |\n", a->licences[i].images);
    }
    if (a->n_licences > LICENCES_SHOWN) {
        str_printf(s, "\n%zu more licences are in manifest.json.\n",
                   a->n_licences - LICENCES_SHOWN);
    }
}

static enum err_code write_readme(const struct about *a, struct err *err)
{
    const struct set_export *e = a->e;
    const struct revision_row *r = e->ask->revision;
    struct export_text t;
    enum err_code rc = export_text_open(&t, a->e, "README.md", err);
    struct str *s = &t.buf;
    /* The first lines are read by Hugging Face. */
    str_addz(s, "---\nconfigs:\n- config_name: default\n  data_files:\n  - split: test\n    path:\n"
                "    - metadata.jsonl\n    - images/**\n---\n");
    str_printf(s, "# " SV_FMT ", revision %" PRId64 "\n\n", SV_ARG(r->set), r->number);
    str_printf(s,
               "An image classification %s made with holdout " HOLDOUT_VERSION
               " and exported at %s: %zu images",
               sv_is(r->role, "original") ? "data set" : "test set", a->now, e->n);
    str_printf(s, ", %zu of them as files", e->result.files);
    if (e->result.without_pixels) {
        str_printf(s, ", %zu by name only, because the project has no pixels of them",
                   e->result.without_pixels);
    }
    if (e->n_tombstones) {
        str_printf(s, ", %zu withheld (tombstones.csv)", e->n_tombstones);
    }
    str_printf(
        s,
        ".\n\nDigest (SHA-256 of the sorted lines \"image,wnid\", joined by line feeds):\n`%s`\n\n",
        a->digest);
    add_states(s, e);
    add_choice(s, a);
    export_asked_text(s, e);
    add_files(s, e);
    add_use(s, e);
    add_licences(s, a);
    return export_text_close(&t, rc, err);
}

enum err_code export_about(struct set_export *e, struct err *err)
{
    struct about a = {.e = e};
    crypto_hex(e->ask->revision->digest, SET_DIGEST, a.digest);
    clock_iso(e->ask->revision->at, a.made_at);
    clock_iso(e->ask->now, a.now);
    count_licences(&a);
    enum err_code rc = write_manifest(&a, err);
    rc = rc == OK ? write_readme(&a, err) : rc;
    free(a.licences);
    return rc;
}
