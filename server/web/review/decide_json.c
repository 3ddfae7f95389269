/* decide_json.c - what a script says about the images of a class, with the version that it
 * has seen in If-Match. */
#include "web/core/reply.h"
#include "web/review/decide.h"

enum { TAG_DIGITS = 16 };

static enum err_code wrong(struct ctx *c, const char *member, const char *what)
{
    return err_rule(&c->err, ERR_INPUT, "class-decision", "\"%s\" must be %s. Nothing was changed.",
                    member, what);
}

static struct sv text_of(const json_t *v)
{
    return sv_make(json_is_string(v) ? json_string_value(v) : "", json_string_length(v));
}

/* The ETag that the class's decisions came with, 16 hex digits, or the number of their version. */
static bool read_tag(struct sv tag, int64_t *seen)
{
    uint64_t number;
    if (tag.n < 3 || tag.p[0] != '"' || tag.p[tag.n - 1] != '"') {
        return false;
    }
    struct sv text = sv_make(tag.p + 1, tag.n - 2);
    if (text.n != TAG_DIGITS) {
        return sv_i64(text, seen) && *seen >= 0;
    }
    if (!sv_hex64(text, &number) || number > INT64_MAX) {
        return false;
    }
    *seen = (int64_t)number;
    return true;
}

/* If-Match: that, or * for whoever wants to overwrite. */
static enum err_code read_version(struct ctx *c, int64_t *seen)
{
    struct sv tag = sv_trim(request_header(c->req, "If-Match"));
    if (sv_is(tag, "*")) {
        *seen = CLASS_SEEN_ANY;
        return OK;
    }
    return read_tag(tag, seen)
               ? OK
               : err_rule(&c->err, ERR_INPUT, "if-match-missing",
                          "Send If-Match with the ETag of the class's decisions, so that no decision is "
                          "overwritten unseen; * matches any. Nothing was changed.");
}

/* A list member of at most `most` values; absent is empty. */
static enum err_code list_of(struct ctx *c, const char *name, size_t most, json_t **out)
{
    *out = json_object_get(c->json, name);
    if (!*out) {
        return OK;
    }
    return json_is_array(*out) && json_array_size(*out) <= most
               ? OK
               : wrong(c, name, arena_printf(c->arena, "a list of at most %zu", most));
}

static enum err_code read_names(struct ctx *c, const char *member, const json_t *list,
                                const struct sv **out, size_t *n)
{
    *n = json_array_size(list);
    struct sv *names = arena_calloc(c->arena, *n + 1, sizeof *names);
    for (size_t i = 0; i < *n; i++) {
        names[i] = text_of(json_array_get(list, i));
        if (!names[i].n) {
            return wrong(c, member, "names of images");
        }
    }
    *out = names;
    return OK;
}

static enum err_code read_image(struct ctx *c, const json_t *v, struct decided_image *out)
{
    const json_t *banned = json_object_get(v, "banned");
    const json_t *reason = json_object_get(v, "reason"), *note = json_object_get(v, "note");
    *out = (struct decided_image){.name = text_of(json_object_get(v, "image")),
                                  .banned = json_is_true(banned),
                                  .reason = text_of(reason),
                                  .note = text_of(note)};
    return out->name.n && json_is_boolean(banned) && (!reason || json_is_string(reason)) &&
                   (!note || json_is_string(note))
               ? OK
               : wrong(c, "images",
                       "objects with image (a name), banned (true or false), reason and note "
                       "(texts)");
}

static enum err_code read_images(struct ctx *c, struct class_decision *d)
{
    json_t *list;
    if (list_of(c, "images", CLASS_DECISION_IMAGES, &list) != OK) {
        return c->err.code;
    }
    d->n_images = json_array_size(list);
    struct decided_image *images = arena_calloc(c->arena, d->n_images + 1, sizeof *images);
    for (size_t i = 0; i < d->n_images; i++) {
        if (read_image(c, json_array_get(list, i), &images[i]) != OK) {
            return c->err.code;
        }
    }
    d->images = images;
    return OK;
}

static enum err_code read_sets(struct ctx *c, struct class_decision *d)
{
    json_t *list, *apart;
    if (list_of(c, "near_duplicates", CLASS_DECISION_GROUPS, &list) != OK ||
        list_of(c, "apart", CLASS_DECISION_IMAGES, &apart) != OK ||
        read_names(c, "apart", apart, &d->apart, &d->n_apart) != OK) {
        return c->err.code;
    }
    d->n_groups = json_array_size(list);
    struct decided_group *groups = arena_calloc(c->arena, d->n_groups + 1, sizeof *groups);
    for (size_t i = 0; i < d->n_groups; i++) {
        const json_t *names = json_array_get(list, i);
        if (!json_is_array(names) || json_array_size(names) > CLASS_DECISION_IMAGES) {
            return wrong(c, "near_duplicates", "lists of names");
        }
        if (read_names(c, "near_duplicates", names, &groups[i].names, &groups[i].n) != OK) {
            return c->err.code;
        }
    }
    d->groups = groups;
    return OK;
}

static enum err_code read_flag(struct ctx *c, const char *name, int *out)
{
    const json_t *v = json_object_get(c->json, name);
    *out = !v ? DECIDED_NOTHING : json_is_true(v);
    return !v || json_is_boolean(v) ? OK : wrong(c, name, "true or false");
}

static enum err_code read_undo(struct ctx *c, struct class_decision *d)
{
    const json_t *v = json_object_get(c->json, "undo");
    if (!v) {
        return OK;
    }
    d->undoes = json_integer_value(v);
    return json_is_integer(v) && d->undoes > 0 ? OK : wrong(c, "undo", "the number of a decision");
}

static enum err_code read_revision(struct ctx *c, struct class_choice *out)
{
    const json_t *v = json_object_get(c->json, "revision");
    if (!v || json_is_null(v)) {
        return OK;
    }
    return json_is_string(v) ? revisions_find(c->db, text_of(v), c->arena, &out->revision, &c->err)
                             : wrong(c, "revision", "\"SET/NUMBER\"");
}

enum err_code class_choice_json(struct ctx *c, struct class_choice *out)
{
    *out = (struct class_choice){.seen = 0};
    if (gate_need_json(c) != OK ||
        classes_find(c->db, c->req->params[0], c->arena, &out->k, &c->err) != OK ||
        read_version(c, &out->seen) != OK || read_revision(c, out) != OK) {
        return c->err.code;
    }
    out->d.class_id = out->k.id;
    out->d.revision = out->revision.id;
    if (read_images(c, &out->d) != OK || read_sets(c, &out->d) != OK ||
        read_flag(c, "reviewed", &out->d.reviewed) != OK ||
        read_flag(c, "problematic", &out->d.problematic) != OK) {
        return c->err.code;
    }
    return read_undo(c, &out->d);
}
