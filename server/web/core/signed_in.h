/* signed_in.h - who asks, and the cookies that say so. */
#ifndef WEB_CORE_SIGNED_IN_H
#define WEB_CORE_SIGNED_IN_H

#include "web/core/app.h"

/* Sets c->user from the API token or the session that came with the request. Without either, or with
 * a session that is over, c->user stays nobody's; a wrong API token is ERR_AUTH. */
enum err_code signed_in(struct ctx *c);

/* What the cookie is called here: "__Host-..." where TLS is in use, so that no other host of the
 * domain and no page without TLS can set it. In the arena. */
const char *cookie_name(const struct ctx *c, const char *name);
/* Sets or (with "") clears a cookie that the server alone reads, `name` as above without "__Host-". */
void cookie_set(struct ctx *c, const char *name, const char *value, int64_t max_age_s);
/* The same for the session's cookie. */
void cookie_set_session(struct ctx *c, const char *token_text, int64_t max_age_s);
/* One for addresses below `path` alone, which another site's link brings along too. */
void cookie_set_below(struct ctx *c, const char *path, const char *name, const char *value,
                      int64_t max_age_s);

#endif
