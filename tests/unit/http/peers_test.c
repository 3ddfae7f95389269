/* peers_test.c - counting connections per address. */
#include "unit.h"

#include "http/peers.h"

static struct address at(const char *text)
{
    struct address a;
    assert_true(address_parse(sv_of(text), &a));
    return a;
}

TEST(each_address_has_its_limit)
{
    struct peers *p = peers_new(2);
    struct address a = at("192.0.2.1"), b = at("192.0.2.2");
    peers_enter(p, &a);
    assert_true(peers_allow(p, &a));
    peers_enter(p, &a);
    assert_false(peers_allow(p, &a));
    assert_true(peers_allow(p, &b));
    peers_enter(p, &b);
    peers_leave(p, &a);
    assert_true(peers_allow(p, &a));
    peers_leave(p, &a);
    assert_true(peers_allow(p, &b));
    peers_enter(p, &b);
    assert_false(peers_allow(p, &b));
    peers_leave(p, &b);
    peers_leave(p, &b);
    peers_free(p);
}

TEST(an_ipv6_network_is_one_client)
{
    struct peers *p = peers_new(1);
    struct address a = at("2001:db8::1"), b = at("2001:db8::2"), c = at("2001:db8:0:1::1");
    peers_enter(p, &a);
    assert_false(peers_allow(p, &b));
    assert_true(peers_allow(p, &c));
    peers_leave(p, &b); /* the same network */
    assert_true(peers_allow(p, &a));
    peers_free(p);
}

TEST(no_limit)
{
    struct peers *p = peers_new(0);
    struct address a = at("192.0.2.1");
    for (int i = 0; i < 100; i++) {
        assert_true(peers_allow(p, &a));
        peers_enter(p, &a);
    }
    for (int i = 0; i < 100; i++) {
        peers_leave(p, &a);
    }
    peers_free(p);
}
