/* labels.h - SQL for label sources, their versions and the lists of images that these consist of. A version is named
 * "NAME" (the source's newest) or "NAME/NUMBER". A label review in which something was said is a source too
 * (label_looks.h): NAME/NUMBER is what held after that many saves; its digest is of no bytes, its list negative. */
#ifndef STORE_LABELS_LABELS_H
#define STORE_LABELS_LABELS_H

#include "base/arena.h"
#include "db/db.h"
#include "domain/labels/labels.h"

enum { LABEL_DIGEST = 32, LABEL_REASON = 500 };

struct label_version_row {
    int64_t id, source, number, newest; /* newest: number of the source's newest version */
    int64_t list, images, labels, at, account; /* account 0: none; labels of a label review: 0, its book has them */
    int64_t view;                       /* not stored (measures/core/label_books.h): version of the vote view; 0: stored */
    struct sv name, login;              /* of the source; of who brought it, empty: the command line */
    struct sv kind_word, format, file, found, reason;
    enum label_kind kind;
    unsigned char digest[LABEL_DIGEST];
};
/* ERR_NOT_FOUND (rule "label-source") says which sources or versions there are. */
enum err_code label_versions_find(struct db *db, struct sv name, struct arena *a, struct label_version_row *out,
                                  struct err *err);
/* All of a source, newest first; source 0: the newest of every source, by name. */
enum err_code label_versions_list(struct db *db, int64_t source, struct arena *a, struct label_version_row **out,
                                  size_t *n, struct err *err);
/* The images of a list, in order, with class numbers. The caller releases the book, on failure too. */
enum err_code label_list_read(struct db *db, int64_t list, struct label_book *out, struct err *err);

/* What a list says of images that a revision has: how many of them it has, and how many of these count. */
enum err_code label_list_covers(struct db *db, int64_t list, enum label_kind kind, int64_t revision, int64_t *has,
                                int64_t *counts, struct err *err);

/* Writes a new version. Idempotent: the source's newest with the same content is given back with *added false. A
 * source that is there with other content is ERR_CONFLICT (rule "label-replace") unless `replace`, with a reason; one
 * of another kind always is (rule "label-kind"). Writes transactions of its own: the list in slices first, the
 * version's own row last; what a killed import left is completed by the next. */
struct label_version_new {
    struct sv name, format, file, found, reason;
    enum label_kind kind;
    bool replace;
    int64_t account;
    const struct label_book *book;
    unsigned char digest[LABEL_DIGEST]; /* SHA-256 of label_book_pack */
};
enum err_code label_version_add(struct db *db, bool alone, const struct label_version_new *v, int64_t now, int64_t *id,
                                bool *added, struct err *err);
/* Whether label_version_add would refuse it; *id: the version that says the same, 0: it would add one. */
enum err_code label_version_same(struct db *db, const struct label_version_new *v, int64_t *id, struct err *err);

/* Every list, for `check`: one that no version has, or with fewer rows than images, is what a killed import left. */
struct label_list_state {
    int64_t id, images, labels, rows, label_rows, version; /* version 0: none has it */
    unsigned char digest[LABEL_DIGEST];
};
enum err_code label_lists_check(struct db *db, struct arena *a, struct label_list_state **out, size_t *n,
                                struct err *err);

#endif
