/* tokens_test.c - API tokens: roles, expiry, revoking, limits. */
#include "unit.h"

#include "store/people/accounts.h"
#include "store/people/tokens.h"
#include "temp_project.h"

static int64_t add(struct temp_project *t, const char *login, const char *role)
{
    int64_t id = 0;
    assert_int_equal(
        accounts_create(t->db, 10, 0, sv_of(login), sv_of(role), "h", &id, &t->err), OK);
    return id;
}

static enum err_code make(struct temp_project *t, int64_t account, unsigned char mark,
                          const char *name, const char *role, int64_t expires, int64_t *id)
{
    unsigned char hash[SECRET_HASH] = {mark};
    struct token_new new = {hash, account, sv_of(name), sv_of(role), expires};
    return tokens_create(t->db, 10, account, &new, id, &t->err);
}

static enum err_code find(struct temp_project *t, unsigned char mark, int64_t now,
                          struct api_token *out)
{
    unsigned char hash[SECRET_HASH] = {mark};
    return tokens_find(t->db, hash, now, &t->arena, out, &t->err);
}

PROJECT_TEST(found_until_it_expires)
{
    struct temp_project *t = *state;
    int64_t ada = add(t, "ada", "lead"), id = 0;
    struct api_token k;
    assert_int_equal(make(t, ada, 1, "nightly", "expert", 500, &id), OK);
    assert_int_equal(find(t, 1, 499, &k), OK);
    assert_int_equal(k.id, id);
    assert_int_equal(k.account, ada);
    assert_true(sv_is(k.login, "ada") && sv_is(k.name, "nightly") && sv_is(k.role, "expert"));
    assert_int_equal(k.revoked_at, 0);
    assert_int_equal(find(t, 1, 500, &k), ERR_NOT_FOUND);
    assert_int_equal(find(t, 2, 499, &k), ERR_NOT_FOUND);
    assert_int_equal(t->err.code, OK);
    assert_int_equal(temp_int(t, "SELECT subject FROM event WHERE kind = 'token.create'"), id);
}

PROJECT_TEST(the_role_is_never_above_the_account)
{
    struct temp_project *t = *state;
    int64_t root = add(t, "root", "admin"), ada = add(t, "ada", "lead"), id = 0;
    struct api_token k;
    assert_int_equal(make(t, ada, 1, "x", "admin", 500, &id), ERR_DENIED);
    temp_clear(t, ERR_DENIED, "token-role");
    assert_int_equal(make(t, ada, 1, "x", "lead", 500, &id), OK);
    assert_int_equal(accounts_set_role(t->db, 11, root, ada, SV("worker"), NULL, &t->err), OK);
    assert_int_equal(find(t, 1, 20, &k), OK);
    assert_true(sv_is(k.role, "worker"));
    assert_int_equal(accounts_set_role(t->db, 11, root, ada, SV("admin"), NULL, &t->err), OK);
    assert_int_equal(find(t, 1, 20, &k), OK);
    assert_true(sv_is(k.role, "lead"));
}

PROJECT_TEST(disabling_stops_tokens)
{
    struct temp_project *t = *state;
    int64_t ada = add(t, "ada", "lead"), id = 0;
    struct api_token k;
    assert_int_equal(make(t, ada, 1, "x", "lead", 500, &id), OK);
    assert_int_equal(accounts_set_disabled(t->db, 11, 0, ada, true, &t->err), OK);
    assert_int_equal(find(t, 1, 20, &k), ERR_NOT_FOUND);
    assert_int_equal(make(t, ada, 2, "x", "lead", 500, &id), ERR_DENIED);
    temp_clear(t, ERR_DENIED, "disabled");
}

PROJECT_TEST(forms)
{
    struct temp_project *t = *state;
    int64_t ada = add(t, "ada", "lead"), id = 0;
    char name[TOKEN_NAME + 2];
    memset(name, 'x', sizeof name);
    name[TOKEN_NAME + 1] = '\0';
    assert_int_equal(make(t, ada, 1, "", "lead", 500, &id), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "token-name");
    assert_int_equal(make(t, ada, 1, name, "lead", 500, &id), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "token-name");
    assert_int_equal(make(t, ada, 1, "x", "boss", 500, &id), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "role");
    assert_int_equal(make(t, ada, 1, "x", "lead", 10, &id), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "token-expiry");
    assert_int_equal(make(t, 999, 1, "x", "lead", 500, &id), ERR_NOT_FOUND);
}

PROJECT_TEST(revoking)
{
    struct temp_project *t = *state;
    int64_t ada = add(t, "ada", "lead"), eve = add(t, "eve", "lead"), id = 0;
    struct api_token k;
    assert_int_equal(make(t, ada, 1, "x", "lead", 500, &id), OK);
    assert_int_equal(tokens_revoke(t->db, 20, eve, eve, id, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "not-found");
    assert_int_equal(find(t, 1, 20, &k), OK);
    assert_int_equal(tokens_revoke(t->db, 20, ada, ada, id, &t->err), OK);
    assert_int_equal(tokens_revoke(t->db, 30, eve, 0, id, &t->err), OK);
    assert_int_equal(find(t, 1, 20, &k), ERR_NOT_FOUND);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'token.revoke'"), 1);
    assert_int_equal(temp_int(t, "SELECT revoked_at FROM api_token"), 20);
}

PROJECT_TEST(lists)
{
    struct temp_project *t = *state;
    int64_t ada = add(t, "ada", "lead"), eve = add(t, "eve", "lead"), id = 0;
    struct api_token *k;
    size_t n;
    for (unsigned char i = 1; i <= 5; i++) {
        assert_int_equal(make(t, i == 3 ? eve : ada, i, "x", "lead", 500, &id), OK);
    }
    assert_int_equal(tokens_list(t->db, 0, 0, 100, &t->arena, &k, &n, &t->err), OK);
    assert_int_equal(n, 5);
    assert_true(k[0].id > k[4].id);
    assert_int_equal(tokens_list(t->db, ada, 0, 3, &t->arena, &k, &n, &t->err), OK);
    assert_int_equal(n, 3);
    assert_int_equal(tokens_list(t->db, ada, k[2].id, 3, &t->arena, &k, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_int_equal(tokens_list(t->db, eve, 0, 3, &t->arena, &k, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_true(sv_is(k[0].login, "eve"));
}

PROJECT_TEST(a_limit_per_account)
{
    struct temp_project *t = *state;
    int64_t ada = add(t, "ada", "lead"), eve = add(t, "eve", "lead"), id = 0;
    for (int i = 0; i < TOKENS_PER_ACCOUNT; i++) {
        assert_int_equal(make(t, ada, (unsigned char)i, "x", "lead", 500, &id), OK);
    }
    assert_int_equal(make(t, ada, 200, "x", "lead", 500, &id), ERR_LIMIT);
    temp_clear(t, ERR_LIMIT, "tokens-full");
    assert_int_equal(make(t, eve, 201, "x", "lead", 500, &id), OK);
    assert_int_equal(tokens_revoke(t->db, 20, ada, ada, 1, &t->err), OK);
    assert_int_equal(make(t, ada, 202, "x", "lead", 500, &id), OK);
}
