/* labels.c - experts know what an image truly shows, most of the time: skills, and how plainly a thing must be there. */
#include "cli/demo/labels.h"

#include "base/rng.h"
#include "cli/demo/models.h"
#include "crypto/crypto.h"
#include "experts/review_make.h"
#include "live/labels/review_books.h"
#include "store/images/images.h"
#include "store/labels/label_looks.h"
#include "store/people/accounts.h"
#include "store/sets/sets.h"

enum {
    EXPERTS = 2, CHOSEN = 24, DRAWN = 24, REPEAT_EVERY = 8, LEFT_OPEN = 2 /* disputes that are still to be adjudicated */,
    LOOK_MS = 40000, ASKED_MOST = 32
};
static const char *const logins[EXPERTS] = {"expert-1", "expert-2"};
static const double skill[EXPERTS] = {0.95, 0.9};
static const float plain = 0.25f; /* what is shown less is hard to tell */

struct reviewing {
    struct demo_world *w;
    const struct truth *truth;
    struct label_review_row r;
    struct rng rng;
    int64_t expert[EXPERTS], lead, at;
};

/* Nobody can sign in as a simulated expert: the password is known to nobody. */
static enum err_code make_expert(struct reviewing *v, int e)
{
    struct cli *cli = v->w->cli;
    unsigned char raw[CRYPTO_TOKEN];
    char password[CRYPTO_TOKEN_TEXT], hash[CRYPTO_PASSWORD_TEXT];
    crypto_token(raw, password);
    enum err_code rc = crypto_password_hash(sv_of(password), hash, &cli->err);
    rc = rc == OK ? db_tx_begin(cli->db, &cli->err) : rc;
    rc = rc == OK ? accounts_create(cli->db, v->at, 0, sv_of(logins[e]), SV("expert"), hash, &v->expert[e], &cli->err) : rc;
    rc = rc == OK ? label_review_assign(cli->db, v->r.id, v->expert[e], true, 0, v->at, &cli->err) : rc;
    return db_tx_end(cli->db, rc, &cli->err);
}

static enum err_code make_list(struct reviewing *v)
{
    struct cli *cli = v->w->cli;
    struct review_made made;
    struct revision_row set;
    struct account admin;
    enum err_code rc = revisions_find(cli->db, SV(DEMO_MISLABELLED), &cli->arena, &set, &cli->err);
    int64_t fit = rc == OK ? set.images : 0;
    const struct review_ask ask = {.name = SV(DEMO_REVIEW), .set = SV(DEMO_MISLABELLED), .models = SV(""), .sources = SV(""),
                                   .suggest = SV(""), .queue = QUEUE_ERRORS, .images = fit / 3 < CHOSEN ? fit / 3 : CHOSEN,
                                   .beside = fit / 3 < DRAWN ? fit / 3 : DRAWN, .seed = v->w->seed, .reviewers = EXPERTS,
                                   .repeats = 100 / REPEAT_EVERY};
    rc = rc == OK ? review_make(cli->db, cli->alone, &ask, v->at, &cli->arena, &made, &cli->err) : rc;
    rc = rc == OK ? label_reviews_find(cli->db, SV(DEMO_REVIEW), &cli->arena, &v->r, &cli->err) : rc;
    for (int e = 0; e < EXPERTS && rc == OK; e++) {
        rc = make_expert(v, e);
    }
    rc = rc == OK ? accounts_find_login(cli->db, SV("admin"), &cli->arena, &admin, &cli->err) : rc;
    v->lead = rc == OK ? admin.id : 0;
    return rc;
}

/* What somebody says who is right so often; `sure`: never unclear. */
static enum label_verdict say(struct reviewing *v, float shown, double right, bool sure)
{
    bool there = shown > 0, hard = there && shown < plain && !sure;
    if (hard && rng_unit(&v->rng) < 0.5) {
        return VERDICT_UNCLEAR;
    }
    return there == (rng_unit(&v->rng) < right) ? VERDICT_CORRECT : VERDICT_WRONG;
}

static enum err_code look(struct reviewing *v, int64_t position, int64_t account, double right, enum look_part part)
{
    struct cli *cli = v->w->cli;
    struct label_asked *asked;
    struct image_row image = {.id = 0};
    struct look_verdict said[ASKED_MOST];
    int64_t id, look_id;
    double p;
    size_t n = 0;
    enum err_code rc = label_review_image(cli->db, v->r.id, position, &id, &p, &cli->err);
    rc = rc == OK ? images_get(cli->db, id, &cli->arena, &image, &cli->err) : rc;
    rc = rc == OK ? label_review_labels(cli->db, v->r.id, position, false, &cli->arena, &asked, &n, &cli->err) : rc;
    if (rc != OK) {
        return rc;
    }
    const struct truth_image *truth = truth_of(v->truth, image.name);
    for (size_t i = 0; i < n && i < ASKED_MOST; i++) {
        int k = world_find(asked[i].wnid);
        said[i] = (struct look_verdict){(uint32_t)asked[i].class_id,
                                        say(v, truth && k >= 0 ? truth->shown[k] : 0, right, part == LOOK_ADJUDICATION)};
    }
    bool problem = truth && truth->drawing && rng_unit(&v->rng) < right;
    v->at += LOOK_MS / 2 + (int64_t)rng_below(&v->rng, LOOK_MS);
    const struct label_look_new new = {.review = v->r.id, .position = position, .account = account, .part = part, .verdicts = said,
                                       .n = n < ASKED_MOST ? n : ASKED_MOST, .problem = problem ? PROBLEM_DRAWING : PROBLEMS,
                                       .comment = SV(""), .active_ms = LOOK_MS / 2};
    return label_look_add(cli->db, &new, v->at, &look_id, &cli->err);
}

/* Image after image, both; of the last few nobody has said anything yet. Now and then one's own again. */
static enum err_code look_at_all(struct reviewing *v)
{
    enum err_code rc = OK;
    for (int64_t at = 0; at < v->r.images - v->r.images / 8 && rc == OK; at++) {
        for (int e = 0; e < EXPERTS && rc == OK; e++) {
            rc = look(v, at, v->expert[e], skill[e], LOOK_REVIEW);
            if (rc == OK && at >= REPEAT_EVERY && at % REPEAT_EVERY == e) {
                rc = look(v, at - REPEAT_EVERY, v->expert[e], skill[e], LOOK_REPEAT);
            }
        }
    }
    return rc;
}

static enum err_code adjudicate(struct reviewing *v)
{
    struct cli *cli = v->w->cli;
    struct review_progress now;
    enum err_code rc = label_reviews_find(cli->db, SV(DEMO_REVIEW), &cli->arena, &v->r, &cli->err);
    rc = rc == OK ? review_progress_read(cli->db, &v->r, &cli->arena, &now, &cli->err) : rc;
    for (size_t i = 0; rc == OK && i + LEFT_OPEN < now.n_open; i++) {
        rc = db_tx_begin(cli->db, &cli->err);
        rc = rc == OK ? look(v, now.open[i].position, v->lead, 1, LOOK_ADJUDICATION) : rc;
        rc = db_tx_end(cli->db, rc, &cli->err);
    }
    return rc;
}

enum err_code demo_labels_review(struct demo_world *w, const struct truth *truth, int64_t now)
{
    struct cli *cli = w->cli;
    struct reviewing v = {.w = w, .truth = truth, .at = now - INT64_C(3) * 3600000};
    rng_seed(&v.rng, (uint64_t)w->seed ^ 0x1abe15);
    enum err_code rc = make_list(&v);
    rc = rc == OK ? db_tx_begin(cli->db, &cli->err) : rc;
    rc = rc == OK ? look_at_all(&v) : rc;
    rc = db_tx_end(cli->db, rc, &cli->err);
    return rc == OK ? adjudicate(&v) : rc;
}
