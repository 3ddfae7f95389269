/* address.h - client addresses, and what trusted proxies say about them. */
#ifndef HTTP_ADDRESS_H
#define HTTP_ADDRESS_H

#include <sys/socket.h>

#include "http/http.h"

/* Sixteen bytes as in IPv6; an IPv4 address is its mapped form (::ffff:a.b.c.d), so that one host
 * is one address whichever socket it came by. */
struct address {
    unsigned char b[16];
};

/* "192.0.2.1", "192.0.2.1:80", "2001:db8::1", "[2001:db8::1]:80". */
bool address_parse(struct sv text, struct address *out);
bool address_of(const struct sockaddr *from, struct address *out);
/* The address as people write it, NUL-terminated. */
void address_text(const struct address *a, char out[HTTP_ADDRESS]);
bool address_eq(const struct address *a, const struct address *b);
/* What limits count by: the address itself, and for IPv6 its /64, of which one host has all. */
struct address address_network(const struct address *a);

enum { PROXIES_MAX = 32 };
struct proxies {
    struct {
        struct address address;
        unsigned bits; /* of 128 */
    } items[PROXIES_MAX];
    size_t n;
};

/* "10.0.0.1, 172.16.0.0/12, ::1"; NULL and "" are none. ERR_INPUT (rule "trusted-proxies"). */
enum err_code proxies_parse(const char *list, struct proxies *out, struct err *err);
bool proxies_has(const struct proxies *p, const struct address *a);
/* The client behind `peer`: the last entry of the X-Forwarded-For list `forwarded` that is no
 * trusted proxy. Entries before one that cannot be read are not believed. `peer` is returned when
 * it is not trusted itself. */
struct address proxies_client(const struct proxies *p, const struct address *peer,
                              struct sv forwarded);

#endif
