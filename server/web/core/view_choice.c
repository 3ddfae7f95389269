/* view_choice.c - counts votes under the view that a page asks for, and keeps the last results.
 *
 * A kept result is right when the view's version, its campaigns, the blocked people and the last
 * event are those it was made of. The database is asked for the first three (a few small queries), the
 * tally for the last. One thread counts at a time: who waited finds the result made. */
#include "web/core/view_choice.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xalloc.h"
#include "json/object.h"

enum { KEPT_MOST = 3, REST_MS = 60000, TEXTS_MOST = 64 << 20 };

struct kept {
    struct counted_view view; /* first: the pointer that callers have is this one */
    struct arena arena;
    atomic_uint references;
    int64_t used_ms;
};
struct views_kept {
    pthread_mutex_t lock;   /* of the slots */
    pthread_mutex_t making; /* held while one thread counts */
    struct kept *slots[KEPT_MOST];
};

struct views_kept *views_kept_new(void)
{
    struct views_kept *k = xcalloc(1, sizeof *k);
    pthread_mutex_init(&k->lock, NULL);
    pthread_mutex_init(&k->making, NULL);
    return k;
}

static void release(struct kept *e)
{
    if (e && atomic_fetch_sub(&e->references, 1) == 1) {
        view_counts_release(&e->view.counts);
        arena_release(&e->arena);
        free(e);
    }
}

void views_kept_free(struct views_kept *k)
{
    if (!k) {
        return;
    }
    for (size_t i = 0; i < KEPT_MOST; i++) {
        release(k->slots[i]);
    }
    pthread_mutex_destroy(&k->making);
    pthread_mutex_destroy(&k->lock);
    free(k);
}

void views_kept_rest(struct views_kept *k, int64_t now_ms)
{
    struct kept *gone[KEPT_MOST] = {NULL};
    pthread_mutex_lock(&k->lock);
    for (size_t i = 0; i < KEPT_MOST; i++) {
        if (k->slots[i] && now_ms - k->slots[i]->used_ms > REST_MS) {
            gone[i] = k->slots[i];
            k->slots[i] = NULL;
        }
    }
    pthread_mutex_unlock(&k->lock);
    for (size_t i = 0; i < KEPT_MOST; i++) {
        release(gone[i]);
    }
}

/* ---- what is asked for ---- */

struct sv view_choice_asked(struct ctx *c)
{
    struct sv name = request_query(c->req, "view");
    return name.n ? name : SV("default");
}

bool view_choice_is_default(struct sv name)
{
    return sv_is(name, "default");
}

const char *view_choice_query(struct arena *a, struct sv name, bool first)
{
    return view_choice_is_default(name)
               ? ""
               : arena_printf(a, "%cview=" SV_FMT, first ? '?' : '&', SV_ARG(name));
}

static json_t *chosen_json(struct ctx *c, const struct vote_view *v)
{
    return object(field_sv("name", v->name),
                  field_text("url", arena_printf(c->arena, "/views/" SV_FMT, SV_ARG(v->name))),
                  field_sv("description", v->description));
}

json_t *view_choice_json(struct ctx *c, struct sv name, const char *action, json_t *keep)
{
    struct vote_view *list;
    size_t n;
    json_t *views = json_array(), *chosen = NULL;
    bool found = false;
    if (views_list(c->db, c->arena, &list, &n, &c->err) == OK) {
        for (size_t i = 0; i < n; i++) {
            bool current = sv_eq(list[i].name, name);
            object_add(views, field_sv("name", list[i].name), field_bool("current", current));
            found = found || current;
            if (current && !view_choice_is_default(name)) {
                chosen = chosen_json(c, &list[i]);
            }
        }
        if (!found) {
            err_rule(&c->err, ERR_NOT_FOUND, "no-view", "There is no vote view of that name.");
        }
    }
    json_t *choice =
        object(field_text("action", action), field_json("keep", keep ? keep : json_array()),
               field_bool("any", json_array_size(views) > 1), field_json("views", views),
               field_json("chosen", chosen ? chosen : json_null()));
    if (c->err.code != OK) {
        json_decref(choice);
        choice = NULL;
    }
    return choice;
}

/* ---- counting ---- */

static const int64_t *copy_ids(struct arena *a, const int64_t *ids, size_t n)
{
    int64_t *copy = arena_calloc(a, n + 1, sizeof *copy);
    if (n) {
        memcpy(copy, ids, n * sizeof *copy);
    }
    return copy;
}

/* The view, its lists in memory of their own. */
static struct kept *kept_new(const struct vote_view *v, const struct view_ask *ask)
{
    struct kept *e = xcalloc(1, sizeof *e);
    struct vote_view *to = &e->view.view;
    arena_init(&e->arena, TEXTS_MOST);
    atomic_init(&e->references, 1);
    *to = *v;
    to->name = arena_sv(&e->arena, v->name);
    to->description = arena_sv(&e->arena, v->description);
    to->kinds = arena_sv(&e->arena, v->kinds);
    to->campaigns = arena_sv(&e->arena, v->campaigns);
    to->login = arena_sv(&e->arena, v->login);
    e->view.ask = *ask;
    e->view.ask.campaigns = copy_ids(&e->arena, ask->campaigns, ask->n_campaigns);
    e->view.ask.blocked = copy_ids(&e->arena, ask->blocked, ask->n_blocked);
    return e;
}

static enum err_code count(struct ctx *c, const struct vote_view *v, const struct view_ask *ask,
                           struct kept **out)
{
    struct kept *e = kept_new(v, ask);
    if (view_count(app_tally(c->app), &e->view.ask, &e->view.counts, &c->err) != OK) {
        release(e);
        return c->err.code;
    }
    *out = e;
    return OK;
}

static bool same_ids(const int64_t *a, size_t n, const int64_t *b, size_t m)
{
    return n == m && (n == 0 || memcmp(a, b, n * sizeof *a) == 0);
}

/* Whether a kept result is what counting now would give. */
static bool fits(const struct kept *e, int64_t version, const struct view_ask *ask, int64_t cursor)
{
    const struct view_ask *had = &e->view.ask;
    return e->view.view.id == version && had->as_of == ask->as_of &&
           (ask->as_of || e->view.counts.cursor == cursor) &&
           same_ids(had->campaigns, had->n_campaigns, ask->campaigns, ask->n_campaigns) &&
           same_ids(had->blocked, had->n_blocked, ask->blocked, ask->n_blocked);
}

/* A reference for the caller, or NULL. */
static struct kept *find(struct ctx *c, int64_t version, const struct view_ask *ask)
{
    struct views_kept *k = app_views_kept(c->app);
    const struct tally_totals now = app_totals(c->app);
    struct kept *found = NULL;
    pthread_mutex_lock(&k->lock);
    for (size_t i = 0; i < KEPT_MOST && !found; i++) {
        if (k->slots[i] && fits(k->slots[i], version, ask, now.cursor)) {
            found = k->slots[i];
            found->used_ms = clock_wall_ms();
            atomic_fetch_add(&found->references, 1);
        }
    }
    pthread_mutex_unlock(&k->lock);
    return found;
}

/* Keeps a reference in the place of an earlier result of the same view as of the same moment, else of
 * the one that was not asked for the longest time. */
static void keep(struct views_kept *k, struct kept *e)
{
    size_t at = 0;
    e->used_ms = clock_wall_ms();
    atomic_fetch_add(&e->references, 1);
    pthread_mutex_lock(&k->lock);
    for (size_t i = 0; i < KEPT_MOST; i++) {
        const struct kept *s = k->slots[i];
        if (s && sv_eq(s->view.view.name, e->view.view.name) &&
            s->view.ask.as_of == e->view.ask.as_of) {
            at = i;
            break;
        }
        if (k->slots[at] && (!s || s->used_ms < k->slots[at]->used_ms)) {
            at = i;
        }
    }
    struct kept *gone = k->slots[at];
    k->slots[at] = e;
    pthread_mutex_unlock(&k->lock);
    release(gone);
}

enum err_code view_choice_get(struct ctx *c, struct sv name, const struct counted_view **out)
{
    return view_choice_as_of(c, name, 0, out);
}

enum err_code view_choice_as_of(struct ctx *c, struct sv name, int64_t as_of,
                                const struct counted_view **out)
{
    struct views_kept *k = app_views_kept(c->app);
    struct vote_view v;
    struct view_ask ask;
    if (views_find(c->db, name, c->arena, &v, &c->err) != OK ||
        view_ask_of(c->db, &v, as_of, c->arena, &ask, &c->err) != OK) {
        return c->err.code;
    }
    struct kept *e = find(c, v.id, &ask);
    if (!e) {
        pthread_mutex_lock(&k->making);
        e = find(c, v.id, &ask);
        if (!e && count(c, &v, &ask, &e) == OK) {
            keep(k, e);
        }
        pthread_mutex_unlock(&k->making);
    }
    *out = e ? &e->view : NULL;
    return e ? OK : c->err.code;
}

enum err_code view_choice_try(struct ctx *c, const struct vote_view *v,
                              const struct counted_view **out)
{
    struct view_ask ask;
    struct kept *e = NULL;
    if (view_ask_of(c->db, v, 0, c->arena, &ask, &c->err) != OK ||
        count(c, v, &ask, &e) != OK) {
        return c->err.code;
    }
    *out = &e->view;
    return OK;
}

void view_choice_put(const struct counted_view *v)
{
    /* Callers see it const; it is the first member of what they share. */
    release((struct kept *)(uintptr_t)v);
}
