/* set_changes.c - the rows of the table, its record and how it is printed. */
#include "measures/votes/set_changes.h"

#include "domain/scores/score_table.h"

struct shares { /* of classes in a revision, by class id */
    struct class_score *list;
    size_t n;
    int64_t images;
};
struct changes {
    struct model_scores *scores;
    struct db *db;
    struct arena *a;
    struct model_row *models;
    size_t n_models;
    struct scored_set original;
    struct shares shares; /* of the originals */
};

/* ---- over models ---- */

void set_change_add(struct set_change *sum, double points)
{
    sum->mean += points;
    sum->least = sum->models == 0 || points < sum->least ? points : sum->least;
    sum->most = sum->models == 0 || points > sum->most ? points : sum->most;
    sum->models++;
}

struct set_change set_change_mean(struct set_change sum)
{
    sum.mean = sum.models ? sum.mean / (double)sum.models : 0;
    return sum;
}

static double percent(const struct model_score *s, int top)
{
    return score_percent(model_score_right(s, top), s->images);
}

static struct set_change change_of(const struct changes *t, const struct scored_set *fresh, int top)
{
    struct set_change sum = {0};
    for (size_t i = 0; i < t->n_models; i++) {
        int64_t model = t->models[i].id;
        if (!scored_set_lacks(&t->original, model, top, t->a) && !scored_set_lacks(fresh, model, top, t->a)) {
            set_change_add(&sum, percent(scored_set_find(fresh, model), top) - percent(scored_set_find(&t->original, model), top));
        }
    }
    return set_change_mean(sum);
}

/* ---- classes ---- */

/* The cache of scores knows them: one of its models is asked. */
static enum err_code count_classes(struct changes *t, const struct scored_set *set, struct shares *out, struct err *err)
{
    *out = (struct shares){.images = set->r.images};
    return set->n ? model_scores_classes(t->scores, t->db, &set->r, set->scores[0].model, t->a, &out->list, &out->n, err) : OK;
}

/* n_a / N_a = n_b / N_b in every class, in integers. */
static bool same_shares(const struct shares *a, const struct shares *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++) {
        const struct class_score *x = &a->list[i], *y = &b->list[i];
        same = x->class_id == y->class_id && x->images * b->images == y->images * a->images;
    }
    return same;
}

/* ---- rows ---- */

static enum err_code score(struct changes *t, const struct revision_row *r, struct scored_set *out, struct err *err)
{
    *out = (struct scored_set){.r = *r};
    return model_scores_of(t->scores, t->db, r, NULL, t->a, &out->scores, &out->n, err);
}

static enum err_code make_row(struct changes *t, const struct revision_row *r, struct set_changes_row *row, struct err *err)
{
    struct shares own;
    struct scored_set fresh;
    bool first = r->id == t->original.r.id;
    *row = (struct set_changes_row){.set = arena_printf(t->a, SV_FMT "/%lld", SV_ARG(r->set), (long long)r->number),
                                    .role = r->role,
                                    .strategy = r->strategy,
                                    .images = r->images};
    if (first) {
        return OK;
    }
    enum err_code rc = score(t, r, &fresh, err);
    if (rc == OK) {
        row->top1 = change_of(t, &fresh, 1);
        row->top5 = change_of(t, &fresh, 5);
        row->has1 = row->top1.models > 0;
        row->has5 = row->top5.models > 0;
        row->compared = row->has1 || row->has5;
        rc = row->compared ? count_classes(t, &fresh, &own, err) : OK;
        row->same_shares = row->compared && rc == OK && same_shares(&t->shares, &own);
    }
    return rc;
}

enum err_code set_changes_make(struct model_scores *s, struct db *db, const struct revision_row *list, size_t n,
                               struct arena *a, struct set_changes_row *rows, struct err *err)
{
    struct changes t = {.scores = s, .db = db, .a = a};
    enum err_code rc = models_list(db, false, a, &t.models, &t.n_models, err);
    rc = rc == OK ? score(&t, &list[0], &t.original, err) : rc;
    rc = rc == OK ? count_classes(&t, &t.original, &t.shares, err) : rc;
    for (size_t i = 0; i < n && rc == OK; i++) {
        rc = make_row(&t, &list[i], &rows[i], err);
    }
    return rc;
}

void set_changes_take(struct set_changes_row *row, const struct set_frequency *f, bool has_interval)
{
    row->frequency = *f;
    row->counted = f->measured > 0;
    row->bounded = row->counted && has_interval;
}

/* ---- as table ---- */

#define OF(member) RECORD_OF(struct set_changes_row, member)
#define IF(member) RECORD_IF(struct set_changes_row, member)
RECORD(set_changes_record, struct set_changes_row, "set_changes", "What a new set changes, beside its average selection frequency.",
       {"set", OF(set), .about = "The revision, SET/NUMBER; the originals first."},
       {"role", OF(role), .about = "original or new."},
       {"strategy", OF(strategy), .about = "How its images were chosen, or that it was imported."},
       {"images", OF(images), .about = "How many images it has."},
       {"same_shares", OF(same_shares), IF(compared), .about = "Whether it has the originals' classes in the same shares; if not, changes compare mixtures of classes; null: there is no change."},
       {"frequency", OF(frequency.mean), IF(counted), .about = "The average selection frequency of its images, now, under the view that it was sampled by; null: no votes."},
       {"frequency_lo", OF(frequency.ci.lo), IF(bounded), .about = "Lower bound of it, 95 %."},
       {"frequency_hi", OF(frequency.ci.hi), IF(bounded), .about = "Upper bound of it."},
       {"frequency_images", OF(frequency.measured), .about = "Images with votes."},
       {"top1_models", OF(top1.models), .about = "Models that have predicted all images of both sets."},
       {"top1_change", OF(top1.mean), IF(has1), .about = "The mean over them of new minus original accuracy, in points; null: no models, or the originals."},
       {"top1_least", OF(top1.least), IF(has1), .about = "Of the model that loses most."},
       {"top1_most", OF(top1.most), IF(has1), .about = "Of the model that loses least."},
       {"top5_models", OF(top5.models), .about = "Models whose predictions go so far."},
       {"top5_change", OF(top5.mean), IF(has5), .about = "The same at top-5."},
       {"top5_least", OF(top5.least), IF(has5), .about = "Of the model that loses most."},
       {"top5_most", OF(top5.most), IF(has5), .about = "Of the model that loses least."});

/* Recht et al., table 2, and over how many models. */
static RECORD(printed_record, struct set_changes_row, "printed_changes", "A set's line as it is printed.",
              {"Set", OF(set)},
              {"Sampling", OF(strategy)},
              {"Average selection frequency", OF(frequency.mean), IF(counted), .decimals = 2,
               RECORD_BOUNDS(struct set_changes_row, frequency.ci.lo, frequency.ci.hi), .ranged = offsetof(struct set_changes_row, bounded) + 1},
              {"Average top-1 change", OF(top1.mean), RECORD_ROUNDED, IF(has1), .plus = true},
              {"Average top-5 change", OF(top5.mean), RECORD_ROUNDED, IF(has5), .plus = true},
              {"Models", OF(top1.models), IF(has1)});
#undef OF
#undef IF

static void add_caption(const struct set_changes_row *rows, size_t n, enum record_table as, struct str *out)
{
    struct str text;
    size_t apart = 0;
    str_init(&text, out->max);
    str_printf(&text, "Average selection frequency, and the mean over models of new minus original accuracy in points, beside %s.", rows[0].set);
    for (size_t i = 1; i < n; i++) {
        if (rows[i].compared && !rows[i].same_shares) {
            str_printf(&text, "%s%s", apart++ ? ", " : " Other classes than the originals, or other shares of them, so that the change compares mixtures: ", rows[i].set);
        }
    }
    str_addz(&text, apart ? "." : "");
    record_table_caption(as, str_sv(&text), out);
    str_release(&text);
}

void set_changes_write(const struct set_changes_row *rows, size_t n, enum record_table as, struct str *out)
{
    record_table(as == RECORD_TABLE_CSV ? &set_changes_record : &printed_record, as, rows, n, out);
    if (as != RECORD_TABLE_CSV && n) {
        add_caption(rows, n, as, out);
    }
}
