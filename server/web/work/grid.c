/* grid.c - the grid as a plain form: the next one, answering. The script of the page
 * (static/js/grid.js) adds to this what a keyboard and a slow network ask for.
 * The address is the capability, so that an answer still counts after any session ended; the place's
 * cookie only says by which address this browser goes on. Names, roles and classes of images never reach the page. */
#include <string.h>

#include "base/clock.h"
#include "domain/grids/grid.h"
#include "study/flow.h"
#include "study/hold.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/work/grid_data.h"
#include "web/work/hold.h"
#include "web/work/shared.h"

/* POST /work/place/:place/next */
enum err_code page_work_next(struct ctx *c)
{
    struct place p;
    const struct study study = work_study_of(c);
    return hold_find(&study, c->req->params[0], &p) != OK ? c->err.code : work_go_on(c, &p);
}

/* GET /work/assignment/:assignment; ?none=ask after a form without any cell came. */
enum err_code page_work_grid(struct ctx *c)
{
    struct assignment as;
    struct place p;
    struct campaign k;
    struct class_info class_info;
    struct place_work work;
    bool asks = sv_is(request_query(c->req, "none"), "ask");
    struct work_grid g = {.campaign = &k, .class_info = &class_info, .ask_none = asks};
    if (work_assignment_named(c, &as) != OK || work_language(c, as.campaign, as.classify) != OK ||
        work_hold_of_grid(c, &p) != OK || campaigns_get(c->db, as.campaign, c->arena, &k, &c->err) != OK ||
        classes_get(c->db, as.class_id, c->arena, &class_info, &c->err) != OK ||
        work_place_state(c->db, p.id, c->arena, &work, &c->err) != OK || work_options_of(c, &as, &g.options) != OK ||
        work_option_examples(c, &g.options) != OK ||
        (!as.classify && work_examples(c, as.class_id, &g.examples) != OK)) {
        return c->err.code;
    }
    if (as.answer) {
        return reply_redirect(c, work_place_url(c, &p));
    }
    char client_id[CRYPTO_TOKEN_TEXT];
    unsigned char raw[CRYPTO_TOKEN];
    crypto_token(raw, client_id);
    g.client_id = client_id;
    g.url = work_assignment_url(c, &as);
    g.place = hold_text(c->arena, &p);
    g.cells = work_cells(c, as.grid);
    g.done = work.answered;
    g.total = work_page_allowed(c, &k);
    g.lease_until = as.lease_until;
    return reply_page(c, 200, "work/grid", work_grid_title(c, &g), work_grid_json(c, &g));
}

/* The shown positions that the form's boxes name. */
static enum err_code form_mask(struct ctx *c, const char *box, uint64_t *mask)
{
    *mask = 0;
    for (size_t i = 0; i < c->form.n; i++) {
        int64_t at;
        if (!sv_is(c->form.fields[i].name, box)) {
            continue;
        }
        if (!sv_i64(c->form.fields[i].value, &at) || at < 0 || at >= GRID_CELLS || (*mask >> at & 1)) {
            return err_rule(&c->err, ERR_INPUT, strcmp(box, "label") == 0 ? "label-unknown" : "mask",
                            "The form names a %s that this task does not have, or one twice. Reload the page.", box);
        }
        *mask |= (uint64_t)1 << at;
    }
    return OK;
}

/* Of a CLASSIFY task's form: label (each ticked one), main and none. One label alone is the main object's, whether that
 * was said or not. */
static enum err_code form_labels(struct ctx *c, struct flow_submission *s)
{
    struct sv main = form_get(&c->form, "main");
    int64_t at = 0;
    if (form_mask(c, "label", &s->shown) != OK) {
        return c->err.code;
    }
    if (main.n && (!sv_i64(main, &at) || at < 0 || at >= GRID_OPTIONS)) {
        return err_rule(&c->err, ERR_INPUT, "main-label", "The form names a label that this task does not have. Reload the "
                        "page.");
    }
    bool none = sv_is(form_get(&c->form, "none"), "1"), one = s->shown && (s->shown & (s->shown - 1)) == 0;
    if (none && (s->shown || main.n)) {
        return err_rule(&c->err, ERR_INPUT, "label-or-none",
                        "Either labels are ticked or none of them fits: take one of them back.");
    }
    if (!none && s->shown == 0) {
        return err_rule(&c->err, ERR_INPUT, "no-label", "No label is ticked. Tick one label for each object that you see.");
    }
    s->has_main = main.n || one;
    s->main = main.n ? (unsigned)at : one ? (unsigned)__builtin_ctzll(s->shown) : 0;
    return OK;
}

/* What the form says, of either task. */
static enum err_code form_answer(struct ctx *c, const struct assignment *as, struct flow_submission *s)
{
    return as->classify ? form_labels(c, s) : form_mask(c, "cell", &s->shown);
}

/* POST /work/assignment/:assignment: stores the answer and lends the next grid in one go. */
enum err_code page_work_submit(struct ctx *c)
{
    struct assignment as;
    struct place p;
    struct campaign k;
    struct flow_submission s = {.client_id = form_get(&c->form, "client_id"), .active_ms = -1};
    if (work_assignment_named(c, &as) != OK || work_language(c, as.campaign, as.classify) != OK ||
        form_answer(c, &as, &s) != OK || work_hold_of_grid(c, &p) != OK ||
        campaigns_get(c->db, as.campaign, c->arena, &k, &c->err) != OK) {
        return c->err.code;
    }
    c->onward = work_place_url(c, &p);
    /* "None of these" is said, not forgotten; an answer that is there already is the greater news. */
    if (s.shown == 0 && !as.classify && !as.answer && !sv_is(form_get(&c->form, "none"), "1")) {
        return reply_redirect(c, arena_printf(c->arena, "%s?none=ask", work_assignment_url(c, &as)));
    }
    /* Without a script nobody knows when the page was looked at, nor how many columns there were:
     * active time stays unknown, and of the photos only the size that the layout gives is known. */
    int photo = as.classify ? 0 : work_photo_size(k.layout);
    if (photo) {
        s.device = sv_of(arena_printf(c->arena, "{\"cell\":[%d,%d]}", photo, photo));
    }
    int64_t event;
    bool surplus;
    const struct study study = work_study_of(c);
    enum err_code rc = flow_submit(&study, &as, &s, &event, &surplus);
    return rc == OK ? work_go_on_stored(c, &p) : rc;
}
