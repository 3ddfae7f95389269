/* guide_export.c - `holdout export guide`: a folder of texts, <wnid>.md, as `import guide` reads it; and `export relations`: how classes
 * relate, as CSV that `import relations` reads. */
#include "base/fs.h"
#include "base/new_folder.h"
#include "formats/csv.h"
#include "store/classes/guide.h"
#include "store/classes/relations.h"
#include "transfer/exports/exports.h"

enum { OUT_MOST = 1 << 24 };

static const struct new_folder_words words = {"guide", "a guide", "exported", "holdout-guide"};

/* A wnid is part of a file's name. */
static bool is_name(struct sv wnid)
{
    bool plain = wnid.n > 0 && wnid.p[0] != '.';
    for (size_t i = 0; i < wnid.n; i++) {
        plain = plain && wnid.p[i] != '/';
    }
    return plain;
}

static enum err_code write_pages(const struct new_folder *f, const struct guide_page *list, size_t n, struct err *err)
{
    enum err_code rc = OK;
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct guide_version *v = &list[i].v;
        rc = is_name(v->wnid)
                 ? fs_write_new(fs_join(f->arena, f->temp, arena_printf(f->arena, SV_FMT ".md", SV_ARG(v->wnid))), v->text.p, v->text.n, err)
                 : err_rule(err, ERR_INPUT, "guide-name", "The wnid \"" SV_FMT "\" cannot be the name of a file.", SV_ARG(v->wnid));
    }
    return rc == OK ? fs_sync_all(f->temp, err) : rc;
}

enum err_code guide_export(struct transfer *tr, const char *folder)
{
    struct guide_page *list;
    size_t n = 0;
    struct new_folder f = new_folder_of(tr->arena, &words, folder);
    enum err_code rc = guide_pages(tr->db, tr->arena, &list, &n, tr->err);
    rc = rc == OK ? new_folder_check(&f, tr->err) : rc;
    rc = rc == OK ? new_folder_open(&f, tr->err) : rc;
    if (rc != OK) {
        return rc;
    }
    rc = new_folder_close(&f, write_pages(&f, list, n, tr->err), tr->err);
    if (rc == OK) {
        transfer_note(tr, "%zu page%s written to %s.", n, n == 1 ? "" : "s", folder);
    }
    return rc;
}

enum err_code relations_export(struct transfer *tr)
{
    struct relation_row *list;
    struct str out;
    size_t n = 0;
    str_init(&out, OUT_MOST);
    str_addz(&out, "a,b,kind,note\n");
    enum err_code rc = relations_list(tr->db, 0, tr->arena, &list, &n, tr->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        csv_cell(&out, list[i].a_wnid);
        str_addc(&out, ',');
        csv_cell(&out, list[i].b_wnid);
        str_printf(&out, "," SV_FMT ",", SV_ARG(list[i].kind));
        csv_cell(&out, list[i].note);
        str_addc(&out, '\n');
        rc = transfer_flush(tr, &out, tr->err);
    }
    return transfer_end(tr, &out, rc);
}
