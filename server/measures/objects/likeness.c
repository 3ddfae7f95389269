/* likeness.c - matrices of superclasses by people, by objects and by each model, against each other. */
#include <math.h>

#include "measures/objects/object_answers.h"

#define OF(member) RECORD_OF(struct likeness_row, member)
RECORD(likeness_record, struct likeness_row, "matrix_likeness",
       "How alike a matrix of superclasses is to those of people and of objects, off the diagonal.",
       {"who", OF(who), .about = "Whose matrix: human (confusions by people's main labels), any (objects that come together), or the confusions of a model."},
       {"human", OF(r[LIKE_HUMAN]), .maybe = true, .about = "Pearson's correlation with people's confusions; null: the same matrix, or one is constant."},
       {"any", OF(r[LIKE_ANY]), .maybe = true, .about = "With superclasses that come together in images."},
       {"other", OF(r[LIKE_OTHER]), .maybe = true, .about = "The same without the object that has the set's label."},
       {"within", OF(within), .maybe = true, .about = "The share of images that are called another class of the right superclass; null: of co-occurrence."},
       {"cells", OF(cells), .about = "Cells that were compared."});
#undef OF

/* Of a confusion. */
static double within_share(const struct superclass_matrix *m)
{
    uint32_t within = 0, images = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        within += m->within[i];
        images += m->images[i];
    }
    return images ? (double)within / images : (double)NAN;
}

static struct likeness_row row_of(struct sv who, const struct superclass_matrix *m, const struct superclass_matrix *likes, int first)
{
    struct likeness_row row = {.who = who, .within = (double)NAN};
    for (int i = 0; i < LIKES; i++) {
        const struct correlation_row c = correlation_row(who, who, m, &likes[i]);
        row.r[i] = i < first ? (double)NAN : c.r;
        row.cells = c.cells;
    }
    return row;
}

/* The answers of a model about the counted images. */
static const uint32_t *answers_of(const struct object_answers *o, size_t model, struct arena *a)
{
    uint32_t *list = arena_calloc(a, o->counted.n + 1, sizeof *list);
    for (size_t i = 0; i < o->counted.n; i++) {
        list[i] = o->answers[model][o->at[i]];
    }
    return list;
}

static void compare(const struct object_answers *o, const struct object_answers_ask *ask, const struct class_groups *groups,
                    struct arena *large, struct likeness *out)
{
    const struct superclasses s = {groups->of_cid, groups->n};
    struct superclass_matrix likes[LIKES] = {
        [LIKE_HUMAN] = superclass_confusion(&s, &o->counted, NULL, large),
        [LIKE_ANY] = superclass_together(&s, &o->counted, false, large),
        [LIKE_OTHER] = superclass_together(&s, &o->counted, true, large),
    };
    out->images = (uint32_t)o->counted.n;
    out->left_out = likes[LIKE_HUMAN].left_out;
    out->sealed = o->sealed;
    out->rows[out->n++] = row_of(SV("human"), &likes[LIKE_HUMAN], likes, LIKE_ANY);
    out->rows[out->n - 1].within = within_share(&likes[LIKE_HUMAN]);
    out->rows[out->n++] = row_of(SV("any"), &likes[LIKE_ANY], likes, LIKE_OTHER);
    for (size_t m = 0; m < ask->n_models; m++) {
        const struct superclass_matrix said = superclass_confusion(&s, &o->counted, answers_of(o, m, large), large);
        out->rows[out->n++] = row_of(ask->models[m].name, &said, likes, LIKE_HUMAN);
        out->rows[out->n - 1].within = within_share(&said);
    }
}

enum err_code likeness_make(struct model_scores *s, struct db *db, const struct object_answers_ask *ask, const struct class_groups *groups,
                            struct arena *a, struct likeness *out, struct err *err)
{
    struct arena large;
    struct object_answers o;
    *out = (struct likeness){.rows = arena_calloc(a, ask->n_models + 3, sizeof *out->rows)};
    if (groups->n > SUPERCLASSES_MOST) {
        return err_rule(err, ERR_INPUT, "class-groups", "At most %d superclasses can be compared.", SUPERCLASSES_MOST);
    }
    arena_init(&large, OBJECT_ANSWERS_BYTES);
    enum err_code rc = object_answers_make(s, db, ask, &large, &o, err);
    if (rc == OK) {
        compare(&o, ask, groups, &large, out);
    }
    arena_release(&large);
    return rc;
}
