/* sample_form.c - the fields of /sets/new. */
#include "web/sets/sample_form.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/escape.h"

enum { ADDRESS_MOST = 16384, OWN_MOST = 200 /* bytes of a list */ };
/* Lists that an empty field cannot say: none, and one of the parent that is too long for a field. */
#define LIST_NONE "none"
#define LIST_OF_PARENT "parent"

enum field_form { NAME, COUNT, SHARE, SWITCH, LIST, STRATEGY };
#define OF(s) (1U << (s))
#define OF_ALL (OF(SAMPLE_STRATEGIES) - 1)

/* What the field is called in addresses, forms and, with "--", on the command line. */
static const struct {
    const char *name, *usual;
    enum field_form form;
    unsigned strategies; /* those that look at it */
    int64_t least, most;
    const char *off; /* SWITCH: the option that turns it off */
} fields[SAMPLE_FIELDS] = {
    [FIELD_SET] = {"set", "", NAME, OF_ALL, 0, 0},
    [FIELD_STRATEGY] = {"strategy", "matched", STRATEGY, OF_ALL, 0, 0},
    [FIELD_PARENT] = {"parent", "", NAME, OF_ALL, 0, 0},
    [FIELD_SIZE] = {"size", "10", COUNT, OF_ALL, 1, SAMPLE_SIZE_MOST},
    [FIELD_ANSWERS] = {"answers", "10", COUNT, OF_ALL, 0, 1000000},
    [FIELD_ORIGINALS_LEAST] = {"originals-least", "20", COUNT, OF(SAMPLE_MATCHED), 0, 1000000},
    [FIELD_ORIGINAL_ANSWERS] = {"original-answers", "10", COUNT, OF(SAMPLE_MATCHED), 1, 1000000},
    [FIELD_UPWARD] = {"upward", "", SWITCH, OF(SAMPLE_MATCHED), 0, 0, "no-upward"},
    [FIELD_THRESHOLD] = {"threshold", "0.7", SHARE, OF(SAMPLE_THRESHOLD), 0, 0},
    [FIELD_OWN] = {"thresholds", "", LIST, OF(SAMPLE_THRESHOLD), 0, 0},
    [FIELD_KEYWORDS] = {"keywords", "0", COUNT, OF(SAMPLE_KEYWORD), 0, 1000000},
    [FIELD_TOGETHER] = {"together", "", SWITCH, OF(SAMPLE_KEYWORD), 0, 0, "no-together"},
    [FIELD_PICKED] = {"picked", "", SWITCH, OF_ALL, 0, 0, "no-picked"},
    [FIELD_UPLOADER_MOST] = {"uploader-most", "0", COUNT, OF_ALL, 0, 1000000},
    [FIELD_EVENT_MOST] = {"event-most", "0", COUNT, OF_ALL, 0, 1000000},
    [FIELD_VIEW] = {"view", "default", NAME, OF_ALL, 0, 0},
    [FIELD_SEED] = {"seed", "0", COUNT, OF_ALL, 0, INT64_C(1) << 53},
};

const char *sample_field_name(enum sample_field f)
{
    return fields[f].name;
}

/* Blanks stand in lists only between their members, where they mean nothing. */
static struct sv without_blanks(struct sv text, struct arena *a)
{
    char *kept = arena_strdup(a, arena_cstr(a, text)), *to = kept;
    for (const char *at = kept; *at; at++) {
        if (*at != ' ') {
            *to++ = *at;
        }
    }
    return sv_make(kept, (size_t)(to - kept));
}

/* ---- what holds where nothing is typed ---- */

static struct sv number_text(struct arena *a, double x)
{
    char digits[32];
    int places = 6;
    do {
        snprintf(digits, sizeof digits, "%.*g", places, x);
    } while (strtod(digits, NULL) != x && ++places <= 17);
    return sv_of(arena_strdup(a, digits));
}

static struct sv own_text(const struct sample_ask *ask, struct arena *a)
{
    const char *text = "";
    for (size_t i = 0; i < ask->n_own; i++) {
        text = arena_printf(a, "%s%s" SV_FMT "=" SV_FMT, text, i ? "," : "",
                            SV_ARG(ask->own[i].wnid), SV_ARG(number_text(a, ask->own[i].threshold)));
        if (strlen(text) > OWN_MOST) {
            return SV(LIST_OF_PARENT);
        }
    }
    return sv_of(text);
}

static struct sv switch_text(bool on)
{
    return on ? SV("true") : SV("");
}

static void texts_of(const struct sample_ask *ask, struct arena *a, struct sv out[SAMPLE_FIELDS])
{
    const struct sample_rules *r = &ask->rules;
    const struct {
        enum sample_field field;
        uint64_t n;
    } counts[] = {{FIELD_SIZE, r->size},
                  {FIELD_ANSWERS, r->answers_least},
                  {FIELD_ORIGINALS_LEAST, r->originals_least},
                  {FIELD_ORIGINAL_ANSWERS, r->original_answers_least},
                  {FIELD_KEYWORDS, r->keywords_most},
                  {FIELD_UPLOADER_MOST, ask->pool.uploader_most},
                  {FIELD_EVENT_MOST, ask->pool.event_most},
                  {FIELD_SEED, r->seed}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        out[counts[i].field] = sv_of(arena_printf(a, "%llu", (unsigned long long)counts[i].n));
    }
    out[FIELD_SET] = ask->set;
    out[FIELD_PARENT] = ask->parent;
    out[FIELD_STRATEGY] = sv_of(sample_strategies[r->strategy]);
    out[FIELD_VIEW] = ask->pool.view.n ? ask->pool.view : sv_of(fields[FIELD_VIEW].usual);
    out[FIELD_THRESHOLD] = number_text(a, r->threshold);
    out[FIELD_OWN] = own_text(ask, a);
    out[FIELD_UPWARD] = switch_text(r->upward);
    out[FIELD_TOGETHER] = switch_text(r->together);
    out[FIELD_PICKED] = switch_text(ask->pool.picked_only);
}

/* The plan refuses a parent that does not exist. */
static void read_base(struct ctx *c, struct sv parent, struct sample_form *f,
                      struct sv base[SAMPLE_FIELDS])
{
    struct sample_ask *ask = arena_calloc(c->arena, 1, sizeof *ask);
    struct err err = {0};
    for (int k = 0; k < SAMPLE_FIELDS; k++) {
        base[k] = sv_of(fields[k].usual);
    }
    if (parent.n && sample_ask_inherit(c->db, parent, c->arena, ask, &err) == OK) {
        f->inherited = ask;
        texts_of(ask, c->arena, base);
    }
    f->parent_silent = strcmp(err.rule, "sample-parent") == 0;
    if (f->parent_silent) {
        base[FIELD_SET] = ask->set;
    }
}

/* ---- from requests ---- */

static bool is_off(struct sv text)
{
    return sv_is(text, "false") || sv_is(text, "no") || sv_is(text, "off") || sv_is(text, "0");
}

static struct sv take(enum sample_field f, struct sv typed, struct sv base, bool sent,
                      struct arena *a)
{
    typed = sv_trim(typed);
    switch (fields[f].form) {
    case SWITCH:
        return typed.n ? switch_text(!is_off(typed)) : sent ? SV("") : base;
    case LIST:
        typed = without_blanks(typed, a);
        return sv_is(typed, LIST_NONE) ? SV("") : typed.n || sent ? typed : base;
    case NAME:
    case COUNT:
    case SHARE:
    case STRATEGY:
        break;
    }
    return typed.n ? typed : base;
}

typedef struct sv (*get_fn)(struct ctx *c, const char *name);

static void read_form(struct ctx *c, get_fn get, struct sample_form *out)
{
    struct sv base[SAMPLE_FIELDS];
    bool sent = get(c, "form").n > 0;
    *out = (struct sample_form){.wrong = SAMPLE_FIELDS};
    read_base(c, sv_trim(get(c, fields[FIELD_PARENT].name)), out, base);
    for (int f = 0; f < SAMPLE_FIELDS; f++) {
        out->text[f] = take((enum sample_field)f, get(c, fields[f].name), base[f], sent, c->arena);
    }
}

static struct sv from_query(struct ctx *c, const char *name)
{
    return request_query(c->req, name);
}

static struct sv from_form(struct ctx *c, const char *name)
{
    return form_get(&c->form, name);
}

void sample_form_query(struct ctx *c, struct sample_form *out)
{
    read_form(c, from_query, out);
}

void sample_form_typed(struct ctx *c, struct sample_form *out)
{
    read_form(c, from_form, out);
}

/* ---- reading ---- */

static enum err_code wrong(struct sample_form *f, enum sample_field field, struct err *err,
                           const char *what)
{
    f->wrong = field;
    return err_rule(err, ERR_INPUT, "sample-field", "%s must be %s. Nothing was sampled.",
                    fields[field].name, what);
}

static enum err_code read_count(struct sample_form *f, enum sample_field field, struct arena *a,
                                int64_t *out, struct err *err)
{
    if (sv_i64(f->text[field], out) && *out >= fields[field].least && *out <= fields[field].most) {
        return OK;
    }
    return wrong(f, field, err,
                 arena_printf(a, "a whole number from %lld to %lld", (long long)fields[field].least,
                              (long long)fields[field].most));
}

static bool share(struct sv text, double *out)
{
    return sv_f64(text, out) && isfinite(*out) && *out >= 0 && *out <= 1;
}

/* "n03014705=.6, n02090379=.6" */
static enum err_code read_own(struct sample_form *f, struct arena *a, struct sample_ask *out,
                              struct err *err)
{
    const char *how = "pairs of a wnid and a frequency from 0 to 1, such as n03014705=.6, with "
                      "commas between them; at most 200 bytes";
    struct sv rest = f->text[FIELD_OWN];
    out->n_own = 0;
    if (f->inherited && sv_is(rest, LIST_OF_PARENT)) {
        out->own = f->inherited->own;
        out->n_own = f->inherited->n_own;
        return OK;
    }
    if (rest.n > OWN_MOST) {
        return wrong(f, FIELD_OWN, err, how);
    }
    out->own = arena_calloc(a, rest.n + 1, sizeof *out->own);
    while (rest.p && rest.n) {
        struct sv value = sv_trim(sv_cut(&rest, ',')), wnid = sv_trim(sv_cut(&value, '='));
        if (!wnid.n || !value.p || !share(sv_trim(value), &out->own[out->n_own].threshold)) {
            return wrong(f, FIELD_OWN, err, how);
        }
        out->own[out->n_own++].wnid = wnid;
    }
    return OK;
}

static enum err_code read_strategy(struct sample_form *f, struct sample_ask *out, struct err *err)
{
    for (int s = 0; s < SAMPLE_STRATEGIES; s++) {
        if (sv_is(f->text[FIELD_STRATEGY], sample_strategies[s])) {
            if (f->inherited) {
                sample_ask_strategy(out, (enum sample_strategy)s);
            } else {
                out->rules = sample_rules_usual((enum sample_strategy)s);
            }
            return OK;
        }
    }
    return wrong(f, FIELD_STRATEGY, err, "one of: matched, threshold, top, keyword");
}

/* Whether a strategy looks at a field: what was typed for another one is not in its way. */
static bool looks_at(const struct sample_ask *ask, enum sample_field field)
{
    return (fields[field].strategies & OF(ask->rules.strategy)) != 0;
}

static enum err_code read_counts(struct sample_form *f, struct arena *a, struct sample_ask *out,
                                 struct err *err)
{
    struct sample_rules *r = &out->rules;
    int64_t seed = 0;
    struct {
        enum sample_field field;
        uint32_t *to;
    } counts[] = {{FIELD_SIZE, &r->size},
                  {FIELD_ANSWERS, &r->answers_least},
                  {FIELD_ORIGINALS_LEAST, &r->originals_least},
                  {FIELD_ORIGINAL_ANSWERS, &r->original_answers_least},
                  {FIELD_KEYWORDS, &r->keywords_most},
                  {FIELD_UPLOADER_MOST, &out->pool.uploader_most},
                  {FIELD_EVENT_MOST, &out->pool.event_most}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int64_t n;
        if (!looks_at(out, counts[i].field)) {
            continue;
        }
        if (read_count(f, counts[i].field, a, &n, err) != OK) {
            return err->code;
        }
        *counts[i].to = (uint32_t)n;
    }
    if (read_count(f, FIELD_SEED, a, &seed, err) != OK) {
        return err->code;
    }
    r->seed = (uint64_t)seed;
    return OK;
}

enum err_code sample_form_ask(struct sample_form *f, struct arena *a, struct sample_ask *out,
                              struct err *err)
{
    *out = f->inherited ? *f->inherited : (struct sample_ask){0};
    out->set = f->text[FIELD_SET];
    out->parent = f->text[FIELD_PARENT];
    if (read_strategy(f, out, err) != OK || read_counts(f, a, out, err) != OK) {
        return err->code;
    }
    out->pool.view = f->text[FIELD_VIEW];
    out->pool.picked_only = f->text[FIELD_PICKED].n > 0;
    out->rules.upward = looks_at(out, FIELD_UPWARD) && f->text[FIELD_UPWARD].n > 0;
    out->rules.together = looks_at(out, FIELD_TOGETHER) && f->text[FIELD_TOGETHER].n > 0;
    if (out->set.n && set_name_check(out->set, err) != OK) {
        f->wrong = FIELD_SET;
        return err->code;
    }
    if (looks_at(out, FIELD_THRESHOLD) && !share(f->text[FIELD_THRESHOLD], &out->rules.threshold)) {
        return wrong(f, FIELD_THRESHOLD, err, "a frequency from 0 to 1");
    }
    enum err_code rc = looks_at(out, FIELD_OWN) ? read_own(f, a, out, err) : OK;
    return rc == OK ? sample_rules_check(&out->rules, err) : rc;
}

/* ---- writing ---- */

/* Worth saying: looked at by the strategy and not the usual, or with a parent, whose own settings hold where nothing
 * is said, all of it. Strategy and seed are always said. */
static bool is_used(const struct sample_form *f, int field)
{
    unsigned of = 0;
    for (int s = 0; s < SAMPLE_STRATEGIES; s++) {
        of |= sv_is(f->text[FIELD_STRATEGY], sample_strategies[s]) ? OF(s) : 0;
    }
    if ((fields[field].strategies & of) == 0) {
        return false;
    }
    bool always = field == FIELD_STRATEGY || field == FIELD_SEED || f->inherited;
    bool can_be_empty = fields[field].form == SWITCH || fields[field].form == LIST;
    return f->text[field].n > 0 ? always || !sv_is(f->text[field], fields[field].usual)
                                : f->inherited && can_be_empty;
}

/* What is said of a field in use. */
static struct sv said(const struct sample_form *f, int field)
{
    struct sv text = f->text[field];
    return fields[field].form == SWITCH           ? (text.n ? SV("true") : SV("false"))
           : fields[field].form == LIST && !text.n ? SV(LIST_NONE)
                                                   : text;
}

size_t sample_form_fields(const struct sample_form *f, struct job_given out[SAMPLE_FIELDS])
{
    size_t n = 0;
    for (int field = 0; field < SAMPLE_FIELDS; field++) {
        if (is_used(f, field)) {
            out[n++] = (struct job_given){sv_of(fields[field].name), said(f, field)};
        }
    }
    return n;
}

size_t sample_form_given(const struct sample_form *f, struct job_given out[SAMPLE_FIELDS])
{
    size_t n = 0;
    for (int field = 0; field < SAMPLE_FIELDS; field++) {
        struct sv text = said(f, field);
        bool off = fields[field].form == SWITCH && !f->text[field].n;
        bool as_parent = fields[field].form == LIST && sv_is(text, LIST_OF_PARENT);
        if (is_used(f, field) && !as_parent) {
            out[n++] = (struct job_given){sv_of(off ? fields[field].off : fields[field].name),
                                          off ? SV("true") : text};
        }
    }
    return n;
}

const char *sample_form_address(const struct sample_form *f, struct arena *a)
{
    struct str s;
    str_init(&s, ADDRESS_MOST);
    str_addz(&s, "/sets/new");
    for (int field = 0; field < SAMPLE_FIELDS; field++) {
        if (is_used(f, field)) {
            str_printf(&s, "%c%s=", s.n == strlen("/sets/new") ? '?' : '&', fields[field].name);
            escape_url(&s, said(f, field));
        }
    }
    const char *text = arena_cstr(a, str_sv(&s));
    str_release(&s);
    return text;
}

json_t *sample_form_json(const struct sample_form *f)
{
    json_t *all = json_object();
    for (int field = 0; field < SAMPLE_FIELDS; field++) {
        struct sv text = sv_utf8(f->text[field]) ? f->text[field] : SV("");
        bool is_switch = fields[field].form == SWITCH;
        json_t *value =
            is_switch ? json_boolean(text.n > 0) : json_stringn(text.p ? text.p : "", text.n);
        char name[32];
        snprintf(name, sizeof name, "%s", fields[field].name);
        for (char *at = name; *at; at++) {
            *at = *at == '-' ? '_' : *at;
        }
        json_object_set_new(all, name, value);
    }
    for (int s = 0; s < SAMPLE_STRATEGIES; s++) {
        char name[32];
        snprintf(name, sizeof name, "is_%s", sample_strategies[s]);
        json_object_set_new(all, name,
                            json_boolean(sv_is(f->text[FIELD_STRATEGY], sample_strategies[s])));
    }
    return all;
}
