/* near_searches.h - SQL for searches of near-duplicates: the nearest references of every query, by one metric. A search
 * is stored in blocks while it runs and counts once it is whole. Searches of one space (what distances are of) and
 * engine complete each other: the neighbours of an image are the nearest of all its lists. The only reader and writer
 * of the bytes of near_list. Knows nothing of pixels and of what is reviewed. */
#ifndef STORE_DUPLICATES_NEAR_SEARCHES_H
#define STORE_DUPLICATES_NEAR_SEARCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/ranges.h"
#include "db/db.h"

enum {
    NEAR_BLOCK = 16, /* lists of a block */
    NEAR_MOST = 100  /* neighbours of a list */
};
/* Which search this program makes: changed whenever the distance of a pair, or which pairs are near, could change. */
#define NEAR_ENGINE "1"

struct near_neighbor {
    uint32_t image;
    double distance;
};
struct near_list { /* ascending by distance, equal ones by image */
    struct near_neighbor *at;
    uint32_t n;
};
struct near_search {
    int64_t id, end; /* events: it was begun, it was whole; end 0: it is not yet */
    int64_t k;       /* neighbours of a list, at most */
    double within;   /* pairs up to this distance are in near_close as well */
    struct sv metric, space, engine;
    struct ranges queries, refs; /* images */
};

/* ---- writing: inside the caller's transaction ---- */

/* A new search, with its event; s->id is set. */
enum err_code near_searches_put(struct db *db, struct near_search *s, int64_t account, int64_t now, struct err *err);
/* The lists of the queries from place `first` on: 1 to NEAR_BLOCK, and their pairs that are close. */
enum err_code near_searches_append(struct db *db, const struct near_search *s, uint32_t first,
                                   const struct near_list *lists, uint32_t n, struct err *err);
/* The image could not be read. Said twice is said once. */
enum err_code near_searches_unread(struct db *db, int64_t search, uint32_t image, struct err *err);
/* All lists are there: it counts from this event on. */
enum err_code near_searches_end(struct db *db, int64_t search, int64_t account, int64_t now, struct err *err);
/* Pairs up to a greater distance become close, block by block: *next is 0 at first, *more says whether to call again.
 * The distance is the search's `within` when all are. */
enum err_code near_searches_widen(struct db *db, const struct near_search *s, double within, int64_t *next, bool *more,
                                  struct err *err);

/* ---- reading ---- */

/* Those of a space that are whole as of an event (0: now), by id. */
enum err_code near_searches_whole(struct db *db, struct sv space, int64_t as_of, struct arena *a,
                                  struct near_search **out, size_t *n, struct err *err);
/* Those of a space that are not whole, by id. */
enum err_code near_searches_begun(struct db *db, struct sv space, struct arena *a, struct near_search **out, size_t *n,
                                  struct err *err);
/* How many of its lists are stored: which query is next. */
enum err_code near_searches_stored(struct db *db, int64_t search, uint32_t *out, struct err *err);
/* Images of a search that could not be read, ascending. */
enum err_code near_searches_unread_list(struct db *db, int64_t search, struct arena *a, int64_t **out, size_t *n,
                                        struct err *err);
/* The k nearest of an image in the lists of all `n` searches, which are of one space; none where it is no query. */
enum err_code near_searches_nearest(struct db *db, const struct near_search *searches, size_t n, uint32_t image,
                                    uint32_t k, struct arena *a, struct near_list *out, struct err *err);
/* When the newest search became whole: an event; 0: none did. */
enum err_code near_searches_newest(struct db *db, int64_t *out, struct err *err);
/* Reads all that is stored: what is wrong with a search, in words. Lists must be readable, in order, of its references and
 * never of the query itself, as many as its queries when it is whole, and near_close must have those within. */
enum err_code near_searches_check(struct db *db,
                                  enum err_code (*found)(void *arg, int64_t search, const char *what, struct err *err),
                                  void *arg, struct err *err);
struct near_hidden { /* a training image that came close to a candidate, and has no picture to show yet; borrowed texts */
    int64_t class_id;
    struct sv name, path, sha256; /* path: absolute; IMAGE_SHA bytes */
};
enum err_code near_searches_hidden(struct db *db,
                                   enum err_code (*each)(void *arg, const struct near_hidden *h, struct err *err), void *arg,
                                   struct err *err);
/* How many pairs of the searches are at most that far apart; a pair that both its images found counts twice. */
enum err_code near_searches_count_close(struct db *db, const struct near_search *searches, size_t n, double distance,
                                        int64_t *out, struct err *err);

#endif
