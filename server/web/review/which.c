/* which.c - "Which set is the new one?" (Recht et al. 2019, figures 3 and 14): two rows of images of a class, of a new
 * set and of originals; a person says which row is new and is told. Rows in routes.c; templates/review/which.
 *
 * Which images are shown, in which order and which row is new follows from a secret of the project and the seed in the
 * address. Pictures are asked for by their places, and are a secret number of bytes longer than they are elsewhere
 * (web/core/grid_images.h), so that neither the page nor an address nor a length tells before the person did. Nothing is stored: how often somebody was right is in the address, signed for their account. Classes that a
 * reviewer has still open in a blind round of the final review are not shown to them. */
#include <string.h>

#include "base/rng.h"
#include "crypto/crypto.h"
#include "json/object.h"
#include "stats/binomial.h"
#include "store/sets/images.h"
#include "web/core/image_bytes.h"
#include "web/core/page_data.h"
#include "web/core/pages.h"
#include "web/core/reply.h"
#include "web/core/shown_to.h"
#include "web/parts/set_data.h"
#include "web/review/way.h"

enum { IN_ROW = 6, LOOKED_AT = 500, ROWS = 2, SCORE_MOST = 1000000, MARK = 12, MARK_TEXT = 17 };
#define SEED_MOST (INT64_C(1) << 53)

struct which {
    struct review_way way;     /* of the new revision */
    struct revision_row original;
    struct class_info k;
    int64_t seed, n, right;    /* n: guesses so far */
    int guess;                 /* 0: none yet; 1 or 2: a row */
    size_t per_row;
    int64_t shown[ROWS][IN_ROW];
    unsigned fresh_row;        /* 0 or 1 */
};

/* ---- what the person said before ---- */

static void mark_of(struct ctx *c, const struct which *w, int64_t n, int64_t right, char out[MARK_TEXT])
{
    unsigned char hash[CRYPTO_HASH];
    crypto_keyed(app_secret(c->app, "session_key"),
                 sv_of(arena_printf(c->arena, "which-score %lld %lld %lld %lld %lld", (long long)c->user.account,
                                    (long long)w->way.revision.id, (long long)w->original.id, (long long)n, (long long)right)),
                 hash);
    crypto_base64url(hash, MARK, out);
}

/* "RIGHT.N.MARK"; what is not signed like that is a score of nothing. */
static void read_score(struct ctx *c, struct which *w)
{
    struct sv rest = request_query(c->req, "score"), right = sv_cut(&rest, '.'), n = sv_cut(&rest, '.');
    char mark[MARK_TEXT];
    if (!rest.p || !sv_i64(right, &w->right) || !sv_i64(n, &w->n) || w->n < 0 || w->n > SCORE_MOST || w->right < 0 || w->right > w->n) {
        w->n = w->right = 0;
        return;
    }
    mark_of(c, w, w->n, w->right, mark);
    if (rest.n != MARK_TEXT - 1 || !crypto_equal(rest.p, mark, MARK_TEXT - 1)) {
        w->n = w->right = 0;
    }
}

static const char *score_of(struct ctx *c, const struct which *w, int64_t n, int64_t right)
{
    char mark[MARK_TEXT];
    mark_of(c, w, n, right, mark);
    return n ? arena_printf(c->arena, "%lld.%lld.%s", (long long)right, (long long)n, mark) : "";
}

/* ---- which images ---- */

/* Those that can be shown and that the other side has not, in the order of the set. */
static enum err_code usable(struct ctx *c, int64_t list, int64_t other, int64_t class_id, int64_t *out, size_t *n)
{
    struct set_image *images, *others;
    size_t n_images, n_others;
    enum err_code rc = set_images_list(c->db, list, class_id, 0, LOOKED_AT, c->arena, &images, &n_images, &c->err);
    rc = rc == OK ? set_images_list(c->db, other, class_id, 0, LOOKED_AT, c->arena, &others, &n_others, &c->err) : rc;
    *n = 0;
    for (size_t i = 0; rc == OK && i < n_images; i++) {
        bool both = false;
        for (size_t k = 0; k < n_others && !both; k++) {
            both = others[k].image == images[i].image;
        }
        if (images[i].has_pixels && !both && !app_image_hidden(c->app, images[i].image)) {
            out[(*n)++] = images[i].image;
        }
    }
    return rc;
}

static void draw(struct rng *rng, const int64_t *from, size_t n, size_t most, int64_t *out)
{
    uint32_t order[LOOKED_AT];
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
    }
    rng_shuffle_u32(rng, order, n);
    for (size_t i = 0; i < most; i++) {
        out[i] = from[order[i]];
    }
}

/* Fills the rows of the class; per_row 0: a side has nothing to show. */
static enum err_code fill_rows(struct ctx *c, struct which *w)
{
    int64_t *fresh = arena_calloc(c->arena, LOOKED_AT, sizeof *fresh), *original = arena_calloc(c->arena, LOOKED_AT, sizeof *original);
    size_t n_fresh = 0, n_original = 0;
    unsigned char hash[CRYPTO_HASH];
    struct rng rng;
    uint64_t seed;
    int64_t new_list = w->way.revision.list;
    enum err_code rc = usable(c, new_list, w->original.list, w->k.id, fresh, &n_fresh);
    rc = rc == OK ? usable(c, w->original.list, new_list, w->k.id, original, &n_original) : rc;
    if (rc != OK) {
        return rc;
    }
    crypto_keyed(app_secret(c->app, "session_key"),
                 sv_of(arena_printf(c->arena, "which-rows %lld %lld %lld %lld", (long long)w->way.revision.id, (long long)w->original.id,
                                    (long long)w->k.id, (long long)w->seed)),
                 hash);
    memcpy(&seed, hash, sizeof seed);
    rng_seed(&rng, seed);
    w->per_row = n_fresh < n_original ? n_fresh : n_original;
    w->per_row = w->per_row < IN_ROW ? w->per_row : IN_ROW;
    w->fresh_row = (unsigned)rng_below(&rng, ROWS);
    draw(&rng, fresh, n_fresh, w->per_row, w->shown[w->fresh_row]);
    draw(&rng, original, n_original, w->per_row, w->shown[1 - w->fresh_row]);
    return OK;
}

/* ---- which class ---- */

/* This reviewer says in a blind round which of the class's images belong, and has not yet. */
static bool is_open_blind(const struct review_way *w, int64_t class_id)
{
    bool open = false;
    for (int again = 0; again < 2 && w->round.id; again++) {
        size_t at = review_way_find(w, class_id, again == 1);
        open = open || (at < w->n_turns && !w->done[at]);
    }
    return open;
}

static enum err_code nothing(struct ctx *c, const struct which *w)
{
    return err_rule(&c->err, ERR_NOT_FOUND, "which-none",
                    "%s and %s have no class with pictures on both sides that you may see here. Classes that you have still open in a "
                    "blind round of the final review are left out.",
                    set_title(c->arena, &w->way.revision), set_title(c->arena, &w->original));
}

/* Any class that can be shown, but not `but` while there is another one. */
static enum err_code choose_class(struct ctx *c, const struct which *w, int64_t but, struct sv *wnid)
{
    struct rng rng;
    uint32_t *order = arena_alloc(c->arena, (w->way.n_classes + 1) * sizeof *order);
    enum err_code rc = OK;
    rng_seed(&rng, rng_fresh_seed());
    for (uint32_t i = 0; i < w->way.n_classes; i++) {
        order[i] = i;
    }
    rng_shuffle_u32(&rng, order, w->way.n_classes);
    *wnid = SV("");
    for (size_t i = 0; i < w->way.n_classes && rc == OK; i++) {
        const struct review_class *k = &w->way.classes[order[i]];
        struct which at = *w;
        at.k.id = k->class_id;
        rc = is_open_blind(&w->way, k->class_id) ? OK : fill_rows(c, &at);
        if (rc == OK && at.per_row > 0) {
            *wnid = k->wnid;
            if (k->class_id != but) {
                return OK;
            }
        }
    }
    return rc;
}

/* ---- the address ---- */

static enum err_code find_original(struct ctx *c, struct which *w)
{
    struct sv name = sv_trim(request_query(c->req, "original"));
    struct revision_row *list;
    size_t n;
    if (name.n) {
        return revisions_find(c->db, name, c->arena, &w->original, &c->err);
    }
    enum err_code rc = revisions_list(c->db, 0, c->arena, &list, &n, &c->err);
    const struct revision_row *newest = rc == OK ? revision_newest(list, n, "original") : NULL;
    if (rc == OK && !newest) {
        return err_rule(&c->err, ERR_NOT_FOUND, "set", "There is no set of originals to compare with.");
    }
    if (rc == OK) {
        w->original = *newest;
    }
    return rc;
}

static enum err_code read_sets(struct ctx *c, struct which *w)
{
    *w = (struct which){.seed = -1};
    enum err_code rc = review_way_make(c, false, &w->way);
    rc = rc == OK ? find_original(c, w) : rc;
    if (rc == OK && w->original.id == w->way.revision.id) {
        rc = err_rule(&c->err, ERR_INPUT, "which-set", "A set is not compared with itself: name another one as original.");
    }
    if (rc == OK) {
        read_score(c, w);
    }
    return rc;
}

/* Class and seed, then the rows. */
static enum err_code read_turn(struct ctx *c, struct which *w)
{
    struct sv guess = request_query(c->req, "guess");
    enum err_code rc = classes_find(c->db, request_query(c->req, "class"), c->arena, &w->k, &c->err);
    if (rc == OK && (!sv_i64(request_query(c->req, "seed"), &w->seed) || w->seed < 0 || w->seed > SEED_MOST)) {
        rc = err_rule(&c->err, ERR_INPUT, "which-seed", "seed must be a whole number from 0 to %lld.", (long long)SEED_MOST);
    }
    if (rc == OK && guess.n && !sv_is(guess, "1") && !sv_is(guess, "2")) {
        rc = err_rule(&c->err, ERR_INPUT, "which-guess", "guess must be 1 or 2.");
    }
    if (rc == OK && is_open_blind(&w->way, w->k.id)) {
        rc = err_rule(&c->err, ERR_DENIED, "which-blind",
                      "You have this class still open in a blind round of the final review, which it would give away. Finish it first.");
    }
    rc = rc == OK ? fill_rows(c, w) : rc;
    if (rc == OK && w->per_row == 0) {
        rc = nothing(c, w);
    }
    if (rc == OK) {
        w->guess = guess.n ? guess.p[0] - '0' : 0;
    }
    return rc;
}

static const char *turn_url(struct ctx *c, const struct which *w, const char *path, struct sv wnid, int64_t seed, const char *score)
{
    return arena_printf(c->arena, "%s/blind%s?original=%s&class=" SV_FMT "&seed=%lld%s%s", set_url(c->arena, &w->way.revision), path,
                        set_title(c->arena, &w->original), SV_ARG(wnid), (long long)seed, score[0] ? "&score=" : "", score);
}

/* ---- pictures ---- */

/* 0 to GRID_TAIL bytes, the same each time. */
static unsigned padding_of(struct ctx *c, const struct which *w, int64_t place)
{
    unsigned char hash[CRYPTO_HASH];
    crypto_keyed(app_secret(c->app, "session_key"),
                 sv_of(arena_printf(c->arena, "which-padding %lld %lld %lld %lld %lld", (long long)w->way.revision.id,
                                    (long long)w->original.id, (long long)w->k.id, (long long)w->seed, (long long)place)),
                 hash);
    return (hash[0] | (unsigned)hash[1] << 8) % (GRID_TAIL + 1);
}

/* GET /sets/:set/:revision/blind/:place?original=&class=&seed=: 0 to 5 are the first row's, 6 to 11 the second's */
enum err_code page_which_shown(struct ctx *c)
{
    struct which w;
    struct image_source source;
    int64_t place;
    if (read_sets(c, &w) != OK || read_turn(c, &w) != OK) {
        return c->err.code;
    }
    if (!sv_i64(c->req->params[2], &place) || place < 0 || place >= ROWS * IN_ROW || (size_t)place % IN_ROW >= w.per_row) {
        return err_rule(&c->err, ERR_NOT_FOUND, "which-place", "There is no such picture.");
    }
    if (sources_of_image(c->db, w.shown[place / IN_ROW][place % IN_ROW], &source, &c->err) != OK) {
        return c->err.code;
    }
    shown_note(c, w.shown[place / IN_ROW][place % IN_ROW], SAW_PAGE);
    struct image_sent at = image_sent_of(&source, RENDITION_GRID);
    at.padding = padding_of(c, &w, place);
    return reply_image(c, &at, false);
}

/* ---- the page ---- */

/* Before the guess the same but for addresses, whatever the row is. NULL with c->err set. */
static json_t *row_json(struct ctx *c, const struct which *w, unsigned row)
{
    json_t *cards = json_array();
    for (size_t i = 0; i < w->per_row; i++) {
        struct image_row image = {.name = SV("")};
        const char *path = arena_printf(c->arena, "/%zu", row * IN_ROW + i), *url = NULL;
        if (w->guess) {
            if (images_names(c->db, &w->shown[row][i], 1, c->arena, &image, &c->err) != OK) {
                json_decref(cards);
                return NULL;
            }
            url = arena_printf(c->arena, "/images/%lld", (long long)w->shown[row][i]);
        }
        object_add(cards, field_count("number", i + 1), field_sv("name", image.name), field_text("url", url),
                   field_text("thumb_url", turn_url(c, w, path, w->k.wnid, w->seed, "")));
    }
    bool fresh = row == w->fresh_row;
    return object(field_count("row", row + 1), field_json("cards", cards),
                  field_text("is", !w->guess ? NULL : fresh ? "New" : "Originals"), field_bool("chosen", w->guess == (int)row + 1));
}

static const char *score_text(struct ctx *c, int64_t right, int64_t n)
{
    struct proportion p = binomial_proportion(right, n);
    return n == 0 ? NULL
                  : arena_printf(c->arena, "%s of %s right: %.0f %% (95 %% interval %.0f\u2013%.0f; chance is 50)", data_count(c->arena, right),
                                 data_count(c->arena, n), 100 * p.value, 100 * p.lo, 100 * p.hi);
}

static enum err_code show(struct ctx *c, const struct which *w)
{
    bool right = w->guess == (int)w->fresh_row + 1;
    int64_t n = w->n + (w->guess != 0), n_right = w->right + (w->guess && right);
    const char *score = score_of(c, w, n, n_right), *title = set_title(c->arena, &w->way.revision);
    struct sv next;
    if (choose_class(c, w, w->k.id, &next) != OK) {
        return c->err.code;
    }
    json_t *first = row_json(c, w, 0), *second = first ? row_json(c, w, 1) : NULL;
    if (!second) {
        json_decref(first);
        return c->err.code;
    }
    json_t *page = object(
        field_text("name", title), field_text("url", set_url(c->arena, &w->way.revision)),
        field_text("original", set_title(c->arena, &w->original)), field_json("class", data_class(c->arena, &w->k)),
        field_json("rows", list(first, second)), field_bool("guessed", w->guess != 0), field_bool("right", right && w->guess),
        field_text("action", arena_printf(c->arena, "%s/blind", set_url(c->arena, &w->way.revision))),
        field_text("seed", arena_printf(c->arena, "%lld", (long long)w->seed)),
        field_text("score", w->n ? score_of(c, w, w->n, w->right) : ""), field_text("score_text", score_text(c, n_right, n)),
        field_text("next_url", turn_url(c, w, "", next.n ? next : w->k.wnid, (int64_t)rng_fresh_seed(), score)),
        field_bool("discriminator", set_scoreable(&w->way.revision)));
    return reply_page(c, 200, "review/which", arena_printf(c->arena, "Which set is the new one? %s", title), page);
}

/* GET /sets/:set/:revision/blind?original=&class=&seed=&guess=&score=; without class or seed: leads on to one */
enum err_code page_which(struct ctx *c)
{
    struct which w;
    if (read_sets(c, &w) != OK) {
        return c->err.code;
    }
    struct sv wnid = sv_trim(request_query(c->req, "class")), seed = request_query(c->req, "seed");
    if (wnid.n && seed.n) {
        return read_turn(c, &w) == OK ? show(c, &w) : c->err.code;
    }
    if (!wnid.n && choose_class(c, &w, 0, &wnid) != OK) {
        return c->err.code;
    }
    return wnid.n ? reply_redirect(c, turn_url(c, &w, "", wnid, (int64_t)rng_fresh_seed(), score_of(c, &w, w.n, w.right))) : nothing(c, &w);
}
