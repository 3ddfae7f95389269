/* response.h - the header lines of a reply: the handler's, and those every reply has. */
#ifndef HTTP_RESPONSE_H
#define HTTP_RESPONSE_H

#include "http/http.h"

struct header_line {
    const char *name, *value;
};
enum { RESPONSE_LINES = HTTP_HEADERS_OUT + 16, RESPONSE_ID = 21 };

/* Fills `out` and returns how many there are. Of the lines every reply has, one that the handler
 * set too is the handler's. `id` holds the request's number in text. */
size_t response_lines(const struct request *req, const struct response *res, char id[RESPONSE_ID],
                      struct header_line out[RESPONSE_LINES]);
/* Makes `res` a plain text of our own, instead of what it held. */
void response_own(struct response *res, int status, const char *text);

#endif
