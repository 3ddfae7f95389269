/* page.c - index.html: deviations first, then the parts, then what it was made of; its style sheets are in it. */
#include <inttypes.h>
#include <string.h>

#include "base/assets.h"
#include "crypto/crypto.h"
#include "json/object.h"
#include "report/plan.h"
#include "report/run.h"
#include "view/view.h"

static const char *const styles[] = {"static/css/tokens.css", "static/css/chart.css", "static/css/report.css"};

static json_t *style_json(void)
{
    struct str css;
    str_init(&css, REPORT_TEXT_MOST);
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        const struct asset *a = asset_find(styles[i]);
        BUG_IF(!a);
        str_add(&css, a->data, a->n);
        str_addc(&css, '\n');
    }
    json_t *text = json_stringn(css.p, css.n);
    str_release(&css);
    return text;
}

static const char *set_words(struct report_run *r, const struct revision_row *v)
{
    char hex[2 * SET_DIGEST + 1];
    crypto_hex(v->digest, SET_DIGEST, hex);
    return arena_printf(r->a, "%s, %lld images, SHA-256 %s", report_title(r, v), (long long)v->images, hex);
}

static void add_fact(json_t *list, const char *label, const char *text)
{
    object_add(list, field_text("label", label), field_text("text", text));
}

static json_t *facts_json(struct report_run *r)
{
    json_t *list = json_array();
    add_fact(list, "Program", r->tool);
    add_fact(list, "As of event", arena_printf(r->a, "%lld", (long long)r->event));
    add_fact(list, "Originals", set_words(r, &r->original));
    add_fact(list, "New set", set_words(r, &r->fresh));
    for (const struct analysis_field *f = analysis_fields; f->name; f++) {
        const char *text = analysis_text(&r->s, f, r->a);
        if (text[0] && !f->of_plan && f->at != offsetof(struct analysis, original) && f->at != offsetof(struct analysis, fresh)) {
            add_fact(list, f->label, text);
        }
    }
    add_fact(list, "Models", arena_printf(r->a, "%zu", r->n_models));
    return list;
}

static json_t *plan_of(struct report_run *r)
{
    if (r->plan.id == 0) {
        return json_null();
    }
    return object(field_sv("name", r->plan.name), field_text("words", plan_words(&r->plan, r->a)), field_text("sha256", plan_sha256(&r->plan, r->a)),
                  field_sv("note", r->s.note));
}

enum err_code report_page(struct report_run *r)
{
    struct view *view;
    struct str out;
    enum err_code rc = view_open(false, &view, r->err);
    if (rc != OK) {
        return rc;
    }
    json_t *data = object(field_json("css", style_json()), field_text("original", report_title(r, &r->original)),
                          field_text("new", report_title(r, &r->fresh)), field_json("plan", plan_of(r)),
                          field_bool("any_deviations", json_array_size(r->deviations) > 0),
                          field_json("deviations", json_incref(r->deviations)), field_json("parts", json_incref(r->parts)),
                          field_bool("several", json_array_size(r->parts) > 1), field_json("left_out", json_incref(r->left_out)),
                          field_bool("any_left_out", json_array_size(r->left_out) > 0), field_json("facts", facts_json(r)));
    str_init(&out, REPORT_TEXT_MOST);
    rc = data ? view_render(view, "report/index", data, &out, r->err) : err_set(r->err, ERR_BUG, "the page's data cannot be made");
    rc = rc == OK ? str_check(&out, REPORT_PAGE, r->err) : rc;
    if (rc == OK) {
        report_add_file(r, REPORT_PAGE, str_sv(&out));
    }
    str_release(&out);
    json_decref(data);
    view_close(view);
    return rc;
}
