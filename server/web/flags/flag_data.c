/* flag_data.c - surges, people and dismissals as JSON for the page. */
#include "web/flags/flag_data.h"

#include "json/object.h"
#include "study/flagging.h"
#include "web/core/page_data.h"
#include "web/core/study_of.h"
#include "web/parts/people_data.h"

enum { ACTIONS_SHOWN = 10 };

static const char *counted(struct ctx *c, int64_t n, const char *one, const char *many)
{
    return arena_printf(c->arena, "%s %s", data_count(c->arena, n), n == 1 ? one : many);
}

const char *flag_people_text(struct ctx *c, int64_t n)
{
    return counted(c, n, "person", "people");
}

static json_t *sum_json(struct ctx *c, const struct flag_sum *s)
{
    return object(field_int("first", s->first), field_int("last", s->last),
                  field_text("from", people_minute(c->arena, s->first_at)),
                  field_text("to", people_minute(c->arena, s->last_at)),
                  field_text("flags", counted(c, s->flags, "flag", "flags")),
                  field_text("images", counted(c, s->images, "image", "images")),
                  field_text("people", flag_people_text(c, s->people)),
                  field_text("hidden", data_count(c->arena, s->hidden)),
                  field_text("uncounted", data_count(c->arena, s->uncounted)),
                  field_bool("any_uncounted", s->uncounted > 0));
}

static json_t *surges_json(struct ctx *c, const struct flag_waiting *w)
{
    json_t *out = json_array();
    for (size_t i = 0; i < w->n_surges; i++) {
        json_array_append_new(out, sum_json(c, &w->surges[i]));
    }
    return out;
}

static json_t *people_json(struct ctx *c, const struct flag_waiting *w)
{
    json_t *out = json_array();
    for (size_t i = 0; i < w->n_people; i++) {
        const struct flag_person *who = &w->people[i];
        json_t *row = sum_json(c, &who->sum);
        json_object_set_new(row, "pseudonym", data_text(who->pseudonym));
        json_object_set_new(row, "who_url", json_string(people_url(c->arena, who->pseudonym)));
        json_array_append_new(out, row);
    }
    return out;
}

/* Sets *done to the row that the address names. NULL on failure. */
static json_t *actions_json(struct ctx *c, json_t **done)
{
    struct flag_action *list;
    size_t n;
    int64_t wanted = 0;
    sv_i64(request_query(c->req, "dismissed"), &wanted);
    if (flags_actions(c->db, ACTIONS_SHOWN, c->arena, &list, &n, &c->err) != OK) {
        return NULL;
    }
    json_t *out = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *row = object(
            field_int("action", list[i].action),
            field_text("at", people_minute(c->arena, list[i].at)),
            field_text("flags", counted(c, list[i].flags, "flag", "flags")),
            field_text("images", counted(c, list[i].images, "image", "images")),
            field_text("people", flag_people_text(c, list[i].people)),
            field_json("who", list[i].login.n ? data_text(list[i].login) : json_string("erased")));
        if (list[i].action == wanted) {
            *done = json_incref(row);
        }
        json_array_append_new(out, row);
    }
    return out;
}

json_t *flag_about_json(struct ctx *c, bool all)
{
    struct flag_waiting w;
    const struct study study = study_of(c);
    int64_t restored = 0;
    json_t *done = NULL;
    if (flag_waiting_read(&study, &w) != OK) {
        return NULL;
    }
    json_t *actions = actions_json(c, &done);
    if (!actions) {
        return NULL;
    }
    sv_i64(request_query(c->req, "restored"), &restored);
    return object(
        field_json("surges", surges_json(c, &w)), field_bool("any_people", w.n_people > 0),
        field_json("people", people_json(c, &w)),
        field_bool("any_action", all && json_array_size(actions) > 0),
        field_json("actions", actions), field_json("done", done ? done : json_null()),
        field_text("restored", restored > 0 ? counted(c, restored, "flag", "flags") : NULL));
}
