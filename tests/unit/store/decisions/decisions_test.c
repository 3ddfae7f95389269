/* decisions_test.c - the list of subjects as bytes, writing in pieces, undo, slots asked for again. */
#include "unit.h"

#include "store/decisions/decisions_list.h"
#include "temp_project.h"
#include "world.h"

enum { ANSWERS = 3 };

struct small { /* one grid with N = 3 and as many answers, each by a person of their own */
    struct temp_project *t;
    int64_t campaign, grid, answers[ANSWERS];
};

static struct small make(struct temp_project *t)
{
    struct campaign terms = world_terms("main");
    int64_t class_id = world_class(t->db, 1);
    int64_t image = world_image(t->db, 1, class_id, "candidate");
    struct small s = {.t = t, .campaign = world_campaign(t->db, &terms)};
    s.grid = world_grid(t->db, s.campaign, class_id, &image, 1);
    for (int i = 0; i < ANSWERS; i++) {
        s.answers[i] = world_vote(t->db, s.campaign, s.grid, 1, false);
    }
    return s;
}

static int64_t ask(struct small *s, const char *sql)
{
    int64_t n = -1;
    assert_int_equal(db_one_int(s->t->db, sql, DB_NONE, &n, &s->t->err), OK);
    return n;
}

static enum err_code create(struct small *s, enum decision_value value, int64_t undoes, size_t n,
                            int64_t *id)
{
    struct decision d = {.value = value,
                         .rule = SV("a reason"),
                         .criteria = SV("{}"),
                         .as_of = ask(s, "SELECT max(id) FROM event"),
                         .subjects = (int64_t)n,
                         .people = (int64_t)n,
                         .reopen = value == DECISION_OUT,
                         .undoes = undoes};
    return decisions_create(s->t->db, &d, s->answers, WORLD_NOW, id, &s->t->err);
}

/* Writes at most `most` pieces of no time at all: one subject each. */
static size_t write_pieces(struct small *s, int64_t id, size_t most)
{
    struct decision_work w;
    struct decision_piece piece = {.more = true};
    size_t written = 0;
    assert_int_equal(decisions_load(s->t->db, id, &s->t->arena, &w, &s->t->err), OK);
    for (size_t i = 0; i < most && piece.more; i++) {
        assert_int_equal(
            decisions_write(s->t->db, &w, 0, WORLD_NOW + 1000, 0, &piece, &s->t->err), OK);
        written += piece.written;
    }
    return written;
}

static int64_t whole(struct small *s, enum decision_value value, int64_t undoes, size_t n)
{
    int64_t id = 0;
    assert_int_equal(create(s, value, undoes, n, &id), OK);
    assert_int_equal(write_pieces(s, id, SIZE_MAX), n);
    return id;
}

static size_t undoable(struct small *s, int64_t id)
{
    struct decision d;
    struct decision_undoable *list;
    size_t n;
    assert_int_equal(decisions_get(s->t->db, id, &s->t->arena, &d, &s->t->err), OK);
    assert_int_equal(decisions_undoable(s->t->db, &d, &s->t->arena, &list, &n, &s->t->err), OK);
    return n;
}

static const char out_now[] =
    "SELECT count(*) FROM answer w WHERE (SELECT s.value FROM answer_state s WHERE s.answer = w.id"
    " ORDER BY s.id DESC LIMIT 1) = 'out'";

TEST(lists_come_back)
{
    const int64_t lists[][4] = {{1, 2, 3, 4}, {5, 127 + 5, 128 + 132, 1000000}, {1, 16384, 16385, INT64_MAX}};
    for (size_t i = 0; i < 3; i++) {
        struct str bytes;
        int64_t back[4];
        subjects_pack(lists[i], 4, &bytes);
        assert_true(subjects_unpack(str_sv(&bytes), back, 4));
        assert_memory_equal(back, lists[i], sizeof back);
        assert_false(subjects_unpack(sv_make(bytes.p, bytes.n - 1), back, 4));
        assert_false(subjects_unpack(str_sv(&bytes), back, 3));
        str_release(&bytes);
    }
    int64_t one;
    assert_false(subjects_unpack(SV("\0"), &one, 1)); /* a number twice */
    assert_false(subjects_unpack(SV("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), &one, 1));
}

PROJECT_TEST(pieces_go_on)
{
    struct small s = make(*state);
    int64_t id = 0, other = 0, open = 0;
    struct decision d;
    assert_int_equal(create(&s, DECISION_OUT, 0, ANSWERS, &id), OK);
    assert_int_equal(write_pieces(&s, id, 2), 2);
    assert_int_equal(decisions_unfinished(s.t->db, &open, &s.t->err), OK);
    assert_int_equal(open, id);
    assert_int_equal(create(&s, DECISION_IN, 0, 1, &other), ERR_CONFLICT);
    assert_string_equal(s.t->err.rule, "decision-unfinished");
    err_clear(&s.t->err);
    assert_int_equal(write_pieces(&s, id, SIZE_MAX), 1);
    assert_int_equal(write_pieces(&s, id, SIZE_MAX), 0);
    assert_int_equal(decisions_get(s.t->db, id, &s.t->arena, &d, &s.t->err), OK);
    assert_true(d.whole);
    assert_int_equal(ask(&s, out_now), ANSWERS);
    assert_int_equal(ask(&s, "SELECT sum(n) FROM grid_reopened"), ANSWERS);
}

PROJECT_TEST(what_was_decided_since_is_a_conflict)
{
    struct small s = make(*state);
    int64_t id = 0;
    struct decision d = {.value = DECISION_OUT, .rule = SV("x"), .criteria = SV("{}"),
                         .as_of = ask(&s, "SELECT max(id) FROM event"), .subjects = 1, .people = 1};
    world_judge(s.t->db, s.answers[2], true);
    assert_int_equal(decisions_create(s.t->db, &d, s.answers, WORLD_NOW, &id, &s.t->err),
                     ERR_CONFLICT);
    assert_string_equal(s.t->err.rule, "decision-changed");
}

PROJECT_TEST(undo_puts_back_each)
{
    struct small s = make(*state);
    world_judge(s.t->db, s.answers[0], true);
    int64_t in = whole(&s, DECISION_IN, 0, 1);
    int64_t out = whole(&s, DECISION_OUT, 0, ANSWERS);
    assert_int_equal(undoable(&s, in), 0);
    int64_t undo = whole(&s, DECISION_UNDO, out, ANSWERS);
    assert_int_equal(ask(&s, out_now), 0);
    assert_int_equal(undoable(&s, out), 0);
    assert_int_equal(undoable(&s, in), 1); /* its state holds again */
    whole(&s, DECISION_UNDO, undo, ANSWERS);
    assert_int_equal(ask(&s, out_now), ANSWERS);
    assert_int_equal(undoable(&s, out), ANSWERS);
    whole(&s, DECISION_UNDO, out, ANSWERS);
    whole(&s, DECISION_UNDO, in, 1);
    assert_int_equal(ask(&s, out_now), 1); /* as the single judgement said */
}

PROJECT_TEST(slots_are_taken_back_while_free)
{
    struct small s = make(*state);
    int64_t out = whole(&s, DECISION_OUT, 0, ANSWERS);
    /* One is answered, one is held, one is free. */
    world_vote(s.t->db, s.campaign, s.grid, 1, false);
    int64_t person = world_person(s.t->db);
    world_lend(s.t->db, s.grid, person, world_place(s.t->db, s.campaign, person), WORLD_NOW,
               WORLD_NOW + 600000);
    int64_t undo = whole(&s, DECISION_UNDO, out, ANSWERS);
    assert_int_equal(ask(&s, "SELECT sum(n) FROM grid_reopened"), 2);
    whole(&s, DECISION_UNDO, undo, ANSWERS);
    assert_int_equal(ask(&s, "SELECT sum(n) FROM grid_reopened"), 3);
}

static enum err_code count_broken(void *arg, int64_t id, int64_t written, int64_t subjects,
                                  struct err *err)
{
    (void)err;
    int64_t *found = arg;
    found[0]++;
    found[1] = id;
    found[2] = subjects - written;
    return OK;
}

PROJECT_TEST(taken_back_before_its_end)
{
    struct small s = make(*state);
    int64_t id = 0, broken[3] = {0};
    assert_int_equal(create(&s, DECISION_OUT, 0, ANSWERS, &id), OK);
    write_pieces(&s, id, 2);
    assert_int_equal(decisions_broken(s.t->db, count_broken, broken, &s.t->err), OK);
    assert_int_equal(broken[0], 1);
    assert_int_equal(broken[1], id);
    assert_int_equal(broken[2], 1);
    whole(&s, DECISION_UNDO, id, 2);
    assert_int_equal(ask(&s, out_now), 0);
    broken[0] = 0;
    assert_int_equal(decisions_broken(s.t->db, count_broken, broken, &s.t->err), OK);
    assert_int_equal(broken[0], 0);
    struct decision_work w;
    struct decision_piece piece;
    assert_int_equal(decisions_load(s.t->db, id, &s.t->arena, &w, &s.t->err), OK);
    assert_int_equal(decisions_write(s.t->db, &w, 0, WORLD_NOW, 0, &piece, &s.t->err),
                     ERR_CONFLICT);
    assert_string_equal(s.t->err.rule, "decision-undone");
}

/* The decisions of a list, at most three, as their places in `ids`. */
static const char *listed(struct small *s, const int64_t ids[3], struct decisions_ask ask)
{
    struct decision *list;
    size_t n;
    char *text = arena_calloc(&s->t->arena, 4, 1);
    ask.most = ask.most ? ask.most : 3;
    assert_int_equal(decisions_list(s->t->db, &ask, &s->t->arena, &list, &n, &s->t->err), OK);
    assert_true(n <= 3);
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            text[i] = list[i].id == ids[k] ? (char)('0' + k) : text[i];
        }
    }
    return text;
}

PROJECT_TEST(the_list)
{
    struct small s = make(*state);
    int64_t ids[3], n = 0;
    ids[0] = whole(&s, DECISION_OUT, 0, ANSWERS);
    ids[1] = whole(&s, DECISION_IN, 0, 1);
    ids[2] = whole(&s, DECISION_UNDO, ids[1], 1);
    assert_string_equal(listed(&s, ids, (struct decisions_ask){.falling = true}), "210");
    assert_string_equal(listed(&s, ids, (struct decisions_ask){.falling = false}), "012");
    assert_string_equal(listed(&s, ids, (struct decisions_ask){.falling = true, .before = ids[2], .most = 1}), "1");
    assert_string_equal(listed(&s, ids, (struct decisions_ask){.falling = true, .skip = 2}), "0");
    assert_string_equal(listed(&s, ids, (struct decisions_ask){.sort = DECISIONS_BY_SUBJECTS, .falling = true}), "021");
    assert_string_equal(listed(&s, ids, (struct decisions_ask){.sort = DECISIONS_BY_SUBJECTS}), "210");
    assert_string_equal(listed(&s, ids, (struct decisions_ask){.filter = DECISIONS_UNDONE}), "1");
    assert_string_equal(listed(&s, ids, (struct decisions_ask){.filter = DECISIONS_PAY}), "");
    static const int64_t fit[] = {[DECISIONS_ALL] = 3, [DECISIONS_ANSWERS] = 3, [DECISIONS_PAY] = 0, [DECISIONS_UNDONE] = 1};
    for (enum decision_filter f = DECISIONS_ALL; f <= DECISIONS_UNDONE; f++) {
        assert_int_equal(decisions_count(s.t->db, f, &n, &s.t->err), OK);
        assert_int_equal(n, fit[f]);
    }
}

PROJECT_TEST(its_rows_come_in_parts)
{
    struct small s = make(*state);
    struct decision d;
    int64_t id = whole(&s, DECISION_OUT, 0, ANSWERS);
    assert_int_equal(decisions_get(s.t->db, id, &s.t->arena, &d, &s.t->err), OK);
    for (size_t skip = 0; skip <= ANSWERS; skip += 2) {
        struct decision_row *rows;
        size_t n;
        assert_int_equal(decisions_rows(s.t->db, &d, skip, 2, &s.t->arena, &rows, &n, &s.t->err), OK);
        assert_int_equal(n, skip ? 1 : 2);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(rows[i].subject, s.answers[skip + i]);
            assert_true(sv_is(rows[i].state, "out") && sv_is(rows[i].before, "in"));
        }
    }
}

TEST(reasons)
{
    struct err err = {0};
    char most[DECISION_REASON_MOST + 1];
    memset(most, 'x', sizeof most);
    assert_int_equal(decisions_reason(SV("  "), &err), ERR_INPUT);
    err_clear(&err);
    assert_int_equal(decisions_reason(sv_make(most, sizeof most), &err), ERR_INPUT);
    err_clear(&err);
    assert_int_equal(decisions_reason(sv_make(most, sizeof most - 1), &err), OK);
    assert_int_equal(decisions_reason(SV("\xff"), &err), ERR_INPUT);
}
