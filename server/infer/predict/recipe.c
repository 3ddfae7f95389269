/* recipe.c - reads the JSON beside a model and writes it with all defaults filled in. Knows nothing
 * of the project's classes. */
#include "infer/predict/recipe.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/map.h"
#include "json/object.h"

enum { SIDE = 224, NUMBER = 40 };

static const char *const filter_words[] = {[FILTER_BILINEAR] = "bilinear",
                                           [FILTER_BICUBIC] = "bicubic",
                                           [FILTER_NEAREST] = "nearest",
                                           [FILTER_LANCZOS] = "lanczos"};

bool recipe_filter(struct sv word, enum preprocess_filter *out)
{
    for (int i = 0; i < 4; i++) {
        if (sv_is(word, filter_words[i])) {
            *out = (enum preprocess_filter)i;
            return true;
        }
    }
    return false;
}

/* What the members are read into, with the file they stand in. */
struct reading {
    const json_t *json;
    const char *path; /* of the recipe: label files lie beside it */
    int64_t side;
    struct arena *arena;
    struct recipe *out;
    struct err *err;
};

static enum err_code bad(struct reading *r, const char *member, const char *want)
{
    return err_rule(r->err, ERR_INPUT, "recipe", "%s: \"%s\" must be %s", r->path, member, want);
}

static enum err_code get_side(struct reading *r, const char *member, uint32_t *out)
{
    const json_t *v = json_object_get(r->json, member);
    json_int_t n = json_integer_value(v);
    if (!v) {
        return OK;
    }
    if (!json_is_integer(v) || n < 0 || n > PREPROCESS_SIDE) {
        return bad(r, member, "a whole number of pixels from 0 to 2048");
    }
    *out = (uint32_t)n;
    return OK;
}

static enum err_code get_bool(struct reading *r, const char *member, bool *out)
{
    const json_t *v = json_object_get(r->json, member);
    if (v && !json_is_boolean(v)) {
        return bad(r, member, "true or false");
    }
    *out = v ? json_is_true(v) : *out;
    return OK;
}

static bool usable(double v, bool positive)
{
    return isfinite(v) && fabs(v) <= 1e6 && (!positive || v >= 1e-6);
}

static enum err_code get_three(struct reading *r, const char *member, bool positive, float out[3])
{
    const json_t *v = json_object_get(r->json, member);
    if (!v) {
        return OK;
    }
    const char *want =
        positive ? "three numbers above 0: red, green, blue" : "three numbers: red, green, blue";
    if (!json_is_array(v) || json_array_size(v) != 3) {
        return bad(r, member, want);
    }
    for (size_t i = 0; i < 3; i++) {
        const json_t *one = json_array_get(v, i);
        if (!json_is_number(one) || !usable(json_number_value(one), positive)) {
            return bad(r, member, want);
        }
        out[i] = (float)json_number_value(one);
    }
    return OK;
}

static enum err_code get_scale(struct reading *r, float *out)
{
    const json_t *v = json_object_get(r->json, "scale");
    if (v && (!json_is_number(v) || !usable(json_number_value(v), true))) {
        return bad(r, "scale", "a number above 0: what a byte is divided by");
    }
    *out = v ? (float)json_number_value(v) : *out;
    return OK;
}

static enum err_code get_words(struct reading *r, struct preprocess *p)
{
    const json_t *filter = json_object_get(r->json, "filter"),
                 *order = json_object_get(r->json, "channels");
    if (filter &&
        (!json_is_string(filter) || !recipe_filter(sv_of(json_string_value(filter)), &p->filter))) {
        return bad(r, "filter", RECIPE_FILTERS);
    }
    const char *word = json_string_value(order);
    if (order && (!word || (strcmp(word, "rgb") != 0 && strcmp(word, "bgr") != 0))) {
        return bad(r, "channels", "rgb or bgr");
    }
    p->bgr = word && word[0] == 'b';
    return OK;
}

/* ---- labels ---- */

static enum err_code bad_label(struct reading *r, size_t line, struct sv label, const char *why)
{
    return err_rule(r->err, ERR_INPUT, "recipe", "%s: label %zu, \"%.40s\", %s", r->path, line,
                    label.n ? arena_cstr(r->arena, label) : "", why);
}

static enum err_code add_label(struct reading *r, const char **labels, struct map_sv *seen,
                               struct sv label)
{
    size_t n = r->out->n_labels;
    if (label.n == 0 || label.n > RECIPE_LABEL || !sv_utf8(label)) {
        return bad_label(r, n + 1, SV(""), "is not a class name of 1 to 64 bytes");
    }
    if (map_sv_put(seen, label, (uint32_t)n) != n) {
        return bad_label(r, n + 1, label, "appears twice");
    }
    labels[n] = arena_cstr(r->arena, label);
    r->out->n_labels++;
    return OK;
}

static enum err_code labels_of_list(struct reading *r, const json_t *list, struct map_sv *seen)
{
    size_t n = json_array_size(list);
    if (n == 0 || n > RECIPE_LABELS) {
        return bad(r, "labels", "1 to 65535 class names");
    }
    const char **labels = arena_alloc(r->arena, n * sizeof *labels);
    enum err_code rc = OK;
    for (size_t i = 0; i < n && rc == OK; i++) {
        const json_t *v = json_array_get(list, i);
        rc = json_is_string(v)
                 ? add_label(r, labels, seen, sv_make(json_string_value(v), json_string_length(v)))
                 : bad(r, "labels", "a list of strings");
    }
    r->out->labels = labels;
    return rc;
}

static enum err_code labels_of_text(struct reading *r, struct sv text, struct map_sv *seen)
{
    size_t most = 1;
    for (size_t i = 0; i < text.n; i++) {
        most += text.p[i] == '\n';
    }
    if (most > RECIPE_LABELS) {
        return bad(r, "labels", "a file of at most 65535 lines");
    }
    const char **labels = arena_alloc(r->arena, most * sizeof *labels);
    struct sv rest = sv_trim(text);
    enum err_code rc = OK;
    while (rest.p && rc == OK) {
        rc = add_label(r, labels, seen, sv_trim(sv_cut(&rest, '\n')));
    }
    r->out->labels = labels;
    return rc;
}

/* A file beside the recipe; its name may not leave that folder. */
static enum err_code labels_of_file(struct reading *r, const char *name, struct map_sv *seen)
{
    if (!*name || *name == '.' || strchr(name, '/')) {
        return bad(r, "labels", "a list of class names, or the name of a file in the same folder");
    }
    const char *slash = strrchr(r->path, '/');
    const char *folder =
        slash ? arena_cstr(r->arena, sv_make(r->path, (size_t)(slash - r->path) + 1)) : "";
    const char *path = arena_printf(r->arena, "%s%s", folder, name);
    struct str text;
    str_init(&text, RECIPE_FILE);
    enum err_code rc = fs_read(path, &text, r->err);
    rc = rc == OK ? labels_of_text(r, str_sv(&text), seen) : rc;
    str_release(&text);
    return rc;
}

static enum err_code get_labels(struct reading *r)
{
    const json_t *v = json_object_get(r->json, "labels");
    if (!v || json_is_null(v)) {
        return OK;
    }
    struct map_sv seen;
    map_sv_init(&seen);
    enum err_code rc = json_is_array(v) ? labels_of_list(r, v, &seen)
                       : json_is_string(v)
                           ? labels_of_file(r, json_string_value(v), &seen)
                           : bad(r, "labels", "a list of class names, or a file's name");
    map_sv_release(&seen);
    return rc;
}

/* ---- the whole ---- */

static enum err_code check_members(struct reading *r)
{
    static const char *const known[] = {"channels", "crop",    "exact", "features",
                                        "filter",   "labels",  "mean",  "resize",
                                        "scale",    "softmax", "std"};
    const char *key;
    const json_t *value;
    if (!json_is_object(r->json)) {
        return err_rule(r->err, ERR_INPUT, "recipe", "%s: a recipe is a JSON object", r->path);
    }
    json_object_foreach((json_t *)(uintptr_t)r->json, key, value)
    {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            found = found || strcmp(key, known[i]) == 0;
        }
        if (!found) {
            return err_rule(r->err, ERR_INPUT, "recipe", "%s: a recipe has no member \"%.40s\"",
                            r->path, key);
        }
    }
    return OK;
}

/* resize and crop, which stand for each other, and what the model's own side leaves of the choice.
 */
static enum err_code get_sizes(struct reading *r, struct preprocess *p)
{
    uint32_t side = (uint32_t)r->side, resize = UINT32_MAX;
    p->crop = side ? side : SIDE;
    enum err_code rc = get_side(r, "crop", &p->crop);
    rc = rc == OK ? get_side(r, "resize", &resize) : rc;
    rc = rc == OK ? get_bool(r, "exact", &p->exact) : rc;
    if (rc != OK) {
        return rc;
    }
    if (p->crop == 0) {
        if (side == 0) {
            return bad(r, "crop", "given: the model takes images of any size");
        }
        p->crop = side;
        p->exact = true;
        resize = resize == UINT32_MAX ? 0 : resize;
    }
    if (side && p->crop != side) {
        return err_rule(r->err, ERR_INPUT, "recipe",
                        "%s: \"crop\" is %u, but the model takes images of %u x %u", r->path,
                        p->crop, side, side);
    }
    p->resize = resize != UINT32_MAX ? resize : p->exact ? 0 : (uint32_t)lround(p->crop / 0.875);
    return p->exact && p->resize ? bad(r, "resize", "0 when images are taken exactly as they are")
                                 : OK;
}

static enum err_code get_features(struct reading *r)
{
    const json_t *v = json_object_get(r->json, "features");
    if (v && !json_is_null(v) && !json_string_length(v)) {
        return bad(r, "features", "the name of a value in the model");
    }
    r->out->features = json_is_string(v) ? arena_strdup(r->arena, json_string_value(v)) : NULL;
    return OK;
}

/* Floats as the shortest decimal that reads back as the same float. */
static json_t *number(float v)
{
    char text[NUMBER];
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)v);
        if (strtof(text, NULL) == v) {
            break;
        }
    }
    return json_real(strtod(text, NULL));
}

static json_t *three(const float v[3])
{
    return list(number(v[0]), number(v[1]), number(v[2]));
}

static const char *canonical(const struct recipe *r, struct arena *a)
{
    const struct preprocess *p = &r->preprocess;
    json_t *labels = r->labels ? json_array() : json_null();
    for (size_t i = 0; i < r->n_labels; i++) {
        json_array_append_new(labels, json_string(r->labels[i]));
    }
    json_t *all =
        object(field_int("resize", p->resize), field_int("crop", p->crop),
               field_bool("exact", p->exact), field_text("filter", filter_words[p->filter]),
               field_text("channels", p->bgr ? "bgr" : "rgb"), field_json("mean", three(p->mean)),
               field_json("std", three(p->std)), field_json("scale", number(p->scale)),
               field_json("labels", labels), field_text("features", r->features),
               field_bool("softmax", r->softmax));
    return json_compact(all, JSON_SORT_KEYS | JSON_REAL_PRECISION(9), a).p;
}

static enum err_code read_members(struct reading *r, bool softmax)
{
    struct recipe *out = r->out;
    *out = (struct recipe){.softmax = softmax,
                           .preprocess = {.scale = 255,
                                          .mean = {0.485F, 0.456F, 0.406F},
                                          .std = {0.229F, 0.224F, 0.225F}}};
    struct preprocess *p = &out->preprocess;
    enum err_code rc = check_members(r);
    rc = rc == OK ? get_sizes(r, p) : rc;
    rc = rc == OK ? get_words(r, p) : rc;
    rc = rc == OK ? get_three(r, "mean", false, p->mean) : rc;
    rc = rc == OK ? get_three(r, "std", true, p->std) : rc;
    rc = rc == OK ? get_scale(r, &p->scale) : rc;
    rc = rc == OK ? get_bool(r, "softmax", &out->softmax) : rc;
    rc = rc == OK ? get_features(r) : rc;
    rc = rc == OK ? get_labels(r) : rc;
    if (rc == OK) {
        out->canonical = canonical(out, r->arena);
    }
    return rc;
}

static enum err_code read_text(struct reading *r, struct sv text, bool softmax)
{
    json_error_t why;
    json_t *json = json_loadb(text.p, text.n, JSON_REJECT_DUPLICATES, &why);
    if (!json) {
        return err_rule(r->err, ERR_INPUT, "recipe", "%s:%d: not JSON: %s", r->path, why.line,
                        why.text);
    }
    r->json = json;
    enum err_code rc = read_members(r, softmax);
    json_decref(json);
    return rc;
}

enum err_code recipe_read(const char *path, int64_t side, bool ends_in_softmax, struct arena *a,
                          struct recipe *out, struct err *err)
{
    struct reading r = {.path = path, .side = side, .arena = a, .out = out, .err = err};
    if (side < 0 || side > PREPROCESS_SIDE) {
        return err_rule(err, ERR_INPUT, "recipe",
                        "the model takes images of %lld x %lld; at most %d are possible",
                        (long long)side, (long long)side, (int)PREPROCESS_SIDE);
    }
    struct str text;
    str_init(&text, RECIPE_FILE);
    enum err_code rc = OK;
    if (path && fs_exists(path)) {
        rc = fs_read(path, &text, err);
    } else {
        r.path = "the default recipe";
        str_addz(&text, "{}");
    }
    rc = rc == OK ? read_text(&r, str_sv(&text), !ends_in_softmax) : rc;
    str_release(&text);
    return rc;
}

enum err_code recipe_parse(const char *canonical_text, struct arena *a, struct recipe *out,
                           struct err *err)
{
    struct reading r = {.path = "the stored recipe", .arena = a, .out = out, .err = err};
    return read_text(&r, sv_of(canonical_text), true);
}

enum err_code recipe_side(const struct onnx_model *m, int64_t *side, bool *ends_in_softmax,
                          struct err *err)
{
    if (m->n_inputs != 1 || m->n_outputs == 0) {
        return err_rule(err, ERR_INPUT, "model-input",
                        "the model has %zu inputs and %zu outputs; it must have one input, an image, and an "
                        "output with a score for each class",
                        m->n_inputs, m->n_outputs);
    }
    const struct onnx_port *in = &m->inputs[0];
    int64_t channels = in->rank == 4 ? in->dims[1] : 0, height = in->rank == 4 ? in->dims[2] : 0;
    if (in->type != TYPE_F32 || in->rank != 4 || (channels != 3 && channels != -1) ||
        height != in->dims[3]) {
        return err_rule(err, ERR_INPUT, "model-input",
                        "the input \"" SV_FMT "\" is not float32 of N x 3 x side x side: this model does not "
                        "take one square colour image",
                        SV_ARG(in->name));
    }
    *side = height > 0 ? height : 0;
    *ends_in_softmax = false;
    for (size_t i = 0; i < m->n_nodes; i++) {
        const struct onnx_node *n = &m->nodes[i];
        if (n->n_outputs && sv_eq(n->outputs[0], m->outputs[0].name)) {
            *ends_in_softmax = sv_is(n->op, "Softmax");
        }
    }
    return OK;
}
