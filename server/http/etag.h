/* etag.h - what If-None-Match says. Knows nothing of requests. */
#ifndef HTTP_ETAG_H
#define HTTP_ETAG_H

#include "base/sv.h"

/* Whether the client has the content with this (strong, quoted) tag: the header is "*" or a list
 * of tags. A weak one counts as well: proxies that compress make ours weak. */
bool etag_known(struct sv if_none_match, const char *etag);

#endif
