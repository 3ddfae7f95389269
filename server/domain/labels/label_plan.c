/* label_plan.c - books of images with labels that they could have. */
#include "domain/labels/label_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/le.h"
#include "base/sorted.h"
#include "base/xalloc.h"

const char *label_plan_kind_word(enum label_plan_kind k)
{
    return k == LABEL_PLAN_POTENTIAL ? "potential" : "candidates";
}

const char *label_origin_word(unsigned origin)
{
    static const char *const words[8] = {"proposed", "set",      "models",      "set+models",
                                         "file",     "set+file", "models+file", "set+models+file"};
    return words[origin & 7];
}

enum err_code label_plan_name_check(struct sv name, struct err *err)
{
    bool good = sv_is_word(name, "-_.") && name.n < LABEL_PLAN_NAME && name.p[0] != '.';
    return good ? OK
                : err_rule(err, ERR_INPUT, "label-plan-name",
                           "A plan's name must be 1 to %d letters, digits, \"-\", \"_\" or \".\", and cannot begin with \".\".",
                           LABEL_PLAN_NAME - 1);
}

struct planned_image *label_plan_image(struct label_plan_book *b, uint32_t image, uint32_t class_id)
{
    xgrow(&b->images, &b->cap, b->n + 1, sizeof *b->images);
    b->images[b->n] = (struct planned_image){image, class_id, (uint32_t)b->n_labels, 0, LABEL_PLAN_NO_STAGE};
    return &b->images[b->n++];
}

struct planned_label *label_plan_label(struct label_plan_book *b, uint32_t class_id)
{
    xgrow(&b->labels, &b->cap_labels, b->n_labels + 1, sizeof *b->labels);
    b->labels[b->n_labels] = (struct planned_label){.class_id = class_id, .rank = LABEL_PLAN_NO_RANK};
    b->images[b->n - 1].n++;
    return &b->labels[b->n_labels++];
}

void label_plan_release(struct label_plan_book *b)
{
    free(b->images);
    free(b->labels);
    *b = (struct label_plan_book){.n = 0};
}

size_t label_plan_find(const struct label_plan_book *b, uint32_t image)
{
    size_t at = sorted_u32(b->images, b->n, sizeof *b->images, offsetof(struct planned_image, image), image);
    return at < b->n && b->images[at].image == image ? at : b->n;
}

const struct planned_label *label_plan_has(const struct label_plan_book *b, size_t at, uint32_t class_id)
{
    const struct planned_image *i = &b->images[at];
    const struct planned_label *labels = b->labels + i->first;
    size_t k = sorted_u32(labels, i->n, sizeof *labels, offsetof(struct planned_label, class_id), class_id);
    return k < i->n && labels[k].class_id == class_id ? &labels[k] : NULL;
}

/* Numbers little-endian; a source as its length and its bytes. */
void label_plan_pack(const struct label_plan_book *b, struct str *out)
{
    unsigned char head[13], row[16];
    for (size_t i = 0; i < b->n; i++) {
        const struct planned_image *image = &b->images[i];
        le_put_u32(head, image->image);
        le_put_u32(head + 4, image->class_id);
        le_put_u32(head + 8, image->n);
        head[12] = image->stage;
        str_add(out, head, sizeof head);
        for (uint32_t k = 0; k < image->n; k++) {
            const struct planned_label *l = &b->labels[image->first + k];
            size_t said = l->source ? strlen(l->source) : 0;
            le_put_u32(row, l->class_id);
            le_put_u32(row + 4, l->selected);
            le_put_u32(row + 8, l->shown);
            row[12] = (unsigned char)(l->rank & 0xff);
            row[13] = (unsigned char)(l->rank >> 8);
            row[14] = l->origin;
            row[15] = (unsigned char)said;
            str_add(out, row, sizeof row);
            str_add(out, l->source, said);
        }
    }
}

void label_plan_stage(struct label_plan_book *b, const struct candidates_ask *ask)
{
    struct candidates_found found;
    candidates_find(ask, &found);
    b->images[b->n - 1].stage = (unsigned char)found.stage;
    for (size_t i = 0; i < ask->n; i++) {
        struct planned_label *l = label_plan_label(b, ask->counts[i].label);
        l->selected = ask->counts[i].selected;
        l->shown = ask->counts[i].shown;
    }
    for (size_t i = 0; i < found.n; i++) {
        b->labels[b->images[b->n - 1].first + found.list[i]].rank = (uint16_t)i;
    }
}
