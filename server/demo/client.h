/* client.h - asks this computer's own server over HTTP, as a browser would, one request a connection.
 * For the simulated visitors of the demo: no names are looked up, nothing is encrypted. */
#ifndef DEMO_CLIENT_H
#define DEMO_CLIENT_H

#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct client {
    const char *address; /* numeric, IPv4 or IPv6 */
    uint16_t port;
};
struct client_reply {
    int status;
    struct sv body; /* borrowed from `room` */
};
/* POST of a JSON body. `room` holds the reply. ERR_IO when the server cannot be reached or says
 * nothing within seconds; ERR_INPUT when what it says is not HTTP. */
enum err_code client_post(const struct client *c, const char *path, struct sv json,
                          struct str *room, struct client_reply *out, struct err *err);

#endif
