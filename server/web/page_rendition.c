/* page_rendition.c - image files for those who are signed in; workers get theirs by assignment. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assets.h"
#include "web/pages.h"
#include "web/reply.h"

static enum err_code send_file(struct ctx *c, const unsigned char sha256[IMAGE_SHA],
                               enum rendition_kind kind)
{
    char *path = path_rendition(c->arena, app_dir(c->app), sha256, kind);
    struct stat st;
    unsigned char first;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0 || pread(fd, &first, 1, 0) != 1) {
        if (fd >= 0) {
            close(fd);
        }
        return err_rule(&c->err, ERR_NOT_FOUND, "no-pixels",
                        "The file of this image is missing; `holdout check` lists such files.");
    }
    c->res->status = 200;
    c->res->content_type = rendition_type(first);
    c->res->fd = fd;
    c->res->fd_size = rendition_length(fd, (size_t)st.st_size);
    return OK;
}

enum err_code page_send_rendition(struct ctx *c, const unsigned char sha256[IMAGE_SHA],
                                  enum rendition_kind kind)
{
    enum err_code rc = send_file(c, sha256, kind);
    if (rc == OK) {
        response_header(c->res, "Cache-Control", "private, max-age=86400, immutable");
    }
    return rc;
}

enum err_code page_send_rendition_once(struct ctx *c, const unsigned char sha256[IMAGE_SHA],
                                       enum rendition_kind kind)
{
    enum err_code rc = send_file(c, sha256, kind);
    if (rc == OK) {
        response_header(c->res, "Cache-Control", "no-store");
    }
    return rc;
}

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
    unsigned char sha256[IMAGE_SHA];
    bool found = false;
    struct sv kind = c->req->params[1];
    if (!sv_i64(c->req->params[0], &id) || !(sv_is(kind, "grid") || sv_is(kind, "view"))) {
        return err_set(&c->err, ERR_NOT_FOUND, "There is no such image.");
    }
    bool reveal = c->user.role >= ROLE_LEAD && sv_is(request_query(c->req, "reveal"), "1");
    if (app_image_hidden(c->app, id) && !reveal) {
        return page_send_veil(c);
    }
    enum err_code rc = sources_of_image(c->db, id, sha256, &found, &c->err);
    if (rc == OK && !found) {
        rc = err_rule(&c->err, ERR_NOT_FOUND, "no-pixels",
                      "This image is not in the project or known by name only.");
    }
    return rc != OK ? rc
                    : page_send_rendition(c, sha256,
                                          sv_is(kind, "grid") ? RENDITION_GRID : RENDITION_VIEW);
}
