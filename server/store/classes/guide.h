/* guide.h - SQL for what the guide says of classes and groups of classes: versions of a text in Markdown, of which the newest
 * holds. Nothing is ever taken away: an empty text is a page that was taken out, and can be brought back. */
#ifndef STORE_CLASSES_GUIDE_H
#define STORE_CLASSES_GUIDE_H

#include "base/arena.h"
#include "db/db.h"

enum { GUIDE_REASON = 500 /* bytes */ };

struct guide_version {
    int64_t id, at;              /* id: the event; 0: there is none */
    struct sv wnid, text, reason, by; /* by: a login; empty: an import, or somebody forgotten */
};
/* A page as it holds, with what it is about. */
struct guide_page {
    struct guide_version v;
    struct sv words, gloss; /* of the class or group; words joined by "|" */
    int64_t versions;       /* how many there are of it */
    bool is_class;
};
struct guide_new {
    struct sv wnid, text, reason;
    int64_t account; /* 0: an import */
    int64_t was;     /* the version that its author changed, 0: there was none; -1: whatever is there */
};
/* The text has been checked (view/markdown.h). *id: the version; 0: it says just what the newest does, and nothing was stored.
 * ERR_NOT_FOUND (rule "no-class") for a wnid that is no class and no synset; ERR_CONFLICT (rule "guide-changed") when `was` is
 * not the newest; ERR_INPUT (rule "guide-reason"). */
enum err_code guide_put(struct db *db, const struct guide_new *v, int64_t now, int64_t *id, struct err *err);
/* Whether it is a class or a synset of the project. */
enum err_code guide_knows(struct db *db, struct sv wnid, bool *out, struct err *err);
/* The newest; id 0: nothing was ever written. In the arena. */
enum err_code guide_newest(struct db *db, struct sv wnid, struct arena *a, struct guide_version *out, struct err *err);
/* ERR_NOT_FOUND (rule "guide-version"). In the arena. */
enum err_code guide_get(struct db *db, struct sv wnid, int64_t id, struct arena *a, struct guide_version *out, struct err *err);
/* All of a page, the newest first; texts too. In the arena. */
enum err_code guide_versions(struct db *db, struct sv wnid, struct arena *a, struct guide_version **out, size_t *n, struct err *err);
/* Every page that says something, by words. In the arena. */
enum err_code guide_pages(struct db *db, struct arena *a, struct guide_page **out, size_t *n, struct err *err);

#endif
