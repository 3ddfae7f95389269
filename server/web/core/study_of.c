/* study_of.c - a request's database, memory, settings and arena, as services of study/ take them. */
#include "web/core/study_of.h"

#include "web/core/app_internal.h"

struct study study_of(struct ctx *c)
{
    return (struct study){
        .db = c->db,
        .desk = app_desk(c->app),
        .tally = app_tally(c->app),
        .board = app_board(c->app),
        .quarantine = c->app->quarantine,
        .arena = c->arena,
        .err = &c->err,
        .key = app_secret(c->app, "person_key"),
        .ahead_seconds = c->config->ahead_seconds,
        .flags_per_person = c->config->flags_per_person,
        .flags_to_quarantine = c->config->flags_to_quarantine,
        .flags_surge = c->config->flags_surge,
        .public_url = c->config->public_url,
        .number = c->req->id,
    };
}
