/* address.c - client addresses, and what trusted proxies say about them. Knows nothing of requests. */
#include "http/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

enum { V4_AT = 12, ADDRESS_TEXT = 64 };

static const unsigned char v4_prefix[V4_AT] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

static bool is_v4(const struct address *a)
{
    return memcmp(a->b, v4_prefix, sizeof v4_prefix) == 0;
}

static void from_v4(struct address *out, const void *four)
{
    memcpy(out->b, v4_prefix, sizeof v4_prefix);
    memcpy(out->b + V4_AT, four, 4);
}

/* The address without brackets and port. */
static struct sv bare(struct sv text)
{
    if (sv_starts(text, "[")) {
        struct sv rest = sv_make(text.p + 1, text.n - 1);
        struct sv inside = sv_cut(&rest, ']');
        bool port = rest.p && (rest.n == 0 || rest.p[0] == ':');
        return port ? inside : SV("");
    }
    struct sv rest = text;
    struct sv host = sv_cut(&rest, ':');
    bool one_colon = rest.p && (rest.n == 0 || !memchr(rest.p, ':', rest.n));
    return one_colon ? host : text;
}

bool address_parse(struct sv text, struct address *out)
{
    char z[ADDRESS_TEXT];
    struct sv host = bare(sv_trim(text));
    if (host.n == 0 || host.n >= sizeof z || memchr(host.p, '\0', host.n)) {
        return false;
    }
    memcpy(z, host.p, host.n);
    z[host.n] = '\0';
    struct in_addr four;
    if (inet_pton(AF_INET, z, &four) == 1) {
        from_v4(out, &four);
        return true;
    }
    return inet_pton(AF_INET6, z, out->b) == 1;
}

bool address_of(const struct sockaddr *from, struct address *out)
{
    /* Copied, because a sockaddr's bytes are aligned for neither of its forms. */
    if (from->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, from, sizeof in);
        from_v4(out, &in.sin_addr);
        return true;
    }
    if (from->sa_family == AF_INET6) {
        struct sockaddr_in6 in6;
        memcpy(&in6, from, sizeof in6);
        memcpy(out->b, &in6.sin6_addr, sizeof out->b);
        return true;
    }
    return false;
}

void address_text(const struct address *a, char out[HTTP_ADDRESS])
{
    bool four = is_v4(a);
    const void *bytes = four ? a->b + V4_AT : a->b;
    BUG_IF(!inet_ntop(four ? AF_INET : AF_INET6, bytes, out, HTTP_ADDRESS));
}

bool address_eq(const struct address *a, const struct address *b)
{
    return memcmp(a->b, b->b, sizeof a->b) == 0;
}

struct address address_network(const struct address *a)
{
    struct address network = *a;
    if (!is_v4(a)) {
        memset(network.b + 8, 0, 8);
    }
    return network;
}

static bool parse_proxy(struct sv text, struct proxies *out)
{
    struct sv bits = text;
    struct sv host = sv_cut(&bits, '/');
    struct address a;
    if (out->n == PROXIES_MAX || !address_parse(host, &a)) {
        return false;
    }
    int64_t most = is_v4(&a) ? 32 : 128, n = most;
    if (bits.p && (!sv_i64(sv_trim(bits), &n) || n < 0 || n > most)) {
        return false;
    }
    out->items[out->n].address = a;
    out->items[out->n].bits = (unsigned)(128 - most + n);
    out->n++;
    return true;
}

enum err_code proxies_parse(const char *list, struct proxies *out, struct err *err)
{
    *out = (struct proxies){0};
    struct sv rest = sv_trim(sv_of(list));
    if (rest.n == 0) {
        return OK;
    }
    while (rest.p) {
        struct sv one = sv_trim(sv_cut(&rest, ','));
        if (!parse_proxy(one, out)) {
            return err_rule(err, ERR_INPUT, "trusted-proxies",
                            "trusted_proxies: \"" SV_FMT "\" is not an address or a network, or there are "
                            "more than %d",
                            SV_ARG(one), PROXIES_MAX);
        }
    }
    return OK;
}

static bool same_prefix(const unsigned char *a, const unsigned char *b, unsigned bits)
{
    unsigned whole = bits / 8, left = bits % 8;
    if (memcmp(a, b, whole) != 0) {
        return false;
    }
    return left == 0 || ((a[whole] ^ b[whole]) >> (8 - left)) == 0;
}

bool proxies_has(const struct proxies *p, const struct address *a)
{
    for (size_t i = 0; i < p->n; i++) {
        if (same_prefix(p->items[i].address.b, a->b, p->items[i].bits)) {
            return true;
        }
    }
    return false;
}

/* Cuts the last element off a comma-separated list; the list's p is NULL after the first. */
static struct sv cut_last(struct sv *list)
{
    const char *comma = list->n ? memrchr(list->p, ',', list->n) : NULL;
    struct sv last = *list;
    if (comma) {
        size_t n = (size_t)(comma - list->p);
        last = sv_make(comma + 1, list->n - n - 1);
        *list = sv_make(list->p, n);
    } else {
        *list = (struct sv){0};
    }
    return last;
}

struct address proxies_client(const struct proxies *p, const struct address *peer,
                              struct sv forwarded)
{
    struct address client = *peer;
    while (forwarded.p && proxies_has(p, &client)) {
        struct address before;
        if (!address_parse(cut_last(&forwarded), &before)) {
            break;
        }
        client = before;
    }
    return client;
}
