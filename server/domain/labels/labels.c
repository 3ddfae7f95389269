/* labels.c - words, rules and what follows from an image's labels. */
#include "domain/labels/labels.h"

#include <stdlib.h>

#include "base/xalloc.h"

static const struct {
    const char *word, *about;
    enum label_rule usual;
    unsigned rules; /* bits: 1 << rule */
} kinds[LABEL_KINDS] = {
    [LABEL_KIND_LABELS] = {"labels", "every label is right", LABEL_RULE_LABELS, 1u << LABEL_RULE_LABELS},
    [LABEL_KIND_MAIN] = {"main", "one label per image, the main object's", LABEL_RULE_MAIN, 1u << LABEL_RULE_MAIN},
    [LABEL_KIND_OBJECTS] = {"objects", "labels grouped into objects, one of them the main object", LABEL_RULE_OBJECTS,
                            1u << LABEL_RULE_MAIN | 1u << LABEL_RULE_OBJECTS | 1u << LABEL_RULE_ANY},
    [LABEL_KIND_REVIEW] = {"review", "a verdict for each label that was reviewed", LABEL_RULE_STRICT,
                           1u << LABEL_RULE_STRICT | 1u << LABEL_RULE_LENIENT},
};
static const char *const verdicts[VERDICTS] = {"correct", "unclear", "wrong", "dontknow"};
static const struct {
    const char *word, *about;
    unsigned char bits;
} rules[LABEL_RULES] = {
    [LABEL_RULE_LABELS] = {"labels", "one of the labels", SAID_CORRECT},
    [LABEL_RULE_MAIN] = {"main", "the main label", SAID_MAIN},
    [LABEL_RULE_OBJECTS] = {"objects", "the label of an object", SAID_NAMES},
    [LABEL_RULE_ANY] = {"any", "any label of an object", SAID_OBJECT},
    [LABEL_RULE_STRICT] = {"strict", "reviewed as correct", SAID_CORRECT},
    [LABEL_RULE_LENIENT] = {"lenient", "reviewed as correct or unclear", SAID_CORRECT | SAID_UNCLEAR},
};

const char *label_kind_word(enum label_kind k) { return kinds[k].word; }
const char *label_kind_about(enum label_kind k) { return kinds[k].about; }
const char *label_verdict_word(enum label_verdict v) { return verdicts[v]; }
const char *label_rule_word(enum label_rule r) { return rules[r].word; }
const char *label_rule_about(enum label_rule r) { return rules[r].about; }
unsigned char label_rule_bits(enum label_rule r) { return rules[r].bits; }
enum label_rule label_rule_usual(enum label_kind k) { return kinds[k].usual; }
bool label_rule_fits(enum label_kind k, enum label_rule r) { return kinds[k].rules >> r & 1; }

bool label_kind_of(struct sv word, enum label_kind *out)
{
    for (int i = 0; i < LABEL_KINDS; i++) {
        if (sv_is(word, kinds[i].word)) {
            *out = (enum label_kind)i;
            return true;
        }
    }
    return false;
}

bool label_verdict_of(struct sv word, enum label_verdict *out)
{
    for (int i = 0; i < VERDICTS; i++) {
        if (sv_is(word, verdicts[i])) {
            *out = (enum label_verdict)i;
            return true;
        }
    }
    return false;
}

bool label_rule_of(struct sv word, enum label_rule *out)
{
    for (int i = 0; i < LABEL_RULES; i++) {
        if (sv_is(word, rules[i].word)) {
            *out = (enum label_rule)i;
            return true;
        }
    }
    return false;
}

enum err_code label_name_check(struct sv name, struct err *err)
{
    bool good = sv_is_word(name, "-_.") && name.n < LABEL_NAME && name.p[0] != '.' && !sv_is(name, "set");
    return good ? OK
                : err_rule(err, ERR_INPUT, "label-name",
                           "The name of a label source must be 1 to %d letters, digits, \"-\", \"_\" or \".\"; it must "
                           "not begin with a dot, and \"set\" is reserved for a set's own labels.",
                           LABEL_NAME - 1);
}

/* ---- books ---- */

struct label_image *label_book_image(struct label_book *b, uint32_t image)
{
    xgrow(&b->images, &b->cap, b->n + 1, sizeof *b->images);
    b->images[b->n] = (struct label_image){.image = image, .first = (uint32_t)b->n_labels, .main_object = -1};
    return &b->images[b->n++];
}

struct label *label_book_label(struct label_book *b, uint32_t class_id, uint16_t cid)
{
    xgrow(&b->labels, &b->cap_labels, b->n_labels + 1, sizeof *b->labels);
    b->labels[b->n_labels] = (struct label){.class_id = class_id, .cid = cid, .object = -1, .votes = -1};
    b->images[b->n - 1].n++;
    return &b->labels[b->n_labels++];
}

void label_book_release(struct label_book *b)
{
    free(b->images);
    free(b->labels);
    *b = (struct label_book){.n = 0};
}

static void pack(struct str *out, int64_t v, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        str_addc(out, (char)((uint64_t)v >> (8 * i) & 0xff));
    }
}

void label_book_pack(const struct label_book *b, struct str *out)
{
    for (size_t i = 0; i < b->n; i++) {
        const struct label_image *image = &b->images[i];
        pack(out, image->image, 4);
        pack(out, image->problematic | image->partial << 1 | image->inferred << 2, 1);
        pack(out, image->main_object, 2);
        pack(out, image->n, 2);
        for (uint32_t k = 0; k < image->n; k++) {
            const struct label *l = &b->labels[image->first + k];
            pack(out, l->class_id, 4);
            pack(out, l->verdict | l->main << 4, 1);
            pack(out, l->object, 2);
            pack(out, l->votes, 4);
        }
    }
}

/* ---- what follows ---- */

/* Whether another label of the same object stands before this one. */
static bool outdone(const struct label *labels, uint32_t n, uint32_t i)
{
    for (uint32_t k = 0; k < n; k++) {
        bool more = labels[k].votes > labels[i].votes || (labels[k].votes == labels[i].votes && labels[k].cid < labels[i].cid);
        if (k != i && labels[k].object == labels[i].object && more) {
            return true;
        }
    }
    return false;
}

void labels_said(const struct label *labels, uint32_t n, unsigned char *said)
{
    static const unsigned char of_verdict[VERDICTS] = {SAID_CORRECT, SAID_UNCLEAR, SAID_WRONG, SAID_DONTKNOW};
    for (uint32_t i = 0; i < n; i++) {
        bool object = labels[i].object >= 0;
        said[i] = of_verdict[labels[i].verdict];
        said[i] |= labels[i].main ? SAID_MAIN : 0;
        said[i] |= object ? SAID_OBJECT : 0;
        said[i] |= object && !outdone(labels, n, i) ? SAID_NAMES : 0;
    }
}

struct label_objects labels_objects(const struct label_image *image, const struct label *labels, uint16_t cid)
{
    struct label_objects o = {0, image->main_object, -1};
    for (uint32_t i = 0; i < image->n; i++) {
        const struct label *l = &labels[image->first + i];
        o.objects = l->object >= o.objects ? l->object + 1 : o.objects;
        o.of_label = l->cid == cid ? l->object : o.of_label;
        o.main_object = o.main_object < 0 && l->main ? l->object : o.main_object;
    }
    return o;
}

uint32_t label_image_right(enum label_kind k, const struct label_image *image, const struct label *labels)
{
    uint32_t correct = 0;
    for (uint32_t i = 0; i < image->n; i++) {
        correct += labels[image->first + i].verdict == VERDICT_CORRECT;
    }
    return k == LABEL_KIND_OBJECTS ? (uint32_t)labels_objects(image, labels, 0).objects : k == LABEL_KIND_REVIEW ? correct : image->n;
}

bool label_image_counts(enum label_kind k, const struct label_image *image)
{
    return !image->problematic && !image->partial && (k == LABEL_KIND_REVIEW || image->n > 0);
}
