/* accounts_test.c - creating, finding, changing accounts; the rule about the last administrator. */
#include "unit.h"

#include "store/people/accounts.h"
#include "store/people/sessions.h"
#include "temp_project.h"

static int64_t add(struct temp_project *t, const char *login, const char *role)
{
    int64_t id = 0;
    assert_int_equal(
        accounts_create(t->db, 10, 0, sv_of(login), sv_of(role), "hash of it", &id, &t->err), OK);
    return id;
}

static void session(struct temp_project *t, int64_t account, unsigned char mark)
{
    unsigned char hash[SECRET_HASH] = {mark};
    assert_int_equal(sessions_create(t->db, 10, hash, account, 1000, &t->err), OK);
}

static bool signed_in(struct temp_project *t, unsigned char mark)
{
    unsigned char hash[SECRET_HASH] = {mark};
    struct session s;
    return sessions_find(t->db, hash, 11, 0, &t->arena, &s, &t->err) == OK;
}

TEST(ranks)
{
    assert_int_equal(account_role_rank(SV("worker")), 1);
    assert_int_equal(account_role_rank(SV("expert")), 2);
    assert_int_equal(account_role_rank(SV("lead")), 3);
    assert_int_equal(account_role_rank(SV("admin")), 4);
    assert_int_equal(account_role_rank(SV("Admin")), 0);
    assert_int_equal(account_role_rank((struct sv){0}), 0);
}

TEST(login_forms)
{
    char long_one[66];
    memset(long_one, 'a', sizeof long_one);
    assert_true(account_login_ok(SV("ab")));
    assert_true(account_login_ok(SV("ada.l_9+x@example-1")));
    assert_true(account_login_ok(sv_make(long_one, 64)));
    assert_false(account_login_ok(sv_make(long_one, 65)));
    const char *const bad[] = {"", "a", "Ada", "a b", "a/b", "a\"b", "\xc3\xa4\xc3\xa4"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(account_login_ok(sv_of(bad[i])));
    }
}

PROJECT_TEST(create_and_find)
{
    struct temp_project *t = *state;
    int64_t id = add(t, "ada", "lead");
    struct account a;
    assert_int_equal(accounts_find_login(t->db, SV("ada"), &t->arena, &a, &t->err), OK);
    assert_int_equal(a.id, id);
    assert_true(sv_is(a.login, "ada") && sv_is(a.role, "lead"));
    assert_string_equal(a.password_hash.p, "hash of it");
    assert_false(a.disabled);
    assert_int_equal(a.created_at, 10);
    assert_int_equal(accounts_find_login(t->db, SV("eve"), &t->arena, &a, &t->err),
                     ERR_NOT_FOUND);
    assert_int_equal(t->err.code, OK);
    assert_int_equal(accounts_get(t->db, 999, &t->arena, &a, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "not-found");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'account.create' AND "
                                 "detail = '{\"role\":\"lead\"}'"),
                     1);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE detail LIKE '%ada%'"), 0);
}

PROJECT_TEST(create_refuses)
{
    struct temp_project *t = *state;
    int64_t id = 0;
    add(t, "ada", "lead");
    assert_int_equal(accounts_create(t->db, 1, 0, SV("ada"), SV("lead"), "h", &id, &t->err),
                     ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "login-taken");
    assert_int_equal(accounts_create(t->db, 1, 0, SV("Eve"), SV("lead"), "h", &id, &t->err),
                     ERR_INPUT);
    temp_clear(t, ERR_INPUT, "login-form");
    assert_int_equal(accounts_create(t->db, 1, 0, SV("eve"), SV("root"), "h", &id, &t->err),
                     ERR_INPUT);
    temp_clear(t, ERR_INPUT, "role");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM person"), 1);
}

PROJECT_TEST(list_is_sorted_and_cut)
{
    struct temp_project *t = *state;
    char login[32];
    for (int i = 0; i < 40; i++) { /* more than one growth of the list */
        snprintf(login, sizeof login, "u%02d", (i * 7) % 40);
        add(t, login, "worker");
    }
    struct account *a;
    size_t n;
    assert_int_equal(accounts_list(t->db, 100, &t->arena, &a, &n, &t->err), OK);
    assert_int_equal(n, 40);
    for (size_t i = 0; i < n; i++) {
        snprintf(login, sizeof login, "u%02zu", i);
        assert_true(sv_is(a[i].login, login));
    }
    assert_int_equal(accounts_list(t->db, 3, &t->arena, &a, &n, &t->err), OK);
    assert_int_equal(n, 3);
}

PROJECT_TEST(the_last_admin_stays)
{
    struct temp_project *t = *state;
    static const char *const admins = "SELECT count(*) FROM account WHERE role = 'admin' AND disabled = 0";
    int64_t root = add(t, "root", "admin");
    add(t, "lead", "lead");
    assert_int_equal(accounts_set_role(t->db, 11, root, root, SV("lead"), NULL, &t->err),
                     ERR_DENIED);
    temp_clear(t, ERR_DENIED, "last-admin");
    assert_int_equal(accounts_set_disabled(t->db, 11, root, root, true, &t->err), ERR_DENIED);
    temp_clear(t, ERR_DENIED, "last-admin");
    int64_t second = add(t, "second", "admin");
    assert_int_equal(accounts_set_disabled(t->db, 11, root, second, true, &t->err), OK);
    /* A disabled administrator does not count. */
    assert_int_equal(temp_int(t, admins), 1);
    assert_int_equal(accounts_set_role(t->db, 11, root, root, SV("lead"), NULL, &t->err),
                     ERR_DENIED);
    temp_clear(t, ERR_DENIED, "last-admin");
    /* A disabled one can be demoted, an enabled one of two too. */
    assert_int_equal(accounts_set_role(t->db, 11, root, second, SV("lead"), NULL, &t->err), OK);
    assert_int_equal(accounts_set_role(t->db, 11, root, second, SV("admin"), NULL, &t->err), OK);
    assert_int_equal(accounts_set_disabled(t->db, 11, root, second, false, &t->err), OK);
    assert_int_equal(accounts_set_role(t->db, 11, root, root, SV("lead"), NULL, &t->err), OK);
    assert_int_equal(temp_int(t, admins), 1);
}

PROJECT_TEST(role_changes_end_sessions)
{
    struct temp_project *t = *state;
    int64_t root = add(t, "root", "admin"), ada = add(t, "ada", "lead");
    unsigned char keep[SECRET_HASH] = {2};
    session(t, ada, 1);
    session(t, ada, 2);
    session(t, root, 3);
    assert_int_equal(accounts_set_role(t->db, 11, root, ada, SV("lead"), NULL, &t->err), OK);
    assert_true(signed_in(t, 1)); /* nothing changed */
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'account.role'"), 0);
    assert_int_equal(accounts_set_role(t->db, 11, root, ada, SV("expert"), keep, &t->err), OK);
    assert_false(signed_in(t, 1));
    assert_true(signed_in(t, 2) && signed_in(t, 3));
    assert_int_equal(temp_int(t, "SELECT account FROM event WHERE kind = 'account.role'"), root);
    assert_int_equal(accounts_set_role(t->db, 11, root, ada, SV("boss"), keep, &t->err),
                     ERR_INPUT);
    temp_clear(t, ERR_INPUT, "role");
    assert_int_equal(accounts_set_role(t->db, 11, root, 999, SV("lead"), keep, &t->err),
                     ERR_NOT_FOUND);
}

PROJECT_TEST(password_changes_end_other_sessions)
{
    struct temp_project *t = *state;
    int64_t ada = add(t, "ada", "lead");
    unsigned char keep[SECRET_HASH] = {2};
    struct account a;
    session(t, ada, 1);
    session(t, ada, 2);
    assert_int_equal(accounts_set_password(t->db, 11, ada, ada, "new hash", keep, &t->err), OK);
    assert_false(signed_in(t, 1));
    assert_true(signed_in(t, 2));
    accounts_get(t->db, ada, &t->arena, &a, &t->err);
    assert_string_equal(a.password_hash.p, "new hash");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE detail LIKE '%hash%'"), 0);
    assert_int_equal(accounts_set_password(t->db, 11, ada, 999, "x", keep, &t->err),
                     ERR_NOT_FOUND);
}

PROJECT_TEST(disabling_ends_all_sessions)
{
    struct temp_project *t = *state;
    int64_t root = add(t, "root", "admin"), ada = add(t, "ada", "lead");
    struct account a;
    session(t, ada, 1);
    session(t, root, 3);
    assert_int_equal(accounts_set_disabled(t->db, 11, root, ada, true, &t->err), OK);
    assert_int_equal(accounts_set_disabled(t->db, 11, root, ada, true, &t->err), OK);
    assert_false(signed_in(t, 1));
    assert_true(signed_in(t, 3));
    accounts_find_login(t->db, SV("ada"), &t->arena, &a, &t->err);
    assert_true(a.disabled);
    assert_int_equal(accounts_set_disabled(t->db, 11, root, ada, false, &t->err), OK);
    assert_false(signed_in(t, 1)); /* they stay ended */
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'account.disable'"), 1);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'account.enable'"), 1);
}
