/* picture.c - reference images that the guide may show (store/images/examples.h); who was shown one is noted. Row in routes.c. */
#include "store/images/examples.h"
#include "web/core/image_bytes.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/shown_to.h"

/* GET /guide/picture/:image */
enum err_code page_guide_picture(struct ctx *c)
{
    int64_t id = 0;
    bool may = false;
    struct image_source source;
    enum err_code rc = sv_i64(c->req->params[0], &id) ? examples_has(c->db, id, &may, &c->err) : OK;
    if (rc == OK && !may) {
        return err_rule(&c->err, ERR_NOT_FOUND, "guide-picture", "The guide has no such picture.");
    }
    if (rc == OK && app_image_hidden(c->app, id)) {
        return page_send_veil(c);
    }
    rc = rc == OK ? sources_of_image(c->db, id, &source, &c->err) : rc;
    if (rc != OK) {
        return rc;
    }
    shown_note(c, id, SAW_GUIDE);
    const struct image_sent at = image_sent_of(&source, RENDITION_VIEW);
    return reply_image(c, &at, false);
}
