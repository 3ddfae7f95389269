/* site.h - a whole server on a fresh project and visitors that talk to it, for tests of pages.
 * Templates are strict: a name that a page's data lacks fails the request. */
#ifndef TESTS_SITE_H
#define TESTS_SITE_H

#include <curl/curl.h>

#include "config/config.h"
#include "db/db.h"
#include "web/core/app.h"

struct site {
    char *dir;
    struct config config;
    struct app *app;
    struct db *db; /* for looking */
    char base[64];
};

/* cmocka setup and teardown; *state is a struct site. Accounts: root (admin), ada (lead), wim
 * (worker), password SITE_PASSWORD. */
#define SITE_PASSWORD "correct horse battery"
#define SITE_TEST(name) TEST_WITH(name, site_open, site_close)
int site_open(void **state);
int site_close(void **state);
int64_t site_int(struct site *s, const char *sql);

/* A browser or a script: keeps cookies, remembers the last reply and its CSRF token. */
struct visitor {
    struct site *site;
    CURL *curl;
    struct str head, body;
    char csrf[64];      /* of the last page that had one; sent with every post */
    const char *bearer; /* an API token to send, or NULL */
};
void visitor_init(struct visitor *v, struct site *s);
void visitor_release(struct visitor *v);

/* Return the status. `form` is "a=b&c=d", already encoded. */
long visit(struct visitor *v, const char *path);
long visit_post(struct visitor *v, const char *path, const char *form);
long visit_json(struct visitor *v, const char *method, const char *path, const char *json);
bool visitor_saw(const struct visitor *v, const char *text);   /* in the body */
bool visitor_header(const struct visitor *v, const char *text); /* in the header lines */
/* Copies what follows `before` up to `end`; fails the test when it is not there. */
void visitor_copy(const struct visitor *v, const char *before, char end, char *out, size_t n);
/* True when the page sends whoever is not signed in to the form. */
bool visitor_sent_to_login(struct visitor *v, const char *path);
/* Signs in and fetches /account for its CSRF token. */
void visitor_sign_in(struct visitor *v, const char *login, const char *password);

#endif
