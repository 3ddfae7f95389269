/* taking_part_test.c - somebody comes to a study, answers and leaves, through the service alone: no server,
 * no request. What the rules refuse over HTTP is in tests/http/{entry,places,extend,signed}.test.mjs. */
#include "unit_crypto.h"

#include <string.h>

#include "base/clock.h"
#include "study/end.h"
#include "study/entry.h"
#include "study/flagging.h"
#include "study/hold.h"
#include "study/signed.h"
#include "temp_project.h"
#include "world.h"

TESTS_SHARE(unit_crypto, NULL)

enum { CELLS = 4, GRIDS = 2 };

struct scene {
    struct temp_project *t;
    struct campaign terms;
    struct tally *tally;
    struct desk *desk;
    struct board *board;
    struct study study;
    const char *worker, *sig; /* what the link says */
    int64_t kept_place;       /* what the browser keeps; 0: nothing */
    struct sv kept;
};

static const unsigned char key[CRYPTO_HASH] = {7};

static struct sv link_value(void *arg, const char *name)
{
    const struct scene *s = arg;
    return strcmp(name, "worker") == 0 ? sv_of(s->worker)
           : strcmp(name, "sig") == 0  ? sv_of(s->sig)
                                       : SV("");
}

static struct sv kept(void *arg, int64_t place)
{
    const struct scene *s = arg;
    return place == s->kept_place ? s->kept : SV("");
}

/* Writer thread: what a commit brings. */
static void commit(struct scene *s)
{
    assert_int_equal(tally_fold(s->tally, s->t->db, &s->t->err), OK);
    board_publish(s->board, s->desk);
}

static void scene_open(struct scene *s, void **state)
{
    struct temp_project *t = *state;
    *s = (struct scene){.t = t, .terms = world_terms("main"), .worker = "p1", .sig = "",
                        .tally = tally_new(), .desk = desk_new(8), .board = board_new()};
    int64_t class_id = world_class(t->db, 1), images[CELLS];
    s->terms.id = world_campaign(t->db, &s->terms);
    for (unsigned g = 0; g < GRIDS; g++) {
        for (unsigned i = 0; i < CELLS; i++) {
            images[i] = world_image(t->db, CELLS * g + i, class_id, "candidate");
        }
        world_grid(t->db, s->terms.id, class_id, images, CELLS);
    }
    assert_int_equal(tally_fold(s->tally, t->db, &t->err), OK);
    assert_int_equal(desk_reload(s->desk, s->tally, t->db, clock_wall_ms(), &t->err), OK);
    board_publish(s->board, s->desk);
    s->study = (struct study){.db = t->db, .desk = s->desk, .tally = s->tally, .board = s->board,
                              .arena = &t->arena, .err = &t->err, .key = key, .ahead_seconds = 60,
                              .flags_per_person = 100, .flags_to_quarantine = 3, .public_url = "", .kept = kept,
                              .kept_arg = s};
}

static void scene_close(struct scene *s)
{
    board_free(s->board);
    desk_free(s->desk);
    tally_free(s->tally);
}

static struct entry arrive(struct scene *s)
{
    const struct entry_link link = {link_value, s};
    struct entry e;
    assert_int_equal(entry_find(&s->study, SV("main"), &e), OK);
    assert_int_equal(entry_read(&s->study, &link, &e), OK);
    assert_int_equal(entry_who(&s->study, &link, &e), OK);
    e.browser = true;
    return e;
}

static enum entry_stand stand(struct scene *s)
{
    struct entry e = arrive(s);
    assert_int_equal(entry_check(&s->study, &e), OK);
    return e.stand;
}

static struct place join(struct scene *s)
{
    struct entry e = arrive(s);
    struct place p;
    assert_int_equal(entry_join(&s->study, &e, &p), OK);
    commit(s);
    return p;
}

static struct end_standing standing(struct scene *s, const struct place *p)
{
    struct entry e = arrive(s);
    struct end_standing at;
    assert_int_equal(end_standing(&s->study, p, &e.k, &e.s, false, &at), OK);
    return at;
}

static void answer(struct scene *s, const struct place *p)
{
    struct flow_next next;
    int64_t event = 0;
    bool surplus = true;
    assert_int_equal(flow_next(&s->study, p, &next), OK);
    assert_false(next.done);
    assert_int_equal(next.cells, CELLS);
    const struct flow_submission said = {.client_id = SV("12345678"), .shown = 1, .active_ms = -1};
    assert_int_equal(flow_submit(&s->study, &next.assignment, &said, &event, &surplus), OK);
    assert_true(event > 0);
    assert_false(surplus);
    commit(s);
}

PROJECT_TEST(comes_answers_and_ends)
{
    struct scene s;
    struct flow_next next;
    scene_open(&s, state);
    assert_int_equal(stand(&s), ENTRY_OPEN);
    struct place p = join(&s);
    assert_true(p.own);
    assert_int_equal(standing(&s, &p).at, STAND_READY);
    answer(&s, &p);
    answer(&s, &p);
    assert_int_equal(flow_next(&s.study, &p, &next), OK);
    assert_true(next.done);
    assert_string_equal(next.reason, "finished");
    assert_true(sv_eq(next.code, p.code));
    struct end_standing at = standing(&s, &p);
    assert_int_equal(at.at, STAND_DONE);
    assert_int_equal(at.answered, GRIDS);
    assert_true(sv_eq(at.code, p.code));
    scene_close(&s);
}

PROJECT_TEST(leaving_frees_the_grid)
{
    struct scene s;
    struct flow_next next;
    struct desk_progress progress;
    scene_open(&s, state);
    struct place p = join(&s);
    assert_int_equal(flow_next(&s.study, &p, &next), OK);
    assert_true(desk_progress(s.desk, s.terms.id, &progress));
    assert_int_equal(progress.leased, 1);
    assert_int_equal(standing(&s, &p).at, STAND_WAITING);
    assert_int_equal(end_leave(&s.study, &p, LEAVE_TECHNICAL), OK);
    commit(&s);
    assert_true(desk_progress(s.desk, s.terms.id, &progress));
    assert_int_equal(progress.leased, 0);
    struct end_standing at = standing(&s, &p);
    assert_int_equal(at.at, STAND_LEFT);
    assert_int_equal(at.outcome, STUDY_TECHNICAL);
    assert_int_equal(flow_next(&s.study, &p, &next), OK);
    assert_string_equal(next.reason, "left");
    scene_close(&s);
}

/* An id proves nothing: only the secret that the browser keeps opens the place with its right. */
PROJECT_TEST(a_secret_is_who_it_is)
{
    struct scene s;
    struct place found;
    bool known;
    scene_open(&s, state);
    struct place p = join(&s);
    assert_int_equal(stand(&s), ENTRY_OPEN);
    s.kept_place = p.id;
    s.kept = sv_of(hold_text(s.study.arena, &p));
    assert_int_equal(stand(&s), ENTRY_HAS_PLACE);
    assert_int_equal(hold_find(&s.study, s.kept, &found), OK);
    assert_int_equal(found.id, p.id);
    assert_true(found.own);
    assert_memory_equal(found.token, p.token, WORK_TOKEN);
    found.own = false;
    assert_int_equal(hold_by_kept(&s.study, &found, &known), OK);
    assert_true(known && found.own);
    s.kept = SV("short");
    found.own = false;
    assert_int_equal(hold_by_kept(&s.study, &found, &known), OK);
    assert_false(known || found.own);
    assert_int_equal(hold_find(&s.study, s.kept, &found), ERR_NOT_FOUND);
    temp_clear(s.t, ERR_NOT_FOUND, "token");
    /* The same id again without it: a further secret, that may work on and no more. */
    s.kept_place = 0;
    struct place other = join(&s);
    assert_int_equal(other.id, p.id);
    assert_false(other.own);
    assert_int_equal(hold_prove(&s.study, &other, SV("wrong")), ERR_DENIED);
    temp_clear(s.t, ERR_DENIED, "place-code");
    assert_int_equal(hold_prove(&s.study, &other, p.code), OK);
    assert_true(other.own);
    scene_close(&s);
}

PROJECT_TEST(a_signature_says_who_comes)
{
    struct scene s;
    char sig[2 * CRYPTO_HASH + 1];
    unsigned char hash[CRYPTO_HASH];
    scene_open(&s, state);
    struct entry e = arrive(&s);
    const struct entry_link link = {link_value, &s};
    e.s.signing = SV("hmac");
    e.s.signing_key = SV("0123456789abcdef0123456789abcde");
    assert_int_equal(signed_check_settings(&e.s, &s.t->err), ERR_INPUT);
    temp_clear(s.t, ERR_INPUT, "signing_key");
    e.s.signing_key = SV("0123456789abcdef0123456789abcdef");
    assert_int_equal(signed_check_settings(&e.s, &s.t->err), OK);
    assert_int_equal(entry_who(&s.study, &link, &e), ERR_DENIED);
    temp_clear(s.t, ERR_DENIED, "study-signature");
    crypto_hmac_sha256(e.s.signing_key, SV("p1"), hash);
    crypto_hex(hash, sizeof hash, sig);
    s.sig = sig;
    assert_int_equal(entry_who(&s.study, &link, &e), OK);
    assert_true(e.proven);
    s.worker = "p2";
    assert_int_equal(entry_who(&s.study, &link, &e), ERR_DENIED);
    temp_clear(s.t, ERR_DENIED, "study-signature");
    scene_close(&s);
}

PROJECT_TEST(a_flag_counts_once)
{
    struct scene s;
    struct flow_next next;
    int stored = 0;
    scene_open(&s, state);
    struct place p = join(&s);
    assert_int_equal(flow_next(&s.study, &p, &next), OK);
    const struct flagging f = {3, SV("other"), SV("")}, none = {0, SV("other"), SV("")};
    const struct flagging beyond = {(uint64_t)1 << CELLS, SV("other"), SV("")};
    assert_int_equal(flag_photos(&s.study, &next.assignment, &f, &stored), OK);
    assert_int_equal(stored, 2);
    assert_int_equal(flag_photos(&s.study, &next.assignment, &f, &stored), OK);
    assert_int_equal(stored, 0);
    assert_int_equal(flag_photos(&s.study, &next.assignment, &none, &stored), ERR_INPUT);
    temp_clear(s.t, ERR_INPUT, "position");
    assert_int_equal(flag_photos(&s.study, &next.assignment, &beyond, &stored), ERR_INPUT);
    temp_clear(s.t, ERR_INPUT, "position");
    assert_int_equal(temp_int(s.t, "SELECT count(DISTINCT image) FROM flag"), 2);
    scene_close(&s);
}
