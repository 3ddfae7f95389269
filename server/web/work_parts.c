/* work_parts.c - what the worker's pages share. */
#include "web/work_parts.h"

#include "store/studies.h"
#include "web/reply.h"
#include "web/work_flow.h"

const char *work_place_url(struct ctx *c, const struct place *p)
{
    return arena_printf(c->arena, "/work/place/%s", work_token_text(c->arena, p->token));
}

const char *work_assignment_url(struct ctx *c, const struct assignment *as)
{
    return arena_printf(c->arena, "/work/assignment/%s", work_token_text(c->arena, as->token));
}

enum err_code work_language(struct ctx *c, int64_t campaign)
{
    const struct strings *all = view_strings(app_view(c->app));
    struct sv code;
    if (studies_language(c->db, campaign, c->arena, &code, &c->err) != OK) {
        return c->err.code;
    }
    const char *known = code.n ? strings_language(all, code) : NULL;
    c->language = known ? known : strings_accept(all, request_header(c->req, "Accept-Language"));
    return OK;
}

const json_t *work_texts(struct ctx *c)
{
    return strings_catalogue(view_strings(app_view(c->app)), c->language);
}

enum err_code work_page(struct ctx *c, const char *template, const char *title, json_t *page)
{
    return reply_page(c, 200, template, title, page);
}

int64_t work_page_allowed(struct ctx *c, const struct campaign *k)
{
    struct desk_progress progress = {0};
    app_progress(c->app, k->id, &progress);
    return work_grids_allowed(k, &progress);
}

json_t *work_progress(struct ctx *c, int64_t done, int64_t total)
{
    return json_pack("{s:I, s:I, s:I, s:s}", "done", (json_int_t)done, "total", (json_int_t)total,
                     "percent", (json_int_t)(total ? 100 * done / total : 0), "text",
                     strings_fill(work_texts(c), c->arena, "grids_done", "done",
                                  arena_printf(c->arena, "%lld", (long long)done), "total",
                                  arena_printf(c->arena, "%lld", (long long)total), (char *)NULL));
}

const char *work_none_left(struct ctx *c, const struct place *p)
{
    unsigned char hash[CRYPTO_HASH];
    char *text = arena_alloc(c->arena, CRYPTO_TOKEN_TEXT);
    crypto_keyed(app_secret(c->app, "person_key"),
                 sv_of(arena_printf(c->arena, "none-left:%s", work_token_text(c->arena, p->token))),
                 hash);
    crypto_base64url(hash, CRYPTO_TOKEN, text);
    return text;
}

enum err_code work_assignment_named(struct ctx *c, struct assignment *as)
{
    unsigned char token[WORK_TOKEN];
    enum err_code rc = work_token(c, c->req->params[0], token);
    return rc != OK ? rc : work_assignment_find(c->db, token, c->arena, as, &c->err);
}

unsigned work_cells(struct ctx *c, int64_t grid)
{
    struct tally *t = app_tally(c->app);
    tally_read_lock(t);
    const struct tally_grid *g = tally_grid(t, grid);
    unsigned n = g ? g->n : 0;
    tally_read_unlock(t);
    return n;
}
