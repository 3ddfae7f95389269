/* analysis.c - the table of the fields; reading, printing and checking go through it. */
#include "report/analysis.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "domain/scores/gaps.h"
#include "json/object.h"

enum { RESAMPLES_MOST = 1000000, SEED_BITS = 53 /* JSON keeps these exactly */ };

static const char *const analysis_tests[ANALYSIS_TESTS] = {[ANALYSIS_DROP] = "drop",
                                                           [ANALYSIS_FIT] = "fit",
                                                           [ANALYSIS_DIFFICULTY] = "difficulty",
                                                           [ANALYSIS_BINS] = "bins",
                                                           [ANALYSIS_CORRECTED] = "corrected",
                                                           [ANALYSIS_REVISIONS] = "revisions",
                                                           [ANALYSIS_CLASSES] = "classes",
                                                           [ANALYSIS_STATISTICS] = "statistics"};
static const char *const accuracies[] = {"top-1", "top-5"};

#define AT(member) .at = offsetof(struct analysis, member)
#define SEED .kind = ANALYSIS_COUNT, .most = UINT64_C(1) << SEED_BITS
const struct analysis_field analysis_fields[] = {
    {.name = "name", .label = "Name", AT(name), .of_plan = true},
    {.name = "note", .label = "Note", AT(note), .of_plan = true},
    {.name = "original", .label = "Originals", AT(original)},
    {.name = "new", .label = "New set", AT(fresh)},
    {.name = "subsets", .label = "Subsets of the images", AT(subsets), .kind = ANALYSIS_LIST},
    {.name = "labels", .label = "Label sources", AT(labels), .kind = ANALYSIS_LIST},
    {.name = "models", .label = "Models", AT(models), .kind = ANALYSIS_LIST},
    {.name = "without", .label = "Models that the line is not fitted to", AT(without), .kind = ANALYSIS_LIST},
    {.name = "accuracies", .label = "Accuracies", AT(accuracies), .kind = ANALYSIS_LIST},
    {.name = "tests", .label = "Tests", AT(tests), .kind = ANALYSIS_LIST},
    {.name = "scale", .label = "Scale of the line", AT(scale)},
    {.name = "over", .label = "What the line's bootstrap draws", AT(over)},
    {.name = "level", .label = "Level of intervals", AT(level)},
    {.name = "view", .label = "Vote view", AT(view)},
    {.name = "resamples", .label = "Resamples of the line's bootstrap", AT(resamples), .kind = ANALYSIS_COUNT, .most = RESAMPLES_MOST},
    {.name = "gap_seed", .label = "Seed of gaps and ranks", AT(gap_seed), SEED},
    {.name = "fit_seed", .label = "Seed of the line's bootstrap", AT(fit_seed), SEED},
    {0},
};
#undef AT
#undef SEED

static struct sv all_images[] = {{"all", 3}}, set_labels[] = {{"set", 3}}, both[] = {{"top-1", 5}, {"top-5", 5}},
                 usual_tests[] = {{"drop", 4}, {"fit", 3}, {"bins", 4}, {"revisions", 9}};
const struct analysis analysis_usual = {.subsets = {all_images, 1},
                                        .labels = {set_labels, 1},
                                        .accuracies = {both, 2},
                                        .tests = {usual_tests, 4},
                                        .scale = {"linear", 6},
                                        .over = {"models", 6},
                                        .level = {"0.95", 4},
                                        .view = {"default", 7},
                                        .resamples = FIT_RESAMPLES,
                                        .gap_seed = GAP_SEED,
                                        .fit_seed = FIT_SEED};

static const void *member(const struct analysis *s, const struct analysis_field *f)
{
    return (const char *)s + f->at;
}

static void *place(struct analysis *s, const struct analysis_field *f)
{
    return (char *)s + f->at;
}

/* ---- reading ---- */

static enum err_code wrong(struct err *err, const char *file, const char *name, const char *what)
{
    return err_rule(err, ERR_INPUT, "analysis", "%s%s%s %s.", file, file[0] ? ": " : "", name, what);
}

static enum err_code read_text(const json_t *v, const char *file, const struct analysis_field *f, struct arena *a, struct sv *out,
                               struct err *err)
{
    if (!json_is_string(v)) {
        return wrong(err, file, f->name, f->kind == ANALYSIS_LIST ? "must be a list of texts" : "must be a text");
    }
    if (json_string_length(v) > ANALYSIS_TEXT_MOST) {
        return wrong(err, file, f->name, "is too long");
    }
    *out = arena_sv(a, sv_make(json_string_value(v), json_string_length(v)));
    return OK;
}

static enum err_code read_list(const json_t *v, const char *file, const struct analysis_field *f, struct arena *a,
                               struct analysis_texts *out, struct err *err)
{
    if (!json_is_array(v) || json_array_size(v) > ANALYSIS_LIST_MOST) {
        return wrong(err, file, f->name, json_is_array(v) ? "has too many entries" : "must be a list of texts");
    }
    struct analysis_texts list = {.items = arena_calloc(a, json_array_size(v) + 1, sizeof *list.items)};
    enum err_code rc = OK;
    for (size_t i = 0; i < json_array_size(v) && rc == OK; i++) {
        rc = read_text(json_array_get(v, i), file, f, a, &list.items[list.n++], err);
    }
    *out = list;
    return rc;
}

static enum err_code set_count(struct analysis *out, const struct analysis_field *f, bool whole, int64_t v, const char *file, struct err *err)
{
    if (!whole || v < 0 || (uint64_t)v > f->most) {
        return err_rule(err, ERR_INPUT, "analysis", "%s%s%s must be a whole number from 0 to %" PRIu64 ".", file, file[0] ? ": " : "", f->name,
                        f->most);
    }
    *(uint64_t *)place(out, f) = (uint64_t)v;
    return OK;
}

static enum err_code read_field(const json_t *v, const char *file, const struct analysis_field *f, struct arena *a, struct analysis *out,
                                struct err *err)
{
    switch (f->kind) {
    case ANALYSIS_WORD: return read_text(v, file, f, a, place(out, f), err);
    case ANALYSIS_LIST: return read_list(v, file, f, a, place(out, f), err);
    case ANALYSIS_COUNT: break;
    }
    return set_count(out, f, json_is_integer(v), json_integer_value(v), file, err);
}

static const struct analysis_field *field_named(const char *name)
{
    const struct analysis_field *f = analysis_fields;
    while (f->name && strcmp(f->name, name) != 0) {
        f++;
    }
    return f->name ? f : NULL;
}

enum err_code analysis_read_json(const json_t *json, const char *file, struct arena *a, struct analysis *out, struct err *err)
{
    void *at = json_object_iter((json_t *)(uintptr_t)json);
    enum err_code rc = json_is_object(json) ? OK : wrong(err, file, "the analysis", "must be a JSON object");
    for (; at && rc == OK; at = json_object_iter_next((json_t *)(uintptr_t)json, at)) {
        const char *name = json_object_iter_key(at);
        const struct analysis_field *f = field_named(name);
        rc = f ? read_field(json_object_iter_value(at), file, f, a, out, err) : wrong(err, file, name, "is no field of an analysis");
    }
    return rc;
}

enum err_code analysis_read(struct sv json, const char *file, struct arena *a, struct analysis *out, struct err *err)
{
    json_error_t why;
    json_t *all = json_loadb(json.p ? json.p : "", json.n, JSON_REJECT_DUPLICATES, &why);
    if (!all) {
        return err_rule(err, ERR_INPUT, "analysis", "%s:%d: %s", file, why.line, why.text);
    }
    enum err_code rc = analysis_read_json(all, file, a, out, err);
    json_decref(all);
    return rc;
}

static struct analysis_texts split(struct sv text, struct arena *a)
{
    struct list items = {0};
    while (text.n) {
        struct sv one = sv_trim(sv_cut(&text, ','));
        if (one.n) {
            *LIST_ADD(&items, a, struct sv) = arena_sv(a, one);
        }
    }
    return (struct analysis_texts){items.items, items.n};
}

enum err_code analysis_set(struct analysis *out, const struct analysis_field *f, struct sv text, struct arena *a, struct err *err)
{
    if (f->kind == ANALYSIS_WORD) {
        *(struct sv *)place(out, f) = arena_sv(a, text);
    } else if (f->kind == ANALYSIS_LIST) {
        *(struct analysis_texts *)place(out, f) = split(text, a);
    } else {
        int64_t v = 0;
        bool whole = sv_i64(text, &v);
        return set_count(out, f, whole, v, "", err);
    }
    return OK;
}

/* ---- checking ---- */

static bool among(struct sv text, const char *const *words, size_t n)
{
    size_t i = 0;
    while (i < n && !sv_is(text, words[i])) {
        i++;
    }
    return i < n;
}

static bool all_among(const struct analysis_texts *list, const char *const *words, size_t n)
{
    size_t i = 0;
    while (i < list->n && among(list->items[i], words, n)) {
        i++;
    }
    return list->n > 0 && i == list->n;
}

enum err_code analysis_check(const struct analysis *s, const char *file, struct err *err)
{
    enum share_scale scale;
    enum fit_over over;
    return s->original.n == 0 ? wrong(err, file, "original", "must name the originals")
           : s->fresh.n == 0  ? wrong(err, file, "new", "must name the new set")
           : s->subsets.n == 0 ? wrong(err, file, "subsets", "must name at least one; all: all images")
           : s->labels.n == 0  ? wrong(err, file, "labels", "must name at least one; set: the set's own labels")
           : !all_among(&s->accuracies, accuracies, 2) ? wrong(err, file, "accuracies", "must be of top-1 and top-5")
           : !all_among(&s->tests, analysis_tests, ANALYSIS_TESTS) ? wrong(err, file, "tests", "must be of drop, fit, difficulty, bins, corrected, revisions, classes and statistics")
           : !share_scale_read(s->scale, &scale) ? wrong(err, file, "scale", "must be linear, probit or logit")
           : !fit_over_read(s->over, &over)      ? wrong(err, file, "over", "must be models, images, both or families")
           : !s->level.n || !score_level_named(s->level) ? wrong(err, file, "level", "must be 0.95 or 0.995")
           : s->resamples == 0                           ? wrong(err, file, "resamples", "must be at least 1")
                                                         : OK;
}

bool analysis_has(const struct analysis_texts *list, struct sv text)
{
    size_t i = 0;
    while (i < list->n && !sv_eq(list->items[i], text)) {
        i++;
    }
    return i < list->n;
}

bool analysis_does(const struct analysis *s, enum analysis_test test)
{
    return analysis_has(&s->tests, sv_of(analysis_tests[test]));
}

/* ---- printing ---- */

static json_t *field_value(const struct analysis *s, const struct analysis_field *f)
{
    if (f->kind == ANALYSIS_COUNT) {
        return json_integer((json_int_t) * (const uint64_t *)member(s, f));
    }
    if (f->kind == ANALYSIS_WORD) {
        const struct sv *v = member(s, f);
        return json_stringn(v->n ? v->p : "", v->n);
    }
    const struct analysis_texts *list = member(s, f);
    json_t *all = json_array();
    for (size_t i = 0; i < list->n; i++) {
        json_array_append_new(all, json_stringn(list->items[i].p, list->items[i].n));
    }
    return all;
}

json_t *analysis_json(const struct analysis *s)
{
    json_t *all = json_object();
    for (const struct analysis_field *f = analysis_fields; f->name; f++) {
        json_object_set_new(all, f->name, field_value(s, f));
    }
    return all;
}

const char *analysis_text(const struct analysis *s, const struct analysis_field *f, struct arena *a)
{
    if (f->kind == ANALYSIS_COUNT) {
        return arena_printf(a, "%" PRIu64, *(const uint64_t *)member(s, f));
    }
    if (f->kind == ANALYSIS_WORD) {
        return arena_cstr(a, *(const struct sv *)member(s, f));
    }
    const struct analysis_texts *list = member(s, f);
    const char *text = "";
    for (size_t i = 0; i < list->n; i++) {
        text = arena_printf(a, "%s%s" SV_FMT, text, i ? ", " : "", SV_ARG(list->items[i]));
    }
    return text;
}
