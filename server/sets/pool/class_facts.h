/* class_facts.h - what sampling knows of the images of ONE class: votes, blacklist,
 * near-duplicates, review, as sets/pool/pool.h has it of all at once. Near-duplicates are resolved over
 * the components that reach into the class alone, so that a class's page costs what its class has,
 * however many images the project has: about 3 ms for 250 images. Knows SQL only through store/. */
#ifndef SETS_POOL_CLASS_FACTS_H
#define SETS_POOL_CLASS_FACTS_H

#include "domain/votes/histogram.h"
#include "domain/images/near_duplicates.h"
#include "domain/review/review_gate.h"
#include "domain/sampling/sampling.h"
#include "live/core/tally.h"
#include "live/votes/view_count.h"
#include "store/review/blacklist.h"

struct class_facts_ask {
    int64_t class_id;
    const struct view_counts *votes; /* of a vote view; NULL: the default view as of now */
    int64_t flags_to_quarantine;     /* so many people's flags hide an image (store/work/flags.h) */
};
struct class_fact { /* an original or a candidate of the class */
    uint32_t image;
    bool original, hidden, blacklisted, near_duplicate, unreviewed, unsearched;
    struct sv name;
    uint32_t shown, selected;            /* under the class */
    uint32_t component;                  /* into components; NEAR_NONE: of none */
    const struct blacklist_entry *entry; /* why it is blacklisted; NULL: it is not */
};
struct class_relative { /* a member of a component */
    struct sv name;
    int64_t image, class_id; /* 0: the project has no such image */
    bool original, out;
};
struct class_component { /* images that show the same photo, at least one of them of the class */
    struct class_relative *members; /* by name */
    size_t n;
    uint32_t survivor; /* into members; NEAR_NONE: an original is among them */
    enum near_rule rule;
};
struct class_facts {
    struct class_fact *images; /* by image */
    size_t n;
    struct class_component *components;
    size_t n_components;
    uint32_t blacklisted, near_duplicates, unreviewed,
        hidden; /* candidates; an image may be all four */
    uint32_t candidates, originals;
};
/* One snapshot of the database; `t` was folded. All of it in the arena. */
enum err_code class_facts_make(struct db *db, struct tally *t, const struct class_facts_ask *ask,
                               struct arena *a, struct class_facts *out, struct err *err);
/* The fact of an image, NULL when it is none of the class's. */
const struct class_fact *class_facts_find(const struct class_facts *f, uint32_t image);

/* What each bin has of what a sample would take of it (matched, published values). */
struct class_bin {
    uint32_t originals, target; /* measured originals; how many of `size` images are wanted */
    uint32_t valid;             /* candidates that sampling may take */
    uint32_t unreviewed;        /* those that it may take once their neighbours are reviewed */
    uint32_t shown;             /* candidates with at least one answer */
};
struct class_bins {
    struct class_bin bin[HISTOGRAM_BINS];
    uint32_t measured; /* originals with enough answers */
    double mean;       /* of their frequencies; 0 without any */
    uint32_t valid;
    uint32_t excluded[SAMPLE_REASONS]; /* candidates by the first reason that applies */
};
void class_facts_bins(const struct class_facts *f, uint32_t size, struct class_bins *out);

#endif
