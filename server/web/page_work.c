/* page_work.c - the grid as a plain form: the next one, answering. The script of the page
 * (static/js/grid.js) adds to this what a keyboard and a slow network ask for.
 * The address is the capability: no cookie is read here, so that an answer still counts after any
 * session ended. Names, roles and classes of images never reach the page. */
#include "base/clock.h"
#include "base/log.h"
#include "domain/grid.h"
#include "web/page_data.h"
#include "web/pages.h"
#include "web/reply.h"
#include "web/work_flow.h"
#include "web/work_grid.h"
#include "web/work_parts.h"

/* Where a worker goes after the next grid was asked for. */
static enum err_code go_on(struct ctx *c, const struct place *p)
{
    struct work_next next;
    enum err_code rc = work_next(c, p, &next);
    if (rc != OK) {
        return rc;
    }
    if (!next.done) {
        return reply_redirect(c, work_assignment_url(c, &next.assignment));
    }
    bool none_left = strcmp(next.reason, "none-left") == 0;
    return reply_redirect(c, none_left ? arena_printf(c->arena, "%s?none-left=%s", work_place_url(c, p),
                                                      work_none_left(c, p))
                                       : work_place_url(c, p));
}

/* POST /work/place/:place/next */
enum err_code page_work_next(struct ctx *c)
{
    unsigned char token[WORK_TOKEN];
    struct place p;
    if (work_token(c, c->req->params[0], token) != OK ||
        work_place_find(c->db, token, c->arena, &p, &c->err) != OK) {
        return c->err.code;
    }
    return go_on(c, &p);
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
    if (work_assignment_named(c, &as) != OK || work_language(c, as.campaign) != OK ||
        work_place_get(c->db, as.place, c->arena, &p, &c->err) != OK ||
        campaigns_get(c->db, as.campaign, c->arena, &k, &c->err) != OK ||
        classes_get(c->db, as.class_id, c->arena, &class_info, &c->err) != OK ||
        work_place_state(c->db, p.id, c->arena, &work, &c->err) != OK ||
        work_examples(c, as.class_id, &g.examples) != OK) {
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
    g.place = work_token_text(c->arena, p.token);
    g.cells = work_cells(c, as.grid);
    g.done = work.answered;
    g.total = work_page_allowed(c, &k);
    g.lease_until = as.lease_until;
    return work_page(c, "work/grid", data_synset(c->arena, class_info.synset, " or "),
                     work_grid_json(c, &g));
}

/* The shown positions that the form's boxes name. */
static enum err_code form_mask(struct ctx *c, uint64_t *mask)
{
    *mask = 0;
    for (size_t i = 0; i < c->form.n; i++) {
        int64_t at;
        if (!sv_is(c->form.fields[i].name, "cell")) {
            continue;
        }
        if (!sv_i64(c->form.fields[i].value, &at) || at < 0 || at >= GRID_CELLS) {
            return err_rule(&c->err, ERR_INPUT, "mask",
                            "The form names a cell that no grid has. Reload the page.");
        }
        *mask |= (uint64_t)1 << at;
    }
    return OK;
}

/* POST /work/assignment/:assignment: stores the answer and lends the next grid in one go. */
enum err_code page_work_submit(struct ctx *c)
{
    struct assignment as;
    struct place p;
    struct work_submission s = {.client_id = form_get(&c->form, "client_id"), .active_ms = -1};
    if (work_assignment_named(c, &as) != OK || work_language(c, as.campaign) != OK ||
        form_mask(c, &s.shown) != OK ||
        work_place_get(c->db, as.place, c->arena, &p, &c->err) != OK) {
        return c->err.code;
    }
    c->onward = work_place_url(c, &p);
    /* "None of these" is said, not forgotten; an answer that is there already is the greater news. */
    if (s.shown == 0 && !as.answer && !sv_is(form_get(&c->form, "none"), "1")) {
        return reply_redirect(c, arena_printf(c->arena, "%s?none=ask", work_assignment_url(c, &as)));
    }
    /* Without a script nobody knows when the page was looked at: active time stays unknown. */
    int64_t event;
    bool surplus;
    enum err_code rc = work_submit(c, &as, &s, &event, &surplus);
    if (rc == OK && go_on(c, &p) != OK) {
        /* The answer is counted and must stay: the place's page says what comes next. */
        log_msg(LOG_WARN, "no next grid after an answer", LOG_NUM("req", c->req->id),
                LOG_TEXT("error", sv_of(c->err.msg)));
        err_clear(&c->err);
        return reply_redirect(c, work_place_url(c, &p));
    }
    return rc;
}
