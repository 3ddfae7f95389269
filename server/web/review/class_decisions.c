/* class_decisions.c - the form with which people decide about the images of a class, from the
 * class browser, from the final review and from the page of an image. Who was slower gets a page
 * that says what others decided meanwhile and what of theirs is not stored yet, and may still store
 * it. Row in routes.c; what the form has is in decide.h. */
#include "base/clock.h"
#include "json/object.h"
#include "store/images/images.h"
#include "store/sets/images.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/parts/decided_data.h"
#include "web/parts/set_data.h"
#include "web/review/cards.h"
#include "web/review/decide.h"

enum { CHANGES_TOLD = 20 };

/* ---- what is not stored yet ---- */

/* The form once more, but for what the new page says itself. */
static json_t *fields_json(const struct ctx *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->form.n; i++) {
        const struct form_field *f = &c->form.fields[i];
        if (!sv_is(f->name, "csrf") && !sv_is(f->name, "seen")) {
            object_add(list, field_sv("name", f->name), field_sv("value", f->value));
        }
    }
    return list;
}

static json_t *own_image(struct ctx *c, const struct decided_image *m)
{
    int64_t id = 0;
    enum blacklist_reason reason = blacklist_reason_of(m->reason);
    if (images_find(c->db, m->name, &id, &c->err) != OK) {
        return NULL;
    }
    return object(
        field_sv("image", m->name),
        field_text("url", id ? arena_printf(c->arena, "/images/%lld", (long long)id) : NULL),
        field_bool("banned", m->banned),
        field_text("label", reason < BLACKLIST_REASONS ? blacklist_labels[reason] : ""),
        field_sv("note", m->note));
}

static json_t *names_json(const struct sv *names, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(list, data_text(names[i]));
    }
    return list;
}

static json_t *groups_json(const struct class_decision *d)
{
    json_t *list = json_array();
    for (size_t i = 0; i < d->n_groups; i++) {
        object_add(list, field_json("names", names_json(d->groups[i].names, d->groups[i].n)));
    }
    return list;
}

/* {images, groups, apart, any_apart, reviewed, problematic, undoes}; NULL with c->err set. */
static json_t *own_json(struct ctx *c, const struct class_decision *d)
{
    json_t *images = json_array();
    for (size_t i = 0; i < d->n_images; i++) {
        json_t *one = own_image(c, &d->images[i]);
        if (!one) {
            json_decref(images);
            return NULL;
        }
        json_array_append_new(images, one);
    }
    return object(field_json("images", images), field_json("groups", groups_json(d)),
                  field_json("apart", names_json(d->apart, d->n_apart)),
                  field_bool("any_apart", d->n_apart > 0), field_bool("reviewed", d->reviewed == 1),
                  field_bool("problematic", d->problematic == 1),
                  field_bool("undoes", d->undoes != 0));
}

/* 412: what others decided, what of one's own is not stored, and the way to store it all the same.
 */
static enum err_code changed_page(struct ctx *c, const struct class_choice *choice, int64_t version)
{
    json_t *changes = decided_list_json(c, choice->k.id, choice->seen, CHANGES_TOLD);
    json_t *own = changes ? own_json(c, &choice->d) : NULL;
    if (!own) {
        json_decref(changes);
        return c->err.code;
    }
    if (choice->revision.id) {
        decided_without_ways(changes);
    }
    json_t *page = object(
        field_json("class", data_class(c->arena, &choice->k)), field_json("changes", changes),
        field_json("own", own), field_json("fields", fields_json(c)), field_int("seen", version),
        field_text("action",
                   arena_printf(c->arena, "/classes/" SV_FMT "/decisions", SV_ARG(choice->k.wnid))),
        field_text("here", choice->here), field_text("back", choice->back));
    return reply_page(c, 412, "review/changed", "Somebody else has decided", page);
}

/* ---- the two steps ---- */

/* Of a class that its review does not show whole, nobody says there that it is reviewed. */
static enum err_code check_cut(struct ctx *c, struct class_choice *choice)
{
    struct set_image *images;
    size_t n;
    if (!choice->revision.id || choice->d.reviewed == DECIDED_NOTHING) {
        return OK;
    }
    if (set_images_list(c->db, choice->revision.list, choice->k.id, 0, REVIEW_IMAGES_MOST + 1,
                        c->arena, &images, &n, &c->err) != OK ||
        n <= REVIEW_IMAGES_MOST) {
        return c->err.code;
    }
    if (choice->d.reviewed == 1) {
        return err_rule(&c->err, ERR_INPUT, "review-cut",
                        "%s has more than %d images of " SV_FMT ", but its page only shows that many, so the "
                        "class cannot be marked as reviewed there. Nothing was changed.",
                        set_title(c->arena, &choice->revision), REVIEW_IMAGES_MOST,
                        SV_ARG(choice->k.wnid));
    }
    choice->d.reviewed = DECIDED_NOTHING; /* there was no box */
    return OK;
}

/* Slow step: reads the form, and shows the page above while nothing has to be written. */
enum err_code page_class_decision_check(struct ctx *c)
{
    struct class_choice *choice = arena_alloc(c->arena, sizeof *choice);
    int64_t version = 0;
    c->state = choice;
    if (class_choice_form(c, choice) != OK || check_cut(c, choice) != OK ||
        class_version(c->db, choice->k.id, &version, &c->err) != OK) {
        return c->err.code;
    }
    if (!class_choice_any(choice)) {
        return reply_redirect(c, choice->back);
    }
    return version != choice->seen ? changed_page(c, choice, version) : OK;
}

/* Says what was stored, and offers to take it back as long as nobody decided about the class since. */
static enum err_code reply_stored(struct ctx *c, const struct class_choice *choice, int64_t id)
{
    struct decided d;
    if (class_decisions_get(c->db, id, c->arena, &d, &c->err) != OK) {
        return c->err.code;
    }
    const char *number = arena_printf(c->arena, "%lld", (long long)id);
    const struct undo undo = {
        .action = arena_printf(c->arena, "/classes/" SV_FMT "/decisions", SV_ARG(choice->k.wnid)),
        .fields = {{"seen", number}, {"undo", number}, {"back", choice->here}}};
    const char *what = decided_short(c->arena, &d);
    return reply_did(c, choice->back, d.undoes ? NULL : &undo, "%s: %s%s%s",
                     data_class_name(c->arena, choice->k.synset, choice->k.wnid),
                     d.undoes ? "undone" : "", d.undoes && what[0] ? ", " : "", what);
}

/* POST /classes/:wnid/decisions */
enum err_code page_class_decision(struct ctx *c)
{
    const struct class_choice *choice = c->state;
    int64_t id = 0;
    enum err_code rc = class_decisions_write(c->db, &choice->d, choice->seen, c->user.account,
                                             clock_wall_ms(), &id, &c->err);
    return rc != OK            ? rc
           : id == choice->seen ? reply_redirect(c, choice->back)
                                : reply_stored(c, choice, id);
}
