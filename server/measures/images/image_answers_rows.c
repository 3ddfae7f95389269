/* image_answers_rows.c - the tables of the fields, with the names of images and classes. */
#include "measures/images/image_answers_rows.h"

#include "measures/images/class_names.h"
#include "store/images/images.h"

#define OF(member) RECORD_OF(struct image_answer_row, member)
RECORD(image_answer_record, struct image_answer_row, "answers_about_image", "What models say of one image of a set.",
       {"id", OF(id), .about = "The image's number, as in /images/ID."},
       {"image", OF(image), .about = "Its name."},
       {"wnid", OF(wnid), .about = "Its label in the set."},
       {"right", OF(right), .about = "Models that are right about it."},
       {"models", OF(models), .about = "Models that have predicted it."},
       {"disagreement", OF(disagreement), .maybe = true, .about = "Entropy of their first answers, in bits: 0 when all say the same; null: no predictions."},
       {"classes_said", OF(named), .about = "How many classes their first answers name."},
       {"most_said", OF(most_said), .maybe = true, .about = "The class that most of them say first; null: none, or one that the project has not."},
       {"said_by", OF(said_by), .about = "How many say it."});
#undef OF

enum err_code image_answer_rows(struct db *db, const struct image_answer *const *list, size_t n, struct arena *a,
                                struct image_answer_row **out, struct err *err)
{
    struct class_names s;
    int64_t *ids = arena_calloc(a, n + 1, sizeof *ids);
    struct image_row *images = arena_calloc(a, n + 1, sizeof *images);
    for (size_t i = 0; i < n; i++) {
        ids[i] = list[i]->image;
    }
    enum err_code rc = class_names_read(db, a, &s, err);
    rc = rc == OK ? images_names(db, ids, n, a, images, err) : rc;
    *out = arena_calloc(a, n + 1, sizeof **out);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct image_answer *l = list[i];
        (*out)[i] = (struct image_answer_row){.id = l->image, .image = images[i].name, .wnid = class_names_by_id(&s, l->class_id)->wnid,
                                              .most_said = class_names_by_cid(&s, l->most_said)->wnid, .right = l->right,
                                              .models = l->predicted, .said_by = l->said_by, .named = l->named,
                                              .disagreement = l->disagreement, .has_file = images[i].source != 0};
    }
    class_names_release(&s);
    return rc;
}
