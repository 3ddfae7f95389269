/* manifest.c - what a report was made of and with: program, event, sets and predictions by digest, seeds, the digest of
 * every file. From it `verify` makes the report again. */
#include <stdlib.h>

#include "crypto/crypto.h"
#include "json/object.h"
#include "report/run.h"
#include "sets/revisions/made_of.h"

static const char *hex_of(struct report_run *r, const void *digest, size_t n)
{
    char *hex = arena_alloc(r->a, 2 * n + 1);
    crypto_hex(digest, n, hex);
    return hex;
}

/* Without the state, which goes on after a report. */
static json_t *set_json(const struct revision_row *v)
{
    json_t *set = set_data(v);
    json_object_del(set, "state");
    json_object_del(set, "state_reason");
    return set;
}

static json_t *used_json(struct report_run *r)
{
    json_t *models = json_array();
    for (size_t i = 0; i < r->n_models; i++) {
        json_array_append_new(models, json_stringn(r->models[i].name.p, r->models[i].name.n));
    }
    return object(field_text("original", report_title(r, &r->original)), field_text("new", report_title(r, &r->fresh)),
                  field_int("view_version", r->view.id), field_json("labels", json_incref(r->labels)),
                  field_json("subsets", json_incref(r->subsets)), field_json("models", models),
                  field_json("left_out", json_incref(r->left_out)));
}

static json_t *plan_of(struct report_run *r)
{
    return r->plan.id == 0 ? json_null()
                           : object(field_sv("name", r->plan.name), field_text("sha256", hex_of(r, r->plan.digest.p, r->plan.digest.n)),
                                    field_int("event", r->plan.id));
}

/* Of all sources those that score the model, without how many records they have, which may become more. */
static void keep_counting(json_t *line)
{
    json_t *sources = json_object_get(line, "sources"), *lists[] = {json_object_get(line, "scored_by"), json_object_get(line, "original_scored_by")};
    for (size_t i = json_array_size(sources); i-- > 0;) {
        json_t *one = json_array_get(sources, i);
        bool counts = false;
        for (size_t k = 0; k < 2; k++) {
            for (size_t at = 0; at < json_array_size(lists[k]); at++) {
                counts = counts || json_equal(json_object_get(json_array_get(lists[k], at), "source"), json_object_get(one, "id"));
            }
        }
        json_object_del(one, "predictions");
        if (!counts) {
            json_array_remove(sources, i);
        }
    }
}

static enum err_code predictions_json(struct report_run *r, json_t **out)
{
    enum err_code rc = OK;
    *out = json_array();
    for (size_t i = 0; i < r->n_models && rc == OK; i++) {
        const struct made_of_ask ask = {.model = r->models[i].id, .original = &r->original, .fresh = &r->fresh};
        json_t *line = object(field_sv("model", r->models[i].name));
        rc = made_of_add(line, r->scores, r->db, &ask, r->a, r->err);
        keep_counting(line);
        json_array_append_new(*out, line);
    }
    return rc;
}

static int by_name(const void *a, const void *b)
{
    const struct report_file *x = a, *y = b;
    return sv_cmp(sv_of(x->name), sv_of(y->name));
}

static json_t *files_json(struct report_run *r)
{
    json_t *files = json_array();
    struct report_file *list = r->files.items;
    qsort(list, r->files.n, sizeof *list, by_name);
    for (size_t i = 0; i < r->files.n; i++) {
        unsigned char digest[CRYPTO_HASH];
        crypto_sha256(list[i].text.p, list[i].text.n, digest);
        object_add(files, field_text("file", list[i].name), field_count("bytes", list[i].text.n), field_text("sha256", hex_of(r, digest, sizeof digest)));
    }
    return files;
}

enum err_code report_manifest(struct report_run *r)
{
    json_t *predictions;
    enum err_code rc = predictions_json(r, &predictions);
    if (rc != OK) {
        json_decref(predictions);
        return rc;
    }
    json_t *all = object(field_text("format", REPORT_FORMAT), field_int("version", REPORT_VERSION), field_text("tool", r->tool),
                         field_int("schema", r->schema), field_int("as_of_event", r->event), field_json("analysis", analysis_json(&r->s)),
                         field_json("plan", plan_of(r)), field_json("deviations", json_incref(r->deviations)),
                         field_json("original", set_json(&r->original)), field_json("new", set_json(&r->fresh)), field_json("used", used_json(r)),
                         field_json("predictions", predictions), field_json("files", files_json(r)));
    char *text = all ? json_dumps(all, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(all);
    if (!text) {
        return err_set(r->err, ERR_BUG, "the manifest cannot be written");
    }
    report_add_file(r, REPORT_MANIFEST, sv_of(arena_printf(r->a, "%s\n", text)));
    free(text);
    return OK;
}
