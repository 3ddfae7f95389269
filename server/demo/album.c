/* album.c - plans the images. Originals are easy and older; candidates are later, smaller, partly
 * hidden, some in strange colours, some wrong, some drawn, some taken from another image. */
#include "demo/album.h"

#include "base/hash.h"

const char *const album_set_words[SETS] = {"original", "candidate", "reference", "gold", "train"};

/* Out of 100 images of a set. */
static const struct {
    unsigned confused, other, drawing, twin, gray, easy;
    unsigned first_year, years;
} habits[SETS] = {
    [SET_ORIGINAL] = {3, 2, 2, 0, 3, 85, 2010, 3},
    [SET_CANDIDATE] = {12, 7, 8, 5, 4, 15, 2016, 4},
    [SET_REFERENCE] = {0, 0, 0, 0, 0, 100, 2009, 2},
    [SET_GOLD] = {0, 0, 0, 0, 0, 100, 2013, 1},
    [SET_TRAIN] = {0, 0, 0, 0, 3, 60, 2008, 4},
};

static const char *const authors[] = {
    "A. Adeyemi", "B. Castillo", "C. Dubois", "E. Fischer", "F. Haddad", "G. Ivanova", "H. Jansen",
    "I. Kowalski", "J. Lindqvist", "K. Mori", "L. Nguyen", "M. Okafor", "N. Patel", "O. Rossi",
    "P. Sato", "R. Torres",
};
static const char *const licences[] = {"CC BY 2.0", "CC BY-SA 2.0", "CC BY-NC 2.0", "CC0 1.0"};

/* What is searched for when a class has one word only: the word and what its group is. */
static const char *const group_nouns[] = {"dog", "cat", "car", "fruit", "bird", "cattle"};
enum { TERMS_MOST = 3, FIRST_TERM_ORIGINALS = 60, FIRST_TERM = 45 };

/* The search term that found an image: the first most often, and more often for originals than for
 * what was found later, so that matching keywords changes something. From the picture's own seed, so
 * that nothing else of the album depends on it. */
static const char *draw_keyword(const struct picture *p, struct arena *a)
{
    const struct world_class *k = &world_classes[p->wish.class_index];
    struct sv rest = sv_of(k->words), terms[TERMS_MOST];
    unsigned n = 0, first = p->set == SET_ORIGINAL ? FIRST_TERM_ORIGINALS : FIRST_TERM;
    struct rng r;
    while (n < TERMS_MOST && rest.n > 0) {
        terms[n++] = sv_cut(&rest, '|');
    }
    if (n == 1) {
        terms[n++] = sv_of(arena_printf(a, SV_FMT " %s", SV_ARG(terms[0]), group_nouns[k->group]));
    }
    rng_seed(&r, p->seed ^ hash_u64(TERMS_MOST));
    bool other = rng_below(&r, 100) >= first;
    return arena_cstr(a, terms[other ? 1 + rng_below(&r, n - 1) : 0]);
}

static enum scene_kind draw_kind(enum album_set set, struct rng *r)
{
    unsigned at = (unsigned)rng_below(r, 100);
    unsigned confused = habits[set].confused, other = confused + habits[set].other;
    unsigned drawing = other + habits[set].drawing;
    return at < confused ? SCENE_CONFUSED : at < other ? SCENE_OTHER : at < drawing ? SCENE_DRAWING : SCENE_RIGHT;
}

static void describe(struct picture *p, struct rng *r, struct arena *a)
{
    unsigned year = habits[p->set].first_year + (unsigned)rng_below(r, habits[p->set].years);
    unsigned month = 1 + (unsigned)rng_below(r, 12), day = 1 + (unsigned)rng_below(r, 28);
    unsigned hour = 7 + (unsigned)rng_below(r, 13), minute = (unsigned)rng_below(r, 60);
    p->taken_at = arena_printf(a, "%u-%02u-%02u %02u:%02u:%02u", year, month, day, hour, minute,
                               (unsigned)rng_below(r, 60));
    p->source_id = arena_printf(a, "%010llu", (unsigned long long)rng_below(r, 10000000000));
    p->author = authors[rng_below(r, sizeof authors / sizeof *authors)];
    p->licence = licences[rng_below(r, sizeof licences / sizeof *licences)];
}

static bool has_twin(const struct picture *of, const struct picture *first, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        any = any || first[i].of == of;
    }
    return any;
}

/* Taken from an image before it, of the same class: one that has no twin yet, nor is one. A copy that
 * was only saved again keeps the id of its source. */
static void make_twin(struct picture *p, const struct picture *first, size_t n, struct rng *r)
{
    const struct picture *of = &first[rng_below(r, n)];
    if (of->of || of->wish.kind != SCENE_RIGHT || has_twin(of, first, n)) {
        return;
    }
    p->of = of;
    p->change = (enum scene_change)rng_below(r, SCENE_CHANGES);
    p->wish = of->wish;
    p->seed = of->seed;
    p->source_id = p->change == SCENE_SAVED_AGAIN ? of->source_id : p->source_id;
}

static void plan_picture(struct picture *p, enum album_set set, unsigned class_index, bool small,
                         struct rng *r, struct arena *a)
{
    *p = (struct picture){.set = set, .seed = rng_u64(r)};
    p->wish = (struct scene_wish){.class_index = class_index, .small_world = small};
    p->wish.kind = draw_kind(set, r);
    p->wish.easy = rng_below(r, 100) < habits[set].easy;
    p->wish.gray = rng_below(r, 100) < habits[set].gray;
    p->wish.plain = set == SET_REFERENCE || set == SET_GOLD;
    describe(p, r, a);
}

/* Numbers within the class are drawn, so that a name does not say the set. */
static void name_class(struct picture *first, unsigned n, struct rng *r, struct arena *a)
{
    const struct world_class *k = &world_classes[first->wish.class_index];
    struct sv words = sv_of(k->words), word = sv_cut(&words, '|');
    char *plain = arena_cstr(a, word);
    uint32_t *numbers = arena_calloc(a, n, sizeof *numbers);
    for (char *c = plain; *c; c++) {
        *c = *c == ' ' ? '-' : *c;
    }
    for (unsigned i = 0; i < n; i++) {
        numbers[i] = i + 1;
    }
    rng_shuffle_u32(r, numbers, n);
    for (unsigned i = 0; i < n; i++) {
        struct picture *p = &first[i];
        p->name = arena_printf(a, "%s-%03u", plain, (unsigned)numbers[i]);
        p->path = arena_printf(a, "%s/%s/%s.jpg", album_set_words[p->set], k->wnid, p->name);
    }
}

static unsigned plan_class(struct picture *first, const struct world_size *size, unsigned class_index,
                           uint64_t seed, struct arena *a)
{
    const unsigned counts[SETS] = {size->original, size->candidate, size->reference, size->gold,
                                   size->train};
    struct rng r;
    unsigned n = 0;
    rng_seed(&r, seed ^ hash_u64(class_index + 1));
    for (unsigned set = 0; set < SETS; set++) {
        for (unsigned i = 0; i < counts[set]; i++, n++) {
            plan_picture(&first[n], (enum album_set)set, class_index, size->small, &r, a);
            if (rng_below(&r, 100) < habits[set].twin) {
                make_twin(&first[n], first, n, &r);
            }
            first[n].keyword = draw_keyword(&first[n], a);
        }
    }
    name_class(first, n, &r, a);
    return n;
}

struct album album_plan(const struct world_size *size, uint64_t seed, struct arena *a)
{
    size_t each = size->original + size->candidate + size->reference + size->gold + size->train;
    struct album al = {.pictures = arena_calloc(a, each * WORLD_CLASSES, sizeof *al.pictures)};
    for (unsigned k = 0; k < WORLD_CLASSES; k++) {
        if (!size->small || world_classes[k].small) {
            al.n += plan_class(al.pictures + al.n, size, k, seed, a);
        }
    }
    return al;
}
