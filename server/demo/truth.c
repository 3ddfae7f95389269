/* truth.c - reads truth.jsonl. */
#include "demo/truth.h"

#include <math.h>
#include <stdlib.h>

#include "base/fs.h"
#include "base/xalloc.h"
#include "demo/scene.h"
#include "formats/jsonl.h"

enum { TRUTH_MOST = 64 << 20 };

/* How plainly one thing is seen: its size in the picture counts most. */
static float plainness(json_t *object, bool gray)
{
    json_t *box = json_object_get(object, "box");
    double area = json_number_value(json_array_get(box, 2)) * json_number_value(json_array_get(box, 3));
    double visibility = json_number_value(json_object_get(object, "visibility"));
    double size = sqrt(area / (SCENE_WIDTH * SCENE_HEIGHT)) / 0.4;
    double plain = (size > 1 ? 1 : size) * (0.4 + 0.6 * visibility);
    plain *= json_is_true(json_object_get(object, "tinted")) ? 0.75 : 1;
    return visibility < 0.08 ? 0 : (float)(plain * (gray ? 0.85 : 1));
}

static enum err_code add_image(struct truth *t, json_t *o, const struct jsonl *j, struct err *err)
{
    json_t *name = json_object_get(o, "image"), *objects = json_object_get(o, "objects"), *object;
    struct truth_image im = {.drawing = json_is_true(json_object_get(o, "drawing"))};
    bool gray = json_is_true(json_object_get(o, "gray"));
    size_t i;
    if (!json_is_string(name) || !json_is_array(objects)) {
        return err_set(err, ERR_INPUT, "%s:%llu: a line must have \"image\" and \"objects\"", j->name,
                       (unsigned long long)j->line);
    }
    json_array_foreach(objects, i, object) {
        int k = world_find(sv_of(json_string_value(json_object_get(object, "class"))));
        float plain = plainness(object, gray);
        if (k >= 0 && plain > im.shown[k]) {
            im.shown[k] = plain;
        }
    }
    xgrow(&t->images, &t->cap, t->n + 1, sizeof *t->images);
    t->images[t->n] = im;
    map_sv_put(&t->names, sv_make(json_string_value(name), json_string_length(name)), (uint32_t)t->n);
    t->n++;
    return OK;
}

enum err_code truth_load(const char *path, struct truth *out, struct err *err)
{
    struct str text;
    struct jsonl j;
    json_t *o = NULL;
    *out = (struct truth){0};
    map_sv_init(&out->names);
    str_init(&text, TRUTH_MOST);
    enum err_code rc = fs_read(path, &text, err);
    jsonl_open(&j, path, str_sv(&text));
    while (rc == OK && (rc = jsonl_next(&j, &o, err)) == OK && o) {
        rc = add_image(out, o, &j, err);
        json_decref(o);
    }
    str_release(&text);
    return rc;
}

void truth_release(struct truth *t)
{
    map_sv_release(&t->names);
    free(t->images);
}

const struct truth_image *truth_of(const struct truth *t, struct sv name)
{
    uint32_t at = map_sv_get(&t->names, name);
    return at == MAP_NONE ? NULL : &t->images[at];
}
