/* guide_pictures.c - one question about every picture of a text: is it an example that may be shown? To check a text it is
 * rendered, since that alone says what is a picture; to mask it, every image: in it is looked at. */
#include "experts/guide_pictures.h"

#include <string.h>

#include "store/images/examples.h"
#include "view/markdown.h"

static const struct sv scheme = {"image:", 6};

struct check {
    struct db *db;
    struct sv text;
    struct err *err; /* the first picture that is refused, or what failed */
};

/* Characters of the address may be written as entities in Markdown: then it would not be found when it is to be masked. */
static bool is_plain(struct sv text, struct sv name)
{
    for (size_t i = 0; i + scheme.n + name.n <= text.n; i++) {
        const struct sv at = sv_make(text.p + i, scheme.n);
        if (sv_eq(at, scheme) && sv_eq(sv_make(text.p + i + scheme.n, name.n), name)) {
            return true;
        }
    }
    return false;
}

static const char *check_picture(void *arg, struct sv name)
{
    struct check *k = arg;
    int64_t id = 0;
    if (k->err->code == OK && examples_named(k->db, name, &id, k->err) == OK && !id) {
        err_rule(k->err, ERR_INPUT, "guide-picture",
                 "The guide can show reference images only, and none that is a near-duplicate of an image that may be evaluated. Take the "
                 "picture image:" SV_FMT " out of the text. Nothing was stored.",
                 SV_ARG(name));
    }
    if (k->err->code == OK && !is_plain(k->text, name)) {
        err_rule(k->err, ERR_INPUT, "guide-picture",
                 "Write the picture image:" SV_FMT " with these very characters, without entities or backslashes. Nothing was stored.", SV_ARG(name));
    }
    return "";
}

static const char *any_page(void *arg, struct sv wnid)
{
    (void)arg;
    (void)wnid;
    return "";
}

enum err_code guide_text_check(struct db *db, struct sv text, struct err *err)
{
    struct check k = {db, text, err};
    const struct markdown_ways ways = {check_picture, any_page, &k};
    struct str html;
    str_init(&html, MARKDOWN_HTML);
    enum err_code rc = markdown_html(text, &ways, &html, err);
    str_release(&html);
    return rc == OK ? err->code : rc;
}

/* The name that begins the text: to the > of a destination in brackets, else to what cannot be part of one. */
static struct sv name_at(struct sv text, bool bracket)
{
    size_t n = 0;
    while (n < text.n && (bracket ? text.p[n] != '>' && text.p[n] != '\n' : (unsigned char)text.p[n] > ' ' && !memchr(")]>\"`", text.p[n], 5))) {
        n++;
    }
    return sv_make(text.p, n);
}

enum err_code guide_text_mask(struct db *db, struct sv text, struct arena *a, struct sv *out, struct err *err)
{
    struct str masked;
    size_t from = 0; /* of what is not yet in `masked` */
    enum err_code rc = OK;
    str_init(&masked, 2 * text.n + 1);
    for (size_t i = 0; i + scheme.n <= text.n && rc == OK; i++) {
        if (!sv_eq_nocase(sv_make(text.p + i, scheme.n), scheme.p)) {
            continue;
        }
        const size_t at = i + scheme.n;
        const struct sv name = name_at(sv_make(text.p + at, text.n - at), i > 0 && text.p[i - 1] == '<');
        int64_t id = 0;
        rc = examples_named(db, name, &id, err);
        if (!id && name.n) {
            str_add(&masked, text.p + from, at - from);
            str_addz(&masked, "hidden");
            from = at + name.n;
        }
        i = at + name.n - 1;
    }
    *out = text;
    if (from) {
        str_add(&masked, text.p + from, text.n - from);
        *out = arena_sv(a, str_sv(&masked));
    }
    str_release(&masked);
    return rc;
}
