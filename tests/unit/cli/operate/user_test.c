/* user_test.c - accounts from the shell. */
#include "unit.h"

#include "crypto/crypto.h"
#include "db/db.h"
#include "shell.h"
#include "store/people/accounts.h"

/* The account as it stands in the database. */
static enum err_code look(struct shell *s, const char *login, struct account *out)
{
    struct db *db = NULL;
    struct err err = {0};
    assert_int_equal(db_open(fs_join(&s->arena, s->project, "holdout.db"), DB_READ, &db, &err), OK);
    enum err_code rc = accounts_find_login(db, sv_of(login), &s->arena, out, &err);
    db_close(db);
    return rc;
}

static int add(struct shell *s, const char *login, const char *role)
{
    const char *file = shell_file(s, "new.txt", "a brand new one\r\nsecond line\n");
    return shell_run(s, "user", "add", s->project, login, "--role", role, "--password-file", file,
                     NULL);
}

SHELL_TEST(adding)
{
    struct shell *s = *state;
    struct account a;
    assert_int_equal(add(s, "ada", "lead"), 0);
    assert_int_equal(look(s, "ada", &a), OK);
    assert_true(sv_is(a.role, "lead"));
    assert_true(crypto_password_verify(SV("a brand new one"), a.password_hash.p));
    assert_int_equal(add(s, "ada", "lead"), 1);
    assert_non_null(strstr(s->err.p, "taken"));
    assert_int_equal(add(s, "Ada", "lead"), 2);
    assert_int_equal(add(s, "eve", "boss"), 2);
    const char *file = shell_file(s, "short.txt", "short\n");
    assert_int_equal(
        shell_run(s, "user", "add", s->project, "eve", "--password-file", file, NULL), 1);
    assert_non_null(strstr(s->err.p, "at least 12"));
    assert_int_equal(look(s, "eve", &a), ERR_NOT_FOUND);
}

SHELL_TEST(listing)
{
    struct shell *s = *state;
    assert_int_equal(add(s, "ada", "lead"), 0);
    assert_int_equal(shell_run(s, "user", "list", s->project, NULL), 0);
    assert_non_null(strstr(s->out.p, "id\tlogin\trole\tstate\tcreated\n"));
    assert_non_null(strstr(s->out.p, "\tada\tlead\tactive\t"));
    assert_non_null(strstr(s->out.p, "\troot\tadmin\tactive\t"));
    assert_int_equal(shell_run(s, "user", "list", s->project, "--json", NULL), 0);
    assert_non_null(strstr(s->out.p, "\"login\": \"ada\""));
    assert_null(strstr(s->out.p, "argon2"));
}

SHELL_TEST(role_and_disabling)
{
    struct shell *s = *state;
    struct account a;
    assert_int_equal(add(s, "ada", "lead"), 0);
    assert_int_equal(shell_run(s, "user", "role", s->project, "ada", "expert", NULL), 0);
    assert_int_equal(look(s, "ada", &a), OK);
    assert_true(sv_is(a.role, "expert"));
    assert_int_equal(shell_run(s, "user", "role", s->project, "ada", "boss", NULL), 1);
    assert_int_equal(shell_run(s, "user", "disable", s->project, "ada", NULL), 0);
    look(s, "ada", &a);
    assert_true(a.disabled);
    assert_int_equal(shell_run(s, "user", "enable", s->project, "ada", NULL), 0);
    look(s, "ada", &a);
    assert_false(a.disabled);
    assert_int_equal(shell_run(s, "user", "disable", s->project, "nobody", NULL), 1);
    assert_non_null(strstr(s->err.p, "no account nobody"));
}

SHELL_TEST(the_last_admin_stays)
{
    struct shell *s = *state;
    struct account a;
    assert_int_equal(shell_run(s, "user", "disable", s->project, "root", NULL), 1);
    assert_non_null(strstr(s->err.p, "last administrator"));
    assert_int_equal(shell_run(s, "user", "role", s->project, "root", "lead", NULL), 1);
    assert_int_equal(look(s, "root", &a), OK);
    assert_true(!a.disabled && sv_is(a.role, "admin"));
}

SHELL_TEST(passwords)
{
    struct shell *s = *state;
    struct account a;
    const char *file = shell_file(s, "new.txt", "a brand new one\n");
    assert_int_equal(
        shell_run(s, "user", "password", s->project, "root", "--password-file", file, NULL), 0);
    look(s, "root", &a);
    assert_true(crypto_password_verify(SV("a brand new one"), a.password_hash.p));
    assert_false(crypto_password_verify(SV(SHELL_PASSWORD), a.password_hash.p));
    assert_int_equal(
        shell_run(s, "user", "password", s->project, "nobody", "--password-file", file, NULL), 1);
}
