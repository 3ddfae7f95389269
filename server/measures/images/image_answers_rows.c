/* image_answers_rows.c - the tables of the fields, with the names of images and classes. */
#include "measures/images/image_answers_rows.h"

#include "base/map.h"
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

struct names {
    struct class_info *list;
    size_t n;
    struct map_u64 by_id, by_cid;
};

static enum err_code read_names(struct db *db, struct arena *a, struct names *out, struct err *err)
{
    enum err_code rc = classes_list(db, a, &out->list, &out->n, err);
    map_u64_init(&out->by_id);
    map_u64_init(&out->by_cid);
    for (size_t i = 0; i < out->n && rc == OK; i++) {
        map_u64_put(&out->by_id, (uint64_t)out->list[i].id, (uint32_t)i);
        if (out->list[i].cid >= 0) {
            map_u64_put(&out->by_cid, (uint64_t)out->list[i].cid, (uint32_t)i);
        }
    }
    return rc;
}

static void release_names(struct names *s)
{
    map_u64_release(&s->by_id);
    map_u64_release(&s->by_cid);
}

static const struct class_info *named(const struct names *s, const struct map_u64 *by, uint64_t key)
{
    static const struct class_info nothing;
    uint32_t at = map_u64_get(by, key);
    return at == MAP_NONE ? &nothing : &s->list[at];
}

enum err_code image_answer_rows(struct db *db, const struct image_answer *const *list, size_t n, struct arena *a,
                                struct image_answer_row **out, struct err *err)
{
    struct names s = {.n = 0};
    int64_t *ids = arena_calloc(a, n + 1, sizeof *ids);
    struct image_row *images = arena_calloc(a, n + 1, sizeof *images);
    for (size_t i = 0; i < n; i++) {
        ids[i] = list[i]->image;
    }
    enum err_code rc = read_names(db, a, &s, err);
    rc = rc == OK ? images_names(db, ids, n, a, images, err) : rc;
    *out = arena_calloc(a, n + 1, sizeof **out);
    for (size_t i = 0; i < n && rc == OK; i++) {
        const struct image_answer *l = list[i];
        (*out)[i] = (struct image_answer_row){.id = l->image, .image = images[i].name, .wnid = named(&s, &s.by_id, l->class_id)->wnid,
                                              .most_said = named(&s, &s.by_cid, l->most_said)->wnid, .right = l->right,
                                              .models = l->predicted, .said_by = l->said_by, .named = l->named,
                                              .disagreement = l->disagreement, .has_file = images[i].source != 0};
    }
    release_names(&s);
    return rc;
}
