/* labels_json.c - objects by jansson, whose texts are escaped; lists of numbers as Python's json writes them. */
#include "transfer/exports/labels_json.h"

#include <jansson.h>
#include <stdlib.h>

static void add_json(json_t *o, const char *end, struct str *out)
{
    char *text = json_dumps(o, JSON_COMPACT | JSON_ENCODE_ANY);
    str_addz(out, text ? text : "null");
    str_addz(out, end);
    free(text);
    json_decref(o);
}

static void set_number(json_t *o, const char *name, int64_t n) /* below 0: not known */
{
    if (n >= 0) {
        json_object_set_new(o, name, json_integer(n));
    }
}

/* Members that are as usual are left out. */
static void set_flag(json_t *o, const char *name, bool is)
{
    if (is) {
        json_object_set_new(o, name, json_integer(1));
    }
}

static void add_line(const struct labels_json_image *i, const struct label *l, struct str *out)
{
    json_t *o = json_object();
    json_object_set_new(o, "image", json_stringn(i->name.p, i->name.n));
    if (!l) {
        json_object_set_new(o, "label", json_null());
    } else if (i->wnids) {
        const struct sv *wnid = &i->wnids[l - i->labels];
        json_object_set_new(o, "label", json_stringn(wnid->p, wnid->n));
    } else {
        json_object_set_new(o, "label", json_integer(l->cid));
    }
    if (i->kind == LABEL_KIND_REVIEW) {
        json_object_set_new(o, "verdict", l ? json_string(label_verdict_word((enum label_verdict)l->verdict)) : json_null());
    }
    if (i->kind == LABEL_KIND_OBJECTS) {
        json_object_set_new(o, "object", l && l->object >= 0 ? json_integer(l->object) : json_null());
        set_number(o, "main_object", i->image->main_object);
    }
    if (i->kind == LABEL_KIND_OBJECTS || i->kind == LABEL_KIND_MAIN) {
        json_object_set_new(o, "main", json_integer(l && l->main));
    }
    set_number(o, "votes", l ? l->votes : -1);
    set_flag(o, "problematic", i->image->problematic);
    set_flag(o, "partial", i->image->partial);
    set_flag(o, "inferred", i->image->inferred);
    add_json(o, "\n", out);
}

void labels_json_lines(const struct labels_json_image *i, struct str *out)
{
    for (uint32_t k = 0; k < i->image->n; k++) {
        add_line(i, &i->labels[k], out);
    }
    if (i->image->n == 0) {
        add_line(i, NULL, out);
    }
}

void labels_json_real(const struct labels_json_image *i, struct str *out)
{
    uint32_t n = 0;
    str_addc(out, '[');
    for (uint32_t k = 0; i->image && k < i->image->n; k++) {
        bool right = i->kind != LABEL_KIND_REVIEW || (i->labels[k].verdict == VERDICT_CORRECT && !i->image->problematic);
        if (right) {
            str_printf(out, "%s%d", n++ ? ", " : "", i->labels[k].cid);
        }
    }
    str_addc(out, ']');
}

void labels_json_annotations(const struct labels_json_image *i, struct str *out)
{
    json_t *o = json_object();
    for (uint32_t k = 0; k < i->image->n; k++) {
        const struct sv *wnid = &i->wnids[k];
        json_object_setn_new(o, wnid->p, wnid->n, json_string(label_verdict_word((enum label_verdict)i->labels[k].verdict)));
    }
    add_json(o, "", out);
}

void labels_json_key(const struct labels_json_image *i, struct str *out)
{
    add_json(json_stringn(i->name.p, i->name.n), ": ", out);
}

static json_t *with_verdict(const struct labels_json_image *i, enum label_verdict v)
{
    json_t *list = json_array();
    for (uint32_t k = 0; k < i->image->n; k++) {
        if (i->labels[k].verdict == v) {
            json_array_append_new(list, json_integer(i->labels[k].cid));
        }
    }
    return list;
}

void labels_json_tfds(const struct labels_json_image *i, struct str *out)
{
    json_t *o = json_object();
    json_object_set_new(o, "file_name", json_stringn(i->name.p, i->name.n));
    set_number(o, "original_label", i->original);
    json_object_set_new(o, "correct_multi_labels", with_verdict(i, VERDICT_CORRECT));
    json_object_set_new(o, "wrong_multi_labels", with_verdict(i, VERDICT_WRONG));
    json_object_set_new(o, "unclear_multi_labels", with_verdict(i, VERDICT_UNCLEAR));
    json_object_set_new(o, "is_problematic", json_boolean(i->image->problematic));
    add_json(o, "\n", out);
}
