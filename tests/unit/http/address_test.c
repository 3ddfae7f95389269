/* address_test.c - addresses in text, trusted proxies and X-Forwarded-For. */
#include "unit.h"

#include "http/address.h"

#include <netinet/in.h>

static const char *round_trip(const char *text)
{
    static char out[HTTP_ADDRESS];
    struct address a;
    if (!address_parse(sv_of(text), &a)) {
        return "refused";
    }
    address_text(&a, out);
    return out;
}

TEST(addresses_are_read_and_written)
{
    assert_string_equal(round_trip("192.0.2.1"), "192.0.2.1");
    assert_string_equal(round_trip(" 192.0.2.1 "), "192.0.2.1");
    assert_string_equal(round_trip("192.0.2.1:8080"), "192.0.2.1");
    assert_string_equal(round_trip("::ffff:192.0.2.1"), "192.0.2.1");
    assert_string_equal(round_trip("2001:DB8::1"), "2001:db8::1");
    assert_string_equal(round_trip("[2001:db8::1]:443"), "2001:db8::1");
    assert_string_equal(round_trip("[2001:db8::1]"), "2001:db8::1");
    assert_string_equal(round_trip("::1"), "::1");
    assert_string_equal(round_trip("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
                        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
    static const char *const bad[] = {
        "",       "unknown", "_hidden",     "1.2.3", "1.2.3.256", "[::1",
        "[::1]x", "::1]:80", "1.2.3.4:5:6", ":80",   "01.2.3.4x", "fe80::1%eth0"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_string_equal(round_trip(bad[i]), "refused");
    }
    struct address a;
    assert_false(address_parse(sv_make("1.2.3.4\0", 8), &a));
}

TEST(sockets_addresses)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xc0000201)};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    struct sockaddr local = {.sa_family = AF_UNIX};
    struct address a;
    char text[HTTP_ADDRESS];
    assert_true(address_of((struct sockaddr *)&in, &a));
    address_text(&a, text);
    assert_string_equal(text, "192.0.2.1");
    assert_true(address_of((struct sockaddr *)&in6, &a));
    address_text(&a, text);
    assert_string_equal(text, "::1");
    assert_false(address_of(&local, &a));
}

TEST(networks)
{
    struct address a, b, c;
    assert_true(address_parse(SV("2001:db8:1:2::1"), &a));
    assert_true(address_parse(SV("2001:db8:1:2:ffff::9"), &b));
    assert_true(address_parse(SV("2001:db8:1:3::1"), &c));
    struct address na = address_network(&a), nb = address_network(&b), nc = address_network(&c);
    assert_true(address_eq(&na, &nb));
    assert_false(address_eq(&na, &nc));
    assert_true(address_parse(SV("192.0.2.1"), &a));
    assert_true(address_parse(SV("192.0.2.2"), &b));
    na = address_network(&a);
    nb = address_network(&b);
    assert_false(address_eq(&na, &nb));
}

static bool trusts(const char *list, const char *address)
{
    struct proxies p;
    struct address a;
    assert_int_equal(proxies_parse(list, &p, NULL), OK);
    assert_true(address_parse(sv_of(address), &a));
    return proxies_has(&p, &a);
}

TEST(proxy_lists)
{
    assert_false(trusts("", "127.0.0.1"));
    assert_false(trusts(NULL, "127.0.0.1"));
    assert_true(trusts("127.0.0.1", "127.0.0.1"));
    assert_true(trusts("::1, 127.0.0.1", "127.0.0.1"));
    assert_false(trusts("127.0.0.1", "127.0.0.2"));
    assert_true(trusts("172.16.0.0/12", "172.31.255.255"));
    assert_false(trusts("172.16.0.0/12", "172.32.0.0"));
    assert_true(trusts("0.0.0.0/0", "8.8.8.8"));
    assert_false(trusts("0.0.0.0/0", "2001:db8::1"));
    assert_true(trusts("2001:db8::/33", "2001:db8:7fff::1"));
    assert_false(trusts("2001:db8::/33", "2001:db8:8000::1"));
    assert_true(trusts("10.1.2.3/32", "10.1.2.3"));
    static const char *const bad[] = {"localhost", "10.0.0.0/33", "::/129",   "10.0.0.0/-1",
                                      "1.2.3.4,",  ",",           "1.2.3.4/", "1.2.3.4 5.6.7.8"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct proxies p;
        struct err err = {0};
        if (proxies_parse(bad[i], &p, &err) != ERR_INPUT) {
            fail_msg("taken: %s", bad[i]);
        }
        assert_string_equal(err.rule, "trusted-proxies");
    }
}

TEST(the_list_of_proxies_is_limited)
{
    char list[PROXIES_MAX * 16] = "";
    size_t n = 0;
    struct proxies p;
    for (int i = 0; i < PROXIES_MAX; i++) {
        n += (size_t)snprintf(list + n, sizeof list - n, "%s10.0.0.%d", i ? "," : "", i);
    }
    assert_int_equal(proxies_parse(list, &p, NULL), OK);
    snprintf(list + n, sizeof list - n, ",1.1.1.1");
    assert_int_equal(proxies_parse(list, &p, NULL), ERR_INPUT);
}

static const char *client(const char *peer, const char *forwarded)
{
    static char out[HTTP_ADDRESS];
    struct proxies p;
    struct address a;
    assert_int_equal(proxies_parse("10.0.0.1,10.0.0.2", &p, NULL), OK);
    assert_true(address_parse(sv_of(peer), &a));
    struct address c = proxies_client(&p, &a, sv_of(forwarded));
    address_text(&c, out);
    return out;
}

TEST(the_client_behind_proxies)
{
    assert_string_equal(client("192.0.2.9", "1.1.1.1"), "192.0.2.9");
    assert_string_equal(client("10.0.0.1", ""), "10.0.0.1");
    assert_string_equal(client("10.0.0.1", "1.1.1.1"), "1.1.1.1");
    assert_string_equal(client("10.0.0.1", "6.6.6.6, 1.1.1.1"), "1.1.1.1");
    assert_string_equal(client("10.0.0.1", "6.6.6.6,1.1.1.1, 10.0.0.2"), "1.1.1.1");
    assert_string_equal(client("10.0.0.1", "10.0.0.2,10.0.0.1"), "10.0.0.2");
    assert_string_equal(client("10.0.0.1", "6.6.6.6,garbage"), "10.0.0.1");
    assert_string_equal(client("10.0.0.1", "6.6.6.6,,10.0.0.2"), "10.0.0.2");
    assert_string_equal(client("10.0.0.1", "6.6.6.6,[2001:db8::5]:99"), "2001:db8::5");
}
