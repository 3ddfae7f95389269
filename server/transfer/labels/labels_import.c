/* labels_import.c - `holdout import labels`: a version of a label source from a file (label_file.h). */
#include "transfer/imports/imports.h"

#include <string.h>

#include "crypto/crypto.h"
#include "store/labels/labels.h"
#include "transfer/labels/label_file.h"

struct labels_import {
    const struct labels_ask *ask;
    struct import im;
    struct prediction_target target;
    struct label_file file;
    struct label_book book;
    struct label_version_new v;
};

static const char *const format_words[] = {"csv", "jsonl", "objects", "real", "tfds", "annotations"};

static void digest_of(const struct label_book *b, unsigned char out[LABEL_DIGEST])
{
    struct str bytes;
    str_init(&bytes, LABEL_PACKED_MOST);
    label_book_pack(b, &bytes);
    struct sv all = str_sv(&bytes);
    crypto_sha256(all.p, all.n, out);
    str_release(&bytes);
}

static void tell(const struct labels_import *li)
{
    const struct label_file *f = &li->file;
    const struct transfer *tr = li->im.tr;
    if (f->conflicts) {
        transfer_warn(tr, "%zu label%s of an image %s more than one verdict: correct counts before unclear, then wrong, then dontknow.",
                      f->conflicts, f->conflicts == 1 ? "" : "s", f->conflicts == 1 ? "has" : "have");
    }
    if (f->inferred || f->left_out) {
        transfer_note(tr, "%zu images are easy: the set's label is their only object; %zu are left out (mis, amb).", f->inferred,
                      f->left_out);
    }
}

static enum err_code read_all(struct labels_import *li)
{
    const struct labels_ask *ask = li->ask;
    struct label_file *f = &li->file;
    f->stage = ask->stage;
    f->kind_given = ask->kind != NULL;
    f->kind = LABEL_KIND_LABELS;
    if (ask->kind && !label_kind_of(sv_of(ask->kind), &f->kind)) {
        return err_rule(li->im.tr->err, ERR_INPUT, "usage", "--kind must be labels, main, objects or review, not \"%s\"", ask->kind);
    }
    enum err_code rc = label_file_read(f);
    rc = rc == OK && ask->about ? label_file_about(f, ask->about) : rc;
    return rc == OK ? label_file_book(f, &li->book) : rc;
}

static enum err_code write_all(struct labels_import *li, bool *there)
{
    struct transfer *tr = li->im.tr;
    const struct label_file *f = &li->file;
    const char *slash = strrchr(li->im.name, '/');
    int64_t id = 0;
    bool added = false;
    li->v = (struct label_version_new){.name = li->ask->name,
                                       .format = sv_of(format_words[f->format]),
                                       .file = sv_of(slash ? slash + 1 : li->im.name),
                                       .found = sv_of(arena_printf(tr->arena,
                                                                   "{\"rows\":%llu,\"conflicts\":%zu,\"inferred\":%zu,\"left_out\":%zu}",
                                                                   (unsigned long long)f->read, f->conflicts, f->inferred, f->left_out)),
                                       .reason = sv_of(li->ask->reason),
                                       .kind = f->kind,
                                       .replace = li->ask->replace,
                                       .account = li->ask->account,
                                       .book = &li->book};
    digest_of(&li->book, li->v.digest);
    enum err_code rc = label_version_same(tr->db, &li->v, &id, tr->err);
    *there = rc == OK && id != 0;
    if (rc == OK && !tr->dry_run && id == 0) {
        rc = label_version_add(tr->db, tr->alone, &li->v, li->im.now, &id, &added, tr->err);
    }
    if (rc == OK) {
        transfer_note(tr, "%llu rows read: %zu images with %zu labels, of kind %s; %s.", (unsigned long long)f->read, li->book.n,
                      li->book.n_labels, label_kind_word(f->kind),
                      added ? "a new version" : tr->dry_run && id == 0 ? "nothing was written (dry run)" : "they are there already");
    }
    return rc;
}

enum err_code labels_import(struct transfer *tr, const struct labels_ask *ask, bool *there)
{
    struct labels_import li = {.ask = ask};
    enum err_code rc = label_name_check(ask->name, tr->err);
    *there = false;
    if (rc != OK) {
        return rc;
    }
    rc = import_open(&li.im, tr, ask->path);
    rc = rc == OK ? prediction_target_open(&li.target, &li.im, ask->set, ask->images) : rc;
    if (rc == OK) {
        label_file_open(&li.file, &li.im, &li.target);
        rc = read_all(&li);
        tell(&li);
        rc = rc == OK ? write_all(&li, there) : rc;
        label_file_close(&li.file);
        label_book_release(&li.book);
    }
    prediction_target_close(&li.target);
    import_close(&li.im);
    return rc;
}
