/* refill.c - what was typed, back into the fields of a refused form, with messages beside them. First all
 * tags are listed and the form is found, then changes are noted by place, last they are applied in order. */
#include "view/refill.h"

#include <stdlib.h>
#include <string.h>

#include "view/escape.h"
#include "view/html_tags.h"

enum { NONE = -1, ENTITY_MOST = 6, SUMMARY_MOST = 1 << 20 };

struct change {
    size_t at, cut; /* bytes from `at` that are left out */
    struct sv text; /* what replaces it */
    size_t turn;    /* of equal places the earlier noted comes first */
};

struct job {
    struct arena *a;
    struct sv html;
    const struct refill *r;
    const struct tag *tags;
    size_t n_tags;
    size_t form, form_end; /* tags of the form */
    struct sv form_id;
    bool *taken;           /* per field that was sent: a control has it */
    bool *opened;          /* per tag: a details that is open now */
    const char **where;    /* per wrong: the id of the control that it is about, NULL for none */
    struct change *changes;
    size_t n_changes, room;
    bool focused;
};

static size_t offset(const struct job *j, const char *p)
{
    return (size_t)(p - j->html.p);
}

static size_t tag_from(const struct job *j, size_t i)
{
    return offset(j, j->tags[i].all.p);
}

static size_t tag_to(const struct job *j, size_t i)
{
    return tag_from(j, i) + j->tags[i].all.n;
}

static void change(struct job *j, size_t at, size_t cut, struct sv text)
{
    if (j->n_changes == j->room) {
        size_t room = j->room ? 2 * j->room : 64;
        struct change *more = arena_alloc(j->a, room * sizeof *more);
        if (j->n_changes) {
            memcpy(more, j->changes, j->n_changes * sizeof *more);
        }
        j->changes = more;
        j->room = room;
    }
    j->changes[j->n_changes] = (struct change){at, cut, text, j->n_changes};
    j->n_changes++;
}

static void insert(struct job *j, size_t at, const char *text)
{
    change(j, at, 0, sv_of(text));
}

static struct sv escaped(struct job *j, struct sv text)
{
    struct str s;
    str_init(&s, ENTITY_MOST * text.n);
    escape_html(&s, text);
    struct sv kept = arena_sv(j->a, str_sv(&s));
    str_release(&s);
    return kept;
}

/* In front of the ">" of a tag. */
static void add_attr(struct job *j, size_t tag, const char *text)
{
    const struct sv all = j->tags[tag].all;
    bool slash = all.n > 1 && all.p[all.n - 2] == '/';
    insert(j, tag_to(j, tag) - 1 - slash, text);
}

static void set_attr(struct job *j, size_t tag, const char *name, struct sv value)
{
    struct sv old, whole;
    const char *attr = arena_printf(j->a, " %s=\"%s\"", name, escaped(j, value).p);
    if (tag_attr(&j->tags[tag], name, &old, &whole)) {
        change(j, offset(j, whole.p), whole.n, sv_of(attr));
    } else {
        add_attr(j, tag, attr);
    }
}

/* An attribute without a value, there or not. */
static void flag_attr(struct job *j, size_t tag, const char *name, bool wanted)
{
    struct sv value, whole;
    bool has = tag_attr(&j->tags[tag], name, &value, &whole);
    if (has && !wanted) {
        change(j, offset(j, whole.p), whole.n, SV(""));
    } else if (!has && wanted) {
        add_attr(j, tag, arena_printf(j->a, " %s", name));
    }
}

/* The tag that closes tag `i`; the last one when none does. */
static size_t closing(const struct job *j, size_t i)
{
    int depth = 0;
    for (size_t k = i; k < j->n_tags; k++) {
        if (sv_eq(j->tags[k].name, j->tags[i].name)) {
            depth += j->tags[k].closing ? -1 : 1;
            if (depth == 0) {
                return k;
            }
        }
    }
    return j->n_tags - 1;
}

static bool opens(const struct tag *t, const char *name)
{
    return !t->closing && sv_is(t->name, name);
}

/* --- which form --- */

static int hex(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* Whether an address in a page leads to this path; its query does not count. */
static bool leads_to(struct sv address, struct sv path)
{
    struct str s;
    struct sv rest = address, at = sv_cut(&rest, '?');
    str_init(&s, at.n);
    for (size_t i = 0; i < at.n; i++) {
        bool coded = at.p[i] == '%' && i + 2 < at.n && hex(at.p[i + 1]) >= 0 && hex(at.p[i + 2]) >= 0;
        str_addc(&s, coded ? (char)(16 * hex(at.p[i + 1]) + hex(at.p[i + 2])) : at.p[i]);
        i += coded ? 2 : 0;
    }
    bool same = tags_same(str_sv(&s), path);
    str_release(&s);
    return same;
}

static bool is_control(const struct tag *t)
{
    return opens(t, "input") || opens(t, "select") || opens(t, "textarea") || opens(t, "button");
}

/* Whether tag `i` is a control of the form between the tags `form` and `end`. */
static bool is_of(const struct job *j, size_t i, size_t form, size_t end, struct sv id)
{
    struct sv named;
    if (tag_attr(&j->tags[i], "form", &named, NULL)) {
        return id.n && sv_eq(named, id);
    }
    return i > form && i < end;
}

static bool was_sent(const struct job *j, struct sv name, struct sv value)
{
    for (size_t i = 0; i < j->r->n_fields; i++) {
        if (tags_same(name, j->r->fields[i].name) && tags_same(value, j->r->fields[i].value)) {
            return true;
        }
    }
    return false;
}

/* How well a form fits what was sent: its address must, and of several forms that lead there the one
 * whose hidden fields and buttons were sent. NONE: it does not. */
static int fits(struct job *j, size_t form, size_t end)
{
    struct sv action, id, type, name, value;
    tag_attr(&j->tags[form], "action", &action, NULL);
    tag_attr(&j->tags[form], "id", &id, NULL);
    int points = leads_to(action, j->r->action) ? 1 : NONE;
    for (size_t i = 0; i < j->n_tags; i++) {
        const struct tag *t = &j->tags[i];
        if (!is_control(t) || !is_of(j, i, form, end, id)) {
            continue;
        }
        if (tag_attr(t, "formaction", &action, NULL) && leads_to(action, j->r->action)) {
            points = points < 0 ? 1 : points + 1;
        }
        tag_attr(t, "type", &type, NULL);
        tag_attr(t, "value", &value, NULL);
        bool fixed = opens(t, "button") || sv_is(type, "hidden");
        if (points > 0 && fixed && tag_attr(t, "name", &name, NULL) && was_sent(j, name, value)) {
            points++;
        }
    }
    return points;
}

static bool find_form(struct job *j)
{
    int best = 0;
    for (size_t i = 0; i < j->n_tags; i++) {
        struct sv method;
        if (!opens(&j->tags[i], "form") || !tag_attr(&j->tags[i], "method", &method, NULL) ||
            !sv_is(method, "post")) {
            continue;
        }
        size_t end = closing(j, i);
        int points = fits(j, i, end);
        if (points > best) {
            best = points;
            j->form = i;
            j->form_end = end;
            tag_attr(&j->tags[i], "id", &j->form_id, NULL);
        }
    }
    return best > 0;
}

/* --- what was typed --- */

/* The next value that was sent under this name and that no control has yet; NULL for none. */
static const struct refill_field *take(struct job *j, struct sv name)
{
    for (size_t i = 0; i < j->r->n_fields; i++) {
        if (!j->taken[i] && tags_same(name, j->r->fields[i].name)) {
            j->taken[i] = true;
            return &j->r->fields[i];
        }
    }
    return NULL;
}

static void refill_input(struct job *j, size_t i, struct sv name)
{
    static const char *const kept[] = {"hidden", "password", "file", "submit", "button", "image"};
    struct sv type, value;
    tag_attr(&j->tags[i], "type", &type, NULL);
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
        if (sv_is(type, kept[k])) {
            return;
        }
    }
    if (sv_is(type, "checkbox") || sv_is(type, "radio")) {
        if (!tag_attr(&j->tags[i], "value", &value, NULL)) {
            value = SV("on");
        }
        flag_attr(j, i, "checked", was_sent(j, name, value));
        return;
    }
    const struct refill_field *f = take(j, name);
    if (f) {
        set_attr(j, i, "value", f->value);
    }
}

static void refill_textarea(struct job *j, size_t i, struct sv name)
{
    const struct refill_field *f = take(j, name);
    size_t from = tag_to(j, i), to = tag_from(j, closing(j, i));
    if (f) {
        change(j, from, to - from, SV("\n")); /* a browser leaves the first line's end out */
        change(j, to, 0, escaped(j, f->value));
    }
}

static void refill_select(struct job *j, size_t i, struct sv name)
{
    size_t end = closing(j, i);
    bool any = false;
    for (size_t k = 0; k < j->r->n_fields; k++) {
        any = any || tags_same(name, j->r->fields[k].name);
    }
    for (size_t k = i + 1; k < end && any; k++) {
        struct sv value;
        if (!opens(&j->tags[k], "option")) {
            continue;
        }
        if (!tag_attr(&j->tags[k], "value", &value, NULL)) {
            size_t from = tag_to(j, k), to = k + 1 < j->n_tags ? tag_from(j, k + 1) : from;
            value = sv_trim(sv_make(j->html.p + from, to - from));
        }
        flag_attr(j, k, "selected", was_sent(j, name, value));
    }
}

static void refill_controls(struct job *j)
{
    for (size_t i = 0; i < j->n_tags; i++) {
        const struct tag *t = &j->tags[i];
        struct sv name;
        if (!is_control(t) || !is_of(j, i, j->form, j->form_end, j->form_id) ||
            !tag_attr(t, "name", &name, NULL)) {
            continue;
        }
        if (opens(t, "input")) {
            refill_input(j, i, name);
        } else if (opens(t, "textarea")) {
            refill_textarea(j, i, name);
        } else if (opens(t, "select")) {
            refill_select(j, i, name);
        }
    }
}

/* --- messages --- */

/* The first control of the form that one of the names says; n_tags for none. */
static size_t control_named(const struct job *j, const char *names)
{
    for (struct sv rest = sv_of(names); rest.n;) {
        struct sv wanted = sv_cut(&rest, ' '), name, type;
        for (size_t i = 0; i < j->n_tags; i++) {
            const struct tag *t = &j->tags[i];
            tag_attr(t, "type", &type, NULL);
            if (is_control(t) && !opens(t, "button") && !sv_is(type, "hidden") &&
                is_of(j, i, j->form, j->form_end, j->form_id) &&
                tag_attr(t, "name", &name, NULL) && tags_same(name, wanted)) {
                return i;
            }
        }
    }
    return j->n_tags;
}

/* The innermost element of that name around tag `i`; n_tags for none. */
static size_t around(const struct job *j, size_t i, const char *name)
{
    size_t found = j->n_tags;
    for (size_t k = 0; k < i; k++) {
        if (opens(&j->tags[k], name) && closing(j, k) > i) {
            found = k;
        }
    }
    return found;
}

/* Where the message about a control stands: behind it, its label if that is around it, or the legend of
 * a group of boxes. */
static size_t message_place(const struct job *j, size_t i)
{
    struct sv type;
    tag_attr(&j->tags[i], "type", &type, NULL);
    if (sv_is(type, "radio") || sv_is(type, "checkbox")) {
        size_t set = around(j, i, "fieldset");
        for (size_t k = set; k < j->n_tags && k < i; k++) {
            if (j->tags[k].closing && sv_is(j->tags[k].name, "legend")) {
                return tag_to(j, k);
            }
        }
    }
    size_t label = around(j, i, "label");
    size_t last = label < j->n_tags          ? closing(j, label)
                  : opens(&j->tags[i], "input") ? i
                                             : closing(j, i);
    return tag_to(j, last);
}

/* Whatever folds the tag away is open. */
static void unfold(struct job *j, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (!j->opened[k] && opens(&j->tags[k], "details") && closing(j, k) > i) {
            j->opened[k] = true;
            flag_attr(j, k, "open", true);
        }
    }
}

static void mark_wrong(struct job *j, size_t i, size_t number)
{
    struct sv id, described;
    const char *own = arena_printf(j->a, "wrong-%zu", number + 1);
    if (!tag_attr(&j->tags[i], "id", &id, NULL)) {
        id = sv_of(arena_printf(j->a, "wrong-field-%zu", number + 1));
        set_attr(j, i, "id", id);
    }
    j->where[number] = arena_cstr(j->a, id);
    bool has = tag_attr(&j->tags[i], "aria-describedby", &described, NULL);
    set_attr(j, i, "aria-describedby",
             has ? sv_of(arena_printf(j->a, "%s " SV_FMT, own, SV_ARG(described))) : sv_of(own));
    set_attr(j, i, "aria-invalid", SV("true"));
    if (!j->focused) {
        j->focused = true;
        add_attr(j, i, " autofocus");
    }
    insert(j, message_place(j, i),
           arena_printf(j->a, "<span class=\"field-error\" id=\"%s\">%s</span>", own,
                        escaped(j, sv_of(j->r->wrong[number].message)).p));
}

static bool is_marked(const struct job *j, size_t i, const size_t *done, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (done[k] == i) {
            return true;
        }
    }
    return i == j->n_tags;
}

/* Every message to its control; a second one about the same control is in the summary alone. */
static void mark_all(struct job *j)
{
    size_t *done = arena_calloc(j->a, j->r->n_wrong + 1, sizeof *done);
    for (size_t k = 0; k < j->r->n_wrong; k++) {
        size_t i = control_named(j, j->r->wrong[k].fields);
        done[k] = i;
        if (!is_marked(j, i, done, k)) {
            unfold(j, i);
            mark_wrong(j, i, k);
        }
    }
}

static void add_summary(struct job *j, size_t at)
{
    struct str s;
    str_init(&s, SUMMARY_MOST);
    str_printf(&s, "<div class=\"banner danger form-errors\" role=\"alert\" tabindex=\"-1\""
                   " data-form-page=\"%s\"%s><strong>%s</strong><ul>",
               escaped(j, j->r->page).p, j->focused ? "" : " autofocus",
               escaped(j, sv_of(j->r->heading)).p);
    for (size_t k = 0; k < j->r->n_wrong; k++) {
        const char *text = escaped(j, sv_of(j->r->wrong[k].message)).p;
        const char *to = j->where[k];
        if (to) {
            str_printf(&s, "<li><a href=\"#%s\">%s</a></li>", to, text);
        } else {
            str_printf(&s, "<li>%s</li>", text);
        }
    }
    str_addz(&s, "</ul></div>");
    insert(j, at, arena_cstr(j->a, str_sv(&s)));
    str_release(&s);
}

/* Behind the tag that begins the page's content. */
static size_t content(const struct job *j)
{
    for (size_t i = 0; i < j->n_tags; i++) {
        if (opens(&j->tags[i], "main")) {
            return tag_to(j, i);
        }
    }
    return j->html.n;
}

static void other_places(struct job *j)
{
    for (size_t i = 0; i < j->n_tags; i++) {
        if (opens(&j->tags[i], "title")) {
            insert(j, tag_to(j, i), escaped(j, sv_of(j->r->title_prefix)).p);
            break;
        }
    }
    /* A page that reloads itself without scripts would lose what was typed. */
    for (size_t i = 0; i < j->n_tags; i++) {
        struct sv does;
        if (opens(&j->tags[i], "meta") && tag_attr(&j->tags[i], "http-equiv", &does, NULL) &&
            sv_is(does, "refresh")) {
            change(j, tag_from(j, i), j->tags[i].all.n, SV(""));
        }
    }
    for (size_t i = 0; i < j->n_tags; i++) {
        if (is_control(&j->tags[i]) && tag_has(&j->tags[i], "autofocus")) {
            flag_attr(j, i, "autofocus", false);
        }
    }
}

static int by_place(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    return x->at != y->at ? (x->at < y->at ? -1 : 1) : x->turn < y->turn ? -1 : 1;
}

static void apply(struct job *j, struct str *out)
{
    size_t from = 0;
    if (j->n_changes) {
        qsort(j->changes, j->n_changes, sizeof *j->changes, by_place);
    }
    for (size_t i = 0; i < j->n_changes; i++) {
        const struct change *c = &j->changes[i];
        if (c->at > from) {
            str_add(out, j->html.p + from, c->at - from);
            from = c->at;
        }
        str_addsv(out, c->text);
        from = c->at + c->cut > from ? c->at + c->cut : from;
    }
    if (from < j->html.n) {
        str_add(out, j->html.p + from, j->html.n - from);
    }
}

bool refill_page(struct arena *a, struct sv html, const struct refill *r, struct str *out)
{
    struct job j = {.a = a, .html = html, .r = r};
    j.tags = tags_all(a, html, &j.n_tags);
    j.opened = arena_calloc(a, j.n_tags + 1, sizeof *j.opened);
    j.taken = arena_calloc(a, r->n_fields + 1, sizeof *j.taken);
    j.where = arena_calloc(a, r->n_wrong + 1, sizeof *j.where);
    bool found = find_form(&j);
    size_t summary = content(&j);
    other_places(&j);
    if (found) {
        refill_controls(&j);
        unfold(&j, j.form);
        mark_all(&j);
        summary = tag_has(&j.tags[j.form], "hidden") ? summary : tag_to(&j, j.form);
    }
    add_summary(&j, summary);
    apply(&j, out);
    return found;
}

void refill_focus(struct sv html, struct str *out)
{
    struct tag t;
    size_t from = 0;
    for (size_t at = 0; tags_next(html, &at, &t);) {
        struct sv wrong;
        if (!t.closing && tag_attr(&t, "aria-invalid", &wrong, NULL) && sv_is(wrong, "true")) {
            from = (size_t)(t.all.p - html.p) + t.all.n - 1;
            str_add(out, html.p, from);
            str_addz(out, tag_has(&t, "autofocus") ? "" : " autofocus");
            break;
        }
    }
    str_add(out, html.p + from, html.n - from);
}

void refill_mark(struct sv html, const char *name, struct sv value, struct str *out)
{
    struct tag t;
    size_t from = 0;
    for (size_t at = 0; tags_next(html, &at, &t);) {
        struct sv method;
        if (!opens(&t, "form") || !tag_attr(&t, "method", &method, NULL) ||
            !sv_is(method, "post")) {
            continue;
        }
        size_t to = (size_t)(t.all.p - html.p) + t.all.n;
        str_add(out, html.p + from, to - from);
        str_addz(out, "<input type=\"hidden\" name=\"");
        str_addz(out, name);
        str_addz(out, "\" value=\"");
        escape_html(out, value);
        str_addz(out, "\">");
        from = to;
    }
    str_add(out, html.p + from, html.n - from);
}
