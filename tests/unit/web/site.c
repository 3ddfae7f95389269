/* site.c - see site.h. */
#include "unit.h"

#include "base/clock.h"
#include "base/xalloc.h"
#include "cli/core/cli.h"
#include "site.h"
#include "store/people/accounts.h"
#include "web/core/app_internal.h"

static void add_accounts(const char *path, struct err *err)
{
    static const char *const people[][2] = {{"root", "admin"}, {"ada", "lead"}, {"wim", "worker"}};
    char hash[CRYPTO_PASSWORD_TEXT];
    struct db *db = NULL;
    assert_int_equal(crypto_password_hash(SV(SITE_PASSWORD), hash, err), OK);
    assert_int_equal(db_open(path, DB_WRITE, &db, err), OK);
    for (size_t i = 0; i < sizeof people / sizeof *people; i++) {
        int64_t id = 0;
        assert_int_equal(accounts_create(db, clock_wall_ms(), 0, sv_of(people[i][0]),
                                         sv_of(people[i][1]), hash, &id, err),
                         OK);
    }
    db_close(db);
}

int site_open(void **state)
{
    static const char *const flags[] = {"server.port=0", "server.threads=2",
                                        "limits.logins_per_address_hour=12",
                                        "limits.logins_per_account_hour=5",
                                        "server.access_log=false", "session.token_days=30"};
    struct site *s = xcalloc(1, sizeof *s);
    struct err err = {0};
    struct arena a;
    arena_init(&a, 4096);
    assert_int_equal(crypto_init(&err), OK);
    s->dir = unit_folder();
    assert_int_equal(project_create(s->dir, &err), OK);
    const char *path = fs_join(&a, s->dir, "holdout.db");
    add_accounts(path, &err);
    assert_int_equal(config_load(&s->config, s->dir, flags, sizeof flags / sizeof *flags, &err),
                     OK);
    assert_int_equal(app_open(&s->config, s->dir, &s->app, &err), OK);
    view_close(s->app->view); /* nobody has asked for a page yet */
    assert_int_equal(view_open(true, &s->app->view, &err), OK);
    assert_int_equal(db_open(path, DB_READ, &s->db, &err), OK);
    snprintf(s->base, sizeof s->base, "http://127.0.0.1:%u", http_port(app_http(s->app)));
    arena_release(&a);
    *state = s;
    return 0;
}

int site_close(void **state)
{
    struct site *s = *state;
    db_close(s->db);
    app_close(s->app);
    config_release(&s->config);
    struct arena a;
    arena_init(&a, 4096);
    static const char *const empty[] = {"images", "models", "exports"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        assert_int_equal(rmdir(fs_join(&a, s->dir, empty[i])), 0);
    }
    arena_release(&a);
    unit_remove(s->dir);
    free(s);
    return 0;
}

int64_t site_int(struct site *s, const char *sql)
{
    int64_t value = 0;
    struct err err = {0};
    assert_int_equal(db_one_int(s->db, sql, DB_NONE, &value, &err), OK);
    return value;
}

static size_t collect(char *p, size_t size, size_t n, void *arg)
{
    str_add(arg, p, size * n);
    return size * n;
}

void visitor_init(struct visitor *v, struct site *s)
{
    *v = (struct visitor){.site = s, .curl = curl_easy_init()};
    assert_non_null(v->curl);
    str_init(&v->head, 1 << 16);
    str_init(&v->body, 1 << 20);
    curl_easy_setopt(v->curl, CURLOPT_COOKIEFILE, "");
    curl_easy_setopt(v->curl, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(v->curl, CURLOPT_WRITEDATA, &v->body);
    curl_easy_setopt(v->curl, CURLOPT_HEADERFUNCTION, collect);
    curl_easy_setopt(v->curl, CURLOPT_HEADERDATA, &v->head);
    curl_easy_setopt(v->curl, CURLOPT_TIMEOUT, 60L);
}

void visitor_release(struct visitor *v)
{
    curl_easy_cleanup(v->curl);
    str_release(&v->head);
    str_release(&v->body);
}

static void keep_csrf(struct visitor *v)
{
    static const char mark[] = "name=\"csrf\" value=\"";
    const char *at = v->body.n ? strstr(v->body.p, mark) : NULL;
    if (at) {
        snprintf(v->csrf, sizeof v->csrf, "%.22s", at + sizeof mark - 1);
    }
}

static long ask(struct visitor *v, const char *method, const char *path, const char *body,
                const char *type)
{
    char url[1024], line[256];
    struct curl_slist *lines = curl_slist_append(NULL, "Expect:");
    long status = 0;
    str_clear(&v->head);
    str_clear(&v->body);
    snprintf(url, sizeof url, "%s%s", v->site->base, path);
    if (v->bearer) {
        snprintf(line, sizeof line, "Authorization: Bearer %s", v->bearer);
        lines = curl_slist_append(lines, line);
    }
    if (type) {
        snprintf(line, sizeof line, "Content-Type: %s", type);
        lines = curl_slist_append(lines, line);
        snprintf(line, sizeof line, "X-CSRF-Token: %s", v->csrf);
        lines = curl_slist_append(lines, line);
    }
    curl_easy_setopt(v->curl, CURLOPT_URL, url);
    curl_easy_setopt(v->curl, CURLOPT_HTTPGET, 1L);
    if (body) {
        curl_easy_setopt(v->curl, CURLOPT_POSTFIELDS, body);
    }
    curl_easy_setopt(v->curl, CURLOPT_CUSTOMREQUEST, method);
    curl_easy_setopt(v->curl, CURLOPT_HTTPHEADER, lines);
    assert_int_equal(curl_easy_perform(v->curl), CURLE_OK);
    curl_easy_getinfo(v->curl, CURLINFO_RESPONSE_CODE, &status);
    curl_slist_free_all(lines);
    keep_csrf(v);
    return status;
}

long visit(struct visitor *v, const char *path)
{
    return ask(v, "GET", path, NULL, NULL);
}

long visit_post(struct visitor *v, const char *path, const char *form)
{
    char body[2048];
    snprintf(body, sizeof body, "%s%scsrf=%s", form, *form ? "&" : "", v->csrf);
    return ask(v, "POST", path, body, NULL);
}

long visit_json(struct visitor *v, const char *method, const char *path, const char *json)
{
    return ask(v, method, path, json, "application/json");
}

bool visitor_saw(const struct visitor *v, const char *text)
{
    return v->body.n && strstr(v->body.p, text);
}

bool visitor_header(const struct visitor *v, const char *text)
{
    return v->head.n && strcasestr(v->head.p, text);
}

void visitor_copy(const struct visitor *v, const char *before, char end, char *out, size_t n)
{
    const char *at = v->body.n ? strstr(v->body.p, before) : NULL;
    assert_non_null(at);
    at += strlen(before);
    const char *stop = strchr(at, end);
    assert_non_null(stop);
    assert_true((size_t)(stop - at) < n);
    snprintf(out, n, "%.*s", (int)(stop - at), at);
}

bool visitor_sent_to_login(struct visitor *v, const char *path)
{
    return visit(v, path) == 303 && visitor_header(v, "Location: /login?next=");
}

void visitor_sign_in(struct visitor *v, const char *login, const char *password)
{
    char form[512];
    char *escaped = curl_easy_escape(v->curl, password, 0);
    snprintf(form, sizeof form, "login=%s&password=%s", login, escaped);
    curl_free(escaped);
    assert_int_equal(visit_post(v, "/login", form), 303);
    assert_int_equal(visit(v, "/account"), 200);
}
