/* turn.c - blind rounds of the final review: a lead begins one, a reviewer says what
 * they think of the images of a class without knowing which are originals, and gets the pictures by
 * their places. First times decide about the set's images; of mixed-in originals, and of second
 * times, it is only kept on record what was said: they measure the reviewer. Rows in routes.c. */

#include "base/clock.h"
#include "base/list.h"
#include "base/rng.h"
#include "web/core/form_refused.h"
#include "web/core/image_bytes.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/shown_to.h"
#include "web/parts/set_data.h"
#include "web/review/cards.h"
#include "web/review/decide.h"

/* ---- beginning a round ---- */

static bool read_percent(struct ctx *c, const char *field, unsigned *out)
{
    int64_t n;
    if (!sv_i64(sv_trim(form_get(&c->form, field)), &n) || n < 0 || n > REVIEW_ROUND_MOST) {
        return false;
    }
    *out = (unsigned)n;
    return true;
}

/* POST /sets/:set/:revision/rounds: originals, repeats (percent) */
enum err_code page_review_round(struct ctx *c)
{
    struct revision_row r;
    int64_t id;
    if (set_asked(c, &r) != OK) {
        return c->err.code;
    }
    if (sv_is(r.role, "original")) {
        return err_rule(&c->err, ERR_INPUT, "review-original",
                        "%s is a set of originals, so there are no other originals to mix in. Blind rounds "
                        "are for sets of new images; no round was begun.",
                        set_title(c->arena, &r));
    }
    struct review_round round = {
        .revision = r.id, .account = c->user.account, .seed = (int64_t)rng_fresh_seed()};
    if (!read_percent(c, "originals", &round.originals) ||
        !read_percent(c, "repeats", &round.repeats)) {
        return form_wrong(c, "originals repeats",
                          "Originals and repeats must be whole numbers from 0 to %d, in percent. No round "
                          "was begun.",
                          REVIEW_ROUND_MOST);
    }
    if (review_rounds_add(c->db, &round, clock_wall_ms(), &id, &c->err) != OK) {
        return c->err.code;
    }
    return reply_did(c, arena_printf(c->arena, "%s/review", set_url(c->arena, &r)), NULL,
                     "The blind round has begun.");
}

/* ---- pictures by their places ---- */

/* GET /sets/:set/:revision/:wnid/shown/:place?size=&again= */
enum err_code page_review_shown(struct ctx *c)
{
    struct review_class_asked q;
    int64_t place;
    if (review_class_asked(c, sv_is(request_query(c->req, "again"), "1"), &q) != OK) {
        return c->err.code;
    }
    if (!q.blind || !sv_i64(c->req->params[3], &place) || place < 0 || place >= (int64_t)q.mix.n) {
        return err_rule(&c->err, ERR_NOT_FOUND, "review-turn",
                        "No class that is open for you has such an image.");
    }
    int64_t image = q.mix.marks[place].image;
    if (app_image_hidden(c->app, image)) {
        return page_send_veil(c);
    }
    struct image_source source;
    if (sources_of_image(c->db, image, &source, &c->err) != OK) {
        return c->err.code;
    }
    shown_note(c, image, SAW_PAGE);
    bool large = sv_is(request_query(c->req, "size"), "view");
    const struct image_sent at = image_sent_of(&source, large ? RENDITION_VIEW : RENDITION_GRID);
    return reply_image(c, &at, false);
}

/* ---- what a reviewer said ---- */

struct said {
    struct review_class_asked q;
    struct class_decision d;
    struct review_turn_new turn;
};

static struct sv place_field(struct ctx *c, const char *kind, size_t place)
{
    return sv_trim(form_get(&c->form, arena_printf(c->arena, "%s-%zu", kind, place)));
}

/* What the blacklist would refuse is refused here for originals too, and by the picture's number: a
 * rule that held for images of the set alone, or their names, would tell which are which. */
static enum err_code check_rejected(struct ctx *c, size_t place, struct sv reason, struct sv note)
{
    enum blacklist_reason r = blacklist_reason_of(reason);
    if (r == BLACKLIST_REASONS) {
        return err_rule(&c->err, ERR_INPUT, "blacklist-reason",
                        "Choose a reason from the list for image %zu. Nothing was stored.",
                        place + 1);
    }
    if (r == BLACKLIST_OTHER && note.n == 0) {
        return err_rule(&c->err, ERR_INPUT, "blacklist-reason",
                        "The reason \"other\" needs a note that explains it (image %zu). Nothing was stored.",
                        place + 1);
    }
    return note.n > BLACKLIST_NOTE_MOST || !sv_utf8(note)
               ? err_rule(&c->err, ERR_INPUT, "blacklist-note",
                          "The note on image %zu must be text of at most %d bytes. Nothing was stored.",
                          place + 1, BLACKLIST_NOTE_MOST)
               : OK;
}

/* Reasons of rejected images; those of the set that are not on the blacklist yet go there. */
static enum err_code read_rejected(struct ctx *c, struct said *s, const struct sv *names)
{
    struct list images = {0};
    for (size_t i = 0; i < s->q.mix.n; i++) {
        struct review_mark *m = &s->q.mix.marks[i];
        struct sv reason = place_field(c, "reason", i), note = place_field(c, "note", i);
        struct blacklist_entry e;
        bool found = false;
        m->rejected = reason.n > 0;
        if (!m->rejected) {
            continue;
        }
        if (check_rejected(c, i, reason, note) != OK) {
            return c->err.code;
        }
        if (m->probe || blacklist_of(c->db, names[i], 0, c->arena, &e, &found, &c->err) != OK ||
            (found && e.banned)) {
            continue;
        }
        *LIST_ADD(&images, c->arena, struct decided_image) =
            (struct decided_image){names[i], true, reason, note};
    }
    s->d.images = images.items;
    s->d.n_images = images.n;
    return c->err.code;
}

/* Images with the same text are one near-duplicate set. */
static void read_sets(struct ctx *c, struct said *s, const struct sv *names)
{
    struct list groups = {0};
    size_t n = s->q.mix.n;
    struct sv *text = arena_alloc(c->arena, (n + 1) * sizeof *text);
    for (size_t i = 0; i < n; i++) {
        text[i] = place_field(c, "set", i);
    }
    for (size_t i = 0; i < n; i++) {
        struct list members = {0};
        for (size_t k = i; k < n && text[i].n; k++) {
            if (sv_eq(text[i], text[k])) {
                *LIST_ADD(&members, c->arena, struct sv) = names[k];
                text[k].n = k > i ? 0 : text[k].n;
            }
        }
        if (members.n > 1) {
            *LIST_ADD(&groups, c->arena, struct decided_group) =
                (struct decided_group){members.items, members.n};
        }
    }
    s->d.groups = groups.items;
    s->d.n_groups = groups.n;
}

static enum err_code read_names(struct ctx *c, const struct review_mix *mix, struct sv **out)
{
    int64_t *ids = arena_alloc(c->arena, (mix->n + 1) * sizeof *ids);
    struct image_row *rows = arena_calloc(c->arena, mix->n + 1, sizeof *rows);
    *out = arena_calloc(c->arena, mix->n + 1, sizeof **out);
    for (size_t i = 0; i < mix->n; i++) {
        ids[i] = mix->marks[i].image;
    }
    enum err_code rc = images_names(c->db, ids, mix->n, c->arena, rows, &c->err);
    for (size_t i = 0; i < mix->n && rc == OK; i++) {
        (*out)[i] = rows[i].name;
    }
    return rc;
}

/* The form is about the mix that was shown: the same round, and as many originals to draw from. */
static enum err_code check_mix(struct ctx *c, const struct said *s)
{
    int64_t round = 0, from = -1;
    sv_i64(form_get(&c->form, "round"), &round);
    sv_i64(form_get(&c->form, "mixed_from"), &from);
    if (!s->q.blind) {
        return err_rule(&c->err, ERR_CONFLICT, "review-turn",
                        "You have already finished this class. Your answers stand and nothing was changed; "
                        "continue with the next class.");
    }
    return round == s->q.way.round.id && from == s->q.mix.drawn_from
               ? OK
               : err_rule(&c->err, ERR_CONFLICT, "review-turn-changed",
                          "Since you opened this class, a new round was begun or images were added. Nothing "
                          "was stored; open it again.");
}

/* Slow step: what the form says, as marks and as a decision. */
enum err_code page_review_turn_check(struct ctx *c)
{
    struct said *s = arena_calloc(c->arena, 1, sizeof *s);
    struct sv *names;
    c->state = s;
    bool again = sv_is(form_get(&c->form, "again"), "1");
    if (review_class_asked(c, again, &s->q) != OK || check_mix(c, s) != OK ||
        read_names(c, &s->q.mix, &names) != OK) {
        return c->err.code;
    }
    s->d = (struct class_decision){
        .class_id = s->q.k.id,
        .revision = s->q.way.revision.id,
        .reviewed = s->q.cut ? DECIDED_NOTHING : 1, /* nobody saw all of it */
        .problematic = sv_is(form_get(&c->form, "problematic"), "1") ? 1 : DECIDED_NOTHING};
    s->turn = (struct review_turn_new){.round = s->q.way.round.id,
                                       .account = c->user.account,
                                       .class_id = s->q.k.id,
                                       .again = again,
                                       .marks = s->q.mix.marks,
                                       .n = s->q.mix.n};
    if (read_rejected(c, s, names) != OK) {
        return c->err.code;
    }
    read_sets(c, s, names);
    return OK;
}

/* POST /sets/:set/:revision/:wnid/turns: reason-PLACE, note-PLACE, set-PLACE, problematic, again,
 * round, mixed_from */
enum err_code page_review_turn(struct ctx *c)
{
    struct said *s = c->state;
    int64_t now = clock_wall_ms(), id;
    enum err_code rc = review_turns_add(c->db, &s->turn, now, &id, &c->err);
    bool any = s->d.n_images || s->d.n_groups || s->d.reviewed != DECIDED_NOTHING ||
               s->d.problematic != DECIDED_NOTHING;
    if (rc == OK && !s->turn.again && any) {
        rc =
            class_decisions_write(c->db, &s->d, CLASS_SEEN_ANY, c->user.account, now, &id, &c->err);
    }
    s->q.way.done[s->q.at] = true;
    if (rc != OK) {
        return rc;
    }
    size_t rejected = 0;
    for (size_t i = 0; i < s->q.mix.n; i++) {
        rejected += s->q.mix.marks[i].rejected;
    }
    return reply_did(c, review_way_url(c, &s->q.way, review_way_next(&s->q.way, s->q.at)), NULL,
                     "Stored: %zu image%s rejected.", rejected, rejected == 1 ? "" : "s");
}
