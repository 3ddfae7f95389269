/* static_files.h - the built-in static/ folder under /static/, by names that carry a hash of the
 * content ("css/tokens.3f2a91c0.css", served immutable) or plain ones (served with an ETag). */
#ifndef HTTP_STATIC_FILES_H
#define HTTP_STATIC_FILES_H

#include "http/http.h"

/* Fills res for the path below /static/; 404 in res->status when there is none, 304 when
 * If-None-Match fits. */
void static_files_serve(struct request *req, struct response *res, struct sv below);

#endif
