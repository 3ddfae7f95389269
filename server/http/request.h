/* request.h - reading a request line: for mhd.c. */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include "http/http.h"

enum http_method request_method(const char *word);
/* Sets path and query from the request line's target; "http://host/path" is one too. The path is
 * empty when it has a bad escape, is not valid UTF-8 or does not begin with a slash. */
void request_set_uri(struct request *req, const char *uri);

#endif
