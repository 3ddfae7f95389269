/* page_work_image.c - the images of a grid, by the assignment's token and the shown position: the
 * address says nothing about the image. */
#include "domain/grid.h"
#include "web/pages.h"
#include "web/work_flow.h"
#include "web/work_parts.h"

/* GET /work/assignment/:assignment/:position */
enum err_code page_work_image(struct ctx *c)
{
    struct assignment as;
    int64_t position;
    uint8_t order[GRID_CELLS];
    unsigned char sha256[IMAGE_SHA];
    bool found = false;
    if (work_assignment_named(c, &as) != OK) {
        return c->err.code;
    }
    unsigned n = work_cells(c, as.grid);
    if (!sv_i64(c->req->params[1], &position) || position < 0 || position >= n) {
        return err_set(&c->err, ERR_NOT_FOUND, "This grid has no such cell.");
    }
    work_order(&as, n, order);
    enum err_code rc =
        sources_of_cell(c->db, as.grid, order[position], sha256, &found, &c->err);
    if (rc == OK && !found) {
        rc = err_rule(&c->err, ERR_NOT_FOUND, "no-pixels", "This image is known by name only.");
    }
    return rc != OK ? rc : page_send_rendition(c, sha256, RENDITION_GRID);
}
