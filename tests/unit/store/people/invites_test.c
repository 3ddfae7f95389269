/* invites_test.c - an invite makes one account, while it and its maker are in force. */
#include "unit.h"

#include "store/people/accounts.h"
#include "store/people/invites.h"
#include "temp_project.h"

static const unsigned char link_hash[SECRET_HASH] = {1};

/* An administrator and an open invite for a lead. */
static int64_t invite(struct temp_project *t, int64_t *root)
{
    int64_t id = 0;
    assert_int_equal(
        accounts_create(t->db, 10, 0, SV("root"), SV("admin"), "h", root, &t->err), OK);
    assert_int_equal(invites_create(t->db, 10, *root, link_hash, SV("lead"), SV("for Ada"), 500,
                                    &id, &t->err),
                     OK);
    return id;
}

static enum err_code find(struct temp_project *t, int64_t now)
{
    struct invite v;
    return invites_find(t->db, link_hash, now, &t->arena, &v, &t->err);
}

PROJECT_TEST(found_until_it_expires)
{
    struct temp_project *t = *state;
    int64_t root = 0, id = invite(t, &root);
    struct invite v;
    assert_int_equal(invites_find(t->db, link_hash, 499, &t->arena, &v, &t->err), OK);
    assert_int_equal(v.id, id);
    assert_true(sv_is(v.role, "lead") && sv_is(v.note, "for Ada"));
    assert_int_equal(v.created_by, root);
    assert_int_equal(find(t, 500), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "invite-over");
    unsigned char other[SECRET_HASH] = {2};
    assert_int_equal(invites_find(t->db, other, 20, &t->arena, &v, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "invite-over");
}

PROJECT_TEST(used_once)
{
    struct temp_project *t = *state;
    int64_t root = 0, id = invite(t, &root), ada = 0, eve = 0;
    struct account a;
    struct invite *list;
    size_t n;
    assert_int_equal(invites_use(t->db, 20, link_hash, SV("ada"), "hash", &ada, &t->err), OK);
    assert_int_equal(accounts_get(t->db, ada, &t->arena, &a, &t->err), OK);
    assert_true(sv_is(a.login, "ada") && sv_is(a.role, "lead"));
    assert_string_equal(a.password_hash.p, "hash");
    assert_int_equal(invites_use(t->db, 20, link_hash, SV("eve"), "hash", &eve, &t->err),
                     ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "invite-over");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM account"), 2);
    assert_int_equal(invites_list(t->db, 10, &t->arena, &list, &n, &t->err), OK);
    assert_int_equal(n, 1);
    assert_int_equal(list[0].account, ada);
    assert_int_equal(list[0].used_at, 20);
    assert_int_equal(temp_int(t, "SELECT account FROM event WHERE kind = 'invite.use'"), ada);
    assert_int_equal(invites_revoke(t->db, 30, root, id, &t->err), ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "invite-used");
}

PROJECT_TEST(a_refused_login_leaves_it_open)
{
    struct temp_project *t = *state;
    int64_t root = 0, ada = 0;
    invite(t, &root);
    assert_int_equal(invites_use(t->db, 20, link_hash, SV("root"), "h", &ada, &t->err),
                     ERR_CONFLICT);
    temp_clear(t, ERR_CONFLICT, "login-taken");
    assert_int_equal(invites_use(t->db, 20, link_hash, SV("A B"), "h", &ada, &t->err), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "login-form");
    assert_int_equal(temp_int(t, "SELECT count(*) FROM person"), 1);
    assert_int_equal(find(t, 20), OK);
}

PROJECT_TEST(revoking)
{
    struct temp_project *t = *state;
    int64_t root = 0, id = invite(t, &root);
    assert_int_equal(invites_revoke(t->db, 20, root, 999, &t->err), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "not-found");
    assert_int_equal(invites_revoke(t->db, 20, root, id, &t->err), OK);
    assert_int_equal(invites_revoke(t->db, 30, root, id, &t->err), OK);
    assert_int_equal(find(t, 20), ERR_NOT_FOUND);
    assert_int_equal(temp_int(t, "SELECT count(*) FROM event WHERE kind = 'invite.revoke'"), 1);
}

/* Whoever made it must still be allowed to give that role. */
PROJECT_TEST(the_maker_must_be_in_force)
{
    struct temp_project *t = *state;
    int64_t root = 0, second = 0;
    invite(t, &root);
    accounts_create(t->db, 10, 0, SV("second"), SV("admin"), "h", &second, &t->err);
    assert_int_equal(accounts_set_disabled(t->db, 11, second, root, true, &t->err), OK);
    assert_int_equal(find(t, 20), ERR_NOT_FOUND);
    temp_clear(t, ERR_NOT_FOUND, "invite-over");
    assert_int_equal(accounts_set_disabled(t->db, 11, second, root, false, &t->err), OK);
    assert_int_equal(find(t, 20), OK);
    assert_int_equal(accounts_set_role(t->db, 11, second, root, SV("lead"), NULL, &t->err), OK);
    assert_int_equal(find(t, 20), OK);
    assert_int_equal(accounts_set_role(t->db, 11, second, root, SV("expert"), NULL, &t->err), OK);
    assert_int_equal(find(t, 20), ERR_NOT_FOUND);
}

PROJECT_TEST(forms)
{
    struct temp_project *t = *state;
    int64_t root = 0, id = 0;
    char note[INVITE_NOTE + 1];
    memset(note, 'x', sizeof note);
    invite(t, &root);
    unsigned char hash[SECRET_HASH] = {9};
    assert_int_equal(
        invites_create(t->db, 10, root, hash, SV("boss"), SV(""), 500, &id, &t->err), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "role");
    assert_int_equal(invites_create(t->db, 10, root, hash, SV("lead"),
                                    sv_make(note, sizeof note), 500, &id, &t->err),
                     ERR_INPUT);
    temp_clear(t, ERR_INPUT, "invite-note");
    assert_int_equal(
        invites_create(t->db, 10, root, hash, SV("lead"), SV(""), 10, &id, &t->err), ERR_INPUT);
    temp_clear(t, ERR_INPUT, "invite-expiry");
    assert_int_equal(
        invites_create(t->db, 10, root, hash, SV("lead"), SV(""), 11, &id, &t->err), OK);
}
