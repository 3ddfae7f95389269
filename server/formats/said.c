/* said.c - one line of what a model said. jansson has checked that texts are UTF-8 and names come once. */
#include "formats/said.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct sv text_of(const json_t *v)
{
    return sv_make(json_string_value(v), json_string_length(v));
}

/* A member that is a text of at most `most` bytes; one that is missing or null leaves *out empty and *has false. */
static enum err_code read_text(const json_t *o, const char *name, size_t most, struct arena *a, struct sv *out, bool *has, struct err *err)
{
    const json_t *v = json_object_get(o, name);
    *has = v && !json_is_null(v);
    if (!*has) {
        return OK;
    }
    if (!json_is_string(v)) {
        return err_set(err, ERR_INPUT, "\"%s\" must be a text", name);
    }
    if (json_string_length(v) > most || !sv_utf8(text_of(v))) {
        return err_set(err, ERR_INPUT, "\"%s\" must be UTF-8 text of at most %zu bytes without NUL; it has %zu", name, most, json_string_length(v));
    }
    *out = arena_sv(a, text_of(v));
    return OK;
}

static enum err_code keep_recipe(const json_t *object, struct arena *a, struct sv *out, struct err *err)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    bool fits = text && strlen(text) <= SAID_RECIPE;
    *out = fits ? arena_sv(a, sv_of(text)) : SV("");
    free(text);
    return fits ? OK : err_set(err, ERR_INPUT, "the recipe must be at most %d bytes", SAID_RECIPE);
}

static enum err_code keep_note(struct sv note, struct arena *a, struct sv *out, struct err *err)
{
    json_t *o = json_object();
    json_t *value = json_stringn(note.p, note.n);
    enum err_code rc = value ? OK : err_set(err, ERR_INPUT, "the recipe must be UTF-8 text");
    if (rc == OK) {
        json_object_set_new(o, "note", value);
        rc = keep_recipe(o, a, out, err);
    }
    json_decref(o);
    return rc;
}

enum err_code said_recipe(struct sv text, struct arena *a, struct sv *out, struct err *err)
{
    json_error_t why;
    *out = SV("");
    text = sv_trim(text);
    if (text.n > SAID_RECIPE || !sv_utf8(text)) {
        return err_set(err, ERR_INPUT, "the recipe must be UTF-8 text of at most %d bytes", SAID_RECIPE);
    }
    if (text.n == 0 || text.p[0] != '{') {
        return text.n ? keep_note(text, a, out, err) : OK;
    }
    json_t *o = json_loadb(text.p, text.n, JSON_REJECT_DUPLICATES, &why);
    enum err_code rc = json_is_object(o) ? keep_recipe(o, a, out, err)
                                         : err_set(err, ERR_INPUT, "the recipe begins like a JSON object but is none: %s", why.text);
    json_decref(o);
    return rc;
}

enum err_code said_recipe_of(const json_t *v, struct arena *a, struct sv *out, struct err *err)
{
    if (!v || json_is_null(v)) {
        return OK;
    }
    if (json_is_string(v)) {
        return said_recipe(text_of(v), a, out, err);
    }
    return json_is_object(v) ? keep_recipe(v, a, out, err) : err_set(err, ERR_INPUT, "\"recipe\" must be an object or a text");
}

static enum err_code read_scores(const json_t *o, struct arena *a, struct said *out, struct err *err)
{
    const char *name;
    json_t *v, *scores = json_object_get(o, "scores");
    if (!scores || json_is_null(scores)) {
        return OK;
    }
    size_t n = json_object_size(scores);
    if (!json_is_object(scores) || n == 0 || n > SAID_CANDIDATES) {
        return err_set(err, ERR_INPUT, "\"scores\" must be an object with the score of 1 to %d texts", SAID_CANDIDATES);
    }
    out->scores = arena_calloc(a, n, sizeof *out->scores);
    json_object_foreach(scores, name, v) {
        struct said_score *to = &out->scores[out->n++];
        *to = (struct said_score){arena_sv(a, sv_of(name)), json_number_value(v)};
        if (!json_is_number(v) || !isfinite(to->score)) {
            return err_set(err, ERR_INPUT, "the score of \"%.60s\" must be a number", name);
        }
        if (to->text.n > SAID_TEXT) {
            return err_set(err, ERR_INPUT, "a text with a score must be at most %d bytes; one has %zu", SAID_TEXT, to->text.n);
        }
    }
    return OK;
}

enum err_code said_read(const json_t *o, struct arena *a, struct said *out, struct err *err)
{
    bool has_image = false, has_prompt = false;
    *out = (struct said){.n = 0};
    enum err_code rc = read_text(o, "image", SAID_TEXT, a, &out->image, &has_image, err);
    rc = rc == OK ? read_text(o, "text", SAID_TEXT, a, &out->text, &out->has_text, err) : rc;
    rc = rc == OK ? read_text(o, "prompt", SAID_PROMPT, a, &out->prompt, &has_prompt, err) : rc;
    rc = rc == OK ? said_recipe_of(json_object_get(o, "recipe"), a, &out->recipe, err) : rc;
    rc = rc == OK ? read_scores(o, a, out, err) : rc;
    if (rc == OK && out->image.n == 0) {
        rc = err_set(err, ERR_INPUT, "\"image\" must be a text, the name of an image");
    }
    if (rc == OK && !out->has_text && out->n == 0) {
        rc = err_set(err, ERR_INPUT, "it has neither \"text\", what the model said, nor \"scores\", numbers by text");
    }
    return rc;
}
