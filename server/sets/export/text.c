/* text.c - text files of an export, and how votes are written in them. */
#include "sets/export/export_private.h"

#include <errno.h>
#include <inttypes.h>

#include "base/fs.h"
#include "base/xalloc.h"

enum { FLUSH_BYTES = 1 << 16 };
#define TEXT_MOST ((size_t)1 << 26) /* of one piece: a line, a manifest */

enum err_code export_text_open(struct export_text *t, struct set_export *e, const char *name,
                               struct err *err)
{
    *t = (struct export_text){.path = fs_join(&e->arena, e->temp, name)};
    str_init(&t->buf, TEXT_MOST);
    t->file = fopen(t->path, "wxe");
    return t->file ? OK : err_errno(err, errno, "cannot create %s", t->path);
}

static enum err_code write_out(struct export_text *t, struct err *err)
{
    enum err_code rc = str_check(&t->buf, t->path, err);
    if (rc == OK && t->buf.n && fwrite(t->buf.p, 1, t->buf.n, t->file) != t->buf.n) {
        rc = err_errno(err, errno, "cannot write %s", t->path);
    }
    str_clear(&t->buf);
    return rc;
}

enum err_code export_text_flush(struct export_text *t, struct err *err)
{
    return t->buf.n < FLUSH_BYTES && !t->buf.over ? OK : write_out(t, err);
}

enum err_code export_text_close(struct export_text *t, enum err_code rc, struct err *err)
{
    rc = rc == OK ? write_out(t, err) : rc;
    if (t->file && fclose(t->file) != 0 && rc == OK) {
        rc = err_errno(err, errno, "cannot write %s", t->path);
    }
    str_release(&t->buf);
    return rc;
}

static struct interval export_interval(struct set_export *e, uint32_t k, uint32_t n)
{
    uint32_t fresh = (uint32_t)e->n_intervals;
    uint32_t at = map_u64_put(&e->intervals, (uint64_t)n << 32 | k, fresh);
    if (at == fresh) {
        xgrow(&e->interval, &e->cap_intervals, e->n_intervals + 1, sizeof *e->interval);
        e->interval[e->n_intervals++] = binomial_clopper_pearson(k, n, EXPORT_ALPHA);
    }
    return e->interval[at];
}

void export_add_votes(struct set_export *e, struct str *out, uint32_t shown, uint32_t selected)
{
    str_printf(out, ",%" PRIu32 ",%" PRIu32, shown, selected);
    if (shown == 0) {
        str_addz(out, ",,,");
        return;
    }
    struct interval ci = export_interval(e, selected, shown);
    str_printf(out, ",%.6f,%.6f,%.6f", (double)selected / shown, ci.lo, ci.hi);
}
