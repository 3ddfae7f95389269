/* evaluation_open.c - who may go through a list. */
#include "web/evaluations/evaluations.h"

static bool hidden(void *arg, int64_t image)
{
    return app_image_hidden(arg, image);
}

struct evaluation_turn evaluation_turn_of(struct ctx *c, const struct evaluation_row *r)
{
    return (struct evaluation_turn){r, c->user.account, hidden, c->app};
}

enum err_code evaluation_open_theirs(struct ctx *c, struct evaluation_row *out, struct evaluation_turn *turn)
{
    *turn = evaluation_turn_of(c, out);
    return evaluation_theirs(c->db, c->req->params[0], c->user.account, c->arena, out, &c->err);
}

enum err_code evaluation_place_asked(struct ctx *c, int64_t *place)
{
    return sv_i64(c->req->params[1], place) && *place >= 0
               ? OK
               : err_rule(&c->err, ERR_NOT_FOUND, "evaluation-item", "This evaluation has no such image.");
}

const char *evaluation_url(struct ctx *c, struct sv name)
{
    return arena_printf(c->arena, "/evaluations/" SV_FMT, SV_ARG(name));
}

const char *evaluation_place_url(struct ctx *c, struct sv name, int64_t at)
{
    return arena_printf(c->arena, "/evaluations/" SV_FMT "/%lld", SV_ARG(name), (long long)at);
}
