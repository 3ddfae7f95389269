/* decide.c - what a form says about the images of a class; decide_json.c reads the same
 * from JSON. */
#include "web/review/decide.h"

#include "base/list.h"
#include "base/outside.h"
#include "store/images/images.h"
#include "web/core/form_refused.h"

enum { ADDRESS_MOST = 2048 };

/* What the form says of one image that was shown. */
struct shown {
    int64_t id;
    struct sv name, reason, note, set;
    struct sv was_reason, was_note, was_set;
};
struct shown_list {
    struct shown *list;
    size_t n;
};

static bool text_differs(struct sv a, struct sv b)
{
    return !sv_eq(sv_trim(a), sv_trim(b));
}

/* ---- the form's fields ---- */

static struct sv field_of(struct ctx *c, const char *kind, int64_t id)
{
    return form_get(&c->form, arena_printf(c->arena, "%s-%lld", kind, (long long)id));
}

/* One that the page did not send (a script leaves out what nobody touched) is as it was. */
static struct sv field_or(struct ctx *c, const char *kind, int64_t id, struct sv was)
{
    const char *name = arena_printf(c->arena, "%s-%lld", kind, (long long)id);
    return form_has(&c->form, name) ? sv_trim(form_get(&c->form, name)) : was;
}

static enum err_code read_shown(struct ctx *c, struct shown_list *out)
{
    struct list list = {0};
    for (size_t i = 0; i < c->form.n; i++) {
        struct sv field = c->form.fields[i].name;
        int64_t id;
        if (!sv_starts(field, "was-")) {
            continue;
        }
        if (!sv_i64(sv_make(field.p + 4, field.n - 4), &id) || id < 1) {
            return err_rule(&c->err, ERR_INPUT, "class-decision",
                            "There is no such image. Nothing was changed.");
        }
        struct shown *s = list_add(&list, c->arena, sizeof *s);
        struct sv was = field_of(c, "was", id);
        s->id = id;
        s->was_reason = sv_cut(&was, '|');
        s->was_set = was.p ? sv_cut(&was, '|') : SV("");
        s->was_note = was.p ? was : SV("");
        s->reason = field_or(c, "reason", id, s->was_reason);
        s->note = field_or(c, "note", id, s->was_note);
        s->set = field_or(c, "set", id, s->was_set);
    }
    *out = (struct shown_list){list.items, list.n};
    return OK;
}

static enum err_code find_names(struct ctx *c, struct shown_list *shown)
{
    int64_t *ids = arena_alloc(c->arena, (shown->n + 1) * sizeof *ids);
    struct image_row *rows = arena_calloc(c->arena, shown->n + 1, sizeof *rows);
    for (size_t i = 0; i < shown->n; i++) {
        ids[i] = shown->list[i].id;
    }
    enum err_code rc = images_names(c->db, ids, shown->n, c->arena, rows, &c->err);
    for (size_t i = 0; i < shown->n && rc == OK; i++) {
        shown->list[i].name = rows[i].name;
        if (!rows[i].name.n) {
            rc = err_rule(&c->err, ERR_INPUT, "class-decision-image",
                          "There is no image with the number %lld. Nothing was changed.",
                          (long long)ids[i]);
        }
    }
    return rc;
}

/* ---- what differs ---- */

static void read_images(struct ctx *c, const struct shown_list *shown, struct class_decision *d)
{
    struct list list = {0};
    for (size_t i = 0; i < shown->n; i++) {
        const struct shown *s = &shown->list[i];
        bool note = s->reason.n && text_differs(s->note, s->was_note);
        if (text_differs(s->reason, s->was_reason) || note) {
            *LIST_ADD(&list, c->arena, struct decided_image) =
                (struct decided_image){s->name, s->reason.n > 0, s->reason, s->note};
        }
    }
    d->images = list.items;
    d->n_images = list.n;
}

/* The images of the text that shown[first] has: one that was in the set already stands for all of
 * those, then come the new ones. */
static struct decided_group group_of(struct ctx *c, const struct shown_list *shown, size_t first)
{
    struct list names = {0};
    struct sv text = shown->list[first].set, head = SV("");
    for (size_t i = 0; i < shown->n && !head.n; i++) {
        const struct shown *s = &shown->list[i];
        head = sv_eq(s->set, text) && !text_differs(s->set, s->was_set) ? s->name : head;
    }
    if (head.n) {
        *LIST_ADD(&names, c->arena, struct sv) = head;
    }
    for (size_t i = 0; i < shown->n; i++) {
        const struct shown *s = &shown->list[i];
        if (sv_eq(s->set, text) && text_differs(s->set, s->was_set)) {
            *LIST_ADD(&names, c->arena, struct sv) = s->name;
        }
    }
    return (struct decided_group){names.items, names.n};
}

static bool text_seen_before(const struct shown_list *shown, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (sv_eq(shown->list[i].set, shown->list[at].set)) {
            return true;
        }
    }
    return false;
}

static void add_group(struct ctx *c, struct list *groups, struct decided_group g)
{
    *LIST_ADD(groups, c->arena, struct decided_group) = g;
}

/* One that the page showed stands for images that are not shown here; a new one stands for nobody.
 */
static enum err_code alone(struct ctx *c, const struct shown *s)
{
    if (!text_differs(s->set, s->was_set)) {
        return OK;
    }
    err_rule(&c->err, ERR_INPUT, "near-duplicate-set",
             "A near-duplicate set has at least two images, and " SV_FMT " would be alone in \"" SV_FMT
             "\". Nothing was changed; give the other image of the set the same text too.",
             SV_ARG(s->name), SV_ARG(s->set));
    return form_wrong_field(c, arena_printf(c->arena, "set-%lld", (long long)s->id));
}

static enum err_code read_sets(struct ctx *c, const struct shown_list *shown,
                               struct class_decision *d, struct list *groups)
{
    struct list apart = {0};
    for (size_t i = 0; i < shown->n; i++) {
        const struct shown *s = &shown->list[i];
        if (s->was_set.n && text_differs(s->set, s->was_set)) {
            *LIST_ADD(&apart, c->arena, struct sv) = s->name;
        }
        if (s->set.n && !text_seen_before(shown, i)) {
            struct decided_group g = group_of(c, shown, i);
            if (g.n > 1) {
                add_group(c, groups, g);
            } else if (alone(c, s) != OK) {
                return c->err.code;
            }
        }
    }
    d->apart = apart.items;
    d->n_apart = apart.n;
    return OK;
}

/* One set a line, names separated by spaces. */
static void read_near(struct ctx *c, struct list *groups)
{
    struct sv text = form_get(&c->form, "near");
    while (text.p && text.n) {
        struct sv line = sv_trim(sv_cut(&text, '\n'));
        struct list names = {0};
        while (line.p && line.n) {
            struct sv name = sv_trim(sv_cut(&line, ' '));
            if (name.n) {
                *LIST_ADD(&names, c->arena, struct sv) = name;
            }
        }
        if (names.n) {
            add_group(c, groups, (struct decided_group){names.items, names.n});
        }
    }
}

/* ---- the whole form ---- */

/* An address of this site that the form names, for a redirect or a link. */
static const char *address_of(struct ctx *c, const char *field, const char *otherwise)
{
    struct sv to = form_get(&c->form, field);
    return to.n < ADDRESS_MOST && outside_own_path(to) ? arena_cstr(c->arena, to) : otherwise;
}

static enum err_code read_about(struct ctx *c, struct class_choice *out)
{
    struct sv revision = form_get(&c->form, "revision");
    if (classes_find(c->db, c->req->params[0], c->arena, &out->k, &c->err) != OK) {
        return c->err.code;
    }
    if (!sv_i64(form_get(&c->form, "seen"), &out->seen) || out->seen < 0) {
        return err_rule(
            &c->err, ERR_INPUT, "seen",
            "The form must say which version of the class it was made from (\"seen\"). Nothing was "
            "changed; open the page again.");
    }
    out->back =
        address_of(c, "back", arena_printf(c->arena, "/classes/" SV_FMT, SV_ARG(out->k.wnid)));
    out->here = address_of(c, "here", out->back);
    return revision.n ? revisions_find(c->db, revision, c->arena, &out->revision, &c->err) : OK;
}

static int flag_of(const struct ctx *c, const char *name)
{
    return sv_is(form_get(&c->form, "flags"), "1") ? sv_is(form_get(&c->form, name), "1")
                                                   : DECIDED_NOTHING;
}

enum err_code class_choice_form(struct ctx *c, struct class_choice *out)
{
    struct shown_list shown = {NULL, 0};
    struct list groups = {0};
    struct sv undo = form_get(&c->form, "undo");
    *out = (struct class_choice){.seen = 0};
    if (read_about(c, out) != OK) {
        return c->err.code;
    }
    out->d = (struct class_decision){.class_id = out->k.id,
                                     .revision = out->revision.id,
                                     .reviewed = DECIDED_NOTHING,
                                     .problematic = DECIDED_NOTHING};
    if (undo.n) {
        return sv_i64(undo, &out->d.undoes) && out->d.undoes > 0
                   ? OK
                   : err_rule(&c->err, ERR_INPUT, "class-decision",
                              "\"undo\" must be the number of a decision. Nothing was changed.");
    }
    if (read_shown(c, &shown) != OK || find_names(c, &shown) != OK) {
        return c->err.code;
    }
    read_images(c, &shown, &out->d);
    if (read_sets(c, &shown, &out->d, &groups) != OK) {
        return c->err.code;
    }
    read_near(c, &groups);
    out->d.groups = groups.items;
    out->d.n_groups = groups.n;
    out->d.reviewed = flag_of(c, "reviewed");
    out->d.problematic = flag_of(c, "problematic");
    return OK;
}

bool class_choice_any(const struct class_choice *choice)
{
    const struct class_decision *d = &choice->d;
    return d->n_images || d->n_groups || d->n_apart || d->undoes ||
           d->reviewed != DECIDED_NOTHING || d->problematic != DECIDED_NOTHING;
}
