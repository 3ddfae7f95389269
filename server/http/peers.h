/* peers.h - how many connections each address holds, for the limit per address. One thread at a time. */
#ifndef HTTP_PEERS_H
#define HTTP_PEERS_H

#include "http/address.h"

struct peers;
/* `limit` connections per address; 0 is no limit. */
struct peers *peers_new(unsigned limit);
void peers_free(struct peers *p);
/* True when one more connection may come from there. */
bool peers_allow(struct peers *p, const struct address *a);
/* How many the address has now; valid until the connection that entered leaves. */
const unsigned *peers_enter(struct peers *p, const struct address *a);
void peers_leave(struct peers *p, const struct address *a);

#endif
