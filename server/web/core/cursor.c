/* cursor.c - a place in a list, and how many rows from there. */
#include "web/core/cursor.h"

enum err_code cursor_read(struct ctx *c, const char *name, size_t usual, size_t most,
                          struct cursor *out)
{
    struct sv from = request_query(c->req, name), limit = request_query(c->req, "limit");
    int64_t n = (int64_t)usual;
    *out = (struct cursor){.from = 0};
    if ((from.n && (!sv_i64(from, &out->from) || out->from < 0)) ||
        (limit.n && (!sv_i64(limit, &n) || n < 1 || n > (int64_t)most))) {
        return err_rule(&c->err, ERR_INPUT, "cursor",
                        "%s must be the \"next\" of an earlier page, limit 1 to %zu.", name, most);
    }
    out->limit = (size_t)n;
    return OK;
}
