/* label_books.h - what label sources say, whichever kind of source they are: imported lists (store/labels/labels.h), or what
 * people see in images by their answers to CLASSIFY tasks (live/objects/seen.h).
 *
 *   NAME[/NUMBER]            a list that was imported, its newest version unless one is named
 *   classify@VIEW[/EVENT]    the objects by the answers that a vote view counts, as of an event: the last that changed
 *                            anything of it unless one is named. Always there once people have answered; nothing is stored */
#ifndef MEASURES_LABEL_BOOKS_H
#define MEASURES_LABEL_BOOKS_H

#include "store/labels/labels.h"

/* As label_versions_find: ERR_NOT_FOUND (rule "label-source"; "no-view" for a view that there is not). */
enum err_code label_source_find(struct db *db, struct sv name, struct arena *a, struct label_version_row *out, struct err *err);
/* The newest version of every source, those of views first; at most LABEL_VIEWS_MOST of these are listed, the default view
 * first. */
enum { LABEL_VIEWS_MOST = 8 };
enum err_code label_source_newest(struct db *db, struct arena *a, struct label_version_row **out, size_t *n, struct err *err);
/* All versions of the source that a version is of, newest first; of a view's the given one alone. */
enum err_code label_source_versions(struct db *db, const struct label_version_row *of, struct arena *a,
                                    struct label_version_row **out, size_t *n, struct err *err);
/* The images with their labels. The caller releases the book, on failure too. */
enum err_code label_source_read(struct db *db, const struct label_version_row *v, struct label_book *out, struct err *err);
/* As label_list_covers. */
enum err_code label_source_covers(struct db *db, const struct label_version_row *v, int64_t revision, int64_t *has,
                                  int64_t *counts, struct err *err);

#endif
