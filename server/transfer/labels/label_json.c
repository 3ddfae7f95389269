/* label_json.c - labels as JSON lists and objects: ReaL, the shape of TensorFlow Datasets, and that of ImageNetV2's review server. */
#include "formats/json_items.h"
#include "transfer/labels/label_file.h"

static struct sv text_of(const json_t *v)
{
    return json_is_string(v) ? sv_make(json_string_value(v), json_string_length(v)) : SV("");
}

static uint16_t read_label(struct label_file *f, uint64_t line, const json_t *v)
{
    if (json_is_integer(v)) {
        return prediction_number(f->target, line, json_integer_value(v));
    }
    if (json_is_string(v)) {
        return prediction_label(f->target, line, text_of(v));
    }
    import_bad(f->im, line, "a label must be the number or the wnid of a class");
    return PREDICTION_NONE;
}

/* A list of labels that share a verdict; missing is empty. */
static void read_list(struct label_file *f, uint64_t line, uint32_t at, const json_t *list, const char *what,
                      enum label_verdict verdict)
{
    const json_t *v;
    size_t i;
    if (list && !json_is_array(list)) {
        import_bad(f->im, line, "%s must be a list of labels", what);
        return;
    }
    json_array_foreach(list, i, v)
    {
        uint16_t cid = read_label(f, line, v);
        struct label *l = cid == PREDICTION_NONE ? NULL : label_file_add(f, line, at, cid);
        if (l) {
            l->verdict = (unsigned char)verdict;
        }
    }
}

bool label_is_tfds(const json_t *o)
{
    return json_object_get(o, "file_name") && json_object_get(o, "correct_multi_labels");
}

void label_read_tfds(struct label_file *f, uint64_t line, const json_t *o)
{
    const json_t *problematic = json_object_get(o, "is_problematic"), *original = json_object_get(o, "original_label");
    uint32_t at;
    f->format = LABEL_TFDS;
    f->kind = f->kind_given ? f->kind : LABEL_KIND_REVIEW;
    if (!label_is_tfds(o)) {
        import_bad(f->im, line, "file_name or correct_multi_labels is missing");
        return;
    }
    if (!label_file_image(f, line, text_of(json_object_get(o, "file_name")), &at)) {
        return;
    }
    if (problematic && !json_is_boolean(problematic) && !json_is_integer(problematic)) {
        import_bad(f->im, line, "is_problematic must be true or false");
    }
    f->images[at].problematic = json_is_true(problematic) || json_integer_value(problematic) == 1;
    if (original) {
        read_label(f, line, original);
    }
    read_list(f, line, at, json_object_get(o, "correct_multi_labels"), "correct_multi_labels", VERDICT_CORRECT);
    read_list(f, line, at, json_object_get(o, "wrong_multi_labels"), "wrong_multi_labels", VERDICT_WRONG);
    read_list(f, line, at, json_object_get(o, "unclear_multi_labels"), "unclear_multi_labels", VERDICT_UNCLEAR);
}

/* A list of labels of the image of that name, or of the next image of the list. */
static void read_real(struct label_file *f, const struct json_items *j, struct sv key, const json_t *v)
{
    const struct prediction_target *t = f->target;
    uint32_t at;
    f->format = LABEL_REAL;
    if (!json_is_array(v)) {
        import_bad(f->im, j->line, "expected a list of labels");
        return;
    }
    if (!j->named && j->n > t->n) {
        return; /* the count is refused at the end */
    }
    if (j->named ? label_file_image(f, j->line, key, &at) : label_file_image_id(f, j->line, t->image[j->n - 1], &at)) {
        read_list(f, j->line, at, v, "an item", VERDICT_CORRECT);
    }
}

/* What was said of each label of the image of that name. */
static void read_annotations(struct label_file *f, uint64_t line, struct sv key, json_t *states)
{
    const char *label;
    json_t *state;
    uint32_t at;
    f->format = LABEL_ANNOTATIONS;
    f->kind = f->kind_given ? f->kind : LABEL_KIND_REVIEW;
    if (!label_file_image(f, line, key, &at)) {
        return;
    }
    json_object_foreach(states, label, state)
    {
        enum label_verdict verdict = VERDICT_CORRECT;
        const struct sv word = text_of(state);
        const bool open = sv_is(word, "unreviewed");
        uint16_t cid = prediction_label(f->target, line, sv_of(label));
        if (!open && !label_verdict_of(word, &verdict)) {
            import_bad(f->im, line, "what is said of a label must be correct, wrong, unclear, dontknow or unreviewed");
        } else if (!open && cid != PREDICTION_NONE) {
            struct label *l = label_file_add(f, line, at, cid);
            if (l) {
                l->verdict = (unsigned char)verdict;
            }
        }
    }
}

enum err_code label_read_items(struct label_file *f)
{
    struct err *err = f->im->tr->err;
    struct json_items j;
    struct arena a;
    struct sv key;
    json_t *v = NULL;
    bool tfds = false, rows = false;
    arena_init(&a, (size_t)1 << 30);
    enum err_code rc = json_items_open(&j, f->im->name, f->im->text, err);
    while (rc == OK && (rc = json_items_next(&j, &a, &key, &v, err)) == OK && v) {
        tfds = tfds || (!j.named && json_is_object(v));
        rows = !j.named && !tfds;
        rc = rows && j.n == 1 ? prediction_target_rows(f->target) : OK;
        if (rc == OK && tfds) {
            label_read_tfds(f, j.line, v);
        } else if (rc == OK && j.named && json_is_object(v)) {
            read_annotations(f, j.line, key, v);
        } else if (rc == OK) {
            read_real(f, &j, key, v);
        }
        f->read++;
        json_decref(v);
        v = NULL;
        arena_clear(&a);
    }
    if (rc == OK && rows && j.n != f->target->n) {
        rc = err_rule(err, ERR_INPUT, "labels-rows", "%s has %llu lists, but %s has %zu images. Nothing was written.",
                      f->im->name, (unsigned long long)j.n, f->target->rows_of, f->target->n);
    }
    json_decref(v);
    arena_release(&a);
    return rc;
}
