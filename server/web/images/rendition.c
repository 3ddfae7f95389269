/* rendition.c - image files for those who are signed in; workers get theirs by assignment. */
#include "base/assets.h"
#include "web/core/shown_to.h"
#include "web/core/image_bytes.h"
#include "web/core/pages.h"
#include "web/core/reply.h"

enum err_code page_send_veil(struct ctx *c)
{
    const struct asset *veil = asset_find("static/img/hidden.svg");
    BUG_IF(!veil);
    str_add(&c->res->body, veil->data, veil->n);
    c->res->status = 200;
    c->res->content_type = "image/svg+xml";
    response_header(c->res, "Cache-Control", "no-store"); /* a lead may clear it any moment */
    return OK;
}

/* GET /images/:image/:rendition?reveal=1: hidden ones only to a lead who asks for just that. */
enum err_code page_rendition(struct ctx *c)
{
    int64_t id;
    struct image_source source;
    struct sv kind = c->req->params[1];
    if (!sv_i64(c->req->params[0], &id) || !(sv_is(kind, "grid") || sv_is(kind, "view"))) {
        return err_set(&c->err, ERR_NOT_FOUND, "There is no such image.");
    }
    bool reveal = c->user.role >= ROLE_LEAD && sv_is(request_query(c->req, "reveal"), "1");
    if (app_image_hidden(c->app, id) && !reveal) {
        return page_send_veil(c);
    }
    if (sources_of_image(c->db, id, &source, &c->err) != OK) {
        return c->err.code;
    }
    if (source.source == 0) {
        return err_rule(&c->err, ERR_NOT_FOUND, "no-pixels",
                        "This image is not in the project, or is known by name only.");
    }
    shown_note(c, id, SAW_PAGE);
    const struct image_sent at =
        image_sent_of(&source, sv_is(kind, "grid") ? RENDITION_GRID : RENDITION_VIEW);
    return reply_image(c, &at, true);
}
