/* by_class_rows.c - the tables of the fields. */
#include "measures/images/by_class_rows.h"

#include <math.h>

#define OF(member) RECORD_OF(struct by_class_row, member)
#define SHARE(name, member, text) {name, OF(member), .maybe = true, .about = text}
#define SIDE(prefix, member, set)                                                                                      \
    {prefix "_images", OF(member.images), .about = "Images of the class on " set "."},                                 \
        {prefix "_n", OF(member.n), .about = "Of these, images that all the models have predicted."},                  \
        SHARE(prefix "_accuracy", member.share.value, "Accuracy on " set ", from 0 to 1, the mean over the models; null: no such images."), \
        SHARE(prefix "_lo", member.share.lo, "Lower bound of its 95 % interval over images."),                         \
        SHARE(prefix "_hi", member.share.hi, "Upper bound."),                                                          \
        SHARE(prefix "_shrunk", member.shrunk.value, "The same pulled towards what all classes have in common (beta-binomial)."), \
        SHARE(prefix "_shrunk_lo", member.shrunk.lo, "Its 2.5 % quantile."),                                           \
        SHARE(prefix "_shrunk_hi", member.shrunk.hi, "Its 97.5 % quantile.")
RECORD(by_class_row_record, struct by_class_row, "accuracy_of_class", "How models do on the images of one class.",
       {"wnid", OF(wnid), .about = "The class."},
       {"synset", OF(synset), .about = "What it is called, several words with | between them."},
       SIDE("original", original, "the originals"),
       SIDE("new", fresh, "the new set, or the only one"),
       SHARE("gap", gap, "Original minus new, in percentage points; null: a side has no images of it."),
       SHARE("gap_shrunk", shrunk_gap.value, "The gap pulled towards the mean gap."),
       SHARE("gap_shrunk_lo", shrunk_gap.lo, "Lower bound of its 95 % interval."),
       SHARE("gap_shrunk_hi", shrunk_gap.hi, "Upper bound."),
       SHARE("p", p, "Of the test that the gap is 0; null: no test."),
       SHARE("q", q, "The least share of false discoveries at which this class is one (Benjamini-Hochberg)."),
       {"stands_out", OF(stands_out), RECORD_IF(struct by_class_row, tested), .no = "no", .about = "Whether q is at most the share that was asked for."});
#undef SIDE
#undef SHARE
#undef OF

#define OF(member) RECORD_OF(struct by_class_side_row, member)
static RECORD(by_class_side_record, struct by_class_side_row, "classes_of_set", "What the classes of a set have in common.",
              {"set", OF(set), .about = "The revision, SET/NUMBER."},
              {"sealed", OF(sealed), .about = "Its images that a sealed revision has, which are in no class."},
              {"images_worth", OF(images_worth), .about = "How many images of one model an image is worth: 1 of one model."},
              {"mean", OF(mean), .maybe = true, .about = "Mean of the classes' true accuracies, from 0 to 1; null: no images."},
              {"strength", OF(strength), .maybe = true,
               .about = "How many images the other classes are worth to each (a + b of the beta distribution); null: classes differ no more than chance does."});
#undef OF

#define OF(member) RECORD_OF(struct by_class_list, member)
#define PART(member, has) RECORD_PART(struct by_class_list, member), .of = &by_class_side_record, RECORD_IF(struct by_class_list, has)
RECORD(by_class_list_record, struct by_class_list, "accuracy_by_class", "How models do class by class, and which classes stand out.",
       {"original", PART(original, has_original), .about = "The originals; null: one set alone."},
       {"new", PART(fresh, has_fresh), .about = "The new set, or the only one; null: originals alone."},
       {"test", OF(test), .about = "fisher (exact, of one model) or normal (of several)."},
       {"tested", OF(tested), .about = "Classes with images in both sets."},
       {"chance", OF(level), .about = "The share of false discoveries among the classes that stand out."},
       {"discovered", OF(discovered), .about = "Classes that stand out: q is at most that."},
       {"mean_gap", OF(mean_gap), .maybe = true, .about = "Mean of the classes' true gaps, in points; null: no pair."},
       {"gap_deviation", OF(gap_deviation), .maybe = true, .about = "Their standard deviation, in points, without what is chance."},
       {"classes", RECORD_ROWS(struct by_class_list, rows, n_rows), .of = &by_class_row_record, .about = "Each class."});
#undef PART
#undef OF

static struct class_side_row side_row(const struct class_on *on)
{
    struct class_side_row row = {on->images, on->n, on->share, on->shrunk};
    if (on->n == 0) {
        row.share = row.shrunk = (struct proportion){(double)NAN, (double)NAN, (double)NAN};
    }
    return row;
}

static struct by_class_row row_of(const struct class_line *l)
{
    const struct proportion *g = &l->shrunk_gap;
    return (struct by_class_row){.wnid = l->info->wnid,
                                 .synset = l->info->synset,
                                 .original = side_row(&l->on[0]),
                                 .fresh = side_row(&l->on[1]),
                                 .gap = 100 * l->gap,
                                 .shrunk_gap = {100 * g->value, 100 * g->lo, 100 * g->hi},
                                 .p = l->p,
                                 .q = l->q,
                                 .tested = !isnan(l->p),
                                 .stands_out = l->stands_out};
}

static struct by_class_side_row about_side(const struct class_side *s, struct sv title)
{
    double strength = isinf(s->spread.strength) ? (double)NAN : s->spread.strength;
    return (struct by_class_side_row){title, s->sealed, s->images_worth, s->spread.mean, strength};
}

struct by_class_list by_class_rows(const struct by_class *b, const struct sv titles[BY_CLASS_SETS], struct arena *a)
{
    struct by_class_list out = {.original = about_side(&b->sides[0], titles[0]),
                                .fresh = about_side(&b->sides[1], titles[1]),
                                .has_original = titles[0].n > 0,
                                .has_fresh = titles[1].n > 0,
                                .test = b->exact ? SV("fisher") : SV("normal"),
                                .tested = b->tested,
                                .discovered = b->discovered,
                                .level = b->level,
                                .mean_gap = 100 * b->gaps.mean,
                                .gap_deviation = b->gaps.n ? 100 * sqrt(b->gaps.variance) : (double)NAN,
                                .rows = arena_calloc(a, b->n + 1, sizeof *out.rows)};
    for (size_t i = 0; i < b->n; i++) {
        out.rows[out.n_rows++] = row_of(&b->lines[i]);
    }
    return out;
}
