/* seen.h - what people see in images: objects from the answers to CLASSIFY tasks that a vote view counts
 * (domain/labels/objects.h), kept in memory. When answers come, or somebody decides about one, only the images whose counted
 * answers changed are made again. 59,580 answers about 6,761 images take some 30 ms, of nothing.
 *
 * A check measures nothing and is left out; answers that none of the options is there are counted apart. Of several tasks
 * with the same image the answers go together; its labels are those of the first task, then those of the others. Knows SQL
 * only through store/. */
#ifndef LIVE_OBJECTS_SEEN_H
#define LIVE_OBJECTS_SEEN_H

#include "domain/labels/objects.h"
#include "live/objects/response_ledger.h"
#include "live/votes/view_ask.h"

struct seen_image {
    uint32_t image, class_id; /* database ids; class_id: the label that the image's set gives it */
    uint32_t campaign;        /* of its first task */
    uint32_t n_labels;        /* at most OBJECT_LABELS */
    uint32_t *labels, *ids;   /* in candidate order: database ids; what ties between them are decided by: class numbers */
    uint32_t *counted;        /* indexes of the ledger's rows, in order */
    uint32_t n_counted;
    uint32_t none;            /* of them: none of these */
    uint64_t made_of;         /* the counted answers: a hash */
    struct objects_found found; /* of the others */
};
struct seen_objects {
    struct seen_image *images; /* those with a task and an answer, by id */
    size_t n;
    int64_t view;              /* version */
    int64_t as_of;             /* 0: now */
    int64_t number;            /* the last event that changed anything here */
    uint64_t made;             /* images that were made again, since the beginning */
};

/* All of that for one project, for whoever asks from any thread. */
struct seen_kept;
struct seen_kept *seen_kept_new(void);
void seen_kept_free(struct seen_kept *k); /* NULL is allowed */
/* Now and then: lets go of views that nobody asked for in a while. */
void seen_kept_rest(struct seen_kept *k, int64_t now_ms);

/* The objects under a view, as of an event (0: now), and the answers that they are made of; borrowed until seen_let_go,
 * which every OK must be followed by. Where connections were lent struct live_lent (live/core/lent.h) that is asked, under its
 * lock: be brief; else everything is made for this call. */
struct seen_hold {
    const struct seen_objects *objects;
    const struct response_ledger *ledger;
    struct seen_kept *kept;
    bool own;
};
enum err_code seen_look(struct db *db, const struct vote_view *v, int64_t as_of, struct seen_hold *out, struct err *err);
void seen_let_go(struct seen_hold *s);

/* NULL: nobody was asked about the image. */
const struct seen_image *seen_find(const struct seen_objects *o, int64_t image);
/* The answers that the image's objects are made of, with bits as positions of its labels, into out[im->n_counted]; `rows`
 * (NULL: not asked) are their indexes in the ledger. Returns how many: those that say "none of these" are left out. */
uint32_t seen_responses(const struct response_ledger *l, const struct seen_image *im, struct object_response *out, uint32_t *rows);
/* The question that the image's objects answer, to be asked again of other answers. */
struct objects_ask seen_ask_of(const struct seen_image *im, const struct object_response *responses, uint32_t n);

#endif
