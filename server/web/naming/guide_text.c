/* guide_text.c - Markdown with the guide's own ways: image:NAME to reference images that may be shown, guide:WNID to pages. */
#include "web/naming/guide_text.h"

#include "experts/guide_pictures.h"
#include "json/object.h"
#include "store/images/examples.h"
#include "view/markdown.h"
#include "view/people_texts.h"
#include "view/text_diff.h"
#include "web/core/page_data.h"
#include "web/naming/class_picker.h"

enum { WNID_MOST = 64, EXAMPLES_MOST = 12 };

/* "/guide/picture/17" */
static const char *picture_url(struct ctx *c, int64_t image)
{
    return arena_printf(c->arena, "/guide/picture/%lld", (long long)image);
}

json_t *guide_examples_json(struct ctx *c, const struct class_info *k)
{
    int64_t *ids;
    size_t n = 0;
    json_t *out = json_array();
    if (k->id && examples_of(c->db, k->id, EXAMPLES_MOST, c->arena, &ids, &n, &c->err) != OK) {
        json_decref(out);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        if (!app_image_hidden(c->app, ids[i])) {
            object_add(out, field_text("url", picture_url(c, ids[i])),
                       field_text("alt", arena_printf(c->arena, "Example %zu of %s", i + 1, data_class_name(c->arena, k->synset, k->wnid))));
        }
    }
    return out;
}

/* An error is as no picture: the page is about more than that. */
static const char *image_way(void *arg, struct sv name)
{
    struct ctx *c = arg;
    int64_t id = 0;
    struct err unused = {OK, "", ""};
    return examples_named(c->db, name, &id, &unused) == OK && id ? picture_url(c, id) : NULL;
}

static const char *page_way(void *arg, struct sv wnid)
{
    return sv_is_word(wnid, "-_") && wnid.n <= WNID_MOST ? class_entry_url(arg, wnid) : NULL;
}

static enum err_code mask(struct ctx *c, struct sv *text)
{
    return c->user.at_desk ? guide_text_mask(c->db, *text, c->arena, text, &c->err) : OK;
}

enum err_code guide_shown(struct ctx *c, struct guide_version *list, size_t n)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = mask(c, &list[i].text);
        rc = rc == OK ? mask(c, &list[i].reason) : rc;
    }
    return rc;
}

json_t *guide_text_json(struct ctx *c, struct sv text)
{
    const struct markdown_ways ways = {image_way, page_way, c};
    struct str html;
    if (sv_trim(text).n == 0) {
        return json_null();
    }
    if (mask(c, &text) != OK) {
        return NULL;
    }
    str_init(&html, MARKDOWN_HTML);
    json_t *out = markdown_html(text, &ways, &html, &c->err) == OK ? object(field_sv("markdown", str_sv(&html))) : NULL;
    str_release(&html);
    return out;
}

json_t *guide_version_json(struct ctx *c, const struct guide_version *v)
{
    return v->id ? object(field_text("number", arena_printf(c->arena, "%lld", (long long)v->id)), field_text("at", people_minute(c->arena, v->at)),
                          field_sv("by", v->by.n ? v->by : SV("an import")), field_sv("reason", v->reason), field_bool("empty", v->text.n == 0),
                          field_text("url", arena_printf(c->arena, "/guide/" SV_FMT "/history?a=%lld", SV_ARG(v->wnid), (long long)v->id)))
                 : json_null();
}

json_t *guide_diff_json(struct ctx *c, struct sv old, struct sv fresh)
{
    size_t n;
    const struct text_diff_line *lines = text_diff(old, fresh, c->arena, &n);
    json_t *out = json_array();
    for (size_t i = 0; i < n; i++) {
        object_add(out, field_bool("old", lines[i].kind == DIFF_OLD), field_bool("new", lines[i].kind == DIFF_NEW), field_sv("text", lines[i].text));
    }
    return out;
}
