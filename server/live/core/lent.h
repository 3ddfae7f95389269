/* lent.h - what a server keeps in memory for whoever asks the database through one of its connections (db_lend): made when
 * it is first asked for, and again where it changed. Elsewhere nothing is lent, and everything is made for each call. */
#ifndef LIVE_CORE_LENT_H
#define LIVE_CORE_LENT_H

struct live_lent {
    struct seen_kept *seen;         /* live/objects/seen.h */
    struct review_books *reviews;   /* live/labels/review_books.h */
};

#endif
