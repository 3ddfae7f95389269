/* invite_test.c - from the link to a signed-in account, against a whole server. */
#include "unit.h"

#include "web/site.h"

/* The administrator makes a link for a lead; `path` gets what follows the site's address. */
static void make_link(struct site *s, char path[128])
{
    struct visitor root;
    char link[256];
    visitor_init(&root, s);
    visitor_sign_in(&root, "root", SITE_PASSWORD);
    assert_int_equal(visit_post(&root, "/admin/invites", "role=lead&note=for+Eve&password=correct+horse+battery"), 303);
    assert_int_equal(visit(&root, "/admin"), 200);
    assert_true(visitor_header(&root, "no-store"));
    visitor_copy(&root, "class=\"secret\">", '<', link, sizeof link);
    assert_int_equal(strncmp(link, s->base, strlen(s->base)), 0);
    snprintf(path, 128, "%s", link + strlen(s->base));
    assert_int_equal(visit(&root, "/admin"), 200);
    assert_true(visitor_saw(&root, "for Eve"));
    assert_false(visitor_saw(&root, path)); /* shown once */
    visitor_release(&root);
}

SITE_TEST(a_link_makes_one_account)
{
    struct site *s = *state;
    struct visitor v;
    char path[128];
    make_link(s, path);
    visitor_init(&v, s);
    assert_int_equal(visit(&v, path), 200);
    assert_true(visitor_saw(&v, "lead"));
    assert_int_equal(visit_post(&v, path, "login=eve&new_password=a+brand+new+one"), 303);
    assert_int_equal(visit(&v, "/account"), 200);
    assert_true(visitor_saw(&v, "eve"));
    assert_int_equal(site_int(s, "SELECT count(*) FROM account WHERE role = 'lead'"), 2);
    assert_int_equal(visit(&v, path), 404);
    assert_int_equal(visit_post(&v, path, "login=bob&new_password=a+brand+new+one"), 404);
    assert_int_equal(site_int(s, "SELECT count(*) FROM account"), 4);
    visitor_sign_in(&v, "eve", "a brand new one");
    visitor_release(&v);
}

SITE_TEST(mistakes_come_back_with_the_form)
{
    struct site *s = *state;
    struct visitor v;
    char path[128];
    make_link(s, path);
    visitor_init(&v, s);
    assert_int_equal(visit_post(&v, path, "login=eve&new_password=short"), 400);
    assert_true(visitor_saw(&v, "at least 12 characters"));
    assert_true(visitor_saw(&v, "value=\"eve\""));
    assert_int_equal(visit_post(&v, path, "login=ada&new_password=a+brand+new+one"), 409);
    assert_true(visitor_saw(&v, "is taken"));
    assert_int_equal(visit_post(&v, path, "login=a%2Fb&new_password=a+brand+new+one"), 400);
    assert_int_equal(site_int(s, "SELECT count(*) FROM person"), 3);
    assert_int_equal(visit(&v, path), 200); /* the link still works */
    visitor_release(&v);
}

SITE_TEST(unknown_and_revoked_links)
{
    struct site *s = *state;
    struct visitor v, root;
    char path[128];
    make_link(s, path);
    visitor_init(&v, s);
    visitor_init(&root, s);
    assert_int_equal(visit(&v, "/invite/AAAAAAAAAAAAAAAAAAAAAA"), 404);
    assert_int_equal(visit(&v, "/invite/%22%3E%3Cb%3E"), 404);
    assert_int_equal(visit(&v, path), 200);
    visitor_sign_in(&root, "root", SITE_PASSWORD);
    assert_int_equal(visit_post(&root, "/admin/invites/1/revoke", ""), 303);
    assert_int_equal(visit(&v, path), 404);
    assert_int_equal(visit(&root, "/admin"), 200);
    assert_true(visitor_saw(&root, "revoked"));
    visitor_release(&v);
    visitor_release(&root);
}
