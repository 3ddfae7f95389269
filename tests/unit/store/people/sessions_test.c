/* sessions_test.c - finding, sliding, ending and purging sessions. */
#include "unit.h"

#include "store/people/accounts.h"
#include "store/people/sessions.h"
#include "temp_project.h"

static int64_t add(struct temp_project *t, const char *login)
{
    int64_t id = 0;
    assert_int_equal(
        accounts_create(t->db, 10, 0, sv_of(login), SV("expert"), "h", &id, &t->err), OK);
    return id;
}

static enum err_code find(struct temp_project *t, unsigned char mark, int64_t now,
                          struct session *s)
{
    unsigned char hash[SECRET_HASH] = {mark};
    return sessions_find(t->db, hash, now, 0, &t->arena, s, &t->err);
}

PROJECT_TEST(found_until_it_expires)
{
    struct temp_project *t = *state;
    int64_t ada = add(t, "ada");
    unsigned char hash[SECRET_HASH] = {1};
    struct session s;
    assert_int_equal(sessions_create(t->db, 10, hash, ada, 500, &t->err), OK);
    assert_int_equal(find(t, 1, 499, &s), OK);
    assert_int_equal(s.account, ada);
    assert_true(s.person > 0);
    assert_true(sv_is(s.login, "ada") && sv_is(s.role, "expert"));
    assert_int_equal(s.expires_at, 500);
    int64_t n = -1;
    assert_int_equal(sessions_count(t->db, ada, 499, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_int_equal(sessions_count(t->db, ada, 500, &n, &t->err), OK);
    assert_int_equal(n, 0);
    assert_int_equal(find(t, 1, 500, &s), ERR_NOT_FOUND);
    assert_int_equal(find(t, 2, 499, &s), ERR_NOT_FOUND);
    assert_int_equal(t->err.code, OK);
}

PROJECT_TEST(one_from_a_clock_that_ran_ahead_is_over)
{
    struct temp_project *t = *state;
    int64_t ada = add(t, "ada"), begun = INT64_C(1) << 40;
    unsigned char hash[SECRET_HASH] = {1};
    struct session s;
    assert_int_equal(sessions_create(t->db, begun, hash, ada, begun + 500, &t->err), OK);
    assert_int_equal(find(t, 1, begun - SESSION_AHEAD_MS - 1, &s), ERR_NOT_FOUND);
    assert_int_equal(find(t, 1, begun - SESSION_AHEAD_MS, &s), OK);
}

TEST(due_at_most_once_an_hour)
{
    int64_t hour = 3600 * 1000, life = 12 * hour, start = 1000;
    assert_false(sessions_due(start + life, start, life));
    assert_false(sessions_due(start + life, start + hour - 1, life));
    assert_true(sessions_due(start + life, start + hour, life));
    /* An hour's session slides at its half. */
    assert_false(sessions_due(start + hour, start + hour / 2 - 1, hour));
    assert_true(sessions_due(start + hour, start + hour / 2, hour));
}

PROJECT_TEST(touching_moves_only_forward)
{
    struct temp_project *t = *state;
    int64_t ada = add(t, "ada");
    unsigned char hash[SECRET_HASH] = {1};
    struct session s;
    sessions_create(t->db, 10, hash, ada, 500, &t->err);
    assert_int_equal(sessions_touch(t->db, hash, 900, &t->err), OK);
    assert_int_equal(sessions_touch(t->db, hash, 700, &t->err), OK);
    assert_int_equal(find(t, 1, 899, &s), OK);
    assert_int_equal(s.expires_at, 900);
    assert_int_equal(sessions_end(t->db, 20, hash, &t->err), OK);
    assert_int_equal(sessions_touch(t->db, hash, 5000, &t->err), OK);
    assert_int_equal(find(t, 1, 30, &s), ERR_NOT_FOUND);
}

PROJECT_TEST(ending)
{
    struct temp_project *t = *state;
    int64_t ada = add(t, "ada");
    unsigned char hash[SECRET_HASH] = {1};
    struct session s;
    sessions_create(t->db, 10, hash, ada, 500, &t->err);
    assert_int_equal(sessions_end(t->db, 20, hash, &t->err), OK);
    assert_int_equal(sessions_end(t->db, 20, hash, &t->err), OK);
    assert_int_equal(find(t, 1, 20, &s), ERR_NOT_FOUND);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'session.start'"), 1);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'session.end'"), 1);
    /* Nothing to end is nothing to tell. */
    assert_int_equal(sessions_end_others(t->db, 20, 0, ada, NULL, &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'session.end'"), 1);
}

PROJECT_TEST(many_sessions_push_out_the_oldest)
{
    struct temp_project *t = *state;
    int64_t ada = add(t, "ada"), eve = add(t, "eve");
    unsigned char other[SECRET_HASH] = {250};
    struct session s;
    sessions_create(t->db, 1, other, eve, 5000, &t->err);
    for (int i = 1; i <= SESSIONS_PER_ACCOUNT + 2; i++) {
        unsigned char hash[SECRET_HASH] = {(unsigned char)i};
        assert_int_equal(sessions_create(t->db, 10 + i, hash, ada, 5000, &t->err), OK);
        assert_int_equal(find(t, (unsigned char)i, 100, &s), OK);
    }
    assert_int_equal(temp_int(t, "SELECT count(*) FROM session"), SESSIONS_PER_ACCOUNT + 1);
    assert_int_equal(find(t, 1, 100, &s), ERR_NOT_FOUND);
    assert_int_equal(find(t, 2, 100, &s), ERR_NOT_FOUND);
    assert_int_equal(find(t, 3, 100, &s), OK);
    assert_int_equal(find(t, 250, 100, &s), OK);
}

/* All in one millisecond: the one just made must be among those that stay. */
PROJECT_TEST(the_newest_survives_a_burst)
{
    struct temp_project *t = *state;
    int64_t ada = add(t, "ada");
    struct session s;
    for (int i = 200; i > 100; i--) {
        unsigned char hash[SECRET_HASH] = {(unsigned char)i};
        assert_int_equal(sessions_create(t->db, 10, hash, ada, 5000, &t->err), OK);
        assert_int_equal(find(t, (unsigned char)i, 100, &s), OK);
    }
}

PROJECT_TEST(purging_is_bounded)
{
    struct temp_project *t = *state;
    int64_t ada = add(t, "ada");
    for (int i = 1; i <= 20; i++) {
        unsigned char hash[SECRET_HASH] = {(unsigned char)i};
        sessions_create(t->db, 10, hash, ada, i <= 15 ? 100 : 900, &t->err);
    }
    assert_int_equal(sessions_purge_expired(t->db, 100, 10, &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM session"), 10);
    assert_int_equal(sessions_purge_expired(t->db, 100, 10, &t->err), OK);
    assert_int_equal(sessions_purge_expired(t->db, 100, 10, &t->err), OK);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM session"), 5);
}
