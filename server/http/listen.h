/* listen.h - the socket the server listens on. */
#ifndef HTTP_LISTEN_H
#define HTTP_LISTEN_H

#include <stdint.h>

#include "base/err.h"

/* Binds and listens; *fd is closed by whoever gets it. *bound is the port, also when `port` is 0.
 * ERR_CONFLICT (rule "port-taken") when the address is in use, ERR_INPUT (rule "bind") when it is
 * not one of this machine's. */
enum err_code listen_open(const char *bind_to, uint16_t port, int *fd, uint16_t *bound,
                          struct err *err);

#endif
