/* decision_choice.c - reading and writing who and what a decision is about. A query, a form, JSON
 * and options are one thing here: a list of names and texts. */
#include "study/decision_choice.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "base/str.h"
#include "json/object.h"
#include "store/decisions/pay.h"

enum { DAY_TEXT = 10 };
#define DAY_MS INT64_C(86400000)

/* ---- reading ---- */

/* Days since 1970 of a civil date, Howard Hinnant's way. */
static int64_t days_of(int64_t y, int64_t m, int64_t d)
{
    y -= m <= 2;
    int64_t era = y / 400;
    int64_t yoe = y - era * 400;
    int64_t doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

/* "2026-11-20" */
static bool read_day(struct sv text, int64_t *ms)
{
    static const int64_t lengths[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t y, m, d;
    if (text.n != DAY_TEXT || text.p[4] != '-' || text.p[7] != '-' ||
        !sv_i64(sv_make(text.p, 4), &y) || !sv_i64(sv_make(text.p + 5, 2), &m) ||
        !sv_i64(sv_make(text.p + 8, 2), &d) || y < 1970 || m < 1 || m > 12 || d < 1 ||
        d > lengths[m - 1] || (m == 2 && d == 29 && (y % 4 || (y % 100 == 0 && y % 400)))) {
        return false;
    }
    *ms = days_of(y, m, d) * DAY_MS;
    return true;
}

struct words {
    const struct choice_word *list;
    size_t n;
};

/* The first of that name; empty without one. */
static struct sv get(const struct words *w, const char *name)
{
    for (size_t i = 0; i < w->n; i++) {
        if (sv_is(w->list[i].name, name)) {
            return w->list[i].value;
        }
    }
    return SV("");
}

static enum err_code read_value(const struct words *w, struct choice *c, struct err *err)
{
    struct sv field = get(w, "field"), value = get(w, "value");
    bool known = true;
    c->value = sv_is(field, "pay") ? DECISION_APPROVED : DECISION_OUT;
    if (value.n) {
        known = decision_value_parse(value, &c->value);
    }
    bool analysis = c->value == DECISION_IN || c->value == DECISION_OUT;
    c->pay = field.n ? sv_is(field, "pay") : !analysis;
    if (!known || c->value == DECISION_UNDO || analysis == c->pay ||
        (field.n && !c->pay && !sv_is(field, "analysis"))) {
        return err_rule(err, ERR_INPUT, "decision-value",
                        "With field analysis the value must be in or out, with field pay approved, rejected, "
                        "pending or bonus. Nothing was changed.");
    }
    return OK;
}

static enum err_code read_number(struct sv text, const char *what, int64_t *out, struct err *err)
{
    *out = 0;
    return text.n && (!sv_i64(text, out) || *out < 1)
               ? err_rule(err, ERR_INPUT, "decision-choice",
                          "%s must be given by its number. Nothing was changed.", what)
               : OK;
}

static enum err_code read_people(const struct words *w, struct arena *a, struct choice *c,
                                 struct err *err)
{
    struct list people = {0}, places = {0};
    enum err_code rc = OK;
    for (size_t i = 0; i < w->n && rc == OK; i++) {
        struct sv value = sv_trim(w->list[i].value);
        if (value.n == 0) {
            continue;
        }
        if (sv_is(w->list[i].name, "person")) {
            *LIST_ADD(&people, a, struct sv) = value;
        } else if (sv_is(w->list[i].name, "place")) {
            int64_t place;
            rc = read_number(value, "A place", &place, err);
            *LIST_ADD(&places, a, int64_t) = place;
        }
    }
    c->people = people.items;
    c->n_people = people.n;
    c->places = places.items;
    c->n_places = places.n;
    return rc == OK && people.n + places.n > CHOICE_NAMES_MOST
               ? err_rule(err, ERR_LIMIT, "decision-choice",
                          "At most %d people or places can be named at once; nothing was changed.",
                          CHOICE_NAMES_MOST)
               : rc;
}

static enum err_code read_limits(const struct words *w, struct choice *c, struct err *err)
{
    struct sv bonus = sv_trim(get(w, "bonus"));
    c->campaign = sv_trim(get(w, "campaign"));
    c->before = sv_trim(get(w, "before"));
    if (c->before.n && !read_day(c->before, &c->before_ms)) {
        return err_rule(err, ERR_INPUT, "decision-date",
                        "Write the day before which answers were given like 2026-11-20. Nothing was "
                        "changed.");
    }
    if (bonus.n && !pay_amount(bonus, &c->bonus_cents)) {
        return err_rule(err, ERR_INPUT, "decision-bonus",
                        "A bonus must be an amount such as 1.50. Nothing was changed.");
    }
    return OK;
}

static bool is_yes(struct sv v)
{
    return sv_is(v, "1") || sv_is(v, "true");
}

static void read_list(const struct words *w, struct people_words *out)
{
    const struct people_typed typed = {.show = get(w, "show"),   .query = get(w, "q"),
                                       .sort = get(w, "sort"),   .order = get(w, "order"),
                                       .by = get(w, "by"),       .least = get(w, "least"),
                                       .most = get(w, "most")};
    people_words_read(&typed, out);
}

enum err_code choice_read(const struct choice_word *words, size_t n, struct arena *a,
                          struct choice *out, struct err *err)
{
    const struct words all = {words, n}, *w = &all;
    struct sv fit = get(w, "fit");
    *out = (struct choice){.reopen = is_yes(get(w, "reopen")),
                           .view = sv_trim(get(w, "view")),
                           .show = get(w, "show"),
                           .reason = sv_trim(get(w, "reason"))};
    out->all_places = sv_is(fit, "places");
    out->fit = fit.n > 0 && !out->all_places;
    read_list(w, &out->words);
    enum err_code rc = read_number(sv_trim(get(w, "undo")), "A decision", &out->undo, err);
    if (rc == OK && out->undo) {
        out->value = DECISION_UNDO;
        return OK;
    }
    rc = rc == OK ? read_value(w, out, err) : rc;
    rc = rc == OK ? read_number(sv_trim(get(w, "answer")), "An answer", &out->answer, err) : rc;
    rc = rc == OK ? read_people(w, a, out, err) : rc;
    return rc == OK ? read_limits(w, out, err) : rc;
}

/* A member's text; numbers and switches as forms write them. False for anything else. */
static bool json_word(const json_t *v, struct arena *a, struct sv *out)
{
    if (json_is_string(v)) {
        *out = sv_make(json_string_value(v), json_string_length(v));
    } else if (json_is_integer(v)) {
        *out = sv_of(arena_printf(a, "%lld", (long long)json_integer_value(v)));
    } else if (json_is_boolean(v)) {
        *out = json_is_true(v) ? SV("1") : SV("");
    } else if (json_is_null(v)) {
        *out = SV("");
    } else if (json_is_real(v)) {
        *out = sv_of(arena_printf(a, "%g", json_real_value(v)));
    } else {
        return false;
    }
    return true;
}

static bool add_word(struct list *list, struct arena *a, struct sv name, const json_t *v)
{
    struct sv text;
    if (!json_word(v, a, &text)) {
        return false;
    }
    *LIST_ADD(list, a, struct choice_word) =
        (struct choice_word){.name = name, .value = text};
    return true;
}

/* "people": ["p1", "p2"] is person=p1&person=p2. NULL: a member that says nothing about a choice. */
static const char *field_name(const char *member)
{
    static const char *const known[] = {"field",  "value", "answer", "view",     "fit",    "show",
                                        "q",      "by",    "least",  "most",     "sort",   "order",
                                        "reason", "undo",  "bonus",  "campaign", "before", "reopen"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(member, known[i]) == 0) {
            return member;
        }
    }
    return strcmp(member, "people") == 0   ? "person"
           : strcmp(member, "places") == 0 ? "place"
                                           : NULL;
}

enum err_code choice_json(const json_t *body, struct arena *a, struct choice *out, struct err *err)
{
    struct list list = {0};
    const char *member;
    json_t *v, *one;
    size_t i;
    bool good = true;
    json_object_foreach((json_t *)(uintptr_t)body, member, v) {
        const char *name = field_name(member);
        if (name && json_is_array(v)) {
            json_array_foreach(v, i, one) {
                good = good && add_word(&list, a, sv_of(name), one);
            }
        } else if (name) {
            good = good && add_word(&list, a, sv_of(name), v);
        }
    }
    if (!good) {
        return err_rule(err, ERR_INPUT, "decision-choice",
                        "Members must be strings, numbers, true or false, or lists of these. Nothing was "
                        "changed.");
    }
    return choice_read(list.items, list.n, a, out, err);
}

void choice_usual_reason(struct choice *c, struct arena *a)
{
    if (c->undo && c->reason.n == 0) {
        c->reason = sv_of(arena_printf(a, "undo of decision %lld", (long long)c->undo));
    }
}

bool choice_any(const struct choice *c)
{
    return c->undo || c->n_people || c->n_places || c->answer || c->view.n || c->fit ||
           c->all_places;
}

/* ---- writing ---- */

static json_t *text(struct sv s)
{
    return json_stringn(s.n ? s.p : "", s.n);
}

static void add(json_t *fields, const char *name, struct sv value)
{
    if (value.n) {
        object_add(fields, field_text("name", name), field_json("value", text(value)));
    }
}

static struct sv number(struct arena *a, int64_t n)
{
    return n ? sv_of(arena_printf(a, "%lld", (long long)n)) : SV("");
}

static void add_words(json_t *fields, const struct people_words *w)
{
    add(fields, "fit", SV("people"));
    add(fields, "show", sv_of(people_shows[w->show]));
    add(fields, "q", w->query);
    add(fields, "by", w->least.n || w->most.n ? sv_of(people_keys[w->by]) : SV(""));
    add(fields, "least", w->least);
    add(fields, "most", w->most);
}

json_t *choice_fields(const struct choice *c, struct arena *a)
{
    json_t *fields = json_array();
    add(fields, "undo", number(a, c->undo));
    if (c->undo) {
        return fields;
    }
    add(fields, "field", c->pay ? SV("pay") : SV("analysis"));
    add(fields, "answer", number(a, c->answer));
    add(fields, "view", c->view);
    for (size_t i = 0; i < c->n_people; i++) {
        add(fields, "person", c->people[i]);
    }
    for (size_t i = 0; i < c->n_places; i++) {
        add(fields, "place", number(a, c->places[i]));
    }
    if (c->fit) {
        add_words(fields, &c->words);
    } else if (c->all_places) {
        add(fields, "fit", SV("places"));
        add(fields, "show", c->show);
    }
    return fields;
}

static void set(json_t *o, const char *name, struct sv value)
{
    if (value.n) {
        json_object_set_new(o, name, text(value));
    }
}

static json_t *criteria_lists(const struct choice *c)
{
    json_t *o = json_object();
    json_t *people = json_array(), *places = json_array();
    for (size_t i = 0; i < c->n_people; i++) {
        json_array_append_new(people, text(c->people[i]));
    }
    for (size_t i = 0; i < c->n_places; i++) {
        json_array_append_new(places, json_integer(c->places[i]));
    }
    if (c->n_people) {
        json_object_set(o, "people", people);
    }
    if (c->n_places) {
        json_object_set(o, "places", places);
    }
    json_decref(people);
    json_decref(places);
    return o;
}

/* A search may be a panel's id: whom it found is in the list of subjects, what was typed nowhere. */
const char *choice_criteria(const struct choice *c, struct arena *a)
{
    json_t *o = criteria_lists(c);
    if (c->undo) {
        json_object_set_new(o, "undo", json_integer(c->undo));
    }
    if (c->answer) {
        json_object_set_new(o, "answer", json_integer(c->answer));
    }
    set(o, "view", c->view);
    if (c->fit) {
        struct people_words w = c->words;
        const char *said = people_words_text(&w, a);
        json_object_set_new(
            o, "fit",
            object(field_text("text", said), field_bool("searched", c->words.query.n > 0)));
    }
    if (c->all_places) {
        json_object_set_new(o, "participants", text(c->show));
    }
    set(o, "campaign", c->campaign);
    set(o, "before", c->before);
    return json_compact(o, 0, a).p;
}

static void say(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void say(struct str *s, const char *fmt, ...)
{
    char part[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(part, sizeof part, fmt, ap);
    va_end(ap);
    str_addz(s, s->n ? "; " : "");
    str_addz(s, part);
}

static void say_lists(struct str *s, const json_t *o)
{
    size_t people = json_array_size(json_object_get(o, "people"));
    size_t places = json_array_size(json_object_get(o, "places"));
    const char *fit = json_string_value(json_object_get(json_object_get(o, "fit"), "text"));
    const char *show = json_string_value(json_object_get(o, "participants"));
    if (people) {
        say(s, "%zu chosen %s", people, people == 1 ? "person" : "people");
    }
    if (places) {
        say(s, "%zu chosen participant%s", places, places == 1 ? "" : "s");
    }
    if (fit) {
        say(s, "all people in the list: %s%s", fit,
            json_is_true(json_object_get(json_object_get(o, "fit"), "searched")) ? ", searched for"
                                                                                  : "");
    }
    if (show) {
        say(s, "all participants in the list: %s",
            strcmp(show, "ready") == 0 ? "complete and pending" : *show ? show : "all");
    }
}

const char *choice_criteria_text(struct sv criteria, struct arena *a)
{
    struct str s;
    json_t *o = json_loadb(criteria.p, criteria.n, 0, NULL);
    const char *view = json_string_value(json_object_get(o, "view"));
    const char *campaign = json_string_value(json_object_get(o, "campaign"));
    const char *before = json_string_value(json_object_get(o, "before"));
    long long undo = json_integer_value(json_object_get(o, "undo"));
    long long answer = json_integer_value(json_object_get(o, "answer"));
    str_init(&s, 4096);
    if (undo) {
        say(&s, "what decision %lld changed, where it is still in effect", undo);
    }
    if (answer) {
        say(&s, "answer %lld", answer);
    }
    if (view) {
        say(&s, "what the filters of view %s leave out", view);
    }
    say_lists(&s, o);
    if (campaign) {
        say(&s, "campaign %s", campaign);
    }
    if (before) {
        say(&s, "before %s", before);
    }
    const char *out = arena_cstr(a, str_sv(&s));
    str_release(&s);
    json_decref(o);
    return out;
}
