/* guide_import.c - `holdout import guide`: a folder of texts in Markdown, <wnid>.md, each of which becomes the newest version of
 * its page unless that says the same. Pages that have no file stay as they are. */
#include "db/bulk.h"
#include "base/list.h"
#include "experts/guide_pictures.h"
#include "store/classes/guide.h"
#include "transfer/imports/imports.h"
#include "transfer/imports/lines.h"
#include "view/markdown.h"

struct guide_import {
    struct import im;
    const char *folder;
    struct sv reason;
    struct list pages; /* of struct guide_new */
    size_t at, stored;
};

static enum err_code check_page(struct guide_import *g, const char *relative, const struct guide_new *v)
{
    bool known = false;
    struct err why = {OK, "", ""};
    enum err_code rc = guide_knows(g->im.tr->db, v->wnid, &known, g->im.tr->err);
    if (rc == OK && !known) {
        import_bad_file(&g->im, relative, "the project has no class and no synset of that name");
    }
    if (rc == OK && guide_text_check(g->im.tr->db, v->text, &why) == ERR_INPUT) {
        import_bad_file(&g->im, relative, "%s", why.msg);
    } else if (rc == OK && why.code != OK) {
        *g->im.tr->err = why;
        rc = why.code;
    }
    return rc;
}

static enum err_code read_page(void *arg, const char *relative, struct err *err)
{
    struct guide_import *g = arg;
    struct arena *a = g->im.tr->arena;
    struct sv name = sv_of(relative);
    struct str text;
    struct err why = {OK, "", ""};
    if (!sv_ends(name, ".md")) {
        import_bad_file(&g->im, relative, "is no <wnid>.md");
        return OK;
    }
    str_init(&text, MARKDOWN_BYTES + 4); /* a mark in front of it is not counted */
    enum err_code rc = fs_read(fs_join(a, g->folder, relative), &text, &why);
    if (rc == ERR_LIMIT) {
        import_bad_file(&g->im, relative, "has more than 32 KiB");
        rc = OK;
    } else if (rc == OK) {
        const struct guide_new v = {.wnid = arena_sv(a, sv_make(name.p, name.n - 3)), .text = arena_sv(a, sv_unmarked(str_sv(&text))),
                                    .reason = g->reason, .was = -1};
        *LIST_ADD(&g->pages, a, struct guide_new) = v;
        rc = check_page(g, relative, &v);
    } else {
        *err = why;
    }
    str_release(&text);
    return rc;
}

/* All at once: pages are few beside classes, and a wnid that is none takes back all of them. */
static enum err_code write_step(struct db *db, void *arg, bool *more, struct err *err)
{
    struct guide_import *g = arg;
    const struct guide_new *list = g->pages.items;
    enum err_code rc = OK;
    *more = false;
    g->stored = 0;
    for (size_t i = 0; i < g->pages.n && rc == OK; i++) {
        int64_t id;
        rc = guide_put(db, &list[i], g->im.now, &id, err);
        g->stored += id != 0;
    }
    return rc;
}

enum err_code guide_import(struct transfer *tr, const char *folder, struct sv reason)
{
    struct guide_import g = {.folder = folder, .reason = reason.n ? reason : SV("imported")};
    enum err_code rc = import_classes_only(&g.im, tr, folder);
    rc = rc == OK ? fs_walk(folder, read_page, &g, tr->err) : rc;
    rc = rc == OK ? import_checked(&g.im) : rc;
    if (rc == OK && !tr->dry_run && g.pages.n) {
        rc = bulk_write(tr->db, tr->alone, write_step, &g, tr->err);
    }
    if (rc == OK) {
        transfer_note(tr, "%zu page%s read, %zu with a new version%s.", g.pages.n, g.pages.n == 1 ? "" : "s", g.stored, tr->dry_run ? " (dry run)" : "");
    }
    import_close(&g.im);
    return rc;
}
