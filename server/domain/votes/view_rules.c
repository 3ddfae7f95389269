/* view_rules.c - the filters of a vote view: their table, their JSON, what each leaves out. The JSON
 * is read by hand: this folder knows no library, and a list of pairs needs none. */
#include "domain/votes/view_rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/str.h"

/* clang-format off */
const struct view_rule_info view_rule_infos[VIEW_RULES] = {
    [RULE_ACTIVE_LEAST] = {"active-least", "Minimum active time per grid", "seconds", 0, 3600, 20,
        LOOKS_AT_WORK, NULL},
    [RULE_NOT_ALL] = {"not-all", "Without answers that select every cell", "", 0, 0, 0, LOOKS_AT_ANSWERS,
        "Leaves out answers because of what they say: it can only lower frequencies."},
    [RULE_NOT_NONE] = {"not-none", "Without answers that select no cell", "", 0, 0, 0, LOOKS_AT_ANSWERS,
        "Leaves out answers because of what they say: a grid may show nothing of its class. It can only "
        "raise frequencies."},
    [RULE_FIRST_VOTES] = {"first-votes", "Only the first votes of each image", "votes", 1, 1000, 5,
        LOOKS_AT_WORK, NULL},
    [RULE_RANDOM_VOTES] = {"random-votes", "Only so many votes of each image, at random", "votes", 1, 1000, 5,
        LOOKS_AT_WORK, NULL},
    [RULE_ANSWERS_LEAST] = {"answers-least", "Minimum answers per person", "answers", 1, 10000, 5,
        LOOKS_AT_WORK, NULL},
    [RULE_GOLD_LEAST] = {"gold-least", "Minimum share of gold cells right", "%", 0, 100, 80,
        LOOKS_AT_GOLD, NULL},
    [RULE_NEGATIVE_LEAST] = {"negative-least", "Minimum share of negative controls right", "%", 0, 100, 80,
        LOOKS_AT_ANSWERS,
        "Negative controls are ordinary cells of the measured grids. Leaving out the people who select some "
        "of them moves frequencies, those of originals more than those of candidates. To judge people, use "
        "gold images."},
    [RULE_POSITIVE_LEAST] = {"positive-least", "Minimum share of positive controls right", "%", 0, 100, 50,
        LOOKS_AT_ANSWERS,
        "Positive controls are originals, which are measured themselves. Leaving out the people who miss "
        "some of them raises the originals' frequency. To judge people, use gold images."},
    [RULE_RELATIVE_LEAST] = {"relative-least", "Minimum relative agreement", "from -1 to 1", -1, 1, -0.2,
        LOOKS_AT_ANSWERS,
        "Leaves out people because they disagree: the rest look more certain than people are."},
    [RULE_NOT_BLOCKED] = {"not-blocked", "Without answers of blocked people", "", 0, 0, 0,
        LOOKS_AT_DECISIONS, NULL},
};
/* clang-format on */

static bool has_value(enum view_rule rule)
{
    return view_rule_infos[rule].unit[0] != '\0';
}

struct reader {
    struct sv rest;
    size_t entry; /* from 1: which filter is being read */
};

static void skip_space(struct reader *r)
{
    while (r->rest.n && memchr(" \t\r\n", r->rest.p[0], 4)) {
        r->rest = sv_make(r->rest.p + 1, r->rest.n - 1);
    }
}

/* Takes the character when it comes next. */
static bool take(struct reader *r, char c)
{
    skip_space(r);
    if (r->rest.n == 0 || r->rest.p[0] != c) {
        return false;
    }
    r->rest = sv_make(r->rest.p + 1, r->rest.n - 1);
    return true;
}

/* Text in quotes. No rule and no member has a character that JSON would escape, so one with a
 * backslash is none of them. */
static bool take_text(struct reader *r, struct sv *out)
{
    if (!take(r, '"')) {
        return false;
    }
    const char *end = r->rest.n ? memchr(r->rest.p, '"', r->rest.n) : NULL;
    if (!end) {
        return false;
    }
    *out = sv_make(r->rest.p, (size_t)(end - r->rest.p));
    r->rest = sv_make(end + 1, r->rest.n - out->n - 1);
    return true;
}

static bool take_number(struct reader *r, double *out)
{
    skip_space(r);
    size_t n = 0;
    while (n < r->rest.n && strchr("+-.0123456789eE", r->rest.p[n]) && r->rest.p[n]) {
        n++;
    }
    bool good = sv_f64(sv_make(r->rest.p, n), out);
    r->rest = sv_make(r->rest.p + n, r->rest.n - n);
    return good;
}

static enum err_code no_list(struct err *err)
{
    return err_rule(err, ERR_INPUT, "view-filter",
                    "Filters are a JSON list such as [{\"rule\": \"active-least\", \"value\": 20}].");
}

static enum err_code bad_entry(const struct reader *r, struct err *err)
{
    return err_rule(err, ERR_INPUT, "view-filter",
                    "Filter %zu is not a JSON object such as {\"rule\": \"active-least\", \"value\": 20}.",
                    r->entry);
}

static enum err_code no_rule(const struct reader *r, struct sv word, struct err *err)
{
    char words[300] = "";
    for (size_t i = 0, n = 0; i < VIEW_RULES; i++) {
        n += (size_t)snprintf(words + n, sizeof words - n, "%s%s", i ? ", " : "",
                              view_rule_infos[i].word);
    }
    int shown = word.n > 40 ? 40 : (int)word.n;
    bool printable = sv_utf8(sv_make(word.p, (size_t)shown));
    return err_rule(err, ERR_INPUT, "view-filter",
                    "Filter %zu: there is no rule \"%.*s\". Choose one of: %s.",
                    r->entry, printable ? shown : 0, word.p, words);
}

static bool rule_of(struct sv word, enum view_rule *out)
{
    for (size_t i = 0; i < VIEW_RULES; i++) {
        if (sv_is(word, view_rule_infos[i].word)) {
            *out = (enum view_rule)i;
            return true;
        }
    }
    return false;
}

/* What one object says; a member twice or of another name is no such object. */
struct entry {
    bool has_rule, has_value, has_seed;
    struct sv rule;
    double value, seed;
};

static bool take_entry(struct reader *r, struct entry *e)
{
    *e = (struct entry){0};
    if (!take(r, '{')) {
        return false;
    }
    do {
        struct sv member;
        if (!take_text(r, &member) || !take(r, ':')) {
            return false;
        }
        bool is_rule = sv_is(member, "rule"), is_seed = sv_is(member, "seed");
        bool *has = is_rule ? &e->has_rule : is_seed ? &e->has_seed : &e->has_value;
        if ((!is_rule && !is_seed && !sv_is(member, "value")) || *has ||
            !(is_rule ? take_text(r, &e->rule) : take_number(r, is_seed ? &e->seed : &e->value))) {
            return false;
        }
        *has = true;
    } while (take(r, ','));
    return take(r, '}') && e->has_rule;
}

static enum err_code check_value(const struct reader *r, const struct entry *e,
                                 enum view_rule rule, struct err *err)
{
    const struct view_rule_info *info = &view_rule_infos[rule];
    if (!has_value(rule) && e->has_value) {
        return err_rule(err, ERR_INPUT, "view-filter", "Filter %zu: %s takes no value.", r->entry,
                        info->word);
    }
    if (e->has_seed && (rule != RULE_RANDOM_VOTES || !(e->seed >= 1 && e->seed <= (double)VIEW_SEED_MOST && e->seed == floor(e->seed)))) {
        return err_rule(err, ERR_INPUT, "view-filter", "Filter %zu: only random-votes has a seed, a whole number from 1 to %lld.", r->entry,
                        (long long)VIEW_SEED_MOST);
    }
    if (has_value(rule) && !(e->has_value && e->value >= info->lo && e->value <= info->hi)) {
        return err_rule(err, ERR_INPUT, "view-filter",
                        "Filter %zu: %s needs a value between %g and %g (%s).", r->entry,
                        info->word, info->lo, info->hi, info->unit);
    }
    return OK;
}

static enum err_code read_filter(struct reader *r, struct view_rules *v, struct err *err)
{
    struct entry e;
    struct view_filter f = {0};
    r->entry = v->n + 1;
    if (!take_entry(r, &e)) {
        return bad_entry(r, err);
    }
    if (!rule_of(e.rule, &f.rule)) {
        return no_rule(r, e.rule, err);
    }
    if (check_value(r, &e, f.rule, err) != OK) {
        return ERR_INPUT;
    }
    f.value = e.has_value ? e.value : 0;
    f.seed = f.rule == RULE_RANDOM_VOTES ? e.has_seed ? (uint64_t)e.seed : 1 : 0;
    for (size_t i = 0; i < v->n; i++) {
        if (v->filters[i].rule == f.rule) {
            return err_rule(err, ERR_INPUT, "view-filter",
                            "Filter %zu: %s is already in the list, as filter %zu.", r->entry,
                            view_rule_infos[f.rule].word, i + 1);
        }
    }
    if (v->n == VIEW_FILTERS_MOST) {
        return err_rule(err, ERR_INPUT, "view-filter", "A view has at most %d filters.",
                        VIEW_FILTERS_MOST);
    }
    v->filters[v->n++] = f;
    return OK;
}

enum err_code view_rules_parse(struct sv json, struct view_rules *out, struct err *err)
{
    struct reader r = {.rest = json};
    *out = (struct view_rules){0};
    if (!take(&r, '[')) {
        return no_list(err);
    }
    if (!take(&r, ']')) {
        do {
            enum err_code rc = read_filter(&r, out, err);
            if (rc != OK) {
                return rc;
            }
        } while (take(&r, ','));
        if (!take(&r, ']')) {
            return no_list(err);
        }
    }
    skip_space(&r);
    return r.rest.n ? no_list(err) : OK;
}

/* As people type it, with more digits only where it would not read back as the same number. */
static void add_number(struct str *s, double v)
{
    char digits[32];
    int places = 15;
    do {
        snprintf(digits, sizeof digits, "%.*g", places, v);
    } while (strtod(digits, NULL) != v && ++places <= 17);
    str_addz(s, digits);
}

const char *view_rules_json(const struct view_rules *v, struct arena *a)
{
    struct str s;
    str_init(&s, 4096);
    str_addc(&s, '[');
    for (size_t i = 0; i < v->n; i++) {
        const struct view_filter *f = &v->filters[i];
        str_printf(&s, "%s{\"rule\": \"%s\"", i ? ", " : "", view_rule_infos[f->rule].word);
        if (has_value(f->rule)) {
            str_addz(&s, ", \"value\": ");
            add_number(&s, f->value);
        }
        if (f->seed) {
            str_printf(&s, ", \"seed\": %llu", (unsigned long long)f->seed);
        }
        str_addc(&s, '}');
    }
    str_addc(&s, ']');
    const char *out = arena_cstr(a, str_sv(&s));
    str_release(&s);
    return out;
}

const char *view_filter_text(const struct view_filter *f, struct arena *a)
{
    switch (f->rule) {
    case RULE_ACTIVE_LEAST:
        return arena_printf(a, "at least %g s of active time", f->value);
    case RULE_NOT_ALL:
        return "not every cell selected";
    case RULE_NOT_NONE:
        return "at least one cell selected";
    case RULE_FIRST_VOTES:
        return arena_printf(a, "the first %g votes of each image", f->value);
    case RULE_RANDOM_VOTES:
        return arena_printf(a, "%g votes of each image at random, by seed %llu", f->value, (unsigned long long)f->seed);
    case RULE_ANSWERS_LEAST:
        return arena_printf(a, "people with at least %g answers", f->value);
    case RULE_GOLD_LEAST:
        return arena_printf(a, "people with at least %g %% of gold cells right", f->value);
    case RULE_NEGATIVE_LEAST:
        return arena_printf(a, "people with at least %g %% of negative controls right", f->value);
    case RULE_POSITIVE_LEAST:
        return arena_printf(a, "people with at least %g %% of positive controls right", f->value);
    case RULE_RELATIVE_LEAST:
        return arena_printf(a, "people with a relative agreement of at least %g", f->value);
    case RULE_NOT_BLOCKED:
        return "people who are not blocked";
    case VIEW_RULES:
        break;
    }
    BUG_IF(true);
}

const char *view_filter_warning(const struct view_filter *f, struct arena *a)
{
    const char *warning = view_rule_infos[f->rule].warning;
    return warning ? arena_printf(a, "%s: %s", view_filter_text(f, a), warning) : NULL;
}

bool view_filter_answer(const struct view_filter *f, unsigned cells, unsigned selected,
                        unsigned active_ms)
{
    return (f->rule == RULE_ACTIVE_LEAST && active_ms > 0 && active_ms < f->value * 1000) ||
           (f->rule == RULE_NOT_ALL && selected == cells) ||
           (f->rule == RULE_NOT_NONE && selected == 0);
}

bool view_filter_of_grid(const struct view_filter *f) { return f->rule == RULE_FIRST_VOTES || f->rule == RULE_RANDOM_VOTES; }

void view_filter_grid(const struct view_filter *f, uint64_t grid, size_t n, bool *out)
{
    size_t keep = view_filter_of_grid(f) && f->value < (double)n ? (size_t)f->value : n;
    struct rng r;
    rng_stream(&r, f->seed, grid);
    for (size_t i = 0; i < n; i++) { /* each of the answers that are left is one of the `keep` that are to be chosen as likely */
        bool kept = f->rule == RULE_RANDOM_VOTES && keep < n - i ? rng_below(&r, n - i) < keep : keep > 0;
        out[i] = !kept;
        keep -= kept;
    }
}

/* Of nothing there is no share: that passes. Cross products, so that 3 of 5 are 60 %. */
static bool below(unsigned right, unsigned of, double percent)
{
    return of > 0 && right * 100.0 < percent * of;
}

bool view_filter_person(const struct view_filter *f, const struct view_person *p)
{
    return (f->rule == RULE_ANSWERS_LEAST && p->answers < f->value) ||
           (f->rule == RULE_GOLD_LEAST && below(p->gold_right, p->gold, f->value)) ||
           (f->rule == RULE_NEGATIVE_LEAST && below(p->neg_right, p->neg, f->value)) ||
           (f->rule == RULE_POSITIVE_LEAST && below(p->pos_right, p->pos, f->value)) ||
           (f->rule == RULE_RELATIVE_LEAST && p->compared && p->relative < f->value) ||
           (f->rule == RULE_NOT_BLOCKED && p->blocked);
}
