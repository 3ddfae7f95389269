/* plan_rows.c - plans as records. */
#include "sets/labels/plan_rows.h"

#include <math.h>

#include "crypto/crypto.h"
#include "store/classes/classes.h"
#include "store/images/images.h"

#define OF(member) RECORD_OF(struct label_plan_line, member)
RECORD(label_plan_record, struct label_plan_line, "label_plan", "A plan of labels that images could have, in one version.",
       {"kind", OF(kind), .about = "potential or candidates."}, {"name", OF(name), .about = "Its name."},
       {"version", OF(version), .about = "Its number, from 1."}, {"newest", OF(newest), .about = "Number of the newest of that name."},
       {"at", OF(at), RECORD_MOMENT, .about = "When it was made."},
       {"by", OF(by), .maybe = true, .about = "Login of who made it; null: the command line."},
       {"set", OF(set), .maybe = true, .about = "Whose images, SET/NUMBER; null: candidates of no set."},
       {"images", OF(images), .about = "How many images it has."}, {"labels", OF(labels), .about = "How many labels they have together."},
       {"sealed", OF(sealed), .about = "Whether an image was in a sealed set: then who named a label is not kept."},
       {"models", OF(models), RECORD_TEXTS, .maybe = true, .about = "Of potential labels: names of the models whose answers are among them."},
       {"top", OF(top), .maybe = true, .about = "So many answers of each model."},
       {"file", OF(file), .maybe = true, .about = "Name of the file whose labels are among them, too."},
       {"potential", OF(potential), .maybe = true, .about = "Of candidates: the plan of potential labels that they are from, NAME/VERSION."},
       {"view", OF(view), .maybe = true, .about = "The vote view whose answers were counted."},
       {"as_of", OF(as_of), .maybe = true, .about = "The last event that was counted."},
       {"tau", OF(tau), .maybe = true, .about = "A candidate was found at least so many times as often as the set's label."},
       {"least", OF(least), .maybe = true, .about = "Labels that fewer people were asked about do not count."},
       {"most", OF(most), .maybe = true, .about = "Candidates of an image, at most."},
       {"digest", OF(digest), .about = "SHA-256 of all that it says."});
#undef OF

struct label_plan_line label_plan_line(const struct label_plan_row *p, bool json, struct arena *a)
{
    char digest[2 * LABEL_PLAN_DIGEST + 1];
    crypto_hex(p->digest, LABEL_PLAN_DIGEST, digest);
    return (struct label_plan_line){.kind = p->kind_word,
                                    .name = p->name,
                                    .set = p->set,
                                    .by = p->login,
                                    .file = p->file,
                                    .potential = p->potential_name,
                                    .view = p->view,
                                    .models = json && p->models.n ? json_loadb(p->models.p, p->models.n, 0, NULL) : NULL,
                                    .version = p->version,
                                    .newest = p->newest,
                                    .images = p->images,
                                    .labels = p->labels,
                                    .at = p->at,
                                    .top = p->top,
                                    .as_of = p->as_of,
                                    .least = p->least,
                                    .most = p->most,
                                    .sealed = p->sealed,
                                    .tau = p->tau ? (double)p->tau / CANDIDATE_SHARE : (double)NAN,
                                    .digest = arena_strdup(a, digest)};
}

#define OF(member) RECORD_OF(struct potential_line, member)
RECORD(potential_line_record, struct potential_line, "potential_label", "A label that an image could have.",
       {"image", OF(image), .about = "The image."}, {"wnid", OF(wnid), .about = "The label's class."},
       {"source", OF(source), .about = "Who named it: set, models, file and their sums, or what the file said; proposed: models or a "
                                       "file, of an image that was sealed."});
#undef OF

const char *potential_source(const struct planned_label *l)
{
    return l->source ? l->source : label_origin_word(l->origin);
}

enum err_code plan_names_read(struct db *db, const struct label_plan_book *b, struct arena *a, struct plan_names *out,
                              struct err *err)
{
    struct class_info *classes;
    size_t n = 0;
    *out = (struct plan_names){.image = arena_calloc(a, b->n + 1, sizeof *out->image)};
    enum err_code rc = classes_list(db, a, &classes, &n, err);
    for (size_t i = 0; i < n && rc == OK; i++) {
        out->n_wnid = (size_t)classes[i].id >= out->n_wnid ? (size_t)classes[i].id + 1 : out->n_wnid;
    }
    out->wnid = arena_calloc(a, out->n_wnid + 1, sizeof *out->wnid);
    for (size_t i = 0; i < n && rc == OK; i++) {
        out->wnid[classes[i].id] = classes[i].wnid;
    }
    struct arena scratch; /* a row says much more than its name */
    arena_init(&scratch, 1 << 20);
    for (size_t i = 0; i < b->n && rc == OK; i++) {
        struct image_row row;
        const int64_t id = b->images[i].image;
        rc = images_names(db, &id, 1, &scratch, &row, err);
        out->image[i] = arena_sv(a, row.name);
        arena_clear(&scratch);
    }
    arena_release(&scratch);
    return rc;
}

void plan_asked_of(const struct label_plan_row *p, const struct label_plan_book *b, size_t at, struct contains_count *counts,
                struct candidates_ask *ask, struct candidates_found *found)
{
    const struct planned_image *image = &b->images[at];
    const struct planned_label *labels = b->labels + image->first;
    for (uint32_t i = 0; i < image->n; i++) {
        counts[i] = (struct contains_count){labels[i].class_id, labels[i].selected, labels[i].shown};
    }
    *ask = (struct candidates_ask){image->class_id, counts, image->n, (uint32_t)p->tau, (uint32_t)p->least, (uint32_t)p->most};
    candidates_find(ask, found); /* of the stored counts: only how many are left out is not stored */
    found->stage = (enum candidate_stage)image->stage;
    found->n = 0;
    for (uint32_t i = 0; i < image->n; i++) {
        if (labels[i].rank != LABEL_PLAN_NO_RANK) {
            found->list[labels[i].rank] = i;
            found->n++;
        }
    }
}
