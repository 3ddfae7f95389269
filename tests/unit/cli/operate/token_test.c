/* token_test.c - API tokens from the shell. */
#include "unit.h"

#include "base/clock.h"
#include "crypto/crypto.h"
#include "db/db.h"
#include "shell.h"
#include "store/operate/settings.h"
#include "store/people/tokens.h"

/* What the server would make of the token. */
static enum err_code look(struct shell *s, const char *text, int64_t in_days,
                          struct api_token *out)
{
    struct db *db = NULL;
    struct err err = {0};
    unsigned char key[CRYPTO_HASH], hash[CRYPTO_HASH];
    assert_int_equal(db_open(fs_join(&s->arena, s->project, "holdout.db"), DB_READ, &db, &err), OK);
    assert_int_equal(settings_secret(db, "session_key", key, sizeof key, &err), OK);
    crypto_keyed(key, sv_of(text), hash);
    enum err_code rc = tokens_find(db, hash, clock_wall_ms() + in_days * 24 * 3600 * 1000,
                                   &s->arena, out, &err);
    db_close(db);
    return rc;
}

SHELL_TEST(made_listed_revoked)
{
    struct shell *s = *state;
    struct api_token t;
    assert_int_equal(shell_run(s, "token", "create", s->project, "--login", "root", "--name",
                               "nightly", "--role", "lead", "--days", "3", NULL),
                     0);
    assert_int_equal(s->out.n, 27); /* the token and a line end, nothing else */
    char *text = arena_strdup(&s->arena, s->out.p);
    text[26] = '\0';
    assert_int_equal(look(s, text, 2, &t), OK);
    assert_true(sv_is(t.login, "root") && sv_is(t.role, "lead") && sv_is(t.name, "nightly"));
    assert_int_equal(look(s, text, 4, &t), ERR_NOT_FOUND);
    assert_int_equal(shell_run(s, "token", "list", s->project, NULL), 0);
    assert_non_null(strstr(s->out.p, "1\troot\tlead\topen\t"));
    assert_null(strstr(s->out.p, text));
    assert_int_equal(shell_run(s, "token", "revoke", s->project, "1", NULL), 0);
    assert_int_equal(look(s, text, 0, &t), ERR_NOT_FOUND);
    assert_int_equal(shell_run(s, "token", "list", s->project, "--json", NULL), 0);
    assert_non_null(strstr(s->out.p, "\"state\": \"revoked\""));
}

SHELL_TEST(defaults)
{
    struct shell *s = *state;
    assert_int_equal(shell_run(s, "token", "create", s->project, "--login", "root", "--name", "x",
                               "--json", NULL),
                     0);
    assert_non_null(strstr(s->out.p, "\"token\": \"hld_"));
    assert_int_equal(shell_run(s, "token", "list", s->project, "--login", "root", NULL), 0);
    assert_non_null(strstr(s->out.p, "1\troot\tadmin\topen\t"));
}

SHELL_TEST(refusals)
{
    struct shell *s = *state;
    assert_int_equal(shell_run(s, "token", "create", s->project, "--login", "root", NULL), 2);
    assert_int_equal(
        shell_run(s, "token", "create", s->project, "--login", "nobody", "--name", "x", NULL), 1);
    assert_int_equal(shell_run(s, "token", "create", s->project, "--login", "root", "--name", "x",
                               "--role", "boss", NULL),
                     1);
    assert_int_equal(shell_run(s, "token", "create", s->project, "--login", "root", "--name", "x",
                               "--days", "0", NULL),
                     2);
    assert_int_equal(shell_run(s, "token", "revoke", s->project, "1", NULL), 1);
    assert_int_equal(shell_run(s, "token", "revoke", s->project, "x", NULL), 2);
    assert_int_equal(shell_run(s, "token", "list", s->project, "--login", "nobody", NULL), 1);
}
