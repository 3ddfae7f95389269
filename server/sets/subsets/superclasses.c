/* superclasses.c - superclasses under a name: a table read line by line, its digest, how it is told. */
#include "sets/subsets/superclasses.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/map.h"
#include "crypto/crypto.h"
#include "domain/labels/image_labels.h"
#include "formats/csv.h"
#include "store/classes/classes.h"

#define TEXT_MOST ((size_t)1 << 26)

/* ---- the digest ---- */

static int by_wnid(const void *a, const void *b)
{
    return sv_cmp(((const struct superclass_member *)a)->wnid, ((const struct superclass_member *)b)->wnid);
}

/* Sorts the members. */
static void digest_of(struct superclass_member *members, size_t n, unsigned char out[SUPERCLASS_LIST_DIGEST])
{
    struct str text;
    str_init(&text, TEXT_MOST);
    if (n) {
        qsort(members, n, sizeof *members, by_wnid);
    }
    for (size_t i = 0; i < n; i++) {
        str_printf(&text, "%s" SV_FMT "," SV_FMT, i ? "\n" : "", SV_ARG(members[i].wnid), SV_ARG(members[i].superclass));
    }
    crypto_sha256(text.p ? text.p : "", text.n, out);
    str_release(&text);
}

enum err_code superclasses_digest_holds(struct db *db, const struct superclass_list_row *row, struct arena *a, bool *holds, struct err *err)
{
    struct superclass_member *members;
    unsigned char digest[SUPERCLASS_LIST_DIGEST];
    size_t n = 0;
    enum err_code rc = superclass_members_read(db, row->id, a, &members, &n, err);
    *holds = false;
    if (rc == OK) {
        digest_of(members, n, digest);
        *holds = memcmp(digest, row->digest, sizeof digest) == 0;
    }
    return rc;
}

/* ---- reading a table ---- */

struct reading {
    struct csv csv;
    int class_column, superclass_column;
    struct class_info *classes;
    size_t n_classes;
    struct map_sv wnids, superclasses; /* wnid -> index of classes; a superclass that was met */
    struct map_u64 numbers;            /* class number -> the same */
    bool *taken;                       /* by index of classes */
    struct list members;               /* struct superclass_member */
    uint32_t n_superclasses;
    struct arena *a;
};

static enum err_code wrong(const struct reading *r, struct err *err, const char *what, struct sv cell)
{
    return err_rule(err, ERR_INPUT, "superclasses", "%s:%llu: %s: \"" SV_FMT "\". Nothing was stored.", r->csv.name,
                    (unsigned long long)r->csv.line, what, SV_ARG(cell));
}

/* By wnid or number. */
static uint32_t find_class(const struct reading *r, struct sv cell)
{
    int64_t number;
    uint32_t at = map_sv_get(&r->wnids, cell);
    return at == MAP_NONE && sv_i64(cell, &number) ? map_u64_get(&r->numbers, (uint64_t)number) : at;
}

static bool is_name(struct sv s)
{
    bool good = s.n > 0 && s.n <= SUPERCLASS_NAME;
    for (size_t i = 0; i < s.n && good; i++) {
        good = (unsigned char)s.p[i] >= ' ' && s.p[i] != 0x7f;
    }
    return good;
}

static enum err_code read_row(struct reading *r, struct err *err)
{
    const struct sv cell = sv_trim(r->csv.cells[r->class_column]), name = sv_trim(r->csv.cells[r->superclass_column]);
    uint32_t at = find_class(r, cell);
    if (at == MAP_NONE) {
        return wrong(r, err, "there is no such class", cell);
    }
    if (r->taken[at]) {
        return wrong(r, err, "the class has a superclass already", cell);
    }
    if (!is_name(name)) {
        return wrong(r, err, "a superclass needs a name of at most 100 bytes", name);
    }
    const struct sv kept = arena_sv(r->a, name);
    if (map_sv_put(&r->superclasses, kept, r->n_superclasses) == r->n_superclasses && ++r->n_superclasses > SUPERCLASSES_MOST) {
        return wrong(r, err, "more than 200 superclasses", name);
    }
    r->taken[at] = true;
    *LIST_ADD(&r->members, r->a, struct superclass_member) = (struct superclass_member){r->classes[at].id, r->classes[at].wnid, kept};
    return OK;
}

static enum err_code read_table(struct reading *r, struct err *err)
{
    bool more = true;
    r->class_column = csv_column(&r->csv, "class") >= 0 ? csv_column(&r->csv, "class") : csv_column(&r->csv, "wnid");
    r->superclass_column = csv_column(&r->csv, "superclass");
    if (r->class_column < 0 || r->superclass_column < 0) {
        return err_rule(err, ERR_INPUT, "superclasses", "%s:1: the columns class and superclass are needed. Nothing was stored.", r->csv.name);
    }
    enum err_code rc = OK;
    while (rc == OK && (rc = csv_next(&r->csv, &more, err)) == OK && more) {
        rc = read_row(r, err);
    }
    return rc == OK && r->n_superclasses < 2
               ? err_rule(err, ERR_INPUT, "superclasses", "%s: at least two superclasses are needed. Nothing was stored.", r->csv.name)
               : rc;
}

enum err_code superclasses_make(struct db *db, const struct superclasses_ask *ask, struct arena *a, struct superclasses_draft *out, struct err *err)
{
    struct reading r = {.a = a};
    *out = (struct superclasses_draft){.row = {.name = ask->name, .note = ask->note, .account = ask->account}};
    enum err_code rc = superclass_list_name_check(ask->name, err);
    rc = rc == OK ? classes_list(db, a, &r.classes, &r.n_classes, err) : rc;
    if (rc != OK) {
        return rc;
    }
    map_sv_init(&r.wnids);
    map_sv_init(&r.superclasses);
    map_u64_init(&r.numbers);
    r.taken = arena_calloc(a, r.n_classes + 1, sizeof *r.taken);
    for (size_t i = 0; i < r.n_classes; i++) {
        map_sv_put(&r.wnids, r.classes[i].wnid, (uint32_t)i);
        map_u64_put(&r.numbers, (uint64_t)r.classes[i].cid, (uint32_t)i);
    }
    rc = csv_open(&r.csv, ask->file, ask->text, err);
    if (rc == OK) {
        rc = read_table(&r, err);
        csv_close(&r.csv);
    }
    out->members = r.members.items;
    out->n = r.members.n;
    if (rc == OK) {
        digest_of(out->members, out->n, out->row.digest);
    }
    map_u64_release(&r.numbers);
    map_sv_release(&r.superclasses);
    map_sv_release(&r.wnids);
    return rc;
}

enum err_code superclasses_store(struct db *db, const struct superclasses_draft *d, int64_t now, int64_t *number, bool *added, struct err *err)
{
    return superclass_lists_add(db, &d->row, d->members, d->n, d->row.account, now, number, added, err);
}

/* ---- telling ---- */

enum err_code superclasses_csv(struct db *db, int64_t list, struct arena *a, struct str *out, struct err *err)
{
    struct superclass_member *members;
    size_t n = 0;
    enum err_code rc = superclass_members_read(db, list, a, &members, &n, err);
    str_addz(out, "class,superclass\n");
    for (size_t i = 0; i < n && rc == OK; i++) {
        csv_cell(out, members[i].wnid);
        str_addc(out, ',');
        csv_cell(out, members[i].superclass);
        str_addc(out, '\n');
    }
    return rc == OK ? str_check(out, "the superclasses", err) : rc;
}

#define OF(member) RECORD_OF(struct superclasses_face, member)
RECORD(superclasses_record, struct superclasses_face, "superclasses", "A version of superclasses under a name.",
       {"name", OF(row.name), .about = "Its name."},
       {"version", OF(row.number), .about = "Its number, from 1."},
       {"groups", OF(word), .about = "The word that means it wherever classes can be grouped."},
       {"newest", OF(newest), .about = "Whether it is the newest version, which the name without a number means."},
       {"superclasses", OF(row.superclasses), .about = "How many superclasses it has."},
       {"classes", OF(row.classes), .about = "How many classes are in one of them."},
       {"note", OF(row.note), .about = "Why it was made."},
       {"sha256", OF(sha256), .about = "Of lines wnid,superclass, sorted (docs/subsets.md)."},
       {"event", OF(row.id), .about = "The event with which it was made."},
       {"at", OF(row.at), RECORD_MOMENT, .about = "When that was."},
       {"by", OF(row.login), .about = "Who made it; empty: the command line."});
#undef OF

struct superclasses_face superclasses_face(const struct superclass_list_row *row, struct arena *a)
{
    char *hex = arena_calloc(a, 2 * SUPERCLASS_LIST_DIGEST + 1, 1);
    crypto_hex(row->digest, SUPERCLASS_LIST_DIGEST, hex);
    return (struct superclasses_face){.row = *row,
                                      .sha256 = hex,
                                      .newest = row->number == row->newest,
                                      .word = arena_printf(a, "@" SV_FMT "/%lld", SV_ARG(row->name), (long long)row->number)};
}
