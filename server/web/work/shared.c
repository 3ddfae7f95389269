/* shared.c - what the worker's pages share. */
#include "web/work/shared.h"

#include <string.h>

#include "base/log.h"
#include "json/object.h"
#include "study/flow.h"
#include "study/hold.h"
#include "view/escape.h"
#include "web/core/records.h"
#include "web/core/reply.h"
#include "web/core/study_of.h"
#include "web/work/hold.h"

struct study work_study_of(struct ctx *c)
{
    struct study study = study_of(c);
    study.kept = work_hold_kept;
    study.kept_arg = c;
    return study;
}

const char *work_place_url(struct ctx *c, const struct place *p)
{
    return arena_printf(c->arena, "/work/place/%s", hold_text(c->arena, p));
}

const char *work_assignment_url(struct ctx *c, const struct assignment *as)
{
    return arena_printf(c->arena, "/work/assignment/%s", flow_token_text(c->arena, as->token));
}

enum err_code work_language(struct ctx *c, int64_t campaign, bool classify)
{
    const struct strings *all = view_strings(app_view(c->app));
    struct sv code;
    if (studies_language(c->db, campaign, c->arena, &code, &c->err) != OK) {
        return c->err.code;
    }
    const char *known = code.n ? strings_language(all, code) : NULL;
    c->language = known ? known : strings_accept(all, request_header(c->req, "Accept-Language"));
    c->language = classify ? strings_classify(all, c->language) : c->language;
    return OK;
}

const json_t *work_texts(struct ctx *c)
{
    return strings_catalogue(view_strings(app_view(c->app)), c->language);
}

int64_t work_page_allowed(struct ctx *c, const struct campaign *k)
{
    const struct study study = work_study_of(c);
    return flow_grids_now(&study, k);
}

/* The study's return address with the code in it; NULL when it has none. */
static const char *return_url(struct ctx *c, const struct study_settings *s, struct sv code)
{
    static const char mark[] = "{code}";
    struct str out;
    if (s->return_url.n == 0) {
        return NULL;
    }
    str_init(&out, 64 << 10);
    struct sv rest = s->return_url;
    while (rest.n) {
        if (sv_starts(rest, mark)) {
            escape_url(&out, code);
            rest = sv_make(rest.p + sizeof mark - 1, rest.n - (sizeof mark - 1));
        } else {
            str_addc(&out, *rest.p);
            rest = sv_make(rest.p + 1, rest.n - 1);
        }
    }
    const char *url = arena_cstr(c->arena, str_sv(&out));
    str_release(&out);
    return url;
}

json_t *work_code_json(struct ctx *c, const struct study_settings *s, struct sv code)
{
    return code.n ? object(field_sv("text", code), field_text("url", return_url(c, s, code)))
                  : json_null();
}

RECORD(grids_done_record, struct grids_done, "grids_done", "How many grids of a place are answered.",
       {"done", RECORD_OF(struct grids_done, done), .about = "Grids answered."},
       {"total", RECORD_OF(struct grids_done, total), .about = "Grids that it may answer, as things stand."});

json_t *work_progress(struct ctx *c, int64_t done, int64_t total)
{
    return object(
        field_int("done", done), field_int("total", total),
        field_int("percent", total ? 100 * done / total : 0),
        field_text("text",
                   strings_fill(work_texts(c), c->arena, "grids_done", "done",
                                arena_printf(c->arena, "%lld", (long long)done), "total",
                                arena_printf(c->arena, "%lld", (long long)total), (char *)NULL)));
}

const char *work_none_left(struct ctx *c, const struct place *p)
{
    unsigned char hash[CRYPTO_HASH];
    char *text = arena_alloc(c->arena, CRYPTO_TOKEN_TEXT);
    crypto_keyed(app_secret(c->app, "person_key"),
                 sv_of(arena_printf(c->arena, "none-left:%s", hold_text(c->arena, p))),
                 hash);
    crypto_base64url(hash, CRYPTO_TOKEN, text);
    return text;
}

enum err_code work_go_on(struct ctx *c, const struct place *p)
{
    struct flow_next next;
    const struct study study = work_study_of(c);
    enum err_code rc = flow_next(&study, p, &next);
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

enum err_code work_go_on_stored(struct ctx *c, const struct place *p)
{
    if (work_go_on(c, p) == OK) {
        return OK;
    }
    log_msg(LOG_WARN, "no next grid", LOG_NUM("req", c->req->id),
            LOG_TEXT("error", sv_of(c->err.msg)));
    err_clear(&c->err);
    return reply_redirect(c, work_place_url(c, p));
}

enum err_code work_assignment_named(struct ctx *c, struct assignment *as)
{
    unsigned char token[WORK_TOKEN];
    enum err_code rc = flow_token(c->req->params[0], token, &c->err);
    return rc == OK ? work_assignment_find(c->db, token, c->arena, as, &c->err) : rc;
}

unsigned work_cells(struct ctx *c, int64_t grid)
{
    struct tally *t = app_tally(c->app);
    tally_read_lock(t);
    const struct tally_grid *g = tally_grid(t, grid);
    unsigned n = g ? tally_images(g) : 0;
    tally_read_unlock(t);
    return n;
}
