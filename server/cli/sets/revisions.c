/* revisions.c - `holdout review-status`: the revisions of sets as CSV, how they followed one
 * another and how far their final review is; `holdout diff`: what differs between two of them. */
#include <jansson.h>
#include <stdio.h>

#include "cli/core/commands.h"
#include "cli/core/table.h"
#include "crypto/crypto.h"
#include "formats/csv.h"
#include "sets/revisions/history.h"
#include "store/images/images.h"

enum { OUT_MOST = 1 << 28, ROW_MOST = 1 << 20 };

/* ---- review-status ---- */

static const struct set_history_row *parent_of(const struct set_history_row *rows, size_t n,
                                               int64_t id)
{
    for (size_t i = 0; i < n; i++) {
        if (rows[i].revision.id == id) {
            return &rows[i];
        }
    }
    return NULL;
}

/* The published name where there is one, else SET/NUMBER. */
static void print_name(struct str *out, const struct set_history_row *row, struct arena *a)
{
    const struct revision_row *r = &row->revision;
    csv_cell(out, row->revision.published.n ? row->revision.published
                                   : sv_of(arena_printf(a, SV_FMT "/%lld", SV_ARG(r->set),
                                                        (long long)r->number)));
}

/* A revision without a parent has no changes: empty, not 0. */
static void print_count(struct str *out, bool known, size_t n)
{
    str_addc(out, ',');
    if (known) {
        str_addi(out, (int64_t)n);
    }
}

static void print_status(struct str *out, const struct set_history_row *row,
                         const struct set_history_row *parent, struct arena *a)
{
    const struct revision_row *r = &row->revision;
    char digest[2 * SET_DIGEST + 1];
    print_name(out, row, a);
    str_addc(out, ',');
    if (parent) {
        print_name(out, parent, a);
    }
    str_printf(out, ",%lld,%d", (long long)r->images, row->valid);
    print_count(out, parent, row->added);
    print_count(out, parent, row->removed);
    print_count(out, parent, row->changed);
    print_count(out, true, row->classes_short);
    print_count(out, true, row->missing);
    print_count(out, parent, row->carried);
    print_count(out, true, row->reviewed);
    print_count(out, true, row->problematic);
    print_count(out, true, row->blacklisted);
    crypto_hex(r->digest, SET_DIGEST, digest);
    str_printf(out, "," SV_FMT "/%lld,%s,%s,", SV_ARG(r->set), (long long)r->number,
               revision_state_word(r->state), digest);
    struct str classes;
    str_init(&classes, OUT_MOST);
    for (size_t i = 0; i < row->classes_short; i++) {
        str_addz(&classes, i ? " " : "");
        str_addsv(&classes, row->short_classes[i]);
    }
    csv_cell(out, str_sv(&classes));
    str_release(&classes);
    str_addc(out, '\n');
}

static enum err_code print_set(struct cli *cli, const struct set_row *set, int64_t only,
                               struct str *out)
{
    struct set_history_row *rows;
    size_t n = 0;
    enum err_code rc = set_history_make(cli->db, set, &cli->arena, &rows, &n, &cli->err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        if (only == 0 || rows[i].revision.id == only) {
            print_status(out, &rows[i], parent_of(rows, n, rows[i].revision.parent), &cli->arena);
            rc = export_flush(out, &cli->err);
        }
    }
    return rc;
}

/* The set that is named, and the revision when it is: "SET" means all of it here. */
static enum err_code find_set(struct cli *cli, struct sv name, struct set_row *set, int64_t *only)
{
    struct revision_row r;
    struct err none = {OK, "", ""};
    enum err_code rc = sets_find(cli->db, name, &cli->arena, set, &none);
    *only = 0;
    if (rc == ERR_NOT_FOUND) {
        rc = revisions_find(cli->db, name, &cli->arena, &r, &cli->err);
        *only = rc == OK ? r.id : 0;
        return rc == OK ? sets_find(cli->db, r.set, &cli->arena, set, &cli->err) : rc;
    }
    return rc == OK ? OK : err_set(&cli->err, rc, "%s", none.msg);
}

enum err_code cmd_review_status(struct cli *cli)
{
    struct str out;
    struct set_row one, *sets = &one;
    size_t n = 1;
    int64_t only = 0;
    str_init(&out, OUT_MOST);
    enum err_code rc = cli->n_args > 1 ? find_set(cli, sv_of(cli->args[1]), &one, &only)
                                       : sets_list(cli->db, &cli->arena, &sets, &n, &cli->err);
    str_addz(
        &out,
        "name,parent,size,is_valid,n_added,n_removed,n_classes_changed,n_classes_short,n_missing,"
        "n_reviewed_carried_over,n_reviewed_final,n_problematic_final,n_in_final_blacklist,"
        "revision,state,sha256_sorted,short_classes\n");
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = print_set(cli, &sets[i], only, &out);
    }
    return export_end(&out, rc, &cli->err);
}

/* ---- diff ---- */

struct printing {
    struct cli *cli;
    struct str out;
    struct arena scratch; /* of one line */
    bool reasons; /* the second is a child of the first */
};

/* Images by class, then by id, which is the order of the diff; removed before added. */
static enum err_code print_member(struct printing *p, const struct set_diff *d, bool added,
                                  size_t i)
{
    const struct revision_member *m = added ? &d->diff.added[i] : &d->diff.removed[i];
    struct image_row image;
    arena_clear(&p->scratch);
    enum err_code rc = images_get(p->cli->db, m->image, &p->scratch, &image, &p->cli->err);
    if (rc != OK) {
        return rc;
    }
    str_addz(&p->out, added ? "added," : "removed,");
    csv_cell(&p->out, image.name);
    str_addc(&p->out, ',');
    csv_cell(&p->out, d->classes[m->class_index].wnid);
    str_printf(&p->out, ",%s\n", added || !p->reasons ? "" : revision_removed_words[d->reasons[i]]);
    return export_flush(&p->out, &p->cli->err);
}

static enum err_code find_both(struct cli *cli, struct revision_row *a, struct revision_row *b)
{
    enum err_code rc = revisions_find(cli->db, sv_of(cli->args[1]), &cli->arena, a, &cli->err);
    return rc == OK ? revisions_find(cli->db, sv_of(cli->args[2]), &cli->arena, b, &cli->err) : rc;
}

enum err_code cmd_diff(struct cli *cli)
{
    struct printing p = {.cli = cli};
    struct revision_row a, b;
    struct set_diff d = {0};
    str_init(&p.out, OUT_MOST);
    arena_init(&p.scratch, ROW_MOST);
    enum err_code rc = find_both(cli, &a, &b);
    rc = rc == OK ? set_diff_make(cli->db, &a, &b, &d, &cli->err) : rc;
    p.reasons = rc == OK && b.parent == a.id;
    str_addz(&p.out, "change,image,wnid,reason\n");
    for (size_t i = 0; i < d.diff.n_removed && rc == OK; i++) {
        rc = print_member(&p, &d, false, i);
    }
    for (size_t i = 0; i < d.diff.n_added && rc == OK; i++) {
        rc = print_member(&p, &d, true, i);
    }
    rc = export_end(&p.out, rc, &cli->err);
    if (rc == OK) {
        cli_note(cli, "%zu added, %zu removed, in %zu classes.", d.diff.n_added, d.diff.n_removed,
                 d.diff.n_changed);
    }
    set_diff_free(&d);
    arena_release(&p.scratch);
    return rc;
}
