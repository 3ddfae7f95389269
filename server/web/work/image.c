/* image.c - the images of a grid, by the assignment's token and the shown position, and
 * the examples of its class. Neither the address nor any header says which image it is, and the
 * length says no more than how large images are about; whether one came from memory can be timed,
 * which says that somebody saw that image lately, not who or where. */
#include "study/flow.h"
#include "web/core/grid_images.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/work/shared.h"

/* The same words for every image that is hidden, whatever the reason. */
static enum err_code reply_hidden(struct ctx *c)
{
    c->res->status = 410;
    c->res->content_type = "text/plain; charset=utf-8";
    str_addz(&c->res->body, "This image is not shown any more.\n");
    return OK;
}

static enum err_code send_shown(struct ctx *c, struct sv number, unsigned first, unsigned end)
{
    struct grid_images *images = app_grid_images(c->app);
    unsigned char token[WORK_TOKEN];
    struct grid_image at;
    int64_t n;
    if (flow_token(c->req->params[0], token, &c->err) != OK) {
        return c->err.code;
    }
    if (!sv_i64(number, &n) || n < 0 || n >= (int64_t)(end - first)) {
        return err_rule(&c->err, ERR_NOT_FOUND, "no-cell", "This grid has no such image.");
    }
    if (grid_images_find(images, c->db, token, first + (unsigned)n, &at, &c->err) != OK) {
        return c->err.code;
    }
    if (app_image_hidden(c->app, at.image)) {
        return reply_hidden(c);
    }
    return reply_image(c, &at.sent, true);
}

/* GET /work/assignment/:assignment/:position */
enum err_code page_work_image(struct ctx *c)
{
    return send_shown(c, c->req->params[1], 0, GRID_CELLS);
}

/* GET /work/assignment/:assignment/example/:example */
enum err_code page_work_example(struct ctx *c)
{
    return send_shown(c, c->req->params[1], GRID_EXAMPLE, GRID_LARGE);
}

/* GET /work/assignment/:assignment/large/:position */
enum err_code page_work_large(struct ctx *c)
{
    return send_shown(c, c->req->params[1], GRID_LARGE, GRID_ADDRESSES);
}
