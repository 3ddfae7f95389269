/* label_errors_rows.c - the table of the fields, with the names of images and classes. */
#include "measures/images/label_errors_rows.h"

#include "measures/images/class_names.h"
#include "store/images/images.h"

#define OF(member) RECORD_OF(struct label_error_row, member)
RECORD(label_error_record, struct label_error_row, "label_error", "An image of a set, and how probably its label is wrong by what models say.",
       {"rank", OF(rank), .about = "Its place, from 1: the most doubtful label first."},
       {"id", OF(id), .about = "The image's number, as in /images/ID."}, {"image", OF(image), .about = "Its name."},
       {"wnid", OF(wnid), .about = "Its label in the set."},
       {"confidence", OF(confidence), .maybe = true, .about = "Mean probability that models give the label, 0 to 1, with 0 where they do not name it; null: no model has probabilities."},
       {"models_say", OF(say), .about = "Models that say the label first."}, {"models", OF(models), .about = "Models that are asked."},
       {"other", OF(other), .maybe = true, .about = "The strongest other label; null: none, or one that the project has not."},
       {"other_confidence", OF(other_confidence), .maybe = true, .about = "Mean probability that models give that one."},
       {"other_models", OF(other_say), .about = "Models that say it first."},
       {"likely", OF(likely), .about = "The label is likely wrong: another class is at least as probable as it usually is for images that have it as label, and "
                                       "more than the label; without probabilities: more than half of the models say one other label."});
#undef OF

enum err_code label_error_rows(struct db *db, const struct label_errors *l, size_t skip, size_t n, struct arena *a,
                               struct label_error_row **out, struct err *err)
{
    struct class_names s;
    int64_t *ids = arena_calloc(a, n + 1, sizeof *ids);
    struct image_row *images = arena_calloc(a, n + 1, sizeof *images);
    for (size_t i = 0; i < n; i++) {
        ids[i] = l->list[skip + i].image;
    }
    enum err_code rc = class_names_read(db, a, &s, err);
    rc = rc == OK ? images_names(db, ids, n, a, images, err) : rc;
    *out = arena_calloc(a, n + 1, sizeof **out);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct label_error *e = &l->list[skip + i];
        (*out)[i] = (struct label_error_row){.rank = (int64_t)(skip + i + 1), .id = e->image, .image = images[i].name,
                                             .wnid = class_names_by_id(&s, e->class_id)->wnid,
                                             .other = class_names_by_cid(&s, e->other)->wnid, .models = l->models, .say = e->say,
                                             .other_say = e->other_say, .confidence = e->confidence,
                                             .other_confidence = e->other_confidence, .likely = e->likely,
                                             .has_file = images[i].source != 0};
    }
    class_names_release(&s);
    return rc;
}
