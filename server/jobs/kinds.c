/* kinds.c - the job table, and the values that a request may give. */
#include "jobs/kinds.h"

#include <jansson.h>
#include <string.h>

#include "base/str.h"
#include "store/operate/jobs.h"

#define MODELS "DIR/models/"
#define UPLOADS "DIR/uploads/"
#define LABELS "labels" /* of which the file is an upload */
#define UPLOAD "upload" /* the same, the command's argument after DIR */
#define NEEDED_NAME(n) {.name = (n), .form = JOB_VALUE_NAME, .needed = true}
#define COUNT(n, lo, hi) {.name = (n), .form = JOB_VALUE_COUNT, .least = (lo), .most = (hi)}
#define THREADS COUNT("threads", 1, 64)
/* clang-format off */
#define ROLE {.name = "role", .form = JOB_VALUE_WORD, .words = "original candidate reference gold training"}
/* clang-format on */
/* Which images; none of them: all. */
#define WHICH_IMAGES                                                                               \
    {.name = "set", .form = JOB_VALUE_SET}, {.name = "class", .form = JOB_VALUE_NAME}, ROLE

/* What people are asked for and paid, of a campaign that is planned: a draft, which somebody opens. */
#define TERMS                                                                                      \
    NEEDED_NAME("campaign"), {.name = "title", .form = JOB_VALUE_TEXT, .needed = true},            \
        COUNT("answers-per-grid", 1, 1000), COUNT("grids-per-place", 1, 10000), COUNT("pay", 0, 1000000), \
        {.name = "minutes", .form = JOB_VALUE_TEXT}, {.name = "max-share", .form = JOB_VALUE_TEXT}

/* Ordered by name. The commands check once more, and closer, what their options mean. */
const struct job_kind job_kinds[] = {
    {"candidates freeze", "freezes candidate labels by people's votes", "Freeze", 1,
     {NEEDED_NAME("name"), {.name = "potential", .form = JOB_VALUE_SET, .needed = true}, {.name = "view", .form = JOB_VALUE_NAME},
      {.name = "tau", .form = JOB_VALUE_TEXT}, COUNT("least", 1, 1000000), COUNT("most", 1, 1000)}},
    {"classify", "plans a CLASSIFY campaign from candidate labels", "Plan", 1,
     {{.name = "plan", .form = JOB_VALUE_SET, .needed = true}, TERMS, {.name = "none-of-these", .form = JOB_VALUE_SWITCH},
      COUNT("checks-one", 0, 100000), COUNT("checks-two", 0, 100000), COUNT("people", 1, 100000000), COUNT("people-a-day", 1, 100000000)}},
    {"discriminate", "tests whether a model can tell a new set from the originals", "Tell apart", 1,
     {{.name = "original", .form = JOB_VALUE_SET, .needed = true}, {.name = "new", .form = JOB_VALUE_SET, .needed = true},
      {.name = "features", .form = JOB_VALUE_TEXT}, COUNT("folds", 3, 20), COUNT("most", 10, 50000),
      COUNT("seed", 0, INT64_C(1) << 53)}},
    {"evaluation create", "makes a list of images that people classify", "Make", 2,
     {{.name = "name", .form = JOB_VALUE_NAME, .needed = true, .argument = true}, {.name = "original", .form = JOB_VALUE_SET},
      {.name = "new", .form = JOB_VALUE_SET}, {.name = "by", .form = JOB_VALUE_WORD, .words = "class hardest"}, COUNT("images", 1, 20000),
      {.name = "models", .form = JOB_VALUE_TEXT}, {.name = "classes", .form = JOB_VALUE_TEXT}, {.name = "among", .form = JOB_VALUE_SWITCH},
      {.name = "people", .form = JOB_VALUE_TEXT}, COUNT("seed", 0, INT64_C(1) << 53)}},
    {"export set", "exports a revision of a set as a folder in exports", "Export", 2,
     {{.name = "set", .form = JOB_VALUE_SET, .needed = true, .argument = true},
      {.name = "format", .form = JOB_VALUE_WORD, .words = "folder", .needed = true},
      {.name = "link", .form = JOB_VALUE_SWITCH}, {.name = "reflink", .form = JOB_VALUE_SWITCH},
      {.name = "pool", .form = JOB_VALUE_SWITCH}, {.name = "verify", .form = JOB_VALUE_SWITCH}}},
    {"features", "computes feature vectors of images with a model", "Features of", 4,
     {NEEDED_NAME("model"), WHICH_IMAGES, {.name = "value", .form = JOB_VALUE_TEXT}, THREADS}},
    {"grids", "plans the grids of a campaign", "Plan", 1,
     {{.name = "kind", .form = JOB_VALUE_WORD, .words = "main pilot top-up potential", .needed = true},
      {.name = "potential", .form = JOB_VALUE_SET}, TERMS, COUNT("people", 1, 100000000),
      COUNT("people-a-day", 1, 100000000), COUNT("classify-answers", 0, 1000)}},
    {"import labels", "imports what images show beside their set's label", "Import", 1,
     {{.name = UPLOAD, .form = JOB_VALUE_FILE, .needed = true}, NEEDED_NAME("name"),
      {.name = "kind", .form = JOB_VALUE_WORD, .words = "labels main objects review"}, {.name = "set", .form = JOB_VALUE_SET},
      {.name = "replace", .form = JOB_VALUE_SWITCH}, {.name = "reason", .form = JOB_VALUE_TEXT}}},
    {"label-review create", "makes a list of images whose labels experts review", "Make", 1,
     {{.name = "name", .form = JOB_VALUE_NAME, .needed = true, .argument = true}, {.name = "set", .form = JOB_VALUE_SET, .needed = true},
      {.name = "by", .form = JOB_VALUE_WORD, .words = "class disagreement random errors"}, COUNT("images", 1, 200000),
      COUNT("random", 0, 200000), {.name = "models", .form = JOB_VALUE_TEXT}, {.name = "sources", .form = JOB_VALUE_TEXT},
      {.name = "candidates", .form = JOB_VALUE_TEXT}, COUNT("reviewers", 1, 9), COUNT("repeats", 0, 50), {.name = "experts", .form = JOB_VALUE_TEXT},
      {.name = "suggest", .form = JOB_VALUE_NAME}, {.name = "again", .form = JOB_VALUE_SWITCH},
      {.name = "evaluation", .form = JOB_VALUE_NAME}, COUNT("seed", 0, INT64_C(1) << 53)}},
    {"model add", "reads a model's file and adds the model", "Add", 1,
     {{.name = "file", .form = JOB_VALUE_FILE, .needed = true}, NEEDED_NAME("name"),
      {.name = "note", .form = JOB_VALUE_TEXT}}},
    {"neighbors", "searches candidates for near-duplicates", "Search by", 1,
     {{.name = "metric", .form = JOB_VALUE_NAME}, {.name = "all", .form = JOB_VALUE_SWITCH}, {.name = "originals", .form = JOB_VALUE_SWITCH},
      COUNT("k", 1, 100), THREADS, COUNT("memory", 1, 1 << 20)}},
    {"potential freeze", "keeps which labels images could have", "Make", 1,
     {NEEDED_NAME("name"), {.name = "set", .form = JOB_VALUE_SET}, {.name = "candidates", .form = JOB_VALUE_SWITCH},
      {.name = "models", .form = JOB_VALUE_TEXT}, COUNT("top", 1, 5), {.name = LABELS, .form = JOB_VALUE_FILE}}},
    {"predict", "classifies images with a model", "Predictions of", 4,
     {NEEDED_NAME("model"), WHICH_IMAGES, COUNT("threads", 1, 256)}},
    {"sample", "samples a revision of a set", "Sample", 1,
     {NEEDED_NAME("set"), {.name = "strategy", .form = JOB_VALUE_WORD, .needed = true,
                           .words = "matched threshold top keyword"},
      COUNT("size", 1, 100000), COUNT("seed", 0, INT64_C(1) << 53),
      {.name = "parent", .form = JOB_VALUE_SET}, {.name = "upward", .form = JOB_VALUE_SWITCH},
      {.name = "no-upward", .form = JOB_VALUE_SWITCH}, {.name = "no-together", .form = JOB_VALUE_SWITCH},
      {.name = "no-picked", .form = JOB_VALUE_SWITCH},
      {.name = "threshold", .form = JOB_VALUE_TEXT}, {.name = "thresholds", .form = JOB_VALUE_TEXT},
      COUNT("answers", 0, 1000000), COUNT("originals-least", 0, 1000000),
      COUNT("original-answers", 1, 1000000), COUNT("keywords", 0, 1000000),
      {.name = "together", .form = JOB_VALUE_SWITCH}, {.name = "picked", .form = JOB_VALUE_SWITCH},
      COUNT("uploader-most", 0, 1000000), COUNT("event-most", 0, 1000000), {.name = "view", .form = JOB_VALUE_NAME}}},
    {"train", "trains a baseline on images of the project", "Train", 1,
     {NEEDED_NAME("name"),
      {.name = "role", .form = JOB_VALUE_WORD, .words = "reference original candidate gold training"},
      COUNT("filters", 1, 4096), COUNT("patch", 2, 16), COUNT("side", 2, 256), COUNT("pool", 1, 8),
      COUNT("seed", 0, INT64_C(1) << 53), COUNT("threads", 1, 64)}},
#ifdef FAULT_HOOKS
    {"stall", "does nothing for a while", "Stall", 8,
     {COUNT("steps", 0, 1000000), COUNT("step-ms", 0, 60000),
      {.name = "stubborn", .form = JOB_VALUE_SWITCH}, {.name = "say", .form = JOB_VALUE_TEXT},
      {.name = "fail", .form = JOB_VALUE_TEXT}}},
#endif
};
const size_t job_kinds_count = sizeof job_kinds / sizeof *job_kinds;

const struct job_kind *job_kind_find(struct sv name)
{
    for (size_t i = 0; i < job_kinds_count; i++) {
        if (sv_is(name, job_kinds[i].name)) {
            return &job_kinds[i];
        }
    }
    return NULL;
}

/* ---- forms of values ---- */

static bool is_name(struct sv s)
{
    bool good = s.n > 0 && s.n <= JOB_NAME_MOST;
    for (size_t i = 0; i < s.n && good; i++) {
        char c = s.p[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '_';
        good = word || (i > 0 && (c == '-' || c == '.'));
    }
    return good;
}

static bool is_count(struct sv s, int64_t least, int64_t most)
{
    int64_t n;
    return s.n > 0 && s.p[0] >= '0' && s.p[0] <= '9' && sv_i64(s, &n) && n >= least && n <= most;
}

static bool is_set(struct sv s)
{
    struct sv name = sv_cut(&s, '/');
    return is_name(name) && (!s.p || is_count(s, 0, INT32_MAX));
}

static bool is_word(struct sv s, const char *words)
{
    for (struct sv rest = sv_of(words); rest.p;) {
        if (sv_eq(sv_cut(&rest, ' '), s)) {
            return s.n > 0;
        }
    }
    return false;
}

static bool is_text(struct sv s)
{
    bool good = s.n > 0 && s.n <= JOB_TEXT_MOST && s.p[0] != '-' && sv_utf8(s);
    for (size_t i = 0; i < s.n && good; i++) {
        good = (unsigned char)s.p[i] >= ' ' && s.p[i] != 0x7f;
    }
    return good;
}

/* A path that stays below its folder, without hidden files. */
static bool is_file(struct sv s)
{
    bool good = is_text(s);
    for (struct sv rest = s; rest.p && good;) {
        struct sv part = sv_cut(&rest, '/');
        good = part.n > 0 && part.p[0] != '.';
    }
    return good;
}

static bool fits(const struct job_option *o, struct sv value)
{
    switch (o->form) {
    case JOB_VALUE_SWITCH: return sv_is(value, "true");
    case JOB_VALUE_NAME: return is_name(value);
    case JOB_VALUE_SET: return is_set(value);
    case JOB_VALUE_WORD: return is_word(value, o->words);
    case JOB_VALUE_COUNT: return is_count(value, o->least, o->most);
    case JOB_VALUE_TEXT: return is_text(value);
    case JOB_VALUE_FILE: return is_file(value);
    }
    return false;
}

static bool is_upload(const struct job_option *o) { return strcmp(o->name, LABELS) == 0 || strcmp(o->name, UPLOAD) == 0; }

/* What a value must look like, as the second half of a sentence. */
static const char *wanted(const struct job_option *o, struct arena *a)
{
    switch (o->form) {
    case JOB_VALUE_SWITCH: return "true, or left out";
    case JOB_VALUE_NAME:
        return arena_printf(a, "1 to %d letters, digits, \"-\", \"_\" or \".\"", JOB_NAME_MOST);
    case JOB_VALUE_SET: return "the name of a set, or NAME/NUMBER";
    case JOB_VALUE_WORD: return arena_printf(a, "one of: %s", o->words);
    case JOB_VALUE_COUNT:
        return arena_printf(a, "a whole number from %lld to %lld", (long long)o->least,
                            (long long)o->most);
    case JOB_VALUE_TEXT:
        return arena_printf(a, "a line of at most %d bytes that does not begin with \"-\"",
                            JOB_TEXT_MOST);
    case JOB_VALUE_FILE:
        return is_upload(o) ? "the name of a file in the project's folder uploads" : "the name of a file in the project's folder models";
    }
    return "";
}

/* ---- arguments ---- */

static const struct job_given *find_given(const struct job_given *given, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (sv_is(given[i].name, name)) {
            return &given[i];
        }
    }
    return NULL;
}

static bool has_option(const struct job_kind *kind, struct sv name)
{
    for (const struct job_option *o = kind->options; o < kind->options + JOB_OPTIONS && o->name;
         o++) {
        if (sv_is(name, o->name)) {
            return true;
        }
    }
    return false;
}

/* Every name that was given is an option of this kind, once. */
static enum err_code check_names(const struct job_kind *kind, const struct job_given *given,
                                 size_t n, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        bool twice = false;
        for (size_t j = 0; j < i; j++) {
            twice = twice || sv_eq(given[j].name, given[i].name);
        }
        if (twice || !has_option(kind, given[i].name)) {
            struct sv shown = sv_utf8(given[i].name) && given[i].name.n <= JOB_NAME_MOST
                                  ? given[i].name
                                  : SV("(not a name)");
            return err_rule(err, ERR_INPUT, "job-option",
                            "A job of the kind %s %s \"" SV_FMT "\". Nothing was started.",
                            kind->name, twice ? "takes only once" : "has no option", SV_ARG(shown));
        }
    }
    return OK;
}

static enum err_code add_option(json_t *words, const struct job_kind *kind,
                                const struct job_option *o, const struct job_given *given,
                                struct arena *a, struct err *err)
{
    if (!given) {
        return !o->needed ? OK
                          : err_rule(err, ERR_INPUT, "job-option-missing",
                                     "A job of the kind %s needs \"%s\". Nothing was started.",
                                     kind->name, o->name);
    }
    if (!fits(o, given->value)) {
        return err_rule(err, ERR_INPUT, "job-value", "\"%s\" must be %s. Nothing was started.",
                        o->name, wanted(o, a));
    }
    if (o->form == JOB_VALUE_FILE) {
        const char *path = arena_printf(a, "%s" SV_FMT, is_upload(o) ? UPLOADS : MODELS, SV_ARG(given->value));
        if (strcmp(o->name, LABELS) == 0) {
            json_array_append_new(words, json_string("--" LABELS));
        }
        json_array_append_new(words, json_string(path));
        return OK;
    }
    if (!o->argument) {
        json_array_append_new(words, json_string(arena_printf(a, "--%s", o->name)));
    }
    if (o->form != JOB_VALUE_SWITCH) {
        json_array_append_new(words, json_stringn(given->value.p, given->value.n));
    }
    return OK;
}

enum err_code job_arguments(const struct job_kind *kind, const struct job_given *given, size_t n,
                            struct arena *a, struct sv *out, struct err *err)
{
    json_t *words = json_array();
    enum err_code rc = check_names(kind, given, n, err);
    for (const struct job_option *o = kind->options;
         rc == OK && o < kind->options + JOB_OPTIONS && o->name; o++) {
        rc = add_option(words, kind, o, find_given(given, n, o->name), a, err);
    }
    if (rc == OK) {
        char *text = json_dumps(words, JSON_COMPACT);
        BUG_IF(!text || strlen(text) > JOB_ARGUMENTS_MOST);
        *out = arena_sv(a, sv_of(text));
        free(text);
    }
    json_decref(words);
    return rc;
}

enum err_code job_words(struct sv arguments, const char *dir, struct arena *a, const char ***out,
                        size_t *n, struct err *err)
{
    json_t *array = json_loadb(arguments.p, arguments.n, 0, NULL);
    size_t count = json_array_size(array);
    bool good = json_is_array(array);
    const char **words = arena_calloc(a, count + 1, sizeof *words);
    for (size_t i = 0; i < count && good; i++) {
        const json_t *word = json_array_get(array, i);
        good = json_is_string(word);
        words[i] = good ? arena_strdup(a, json_string_value(word)) : NULL;
    }
    for (size_t i = 0; i < count && good; i++) {
        bool labels = i > 0 && strcmp(words[i - 1], "--" LABELS) == 0;
        bool model = i == 0 && strncmp(words[i], MODELS, strlen(MODELS)) == 0;
        if (model || ((i == 0 || labels) && strncmp(words[i], UPLOADS, strlen(UPLOADS)) == 0)) {
            words[i] = arena_printf(a, "%s%s", dir, words[i] + strlen("DIR"));
        }
    }
    json_decref(array);
    *out = words;
    *n = count;
    return good ? OK
                : err_rule(err, ERR_BUG, "job-arguments", "the job's arguments are not readable");
}

/* ---- for people ---- */

static struct sv value_of(const struct job_given *given, size_t n, const char *name)
{
    const struct job_given *g = find_given(given, n, name);
    return g ? g->value : SV("");
}

const char *job_title(const struct job_kind *kind, const struct job_given *given, size_t n,
                      struct arena *a)
{
    struct sv model = value_of(given, n, "model"), set = value_of(given, n, "set");
    struct sv class = value_of(given, n, "class"), role = value_of(given, n, "role");
    if (!model.n) {
        struct sv metric = value_of(given, n, "metric"), name = set.n ? set : value_of(given, n, "name");
        name = name.n ? name : metric;
        return name.n ? arena_printf(a, "%s " SV_FMT, kind->verb, SV_ARG(name)) : kind->name;
    }
    return set.n     ? arena_printf(a, "%s " SV_FMT " on " SV_FMT, kind->verb, SV_ARG(model),
                                    SV_ARG(set))
           : class.n ? arena_printf(a, "%s " SV_FMT " on the class " SV_FMT, kind->verb,
                                    SV_ARG(model), SV_ARG(class))
           : role.n  ? arena_printf(a, "%s " SV_FMT " on all images with the role " SV_FMT,
                                    kind->verb, SV_ARG(model), SV_ARG(role))
                     : arena_printf(a, "%s " SV_FMT " on all images", kind->verb, SV_ARG(model));
}

/* As a shell reads it back. */
static void add_word(struct str *s, const char *word)
{
    bool plain = *word != '\0';
    for (const char *c = word; *c; c++) {
        plain = plain && (strchr("-_./", *c) || (*c >= 'a' && *c <= 'z') ||
                          (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9'));
    }
    str_addz(s, plain ? " " : " '");
    for (const char *c = word; *c; c++) {
        if (*c == '\'') {
            str_addz(s, "'\\''");
        } else {
            str_addc(s, *c);
        }
    }
    str_addz(s, plain ? "" : "'");
}

const char *job_command(struct sv kind, struct sv arguments, struct arena *a)
{
    const char **words;
    size_t n = 0;
    struct str s;
    str_init(&s, 8 * JOB_ARGUMENTS_MOST);
    str_printf(&s, "holdout " SV_FMT " DIR", SV_ARG(kind));
    if (job_words(arguments, "DIR", a, &words, &n, NULL) == OK) {
        for (size_t i = 0; i < n; i++) {
            add_word(&s, words[i]);
        }
    }
    const char *text = arena_cstr(a, str_sv(&s));
    str_release(&s);
    return text;
}
